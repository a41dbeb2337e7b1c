"""JSON Lines: an object per line. Ours keep everything; those of others are read in the shapes that are usual.

Ours: `{"id", "role", "group", "genre", "source", "texts": {"ca": {"tokens", "spaces", "lemmas", "parts_of_speech",
"labels", "values"}}}`, each key where there is something to say, labels as in `interchange`; and for a pair
`{"pair", "premise", "hypothesis", "inference", "tags": {"ca": …}}`, with the ids of its sentences.

Others': `text` or `tokens` with `labels`, `tags`, `spans`, `entities` or `label`; a text under each language's code,
by itself or in `translation`; `premise` and `hypothesis` with `label`. Other keys are left out and reported once.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from annotator.domain.messages import Sentence, message, message_of
from annotator.domain.messages import gettext_noop as _
from annotator.formats.columns.columns import names_an_id
from annotator.formats.common.beginnings import placed
from annotator.formats.common.counted import LeftOut, counted
from annotator.formats.common.errors import FormatError, quote
from annotator.formats.common.features import Feature
from annotator.formats.common.names import is_language, language_code
from annotator.formats.common.pairs import Pairs
from annotator.formats.common.protocol import Guess, Options, SourceFile, file_by_file
from annotator.formats.common.records import PairRecord, Read, Record, Text
from annotator.formats.json.answer_states import in_state, says_state, state_of
from annotator.formats.json.interchange import labels_to_json
from annotator.formats.json.json_rows import first_object, read_objects
from annotator.formats.json.span_objects import Noted, ShapeError
from annotator.formats.json.values import spaces_between
from annotator.formats.json_lines import release
from annotator.formats.json_lines.object_labels import LABELS, has_categories_alone, labelled
from annotator.formats.json_lines.token_objects import are_token_objects, read_tokens
from annotator.formats.json_lines.tool_objects import as_usual

_ID = ("id", "uid", "sent_id", "sentence_id", "guid")
_GROUP = ("group", "document", "doc", "doc_id", "document_id")
_GENRE = ("genre",)
_SOURCE = ("source", "dataset", "source_dataset", "corpus")
_TEXT = ("text", "sentence", "content", "data")
_TOKENS = ("tokens", "words")
_INFERENCE = ("label", "gold_label", "inference")
_LANGUAGE = ("language", "lang")


class JsonLines:
    """JSON Lines in all languages at once."""

    slug = "jsonl"
    writes = True
    keeps = frozenset(Feature)

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """Objects, one per line or in one list, with a text somewhere."""
        for file in files:
            try:
                value = first_object(file)
            except (FormatError, ValueError, RecursionError):
                return None
            known_shape = isinstance(value, dict) and (release.is_about_units(value) or _known(value))
            if value is not None and not known_shape:
                return None
        known, notes = placed(files, languages)
        return Guess(self.slug, 0.8, known, Options(), notes)

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record an object, or a pair."""
        return file_by_file(release.texts_first(files), _read)

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """One file."""
        path = folder / "corpus.jsonl"
        with path.open("w", encoding="utf-8", newline="\n") as file:
            for record in records:
                value = _pair(record) if isinstance(record, PairRecord) else _record(record)
                file.write(json.dumps(value, ensure_ascii=False) + "\n")
        return [path]


def _read(file: SourceFile) -> Iterator[Read]:
    pairs = Pairs(file)
    left_out = LeftOut()
    counts: Counter[Sentence] = Counter()
    classified = has_categories_alone(file)
    line = 1
    for read in read_objects(file):
        if not isinstance(read, tuple):
            yield read
            continue
        line, value = read
        release.check_importable(file, value)
        if release.is_pair(value):
            yield release.pair_of(file, line, value)
            continue
        try:
            value = as_usual(value, counts)
            yield from _Object(file, line, value, pairs, left_out, counts, classified).reads()
        except ShapeError as error:
            yield file.error(line, _("an object as described in docs/reference/formats.md"), message_of(error))
    yield from left_out.warnings()
    yield from counted(counts, file.name, line)


class _Object:
    """One object, and what its keys say."""

    def __init__(
        self,
        file: SourceFile,
        line: int,
        value: dict[str, Any],
        pairs: Pairs,
        left_out: LeftOut,
        counts: Counter[Sentence],
        classified: bool = False,
    ) -> None:
        self.file, self.line, self.value, self.pairs, self.left_out = file, line, value, pairs, left_out
        self.counts, self.classified = counts, classified
        self.used: set[str] = set()

    def reads(self) -> Iterator[Read]:
        """The records that the object is; keys that are not read are counted."""
        if "pair" in self.value:
            yield self._pair()
        elif "premise" in self.value and "hypothesis" in self.value and "texts" not in self.value:
            yield from self._premise_and_hypothesis()
        else:
            yield self._record()
        for key, value in self.value.items():
            if key not in self.used and value not in (None, "", [], {}):
                self.left_out.add(key, self.file.name, self.line)

    def _record(self) -> Record:
        texts = self._in_its_state(self._texts())
        return Record(
            self.file.name,
            self.line,
            texts,
            id=self._string(*_ID, *(key for key, value in self.value.items() if _is_id(key, value))),
            role=self._string("role") or self.file.role,
            group=self._string(*_GROUP),
            genre=self._string(*_GENRE),
            source=self._string(*_SOURCE),
        )

    def _in_its_state(self, texts: dict[str, Text]) -> dict[str, Text]:
        """The texts without their answers, where the object says that these are none."""
        self.used |= {key for key, value in self.value.items() if says_state(key, value)}
        return in_state(texts, state_of(self.value), self.counts)

    def _texts(self) -> dict[str, Text]:
        several = self._take("texts", "translation")
        if isinstance(several, dict):
            return {language_code(language): self._text_of(value) for language, value in several.items()}
        if several is not None:
            raise ShapeError(_("%(several)s is not an object of texts by language"), several=quote(str(several), 60))
        if any(key in self.value for key in (*_TEXT, *_TOKENS)):
            language = language_code(self._string(*_LANGUAGE)) or self.file.language
            if not language:
                raise ShapeError(
                    _("the object does not give the language of its text, and no language is chosen for the file")
                )
            return {language: self._text()}
        found = {
            key: value
            for key, value in self.value.items()
            if is_language(key) and key not in _ID and isinstance(value, str)
        }
        self.used |= set(found)
        if not found:
            raise ShapeError(_("no text among %(names)s"), names=quote(", ".join(self.value), 80))
        return {language: Text(value) for language, value in found.items()}

    def _text_of(self, value: Any) -> Text:
        if isinstance(value, str):
            return Text(value)
        if not isinstance(value, dict):
            raise ShapeError(_("%(value)s is neither a text nor an object"), value=quote(str(value), 60))
        inner = _Object(self.file, self.line, value, self.pairs, self.left_out, self.counts)
        # This is how our own files are written.
        return replace(inner._text(), sure_positions=True)

    def _text(self) -> Text:
        string = self._string(*_TEXT)
        key = next((key for key in _TOKENS if key in self.value), "")
        if are_token_objects(self.value.get(key)):
            self.used.add(key)
            return self._with_labels(*self._of_objects(key, string))
        tokens = self._strings(*_TOKENS)
        text = Text(
            text="" if tokens else string,
            tokens=tokens,
            spaces=self._spaces(tokens, string),
            lemmas=self._each(tokens, "lemmas"),
            parts_of_speech=self._each(tokens, "parts_of_speech", "upos", "pos"),
        )
        return self._with_labels(text)

    def _of_objects(self, key: str, string: str) -> tuple[Text, tuple[str, ...]]:
        """The text with the tokens that stand as objects under a key, and their tags."""
        try:
            found = read_tokens(self.value[key], string)
        except ShapeError:
            if not string:
                raise
            self.counts[message(_("lists of tokens that do not match their text, which are left out"))] += 1
            return Text(string), ()
        for name, number in (found.keys or {}).items():
            self.left_out.add(f"{key}.{name}", self.file.name, self.line, number)
        return Text(
            tokens=found.forms, spaces=found.spaces, lemmas=found.lemmas, parts_of_speech=found.parts
        ), found.tags

    def _with_labels(self, text: Text, tags: Sequence[str] = ()) -> Text:
        """The text with all that the usual keys say of it: labels on words, and categories."""
        self.used |= {key for key in LABELS if key in self.value}
        noted = Noted()
        found = labelled(self.value, replace(text, values=self._values()), tags, noted, classified=self.classified)
        self.counts.update(noted.counts)
        for name, number in noted.keys.items():
            self.left_out.add(name, self.file.name, self.line, number)
        return found

    def _spaces(self, tokens: tuple[str, ...], string: str) -> tuple[str, ...]:
        spaces = self._strings("spaces")
        if spaces and (len(spaces) != len(tokens) + 1 or any(space.strip() for space in spaces)):
            raise ShapeError(
                _("%(spaces)s spaces for %(tokens)s tokens: there must be one before each token and one at the end"),
                spaces=len(spaces),
                tokens=len(tokens),
            )
        if spaces or not tokens or not string:
            return spaces
        return spaces_between(string, tokens)

    def _each(self, tokens: tuple[str, ...], *keys: str) -> tuple[str, ...]:
        values = self._strings(*keys)
        if values and len(values) != len(tokens):
            raise ShapeError(
                _("%(values)s %(keys)s for %(tokens)s tokens"), values=len(values), keys=keys[0], tokens=len(tokens)
            )
        return values

    def _values(self) -> Mapping[str, tuple[str, ...]]:
        values = self._take("values") or {}
        if not isinstance(values, dict) or not all(
            isinstance(one, list) and all(isinstance(part, str) for part in one) for one in values.values()
        ):
            raise ShapeError(_("the values are not lists of categories by layer"))
        return {layer: tuple(one) for layer, one in values.items()}

    def _pair(self) -> PairRecord:
        tags = self._take("tags") or {}
        if not isinstance(tags, dict) or not all(isinstance(tag, str) for tag in tags.values()):
            raise ShapeError(_("the tags of a pair are not names by language"))
        return PairRecord(
            self.file.name,
            self.line,
            self._string("pair"),
            self._string("premise"),
            self._string("hypothesis"),
            self._string("inference"),
            tags,
        )

    def _premise_and_hypothesis(self) -> Iterator[Read]:
        premises, tag = self._side("premise"), self._string("tag")
        yield from self.pairs.reads(
            self.line,
            premises,
            self._side("hypothesis"),
            inference=self._string(*_INFERENCE),
            pair_id=self._string("pairID", "pair_id", *_ID),
            premise_id=self._string("promptID", "premise_id", "premise_uid"),
            genre=self._string(*_GENRE),
            source=self._string(*_SOURCE),
            tags=dict.fromkeys(premises, tag) if tag else {},
        )

    def _side(self, key: str) -> dict[str, str]:
        """A side of a pair by its languages: XNLI on the hub has all of them in one object."""
        given = self.value[key]
        if not isinstance(given, dict):
            language = language_code(self._string(*_LANGUAGE)) or self.file.language
            if not language:
                what = _("the object does not give its language, and no language is chosen for the file")
                raise ShapeError(message(what))
            return {language: self._string(key)}
        self.used.add(key)
        if given.keys() == {"language", "translation"}:
            languages, texts = given["language"], given["translation"]
            if isinstance(languages, list) and isinstance(texts, list) and len(languages) == len(texts):
                given = {str(language): text for language, text in zip(languages, texts, strict=True)}
        if not all(isinstance(text, str) for text in given.values()):
            raise ShapeError(
                _("%(several)s is not an object of texts by language"),
                several=quote(json.dumps(given, ensure_ascii=False), 60),
            )
        return given

    def _take(self, *keys: str) -> Any:
        key = next((key for key in keys if key in self.value), None)
        if key is None:
            return None
        self.used.add(key)
        return self.value[key]

    def _string(self, *keys: str) -> str:
        value = self._take(*keys)
        if value is None:
            return ""
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise ShapeError(
                _("%(keys)s is not a text, but %(dumps)s"), keys=quote(keys[0]), dumps=quote(json.dumps(value), 60)
            )
        return str(value)

    def _strings(self, *keys: str) -> tuple[str, ...]:
        value = self._take(*keys)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise ShapeError(
                _("%(keys)s is not a list of texts, but %(dumps)s"),
                keys=quote(keys[0]),
                dumps=quote(json.dumps(value), 60),
            )
        return tuple(value)


def _record(record: Record) -> dict[str, Any]:
    value: dict[str, Any] = {
        key: field for key in ("id", "role", "group", "genre", "source") if (field := getattr(record, key))
    }
    value["texts"] = {language: _text(text) for language, text in record.texts.items()}
    return value


def _text(text: Text) -> dict[str, Any]:
    value: dict[str, Any] = {}
    if text.tokens or text.spaces:
        value["tokens"] = list(text.tokens)
        for key in ("spaces", "lemmas", "parts_of_speech"):
            if getattr(text, key):
                value[key] = list(getattr(text, key))
    else:
        value["text"] = text.text
    if text.labels:
        value["labels"] = labels_to_json(text)
    if text.values:
        value["values"] = {layer: list(values) for layer, values in text.values.items()}
    return value


def _pair(pair: PairRecord) -> dict[str, Any]:
    value = {"pair": pair.id, "premise": pair.premise, "hypothesis": pair.hypothesis, "inference": pair.inference}
    return value | ({"tags": dict(pair.values)} if pair.values else {})


def _is_id(key: str, value: object) -> bool:
    return isinstance(value, str | int) and names_an_id(key)


def _known(value: dict[str, Any]) -> bool:
    value = as_usual(value, Counter())
    # Tasks of Label Studio have an object there.
    texts = (key in value and (key != "data" or isinstance(value[key], str)) for key in _TEXT)
    # Reports have numbers of tokens.
    tokens = (key in value and not isinstance(value[key], int) for key in _TOKENS)
    others = ("texts", "translation", "premise", "pair")
    return any(texts) or any(tokens) or any(key in others or is_language(key) for key in value)
