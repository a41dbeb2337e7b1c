"""How much of the gold is labelled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.domain.labels.spans import spans_from_json
from annotator.domain.statistics import SentenceCount, count_sentence, detection_rows
from annotator.models import Project, Stage
from annotator.reports.queries.core_tables.sentences import current_sentences, has_gold
from annotator.reports.queries.headlines import percentage
from annotator.reports.queries.reports import Figures, Json, Report, ReportSpec, notes_of, share
from annotator.work.gold.queries.effective_content import effective_content

NAME = "detection"
# Columns of sentences, and what the list of them is filtered by.
_LISTED = {"labelled_sentences": {"gold": "yes", "marked": "labelled"}, "sentences": {"gold": "yes"}}
_COLUMNS = (
    "language", "dataset", "role",
    "labelled_tokens", "tokens", "%", "labelled_sentences", "sentences", "%",
)  # fmt: skip


def count(project: Project) -> Json:
    """Labelled tokens and sentences of the gold, per language, dataset and role."""
    counts: list[SentenceCount] = []
    undecided = 0
    for language in project.languages:
        gold = effective_content(project, project.label_layer, language=language, gold_only=True)
        sentences = current_sentences(project, language).values_list(
            "pk", "segment__dataset", "segment__role", "token_count"
        )
        for sentence, dataset, role, length in sentences.iterator():
            if sentence in gold:
                spans = spans_from_json(gold[sentence]["spans"])
                counts.append(count_sentence(language, dataset, role, spans, length))
            else:
                undecided += 1
    return {
        "rows": [row.to_json() for row in detection_rows(counts, project.roles)],
        "undecided": undecided,
        "on_sentence": sum(one.on_sentence for one in counts),
    }


def show(figures: Json) -> Report:
    """The table, with the shares in per cent, and what is not in it."""
    rows = figures["rows"]
    notes = notes_of(
        (figures["undecided"], _("Sentences without gold, not counted: %(count)d.")),
        (figures["on_sentence"], _("Labels on whole sentences, not counted among the tokens: %(count)d.")),
    )
    return Report(tuple(rows), _COLUMNS, tuple(map(_cells, rows)), notes, listed=_LISTED)


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    return (
        row["language"],
        row["dataset"],
        row["role"],
        str(row["labelled_tokens"]),
        str(row["tokens"]),
        share(row["labelled_tokens"], row["tokens"]),
        str(row["labelled_sentences"]),
        str(row["sentences"]),
        share(row["labelled_sentences"], row["sentences"]),
    )


def _led_to(project: Project, stages: Sequence[Stage]) -> bool:
    return any(stage.layer_id == project.label_layer.pk for stage in stages)


TABLE = ReportSpec(
    name=NAME,
    figures=Figures(NAME, lambda project: has_gold(project, project.label_layer), count),
    show=show,
    title=gettext_lazy("Labels"),
    text=gettext_lazy("Gold: labelled tokens and sentences."),
    led_to=_led_to,
    headline=percentage(
        "labelled_tokens",
        "tokens",
        gettext_lazy("of the tokens with gold are labelled: %(part)s of %(whole)s."),
    ),
)
