"""Imports: bring files, see what they hold, correct it, import. Each import that is started has a page of its own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from annotator.core.access import Access, project_for
from annotator.core.counts import with_counts
from annotator.core.errors import ActionError
from annotator.core.permissions import Permission
from annotator.imports.drafts.drafts import (
    Upload,
    add_files,
    add_text,
    change_draft,
    drop_draft,
    preview_draft,
    remove_file,
    replace_files,
    start_check,
    start_draft,
    start_import,
)
from annotator.imports.drafts.files import shown_name
from annotator.imports.forms.imports import DraftForm
from annotator.imports.queries.drafts import draft_of, drafts_of
from annotator.imports.queries.imports import brought_texts, formats_made_for, imports_of, pasted_name
from annotator.imports.reading.problems import problems_csv
from annotator.imports.views.shown import shown_preview
from annotator.imports.views.steps import CHECK, FILES, FORMAT, IMPORT, step_url, steps_shown
from annotator.imports.views.words import words_of
from annotator.jobs.queries import progress_of, worker_listening
from annotator.models import ImportDraft, JobKind, Project, User
from annotator.web.bodies import files_of_import, takes_files
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message
from annotator.web.requests import PageRequest

PAGE, PART = "imports/imports.html", "imports/draft.html"
# What changes neither what is read nor how: the preview stays what was looked at.
_ASIDE = {"dataset", "licence", "publishable"}
SHOWN = 20
# Files that are named one by one.
NAMED = 5


@takes_files(files_of_import)
@require_http_methods(["GET", "HEAD", "POST"])
def import_corpus(request: PageRequest, slug: str) -> HttpResponse:
    """Begin an import with its first files; imports that were started, and those that came in."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    if request.method != "POST":
        return _first_page(request, access)
    draft = None
    try:
        draft = start_draft(project=access.project, by=access.user)
        _add(request, draft, access.user)
    except ActionError as error:
        if draft is not None:
            drop_draft(draft=draft, by=access.user)
        return _refused(request, access, str(error), None)
    return _to_draft(request, draft, FORMAT)


@require_http_methods(["GET", "HEAD", "POST"])
def import_draft(request: PageRequest, slug: str, draft: int) -> HttpResponse:
    """What the files are taken for and what they would bring; POST corrects it."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    found = _draft(access, draft)
    refused = ""
    if request.method == "POST":
        try:
            _correct(request, found, access.user)
        except ActionError as error:
            refused = str(error)
        if not request.htmx:
            if refused:
                messages.error(request, refused)
            return _to_step(found, request.POST.get("step" if refused else "go", "") or request.POST.get("step", ""))
    return _page(request, access, _draft(access, draft), refused)


@takes_files(files_of_import)
@require_POST
def import_files(request: PageRequest, slug: str, draft: int) -> HttpResponse:
    """More files, or a file again: `replace` is the id of the file whose place it takes."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    found = _draft(access, draft)
    try:
        _add(request, found, access.user)
    except ActionError as error:
        return _refused(request, access, str(error), found)
    return _to_draft(request, found, FILES)


@require_POST
def import_file_remove(request: PageRequest, slug: str, draft: int, file: int) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    with refusal_as_message(request):
        remove_file(draft=_draft(access, draft), file=str(file), by=access.user)
    return redirect(step_url(slug, draft, FILES))


@require_POST
def import_check(request: PageRequest, slug: str, draft: int) -> HttpResponse:
    """Read all of large files as a job, before they are imported."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    found = _draft(access, draft)
    with refusal_as_message(request):
        _correct(request, found, access.user)
        start_check(draft=found, by=access.user)
    return redirect(step_url(slug, draft, CHECK))


@require_POST
def import_start(request: PageRequest, slug: str, draft: int) -> HttpResponse:
    """Import what was previewed. What was changed after the preview is previewed first."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    found = _draft(access, draft)
    with refusal_as_message(request):
        seen = request.POST.get("previewed", "") == found.preview_of
        changes = _correct(request, found, access.user)
        if not seen or set(changes) - _ASIDE:
            messages.warning(request, _("The settings changed. Check the updated preview, then import."))
            return redirect(step_url(slug, draft, CHECK))
        return redirect("job", slug, start_import(draft=found, by=access.user).pk)
    return redirect(step_url(slug, draft, IMPORT))


@require_POST
def import_drop(request: PageRequest, slug: str, draft: int) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    with refusal_as_message(request):
        drop_draft(draft=_draft(access, draft), by=access.user)
        messages.success(request, _("Import discarded. Its files were deleted and nothing was added to the project."))
    return redirect("import", slug)


@require_safe
def import_problems(request: PageRequest, slug: str, draft: int) -> StreamingHttpResponse:
    """All that is wrong with the files, as CSV."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    lines = problems_csv(_draft(access, draft))
    # The mark, so that spreadsheets read UTF-8.
    response = StreamingHttpResponse(_marked(lines), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="problems-{draft}.csv"'
    return response


def _draft(access: Access, pk: int) -> ImportDraft:
    found = draft_of(access.project, pk)
    if found is None:
        raise Http404
    return found


def _add(request: HttpRequest, draft: ImportDraft, by: User) -> None:
    """Take the files of a request, or its pasted text. A file with the name of one that is there takes its place."""
    files: Sequence[UploadedFile] = request.FILES.getlist("files")
    if not files:
        text, name = request.POST.get("text", ""), request.POST.get("name", "").strip()
        if "text" not in request.POST:
            raise ActionError(_("No file was chosen."))
        name = name or pasted_name(draft.project, [one["name"] for one in draft.files])
        add_text(draft=draft, name=name, text=text, by=by)
        return
    there = {one["name"]: one["id"] for one in draft.files}
    names = {one["id"]: one["name"] for one in draft.files}
    replaced = request.POST.get("replace", "")
    new = []
    anew: dict[str, Upload] = {}
    for file in files:
        upload = Upload(file.name or "", file.chunks())
        place = replaced or there.get(shown_name(upload.name).removesuffix(".gz"), "")
        replaced = ""
        if place and place not in anew:
            anew[place] = upload
        else:
            new.append(upload)
    if anew:
        replace_files(draft=draft, uploads=list(anew.items()), by=by)
        _tell_replaced(request, [(shown_name(upload.name), names.get(place, "")) for place, upload in anew.items()])
    if new:
        # An archive once more takes the place of what was in it.
        archives = tuple(f"{shown_name(upload.name)}/" for upload in new)
        before = [one["id"] for one in draft.files if one["name"].startswith(archives)]
        add_files(draft=draft, uploads=new, by=by)
        for old in before:
            remove_file(draft=draft, file=old, by=by)


def _tell_replaced(request: HttpRequest, replaced: Sequence[tuple[str, str]]) -> None:
    """Say which files took the place of which."""
    if len(replaced) > NAMED:
        messages.success(request, with_counts(_("%(number)d files were read again."), number=len(replaced)))
        return
    for name, old in replaced:
        if name.removesuffix(".gz") == old:
            messages.success(request, _("%(name)s was read again.") % {"name": name})
        else:
            messages.success(request, _("%(name)s replaces %(old)s.") % {"name": name, "old": old})


def _correct(request: HttpRequest, draft: ImportDraft, by: User) -> dict[str, Any]:
    """Write what a person corrected into the draft; what it was. Raises ActionError, with nothing changed."""
    if "shown" not in request.POST or draft.imported_id is not None:
        return {}
    form = DraftForm(request.POST, draft=draft, preview=draft.preview)
    form.is_valid()
    changes = form.changes()
    if changes:
        change_draft(draft=draft, changes=changes, by=by)
    sent = request.POST["shown"].split()
    for name, errors in form.errors.items():
        if name in sent:
            raise ActionError(f"{form.fields[name].label}: {errors[0]}")
    return changes


def _to_draft(request: PageRequest, draft: ImportDraft, step: str) -> HttpResponse:
    # Here, so that looking at the page writes nothing.
    with suppress(ActionError):
        preview_draft(draft=draft)
    url = step_url(draft.project.slug, draft.pk, step)
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


def _to_step(draft: ImportDraft, step: str) -> HttpResponse:
    return redirect(step_url(draft.project.slug, draft.pk, step))


def _refused(request: PageRequest, access: Access, refused: str, draft: ImportDraft | None) -> HttpResponse:
    """Why files were not taken: beside the place where they were chosen, or on the page where there are no scripts."""
    if request.htmx:
        return project_page(request, access, "imports/refused.html", {"refused": refused})
    if draft is None:
        return _first_page(request, access, refused=refused, status=422)
    return _page(request, access, draft, refused, status=422)


def _first_page(request: HttpRequest, access: Access, *, refused: str = "", status: int = 200) -> HttpResponse:
    context = {
        "refused": refused,
        "drafts": drafts_of(access.project)[:SHOWN],
        "imports": imports_of(access.project).annotate(brought_texts=brought_texts())[:SHOWN],
        "paste_name": pasted_name(access.project),
        **_limits(access.project),
    }
    return project_page(request, access, PAGE, context, section="import", status=status)


def _page(
    request: PageRequest, access: Access, draft: ImportDraft, refused: str = "", status: int = 200
) -> HttpResponse:
    paste_name = pasted_name(access.project, [one["name"] for one in draft.files])
    step = request.POST.get("step", "") or request.GET.get("step", "")
    context: dict[str, Any] = {"draft": draft, "refused": refused, "paste_name": paste_name}
    context |= _limits(access.project)
    if draft.imported_id is not None:
        return (
            redirect("job", access.project.slug, draft.job_id)
            if draft.job_id
            else redirect("import", access.project.slug)
        )
    if draft.job is not None and not draft.job.finished:
        context |= {"job": draft.job, "progress": progress_of(draft.job)}
    else:
        try:
            preview: Any = preview_draft(draft=draft)
        except ActionError as error:
            preview, context["refused"] = {}, refused or str(error)
        form = DraftForm(draft=draft, preview=preview)
        context |= {
            **steps_shown(draft, preview, step),
            "form": form,
            "words": words_of(draft.format),
            "datasets": imports_of(access.project).order_by("dataset").values_list("dataset", flat=True).distinct(),
            "shown": shown_preview(draft, preview) if preview else None,
            "preview": preview,
            "failed": draft.job if draft.job is not None and draft.job.error else None,
        }
        context["form_shown"] = form.shown(context["step"])
    template = PART if request.htmx else PAGE
    return project_page(request, access, template, context, section="import", status=status)


def _limits(project: Project) -> dict[str, Any]:
    return {
        "made_for": formats_made_for(project),
        "no_worker": not worker_listening(JobKind.IMPORT.queue),
        "max_megabytes": settings.IMPORT_MAX_BYTES // (1024 * 1024),
    }


def _marked(lines: Any) -> Any:
    yield "\ufeff"
    yield from lines
