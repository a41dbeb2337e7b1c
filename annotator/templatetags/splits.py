"""The words of splits."""

from __future__ import annotations

from django import template
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from annotator.models import Split, SplitMethod
from annotator.splits.queries.stored import LABELLED, UNDECIDED, UNLABELLED, LeakKind, LeakTable, Stratum
from annotator.templatetags.pages import group_name
from annotator.templatetags.tables import column_name
from annotator.templatetags.words import inference_name, language

register = template.Library()

METHODS = {
    SplitMethod.RATIO: gettext_lazy("By shares"),
    SplitMethod.FOLDS: gettext_lazy("Folds of the same size"),
    SplitMethod.LEXICAL: gettext_lazy("Lexical: no expression of the test part is in another part"),
    SplitMethod.IMPORTED: gettext_lazy("Published elsewhere"),
}
STRATUM_NAMES = {
    "dataset": gettext_lazy("dataset"),
    "role": gettext_lazy("role"),
    "inference": gettext_lazy("inference label"),
    "label": gettext_lazy("gold: labelled or not, or the tag, in each language"),
}
_STATES = {
    LABELLED: pgettext_lazy("sentence", "labelled"),
    UNLABELLED: pgettext_lazy("sentence", "without a label"),
    UNDECIDED: gettext_lazy("without gold"),
}
_LEAKS = {
    LeakKind.GROUP: gettext_lazy("Same premise or document"),
    LeakKind.EQUAL: gettext_lazy("Same text"),
    LeakKind.NEAR: gettext_lazy("Nearly the same text"),
    LeakKind.TRANSLATION: gettext_lazy("Same translation of different texts"),
    LeakKind.EXPRESSION: gettext_lazy("Same labelled expression"),
}
_MEANINGS = {
    LeakKind.GROUP: gettext_lazy("Items of one group in several parts."),
    LeakKind.EQUAL: gettext_lazy("Case and punctuation make no difference."),
    LeakKind.NEAR: gettext_lazy("At least 80% of the different words of both texts are in both."),
    LeakKind.TRANSLATION: gettext_lazy("The texts in the first language differ."),
    LeakKind.EXPRESSION: gettext_lazy("By lemmas, where gold labels them."),
}


@register.filter
def method_name(split: Split) -> str:
    """How a split was made."""
    return str(METHODS[SplitMethod(split.method)])


@register.filter
def state_in_gold(state: str) -> str:
    """The decision on an item."""
    return str(_STATES.get(state, state))


def part_heading(column: str) -> str:
    """The header of a column in the table of the parts: a name, a number, or a decision on the items."""
    return capfirst(state_in_gold(column)) if column in _STATES else column_name(column)


@register.filter
def stratum_name(stratum: Stratum) -> str:
    """What the items of a stratum have in common."""
    parts = [
        stratum.dataset,
        group_name(stratum.role),
        inference_name(stratum.inference) if stratum.inference else "",
        f"{language(stratum.language)}: {state_in_gold(stratum.state)}" if stratum.state else "",
    ]
    return " · ".join(filter(None, parts)) or _("all items")


@register.filter
def leak_title(table: LeakTable) -> str:
    """The name of a kind of leak, with its language."""
    title = str(_LEAKS[table.kind])
    return f"{title} · {language(table.language)}" if table.language else title


@register.filter
def leak_meaning(table: LeakTable) -> str:
    """The definition of a kind of leak."""
    return str(_MEANINGS[table.kind])
