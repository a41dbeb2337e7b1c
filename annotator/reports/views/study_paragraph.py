"""A paragraph for a paper: a sentence for each figure, with its interval."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from annotator.core.counts import grouped
from annotator.domain.content.spans import SENTENCE
from annotator.models import Layer
from annotator.reports.queries.studies.question import DOCUMENTS, OUTCOMES
from annotator.reports.views.study_tables import Found
from annotator.reports.views.study_words import Row, estimate_text

LANGUAGES = ("en", "es")


def paragraphs(found: Found) -> dict[str, str]:
    """The paragraph in each language of the interface."""
    written = {}
    for language in LANGUAGES:
        with override(language):
            written[language] = " ".join(_sentences(found))
    return written


def _sentences(found: Found) -> list[str]:
    study = found.study
    people = len({person for *pair, _places in found.results["pairs"] for person in pair})
    whole = next((one for one in found.results["strata"] if one["dimension"] == "all"), None)
    if whole is None or not whole["places"]:
        return [_("No two of these people have given anything in common.")]
    counted = {"people": people, "units": grouped(whole["units"]), "tokens": grouped(whole["places"])}
    if study.layer.content_type == Layer.SPANS and study.dimension not in (SENTENCE, OUTCOMES):
        text = ngettext(
            "Agreement of %(people)d people was measured over %(units)s item (%(tokens)s tokens).",
            "Agreement of %(people)d people was measured over %(units)s items (%(tokens)s tokens).",
            whole["units"],
        )
    else:
        text = ngettext(
            "Agreement of %(people)d people was measured over %(units)s item.",
            "Agreement of %(people)d people was measured over %(units)s items.",
            whole["units"],
        )
    sentences = [text % counted]
    # Studies that were stored earlier do not say.
    shown = found.results.get("shown", {})
    if helped := sum(units for name, units in shown.items() if name != "without"):
        text = ngettext(
            "In %(units)s of them, somebody had seen suggestions.",
            "In %(units)s of them, somebody had seen suggestions.",
            helped,
        )
        sentences.append(text % {"units": grouped(helped)})
    for text, row in _figures(found, people):
        if row is not None and row["value"] is not None:
            sentences.append(text % {"estimate": estimate_text(row)})
    drawn = _("documents") if study.cluster == DOCUMENTS else _("items")
    sentences.append(
        _(
            "In parentheses are 95%% intervals (bias-corrected and accelerated bootstrap, %(resamples)s resamples of "
            "whole %(drawn)s, seed %(seed)d)."
        )
        % {"resamples": grouped(study.resamples), "drawn": drawn, "seed": study.seed}
    )
    return sentences


def _figures(found: Found, people: int) -> list[tuple[str, Row | None]]:
    figures: list[tuple[str, Row | None]] = []
    if people == 2:
        figures.append((_("Cohen's κ was %(estimate)s."), found.row("cohen", pair=(0, 1))))
    figures += [
        (_("Krippendorff's α was %(estimate)s."), found.row("alpha")),
        (_("Over content words alone, Krippendorff's α was %(estimate)s."), found.row("alpha", population="content")),
        (_("Gwet's AC1 was %(estimate)s."), found.row("ac1")),
        (_("Observed agreement was %(estimate)s."), found.row("observed")),
        (_("Positive agreement was %(estimate)s."), found.row("positive")),
        (_("Negative agreement was %(estimate)s."), found.row("negative")),
    ]
    if people == 2:
        figures += [
            (_("F1 over exact spans was %(estimate)s."), found.row("f1_exact", pair=(0, 1))),
            (_("F1 over overlapping spans was %(estimate)s."), found.row("f1_overlapping", pair=(0, 1))),
        ]
    led = next((row for row in found.results["anchoring"] if row["person"] is None), None)
    if led is not None:
        text = _(
            "The share of suggestions accepted, less the share of the same places that others marked without seeing "
            "them, was %(estimate)s."
        )
        figures.append((text, led["led"]))
    return figures
