"""What the settings of a project backup must look like, and its people."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from django.conf import settings

from annotator.backup.actions.schema import Values
from annotator.backup.actions.shapes import (
    Misfit,
    anything,
    expected,
    keyed,
    line,
    listed,
    mapped,
    one_of,
    optional,
    storable,
    text,
    truth,
    whole,
)
from annotator.backup.actions.texts import slug, spelt, time
from annotator.core.errors import ActionError
from annotator.core.presets import Texts
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.domain.projection.carry import ProjectionRules
from annotator.models import Project
from annotator.projects.actions.guidelines import MAX_TEXT
from annotator.projects.actions.project_settings import (
    MAX_DICTIONARIES,
    MAX_NAME,
    MAX_WORDS,
    check_dictionary,
    check_no_circle,
)
from annotator.projects.actions.projects import check_language
from annotator.releases.card import QUESTIONS

_MAX_LANGUAGES = 100


def _language(value: Any) -> str:
    found: str = text(20, 2)(value)
    try:
        check_language(found)
    except ActionError:
        raise expected(_("a language code"), value) from None
    return found


def _dictionary(value: Any) -> Any:
    found = keyed({"name": line(200, 1), "url": line(2000, 1)})(value)
    try:
        check_dictionary(found)
    except (ActionError, ValueError):
        raise expected(_("a dictionary's name and address"), value) from None
    return found


def _rules(value: Any) -> Any:
    found = keyed(
        {},
        {
            "fill_gap": whole(0, 1000),
            "gap_rule": one_of(("between", "elp")),
            "discontinuous": truth,
            "skip_function_words": truth,
        },
    )(value)
    ProjectionRules(**found)
    return found


_settings_shape = keyed(
    {
        "slug": slug,
        "name": line(MAX_NAME, 1),
        "descriptions": mapped(text(20_000), one_of([found for found, _name in settings.LANGUAGES])),
        "texts": one_of(["", *Texts]),
        "preset": line(50),
        "languages": lambda value: _not_empty(listed(_language, _MAX_LANGUAGES, once=True)(value)),
        "sources": mapped(listed(_language, _MAX_LANGUAGES, once=True), _language, _MAX_LANGUAGES),
        "roles": listed(line(20, 1), 100, once=True),
        "inferences": listed(line(20, 1), 100, once=True),
        "rules_data": _rules,
        "guidelines": mapped(text(MAX_TEXT), text(20), _MAX_LANGUAGES),
        "guidelines_version": whole(1, 2**31 - 2),
        "adjudicate_own": truth,
        "train_every": whole(0, 2**15 - 1),
        "dictionaries": mapped(listed(_dictionary, MAX_DICTIONARIES), _language),
        "function_words": mapped(listed(line(200, 1), MAX_WORDS), _language),
        "dataset_card": keyed({}, {"names": truth, **{one.name: text(one.most) for one in QUESTIONS}}),
        "archived_at": optional(time),
        "created_at": time,
    }
)


def _not_empty(found: list[Any]) -> list[Any]:
    if not found:
        raise Misfit(message(_("is empty")))
    return found


def check_settings(values: Any) -> Values:
    """The project's own fields, if they can be those of a project. Raises Misfit."""
    found: Values = _settings_shape(values)
    storable(found)
    known = partial(one_of(found["languages"]))
    for column in ("sources", "dictionaries", "function_words"):
        try:
            mapped(anything, known)(found[column])
        except Misfit as error:
            raise error.inside(column) from None
    for sources in found["sources"].values():
        listed(known)(sources)
    try:
        check_no_circle(Project(languages=found["languages"], sources=found["sources"]))
    except ActionError:
        raise Misfit(message(_("labels would be projected back onto their own language")), "sources") from None
    return found


_person_name = spelt(re.compile(r"[\w.@+~-]+"), 150, _("a username"))
person_shape = keyed({"username": _person_name, "first_name": line(150), "last_name": line(150)})
