"""CoNLL-U, the format of Universal Dependencies: words in ten columns, comments with ids and text before them.

Read are forms, lemmas, UPOS (the part of speech), `sent_id`, `newdoc`, `text` and SpaceAfter; a multiword token
("del" for "de el") is one token, as it is written, with the lemmas of its words joined by a space and the parts of
speech of its words joined by "+". Empty nodes and the dependencies are left out and counted. Labels are BIO tags in
the last column: `Label=B-METAPHOR`; a bar in a label's name, which would end it there, is spelt as in SpacesAfter.

Of CoNLL-U Plus, whose first line names its columns (as in the .cupt files of PARSEME), the same columns are read.

The package `conllu` is what the tests compare with. It strips lines and counts none, so that it is not what reads.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from annotator.domain.labels.bio import read_bio
from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.tokens import text_of, white_space
from annotator.formats.common.beginnings import beginning, has_suffix, looks_like_text, placed
from annotator.formats.common.errors import FormatError, FormatWarning, quote
from annotator.formats.common.features import Feature
from annotator.formats.common.lines import open_lines
from annotator.formats.common.protocol import Guess, Options, SourceFile
from annotator.formats.common.records import Labels, PairRecord, Read, Record, Says, Text
from annotator.formats.common.side_by_side import Row, Rows, side_by_side
from annotator.formats.common.writing import SideFiles, bio_tags, one_line, sentences_of
from annotator.formats.text.tagged import is_tag

_NAMES = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
_NAMED = re.compile(r"#\s*global\.columns\s*=\s*(\S.*)")
_ID = re.compile(r"([1-9][0-9]{0,8})(?:([-.])([0-9]{1,9}))?|0\.[0-9]{1,9}")
# How a line begins that is a word's, though its columns may be wrong.
_NUMBERED = re.compile(r"[1-9][0-9]*(?:[-.][0-9]+)?(?:\s+\S+){2}|[1-9][0-9]*(?:[-.][0-9]+)?$")
_COMMENT = re.compile(r"#\s*([^\s=]+(?:\s+id)?)\s*=\s?(.*)")
# What is read of MISC.
_READ = ("SpaceAfter", "SpacesAfter", "SpacesBefore", "Label")
# As the format's tools spell white space in SpacesAfter.
_ESCAPES = {"\\s": " ", "\\t": "\t", "\\n": "\n", "\\r": "\r", "\\p": "|", "\\\\": "\\"}
_ESCAPED = re.compile(r"\\[stnrp\\]")
_UNESCAPED = {value: key for key, value in _ESCAPES.items()}
# What a label's name may not have as it is: spaces it may.
_BREAKS_MISC = re.compile(r"[\t\n\r|\\]")


@dataclass
class _Sentence:
    """A sentence that is being read."""

    line: int = 0
    id: str = ""
    text: str | None = None
    tokens: list[str] = field(default_factory=list)
    after: list[str | None] = field(default_factory=list)
    before: str = ""
    lemmas: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    word: int = 0
    # The last word of a multiword token whose words are being read.
    until: int = 0
    error: FormatError | None = None


class ConllU:
    """CoNLL-U, in one language or in parallel files."""

    slug = "conllu"
    writes = True
    keeps = frozenset(
        {
            Feature.TEXT, Feature.TOKENS, Feature.LANGUAGES, Feature.IDS, Feature.ROLES, Feature.DOCUMENTS,
            Feature.UNDECIDED, Feature.LABELS, Feature.DISCONTINUOUS, Feature.WORDS,
        }
    )  # fmt: skip

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """Lines of ten columns after comments."""
        if not looks_like_text(files):
            return None
        for file in files:
            all_lines = beginning(file)
            lines = [line for line in all_lines if line.strip() and not line.startswith("#")]
            columns = _columns(all_lines[0]) if all_lines else _NAMES
            rows = [_without_ends(line.split("\t"), len(columns)) for line in lines]
            strays = sum(len(row) != len(columns) or not row[0][:1].isdigit() for row in rows)
            # By its name it is one that is damaged: better an error with its line than another format.
            named = has_suffix([file], ".conllu", ".conllup", ".cupt")
            like_words = sum(len(row) == len(columns) or bool(_NUMBERED.match(row[0])) for row in rows)
            if not (lines or named) or (strays and not (named and like_words * 2 >= len(lines))):
                return None
        known, notes = placed(files, languages)
        return Guess(self.slug, 0.98, known, Options(), notes)

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record a sentence; see `side_by_side`."""
        return side_by_side(files, _rows)

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """A file for each language. Raises ValueError for what the format cannot spell."""
        group: dict[str, str] = {}
        with SideFiles(folder, ".conllu", None) as files:
            for record in sentences_of(records):
                starts = record.group != group.get(record.role, "")
                group[record.role] = record.group
                files.put(
                    record.role,
                    {language: _spell(record, text, starts) for language, text in record.texts.items()},
                )
        return files.paths


def _rows(file: SourceFile) -> Rows:
    group = ""
    sentence = _Sentence()
    left_out: Counter[Sentence] = Counter()
    columns: tuple[str, ...] = _NAMES
    number = 0
    ended = False
    with open_lines(file) as lines:
        for number, line in lines:
            if number == 1:
                columns = _columns(line)
                for name in (name for name in columns if name not in _NAMES):
                    yield FormatWarning(
                        file.name, 1, message(_("%(key)s is left out, here and below"), key=quote(name, 60))
                    )
            if not line:
                if sentence.line:
                    yield from _finished(sentence, file, group)
                sentence = _Sentence()
            elif line.startswith("#") and not sentence.tokens:
                group = _comment(line, sentence, group)
            elif sentence.error is None:
                sentence.line = sentence.line or number
                if line.endswith("\t") and line.count("\t") >= len(columns) and not ended:
                    ended = True
                    yield FormatWarning(
                        file.name, number, message(_("empty columns at the end of a line, which are left out"))
                    )
                try:
                    _word(_in_order(line.split("\t"), columns, file, number), sentence, file, number, left_out)
                except FormatError as error:
                    sentence.error = error
        yield from lines.warnings
    if sentence.line:
        yield FormatWarning(file.name, number, message(_("no blank line after the last sentence")))
        yield from _finished(sentence, file, group)
    for what, count in left_out.items():
        yield FormatWarning(
            file.name, number, message(_("%(count)s %(what)s in the file, which are left out"), count=count, what=what)
        )


def _columns(line: str) -> tuple[str, ...]:
    """The names of the columns, as a first line gives them; else the usual ten."""
    match = _NAMED.fullmatch(line)
    names = tuple(match[1].split()) if match else _NAMES
    return names if {"ID", "FORM"} <= set(names) else _NAMES


def _in_order(cells: list[str], names: tuple[str, ...], file: SourceFile, number: int) -> list[str]:
    """The usual ten columns of a line. Raises FormatError where it has another number than there are names."""
    cells = _without_ends(cells, len(names))
    if len(cells) != len(names):
        raise FormatError(
            file.name,
            number,
            message(_("%(columns)s columns separated by tabs"), columns=len(names)),
            message(_("%(columns)s in %(names)s"), columns=len(cells), names=quote(chr(9).join(cells))),
        )
    if names is _NAMES:
        return cells
    found = dict(zip(names, cells, strict=True))
    return [found.get(name, "_") for name in _NAMES]


def _without_ends(cells: list[str], width: int) -> list[str]:
    """The cells of a line without the empty ones that tabs at its end make."""
    found = list(cells)
    while len(found) > width and not found[-1].strip():
        found.pop()
    return found


def _comment(line: str, sentence: _Sentence, group: str) -> str:
    """Take what a comment says of the sentence; the document that holds from here on."""
    if re.fullmatch(r"#\s*newdoc\s*", line):
        return ""
    match = _COMMENT.fullmatch(line)
    if match is None:
        return group
    if match[1] == "sent_id":
        sentence.id = match[2].strip()
    elif match[1] == "text":
        sentence.text = match[2]
    elif match[1].split() == ["newdoc", "id"]:
        return match[2].strip()
    return group


def _word(columns: list[str], sentence: _Sentence, file: SourceFile, number: int, left_out: Counter[Sentence]) -> None:
    match = _ID.fullmatch(columns[0])
    if match is None:
        raise file.error(number, _("a word's number, such as 3, 3-4 or 3.1"), quote(columns[0]))
    if match[1] is None or match[2] == ".":
        left_out[message(_("empty nodes"))] += 1
        return
    if match[2] is None:
        if int(match[1]) != sentence.word + 1:
            raise file.error(number, _("the word %(word)s"), quote(columns[0]), word=sentence.word + 1)
        sentence.word += 1
    form, lemma, part, misc = columns[1], columns[2], columns[3], columns[9]
    lemma, part = ("" if lemma == "_" else lemma), ("" if part == "_" else part)
    _count(columns, left_out)
    if match[2] is None and sentence.word <= sentence.until:
        _join(sentence, lemma, part)
        return
    if match[2] == "-":
        sentence.until = int(match[3])
        lemma = part = ""
    if not form:
        raise file.error(number, _("a form in the second column"), _("none"))
    sentence.tokens.append(form)
    sentence.lemmas.append(lemma)
    sentence.parts.append(part)
    after: str | None = None
    tag = "O"
    for item in misc.split("|"):
        key, _rest, value = item.partition("=")
        if key == "SpaceAfter" and value == "No":
            after = ""
        elif key == "SpacesAfter":
            after = _spelt_out(value)
        elif key == "SpacesBefore" and len(sentence.tokens) == 1:
            sentence.before = _spelt_out(value)
        elif key == "Label":
            value = _spelt_out(value)
            if not is_tag(value):
                raise file.error(number, _("Label=O, or B- or I- and a label"), quote(item))
            tag = value
            sentence.tags += ["O"] * (len(sentence.tokens) - 1 - len(sentence.tags))
    sentence.after.append(after)
    if sentence.tags or tag != "O" or "Label=O" in misc.split("|"):
        sentence.tags.append(tag)


def _count(columns: Sequence[str], left_out: Counter[Sentence]) -> None:
    """Count what a word has that is not read: morphology, dependencies, values of its last column by their names."""
    for index, what in ((4, message(_("parts of speech in XPOS"))), (5, message(_("features in FEATS")))):
        if columns[index] not in ("_", "", columns[3]):
            left_out[what] += columns[index].count("|") + 1
    if columns[6] not in ("_", ""):
        left_out[message(_("dependencies"))] += 1
    for item in columns[9].split("|"):
        name = item.partition("=")[0]
        if name not in ("_", "", *_READ):
            left_out[message(_("values of %(key)s in MISC"), key=quote(name, 60))] += 1


def _join(sentence: _Sentence, lemma: str, part: str) -> None:
    """Add a word to its multiword token."""
    sentence.lemmas[-1] = " ".join(filter(None, (sentence.lemmas[-1], lemma)))
    sentence.parts[-1] = "+".join(filter(None, (sentence.parts[-1], part)))


def _finished(sentence: _Sentence, file: SourceFile, group: str) -> Rows:
    if sentence.error is not None:
        yield sentence.error
        return
    if not sentence.tokens:
        yield file.error(sentence.line, _("a word"), _("a sentence without any"))
        return
    tokens = tuple(sentence.tokens)
    if set(tokens) == {"_"} and sentence.text not in (None, " ".join(tokens)):
        got = message(_("only “_”, although “# text” is %(text)s"), text=quote(sentence.text or "", 80))
        yield file.error(sentence.line, _("words in the second column"), got)
        return
    spaces = [sentence.before, *(" " if after is None else after for after in sentence.after)]
    if sentence.after[-1] is None:
        spaces[-1] = ""
    if sentence.text is not None:
        try:
            by_text = white_space(sentence.text, tokens) or _single(tokens)
            if by_text[1:-1] != spaces[1:-1]:
                what = message(_("the white space is taken from “# text”, which does not match SpaceAfter"))
                yield FormatWarning(file.name, sentence.line, what)
            spaces = by_text
        except ValueError:
            what = message(
                _("“# text” does not match the forms, so the forms are used: %(text_of)s"),
                text_of=quote(text_of(tokens, spaces), 80),
            )
            yield FormatWarning(file.name, sentence.line, what)
    given = tuple(spaces) if spaces != _single(tokens) else ()
    labels: tuple[Labels, ...] = ()
    if sentence.tags:
        tags = [*sentence.tags, *["O"] * (len(tokens) - len(sentence.tags))]
        labels = (Labels(Says.GOLD, "", read_bio(tags).spans),)
    yield Row(
        sentence.line,
        Text(
            tokens=tokens,
            spaces=given,
            lemmas=tuple(sentence.lemmas) if any(sentence.lemmas) else (),
            parts_of_speech=tuple(sentence.parts) if any(sentence.parts) else (),
            labels=labels,
        ),
        id=sentence.id,
        group=group,
    )


def _single(tokens: Sequence[str]) -> list[str]:
    """The white space of tokens that single spaces join."""
    return ["", *[" "] * (len(tokens) - 1), ""]


def _spell(record: Record, text: Text, starts: bool) -> str:
    if not text.tokens:
        raise ValueError("A sentence has no tokens, which this format cannot spell.")
    lines = []
    if starts:
        lines.append(f"# newdoc id = {one_line(record.group, 'A name of a document')}" if record.group else "# newdoc")
    if record.id:
        if record.id != record.id.strip():
            raise ValueError(f"The id {record.id!r} begins or ends in white space, which this format cannot spell.")
        lines.append(f"# sent_id = {one_line(record.id, 'An id')}")
    string = text_of(text.tokens, text.spaces)
    if not any(mark in string for mark in "\n\t\r"):
        lines.append(f"# text = {string}")
    tags = bio_tags(text) if text.labels else []
    spaces = text.spaces or _single(text.tokens)
    for index, token in enumerate(text.tokens):
        if not token:
            raise ValueError("A token is empty, which this format cannot spell.")
        misc = []
        last = index == len(text.tokens) - 1
        after = spaces[index + 1]
        if not after and not last:
            misc.append("SpaceAfter=No")
        elif after != (" " if not last else ""):
            misc.append(f"SpacesAfter={_escape(after)}")
        if index == 0 and spaces[0]:
            misc.append(f"SpacesBefore={_escape(spaces[0])}")
        if tags:
            misc.append(f"Label={_BREAKS_MISC.sub(lambda found: _UNESCAPED[found[0]], tags[index])}")
        lines.append(
            "\t".join(
                (
                    str(index + 1),
                    one_line(token, "A token"),
                    _cell(text.lemmas, index),
                    _cell(text.parts_of_speech, index),
                    *["_"] * 5,
                    "|".join(misc) or "_",
                )
            )
        )
    return "\n".join([*lines, "", ""])


def _cell(values: Sequence[str], index: int) -> str:
    """The lemma or part of speech of a token, "_" for none."""
    value = values[index] if values else ""
    if value == "_":
        raise ValueError("A lemma or part of speech is “_”, which means none in this format.")
    return one_line(value, "A lemma or part of speech") or "_"


def _spelt_out(value: str) -> str:
    return _ESCAPED.sub(lambda escaped: _ESCAPES[escaped[0]], value)


def _escape(spaces: str) -> str:
    return "".join(_UNESCAPED.get(character, character) for character in spaces)
