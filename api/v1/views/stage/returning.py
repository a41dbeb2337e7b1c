"""Open items of a stage go back to the queue: one's own, or a manager returns somebody's."""

from __future__ import annotations

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.permissions import Permission
from annotator.domain.states import Mode
from annotator.models import Counter, User
from annotator.work.queue.actions.giving_back import free_open
from annotator.work.queue.queries.own_items import has_open
from api.v1 import assign_shapes as a
from api.v1.schema import answers
from api.v1.sending import send
from api.v1.views.base import ProjectView


class ReturnView(ProjectView):
    """Returns one open item of the user (`assignment`), or all of the stage. Blind work stays."""

    needs = Permission.ANNOTATE

    @extend_schema(operation_id="return_items", request=a.ReturnRequest, responses=answers(a.ReturnedAnswer, 400))
    def post(self, request: Request, slug: str, stage: int) -> Response:
        at = self.stage(stage)
        pk = self.checked(a.ReturnRequest, request.data)["assignment"]
        ids = None if pk is None else [pk]
        freed = free_open(stage=at, user=self.user, mode=Mode.REVIEW, by=self.user, ids=ids)
        return send(a.ReturnedAnswer, {"returned": freed})


class UnassignView(ProjectView):
    """Returns a person's open items of the stage, so that others can have them. Saved work is kept on record."""

    needs = Permission.MANAGE

    @extend_schema(operation_id="unassign", request=a.UnassignRequest, responses=answers(a.ReturnedAnswer, 400))
    def post(self, request: Request, slug: str, stage: int) -> Response:
        at = self.stage(stage)
        data = self.checked(a.UnassignRequest, request.data)
        # Whoever had an item there has a counter, people who left included.
        people = User.objects.filter(pk__in=Counter.objects.filter(stage=at).values("user"))
        user = people.filter(username=data["user"]).first()
        if user is None:
            raise ValidationError({"user": [_("“%(name)s” has no work in this project.") % {"name": data["user"]}]})
        had = has_open(at, user, data["mode"])
        # What a page held in advance goes back with it, and is not told.
        freed = min(free_open(stage=at, user=user, mode=data["mode"], by=self.user), had)
        return send(a.ReturnedAnswer, {"returned": freed})
