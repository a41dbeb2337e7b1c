"""Layers as INCEpTION and WebAnno have them: types of annotations with features, and whose a file is.

A layer's label is its feature `value` or `label`, or its only one; the other features are attributes. A layer whose
annotations say none of these is a label itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from urllib.parse import quote as percent
from urllib.parse import unquote

from annotator.domain.labels.spans import Span
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.formats.common.errors import FormatError, FormatWarning, quote
from annotator.formats.common.protocol import SourceFile
from annotator.formats.common.records import CharSpan, Labels, Read, Record, Says, Text
from annotator.formats.common.voices import Voice, merged, only_labels
from annotator.formats.json.answer_states import State, state_name, state_of_word
from annotator.formats.text.characters import as_characters, places_of, plain

DKPRO = "de.tudarmstadt.ukp.dkpro.core.api."
TOKEN = DKPRO + "segmentation.type.Token"
SENTENCE = DKPRO + "segmentation.type.Sentence"
LEMMA = DKPRO + "segmentation.type.Lemma"
POS = DKPRO + "lexmorph.type.pos.POS"
NAMED_ENTITY = DKPRO + "ner.type.NamedEntity"

# What INCEpTION notes in a document for itself, by the name without its package: nothing of it is about the text.
NOTES = {"CASMetadata", "FeatureDefinition", "LayerDefinition", "TagDescription", "TagsetDescription"}

# The layers that are written: labels, and those of a whole sentence.
LABELS = "webanno.custom.Label"
WHOLE = "webanno.custom.SentenceLabel"
VALUE = "value"
# These tools have no labels that leave words out: pieces with the same text here, in one sentence, are one label.
PART = "part"
_LAYER = "layer"
# What INCEpTION says of a whole project, and of a document that is curated.
PROJECT = "exportedproject.json"
_CURATED = "CURATION_FINISHED"
# With the names of all documents; in memory.
_LARGEST_PROJECT = 64_000_000
_IDENTIFIER = re.compile(r"[^\W\d_]\w*")
_NO_DOCUMENT = "sentences"


def short(name: str) -> str:
    """A layer's name without its package."""
    return name.rpartition(".")[2]


def is_labels(layer: str) -> bool:
    """Whether a span layer has labels, rather than what taggers and parsers say of tokens."""
    return layer == NAMED_ENTITY or not layer.startswith((DKPRO, "uima.", "org.dkpro.core.api.", "de.tudarmstadt.ukp."))


def label_of(
    layer: str, features: Mapping[str, str], names: Sequence[str], *, several: bool
) -> tuple[str, dict[str, str]]:
    """The label and the attributes of an annotation. `names`: the layer's features; `several`: there are others."""
    main = next((name for name in (VALUE, "label") if name in names), names[0] if len(names) == 1 else "")
    label = features.get(main, "") or short(layer)
    attributes = {name: value for name, value in features.items() if name != main and value}
    if several and layer != LABELS:
        attributes.setdefault(_LAYER, short(layer))
    return label, attributes


def joined(spans: Iterable[CharSpan]) -> list[CharSpan]:
    """The labels of a sentence, those joined that are parts of one."""
    found: dict[object, CharSpan] = {}
    for number, span in enumerate(spans):
        part = span.attributes.get(PART)
        if not part:
            found[number] = span
            continue
        attributes = {name: value for name, value in span.attributes.items() if name != PART}
        key = (part, span.label)
        before = found.get(key)
        fragments = sorted({*span.fragments, *(before.fragments if before else ())})
        found[key] = CharSpan(tuple(fragments), span.label, attributes)
    return list(found.values())


def layers_of(record: Record, text: Text, tool: str) -> list[tuple[str, tuple[int, int] | None, dict[str, str]]]:
    """The annotations of a sentence: layer, begin and end (None for all of it), features.

    Raises ValueError for several sources of labels, and for attributes whose names the tools do not allow.
    """
    labels = only_labels(record, text, tool)
    places = places_of(text)
    found: list[tuple[str, tuple[int, int] | None, dict[str, str]]] = []
    spans = [as_characters(span, places) for span in (labels.spans if labels else ())]
    # In order, so that what is read of it is written alike.
    spans.sort(key=lambda span: (span.fragments, span.label, tuple(span.attributes.items())))
    for number, whole in enumerate(spans, start=1):
        features = {VALUE: whole.label, **whole.attributes}
        layer = LABELS
        if named := features.pop(_LAYER, ""):
            layer = NAMED_ENTITY if named == short(NAMED_ENTITY) else f"webanno.custom.{named}"
        for name in (*features, named or "x"):
            if not _IDENTIFIER.fullmatch(name):
                raise ValueError(f"{tool} has no features called {name!r}; they are made of letters and digits.")
        if not whole.fragments:
            found.append((WHOLE, None, features))
        elif len(whole.fragments) == 1:
            found.append((layer, whole.fragments[0], features))
        else:
            found += [(layer, piece, {**features, PART: str(number)}) for piece in whole.fragments]
    return found


def source_of(file: SourceFile) -> tuple[str, Voice | None]:
    """The document that a file is of, and whose labels it has; None for one without anybody's.

    A project's export has `annotation/<document>/<person>.tsv` and `curation/<document>/CURATION_USER.tsv`.
    """
    parts = PurePosixPath(file.name).parts
    for number, part in enumerate(parts[:-2]):
        if part in ("annotation", "curation"):
            person = unquote(re.sub(r"\.(tsv|xmi|json|zip|xml)$", "", parts[number + 2]))
            document = re.sub(r"\.(txt|tsv|xmi|json|html|xml|pdf)$", "", parts[number + 1])
            if person == "INITIAL_CAS":
                return document, None
            gold = part == "curation" or person == "CURATION_USER"
            return document, Voice(Says.GOLD if gold else Says.PERSON, "" if gold else person)
    name = re.sub(r"\.(tsv|xmi|json|zip)$", "", parts[-1] if parts else file.name)
    if file.language:
        name = name.removesuffix(f".{file.language}")
    return ("" if name == _NO_DOCUMENT else unquote(name)), Voice(Says.GOLD)


def is_project(file: SourceFile) -> bool:
    """Whether a file is what INCEpTION says of a whole project that it exports."""
    return PurePosixPath(file.name).name == PROJECT


@dataclass(frozen=True, slots=True)
class States:
    """In which state each document is, by what the exported projects say of it: of everybody, and of each person."""

    documents: Mapping[tuple[str, str], str] = field(default_factory=dict)
    people: Mapping[tuple[str, str, str], str] = field(default_factory=dict)

    def of(self, file: SourceFile) -> State | None:
        """Why the labels of a file are no answers: it is not finished, or its document was ignored."""
        parts = PurePosixPath(file.name).parts
        for number, part in enumerate(parts[:-2]):
            root, document = "/".join(parts[:number]), parts[number + 1]
            if part == "curation":
                state = self.documents.get((root, document), _CURATED)
                return None if state == _CURATED else State.UNFINISHED
            if part == "annotation":
                person = unquote(re.sub(r"\.(tsv|xmi|json|zip|xml)$", "", parts[number + 2]))
                return state_of_word(self.people.get((root, document, person), ""))
        return None


def states_of(files: Iterable[SourceFile]) -> States:
    """The states of the documents of the projects among the files; of one that cannot be read, nothing is known."""
    documents: dict[tuple[str, str], str] = {}
    people: dict[tuple[str, str, str], str] = {}
    for file in files:
        if not is_project(file) or file.path.stat().st_size > _LARGEST_PROJECT:
            continue
        try:
            project = json.loads(file.path.read_bytes())
        except (OSError, ValueError, RecursionError):
            continue
        root = "/".join(PurePosixPath(file.name).parts[:-1])
        of = project if isinstance(project, dict) else {}
        for one in of.get("source_documents") or ():
            if isinstance(one, dict) and isinstance(one.get("state"), str):
                documents[root, str(one.get("name"))] = one["state"]
        for one in of.get("annotation_documents") or ():
            if isinstance(one, dict) and isinstance(one.get("state"), str):
                people[root, str(one.get("name")), str(one.get("user"))] = one["state"]
    return States(documents, people)


def document_name(group: str, language: str) -> str:
    """The name of a document's file, without its suffix, that `source_of` reads the group from."""
    name = percent(group, safe=" ,;=@()[]{}!'+$&").replace(".", "%2E") if group else _NO_DOCUMENT
    return f"{name}.{language}" if language else name


def documents(files: Sequence[SourceFile]) -> list[tuple[str, list[tuple[SourceFile, Voice | None]]]]:
    """The files by their document, in order."""
    found: dict[str, list[tuple[SourceFile, Voice | None]]] = {}
    for number, file in enumerate(files):
        if is_project(file):
            continue
        document, voice = source_of(file)
        # Two files of one name that nobody's labels are in are two documents.
        named = voice is not None and voice.says is Says.PERSON
        curated = "curation" in PurePosixPath(file.name).parts or "annotation" in PurePosixPath(file.name).parts
        key = document if named or curated else f"{document}\0{number}"
        found.setdefault(key, []).append((file, voice))
    return [(key.partition("\0")[0], group) for key, group in found.items()]


NO_LAYER = _("sentences of a file without a layer of labels, which come without an answer")


def voiced(voice: Voice | None, spans: Iterable[Span | CharSpan]) -> tuple[Labels, ...]:
    """The labels of a sentence in a file of one voice."""
    return (Labels(voice.says, voice.name, tuple(spans)),) if voice else ()


def in_their_states(
    group: Sequence[tuple[SourceFile, Voice | None]], states: States
) -> Iterator[tuple[SourceFile, Voice | None, FormatWarning | None]]:
    """The files of a document and whose labels they have: nobody's where these are no answers, which is then said."""
    for file, voice in group:
        state = states.of(file) if voice is not None else None
        if state is None:
            yield file, voice, None
            continue
        what = message(_("the labels of a document marked as %(state)s, which are left out"), state=state_name(state))
        yield file, None, FormatWarning(file.name, 1, what)


def side_by_side_voices(readings: Sequence[Iterator[Read]]) -> Iterator[Read]:
    """The sentences of one document as several people labelled it: one record each, with everybody's labels.

    Raises FormatError where the files do not have the same sentences.
    """
    if len(readings) == 1:
        yield from readings[0]
        return
    while True:
        records: list[Record] = []
        for reading in readings:
            for read in reading:
                if isinstance(read, Record):
                    records.append(read)
                    break
                yield read
        if not records:
            return
        first = records[0]
        ((language, text),) = first.texts.items()
        for other in records[1:]:
            ((_rest, that),) = other.texts.items()
            if (that.tokens, that.spaces) != (text.tokens, text.spaces):
                raise FormatError(
                    other.file,
                    other.line,
                    message(
                        _("%(plain)s, as at %(file)s:%(line)s"),
                        plain=quote(plain(text), 80),
                        file=first.file,
                        line=first.line,
                    ),
                    quote(plain(that), 80),
                )
        if len(records) < len(readings):
            raise FormatError(
                first.file, first.line, message(_("the same sentences for everybody")), message(_("fewer for some"))
            )
        labels = merged(
            (Voice(one.says, one.name), one.spans)
            for record in records
            for other_text in record.texts.values()
            for one in other_text.labels
        )
        yield replace(first, texts={language: replace(text, labels=labels)})
