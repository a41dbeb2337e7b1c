"""What answers decide by a rule, many units at a time: which becomes gold, and what becomes of the others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest

from django.db.models import QuerySet

from annotator.core.kind import is_beside
from annotator.domain.batches import batches
from annotator.domain.content import Content, Written, content_type
from annotator.domain.merging.dawid_skene import DawidSkene, Pattern, fit
from annotator.domain.merging.rules import Given, Outcome, Rule, RuleName, Why, decide
from annotator.domain.states import AnnotationState, AssignmentState, ItemState, Mode
from annotator.models import Annotation, Assignment, Gold, Item, Layer, Project, Stage, Unit, User
from annotator.work.answering.queries.own import anybodys, own_units
from annotator.work.blind.queries.blind import segments_to_answer

BATCH = 500


@dataclass(frozen=True)
class AcceptSummary:
    """What became of the units that somebody has done and that had no gold."""

    accepted: int = 0
    differing: int = 0  # left to adjudication
    doubtful: int = 0  # what would be accepted has a doubt flag: left to adjudication
    own: int = 0  # made from what the person who accepts wrote: left to somebody else
    # Somebody still works on it, answers are missing, or one person did it, blind: its review is to come.
    waiting: int = 0
    uncertain: int = 0  # too likely to be wrong by the estimate: left to adjudication
    other: int = 0  # the rule is not about it: several people answered, or not the person whose answers count


@dataclass(frozen=True, slots=True)
class Accepted:
    """An answer that becomes gold, with all that stood beside it; how likely it is wrong, where that is estimated."""

    row: Annotation
    answers: Sequence[Annotation]
    uncertainty: float | None = None


class Decider:
    """A rule, with what it has to know of all answers of a layer in a language, for `by`, who accepts by it."""

    def __init__(self, project: Project, layer: Layer, language: str, rule: Rule, *, by: User | None) -> None:
        self.layer, self.rule = layer, rule
        self._kind = content_type(layer.content_type)
        self._dimensions = [name for name in self._kind.dimensions if self._kind.values(layer.scheme_data, name)]
        self._models: Mapping[str, DawidSkene] = {}
        if rule.name == RuleName.DAWID_SKENE:
            self._models = _estimated(project, self, language, by)

    @property
    def applies(self) -> bool:
        """Whether the rule can decide in the layer: not on written texts, which others judge, nor by an estimate where
        categories are no fixed list, or nobody has answered what somebody else has."""
        if isinstance(self._kind, Written):
            return False
        return self.rule.name != RuleName.DAWID_SKENE or bool(self._models)

    def observations(self, content: Content, tokens: Sequence[str]) -> dict[str, list[str]]:
        """What a content says of each thing that is compared, on the dimensions with a fixed list of categories."""
        return {
            name: [str(one) for one in self._kind.observations(content, tokens=tokens, dimension=name)]
            for name in self._dimensions
        }

    def outcome(self, rows: Sequence[Annotation], tokens: Sequence[str], *, is_complete: bool) -> Outcome:
        """What becomes of a unit with these finished answers."""
        given = [
            Given(
                person=row.user_id,
                key=self._kind.key(row.content),
                doubt=row.doubt,
                blind=row.mode == Mode.BLIND,
                observations=self.observations(row.content, tokens) if self._models else {},
            )
            for row in rows
        ]
        return decide(self.rule, given, is_complete=is_complete, models=self._models)


def _estimated(project: Project, decider: Decider, language: str, by: User | None) -> dict[str, DawidSkene]:
    """By dimension, the model of all units that two people or more have answered without doubt; without those that
    `by` is still to answer blind, since what a model makes of the others would tell of them."""
    to_answer = set(segments_to_answer(by, project)) if by is not None else set()
    patterns: dict[str, Counter[Pattern]] = defaultdict(Counter)
    rows = _done(project, decider.layer, language).filter(doubt=False).order_by("unit_id", "user_id")
    found = rows.values_list("unit_id", "user_id", "content", "unit__tokens", "unit__touches")
    for _unit, group in groupby(found.iterator(chunk_size=BATCH), key=lambda row: row[0]):
        said = [
            (user, decider.observations(content, tokens))
            for _unit, user, content, tokens, touches in group
            if to_answer.isdisjoint(touches)
        ]
        if len(said) < 2:
            continue
        for name in said[0][1]:
            for things in zip_longest(*(observed[name] for _user, observed in said)):
                pattern = tuple(
                    (user, thing) for (user, _all), thing in zip(said, things, strict=True) if thing is not None
                )
                patterns[name][pattern] += 1
    return {name: fit(counts) for name, counts in patterns.items()}


def _done(project: Project, layer: Layer, language: str) -> QuerySet[Annotation]:
    return Annotation.objects.filter(
        project=project,
        layer=layer,
        state=AnnotationState.DONE,
        unit__language=language,
        unit__is_current=True,
    )


def undecided_units(project: Project, layer: Layer, language: str) -> list[int]:
    """The current units (ids) that somebody has done and that have no gold."""
    decided = Gold.objects.filter(layer=layer).values("unit")
    rows = _done(project, layer, language).exclude(unit__in=decided)
    return sorted(set(rows.values_list("unit_id", flat=True)))


def items_of(layer: Layer, units: Iterable[int]) -> list[Item]:
    """The units' items in the layer's stages."""
    rows = Item.objects.filter(unit__in=list(units), stage__layer=layer).exclude(stage__kind=Stage.ADJUDICATE)
    return list(rows.select_related("stage").order_by("unit", "pk"))


def sorted_out(
    decider: Decider, units: Mapping[int, Unit], items: Sequence[Item], *, by: User | None
) -> tuple[list[Accepted], Counter[str]]:
    """What becomes gold of current units without gold, and what becomes of how many. `items`: theirs in the layer.

    Nothing is accepted while somebody still works on the unit, nor of what `by` wrote. Where `by` is still to answer
    blind, in whatever language, the unit waits: the numbers would tell what others answered.
    """
    layer, rule = decider.layer, decider.rule
    done: dict[int, list[Annotation]] = {}
    rows = Annotation.objects.filter(unit__in=units, layer=layer, state=AnnotationState.DONE)
    # "review" before "blind": of equal contents, the reviewer's is kept.
    for annotation in rows.order_by("-mode", "pk"):
        done.setdefault(annotation.unit_id, []).append(annotation)
    waiting = set(
        Assignment.objects.filter(unit__in=units, stage__layer=layer, state=AssignmentState.OPEN).values_list(
            "unit_id", flat=True
        )
    )
    if by is not None:
        to_answer = set(segments_to_answer(by, layer.project))
        waiting |= {pk for pk, unit in units.items() if to_answer.intersection(unit.touches)}
    if rule.waits_for_all:
        waiting |= {item.unit_id for item in items if 1 < item.answers_wanted > item.answers_done}
    # Of a blind sample that the others were taken out of: nothing else is to come.
    over = {item.unit_id for item in items if item.state == ItemState.DONE and _is_blind_for_some(item.stage)}
    own = own_units(by, Unit.objects.filter(pk__in=units).exclude(kind__in=anybodys())) if by else set()
    counts: Counter[str] = Counter()
    accepted: list[Accepted] = []
    for unit, answers in done.items():
        if unit in waiting:
            counts[Why.WAITING] += 1
            continue
        outcome = decider.outcome(answers, units[unit].tokens, is_complete=unit in over)
        if outcome.winner is None:
            counts[outcome.why] += 1
        elif unit in own:
            counts["own"] += 1
        else:
            counts[Why.ACCEPTED] += 1
            accepted.append(Accepted(answers[outcome.winner], answers, outcome.uncertainty))
    return accepted, counts


def count_agreed(project: Project, layer: Layer, language: str, rule: Rule, *, by: User | None) -> AcceptSummary:
    """What accepting by a rule would do, in numbers."""
    decider = Decider(project, layer, language, rule, by=by)
    counts: Counter[str] = Counter()
    if decider.applies:
        for ids in batches(undecided_units(project, layer, language), BATCH):
            counts += sorted_out(decider, Unit.objects.in_bulk(ids), items_of(layer, ids), by=by)[1]
    return AcceptSummary(**counts)


def _is_blind_for_some(stage: Stage) -> bool:
    """Whether blind answers are among those that the stage wants, though it is not blind."""
    return stage.mode == Mode.REVIEW and not is_beside(stage, Mode.BLIND)
