"""Documents of INCEpTION and WebAnno: whose labels a file has, in which state they are, and what is written as one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import attrgetter
from pathlib import PurePosixPath
from urllib.parse import quote as percent
from urllib.parse import unquote

from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.errors import FormatError, FormatWarning, quote
from annotator.formats.common.protocol import Options, SourceFile
from annotator.formats.common.records import PairRecord, Read, Record, Says, Text
from annotator.formats.common.voices import Voice, merged
from annotator.formats.common.writing import sentences_of
from annotator.formats.json.answer_states import State, state_name, state_of_word
from annotator.formats.text.characters import plain, to_tokens

# What INCEpTION says of a whole project, and of a document that is curated.
PROJECT = "exportedproject.json"
_CURATED = "CURATION_FINISHED"
# With the names of all documents; in memory.
_MAX_PROJECT_BYTES = 64_000_000
_NO_DOCUMENT = "sentences"


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a file lies in a project's export: `annotation/<document>/<person>.tsv`, or the same in `curation`."""

    root: str
    is_curation: bool
    document: str
    person: str


def _place_of(file: SourceFile) -> _Place | None:
    parts = PurePosixPath(file.name).parts
    for number, part in enumerate(parts[:-2]):
        if part in ("annotation", "curation"):
            person = unquote(re.sub(r"\.(tsv|xmi|json|zip|xml)$", "", parts[number + 2]))
            return _Place("/".join(parts[:number]), part == "curation", parts[number + 1], person)
    return None


def _source_of(file: SourceFile) -> tuple[str, Voice | None]:
    """The document that a file is of, and whose labels it has; None for one without anybody's.

    A project's export has `annotation/<document>/<person>.tsv` and `curation/<document>/CURATION_USER.tsv`.
    """
    if place := _place_of(file):
        document = re.sub(r"\.(txt|tsv|xmi|json|html|xml|pdf)$", "", place.document)
        if place.person == "INITIAL_CAS":
            return document, None
        if place.is_curation or place.person == "CURATION_USER":
            return document, Voice(Says.GOLD)
        return document, Voice(Says.PERSON, place.person)
    name = re.sub(r"\.(tsv|xmi|json|zip)$", "", PurePosixPath(file.name).name or file.name)
    if file.language:
        name = name.removesuffix(f".{file.language}")
    return ("" if name == _NO_DOCUMENT else unquote(name)), Voice(Says.GOLD)


def is_project(file: SourceFile) -> bool:
    """Whether a file is what INCEpTION says of a whole project that it exports."""
    return PurePosixPath(file.name).name == PROJECT


@dataclass(frozen=True, slots=True)
class _States:
    """In which state each document is, by what the exported projects say of it: of everybody, and of each person."""

    documents: Mapping[tuple[str, str], str] = field(default_factory=dict)
    people: Mapping[tuple[str, str, str], str] = field(default_factory=dict)

    def of(self, file: SourceFile) -> State | None:
        """Why the labels of a file are not answers: it is not finished, or its document was ignored."""
        place = _place_of(file)
        if place is None:
            return None
        if place.is_curation:
            state = self.documents.get((place.root, place.document), _CURATED)
            return None if state == _CURATED else State.UNFINISHED
        return state_of_word(self.people.get((place.root, place.document, place.person), ""))


def _states_of(files: Iterable[SourceFile]) -> _States:
    """The states of the documents of the projects among the files; of one that cannot be read, nothing is known."""
    documents: dict[tuple[str, str], str] = {}
    people: dict[tuple[str, str, str], str] = {}
    for file in files:
        if not is_project(file) or file.path.stat().st_size > _MAX_PROJECT_BYTES:
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
    return _States(documents, people)


def read_documents(
    files: Sequence[SourceFile],
    projects: Sequence[SourceFile],
    reading: Callable[[SourceFile, str, Voice | None], Iterator[Read]],
) -> Iterator[Read]:
    """A record a sentence; a document that several people labelled is read once, with everybody's labels.

    `reading` reads a file, given its document and whose labels it has. The `projects` among some files say of which
    documents the labels are not answers; these come without, with a warning. Raises FormatError where the files of a
    document do not have the same sentences.
    """
    states = _states_of(projects)
    for document, group in _documents(files):
        readings: list[Iterator[Read]] = []
        for file, voice in group:
            state = states.of(file) if voice is not None else None
            if state is not None:
                what = _("the labels of a document marked as %(state)s, which are left out")
                yield FormatWarning(file.name, 1, message(what, state=state_name(state)))
            readings.append(reading(file, document, None if state is not None else voice))
        yield from _side_by_side(readings)


def _documents(files: Sequence[SourceFile]) -> list[tuple[str, list[tuple[SourceFile, Voice | None]]]]:
    """The files by their document, in order. Outside of a project's export, each file is a document."""
    found: dict[str, list[tuple[SourceFile, Voice | None]]] = {}
    for number, file in enumerate(files):
        if is_project(file):
            continue
        document, voice = _source_of(file)
        key = document if _place_of(file) else f"{document}\0{number}"
        found.setdefault(key, []).append((file, voice))
    return [(key.partition("\0")[0], group) for key, group in found.items()]


def _side_by_side(readings: Sequence[Iterator[Read]]) -> Iterator[Read]:
    """The sentences of one document as several people labelled it: one record each, with everybody's labels."""
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
                first.file, first.line, message(_("the same sentences for everyone")), message(_("fewer for some"))
            )
        labels = merged(
            (Voice(one.says, one.name), one.spans)
            for record in records
            for other_text in record.texts.values()
            for one in other_text.labels
        )
        yield replace(first, texts={language: replace(text, labels=labels)})


def in_one_language(
    files: Sequence[SourceFile], known: Sequence[str], languages: Sequence[str], guess: str = ""
) -> tuple[tuple[SourceFile, ...], list[Sentence]]:
    """The files with their `known` languages, and what was only guessed.

    Files are documents, or one document of several people, and not parallel: those whose language is "" are all in one,
    the `guess`, or else a language that no other file is in.
    """
    notes: list[Sentence] = []
    if not all(known) and not guess and languages:
        guess = next((language for language in languages if language not in known), languages[0])
        if len(languages) > 1:
            name = next(file.name for file, language in zip(files, known, strict=True) if not language)
            what = _("%(name)s is assumed to be in %(language)s, which no other file is in")
            notes.append(message(what, name=name, language=guess))
    placed = (replace(file, language=language or guess) for file, language in zip(files, known, strict=True))
    return tuple(placed), notes


@dataclass(frozen=True, slots=True)
class Document:
    """A document in one language; `file_name` has no suffix."""

    file_name: str
    title: str
    language: str
    sentences: Sequence[tuple[Record, Text]]


def by_document(records: Iterable[Record | PairRecord]) -> Iterator[Document]:
    """The documents, one held in memory. Pairs are left out. Texts without tokens are split at white space.

    Raises ValueError for labels that cut a token, and for a document whose sentences do not stand together.
    """
    seen: set[str] = set()
    for title, group in groupby(sentences_of(records), key=attrgetter("group")):
        held: dict[str, list[tuple[Record, Text]]] = {}
        for record in group:
            for language, given in record.texts.items():
                # These formats have tokens, or nothing could be labelled.
                text = given if given.tokens else to_tokens(given, language=language, options=Options()).text
                held.setdefault(language, []).append((record, text))
        for language, sentences in held.items():
            name = _file_name(title, language)
            if name in seen:
                raise ValueError(f"The sentences of {title!r} do not stand together.")
            seen.add(name)
            yield Document(name, title, language, sentences)


def _file_name(group: str, language: str) -> str:
    """The name of a document's file, without its suffix, that `_source_of` reads the group from."""
    name = percent(group, safe=" ,;=@()[]{}!'+$&").replace(".", "%2E") if group else _NO_DOCUMENT
    return f"{name}.{language}" if language else name
