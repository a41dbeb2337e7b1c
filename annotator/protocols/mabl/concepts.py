"""What the figurative sentences of each language compare, in one language so that it can be compared.

MABL compares seven languages by the English translations of their sentences. Here a translation is the text of the same
pair in another language of the project.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from annotator.domain.content.verdict import CORRECT, REJECT
from annotator.domain.pairs.figurative_pairs import UNIT_KIND, FigurativePair, as_tokens
from annotator.domain.silver.comparisons import Comparison, Extractor, extractor_of
from annotator.domain.text.languages import base_language
from annotator.domain.text.tokens import tokenise, word_of
from annotator.models import Project, Unit
from annotator.protocols.mabl.decided import pair_of, verdicts
from annotator.protocols.mabl.stored import StoredFiles

COLUMN = "column"


@dataclass(frozen=True, slots=True)
class Compared:
    """A figurative sentence in a language: which half of its pair, what it compares, and where that was found.

    `comparison` is None where nothing was found. `text_of`: the unit that it was found in, the sentence's translation
    or its own. `found`: COLUMN, the name of an extractor, or "" where there was nothing to look in. `in_own_words`: it
    is in the words of the sentence, not in the language that is compared in, so that no other language can have it.
    `translates`: the language for which a translation stands that is tied to no pair.
    """

    unit: Unit
    half: int
    text_of: Unit
    comparison: Comparison | None
    found: str
    in_own_words: bool = False
    translates: str = ""

    @property
    def language(self) -> str:
        """The language whose sentence it is."""
        return self.translates or self.unit.language


def language_compared_in(project: Project) -> str:
    """The first language of the project with an extractor; else its first one, for columns alone."""
    return next((language for language in project.languages if extractor_of(language)), project.source_language)


def compared(project: Project) -> Iterator[Compared]:
    """The figurative sentences of all pairs that are not rejected, in reading order and the order of the languages.

    A pair that stands in several languages is not a sentence of the one that is compared in: there it is a translation.
    One that is tied to no pair is a sentence of the language that its file names; without such a one it is none.
    """
    finds = _Finder(project)
    for texts in _pairs(project, finds.stored):
        if (alone := _alone(texts)) is not None and finds.stored.says_translated(alone):
            translates = finds.stored.translated_from(alone)
            for half in (0, 1):
                if translates and FigurativePair.of_text(alone.text).figurative[half]:
                    yield replace(finds.in_texts(alone, alone, half), translates=translates)
            continue
        languages = [language for language in texts if language != finds.language] or list(texts)
        for half in (0, 1):
            for language in languages:
                unit = texts[language]
                if FigurativePair.of_text(unit.text).figurative[half]:
                    yield finds.in_texts(unit, texts.get(finds.language), half)


def _alone(texts: Mapping[str, Unit]) -> Unit | None:
    """The only text of a pair, if it has no other."""
    return next(iter(texts.values())) if len(texts) == 1 else None


class _Finder:
    """Looks for comparisons: in the columns of a sentence's file, in those of its translation, in the translation."""

    def __init__(self, project: Project) -> None:
        self.language = language_compared_in(project)
        self.stored = StoredFiles(project)
        self._extractor: Extractor | None = extractor_of(self.language)

    def in_texts(self, unit: Unit, translation: Unit | None, half: int) -> Compared:
        own = self._column(unit, half)
        in_own_words = own is not None and self._has_words_of(own, unit, half)
        if own is not None and not in_own_words:
            return Compared(unit, half, unit, own, COLUMN)
        found = self._in_translation(unit, translation, half)
        if own is not None and found.comparison is None:
            return Compared(unit, half, unit, own, COLUMN, in_own_words)
        return found

    def _in_translation(self, unit: Unit, translation: Unit | None, half: int) -> Compared:
        if translation is None:
            return Compared(unit, half, unit, None, "")
        if (parts := self._column(translation, half)) is not None:
            return Compared(unit, half, translation, parts, COLUMN)
        if self._extractor is None:
            return Compared(unit, half, unit, None, "")
        text = FigurativePair.of_text(translation.text).figurative[half]
        parts = self._extractor.comparison(tokenise(text))
        return Compared(unit, half, translation, parts, self._extractor.name)

    def _has_words_of(self, parts: Comparison, unit: Unit, half: int) -> bool:
        """Whether an object is in the words of its sentence, and that in another language than is compared in."""
        if base_language(unit.language) == base_language(self.language):
            return False
        words = set(map(word_of, tokenise(FigurativePair.of_text(unit.text).figurative[half])))
        return words.issuperset(map(word_of, tokenise(parts.object)))

    def _column(self, unit: Unit, half: int) -> Comparison | None:
        file = self.stored.of(unit)
        parts = file[1].parts(unit.origin_line or 0, half) if file is not None else None
        return Comparison(*parts) if parts is not None else None


def _pairs(project: Project, files: StoredFiles) -> Iterator[Mapping[str, Unit]]:
    """The texts of each pair by language, in the project's order, as they were corrected."""
    decided = verdicts(project).filter(content__verdict__in=(REJECT, CORRECT))
    changed = dict(decided.values_list("unit_id", "content"))
    units = Unit.objects.published().filter(project=project, kind=UNIT_KIND, is_current=True)
    rows = (
        units.select_related("segment").defer("lemmas", "content_words").order_by("segment__position", "segment", "pk")
    )
    for _segment, some in groupby(rows.iterator(chunk_size=500), key=lambda unit: unit.segment_id):
        there = {unit.language: unit for unit in some}
        found = {one: _as_decided(there[one], changed.get(there[one].pk)) for one in project.languages if one in there}
        texts = {language: unit for language, unit in found.items() if unit is not None}
        # What is left of a pair whose original was rejected is a translation of nothing.
        if texts and (len(texts) == len(there) or not files.says_translated(next(iter(texts.values())))):
            yield texts


def _as_decided(unit: Unit, verdict: Mapping[str, Any] | None) -> Unit | None:
    """The unit in its corrected words; None where it was rejected."""
    if verdict is None:
        return unit
    if verdict["verdict"] == REJECT:
        return None
    unit.tokens, unit.spaces = map(list, as_tokens(pair_of(unit, verdict).lines))
    return unit
