"""Which units follow from what is said of others, and how that differs from the units that are there.

A rule says what follows from a state; `compare` says what has to change. Neither knows how units are stored:
`annotator/work/derivation/actions/reconcile.py` reads the state and makes the changes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from annotator.domain.content import Content
from annotator.domain.effective_content import Stands


@dataclass(frozen=True, slots=True)
class DesiredUnit:
    """A unit that follows from a source.

    `key` tells several from one source apart, for ever; it has no colon, since the unit's uid ends in it.
    `author`: whose answer it is made from; None where it follows from all that is said of the source.
    `path`: what the uid has between the source's and the key; None for a new name each time, which several people's
    units with one key need. `indexed`: whether its words can be looked up, as those of imported sentences are.
    `continues`: it belongs to the import that the revision before it came with.
    """

    key: str
    tokens: tuple[str, ...]
    spaces: tuple[str, ...] = ()
    author: int | None = None
    rule: str = ""
    path: str | None = None
    indexed: bool = False
    continues: bool = False


@dataclass(frozen=True, slots=True)
class DerivedUnit:
    """A unit that was made of a source before. `unit`: its id.

    `returns`: it is withdrawn, and was made of the source as it reads now. `went_back`: it was sent back to its writer.
    `is_decided`, `is_begun`: gold stands on it, or somebody has started to answer it, or what is nothing without it.
    """

    unit: int
    key: str
    tokens: tuple[str, ...]
    spaces: tuple[str, ...] = ()
    author: int | None = None
    rule: str = ""
    is_current: bool = True
    is_imported: bool = False
    is_decided: bool = False
    is_begun: bool = False
    returns: bool = False
    went_back: bool = False


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """A finished answer in the stage before. `taken_from`: whose answer it was handed over from."""

    user: int
    content: Content
    taken_from: int | None = None


@dataclass(frozen=True, slots=True)
class SourceState:
    """A source, what is said of it in the layer that the rule reads, and what was made of it before. `unit`: its id.

    `given`: finished answers of the stage before, in the order in which they were started. `stands`: all that can stand
    in the layer. `marked`: the tokens that were marked when the source was imported. `there`: oldest first.
    """

    unit: int
    uid: str
    tokens: tuple[str, ...]
    spaces: tuple[str, ...] = ()
    layer: str = ""
    content_type: str = ""
    unit_kind: str = ""
    scheme: Mapping[str, Any] = field(default_factory=dict)
    given: Sequence[GivenAnswer] = ()
    stands: Stands = field(default_factory=Stands)
    marked: Sequence[int] = ()
    there: Sequence[DerivedUnit] = ()


class Rule(ABC):
    """Which units follow from a source. Pure: the same state gives the same units."""

    # The kind of the units; "" for that which the stage's layer is about.
    unit_kind: str = ""
    # Whether it reads what stands in the layer, no matter who said it, and not only the answers of the stage before.
    reads_standing: bool = False
    # The key of the only unit of a source, where that is known by its uid, even if it was imported.
    known_by: str = ""

    @abstractmethod
    def derive(self, state: SourceState) -> Sequence[DesiredUnit]:
        """The units that follow, each once, in the order in which they are made."""

    def owns(self, state: SourceState, unit: DerivedUnit) -> bool:
        """Whether a unit that was made of the source is one of this rule's."""
        return unit.author is not None

    def keeps(self, state: SourceState, unit: DerivedUnit, *, is_replaced: bool) -> bool:
        """Whether a unit stays although it does not follow any more, or follows with another text (`is_replaced`).

        What is gold does, unless another text takes its place, which is judged again.
        """
        return unit.is_decided and not is_replaced


Become = Callable[[SourceState, Content], Sequence[DesiredUnit]]


class ByAnswer(Rule):
    """Each finished answer of the stage before becomes units of its own: what people write is judged one by one.

    `become` gives them, without an author.
    """

    def __init__(self, become: Become) -> None:
        self.become = become

    def derive(self, state: SourceState) -> Sequence[DesiredUnit]:
        return [
            replace(one, author=answer.user)
            for answer in state.given
            for one in _each_once(self.become(state, answer.content))
        ]


class ByAnswerAndLabels(ByAnswer):
    """The same; and what stands and nobody's answer became is there, too: gold that came with files, say.

    Where gold stands, nothing follows from an answer but what gold says as well. What somebody has started to answer
    stays.
    """

    reads_standing = True
    MARKED = "marked"

    def derive(self, state: SourceState) -> Sequence[DesiredUnit]:
        content = state.stands.content()
        standing = {one.key: one for one in self.become(state, content)} if content is not None else {}
        answered = [one for one in super().derive(state) if state.stands.gold is None or one.key in standing]
        keys = {one.key for one in answered}
        unanswered = [one for key, one in standing.items() if key not in keys]
        return [*answered, *(replace(one, rule=self.MARKED, path=self.MARKED) for one in unanswered)]

    def owns(self, state: SourceState, unit: DerivedUnit) -> bool:
        return unit.author is not None or unit.rule == self.MARKED

    def keeps(self, state: SourceState, unit: DerivedUnit, *, is_replaced: bool) -> bool:
        if unit.author is None or (state.stands.gold is not None and not is_replaced):
            return unit.is_begun
        return super().keeps(state, unit, is_replaced=is_replaced)


def _each_once(units: Iterable[DesiredUnit]) -> Iterable[DesiredUnit]:
    return {one.key: one for one in units}.values()


@dataclass(frozen=True, slots=True)
class NewUnit:
    """A unit that is to be made. `after`: the unit whose next revision it is. `repeats`: units that read the same and
    were sent back to their writer."""

    desired: DesiredUnit
    after: DerivedUnit | None = None
    repeats: Sequence[DerivedUnit] = ()


@dataclass(slots=True)
class Changes:
    """What has to change for what is there to be what follows. `kept`: current units that follow."""

    kept: list[DerivedUnit] = field(default_factory=list)
    restored: list[DerivedUnit] = field(default_factory=list)
    made: list[NewUnit] = field(default_factory=list)
    withdrawn: list[DerivedUnit] = field(default_factory=list)


def compare(
    rule: Rule, state: SourceState, desired: Sequence[DesiredUnit], *, authors: Collection[int] | None = None
) -> Changes:
    """How the units that were made of a source differ from those that follow from it.

    A unit that follows is there where one of its key, and of its author, reads the same: an answer that was handed over
    has the units of the one before it, and what follows from all answers has anybody's. One that was withdrawn comes
    back, unless it was sent back to its writer; else there is a new revision. `authors`: whose units may go since they
    do not follow any more (None: everybody's).
    """
    changes = Changes()
    own = [unit for unit in state.there if rule.owns(state, unit)]
    taken = {answer.user: answer.taken_from for answer in state.given}
    settled: set[int] = set()
    for one in desired:
        rows = [unit for unit in own if unit.key == one.key and _fits(unit, one, taken)]
        now = _current(rows, one)
        if now is not None:
            settled.add(now.unit)
            if reads_as(now, one) or rule.keeps(state, now, is_replaced=True):
                changes.kept.append(now)
                continue
            changes.withdrawn.append(now)
        same = [unit for unit in rows if reads_as(unit, one)]
        back = [unit for unit in same if unit.returns and not unit.went_back and unit.author == one.author]
        if back:
            changes.restored.append(back[-1])
            continue
        repeats = [unit for unit in same if unit.went_back]
        before = [unit for unit in rows if one.path is None or unit.author == one.author]
        changes.made.append(NewUnit(one, now or (before[-1] if before else None), repeats))
    for unit in own:
        may_go = authors is None or unit.author is None or unit.author in authors
        if unit.is_current and unit.unit not in settled and may_go and not rule.keeps(state, unit, is_replaced=False):
            changes.withdrawn.append(unit)
    return changes


def reads_as(unit: DerivedUnit, desired: DesiredUnit) -> bool:
    """Whether a unit has the text of one that follows."""
    return (unit.tokens, unit.spaces) == (desired.tokens, desired.spaces)


def _fits(unit: DerivedUnit, one: DesiredUnit, taken: Mapping[int, int | None]) -> bool:
    if one.author is None:
        return True
    if unit.author is None:
        return reads_as(unit, one)
    return unit.author in (one.author, taken.get(one.author))


def _current(rows: Sequence[DerivedUnit], one: DesiredUnit) -> DerivedUnit | None:
    """Of units that may be one that follows, the current one: the author's own before others."""
    current = [unit for unit in rows if unit.is_current]
    return next((unit for unit in current if unit.author == one.author), current[0] if current else None)
