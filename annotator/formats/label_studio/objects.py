"""Which of a task's texts Label Studio's labels are on: its export names the object of the configuration, not the data.

The text that stands beside a label tells: it is found at the label's place in one of the task's data.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from annotator.formats.common.protocol import SourceFile
from annotator.formats.json.json_items import json_items
from annotator.formats.json.values import as_objects
from annotator.formats.text.characters import code_points

_LOOKED_AT = 200


def objects_of(file: SourceFile) -> dict[str, str]:
    """By the name of an object, or of a control, the key of the data that its labels are on, as the first tasks say.

    Raises FormatError for what is not JSON.
    """
    fits: dict[str, Counter[str]] = defaultdict(Counter)
    lengths: Counter[str] = Counter()
    for _line, task in islice(json_items(file), _LOOKED_AT):
        if not isinstance(task, dict):
            continue
        given = task.get("data")
        data = given if isinstance(given, dict) else task
        texts = {key: value for key, value in data.items() if isinstance(value, str)}
        for key, value in texts.items():
            lengths[key] += len(value)
        for name, place in _places(task):
            fits[name].update(key for key, value in texts.items() if _stands(value, place))
    # As many labels may stand in two texts that begin alike; the longer one is not an id or file name.
    return {name: max(keys, key=lambda key: (keys[key], lengths[key])) for name, keys in fits.items() if keys}


def is_ours(task: Mapping[str, Any]) -> bool:
    """Whether the task was written by this program, which says what it is about in its metadata."""
    meta = task.get("meta")
    return isinstance(meta, dict) and bool(meta.keys() & {"annotators", "tokens"})


def has_choices_alone(file: SourceFile) -> bool:
    """Whether a file is of a project in which texts are classified: by its first tasks, nobody labelled parts of any.
    Files of ours have labels of words beside categories, be it none.

    Raises FormatError for what is not JSON.
    """
    chosen = False
    for _line, task in islice(json_items(file), _LOOKED_AT):
        if not isinstance(task, dict):
            continue
        if is_ours(task) or any("start" in place for _name, place in _places(task)):
            return False
        results = [item.get("type") for item in _results(task)]
        # JSON-MIN has choices under the names of their controls.
        chosen = chosen or "choices" in results or ("data" not in task and "annotation_id" in task)
    return chosen


def _results(task: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What people and models said of a task."""
    for source in ("annotations", "completions", "predictions"):
        for answer in as_objects(task.get(source)):
            yield from as_objects(answer.get("result"))


def _places(task: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The labels of a task with the names that tell what they are on: the object's, or the control's in JSON-MIN."""
    for item in _results(task):
        if isinstance(item.get("value"), dict):
            yield str(item.get("to_name", "")), item["value"]
    if "data" not in task:
        for name, value in task.items():
            for one in as_objects(value):
                yield name, one


def _stands(text: str, value: Mapping[str, Any]) -> bool:
    begin, end, shown = value.get("start"), value.get("end"), value.get("text")
    if type(begin) is not int or type(end) is not int or not isinstance(shown, str) or begin >= end:
        return False
    if text[begin:end] == shown:
        return True
    try:
        first, last = code_points(text, (begin, end))
    except ValueError:
        return False
    return text[first:last] == shown
