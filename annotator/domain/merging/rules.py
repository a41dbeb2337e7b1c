"""Which of the finished answers to an item becomes gold by a rule, and why none does. The one home of these rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from annotator.domain.merging.dawid_skene import DawidSkene


class RuleName(StrEnum):
    """How rules are stored."""

    ALL = "all"
    AT_LEAST = "at_least"
    PERSON = "person"
    SINGLE = "single"
    DAWID_SKENE = "dawid_skene"


class Why(StrEnum):
    """The outcome of a rule for an item."""

    ACCEPTED = "accepted"
    DIFFERING = "differing"  # the rule finds no winner among the answers
    DOUBTFUL = "doubtful"  # what would win has a doubt flag
    UNCERTAIN = "uncertain"  # too likely to be wrong
    WAITING = "waiting"  # answers are missing
    OTHER = "other"  # the rule is not about such items


@dataclass(frozen=True, slots=True)
class Rule:
    """`agreeing` of at least `answers` people say the same (AT_LEAST); whose answers count (`person`: PERSON); up to
    which uncertainty an estimate is accepted, 0 to 1 (`limit`: DAWID_SKENE)."""

    name: RuleName = RuleName.ALL
    agreeing: int = 2
    answers: int = 2
    person: int | None = None
    limit: float = 0.05

    @property
    def waits_for_all(self) -> bool:
        """Whether nothing is decided while answers are missing that nobody is at work on."""
        return self.name in (RuleName.ALL, RuleName.DAWID_SKENE)

    def to_json(self) -> dict[str, Any]:
        """The rule as decisions keep it; whose answer was taken is theirs to say."""
        own: Mapping[RuleName, tuple[str, ...]] = {
            RuleName.AT_LEAST: ("agreeing", "answers"),
            RuleName.DAWID_SKENE: ("limit",),
        }
        return {"name": self.name.value, **{name: getattr(self, name) for name in own.get(self.name, ())}}


@dataclass(frozen=True, slots=True)
class Given:
    """A finished answer as a rule sees it. `key`: answers that say the same have the same. `observations`: what it says
    of each thing that is compared, by dimension, where the rule estimates."""

    person: int
    key: Hashable
    doubt: bool = False
    blind: bool = False
    observations: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """`winner`: the place of the answer that becomes gold. `uncertainty`: how likely it is wrong, where estimated."""

    why: Why
    winner: int | None = None
    uncertainty: float | None = None


def decide(
    rule: Rule, given: Sequence[Given], *, is_complete: bool = False, models: Mapping[str, DawidSkene] | None = None
) -> Outcome:
    """The outcome for an item with these finished answers, at least one; of equal answers, the first is used.

    `is_complete`: no other answer is to come, so that one blind answer need not wait for a second. `models`: by
    dimension, what was estimated from all answers (DAWID_SKENE).
    """
    if rule.name == RuleName.PERSON:
        return _of_person(rule, given)
    if rule.name == RuleName.SINGLE:
        return Outcome(Why.OTHER) if len(given) > 1 else _won(given, 0)
    if rule.name == RuleName.AT_LEAST:
        return _at_least(rule, given)
    if rule.name == RuleName.DAWID_SKENE:
        return _estimated(rule, given, models or {})
    if len(given) == 1 and given[0].blind and not is_complete:
        return Outcome(Why.WAITING)
    return _won(given, 0) if len({one.key for one in given}) == 1 else Outcome(Why.DIFFERING)


def _won(given: Sequence[Given], winner: int) -> Outcome:
    """The answer wins unless all who say the same are in doubt."""
    same = [one for one in given if one.key == given[winner].key]
    return Outcome(Why.DOUBTFUL) if all(one.doubt for one in same) else Outcome(Why.ACCEPTED, winner)


def _of_person(rule: Rule, given: Sequence[Given]) -> Outcome:
    for place, one in enumerate(given):
        if one.person == rule.person:
            return Outcome(Why.DOUBTFUL) if one.doubt else Outcome(Why.ACCEPTED, place)
    return Outcome(Why.OTHER)


def _at_least(rule: Rule, given: Sequence[Given]) -> Outcome:
    if len(given) < max(rule.answers, rule.agreeing):
        return Outcome(Why.WAITING)
    enough = _enough(rule, [one.key for one in given])
    certain = _enough(rule, [one.key for one in given if not one.doubt])
    if certain is None or certain != enough:
        return Outcome(Why.DIFFERING if enough is None else Why.DOUBTFUL)
    return Outcome(Why.ACCEPTED, next(place for place, one in enumerate(given) if one.key == certain[0]))


def _enough(rule: Rule, keys: Sequence[Hashable]) -> tuple[Hashable] | None:
    """The answer that enough people gave, if no other one is as frequent."""
    ranked = Counter(keys).most_common(2)
    if not ranked or ranked[0][1] < rule.agreeing or (len(ranked) > 1 and ranked[1][1] == ranked[0][1]):
        return None
    return (ranked[0][0],)


def _estimated(rule: Rule, given: Sequence[Given], models: Mapping[str, DawidSkene]) -> Outcome:
    """The answer that says what is most likely everywhere. `uncertainty`: how likely any part of it is wrong."""
    if len(given) < 2:
        return Outcome(Why.WAITING)
    fitting = list(range(len(given)))
    right = 1.0
    for dimension, model in models.items():
        rows = [one.observations[dimension] for one in given]
        if len({len(row) for row in rows}) > 1:
            return Outcome(Why.DIFFERING)
        for said in zip(*rows, strict=True):
            posterior = model.posterior(tuple(zip((one.person for one in given), said, strict=True)))
            likely = max(posterior.values())
            right *= likely
            fitting = [place for place in fitting if posterior.get(said[place], 0) == likely]
    uncertainty = 1 - right
    if not fitting or len({given[place].key for place in fitting}) > 1:
        return Outcome(Why.DIFFERING, uncertainty=uncertainty)
    if uncertainty > rule.limit:
        return Outcome(Why.UNCERTAIN, uncertainty=uncertainty)
    won = _won(given, fitting[0])
    return Outcome(won.why, won.winner, uncertainty)
