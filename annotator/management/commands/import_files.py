"""Import files in any format: the same as the wizard does, in one go."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotator.core.unit_kinds import counted_units
from annotator.imports.drafts.drafts import Upload, add_files, change_draft, drop_draft, finish_draft, start_draft
from annotator.imports.drafts.files import PIECE
from annotator.imports.drafts.preview_shapes import Preview
from annotator.imports.drafts.recognition import doubts_of, guesses
from annotator.imports.queries.imports import imports_of
from annotator.imports.reading.problems import Problem
from annotator.imports.writing.run import run_check, run_import
from annotator.management.base import Command as BaseCommand
from annotator.management.base import project_named, user_named
from annotator.models import ImportDraft, LabelsAs, Segment

PROBLEMS_SHOWN = 20
FILES_NAMED = 10
# What is chosen for the files where it is not given.
_GIVEN = ("dataset", "format", "labels_as", "licence", "publishable")


class Command(BaseCommand):
    help = "Import sentences, pairs and labels from files. With --check, only show what they contain."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, help="files, zips, or folders with everything in them")
        parser.add_argument("--project", required=True, help="its short name")
        parser.add_argument("--dataset", default="", help="dataset of the sentences (default: the file's name)")
        parser.add_argument("--format", default="", help="lines, csv, conllu, …; recognised by default")
        parser.add_argument(
            "--language", action="append", default=[], metavar="[FILE=]LANGUAGE", help="of all files, or of one of them"
        )
        parser.add_argument(
            "--columns", default="", metavar="id,text:es,…", help='what the columns are; "" leaves one out'
        )
        parser.add_argument(
            "--option", action="append", default=[], metavar="NAME=VALUE", help="tokens=words, header=true"
        )
        parser.add_argument(
            "--labels-as",
            choices=LabelsAs.values,
            default="",
            help="what labels become (default: none, but gold for files published as gold)",
        )
        parser.add_argument("--labels-name", default="", help="whose labels: a member's username, or a model's name")
        parser.add_argument("--labels-revision", default="", help="of the model")
        parser.add_argument(
            "--label",
            action="append",
            default=[],
            metavar="LABEL=[OURS[,ATTRIBUTE=VALUE…]]",
            help="what a label of the files becomes; nothing leaves it out",
        )
        parser.add_argument(
            "--splits", type=Path, help="a JSON file with corrections of sentences, as a draft's options have them"
        )
        parser.add_argument("--token-splits", type=Path, help="the same with corrections of tokens")
        parser.add_argument(
            "--licence", default="", help="licence of the text (default: that of the dataset, if known)"
        )
        parser.add_argument("--publishable", action="store_true", help="releases may contain the text")
        parser.add_argument("--by", default="", help="who imports: a username")
        parser.add_argument("--check", action="store_true", help="read everything and write nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        by = user_named(options["by"]) if options["by"] else None
        draft = start_draft(project=project, by=by)
        imported = False
        try:
            add_files(draft=draft, uploads=_uploads(options["paths"]), by=by)
            change_draft(draft=draft, changes=_changes(draft, options), by=by)
            for doubt in doubts_of(draft, guesses(draft)):
                self.note(doubt)
            if draft.format and (left := [file["name"] for file in draft.files if not file["used"]]):
                self.note(f"Left out: {', '.join(left[:FILES_NAMED])}{', …' if len(left) > FILES_NAMED else ''}")
            if options["check"]:
                self._show(draft, run_check(draft=draft))
                return
            summary = run_import(draft=draft, by=by)
            imported = True
            self._say(draft, summary)
        finally:
            if imported:
                newest = imports_of(project).filter(dataset=draft.dataset).first()
                finish_draft(draft=draft, imported=newest.pk if newest else None)
            else:
                drop_draft(draft=draft, by=by)

    def _say(self, draft: ImportDraft, summary: dict[str, Any]) -> None:
        self.say(f"Imported {draft.dataset} into {draft.project.slug}:")
        units = summary.get("units", {})
        for name, tally in summary["counts"].items():
            self.say(f"  {_named(name, units)}: {tally['new']} new, {tally['known']} known")
        if not summary["changed"]:
            self.say("  Everything was already in the project, so nothing was changed.")
        for name in ("differing", "outdated"):
            if summary[name]:
                self.say(f"  {name}: {len(summary[name])}, such as {summary[name][0]}")
        for warning in summary["warnings"][:PROBLEMS_SHOWN]:
            self.note(f"  {warning}")
        if len(summary["warnings"]) > PROBLEMS_SHOWN:
            self.note(f"  … and {len(summary['warnings']) - PROBLEMS_SHOWN} more")

    def _show(self, draft: ImportDraft, preview: Preview) -> None:
        counts = preview["counts"]
        kinds = {kind for numbers in counts["kinds"].values() for kind in numbers}
        self.say(f"Format: {preview['format'] or 'not recognised'}")
        for file in preview["files"]:
            properties = ", ".join(part for part in (file["encoding"], file["language"], file["role"]) if part)
            lines = f"; {file['lines']} lines" if file["lines"] is not None else ""
            held = "".join(f"; {_counted(kinds, number)} in {code}" for code, number in file["sentences"].items())
            self.say(f"  {file['name']}: {properties + lines + held if file['used'] else 'left out'}")
        self.say(f"Records: {counts['records']}, of which {counts['known']} are known; pairs: {counts['pairs']}")
        for language, number in counts["sentences"].items():
            self.say(f"  {language}: {_counted(kinds, number)}, {counts['tokens'][language]} tokens")
        for one in counts["says"]:
            whose = f"{one['says']} {one['name']}".strip()
            spans = f", {one['spans']} spans" if one["spans"] or kinds <= {""} else ""
            becomes = whose if draft.labels_as != LabelsAs.NONE else "left out (--labels-as imports them)"
            self.say(f"  labels, {becomes}: on {_counted(kinds, one['sentences'])}{spans}")
        for problem in preview["problems"][:PROBLEMS_SHOWN]:
            self.note(f"  {problem['severity']}: {Problem(**problem)}")
        self.say(f"Errors: {preview['errors']}, warnings: {preview['warnings']}")
        if not preview["ready"]:
            raise CommandError("This cannot be imported as it is.")


def _counted(kinds: Collection[str], number: int) -> str:
    """So many of what the files have: sentences, units of one kind, or texts of several kinds."""
    return f"{number} texts" if len(kinds) > 1 else counted_units(next(iter(kinds), "") or Segment.SENTENCE, number)


def _named(name: str, units: Mapping[str, Mapping[str, int]]) -> str:
    """What a row of a summary counts: pairs are no sentences, and what is decided on them is no categories."""
    what, _space, of = name.rpartition(" ")
    if what == "sentences" and any(units.get(of, {})):
        return f"texts {of} ({', '.join(counted_units(kind or Segment.SENTENCE, n) for kind, n in units[of].items())})"
    return name.replace("gold categories ", "gold of ", 1)


def _uploads(paths: list[Path]) -> list[Upload]:
    """The files that are given, each under a name of its own: where two would have the same, with their folders."""
    found: list[tuple[str, Path]] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(one for one in path.rglob("*") if one.is_file())
            found += ((str(one.relative_to(path)), one) for one in inside)
        else:
            found.append((path.name, path))
    if len({name for name, _path in found}) < len(found):
        whole = [path.resolve() for _name, path in found]
        above = os.path.commonpath([path.parent for path in whole])
        found = [(str(path.relative_to(above)), path) for path in whole]
    return [Upload(name, _chunks(path)) for name, path in found]


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece


def _changes(draft: ImportDraft, options: dict[str, Any]) -> dict[str, Any]:
    changes: dict[str, Any] = {
        "labels_name": options["labels_name"],
        "labels_revision": options["labels_revision"],
        "options": _options(options),
        "files": _languages(draft, options["language"]),
    }
    return changes | {name: options[name] for name in _GIVEN if options[name]}


def _options(options: dict[str, Any]) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    if options["columns"]:
        meanings = options["columns"].split(",")
        chosen["columns"] = {str(number): meaning.strip() for number, meaning in enumerate(meanings)}
    for one in options["option"]:
        name, equals, value = one.partition("=")
        if not equals:
            raise CommandError(f"--option takes a name and a value, such as tokens=words, not {one!r}.")
        chosen[name] = json.loads(value) if value in ("true", "false") else value
    if options["label"]:
        chosen["label_map"] = dict(map(_mapped, options["label"]))
    for name in ("splits", "token_splits"):
        if options[name]:
            try:
                chosen[name] = json.loads(options[name].read_text(encoding="utf-8"))
            except (OSError, ValueError) as error:
                raise CommandError(f"--{name.replace('_', '-')} needs a JSON file: {error}") from error
    return chosen


def _mapped(given: str) -> tuple[str, dict[str, Any]]:
    label, equals, becomes = given.partition("=")
    ours, *attributes = becomes.split(",")
    if not equals or not all("=" in one for one in attributes):
        raise CommandError(f"--label takes a label and what it becomes, such as METAPHOR=INDIRECT, not {given!r}.")
    return label, {"label": ours, "attributes": dict(one.split("=", 1) for one in attributes)}


def _languages(draft: ImportDraft, given: list[str]) -> dict[str, dict[str, str]]:
    languages: dict[str, dict[str, str]] = {}
    for one in given:
        name, _equals, language = one.rpartition("=")
        files = [file for file in draft.files if not name or file["name"] in (name, Path(name).name)]
        if not files:
            raise CommandError(f"--language names {name}, which is not among the files.")
        languages.update({file["id"]: {"language": language} for file in files})
    return languages
