"""The files of MUNCH as an import: sentences with a marked word, the words that people wrote, and what was decided.

Of one dataset both files belong into one import: the second one says which words of the first are the best.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from annotator.domain.formats.base import Guess, Options, SourceFile
from annotator.domain.formats.errors import FormatError, quote
from annotator.domain.formats.features import Feature
from annotator.domain.formats.munch import (
    GENERATION,
    JUDGEMENT,
    Generation,
    Judgement,
    read_generation,
    read_judgement,
)
from annotator.domain.formats.records import PairRecord, Read, Record, Text
from annotator.domain.marked import Marked, marked_at
from annotator.domain.said import gettext_noop as _
from annotator.domain.said import say
from annotator.domain.triples import Option, Pair, words_of
from annotator.kinds.substitution.units import BEST, INAPT, MARKED, WORDS, marked_uid, position_of, words_uid

SLUG = "munch"


@dataclass
class _Sentence:
    """What the files say of one sentence."""

    file: str
    line: int
    language: str
    marked: Marked
    words: list[str] = field(default_factory=list)
    group: str = ""
    genre: str = ""
    pairs: list[Pair] = field(default_factory=list)


class Munch:
    """`for_generation.csv`, `for_judgement.csv`, or both."""

    slug = SLUG
    title = gettext_lazy("MUNCH: a marked word with its paraphrases")
    brings = "units"
    writes = False
    keeps: frozenset[Feature] = frozenset()

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """Files whose header has all columns of one of the two."""
        if not files or not all(_needs(file) for file in files):
            return None
        # The files say no language; where the project has one alone, it is that.
        only = languages[0] if len(languages) == 1 else ""
        found = tuple(replace(file, language=file.language or only) for file in files)
        return Guess(self.slug, 1.0, found, Options())

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        sentences: dict[str, _Sentence] = {}
        # The sentences first, whichever order the files came in.
        for file in sorted(files, key=lambda file: _needs(file) == JUDGEMENT):
            data = file.path.read_bytes()
            if _needs(file) == JUDGEMENT:
                for judgement in read_judgement(file.name, data)[0]:
                    _judge(sentences, file, judgement)
            else:
                for generation in read_generation(file.name, data)[0]:
                    _tell(sentences, file, generation)
        for identity, sentence in sentences.items():
            yield from _records(identity, sentence)

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
        data = file.path.read_bytes()
        try:
            if _needs(file) == JUDGEMENT:
                judgements, layout = read_judgement(file.name, data)
                return {"csv": layout.to_json(), "judgements": [_beside_judgement(row) for row in judgements]}
            generations, layout = read_generation(file.name, data)
        except FormatError:
            # `read` says it where it can be shown with the other problems of the file.
            return {}
        return {"csv": layout.to_json(), "sentences": [_beside_sentence(row) for row in generations]}


def _needs(file: SourceFile) -> Sequence[str]:
    """The columns of the published file that this one is; none where it is neither."""
    with file.path.open("rb") as stream:
        head = stream.readline(4096)
    try:
        columns = head.decode("utf-8-sig").strip().replace('"', "").split(",")
    except UnicodeDecodeError:
        return ()
    return next((needed for needed in (GENERATION, JUDGEMENT) if set(needed) <= set(columns)), ())


def _tell(sentences: dict[str, _Sentence], file: SourceFile, row: Generation) -> None:
    if row.id in sentences:
        before = sentences[row.id]
        raise FormatError(
            file.name,
            row.line,
            say(_("an idx that no other file has")),
            say(_("%(idx)s, which is also in %(file)s"), idx=quote(row.id), file=before.file),
        )
    sentences[row.id] = _Sentence(
        file.name, row.line, file.language, row.sentence, list(row.words), row.group, row.genre
    )


def _judge(sentences: dict[str, _Sentence], file: SourceFile, row: Judgement) -> None:
    known = sentences.setdefault(row.id, _Sentence(file.name, row.line, file.language, row.sentence))
    if known.marked != row.sentence:
        raise FormatError(
            file.name,
            row.line,
            say(
                _("the sentence %(idx)s as in %(file)s, line %(line)d"),
                idx=quote(row.id), file=known.file, line=known.line,
            ),
            quote(str(row.sentence)),
        )  # fmt: skip
    known.pairs.append(
        Pair(
            Option(row.first.sentence.word, row.first.label),
            Option(row.second.sentence.word, row.second.label),
        )
    )


def _records(identity: str, sentence: _Sentence) -> Iterator[Record]:
    tokens, spaces, position = sentence.marked.tokens()
    apt, inapt = words_of(sentence.pairs)
    uid = marked_uid(identity, position)
    rows = [{"word": word, "sense": "", "synset": ""} for word in inapt]
    yield Record(
        sentence.file,
        sentence.line,
        {
            sentence.language: Text(
                tokens=tuple(tokens),
                spaces=tuple(spaces),
                contents={INAPT: {"words": rows, "none": False}} if inapt else {},
            )
        },
        id=uid,
        group=sentence.group,
        genre=sentence.genre,
        kind=MARKED,
    )
    # Whoever decided may have bent a word that people wrote ("pursued": "pursues").
    words = [*sentence.words, *(word for word in apt if word not in sentence.words)]
    if words:
        yield Record(
            sentence.file,
            sentence.line,
            {
                sentence.language: Text(
                    tokens=tuple(words), contents={BEST: {"words": apt, "none": False}} if apt else {}
                )
            },
            id=words_uid(uid),
            group=sentence.group,
            genre=sentence.genre,
            kind=WORDS,
        )


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
