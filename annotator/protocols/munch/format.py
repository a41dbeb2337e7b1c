"""The files of MUNCH as an import: sentences with a marked word, the words that people wrote, and what was decided.

Of one dataset both files belong into one import: the second one says which words of the first are the best.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Protocol, TypeVar

from django.utils.translation import gettext, gettext_lazy

from annotator.domain.text.marked import marked_at
from annotator.formats.common.errors import FormatError, FormatWarning
from annotator.formats.common.features import Feature
from annotator.formats.common.protocol import NEAR, Guess, Options, SourceFile
from annotator.formats.common.records import PairRecord, Read, Record, Text
from annotator.formats.tables.csv_layout import Refuse, columns_of
from annotator.formats.tables.sheets import are_tables, heading_of, with_one_language
from annotator.kinds.substitution.units import BEST, INAPT, WORDS, position_of
from annotator.protocols.munch.files import (
    GENERATION,
    GENERATION_FILE,
    JUDGEMENT,
    JUDGEMENT_FILE,
    Generation,
    Judgement,
    generation_layout,
    judgement_layout,
    read_generation,
    read_judgement,
)
from annotator.protocols.munch.rows import FileSentences, RaterAnswers

SLUG = "munch"
# So many of the seven columns of a published file tell that one is meant.
MAX_COLUMNS = 5
_Row_co = TypeVar("_Row_co", covariant=True)
_ALL = (*GENERATION, *JUDGEMENT)


class Munch:
    """`for_generation.csv`, `for_judgement.csv`, or both."""

    slug = SLUG
    title = gettext_lazy("MUNCH: a marked word with its paraphrases")
    brings = "units"
    parallel = False
    kinds = ("substitute", "choose-best", "verify-best", "inapt")
    # What every dataset calls them: no name for one.
    own_names = tuple(PurePosixPath(name).stem for name in (GENERATION_FILE, JUDGEMENT_FILE))
    writes = False
    keeps: frozenset[Feature] = frozenset()

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """Files whose header has all columns of one of the two.

        What has the name of one, or most of its columns, is taken for a damaged one: `read` says what is wrong with it.
        """
        if not files or not all(_needs(file) for file in files) or not are_tables(files):
            return None
        sure = 1.0 if all(set(_needs(file)) <= _columns(file) for file in files) else NEAR
        found, notes = with_one_language(files, languages)
        return Guess(self.slug, sure, found, Options(), notes)

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        sentences = FileSentences()
        judged = [file for file in files if _needs(file) == JUDGEMENT]
        # The sentences first, whatever the order of the files.
        listed = [file for file in files if file not in judged]
        for file in listed:
            for generation in _listing(sentences.message, read_generation, file):
                sentences.tell(file, generation)
        sentences.is_whole = bool(listed) and not sentences.message
        for file in judged:
            for judgement in _listing(sentences.message, read_judgement, file):
                sentences.judge(file, judgement)
        yield from sentences.message
        yield from sentences.contradictions()
        yield from sentences.records()

    def parts(self, record: Record, text: Text) -> Sequence[tuple[object, str]]:
        """Of a sentence its highlighted word and the inapt ones; of the words that people wrote those that are best."""
        if record.kind == WORDS:
            best = text.contents.get(BEST, {}).get("words", ())
            return [(gettext("Answers"), ", ".join(text.tokens)), (gettext("Best answer"), ", ".join(best))]
        marked = marked_at(text.tokens, text.spaces, position_of(record.id))
        inapt = [one["word"] for one in text.contents.get(INAPT, {}).get("words", ())]
        return [
            (gettext("Sentence"), marked.text),
            (gettext("Highlighted word"), marked.word),
            (gettext("Inapt words"), ", ".join(inapt)),
        ]

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """Not here: releases write these files (`release.py`)."""
        raise ValueError("Files of MUNCH are written by releases alone.")

    def layout(self, file: SourceFile, options: Options) -> Mapping[str, Any]:
        """How the file is written, and of each row what units and gold do not say, in order."""
        try:
            if _needs(file) == JUDGEMENT:
                judgements = read_judgement(file, refuse=_pass_over)
                layout = judgement_layout(file)
                return {"csv": layout.to_json(), "judgements": [_beside_judgement(row) for row in judgements]}
            generations = read_generation(file, refuse=_pass_over)
            layout = generation_layout(file)
        except FormatError:
            return {}
        return {"csv": layout.to_json(), "sentences": [_beside_sentence(row) for row in generations]}


class _Reader(Protocol[_Row_co]):
    def __call__(self, file: SourceFile, *, refuse: Refuse) -> Sequence[_Row_co]: ...


def _listing(faults: list[RaterAnswers], read: _Reader[_Row_co], file: SourceFile) -> Sequence[_Row_co]:
    """The rows of a file, and in `said` all that is wrong with it."""
    try:
        return read(file, refuse=faults.append)
    except FormatError as error:
        faults.append(error)
        return []


def _pass_over(_said: FormatError | FormatWarning) -> None:
    """`read` says what is wrong where it can be shown with the other problems of the file."""


def _needs(file: SourceFile) -> Sequence[str]:
    """The columns of the published file that this one is, or is meant to be; none where it is neither."""
    columns = _columns(file)
    likest = max((GENERATION, JUDGEMENT), key=lambda needed: len(columns.intersection(needed)))
    if len(columns.intersection(likest)) >= MAX_COLUMNS:
        return likest
    stem = PurePosixPath(file.name).stem.lower()
    published = ((GENERATION_FILE, GENERATION), (JUDGEMENT_FILE, JUDGEMENT))
    return next((needed for name, needed in published if PurePosixPath(name).stem == stem), ())


def _columns(file: SourceFile) -> set[str]:
    """The names in the heading, as the published files have them."""
    return set(columns_of(heading_of(file, _known), _ALL))


def _known(heading: Sequence[str]) -> int:
    return len(set(columns_of(heading, _ALL)).intersection(_ALL))


def _beside_sentence(row: Generation) -> dict[str, Any]:
    """What a row of the first file has beside sentence, group and genre."""
    return {
        "id": row.id, "i0": row.number, "novelty": row.novelty, "words": list(row.words), "more": dict(row.more),
    }  # fmt: skip


def _beside_judgement(row: Judgement) -> dict[str, Any]:
    """A row of the second file by its words; and its sentences, where they differ in more than the word ("an", "a")."""
    found: dict[str, Any] = {"id": row.id, "i0": row.number, "more": dict(row.more)}
    for name, one in (("s1", row.first), ("s2", row.second)):
        found[f"{name}_word"] = one.sentence.word
        if one.sentence != row.sentence.with_word(one.sentence.word):
            found[name] = str(one.sentence)
    return found
