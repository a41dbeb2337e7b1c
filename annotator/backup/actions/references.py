"""How an archive's rows name each other: by number, counted from 1 in the order in which the rows were made.

Ids differ from server to server; these numbers do not. In memory a table is one sorted array of ids, eight bytes a row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Model

from annotator.models import Event, Import, Layer, Repeat, Stage, Unit

# What a key of an event's `before` and `after`, or of a job, names by id. Guarded by tests/commands/test_archive.py.
NAMED_BY_KEY: Mapping[str, type[Model]] = {
    "stage": Stage,
    "unit": Unit,
    "units": Unit,
    "undoes": Event,
    "undo_event": Event,
    "import": Import,
    "layer": Layer,
    "repeat": Repeat,
}
PEOPLE_BY_KEY = frozenset({"user"})
# What people wrote; nothing in it is an id.
CONTENT = "content"
# How suggestions name a detector that learnt from the project, and what they say in an archive, which has none.
TRAINED = re.compile(r"trained:\d+")
NO_DETECTOR = "trained:0"
# Keys that name a job by id. Archives have none.
JOBS_BY_KEY = frozenset({"pre_labelled_again_by_job"})

Number = Callable[[int], int | None]
"""From an id to a number, or back; None for what is not there any more."""


def renamed(value: Any, rows: Mapping[type[Model], Number], people: Number) -> Any:
    """A JSON value with everything that it names by id named otherwise."""
    by_key = {key: rows[model] for key, model in NAMED_BY_KEY.items()} | dict.fromkeys(PEOPLE_BY_KEY, people)
    by_key |= dict.fromkeys(JOBS_BY_KEY, _gone)

    def walk(value: Any, key: str) -> Any:
        kind = type(value)
        if kind is int:
            return by_key[key](value) if key in by_key else value
        if kind is str:
            return named_detector(value)
        if kind is dict:
            return {name: one if name == CONTENT else walk(one, name) for name, one in value.items()}
        if kind is list:
            return [walk(one, key) for one in value]
        return value

    return walk(value, "")


def subjects(rows: Mapping[type[Model], Number], people: Number) -> Mapping[str, Number]:
    """By what events are about, the name of a model, how it is named. What is not here is the project itself, or gone.

    A sentence is a unit by another name.
    """
    found = {str(model._meta.model_name): number for model, number in rows.items()}
    return {**found, "user": people, "sentence": rows[Unit]}


def named_detector(name: str) -> str:
    """The name of a detector; of one of the project's own, that it was one."""
    return NO_DETECTOR if name.startswith("trained:") and TRAINED.fullmatch(name) else name


def _gone(_pk: int) -> None:
    return None
