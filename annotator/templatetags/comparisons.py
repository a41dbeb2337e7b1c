"""The words of comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from annotator.comparisons.queries.sources import GOLD, PERSON, RELEASE, TIME
from annotator.comparisons.queries.stored import NOT_REVIEWED
from annotator.core.kind import layer_title
from annotator.domain.comparing.languages import Where
from annotator.domain.comparing.versions import Change
from annotator.domain.projection.outcomes import GAINED, Fate
from annotator.models import Comparison, ComparisonKind, User
from annotator.templatetags.words import language

register = template.Library()

_STATES = {
    Where.BOTH: gettext_lazy("in both languages"),
    Where.SOURCE: gettext_lazy("only in the source"),
    Where.TARGET: gettext_lazy("only in the target"),
    Where.UNALIGNED: gettext_lazy("unknown: the words are not aligned"),
    Where.UNDECIDED: gettext_lazy("unknown: the other language has no gold"),
    Change.SAME: gettext_lazy("in both versions"),
    Change.ATTRIBUTES: gettext_lazy("other attributes"),
    Change.MOVED: gettext_lazy("other words"),
    Change.RELABELLED: gettext_lazy("other label"),
    Change.LEFT: gettext_lazy("only on the left"),
    Change.RIGHT: gettext_lazy("only on the right"),
}
_OUTCOMES = {
    Fate.KEPT: pgettext_lazy("spans", "kept"),
    Fate.SHIFTED: pgettext_lazy("spans", "shifted"),
    Fate.LOST: pgettext_lazy("spans", "lost"),
    GAINED: pgettext_lazy("spans", "gained"),
    "": gettext_lazy("not reviewed"),
    NOT_REVIEWED: gettext_lazy("not reviewed"),
}

_TEXTS = {
    "compared": gettext_lazy("the same in both versions"),
    "left": gettext_lazy("only on the left"),
    "right": gettext_lazy("only on the right"),
    "changed": gettext_lazy("with another text"),
}
FACETS = {
    "state": pgettext_lazy("comparison", "Result"),
    "outcome": gettext_lazy("Outcome of the review"),
    "label": pgettext_lazy("noun", "Label"),
    "language": gettext_lazy("Language"),
    "dataset": gettext_lazy("Dataset"),
}
# The columns of the table by label.
LABEL_STATES = (
    (Change.SAME, gettext_lazy("In both")),
    (Change.ATTRIBUTES, gettext_lazy("Other attributes")),
    (Change.MOVED, gettext_lazy("Other words")),
    (f"{Change.RELABELLED}-from", gettext_lazy("Changed to another label")),
    (f"{Change.RELABELLED}-to", gettext_lazy("Changed from another label")),
    (Change.LEFT, gettext_lazy("Only on the left")),
    (Change.RIGHT, gettext_lazy("Only on the right")),
)


@register.filter
def comparison_state(state: str) -> str:
    """Where an expression is labelled, or what became of a label."""
    return str(_STATES.get(state, state))  # type: ignore[call-overload]  # texts of both enumerations are keys


@register.filter
def comparison_outcome(outcome: str) -> str:
    """The outcome of the review of a projection."""
    return str(_OUTCOMES[outcome])


@register.filter
def comparison_layer(slug: str) -> str:
    """The layer that was compared."""
    return capfirst(layer_title(slug))


@register.filter
def comparison_texts(kind: str) -> str:
    """Which texts are counted together."""
    return str(_TEXTS[kind])


@register.filter
def facet_name(value: str, words: str) -> str:
    """A value that rows are filtered by."""
    named = {"state": comparison_state, "outcome": comparison_outcome, "language": language}
    return named[words](value) if words in named else value


@register.filter
def comparison_name(comparison: Comparison) -> str:
    """What was compared."""
    sides = [side_name(comparison.params[side]) for side in ("left", "right")]
    return " – ".join(sides)


@register.filter
def side_name(side: Mapping[str, Any]) -> str:
    """A language or a version."""
    match side.get("source"):
        case None:
            return language(side["language"])
        case source if source == GOLD:
            return _("Current gold")
        case source if source == TIME:
            at = timezone.localtime(datetime.fromisoformat(side["at"]))
            return _("Gold on %(date)s") % {"date": date_format(at, "SHORT_DATE_FORMAT")}
        case source if source == RELEASE:
            return _("Release %(number)d") % {"number": side["number"]}
    return str(User.objects.filter(pk=side["person"]).first() or _("a person who is gone")) if PERSON in side else ""


@register.filter
def compares_languages(comparison: Comparison) -> bool:
    """Whether it is of a language and its translation."""
    return comparison.kind == ComparisonKind.LANGUAGES


@register.filter
def in_state(counts: Mapping[str, int], state: str) -> int:
    """How many labels there are in a state."""
    return counts.get(state, 0)
