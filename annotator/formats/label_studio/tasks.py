"""Records as tasks that Label Studio imports, with annotations and predictions."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from annotator.formats.common.records import CharSpan, Labels, PairRecord, Record, Says, Text
from annotator.formats.common.writing import sentences_of
from annotator.formats.label_studio.results import CATEGORY, PART, WHOLE
from annotator.formats.text.characters import as_characters, places_of, plain

# The control that a labelling configuration for these tasks has its labels in.
_LABELS = "label"


def write_tasks(records: Iterable[Record | PairRecord], path: Path) -> Path:
    """Write an array of tasks, one at a time. Pairs are left out."""
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.write("[")
        for number, record in enumerate(sentences_of(records)):
            out.write(",\n" if number else "\n")
            out.write(json.dumps(_task(record), ensure_ascii=False))
        out.write("\n]\n")
    return path


def _task(record: Record) -> dict[str, Any]:
    one = len(record.texts) == 1
    keys = {language: "text" if one else f"text_{language}" for language in record.texts}
    data = {keys[language]: plain(text) for language, text in record.texts.items()}
    about = {name: getattr(record, name) for name in ("role", "group", "genre", "source")}
    if one:
        about["language"] = next(iter(record.texts))
    data |= {name: value for name, value in about.items() if value}
    if record.id:
        # The last key of the data, which is how JSON-MIN tells data from labels.
        data["id"] = record.id
    annotations: list[dict[str, Any]] = []
    predictions: list[dict[str, Any]] = []
    names: list[str] = []
    on: dict[str, list[list[str]]] = {"annotations": [], "predictions": []}
    for says, name in dict.fromkeys((one.says, one.name) for text in record.texts.values() for one in text.labels):
        result: list[dict[str, Any]] = []
        for language, text in record.texts.items():
            for labels in text.labels:
                if (labels.says, labels.name) == (says, name):
                    result += _regions(text, labels, keys[language])
        about_texts = [
            keys[language]
            for language, text in record.texts.items()
            if any((labels.says, labels.name) == (says, name) for labels in text.labels)
        ]
        on["predictions" if says is Says.MODEL else "annotations"].append(about_texts)
        if says is Says.MODEL:
            predictions.append({"model_version": name, "result": result})
        else:
            result += _choices(record, keys)
            annotations.append({"result": result, "ground_truth": says is Says.GOLD})
            names.append(name)
    if not annotations and (chosen := _choices(record, keys)):
        annotations.append({"result": chosen, "ground_truth": True})
        names.append("")
        on["annotations"].append([])
    tokens = {keys[language]: list(text.tokens) for language, text in record.texts.items() if text.tokens}
    partly = any(len(found) < len(keys) for voices in on.values() for found in voices)
    meta = {"annotators": names if any(names) else None, "tokens": tokens, "on": on if partly else None}
    return {
        "data": data,
        "annotations": annotations,
        "predictions": predictions,
        "meta": {name: value for name, value in meta.items() if value},
    }


def _choices(record: Record, keys: dict[str, str]) -> list[dict[str, Any]]:
    """The categories of each text, a control for each layer."""
    return [
        {
            "from_name": layer or CATEGORY,
            "to_name": keys[language],
            "type": "choices",
            "value": {"choices": list(values)},
        }
        for language, text in record.texts.items()
        for layer, values in text.values.items()
    ]


def _regions(text: Text, labels: Labels, key: str) -> list[dict[str, Any]]:
    places, string = places_of(text), plain(text)
    found: list[dict[str, Any]] = []
    for number, span in enumerate(labels.spans):
        whole = as_characters(span, places)
        found += _region(whole, string, key, f"{key}-{number}")
    return found


def _region(span: CharSpan, string: str, key: str, name: str) -> list[dict[str, Any]]:
    if not span.fragments:
        layer = span.attributes.get("layer", WHOLE)
        return [{"from_name": layer, "to_name": key, "type": "choices", "value": {"choices": [span.label]}}]
    found: list[dict[str, Any]] = []
    for part, (begin, end) in enumerate(span.fragments):
        place = {"start": begin, "end": end, "text": string[begin:end]}
        region: dict[str, Any] = {"id": f"{name}-{part}" if part else name, "from_name": _LABELS, "to_name": key}
        region |= {"type": "labels", "value": {**place, "labels": [span.label]}}
        if span.score is not None:
            region["score"] = span.score
        if part:
            region |= {"parentID": name, "meta": {"text": [PART]}}
        found.append(region)
        if not part:
            for attribute, value in span.attributes.items():
                own = {"id": name, "from_name": attribute, "to_name": key, "type": "textarea"}
                found.append({**own, "value": {**place, "text": [value]}})
    return found
