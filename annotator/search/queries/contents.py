"""A content for display: the tokens with their labels, or values and texts in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from annotator.core.kind import value_title
from annotator.domain.content import Content, ContentType, Written, content_type
from annotator.domain.labels.schemes import Scheme
from annotator.domain.labels.spans import Span, spans_from_json
from annotator.models import Layer, Unit


@dataclass(frozen=True, slots=True)
class Mark:
    """A label on words. `colour`: of `schemes.PALETTE`, empty for the only label; `part`: "1/2" where the span has
    gaps; `score`: a machine's probability."""

    name: str
    colour: str
    attributes: Mapping[str, str]
    part: str = ""
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """Neighbouring tokens with the same labels. `space` is the white space before them."""

    space: str
    text: str
    marks: Sequence[Mark] = ()


@dataclass(frozen=True, slots=True)
class ShownContent:
    """A content on a text. `pieces`: of labels, the text with them; `whole`: labels that no word bears; `texts`: of
    any other content, what it says."""

    pieces: Sequence[Piece] = ()
    whole: Sequence[Mark] = ()
    texts: Sequence[str] = ()

    @property
    def empty(self) -> bool:
        """Whether it contains no label."""
        return not (self.whole or self.texts or any(piece.marks for piece in self.pieces))


def shown_content(layer: Layer, unit: Unit, content: Content) -> ShownContent:
    """A content of the layer on the unit."""
    if layer.content_type != Layer.SPANS:
        return ShownContent(texts=_texts(content_type(layer.content_type), unit, content))
    spans = spans_from_json(content["spans"])
    scheme = layer.scheme
    whole = [_mark(scheme, span) for span in spans if not span.tokens]
    return ShownContent(_pieces(unit, spans, scheme), whole)


def _texts(kind: ContentType, unit: Unit, content: Content) -> list[str]:
    if isinstance(kind, Written):
        written = kind.texts(content, unit.text)
        return [line for text in written for line in text.lines if line]
    dimension = kind.dimensions[0]
    said = [value for value in kind.observations(content, tokens=unit.tokens, dimension=dimension) if value]
    # Of a verdict, the correction that it proposes.
    return [*(value_title(kind.slug, dimension, value) for value in said), *content.get("texts", ())]


def _pieces(unit: Unit, spans: Sequence[Span], scheme: Scheme) -> list[Piece]:
    on: list[list[int]] = [[] for _token in unit.tokens]
    for number, span in enumerate(spans):
        for token in span.tokens:
            if token < len(on):
                on[token].append(number)
    found = []
    for numbers, run in groupby(range(len(unit.tokens)), key=lambda token: on[token]):
        tokens = list(run)
        text = "".join(f"{_space(unit, token) if token != tokens[0] else ''}{unit.tokens[token]}" for token in tokens)
        marks = [_mark(scheme, spans[number], tokens[0]) for number in numbers]
        found.append(Piece(_space(unit, tokens[0]), text, marks))
    return found


def _space(unit: Unit, token: int) -> str:
    """The white space before a token."""
    if unit.spaces:
        return str(unit.spaces[token])
    return " " if token else ""


def _mark(scheme: Scheme, span: Span, token: int = -1) -> Mark:
    fragments = span.fragments()
    part = ""
    if len(fragments) > 1:
        place = next(number for number, run in enumerate(fragments, start=1) if token in run)
        part = f"{place}/{len(fragments)}"
    name = scheme.detail(span.label).name or span.label
    return Mark(name, _colour(scheme, span.label), dict(span.attributes), part, span.score)


def _colour(scheme: Scheme, label: str) -> str:
    # Labels that the scheme has no more stand on texts that came with files.
    return scheme.colour(label) if label in scheme.labels or scheme.detail(label).colour else ""
