"""One token per line with its BIO tag: `token<TAB>tag`, and CoNLL-2003 style with other columns."""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from annotator.domain.labels.bio import BioError, BioReading, read_bio, split_tag
from annotator.domain.labels.iob1 import as_begun
from annotator.domain.messages import Message, by_number, message, message_of
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.errors import FormatError, FormatWarning, quote
from annotator.formats.common.lines import LineStream, read_bytes

Columns = Literal["first_two", "first_last"]

_DOCUMENT_START = "-DOCSTART-"
# What stands in columns that have nothing.
_NOTHING = ("", "-", "_", "-X-")
# How a first line calls the column of tags.
_HEADINGS = {"tag", "tags", "label", "labels", "bio", "ner", "ner_tag", "ner_tags", "gold", "etiqueta", "etiquetas"}
# What BIOES and BILOU say beside BIO: that a span has one token, or ends.
_BEYOND_BIO = {"S": "B", "U": "B", "E": "I", "L": "I"}
# A label that stands as a tag by itself, and how many a file may have of them.
_BARE = re.compile(r"[^\W\d_][\w.:/-]*")
_MAX_BARE = 50


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    """A sentence: tokens, one tag each, and the line (from 1) of its first token; 0 when not from a file."""

    tokens: tuple[str, ...]
    tags: tuple[str, ...]
    line: int = 0

    def read(self) -> BioReading:
        """The spans that the tags spell."""
        return read_bio(self.tags)


@dataclass(frozen=True)
class TaggedFile:
    """The sentences of a file in order, and what was odd about it."""

    sentences: tuple[TaggedSentence, ...]
    warnings: tuple[FormatWarning, ...] = ()


def read_tagged(
    path: Path | str, *, labels: Collection[str] | None = None, columns: Columns = "first_two", name: str = ""
) -> TaggedFile:
    """Read a tagged file; see `parse_tagged`. `name` stands for the path in messages."""
    return parse_tagged(read_bytes(Path(path), name or str(path)), name or str(path), labels=labels, columns=columns)


def parse_tagged(
    data: bytes, name: str, *, labels: Collection[str] | None = None, columns: Columns = "first_two"
) -> TaggedFile:
    """Parse a file of one token per line, a blank line after each sentence.

    `labels` are the label names that may occur ("METAPHOR"); None allows any, and then also tags of BIOES and
    BILOU, which are read as BIO. `columns` says where the tag stands: "first_two" is `token<TAB>tag`, further
    columns ignored; "first_last" is CoNLL-2003 style, token first and tag last, separated by tabs or, in a line
    without any, by spaces.

    Raises FormatError for a file that is not UTF-8, a line without a separator, and a tag that is not
    O, B-… or I-… with one of `labels`. Reported as warnings: byte order mark, CR LF, doubled blank
    lines, a missing last line feed or blank line, an empty token, ignored columns, an `I-` after O, a
    document boundary.
    """
    warnings: list[FormatWarning] = []
    sentences: list[TaggedSentence] = []
    lines = LineStream(io.BytesIO(data), name)
    for read in stream_tagged(lines, labels=labels, columns=columns):
        if isinstance(read, FormatError):
            raise read
        if isinstance(read, FormatWarning):
            warnings.append(read)
        else:
            sentences.append(read)
    warnings.sort(key=lambda warning: warning.line)
    return TaggedFile(tuple(sentences), tuple(warnings))


def stream_tagged(
    lines: LineStream,
    *,
    labels: Collection[str] | None = None,
    columns: Columns = "first_two",
    boundaries: bool = False,
    bare: bool = False,
    by_i: bool = False,
) -> Iterator[TaggedSentence | FormatWarning | FormatError]:
    """The sentences one at a time, and what is odd; see `parse_tagged`.

    In place of a sentence with lines that cannot be read comes the error of the first of them. `boundaries`: a document
    boundary is a sentence without tokens, instead of a warning. `bare`: tags are labels without B- and I-, and
    neighbours with the same one are one label. `by_i`: I- begins labels (`iob1`).
    """
    name = lines.name
    reader = _TagReader(name, labels, columns, bare=bare, by_i=by_i)
    tokens: list[str] = []
    tags: list[str] = []
    error: FormatError | None = None
    begun = False
    previous_blank = True
    number = comments = first_comment = 0
    for number, line in lines:
        boundary = columns == "first_last" and line.startswith(_DOCUMENT_START)
        if not line or boundary:
            yield from _ended(tokens, tags, error, number, name)
            if previous_blank and not line:
                where = _("more than one blank line") if begun else _("a blank line before the first sentence")
                yield FormatWarning(name, number, message(where))
            if boundary and boundaries:
                yield TaggedSentence((), (), number)
            elif boundary:
                yield FormatWarning(name, number, message(_("a document boundary, which is not a sentence")))
            begun = begun or bool(tokens) or error is not None
            tokens, tags, error = [], [], None
            previous_blank = not line
            continue
        if labels is None and not tokens and is_comment(line):
            comments += 1
            first_comment = first_comment or number
            continue
        previous_blank = False
        if error is not None:
            continue
        try:
            reader.read(number, line, tokens, tags)
            # The names of the columns are not a token.
            previous_blank = not tokens
        except FormatError as problem:
            error = problem
        if reader.odd:
            yield from reader.odd
            reader.odd.clear()
    yield from _ended(tokens, tags, error, number + 1, name)
    if not previous_blank and (tokens or error is not None):
        yield FormatWarning(name, number, message(_("no blank line after the last sentence")))
    if comments:
        yield FormatWarning(name, first_comment, _left_out(comments))
    yield from lines.warnings


def _left_out(comments: int) -> Message:
    about = by_number(
        comments,
        _("a line that begins with #, which is left out"),
        _("%(number)s lines that begin with #, which are left out"),
    )
    return message(about, number=comments)


class _TagReader:
    """The lines with a token of one file; see `stream_tagged`. `odd`: what is to be said of the last one."""

    def __init__(self, name: str, labels: Collection[str] | None, columns: Columns, *, bare: bool, by_i: bool) -> None:
        self.odd: list[FormatWarning] = []
        self._name, self._columns, self._bare, self._by_i = name, columns, bare, by_i
        self._allowed = None if labels is None else frozenset(labels)
        # Nearly all lines carry a tag seen before, so each distinct tag is checked once.
        self._known: set[str] = set()
        self._previous = ""
        # Whether it was said before, of tags that are not BIO, and of other columns.
        self._beyond = self._wider = False

    def read(self, number: int, line: str, tokens: list[str], tags: list[str]) -> None:
        """Add the token and the tag of a line, which are none where it names the columns. Raises FormatError."""
        token, given = _columns(line, self._name, number, self._columns)
        if number == 1 and self._allowed is None and names_columns(line):
            self._say(1, message(_("the names of the columns, which are left out")))
            return
        tag = given if self._allowed is not None or given in self._known else as_bio(given)
        if self._bare and given and not is_tag(tag):
            tag = f"{'I' if tokens and given == self._previous else 'B'}-{given}"
        if self._by_i:
            tag = as_begun(tag, tags[-1] if tags else "")
        self._previous = given
        if tag != given and not self._beyond:
            self._beyond = True
            self._say(number, self._read_as(given))
        if tag not in self._known:
            _check_tag(token, tag, self._allowed, self._name, number)
            self._known.add(tag)
        if not self._wider and (line.count("\t") > 1 or line.count(" ") > 1) and _has_more(line, self._columns):
            self._wider = True
            first_two = _("more than two columns, of which the first two were read")
            first_last = _("more than two columns, of which the first and the last were read")
            self._say(number, message(first_two if self._columns == "first_two" else first_last))
        if not token:
            self._say(number, message(_("an empty token")))
        tokens.append(token)
        tags.append(tag)

    def _read_as(self, given: str) -> Message:
        """How tags that are not BIO are read."""
        if self._bare:
            return message(
                _("%(tag)s: tags without B- or I-, where neighbours with the same tag are one label"), tag=given
            )
        if self._by_i:
            return message(_("%(tag)s: IOB1 tags, where I- begins a label, read as BIO"), tag=given)
        return message(_("%(tag)s: BIOES or BILOU tags, read as BIO"), tag=given)

    def _say(self, number: int, what: Message) -> None:
        self.odd.append(FormatWarning(self._name, number, what))


def _ended(
    tokens: list[str], tags: list[str], error: FormatError | None, end: int, name: str
) -> Iterator[TaggedSentence | FormatWarning | FormatError]:
    """A sentence that ends before line `end`, or the error in place of it; nothing where there is neither."""
    if error is not None:
        yield error
    elif tokens:
        sentence = TaggedSentence(tuple(tokens), tuple(tags), end - len(tokens))
        yield from _tag_warnings(sentence, name)
        yield sentence


def tag_column(data: bytes) -> Columns:
    """Where a file says its tags: in the second column when that of the first token is a BIO tag, else in the last.

    Without any tab the columns are separated by spaces, which only "first_last" reads.
    """
    if b"\t" not in data:
        return "first_last"
    for line in data.decode("utf-8", errors="replace").split("\n"):
        columns = line.rstrip("\r").split("\t")
        if len(columns) > 2 and not columns[0].endswith(_DOCUMENT_START):
            return "first_last" if not is_tag(columns[1]) and is_tag(columns[-1]) else "first_two"
    return "first_two"


def names_columns(line: str) -> bool:
    """Whether a first line names the columns."""
    return (line.split() or [""])[-1].lower() in _HEADINGS


def is_comment(line: str) -> bool:
    """Whether a line before a sentence says something of it: "# id = 1", and not "#" with its tag."""
    return line.startswith("# ") and "\t" not in line and not is_tag(as_bio(line.rsplit(maxsplit=1)[-1]))


def as_bio(tag: str) -> str:
    """A tag of BIOES or BILOU as BIO says it; others stay."""
    return f"{_BEYOND_BIO[tag[0]]}{tag[1:]}" if len(tag) > 2 and tag[1] == "-" and tag[0] in _BEYOND_BIO else tag


def are_bare_tags(tags: Sequence[str]) -> bool:
    """Whether tags are labels without B- and I-, such as PESSOA beside O: few of them, each many times."""
    labels = {tag for tag in tags if not is_tag(as_bio(tag))}
    return (
        "O" in tags
        and 0 < len(labels) <= min(_MAX_BARE, max(len(tags) // 3, 3))
        and all(_BARE.fullmatch(label) for label in labels)
    )


def is_tag(text: str) -> bool:
    """Whether a text is a BIO tag."""
    return split_tag(text) is not None


def write_tagged(sentences: Iterable[TaggedSentence]) -> str:
    """`token<TAB>tag` a line, LF, a blank line after every sentence, the last included.

    Raises ValueError for tokens and tags of different number, or which would break a line.
    """
    return "".join(tagged_lines(sentences))


def tagged_lines(sentences: Iterable[TaggedSentence]) -> Iterator[str]:
    """`write_tagged`, a sentence at a time."""
    for sentence in sentences:
        parts: list[str] = []
        if len(sentence.tokens) != len(sentence.tags):
            raise ValueError(
                f"A sentence of {len(sentence.tokens)} tokens has {len(sentence.tags)} tags: {quote(str(sentence))}"
            )
        for number, (token, tag) in enumerate(zip(sentence.tokens, sentence.tags, strict=True), start=1):
            if "\t" in token or "\n" in token or "\t" in tag or "\n" in tag:
                raise ValueError(
                    f"Token {number} holds a tab or a line feed, which this format cannot spell: {token!r}"
                )
            parts.append(f"{token}\t{tag}\n")
        yield "".join([*parts, "\n"])


def _columns(line: str, name: str, number: int, columns: Columns) -> tuple[str, str]:
    if columns == "first_two":
        parts = line.split("\t")
        if len(parts) < 2:
            raise FormatError(
                name,
                number,
                message(_("a token, a tab and a tag")),
                message(_("%(line)s without a tab"), line=quote(line)),
            )
        return parts[0], parts[1]
    parts = line.split("\t") if "\t" in line else [part for part in line.split(" ") if part]
    if len(parts) < 2:
        raise FormatError(
            name,
            number,
            message(_("a token and, in the last column, a tag")),
            message(_("%(line)s in one column"), line=quote(line)),
        )
    return parts[0], parts[-1]


def _has_more(line: str, columns: Columns) -> bool:
    """Whether a line has something in columns that are not read."""
    if columns == "first_two":
        return line.count("\t") > 1
    parts = line.split("\t") if "\t" in line else line.split()
    return any(part not in _NOTHING for part in parts[1:-1])


def _check_tag(token: str, tag: str, allowed: frozenset[str] | None, name: str, number: int) -> None:
    parts = split_tag(tag)
    if parts is not None and (parts[0] == "O" or allowed is None or parts[1] in allowed):
        return
    if parts is None and is_tag(token):
        what = message(_("the tag first: %(tag)s, then %(token)s"), tag=quote(token), token=quote(tag))
        raise FormatError(name, number, message(_("a token, and then its tag")), what)
    if allowed is None:
        expected = message(_("the tag O, or B- or I- and a label"))
    else:
        spelt = [f"{prefix}-{label}" for label in sorted(allowed) for prefix in "BI"]
        expected = message(_("one of the tags %(tags)s"), tags=", ".join(["O", *spelt]))
    raise FormatError(name, number, expected, quote(tag))


def _tag_warnings(sentence: TaggedSentence, name: str) -> Iterable[FormatWarning]:
    if all(tag[0] != "I" for tag in sentence.tags):
        return
    try:
        reading = sentence.read()
    except BioError as error:  # pragma: no cover - every tag was checked before
        raise FormatError(name, sentence.line, message(_("BIO tags")), message_of(error)) from error
    for index in reading.joined:
        what = message(
            _("%(tags)s after other tokens, read as part of the nearest earlier span"), tags=sentence.tags[index]
        )
        yield FormatWarning(name, sentence.line + index, what)
    for index in reading.orphans:
        what = message(_("%(tags)s without an earlier B-, kept as it is"), tags=sentence.tags[index])
        yield FormatWarning(name, sentence.line + index, what)
