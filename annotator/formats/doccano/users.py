"""doccano's export before version 1.0, and “JSONL” of those up to 1.2: labels by their numbers, and who gave each.

{"id": 1, "text": "…", "annotations": [{"label": 2, "start_offset": 0, "end_offset": 4, "user": 1}], "meta": {}}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotator.formats.json.span_objects import has_positions

ANNOTATIONS = "annotations"


def by_user(row: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """What each user labelled in a row, as rows of later versions; [] for a row without annotations of that sort.

    A user is the number that the row has, "" for none. Labels are called by their numbers.
    """
    given = row.get(ANNOTATIONS)
    if not isinstance(given, list) or not given:
        return []
    rest = {key: value for key, value in row.items() if key != ANNOTATIONS}
    found: dict[str, list[Any]] = {}
    for one in given:
        if not isinstance(one, dict) or "user" not in one or ("start_offset" not in one and has_positions(one)):
            return []
        user, name = str(one.get("user") or ""), str(one.get("label", one.get("text", "")))
        span = [one.get("start_offset"), one.get("end_offset"), name]
        found.setdefault(user, []).append(span if "start_offset" in one else name)
    return [(user, {**rest, "label": labels}) for user, labels in found.items()]
