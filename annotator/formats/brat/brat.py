"""brat's standoff: a document in `doc.txt`, and what was annotated of it in `doc.ann`.

Places count characters of the whole document. Read are spans, in one piece or several, and their attributes; notes,
relations, events and normalisations are counted. `.a1` and `.a2`, as the BioNLP shared tasks have them, are the same.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from pathlib import Path, PurePosixPath

from annotator.domain.labels.spans import Attributes
from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.brat.places import found_places
from annotator.formats.common.beginnings import beginning, looks_like_prose, placed
from annotator.formats.common.counted import counted
from annotator.formats.common.errors import FormatError, FormatWarning, quote
from annotator.formats.common.features import Feature
from annotator.formats.common.lines import open_lines
from annotator.formats.common.names import document_of
from annotator.formats.common.protocol import Guess, Options, SourceFile, up_to_its_end
from annotator.formats.common.records import CharSpan, Labels, PairRecord, Read, Record, Says, Text
from annotator.formats.text.running import CLOSING, FINAL, goes_on

STANDOFF = (".ann", ".a1", ".a2")
_SPAN = re.compile(r"(T\S+)\t(\S+) (\d{1,18} \d{1,18}(?:;\d{1,18} \d{1,18})*)(?:\t(.*))?")
_ATTRIBUTE = re.compile(r"[AM]\S+\t(\S+) (\S+)(?: (.*))?")
# By how the id of an annotation begins, what is counted of it.
_COUNTED: Mapping[str, str] = {
    "R": _("relations between labels, which are not imported"),
    "*": _("relations between labels, which are not imported"),
    "E": _("events, which are not imported"),
    "N": _("normalisations, which are not imported"),
    "#": _("notes, which are not imported"),
}
_LINE = re.compile(r"(?:[TAMREN]\d\S*|#\d*|\*)\t")
# The value of an attribute that is there or is not.
_SET = "true"
Place = tuple[int, int]
# Where a sentence or paragraph begins and ends in the document, and the number of its first line.
Piece = tuple[int, int, int]


class Brat:
    """Documents with brat's annotations beside them."""

    slug = "brat"
    writes = False
    parallel = False
    keeps = frozenset(
        {
            Feature.TEXT, Feature.DOCUMENTS, Feature.LABELS, Feature.DISCONTINUOUS, Feature.OVERLAPS,
            Feature.ATTRIBUTES,
        }
    )  # fmt: skip

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """Texts, with annotations of the same name beside at least one; what else there is is left out."""
        standoff = [file for file in files if is_standoff(file)]
        texts = [file for file in files if PurePosixPath(file.name).suffix.lower() == ".txt"]
        named = {_stem(file) for file in standoff} & {_stem(file) for file in texts}
        if not named:
            return None
        # A text without annotations is one that nobody has annotated: brat keeps an empty file beside it.
        known, notes = placed(texts, languages)
        by_name = {_stem(file): file.language for file in known}
        beside = [file for file in standoff if _stem(file) in named]
        annotated = [SourceFile(one.name, one.path, one.encoding, by_name[_stem(one)], one.role) for one in beside]
        options = Options(sentences=looks_like_prose(known), tokens="words")
        return Guess(self.slug, 0.98, (*known, *annotated), options, notes)

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record a line, or with `options.sentences` a paragraph, in the group of its document."""
        beside: dict[str, list[SourceFile]] = {}
        texts = []
        for file in files:
            if PurePosixPath(file.name).suffix.lower() in STANDOFF:
                beside.setdefault(_stem(file), []).append(file)
            else:
                texts.append(file)
        names = Counter(map(document_of, texts))
        for file in texts:
            document = document_of(file)
            group = document if names[document] == 1 else _stem(file)
            mine = beside.pop(_stem(file), [])
            yield from up_to_its_end(partial(_document, file, mine, group, options))
        for left in beside.values():
            for one in left:
                expected = message(_("%(name)s beside it, the text that it annotates"), name=f"{_stem(one)}.txt")
                yield FormatError(one.name, 0, expected, message(_("none")))

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """It is only read."""
        raise NotImplementedError("brat's files are only read.")


def is_standoff(file: SourceFile) -> bool:
    """Whether a file has annotations of brat's, by its name and by how most of its lines begin."""
    if PurePosixPath(file.name).suffix.lower() not in STANDOFF:
        return False
    lines = [line for line in beginning(file) if line.strip()]
    return sum(bool(_LINE.match(line)) for line in lines) * 2 >= len(lines)


def _stem(file: SourceFile) -> str:
    return str(PurePosixPath(file.name).with_suffix(""))


@dataclass(frozen=True, slots=True)
class _Span:
    """A label as its line says it; `words`: those that stand beside it, None where none do."""

    file: SourceFile
    line: int
    label: str
    places: tuple[Place, ...]
    words: str | None

    def misplaced(self, document: SourceFile, text: str) -> FormatError:
        """The error of one whose words stand elsewhere."""
        shown = " ".join(text[slice(*place)] for place in self.places).replace("\n", " ")
        places = "; ".join(f"{begin}–{end}" for begin, end in self.places)
        gaps = {"words": quote(self.words or "", 80), "places": places, "name": document.name}
        return self.file.error(self.line, message(_("%(words)s at %(places)s of %(name)s"), **gaps), quote(shown, 80))


@dataclass
class _Annotations:
    """What the annotations of a document say: labels by id, attributes by what they are of, and what is counted."""

    spans: dict[str, _Span] = field(default_factory=dict)
    attributes: dict[str, dict[str, str]] = field(default_factory=dict)
    left_out: Counter[Sentence] = field(default_factory=Counter)


def _document(file: SourceFile, beside: Sequence[SourceFile], group: str, options: Options) -> Iterator[Read]:
    if not file.language:
        raise file.error(0, _("a language for this file"), _("none"))
    found = _Annotations()
    for one in beside:
        yield from _annotations(one, found)
    with open_lines(file) as stream:
        lines = list(stream)
        yield from stream.warnings
    text = "".join(line + "\n" for _number, line in lines)
    spans = []
    given = [(one.places, one.words) for one in found.spans.values()]
    there, note = found_places(file, text, given)
    for (name, span), here in zip(found.spans.items(), there, strict=True):
        if here is None:
            yield span.misplaced(file, text)
            continue
        spans.append(CharSpan(here, span.label, Attributes(found.attributes.pop(name, {}))))
    if note:
        yield FormatWarning(beside[0].name, 1, note)
    if homeless := sum(map(len, found.attributes.values())):
        found.left_out[message(_("attributes of something other than a label, which are not imported"))] += homeless
    pieces = list(_pieces(lines, spans, joins=options.sentences))
    by_piece = _shared_out(spans, pieces, found.left_out)
    for (begin, end, line), mine in zip(pieces, by_piece, strict=True):
        labels = (Labels(Says.GOLD, "", tuple(mine)),) if beside else ()
        string = text[begin:end].replace("\n", " ")
        yield Record(file.name, line, {file.language: Text(string, labels=labels)}, role=file.role, group=group)
    if beside:
        yield from counted(found.left_out, beside[0].name, 1)


def _annotations(file: SourceFile, found: _Annotations) -> Iterator[Read]:
    """Gather what a file of annotations says; a line that is none is an error."""
    with open_lines(file) as lines:
        for number, line in lines:
            if not line.strip():
                continue
            if span := _SPAN.fullmatch(line):
                places = tuple((int(begin), int(end)) for begin, end in (one.split() for one in span[3].split(";")))
                if any(begin > end for begin, end in places):
                    yield file.error(number, _("positions whose end comes after their start"), quote(span[3]))
                elif span[1] in found.spans:
                    yield file.error(number, _("each ID only once"), quote(span[1]))
                else:
                    found.spans[span[1]] = _Span(file, number, span[2], places, span[4])
            elif attribute := _ATTRIBUTE.fullmatch(line):
                found.attributes.setdefault(attribute[2], {})[attribute[1]] = attribute[3] or _SET
            elif _LINE.match(line) and line[0] in _COUNTED:
                found.left_out[message(_COUNTED[line[0]])] += 1
            else:
                expected = message(_("a brat annotation, such as “T1, a tab, METAPHOR 0 4, a tab, Time”"))
                yield file.error(number, expected, quote(line, 80))
        yield from lines.warnings


def _pieces(lines: Sequence[tuple[int, str]], spans: Sequence[CharSpan], *, joins: bool) -> Iterator[Piece]:
    """The lines with text, or where `joins` the paragraphs.

    A line continues in the next one, too, where a label does and no sentence ends.
    """
    covered = sorted((span.fragments[0][0], span.fragments[-1][1]) for span in spans)
    furthest = [0, *accumulate((end for _begin, end in covered), max)]
    begins = [begin for begin, _end in covered]
    begun: Piece | None = None
    before = ""
    at = 0
    for number, line in lines:
        end = at + len(line)
        if begun is not None:
            is_crossed = furthest[bisect_left(begins, at)] > at and not before.rstrip(CLOSING).endswith(FINAL)
            if not (is_crossed or (joins and goes_on(before, line))):
                yield begun
                begun = None
        if line.strip():
            begun = (at, end, number) if begun is None else (begun[0], end, begun[2])
        before, at = line, end + 1
    if begun is not None:
        yield begun


def _shared_out(
    spans: Sequence[CharSpan], pieces: Sequence[Piece], left_out: Counter[Sentence]
) -> list[list[CharSpan]]:
    """The labels of each piece, with places counted from its beginning; one that lies in several is one in each."""
    found: list[list[CharSpan]] = [[] for _piece in pieces]
    ends = [end for _begin, end, _line in pieces]
    for span in spans:
        parts: dict[int, list[Place]] = {}
        for one, other in span.fragments:
            for number in range(bisect_right(ends, one), len(pieces)):
                begin, end, _line = pieces[number]
                if begin >= other:
                    break
                if max(one, begin) < min(other, end):
                    parts.setdefault(number, []).append((max(one, begin) - begin, min(other, end) - begin))
        for number, places in parts.items():
            found[number].append(CharSpan(tuple(sorted(places)), span.label, span.attributes))
        if len(parts) > 1:
            left_out[message(_("labels that cross a sentence boundary, read as one label per sentence"))] += 1
        elif not parts:
            left_out[message(_("labels without characters, which are not imported"))] += 1
    return found
