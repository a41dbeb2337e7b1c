"""Sentences: searched, looked at, downloaded, and changed many at a time, as the pages do."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.http import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from annotator.core.permissions import Permission
from annotator.models import Annotation, Gold, Suggestion, User
from annotator.search.actions.many import Row as Chosen
from annotator.search.actions.many import assign_many, label_many
from annotator.search.actions.undo_many import undo_many
from annotator.search.files import sentences_file
from annotator.search.queries.acts import act_of
from annotator.search.queries.answers_on import Reading
from annotator.search.queries.filters import Filters, reader_of
from annotator.search.queries.listing import found
from annotator.search.queries.rows import Row, rows_of
from annotator.search.queries.sentence import TextOn, sentence_page
from annotator.search.queries.sentence_map import map_of, read_on_map
from annotator.search.queries.standing import labelling_stages
from api.v1 import sentence_shapes as s
from api.v1.schema import TABLE, answers
from api.v1.sending import Json, send
from api.v1.views.base import NO_BODY, ProjectView


class SentencesView(ProjectView):
    """The texts of the project in reading order, filtered."""

    @extend_schema(operation_id="sentences", parameters=[s.SentencesQuery], responses=answers(s.FoundAnswer, 400))
    def get(self, request: Request, slug: str) -> Response:
        """A page reads a bounded part of the corpus: with rare filters, follow `next` until it is null."""
        asked = self.asked(s.SentencesQuery)
        reader = reader_of(self.access)
        filters = Filters.from_query({**asked, "after": asked["cursor"]})
        page = found(reader, filters, limit=asked["page_size"])
        address = request.build_absolute_uri()
        about = {
            "next": replace_query_param(address, "cursor", page.after) if page.after else None,
            "total": page.total,
            "capped": page.capped,
            "unknown": list(page.hits.unknown),
            "results": [_shown(row) for row in rows_of(reader, page)],
        }
        return send(s.FoundAnswer, about)


class SentencesFileView(ProjectView):
    """The list with its filters as a file, at most 5,000 rows."""

    @extend_schema(operation_id="sentences_file", parameters=[s.SentencesFileQuery], responses=TABLE)
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        asked = self.asked(s.SentencesFileQuery)
        return sentences_file(reader_of(self.access), Filters.from_query(asked), asked["file_format"])


class SentenceView(ProjectView):
    """A sentence with its texts, readings, pairs, revisions and history."""

    @extend_schema(operation_id="sentence", responses=answers(s.SentenceAnswer))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        page = sentence_page(self.access, pk)
        shown = {name: getattr(page, name) for name in s.OF_PAGE}
        shown |= {name: [_text_on(one) for one in getattr(page, name)] for name in ("texts", "made")}
        pairs = [{"shown": one.shown, "texts": [_text_on(text) for text in one.texts]} for one in page.pairs]
        return send(s.SentenceAnswer, {**shown, "pairs": pairs})


class MapView(ProjectView):
    """The newest map of the project's sentences; a job of the kind `map` draws one."""

    @extend_schema(operation_id="map", responses=answers(s.MapAnswer))
    def get(self, request: Request, slug: str) -> Response:
        drawn = map_of(self.access.project, self.user)
        points = read_on_map(self.access.project, drawn.points if drawn else ())
        about = {"job": drawn.job.pk if drawn else None, "gone": drawn.gone if drawn else 0, "points": points}
        return send(s.MapAnswer, about)


class _ManyView(ProjectView):
    needs = Permission.ANNOTATE

    def told(self, operation: uuid.UUID) -> Response:
        """What the user did with chosen rows."""
        return send(s.ManyAnswer, act_of(self.access.project, operation, self.user))


class LabelManyView(_ManyView):
    """Adds a label to words of many sentences, or removes it."""

    @extend_schema(operation_id="label_many", request=s.LabelManyRequest, responses=answers(s.ManyAnswer, 400))
    def post(self, request: Request, slug: str) -> Response:
        """In the user's items and free ones; to people who have the others it is suggested."""
        data = self.checked(s.LabelManyRequest, request.data)
        rows = _chosen(data.pop("rows"))
        return self.told(label_many(access=self.access, rows=rows, now=timezone.now(), **data))


class AssignManyView(_ManyView):
    """Assigns chosen sentences to a person."""

    @extend_schema(operation_id="assign_many", request=s.AssignManyRequest, responses=answers(s.ManyAnswer, 400))
    def post(self, request: Request, slug: str) -> Response:
        data = self.checked(s.AssignManyRequest, request.data)
        stage = labelling_stages(self.access).get(data["stage"])
        if stage is None:
            raise ValidationError({"stage": [_("There is no such stage in this project.")]})
        user = User.objects.filter(username=data["user"], memberships__project=self.access.project).first()
        if user is None:
            raise ValidationError({"user": [_("%(name)s is not a member of this project.") % {"name": data["user"]}]})
        rows = _chosen(data["rows"])
        return self.told(assign_many(access=self.access, rows=rows, stage=stage, user=user, now=timezone.now()))


class UndoManyView(_ManyView):
    """Undoes what was done with chosen rows, where nobody changed it later."""

    bodyless = NO_BODY

    @extend_schema(operation_id="undo_many", request=None, responses=answers(s.ManyAnswer, 400))
    def post(self, request: Request, slug: str, key: uuid.UUID) -> Response:
        undo_many(access=self.access, operation=key, now=timezone.now())
        return self.told(key)


def _chosen(rows: list[Mapping[str, Any]]) -> list[Chosen]:
    return [Chosen(row["unit"], frozenset(row["tokens"]), row["seen"]) for row in rows]


def _shown(row: Row) -> Json:
    unit, segment, standing, seen = row.unit, row.unit.segment, row.standing, row.seen
    aside = "aside" if unit.set_aside_with_id else ""
    return {
        "id": segment.pk,
        "unit": unit.pk,
        "uid": row.uid,
        **{name: getattr(unit, name) for name in ("language", "text", "tokens")},
        "hits": list(row.words),
        "dataset": segment.dataset,
        "role": segment.role,
        # It tells what the ID tells, which may be hidden.
        "document": segment.group if row.uid == segment.uid else "",
        "content": seen.content if seen else None,
        "labels_from": seen.whose if seen else "",
        "state": aside or (standing.told if standing else ""),
        "seen": standing.seen if standing else "",
        "stage": standing.stage.pk if standing and standing.stage else None,
        "assignment": standing.assignment if standing else None,
        "suggested": row.suggestion,
        "others": row.others,
    }


def _text_on(text: TextOn) -> Json:
    layers = [{"layer": one.layer, "readings": [_reading(reading) for reading in one.readings]} for one in text.layers]
    return {"unit": text.unit, "layers": layers}


def _reading(reading: Reading) -> Json:
    said: list[Gold | Annotation | Suggestion] = [*reading.golds, *reading.answers, *reading.suggestions]
    by = {name: getattr(reading, name) for name in ("golds", "answers", "suggestions")}
    return {"content": said[0].content, **by}
