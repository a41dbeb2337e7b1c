"""How spans of sources were translated: what a review says of each, whether or not the target has a span for it.

A content of spans holds them as `translations`, a list of `{"language", "tokens", "label", "lost", "attributes"}`: the
language of the source, its span, whether a person said that it was lost, and the values of the attributes that the
scheme asks of source spans (`Attribute.translation`). Only spans that somebody decided on are in it.
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
    """What somebody decided on one span of a source, whose attributes say how it was translated."""

    language: str
    source: Span
    lost: bool = False

    @property
    def key(self) -> tuple[str, tuple[int, ...], str]:
        """Which span of which source it is about."""
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
    """The translations in order, if a content under `scheme` may have them. `done`: they say all that they must.

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
    """Those on which all contents agree that say anything of their source span."""
    said: dict[Any, list[Translation]] = {}
    for content in contents:
        for one in translations_of(content):
            said.setdefault(one.key, []).append(one)
    return [said[key][0].to_json() for key in sorted(said) if all(one == said[key][0] for one in said[key])]


def with_translations(content: Json, translations: Iterable[Json]) -> Json:
    """A content of spans with these translations; without any it has no list of them."""
    found = list(translations)
    return {**content, NAME: found} if found else {name: value for name, value in content.items() if name != NAME}


def _of_sources(scheme: Scheme) -> Scheme:
    """What a span of a source may say: its own sentence holds the rest to the scheme."""
    asked = {name: replace(one, translation=False) for name, one in scheme.attributes.items() if one.translation}
    return Scheme(
        labels=scheme.labels,
        overlaps=True,
        attributes=asked,
        details=dict.fromkeys(scheme.labels, Label(tokenless=True)),
    )
