"""All sentences of a draft's files, a page at a time, and where they and their tokens can be split otherwise.

A page reads the files from their beginning, but splits only what it shows: memory does not grow with the files.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from annotator.formats.common.corrections import Corrections, text_key
from annotator.formats.common.errors import FormatError
from annotator.formats.common.protocol import Options
from annotator.formats.common.records import Record, Text
from annotator.formats.text.characters import corrected, keeps_tokens, plain, split_places
from annotator.formats.text.sentence_splits import Paragraphs, Piece, joined
from annotator.formats.text.token_splits import break_places, with_breaks
from annotator.imports.drafts.choices import corrections_of
from annotator.imports.drafts.sources import groups_of
from annotator.models import ImportDraft

Place = tuple[int, int]
SHOWN = 50
# Tokens of a sentence at which it can be split; of a text without full stops, the first ones.
TOKENS = 400
MAX_CHARACTERS = 4000
# Of a token at whose characters it can be split.
MAX_TOKEN = 60


@dataclass(frozen=True, slots=True)
class TokenShown:
    """A token, and by which place a sentence would begin with it."""

    text: str
    paragraph: str
    place: int


@dataclass(frozen=True, slots=True)
class TokenPlace:
    """A token that we made. `key` and `place` name where it begins, and a split inside it, counted on from there;
    `joins`: it can be joined to the one before, since there is no white space between."""

    text: str
    key: str
    place: int
    joins: bool

    @property
    def halves(self) -> list[tuple[int, str, str]]:
        """How it can be split: each place, with what comes before it and after it."""
        return [(self.place + at, self.text[:at], self.text[at:]) for at in break_places(self.text[:MAX_TOKEN])]


@dataclass(frozen=True, slots=True)
class SentenceShown:
    """A sentence. `cursor` finds it; with `tokens` it can be split, with `join` the next one can be joined to it.

    `token_places`: by language, the tokens that can be split and joined; none of a text that came with its tokens.
    """

    cursor: str
    file: str
    line: int
    texts: dict[str, str]
    tokens: list[TokenShown] = field(default_factory=list)
    join: tuple[str, int] | None = None
    is_corrected: bool = False
    token_places: dict[str, list[TokenPlace]] = field(default_factory=dict)


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
    options: Options

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
    corrections = corrections_of(draft, "splits")
    number, index = _parsed(cursor)
    found: list[SentenceShown] = []
    before: deque[_Found] = deque(maxlen=SHOWN)
    problem = None
    try:
        for one in _records(draft, file, corrections):
            if not found and (one.last < number or one.last_line < line):
                before.append(one)
                continue
            for place, sentence in enumerate(_sentences(one, corrections)):
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
        _previous(before, _parsed(first), corrections),
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


def _records(draft: ImportDraft, file: str, corrections: Corrections) -> Iterator[_Found]:
    """What the files hold, or the one with this id."""
    stored = {one["stored"] for one in draft.files if file in ("", one["id"])}
    number = 1
    for group in groups_of(draft):
        files, options = [one for one in group.files if one.path.name in stored], group.options
        if not files:
            continue
        reads = with_breaks(group.format.read(files, options), options, corrections_of(draft, "token_splits"))
        for read in joined(reads, corrections) if options.sentences else reads:
            if isinstance(read, Record | Paragraphs):
                one = _Found(number, read, options)
                number = one.last + 1
                yield one


def _sentences(one: _Found, corrections: Corrections) -> Iterator[SentenceShown]:
    read, options = one.read, one.options
    if isinstance(read, Record):
        texts = {language: plain(text)[:MAX_CHARACTERS] for language, text in read.texts.items()}
        own = {language: _own_tokens(text, language, options) for language, text in read.texts.items()}
        yield SentenceShown(
            f"{one.number}.0",
            read.file,
            read.line,
            texts,
            is_corrected=any(are for _tokens, are in own.values()),
            token_places={language: tokens for language, (tokens, _are) in own.items() if tokens},
        )
        return
    first = read.parts[0]
    for index, piece in enumerate(read.pieces(corrections)):
        places = split_places(piece.text, read.language, options.tokens)
        right = corrected(places, piece.breaks)
        yield SentenceShown(
            f"{one.number}.{index}",
            first.file,
            first.line,
            {read.language: piece.text[:MAX_CHARACTERS]},
            [TokenShown(piece.text[begin:end], *read.located(piece.begin + begin)) for begin, end in right[:TOKENS]],
            piece.join,
            piece.is_corrected or right != places,
            {read.language: _piece_tokens(read, piece, right[:TOKENS])},
        )


def _own_tokens(text: Text, language: str, options: Options) -> tuple[list[TokenPlace], bool]:
    """The tokens that we make of a text, and whether any of them is corrected."""
    if keeps_tokens(text, options):
        return [], False
    string = plain(text)
    places = split_places(string, language, options.tokens)
    right = corrected(places, text.breaks)
    key = text_key(string)
    return [
        TokenPlace(string[begin:end], key, begin, _touches(right, index))
        for index, (begin, end) in enumerate(right[:TOKENS])
    ], right != places


def _piece_tokens(read: Paragraphs, piece: Piece, places: list[Place]) -> list[TokenPlace]:
    found = []
    keys: dict[str, str] = {}
    for index, (begin, end) in enumerate(places):
        paragraph, place = read.part_at(piece.begin + begin)
        key = keys.get(paragraph) or keys.setdefault(paragraph, text_key(paragraph))
        found.append(TokenPlace(piece.text[begin:end], key, place, _touches(places, index)))
    return found


def _touches(places: list[Place], index: int) -> bool:
    return index > 0 and places[index - 1][1] == places[index][0]


def _previous(before: deque[_Found], first: tuple[int, int], corrections: Corrections) -> str:
    """The cursor of the page that ends where this one begins; "" where this is the first."""
    cursors: list[tuple[int, int]] = []
    for one in {one.number: one for one in before}.values():
        count = len(one.read.pieces(corrections)) if isinstance(one.read, Paragraphs) else 1
        cursors += [(one.number, index) for index in range(count) if (one.number, index) < first]
    if not cursors:
        return ""
    number, index = cursors[-SHOWN:][0]
    return f"{number}.{index}"
