"""The calls of the workspaces: claim, look, save and go on, undo."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.actions.annotations import open_annotation, save_annotation, undo_annotation
from annotator.actions.assignments import claim
from annotator.actions.pair_tags import tag_pair, undo_pair_tag
from annotator.models import Assignment, StageKind
from annotator.permissions import Permission
from annotator.queries import workspace
from annotator.queries.progress import stage_progress
from annotator.queries.stages import SENTENCE_STAGES
from api.v1 import serializers as s
from api.v1.schema import ClaimAnswer, Item, ItemAnswer, SaveAnswer, answers
from api.v1.views.base import ProjectView, not_here


class WorkView(ProjectView):
    """Work of the user's own; needs the right to annotate."""

    needs = Permission.ANNOTATE

    def sentence_assignment(self, pk: int) -> Assignment:
        assignment = self.own_assignment(pk)
        return assignment if assignment.sentence_id is not None else not_here()

    def pair_assignment(self, pk: int) -> Assignment:
        assignment = self.own_assignment(pk)
        return assignment if assignment.pair_id is not None else not_here()

    def saved_and_next(self, saved: Assignment, *, go_on: bool, held: list[int]) -> Response:
        """What was saved, the next item where the person goes on, and the stage's progress."""
        following = claim(stage=saved.stage, user=self.user, held=[*held, saved.pk]) if go_on else []
        shown = workspace.items([saved, *following], self.user)
        return Response(
            {
                "item": shown[0],
                "next": shown[1] if following else None,
                "progress": stage_progress(saved.stage, self.user).to_json(),
            }
        )


class ClaimView(WorkView):
    """Hands out work: the user's own open items first, then the first free ones of the stage."""

    @extend_schema(operation_id="claim", request=s.ClaimRequest, responses=answers(ClaimAnswer, 400))
    def post(self, request: Request, slug: str, stage: int) -> Response:
        found = self.stage(stage)
        data = self.checked(s.ClaimRequest, request.data).validated_data
        claimed = claim(stage=found, user=self.user, held=data["held"], count=data["count"])
        return Response(
            {
                "items": workspace.items(claimed, self.user),
                "progress": stage_progress(found, self.user).to_json(),
            }
        )


class ItemsView(WorkView):
    """The user's own items of a stage, for going back."""

    pagination_class = None

    @extend_schema(
        operation_id="own_items", parameters=[s.ItemsQuery], responses=answers(s.OwnItemAnswer(many=True), 400)
    )
    def get(self, request: Request, slug: str, stage: int) -> Response:
        found = self.stage(stage, *SENTENCE_STAGES, StageKind.PAIR_TAG)
        state = self.checked(s.ItemsQuery, request.query_params).validated_data["state"]
        return Response(workspace.own_items(found, self.user, state))


class AssignmentView(WorkView):
    """One of the user's own items; a sentence that was not opened yet is opened by looking at it."""

    @extend_schema(operation_id="assignment", responses=answers(Item))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        assignment = self.own_assignment(pk)
        shown = workspace.item(assignment, self.user)
        if shown["kind"] == "sentence" and shown["annotation"]["state"] == "unseen" and not shown["gold"]:
            open_annotation(assignment=assignment, by=self.user)
            shown = workspace.item(assignment, self.user)
        return Response(shown)


class SaveView(WorkView):
    """Saves labels; with `done`, the next item comes in the same answer."""

    @extend_schema(operation_id="save", request=s.SaveRequest, responses=answers(SaveAnswer, 400, 409, 413))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        assignment = self.sentence_assignment(pk)
        checked = self.checked(s.SaveRequest, request.data)
        data: dict[str, Any] = checked.validated_data
        save_annotation(
            annotation=open_annotation(assignment=assignment, by=self.user),
            version=data["version"],
            spans=checked.validated_spans(),
            doubt=data["doubt"],
            comment=data["comment"],
            done=data["done"],
            by=self.user,
        )
        return self.saved_and_next(assignment, go_on=data["done"], held=data["held"])


class TagView(WorkView):
    """Tags a pair; the next one comes in the same answer."""

    @extend_schema(operation_id="tag", request=s.TagRequest, responses=answers(SaveAnswer, 400, 409, 413))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        assignment = self.pair_assignment(pk)
        data = self.checked(s.TagRequest, request.data).validated_data
        tag_pair(assignment=assignment, version=data["version"], tag=data["tag"], comment=data["comment"], by=self.user)
        return self.saved_and_next(assignment, go_on=True, held=data["held"])


class UndoView(WorkView):
    """Back to what the last save replaced, of a sentence or a pair; again goes one further back."""

    @extend_schema(operation_id="undo", request=s.UndoRequest, responses=answers(ItemAnswer, 400, 409))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        assignment = self.own_assignment(pk)
        version = self.checked(s.UndoRequest, request.data).validated_data["version"]
        if assignment.pair_id is not None:
            undo_pair_tag(assignment=assignment, version=version, by=self.user)
        else:
            annotation = open_annotation(assignment=assignment, by=self.user)
            undo_annotation(annotation=annotation, version=version, by=self.user)
        return Response({"item": workspace.item(assignment, self.user)})
