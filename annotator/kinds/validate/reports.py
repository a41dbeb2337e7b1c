"""How much of what was judged is accepted, and why the rest is not."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from django.utils.translation import gettext_lazy

from annotator.domain.content.verdict import ACCEPT, REASONS, VERDICT
from annotator.domain.shares import wilson
from annotator.models import Annotation, AnnotationState, Project
from annotator.permissions import Permission
from annotator.queries.reports import FurtherReport, Report, plain_report
from annotator.verdict_words import REASONS as REASON_WORDS


def validation(project: Project) -> Report:
    """By language: finished verdicts, those that accept with their share and its interval, and the reasons of others.

    Verdicts on texts that were rewritten since count, too.
    """
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    rows = Annotation.objects.filter(
        project=project, layer__content_type=VERDICT.slug, state=AnnotationState.DONE
    ).values_list("unit__language", "content")
    for language, content in rows.iterator():
        found[language][content["verdict"]] += 1
        if content["reason"]:
            found[language][content["reason"]] += 1
    report: list[dict[str, Any]] = []
    for language in (one for one in project.languages if one in found):
        counts = found[language]
        number = sum(counts[verdict] for verdict in ("accept", "reject", "correct"))
        low, high = wilson(counts[ACCEPT], number)
        report.append(
            {
                "language": language,
                "verdicts": number,
                "accepted": counts[ACCEPT],
                "%": f"{100 * counts[ACCEPT] / number:.1f}",
                "interval": f"{100 * low:.1f}–{100 * high:.1f}",
                "corrected": counts["correct"],
                **{reason: counts[reason] for reason in REASONS},
            }
        )
    columns = ("language", "verdicts", "accepted", "%", "interval", "corrected", *REASONS)
    return plain_report("validation", columns, report)


REPORT = FurtherReport(
    gettext_lazy("Validation"),
    gettext_lazy("Verdicts on what people wrote: how many accept it (with the 95 % interval), and why others do not."),
    validation,
    {
        "verdicts": gettext_lazy("Verdicts"),
        "accepted": gettext_lazy("Accepted"),
        "interval": gettext_lazy("Interval"),
        "corrected": gettext_lazy("Corrected"),
        **{code: words for code, (words, _text) in REASON_WORDS.items()},
    },
    needs=Permission.ADJUDICATE,
)
