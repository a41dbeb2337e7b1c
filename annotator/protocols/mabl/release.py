"""MABL's files in a release: imported ones as they were, and what was written here in the published layout."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from annotator.core.counts import grouped
from annotator.domain.content import CATEGORIES
from annotator.domain.content.verdict import CORRECT, GOES_OUT
from annotator.domain.leaving_out import NotReleased, Of, WhyNotReleased
from annotator.domain.pairs.figurative_pairs import UNIT_KIND
from annotator.imports.queries.imports import written_from_withheld
from annotator.models import Gold, Project, Segment, Unit
from annotator.protocols.mabl.columns import WITH_CATEGORIES, DecidedRow, Layout, written
from annotator.protocols.mabl.decided import categories, pair_of, verdicts
from annotator.protocols.mabl.stored import StoredFiles
from annotator.releases.queries.release_parts import Part, corrected_note
from annotator.work.gold.queries.left_out import LeftOut
from annotator.work.gold.queries.withheld import repeats_withheld, withheld
from annotator.work.queue.queries.returned import left_with_writers

Content = dict[str, Any]


def part(project: Project) -> Part:
    """`mabl/<dataset>/<file>` for each imported file; of what was written here `mabl/<language>.csv`, and
    `mabl/categories/<language>.csv` where categories are decided.

    A pair that nobody here wrote, and of which a correction is gold, goes out as corrected. Left out are pairs whose
    text, or that of their prompt, may not be published, pairs that are with their writers, and pairs that were
    rejected, unless their file says of each row whether it is valid.
    """
    files = _Files(project)
    for unit in _units(project):
        files.add(unit)
    return files.part(left_with_writers(project, UNIT_KIND))


def _units(project: Project) -> Iterator[Unit]:
    units = Unit.objects.published().filter(project=project, kind=UNIT_KIND, is_current=True)
    return (
        units.select_related("segment")
        .order_by("imported", "origin_file", "origin_line", "pk")
        .iterator(chunk_size=500)
    )


class _Files:
    """Sorts units into files."""

    def __init__(self, project: Project) -> None:
        self._verdicts = _by_unit(verdicts(project))
        self._categories = _by_unit(categories(project))
        self._kept_back = withheld(project)
        self._stored = StoredFiles(project)
        self._rows: defaultdict[str, list[tuple[int, DecidedRow]]] = defaultdict(list)
        self._layouts: dict[str, Layout] = {}
        self._left_out: list[LeftOut] = []
        self._datasets: list[str] = []
        # Of the pairs that no file brought: how many there are, and how many with categories.
        self._written = self._categorised = self._corrected = 0

    def add(self, unit: Unit) -> None:
        """A unit's rows go into the files to which they belong, or it is left out."""
        verdict = self._verdicts.get(unit.pk)
        # A pair written from a prompt may repeat it word by word.
        if repeats_withheld(unit, self._kept_back):
            is_own = (unit.language, unit.segment_id) in self._kept_back
            return self._leave_out(unit, NotReleased.WITHHELD, None if is_own else Of.PROMPT)
        if verdict is None:
            return self._leave_out(unit, NotReleased.NO_GOLD)
        answers = self._categories.get(unit.pk, {}).get("answers")
        valid = verdict["verdict"] in GOES_OUT
        self._corrected += verdict["verdict"] == CORRECT
        source = self._stored.of(unit)
        if source is not None:
            places = [(*source, unit.origin_line or 0), *self._stored.again(unit)]
            # A file that does not say which pairs are valid has none that are not, but those that it came with.
            places = [one for one in places if valid or one[1].has("valid") or one[2] in one[1].accepted]
            if not places:
                return self._leave_out(unit, NotReleased.REJECTED, note=verdict["reason"])
            for path, layout, line in places:
                self._write(path, layout, unit, valid, answers, line)
        elif not valid:
            return self._leave_out(unit, NotReleased.REJECTED, note=verdict["reason"])
        else:
            self._write(f"mabl/{unit.language}.csv", Layout(), unit, valid, answers)
            self._written += 1
            if answers is not None:
                self._categorised += 1
                path = f"mabl/categories/{unit.language}.csv"
                self._write(path, Layout(header=WITH_CATEGORIES), unit, valid, answers)

    def part(self, returned: Sequence[LeftOut]) -> Part:
        # What is in several files is in the order of the first.
        in_order = {path: sorted(rows, key=lambda row: row[0]) for path, rows in self._rows.items()}
        files = {path: written(self._layouts[path], rows) for path, rows in in_order.items()}
        words = "figurative pairs, two rows each: imported files as they were, others by language"
        about = {"mabl/": words + corrected_note(self._corrected)}
        if any(path.startswith("mabl/categories/") for path in files):
            of = f"{self._categorised} of {self._written} pairs that were written here"
            about["mabl/categories/"] = f"the same with categories, where they are decided: {of}"
        return Part(files, about if files else {}, (*self._left_out, *returned), tuple(dict.fromkeys(self._datasets)))

    def _write(
        self, path: str, layout: Layout, unit: Unit, valid: bool, answers: list[Any] | None, line: int = 0
    ) -> None:
        self._layouts[path] = layout
        self._datasets.append(unit.segment.dataset)
        for row in pair_of(unit, self._verdicts.get(unit.pk)).rows:
            said = DecidedRow(row, valid, answers[row.label] if answers is not None else None)
            self._rows[path].append((line, said))

    def _leave_out(self, unit: Unit, code: NotReleased, of: Of | None = None, note: str = "") -> None:
        why = WhyNotReleased(code, "" if code == NotReleased.REJECTED else unit.language, of, note)
        self._left_out.append(LeftOut("pair", unit.segment.dataset, unit.segment.uid, unit.language, why))


def undecided(project: Project) -> Mapping[tuple[str, str], int]:
    """How many pairs a release leaves out until somebody decides whether they are valid."""
    decided = verdicts(project).filter(unit=OuterRef("pk"))
    units = Unit.objects.published().filter(~Exists(decided), project=project, kind=UNIT_KIND, is_current=True)
    units = units.exclude(imported__publishable=False).exclude(pk__in=written_from_withheld(project).values("pk"))
    counted = units.order_by().values_list("language").annotate(n=Count("pk"))
    return {(language, Segment.PAIR): number for language, number in counted}


def without_categories(project: Project) -> str:
    """Of how many accepted pairs categories are decided, where not of all, in a project that categorises."""
    if not project.layers.filter(content_type=CATEGORIES.slug, unit_kind=UNIT_KIND, stages__isnull=False).exists():
        return ""
    decided = Exists(categories(project).filter(unit=OuterRef("unit")))
    accepted = verdicts(project).filter(content__verdict__in=GOES_OUT, unit__is_current=True)
    numbers = accepted.aggregate(all=Count("pk"), decided=Count("pk", filter=Q(decided)))
    if numbers["decided"] == numbers["all"]:
        return ""
    text = _(
        "Categories are decided for %(decided)s of %(all)s accepted pairs. A release does not need categories: it "
        "includes the other pairs without them."
    )
    return text % {"decided": grouped(numbers["decided"]), "all": grouped(numbers["all"])}


def _by_unit(golds: QuerySet[Gold]) -> dict[int, Content]:
    return dict(golds.values_list("unit_id", "content"))
