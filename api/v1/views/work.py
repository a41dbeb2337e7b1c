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
from annotator.core.kind import kind_of
from annotator.core.permissions import Permission
from annotator.models import Annotation, Assignment, Stage
from annotator.work.answering.actions.annotations import save_annotation, undo_annotation
from annotator.work.answering.queries.contexts import waiting_pairs
from annotator.work.answering.queries.workspace import own_items, saved_answer, workspace_items
from annotator.work.derivation.queries.source_changes import listed
from annotator.work.queue.actions.assignments import claim
from annotator.work.queue.queries.free import HiddenCounts, hidden_counts
from annotator.work.queue.queries.progress import public_progress, stage_progress
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
        rows = claim(stage=at, user=self.user, now=timezone.now(), **data)
        for row in rows:
            row.stage = at
        hidden = hidden_counts(at, self.user) if len(rows) < data["count"] else HiddenCounts()
        return Response(
            {
                "items": items_shown(workspace_items(self.access.project, rows, self.user)),
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
        row = Assignment.objects.filter(stage=stage, user=self.user, pk=pk).first()
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
            raise Http404(
                _(
                    "This item is not assigned to you. It may have been returned to the queue, or this browser may be "
                    "signed in to another account."
                )
            )
        row.stage.project = self.access.project
        self.access.require(kind_of(row.stage).needs)
        if waiting_pairs(self.user, self.access.project, [row.unit]):
            raise ActionError(
                _("Finish your blind work on the sentences of this pair first. Until then they are not shown together.")
            )
        [shown] = items_shown(workspace_items(self.access.project, [row], self.user))
        self.revision = shown["annotation"]["version"]
        return Response(shown)


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
