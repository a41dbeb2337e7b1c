"""The files of a draft for reading: most in the draft's format, others in a separate one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from annotator.core.files.storage import site_files
from annotator.formats.common.line_edits import LineEdit
from annotator.formats.common.protocol import Format, Options, SourceFile
from annotator.formats.registry import brings_units, formats, is_parallel, reads_lines
from annotator.models import ImportDraft

# Of `Options`, as JSON; the others are the import's own.
DEFAULTS: Mapping[str, Any] = {
    **{name: value for name, value in asdict(Options()).items() if name != "columns"},
    "columns": {},
    # Records without an ID are new segments, or the segments of the dataset in order.
    "match": "id",
    # Of those segments the ones with a text in this language; "" for all.
    "originals": "",
    # Whether lines that seem missing or repeated in one language are accepted.
    "parallel": "checked",
    # By label or category of the files, what it becomes: `domain.incoming_labels.LabelMapping`.
    "label_map": {},
    # Manual splits and joins of sentences and tokens: `domain.formats.corrections.Corrections`.
    "splits": {},
    "token_splits": {},
}
# The choice of a person not to read a file.
LEFT_OUT = "none"


@dataclass(frozen=True, slots=True)
class Group:
    """Files of a draft that are read together, in one format."""

    format: Format
    files: Sequence[SourceFile]
    options: Options


def groups_of(draft: ImportDraft) -> list[Group]:
    """The draft's files by format: the draft's own first, then those that are read in another one."""
    slugs = [draft.format, *(file_format(draft, one) for one in draft.files)]
    found = []
    for slug in dict.fromkeys(slugs):
        files = _sources(draft, [one for one in draft.files if file_format(draft, one) == slug])
        if files and slug in formats():
            found.append(Group(formats()[slug], files, options_of(draft, slug)))
    return found


def file_format(draft: ImportDraft, one: Mapping[str, Any]) -> str:
    """The slug of the format in which a file is read; "" where it is not."""
    if not one["used"]:
        return ""
    return str(one.get("format") or draft.format)


def source_files(draft: ImportDraft) -> list[SourceFile]:
    """The files that are read in the draft's format."""
    return _sources(draft, [one for one in draft.files if one["used"] and file_format(draft, one) == draft.format])


def all_files(draft: ImportDraft) -> list[SourceFile]:
    """The draft's files, whether they are read or not."""
    return _sources(draft, draft.files)


def untouched(draft: ImportDraft, ones: Sequence[Mapping[str, Any]]) -> list[SourceFile]:
    """The original files, without edits of their lines."""
    return _sources(draft, [{**one, "edits": []} for one in ones])


def source_of_file(draft: ImportDraft, one: Mapping[str, Any]) -> SourceFile:
    """One file of the draft."""
    return _sources(draft, [one])[0]


def options_of(draft: ImportDraft, slug: str = "") -> Options:
    """How the files are read that are in the draft's format, or in another one: as it was recognised there."""
    given = {**DEFAULTS, **draft.options}
    if slug not in ("", draft.format):
        given |= draft.options.get("others", {}).get(slug, {})
    columns = {int(number): meaning for number, meaning in given["columns"].items()}
    return Options(**{**{field.name: given[field.name] for field in fields(Options)}, "columns": columns})


def options_as_json(options: Options) -> dict[str, Any]:
    """As a draft stores them."""
    found = asdict(options)
    return {**found, "columns": {str(number): meaning for number, meaning in found["columns"].items()}}


def fit_together(slugs: Iterable[str]) -> bool:
    """Whether one import can read files of these formats: parallel sentences."""
    several = set(slugs)
    return len(several) < 2 or all(is_parallel(slug) and not brings_units(slug) for slug in several)


def edits_of(one: Mapping[str, Any]) -> list[LineEdit]:
    """The edits of the lines of a file."""
    return [LineEdit(edit["what"], edit["line"]) for edit in one.get("edits", ())]


def edits_made(draft: ImportDraft, one: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The edits of the lines of a file that is read by lines, with author and time."""
    return list(one.get("edits", ())) if reads_lines(file_format(draft, one)) else []


def _sources(draft: ImportDraft, ones: Sequence[Mapping[str, Any]]) -> list[SourceFile]:
    return [
        SourceFile(one["name"], path, one["encoding"] or "utf-8", one["language"], one["role"], tuple(edits_of(one)))
        for one, path in zip(ones, _paths(draft, ones), strict=True)
    ]


def _paths(draft: ImportDraft, ones: Sequence[Mapping[str, Any]]) -> list[Path]:
    names = [draft.file(one["stored"]) for one in ones]
    try:
        return site_files().fetch(*names)
    except FileNotFoundError:
        # The code that reads the missing file reports it.
        return [site_files().here(name) for name in names]
