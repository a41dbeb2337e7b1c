"""Items whose source changed: what stands on the source is not what their projection or transfer was made from, nor
what stood there when they were last reviewed. The flag is stored (`work/derivation/actions/sources.py`); it is told of
what a person reviewed, or what is decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import CharField, Count, Exists, F, OuterRef, Q, QuerySet, Value

from annotator.core.access import Access
from annotator.core.kind import kinds
from annotator.core.unit_kinds import unit_texts
from annotator.domain.states import AnnotationState, AssignmentState, ItemState, Mode
from annotator.models import (
    Annotation,
    Assignment,
    Gold,
    Pair,
    Project,
    Stage,
    Suggestion,
    Unit,
    User,
)
from annotator.work.blind.queries.blind import blind_units, segments_to_answer, shown_uids
from annotator.work.derivation.queries.sources import shows_carried
from annotator.work.gold.queries.adjudication import open_to, openable_gold

PAGE = 50
_IN_STAGE = [state.value for state in ItemState if state != ItemState.VOID]


@dataclass(frozen=True, slots=True)
class Listed:
    """An item whose source changed, as a list shows it, and what the reader may open of it.

    `assignment`: their own in the stage; `decision`: the item in the stage that adjudicates, `judged`; `gold`: where
    there is none yet, since gold never waited there. Otherwise the page of its sentence, `segment`.
    """

    unit: Unit
    uid: str
    text: str
    sources: Sequence[str]
    decided: bool
    segment: int
    assignment: int | None = None
    judged: Stage | None = None
    decision: int | None = None

    @property
    def gold(self) -> bool:
        return self.judged is not None and self.decision is None


def named(project: Project) -> QuerySet[Suggestion]:
    """The suggestions whose source changed since a person reviewed their unit, or gold was decided on it. By the index
    of those alone."""
    rows = Suggestion.objects.filter(project=project, is_current=True, source_changed=True, unit__is_current=True)
    return rows.filter(Q(_reviewed()) | Q(_decided()))


def _reviewed() -> Exists:
    of_unit = Annotation.objects.filter(unit=OuterRef("unit"), layer=OuterRef("layer"))
    return Exists(of_unit.filter(mode=Mode.REVIEW, state=AnnotationState.DONE))


def _decided() -> Exists:
    return Exists(Gold.objects.filter(unit=OuterRef("unit"), layer=OuterRef("layer")))


def changed_in(stages: Sequence[Stage], reader: User) -> dict[int, int]:
    """By stage of one project, how many of its items have a source that changed. One query.

    Without what the reader is still to answer blind, as in the list: what others answered decides whether it counts.
    """
    if not stages:
        return {}
    project = stages[0].project
    hidden = segments_to_answer(reader, project)
    rows = (
        named(project)
        .order_by()
        .exclude(
            Q(unit__segment__in=hidden)
            | Q(unit__segment__pair__premise__in=hidden)
            | Q(unit__segment__pair__hypothesis__in=hidden)
        )
    )
    in_stage = rows.filter(
        unit__items__stage__in=[stage.pk for stage in stages if not stage.adjudicates],
        unit__items__stage__layer=F("layer"),
        unit__items__stage__kind__in=_showing(),
        unit__items__state__in=_IN_STAGE,
        unit__items__answers_wanted__gt=0,
    )
    no_language = Value("", output_field=CharField())
    by_stage = in_stage.values("unit__items__stage").annotate(of=no_language, number=Count("unit", distinct=True))
    decided = rows.filter(_decided()).values("layer", "unit__language").annotate(number=Count("unit", distinct=True))
    found = by_stage.values_list("unit__items__stage", "of", "number").union(
        decided.values_list("layer", "unit__language", "number"), all=True
    )
    counts = {(key, language): number for key, language, number in found}
    keys = {one.pk: (one.layer_id, one.language) if one.adjudicates else (one.pk, "") for one in stages}
    return {stage: counts.get(key, 0) for stage, key in keys.items()}


def _showing() -> list[str]:
    return [kind.slug for kind in kinds() if shows_carried(kind)]


def listed(access: Access, stage: Stage, *, after: int = 0) -> tuple[list[Listed], bool]:
    """The items of a stage whose source changed, `PAGE` of them from number `after` on, in reading order; and whether
    more follow. What would tell of others' answers where the reader is blind is left out."""
    rows = named(access.project).filter(layer=stage.layer_id, unit__language=stage.language)
    if stage.adjudicates:
        rows = rows.filter(_decided())
    else:
        rows = rows.filter(
            unit__items__stage=stage, unit__items__state__in=_IN_STAGE, unit__items__answers_wanted__gt=0
        )
    found = Unit.objects.published().filter(pk__in=rows.values("unit")).select_related("segment")
    ordered = list(found.order_by("segment__position", "pk")[after : after + PAGE + 1])
    units = ordered[:PAGE]
    hidden = blind_units(access.user, access.project, units, stage.layer)
    units = [unit for unit in units if unit.pk not in hidden]
    return _listed(access, stage, units), len(ordered) > PAGE


def _listed(access: Access, stage: Stage, units: Sequence[Unit]) -> list[Listed]:
    sources: dict[int, list[str]] = {}
    named_of = named(access.project).filter(unit__in=units, layer=stage.layer_id).order_by("source_language")
    for unit, language in named_of.values_list("unit", "source_language"):
        sources.setdefault(unit, []).append(language)
    decided = set(Gold.objects.filter(unit__in=units, layer=stage.layer_id).values_list("unit_id", flat=True))
    own = Assignment.objects.filter(unit__in=units, stage=stage, user=access.user, mode=Mode.REVIEW)
    mine = dict(own.exclude(state=AssignmentState.RETURNED).values_list("unit_id", "pk"))
    if not access.works_in(stage.language):
        mine = {}
    judged = [unit for unit in units if unit.pk in decided]
    items = {row.unit_id: row for row in open_to(access, judged) if row.stage.layer_id == stage.layer_id}
    gold = {unit.pk: at for at, unit in openable_gold(access, judged) if at.layer_id == stage.layer_id}
    uids = shown_uids(access.user, access.project, units)
    pages = dict(
        Pair.objects.filter(segment__in=[unit.segment_id for unit in units]).values_list("segment", "hypothesis")
    )
    texts = unit_texts(units)
    return [
        Listed(
            unit=unit,
            uid=uids[unit.pk],
            text=texts.get(unit.pk, ""),
            sources=sources[unit.pk],
            decided=unit.pk in decided,
            segment=pages.get(unit.segment_id, unit.segment_id),
            # What is decided is opened by anyone who may decide.
            assignment=None if unit.pk in decided else mine.get(unit.pk),
            judged=items[unit.pk].stage if unit.pk in items else gold.get(unit.pk),
            decision=items[unit.pk].pk if unit.pk in items else None,
        )
        for unit in units
    ]


def released(project: Project) -> list[dict[str, Any]]:
    """What a release tells: units with gold whose source changed after they were decided, in reading order."""
    rows = named(project).filter(_decided()).select_related("unit__segment", "layer")
    return [
        {
            "kind": row.unit.kind,
            "dataset": row.unit.segment.dataset,
            "id": row.unit.segment.uid,
            "language": row.unit.language,
            "layer": row.layer.slug,
            "source": row.source_language,
        }
        for row in rows.order_by("unit__segment__position", "unit", "layer", "source_language")
    ]
