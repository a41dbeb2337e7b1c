"""Pairs by their tag, and giving them to a person for a second look."""

from __future__ import annotations

import uuid
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.permissions import Permission
from annotator.models import User
from annotator.search.actions.second_look import give_again, undo_give_again
from annotator.search.queries.pairs import Tagged, people_of, rows_of, second_look, tagged, tagging_stages
from api.v1 import sentence_shapes as s
from api.v1.schema import answers
from api.v1.sending import send
from api.v1.views.base import NO_BODY, ProjectView


class _PairsView(ProjectView):
    needs = Permission.MANAGE

    def wanted(self, asked: dict[str, Any]) -> Tagged:
        """The pairs that are asked for. Raises ValidationError."""
        stage = next((one for one in tagging_stages(self.access) if one.pk == asked["stage"]), None)
        if stage is None:
            raise ValidationError({"stage": [_("There is no such stage in this project.")]})
        if asked["tag"] not in stage.layer.scheme_data["values"]:
            raise ValidationError({"tag": [_("The project does not have this tag.")]})
        return Tagged(stage, asked["tag"], asked["whose"])

    def person(self, wanted: Tagged, name: str) -> User:
        """A member who can work in the stage, by username. Raises ValidationError."""
        user = next((one for one in people_of(wanted.stage) if one.username == name), None)
        if user is None:
            raise ValidationError({"user": [_("This person cannot work in this stage.")]})
        return user


class TaggedPairsView(_PairsView):
    """The pairs of a stage with a tag; none while the user has blind work open."""

    @extend_schema(
        operation_id="tagged_pairs", parameters=[s.TaggedPairsQuery], responses=answers(s.TaggedPairsAnswer, 400)
    )
    def get(self, request: Request, slug: str) -> Response:
        """The first 50 of them; with `user`, what a second look of that person would be."""
        asked = self.asked(s.TaggedPairsQuery)
        wanted = self.wanted(asked)
        found = tagged(self.access, wanted)
        user = self.person(wanted, asked["user"]) if asked["user"] else None
        look = second_look(wanted.stage, found, user) if user is not None else None
        counts = {name: getattr(look, name) for name in ("at_work", "hidden", "more")} if look is not None else {}
        lists = {name: len(getattr(look, name)) for name in ("own", "given", "gold")} if look is not None else {}
        about = {"total": len(found), "pairs": rows_of(wanted, found), "look": counts | lists or None}
        return send(s.TaggedPairsAnswer, about)


class GiveAgainView(_PairsView):
    """Gives the pairs with a tag to a person for a second look, at most 100 at a time. Their gold is reopened."""

    @extend_schema(operation_id="give_again", request=s.GiveAgainRequest, responses=answers(s.GivenAgainAnswer, 400))
    def post(self, request: Request, slug: str) -> Response:
        asked = self.checked(s.GiveAgainRequest, request.data)
        wanted = self.wanted(asked)
        user = self.person(wanted, asked["user"])
        key = give_again(access=self.access, asked=wanted, user=user, now=timezone.now())
        return send(s.GivenAgainAnswer, {"key": key})


class UndoGiveAgainView(_PairsView):
    """Undoes a second look of the user, except where the person has saved something since."""

    bodyless = NO_BODY

    @extend_schema(operation_id="undo_give_again", request=None, responses=answers(s.GivenBackAnswer, 400))
    def post(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        restored, kept = undo_give_again(access=self.access, operation=key, now=timezone.now())
        return send(s.GivenBackAnswer, {"restored": restored, "kept": kept})
