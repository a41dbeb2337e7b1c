"""Numbers of sentences that lead to the sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html

from annotator.core.counts import grouped
from annotator.search.queries.filters import Filters

register = template.Library()


@register.simple_tag(takes_context=True)
def listed(context: Mapping[str, Any], number: int, **which: Any) -> str:
    """A number of sentences, as a link to the list of exactly these; without one where there are none, or where the
    page's `reader` cannot filter the list by all of it. `which`: filters of the list, as `Filters` names them."""
    return listed_text(context, grouped(number), which)


@register.simple_tag(takes_context=True)
def listed_text(context: Mapping[str, Any], text: str, which: Mapping[str, Any]) -> str:
    """The same of a number that is written already. Without filters it leads nowhere."""
    filters = Filters.from_query({name: str(value) for name, value in which.items()})
    reader = context.get("reader")
    if reader is None or not which or text == "0" or not filters.available_to(reader):
        return text
    return format_html('<a href="{}?{}">{}</a>', reverse("find", args=[reader.project.slug]), filters.address(), text)
