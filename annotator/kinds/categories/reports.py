"""Shares of categories, as MABL's Table 6 has them, and how far people agree on each."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext, gettext_lazy

from annotator.core.counts import grouped
from annotator.core.permissions import Permission
from annotator.domain.agreement.chance_corrected import conger_kappa
from annotator.domain.agreement.sets import alpha, jaccard, masi, nominal
from annotator.domain.content import CATEGORIES
from annotator.domain.content.categories import NONE
from annotator.domain.pairs.figurative_pairs import FigurativePair
from annotator.kinds.categories.texts import CATEGORIES as CATEGORY_WORDS
from annotator.kinds.categories.texts import value_words
from annotator.models import Annotation, AnnotationState, Gold, Layer, Project
from annotator.reports.queries.headlines import Headline, total
from annotator.reports.queries.report_lists import has_answers
from annotator.reports.queries.reports import Json, Report, ReportSpec, plain_report, table_figures, table_of


def shares(project: Project) -> Report:
    """By language: how many figurative sentences have gold, and the percentage of them that has each category."""
    rows: list[dict[str, Any]] = []
    values: dict[str, None] = {}
    for layer in _layers(project):
        values |= dict.fromkeys(layer.scheme_data["values"])
    for language in project.languages:
        counts: Counter[str] = Counter()
        golds = Gold.objects.filter(layer__in=_layers(project), unit__language=language, unit__is_current=True)
        for gold in golds.select_related("unit").iterator():
            there = FigurativePair.of_text(gold.unit.text).figurative
            for sentence, answer in zip(there, gold.content["answers"], strict=False):
                if sentence and answer is not None:
                    counts["sentences"] += 1
                    counts.update(answer or [NONE])
        if number := counts["sentences"]:
            share = {value: f"{100 * counts[value] / number:.1f}" for value in (*values, NONE)}
            rows.append({"language": language, "sentences": number, **share})
    return plain_report(("language", "sentences", *values, NONE), rows)


def category_agreement(project: Project) -> Report:
    """By category, over all who answered: Conger's kappa, which of two people is Cohen's, and Krippendorff's alpha; of
    the whole set, alpha with the MASI distance, and the mean Jaccard similarity."""
    rows: list[dict[str, Any]] = []
    for layer in _layers(project):
        by_person = [people for people in _answers(layer).values() if len(people) > 1]
        if not by_person:
            continue
        by_part = [list(people.values()) for people in by_person]
        pairs = [two for people in by_part for two in combinations(people, 2)]
        for value in layer.scheme_data["values"]:
            kappa = conger_kappa([{user: str(value in one) for user, one in people.items()} for people in by_person])
            rows.append(
                _row(value, len(pairs), kappa, alpha([[value in one for one in few] for few in by_part], nominal))
            )
        mean = sum(1 - jaccard(a, b) for a, b in pairs) / len(pairs)
        rows.append(_row("all", len(pairs), None, alpha(by_part, masi), mean))
    return plain_report(("name", "compared", "kappa", "alpha", "jaccard"), rows)


def with_words(figures: Json) -> Report:
    """The table of agreement with what its categories are called in the reader's language."""
    report = table_of(figures)
    cells = tuple((value_words("", name), *numbers) for name, *numbers in report.cells)
    return replace(report, cells=cells)


def _overall(figures: Json) -> Headline | None:
    """Alpha of the whole sets, of the first layer."""
    row = next((row for row in figures["rows"] if row["name"] == "all" and row["alpha"] != "–"), None)
    if row is None:
        return None
    text = gettext("is alpha of the whole sets, over %(number)s pairs of answers.")
    return Headline(number_format(row["alpha"]), text % {"number": grouped(row["compared"])})


def _layers(project: Project) -> list[Layer]:
    return [layer for layer in project.layers.all() if layer.content_type == CATEGORIES.slug]


def _answers(layer: Layer) -> dict[tuple[int, int], dict[int, frozenset[str]]]:
    """By unit and part, each person's finished answer."""
    found: defaultdict[tuple[int, int], dict[int, frozenset[str]]] = defaultdict(dict)
    done = Annotation.objects.filter(layer=layer, state=AnnotationState.DONE, unit__is_current=True).order_by(
        "user", "pk"
    )
    for unit, user, content in done.values_list("unit_id", "user_id", "content").iterator():
        for part, answer in enumerate(content["answers"]):
            if answer is not None:
                found[unit, part][user] = frozenset(answer)
    return found


def _row(name: str, compared: int, *values: float | None) -> dict[str, Any]:
    numbers = [*values, None][:3]
    names = ("kappa", "alpha", "jaccard")
    return {"name": name, "compared": compared, **dict(zip(names, map(_shown, numbers), strict=True))}


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


SHARES = ReportSpec(
    name="categories",
    title=gettext_lazy("Categories"),
    text=gettext_lazy("Percentage of figurative sentences with gold in each category. A sentence can have several."),
    figures=table_figures("categories", shares, has_answers(CATEGORIES.slug)),
    columns={
        "sentences": gettext_lazy("Figurative sentences"),
        "none": gettext_lazy("None of these"),
        **{code: words for code, (words, _text) in CATEGORY_WORDS.items()},
    },
    layers=(CATEGORIES.slug,),
    headline=total("sentences", gettext_lazy("figurative sentences have gold categories.")),
)
AGREEMENT = ReportSpec(
    name="category-agreement",
    title=gettext_lazy("Agreement on categories"),
    text=gettext_lazy(
        "Per category: Conger's kappa (for two people, Cohen's) and Krippendorff's alpha. For the whole "
        "set: alpha with the MASI distance, and mean Jaccard similarity."
    ),
    figures=table_figures("category-agreement", category_agreement, has_answers(CATEGORIES.slug)),
    show=with_words,
    columns={
        "name": gettext_lazy("Category"),
        "compared": gettext_lazy("Compared"),
        "kappa": gettext_lazy("Conger's kappa"),
        "alpha": gettext_lazy("Alpha"),
        "jaccard": gettext_lazy("Jaccard"),
    },
    needs=Permission.ADJUDICATE,
    layers=(CATEGORIES.slug,),
    headline=_overall,
)
