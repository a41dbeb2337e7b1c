from django.http import HttpRequest, HttpResponse

from annotator.permissions import Permission
from annotator.queries.access import project_for
from annotator.views.pages import project_page


def work(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.ANNOTATE)
    return project_page(request, access, "base.html", section="")
