"""Numbers of samples, as MABL's Table 3 has them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from django.utils.translation import gettext_lazy

from annotator.domain.content import FIGURATIVE_PAIR
from annotator.domain.content.verdict import ACCEPT, CORRECT, REJECT
from annotator.domain.pairs.figurative_pairs import UNIT_KIND, FigurativePair
from annotator.domain.statistics import ALL
from annotator.models import Project, Unit
from annotator.protocols.mabl.decided import verdicts
from annotator.protocols.mabl.stored import StoredFiles
from annotator.reports.queries.headlines import total
from annotator.reports.queries.report_lists import has_units
from annotator.reports.queries.reports import Report, ReportSpec, plain_report, table_figures

_COUNTED = {ACCEPT: "accepted", CORRECT: "corrected", REJECT: "rejected"}


def samples(project: Project) -> Report:
    """By language and dataset: pairs, their rows (a sample each), and how many pairs are accepted and rejected.

    Corrected are those that nobody here wrote, and that go out in the words of a correction; the column is there where
    some are. Pairs that were translated from another language are in none of these. They have a column of their own,
    where there are any.
    """
    said = dict(verdicts(project).values_list("unit_id", "content__verdict"))
    found: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for unit, is_translated in _pairs(project):
        counts = found[unit.language, unit.segment.dataset]
        if is_translated:
            counts["translations"] += 1
            continue
        counts["pairs"] += 1
        counts["samples"] += len(FigurativePair.of_text(unit.text).rows)
        if unit.pk in said:
            counts[_COUNTED[said[unit.pk]]] += 1
    columns = ["pairs", "samples", "accepted", "rejected"]
    if any(counts["corrected"] for counts in found.values()):
        columns.insert(3, "corrected")
    if any(counts["translations"] for counts in found.values()):
        columns.append("translations")
    rows: list[dict[str, Any]] = [
        {"language": language, "dataset": dataset, **{name: counts[name] for name in columns}}
        for (language, dataset), counts in _with_totals(project, found).items()
    ]
    return plain_report(("language", "dataset", *columns), rows)


def _with_totals(project: Project, found: dict[tuple[str, str], Counter[str]]) -> dict[tuple[str, str], Counter[str]]:
    """Counts in the order of the project's languages, each with its sum over datasets (ALL) where it has several."""
    rows: dict[tuple[str, str], Counter[str]] = {}
    for language in project.languages:
        datasets = {place: counts for place, counts in found.items() if place[0] == language}
        rows |= datasets
        if len(datasets) > 1:
            rows[language, ALL] = sum(datasets.values(), Counter())
    return rows


def _pairs(project: Project) -> Iterator[tuple[Unit, bool]]:
    """Every current pair, with whether it is a translation: its file says so, or its slot had one in another language
    before."""
    files = StoredFiles(project)
    units = Unit.objects.published().filter(project=project, kind=UNIT_KIND).select_related("segment")
    ordered = units.defer("lemmas", "content_words").order_by("segment__position", "segment", "pk")
    for _segment, revisions in groupby(ordered.iterator(chunk_size=500), key=lambda unit: unit.segment_id):
        translated: dict[str, bool] = {}
        for unit in revisions:
            if unit.language not in translated:
                translated[unit.language] = bool(translated) or files.says_translated(unit)
            if unit.is_current:
                yield unit, translated[unit.language]


SAMPLES = ReportSpec(
    name="mabl-samples",
    title=gettext_lazy("Figurative pairs"),
    text=gettext_lazy(
        "Pairs and their samples (two per pair), by language and dataset, and the decisions on them. Translations "
        "of pairs from another language are counted separately."
    ),
    figures=table_figures("mabl-samples", samples, has_units(UNIT_KIND)),
    columns={
        "pairs": gettext_lazy("Pairs"),
        "samples": gettext_lazy("Samples"),
        "accepted": gettext_lazy("Accepted"),
        "corrected": gettext_lazy("Corrected"),
        "rejected": gettext_lazy("Rejected"),
        "translations": gettext_lazy("Translated pairs"),
    },
    layers=(FIGURATIVE_PAIR.slug,),
    headline=total("pairs", gettext_lazy("figurative pairs, without translated ones.")),
)
