"""What the codes of a study are called, and its numbers as people read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from annotator.core.kind import dataset_title, value_title
from annotator.domain.labels.schemes import OUTSIDE
from annotator.models import AgreementStudy, Layer
from annotator.reports.queries.studies.question import OUTCOMES
from annotator.reports.queries.studies.strata import FIRST, PARTS
from annotator.templatetags.pages import group_name
from annotator.templatetags.tables import decimal
from annotator.templatetags.words import language

Words = Mapping[str, Any]
Row = Mapping[str, Any]

COEFFICIENTS: Words = {
    "observed": gettext_lazy("Observed agreement"),
    "alpha": gettext_lazy("Krippendorff's α"),
    "alpha_ordinal": gettext_lazy("Krippendorff's α, ordinal"),
    "alpha_interval": gettext_lazy("Krippendorff's α, interval"),
    "alpha_jaccard": gettext_lazy("Krippendorff's α, Jaccard distance of sets"),
    "alpha_masi": gettext_lazy("Krippendorff's α, MASI distance of sets"),
    "fleiss": gettext_lazy("Fleiss' κ"),
    "ac1": gettext_lazy("Gwet's AC1"),
    "positive": gettext_lazy("Positive agreement"),
    "negative": gettext_lazy("Negative agreement"),
    "cohen": gettext_lazy("Cohen's κ"),
    "f1_tokens": gettext_lazy("F1 over tokens"),
    "f1_exact": gettext_lazy("F1 over exact spans"),
    "f1_overlapping": gettext_lazy("F1 over overlapping spans"),
}
DIMENSIONS: Words = {
    "suggestions": gettext_lazy("Suggestions"),
    "dataset": gettext_lazy("Dataset"),
    "role": gettext_lazy("Role of the sentence"),
    "inference": gettext_lazy("Inference label"),
    "genre": gettext_lazy("Genre"),
    "original": gettext_lazy("Original language"),
    "document": gettext_lazy("Document"),
    "experience": gettext_lazy("First items and later ones"),
    "part": gettext_lazy("Order of work"),
    "month": gettext_lazy("Month"),
}
_STRATA: Mapping[str, Words] = {
    "suggestions": {
        "with": gettext_lazy("Everyone saw a suggestion"),
        "some": gettext_lazy("Some saw a suggestion"),
        "without": gettext_lazy("Nobody saw a suggestion"),
    },
    "experience": {"first": gettext_lazy("The first %(number)d items"), "later": gettext_lazy("Later items")},
}
REMARKS: Words = {
    "nothing": gettext_lazy("No two of these people have given anything in common here, so nothing is defined."),
    "one_value": gettext_lazy(
        "Everyone gave the same category everywhere. Agreement by chance is then complete, and coefficients that "
        "correct for it are undefined. This is not disagreement."
    ),
    "prevalence": gettext_lazy(
        "Nearly everything is in one category. Coefficients that correct for chance are then low even though people "
        "agree on most places (the prevalence paradox). Compare them with AC1 and with positive agreement."
    ),
    "few": gettext_lazy("Fewer than 20 sentences or documents were drawn from. The intervals are rough."),
}
OUTCOME_WORDS: Words = {
    "kept": pgettext_lazy("spans", "kept"),
    "shifted": pgettext_lazy("spans", "shifted"),
    "lost": pgettext_lazy("spans", "lost"),
    "gained": pgettext_lazy("spans", "gained"),
    "not-gained": gettext_lazy("gained by another person only"),
}


def coefficient_name(row: Row, study: AgreementStudy) -> str:
    """The name of the measure in a row."""
    name = str(COEFFICIENTS.get(row["coefficient"], row["coefficient"]))
    if not row["label"]:
        return name
    label = category_name(row["label"], study)
    if row["coefficient"] == "specific":
        return _("Agreement on %(label)s") % {"label": label}
    return _("%(coefficient)s of %(label)s") % {"coefficient": name, "label": label}


def category_name(value: str, study: AgreementStudy) -> str:
    """The name of a category."""
    if study.dimension == OUTCOMES:
        return str(OUTCOME_WORDS.get(value, value))
    if study.layer.content_type == Layer.SPANS:
        return _("no label") if value == OUTSIDE else value
    return value_title(study.layer.content_type, study.dimension, value)


def stratum_name(dimension: str, stratum: str) -> str:
    """The name of a stratum."""
    if dimension == "all":
        return _("All items")
    if dimension == "part":
        return _("Part %(number)s of %(all)d") % {"number": stratum, "all": PARTS}
    if dimension == "dataset":
        return dataset_title(stratum)
    if dimension in ("role", "inference"):
        return group_name(stratum)
    if dimension == "original":
        return language(stratum)
    words = _STRATA.get(dimension, {}).get(stratum, stratum)
    return str(words) % {"number": FIRST} if stratum == "first" else str(words)


def estimate_text(row: Row | None, *, percent: bool = False) -> str:
    """A value with its interval: "0.63 (0.60 to 0.66)"."""
    if row is None or row["value"] is None:
        return "–"
    value = number_text(row["value"], percent=percent)
    if row["low"] is None:
        return value
    low, high = (number_text(row[end], percent=percent).removesuffix(" %") for end in ("low", "high"))
    return _("%(value)s (%(low)s to %(high)s)") % {"value": value, "low": low, "high": high}


def number_text(value: float, *, percent: bool = False) -> str:
    """A coefficient with two decimals, or a share in per cent with one."""
    if not percent:
        return decimal(value, 2)
    return f"{decimal(100 * value, 1)} %"


def why_undefined(row: Row, remarks: Sequence[str]) -> str:
    """Why a row has no value or no interval, as a few words; "" where it has both."""
    if row["value"] is None:
        if "nothing" in remarks:
            return _("undefined: nothing in common")
        if "one_value" in remarks:
            return _("undefined: only one category was given")
        return _("undefined: nobody gave it")
    if row["low"] is None:
        return _("no interval: undefined in %(share)s of the resamples") % {
            "share": number_text(row["undefined"], percent=True)
        }
    return ""
