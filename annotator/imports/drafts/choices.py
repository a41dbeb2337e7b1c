"""How the files of a draft are read: what is recognised, and what a person corrects of it."""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotator.core.errors import ActionError, quoted
from annotator.domain.labels.incoming_labels import LabelMapping
from annotator.formats.common.corrections import Corrections
from annotator.formats.registry import formats
from annotator.formats.text.positions import CHARACTERS, UNITS
from annotator.imports.drafts.datasets import check_dataset
from annotator.imports.drafts.recognition import TERMS, is_chosen, recognised
from annotator.imports.drafts.sources import (
    DEFAULTS,
    LEFT_OUT,
    fit_together,
)
from annotator.imports.reading.labels import category_layers
from annotator.models import ImportDraft, LabelsAs, Layer

# What is said of the import, or of its text: it holds for any format.
LASTING = ("match", "originals", "parallel", "label_map", "splits", "token_splits")
CHOICES: Mapping[str, Sequence[str]] = {
    "tokens": ("given", "spaces", "words"),
    "positions": ("", CHARACTERS, UNITS),
    "match": ("id", "order"),
    "parallel": ("checked", "accepted"),
}
MAX_CHARACTERS = 200
MAX_MAPPED = 1000
# Ways to spell code and names, which are not encodings of files.
_NO_ENCODINGS = ("idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape")
# Texts that are chosen, with the longest that is kept.
_TEXTS = {"labels_name": 200, "labels_revision": 100, "licence": 200}


def changed(draft: ImportDraft, changes: Mapping[str, Any]) -> None:
    """Write a person's choices into the draft. Raises ActionError; the caller's transaction takes them back then."""
    known = {"format", "dataset", "labels_as", "publishable", "people", "options", "files", *_TEXTS}
    if unknown := sorted(set(changes) - known):
        raise ActionError(_("Unknown import setting: %(names)s.") % {"names": ", ".join(unknown)})
    if "format" in changes:
        _choose_format(draft, changes["format"])
    if "dataset" in changes:
        draft.dataset = check_dataset(_text(changes["dataset"], "dataset"))
        _mark_chosen(draft, "dataset")
    if "labels_as" in changes:
        draft.labels_as = _one_of(changes["labels_as"], "labels_as", LabelsAs.values)
        _mark_chosen(draft, "labels_as")
    for name, most in _TEXTS.items():
        if name in changes:
            setattr(draft, name, _text(changes[name], name, most))
    if "publishable" in changes:
        draft.publishable = _flag(changes["publishable"], "publishable")
    if {"licence", "publishable"} & changes.keys():
        _mark_chosen(draft, TERMS)
    if "people" in changes:
        people = _mapping(changes["people"], "people")
        draft.people = {str(name): _text(user, "people") for name, user in people.items()}
    for name, value in _mapping(changes.get("options", {}), "options").items():
        _choose_option(draft, name, value)
    for file, choices in _mapping(changes.get("files", {}), "files").items():
        _choose_of_file(draft, str(file), _mapping(choices, "files"))
    recognised(draft)


def _mark_chosen(draft: ImportDraft, name: str) -> None:
    if name not in draft.chosen:
        draft.chosen = [*draft.chosen, name]


def _choose_format(draft: ImportDraft, slug: Any) -> None:
    _forget_options(draft)
    draft.chosen = [name for name in draft.chosen if name != "format" and not name.endswith(".format")]
    if slug == "":
        # Back to what is recognised.
        return
    draft.format = _one_of(slug, "format", list(formats()))
    _mark_chosen(draft, "format")


def _forget_options(draft: ImportDraft) -> None:
    """What was chosen for a format, and means nothing in another one."""
    lasting = {f"options.{name}" for name in LASTING}
    draft.chosen = [name for name in draft.chosen if not name.startswith("options.") or name in lasting]


def _choose_option(draft: ImportDraft, name: str, value: Any) -> None:
    if name not in DEFAULTS:
        raise ActionError(_("Unknown import setting: %(names)s.") % {"names": f"options.{name}"})
    default = DEFAULTS[name]
    if name == "originals":
        value = _one_of(value, name, ["", *draft.project.languages])
    elif name in CHOICES:
        value = _one_of(value, name, CHOICES[name])
    elif isinstance(default, bool):
        value = _flag(value, name)
    elif isinstance(default, str):
        value = _text(value, name)
    elif name == "label_map":
        value = _label_map(draft, value)
    elif name in ("splits", "token_splits"):
        value = _splits(value, name)
    else:
        columns = _mapping(value, name)
        if not all(str(number).isdecimal() and len(str(number)) < 7 for number in columns):
            raise ActionError(_("Columns are counted from 0."))
        value = {str(int(number)): _text(meaning, name) for number, meaning in columns.items()}
    draft.options = {**draft.options, name: value}
    _mark_chosen(draft, f"options.{name}")


def _label_map(draft: ImportDraft, value: Any) -> dict[str, Any]:
    """By label of the files, the label that it becomes and attributes of it. Raises ActionError."""
    schemes = [layer.scheme for layer in draft.project.layers.filter(content_type=Layer.SPANS)[:1]]
    labels = {label for scheme in schemes for label in scheme.labels}
    known = labels | {one for layer in category_layers(draft.project) for one in layer.scheme_data["values"]}
    found: dict[str, Any] = {}
    for label, given in _mapping(value, "label_map").items():
        choice = {"label": given} if isinstance(given, str) else _mapping(given, "label_map")
        target = _one_of(choice.get("label", ""), f"label_map {quoted(str(label), 60)}", ["", *sorted(known)])
        allowed = schemes[0].attributes_of(target) if target in labels else {}
        attributes: dict[str, str] = {}
        for name, text in _mapping(choice.get("attributes") or {}, "label_map").items():
            if name not in allowed:
                raise ActionError(
                    _("%(label)s has no attribute %(name)s.") % {"label": target or "–", "name": quoted(str(name), 60)}
                )
            values = allowed[name].values
            attributes[name] = _one_of(text, name, values) if values else _text(text, name)
        found[_text(label, "label_map")] = LabelMapping(target, attributes).to_json()
    if len(found) > MAX_MAPPED:
        raise ActionError(_("At most %(most)d labels can be mapped.") % {"most": MAX_MAPPED})
    return found


def corrections_of(draft: ImportDraft, option: str) -> Corrections:
    """Where sentences ("splits") or tokens ("token_splits") are split otherwise than by the library or its rules."""
    return Corrections.from_json(draft.options.get(option) or {})


def choose_split(draft: ImportDraft, option: str, key: str, place: int, what: str) -> None:
    """Write one correction into an option of the draft, or undo it by its opposite. Raises ActionError."""
    corrections = corrections_of(draft, option)
    corrections.correct(key, place, what)
    _choose_option(draft, option, corrections.to_json())


def _splits(value: Any, name: str) -> dict[str, dict[str, str]]:
    try:
        return Corrections.from_json(_mapping(value, name)).to_json()
    except ValueError as error:
        gap = {"got": quoted(str(error), 60)}
        if name == "splits":
            text = (
                _("Sentence corrections must give, for each paragraph, positions with “split” or “join”, not %(got)s.")
                % gap
            )
        else:
            text = _("Token corrections must give, for each text, positions with “split” or “join”, not %(got)s.") % gap
        raise ActionError(text) from error


def _choose_of_file(draft: ImportDraft, file: str, choices: Mapping[str, Any]) -> None:
    one = next((one for one in draft.files if one["id"] == file), None)
    if one is None:
        raise ActionError(_("This file is not part of the import."))
    for name, value in choices.items():
        if name == "encoding":
            one[name] = _encoding(_text(value, name))
        elif name == "language":
            one[name] = _one_of(value, name, ["", *draft.project.languages])
        elif name == "role":
            one[name] = _one_of(value, name, ["", *draft.project.roles])
        elif name == "format":
            one[name] = _one_of(value, name, ["", LEFT_OUT, *formats()])
            _forget_options(draft)
        else:
            raise ActionError(_("Unknown import setting: %(names)s.") % {"names": f"files.{name}"})
        chosen = f"files.{file}.{name}"
        draft.chosen = [*(other for other in draft.chosen if other != chosen), *([chosen] if value else [])]
    read = {other["format"] for other in draft.files if is_chosen(draft, other, "format")} - {LEFT_OUT}
    if any(not is_chosen(draft, other, "format") for other in draft.files) and draft.format:
        read.add(draft.format)
    if not fit_together(read):
        raise ActionError(_("Files of these formats cannot be imported together. Import them one after the other."))


def _encoding(name: str) -> str:
    if not name:
        return name
    try:
        found = codecs.lookup(name)
    except LookupError:
        found = None
    # rot13, zip and the like are codecs of Python, too.
    if found is None or found.name in _NO_ENCODINGS or not getattr(found, "_is_text_encoding", True):
        raise ActionError(_("Unknown encoding: %(name)s.") % {"name": quoted(name, 40)})
    return name


def _one_of(value: Any, name: str, choices: Sequence[str]) -> str:
    if value not in choices:
        raise ActionError(
            _("The setting %(name)s must be one of: %(choices)s.")
            % {"name": name, "choices": ", ".join(choice for choice in choices if choice) or "–"}
        )
    return str(value)


def _text(value: Any, name: str, most: int = MAX_CHARACTERS) -> str:
    if not isinstance(value, str) or len(value) > most or "\x00" in value:
        raise ActionError(
            _("The setting %(name)s must be a text of at most %(most)d characters.") % {"name": name, "most": most}
        )
    return value


def _flag(value: Any, name: str) -> bool:
    if not isinstance(value, bool):
        raise ActionError(_("The setting %(name)s must be true or false.") % {"name": name})
    return value


def _mapping(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ActionError(_("The setting %(name)s must be an object.") % {"name": name})
    return value
