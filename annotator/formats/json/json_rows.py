"""The objects of JSON Lines, one per line; of a file that is one list of them, or one object that holds such a list."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.formats.common.beginnings import beginning, is_list
from annotator.formats.common.errors import FormatError, FormatWarning, quote
from annotator.formats.common.lines import open_lines
from annotator.formats.common.protocol import SourceFile
from annotator.formats.json.json_faults import json_fault_of_line
from annotator.formats.json.json_items import LongItemError, has_too_many, holds_items, json_items, too_many

# More are not what is said of a sentence.
MAX_KEYS = 1000


def read_objects(file: SourceFile) -> Iterator[tuple[int, dict[str, Any]] | FormatWarning | FormatError]:
    """The objects of a file with their lines; a FormatError for a line that is none.

    A file that is one list of objects is read as well, which pandas and doccano write under the name of JSON, and one
    object that holds such a list.
    """
    if is_list(file) or holds_items(file):
        yield from _listed(file)
        return
    with open_lines(file) as lines:
        for number, line in lines:
            if not line.strip():
                yield FormatWarning(file.name, number, message(_("a blank line")))
                continue
            if has_too_many(line):
                yield too_many(file.name, number)
                continue
            try:
                value = json.loads(line)
            except json.JSONDecodeError as error:
                yield file.error(number, _("a JSON object"), json_fault_of_line(error))
                continue
            except (RecursionError, ValueError):
                yield file.error(number, _("a JSON object with ordinary nesting and numbers"), quote(line, 80))
                continue
            yield _object(file, number, value)
        yield from lines.warnings


def first_object(file: SourceFile) -> Any:
    """The first value of a file of JSON Lines, or of a list; None where it is longer than a beginning.

    Raises ValueError, RecursionError or FormatError for what is not JSON.
    """
    held = holds_items(file)
    if held or is_list(file):
        try:
            return next((_paired(value) for _line, value in json_items(file, inside=held)), None)
        except LongItemError:
            return None
    first = next((line for line in beginning(file, 20) if line.strip()), "")
    # A line longer than the beginning cannot be parsed, but it begins like one.
    return None if first.startswith("{") and len(first) > 60_000 else _paired(json.loads(first))


def _listed(file: SourceFile) -> Iterator[tuple[int, dict[str, Any]] | FormatError]:
    found = False
    for number, value in json_items(file, inside=not is_list(file)):
        found = True
        yield _object(file, number, value)
    if not found:
        raise file.error(1, _("a list of objects"), _("an empty one"))


def _paired(value: Any) -> Any:
    """An object; of an example of spaCy's, a text and what is said of it in a list, as one."""
    if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], dict):
        return {"text": value[0], **value[1]}
    return value


def _object(file: SourceFile, number: int, value: Any) -> tuple[int, dict[str, Any]] | FormatError:
    value = _paired(value)
    if not isinstance(value, dict):
        shown = quote(json.dumps(value, ensure_ascii=False), 80)
        return file.error(number, _("a JSON object"), shown)
    if len(value) > MAX_KEYS:
        most, got = f"{MAX_KEYS:,}", f"{len(value):,}"
        return file.error(number, _("an object of at most %(most)s keys"), got, most=most)
    if _surrogates(value):
        return file.error(number, _("complete characters"), _("half a character (\\ud800 to \\udfff)"))
    return number, value


def _surrogates(value: Any) -> bool:
    """Whether a string holds half a character, which no file could be written with."""
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False
