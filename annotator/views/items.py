"""A person's own items of a stage, to go back to."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_safe

from annotator.models import StageKind
from annotator.permissions import Permission
from annotator.queries.access import project_for
from annotator.queries.dashboard import own_items
from annotator.views.pages import project_page

PER_PAGE = 50


@require_safe
def items(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.ANNOTATE)
    found = get_object_or_404(access.project.stages, pk=stage)
    if found.kind == StageKind.ADJUDICATE:
        # Nothing is assigned there; the workspace is the list.
        return redirect("work", slug, stage)
    state = request.GET.get("state", "")
    doubt = request.GET.get("doubt") == "1"
    rows = own_items(found, access.user, state=state, doubt=doubt)
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    filters = "".join([f"&state={state}" if state in ("open", "done") else "", "&doubt=1" if doubt else ""])
    context = {"stage": found, "page": page, "state": state, "doubt": doubt, "filters": filters}
    return project_page(request, access, "pages/items.html", context, section="project")
