"""The training of a stage: what it asks for, who is let in, and a person's own batches. Answers to a batch are saved by
`api.v1.views.work`."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.errors import ActionError
from annotator.core.kind import kind_of
from annotator.core.permissions import Permission
from annotator.models import Stage, Training
from annotator.work.answering.actions.repeats import set_again
from annotator.work.answering.actions.training import finish_training, let_in, let_out, set_training, start_training
from annotator.work.answering.queries.training import answered, compared, last_try, needs_training, trainees
from api.v1 import assign_shapes as a
from api.v1.schema import IF_MATCH, answers
from api.v1.sending import Json, send
from api.v1.views.base import NO_BODY, ProjectView


class TrainingSettingsView(ProjectView):
    """What the stage asks of people before they work in it."""

    needs = Permission.MANAGE

    def guarded(self, **address: Any) -> QuerySet[Stage]:
        return self.access.project.stages.filter(pk=address["stage"])

    @extend_schema(operation_id="training_settings", responses=answers(a.TrainingSettingsAnswer))
    def get(self, request: Request, slug: str, stage: int) -> Response:
        return self._settings(self.worked_in(stage))

    @extend_schema(
        operation_id="set_training",
        request=a.TrainingSettingsRequest,
        parameters=[IF_MATCH],
        responses=answers(a.TrainingSettingsAnswer, 400, 412),
    )
    def put(self, request: Request, slug: str, stage: int) -> Response:
        """Replaces all of it."""
        found = self.worked_in(stage)
        data = self.checked(a.TrainingSettingsRequest, request.data)
        again = data.pop("again")
        with transaction.atomic():
            set_training(stage=found, training=data if data["count"] else {}, by=self.user)
            set_again(stage=found, again=again, by=self.user)
        return self._settings(self.worked_in(stage))

    def _settings(self, stage: Stage) -> Response:
        return send(a.TrainingSettingsAnswer, {**a.NO_TRAINING, **stage.training, "again": stage.again})


class TraineesView(ProjectView):
    """Who can work in the stage, how they did in training, and whether they are let in."""

    needs = Permission.MANAGE

    @extend_schema(operation_id="trainees", responses=answers(a.TraineesAnswer))
    def get(self, request: Request, slug: str, stage: int) -> Response:
        return self._people(self.worked_in(stage))

    @extend_schema(operation_id="let_in", request=a.LetInRequest, responses=answers(a.TraineesAnswer, 400))
    def post(self, request: Request, slug: str, stage: int) -> Response:
        """Lets one of them in, or out."""
        found = self.worked_in(stage)
        data = self.checked(a.LetInRequest, request.data)
        user = next((user for user, _try, _in in trainees(found) if user.username == data["user"]), None)
        if user is None:
            raise ValidationError({"user": [_("This person cannot work in this stage.")]})
        change = let_in if data["let_in"] else let_out
        change(stage=found, user=user, by=self.user)
        return self._people(found)

    def _people(self, stage: Stage) -> Response:
        rows = trainees(stage) if stage.training else []
        people = [{"user": user.username, "let_in": is_in, "last": last} for user, last, is_in in rows]
        return send(a.TraineesAnswer, {"people": people})


class _OwnView(ProjectView):
    """A person's own training."""

    needs = Permission.ANNOTATE

    def own(self, pk: int) -> Stage:
        """A stage in which the person can work."""
        stage = self.worked_in(pk)
        self.access.require_language(stage.language)
        self.access.require(kind_of(stage).needs)
        return stage

    def told(self, stage: Stage) -> Response:
        """Where the person is with it. The items are compared with gold once the batch is finished."""
        row = last_try(stage, self.user)
        batch = _batch(row) if row is not None else None
        items = compared(row) if row is not None and row.done_at is not None else []
        waits = needs_training(stage, self.user)
        return send(a.OwnTrainingAnswer, {"needs_training": waits, "batch": batch, "items": items})


class OwnTrainingView(_OwnView):
    """The person's training: the last batch, and how its answers differ from gold once it is finished."""

    bodyless = NO_BODY

    @extend_schema(operation_id="own_training", responses=answers(a.OwnTrainingAnswer))
    def get(self, request: Request, slug: str, stage: int) -> Response:
        return self.told(self.own(stage))

    @extend_schema(operation_id="start_training", request=None, responses=answers(a.OwnTrainingAnswer, 400))
    def post(self, request: Request, slug: str, stage: int) -> Response:
        """Starts a batch, unless one is open."""
        found = self.own(stage)
        start_training(stage=found, user=self.user)
        return self.told(found)


class FinishTrainingView(_OwnView):
    """Finishes the open batch: its answers are compared with gold, and no longer change."""

    bodyless = NO_BODY

    @extend_schema(operation_id="finish_training", request=None, responses=answers(a.OwnTrainingAnswer, 400))
    def post(self, request: Request, slug: str, stage: int) -> Response:
        found = self.own(stage)
        row = last_try(found, self.user)
        if row is None:
            raise ActionError(_("There is no training batch. Start one first."))
        finish_training(training=row, by=self.user, now=timezone.now())
        return self.told(found)


def _batch(row: Training) -> Json:
    names = ("id", "number", "created_at", "done_at", "score", "let_in")
    return {**{name: getattr(row, name) for name in names}, "done": answered(row), "total": len(row.items)}
