"""The items of a stage whose source changed after they were reviewed or decided."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from annotator.core.access import project_for
from annotator.core.permissions import Permission
from annotator.web.pages import project_page
from annotator.work.derivation.queries.source_changes import PAGE, listed


@require_safe
def source_changed(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    """`?after=`: how many come before those that are shown."""
    access = project_for(request.user, slug, needs=Permission.VIEW)
    found = get_object_or_404(access.project.stages.select_related("layer"), pk=stage)
    found.project = access.project
    given = request.GET.get("after", "")
    # Nobody has more; a number that no database knows is none.
    after = int(given) if given.isascii() and given.isdigit() and len(given) < 10 else 0
    rows, more = listed(access, found, after=after)
    context = {
        "stage": found,
        "rows": rows,
        "after": after,
        "previous": max(0, after - PAGE) if after else None,
        "next": after + PAGE if more else None,
    }
    return project_page(request, access, "work/source_changes.html", context, section=found)
