"""Label Studio's JSON: its export with all annotations and predictions, JSON-MIN, and tasks to import.

Positions in text: Label Studio has counted code points since version 1.5, and UTF-16 units before. The text that
stands with a label says which.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.beginnings import placed
from annotator.formats.common.counted import LeftOut, counted
from annotator.formats.common.errors import FormatError, quote
from annotator.formats.common.features import Feature
from annotator.formats.common.protocol import Guess, Options, SourceFile, file_by_file
from annotator.formats.common.records import CharSpan, Labels, PairRecord, Read, Record, Says, Text
from annotator.formats.common.voices import normal_tag
from annotator.formats.json.answer_states import State, left_out, says_state, state_of
from annotator.formats.json.json_items import json_items
from annotator.formats.json.values import as_list, as_object, as_objects, as_text, kept_tokens
from annotator.formats.label_studio.objects import has_choices_alone, is_ours, objects_of
from annotator.formats.label_studio.results import Results, TaskText, html_text
from annotator.formats.label_studio.tasks import write_tasks
from annotator.formats.text.offsets import WHITE, text_problem

# What JSON-MIN has beside data and labels.
_ABOUT = frozenset({"id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement", "meta"})
# What is read of a task's data beside its texts.
_READ = frozenset({"id", "role", "group", "genre", "source", "language"})


class LabelStudio:
    """The format of Label Studio's JSON and JSON-MIN."""

    slug = "label-studio"
    writes = True
    keeps = frozenset(Feature) - {Feature.WORDS, Feature.PAIRS}

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """Files whose first items are tasks with data and annotations, or JSON-MIN's with an annotator."""
        minimal = False
        tokens = "words"
        for file in files:
            try:
                tasks = [task for _, task in islice(json_items(file), 3)]
            except FormatError:
                return None
            if not tasks or not all(isinstance(task, dict) for task in tasks):
                return None
            full = all(isinstance(task.get("data"), dict) for task in tasks)
            small = all("annotation_id" in task or "annotator" in task for task in tasks)
            if not full and not small:
                return None
            minimal = minimal or not full
            # Written here, and not split again.
            tokens = "given" if any("tokens" in as_object(task.get("meta")) for task in tasks) else tokens
        known, guessed = placed(files, languages)
        notes = (message(_("JSON-MIN: it has no predictions, and has numbers instead of names")),) if minimal else ()
        return Guess(self.slug, 0.95, known, Options(tokens=tokens), (*notes, *guessed)) if files else None

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record a task. A task that cannot be read is an error, and the next one is read."""
        return file_by_file(files, _read)

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """One file of tasks with annotations and predictions, to be imported into a project with the labels.

        Label Studio would refuse people whom it does not know, so names stand in the task's metadata.
        """
        return [write_tasks(records, folder / "label_studio.json")]


def _read(file: SourceFile) -> Iterator[Read]:
    counts: Counter[Sentence] = Counter()
    left_out = LeftOut()
    objects = objects_of(file)
    classified = has_choices_alone(file)
    line = found = 0
    # JSON-MIN has a row for each annotation: those of a task stand together.
    rows = groupby(json_items(file), key=_same_task())
    for _rest, group in rows:
        items = list(group)
        line = items[0][0]
        found += 1
        try:
            yield _Task(file, line, counts, objects, left_out, classified).record([item for _, item in items])
        except FormatError as error:
            yield error
    if not found:
        raise file.error(1, _("a list of tasks"), _("an empty one"))
    yield from left_out.warnings()
    yield from counted(counts, file.name, line)


class _same_task:
    """A key for neighbouring rows of one task: JSON-MIN's with the same id; every other item is by itself."""

    def __init__(self) -> None:
        self.number = 0

    def __call__(self, item: tuple[int, Any]) -> Any:
        self.number += 1
        task = item[1]
        if isinstance(task, dict) and "data" not in task and "annotation_id" in task and task.get("id") is not None:
            return ("id", json.dumps(task["id"]))
        return self.number


@dataclass(slots=True)
class _Voice:
    """What one person, model or gold says of a task, by the keys of its texts. `keys`: of those that it is about."""

    says: Says
    name: str
    keys: Any
    spans: dict[str, list[CharSpan]] = field(default_factory=dict)
    values: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    # The texts where nothing tells how positions are counted.
    open: set[str] = field(default_factory=set)


@dataclass(slots=True)
class _Task:
    """A task on its way to a record."""

    file: SourceFile
    line: int
    counts: Counter[Sentence]
    objects: Mapping[str, str]
    # Keys of the data that are not imported.
    left_out: LeftOut
    # Of a project in which texts are classified, an annotation says nothing of words.
    classified: bool

    def error(self, expected: Sentence, got: Sentence) -> FormatError:
        return self.file.error(self.line, expected, got)

    def record(self, items: Sequence[Any]) -> Record:
        task = items[0]
        if not isinstance(task, dict):
            raise self.error(message(_("a task")), quote(json.dumps(task, ensure_ascii=False), 80))
        if not isinstance(task.get("data"), dict):
            if "annotation_id" not in task and "annotator" not in task:
                raise self.error(
                    message(_("a task with “data”")),
                    message(_("an object with %(value)s"), value=", ".join(task) or "nothing"),
                )
            task = self.from_minimal(items)
        data = task["data"]
        texts = self.texts(data, task)
        for key, value in data.items():
            if key not in texts and key not in _READ and value not in (None, "", [], {}):
                self.left_out.add(key, self.file.name, self.line)
        voices = self.voices(task, texts)
        meta = as_object(task.get("meta"))
        shared = self.shared_values(voices)
        return Record(
            self.file.name,
            self.line,
            {text.language: self.text(text, voices, shared, meta.get("tokens")) for text in texts.values()},
            id=as_text(data.get("id", meta.get("id", task.get("id")))),
            role=as_text(data.get("role")) or self.file.role,
            group=as_text(data.get("group")),
            genre=as_text(data.get("genre")),
            source=as_text(data.get("source")),
        )

    def from_minimal(self, items: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Rows of JSON-MIN as the task of an export: labels stand under their control's name beside the data."""
        data: dict[str, Any] = {}
        annotations = []
        for row in items:
            result: list[dict[str, Any]] = []
            # Data come first, then the task's id, then what the controls said.
            is_after_id = False
            for name, value in row.items():
                is_after_id = is_after_id or name == "id"
                values = value if isinstance(value, list) else [value]
                if name in _ABOUT or value == [] or says_state(name, value):
                    continue
                if values and all(isinstance(one, dict) for one in values):
                    for one in values:
                        kind = next((key for key in one if key in Results.KINDS), "")
                        result.append({"from_name": name, "type": kind or "other", "value": one})
                elif is_after_id and not _is_text(name) and all(isinstance(one, str) for one in values):
                    result.append({"from_name": name, "type": "choices", "value": {"choices": values}})
                else:
                    data[name] = value
            if row.get("annotation_id") is not None:
                states = {name: value for name, value in row.items() if says_state(name, value)}
                annotations.append({**states, "completed_by": row.get("annotator"), "result": result})
        return {"id": items[0].get("id"), "data": data, "annotations": annotations}

    def texts(self, data: Mapping[str, Any], task: Mapping[str, Any]) -> dict[str, TaskText]:
        """The texts of a task by the key of its data: "text", or one with a language ("text_ca") for each."""
        keys = [key for key, value in data.items() if isinstance(value, str) and _is_text(key)]
        if not keys:
            named = {
                one.get("to_name")
                for annotation in as_objects(task.get("annotations")) + as_objects(task.get("predictions"))
                for one in as_objects(annotation.get("result"))
            }
            named |= {self.objects.get(str(name), "") for name in named} if named else set(self.objects.values())
            keys = [key for key, value in data.items() if isinstance(value, str) and key in named]
        if not keys:
            keys = [key for key, value in data.items() if isinstance(value, str) and not key.startswith("$")]
            keys = [max(keys, key=lambda key: len(data[key]))] if keys else []
        if "text" in keys:
            keys = ["text"]
        found: dict[str, TaskText] = {}
        for key in keys:
            body = html_text(data[key]) if "<" in data[key] and '"hypertextlabels"' in json.dumps(task) else data[key]
            problem = text_problem(body)
            if problem or not body.strip(WHITE):
                raise self.error(message(_("a text")), problem or message(_("an empty one under “%(key)s”"), key=key))
            language = _language_of(key) or as_text(data.get("language")) or self.file.language
            found[key] = TaskText(key, language, body)
        if not found:
            raise self.error(message(_("a text in the task's data")), ", ".join(data) or message(_("nothing")))
        if len({text.language for text in found.values()}) < len(found):
            raise self.error(message(_("one text per language")), ", ".join(found))
        return found

    def voices(self, task: Mapping[str, Any], texts: Mapping[str, TaskText]) -> list[_Voice]:
        """Gold, people and models of a task, each once."""
        found: dict[tuple[Says, str], _Voice] = {}
        meta = as_object(task.get("meta"))
        names, on = as_list(meta.get("annotators")), as_object(meta.get("on"))
        annotations = as_objects(task.get("annotations", task.get("completions")))
        # Label Studio says that all who were imported are the person who did it. Later annotations come after them, but
        # where one was deleted, nobody knows which is whose.
        names = names if len(names) <= len(annotations) else []
        for number, annotation in enumerate(annotations):
            if state := _state_of(annotation):
                self.counts[left_out(state)] += 1
                continue
            given = as_text(names[number] if number < len(names) else "")
            name = given or _person(annotation.get("completed_by"))
            says = Says.GOLD if annotation.get("ground_truth") or not name else Says.PERSON
            keys = as_list(on.get("annotations"))[number : number + 1] or [list(texts)]
            self.add(found, _Voice(says, given if says is Says.GOLD else name, keys[0]), annotation, texts, task)
        if drafts := sum(bool(draft.get("result")) for draft in as_objects(task.get("drafts"))):
            self.counts[left_out(State.DRAFT)] += drafts
        if unread := sum(isinstance(one, int) for one in as_list(task.get("predictions"))):
            self.counts[message(_("predictions given only by their number, which are not imported"))] += unread
        for number, prediction in enumerate(as_objects(task.get("predictions"))):
            keys = as_list(on.get("predictions"))[number : number + 1] or [list(texts)]
            self.add(
                found, _Voice(Says.MODEL, as_text(prediction.get("model_version")), keys[0]), prediction, texts, task
            )
        return list(found.values())

    def add(
        self,
        found: dict[tuple[Says, str], _Voice],
        voice: _Voice,
        annotation: Mapping[str, Any],
        texts: Mapping[str, TaskText],
        task: Mapping[str, Any],
    ) -> None:
        if (voice.says, voice.name) in found:
            what = message(_("tasks that the same person labelled twice, imported with the later labels"))
            self.counts[what] += 1
        found[voice.says, voice.name] = voice
        result = annotation.get("result")
        if not isinstance(result, list):
            raise self.error(message(_("a list under “result”")), quote(json.dumps(result), 80))
        results = Results(self.file.name, self.line, texts, self.counts, self.objects)
        # People who took a prediction over have its scores in Label Studio's files, but they are not theirs.
        results.read(result, score=is_ours(task) or voice.says is Says.MODEL)
        voice.spans, voice.values, voice.open = results.spans, results.values, results.open

    def shared_values(self, voices: Sequence[_Voice]) -> dict[tuple[str, str], tuple[str, ...]]:
        """The categories that all people chose alike; where they did not, each keeps theirs as labels of the text."""
        people = [voice for voice in voices if voice.says is not Says.MODEL]
        layers = {layer for voice in people for layer in voice.values}
        return {
            layer: next(voice.values[layer] for voice in people if layer in voice.values)
            for layer in sorted(layers)
            if len({voice.values.get(layer, ()) for voice in people}) == 1
        }

    def text(
        self,
        text: TaskText,
        voices: Sequence[_Voice],
        shared: Mapping[tuple[str, str], tuple[str, ...]],
        given: Any,
    ) -> Text:
        labels = []
        for voice in voices:
            spans = list(voice.spans.get(text.key, ()))
            if not spans and isinstance(voice.keys, list) and text.key not in voice.keys:
                continue
            for (key, layer), values in voice.values.items():
                if key == text.key and ((key, layer) not in shared or voice.says is Says.MODEL):
                    spans += [CharSpan((), value, {"layer": layer} if layer else {}) for value in values]
            if self.classified and not spans:
                continue
            labels.append(Labels(voice.says, voice.name, tuple(spans)))
        own = {layer: values for (key, layer), values in shared.items() if key == text.key}
        tokens, spaces = kept_tokens(text.text, given.get(text.key) if isinstance(given, dict) else None)
        on_words = [voice for voice in voices if voice.spans.get(text.key)]
        return Text(
            text="" if tokens else text.text,
            tokens=tokens,
            spaces=spaces,
            labels=tuple(labels),
            values=own,
            sure_positions=not on_words or any(text.key not in voice.open for voice in on_words),
        )


def _state_of(annotation: Mapping[str, Any]) -> State | None:
    """Why an annotation is not an answer: it was skipped, or the last who reviewed it rejected it."""
    if annotation.get("was_cancelled") or annotation.get("skipped"):
        return State.SKIPPED
    reviews = as_objects(annotation.get("reviews"))
    if reviews and annotation.get("last_action") != "updated":
        last = max(reviews, key=lambda review: str(review.get("created_at", "")))
        if last.get("accepted") is not None:
            return None if last["accepted"] else State.REJECTED
    return state_of(annotation)


def _is_text(key: str) -> bool:
    return key == "text" or bool(_language_of(key))


def _language_of(key: str) -> str:
    """ "ca" for "text_ca", which is how tasks of parallel text are written here."""
    return normal_tag(key[5:]) if key.startswith(("text_", "text-", "text:")) and key[5:] else ""


def _person(value: Any) -> str:
    if isinstance(value, dict):
        return as_text(value.get("email") or value.get("username") or value.get("id"))
    return as_text(value)
