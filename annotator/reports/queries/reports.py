"""What a table of a project is.

A table is made from figures, which are JSON: a job keeps them, and a page shows them in its reader's language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from annotator.core.permissions import Permission
from annotator.models import Project, Stage
from annotator.reports.queries.headlines import Headliner

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

# Columns of names, which stand to the left; the others are numbers.
NAMES = frozenset(
    {
        *("language", "dataset", "role", "inference", "name", "genre", "other", "similar", "languages"),
        "part",
        *("source_language", "question", "answer", "detector", "aligner"),
        *("layer", "split", "seen"),
    }
)

Json = dict[str, Any]


@dataclass(frozen=True)
class HeatMap:
    """Numbers from 0 to 1 for every two of `names`; None where there is none."""

    names: tuple[str, ...]
    cells: tuple[tuple[float | None, ...], ...]


# By value, then by language: the ids of units in reading order, and the line of each one's text.
Behind = Mapping[str, Mapping[str, Sequence[tuple[int, int]]]]

# By column, the filters of the list of sentences (`search/queries/filters.py`).
Listed = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class Report:
    """A table: its rows as JSON objects, and the same as texts in columns, with `notes` on what is not counted.

    `heat`: the same numbers as a picture, where they have a shape. `leading`: the column whose values lead to the
    sentences that have them, and `behind` which sentences these are. `listed`: the columns that count sentences, each
    with what the list of sentences is filtered by for it, beside what the row is of.
    """

    rows: tuple[dict[str, Any], ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    heat: HeatMap | None = None
    leading: str = ""
    behind: Behind = field(default_factory=dict)
    listed: Listed = field(default_factory=dict)


def plain_report(columns: tuple[str, ...], rows: Sequence[dict[str, Any]], notes: tuple[str, ...] = ()) -> Report:
    """A table whose cells are its rows' values."""
    cells = tuple(tuple(str(row[column]) for column in columns) for row in rows)
    return Report(tuple(rows), columns, cells, notes)


def share(part: int, whole: int) -> str:
    """A cell: the part in per cent with two decimals; "-" of nothing."""
    return f"{100 * part / whole:.2f}" if whole else "-"


def notes_of(*counted: tuple[int, str]) -> tuple[str, ...]:
    """The texts whose count, their gap `count`, is not 0."""
    return tuple(text % {"count": count} for count, text in counted if count)


@dataclass(frozen=True)
class Figures:
    """What tables are made from, as JSON, under a name. `reports/queries/figures.py` says when it is counted.

    `applies`: whether a project has anything to count; asked for every page, so it looks into an index. `slow`: a job
    counts it in small projects, too.
    """

    name: str
    applies: Callable[[Project], bool]
    count: Callable[[Project], Json]
    slow: bool = False


def table_figures(
    name: str, compute: Callable[[Project], Report], applies: Callable[[Project], bool], *, slow: bool = False
) -> Figures:
    """Figures of one table: its columns and rows, and the sentences that its values lead to."""

    def count(project: Project) -> Json:
        report = compute(project)
        figures: Json = {"columns": list(report.columns), "rows": list(report.rows)}
        return figures | ({"leading": report.leading, "behind": report.behind} if report.leading else {})

    return Figures(name, applies, count, slow)


def table_of(figures: Json) -> Report:
    """The table that `table_figures` counted."""
    report = plain_report(tuple(figures["columns"]), figures["rows"])
    return replace(report, leading=figures.get("leading", ""), behind=figures.get("behind", {}))


@dataclass(frozen=True, kw_only=True)
class ReportSpec:
    """A table of projects: its name in addresses and commands, its texts, and how it is made from its figures.

    `show` makes the table in the reader's language; `columns` are headings that the core has no words for. `needs`:
    anyone who may see it. A table that counts what others answered before it is decided needs ADJUDICATE, as the
    agreement page does: to an annotator who is blind it would tell what the others chose. `counts_answers`: it counts
    them beside what is decided, for everyone but those who are answering blind.

    `layers`: content types; in a project with a stage on such a layer, the page says of the table what it will count
    before it has rows; of layers on units of one kind, where `unit_kind` says so. `led_to`: whether a project's
    stages, with their layers, lead to it, where that takes more than a layer. `languages`: how many a project must
    have, for a table that compares them. `headline`: the one number of the figures, where there is one.
    """

    name: str
    title: str | _StrPromise
    text: str | _StrPromise
    figures: Figures
    show: Callable[[Json], Report] = table_of
    columns: Mapping[str, str | _StrPromise] = field(default_factory=dict)
    needs: Permission = Permission.VIEW
    counts_answers: bool = False
    layers: tuple[str, ...] = ()
    unit_kind: str = ""
    led_to: Callable[[Project, Sequence[Stage]], bool] | None = None
    languages: int = 1
    headline: Headliner = lambda _figures: None

    def compute(self, project: Project) -> Report:
        """The table, counted now."""
        return self.show(self.figures.count(project))

    def belongs(self, project: Project, stages: Sequence[Stage]) -> bool:
        """Whether the project's stages, with their layers, lead to this table."""
        if self.led_to is not None:
            return self.led_to(project, stages)
        layers = [stage.layer for stage in stages if stage.layer.content_type in self.layers]
        return any(self.unit_kind in ("", layer.unit_kind) for layer in layers)
