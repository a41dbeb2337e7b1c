"""What review did to projected labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.domain.spans import spans_from_json
from annotator.domain.statistics import ProjectionCount, count_projected, count_unprojected, projection_rows
from annotator.kind import kind_of
from annotator.models import Annotation, Project, Stage, Suggestion, SuggestionKind
from annotator.models.corpus_import import PUBLISHED
from annotator.queries.core_tables.sentences import current_sentences, has_gold, has_reviewed, reviewed, works_on
from annotator.queries.reports import Figures, Json, Report, from_figures, notes_of, plain_report
from annotator.queries.standing import standing
from annotator.queries.suggestions import rank

NAME = "projection"
_COLUMNS = (
    "language", "dataset", "role",
    "source", "projected", "lost", "gained", "target", "predicted", "revised", "total",
)  # fmt: skip
# What a review begins from, the most telling first.
_BEGAN = (SuggestionKind.PROJECTION.value, SuggestionKind.PREDICTION.value)


def count(project: Project) -> Json:
    """How the labels of the target languages came about, per language, dataset and role.

    A sentence's final labels are its gold, or, while nobody decided, its done annotation in review mode.
    What it began from is what the annotator was shown; without an annotation, the current projection
    or prediction. Sentences with neither gold nor annotation are not counted. Where several languages were projected
    onto a sentence, it counts once, by the projection that it began from; `began` has how many by each, in the order of
    the project's languages.
    """
    rows: list[dict[str, Any]] = []
    waiting = 0
    several: list[dict[str, Any]] = []
    for language in project.target_languages:
        counts = []
        began: Counter[str] = Counter()
        for one in _projection_counts(project, language, began):
            if one is None:
                waiting += 1
            else:
                counts.append(one)
        if len(project.sources_of(language)) > 1 and began:
            sources = [[source, began[source]] for source in project.languages if began[source]]
            several.append({"language": language, "sources": sources})
        rows += [{"language": language, **row.to_json()} for row in projection_rows(counts, project.roles)]
    return {"rows": rows, "waiting": waiting, "began": several}


def show(figures: Json) -> Report:
    """The table, and by which language sentences with several sources are counted."""
    text = _("Sentences in %(language)s by the source that their review began from: %(numbers)s.")
    sources = [
        text
        % {
            "language": one["language"],
            "numbers": ", ".join(f"{source}: {number}" for source, number in one["sources"]),
        }
        for one in figures["began"]
    ]
    waiting = notes_of((figures["waiting"], _("Sentences not yet reviewed, not counted: %(count)d.")))
    return plain_report(NAME, _COLUMNS, figures["rows"], (*sources, *waiting))


def _projection_counts(project: Project, language: str, sources: Counter[str]) -> Iterator[ProjectionCount | None]:
    """One count a sentence of the language; None for those nobody has reviewed yet. What a sentence began from is
    added to `sources`."""
    stands = standing(project, project.label_layer, language=language, reviewed_only=True)
    reviews: dict[int, Annotation] = {}
    for row in reviewed(project, language).select_related("suggestion__source").iterator(chunk_size=1000):
        reviews.setdefault(row.unit_id, row)
    current = _suggestions(project, language)
    for sentence in current_sentences(project, language).select_related("segment").iterator(chunk_size=1000):
        segment, length = sentence.segment, sentence.token_count
        if sentence.pk not in stands:
            yield None
            continue
        final = spans_from_json(stands[sentence.pk]["spans"])
        review = reviews.get(sentence.pk)
        # What the person saw, and where nobody looked, what they would see now.
        began = review.suggestion if review else current.get(sentence.pk)
        shown = (review.suggested if review else began and began.content) or {"spans": []}
        # Gold on an earlier text is nobody's prediction.
        of_gold = began is not None and began.kind == SuggestionKind.EARLIER_GOLD
        suggested = [] if of_gold else spans_from_json(shown["spans"])
        if began is None or began.kind != SuggestionKind.PROJECTION or began.source is None:
            yield count_unprojected(segment.dataset, segment.role, predicted=suggested, revised=final, length=length)
            continue
        sources[began.source_language] += 1
        yield count_projected(
            segment.dataset,
            segment.role,
            source=spans_from_json(began.detail["source_spans"]),
            source_length=began.source.token_count,
            projected=suggested,
            reviewed=final,
            length=length,
        )


def _suggestions(project: Project, language: str) -> dict[int, Suggestion]:
    """What a review of each sentence would begin from now."""
    rows = Suggestion.objects.filter(
        PUBLISHED, project=project, layer=project.label_layer, kind__in=_BEGAN, unit__language=language, is_current=True
    ).select_related("source")
    found: dict[int, Suggestion] = {}
    for row in sorted(rows, key=lambda row: rank(project, _BEGAN, row)):
        found.setdefault(row.unit_id, row)
    return found


def _led_to(project: Project, stages: Sequence[Stage]) -> bool:
    return bool(project.target_languages) and any(
        SuggestionKind.PROJECTION in kind_of(stage).suggests for stage in works_on(project.label_layer, stages)
    )


def _projected(project: Project) -> bool:
    """Whether there is a projection. One statement."""
    found = Suggestion.objects.filter(project=project, layer=project.label_layer, kind=SuggestionKind.PROJECTION)
    return bool(project.target_languages) and found.exists()


def _there(project: Project) -> bool:
    """Whether there is a projection, or anything for a stage that reviews them to have begun from."""
    if _projected(project):
        return True
    stages = list(project.stages.select_related("layer"))
    return _led_to(project, stages) and (has_gold(project, project.label_layer) or has_reviewed(project))


COUNTED = Figures(_there, count)
TABLE = from_figures(
    NAME,
    show,
    title=gettext_lazy("Projections"),
    text=gettext_lazy("What review took away from projected labels, and what it added."),
    led_to=_led_to,
)
