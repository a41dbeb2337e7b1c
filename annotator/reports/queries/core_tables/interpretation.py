"""What the gold tags of pairs say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.domain.labels.tags import Tag
from annotator.domain.statistics import PairCount, interpretation_rows
from annotator.models import Project, Segment, Stage, Unit
from annotator.reports.queries.core_tables.sentences import has_gold
from annotator.reports.queries.headlines import percentage
from annotator.reports.queries.reports import Figures, Json, Report, ReportSpec, notes_of, share
from annotator.work.gold.queries.effective_content import effective_content
from annotator.work.queue.queries.set_aside import standing_pairs

NAME = "interpretation"
_TAGS = ("relevant", "non_relevant", "no_metaphor")
_COLUMNS = ("dataset", "inference", "relevant", "%", "non_relevant", "%", "no_metaphor", "%", "total")


def count(project: Project) -> Json:
    """Gold pair tags per dataset and inference label, in the source language."""
    language, layer = project.source_language, project.tag_layer
    gold = effective_content(project, layer, language=language, gold_only=True) if layer else {}
    pairs = (
        Unit.objects.published()
        .filter(project=project, kind=Segment.PAIR, language=language, is_current=True)
        .order_by("segment__pair__position", "pk")
        .values_list("pk", "segment__pair__dataset", "segment__pair__inference")
    )
    counts = [PairCount(dataset, inference, gold[pair]["value"]) for pair, dataset, inference in pairs if pair in gold]
    return {
        "rows": [row.to_json() for row in interpretation_rows(counts, project.inferences)],
        "discarded": sum(one.tag == Tag.DISCARDED for one in counts),
        "undecided": standing_pairs(project).count() - len(gold),
    }


def show(figures: Json) -> Report:
    """The table, with the shares in per cent, and what is not in it."""
    rows = figures["rows"]
    notes = notes_of(
        (figures["discarded"], _("Discarded pairs, not counted: %(count)d.")),
        (figures["undecided"], _("Pairs without gold, not counted: %(count)d.")),
    )
    return Report(tuple(rows), _COLUMNS, tuple(map(_cells, rows)), notes)


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    tags = [cell for tag in _TAGS for cell in (str(row[tag]), share(row[tag], row["total"]))]
    return (row["dataset"], row["inference"], *tags, str(row["total"]))


def _led_to(project: Project, stages: Sequence[Stage]) -> bool:
    layer = project.tag_layer
    return layer is not None and any(stage.layer_id == layer.pk for stage in stages)


def _there(project: Project) -> bool:
    layer = project.tag_layer
    return layer is not None and has_gold(project, layer)


TABLE = ReportSpec(
    name=NAME,
    figures=Figures(NAME, _there, count),
    show=show,
    title=gettext_lazy("Pairs"),
    text=gettext_lazy("Gold pair tags, by inference label."),
    led_to=_led_to,
    headline=percentage(
        "relevant", "total", gettext_lazy("of the pairs with gold are relevant: %(part)s of %(whole)s.")
    ),
)
