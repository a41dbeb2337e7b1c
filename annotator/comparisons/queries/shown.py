"""A page of a comparison as it is read: rows with the current texts that they are in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.comparisons.queries.stored import Chosen
from annotator.models import Comparison, ComparisonRow, Unit
from annotator.search.queries.contents import ShownContent, shown_content


@dataclass(frozen=True, slots=True)
class ShownSide:
    """A side of a row. `unit`, `content`: its text with the words marked, where it still has these words; `segment`:
    of the page that it leads to."""

    label: str
    words: str
    lemma: str
    language: str
    attributes: Mapping[str, str]
    unit: Unit | None
    content: ShownContent | None


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row. `segment`: of the page that it leads to, None where its text is gone."""

    uid: str
    segment: int | None
    cell: Mapping[str, Any]
    left: ShownSide | None
    right: ShownSide | None
    unaligned: bool


def shown_rows(chosen: Chosen, rows: Sequence[ComparisonRow]) -> list[ShownRow]:
    """The rows of a page. Two statements, which read as many texts as there are rows."""
    comparison = chosen.comparison
    uids = {row.content["uid"] for row in rows}
    segments = dict(comparison.project.slots.filter(uid__in=uids).values_list("uid", "pk"))
    units = Unit.objects.published().filter(
        project=comparison.project_id, segment__in=segments.values(), is_current=True
    )
    texts = {(unit.segment_id, unit.language): unit for unit in units}
    found = []
    for row in rows:
        cell = chosen.cell_of(row)
        segment = segments.get(row.content["uid"])
        sides = [
            _side(comparison, row, name, texts.get((segment or 0, language)), language)
            for name, language in zip(("left", "right"), _languages(comparison, cell), strict=True)
        ]
        unaligned = row.content.get("aligned") is False
        found.append(ShownRow(row.content["uid"], segment, cell, sides[0], sides[1], unaligned))
    return found


def _languages(comparison: Comparison, cell: Mapping[str, Any]) -> Sequence[str]:
    if cell["language"]:
        return cell["language"], cell["language"]
    return [comparison.params[side]["language"] for side in ("left", "right")]


def _side(comparison: Comparison, row: ComparisonRow, name: str, unit: Unit | None, language: str) -> ShownSide | None:
    side = row.content[name]
    if side is None:
        return None
    lemma = row.lemma if name == "left" else row.other_lemma
    attributes = side.get("attributes", {})
    content = None
    if unit is not None and side["tokens"] and _words(unit, side["tokens"]) == side["words"]:
        span = {"tokens": side["tokens"], "label": side["label"], "attributes": attributes}
        content = shown_content(comparison.layer, unit, {"spans": [span]})
    return ShownSide(side["label"], side["words"], lemma, language, attributes, unit, content)


def _words(unit: Unit, tokens: Sequence[int]) -> str:
    return " ".join(unit.tokens[token] for token in tokens if token < len(unit.tokens))
