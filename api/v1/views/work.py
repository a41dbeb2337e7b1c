"""The calls of the workspaces, the same for every kind of work: claim, look, save, undo."""

from __future__ import annotations

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.errors import ActionError
from annotator.core.kind import kind_of, own_texts
from annotator.core.permissions import Permission
from annotator.models import Annotation, Assignment, Project, Repeat, Stage, Training, Unit, User
from annotator.work.answering.actions.annotations import save_annotation, undo_annotation
from annotator.work.answering.actions.repeats import give_again, save_repeat, undo_repeat
from annotator.work.answering.actions.training import save_training, undo_training
from annotator.work.answering.queries.contexts import waiting_pairs
from annotator.work.answering.queries.repeats import repeat_items, shown_repeats
from annotator.work.answering.queries.training import answered, training_answer, training_items
from annotator.work.answering.queries.workspace import OwnItem, own_answer, own_items, saved_answer, workspace_items
from annotator.work.derivation.queries.source_changes import listed
from annotator.work.queue.actions.assignments import claim
from annotator.work.queue.queries.free import HiddenCounts, hidden_counts
from annotator.work.queue.queries.progress import Progress, public_progress, stage_progress
from api.v1.answers import OwnItemsAnswer, SaveAnswer, SourceChangedItemsAnswer
from api.v1.requests import ClaimRequest, ItemsQuery, SaveRequest, SourceChangedQuery, UndoRequest
from api.v1.schema import ClaimAnswer, Item, answers
from api.v1.sending import items_shown, send, shown_as
from api.v1.shapes import ProgressAnswer
from api.v1.views.base import ProjectView, StageView


class ClaimView(StageView):
    """Hands out work: the user's own open items first, then the first free ones of the stage."""

    @extend_schema(operation_id="claim", request=ClaimRequest, responses=answers(ClaimAnswer, 400))
    def post(self, request: Request, slug: str, stage: int) -> Response:
        at = self.work_stage(stage)
        data = self.checked(ClaimRequest, request.data)
        again, data["held"] = [-pk for pk in data["held"] if pk < 0], [pk for pk in data["held"] if pk > 0]
        rows = claim(stage=at, user=self.user, now=timezone.now(), **data)
        given = give_again(stage=at, user=self.user, held=again) if at.again else []
        for row in rows:
            row.stage = at
        hidden = hidden_counts(at, self.user) if len(rows) < data["count"] else HiddenCounts()
        return Response(
            {
                "items": items_shown([*workspace_items(self.access.project, rows, self.user), *repeat_items(given)]),
                "progress": shown_as(ProgressAnswer, public_progress(at, stage_progress(at, self.user))),
                "own_left": hidden.own,
                "blind_left": hidden.blind,
                "elsewhere_left": hidden.elsewhere,
                "later_left": hidden.later,
            }
        )


class ItemsView(StageView):
    """Some of the user's own items of a stage in reading order, for going back."""

    @extend_schema(operation_id="own_items", parameters=[ItemsQuery], responses=answers(OwnItemsAnswer, 400))
    def get(self, request: Request, slug: str, stage: int) -> Response:
        # What somebody did stays theirs to look at, whatever work they are given today.
        self.access.require(Permission.ANNOTATE)
        at = self.stage(stage)
        if at.adjudicates:
            raise Http404(_("This stage has another kind of work."))
        data = self.asked(ItemsQuery)
        if data["before"] is not None and data["after"] is not None:
            raise ValidationError({"after": [_("Give before or after, but not both.")]})
        results, more = own_items(
            at,
            self.user,
            state=data["state"],
            doubt=data["doubt"],
            before=self._own(at, data["before"]) if data["before"] else None,
            after=self._own(at, data["after"]) if data["after"] else None,
            last=data["before"] == 0,
            limit=data["limit"],
        )
        return send(OwnItemsAnswer, {"results": results, "more": more})

    def _own(self, stage: Stage, pk: int) -> Assignment:
        # Of an item that is given again, where its first answer is.
        which = {"pk": pk} if pk > 0 else {"repeat": -pk}
        row = Assignment.objects.filter(stage=stage, user=self.user, **which).first()
        if row is None:
            raise Http404(_("This item is not assigned to you in this stage."))
        return row


class SourceChangedView(ProjectView):
    """Items of a stage that were reviewed or decided before what stands on their source changed, in reading order."""

    @extend_schema(
        operation_id="source_changed",
        parameters=[SourceChangedQuery],
        responses=answers(SourceChangedItemsAnswer, 400),
    )
    def get(self, request: Request, slug: str, stage: int) -> Response:
        at = self.stage(stage)
        at.project = self.access.project
        results, more = listed(self.access, at, after=self.asked(SourceChangedQuery)["after"])
        return send(SourceChangedItemsAnswer, {"results": results, "more": more})


class AssignmentView(ProjectView):
    """One of the user's own items. Looking at it claims and creates nothing."""

    needs = Permission.ANNOTATE

    @extend_schema(operation_id="assignment", responses=answers(Item, 400))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        row = (
            Assignment.objects.filter(pk=pk, project=self.access.project, user=self.user)
            .select_related("item", "unit__segment", "stage__layer")
            .first()
        )
        if row is None:
            raise _not_yours()
        row.stage.project = self.access.project
        self.access.require(kind_of(row.stage).needs)
        _check_apart(self.user, self.access.project, row.unit)
        [shown] = items_shown(workspace_items(self.access.project, [row], self.user))
        self.revision = shown["annotation"]["version"]
        return Response(shown)


def _check_apart(user: User, project: Project, unit: Unit) -> None:
    if waiting_pairs(user, project, [unit]):
        raise ActionError(
            _("Finish your blind work on the sentences of this pair first. Until then they are not shown together.")
        )


def _not_yours() -> Http404:
    return Http404(
        _(
            "This item is not assigned to you. It may have been returned to the queue, or this browser may be "
            "signed in to another account."
        )
    )


class AnswerView(ProjectView):
    """Writes of the user's own answers."""

    needs = Permission.ANNOTATE

    def written(self, annotation: Annotation) -> Response:
        """What stands now, of an annotation that comes with its stage, and how far the stage is."""
        stage = annotation.stage
        if stage is None:
            raise ValueError(f"Annotation {annotation.pk} was written in no stage.")
        return send(
            SaveAnswer,
            {
                "annotation": saved_answer(annotation, self.user),
                # The assignment is done when the answer is (`work/answering/actions/annotations.py`).
                "state": annotation.state,
                "progress": public_progress(stage, stage_progress(stage, self.user)),
            },
        )


class SaveView(AnswerView):
    """Saves an answer over the version that was seen."""

    @extend_schema(operation_id="save", request=SaveRequest, responses=answers(SaveAnswer, 400, 409, 413))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        data = self.checked(SaveRequest, request.data)
        return self.written(
            save_annotation(project=self.access.project, assignment=pk, by=self.user, now=timezone.now(), **data)
        )


class UndoView(AnswerView):
    """Back to what the last save replaced; again goes one further back."""

    @extend_schema(operation_id="undo", request=UndoRequest, responses=answers(SaveAnswer, 400, 409))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        version = self.checked(UndoRequest, request.data)["version"]
        return self.written(
            undo_annotation(
                project=self.access.project, assignment=pk, version=version, by=self.user, now=timezone.now()
            )
        )


class RepeatView(ProjectView):
    """An item that the user is given again, without being told: its id is below zero."""

    needs = Permission.ANNOTATE

    @extend_schema(operation_id="repeat", responses=answers(Item, 400))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        rows = Repeat.objects.filter(project=self.access.project, user=self.user, pk=pk)
        row = rows.select_related("assignment__unit", "stage__layer", "user").first()
        if row is None:
            raise _not_yours()
        row.stage.project = self.access.project
        self.access.require(kind_of(row.stage).needs)
        _check_apart(self.user, self.access.project, row.assignment.unit)
        [shown] = items_shown(repeat_items([row]))
        self.revision = shown["annotation"]["version"]
        return Response(shown)

    def written(self, row: Repeat | None) -> Response:
        """What stands now of the second answer."""
        if row is None:
            raise _not_yours()
        shown = shown_repeats([row])[0].answer
        progress = public_progress(row.stage, stage_progress(row.stage, self.user))
        return send(SaveAnswer, {"annotation": shown, "state": shown.state, "progress": progress})


class RepeatSaveView(RepeatView):
    """Saves the second answer. It counts nowhere but in the person's own consistency."""

    http_method_names = ["post"]

    @extend_schema(operation_id="repeat_save", request=SaveRequest, responses=answers(SaveAnswer, 400, 409, 413))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        data = self.checked(SaveRequest, request.data)
        data.pop("seconds")
        return self.written(
            save_repeat(project=self.access.project, repeat=pk, by=self.user, now=timezone.now(), **data)
        )


class RepeatUndoView(RepeatView):
    """Back to what the last save of the second answer replaced."""

    http_method_names = ["post"]

    @extend_schema(operation_id="repeat_undo", request=UndoRequest, responses=answers(SaveAnswer, 400))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        self.checked(UndoRequest, request.data)
        return self.written(undo_repeat(project=self.access.project, repeat=pk, by=self.user, now=timezone.now()))


# The same calls below the address of a training batch. An item's id is its place in it.


class TrainingView(ProjectView):
    """An own batch."""

    needs = Permission.ANNOTATE

    def batch(self, pk: int) -> Training:
        """The user's batch, with its stage."""
        rows = Training.objects.filter(project=self.access.project, user=self.user, number__gt=0)
        row = rows.select_related("stage__layer", "user").filter(pk=pk).first()
        if row is None:
            raise Http404(_("You have no such training batch."))
        row.stage.project = self.access.project
        self.access.require(kind_of(row.stage).needs)
        self.access.require_language(row.stage.language)
        return row

    def place(self, row: Training, pk: int) -> int:
        """The place of an item in the batch."""
        if not 1 <= pk <= len(row.items):
            raise Http404(_("The training batch has no such item."))
        return pk

    def progress(self, row: Training) -> Progress:
        """How far the batch is."""
        done = answered(row)
        return Progress(done=done, open=len(row.items) - done, total=len(row.items), mine=done)

    def written(self, row: Training, place: int) -> Response:
        """What stands now at a place."""
        row.stage.project = self.access.project
        unit = Unit.objects.get(pk=row.items[place - 1]["unit"])
        annotation = training_answer(row, place, unit)
        shown = own_answer(row.stage.layer, annotation, blind=True, closed=False)
        return send(SaveAnswer, {"annotation": shown, "state": shown.state, "progress": self.progress(row)})


class TrainingClaimView(TrainingView):
    """The next items of the batch that are not done."""

    @extend_schema(operation_id="training_claim", request=ClaimRequest, responses=answers(ClaimAnswer, 400))
    def post(self, request: Request, slug: str, batch: int, stage: int) -> Response:
        row = self.batch(batch)
        data = self.checked(ClaimRequest, request.data)
        open_ = [
            place
            for place, item in enumerate(row.items, 1)
            if place not in data["held"] and not (item["answer"] and item["answer"]["done"])
        ]
        return Response(
            {
                "items": items_shown(training_items(row, open_[: data["count"]])),
                "progress": shown_as(ProgressAnswer, self.progress(row)),
                "own_left": False,
                "blind_left": 0,
                "elsewhere_left": 0,
                "later_left": 0,
            }
        )


class TrainingItemsView(TrainingView):
    """The items of the batch that are done, for going back."""

    @extend_schema(operation_id="training_items", parameters=[ItemsQuery], responses=answers(OwnItemsAnswer, 400))
    def get(self, request: Request, slug: str, batch: int, stage: int) -> Response:
        row = self.batch(batch)
        data = self.asked(ItemsQuery)
        end, begin = data["before"] or len(row.items) + 1, data["after"] or 0
        done = [
            place
            for place, item in enumerate(row.items, 1)
            if begin < place < end and item["answer"] and item["answer"]["done"]
        ]
        shown = [item["shown"] for item in training_items(row, done)]
        texts = own_texts(row.stage, [one.unit for one in shown], self.user)
        results = [OwnItem(one.assignment, texts.get(one.unit.pk, ""), one.uid) for one in shown]
        return send(OwnItemsAnswer, {"results": results, "more": False})


class TrainingItemView(TrainingView):
    """One item of the batch."""

    @extend_schema(operation_id="training_item", responses=answers(Item, 400))
    def get(self, request: Request, slug: str, batch: int, pk: int) -> Response:
        row = self.batch(batch)
        [shown] = items_shown(training_items(row, [self.place(row, pk)]))
        return Response(shown)


class TrainingSaveView(TrainingView):
    """Saves an answer of the batch. It counts nowhere."""

    @extend_schema(operation_id="training_save", request=SaveRequest, responses=answers(SaveAnswer, 400, 413))
    def post(self, request: Request, slug: str, batch: int, pk: int) -> Response:
        row = self.batch(batch)
        place = self.place(row, pk)
        data = self.checked(SaveRequest, request.data)
        said = {key: data[key] for key in ("content", "doubt", "comment", "done")}
        return self.written(save_training(training=row, place=place, by=self.user, **said), place)


class TrainingUndoView(TrainingView):
    """Back to what the last save of the item replaced."""

    @extend_schema(operation_id="training_undo", request=UndoRequest, responses=answers(SaveAnswer, 400))
    def post(self, request: Request, slug: str, batch: int, pk: int) -> Response:
        row = self.batch(batch)
        place = self.place(row, pk)
        self.checked(UndoRequest, request.data)
        return self.written(undo_training(training=row, place=place, by=self.user), place)
