"""The files of MUNCH: `for_generation.csv` (sentences with the words that people wrote), and `for_judgement.csv` (the
same sentences with two words each that are apt or inapt).

Both mark one word with <b> and </b>. Columns may stand in any order; a file's order, quoting and line ends are
remembered, so that what was read is written back byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.domain.pairs.triples import Aptness
from annotator.domain.text.marked import CLOSE, OPEN, Marked, MarkError, read_marked
from annotator.domain.text.one_word import WordError, one_word
from annotator.formats.common.errors import FormatError, quote, quote_number
from annotator.formats.common.protocol import SourceFile
from annotator.formats.tables.csv_layout import CsvLayout, Refuse, layout_of, read_rows, stop, write_cells

WORDS_COLUMN = "human_ans"
GENERATION = ("i0", "idx", "s0", "novelty", "sid", "genre", WORDS_COLUMN)
JUDGEMENT = ("i0", "s0_idx", "s0", "s1", "s1_label", "s2", "s2_label")
GENERATION_FILE, JUDGEMENT_FILE = "for_generation.csv", "for_judgement.csv"
# What stands around words that are listed in another way than with spaces.
_NO_PART = ',;()[]{}"'
_NUMBER = re.compile(r"-?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?")
_WITH_COMMA = re.compile(r"-?\d*,\d+")


@dataclass(frozen=True, slots=True)
class Generation:
    """A sentence with a marked word, and the words that people wrote for it. `line`: where it stood, from 1.

    `number`, `novelty` and other columns (`more`) are kept as they are written; so is what a file spells otherwise
    than we do, such as two spaces between words.
    """

    id: str
    sentence: Marked
    words: tuple[str, ...]
    genre: str = ""
    novelty: str = ""
    group: str = ""
    number: str = ""
    more: tuple[tuple[str, str], ...] = ()
    line: int = 0

    def cells(self) -> dict[str, str]:
        return {
            "i0": self.number,
            "idx": self.id,
            "s0": str(self.sentence),
            "novelty": self.novelty,
            "sid": self.group,
            "genre": self.genre,
            WORDS_COLUMN: " ".join(self.words),
            **dict(self.more),
        }


@dataclass(frozen=True, slots=True)
class Judged:
    """One of the two sentences of a triple, and whether its word is apt."""

    sentence: Marked
    label: Aptness


@dataclass(frozen=True, slots=True)
class Judgement:
    """A sentence with a marked word, and two with another word in its place. `id`: that of the sentence."""

    id: str
    sentence: Marked
    first: Judged
    second: Judged
    number: str = ""
    more: tuple[tuple[str, str], ...] = ()
    line: int = 0

    def cells(self) -> dict[str, str]:
        return {
            "i0": self.number,
            "s0_idx": self.id,
            "s0": str(self.sentence),
            "s1": str(self.first.sentence),
            "s1_label": self.first.label.value,
            "s2": str(self.second.sentence),
            "s2_label": self.second.label.value,
            **dict(self.more),
        }


def read_generation(file: SourceFile, *, refuse: Refuse = stop) -> list[Generation]:
    """The rows of a `for_generation.csv`.

    `refuse` is given the errors of rows, and warnings. Raises FormatError, naming file and line, where nothing can be
    understood.
    """
    known: dict[str, int] = {}
    name = file.name

    @cache
    def has_commas() -> bool:
        """Whether decimal commas can stand in it, as programs in Spanish write them: no commas are between cells."""
        return generation_layout(file).delimiter != ","

    def row(line: int, cells: Mapping[str, str]) -> Generation:
        identity = _identity(name, line, "idx", cells)
        if identity in known:
            raise FormatError(
                name,
                line,
                message(_("an idx that no other row has")),
                message(_("%(idx)s, which is also in line %(line)d"), idx=quote(identity), line=known[identity]),
            )
        known[identity] = line
        novelty = cells["novelty"]
        if novelty and not _NUMBER.fullmatch(novelty) and not (_WITH_COMMA.fullmatch(novelty) and has_commas()):
            raise FormatError(
                name, line, message(_("a number or an empty cell in column novelty")), quote_number(novelty)
            )
        found = Generation(
            id=identity,
            sentence=_sentence(name, line, "s0", cells),
            words=_words(name, line, cells[WORDS_COLUMN]),
            genre=cells["genre"],
            novelty=novelty,
            group=cells["sid"],
            number=cells["i0"],
            line=line,
        )
        return replace(found, more=_more(cells, found))

    return read_rows(file, GENERATION, row, refuse=refuse)


def read_judgement(file: SourceFile, *, refuse: Refuse = stop) -> list[Judgement]:
    """The rows of a `for_judgement.csv`; errors as of `read_generation`."""
    name = file.name

    def both(line: int, cells: Mapping[str, str]) -> list[Judged]:
        """The two sentences. Both are looked at, so that both are listed."""
        found: list[Judged] = []
        wrong: list[FormatError] = []
        for column in ("s1", "s2"):
            try:
                found.append(_judged(name, line, column, cells))
            except FormatError as error:
                wrong.append(error)
        for one in wrong[:-1]:
            refuse(one)
        if wrong:
            raise wrong[-1]
        return found

    def row(line: int, cells: Mapping[str, str]) -> Judgement:
        identity, sentence = _identity(name, line, "s0_idx", cells), _sentence(name, line, "s0", cells)
        first, second = both(line, cells)
        found = Judgement(
            id=identity,
            sentence=sentence,
            first=first,
            second=second,
            number=cells["i0"],
            line=line,
        )
        return replace(found, more=_more(cells, found))

    return read_rows(file, JUDGEMENT, row, refuse=refuse)


def generation_layout(file: SourceFile) -> CsvLayout:
    """How a `for_generation.csv` is written. Raises FormatError where `read_generation` does."""
    return layout_of(file, GENERATION)


def judgement_layout(file: SourceFile) -> CsvLayout:
    """How a `for_judgement.csv` is written. Raises FormatError where `read_judgement` does."""
    return layout_of(file, JUDGEMENT)


def write_rows(rows: Iterable[Generation | Judgement], layout: CsvLayout) -> bytes:
    """The rows as a file that is written as `layout` says."""
    return write_cells(([row.cells().get(column, "") for column in layout.columns] for row in rows), layout)


def _identity(name: str, line: int, column: str, cells: Mapping[str, str]) -> str:
    found = cells[column].strip()
    if not found:
        raise FormatError(name, line, message(_("an ID in column %(column)s"), column=column), message(_("nothing")))
    return found


def _words(name: str, line: int, cell: str) -> tuple[str, ...]:
    words = tuple(cell.split())
    for word in words:
        try:
            one_word(word)
            got: Sentence = quote(word, 80) if word.strip(_NO_PART) != word else ""
        except WordError as error:
            got = error.message
        if got:
            expected = message(_("in column human_ans, words separated by spaces"))
            raise FormatError(name, line, expected, got)
    return words


def _sentence(name: str, line: int, column: str, cells: Mapping[str, str]) -> Marked:
    try:
        found = read_marked(cells[column])
        if column == "s0":
            found.check_one_word()
        else:
            # Kept as it is written, with a hyphen or a capital.
            one_word(found.word)
        return found
    except (MarkError, WordError) as error:
        expected = message(
            _("in column %(column)s, a sentence with one word in %(open)s and %(close)s"),
            column=column, open=OPEN, close=CLOSE,
        )  # fmt: skip
        raise FormatError(name, line, expected, error.message) from error


def _judged(name: str, line: int, column: str, cells: Mapping[str, str]) -> Judged:
    label = cells[f"{column}_label"]
    if label not in list(Aptness):
        raise FormatError(
            name,
            line,
            message(_("in column %(column)s: %(labels)s"), column=f"{column}_label", labels=" | ".join(Aptness)),
            quote(label),
        )
    return Judged(_sentence(name, line, column, cells), Aptness(label))


def _more(cells: Mapping[str, str], row: Generation | Judgement) -> tuple[tuple[str, str], ...]:
    ours = row.cells()
    return tuple((column, cell) for column, cell in cells.items() if cell != ours.get(column))
