"""The one number of a table, with the rest of its sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.formats import number_format
from django.utils.translation import get_language_info

from annotator.core.counts import grouped
from annotator.domain.statistics import ALL

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Json = dict[str, Any]
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Headline:
    """A number as pages show it, and the rest of its sentence."""

    number: str
    text: str


Headliner = Callable[[Json], Headline | None]


def total(column: str, text: _StrPromise) -> Headliner:
    """The sum of a column over the rows that add up no others."""
    return lambda figures: Headline(grouped(_sum(_parts(figures["rows"]), column)), str(text))


def percentage(part: str, whole: str, text: _StrPromise) -> Headliner:
    """The share of one column's sum in another's, unless that is 0. `text` has placeholders `part` and `whole`."""

    def headline(figures: Json) -> Headline | None:
        rows = _parts(figures["rows"])
        numbers = _sum(rows, part), _sum(rows, whole)
        return share_headline(*numbers, text) if numbers[1] else None

    return headline


def share_headline(part: int, whole: int, text: _StrPromise) -> Headline:
    """The part as a percentage, with both numbers in the sentence."""
    gaps = {"part": grouped(part), "whole": grouped(whole)}
    return Headline(f"{number_format(f'{100 * part / whole:.2f}')} %", str(text) % gaps)


def first(column: str, text: _StrPromise, unit: str = "") -> Headliner:
    """The value of a column in the first row, if it is a number. `text` has the row's columns as placeholders."""

    def headline(figures: Json) -> Headline | None:
        row: Row = next(iter(figures["rows"]), {})
        value = str(row.get(column, "–"))
        if value in ("–", "-"):
            return None
        gaps = {**row, "language": language_in_words(row["language"])}
        return Headline(f"{number_format(value)}{unit}", str(text) % gaps)

    return headline


def language_in_words(language: str) -> str:
    """The name of a language in a sentence, in the reader's language; the code where Django has none."""
    try:
        return str(get_language_info(language)["name_translated"])
    except KeyError:
        return language


def _parts(rows: Iterable[Row]) -> list[Row]:
    """The rows that add up to everything: sums over the roles or inference labels of each dataset, or rows without a
    sum."""
    return [
        row
        for row in rows
        if ALL not in (row.get("dataset"), row.get("genre"), row.get("name"))
        and row.get("role", ALL) == row.get("inference", ALL) == ALL
    ]


def _sum(rows: Iterable[Row], column: str) -> int:
    return sum(row[column] for row in rows)
