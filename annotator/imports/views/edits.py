"""Edits of lines for pages: the edit, the lines of the file, its author and time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from annotator.core.counts import grouped
from annotator.formats.common.line_edits import DROP, INSERT, MERGE, EditedLines, LineEdit, Origin
from annotator.models import User


@dataclass(frozen=True, slots=True)
class EditShown:
    """An edit, by the line numbers of the original file. `last`: the one that an undo would undo."""

    file: str
    name: str
    language: str
    what: str
    by: str
    at: datetime | None
    last: bool


def edits_shown(files: Iterable[Mapping[str, Any]]) -> list[EditShown]:
    """All edits of some files of a draft or of an import, the newest first."""
    found = []
    for one in files:
        now = EditedLines()
        edits = one.get("edits", ())
        for number, edit in enumerate(edits, 1):
            done = LineEdit(edit["what"], edit["line"])
            what = _what(done, now.origins(done.line - 1, 1) if done.line > 1 else [], now.origins(done.line, 2))
            now.apply(done)
            shown = EditShown(
                one.get("id", ""), one["name"], one["language"], what, edit["by"], parse_datetime(edit["at"]),
                number == len(edits),
            )  # fmt: skip
            found.append((edit["at"], number, shown))
    names = {user.username: str(user) for user in User.objects.filter(username__in={one.by for *_at, one in found})}
    found.sort(key=lambda one: one[:2], reverse=True)
    return [_named(one, names) for *_at, one in found]


def _named(one: EditShown, names: Mapping[str, str]) -> EditShown:
    return EditShown(one.file, one.name, one.language, one.what, names.get(one.by, one.by), one.at, one.last)


def _what(edit: LineEdit, before: list[Origin], here: list[Origin]) -> str:
    if edit.what == INSERT:
        if not before:
            return _("Empty line inserted at the beginning")
        return _("Empty line inserted after %(line)s") % {"line": _called(before[0])}
    if edit.what == DROP:
        return _("Removed: %(line)s") % {"line": _called(here[0])}
    both = {"line": _called(here[0]), "next": _called(here[1])}
    return (
        _("Merged: %(line)s and %(next)s") % both if edit.what == MERGE else _("Swapped: %(line)s and %(next)s") % both
    )


def _called(origin: Origin) -> str:
    if not origin:
        return _("an inserted line")
    return _("line %(numbers)s") % {"numbers": " + ".join(map(grouped, origin))}
