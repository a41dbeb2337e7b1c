"""What became of labels on their way to another language: by machine, and after review."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.core.kind import kind_of
from annotator.domain.labels.spans import spans_from_json
from annotator.domain.labels.translations import translations_of
from annotator.domain.projection.carry import SourceOutcome
from annotator.domain.projection.outcomes import lost_of
from annotator.domain.statistics import ProjectionCount, count_projected, count_unprojected, projection_rows
from annotator.models import Annotation, Project, Stage, Suggestion, SuggestionKind
from annotator.models.corpus_import import PUBLISHED
from annotator.reports.queries.core_tables.sentences import (
    current_sentences,
    has_gold,
    has_reviewed,
    reviewed,
    works_on,
)
from annotator.reports.queries.headlines import percentage
from annotator.reports.queries.reports import Figures, Json, Report, ReportSpec, notes_of, plain_report
from annotator.work.answering.queries.suggestions import rank
from annotator.work.gold.queries.effective_content import effective_content

NAME = "projection"
_COLUMNS = (
    "language", "dataset", "role",
    "source", "projected", "unaligned", "dropped",
    "kept", "shifted", "lost", "lost_not_projected", "gained", "target", "labelled_tokens",
    "predicted", "revised",
)  # fmt: skip
# Not the table's name: what jobs kept under that counted tokens, and has no such columns.
_FIGURES = "projection-outcomes"
# What a review begins from, the most telling first.
_BEGAN = (SuggestionKind.PROJECTION.value, SuggestionKind.PREDICTION.value)


def count(project: Project) -> Json:
    """What became of labels on their way to each target language, in spans, per dataset and role.

    A sentence's final labels are its gold, or, while nobody decided, its done annotation in review mode. What it began
    from is what the annotator was shown; without an annotation, or where gold on an earlier text was shown, the
    current projection or prediction. Sentences with neither gold nor annotation are not counted. Where several
    languages were projected onto a sentence, it counts once, by the projection that it began from; `began` has how many
    by each, in the order of the project's languages. `unprojected`: sentences that no projection reached though their
    source has labels.
    """
    rows: list[dict[str, Any]] = []
    tally: Counter[str] = Counter()
    several: list[dict[str, Any]] = []
    for language in project.target_languages:
        began: Counter[str] = Counter()
        counts = []
        for source, one in projection_counts(project, language, tally):
            counts.append(one)
            if source is not None:
                began[source.source_language] += 1
        if len(project.sources_of(language)) > 1 and began:
            sources = [[source, began[source]] for source in project.languages if began[source]]
            several.append({"language": language, "sources": sources})
        rows += [{"language": language, **row.to_json()} for row in projection_rows(counts, project.roles)]
    return {"rows": rows, "waiting": tally["waiting"], "unprojected": tally["unprojected"], "began": several}


def show(figures: Json) -> Report:
    """The table, and by which language sentences with several sources are counted."""
    text = _("Sentences in %(language)s by the source language that their review started from: %(numbers)s.")
    sources = [
        text
        % {
            "language": one["language"],
            "numbers": ", ".join(f"{source}: {number}" for source, number in one["sources"]),
        }
        for one in figures["began"]
    ]
    notes = notes_of(
        (figures["waiting"], _("Sentences not yet reviewed, not counted: %(count)d.")),
        (
            figures["unprojected"],
            _("Sentences whose source has labels that were not projected: %(count)d. Their spans count as gained."),
        ),
    )
    return plain_report(_COLUMNS, figures["rows"], (*sources, *notes))


def projection_counts(
    project: Project, language: str, tally: Counter[str] | None = None
) -> Iterator[tuple[Suggestion | None, ProjectionCount]]:
    """One count for each reviewed sentence of the language, with the projection that its review began from, if it did
    from one. `waiting` and `unprojected` sentences are added to `tally`."""
    tally = Counter() if tally is None else tally
    stands = effective_content(project, project.label_layer, language=language, reviewed_only=True)
    labelled = _labelled_sources(project, language)
    reviews: dict[int, Annotation] = {}
    for row in reviewed(project, language).select_related("suggestion").iterator(chunk_size=1000):
        reviews.setdefault(row.unit_id, row)
    current = _suggestions(project, language)
    for sentence in current_sentences(project, language).select_related("segment").iterator(chunk_size=1000):
        segment, length = sentence.segment, sentence.token_count
        if sentence.pk not in stands:
            tally["waiting"] += 1
            continue
        final = spans_from_json(stands[sentence.pk]["spans"])
        review = reviews.get(sentence.pk)
        # What the person saw, and where nobody looked, what they would see now.
        began = review.suggestion if review else current.get(sentence.pk)
        suggested = (review.suggested if review else began and began.content) or {"spans": []}
        if began is not None and began.kind == SuggestionKind.EARLIER_GOLD:
            # Gold on an earlier text is nobody's prediction.
            began, suggested = current.get(sentence.pk), {"spans": []}
        if began is None or began.kind != SuggestionKind.PROJECTION:
            tally["unprojected"] += segment.pk in labelled
            predicted = spans_from_json(suggested["spans"])
            yield (
                None,
                count_unprojected(segment.dataset, segment.role, predicted=predicted, revised=final, length=length),
            )
            continue
        outcomes = [SourceOutcome.from_json(one) for one in began.detail.get("outcomes", ())]
        said = translations_of(stands[sentence.pk])
        lost = lost_of(outcomes, [one for one in said if one.language == began.source_language])
        yield (
            began,
            count_projected(segment.dataset, segment.role, outcomes=outcomes, reviewed=final, length=length, lost=lost),
        )


def _labelled_sources(project: Project, language: str) -> set[int]:
    """The segments (ids) that have labels in a language that is projected onto this one."""
    found: set[int] = set()
    for source in project.sources_of(language):
        stands = effective_content(project, project.label_layer, language=source)
        labelled = {unit for unit, content in stands.items() if content["spans"]}
        rows = current_sentences(project, source).values_list("pk", "segment_id").order_by()
        found |= {segment for unit, segment in rows.iterator() if unit in labelled}
    return found


def _suggestions(project: Project, language: str) -> dict[int, Suggestion]:
    """What a review of each sentence would begin from now."""
    rows = Suggestion.objects.filter(
        PUBLISHED, project=project, layer=project.label_layer, kind__in=_BEGAN, unit__language=language, is_current=True
    )
    found: dict[int, Suggestion] = {}
    for row in sorted(rows, key=lambda row: rank(project, _BEGAN, row)):
        found.setdefault(row.unit_id, row)
    return found


def _led_to(project: Project, stages: Sequence[Stage]) -> bool:
    return bool(project.target_languages) and any(
        SuggestionKind.PROJECTION in kind_of(stage).suggestions for stage in works_on(project.label_layer, stages)
    )


def projected(project: Project) -> bool:
    """Whether there is a projection. One statement."""
    found = Suggestion.objects.filter(project=project, layer=project.label_layer, kind=SuggestionKind.PROJECTION)
    return bool(project.target_languages) and found.exists()


def _there(project: Project) -> bool:
    """Whether there is a projection, or anything for a stage that reviews them to have started from."""
    if projected(project):
        return True
    stages = list(project.stages.select_related("layer"))
    return _led_to(project, stages) and (has_gold(project, project.label_layer) or has_reviewed(project))


TABLE = ReportSpec(
    name=NAME,
    counts_answers=True,
    figures=Figures(_FIGURES, _there, count),
    show=show,
    title=gettext_lazy("Projections"),
    text=gettext_lazy(
        "Outcomes of source spans by machine and after review, and spans that the target gained. "
        "Predicted and revised spans are in sentences that no projection reached."
    ),
    led_to=_led_to,
    headline=percentage(
        "kept", "source", gettext_lazy("of the source spans were kept as they were projected: %(part)s of %(whole)s.")
    ),
)
