"""Objects as Argilla, LightTag and Prodigy export them, put into the shape that is usual in JSON Lines.

What people said and did not finish, or threw away, is left out and counted; each person's answer is theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from annotator.domain.messages import Sentence
from annotator.domain.text.word_sets import word_set
from annotator.formats.common.records import Says
from annotator.formats.json.answer_states import State, labels_left_out, left_out, state_of, state_of_word
from annotator.formats.json.span_objects import has_positions
from annotator.formats.json.values import as_list, as_objects

Object = dict[str, Any]
Counts = Counter[Sentence]
# What these tools note for themselves.
_BOOKKEEPING = word_set(
    "_input_hash _task_hash _view_id _timestamp _is_binary _server_id vectors event_timestamp inserted_at "
    "updated_at created_at search_keywords metrics explanation multi_label annotation_agent "
    "prediction_agent"
)

_USUAL = word_set(
    "text sentence tokens words labels label tags spans entities annotations mentions id language answer status"
)


def as_usual(value: Object, counts: Counts) -> Object:
    """The object with texts, tokens, labels and categories under the usual keys, whichever tool it is of.

    `counts`: takes the answers that are none.
    """
    value = {_small(key, value): one for key, one in value.items()}
    for is_mine, usual in _SHAPES:
        if is_mine(value):
            return usual(value, counts)
    return value


def _small(key: str, value: Object) -> str:
    """A usual key in small letters, as in `{"Text": …, "Entities": …}`."""
    return key.lower() if key.lower() in _USUAL and key.lower() not in value else key


def is_known(value: Object) -> bool:
    """Whether an object is of one of these tools."""
    return any(is_mine(value) for is_mine, _usual in _SHAPES)


def _is_light_tag(value: Object) -> bool:
    return isinstance(value.get("content"), str) and (
        "seen_by" in value or any("annotated_by" in one for one in as_objects(value.get("annotations")))
    )


def _of_light_tag(value: Object, counts: Counts) -> Object:
    rest = {
        key: one
        for key, one in value.items()
        if key not in ("content", "annotations", "classifications", "seen_by", "example_id")
    }
    found: Object = {**rest, "text": value["content"]}
    if value.get("example_id") is not None:
        found["id"] = str(value["example_id"])
    seen = _people(value.get("seen_by"))
    given = as_objects(value.get("annotations"))
    people = list(dict.fromkeys([*seen, *(name for one in given for name in _people(one.get("annotated_by")))]))
    if any(one.get("correct") is not None or one.get("reviewed") for one in given):
        for state, number in Counter(map(_reviewed, given)).items():
            if state is not None:
                counts[labels_left_out(state)] += number
        labels = [_label(one) for one in given if _reviewed(one) is None]
        if labels:
            found["labels"] = labels
    elif people:
        found["labels"] = [
            _source(Says.PERSON, name, [_label(one) for one in given if name in _people(one.get("annotated_by"))])
            for name in people
        ]
    elif given or "seen_by" not in value:
        found["labels"] = [_label(one) for one in given]
    chosen = as_objects(value.get("classifications"))
    names = [name for one in chosen if isinstance(name := one.get("classname"), str)]
    return found | ({"values": {"": list(dict.fromkeys(names))}} if names else {})


def _reviewed(label: Mapping[str, Any]) -> State | None:
    """Why a label is left out where somebody looks labels through: it is wrong, or its turn has not come."""
    if label.get("correct") is False:
        return State.REJECTED
    return None if label.get("correct") or label.get("reviewed") else State.UNFINISHED


def _label(value: Object) -> Object:
    """A label of LightTag's, without what was said of it."""
    beside = ("annotated_by", "reviewed", "correct", "example_id", "timestamp")
    return {key: one for key, one in value.items() if key not in beside}


def _people(given: Any) -> list[str]:
    found = []
    for one in as_list(given):
        name = one.get("annotator", one.get("annotator_id")) if isinstance(one, dict) else one
        if isinstance(name, str | int) and str(name):
            found.append(str(name))
    return list(dict.fromkeys(found))


def _is_argilla(value: Object) -> bool:
    """Whether it is a record of Argilla 2, or of the feedback datasets of Argilla 1."""
    return isinstance(value.get("fields"), dict) and bool({"responses", "suggestions", "status"} & value.keys())


def _is_flat(value: Object) -> bool:
    """Whether it is a record of Argilla's as a row of a dataset."""
    return any(key.endswith((".responses", ".suggestion")) for key in value)


def _is_early(value: Object) -> bool:
    """Whether it is a record of Argilla 1 or of Rubrix."""
    return "annotation" in value and bool({"annotation_agent", "prediction", "prediction_agent"} & value.keys())


def _of_argilla(value: Object, counts: Counts) -> Object:
    handled = ("fields", "responses", "suggestions", "status", "external_id")
    rest = {key: one for key, one in value.items() if key not in handled and key not in _BOOKKEEPING}
    found: Object = {**rest, **_with_text(value["fields"])}
    if value.get("external_id") is not None:
        found["id"] = value["external_id"]
    return _answered(found, value, list(_responses(value.get("responses"))), list(_suggested(value)), counts)


def _of_flat(value: Object, counts: Counts) -> Object:
    answers: list[tuple[str, Any, str, Any]] = []
    models: list[tuple[str, Any, str]] = []
    found: Object = {}
    for key, one in value.items():
        question, _dot, what = key.partition(".")
        if what == "responses":
            users, states = (as_list(value.get(f"{key}.{name}")) for name in ("users", "status"))
            for number, answer in enumerate(as_list(one)):
                user = users[number] if number < len(users) else ""
                answers.append((question, answer, _name(user), states[number] if number < len(states) else None))
        elif what == "suggestion" and one is not None:
            models.append((question, one, _name(value.get(f"{key}.agent"))))
        elif not what.startswith(("responses.", "suggestion")) and key != "status" and key not in _BOOKKEEPING:
            found[key] = one
    return _answered({**found, **_with_text(found)}, value, answers, models, counts)


def _of_early(value: Object, counts: Counts) -> Object:
    handled = ("annotation", "prediction", "status", "inputs")
    found: Object = {key: one for key, one in value.items() if key not in handled and key not in _BOOKKEEPING}
    if not isinstance(found.get("text"), str) and isinstance(value.get("inputs"), dict):
        found |= _with_text(value["inputs"])
    answers = []
    if value["annotation"] is not None:
        answers = [("", value["annotation"], _name(value.get("annotation_agent")), value.get("status"))]
    models = []
    if has_positions(value.get("prediction")):
        models = [("", value["prediction"], _name(value.get("prediction_agent")))]
    elif value.get("prediction"):
        found["prediction"] = value["prediction"]
    return _answered(found, {}, answers, models, counts)


def _with_text(fields: Mapping[str, Any]) -> Object:
    """The fields with the one that is the text: called so, or else the longest."""
    texts = {key: one for key, one in fields.items() if isinstance(one, str)}
    if "text" in texts or not texts:
        return dict(fields)
    name = max(texts, key=lambda key: len(texts[key]))
    return {**{key: one for key, one in fields.items() if key != name}, "text": texts[name]}


def _responses(given: Any) -> Iterator[tuple[str, Any, str, Any]]:
    """Question, value, person and state of each answer."""
    if isinstance(given, dict):
        for question, several in given.items():
            for one in as_objects(several):
                yield question, one.get("value"), _name(one.get("user_id")), one.get("status")
        return
    for one in as_objects(given):
        values = one.get("values", one.get("value"))
        if not isinstance(values, dict):
            # Of version 2, an answer each.
            values = {str(one.get("question_name", "")): values}
        if not values and one.get("status"):
            yield "", None, _name(one.get("user_id")), one["status"]
        for question, answer in values.items():
            value = answer.get("value") if isinstance(answer, dict) and "value" in answer else answer
            yield question, value, _name(one.get("user_id")), one.get("status")


def _suggested(value: Object) -> Iterator[tuple[str, Any, str]]:
    given = value.get("suggestions")
    if isinstance(given, dict):
        yield from (
            (question, one.get("value"), _name(one.get("agent")))
            for question, one in given.items()
            if isinstance(one, dict)
        )
        return
    for one in as_objects(given):
        yield str(one.get("question_name", "")), one.get("value"), _name(one.get("agent"))


def _answered(
    found: Object,
    whole: Object,
    answers: list[tuple[str, Any, str, Any]],
    models: list[tuple[str, Any, str]],
    counts: Counts,
) -> Object:
    """An object with what people answered and models suggested of its text."""
    of_all = state_of(whole)
    people: dict[str, dict[str, Any]] = {}
    thrown: dict[tuple[str, State], None] = {}
    for question, value, name, status in answers:
        # A record that waits for other people has answers all the same.
        state = state_of_word(status) if status is not None else of_all
        if of_all not in (None, State.UNFINISHED):
            state = of_all
        if state is not None:
            thrown[name, state] = None
        elif value is not None:
            people.setdefault(name, {})[question] = value
    for _name_of, state in thrown:
        counts[left_out(state)] += 1
    if not answers and of_all not in (None, State.UNFINISHED):
        counts[left_out(of_all)] += 1
    categories = {
        name: {q: chosen for q, one in by_question.items() if (chosen := _chosen(one))}
        for name, by_question in people.items()
    }
    alike = len({repr(sorted(one.items())) for one in categories.values()}) == 1
    labels = []
    for name, by_question in people.items():
        spans = [span for one in by_question.values() if _is_of_words(one) for span in as_list(one)]
        if not alike:
            spans += [
                {"label": one, "at": [], "attributes": {"layer": question} if question else {}}
                for question, chosen in categories[name].items()
                for one in chosen
            ]
        if spans or any(_is_of_words(one) for one in by_question.values()):
            labels.append(_source(Says.PERSON if name else Says.GOLD, name, spans))
    by_model: dict[str, list[Any]] = {}
    for _question, value, name in models:
        if _is_of_words(value):
            by_model.setdefault(name, []).extend(as_list(value))
    labels += [_source(Says.MODEL, name, spans) for name, spans in by_model.items()]
    values = next(iter(categories.values())) if alike else {}
    return found | ({"labels": labels} if labels else {}) | ({"values": values} if values else {})


def _is_of_words(value: Any) -> bool:
    """Whether an answer is a list of labels on words, be it an empty one."""
    return isinstance(value, list) and (not value or has_positions(value))


def _chosen(value: Any) -> list[str]:
    """The categories that an answer is; none where it is something else."""
    if isinstance(value, str):
        return [value] if value else []
    return list(value) if isinstance(value, list) and all(isinstance(one, str) for one in value) else []


def _is_prodigy(value: Object) -> bool:
    return "answer" in value and bool({"_input_hash", "_task_hash", "options", "spans", "accept"} & value.keys())


def _of_prodigy(value: Object, counts: Counts) -> Object:
    found = {key: one for key, one in value.items() if key not in _BOOKKEEPING}
    chosen = found.get("accept")
    if "options" in found and isinstance(chosen, list) and all(isinstance(one, str | int) for one in chosen):
        del found["accept"], found["options"]
        if chosen:
            found["values"] = {"": [str(one) for one in chosen]}
    return found


def _source(says: Says, name: str, labels: list[Any]) -> Object:
    return {"says": says.value, "name": name, "labels": labels}


def _name(value: Any) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


_SHAPES: tuple[tuple[Callable[[Object], bool], Callable[[Object, Counts], Object]], ...] = (
    (_is_light_tag, _of_light_tag),
    (_is_argilla, _of_argilla),
    (_is_flat, _of_flat),
    (_is_early, _of_early),
    (_is_prodigy, _of_prodigy),
)
