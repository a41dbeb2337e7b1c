"""Releases: the list, starting one, looking into one, downloading it. Exports: putting one together, its file."""

from __future__ import annotations

import json

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from annotator.core.access import Access, project_for
from annotator.core.files.downloads import download
from annotator.core.permissions import Permission
from annotator.core.unit_kinds import counted_units
from annotator.dashboard.forms import ReleaseForm
from annotator.dashboard.queries.stages_before import due_texts
from annotator.imports.queries.imports import counted_from_withheld, imports_of, with_texts
from annotator.jobs.actions import start_job
from annotator.jobs.queries import active_jobs, worker_listening
from annotator.models import JobKind, Project
from annotator.releases.actions.card import change_card
from annotator.releases.card import empty_questions
from annotator.releases.forms import CardForm
from annotator.releases.queries.export_page import MAX_COUNTED, Asked, export_page
from annotator.releases.queries.gold_gaps import gold_gaps
from annotator.releases.queries.label_export import Whose, export_name, export_to_download
from annotator.releases.queries.release_parts import lacks
from annotator.releases.queries.release_readme import left_out_counts
from annotator.releases.queries.releases import answers_stand, has_results, refused_downloads, why_not_downloaded
from annotator.splits.queries.stored import splits_in
from annotator.templatetags.imports import language_names
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message, refusal_in
from annotator.web.requests import PageRequest
from annotator.work.gold.queries.left_out import from_withheld_prompt
from annotator.work.queue.queries.coverage import units_held
from annotator.work.queue.queries.returned import returned_units

# Of what a release leaves out, on its page; its files have all of it.
MAX_LISTED = 1000


@require_safe
def releases(request: HttpRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.VIEW)
    return _page(request, access, _form(access))


def _form(access: Access, given: QueryDict | None = None) -> ReleaseForm:
    return ReleaseForm(given, scheme=access.project.scheme, splits=list(splits_in(access.project)))


def _page(request: HttpRequest, access: Access, form: ReleaseForm, *, asks: bool = False) -> HttpResponse:
    """The list, with the form as it was filled in. `asks`: whether to release a part, since not all of it has gold."""
    held = units_held(access.project)
    made = list(access.project.releases.select_related("created_by"))
    not_for_you = refused_downloads(access, made)
    withheld = list(with_texts(imports_of(access.project).filter(publishable=False)))
    from_withheld = counted_from_withheld(access.project) if withheld else {}
    context = {
        "held": sum(held.values()),
        "held_words": language_names([counted_units(kind, number) for kind, number in held.items()]),
        "releases": [(one, not not_for_you[one.number]) for one in made],
        "not_for_you": sorted(set(filter(None, not_for_you.values()))),
        "gaps": gold_gaps(access.project),
        "due": due_texts(access.project),
        "lacks": lacks(access.project),
        "not_stated": [one.label for one in empty_questions(access.project.dataset_card)],
        "returned": len(returned_units(access.project)),
        "answers_stand": answers_stand(access.project, access.project.stages.all()),
        "has_results": has_results(access.project),
        "has_labels": access.project.golds.filter(layer=access.project.label_layer).exists(),
        "withheld": withheld,
        "from_withheld": sum(from_withheld.values()),
        "from_withheld_words": language_names([counted_units(kind, one) for kind, one in from_withheld.items()]),
        "under_way": active_jobs(access.project).filter(kind=JobKind.RELEASE).first(),
        "no_worker": not worker_listening(JobKind.RELEASE.queue),
        "form": form,
        "asks": asks,
    }
    status = 422 if form.is_bound else 200
    return project_page(request, access, "releases/releases.html", context, section="releases", status=status)


@require_POST
def release_start(request: HttpRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    form = _form(access, request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
    elif not form.cleaned_data["partial"] and _is_partial(access.project):
        return _page(request, access, form, asks=True)
    else:
        with refusal_as_message(request):
            job = start_job(project=access.project, kind=JobKind.RELEASE, params=form.cleaned_data, by=access.user)
            return redirect("job", slug, job.pk)
    return _page(request, access, form)


def _is_partial(project: Project) -> bool:
    """Whether a release can only be of a part, as far as counters tell: what may not be published needs no gold."""
    withheld = project.imports.filter(publishable=False)
    return has_results(project) and bool(gold_gaps(project)) and not withheld.exists()


@require_safe
def release(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The manifest of a release."""
    access = project_for(request.user, slug, needs=Permission.VIEW)
    found = get_object_or_404(access.project.releases, number=number)
    manifest = found.manifest
    short = dict(manifest)
    if len(manifest.get("left_out", [])) > MAX_LISTED:
        short["left_out"] = [*manifest["left_out"][:MAX_LISTED], "…"]
    context = {
        "release": found,
        "not_for_you": why_not_downloaded(access, found),
        "files": manifest.get("files", {}),
        "left_out": manifest.get("left_out", []),
        "left_out_counts": left_out_counts(manifest.get("left_out", [])),
        "most_listed": MAX_LISTED,
        "from_prompts": sum(from_withheld_prompt(row["reason"]) for row in manifest.get("left_out", [])),
        "counts": manifest.get("counts", {}),
        "manifest": json.dumps(short, ensure_ascii=False, indent=2),
    }
    return project_page(request, access, "releases/release.html", context, section="releases")


@require_safe
def release_download(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    access = project_for(request.user, slug, needs=Permission.VIEW)
    found = get_object_or_404(access.project.releases, number=number)
    if reason := why_not_downloaded(access, found):
        raise PermissionDenied(reason)
    return download(found.stored, called=found.file_name, sha256=found.sha256)


@require_safe
@vary_on_headers("HX-Request")
def exports(request: PageRequest, slug: str) -> HttpResponse:
    """The choices are in the address; a request from the page's script asks for the list of exports alone, or with
    `HX-Target` for what is chosen."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    page = export_page(access, _asked(request.GET))
    template = "releases/exports_table.html" if request.htmx.target == "exports" else "releases/exports.html"
    response = project_page(request, access, template, {"page": page, "most_counted": MAX_COUNTED}, section="releases")
    if request.htmx.target == "exports" and not page.running:
        # The end brings messages and downloads.
        response.headers["HX-Refresh"] = "true"
    return response


@require_POST
def export_start(request: PageRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    asked = _asked(request.POST)
    if reason := export_page(access, asked).hidden:
        raise PermissionDenied(reason)
    whose, _colon, name = asked.source.partition(":")
    params = {
        "format": asked.format,
        "layer": asked.layer or "",
        "languages": list(asked.languages or ()),
        "whose": whose or Whose.GOLD.value,
        "name": name,
        "undecided": asked.undecided,
    }
    if not asked.languages:
        # For the job, none would be all of them.
        messages.error(request, _("Choose at least one language."))
        return _export_again(slug, request.POST)
    with refusal_as_message(request):
        start_job(project=access.project, kind=JobKind.EXPORT, params=params, by=access.user)
        return redirect("exports", slug)
    return _export_again(slug, request.POST)


def _export_again(slug: str, given: QueryDict) -> HttpResponse:
    """The page with what was chosen."""
    kept = given.copy()
    kept.pop("csrfmiddlewaretoken", None)
    return redirect(f"{reverse('exports', args=[slug])}?{kept.urlencode()}")


@require_safe
def export_download(request: HttpRequest, slug: str, job: int) -> HttpResponseBase:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    try:
        found = export_to_download(access, job)
    except Http404 as error:
        messages.error(request, str(error))
        return redirect("exports", slug)
    return download(found.exported, called=export_name(found))


@require_http_methods(["GET", "HEAD", "POST"])
def card(request: PageRequest, slug: str) -> HttpResponse:
    """The settings page of the dataset card."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    form = CardForm(request.POST) if request.method == "POST" else CardForm.of(access.project)
    if form.is_valid():
        answers = {name: text for name, text in form.cleaned_data.items() if name != "names"}
        with refusal_in(form, None):
            change_card(project=access.project, answers=answers, names=form.cleaned_data["names"], by=access.user)
            messages.success(request, _("The dataset card was saved."))
            return redirect("settings-card", slug)
    status = 422 if form.is_bound else 200
    return project_page(
        request, access, "releases/settings_card.html", {"form": form}, section="settings", status=status
    )


def _asked(given: QueryDict) -> Asked:
    return Asked(
        layer=given.get("layer"),
        source=given.get("labels", ""),
        languages=given.getlist("languages") if "chosen" in given else None,
        format=given.get("format", ""),
        undecided="undecided" in given,
    )
