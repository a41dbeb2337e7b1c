from django.http import HttpRequest, HttpResponse

from annotator.permissions import Permission
from annotator.queries.access import project_for
from annotator.views.pages import project_page


def members(request: HttpRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.VIEW)
    return project_page(request, access, "base.html", section="members")
