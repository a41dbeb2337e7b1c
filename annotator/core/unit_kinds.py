"""Kinds of units: what can be answered, what it is called, and how it behaves. A sentence is the core's own; the others
are defined in `UNIT_KINDS` of the packages that bring them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import ngettext_lazy

from annotator.core.counts import grouped
from annotator.core.installed import Brought, cached

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    from annotator.models import Project, Unit, User


@dataclass(frozen=True, slots=True)
class Reworded:
    """How a unit reads after a text that it was made from was fixed.

    `key` is what the uid ends in from now on, where its end names tokens that stand elsewhere now; "": as it was.
    """

    tokens: tuple[str, ...]
    spaces: tuple[str, ...]
    key: str = ""


@dataclass(frozen=True, slots=True)
class Closed:
    """A unit ends with the text that it was made from, and what was made from the unit in turn. `reason` is a code that
    events store."""

    reason: str


@dataclass(frozen=True, slots=True)
class Marking:
    """Says that a unit is a sentence with something marked in it, or several: who marked it wrote nothing, and may
    answer.

    `imported(unit)`: the tokens that are marked, for kinds of units that are imported; the unit comes with its
    segment.
    """

    imported: Callable[[Unit], Sequence[int]] | None = None


_UNITS = ngettext_lazy("%(shown)s unit", "%(shown)s units", "number")

Texts = Callable[[Sequence["Unit"]], Mapping[int, str]]
Writers = Callable[["User", Sequence["Unit"]], set[int]]
Wording = Callable[["Unit", "Unit", "Unit"], Reworded | Closed | None]
Order = Callable[["Project", Sequence["Unit"]], None]


@dataclass(frozen=True, kw_only=True)
class UnitKind:
    """A kind of units, by the slug that units and layers store."""

    slug: str
    # So many of them: as `ngettext_lazy` with %(shown)s, counted by `number`.
    names: str | _StrPromise = _UNITS
    # One of them, where it stands in a table; the slug where nobody says it.
    title: str | _StrPromise = ""
    # What the lines of a text of several parts are.
    parts: tuple[str | _StrPromise, ...] = ()
    # Of these lines (from 0), those that are read by themselves, each with the line that says what it means, or None.
    # None: all of them are.
    sentences: Mapping[int, int | None] | None = None
    # By unit id, how lists name units. The text, or its parts in one line, where nobody says it.
    texts: Texts | None = None
    # Which of the units (ids) the user gave the text of without being the author, where one text can have come from
    # several people. Asked for each claim and save.
    writers: Writers | None = None
    # What becomes of a unit when a text that it was made from is fixed: it is asked with the unit and both revisions of
    # that text. Reworded: it gets a new revision, and answers are carried as on sentences. Closed: it is taken out of
    # all stages. None: it stays as it is.
    wording: Wording | None = None
    marking: Marking | None = None
    # Keeps `Item.unlabelled` of such units right, where the order *labelled first* depends on other units. Called in
    # the transaction in which an item or suggestion of any units was made, or an answer or gold on them came to stand
    # or no longer does. At most one statement for units of one language.
    order: Order | None = None
    # Whether units are nothing without those that they were made from: they are withdrawn with one of them, and gold on
    # them keeps it.
    bound: bool = False
    # Whether bound units are restored once all that they were made from is back; others are made again.
    restored: bool = False
    # Whether the order in which they are made, or lie in files, tells what others say of them: they are assigned in
    # another one.
    shuffled: bool = False


SENTENCE = UnitKind(slug="sentence", names=ngettext_lazy("%(shown)s sentence", "%(shown)s sentences", "number"))

UNIT_KINDS: Mapping[str, UnitKind] = Brought("unit_kinds", own=(SENTENCE,))


def unit_kind(slug: str) -> UnitKind:
    """The kind of units with this slug; one with nothing of its own where no package defines it."""
    return UNIT_KINDS.get(slug) or UnitKind(slug=slug)


def parts_of(slug: str) -> list[str]:
    """What the lines of such units' texts are, in the reader's language; empty for units of one part."""
    return [str(name) for name in unit_kind(slug).parts]


def sentence_lines(slug: str) -> Mapping[int, int | None]:
    """The lines of such units' texts that are read by themselves, each with the line that says what it means, or None;
    empty for units that are not texts of several parts."""
    kind = unit_kind(slug)
    return dict.fromkeys(range(len(kind.parts))) if kind.sentences is None else kind.sentences


@cached
def kinds_with_parts() -> list[str]:
    """The kinds of units that are texts of several parts."""
    return [slug for slug, kind in UNIT_KINDS.items() if kind.parts]


def counted_units(slug: str, number: int) -> str:
    """So many units of a kind, in the reader's language."""
    return str(unit_kind(slug).names % {"number": number, "shown": grouped(number)})


def unit_title(slug: str) -> str:
    """What a unit is called in the reader's language; its kind where nobody says it."""
    return str(unit_kind(slug).title or slug)


def unit_texts(units: Iterable[Unit]) -> dict[int, str]:
    """By unit id, how lists name units of any kinds."""
    by_kind: dict[str, list[Unit]] = {}
    for unit in units:
        by_kind.setdefault(unit.kind, []).append(unit)
    found: dict[int, str] = {}
    for slug, rows in by_kind.items():
        kind = unit_kind(slug)
        if kind.texts is not None:
            found |= kind.texts(rows)
        elif kind.parts:
            found |= {unit.pk: " / ".join(line for line in unit.text.split("\n") if line) for unit in rows}
        else:
            found |= {unit.pk: unit.text for unit in rows}
    return found


def also_wrote(slug: str, user: User, units: Sequence[Unit]) -> set[int]:
    """Those of the units, all of this kind, that the user wrote without being their author."""
    writers = unit_kind(slug).writers
    return writers(user, units) if writers is not None else set()


@cached
def markings() -> frozenset[str]:
    """The kinds of units that are a sentence with something marked in it."""
    return frozenset(slug for slug, kind in UNIT_KINDS.items() if kind.marking is not None)


@cached
def imported_markings() -> frozenset[str]:
    """Those of `markings` that are imported: there, no label says what is marked."""
    return frozenset(slug for slug, kind in UNIT_KINDS.items() if kind.marking is not None and kind.marking.imported)


def imported_marks(unit: Unit) -> Sequence[int]:
    """The tokens that were marked in a unit when it was imported; empty for any other. It comes with its
    segment."""
    marking = unit_kind(unit.kind).marking
    if marking is None or marking.imported is None or unit.imported_id is None:
        return ()
    return marking.imported(unit)


@cached
def wordings() -> Mapping[str, Wording]:
    """By kind of unit, what becomes of it when a text that it was made from is fixed."""
    return {slug: kind.wording for slug, kind in UNIT_KINDS.items() if kind.wording is not None}


@cached
def restored_kinds() -> frozenset[str]:
    """Those of `bound_kinds` that are restored with what they were made from."""
    return frozenset(slug for slug, kind in UNIT_KINDS.items() if kind.bound and kind.restored)


@cached
def bound_kinds() -> frozenset[str]:
    """The kinds of units that are withdrawn with what they were made from."""
    return frozenset(slug for slug, kind in UNIT_KINDS.items() if kind.bound)


def is_shuffled(slug: str) -> bool:
    """Whether such units are assigned in an order that tells nothing of them."""
    return unit_kind(slug).shuffled
