"""The tabs of a project's settings: the same on every page of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import template
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from annotator.models import Layer, Project

register = template.Library()

# Pages that belong to the tab of another page, by the names of their URLs.
_BELONGS = {
    "settings-label-merge": "settings-labels",
    "settings-label-split": "settings-labels",
    "settings-label-delete": "settings-labels",
    "settings-layer-add": "settings-labels",
    "settings-language": "settings-language-add",
    "settings-stage-add": "settings-stages",
    "settings-stage-remove": "settings-stages",
    "settings-trial": "settings-stages",
    "settings-training": "settings-stages",
    "settings-webhook": "settings-webhooks",
    "settings-archive": "settings-lifecycle",
    "settings-copy": "settings-lifecycle",
    "settings-delete": "settings-lifecycle",
}


@dataclass(frozen=True, slots=True)
class Tab:
    """A link to a page of the settings. `current`: the page shown is that one, or belongs to it."""

    label: str
    url: str
    current: bool


@dataclass(frozen=True, slots=True)
class SettingsTabs:
    """The tabs, and the address of the current one, for links back to it."""

    tabs: Sequence[Tab]
    back: str


@register.simple_tag(takes_context=True)
def settings_tabs(context: Mapping[str, Any]) -> SettingsTabs:
    """The tabs for the page shown. One statement: the layer whose scheme they lead to."""
    project: Project = context["project"]
    name = context["request"].resolver_match.url_name
    shown = _BELONGS.get(name, name)
    tabs = [Tab(label, url, one == shown) for one, label, url in _pages(project)]
    return SettingsTabs(tabs, next((tab.url for tab in tabs if tab.current), reverse("settings", args=[project.slug])))


def _pages(project: Project) -> list[tuple[str, str, str]]:
    layer = None if project.is_archived else project.layers.filter(content_type=Layer.SPANS).first()
    pages: list[tuple[str, str, bool, Layer | None]] = [
        ("settings", _("General"), True, None),
        ("settings-labels", _("Labels"), layer is not None, layer),
        ("settings-attributes", _("Attributes"), layer is not None, layer),
        ("settings-rules", _("Span rules"), layer is not None, layer),
        # Where nothing is labelled yet, a layer can be added.
        ("settings-layer-add", _("Labels"), layer is None and not project.is_archived, None),
        ("settings-language-add", _("Languages"), not project.is_archived, None),
        ("settings-stages", _("Stages"), not project.is_archived, None),
        ("settings-card", _("Dataset card"), not project.is_archived, None),
        ("settings-webhooks", _("Webhooks"), not project.is_archived, None),
        ("archives", pgettext("heading", "Backup"), True, None),
        ("settings-lifecycle", _("Copy, archive, delete"), True, None),
    ]
    return [
        (name, label, reverse(name, args=[project.slug, *([one.slug] if one else [])]))
        for name, label, is_there, one in pages
        if is_there
    ]
