"""The items of a layer with their texts and gold, some at a time: memory does not grow with the project."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotator.domain.batches import batches
from annotator.domain.content import Content
from annotator.models import Gold, Layer, Segment, Unit
from annotator.models.segment import SegmentQuerySet

CHUNK = 1000
_COLUMNS = ("pk", "uid", "dataset", "role", "group", "pair__inference")


@dataclass(frozen=True, slots=True)
class Text:
    """A text in a language: of an item without a text of its own, those that it is made from, of which `lengths` has
    the numbers of tokens. `lemmas`: one for each token, or none at all."""

    tokens: Sequence[str]
    lemmas: Sequence[str]
    lengths: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Slot:
    """An item in all languages. `gold`: by language, where it is decided."""

    segment: int
    uid: str
    dataset: str
    role: str
    group: str
    inference: str
    texts: Mapping[str, Text]
    gold: Mapping[str, Content]

    @property
    def whole_group(self) -> str:
        """What it belongs to: its premise or document, or itself."""
        return f"group {self.dataset}\t{self.group}" if self.group else f"item {self.uid}"


def segments_in(layer: Layer) -> SegmentQuerySet:
    """The segments of a layer's items, in reading order."""
    rows = Segment.objects.published().filter(project=layer.project_id, kind=layer.unit_kind, set_aside_reason="")
    return rows.order_by("position", "pk")


def slots_of(layer: Layer, *, gold: bool = True) -> Iterator[list[Slot]]:
    """The items in reading order, CHUNK at a time. Four statements for each. `gold`: with what is decided."""
    rows = segments_in(layer).values_list(*_COLUMNS)
    for some in batches(rows.iterator(CHUNK), CHUNK):
        texts, units = _texts(layer, [row[0] for row in some])
        decided: defaultdict[int, dict[str, Content]] = defaultdict(dict)
        if gold:
            found = Gold.objects.filter(layer=layer, unit__in=list(units)).values_list("unit_id", "content")
            for unit, content in found:
                segment, language = units[unit]
                decided[segment][language] = content
        yield [
            Slot(segment, uid, dataset, role, group, inference or "", texts[segment], decided[segment])
            for segment, uid, dataset, role, group, inference in some
        ]


def _texts(
    layer: Layer, segments: Sequence[int]
) -> tuple[Mapping[int, Mapping[str, Text]], Mapping[int, tuple[int, str]]]:
    """By segment and language, the current text; and by unit, which of these it is."""
    texts: defaultdict[int, dict[str, Text]] = defaultdict(dict)
    units: dict[int, tuple[int, str]] = {}
    without: list[tuple[int, str, list[int]]] = []
    rows = Unit.objects.published().filter(project=layer.project_id, segment__in=segments, is_current=True)
    columns = ("pk", "segment_id", "language", "tokens", "lemmas", "touches")
    for pk, segment, language, tokens, lemmas, touches in rows.values_list(*columns):
        units[pk] = segment, language
        texts[segment][language] = Text(tokens, lemmas)
        if not tokens:
            without.append((segment, language, [one for one in touches if one != segment]))
    if any(parts for _segment, _language, parts in without):
        needed = {one for _segment, _language, parts in without for one in parts}
        of_parts = Unit.objects.published().filter(project=layer.project_id, segment__in=needed, is_current=True)
        found = {
            (segment, language): (tokens, lemmas)
            for segment, language, tokens, lemmas in of_parts.values_list("segment_id", "language", "tokens", "lemmas")
        }
        for segment, language, parts in without:
            texts[segment][language] = _joined([found.get((one, language), ([], [])) for one in parts])
    return texts, units


def _joined(parts: Sequence[tuple[Sequence[str], Sequence[str]]]) -> Text:
    tokens = [token for words, _lemmas in parts for token in words]
    lemmas = [lemma for _words, own in parts for lemma in own]
    lengths = [len(words) for words, _lemmas in parts]
    return Text(tokens, lemmas if len(lemmas) == len(tokens) else [], lengths)
