"""What a table of a project is, and which ones are known: the core's (`core_tables/`) and those of kinds.

A table is made from figures, which are JSON: a job keeps them, and a page shows them in its reader's language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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


@dataclass(frozen=True, kw_only=True)
class CountedReport(FurtherReport):
    """A table that is registered: `figures` is the name of what it is made from, `show` makes it from that.

    `led_to`: whether a project's stages, with their layers, lead to it, where that takes more than a layer.
    """

    figures: str
    show: Callable[[Json], Report]
    led_to: Callable[[Project, Sequence[Stage]], bool] | None = None

    def belongs(self, project: Project, stages: Sequence[Stage]) -> bool:
        """Whether the project's stages, with their layers, lead to this table."""
        if self.led_to is not None:
            return self.led_to(project, stages)
        layers = [stage.layer for stage in stages if stage.layer.content_type in self.layers]
        return any(self.unit_kind in ("", layer.unit_kind) for layer in layers)


@dataclass(frozen=True)
class Figures:
    """What tables are made from, as JSON. `reports/queries/figures.py` says when it is counted.

    `applies`: whether a project has anything to count; asked for every page, so it looks into an index. `slow`: a job
    counts it in small projects, too.
    """

    applies: Callable[[Project], bool]
    count: Callable[[Project], Json]
    slow: bool = False


# The core's, which every release has.
REPORTS: dict[str, CountedReport] = {}
# Of kinds: shown and released where they have rows.
FURTHER: dict[str, CountedReport] = {}
FIGURES: dict[str, Figures] = {}


def register_report(kind: str, new: CountedReport) -> None:
    """Make a table known under its name in addresses and commands; packages of kinds do so when they are imported."""
    FURTHER[kind] = new


def register_figures(name: str, new: Figures) -> None:
    """Make figures known under the name by which tables and jobs ask for them."""
    FIGURES[name] = new


def register_counted(
    kind: str,
    new: FurtherReport,
    *,
    applies: Callable[[Project], bool],
    show: Callable[[Report], Report] = lambda report: report,
    slow: bool = False,
) -> None:
    """Make a table known whose figures are its own columns and rows, and the sentences that its values lead to.

    `applies` and `slow` are those of `Figures`. `show` adds what depends on the reader's language.
    """

    def count(project: Project) -> Json:
        report = new.compute(project)
        figures: Json = {"columns": list(report.columns), "rows": list(report.rows)}
        return figures | ({"leading": report.leading, "behind": report.behind} if report.leading else {})

    def shown(figures: Json) -> Report:
        report = plain_report(kind, tuple(figures["columns"]), figures["rows"])
        return show(replace(report, leading=figures.get("leading", ""), behind=figures.get("behind", {})))

    register_figures(kind, Figures(applies, count, slow))
    register_report(
        kind,
        CountedReport(
            new.title,
            new.text,
            lambda project: show(new.compute(project)),
            new.columns,
            new.needs,
            new.layers,
            new.languages,
            new.unit_kind,
            figures=kind,
            show=shown,
        ),
    )


def from_figures(
    name: str,
    show: Callable[[Json], Report],
    *,
    title: str | _StrPromise,
    text: str | _StrPromise,
    columns: Mapping[str, str | _StrPromise] | None = None,
    layers: tuple[str, ...] = (),
    languages: int = 1,
    led_to: Callable[[Project, Sequence[Stage]], bool] | None = None,
) -> CountedReport:
    """A table that is made from figures of this name."""

    def compute(project: Project) -> Report:
        return show(FIGURES[name].count(project))

    return CountedReport(
        title, text, compute, columns or {}, layers=layers, languages=languages, figures=name, show=show, led_to=led_to
    )


def further_reports(project: Project) -> Iterator[tuple[str, Report]]:
    """The tables of kinds by name, counted now, where there is anything to count; figures that several are made from
    are counted once."""
    counted: dict[str, Json | None] = {}
    for kind, one in FURTHER.items():
        if one.figures not in counted:
            of = FIGURES[one.figures]
            counted[one.figures] = of.count(project) if of.applies(project) else None
        if (found := counted[one.figures]) is not None:
            yield kind, one.show(found)


def report_named(kind: str) -> CountedReport:
    """The table of this name. Raises LookupError."""
    return FURTHER[kind] if kind in FURTHER else REPORTS[kind]


def permission_for(kind: str) -> Permission:
    """What somebody must be permitted to see a table."""
    return FURTHER[kind].needs if kind in FURTHER else Permission.VIEW
