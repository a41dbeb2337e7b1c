"""The project's guidelines, in languages of the interface and of the data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from urllib.parse import quote

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotator.core.access import Access, project_for
from annotator.core.errors import ActionError, ConflictError
from annotator.core.files.downloads import inline
from annotator.core.files.pictures import MEDIA_TYPES, is_picture_name, picture_file
from annotator.core.files.room import check_room
from annotator.core.files.uploaded import size_of
from annotator.core.permissions import Permission
from annotator.domain.text.storable import whole_number
from annotator.models import Layer, Project
from annotator.projects.actions.guideline_proposals import close_proposals, reopen_proposal
from annotator.projects.actions.guidelines import MAX_PICTURE, add_picture, edit_guidelines, fingerprint
from annotator.projects.forms.guidelines import MAX_TEXT, GuidelinesForm
from annotator.projects.queries.guideline_proposals import MAX_LISTED, open_proposals, shown_proposal
from annotator.projects.queries.guidelines import guideline_languages
from annotator.templatetags.words import language as language_words
from annotator.web.bodies import takes_files
from annotator.web.markdown import Heading, render_markdown
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message
from annotator.web.requests import PageRequest
from annotator.work.lexicon.queries.terms import layers_with_terms


@dataclass(frozen=True, slots=True)
class LanguageTab:
    """A language that the guidelines can be in. `current`: it is the one shown; `written`: it has a text."""

    code: str
    label: str
    current: bool
    written: bool


@require_safe
def guidelines(request: HttpRequest, slug: str) -> HttpResponse:
    """The text in the language of the interface, or in `language`; `label` leads to what explains a label."""
    access = project_for(request.user, slug, needs=Permission.VIEW)
    if label := request.GET.get("label"):
        return redirect(_address_of(access.project, label))
    wanted = _asked(request, access.project)
    language = _language_shown(access.project, wanted)
    html, headings = _rendered(access.project, access.project.guidelines.get(language, ""))
    proposed = open_proposals(access.project, language, access.user) if access.may(Permission.MANAGE) else ()
    context = {
        "html": html,
        "proposed": len(proposed),
        "headings": headings,
        "shown": language,
        "other_language": "" if language == wanted else language_words(language),
        "wanted": language_words(wanted),
        "tabs": [tab for tab in _tabs(access.project, language) if tab.written],
        "has_terms": bool(layers_with_terms(access.project)),
    }
    return project_page(request, access, "projects/guidelines.html", context, section="guidelines")


def _picture_bytes(request: HttpRequest, slug: str) -> int:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    check_room(by=access.user, more=size_of(request))
    # One that is too large is told so.
    return settings.LONG_BODY_BYTES + 4 * MAX_PICTURE


@takes_files(_picture_bytes)
@require_http_methods(["GET", "HEAD", "POST"])
def guidelines_edit(request: PageRequest, slug: str) -> HttpResponse:
    """Write the text in a language; `upload` brings a picture into it where the cursor was, `insert` a proposed
    sentence; `dismiss` and `restore` end a proposal and bring it back. These save nothing of the text."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    language = _asked(request, access.project)
    text = access.project.guidelines.get(language, "")
    if request.method != "POST":
        form = GuidelinesForm(initial={"text": text, "before": fingerprint(text)})
        return _edit_page(request, access, language, form)
    form = GuidelinesForm(request.POST)
    if not form.is_valid():
        return _edit_page(request, access, language, form, status=422)
    if "upload" in request.POST:
        return _with_picture(request, access, language, form)
    if "insert" in request.POST:
        return _with_proposal(request, access, language, form)
    if {"dismiss", "restore"} & request.POST.keys():
        return _with_fewer(request, access, language, form)
    written = form.cleaned_data["text"].replace("\r\n", "\n")
    try:
        with transaction.atomic():
            edit_guidelines(
                project=access.project,
                language=language,
                text=written,
                before=form.cleaned_data["before"],
                by=access.user,
            )
            shown = [pk for pk in _inserted(request) if shown_proposal(access.project, pk, access.user) is not None]
            close_proposals(project=access.project, proposals=shown, taken=True, now=timezone.now(), by=access.user)
    except ConflictError as conflict:
        theirs = conflict.theirs["text"]
        form = GuidelinesForm(initial={"text": written, "before": fingerprint(theirs)})
        messages.error(request, str(conflict))
        return _edit_page(request, access, language, form, status=409, theirs=theirs)
    messages.success(request, _("The guidelines were saved."))
    return redirect(f"{reverse('guidelines', args=[slug])}?language={language}")


def _edit_page(
    request: HttpRequest,
    access: Access,
    language: str,
    form: GuidelinesForm,
    *,
    status: int = 200,
    theirs: str | None = None,
    dismissed: int | None = None,
) -> HttpResponse:
    preview, _headings = _rendered(access.project, form["text"].value() or "")
    inserted = _inserted(request)
    context = {
        "form": form,
        "inserted": inserted,
        "dismissed": dismissed,
        "proposals": [one for one in open_proposals(access.project, language, access.user) if one.pk not in inserted],
        "theirs": theirs,
        "preview": preview,
        "labels": names_of_labels(access.project),
        "language": language,
        "language_name": language_words(language),
        "tabs": _tabs(access.project, language),
    }
    return project_page(request, access, "projects/guidelines_edit.html", context, section="guidelines", status=status)


def _inserted(request: HttpRequest) -> list[int]:
    """The proposals (ids) that are in the text that is written."""
    given = [*request.POST.getlist("inserted"), request.POST.get("insert", "")]
    return [number for number in map(whole_number, given[:MAX_LISTED]) if number is not None]


def _with_proposal(request: PageRequest, access: Access, language: str, form: GuidelinesForm) -> HttpResponse:
    """The page with what was written, and a proposed sentence in it; the text is saved by its own button."""
    text, before = form.cleaned_data["text"].replace("\r\n", "\n"), form.cleaned_data["before"]
    wanted = whole_number(request.POST["insert"])
    one = next((row for row in open_proposals(access.project, language, access.user) if row.pk == wanted), None)
    if one is None:
        messages.error(request, _("This sentence is no longer proposed. Nothing was inserted."))
    else:
        text = _placed(request, text, one.text)
        messages.success(request, _("The sentence is in the text. Save the guidelines to keep it."))
    form = GuidelinesForm(initial={"text": text, "before": before})
    return _edit_page(request, access, language, form)


def _placed(request: HttpRequest, text: str, more: str) -> str:
    """The text with more in a line of its own, where the cursor was."""
    at = whole_number(request.POST.get("cursor", ""))
    at = len(text) if at is None else min(at, len(text))
    return f"{text[:at]}\n{more}\n{text[at:]}"


def _with_fewer(request: PageRequest, access: Access, language: str, form: GuidelinesForm) -> HttpResponse:
    """The page with what was written, without a proposal that is dismissed, or with one that comes back."""
    project, by, back = access.project, access.user, "restore" in request.POST
    wanted = whole_number(request.POST["restore" if back else "dismiss"])
    one = None if wanted is None else shown_proposal(project, wanted, access.user)
    dismissed = None
    with refusal_as_message(request):
        if one is not None and back:
            reopen_proposal(project=project, proposal=one.pk, by=by)
        elif one is not None:
            close_proposals(project=project, proposals=[one.pk], taken=False, now=timezone.now(), by=by)
            dismissed = one.pk
    form = GuidelinesForm(initial=form.cleaned_data)
    return _edit_page(request, access, language, form, dismissed=dismissed)


def _with_picture(request: PageRequest, access: Access, language: str, form: GuidelinesForm) -> HttpResponse:
    """The page with what was written, and the picture in it; the text is saved by its own button."""
    text, before = form.cleaned_data["text"].replace("\r\n", "\n"), form.cleaned_data["before"]
    file = request.FILES.get("picture")
    status = 422
    if file is None:
        messages.error(request, _("Choose a picture first."))
    else:
        try:
            data = file.read(MAX_PICTURE + 1)
            name = add_picture(project=access.project, data=data, by=access.user)
        except ActionError as error:
            messages.error(request, str(error))
        else:
            status = 200
            words = "".join(one for one in PurePath(file.name or "").stem if one.isalnum() or one in " -")
            text = _placed(request, text, f"![{words}](pictures/{name})")
            messages.success(request, _("The picture was uploaded and is in the text. Save the guidelines to keep it."))
    form = GuidelinesForm(initial={"text": text, "before": before})
    return _edit_page(request, access, language, form, status=status)


@require_POST
def guidelines_preview(request: HttpRequest, slug: str) -> HttpResponse:
    """What is being written, as people will read it."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    html, _headings = _rendered(access.project, request.POST.get("text", "")[:MAX_TEXT])
    return HttpResponse(html)


@require_safe
def picture(request: HttpRequest, slug: str, picture: str) -> FileResponse:
    """A picture of the guidelines, for members."""
    access = project_for(request.user, slug, needs=Permission.VIEW)
    if not is_picture_name(picture):
        raise Http404(_("The project does not have this picture."))
    return inline(picture_file(access.project.pk, picture), media_type=MEDIA_TYPES[picture.rpartition(".")[2]])


def guideline_headings(project: Project) -> list[Heading]:
    """The headings of the guidelines as they are shown to the reader: what a label can be linked to."""
    return _rendered(project, project.guidelines.get(_language_shown(project, _interface_language()), ""))[1]


def names_of_labels(project: Project) -> dict[str, str]:
    """The labels of all its layers of spans, by code: what headings of the guidelines can explain."""
    found = {}
    for layer in project.layers.filter(content_type=Layer.SPANS):
        details = layer.scheme_data.get("details") or {}
        for label in layer.scheme_data["labels"]:
            found[label] = details.get(label, {}).get("name") or label
    return found


def _rendered(project: Project, text: str) -> tuple[str, list[Heading]]:
    pictures = reverse("guidelines-picture", args=[project.slug, "-"]).removesuffix("-")
    return render_markdown(text, names_of_labels(project), pictures=pictures)


def _address_of(project: Project, label: str) -> str:
    """Where a label is explained: under the heading that it is linked to, or that names it; else the whole page."""
    page = reverse("guidelines", args=[project.slug])
    anchors = [f"label-{label}"]
    for layer in project.layers.filter(content_type=Layer.SPANS):
        linked = (layer.scheme_data.get("details") or {}).get(label, {}).get("anchor")
        anchors = [*([linked] if linked else []), *anchors]
    there = {heading.anchor for heading in guideline_headings(project)}
    found = next((one for one in anchors if one in there or one.startswith("section-")), "")
    return f"{page}#{quote(found)}" if found else page


def _asked(request: HttpRequest, project: Project) -> str:
    language = request.GET.get("language") or _interface_language()
    if language not in guideline_languages(project):
        raise Http404(_("The guidelines cannot be in this language."))
    return language


def _tabs(project: Project, current: str) -> list[LanguageTab]:
    return [
        LanguageTab(code, language_words(code), code == current, bool(project.guidelines.get(code)))
        for code in guideline_languages(project)
    ]


def _interface_language() -> str:
    current = get_language() or settings.LANGUAGE_CODE
    return current if current in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def _language_shown(project: Project, wanted: str) -> str:
    """The wanted language, or another one that has a text; the page says so then."""
    if project.guidelines.get(wanted):
        return wanted
    return next((code for code in guideline_languages(project) if project.guidelines.get(code)), wanted)
