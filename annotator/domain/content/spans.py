"""Labels on tokens, and on the sentence where no token bears them: `{"spans": [span, …]}`.

What a review of projections says of the spans of its sources stands beside them, as `translations`
(`domain.labels.translations`). Two contents are the same when their spans are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotator.domain.agreement.distances import NOMINAL
from annotator.domain.agreement.kappa import observed_agreement
from annotator.domain.content.base import Content, ContentError, Difference, Scheme
from annotator.domain.labels.origins import origins
from annotator.domain.labels.spans import (
    BIO_ATTRIBUTE,
    OUTSIDE,
    Span,
    SpanError,
    check_spans,
    sort_spans,
    spans_from_json,
    token_labels,
)
from annotator.domain.labels.spans import Scheme as LabelScheme
from annotator.domain.labels.translations import NAME as TRANSLATIONS
from annotator.domain.labels.translations import agreed_translations, check_translations, with_translations
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.revision import changed_tokens, moved_tokens

# Agreement counts one observation per token on TOKENS (its label) and ATTRIBUTES (label and attributes), and one per
# unit on SENTENCE: the labels that stand on it without a token, which the others do not see.
TOKENS, SENTENCE, ATTRIBUTES = "tokens", "sentence", "attributes"
# The key of the difference between labels without a token; those on tokens have the number of the first one.
_ON_SENTENCE = "sentence"


class Spans:
    """Spans under a label scheme (`domain.schemes.Scheme`)."""

    slug = "spans"
    dimensions = (TOKENS, SENTENCE, ATTRIBUTES)
    unmarked = OUTSIDE
    distances = (NOMINAL,)

    def empty(self) -> Content:
        return {"spans": []}

    def begin(self, suggested: Content) -> Content:
        return {"spans": [{**span, "score": None} for span in suggested["spans"]]}

    def check(self, content: Any, *, scheme: Scheme, tokens: Sequence[str], done: bool) -> Content:
        is_known = isinstance(content, dict) and content.keys() <= {"spans", TRANSLATIONS}
        if not is_known or not isinstance(content.get("spans"), list):
            raise ContentError(_("Labels must be an object with a list of spans."))
        try:
            rules = LabelScheme.from_json(scheme)
            checked = check_spans(spans_from_json(content["spans"]), length=len(tokens), scheme=rules, done=done)
            said = check_translations(given, rules, done=done) if (given := content.get(TRANSLATIONS)) else []
        except SpanError as error:
            raise ContentError(error.message) from error
        return with_translations({"spans": [{**span.to_json(), "score": None} for span in checked]}, said)

    def key(self, content: Content) -> frozenset[tuple[Any, ...]]:
        return frozenset(map(_key, content["spans"]))

    def is_labelled(self, content: Content) -> bool:
        return bool(content["spans"])

    def values(self, scheme: Scheme, dimension: str) -> tuple[str, ...]:
        # What stands beside the label is free, so the categories are those that occur.
        return () if dimension == ATTRIBUTES else (OUTSIDE, *scheme["labels"])

    def observations(self, content: Content, *, tokens: Sequence[str], dimension: str) -> list[str]:
        spans = spans_from_json(content["spans"])
        if dimension == SENTENCE:
            return ["+".join(sorted({span.label for span in spans if not span.tokens})) or OUTSIDE]
        return token_labels(map(_with_attributes, spans) if dimension == ATTRIBUTES else spans, len(tokens))

    def compared_spans(self, content: Content, *, dimension: str) -> list[Span]:
        """The spans that agreement compares as wholes on a dimension: under labels that say their attributes, too, on
        ATTRIBUTES. None on SENTENCE."""
        spans = [] if dimension == SENTENCE else spans_from_json(content["spans"])
        return [_with_attributes(span) if dimension == ATTRIBUTES else span for span in spans]

    def agreement(self, one: Content, other: Content, *, tokens: Sequence[str]) -> float:
        first, second = ([_with_attributes(span) for span in spans_from_json(each["spans"])] for each in (one, other))
        share = observed_agreement(first, second, len(tokens))
        on_sentence = [{span.label for span in spans if not span.tokens} for spans in (first, second)]
        if not any(on_sentence):
            return share
        # The sentence counts as one token more.
        return (share * len(tokens) + (on_sentence[0] == on_sentence[1])) / (len(tokens) + 1)

    def origins(self, suggested: Content | None, content: Content) -> dict[str, Any]:
        found = origins(spans_from_json((suggested or self.empty())["spans"]), spans_from_json(content["spans"]))
        return {
            "kept": [span.to_json() for span in found.kept],
            "added": [span.to_json() for span in found.added],
            "removed": [span.to_json() for span in found.removed],
        }

    def merge(self, contents: Sequence[Content]) -> Content:
        shared = frozenset.intersection(*map(self.key, contents)) if contents else frozenset()
        first = contents[0]["spans"] if contents else []
        return with_translations(
            {"spans": [span for span in first if _key(span) in shared]}, agreed_translations(contents)
        )

    def differences(self, contents: Sequence[Content], *, tokens: Sequence[str]) -> list[Difference]:
        """Spans that some have and others do not, by the tokens that they share; last, those on the sentence."""
        shared = frozenset.intersection(*map(self.key, contents)) if contents else frozenset()
        apart = [frozenset(key[0]) for content in contents for key in map(_key, content["spans"]) if key not in shared]
        places: list[frozenset[int]] = []
        for tokens_of in filter(None, apart):
            touched = [place for place in places if place & tokens_of]
            places = [place for place in places if not place & tokens_of] + [tokens_of.union(*touched)]
        found = [Difference(str(min(place)), tuple(sorted(place))) for place in sorted(places, key=min)]
        return [*found, Difference(_ON_SENTENCE)] if not all(apart) else found

    def part(self, content: Content, difference: Difference, *, shared: Content) -> Content:
        there, of_all = set(difference.tokens), self.key(shared)
        return {
            "spans": [
                span
                for span in content["spans"]
                if _key(span) not in of_all and (there & set(span["tokens"]) or not (there or span["tokens"]))
            ]
        }

    def joined(self, shared: Content, parts: Sequence[Content]) -> Content:
        return {**shared, "spans": [span for content in (shared, *parts) for span in content["spans"]]}

    def carry(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> Content:
        moved = moved_tokens(before, after)
        spans = [
            Span(tuple(moved[token] for token in span.tokens), span.label, span.attributes)
            for span in spans_from_json(content["spans"])
            if moved.keys() >= set(span.tokens)
        ]
        carried = {"spans": [span.to_json() for span in sort_spans(spans)]}
        # What was said of sources was said of the words that stood here.
        return {**content, **carried} if list(before) == list(after) else carried

    def lost(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> list[str]:
        moved = moved_tokens(before, after)
        return [
            f"{' '.join(before[token] for token in span.tokens)} ({span.label})".strip()
            for span in spans_from_json(content["spans"])
            if not moved.keys() >= set(span.tokens)
        ]

    def stands(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> bool:
        return not changed_tokens(before, after) and not self.lost(content, before=before, after=after)

    def places(self, content: Content) -> frozenset[int]:
        return frozenset(token for span in content["spans"] for token in span["tokens"])


def _attributes(span: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """What a person says of a span; how a file spelt it is not of that."""
    return tuple(sorted((name, value) for name, value in span["attributes"].items() if name != BIO_ATTRIBUTE))


def _key(span: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(span["tokens"]), span["label"], _attributes(span)


def _with_attributes(span: Span) -> Span:
    """The span under a label that says its attributes, too: `INDIRECT[borderline=WIDLII]`."""
    shown = ",".join(f"{name}={value}" for name, value in _attributes(span.to_json()))
    return Span(span.tokens, f"{span.label}[{shown}]") if shown else span


SPANS = Spans()
