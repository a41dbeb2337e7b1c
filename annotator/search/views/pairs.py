"""Pairs by their tag, and giving them to a person for a second look."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import Access, project_for
from annotator.core.counts import with_counts
from annotator.core.errors import ActionError
from annotator.core.permissions import Permission
from annotator.models import User
from annotator.search.actions.second_look import give_again, undo_give_again
from annotator.search.queries import pairs as queries
from annotator.search.queries.filters import number
from annotator.search.queries.pairs import ANSWERS, GOLD, Tagged
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message


@require_safe
def pairs(request: HttpRequest, slug: str) -> HttpResponse:
    """`?stage=`, `?tag=`, `?whose=`: which pairs; `?user=`: whom a second look at them is for."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    stages = queries.tagging_stages(access)
    asked, user = _asked(access, request.GET)
    context: dict[str, Any] = {
        "stages": stages,
        "tags": access.project.tag_layer.scheme_data["values"] if access.project.tag_layer is not None else (),
        "people": queries.people_of(asked.stage) if asked is not None else (),
        "asked": asked,
        "chosen": user,
        "act": queries.last_act(access),
        "most": queries.MAX_PAIRS,
        "whose": [GOLD, ANSWERS],
    }
    if asked is not None and asked.tag:
        found = queries.tagged(access, asked)
        context |= {"total": len(found), "rows": queries.rows_of(asked, found)}
        if user is not None:
            context["look"] = queries.second_look(asked.stage, found, user)
    return project_page(request, access, "search/pairs.html", context, section="find")


@require_POST
def pairs_give(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the pairs that are asked for to a person again."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    asked, user = _asked(access, request.POST)
    with refusal_as_message(request):
        if asked is None or not asked.tag or user is None:
            raise ActionError(_("Choose a tag and a person."))
        give_again(access=access, asked=asked, user=user, now=timezone.now())
    return redirect(_back(slug, request.POST))


@require_POST
def pairs_undo(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """Undo a second look."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    with refusal_as_message(request):
        restored, kept = undo_give_again(access=access, operation=key, now=timezone.now())
        text = ngettext("%(number)d pair is as it was.", "%(number)d pairs are as they were.", restored)
        messages.success(request, with_counts(text, number=restored))
        if kept:
            text = ngettext(
                "%(number)d pair was not undone, because it was worked on since.",
                "%(number)d pairs were not undone, because they were worked on since.",
                kept,
            )
            messages.warning(request, with_counts(text, number=kept))
    return redirect(_back(slug, request.POST))


def _asked(access: Access, given: Mapping[str, str]) -> tuple[Tagged | None, User | None]:
    """What an address or a form asks for; odd values are as good as none."""
    stages = {stage.pk: stage for stage in queries.tagging_stages(access)}
    stage = stages.get(number(given.get("stage", "")) or 0) or next(iter(stages.values()), None)
    if stage is None:
        return None, None
    tag, whose = given.get("tag", ""), given.get("whose", "")
    known = tag in stage.layer.scheme_data["values"]
    asked = Tagged(stage, tag if known else "", whose if whose in (GOLD, ANSWERS) else "")
    wanted = number(given.get("user", "")) or 0
    return asked, next((one for one in queries.people_of(stage) if one.pk == wanted), None)


def _back(slug: str, given: Mapping[str, str]) -> str:
    names = ("stage", "tag", "whose", "user")
    return f"{reverse('pairs', args=[slug])}?{urlencode({name: given[name][:50] for name in names if given.get(name)})}"
