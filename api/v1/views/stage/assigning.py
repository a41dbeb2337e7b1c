"""Assigning the items of a stage to people."""

from __future__ import annotations

import uuid

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.permissions import Permission
from annotator.domain.dealing.deal import Amount, Order, Turns
from annotator.models import User
from annotator.work.queue.actions.dealing import check_wanted, deal_items, move_unstarted, undo_dealing
from annotator.work.queue.queries.dealing import (
    Wanted,
    blind_refusal,
    preview,
    refusal,
    unstarted_by_person,
    workers,
)
from api.v1 import assign_shapes as a
from api.v1.schema import answers
from api.v1.sending import send
from api.v1.views.base import NO_BODY, ProjectView


class AssigningView(ProjectView):
    """Giving work of a stage to members."""

    needs = Permission.MANAGE

    def member(self, field: str, name: str) -> User:
        """A member of the project by username."""
        row = self.access.project.memberships.select_related("user").filter(user__username=name).first()
        if row is None:
            raise ValidationError({field: [_("%(name)s is not a member of this project.") % {"name": name}]})
        return row.user


class AssignView(AssigningView):
    """Assigns items of a stage to people."""

    @extend_schema(operation_id="assignable", responses=answers(a.AssignableAnswer))
    def get(self, request: Request, slug: str, stage: int) -> Response:
        """Who can be given work of the stage, and who has some that is not started."""
        at = self.worked_in(stage)
        why = refusal(at)
        found = {
            "people": [user.username for user in workers(at)],
            "refusal": why,
            "blind_refusal": "" if why else blind_refusal(at),
            "unstarted": unstarted_by_person(at),
        }
        return send(a.AssignableAnswer, found)

    @extend_schema(operation_id="assign", request=a.AssignRequest, responses=answers(a.AssignedAnswer, 400))
    def post(self, request: Request, slug: str, stage: int) -> Response:
        """Assigns them; with `dry_run`, only counts."""
        at = self.worked_in(stage)
        data = self.checked(a.AssignRequest, request.data)
        users = [self.member("users", name) for name in dict.fromkeys(data.pop("users"))]
        strata, blind, dry_run = data.pop("strata"), data.pop("blind"), data.pop("dry_run")
        amount, shared_amount = Amount(data.pop("amount")), Amount(data.pop("shared_amount"))
        order = Order(amount=amount, shared_amount=shared_amount, turns=Turns(data.pop("turns")), **data)
        wanted = Wanted(users, order, [name for name in strata if order.seed is not None], blind)
        if dry_run:
            check_wanted(at, wanted)
            return send(a.AssignedAnswer, {"key": None, "given": {}, "plan": preview(at, wanted)})
        key = uuid.uuid4()
        given = deal_items(stage=at, wanted=wanted, by=self.user, operation=key)
        return send(
            a.AssignedAnswer,
            {"key": key, "given": {user.username: given[user.pk] for user in users}, "plan": None},
        )


class UndoAssignView(AssigningView):
    """Takes back what nobody has started of an assignment."""

    bodyless = NO_BODY

    @extend_schema(operation_id="undo_assign", request=None, responses=answers(a.UndoneAnswer, 400))
    def post(self, request: Request, slug: str, stage: int, key: uuid.UUID) -> Response:
        returned, kept = undo_dealing(stage=self.worked_in(stage), operation=key, by=self.user)
        return send(a.UndoneAnswer, {"returned": returned, "kept": kept})


class MoveView(AssigningView):
    """Moves items that a person has not started to somebody else, or back to the queue."""

    @extend_schema(operation_id="move_unstarted", request=a.MoveRequest, responses=answers(a.MovedAnswer, 400))
    def post(self, request: Request, slug: str, stage: int) -> Response:
        at = self.worked_in(stage)
        data = self.checked(a.MoveRequest, request.data)
        user = User.objects.filter(username=data["user"]).first()
        if user is None or not at.assignments.filter(user=user).exists():
            raise ValidationError({"user": [_("“%(name)s” has no work in this project.") % {"name": data["user"]}]})
        to = None if data["to"] is None else self.member("to", data["to"])
        moved, refused = move_unstarted(
            stage=at, user=user, mode=data["mode"], to=to, count=data["count"], by=self.user
        )
        return send(a.MovedAnswer, {"moved": moved, "refused": refused})
