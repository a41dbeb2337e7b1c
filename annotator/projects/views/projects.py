"""The projects of the signed-in user, and making a new one."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from annotator.core.access import deleting_for, managed_by, projects_for
from annotator.core.errors import ActionError
from annotator.core.permissions import may_create_projects, may_restore_projects
from annotator.core.starts import STARTS, workflow
from annotator.dashboard.queries.project_cards import project_cards
from annotator.domain.text.language_tags import known_languages
from annotator.imports.drafts.start_sample import add_sample
from annotator.models import Job, Project
from annotator.projects.actions.copy_project import copy_project
from annotator.projects.actions.delete_project import delete_again
from annotator.projects.actions.projects import create_project, free_slug
from annotator.projects.forms.projects import COPY, Choices, NewProjectForm
from annotator.projects.views.workflow import workflow_table
from annotator.templatetags.words import TEXTS
from annotator.web.refusals import refusal_as_message
from annotator.web.requests import PageRequest

# In the menu of projects that each project has; the page has all of them.
MAX_LISTED = 20


@require_safe
@vary_on_headers("HX-Request")
def projects(request: PageRequest) -> HttpResponse:
    """One's own projects: those at work, those that are archived, those that are being deleted. For the menu of a
    project, the names alone."""
    if request.htmx:
        at_work = projects_for(request.user).filter(archived_at=None).order_by("name", "pk")
        return render(request, "projects/includes/project_links.html", {"projects": at_work[:MAX_LISTED]})
    cards = project_cards(request.user)
    context = {
        "cards": [card for card in cards if not card.project.is_archived],
        "archived": [card for card in cards if card.project.is_archived],
        "deleting": deleting_for(request.user),
        "may_create": may_create_projects(request.user),
        "may_restore": may_restore_projects(request.user),
    }
    return render(request, "projects/projects.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("HX-Request")
def new_project(request: PageRequest) -> HttpResponse:
    """The form for a new project. As one chooses, the choices and the picture of the workflow are asked for again."""
    if not may_create_projects(request.user):
        raise PermissionDenied(
            _(
                "Only selected people can create projects on this site. Ask a site administrator, or the manager "
                "of a project."
            )
        )
    copies = list(managed_by(request.user))
    if request.htmx:
        # A person who changes what a starting point brings continues changing it.
        # Posted by the page, since an address holds only so many labels.
        data = request.POST if request.method == "POST" else request.GET
        context = {"changing": request.htmx.trigger_name == "texts", **_choices(Choices(data), data)}
        return render(request, "projects/includes/new_project_choices.html", context)
    initial = {"start": _wanted(request.GET.get("start", ""), copies)}
    form = NewProjectForm(request.POST if request.method == "POST" else None, copies=copies, initial=initial)
    status = 200
    if request.method == "POST":
        if form.is_valid():
            try:
                project = _made(form, request)
            except ActionError as error:
                form.add_error("slug", str(error))
            else:
                messages.success(request, _("The project has been created. You are its manager."))
                jobs: list[Job] = []
                if form.sampled is not None:
                    with refusal_as_message(request):
                        jobs = add_sample(project=project, start=form.sampled, by=request.user)
                # They are done one after the other.
                return redirect("job", project.slug, jobs[-1].pk) if jobs else redirect("project", project.slug)
        status = 422
    sent = request.POST if request.method == "POST" else {"start": initial["start"]}
    context = {
        "form": form,
        "starts": [(name, start.words) for name, start in STARTS.items()],
        "copies": copies,
        "copy_prefix": COPY,
        "start": form.data.get("start") or initial["start"],
        "targets": request.POST.getlist("targets") or [""],
        "languages": known_languages(tuple(code for code, _name in settings.LANGUAGES)),
        **_choices(Choices(sent), sent),
    }
    return render(request, "projects/new_project.html", context, status=status)


@require_POST
def project_delete_again(request: PageRequest, slug: str) -> HttpResponse:
    """Go on with a deletion that failed."""
    found = [row for row in deleting_for(request.user) if row.project.slug == slug]
    if not found:
        raise Http404(_("This project does not exist, or you are not its manager."))
    with refusal_as_message(request):
        delete_again(project=found[0].project, by=request.user)
    return redirect("projects")


def _wanted(start: str, copies: list[Project]) -> str:
    known = {*STARTS, *(f"{COPY}{project.slug}" for project in copies)}
    return start if start in known else next(iter(STARTS))


def _made(form: NewProjectForm, request: PageRequest) -> Project:
    data = form.cleaned_data
    slug = data["slug"] or free_slug(data["name"])
    if form.copied is not None:
        along = {"members": data["members"], "texts": data["with_texts"]}
        return copy_project(project=form.copied, slug=slug, name=data["name"], by=request.user, **along)
    return create_project(slug=slug, name=data["name"], preset=form.preset(), by=request.user)


def _choices(choices: Choices, sent: Any) -> dict[str, Any]:
    """What the choices and the picture show."""
    known = workflow()
    languages = choices.languages or [""]
    if len(languages) == 1 and known.review in choices.possible:
        # A second language is meant, and not named yet.
        languages = [*languages, "*"]
    name = (sent.get("name") or "").strip()
    return {
        "choices": choices,
        "copying": choices.copy,
        "texts": [(str(code), words) for code, words in TEXTS.items()],
        "steps": [(step, known.words[step], step in choices.steps, step == known.label) for step in choices.possible],
        "table": workflow_table(choices.stages(languages), languages),
        "short_name": sent.get("slug") or (free_slug(name) if name else ""),
    }
