"""The page of progress by stage, person and language."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotator.core.access import project_for
from annotator.core.permissions import Permission
from annotator.web.pages import project_page
from annotator.work.queue.queries.progress_table import progress_table


@require_safe
def progress(request: HttpRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    context = {"table": progress_table(access.project, now=timezone.now())}
    return project_page(request, access, "dashboard/progress.html", context, section="project")
