"""Spans, and the one rule on which spans a sentence may carry under a label scheme (`domain.schemes`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, SupportsFloat

from annotator.domain.labels.schemes import MAX_CHARACTERS, OUTSIDE, Scheme, SpanError, label_problem
from annotator.domain.messages import Message
from annotator.domain.messages import gettext_noop as _

__all__ = [
    "BIO_ATTRIBUTE",
    "ORPHAN",
    "OUTSIDE",
    "Attributes",
    "Scheme",
    "Span",
    "SpanError",
    "check_spans",
    "label_problem",
    "named_tokens",
    "runs",
    "sort_spans",
    "spans_from_json",
    "token_labels",
]

# Set by the BIO reader on a span that begins with I-; every scheme allows it, or published files could not be read.
BIO_ATTRIBUTE = "bio"
ORPHAN = "orphan"


class Attributes(Mapping[str, str]):
    """An immutable, hashable mapping of attribute names to values, in alphabetical order."""

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, str] | None = None) -> None:
        self._items: tuple[tuple[str, str], ...] = tuple(sorted((items or {}).items()))

    def __getitem__(self, name: str) -> str:
        for key, value in self._items:
            if key == name:
                return value
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (key for key, _value in self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(self._items)

    def __repr__(self) -> str:
        return repr(dict(self._items))


_NO_ATTRIBUTES = Attributes()


@dataclass(frozen=True, slots=True)
class Span:
    """The label of one unit of meaning.

    `tokens` are token indices from 0, strictly increasing; they need not be contiguous ("take … off"). None at all
    is a label on the sentence, which no word bears (MIPVU's implicit metaphor); a scheme says which labels may.
    `score` is a machine's probability in 0..1, None for a person's span.
    Raises SpanError when tokens, label, attributes or score are malformed.
    """

    tokens: tuple[int, ...]
    label: str
    attributes: Mapping[str, str] = _NO_ATTRIBUTES
    score: float | None = None

    def __post_init__(self) -> None:
        tokens = tuple(self.tokens)
        if any(isinstance(token, bool) or not hasattr(token, "__index__") for token in tokens):
            raise SpanError(_("The tokens of a span must be whole numbers."))
        # NumPy integers would not survive JSON, so they become Python's.
        tokens = tuple(int(token) for token in tokens)
        if tokens and tokens[0] < 0:
            raise SpanError(_("The tokens of a span must not be negative."))
        for left, right in pairwise(tokens):
            if left >= right:
                raise SpanError(
                    _(
                        "The tokens of a span must be in ascending order, each once: "
                        "token %(right)d comes after token %(left)d."
                    ),
                    right=right + 1,
                    left=left + 1,
                )
        object.__setattr__(self, "tokens", tokens)
        if not isinstance(self.label, str) or not self.label:
            raise SpanError(_("The span on %(tokens)s needs a label."), tokens=named_tokens(tokens))
        if not isinstance(self.attributes, Attributes):
            attributes = self.attributes
            if not isinstance(attributes, Mapping) or not all(
                isinstance(part, str) for item in attributes.items() for part in item
            ):
                raise SpanError(
                    _("The attributes of the span on %(tokens)s must be names, each with a text."),
                    tokens=named_tokens(tokens),
                )
            object.__setattr__(self, "attributes", Attributes(attributes) if attributes else _NO_ATTRIBUTES)
        if self.score is not None:
            # Text is not a number here, though float() would read it.
            number = isinstance(self.score, SupportsFloat) and not isinstance(self.score, bool)
            score = float(self.score) if number else -1.0
            if not 0.0 <= score <= 1.0:
                raise SpanError(
                    _("The score of the span on %(tokens)s must be a probability between 0 and 1."),
                    tokens=named_tokens(tokens),
                )
            object.__setattr__(self, "score", score)

    @property
    def first(self) -> int:
        """Index of the first token; -1 without one."""
        return self.tokens[0] if self.tokens else -1

    @property
    def last(self) -> int:
        """Index of the last token; -1 without one."""
        return self.tokens[-1] if self.tokens else -1

    @property
    def contiguous(self) -> bool:
        """True when no token is left out between the first and the last."""
        return not self.tokens or self.last - self.first + 1 == len(self.tokens)

    def fragments(self) -> tuple[tuple[int, ...], ...]:
        """The runs of neighbouring tokens, in order; one for a contiguous span."""
        return runs(self.tokens)

    def to_json(self) -> dict[str, Any]:
        """The span as it stands in the database, the API and project files."""
        return {
            "tokens": list(self.tokens),
            "label": self.label,
            "attributes": dict(self.attributes),
            "score": self.score,
        }

    @classmethod
    def from_json(cls, data: Any) -> Span:
        """The inverse of `to_json`; `attributes` and `score` may be missing. Raises SpanError."""
        if not isinstance(data, Mapping):
            raise SpanError(_("A span must be an object with tokens and a label."))
        unknown = sorted(set(map(str, data)) - {"tokens", "label", "attributes", "score"})
        if unknown:
            raise SpanError(
                _("A span has tokens, label, attributes and score, but not %(unknown)r."), unknown=unknown[0]
            )
        tokens = data.get("tokens")
        if not isinstance(tokens, list | tuple):
            raise SpanError(_("The tokens of a span must be a list of whole numbers."))
        label = data.get("label")
        attributes = data.get("attributes")
        return cls(
            tokens=tuple(tokens),
            label="" if label is None else label,
            attributes=_NO_ATTRIBUTES if attributes is None else attributes,
            score=data.get("score"),
        )


def check_spans(spans: Iterable[Span], *, length: int, scheme: Scheme, done: bool = False) -> tuple[Span, ...]:
    """The spans in order, if a sentence of `length` tokens may carry them under `scheme`. `done`: they say all that
    they must, that is, have the obligatory attributes.

    This is the only place that decides on bounds, labels, attributes, overlap, discontinuity, and labels without
    tokens.
    Without overlaps, spans of one label may not interleave or nest either ("take [heavy] off" with both
    labelled alike): the published formats could not tell them apart.
    Raises SpanError with a sentence that names the token (counted from 1) and the label.
    """
    ordered = sort_spans(spans)
    owner: dict[int, Span] = {}
    latest: dict[str, Span] = {}
    seen: set[tuple[tuple[int, ...], str]] = set()
    for span in ordered:
        where = placed(span)
        _check_alone(span, where, length, scheme, done=done)
        key = (span.tokens, span.label)
        if key in seen:
            raise SpanError(_("%(where)s appears twice."), where=where)
        seen.add(key)
        if not scheme.overlaps and span.tokens:
            _check_beside(span, where, owner, latest, scheme)
    return ordered


def check_span(span: Span, *, length: int, scheme: Scheme, done: bool = False) -> None:
    """Raise SpanError for a span that could not stand alone in a sentence of `length` tokens."""
    _check_alone(span, placed(span), length, scheme, done=done)


def _check_alone(span: Span, where: Message, length: int, scheme: Scheme, *, done: bool) -> None:
    """Raise SpanError for a span that could not even stand in the sentence alone."""
    if span.last >= length:
        raise SpanError(
            _("%(where)s does not fit: the sentence has no token %(token)d, only %(length)d in all."),
            where=where,
            token=span.last + 1,
            length=length,
        )
    if span.label not in scheme.labels:
        raise SpanError(
            _("%(label)r on %(tokens)s is not a label of this project. Its labels are %(labels)s."),
            label=span.label,
            tokens=named_tokens(span.tokens),
            labels=", ".join(scheme.labels),
        )
    if not scheme.discontinuous and not span.contiguous:
        missing = next(i for i in range(span.first, span.last) if i not in span.tokens)
        raise SpanError(
            _("%(where)s skips token %(token)d, but this project's spans must be contiguous."),
            where=where,
            token=missing + 1,
        )
    if not span.tokens and span.label not in scheme.tokenless:
        raise SpanError(
            _("A span needs at least one token: %(label)s cannot label the sentence alone here."),
            label=span.label,
        )
    _check_attributes(span, scheme, where)
    if done:
        _check_obligatory(span, scheme, where)


def _check_beside(span: Span, where: Message, owner: dict[int, Span], latest: dict[str, Span], scheme: Scheme) -> None:
    """Raise SpanError for a span that shares tokens with one before it, or lies inside one of its label.

    `owner`: by token, the first span that has it; `latest`: by label, the last span before. Both go on with this one.
    """
    for token in span.tokens:
        other = owner.setdefault(token, span)
        if other is not span and not (scheme.several and other.tokens == span.tokens):
            raise SpanError(
                _(
                    "%(where)s overlaps with %(other)s at token %(token)d, but this project's spans cannot "
                    "share tokens."
                ),
                where=where,
                other=placed(other),
                token=token + 1,
            )
    earlier = latest.get(span.label)
    if earlier is not None and span.first < earlier.last:
        raise SpanError(
            _(
                "%(where)s lies inside %(other)s. Spans with the same label cannot interleave, because "
                "the released files could not tell them apart."
            ),
            where=where,
            other=placed(earlier),
        )
    latest[span.label] = span


def sort_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans in reading order: by their tokens, then by label."""
    return tuple(sorted(spans, key=lambda span: (span.tokens, span.label)))


def spans_from_json(data: Iterable[Any]) -> list[Span]:
    """Spans from their stored form, in its order. Raises SpanError."""
    return [Span.from_json(span) for span in data]


def token_labels(spans: Iterable[Span], length: int) -> list[str]:
    """One label per token, "O" where there is none: the pooled view that statistics and kappa count.

    A token in spans of several labels gets them all, in alphabetical order and joined by "+".
    Raises SpanError for a span beyond `length`.
    """
    labels: list[str] = [OUTSIDE] * length
    for span in spans:
        if span.last >= length:
            raise SpanError(
                _("%(where)s does not fit: the sentence has no token %(token)d, only %(length)d in all."),
                where=placed(span),
                token=span.last + 1,
                length=length,
            )
        for token in span.tokens:
            before = labels[token]
            if before == OUTSIDE:
                labels[token] = span.label
            elif span.label not in before.split("+"):
                labels[token] = "+".join(sorted([*before.split("+"), span.label]))
    return labels


def runs(tokens: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    """Ascending token indices cut where one is missing: (1, 2, 5) is ((1, 2), (5,))."""
    groups: list[list[int]] = []
    for token in tokens:
        if groups and token == groups[-1][-1] + 1:
            groups[-1].append(token)
        else:
            groups.append([token])
    return tuple(tuple(group) for group in groups)


def named_tokens(tokens: Iterable[int]) -> Message:
    """Token indices in words, counted from 1: "token 4", "tokens 1–3 and 6"; "the sentence" without any."""
    groups = runs(tokens)
    if not groups:
        return Message(_("the sentence"))
    parts = [f"{group[0] + 1}" if len(group) == 1 else f"{group[0] + 1}–{group[-1] + 1}" for group in groups]
    if len(parts) > 1:
        return Message(_("tokens %(first)s and %(last)s"), {"first": ", ".join(parts[:-1]), "last": parts[-1]})
    if len(groups[0]) > 1:
        return Message(_("tokens %(tokens)s"), {"tokens": parts[0]})
    return Message(_("token %(token)s"), {"token": parts[0]})


def placed(span: Span) -> Message:
    """A span by its label and its place."""
    return Message(_("%(label)s on %(tokens)s"), {"label": span.label, "tokens": named_tokens(span.tokens)})


def _check_attributes(span: Span, scheme: Scheme, where: Message) -> None:
    for name, value in span.attributes.items():
        if (name, value) == (BIO_ATTRIBUTE, ORPHAN):
            continue
        if name not in scheme.span_attributes:
            raise SpanError(
                _("%(where)s has the attribute %(name)r, which this project does not have. Available: %(known)s."),
                where=where,
                name=name,
                known=", ".join(scheme.span_attributes) or Message(_("no attributes")),
            )
        attribute = scheme.attributes[name]
        if attribute.labels and span.label not in attribute.labels:
            raise SpanError(
                _("%(where)s has the attribute %(name)r, which is for %(labels)s only."),
                where=where,
                name=name,
                labels=", ".join(attribute.labels),
            )
        if attribute.values and value not in attribute.values:
            raise SpanError(
                _("%(where)s has %(name)s %(value)r. It must be one of %(values)s."),
                where=where,
                name=name,
                value=value,
                values=", ".join(attribute.values),
            )
        if not value.strip():
            raise SpanError(
                _("%(where)s has %(name)s without a text. Leave the attribute out instead."), where=where, name=name
            )
        if len(value) > MAX_CHARACTERS or not value.isprintable():
            raise SpanError(
                _("The text of %(name)s of %(where)s must have at most %(most)s characters, none of them invisible."),
                name=name,
                where=where,
                most=MAX_CHARACTERS,
            )


def _check_obligatory(span: Span, scheme: Scheme, where: Message) -> None:
    for name, attribute in scheme.attributes_of(span.label).items():
        if attribute.obligatory and name not in span.attributes:
            raise SpanError(
                _("%(where)s has no value for %(name)s, which is required before you finish the answer."),
                where=where,
                name=attribute.name or name,
            )
