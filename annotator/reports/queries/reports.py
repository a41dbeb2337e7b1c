"""What a table of a project is.

A table is made from figures, which are JSON: a job keeps them, and a page shows them in its reader's language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from annotator.core.permissions import Permission
from annotator.models import Project, Stage

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

# Columns of names, which stand to the left; the others are numbers.
NAMES = frozenset({"language", "dataset", "role", "inference", "name", "genre", "other", "similar", "languages"})

Json = dict[str, Any]


@dataclass(frozen=True)
class HeatMap:
    """Numbers from 0 to 1 for every two of `names`; None where there is none."""

    names: tuple[str, ...]
    cells: tuple[tuple[float | None, ...], ...]


# By value, then by language: the ids of units in reading order, and the line of each one's text.
Behind = Mapping[str, Mapping[str, Sequence[tuple[int, int]]]]


@dataclass(frozen=True)
class Report:
    """A table: its rows as JSON objects, and the same as texts in columns, with `notes` on what is not counted.

    `heat`: the same numbers as a picture, where they have a shape. `leading`: the column whose values lead to the
    sentences that have them, and `behind` which sentences these are.
    """

    kind: str
    rows: tuple[dict[str, Any], ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    heat: HeatMap | None = None
    leading: str = ""
    behind: Behind = field(default_factory=dict)


def plain_report(
    kind: str, columns: tuple[str, ...], rows: Sequence[dict[str, Any]], notes: tuple[str, ...] = ()
) -> Report:
    """A table whose cells are its rows' values."""
    cells = tuple(tuple(str(row[column]) for column in columns) for row in rows)
    return Report(kind, tuple(rows), columns, cells, notes)


def share(part: int, whole: int) -> str:
    """A cell: the part in per cent with two decimals; "-" of nothing."""
    return f"{100 * part / whole:.2f}" if whole else "-"


def notes_of(*counted: tuple[int, str]) -> tuple[str, ...]:
    """The texts whose count, their gap `count`, is not 0."""
    return tuple(text % {"count": count} for count, text in counted if count)


@dataclass(frozen=True)
class FurtherReport:
    """A table: what it is called, what it counts, and how it is counted.

    `needs`: whoever may see it. One that counts what others answered before it is decided needs ADJUDICATE, as the
    agreement page does: to an annotator who is blind it would tell what the others chose. `layers`: content types; in a
    project with a stage on such a layer, the page says of the table what it will count before it has rows; of layers on
    units of one kind, where `unit_kind` says so. `languages`: how many a project must have, for a table that compares
    them.
    """

    title: str | _StrPromise
    text: str | _StrPromise
    compute: Callable[[Project], Report]
    # Headings of columns that the core has no words for.
    columns: Mapping[str, str | _StrPromise] = field(default_factory=dict)
    needs: Permission = Permission.VIEW
    layers: tuple[str, ...] = ()
    languages: int = 1
    unit_kind: str = ""


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


@dataclass(frozen=True, kw_only=True)
class CountedReport(FurtherReport):
    """A table under its name in addresses and commands: `show` makes it from `figures`.

    `led_to`: whether a project's stages, with their layers, lead to it, where that takes more than a layer.
    """

    name: str
    figures: Figures
    show: Callable[[Json], Report]
    led_to: Callable[[Project, Sequence[Stage]], bool] | None = None

    def belongs(self, project: Project, stages: Sequence[Stage]) -> bool:
        """Whether the project's stages, with their layers, lead to this table."""
        if self.led_to is not None:
            return self.led_to(project, stages)
        layers = [stage.layer for stage in stages if stage.layer.content_type in self.layers]
        return any(self.unit_kind in ("", layer.unit_kind) for layer in layers)


def counted_report(
    name: str,
    report: FurtherReport,
    *,
    applies: Callable[[Project], bool],
    show: Callable[[Report], Report] = lambda report: report,
    slow: bool = False,
) -> CountedReport:
    """A table whose figures are its own columns and rows, and the sentences that its values lead to.

    `applies` and `slow` are those of `Figures`. `show` adds what depends on the reader's language.
    """

    def count(project: Project) -> Json:
        found = report.compute(project)
        figures: Json = {"columns": list(found.columns), "rows": list(found.rows)}
        return figures | ({"leading": found.leading, "behind": found.behind} if found.leading else {})

    def shown(figures: Json) -> Report:
        found = plain_report(name, tuple(figures["columns"]), figures["rows"])
        return show(replace(found, leading=figures.get("leading", ""), behind=figures.get("behind", {})))

    return CountedReport(
        report.title,
        report.text,
        lambda project: show(report.compute(project)),
        report.columns,
        report.needs,
        report.layers,
        report.languages,
        report.unit_kind,
        name=name,
        figures=Figures(name, applies, count, slow),
        show=shown,
    )


def from_figures(  # noqa: PLR0913 -- the parts of a report, by name
    name: str,
    figures: Figures,
    show: Callable[[Json], Report],
    *,
    title: str | _StrPromise,
    text: str | _StrPromise,
    columns: Mapping[str, str | _StrPromise] | None = None,
    layers: tuple[str, ...] = (),
    languages: int = 1,
    led_to: Callable[[Project, Sequence[Stage]], bool] | None = None,
) -> CountedReport:
    """A table that is made from figures which other tables may be made from, too."""
    return CountedReport(
        title,
        text,
        lambda project: show(figures.count(project)),
        columns or {},
        layers=layers,
        languages=languages,
        name=name,
        figures=figures,
        show=show,
        led_to=led_to,
    )
