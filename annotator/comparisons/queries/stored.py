"""Stored comparisons: which there are, who may see them, and their rows, filtered.

Rows are numbered cell by cell, so filters on cells choose ranges of numbers: a page is read by its numbers, whatever
the size of the comparison. A lemma is looked up in an index.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import accumulate
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404
from django.utils.translation import gettext as _

from annotator.core.access import Access
from annotator.models import Comparison, ComparisonRow, Project
from annotator.models.comparison import ComparisonQuerySet
from annotator.work.blind.queries.blind import has_blind_work

PER_PAGE = 50
# Rows that are fetched at once.
CHUNK = 1000


@dataclass(frozen=True, slots=True)
class RowFilters:
    """The filters of rows; "" for all. `label` is on either side, and so is `lemma`."""

    state: str = ""
    outcome: str = ""
    label: str = ""
    language: str = ""
    dataset: str = ""
    lemma: str = ""

    @classmethod
    def from_query(cls, given: Mapping[str, str]) -> RowFilters:
        """Those of an address."""
        found = {field.name: given.get(field.name, "")[:200].strip() for field in fields(cls)}
        return cls(**found | {"lemma": found["lemma"].lower()})

    def fits(self, cell: Mapping[str, Any]) -> bool:
        """Whether the rows of a cell have what is asked for, lemmas aside."""
        if self.label and self.label not in (cell["label"], cell["other_label"]):
            return False
        # An outcome of rows without one is asked for by a name.
        outcome = self.outcome in ("", cell["outcome"] or NOT_REVIEWED)
        return outcome and all(getattr(self, name) in ("", cell[name]) for name in ("state", "language", "dataset"))


NOT_REVIEWED = "not-reviewed"


@dataclass(frozen=True, slots=True)
class Group:
    """Rows with one state and outcome: how many, and their share of all that are shown, in per cent."""

    state: str
    outcome: str
    count: int
    percent: float


@dataclass(frozen=True)
class Chosen:
    """The rows of a comparison that filters let through. `numbers`: of those with a lemma; None for any."""

    comparison: Comparison
    filters: RowFilters
    numbers: Sequence[int] | None

    @cached_property
    def _cells(self) -> list[tuple[Mapping[str, Any], range]]:
        cells: list[Mapping[str, Any]] = self.comparison.results["cells"]
        begins = accumulate((cell["rows"] for cell in cells), initial=0)
        ranges = [range(begin, begin + cell["rows"]) for cell, begin in zip(cells, begins, strict=False)]
        return [(cell, places) for cell, places in zip(cells, ranges, strict=True) if self.filters.fits(cell)]

    @cached_property
    def size(self) -> int:
        """How many rows there are."""
        return sum(self._rows_of(places) for _cell, places in self._cells)

    def _rows_of(self, places: range) -> int:
        if self.numbers is None:
            return len(places)
        return bisect_right(self.numbers, places.stop - 1) - bisect_right(self.numbers, places.start - 1)

    def groups(self) -> list[Group]:
        """The rows by state and outcome, in their order. Empty ones count, too, unless a lemma is asked for."""
        found: dict[tuple[str, str], int] = {}
        for cell, places in self._cells:
            key = cell["state"], cell["outcome"]
            number = cell["count"] if self.numbers is None else self._rows_of(places)
            found[key] = found.get(key, 0) + number
        total = sum(found.values())
        return [Group(*key, count, 100 * count / total) for key, count in found.items() if count]

    def labels(self) -> dict[str, dict[str, int]]:
        """By label and state, how many there are; a label that was changed counts as `from` and as `to`."""
        found: dict[str, dict[str, int]] = {}
        for cell, _places in self._cells:
            one, other, state = cell["label"], cell["other_label"], cell["state"]
            named = (
                {one or other: state}
                if one == other or not (one and other)
                else {one: f"{state}-from", other: f"{state}-to"}
            )
            for label, name in named.items():
                counts = found.setdefault(label, {})
                counts[name] = counts.get(name, 0) + cell["count"]
        return dict(sorted(found.items()))

    def page(self, begin: int, size: int = PER_PAGE) -> list[ComparisonRow]:
        """So many rows from the one in place `begin`. One statement."""
        numbers: list[int] = []
        for _cell, places in self._cells:
            of_cell = self._numbers_in(places)
            if begin >= len(of_cell):
                begin -= len(of_cell)
                continue
            numbers += of_cell[begin : begin + size - len(numbers)]
            begin = 0
            if len(numbers) == size:
                break
        rows = ComparisonRow.objects.filter(comparison=self.comparison, number__in=numbers)
        return list(rows.order_by("number"))

    def _numbers_in(self, places: range) -> Sequence[int]:
        if self.numbers is None:
            return places
        return self.numbers[bisect_right(self.numbers, places.start - 1) : bisect_right(self.numbers, places.stop - 1)]

    def rows(self) -> Iterator[tuple[Mapping[str, Any], ComparisonRow]]:
        """All rows with their cells, some at a time."""
        for cell, places in self._cells:
            numbers = self._numbers_in(places)
            for begin in range(0, len(numbers), CHUNK):
                some = numbers[begin : begin + CHUNK]
                for row in ComparisonRow.objects.filter(comparison=self.comparison, number__in=list(some)).order_by(
                    "number"
                ):
                    yield cell, row

    def cell_of(self, row: ComparisonRow) -> Mapping[str, Any]:
        """The cell that a row is in."""
        return next(cell for cell, places in self._cells if row.number in places)


def chosen_rows(comparison: Comparison, filters: RowFilters) -> Chosen:
    """The rows that filters let through. One statement where a lemma is asked for, none otherwise."""
    if not filters.lemma:
        return Chosen(comparison, filters, None)
    rows = ComparisonRow.objects.filter(comparison=comparison)
    found = rows.filter(Q(lemma=filters.lemma) | Q(other_lemma=filters.lemma))
    return Chosen(comparison, filters, sorted(found.values_list("number", flat=True)))


def comparisons_in(project: Project) -> ComparisonQuerySet:
    """The comparisons of a project, newest first, without their results, which are long."""
    rows = Comparison.objects.published().filter(project=project).select_related("created_by", "layer", "project")
    return rows.defer("results").order_by("-pk")


def why_not_seen(access: Access) -> str:
    """Why the user may not look into comparisons, as a sentence; empty where they may: they tell what others decided
    and answered. One query."""
    if has_blind_work(access.user, access.project):
        return _("You have blind items in this project, so you cannot compare labels until gold is decided there.")
    return ""


def check_seen(access: Access) -> None:
    """Raise PermissionDenied for anyone who works blind."""
    if reason := why_not_seen(access):
        raise PermissionDenied(reason)


def comparison_seen(access: Access, pk: int) -> Comparison:
    """A comparison of the project, for somebody who looks into it. Raises Http404 where there is none, PermissionDenied
    for anyone who works blind."""
    check_seen(access)
    found = comparisons_in(access.project).defer(None).filter(pk=pk).first()
    if found is None:
        raise Http404(_("There is no such comparison in this project."))
    return found


HEADER = (
    "uid", "language", "state", "outcome", "dataset", "label", "words", "lemma", "tokens",
    "other_label", "other_words", "other_lemma", "other_tokens", "linked_by", "aligned",
)  # fmt: skip


def file_rows(chosen: Chosen) -> Iterator[list[str]]:
    """The rows as files have them, under HEADER."""
    for cell, row in chosen.rows():
        content = row.content
        sides = [cell_text for side in ("left", "right") for cell_text in _side(content[side], row, side)]
        about = [content["uid"], cell["language"], cell["state"], cell["outcome"], cell["dataset"]]
        aligned = {True: "yes", False: "no"}.get(content.get("aligned"), "")
        yield [*about, *sides, content.get("by", ""), aligned]


def _side(side: Mapping[str, Any] | None, row: ComparisonRow, name: str) -> list[str]:
    if side is None:
        return ["", "", "", ""]
    lemma = row.lemma if name == "left" else row.other_lemma
    return [side["label"], side["words"], lemma, " ".join(map(str, side["tokens"]))]
