"""How spans of the source were translated, as reviewers of projections say it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.core.kind import kind_of
from annotator.domain.labels.schemes import Attribute
from annotator.domain.labels.translations import Translation, translations_of
from annotator.models import Project, Stage, SuggestionKind
from annotator.reports.queries.core_tables.sentences import has_gold, has_reviewed, works_on
from annotator.reports.queries.reports import Figures, Json, Report, ReportSpec, plain_report
from annotator.work.answering.translation_words import answer_words, question_words
from annotator.work.gold.queries.effective_content import effective_content

NAME = "translations"
_COLUMNS = ("language", "source_language", "question", "answer", "in_target", "lost", "source_spans")


def count(project: Project) -> Json:
    """The spans of sources by what a review says of each, per target and source language, in spans.

    What stands on a sentence says it: its gold, or, while nobody decided, its done answer in review mode. Spans on
    which somebody decided without an answer to the question have a row of their own, with an empty answer.
    """
    asked = _asked(project)
    rows = []
    for language in project.target_languages:
        stands = effective_content(project, project.label_layer, language=language, reviewed_only=True)
        said = [one for content in stands.values() for one in translations_of(content)]
        for source in project.sources_of(language):
            here = [one for one in said if one.language == source]
            for name, attribute in asked.items():
                rows += _rows(language, source, name, attribute, here)
    return {"rows": rows}


def _rows(language: str, source: str, name: str, attribute: Attribute, said: Sequence[Translation]) -> list[Json]:
    tally = Counter(
        (one.source.attributes.get(name, ""), one.lost)
        for one in said
        if not attribute.labels or one.source.label in attribute.labels
    )
    if not tally:
        return []
    # Values that the list has no more are counted after those that it has.
    others = sorted({value for value, _lost in tally} - {*attribute.values, ""})
    return [
        {
            "language": language,
            "source_language": source,
            "question": attribute.name or name,
            "answer": value,
            "in_target": tally[value, False],
            "lost": tally[value, True],
            "source_spans": tally[value, False] + tally[value, True],
        }
        for value in (*attribute.values, *others, "")
        if value or tally[value, False] or tally[value, True]
    ]


def show(figures: Json) -> Report:
    """The table; as text, with a word for what has no answer, and what ships in the reader's language."""
    rows = [{**row, "answer": row["answer"] or _("no answer")} for row in figures["rows"]]
    told = [{**row, "question": question_words(row["question"]), "answer": answer_words(row["answer"])} for row in rows]
    return replace(plain_report(_COLUMNS, rows), cells=plain_report(_COLUMNS, told).cells)


def _asked(project: Project) -> dict[str, Attribute]:
    return {name: one for name, one in project.scheme.attributes.items() if one.translation}


def _led_to(project: Project, stages: Sequence[Stage]) -> bool:
    reviews = (
        SuggestionKind.PROJECTION in kind_of(stage).suggestions for stage in works_on(project.label_layer, stages)
    )
    return bool(_asked(project)) and any(reviews)


def _there(project: Project) -> bool:
    is_asked = bool(project.target_languages) and bool(_asked(project))
    return is_asked and (has_gold(project, project.label_layer) or has_reviewed(project))


TABLE = ReportSpec(
    name=NAME,
    counts_answers=True,
    figures=Figures(NAME, _there, count),
    show=show,
    title=gettext_lazy("How spans were translated"),
    text=gettext_lazy("Source spans by the answer that reviewers gave for each, in the target or lost."),
    columns={
        "source_language": gettext_lazy("Source language"),
        "question": gettext_lazy("Question"),
        "answer": gettext_lazy("Answer"),
        "in_target": gettext_lazy("In the target"),
        "source_spans": gettext_lazy("Source spans"),
    },
    led_to=_led_to,
)
