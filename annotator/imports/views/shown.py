"""What the page of an import says of its preview: what the button will do, why it cannot, and the first sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.core.counts import grouped
from annotator.formats.conll.token_choice import UNDECIDED
from annotator.imports.drafts.line_edits import line_pairs
from annotator.imports.drafts.preview_shapes import Preview, RowShown, TranslationShown
from annotator.imports.drafts.sources import edits_made
from annotator.imports.queries.imports import imports_of
from annotator.imports.reading.problems import ERROR
from annotator.imports.views.words import SENTENCES, Words, numbers_of, words_of
from annotator.models import ImportDraft, LabelsAs
from annotator.templatetags.imports import language_names
from annotator.templatetags.words import language

# Names of datasets that a note lists.
DATASETS = 5


def shown_preview(draft: ImportDraft, preview: Preview) -> dict[str, Any]:
    """`button`, `reason` (empty: it can be pressed), `notes`, `languages` and `rows`: the texts in their order."""
    counts = preview["counts"]
    words = words_of(preview["format"])
    languages = [code for code in draft.project.languages if code in counts["sentences"]]
    languages += [code for code in counts["sentences"] if code not in languages]
    return {
        "words": words,
        "title": _title(preview, words),
        "button": _button(preview, languages, words),
        "reason": _reason(draft, preview, words),
        "notes": _notes(draft, preview, words),
        "unknown_languages": unknown_languages(draft, preview),
        "languages": languages,
        "tables": _tables(preview["rows"], languages),
        "numbers": [
            {
                "language": code,
                "number": numbers_of(counts["kinds"][code]),
                "tokens": counts["tokens"].get(code, 0),
                "ratio": counts["ratio"].get(code),
            }
            for code in languages
        ],
        "cells": _cells(preview),
        "own_tokens": preview["format"] in UNDECIDED or preview["options"].get("tokens", "given") != "given",
        "to_check": bool(preview["format"])
        and (not preview["whole"] or not all(one["checked"] for one in preview["parallel"])),
        "unused": [one for one in draft.files if not one["used"]],
        "used": [one for one in draft.files if one["used"]],
        "edits": sum(len(edits_made(draft, one)) for one in draft.files),
        "has_pairs": bool(line_pairs(draft)),
    }


def _cells(preview: Preview) -> list[list[str]]:
    """The first rows of a table, from the first cells of its columns."""
    columns = [column["samples"] for column in preview["columns"]]
    return [list(cells) for cells in zip(*columns, strict=True)]


def _tables(rows: Sequence[RowShown], languages: Sequence[str]) -> list[dict[str, Any]]:
    """The rows side by side in all languages; a table for each language where no row has two of them."""
    if not rows:
        return []
    if any(len(row["texts"]) > 1 for row in rows):
        return [{"languages": languages, "rows": [_row(row, languages) for row in rows]}]
    found = []
    for code in languages:
        mine = [_row(row, [code]) for row in rows if row["texts"] and row["texts"][0]["language"] == code]
        if mine:
            found.append({"languages": [code], "rows": mine})
    return found


def _row(row: RowShown, languages: Sequence[str]) -> dict[str, Any]:
    by_language = {text["language"]: text for text in row["texts"]}
    nothing: dict[str, list[Any]] = {"tokens": [], "spans": [], "values": [], "parts": []}
    return {**row, "cells": [by_language.get(code, {"language": code, **nothing}) for code in languages]}


def _title(preview: Preview, words: Words) -> str:
    number = len(preview["rows"])
    text = ngettext("%(units)s, as it will appear", "The first %(units)s, as they will appear", number)
    return text % {"units": words.number(number)}


def _button(preview: Preview, languages: list[str], words: Words) -> str:
    counts = preview["counts"]
    if not counts["sentences"]:
        return _("Import")
    if not preview["whole"]:
        about = {"number": words.number(preview["expected"]), "language": language_names(languages)}
        return _("Import about %(number)s in %(language)s") % about
    by_number: dict[str, list[str]] = {}
    for code in languages:
        # Of units that count as sentences of their format, the format's word; of several kinds, each by its own.
        kinds = counts["kinds"][code]
        number = numbers_of(kinds) if len(kinds) > 1 else words.number(counts["sentences"][code])
        by_number.setdefault(number, []).append(code)
    each = [
        _("%(number)s in %(language)s") % {"number": number, "language": language_names(codes)}
        for number, codes in by_number.items()
    ]
    text = _("Import %(numbers)s") % {"numbers": language_names(each)}
    if counts["pairs"]:
        pairs = ngettext("%(number)s pair", "%(number)s pairs", counts["pairs"])
        text += ", " + pairs % {"number": grouped(counts["pairs"])}
    return text


def _reason(draft: ImportDraft, preview: Preview, words: Words) -> str:
    """Why it cannot be imported yet, and what to do; empty where it can."""
    if preview["ready"]:
        return ""
    if not draft.files:
        return _("Choose files first.")
    # No other choice of format helps a file that is damaged in some line.
    damaged = any(one["severity"] == ERROR and one["line"] for one in preview["problems"])
    if not preview["format"] and not damaged:
        return _("The format was not recognised. Choose it under “Format and language”.")
    if preview["errors"]:
        return ngettext(
            "Correct %(number)d error first: here, or in the file, which you can then choose again.",
            "Correct %(number)d errors first: here, or in the files, which you can then choose again.",
            preview["errors"],
        ) % {"number": preview["errors"]}
    return _("Nothing was found in the files. Try another format under “Format and language”.")


def _languages_there(draft: ImportDraft, languages: list[str]) -> list[str]:
    """Those of the languages in which the project has sentences of the draft's dataset."""
    there = draft.project.sentences.filter(segment__dataset=draft.dataset, is_current=True)
    return [code for code in languages if there.filter(language=code).exists()]


def _of_missing(draft: ImportDraft, preview: Preview, missing: list[str], words: Words) -> list[str]:
    """That languages are missing, and how sentences become translations of those that are there."""
    if not preview["counts"]["sentences"]:
        return []
    names = {"languages": language_names(missing)}
    datasets = list(imports_of(draft.project).values_list("dataset", flat=True).distinct()[:DATASETS])
    if preview["counts"]["known"] or not datasets or words is not SENTENCES:
        return [_("The files contain nothing in %(languages)s. You can add it later with another import.") % names]
    return [
        _(
            "The files contain no sentences in %(languages)s. If they are translations of sentences in the project, "
            "enter the dataset of those sentences under “Dataset” (%(datasets)s) and choose “Those of the dataset, in "
            "order”."
        )
        % {**names, "datasets": ", ".join(dict.fromkeys(datasets))}
    ]


def _of_translation(draft: ImportDraft, translation: TranslationShown) -> str:
    """Which texts a translation is tied to, or that it is tied to none, and what to do for it."""
    named = {**translation, "language": language(translation["language"]), "dataset": draft.dataset}
    if translation["tied"]:
        return _(
            "%(file)s is marked as a translation from %(language)s. Its texts are linked in order to those of the "
            "dataset %(dataset)s: the first to the first, and so on. If this is wrong, choose “New, or matched by "
            "ID” under “Dataset”."
        ) % {**named}
    if not translation["alone"]:
        what = _("To link them, import this file on its own, after the originals.")
    elif not translation["datasets"]:
        what = _("The project has no texts in that language. Import the originals first, then the translation.")
    else:
        each = [f"{name}: {grouped(number)}" for name, number in list(translation["datasets"].items())[:DATASETS]]
        what = _(
            "The file has %(number)s texts, but these datasets have other numbers: %(datasets)s. To link them, the "
            "file must have as many texts as its originals. To see where they differ, choose it under "
            "“Dataset” with “Those of the dataset, in order”."
        ) % {"number": grouped(translation["number"]), "datasets": "; ".join(each)}
    return (
        _(
            "%(file)s is marked as a translation from %(language)s, but its texts will not be linked to any others: "
            "they will be imported as separate texts."
        )
        % named
        + " "
        + what
    )


def unknown_languages(draft: ImportDraft, preview: Preview) -> list[str]:
    """Languages of the files which the project does not have: tags, each once."""
    found = [one["language"] for one in draft.files if one["used"]]
    found += [text["language"] for row in preview["rows"] for text in row["texts"]]
    return [code for code in dict.fromkeys(found) if code and code not in draft.project.languages]


def _notes(draft: ImportDraft, preview: Preview, words: Words) -> list[str]:
    """What one would not expect, and should know before importing."""
    translation = preview["translation"]
    found = [] if translation is None else [_of_translation(draft, translation)]
    if translation is None or not translation["tied"]:
        # What a translation is tied to is said.
        found += _of_what_is_there(draft, preview, words)
    if draft.labels_as == LabelsAs.NONE and preview["counts"]["labels"]:
        found.append(_("The labels in the files are left out. To import them, choose under “Labels” whose they are."))
    return found


def _of_what_is_there(draft: ImportDraft, preview: Preview, words: Words) -> list[str]:
    """Which of the texts the project has, and which of its languages are missing."""
    counts = preview["counts"]
    found = []
    missing = [code for code in draft.project.languages if code not in counts["sentences"]]
    there = _languages_there(draft, missing) if counts["known"] else []
    all_known = counts["known"] and counts["known"] == counts["records"]
    if all_known and there and any(counts["new"].values()):
        found.append(
            _("These sentences are already in the project in %(there)s. The import will add them in %(languages)s.")
            % {"there": language_names(there), "languages": language_names(list(counts["sentences"]))}
        )
    elif all_known:
        found.append(_("Everything in the files is already in the project. The import will add only what is new."))
    elif counts["known"]:
        text = ngettext(
            "%(units)s is already in the project and stays as it is.",
            "%(units)s are already in the project and stay as they are.",
            counts["known"],
        )
        found.append(text % {"units": words.number(counts["known"])})
    if missing := [code for code in missing if code not in there]:
        found += _of_missing(draft, preview, missing, words)
    return found
