"""All sentences of a draft's files, a page at a time, and where running text can be split and joined otherwise.

A page reads the files from their beginning, but splits only what it shows: memory does not grow with the files.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from annotator.actions.draft_choices import format_of, options_of, source_files
from annotator.actions.import_preview import corrections_of
from annotator.domain.formats.base import Options, SourceFile
from annotator.domain.formats.characters import plain, split_places
from annotator.domain.formats.errors import FormatError
from annotator.domain.formats.records import Record
from annotator.domain.formats.sentence_splits import Corrections, Paragraphs, Piece, joined
from annotator.models import ImportDraft

SHOWN = 50
# Tokens of a sentence at which it can be split; of a text without full stops, the first ones.
TOKENS = 400
LONGEST = 4000


@dataclass(frozen=True, slots=True)
class TokenShown:
    """A token, and by which place a sentence would begin with it."""

    text: str
    paragraph: str
    place: int


@dataclass(frozen=True, slots=True)
class SentenceShown:
    """A sentence. `cursor` finds it; with `tokens` it can be split, with `join` the next one can be joined to it."""

    cursor: str
    file: str
    line: int
    texts: dict[str, str]
    tokens: list[TokenShown] = field(default_factory=list)
    join: tuple[str, int] | None = None
    is_corrected: bool = False


@dataclass(frozen=True, slots=True)
class SentencePage:
    """Some sentences; `previous` and `next` are cursors, "" where there are none. `problem`: why it ends early."""

    sentences: list[SentenceShown]
    previous: str
    next: str
    problem: FormatError | None


@dataclass(frozen=True, slots=True)
class _Found:
    """What is read: a record with its number, or running text with that of its first paragraph."""

    number: int
    read: Record | Paragraphs

    @property
    def last(self) -> int:
        return self.number + (len(self.read.parts) - 1 if isinstance(self.read, Paragraphs) else 0)

    @property
    def last_line(self) -> int:
        return self.read.parts[-1].line if isinstance(self.read, Paragraphs) else self.read.line


def sentence_page(draft: ImportDraft, *, cursor: str = "", file: str = "", line: int = 0) -> SentencePage:
    """The sentences from a cursor on, or from a line; of all files, or of the one with this id.

    A cursor that there is not begins where it would be.
    """
    options, corrections = options_of(draft), corrections_of(draft)
    files = [
        source
        for one, source in zip((one for one in draft.files if one["used"]), source_files(draft), strict=True)
        if file in ("", one["id"])
    ]
    number, index = _parsed(cursor)
    found: list[SentenceShown] = []
    before: deque[_Found] = deque(maxlen=SHOWN)
    problem = None
    try:
        for one in _records(draft, files, options, corrections):
            if not found and (one.last < number or one.last_line < line):
                before.append(one)
                continue
            for place, sentence in enumerate(_sentences(one, options, corrections)):
                if (one.number, place) >= (number, index):
                    found.append(sentence)
                elif one.number == number:
                    # The beginning of a long paragraph is on the page before.
                    before.append(one)
                if len(found) > SHOWN:
                    break
            if len(found) > SHOWN:
                break
    except FormatError as error:
        problem = error
    first = found[0].cursor if found else cursor
    return SentencePage(
        _with_next(found)[:SHOWN],
        _previous(before, _parsed(first), options, corrections),
        found[SHOWN].cursor if len(found) > SHOWN else "",
        problem,
    )


def _with_next(found: list[SentenceShown]) -> list[SentenceShown]:
    """The sentences, of which the last one of a file has none that could be joined to it."""
    after = [one.file for one in found[1:]]
    return [
        one if number < len(after) and after[number] == one.file else replace(one, join=None)
        for number, one in enumerate(found)
    ]


def _parsed(cursor: str) -> tuple[int, int]:
    number, _dot, index = cursor.partition(".")
    if not (number.isdecimal() and index.isdecimal() and len(cursor) < 20):
        return 0, 0
    return int(number), int(index)


def _records(
    draft: ImportDraft, files: list[SourceFile], options: Options, corrections: Corrections
) -> Iterator[_Found]:
    reader = format_of(draft)
    if reader is None or not files:
        return
    reads = reader.read(files, options)
    number = 1
    for read in joined(reads, corrections) if options.sentences else reads:
        if isinstance(read, Record | Paragraphs):
            one = _Found(number, read)
            number = one.last + 1
            yield one


def _sentences(one: _Found, options: Options, corrections: Corrections) -> Iterator[SentenceShown]:
    read = one.read
    if isinstance(read, Record):
        texts = {language: plain(text)[:LONGEST] for language, text in read.texts.items()}
        yield SentenceShown(f"{one.number}.0", read.file, read.line, texts)
        return
    first = read.parts[0]
    for index, piece in enumerate(read.pieces(corrections)):
        yield SentenceShown(
            f"{one.number}.{index}",
            first.file,
            first.line,
            {read.language: piece.text[:LONGEST]},
            _tokens(read, piece, options),
            piece.join,
            piece.is_corrected,
        )


def _tokens(read: Paragraphs, piece: Piece, options: Options) -> list[TokenShown]:
    places = split_places(piece.text, read.language, options.tokens)[:TOKENS]
    return [TokenShown(piece.text[begin:end], *read.located(piece.begin + begin)) for begin, end in places]


def _previous(before: deque[_Found], first: tuple[int, int], options: Options, corrections: Corrections) -> str:
    """The cursor of the page that ends where this one begins; "" where this is the first."""
    cursors: list[tuple[int, int]] = []
    for one in {one.number: one for one in before}.values():
        count = len(one.read.pieces(corrections)) if isinstance(one.read, Paragraphs) else 1
        cursors += [(one.number, index) for index in range(count) if (one.number, index) < first]
    if not cursors:
        return ""
    number, index = cursors[-SHOWN:][0]
    return f"{number}.{index}"
