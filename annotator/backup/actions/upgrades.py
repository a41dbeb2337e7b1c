"""Archives of earlier formats: what each change of the format asks for, so that they can be restored today."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Values = dict[str, Any]
Change = Callable[[Values], None]

FORMAT = 4
"""Raised whenever the columns of an archive change, with an entry in UPGRADES; a test compares the columns."""


def _nothing(_values: Values) -> None:
    """The settings stay as they are."""


@dataclass(frozen=True)
class Upgrade:
    """Change one format into the next: the project's own fields, and by table of the values of a row, in place.
    `tables`: those that only the next one has."""

    settings: Change = _nothing
    rows: Mapping[str, Change] = field(default_factory=dict)
    tables: frozenset[str] = frozenset()


def _without_job(row: Values) -> None:
    """Formats 1 and 2 had jobs, and rows that named theirs."""
    row.pop("job_id", None)


def _not_followed(suggestion: Values) -> None:
    """Nothing said whether the source changed; it is counted again once all is restored."""
    _without_job(suggestion)
    suggestion.setdefault("source_changed", False)
    suggestion.setdefault("reviewed_from", None)


def _neighbours(stage: Values) -> None:
    """Format 2 had no setting for what a stage shows around its sentences."""
    stage.setdefault("context", "neighbours")


def _not_known(answer: Values) -> None:
    """What was shown around a unit was not kept."""
    answer.setdefault("context", "")


def _without_chosen(gold: Values) -> None:
    """Until format 3 nothing said what gold was chosen from."""
    gold.setdefault("chosen", None)


def _in_the_corpus(segment: Values) -> None:
    """Nothing could be set aside."""
    segment.setdefault("set_aside_reason", "")
    segment.setdefault("set_aside_by_id", None)


def _with_nothing(unit: Values) -> None:
    unit.setdefault("set_aside_with_id", None)


def _untrained(stage: Values) -> None:
    """Until format 4 no stage asked for a training batch, or gave items again."""
    stage.setdefault("training", {})
    stage.setdefault("again", 0)


def _not_known_original(imported: Values) -> None:
    """Until format 4 nobody said which language texts were written in."""
    imported.setdefault("original_language", "")


def _without_card(project: Values) -> None:
    """Until format 4 a project had no dataset card, its releases no pseudonyms that were kept, and it had no splits."""
    project.setdefault("dataset_card", {})


# By format, what leads to the next one.
UPGRADES: Mapping[int, Upgrade] = {
    1: Upgrade(),
    2: Upgrade(
        rows={
            **dict.fromkeys(("import", "alignment", "release"), _without_job),
            "suggestion": _not_followed,
            "stage": _neighbours,
            "assignment": _not_known,
            "annotation": _not_known,
            "gold": _without_chosen,
            "segment": _in_the_corpus,
            "unit": _with_nothing,
        }
    ),
    3: Upgrade(
        settings=_without_card,
        tables=frozenset({"pseudonym", "repeat", "split", "splitrow"}),
        rows={"stage": _untrained, "import": _not_known_original},
    ),
}


def oldest() -> int:
    """The oldest format that is restored."""
    return min(UPGRADES, default=FORMAT)


def later_tables(found: int) -> set[str]:
    """The tables that archives of format `found` do not have."""
    return {table for step in range(found, FORMAT) for table in UPGRADES[step].tables}


def upgraded_settings(values: Values, found: int) -> Values:
    """The project's own fields of an archive of format `found`, as today's has them."""
    for step in range(found, FORMAT):
        UPGRADES[step].settings(values)
    return values


def row_upgrades(table: str, found: int) -> list[Change]:
    """What is to be done with each row of a table of an archive of format `found`, in order."""
    return [UPGRADES[step].rows[table] for step in range(found, FORMAT) if table in UPGRADES[step].rows]
