"""The map of a project's sentences: the page, its points, and drawing it."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import Access, project_for
from annotator.core.permissions import Permission
from annotator.dashboard.forms import MapForm
from annotator.domain.sentence_map import MIN_POINTS
from annotator.jobs.actions import start_job
from annotator.jobs.queries import jobs_of, progress_of
from annotator.models import JobKind, JobState
from annotator.search.queries.sentence_map import has_enough, map_of, read_on_map
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message
from annotator.work.blind.queries.blind import shown_uids

PER_PAGE = 25


@require_safe
def sentence_map(request: HttpRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.VIEW)
    return _page(request, access, MapForm(project=access.project))


@require_safe
def map_points(request: HttpRequest, slug: str) -> HttpResponse:
    """The sentences behind the points, for the page's script: name, x, y, language, segment, text, meaning of each."""
    access = project_for(request.user, slug, needs=Permission.VIEW)
    found = map_of(access.project, access.user)
    rows = [
        (one.point.key, one.point.x, one.point.y, one.point.language, one.point.segment, one.text, one.meaning)
        for one in read_on_map(access.project, found.points if found else ())
    ]
    return JsonResponse({"points": rows})


@require_POST
def map_start(request: HttpRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    form = MapForm(request.POST, project=access.project)
    if not form.is_valid():
        return _page(request, access, form, status=422)
    with refusal_as_message(request):
        start_job(project=access.project, kind=JobKind.MAP, params=form.cleaned_data, by=access.user)
    return redirect("map", slug)


def _page(request: HttpRequest, access: Access, form: MapForm, status: int = 200) -> HttpResponse:
    found = map_of(access.project, access.user)
    page = Paginator(found.points if found else (), PER_PAGE).get_page(request.GET.get("page"))
    rows = read_on_map(access.project, list(page))
    units = {one.unit.pk: one.unit for one in rows}
    uids = shown_uids(access.user, access.project, units.values(), decides=access.may(Permission.ADJUDICATE))
    last = jobs_of(access.project).filter(kind=JobKind.MAP).first()
    context = {
        "map": found,
        "page": page,
        "rows": [(one, uids[one.unit.pk]) for one in rows],
        "has_enough": has_enough(access.project),
        "least": MIN_POINTS,
        "form": form,
        "job": last if last is not None and not last.finished else None,
        "progress": progress_of(last) if last is not None else None,
        "failed": last if last is not None and last.state == JobState.FAILED else None,
    }
    return project_page(request, access, "search/sentence_map.html", context, section="map", status=status)
