"""Words of the page of a sentence, and of exports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from annotator.core.counts import grouped
from annotator.core.kind import layer_title
from annotator.domain.merging.rules import RuleName
from annotator.domain.projection.carry import LabelSource
from annotator.models import Gold, Job, Suggestion, SuggestionKind, Unit
from annotator.models.gold import GoldSource
from annotator.releases.queries.export_page import Source
from annotator.releases.queries.label_export import Whose
from annotator.search.queries.history import Happening
from annotator.templatetags.words import language, stage_name, verb_name

register = template.Library()

# Only without a person: otherwise the name is shown.
_SOURCES: Mapping[str, Any] = {
    GoldSource.IMPORTED: gettext_lazy("imported"),
    GoldSource.AGREED: gettext_lazy("from agreed answers"),
    GoldSource.ADJUDICATED: gettext_lazy("decided by the votes"),
}
_RULES: Mapping[str, Any] = {
    RuleName.AT_LEAST: gettext_lazy("agreed on by at least %(agreeing)s people"),
    RuleName.PERSON: gettext_lazy("from one person's answers, by rule"),
    RuleName.SINGLE: gettext_lazy("from the only answer"),
    RuleName.DAWID_SKENE: gettext_lazy("estimated from everyone's answers (uncertainty %(uncertainty)s%%)"),
}
_ACTS: Mapping[str, Any] = {
    "imported": gettext_lazy("imported the sentence"),
    "aligned": gettext_lazy("linked its words"),
    SuggestionKind.PREDICTION: gettext_lazy("suggested labels"),
    SuggestionKind.PROJECTION: gettext_lazy("projected labels"),
    SuggestionKind.TRANSFER: gettext_lazy("transferred the answer"),
    SuggestionKind.EARLIER_GOLD: gettext_lazy("offered the gold of the earlier text"),
}


@register.filter
def gold_source(gold: Gold) -> str:
    """The origin of gold: the person or the rule that decided it."""
    if gold.source == GoldSource.ADJUDICATED and gold.decided_by is not None:
        return _("decided by %(name)s") % {"name": gold.decided_by}
    rule = (gold.chosen or {}).get("rule")
    if rule is not None:
        words = str(_RULES.get(rule["name"], rule["name"]))
        return words % {**rule, "uncertainty": f"{100 * rule.get('uncertainty', 0):.1f}"}
    return str(_SOURCES.get(gold.source, gold.source))


@register.filter
def suggestion_source(row: Suggestion) -> str:
    """Where a suggestion comes from: a machine, or the labels of another language and the aligner."""
    if row.kind == SuggestionKind.PREDICTION:
        return _("Suggested by %(name)s") % {"name": row.name}
    if row.kind == SuggestionKind.PROJECTION:
        gold = row.detail.get("labels") == LabelSource.GOLD
        message = _("Projected from gold: %(language)s") if gold else _("Projected from: %(language)s")
        return message % {"language": language(row.source_language)}
    if row.kind == SuggestionKind.TRANSFER:
        return _("Transferred from: %(language)s") % {"language": language(row.source_language)}
    return _("Gold of the earlier text")


@register.filter
def happening_name(one: Happening) -> str:
    """The name of an event, without the person."""
    return str(_ACTS[one.act]) if one.act in _ACTS else verb_name(one.act)


@register.filter
def happening_place(one: Happening) -> str:
    """Where it happened: the stage, or the layer and the language."""
    if one.stage is not None:
        return stage_name(one.stage)
    where = [layer_title(one.layer.slug)] if one.layer is not None else []
    return " · ".join([*where, *([language(one.unit.language)] if one.unit is not None else [])])


@register.filter
def layer_name(slug: str) -> str:
    """The name of a layer."""
    return layer_title(slug)


@register.filter
def origin(unit: Unit) -> str:
    """The file and the line that a text came from; empty where that is not known."""
    if unit.imported is None or unit.origin_file is None or unit.origin_file >= len(unit.imported.files):
        return ""
    name = str(unit.imported.files[unit.origin_file]["name"])
    return _("%(file)s, line %(line)d") % {"file": name, "line": unit.origin_line} if unit.origin_line else name


@register.filter
def export_source(source: Source) -> str:
    """Whose labels an export has, and how many there are."""
    if source.whose == Whose.GOLD:
        return pgettext("labels", "Gold")
    if source.whose == Whose.PERSON:
        answers = ngettext("%(number)s answer", "%(number)s answers", source.count or 0)
        return f"{source.title} ({answers % {'number': grouped(source.count or 0)}})"
    return _("Suggestions by %(name)s") % {"name": source.title} if source.title else _("Suggestions of any model")


@register.filter
def export_content(job: Job) -> str:
    """What an export holds: its layer, and whose labels; of the person, the username."""
    layer, whose, name = (job.params.get(one, "") for one in ("layer", "whose", "name"))
    if not layer:
        return _("Text only")
    said = {Whose.GOLD: pgettext("labels", "Gold")}.get(whose, name or _("Suggestions of any model"))
    return f"{capfirst(layer_title(layer))} · {said}"
