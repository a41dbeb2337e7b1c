"""The VU Amsterdam Metaphor Corpus, TEI XML: words with lemma and part of speech, MIPVU labels in <seg>.

The labels become those of the scheme that ships: `met` is INDIRECT, `lit` DIRECT, `impl` IMPLICIT, and a signal (mFlag)
MFLAG; the subtypes WIDLII and PP are the attributes `borderline` and `personification`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from annotator.domain.labels.spans import Span
from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.tokens import is_punctuation
from annotator.formats.common.beginnings import beginning
from annotator.formats.common.counted import counted
from annotator.formats.common.errors import quote
from annotator.formats.common.features import Feature
from annotator.formats.common.lines import open_bytes
from annotator.formats.common.protocol import Guess, Options, SourceFile, file_by_file
from annotator.formats.common.records import Labels, PairRecord, Read, Record, Says, Text
from annotator.formats.xml.events import XML, Characters, End, Start, root_of, xml_events

TEI = "http://www.tei-c.org/ns/1.0"
_VICI = "http://www.tei-c.org/ns/VICI"
_ID = f"{{{XML}}}id"
# The register of each text, by the BNC file that it is from.
_GENRES = {
    "academic": "a6u acj alp amm as6 b17 b1g clp clw crs cty ea7 ecv ew1 fef",
    "conversation": "kb7 kbc kbd kbh kbj kbp kbw kcc kcf kcu kcv",
    "fiction": "ab9 ac2 bmw bpa c8t cb5 ccw cdb faj fet fpb g0l",
    "news": (
        "a1e a1f a1g a1h a1j a1k a1l a1m a1n a1p a1u a1x a2d a31 a36 a38 a39 a3c a3e a3k a3m a3p a4d a5e a7s a7t a7w "
        "a7y a80 a8m a8n a8r a8u a98 a9j aa3 ahb ahc ahd ahe ahf ahl ajf al0 al2 al5"
    ),
}
_GENRE_OF = {text: genre for genre, texts in _GENRES.items() for text in texts.split()}
_LABELS = {"met": "INDIRECT", "lit": "DIRECT", "impl": "IMPLICIT"}
# Of this text the annotators read these sentences alone; without a label, the others are not read, not literal.
_PARTLY = "b1g"
_READ = (range(738, 766), range(1012, 1013), range(1299, 1300), range(1401, 1402), range(1485, 1585))
# Parts of one unit have the id of its first with a number after it.
_MARKS = re.compile(
    rb"""function\s*=\s*["'](?:mrw|mFlag)["']|VU Amsterdam Metaphor Corpus|VUAMC|""" + re.escape(_VICI.encode())
)
_PIECE, _MAX_MARK_LENGTH = 1 << 20, 256
_PART = re.compile(r"(?<=\d|[a-z])s\d+$")
_CLITIC = re.compile(r"['’]\w{1,2}|n['’]t|na|ta|not", re.IGNORECASE)
_OPENING = frozenset("([{‘“«¿¡")
_SPOKEN = frozenset({"pause", "shift", "vocal", "incident", "gap", "event", "kinesic", "desc", "note"})


class Vuamc:
    """The format of the VU Amsterdam Metaphor Corpus. Nothing writes it but its makers."""

    slug = "vuamc"
    writes = False
    keeps = frozenset({Feature.DOCUMENTS, Feature.LABELS, Feature.DISCONTINUOUS, Feature.OVERLAPS, Feature.WORDS})

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """TEI files that have words with labels of MIPVU near their beginnings, or name the corpus."""
        sure = 0.0
        for file in files:
            root = root_of(file)
            if root is None or root.name not in ("TEI", "teiCorpus") or root.space not in (TEI, ""):
                return None
            head = "\n".join(beginning(file, 2000))
            marks = (_VICI, "VU Amsterdam Metaphor Corpus", "VUAMC", 'function="mrw"')
            sure = max(sure, 1.0 if any(mark in head for mark in marks) else 0.3)
        return Guess(self.slug, sure, tuple(files), Options()) if files else None

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record a sentence, in the document of its fragment ("a1e-fragment01")."""
        return file_by_file(files, lambda file: _Reading(file).read())

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """Not there: the corpus is read only."""
        raise NotImplementedError("The VU Amsterdam Metaphor Corpus is only read.")


@dataclass(slots=True)
class _Seg:
    """A <seg> that is open or was: what it says, and the tokens in it."""

    line: int
    function: str
    type: str
    subtype: str
    unit: str
    first: int
    last: int = 0
    characters: int = 0


@dataclass(slots=True)
class _Sentence:
    """What was read of a sentence: words, each with its lemma, tag, and whether white space follows it."""

    line: int
    number: str
    forms: list[str] = field(default_factory=list)
    lemmas: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    spaced: list[bool] = field(default_factory=list)
    segs: list[_Seg] = field(default_factory=list)


class _Reading:
    """One file, read from tag to tag."""

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self.counts: Counter[Sentence] = Counter()
        self.language = "en"
        self.text = ""
        self.sentence: _Sentence | None = None
        # Words outside of sentences, as in headings, are gathered up to the next sentence or paragraph.
        self.loose: _Sentence | None = None
        self.open: list[_Seg] = []
        self.word: Start | None = None
        self.pieces: list[str] = []
        self.quiet = 0
        self.found = 0
        self.headings = 0
        self.path: list[str] = []
        self.of_corpus = _is_annotated(file)

    def read(self) -> Iterator[Read]:
        line = 1
        for event in xml_events(self.file):
            line = event.line
            if isinstance(event, Start):
                done = self.start(event)
            elif isinstance(event, End):
                done = self.end(event)
            else:
                done = None
                self.characters(event)
            if done is not None and done.forms:
                self.found += 1
                yield self.record(done)
        if not self.found:
            raise self.file.error(line, _("sentences <s> with words <w>"), _("none"))
        yield from counted(self.counts, self.file.name, line)

    def start(self, event: Start) -> _Sentence | None:
        done = None
        if not self.path and event.name not in ("TEI", "teiCorpus"):
            raise self.file.error(event.line, _("the element <TEI>"), f"<{event.name}>")
        self.path.append(event.name)
        if event.name in ("TEI", "text"):
            self.language = event.attributes.get(f"{{{XML}}}lang") or self.language
        if event.name in ("s", "p", "head", "div1", "div2", "u", "text"):
            done = self.close_loose()
        if event.name == "text" and _ID in event.attributes:
            self.text = event.attributes[_ID]
            self.headings = 0
        elif event.name == "s":
            self.sentence = _Sentence(event.line, event.attributes.get("n", ""))
        elif event.name in ("w", "c") and self.text_level():
            self.word, self.pieces = event, []
        elif event.name == "seg" and self.text_level():
            self.open_seg(event)
        elif event.name in _SPOKEN:
            self.quiet += 1
        return done

    def text_level(self) -> bool:
        return "teiHeader" not in self.path

    def current(self, line: int) -> _Sentence:
        """The sentence that words go to."""
        if self.sentence is not None:
            return self.sentence
        if self.loose is None:
            self.headings += 1
            self.loose = _Sentence(line, f"head{self.headings}")
        return self.loose

    def close_loose(self) -> _Sentence | None:
        done, self.loose = self.loose, None
        return done

    def open_seg(self, event: Start) -> None:
        attributes = event.attributes
        unit = attributes.get("corresp", "").lstrip("#") or attributes.get(_ID, "")
        seg = _Seg(
            event.line,
            attributes.get("function", ""),
            attributes.get("type", ""),
            attributes.get("subtype", ""),
            _PART.sub("", unit),
            len(self.current(event.line).forms),
        )
        self.open.append(seg)

    def end(self, event: End) -> _Sentence | None:
        self.path.pop()
        if event.name in _SPOKEN:
            self.quiet -= 1
        elif event.name in ("w", "c") and self.word is not None:
            self.close_word(self.word)
            self.word = None
        elif event.name == "seg" and self.open:
            self.close_seg(self.open.pop(), event.line)
        elif event.name == "s":
            done, self.sentence = self.sentence, None
            return done
        elif event.name in ("p", "head", "u", "text", "body"):
            return self.close_loose()
        return None

    def close_seg(self, seg: _Seg, line: int) -> None:
        sentence = self.current(line)
        # A seg inside of a word ends before the word's tokens are there.
        seg.last = -1 if self.word is not None else len(sentence.forms)
        sentence.segs.append(seg)

    def close_word(self, start: Start) -> None:
        sentence = self.current(start.line)
        text = "".join(self.pieces)
        forms = text.split()
        if not forms:
            # Some words of the corpus are empty, and so are labels on them.
            self.counts[message(_("words without characters, which are left out"))] += bool(text or start.name == "w")
            sentence.segs = [seg for seg in sentence.segs if seg.last != -1]
            return
        lemmas = start.attributes.get("lemma", "").split()
        if len(lemmas) != len(forms):
            lemmas = ["_".join(lemmas)] * len(forms)
        first = len(sentence.forms)
        # A line break is the file's, not the text's.
        end = text[len(text.rstrip()) :]
        spaced = bool(end) and "\n" not in end
        for number, form in enumerate(forms):
            sentence.forms.append(form)
            sentence.lemmas.append(lemmas[number])
            sentence.tags.append(start.attributes.get("type", ""))
            sentence.spaced.append(number < len(forms) - 1 or spaced)
        for seg in sentence.segs:
            if seg.last == -1:
                seg.last = first + len(forms)
                if seg.characters and seg.characters < sum(map(len, forms)):
                    self.counts[message(_("labels on part of a word, read as labels on the whole word"))] += 1

    def characters(self, event: Characters) -> None:
        if self.quiet:
            return
        if self.word is not None:
            self.pieces.append(event.text)
            for seg in self.open:
                seg.characters += len("".join(event.text.split()))
        elif self.sentence is not None and event.text.strip():
            self.counts[message(_("texts outside of words, which are left out"))] += 1

    def record(self, sentence: _Sentence) -> Record:
        prefix = self.text.partition("-")[0].lower()
        annotated = prefix != _PARTLY or any(sentence.number == str(n) for numbers in _READ for n in numbers)
        if not self.of_corpus:
            annotated = False
            self.counts[message(_("sentences from a file without MIPVU labels, imported without an answer"))] += 1
        elif not annotated:
            what = message(
                _("sentences from %(partly)s that the corpus authors did not annotate, imported without an answer"),
                partly=_PARTLY,
            )
            self.counts[what] += 1
        spans = self.spans(sentence)
        labels = (Labels(Says.GOLD, "", spans),) if annotated or spans else ()
        text = Text(
            tokens=tuple(sentence.forms),
            spaces=_spaces(sentence),
            lemmas=tuple(sentence.lemmas) if any(sentence.lemmas) else (),
            parts_of_speech=tuple(sentence.tags) if any(sentence.tags) else (),
            labels=labels,
        )
        return Record(
            self.file.name,
            sentence.line,
            {self.file.language or self.language: text},
            id=f"{self.text}.{sentence.number}" if self.text and sentence.number else "",
            role=self.file.role,
            group=self.text,
            genre=_GENRE_OF.get(prefix, ""),
            source="VUAMC" if self.of_corpus else "",
        )

    def spans(self, sentence: _Sentence) -> tuple[Span, ...]:
        """The labels of a sentence; parts that name the same unit are one label."""
        found: dict[object, tuple[str, dict[str, str], set[int]]] = {}
        for number, seg in enumerate(sentence.segs):
            tokens = range(seg.first, max(seg.last, seg.first))
            label = self.label(seg)
            if not label or not tokens:
                if label:
                    self.counts[message(_("labels without words, which are left out"))] += 1
                continue
            key = (seg.unit, label) if seg.unit else number
            _rest, attributes, covered = found.setdefault(key, (label, {}, set()))
            attributes.update(self.attributes(seg))
            covered.update(tokens)
        return tuple(Span(tuple(sorted(tokens)), label, attributes) for label, attributes, tokens in found.values())

    def label(self, seg: _Seg) -> str:
        """The label that a <seg> is in the scheme; "" for what is none, such as words that were broken off."""
        if seg.function == "mFlag":
            return "MFLAG"
        if seg.function == "mrw" and seg.type in _LABELS:
            return _LABELS[seg.type]
        if seg.function == "mrw":
            self.counts[message(_("labels of type %(what)s, which are left out"), what=quote(seg.type, 40))] += 1
            return ""
        if seg.function not in ("trunc", ""):
            self.counts[
                message(_("<seg> with function %(what)s, which are left out"), what=quote(seg.function, 40))
            ] += 1
        return ""

    def attributes(self, seg: _Seg) -> dict[str, str]:
        """What the subtype says."""
        if seg.function != "mrw":
            return {}
        kinds = set(seg.subtype.upper().replace("|", " ").split())
        for kind in kinds - {"WIDLII", "PP"}:
            self.counts[
                message(_("labels of subtype %(what)s, which is not imported"), what=quote(kind.lower(), 40))
            ] += 1
        found = {"borderline": "WIDLII"} if "WIDLII" in kinds else {}
        return found | ({"personification": "PP"} if "PP" in kinds else {})


def _is_annotated(file: SourceFile) -> bool:
    """Whether anything in a file says that its words were looked at for metaphors: a label, or the corpus's name. Other
    TEI says nothing of them."""
    tail = b""
    with open_bytes(file.path, file.name) as stream:
        while piece := stream.read(_PIECE):
            # Of UTF-16, each second byte is none of ASCII.
            text = (tail + piece).replace(b"\0", b"")
            if _MARKS.search(text):
                return True
            tail = piece[-_MAX_MARK_LENGTH:]
    return False


def _spaces(sentence: _Sentence) -> tuple[str, ...]:
    """What stands before each word and after the last one.

    The corpus has spaces inside of words' tags, but loses some where a word has a label, so that their absence only
    tells before punctuation marks and clitics, and after opening marks.
    """
    spaces = [""]
    for number, form in enumerate(sentence.forms[1:]):
        before = sentence.forms[number]
        close = is_punctuation(form) or _CLITIC.fullmatch(form) or before in _OPENING
        spaces.append("" if close and not sentence.spaced[number] else " ")
    return (*spaces, "") if not all(space == " " for space in spaces[1:]) else ()
