"""A person's own items of a stage, to go back to."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import project_for
from annotator.core.counts import with_counts
from annotator.core.permissions import Permission
from annotator.models import Layer, Mode
from annotator.web.pages import project_page
from annotator.web.refusals import valid_or_messages
from annotator.work.queue.actions.giving_back import free_open
from annotator.work.queue.forms.items import HandBackForm
from annotator.work.queue.queries.own_items import has_open, own_items, own_rows

PER_PAGE = 50


@require_safe
def items(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.ANNOTATE)
    found = get_object_or_404(access.project.stages.select_related("layer"), pk=stage)
    if found.adjudicates:
        # Nothing is assigned there; the workspace is the list.
        return redirect("work", slug, stage)
    state = request.GET.get("state", "")
    doubt = request.GET.get("doubt") == "1"
    rows = own_items(found, access.user, state=state, doubt=doubt)
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    filters = "".join([f"&state={state}" if state in ("open", "done") else "", "&doubt=1" if doubt else ""])
    context = {
        "stage": found,
        "page": page,
        "rows": own_rows(found, access.user, page),
        "state": state,
        "doubt": doubt,
        "filters": filters,
        "tags": found.layer.content_type == Layer.CHOICE,
        "open_reviews": own_items(found, access.user, state="open").filter(mode=Mode.REVIEW).count(),
    }
    return project_page(request, access, "work/items.html", context, section=found)


@require_POST
def hand_back(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    """Give back one open item (`item`), or all of the stage, so that others can have them. Blind work stays."""
    access = project_for(request.user, slug, needs=Permission.ANNOTATE)
    found = get_object_or_404(access.project.stages, pk=stage)
    form = HandBackForm(request.POST)
    if not valid_or_messages(request, form):
        return redirect("items", slug, stage)
    item = form.cleaned_data["item"]
    had = has_open(found, access.user, Mode.REVIEW)
    freed = free_open(
        stage=found, user=access.user, mode=Mode.REVIEW, by=access.user, ids=None if item is None else [item]
    )
    if freed:
        # What a page held in advance goes back with it, and is not told.
        freed = min(freed, had or freed)
        text = ngettext(
            "%(count)d item returned to the queue. Your saved work on it is kept on record.",
            "%(count)d items returned to the queue. Your saved work on them is kept on record.",
            freed,
        )
        messages.success(request, with_counts(text, count=freed))
    else:
        messages.warning(request, _("Nothing was returned: the item is done, blind, or no longer assigned to you."))
    return redirect("items", slug, stage)
