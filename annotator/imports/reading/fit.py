"""Whether a record of an import can be a segment of the project at all, whatever else the project has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from django.db.models import Model
from django.utils.translation import gettext as _

from annotator.core.errors import quoted
from annotator.domain.text.tokens import MAX_CHARACTERS, MAX_TOKENS
from annotator.formats.common.records import PairRecord, Record, Text
from annotator.imports.reading.problems import Problems
from annotator.models import Project

# What PostgreSQL cannot store, and halves of characters.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
# What an id may not have: it is a field of a line in many files.
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_IDS = {"uid", "pair_id"}


class Fit:
    """Looks at records of an import into a project; `problems` hears what is wrong or unusual."""

    def __init__(self, project: Project, problems: Problems) -> None:
        self._project = project
        self._problems = problems

    def of(self, record: Record) -> bool:
        """Whether the record can be imported."""
        project = self._project
        fine = True
        if "" in record.texts:
            self._problems.error(
                record,
                _("a language for this file, chosen in the file list (languages of this project: %(known)s)")
                % {"known": ", ".join(project.languages)},
                _("none"),
                once=f"language of {record.file}",
            )
            return False
        if unknown := [language for language in record.texts if language not in project.languages]:
            self._problems.error(
                record,
                _(
                    "The files have sentences in %(unknown)s, but the languages of this project are %(known)s. Add the "
                    "language in the project's settings, or choose another one for the file."
                )
                % {
                    "unknown": ", ".join(unknown),
                    "known": ", ".join(project.languages),
                },
                once="languages",
            )
            fine = False
        if record.role and project.roles and record.role not in project.roles:
            self._problems.error(
                record,
                _(
                    "The files have the role %(unknown)s, but this project has %(known)s. Edit the files, or choose "
                    "the role in the list of files."
                )
                % {"unknown": quoted(record.role), "known": ", ".join(project.roles)},
                once="roles",
            )
            fine = False
        for text in record.texts.values():
            fine = self._tokens(record, text) and fine
        if fine and not any(text.tokens for text in record.texts.values()):
            self._problems.warn(record, _("There is no text here, so it is left out."))
            return False
        return fine

    def lengths(self, read: Record | PairRecord, model: type[Model], **values: str) -> None:
        """PostgreSQL would refuse them in words of its own, SQLite would not."""
        longest = _longest(model)
        for name, value in values.items():
            most = longest[name]
            if most and len(value) > most:
                self._problems.error(
                    read,
                    _("The %(name)s %(text)s is longer than %(most)d characters. Nothing was imported.")
                    % {"name": name, "text": quoted(value), "most": most},
                )
            elif not storable([value]):
                self._problems.error(read, _("text that can be stored"), quoted(value))
            elif name in _IDS and not can_be_id(value):
                self._problems.error(read, _("an ID without tabs, line breaks or control characters"), quoted(value))

    def _tokens(self, record: Record, text: Text) -> bool:
        record = record.at(text)
        length = len(text.tokens)
        if length > MAX_TOKENS:
            self._problems.error(
                record,
                _("a sentence of at most %(most)d tokens") % {"most": MAX_TOKENS},
                _("%(number)d tokens") % {"number": length},
            )
            return False
        characters = sum(map(len, text.tokens))
        if characters > MAX_CHARACTERS:
            self._problems.error(
                record,
                _("a sentence of at most %(most)d characters") % {"most": MAX_CHARACTERS},
                _("%(number)d characters") % {"number": characters},
            )
            return False
        if text.lemmas and len(text.lemmas) != length:
            self._problems.error(record, _("one lemma per token"), str(len(text.lemmas)))
            return False
        if text.parts_of_speech and len(text.parts_of_speech) != length:
            self._problems.error(record, _("one part of speech per token"), str(len(text.parts_of_speech)))
            return False
        if not storable(text.tokens) or not storable(text.spaces) or not storable(text.lemmas):
            self._problems.error(record, _("text that can be stored"), _("the character U+0000, or half a character"))
            return False
        return True


@cache
def _longest(model: type[Model]) -> Mapping[str, int | None]:
    """By field, how many characters it takes."""
    return {field.name: field.max_length for field in model._meta.concrete_fields}


def can_be_id(text: str) -> bool:
    """Whether a text can be the id of a segment or a pair, as far as its characters go."""
    return not _CONTROLS.search(text)


def storable(texts: Iterable[str]) -> bool:
    """Whether every database can store the texts."""
    text = "".join(texts)
    return not _UNSTORABLE.search(text)
