"""How much of what was judged is accepted, and why the rest is not."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_lazy

from annotator.core.permissions import Permission
from annotator.domain.content.verdict import ACCEPT, CORRECT, REASONS, VERDICT, VERDICTS
from annotator.domain.deciding import decided
from annotator.domain.shares import in_percent, majority
from annotator.models import Annotation, AnnotationState, Gold, Project
from annotator.reports.queries.headlines import Headline, share_headline
from annotator.reports.queries.report_lists import has_answers
from annotator.reports.queries.reports import Json, Report, ReportSpec, plain_report, table_figures
from annotator.work.answering.verdict_words import REASONS as REASON_WORDS


def validation(project: Project) -> Report:
    """By language: judged texts, those that are accepted with their share and its interval, and what verdicts say.

    A text is one trial, however many judged it: it is accepted where gold says so or, without gold, more than half of
    the finished verdicts. Where half of them do, or doubtful ones would be what decides, it is undecided, and in no
    share. Verdicts on texts that were rewritten
    since count, too.
    """
    verdicts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    texts: defaultdict[str, defaultdict[tuple[int, int], list[tuple[bool, bool]]]]
    texts = defaultdict(lambda: defaultdict(list))
    rows = Annotation.objects.filter(
        project=project, layer__content_type=VERDICT.slug, state=AnnotationState.DONE
    ).values_list("unit__language", "unit", "layer", "content", "doubt")
    for language, unit, layer, content, doubt in rows.iterator():
        verdicts[language][content["verdict"]] += 1
        verdicts[language][content["reason"]] += 1
        texts[language][unit, layer].append((content["verdict"] == ACCEPT, doubt))
    golds = Gold.objects.filter(project=project, layer__content_type=VERDICT.slug)
    settled = {
        (unit, layer): content["verdict"] == ACCEPT
        for unit, layer, content in golds.values_list("unit", "layer", "content").iterator()
    }
    return plain_report(
        ("language", "texts", "accepted", "%", "interval", "undecided", "verdicts", "corrected", *REASONS),
        [
            _row(language, [settled.get(key, decided(said, majority)) for key, said in texts[language].items()], counts)
            for language in project.languages
            if (counts := verdicts.get(language)) is not None
        ],
    )


def _row(language: str, outcomes: Sequence[bool | None], verdicts: Counter[str]) -> dict[str, Any]:
    accepted, undecided = outcomes.count(True), outcomes.count(None)
    share, interval = in_percent(accepted, len(outcomes) - undecided)
    return {
        "language": language,
        "texts": len(outcomes),
        "accepted": accepted,
        "%": share,
        "interval": interval,
        "undecided": undecided,
        "verdicts": sum(verdicts[verdict] for verdict in VERDICTS),
        "corrected": verdicts[CORRECT],
        **{reason: verdicts[reason] for reason in REASONS},
    }


def _headline(figures: Json) -> Headline | None:
    """The share of all languages, of the texts that are decided."""
    accepted = sum(row["accepted"] for row in figures["rows"])
    decided_on = sum(row["texts"] - row["undecided"] for row in figures["rows"])
    text = gettext_lazy("of the judged texts are accepted: %(part)s of %(whole)s.")
    return share_headline(accepted, decided_on, text) if decided_on else None


REPORT = ReportSpec(
    name="validation",
    title=gettext_lazy("Validation"),
    text=gettext_lazy(
        "Share of written texts that others accept, with its confidence interval, and why the rest are not accepted."
    ),
    figures=table_figures("validation", validation, has_answers(VERDICT.slug)),
    columns={
        "texts": gettext_lazy("Texts"),
        "undecided": gettext_lazy("Undecided"),
        "verdicts": gettext_lazy("Verdicts"),
        "accepted": gettext_lazy("Accepted"),
        "interval": gettext_lazy("Interval"),
        "corrected": gettext_lazy("Corrected"),
        **{code: words for code, (words, _text) in REASON_WORDS.items()},
    },
    needs=Permission.ADJUDICATE,
    layers=(VERDICT.slug,),
    headline=_headline,
)
