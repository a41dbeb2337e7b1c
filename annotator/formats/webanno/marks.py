"""The annotations of a sentence in WebAnno TSV 3, from the rows of its tokens and of their parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.records import CharSpan
from annotator.formats.webanno import layers
from annotator.formats.webanno.cells import SPAN, Annotation, Layer, relations, stacked


@dataclass(slots=True)
class Row:
    """A token, or a part of one, with its columns; `begin` and `end` in UTF-16 units of the document."""

    line: int
    token: int
    part: bool
    begin: int
    end: int
    form: str
    cells: list[str]


@dataclass(slots=True)
class Mark:
    """An annotation in a sentence: its features and its units."""

    layer: Layer
    features: dict[str, str]
    rows: list[Row]


class Marks:
    """What the rows of one file say, sentence after sentence. `counts`: takes what is not imported."""

    def __init__(self, declared: Sequence[Layer], counts: Counter[Sentence]) -> None:
        self.layers = declared
        self.counts = counts
        self.before: Set[tuple[str, str]] = set()
        self.crossed: Set[tuple[str, str]] = set()
        self.chains: set[tuple[str, str]] = set()

    @cached_property
    def several(self) -> bool:
        """Whether several layers have labels on tokens."""
        names = [layer.name for layer in self.layers if layer.kind == SPAN and layers.is_labels(layer.name)]
        return len([name for name in names if name != layers.WHOLE]) > 1

    def of(self, rows: Sequence[Row]) -> list[Mark]:
        """The annotations of a sentence's span layers. What is not imported is counted."""
        found: list[Mark] = []
        named: dict[tuple[str, str], Mark] = {}
        for layer in self.layers:
            # An annotation without a number, alone on its token.
            alone: Mark | None = None
            for row in rows:
                if not row.part:
                    alone = None
                cells = layer.cells(row.cells)
                if not cells:
                    continue
                if layer.kind != SPAN:
                    self._count_relations(layer, cells)
                    continue
                here = list(stacked(layer, cells))
                if (
                    alone
                    and _begins(alone, row)
                    and [(one.features, one.number) for one in here] == [(alone.features, "")]
                ):
                    alone.rows.append(row)
                    continue
                new = self._stack(layer, row, here, found, named)
                if not row.part and len(here) == 1 and not here[0].number:
                    alone = new[0]
        self._count_crossing(named.keys())
        return found

    def _stack(
        self,
        layer: Layer,
        row: Row,
        here: Sequence[Annotation],
        found: list[Mark],
        named: dict[tuple[str, str], Mark],
    ) -> list[Mark]:
        """Add what a row has of a layer to the annotations of the sentence. What begins with the row."""
        new: list[Mark] = []
        for one in here:
            key = layer.name, one.number
            if one.number and key in named:
                named[key].rows.append(row)
                continue
            mark = Mark(layer, one.features, [row])
            new.append(mark)
            if one.number:
                named[key] = mark
            if one.links and not (one.number and key in self.before):
                self.counts[message(_("links from one label to others, which are not imported"))] += one.links
        found += new
        return new

    def _count_relations(self, layer: Layer, cells: Sequence[str]) -> None:
        """Count relations and places in chains; each place once."""
        for link in relations(layer, cells):
            if not link or (layer.name, link) not in self.chains:
                self.counts[message(_("relations between labels, which are not imported"))] += 1
            if link:
                self.chains.add((layer.name, link))

    def _count_crossing(self, named: Set[tuple[str, str]]) -> None:
        """Count the labels that continue from the sentence before; each once."""
        crossing = named & self.before
        if new := crossing - self.crossed:
            what = message(_("labels that cross a sentence boundary, read as one label per sentence"))
            self.counts[what] += len(new)
        self.before, self.crossed = set(named), crossing

    def span(self, mark: Mark, places: Mapping[int, tuple[int, int]]) -> CharSpan | None:
        """The label of an annotation; None for one that is none. `places`: code points by the identity of rows."""
        layer = mark.layer
        if not layers.is_labels(layer.name):
            if layer.name not in (layers.LEMMA, layers.POS):
                self.counts[layers.left_out(layer.name)] += 1
            return None
        begin = min(places[id(row)][0] for row in mark.rows)
        # INCEpTION writes what covers the first letters of a token on the token too, and on the part after it.
        end = places[id(mark.rows[-1])][1]
        if begin >= end:
            self.counts[message(_("labels without characters, which are not imported"))] += 1
            return None
        label, attributes = layers.label_of(
            layer.name, mark.features, layer.values, several=self.several and layer.name != layers.WHOLE
        )
        return CharSpan(() if layer.name == layers.WHOLE else ((begin, end),), label, attributes)


def words(marks: Sequence[Mark], name: str, rows: Sequence[Row]) -> tuple[str, ...]:
    """The lemmas or parts of speech, one per token; none where the file has none."""
    values = {
        id(mark.rows[0]): mark.features.get("value") or mark.features.get("PosValue") or ""
        for mark in marks
        if mark.layer.name == name
    }
    return tuple(values.get(id(row), "") for row in rows) if any(values.values()) else ()


def _begins(mark: Mark, row: Row) -> bool:
    """Whether a row is the first letters of the token that an annotation is on."""
    token = mark.rows[0]
    return row.part and len(mark.rows) == 1 and row.token == token.token and token.begin == row.begin < row.end
