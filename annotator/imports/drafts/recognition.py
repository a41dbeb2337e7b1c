"""Recognition of the files of a draft. Choices of a person override it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from annotator.core.errors import ActionError, translate
from annotator.core.kind import names_a_dataset
from annotator.formats.common.encodings import examine
from annotator.formats.common.errors import FormatError
from annotator.formats.common.protocol import Format, Guess, Remembers, SourceFile
from annotator.formats.conll.token_choice import NOTHING, UNDECIDED, Punctuation, punctuation
from annotator.formats.recognise import recognise
from annotator.formats.registry import formats, reads_lines
from annotator.imports.drafts.datasets import dataset_from
from annotator.imports.drafts.sources import (
    DEFAULTS,
    LEFT_OUT,
    all_files,
    file_format,
    fit_together,
    options_as_json,
    options_of,
    source_files,
    untouched,
)
from annotator.imports.drafts.translations import tie
from annotator.imports.queries.imports import formats_made_for, imports_of, with_texts
from annotator.imports.reading.problems import problem_of
from annotator.models import ImportDraft, LabelsAs

# In `chosen`: a person entered the licence, or whether the text can be published.
TERMS = "terms"
# Minimum certainty for files beside others: any text can be lines.
SURE = 0.6
# Maximum number of files that are examined separately.
MAX_APART = 20


def format_of(draft: ImportDraft) -> Format | None:
    """The format in which the draft is read; None while there is none."""
    return formats().get(draft.format)


def is_chosen(draft: ImportDraft, one: Mapping[str, Any], name: str) -> bool:
    """Whether a person chose the language, role or encoding of a file."""
    return f"files.{one['id']}.{name}" in draft.chosen


def punctuation_of(draft: ImportDraft) -> Punctuation:
    """How to split the files into tokens, judging by their beginning, if the format needs it."""
    found, files = format_of(draft), source_files(draft)
    if found is None or not files or draft.format not in UNDECIDED:
        return NOTHING
    try:
        return punctuation(found.read(files, options_of(draft)))
    except FormatError:
        # The preview shows their errors.
        return NOTHING


def guesses(draft: ImportDraft) -> list[Guess]:
    """Guesses for the files, the likeliest first, respecting choices of a person. Files that are read in another format
    than the draft's are ignored."""
    asked = [
        one for one in draft.files if file_format(draft, one) in ("", draft.format) and one.get("format") != LEFT_OUT
    ]
    return _guesses(draft, asked)


def _guesses(draft: ImportDraft, asked: Sequence[Mapping[str, Any]]) -> list[Guess]:
    ones = []
    for one in asked:
        chosen = {name: one[name] if is_chosen(draft, one, name) else "" for name in ("language", "role")}
        ones.append({**one, **chosen})
    files = untouched(draft, ones)
    try:
        if not files:
            return []
        return list(_guessed(tuple(files), tuple(draft.project.languages), tuple(formats_made_for(draft.project))))
    except FormatError as error:
        raise ActionError(problem_of(error).message) from error


@lru_cache(maxsize=32)
def _guessed(files: tuple[SourceFile, ...], languages: tuple[str, ...], at_home: tuple[str, ...]) -> tuple[Guess, ...]:
    # Every format looks into the files, and a choice and the preview after it ask again. What is stored under a name
    # of our own never changes.
    return tuple(recognise(files, languages=languages, at_home=at_home))


def doubts_of(draft: ImportDraft, found: Sequence[Guess]) -> list[str]:
    """Uncertain automatic choices, as messages."""
    doubts = next((guess.doubts for guess in found if guess.format == draft.format), {})
    main = [translate(doubt) for name, doubt in doubts.items() if f"options.{name}" not in draft.chosen]
    return main + [translate(doubt) for _mine, guess in _others(draft) for doubt in guess.doubts.values()]


def recognised(draft: ImportDraft) -> None:
    """Store the recognised values, except those that a person chose."""
    languages = draft.project.languages
    for one, file in zip(draft.files, all_files(draft), strict=True):
        if not one["encoding"]:
            one["encoding"] = examine(file.path, one["name"], languages=languages[:4]).encoding
    for one in draft.files:
        if is_chosen(draft, one, "format"):
            one["used"] = one["format"] != LEFT_OUT
        else:
            one |= {"used": True, "format": ""}
    was_tied = draft.options.get("match") == "order" and "options.match" not in draft.chosen
    found = _choose_main(draft)
    guess = next((one for one in found if one.format == draft.format), None)
    options: dict[str, Any] = {} if guess is None else options_as_json(guess.options)
    draft.options = {
        name: draft.options.get(name, default) if f"options.{name}" in draft.chosen else options.get(name, default)
        for name, default in DEFAULTS.items()
    }
    guessed = {} if guess is None else {file.path.name: file for file in guess.files}
    for one in draft.files:
        taken = guessed.get(one["stored"])
        one["used"] = guess is None or taken is not None
        for name in ("language", "role"):
            if not is_chosen(draft, one, name):
                one[name] = getattr(taken, name) if taken is not None else ""
        if not is_chosen(draft, one, "format"):
            one["format"] = draft.format if one["used"] else ""
    _recognise_others(draft)
    if "options.tokens" not in draft.chosen and draft.format in UNDECIDED:
        draft.options["tokens"] = punctuation_of(draft).tokens
    if "labels_as" not in draft.chosen:
        _take_as_the_format_says(draft)
    tie(draft, guess, was_tied=was_tied)
    # A file linked to a dataset in order keeps its name.
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


def _choose_main(draft: ImportDraft) -> list[Guess]:
    """Take the format of the files for which nobody chose one, or the one that was chosen for all; what they are
    taken for."""
    chosen = {one["format"] for one in draft.files if is_chosen(draft, one, "format")}
    free = [one for one in draft.files if not is_chosen(draft, one, "format")]
    if "format" not in draft.chosen:
        if free or not draft.files:
            first = next(iter(_guesses(draft, free)), None)
            draft.format = first.format if first is not None and not first.questions else ""
        elif draft.format not in chosen:
            draft.format = next((one["format"] for one in draft.files if one["format"] != LEFT_OUT), "")
    return guesses(draft)


def _recognise_others(draft: ImportDraft) -> None:
    """How the files are read for which somebody chose another format than the draft's."""
    others: dict[str, dict[str, Any]] = {}
    for one in draft.files:
        if is_chosen(draft, one, "format"):
            one["used"] = one["format"] != LEFT_OUT
    _recognise_rest(draft)
    for mine, guess in _others(draft):
        others[guess.format] = options_as_json(guess.options) | _of_text(draft, guess)
        guessed = {file.path.name: file for file in guess.files}
        for one in mine:
            for name in ("language", "role"):
                if one["stored"] in guessed and not is_chosen(draft, one, name):
                    one[name] = getattr(guessed[one["stored"]], name)
    if others:
        draft.options["others"] = others


def _others(draft: ImportDraft) -> Iterator[tuple[list[dict[str, Any]], Guess]]:
    """The files that are read in another format than the draft's, by format, and what they are taken for in it."""
    slugs = dict.fromkeys(file_format(draft, one) for one in draft.files)
    for slug in (slug for slug in slugs if slug not in ("", draft.format)):
        mine = [one for one in draft.files if file_format(draft, one) == slug]
        guess = next((guess for guess in _guesses(draft, mine) if guess.format == slug), None)
        if guess is not None:
            yield mine, guess


def _recognise_rest(draft: ImportDraft) -> None:
    """Take files that the draft's format does not read, or as lines because they are text, for what they surely are.

    The files of a zip belong together, so files of another sort stay left out.
    """
    rest = [
        one
        for one in draft.files
        if not (is_chosen(draft, one, "format") or "/" in one["name"])
        and (not one["used"] or reads_lines(draft.format))
    ]
    if not draft.format or "format" in draft.chosen or len(draft.files) < 2 or len(rest) > MAX_APART:
        return
    for one in rest:
        guess = next((guess for guess in _guesses(draft, [one]) if not guess.questions), None)
        if guess is not None and guess.sure >= SURE and fit_together([draft.format, guess.format]):
            one["used"], one["format"] = True, guess.format


def _of_text(draft: ImportDraft, guess: Guess) -> dict[str, Any]:
    """The chosen options of the text that apply to all formats."""
    said = {name: draft.options[name] for name in ("tokens", "widen", "positions") if f"options.{name}" in draft.chosen}
    return _split(guess) | said if guess.format in UNDECIDED else said


def _split(guess: Guess) -> dict[str, Any]:
    try:
        return {"tokens": punctuation(formats()[guess.format].read(guess.files, guess.options)).tokens}
    except FormatError:
        return {}


def _take_as_the_format_says(draft: ImportDraft) -> None:
    one = formats().get(draft.format)
    draft.labels_as = LabelsAs.NONE
    if isinstance(one, Remembers):
        # Such files are published: what they say was decided.
        draft.labels_as = LabelsAs.GOLD
    elif suggests := getattr(one, "suggests", ""):
        draft.labels_as = LabelsAs.MODEL
        draft.labels_name = draft.labels_name or suggests
