"""The project's guidelines, in the language of the interface."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotator.core.access import project_for
from annotator.core.errors import ConflictError
from annotator.core.permissions import Permission
from annotator.models import Layer, Project
from annotator.projects.actions.guidelines import edit_guidelines, fingerprint
from annotator.projects.forms.guidelines import MAX_TEXT, GuidelinesForm
from annotator.web.markdown import Heading, render_markdown
from annotator.web.pages import project_page
from annotator.work.lexicon.queries.terms import layers_with_terms


@require_safe
def guidelines(request: HttpRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.VIEW)
    wanted = _interface_language()
    language = _language_shown(access.project, wanted)
    html, headings = render_markdown(access.project.guidelines.get(language, ""), labels_of(access.project))
    names = dict(settings.LANGUAGES)
    context = {
        "html": html,
        "headings": headings,
        "shown": language,
        "other_language": "" if language == wanted else names[language],
        "wanted": names[wanted],
        "has_terms": bool(layers_with_terms(access.project)),
    }
    return project_page(request, access, "projects/guidelines.html", context, section="guidelines")


@require_http_methods(["GET", "HEAD", "POST"])
def guidelines_edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Write the text in the language of the interface."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    language = _interface_language()
    text = access.project.guidelines.get(language, "")
    form = GuidelinesForm(initial={"text": text, "before": fingerprint(text)})
    theirs = None
    status = 200
    if request.method == "POST":
        status = 422
        form = GuidelinesForm(request.POST)
        if form.is_valid():
            written = form.cleaned_data["text"].replace("\r\n", "\n")
            try:
                edit_guidelines(
                    project=access.project,
                    language=language,
                    text=written,
                    before=form.cleaned_data["before"],
                    by=access.user,
                )
            except ConflictError as conflict:
                status = 409
                theirs = conflict.theirs["text"]
                form = GuidelinesForm(initial={"text": written, "before": fingerprint(theirs)})
                messages.error(request, str(conflict))
            else:
                messages.success(request, _("The guidelines were saved."))
                return redirect("guidelines", slug)
    preview, _headings = render_markdown(form["text"].value() or "", labels_of(access.project))
    context = {
        "form": form,
        "theirs": theirs,
        "preview": preview,
        "labels": labels_of(access.project),
        "language_name": dict(settings.LANGUAGES)[language],
    }
    return project_page(request, access, "projects/guidelines_edit.html", context, section="guidelines", status=status)


@require_POST
def guidelines_preview(request: HttpRequest, slug: str) -> HttpResponse:
    """What is being written, as people will read it."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    html, _headings = render_markdown(request.POST.get("text", "")[:MAX_TEXT], labels_of(access.project))
    return HttpResponse(html)


def guideline_headings(project: Project) -> list[Heading]:
    """The headings of the guidelines as they are shown to the reader: what a label can be linked to."""
    text = project.guidelines.get(_language_shown(project, _interface_language()), "")
    return render_markdown(text, labels_of(project))[1]


def labels_of(project: Project) -> list[str]:
    """The labels of all its layers of spans: what headings of the guidelines can explain."""
    layers = project.layers.filter(content_type=Layer.SPANS)
    return [label for layer in layers for label in layer.scheme_data["labels"]]


def _interface_language() -> str:
    current = get_language() or settings.LANGUAGE_CODE
    return current if current in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def _language_shown(project: Project, wanted: str) -> str:
    """The wanted language, or another one that has a text; the page says so then."""
    if project.guidelines.get(wanted):
        return wanted
    return next((code for code, _name in settings.LANGUAGES if project.guidelines.get(code)), wanted)
