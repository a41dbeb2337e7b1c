"""Numbers of samples, as MABL's Table 3 has them."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from django.utils.translation import gettext_lazy

from annotator.domain.content import FIGURATIVE_PAIR
from annotator.domain.content.verdict import ACCEPT
from annotator.domain.figurative_pairs import UNIT_KIND, FigurativePair
from annotator.kinds.mabl.decided import verdicts
from annotator.models import Project, Unit
from annotator.queries.reports import FurtherReport, Report, plain_report


def samples(project: Project) -> Report:
    """By language and dataset: pairs, their rows (a sample each), and how many pairs are accepted and rejected."""
    said = dict(verdicts(project).values_list("unit_id", "content__verdict"))
    found: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    units = Unit.objects.published().filter(project=project, kind=UNIT_KIND, is_current=True)
    for unit in units.select_related("segment").order_by("segment__position", "pk").iterator(chunk_size=500):
        counts = found[unit.language, unit.segment.dataset]
        counts["pairs"] += 1
        counts["samples"] += len(FigurativePair.of_text(unit.text).rows)
        if unit.pk in said:
            counts["accepted" if said[unit.pk] == ACCEPT else "rejected"] += 1
    rows: list[dict[str, Any]] = [
        {
            "language": language,
            "dataset": dataset,
            **{name: counts[name] for name in ("pairs", "samples", "accepted", "rejected")},
        }
        for (language, dataset), counts in sorted(found.items(), key=lambda one: project.languages.index(one[0][0]))
    ]
    return plain_report("mabl-samples", ("language", "dataset", "pairs", "samples", "accepted", "rejected"), rows)


SAMPLES = FurtherReport(
    gettext_lazy("Figurative pairs"),
    gettext_lazy("Pairs and their samples (two a pair), by language and dataset, and what was decided on them."),
    samples,
    {
        "pairs": gettext_lazy("Pairs"),
        "samples": gettext_lazy("Samples"),
        "accepted": gettext_lazy("Accepted"),
        "rejected": gettext_lazy("Rejected"),
    },
    layers=(FIGURATIVE_PAIR.slug,),
)
