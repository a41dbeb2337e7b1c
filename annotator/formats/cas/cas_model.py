"""A UIMA CAS as INCEpTION uses it: one document with typed annotations on its characters; to records, and from them.

Positions in files are UTF-16 units; here they are code points.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from annotator.domain.messages import Sentence, message, message_of
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.tokens import white_space
from annotator.formats.common.counted import counted
from annotator.formats.common.errors import FormatError
from annotator.formats.common.protocol import SourceFile
from annotator.formats.common.records import CharSpan, Read, Record, Text
from annotator.formats.common.voices import Voice
from annotator.formats.text.characters import code_points, places_of, plain
from annotator.formats.text.offsets import WHITE, text_problem
from annotator.formats.webanno import layers
from annotator.formats.webanno.documents import Document

ANNOTATION = "uima.tcas.Annotation"
DOCUMENT = layers.DKPRO + "metadata.type.DocumentMetaData"
STRING = "uima.cas.String"
# What a feature may have as its range without referring to another annotation.
PLAIN = frozenset(
    f"uima.cas.{name}" for name in ("String", "Boolean", "Byte", "Short", "Integer", "Long", "Float", "Double")
)
_LISTS = frozenset({"uima.cas.StringArray", "uima.cas.StringList"})


@dataclass(frozen=True, slots=True)
class Types:
    """A type system: the supertype of each type, and the range of each of its own features."""

    supertypes: Mapping[str, str] = field(default_factory=dict)
    features: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def features_of(self, name: str) -> dict[str, str]:
        """The features of a type, inherited ones included. A type that is its own ancestor has been cut short."""
        found: dict[str, str] = {}
        seen: set[str] = set()
        while name and name not in seen:
            seen.add(name)
            found |= {key: value for key, value in self.features.get(name, {}).items() if key not in found}
            name = self.supertypes.get(name, "")
        return found

    def refers(self, name: str, feature: str) -> bool:
        """Whether a feature holds other annotations. Where the type is not known, only what always does is said to."""
        known = self.features_of(name).get(feature)
        if known is None:
            return feature in ("Governor", "Dependent", "pos", "lemma", "next", "first", "target")
        return known not in PLAIN and known not in _LISTS and self.supertypes.get(known) != STRING


@dataclass(slots=True)
class Mark:
    """An annotation; `links` are the features that hold others."""

    type: str
    line: int
    begin: int
    end: int
    features: dict[str, str]
    links: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Cas:
    """A document, its annotations in the order of the file, and its type system."""

    text: str
    line: int = 1
    types: Types = field(default_factory=Types)
    marks: list[Mark] = field(default_factory=list)
    language: str = ""
    title: str | None = None


def in_points(marks: Sequence[Mark], text: str, name: str) -> None:
    """Turn the positions of annotations from UTF-16 units into code points. Raises FormatError beyond the text."""
    try:
        points = code_points(text, [at for mark in marks for at in (mark.begin, mark.end)])
    except ValueError:
        for mark in marks:
            try:
                code_points(text, (mark.begin, mark.end))
            except ValueError as error:
                raise FormatError(
                    name, mark.line, message(_("annotations inside the text")), message_of(error)
                ) from None
        raise
    for number, mark in enumerate(marks):
        mark.begin, mark.end = points[2 * number], points[2 * number + 1]
        if mark.begin > mark.end:
            raise FormatError(
                name,
                mark.line,
                message(_("annotations whose end comes after their start")),
                message(_("%(end)s before %(begin)s"), end=mark.end, begin=mark.begin),
            )


class Reading:
    """One document on its way to records."""

    def __init__(self, cas: Cas, file: SourceFile, voice: Voice | None, document: str) -> None:
        self.cas = cas
        self.file = file
        self.voice = voice
        self.group = document if cas.title is None else cas.title
        self.counts: Counter[Sentence] = Counter()
        # Without a layer of labels, a document says of no word that it has none.
        self.answers = True

    def read(self) -> Iterator[Read]:
        """The sentences with their tokens and labels; the whole text where there are no sentences."""
        if problem := text_problem(self.cas.text):
            raise self.file.error(self.cas.line, _("a text"), problem)
        if not self.cas.text.strip(WHITE):
            raise self.file.error(self.cas.line, _("a document with text"), _("an empty one"))
        by_type: dict[str, list[Mark]] = {}
        for mark in sorted(self.cas.marks, key=lambda mark: (mark.begin, mark.end)):
            by_type.setdefault(mark.type, []).append(mark)
        sentences = by_type.pop(layers.SENTENCE, [])
        tokens = by_type.pop(layers.TOKEN, [])
        labels = self.labels(by_type)
        if not sentences:
            sentences = [Mark(layers.SENTENCE, self.cas.line, 0, len(self.cas.text), {})]
            if tokens:
                self.counts[message(_("document without sentences, which is read as one sentence"))] += 1
        self.check(sentences, tokens, labels)
        words = (self.words(by_type, layers.LEMMA, "value"), self.words(by_type, layers.POS, "PosValue"))
        at = first = 0
        for sentence in sentences:
            own: list[Mark] = []
            while at < len(tokens) and tokens[at].begin < sentence.end:
                if tokens[at].begin >= sentence.begin and tokens[at].end <= sentence.end:
                    own.append(tokens[at])
                at += 1
            while first < len(labels) and labels[first][0].end <= sentence.begin and not self.whole(labels[first][0]):
                first += 1
            yield self.record(sentence, own, self.spans(labels, first, sentence), words)
        yield from counted(self.counts, self.file.name, self.cas.line)

    @staticmethod
    def whole(mark: Mark) -> bool:
        return mark.type == layers.WHOLE

    def labels(self, by_type: Mapping[str, Sequence[Mark]]) -> list[tuple[Mark, CharSpan]]:
        """The labels of all layers, in order; relations, links and taggers' layers are counted."""
        own = {name for name in self.cas.types.supertypes if self.is_layer(name)}
        layers_used = {name for name in by_type if self.is_layer(name)} | own
        several = len(layers_used - {layers.WHOLE}) > 1
        found: list[tuple[Mark, CharSpan]] = []
        for name, marks in by_type.items():
            if self.is_relation(name, marks):
                self.counts[message(_("relations between labels, which are not imported"))] += len(marks)
            elif not layers.is_labels(name):
                known = name in (layers.LEMMA, layers.POS, DOCUMENT) or layers.short(name) in layers.NOTES
                if not known and not name.startswith("uima."):
                    self.counts[layers.left_out(name)] += len(marks)
            else:
                found += self.layer(name, marks, several=several)
        self.answers = bool(layers_used) or layers.NAMED_ENTITY in by_type
        return sorted(found, key=lambda pair: (pair[0].begin, pair[0].end))

    def is_layer(self, name: str) -> bool:
        """Whether a type of the type system is a layer of labels of the project's own."""
        types = self.cas.types
        features = types.features_of(name)
        return (
            layers.is_labels(name)
            and name != layers.NAMED_ENTITY
            and types.supertypes.get(name, ANNOTATION) == ANNOTATION
            and not {"Governor", "Dependent"} <= features.keys()
            and not {"referenceType", "next"} <= features.keys()
        )

    def is_relation(self, name: str, marks: Sequence[Mark]) -> bool:
        keys = self.cas.types.features_of(name).keys() | marks[0].links.keys()
        return {"Governor", "Dependent"} <= keys or {"referenceType", "next"} <= keys or "next" in marks[0].links

    def layer(self, name: str, marks: Sequence[Mark], *, several: bool) -> Iterator[tuple[Mark, CharSpan]]:
        known = self.cas.types.features_of(name)
        # Without a type system, the names that are used.
        names = [
            key
            for key in known or {key: "" for mark in marks for key in mark.features}
            if not self.cas.types.refers(name, key) and key not in ("begin", "end", "sofa")
        ]
        for mark in marks:
            links = sum(len(value.split()) for value in mark.links.values())
            if links:
                self.counts[message(_("links from one label to others, which are not imported"))] += links
            if mark.begin == mark.end:
                self.counts[message(_("labels without characters, which are not imported"))] += 1
                continue
            label, attributes = layers.label_of(name, mark.features, names, several=several and not self.whole(mark))
            fragments = () if self.whole(mark) else ((mark.begin, mark.end),)
            yield mark, CharSpan(fragments, label, attributes)

    def check(self, sentences: Sequence[Mark], tokens: Sequence[Mark], labels: Sequence[tuple[Mark, CharSpan]]) -> None:
        """Count what the sentences leave out. Raises FormatError for sentences that overlap."""
        at = 0
        outside = ""
        for sentence in sentences:
            if sentence.begin < at:
                raise self.file.error(
                    sentence.line, _("sentences that do not overlap"), _("one that begins inside another")
                )
            outside += self.cas.text[at : sentence.begin]
            at = sentence.end
        outside += self.cas.text[at:]
        if outside.strip():
            self.counts[message(_("characters outside of sentences, which are not imported"))] += len(
                "".join(outside.split())
            )
        begins = [sentence.begin for sentence in sentences]
        ends = [sentence.end for sentence in sentences]
        for mark, _rest in labels:
            covers = bisect_left(begins, mark.end) - bisect_right(ends, mark.begin)
            if covers < 1:
                self.counts[message(_("labels outside of sentences, which are not imported"))] += 1
            elif covers > 1:
                what = message(_("labels that cross a sentence boundary, read as one label per sentence"))
                self.counts[what] += 1

    def words(self, by_type: Mapping[str, Sequence[Mark]], name: str, feature: str) -> dict[tuple[int, int], str]:
        return {
            (mark.begin, mark.end): mark.features[feature]
            for mark in by_type.get(name, ())
            if mark.features.get(feature)
        }

    def spans(self, labels: Sequence[tuple[Mark, CharSpan]], first: int, sentence: Mark) -> list[CharSpan]:
        """The labels of a sentence, on its own characters."""
        found: list[CharSpan] = []
        for mark, span in labels[first:]:
            if mark.begin >= sentence.end:
                break
            begin, end = max(mark.begin, sentence.begin), min(mark.end, sentence.end)
            if begin >= end:
                continue
            fragments = ((begin - sentence.begin, end - sentence.begin),) if span.fragments else ()
            found.append(replace(span, fragments=fragments))
        return layers.joined(found)

    def record(
        self,
        sentence: Mark,
        tokens: Sequence[Mark],
        spans: Sequence[CharSpan],
        words: tuple[Mapping[tuple[int, int], str], Mapping[tuple[int, int], str]],
    ) -> Record:
        string = self.cas.text[sentence.begin : sentence.end]
        forms = tuple(self.cas.text[token.begin : token.end] for token in tokens)
        if self.voice is not None and not self.answers:
            self.counts[message(layers.NO_LAYER)] += 1
        labels = layers.voiced(self.voice if self.answers else None, spans)
        text = Text(text=string, labels=labels)
        try:
            spaces = tuple(white_space(string, forms)) if all(forms) else None
        except ValueError:
            spaces = None
        if forms and spaces is None:
            self.counts[message(_("sentences with words outside of tokens, which are split again"))] += 1
        elif forms and spaces is not None:
            lemmas, parts = (tuple(kind.get((token.begin, token.end), "") for token in tokens) for kind in words)
            text = Text(
                tokens=forms,
                spaces=spaces,
                lemmas=lemmas if any(lemmas) else (),
                parts_of_speech=parts if any(parts) else (),
                labels=labels,
            )
        language = self.file.language or ("" if self.cas.language == "x-unspecified" else self.cas.language)
        return Record(
            self.file.name,
            sentence.line,
            {language: text},
            id=sentence.features.get("id", ""),
            role=self.file.role,
            group=self.group,
        )


def to_cas(document: Document) -> Cas:
    """The CAS of a document's sentences, each in a line of its text. Raises ValueError for what it cannot spell."""
    marks: list[Mark] = []
    strings: list[str] = []
    begin = 0
    labels: list[Mark] = []
    for record, text in document.sentences:
        string = plain(text)
        places = places_of(text)
        strings.append(string)
        marks.append(Mark(layers.SENTENCE, 0, begin, begin + len(string), {"id": record.id} if record.id else {}))
        for number, (left, right) in enumerate(places):
            place = (begin + left, begin + right)
            marks.append(Mark(layers.TOKEN, 0, *place, {}))
            for kind, words, feature in (
                (layers.LEMMA, text.lemmas, "value"),
                (layers.POS, text.parts_of_speech, "PosValue"),
            ):
                if number < len(words) and words[number]:
                    marks.append(Mark(kind, 0, *place, {feature: words[number]}))
        for layer, where, features in layers.layers_of(record, text, "UIMA CAS"):
            left, right = where or (0, len(string))
            labels.append(Mark(layer, 0, begin + left, begin + right, features))
            marks.append(labels[-1])
        begin += len(string) + 1
    whole = "\n".join(strings)
    if not whole.strip(WHITE):
        raise ValueError(f"The document {document.title!r} has no text but white space, which no reader takes.")
    about = {"language": document.language or "x-unspecified", "documentTitle": document.title}
    columns = layers.declared(
        ((mark.type, mark.features) for mark in labels), answered=any(text.labels for _, text in document.sentences)
    )
    declared: dict[str, list[str]] = {
        layers.SENTENCE: ["id"],
        layers.TOKEN: [],
        layers.LEMMA: ["value"],
        layers.POS: ["PosValue"],
        **columns,
        DOCUMENT: ["documentTitle"],
    }
    types = Types(
        {**dict.fromkeys(declared, ANNOTATION), DOCUMENT: "uima.tcas.DocumentAnnotation"},
        {name: dict.fromkeys(own, STRING) for name, own in declared.items()},
    )
    return Cas(whole, types=types, marks=[Mark(DOCUMENT, 0, 0, len(whole), about), *marks])
