"""The tables of a stored study, as pages and LaTeX have them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from annotator.core.counts import grouped
from annotator.models import AgreementStudy
from annotator.reports.queries.studies.stored import names_of
from annotator.reports.views.study_words import (
    DIMENSIONS,
    REMARKS,
    Row,
    category_name,
    coefficient_name,
    estimate_text,
    number_text,
    stratum_name,
    why_undefined,
)

# Coefficients of every stratum that a table has; files have all.
_OF_STRATA = ("alpha", "ac1", "observed", "positive")
# Beyond so many people a matrix has no room.
MAX_MATRIX = 12


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table; `address`: where its name leads."""

    name: str
    cells: Sequence[str]
    address: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its intervals as a chart. `first`: what its lines are; `axis`: `kappa` (−1 to 1), `share` (0 to 1)
    or `difference` (−1 to 1), of which `measured` says what."""

    title: str
    first: str
    headings: Sequence[str]
    lines: Sequence[Line]
    notes: Sequence[str] = ()
    intervals: Sequence[Mapping[str, Any]] = ()
    axis: str = "kappa"
    measured: str = ""


class Found:
    """The results of a study by what they are of."""

    def __init__(self, study: AgreementStudy) -> None:
        self.study = study
        self.results: Mapping[str, Any] = study.results
        keys = ("dimension", "stratum", "population", "coefficient", "label")
        self._rows: dict[tuple[Any, ...], Row] = {
            (*(row[key] for key in keys), *row["pair"]): row for row in self.results["rows"]
        }
        self._names = names_of(study)

    def names(self) -> list[str]:
        """The names of the people, by their numbers."""
        return self._names

    def row(
        self, coefficient: str, stratum: tuple[str, str] = ("all", "all"), population: str = "all", label: str = "",
        pair: Sequence[int] = (),
    ) -> Row | None:  # fmt: skip
        """A row, where it was computed."""
        return self._rows.get((*stratum, population, coefficient, label, *pair))

    @property
    def populations(self) -> list[str]:
        """All places; content words, where there are any."""
        content = any(row["population"] == "content" for row in self.results["rows"])
        return ["all", "content"] if content else ["all"]


def population_heading(population: str, found: Found) -> str:
    """The unit of the places in a column."""
    if found.populations == ["all"]:
        return _("Value")
    return _("Content words") if population == "content" else _("All tokens")


def coefficient_tables(found: Found) -> list[Table]:
    """The coefficients of all people over everything; then each category by itself."""
    (whole,) = [one for one in found.results["strata"] if one["dimension"] == "all"] or [_NOTHING]
    rows = [row for row in found.results["rows"] if row["dimension"] == "all" and row["population"] == "all"]
    of_all = [row for row in rows if not row["label"] and (not row["pair"] or len(found.names()) == 2)]
    tables = [_table(found, _("All coefficients"), of_all, whole)]
    by_label = [row for row in rows if row["label"] and (not row["pair"] or len(found.names()) == 2)]
    if by_label:
        given = whole["given"]
        numbers = [
            _("Given %(label)s: %(number)s.")
            % {"label": category_name(label, found.study), "number": grouped(given[label])}
            for label in found.results["values"]
            if given.get(label)
        ]
        tables.append(_table(found, _("By category"), by_label, whole, [" ".join(numbers)], remarks=False))
    return tables


_NOTHING = {"given": {}, "remarks": ["nothing"], "units": 0, "places": 0, "content": 0, "clusters": 0}


def _table(
    found: Found, title: str, rows: Sequence[Row], stratum: Mapping[str, Any], notes: Sequence[str] = (), *,
    remarks: bool = True,
) -> Table:  # fmt: skip
    lines, intervals, reasons = [], [], []
    for row in rows:
        same = [
            found.row(row["coefficient"], population=population, label=row["label"], pair=row["pair"])
            for population in found.populations
        ]
        name = coefficient_name(row, found.study)
        reason = why_undefined(row, stratum["remarks"])
        lines.append(Line(name, [*map(estimate_text, same)]))
        if reason:
            reasons.append(f"{name}: {reason}.")
        intervals.append(_interval(name, row))
    return Table(
        title,
        _("Coefficient"),
        [population_heading(population, found) for population in found.populations],
        lines,
        [*notes, *(remarks_of(stratum) if remarks else ()), *reasons],
        intervals,
        measured=_("All tokens") if len(found.populations) > 1 else "",
    )


def remarks_of(stratum: Mapping[str, Any]) -> list[str]:
    """What to mind of a stratum, as sentences."""
    return [str(REMARKS[code]) for code in stratum["remarks"] if code in REMARKS]


def _interval(name: str, row: Row, *, percent: bool = False) -> dict[str, Any]:
    text = number_text(row["value"], percent=percent) if row["value"] is not None else "–"
    return {"label": name, "value": row["value"], "low": row["low"], "high": row["high"], "text": text}


def pair_table(found: Found, layer: str) -> Table:
    """Every two people; each leads to their comparison."""
    names = found.names()
    lines, intervals = [], []
    coefficients = [
        name
        for name in ("cohen", "f1_tokens", "f1_exact", "f1_overlapping")
        if found.row(name, pair=(0, 1)) is not None
    ]
    populations = found.populations[1:]
    for one, other, places in found.results["pairs"]:
        rows = [found.row(name, pair=(one, other)) for name in coefficients]
        content = [found.row("cohen", population=name, pair=(one, other)) for name in populations]
        name = f"{names[one]} · {names[other]}"
        query = {"a": names[one], "b": names[other], "layer": layer, "language": found.study.language}
        estimates = map(estimate_text, [*rows[:1], *content, *rows[1:]])
        lines.append(Line(name, [grouped(places), *estimates], f"?{urlencode(query)}"))
        if rows and rows[0] is not None:
            intervals.append(_interval(name, rows[0]))
    headings = [coefficient_name({"coefficient": name, "label": ""}, found.study) for name in coefficients]
    if len(found.populations) > 1:
        headings.insert(1, _("Cohen's κ, content words"))
    return Table(_("Every two people"), _("People"), [_("Places"), *headings], lines, (), intervals, measured="κ")


def matrix(found: Found) -> list[tuple[str, list[dict[str, Any]]]]:
    """κ of every two people as the lower half of a matrix; empty where it would not fit, and of two people."""
    names = found.names()
    if not 2 < len(names) <= MAX_MATRIX:
        return []
    shared = {(one, other) for one, other, _places in found.results["pairs"]}

    def cell(one: int, other: int) -> dict[str, Any]:
        row = found.row("cohen", pair=(one, other))
        there = (one, other) in shared
        return {"a": names[one], "b": names[other], "there": there, "value": row["value"] if row else None}

    return [(names[other], [cell(one, other) for one in range(other)]) for other in range(1, len(names))]


def stratum_tables(found: Found, dimensions: Iterable[str] = tuple(DIMENSIONS)) -> list[Table]:
    """A table for each dimension of which there are several strata."""
    return [table for dimension in dimensions if (table := _of_dimension(found, dimension)) is not None]


def _of_dimension(found: Found, dimension: str) -> Table | None:
    strata = [one for one in found.results["strata"] if one["dimension"] == dimension]
    if not strata:
        return None
    if dimension in ("part", "month"):
        strata.sort(key=lambda one: one["stratum"])
    columns = [
        (coefficient, population)
        for coefficient in _OF_STRATA
        for population in found.populations
        if found.row(coefficient, population=population) is not None and (population == "all" or coefficient == "alpha")
    ]
    if len(found.names()) == 2:
        columns.insert(0, ("cohen", "all"))
    lines, intervals = [], []
    minded: dict[str, list[str]] = {}
    for one in strata:
        key, name = (dimension, one["stratum"]), stratum_name(dimension, one["stratum"])
        rows = [
            found.row(coefficient, key, population, pair=(0, 1) if coefficient == "cohen" else ())
            for coefficient, population in columns
        ]
        lines.append(Line(name, [grouped(one["units"]), grouped(one["places"]), *map(estimate_text, rows)]))
        alpha = found.row("alpha", key)
        if alpha is not None:
            intervals.append(_interval(name, alpha))
        for remark in remarks_of(one):
            minded.setdefault(remark, []).append(name)
    notes = [f"{', '.join(groups)}: {remark}" for remark, groups in minded.items()]
    if any(not line.cells[2].endswith(")") for line in lines):
        notes.append(_("Values without an interval are undefined in too many resamples."))
    if left := found.results["left_out"].get(dimension):
        notes.append(_("Items in groups that are not shown: %(number)s.") % {"number": grouped(left)})
    headings = [_("Items"), _("Places"), *(_column(found, *column) for column in columns)]
    return Table(
        str(DIMENSIONS[dimension]), _("Group"), headings, lines, [*_differences(found, dimension), *notes], intervals,
        measured="α",
    )  # fmt: skip


def _column(found: Found, coefficient: str, population: str) -> str:
    name = coefficient_name({"coefficient": coefficient, "label": ""}, found.study)
    return name if population == "all" else _("%(coefficient)s, content words") % {"coefficient": name}


def _differences(found: Found, dimension: str) -> list[str]:
    return [
        _("%(coefficient)s, “%(one)s” less “%(other)s”: %(difference)s.")
        % {
            "coefficient": coefficient_name({"coefficient": row["coefficient"], "label": ""}, found.study),
            "one": stratum_name(dimension, row["stratum"]),
            "other": stratum_name(dimension, row["less"]),
            "difference": estimate_text(row),
        }
        for row in found.results["differences"]
        if row["dimension"] == dimension and row["population"] == "all" and row["coefficient"] in ("alpha", "positive")
        and row["value"] is not None
    ]  # fmt: skip


def suggestion_tables(found: Found) -> list[Table]:
    """How far suggestions lead people; then agreement with and without them."""
    rows = found.results["anchoring"]
    if not rows:
        return stratum_tables(found, ["suggestions"])
    names = [_("All people") if row["person"] is None else found.names()[row["person"]] for row in rows]

    def table(title: str, headings: list[str], whole: str, parts: Sequence[str], note: str) -> Table:
        lines = [
            Line(
                name,
                [
                    grouped(row["units"]),
                    grouped(row[whole]),
                    *(estimate_text(row[part], percent=True) for part in parts),
                ],
            )
            for name, row in zip(names, rows, strict=True)
        ]
        intervals = [_interval(name, row[parts[-1]], percent=True) for name, row in zip(names, rows, strict=True)]
        return Table(title, _("Person"), headings, lines, [note], intervals, "difference", _("difference"))

    led = table(
        _("How far suggestions lead people"),
        [_("Items"), _("Suggested places"), _("Accepted"), _("Marked the same unaided"), _("Difference")],
        "suggested",
        ("accepted", "blind", "led"),
        _(
            "Each item was answered by somebody who saw a suggestion and by somebody else who did not. If the interval "
            "of the difference is above 0, people accept suggestions more often than others mark the same places "
            "unaided."
        ),
    )
    added = table(
        _("Places that nothing was suggested for"),
        [_("Items"), _("Other places"), _("Marked"), _("Marked unaided"), _("Difference")],
        "others",
        ("added", "blind_added", "less_added"),
        _(
            "If the interval of the difference is below 0, people who see suggestions mark less of what was not "
            "suggested."
        ),
    )
    # Where everything is suggested, or nothing.
    shown = [one for one, whole in ((led, "suggested"), (added, "others")) if any(row[whole] for row in rows)]
    return [*shown, *stratum_tables(found, ["suggestions"])]


def consistency_tables(found: Found) -> list[Table]:
    """People against themselves."""
    names = found.names()
    lines, intervals = [], []
    for row in found.results["consistency"]:
        name, share = names[row["person"]], row["same"] / row["places"]
        # What was stored before items were given again has none.
        numbers = [grouped(row.get("again", 0)), grouped(row["texts"]), grouped(row["places"])]
        numbers.append(number_text(share, percent=True))
        lines.append(Line(name, [*numbers, estimate_text(row["cohen"])]))
        intervals.append(_interval(name, row["cohen"]))
    if not lines:
        return []
    headings = [_("Items given again"), _("Repeated texts"), _("Places"), _("Same answer"), _("Cohen's κ")]
    note = _("Items given again, and the same text in several items: each answer against the person's next one to it.")
    return [Table(_("People against themselves"), _("Person"), headings, lines, [note], intervals, measured="κ")]


def word_tables(found: Found) -> list[Table]:
    """The words that people differ on most often; each leads to the sentences that have it."""
    rows = found.results["words"]
    if not rows:
        return []
    lines = [
        Line(
            row["word"],
            [
                grouped(row["differing"]),
                grouped(row["compared"]),
                number_text(row["differing"] / row["compared"], percent=True),
            ],
            # The index of words, by which sentences are found, has content words alone.
            f"?{urlencode({'q': row['word'], 'language': found.study.language})}" if row["content"] else "",
            found.study.language,
        )
        for row in rows
    ]
    headings = [_("Differing"), _("Compared"), _("Share")]
    return [Table(_("Words that people differ on most often"), _("Word"), headings, lines)]
