"""How the files of a draft are read: what is recognised, and what a person corrects of it."""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from annotator.core.errors import ActionError, quoted, translate
from annotator.core.files.storage import site_files
from annotator.core.kind import names_a_dataset
from annotator.domain.labels.incoming_labels import LabelMapping
from annotator.formats.common.corrections import Corrections
from annotator.formats.common.encodings import examine
from annotator.formats.common.errors import FormatError
from annotator.formats.common.protocol import Format, Guess, Options, Remembers, SourceFile
from annotator.formats.conll.token_choice import NOTHING, UNDECIDED, Punctuation, punctuation
from annotator.formats.recognise import recognise
from annotator.formats.registry import formats
from annotator.formats.text.positions import CHARACTERS, UNITS
from annotator.imports.drafts.datasets import check_dataset, dataset_from
from annotator.imports.drafts.translations import tie
from annotator.imports.queries.imports import formats_made_for, imports_of, with_texts
from annotator.imports.reading.labels import category_layers
from annotator.imports.reading.problems import problem_of
from annotator.models import ImportDraft, LabelsAs, Layer

# Of `Options`, as JSON; `match`, `originals` and `parallel` are the import's own.
DEFAULTS: Mapping[str, Any] = {
    **{name: value for name, value in asdict(Options()).items() if name != "columns"},
    "columns": {},
    # Records without id are segments of their own, or the segments that the dataset has, in their order.
    "match": "id",
    # Of those segments the ones with a text in this language; "" for all.
    "originals": "",
    # Lines that seem to be left out or doubled in one language are errors, or accepted.
    "parallel": "checked",
    # By label or category of the files, what it becomes: `domain.incoming_labels.LabelMapping`.
    "label_map": {},
    # Where sentences, and tokens, were split or joined by hand: `domain.formats.corrections.Corrections`.
    "splits": {},
    "token_splits": {},
}
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
# In `chosen`: that a person said the licence, or whether the text may be published.
TERMS = "terms"
# Texts that are chosen, with the longest that is kept.
_TEXTS = {"labels_name": 200, "labels_revision": 100, "licence": 200}


def source_files(draft: ImportDraft) -> list[SourceFile]:
    """The draft's files as its format reads them; what does not belong to it is left out."""
    return _sources(draft, [one for one in draft.files if one["used"]])


def all_files(draft: ImportDraft) -> list[SourceFile]:
    """The draft's files, whether they belong to its format or not."""
    return _sources(draft, draft.files)


def options_of(draft: ImportDraft) -> Options:
    """How they are read."""
    given = {**DEFAULTS, **draft.options}
    columns = {int(number): meaning for number, meaning in given["columns"].items()}
    return Options(**{**{field.name: given[field.name] for field in fields(Options)}, "columns": columns})


def punctuation_of(draft: ImportDraft) -> Punctuation:
    """What the beginning of the files says of how they are to be split into tokens, where it is asked."""
    found, files = format_of(draft), source_files(draft)
    if found is None or not files or draft.format not in UNDECIDED:
        return NOTHING
    try:
        return punctuation(found.read(files, options_of(draft)))
    except FormatError:
        # The preview says what is wrong with them.
        return NOTHING


def guesses(draft: ImportDraft) -> list[Guess]:
    """What the files are taken for, the likeliest first; nothing counts but what a person chose."""
    ones = []
    for one in draft.files:
        chosen = {name: one[name] if is_chosen(draft, one, name) else "" for name in ("language", "role")}
        ones.append({**one, **chosen})
    files = _sources(draft, ones)
    try:
        if not files:
            return []
        return list(_guessed(tuple(files), tuple(draft.project.languages), tuple(formats_made_for(draft.project))))
    except FormatError as error:
        raise ActionError(problem_of(error).message) from error


@lru_cache(maxsize=4)
def _guessed(files: tuple[SourceFile, ...], languages: tuple[str, ...], at_home: tuple[str, ...]) -> tuple[Guess, ...]:
    # Every format looks into the files, and a choice and the preview after it ask again. What is stored under a name
    # of our own never changes.
    return tuple(recognise(files, languages=languages, at_home=at_home))


def doubts_of(draft: ImportDraft, found: Sequence[Guess]) -> list[str]:
    """What was chosen without being sure, as sentences; nothing of what a person chose."""
    doubts = next((guess.doubts for guess in found if guess.format == draft.format), {})
    return [translate(doubt) for name, doubt in doubts.items() if f"options.{name}" not in draft.chosen]


def recognised(draft: ImportDraft) -> None:
    """Take over what the files are recognised as, but for what a person chose."""
    languages = draft.project.languages
    for one, path in zip(draft.files, _paths(draft, draft.files), strict=True):
        if not one["encoding"]:
            one["encoding"] = examine(path, one["name"], languages=languages[:4]).encoding
    found = guesses(draft)
    was_tied = draft.options.get("match") == "order" and "options.match" not in draft.chosen
    if "format" not in draft.chosen:
        draft.format = found[0].format if found and not found[0].questions else ""
    guess = next((one for one in found if one.format == draft.format), None)
    options: dict[str, Any] = {} if guess is None else asdict(guess.options)
    options["columns"] = {str(number): meaning for number, meaning in options.get("columns", {}).items()}
    draft.options = {
        name: draft.options.get(name, default) if f"options.{name}" in draft.chosen else options.get(name, default)
        for name, default in DEFAULTS.items()
    }
    guessed = {} if guess is None else {file.path.name: file for file in guess.files}
    for one in draft.files:
        file = guessed.get(one["stored"])
        one["used"] = guess is None or file is not None
        for name in ("language", "role"):
            if not is_chosen(draft, one, name):
                one[name] = getattr(file, name) if file is not None else ""
    if "options.tokens" not in draft.chosen and draft.format in UNDECIDED:
        draft.options["tokens"] = punctuation_of(draft).tokens
    if "labels_as" not in draft.chosen:
        _take_as_the_format_says(draft)
    tie(draft, guess, was_tied=was_tied)
    # What is tied to a dataset in order keeps its name.
    keeps = "dataset" in draft.chosen or (draft.dataset and draft.options["match"] == "order")
    if draft.files and not keeps:
        own = getattr(formats().get(draft.format), "own_names", ())
        names = [one["name"] for one in draft.files if one["used"]] or [draft.files[0]["name"]]
        named = dataset_from(names, languages, own) or draft.project.slug
        draft.dataset = f"{named}_2" if names_a_dataset(named) else named
    if TERMS not in draft.chosen:
        # The newest import that brought texts of a dataset says its licence.
        known = with_texts(imports_of(draft.project).filter(dataset=draft.dataset)).first()
        draft.licence, draft.publishable = (known.licence, known.publishable) if known else ("", False)


def _take_as_the_format_says(draft: ImportDraft) -> None:
    one = formats().get(draft.format)
    draft.labels_as = LabelsAs.NONE
    if isinstance(one, Remembers):
        # Such files are published: what they say was decided.
        draft.labels_as = LabelsAs.GOLD
    elif suggests := getattr(one, "suggests", ""):
        draft.labels_as = LabelsAs.MODEL
        draft.labels_name = draft.labels_name or suggests


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


def format_of(draft: ImportDraft) -> Format | None:
    """The format in which the draft is read; None while there is none."""
    return formats().get(draft.format)


def _sources(draft: ImportDraft, ones: Sequence[Mapping[str, Any]]) -> list[SourceFile]:
    return [
        SourceFile(one["name"], path, one["encoding"] or "utf-8", one["language"], one["role"])
        for one, path in zip(ones, _paths(draft, ones), strict=True)
    ]


def _paths(draft: ImportDraft, ones: Sequence[Mapping[str, Any]]) -> list[Path]:
    names = [draft.file(one["stored"]) for one in ones]
    try:
        return site_files().fetch(*names)
    except FileNotFoundError:
        # Whoever reads the one that is missing says so.
        return [site_files().here(name) for name in names]


def is_chosen(draft: ImportDraft, one: Mapping[str, Any], name: str) -> bool:
    """Whether a person chose the language, role or encoding of a file."""
    return f"files.{one['id']}.{name}" in draft.chosen


def _mark_chosen(draft: ImportDraft, name: str) -> None:
    if name not in draft.chosen:
        draft.chosen = [*draft.chosen, name]


def _choose_format(draft: ImportDraft, slug: Any) -> None:
    lasting = {f"options.{name}" for name in LASTING}
    draft.chosen = [
        name for name in draft.chosen if name != "format" and (not name.startswith("options.") or name in lasting)
    ]
    if slug == "":
        # Back to what is recognised.
        return
    draft.format = _one_of(slug, "format", list(formats()))
    _mark_chosen(draft, "format")


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
        else:
            raise ActionError(_("Unknown import setting: %(names)s.") % {"names": f"files.{name}"})
        chosen = f"files.{file}.{name}"
        draft.chosen = [*(other for other in draft.chosen if other != chosen), *([chosen] if value else [])]


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
