"""Translations of source spans: the decision of a review on each, with or without a target span.

A content of spans holds them as `translations`, a list of `{"language", "tokens", "label", "lost", "attributes"}`: the
language of the source, its span, whether a person marked it as lost, and the values of the attributes that the
scheme asks of source spans (`Attribute.translation`). It contains only decided spans.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotator.domain.labels.schemes import Label, Scheme, SpanError
from annotator.domain.labels.spans import Span, check_span
from annotator.domain.messages import gettext_noop as _

Json = dict[str, Any]
NAME = "translations"
MAX_TRANSLATIONS = 500
_MAX_LANGUAGE = 20
_MAX_TOKEN = 100_000
_SHAPE = _("A translation must be an object with language, tokens, label, lost and attributes.")


@dataclass(frozen=True, slots=True)
class Translation:
    """The decision on one source span; attributes describe its translation."""

    language: str
    source: Span
    lost: bool = False

    @property
    def key(self) -> tuple[str, tuple[int, ...], str]:
        """The source span that it decides on."""
        return self.language, self.source.tokens, self.source.label

    def to_json(self) -> Json:
        span = self.source.to_json()
        return {
            "language": self.language,
            "tokens": span["tokens"],
            "label": span["label"],
            "lost": self.lost,
            "attributes": span["attributes"],
        }

    @classmethod
    def from_json(cls, data: Any) -> Translation:
        """The inverse of `to_json`. Raises SpanError."""
        if not isinstance(data, Mapping) or not isinstance(data.get("language"), str):
            raise SpanError(_SHAPE)
        lost = data.get("lost", False)
        if not 0 < len(data["language"]) <= _MAX_LANGUAGE or not isinstance(lost, bool):
            raise SpanError(_SHAPE)
        span = {name: value for name, value in data.items() if name not in ("language", "lost", "score")}
        return cls(data["language"], Span.from_json(span), lost)


def translations_of(content: Mapping[str, Any]) -> list[Translation]:
    """Those of a stored content."""
    return [Translation.from_json(one) for one in content.get(NAME, ())]


def check_translations(given: Any, scheme: Scheme, *, done: bool) -> list[Json]:
    """The translations in order, if they are valid under `scheme`. `done`: required values are present.

    Raises SpanError.
    """
    if not isinstance(given, list):
        raise SpanError(_SHAPE)
    if len(given) > MAX_TRANSLATIONS:
        raise SpanError(_("An answer can have at most %(most)d translations."), most=MAX_TRANSLATIONS)
    found = {one.key: one for one in map(Translation.from_json, given)}
    if len(found) != len(given):
        raise SpanError(_("Each source span can have only one translation."))
    sources = _of_sources(scheme)
    for one in found.values():
        check_span(one.source, length=_MAX_TOKEN, scheme=sources, done=done)
    return [found[key].to_json() for key in sorted(found)]


def agreed_translations(contents: Sequence[Mapping[str, Any]]) -> list[Json]:
    """Translations on which all contents with a decision on the span agree."""
    said: dict[Any, list[Translation]] = {}
    for content in contents:
        for one in translations_of(content):
            said.setdefault(one.key, []).append(one)
    return [said[key][0].to_json() for key in sorted(said) if all(one == said[key][0] for one in said[key])]


def with_translations(content: Json, translations: Iterable[Json]) -> Json:
    """A content of spans with these translations, or without the key if there are none."""
    found = list(translations)
    return {**content, NAME: found} if found else {name: value for name, value in content.items() if name != NAME}


def _of_sources(scheme: Scheme) -> Scheme:
    """Check the attributes of a source span; other rules apply to its own sentence."""
    asked = {name: replace(one, translation=False) for name, one in scheme.attributes.items() if one.translation}
    return Scheme(
        labels=scheme.labels,
        overlaps=True,
        attributes=asked,
        details=dict.fromkeys(scheme.labels, Label(tokenless=True)),
    )
