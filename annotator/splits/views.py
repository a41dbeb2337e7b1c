"""Splits: the list, making and importing one, looking into one, downloading it, deleting it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotator.core.access import Access, project_for
from annotator.core.errors import ActionError
from annotator.core.permissions import Permission
from annotator.core.unit_kinds import counted_units
from annotator.imports.drafts.files import Upload
from annotator.jobs.actions import start_job
from annotator.jobs.queries import active_jobs, worker_listening
from annotator.models import JobKind, Project
from annotator.reports.files import FORMAT_NAMES, FORMATS, report_file
from annotator.splits.actions.splits import delete_split
from annotator.splits.actions.uploads import drop_upload, store_upload
from annotator.splits.forms import ImportSplitForm, SplitForm
from annotator.splits.queries.parts import parts_report
from annotator.splits.queries.preview import Preview, preview
from annotator.splits.queries.stored import (
    bare_parts,
    gone,
    leaks_of,
    part_sizes,
    split_seen,
    splits_in,
    strata_of,
    table_lines,
    why_not_seen,
)
from annotator.templatetags.splits import part_heading
from annotator.templatetags.tables import shown_cells
from annotator.web.bodies import files_of_import, takes_files
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message, valid_or_messages


@require_safe
def splits(request: HttpRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.ADJUDICATE)
    context = {
        "splits": list(splits_in(access.project)),
        "hidden": why_not_seen(access),
        "under_way": active_jobs(access.project).filter(kind=JobKind.SPLIT).first(),
    }
    return project_page(request, access, "splits/splits.html", context, section="splits")


@require_http_methods(["GET", "HEAD", "POST"])
def split_new(request: HttpRequest, slug: str) -> HttpResponse:
    """The forms. A request from the page's script brings what is chosen, and asks for the numbers alone."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    project = access.project
    if request.method != "POST":
        chosen = SplitForm(request.GET, project=project) if "layer" in request.GET else None
        return _new_page(request, access, chosen or SplitForm(project=project, initial={"name": free_name(project)}))
    form = SplitForm(request.POST, project=project)
    if form.is_valid():
        try:
            job = start_job(project=project, kind=JobKind.SPLIT, params=form.cleaned_data, by=access.user)
        except ActionError as error:
            form.add_error(None, str(error))
        else:
            return redirect("job", slug, job.pk)
    return _new_page(request, access, form, status=422)


@takes_files(files_of_import)
@require_POST
def split_import(request: HttpRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    project = access.project
    form = ImportSplitForm(request.POST, project=project)
    files = request.FILES.getlist("files")
    if not files:
        messages.error(request, _("No file was chosen."))
    elif valid_or_messages(request, form):
        with refusal_as_message(request):
            uploads = [Upload(file.name or "", file.chunks()) for file in files]
            key = store_upload(project=project, uploads=uploads, by=access.user)
            params = {**form.cleaned_data, "method": "imported", "upload": key}
            try:
                job = start_job(project=project, kind=JobKind.SPLIT, params=params, by=access.user)
            except ActionError:
                drop_upload(project.pk, key)
                raise
            return redirect("job", slug, job.pk)
    return redirect("split-new", slug)


@require_safe
def split(request: HttpRequest, slug: str, split: int) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.ADJUDICATE)
    found = split_seen(access, split)
    report, leaks = parts_report(found), leaks_of(found)
    context = {
        "split": found,
        "sizes": part_sizes(found),
        "unit_kind": found.layer.unit_kind,
        "strata": strata_of(found),
        "report": report,
        "headings": list(zip(report.columns, map(part_heading, report.columns), strict=True)),
        "formats": [(f"split-{ending}", name) for ending, name in FORMAT_NAMES.items()],
        "leaks": [one for one in leaks if one.rows or one.uncompared],
        "without_leaks": [one for one in leaks if not (one.rows or one.uncompared)],
        "gone": gone(found),
        "bare": ", ".join(f"{part} ({code})" for part, code in bare_parts(found)),
        "unmatched": found.results.get("unmatched", 0),
    }
    return project_page(request, access, "splits/split.html", context, section="splits")


@require_safe
def split_download(request: HttpRequest, slug: str, split: int) -> StreamingHttpResponse:
    """The table of ids and parts."""
    access = project_for(request.user, slug, needs=Permission.ADJUDICATE)
    found = split_seen(access, split)
    response = StreamingHttpResponse(table_lines(found), content_type="text/tab-separated-values; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{found.name}.tsv"'
    return response


@require_safe
def split_table(request: HttpRequest, slug: str, split: int, file_format: str) -> HttpResponse:
    """The table of the parts as a file."""
    access = project_for(request.user, slug, needs=Permission.ADJUDICATE)
    found = split_seen(access, split)
    report = parts_report(found)
    content = report_file(report, file_format, list(map(part_heading, report.columns)), shown_cells(report))
    response = HttpResponse(content, content_type=FORMATS[file_format])
    response["Content-Disposition"] = f'attachment; filename="{found.name}-parts.{file_format}"'
    return response


@require_POST
def split_delete(request: HttpRequest, slug: str, split: int) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    found = splits_in(access.project).filter(pk=split).first()
    if found is not None:
        with refusal_as_message(request):
            delete_split(split=found, by=access.user)
            messages.success(request, _("The split “%(name)s” was deleted.") % {"name": found.name})
    return redirect("splits", slug)


def free_name(project: Project) -> str:
    """A name that no split has: split-1, split-2, …"""
    taken = set(splits_in(project).values_list("name", flat=True))
    return next(name for number in range(1, len(taken) + 2) if (name := f"split-{number}") not in taken)


def _new_page(request: HttpRequest, access: Access, form: SplitForm, *, status: int = 200) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "import_form": ImportSplitForm(project=access.project),
        "numbers": _numbers(access, form),
        "no_worker": not worker_listening(JobKind.SPLIT.queue),
    }
    if context["numbers"] is not None:
        context["total_words"] = counted_units(context["numbers"].kind, context["numbers"].total)
    return project_page(request, access, "splits/new.html", context, section="splits", status=status)


def _numbers(access: Access, form: SplitForm) -> Preview | None:
    """What is chosen in numbers; None where it cannot be made."""
    if not form.is_bound:
        first = {name: field.initial for name, field in form.fields.items() if field.initial is not None}
        layer = access.project.layers.first()
        form = SplitForm({**first, "name": "split", "layer": layer.pk if layer else ""}, project=access.project)
    if not form.is_valid():
        return None
    chosen = form.cleaned_data
    layer = access.project.layers.get(pk=chosen["layer"])
    return preview(layer, chosen["parts"], chosen["shares"], sees_gold=not why_not_seen(access))
