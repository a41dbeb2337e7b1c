"""BIO tags in and out, discontinuous spans included.

`B-X` begins a span of label X and `I-X` continues the nearest earlier span of label X in the sentence,
also across other tokens: `keep/B her/O away/I` is one span of two tokens.
An `I-X` with no earlier span of X is an orphan: a span that remembers to be written back as it came.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotator.domain.labels.spans import (
    BIO_ATTRIBUTE,
    ORPHAN,
    OUTSIDE,
    Attributes,
    Span,
    placed,
    sort_spans,
)
from annotator.domain.messages import InvalidError, Message, by_number
from annotator.domain.messages import gettext_noop as _

_ORPHAN_ATTRIBUTES = Attributes({BIO_ATTRIBUTE: ORPHAN})


class BioError(InvalidError):
    """Tags that are not BIO, or spans that BIO cannot spell; the text is a sentence for the user."""


@dataclass(frozen=True)
class BioReading:
    """The spans of a tag sequence, in order.

    `orphans` are the indices of tokens whose `I-` has no earlier span of its label; `joined` those
    whose `I-` continues a span across other tokens. Both are worth reporting, neither is an error.
    """

    spans: tuple[Span, ...]
    orphans: tuple[int, ...] = ()
    joined: tuple[int, ...] = ()


def split_tag(tag: str) -> tuple[str, str] | None:
    """("B" or "I", label) of a tag, ("O", "") of "O", and None when it is not a BIO tag.

    The label is everything after the first hyphen, so labels may contain hyphens themselves.
    """
    if tag == OUTSIDE:
        return OUTSIDE, ""
    if len(tag) > 2 and tag[0] in "BI" and tag[1] == "-":
        return tag[0], tag[2:]
    return None


def chunks(tags: Sequence[str]) -> set[tuple[str, int, int]]:
    """The spans of IOB2 tags as seqeval and conlleval count: label, first token, last token.

    A span begins at a B, and at an I that has no token of its label right before it.
    """
    found: set[tuple[str, int, int]] = set()
    label, first = "", 0
    for index, tag in enumerate([*tags, OUTSIDE]):
        prefix, this = split_tag(tag) or (OUTSIDE, "")
        if label and (prefix != "I" or this != label):
            found.add((label, first, index - 1))
            label = ""
        if this and not label:
            label, first = this, index
    return found


def read_bio(tags: Sequence[str]) -> BioReading:
    """The spans that `tags` (one per token) spell. Raises BioError for a tag that is not O, B-… or I-…."""
    tokens: list[list[int]] = []
    labels: list[str] = []
    orphan_spans: set[int] = set()
    orphans: list[int] = []
    joined: list[int] = []
    latest: dict[str, int] = {}
    for index, tag in enumerate(tags):
        if tag == OUTSIDE:
            continue
        parts = split_tag(tag)
        if parts is None:
            raise BioError(
                _("Token %(token)d has the tag %(tag)s. It must be O, or B- or I- and a label."),
                token=index + 1,
                tag=repr(tag),
            )
        prefix, label = parts
        if prefix == "I" and label in latest:
            span = latest[label]
            if tokens[span][-1] != index - 1:
                joined.append(index)
            tokens[span].append(index)
            continue
        if prefix == "I":
            orphans.append(index)
            orphan_spans.add(len(tokens))
        latest[label] = len(tokens)
        tokens.append([index])
        labels.append(label)
    spans = (
        Span(tuple(indices), label, _ORPHAN_ATTRIBUTES) if number in orphan_spans else Span(tuple(indices), label)
        for number, (indices, label) in enumerate(zip(tokens, labels, strict=True))
    )
    return BioReading(tuple(spans), tuple(orphans), tuple(joined))


def write_bio(spans: Iterable[Span], length: int) -> list[str]:
    """The tags, one per token, that `read_bio` reads as these spans (scores and other attributes aside).

    Raises BioError, naming the tokens, for spans that no tags spell: beyond the sentence, without a token, sharing
    one, or lying so between one another that a continuation would go to the wrong one.
    """
    tags = [OUTSIDE] * length
    ordered = sort_spans(spans)
    latest: dict[str, Span] = {}
    owner: dict[int, Span] = {}
    for span in ordered:
        where = placed(span)
        if not span.tokens:
            raise BioError(_("%(where)s does not cover a token, and BIO tags need tokens."), where=where)
        if span.last >= length:
            what = by_number(
                length,
                _("%(where)s does not fit: the sentence has %(length)d token."),
                _("%(where)s does not fit: the sentence has %(length)d tokens."),
            )
            raise BioError(what, where=where, length=length)
        for token in span.tokens:
            other = owner.setdefault(token, span)
            if other is not span:
                raise BioError(
                    _("%(where)s and %(other)s share token %(token)d. BIO tags hold one label per token."),
                    where=where,
                    other=placed(other),
                    token=token + 1,
                )
        orphan = span.attributes.get(BIO_ATTRIBUTE) == ORPHAN
        earlier = latest.get(span.label)
        if earlier is not None and (orphan or span.first < earlier.last):
            if orphan:
                why = Message(_("a span that begins with I- would continue the earlier one."))
            else:
                after = {"token": span.first + 1}
                why = Message(_("after token %(token)d, I- would continue the later span, not the earlier."), after)
            raise BioError(
                _("BIO tags cannot tell %(where)s from %(earlier)s: %(why)s"),
                where=where,
                earlier=placed(earlier),
                why=why,
            )
        if earlier is None or span.last > earlier.last:
            latest[span.label] = span
        for number, token in enumerate(span.tokens):
            tags[token] = f"I-{span.label}" if number or orphan else f"B-{span.label}"
    return tags


def spellable(spans: Iterable[Span], length: int) -> tuple[tuple[Span, ...], tuple[tuple[Span, str], ...]]:
    """The spans that `write_bio` can spell together, and those that it cannot, each with the reason.

    Where spans are in each other's way the longer one stays, of equals the first.
    Raises BioError for a span beyond the sentence, which is a fault, not a limit of the tags.
    """
    ordered = sort_spans(spans)
    try:
        write_bio(ordered, length)
    except BioError:
        pass
    else:
        return ordered, ()
    spelled: list[Span] = []
    left: list[tuple[Span, str]] = []
    for span in sorted(ordered, key=lambda one: (-len(one.tokens), one.tokens, one.label)):
        if span.last >= length:
            write_bio([span], length)
        try:
            write_bio([*spelled, span], length)
        except BioError as error:
            left.append((span, str(error)))
        else:
            spelled.append(span)
    return sort_spans(spelled), tuple(left)
