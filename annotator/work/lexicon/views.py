"""The vocabularies of a project: its terms, and making one of two."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import project_for
from annotator.core.permissions import Permission
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message
from annotator.work.lexicon.actions.terms import merge_terms
from annotator.work.lexicon.queries.terms import layers_with_terms, vocabularies_of


@require_safe
def terms(request: HttpRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.VIEW)
    layers = [(layer, vocabularies_of(layer)) for layer in layers_with_terms(access.project)]
    return project_page(request, access, "work/terms.html", {"layers": layers}, section="guidelines")


@require_POST
def terms_merge(request: HttpRequest, slug: str, layer: str) -> HttpResponse:
    """Write one term for another everywhere."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    found = next((one for one in layers_with_terms(access.project) if one.slug == layer), None)
    if found is None:
        raise Http404(_("There is no such layer in this project."))
    asked = {name: request.POST.get(name, "") for name in ("attribute", "term", "into")}
    with refusal_as_message(request):
        summary = merge_terms(project=access.project, layer=found, by=access.user, **asked)
        messages.success(
            request,
            _("“%(term)s” was merged into “%(into)s”. Labels: %(spans)d, answers: %(annotations)d, gold: %(golds)d.")
            % {
                "term": asked["term"],
                "into": asked["into"],
                "spans": summary.spans,
                "annotations": summary.annotations,
                "golds": summary.golds,
            },
        )
    return redirect("terms", slug)
