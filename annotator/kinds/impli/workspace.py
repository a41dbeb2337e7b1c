"""What the workspaces of sentences to rewrite and of expressions to define are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.urls import reverse

from annotator.core.kind_parts import Json
from annotator.domain.content import REWRITE
from annotator.domain.content.several_texts import LONGEST
from annotator.domain.states import AnnotationState
from annotator.kinds.impli.texts import define_names, messages, refusals, rewrite_names
from annotator.kinds.impli.units import focus_of
from annotator.models import Stage, Unit, User
from annotator.work.answering.queries.verdicts import remarks_on
from annotator.work.answering.queries.workspace import WorkspaceItem


def rewrite_fields(items: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
    """By assignment id, the marked words, and what was said of what came back."""
    open_ones = [row for row in items if row.annotation and row.annotation.state == AnnotationState.OPEN]
    remarks = remarks_on([row.unit for row in open_ones], user) if open_ones else {}
    return {
        row.assignment.pk: {
            "focus": focus_of(row.unit.segment.uid),
            "remarks": [{**one, "about": REWRITE.name_of(one["key"])} for one in remarks.get(row.unit.pk, ())],
        }
        for row in items
    }


def rewrite_adjudication(stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
    """By unit id, the marked words."""
    return {unit.pk: {"focus": focus_of(unit.segment.uid), "remarks": []} for unit in units}


def rewrite_page(stage: Stage) -> Json:
    """What the scripts of *rewrite* are configured with."""
    return {"names": rewrite_names(), "longest": LONGEST, "messages": messages()}


def define_page(stage: Stage) -> Json:
    """What the scripts of *define* are configured with."""
    # Its id stands for 0.
    sentence = reverse("sentence", args=[stage.project.slug, 0])
    return {
        "names": define_names(),
        "longest": LONGEST,
        "refusals": refusals(),
        "sentence": sentence,
        "messages": messages(),
    }
