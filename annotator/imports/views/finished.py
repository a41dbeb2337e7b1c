"""Finished imports: their content, licence and edited lines; undoing one."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotator.core.access import project_for
from annotator.core.errors import ActionError
from annotator.core.permissions import Permission
from annotator.imports.forms.imports import TermsForm
from annotator.imports.queries.imports import imports_of, units_by
from annotator.imports.terms import change_import_terms
from annotator.imports.undo.undo_import import undo_import
from annotator.imports.views.edits import edits_shown
from annotator.imports.views.words import numbers_of, words_of
from annotator.models import Import
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message
from annotator.web.requests import PageRequest


@require_safe
def import_done(request: PageRequest, slug: str, imported: int) -> HttpResponse:
    """What an import brought: its files, its licence, and the edits of their lines."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    found = get_object_or_404(imports_of(access.project), pk=imported)
    context = {
        "imported": found,
        "brought": _brought(found),
        "edits": edits_shown([one for one in found.files if one.get("edits")]),
    }
    return project_page(request, access, "imports/import.html", context, section="import")


@require_POST
def undo(request: PageRequest, slug: str, imported: int) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    found = get_object_or_404(imports_of(access.project), pk=imported)
    with refusal_as_message(request):
        undo_import(imported=found, by=access.user)
        messages.success(request, _("The import of %(dataset)s was undone.") % {"dataset": found.dataset})
    return redirect("import", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def import_terms(request: PageRequest, slug: str, imported: int) -> HttpResponse:
    """The licence of an import, its original language, and whether releases can contain its texts, with the number of
    affected sentences."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    found = get_object_or_404(imports_of(access.project), pk=imported)
    initial = {name: getattr(found, name) for name in ("licence", "publishable", "original_language")}
    form = TermsForm(initial=initial, project=access.project)
    status = 200
    if request.method == "POST":
        form = TermsForm(request.POST, project=access.project)
        status = 422
        if form.is_valid():
            try:
                after = change_import_terms(imported=found, by=access.user, **form.cleaned_data)
            except ActionError as error:
                form.add_error(None, str(error))
            else:
                text = (
                    _("Releases can contain the text of %(dataset)s from now on.")
                    if after.publishable
                    else _("Releases will leave out the text of %(dataset)s from now on.")
                )
                if after.publishable == found.publishable:
                    text = _("The details of %(dataset)s were saved.")
                messages.success(request, text % {"dataset": found.dataset})
                return redirect("import", slug)
    context = {
        "imported": found,
        "form": form,
        "brought": _brought(found),
        "releases": access.project.releases.count(),
    }
    return project_page(request, access, "imports/terms.html", context, section="import", status=status)


def _brought(imported: Import) -> dict[str, str]:
    # Imports from before units were counted by kind use the names of their format.
    words = words_of(next((one.get("format", "") for one in imported.files), ""))
    return {language: numbers_of(kinds, words) for language, kinds in units_by(imported).items()}
