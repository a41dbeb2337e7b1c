"""The shape of a split in a project backup, as far as pages and releases read it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotator.backup.actions.shapes import (
    Misfit,
    Shape,
    anything,
    keyed,
    listed,
    mapped,
    one_of,
    several,
    text,
    whole,
)
from annotator.backup.actions.texts import identity, sha256, spelt, time
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.splits.actions.job_settings import MAX_PARTS, NAME
from annotator.splits.queries.stored import LeakKind

_FIT = _("does not match the rows that it refers to")
_many = whole(0, 2**40)
_numbers = listed(_many, MAX_PARTS)
_place = whole(0, MAX_PARTS - 1)
_called = text(200)
_stratum = keyed(
    {
        **dict.fromkeys(("dataset", "role", "inference", "language", "state"), _called),
        "items": _numbers,
        "left_out": _many,
    }
)
_row = keyed(
    {
        **dict.fromkeys(("part", "language", "role", "inference"), _called),
        **dict.fromkeys(("items", "tokens", "labelled_tokens"), _many),
        "states": mapped(_many),
    }
)
_leak = keyed(
    {
        "parts": several(_place, _place),
        "shared": _many,
        "items": several(_many, _many),
        "examples": listed(several(identity, identity), 100),
    }
)
_leakage = keyed(
    {
        "kind": one_of(list(LeakKind)),
        "language": _called,
        **dict.fromkeys(("names", "spread", "uncompared"), _many),
        "leaks": listed(_leak),
    }
)

# Parts and splits are called as files can be.
SPLIT_COLUMNS: Mapping[str, Shape] = {
    "name": spelt(NAME, 100, _("the name of a file")),
    "parts": listed(spelt(NAME, 100, _("the name of a file")), MAX_PARTS, once=True),
    "params": mapped(anything),
    "sha256": sha256,
    "results": keyed(
        {"sizes": _numbers, "strata": listed(_stratum), "table": listed(_row), "leakage": listed(_leakage)},
        {"unmatched": _many},
    ),
    # Nothing of a split that is being made is in a backup.
    "published_at": time,
}


class Splits:
    """The splits of a backup: `kind` is the code of what they split."""

    def __init__(self) -> None:
        self._parts_and_kinds: list[tuple[int, int]] = []

    def add(self, row: Mapping[str, Any], kind: int) -> None:
        """Check that the results of a split are those of its parts. Raises Misfit."""
        parts, results = len(row["parts"]), row["results"]
        leaks = [leak for one in results["leakage"] for leak in one["leaks"]]
        lengths = {len(results["sizes"]), *(len(one["items"]) for one in results["strata"])}
        if lengths != {parts} or any(place >= parts for leak in leaks for place in leak["parts"]):
            raise Misfit(message(_FIT), "results")
        self._parts_and_kinds.append((parts, kind))

    def check(self, row: Mapping[str, Any], kind: int) -> None:
        """Check that an item is of the kind that its split is about, and in a part of it. Raises Misfit."""
        parts, wanted = self._parts_and_kinds[row["split_id"] - 1]
        if row["part"] is not None and row["part"] >= parts:
            raise Misfit(message(_FIT), "part")
        if kind != wanted:
            raise Misfit(message(_FIT), "segment_id")
