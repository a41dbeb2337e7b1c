"""Brings the units that follow from others in line with them: new, revised, withdrawn or restored.

A rule says what follows (`annotator/domain/derivation.py`). This reads the state of the sources that changed, and of
what was made of them, and makes the changes, in the transaction of what changed them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import (
    BooleanField,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    prefetch_related_objects,
)

from annotator.core.intake import SharedUnits
from annotator.core.kind import rule_of, source_layer
from annotator.core.unit_kinds import bound_kinds, imported_marks
from annotator.domain.content import Written, content_type
from annotator.domain.derivation import Changes, DerivedUnit, DesiredUnit, GivenAnswer, Rule, SourceState, compare
from annotator.domain.effective_content import Answer, Stands
from annotator.domain.states import AnnotationState, ItemState
from annotator.models import Annotation, Gold, Item, Layer, Project, Stage, Unit, User
from annotator.models.corpus_import import PUBLISHED
from annotator.work.answering.actions.policies import check_mended
from annotator.work.derivation.actions.making import Wanted, made_uid, make
from annotator.work.derivation.actions.withdrawing import restore, whole_again, with_bound, withdraw
from annotator.work.gold.queries.effective_content import effective_content
from annotator.work.queue.actions.items import enter
from annotator.work.queue.queries.reassigned import left_by
from annotator.work.queue.queries.returned import returns_of

# Nobody has started to answer an item.
_UNTOUCHED = {"answers_open": 0, "answers_done": 0, "extra_open": 0, "extra_done": 0}


@dataclass(frozen=True, slots=True)
class Derivation:
    """What follows by a rule from units and what is said of them in a layer, and the stages that it enters.

    `before`: the stage whose answers become units. `unit_kind`: the kind of these.
    """

    rule: Rule
    layer: Layer
    project: Project
    before: Stage | None
    language: str
    unit_kind: str
    stages: Collection[Stage] | QuerySet[Stage]


def derivation_of(stage: Stage) -> Derivation | None:
    """What a stage holds that follows from other units; None where nothing does."""
    rule, layer = rule_of(stage), source_layer(stage)
    if not isinstance(rule, Rule) or layer is None:
        return None
    unit_kind = rule.unit_kind or stage.layer.unit_kind
    return Derivation(rule, layer, stage.project, stage.made_from, stage.language, unit_kind, [stage])


def reconcile(
    stage: Stage,
    sources: Collection[Unit],
    *,
    by: User | None,
    authors: Collection[int] = (),
    known: Sequence[Annotation] | None = None,
) -> None:
    """Bring what a stage holds that follows from these units in line with them; doing it again changes nothing.

    `authors`: people (ids) whose answers changed. What was made of one goes where it is finished no more, and
    ActionError is raised where a text that went back is as it was, without a word why. `known`: all answers to the only
    unit in the layer, where the caller has read them; no gold stands then. The same number of statements however many
    units there are, a few more for each that comes back.
    """
    rule, derivation = rule_of(stage), derivation_of(stage)
    if isinstance(rule, SharedUnits):
        _bring_shared(stage, rule, sources)
    elif derivation is not None:
        bring_in_line(derivation, sources, by=by, authors=authors, known=known)


def _bring_shared(stage: Stage, rule: SharedUnits, sources: Collection[Unit]) -> None:
    layer = source_layer(stage)
    if layer is not None and sources:
        # One call at a time: two would make the same.
        Stage.objects.select_for_update(no_key=True).get(pk=stage.pk)
        units = [unit for unit in sources if unit.is_current and unit.language == stage.language]
        labels = effective_content(stage.project, layer, language=stage.language, units=[unit.pk for unit in units])
        rule.reconcile(stage, [(unit, labels.get(unit.pk)) for unit in units])


def bring_in_line(
    derivation: Derivation,
    sources: Collection[Unit],
    *,
    by: User | None,
    authors: Collection[int] = (),
    known: Sequence[Annotation] | None = None,
) -> None:
    """The same for what enters several stages, or none. `known` are the answers that count, where not all do."""
    units = [unit for unit in sources if unit.is_current and unit.language == derivation.language]
    if not units:
        return
    if derivation.rule.reads_standing:
        # One call at a time: two would make the same.
        held = Stage.objects.filter(pk__in=[stage.pk for stage in derivation.stages])
        list(held.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    prefetch_related_objects(units, "segment")
    reading = _Reading(derivation, units, known)
    found: list[tuple[Unit, Changes]] = []
    for unit, state, desired in reading.derived():
        changes = compare(derivation.rule, state, desired, authors={*authors, *(answer.user for answer in state.given)})
        reading.check_mended(unit, changes, authors)
        found.append((unit, changes))
    _apply(derivation, found, reading.rows, by)


class _Reading:
    """The state of some units: what is said of them, and what was made of them. Four queries; three where `known`."""

    def __init__(self, derivation: Derivation, units: Sequence[Unit], known: Sequence[Annotation] | None) -> None:
        self.derivation, self.units = derivation, units
        self.answers: dict[int, list[Annotation]] = {unit.pk: [] for unit in units}
        for answer in _answers(derivation, units) if known is None else known:
            self.answers[answer.unit_id].append(answer)
        self.gold = _gold(derivation, units) if known is None else {}
        self.taken = _taken(derivation, self.answers.values())
        self.there = self._there()

    def derived(self) -> Iterable[tuple[Unit, SourceState, Sequence[DesiredUnit]]]:
        """Each unit with its state, and what follows from that."""
        for unit in self.units:
            state = self._state(unit)
            yield unit, state, self.derivation.rule.derive(state)

    def check_mended(self, unit: Unit, changes: Changes, authors: Collection[int]) -> None:
        """Whether those who changed their answers changed what had gone back to them."""
        for new in changes.made:
            author = new.desired.author
            if new.repeats and author is not None and author in authors:
                by = {answer.user_id: answer for answer in self.answers[unit.pk]}
                left = self.taken.get(by[author].pk)
                check_mended([self.rows[row.unit] for row in new.repeats], by[author], by.get(left) if left else None)

    def _state(self, unit: Unit) -> SourceState:
        done = [answer for answer in self.answers[unit.pk] if answer.state == AnnotationState.DONE]
        before, layer = self.derivation.before, self.derivation.layer
        return SourceState(
            unit=unit.pk,
            uid=unit.segment.uid,
            tokens=tuple(unit.tokens),
            spaces=tuple(unit.spaces),
            layer=layer.slug,
            content_type=layer.content_type,
            unit_kind=layer.unit_kind,
            scheme=layer.scheme_data,
            given=[
                GivenAnswer(answer.user_id, answer.content, self.taken.get(answer.pk))
                for answer in done
                if before is not None and answer.stage_id == before.pk
            ],
            stands=Stands(
                self.gold.get(unit.pk), [Answer(answer.mode, answer.content, answer.user_id) for answer in done]
            ),
            marked=tuple(imported_marks(unit)) if self.derivation.rule.reads_standing else (),
            there=self.there.get(unit.segment_id, ()),
        )

    def _there(self) -> dict[int, list[DerivedUnit]]:
        """By segment, what was made of its unit, oldest first."""
        link = Unit.parents.through.objects
        as_it_reads = link.filter(from_unit=OuterRef("pk"), to_unit__in=self.units, from_unit__gt=F("to_unit"))
        rows = self._made().annotate(
            is_of_text=Exists(as_it_reads),
            is_decided=_on_it(Gold.objects.all()),
            is_begun=_on_it(Item.objects.exclude(state=ItemState.FREE, **_UNTOUCHED)),
        )
        end = self.derivation.rule.known_by
        by_uid = {made_uid(unit.segment.uid, end): unit.segment_id for unit in self.units} if end else {}
        self.rows = {row.pk: row for row in rows.select_related("segment").order_by("segment", "revision")}
        back = set() if all(row.is_current for row in self.rows.values()) else self._went_back()
        found: defaultdict[int, list[DerivedUnit]] = defaultdict(list)
        for row in self.rows.values():
            made_of = by_uid[row.segment.uid] if end else row.made_of  # type: ignore[attr-defined]  # of `_made`
            found[made_of].append(_as_derived(row, went_back=row.pk in back))
        return found

    def _made(self) -> QuerySet[Unit]:
        """All revisions of what was made of the units, with the segment that each was made of."""
        rows = Unit.objects.filter(language=self.derivation.language)
        if end := self.derivation.rule.known_by:
            uids = [made_uid(unit.segment.uid, end) for unit in self.units]
            return rows.filter(segment__project=self.derivation.project, segment__uid__in=uids)
        segments = {unit.segment_id for unit in self.units}
        in_stage = Exists(Item.objects.filter(unit=OuterRef("pk"), stage__in=self.derivation.stages))
        made = Unit.objects.filter(
            Q(author=None) | in_stage, kind=self.derivation.unit_kind, parents__segment__in=segments
        )
        # Of any revision: an earlier one may hang on an earlier place of what it was made of.
        of = Unit.parents.through.objects.filter(
            from_unit__segment=OuterRef("segment"),
            from_unit__language=OuterRef("language"),
            to_unit__segment__in=segments,
        )
        return rows.filter(segment__in=made.values("segment")).annotate(
            made_of=Subquery(of.values("to_unit__segment")[:1])
        )

    def _went_back(self) -> set[int]:
        answers = [answer.pk for answers in self.answers.values() for answer in answers]
        return {(event.after or {})["unit"] for event in returns_of(answers)} if answers else set()


def _answers(derivation: Derivation, units: Sequence[Unit]) -> Iterable[Annotation]:
    rows = Annotation.objects.filter(PUBLISHED, unit__in=units, layer=derivation.layer)
    return rows.order_by("pk")


def _gold(derivation: Derivation, units: Sequence[Unit]) -> dict[int, dict[str, object]]:
    if not derivation.rule.reads_standing:
        return {}
    return dict(Gold.objects.filter(unit__in=units, layer=derivation.layer).values_list("unit_id", "content"))


def _taken(derivation: Derivation, answers: Iterable[Sequence[Annotation]]) -> dict[int, int]:
    """By answer, whose it was handed over from. Only texts are."""
    if not isinstance(content_type(derivation.layer.content_type), Written):
        return {}
    return left_by([answer.pk for some in answers for answer in some])


def _on_it(rows: QuerySet[Gold] | QuerySet[Item]) -> ExpressionWrapper:
    """Condition: there is such a row on the unit, or on what is nothing without it."""
    bound = rows.filter(unit__parents=OuterRef("pk"), unit__is_current=True, unit__kind__in=bound_kinds())
    own = rows.filter(unit=OuterRef("pk"))
    return ExpressionWrapper(Q(Exists(own)) | Q(Exists(bound)), output_field=BooleanField())


def _as_derived(row: Any, *, went_back: bool) -> DerivedUnit:
    """A unit as rules see it; annotated by `_Reading._there`."""
    return DerivedUnit(
        unit=row.pk,
        key=key_of_made(row),
        tokens=tuple(row.tokens),
        spaces=tuple(row.spaces),
        author=row.author_id,
        rule=row.rule,
        is_current=row.is_current,
        is_imported=row.imported_id is not None,
        is_decided=row.is_decided,
        is_begun=row.is_begun,
        returns=not row.is_current and row.set_aside_with_id is None and row.is_of_text,
        went_back=went_back,
    )


def key_of_made(unit: Unit) -> str:
    """What tells a made unit from others of the same source: the end of its uid."""
    return unit.segment.uid.rpartition(":")[2]


def _apply(
    derivation: Derivation, found: Sequence[tuple[Unit, Changes]], rows: Mapping[int, Unit], by: User | None
) -> None:
    gone = [rows[row.unit] for _source, changes in found for row in changes.withdrawn]
    if gone:
        withdraw(with_bound(gone), by)
    back = [rows[row.unit] for _source, changes in found for row in changes.restored]
    restore(back, by)
    restore(whole_again(back), by)
    new = make(
        derivation.project,
        derivation.unit_kind,
        [
            Wanted(source, one.desired, after=rows[one.after.unit] if one.after else None)
            for source, changes in found
            for one in changes.made
        ],
    )
    # What one person's answer became is in the stage already, other things may be there for another stage.
    shared = [rows[row.unit] for _source, changes in found for row in changes.kept if row.author is None]
    shared += [unit for unit in back if unit.author_id is None]
    for stage in derivation.stages if new or shared else ():
        _enter(stage, derivation.unit_kind, new, shared, by)


def _enter(stage: Stage, unit_kind: str, new: Sequence[Unit], shared: Sequence[Unit], by: User | None) -> None:
    """Let what is new enter the stage, and of what is shared what is not there yet; or what contains it, where the
    stage holds that."""
    if stage.layer.unit_kind != unit_kind:
        containing = Unit.objects.filter(parents__in=shared, kind=stage.layer.unit_kind, is_current=True)
        shared = list(containing.select_related("segment").distinct().order_by("pk")) if shared else []
        new = []
    if shared:
        there = set(Item.objects.filter(stage=stage, unit__in=shared).values_list("unit_id", flat=True))
        shared = [unit for unit in shared if unit.pk not in there]
    if new or shared:
        enter(stage, [*shared, *new], user=by)
