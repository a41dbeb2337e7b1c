"""What managers change about a project. What moves work or contents is shown in numbers (GET), then done (POST)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings as site
from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from annotator.backup.queries.archives import last_archive
from annotator.core.access import Access, project_for
from annotator.core.counts import with_counts
from annotator.core.errors import ActionError
from annotator.core.kind import Kind, kind_named, kinds
from annotator.core.permissions import Permission, may_create_projects
from annotator.core.presets import StageSpec, Step
from annotator.core.unit_kinds import counted_units
from annotator.domain.context import Context
from annotator.domain.text.language_tags import known_languages
from annotator.domain.text.storable import whole_number
from annotator.imports.reading.labels import category_layers
from annotator.models import Job, JobKind, Layer, Project, Stage
from annotator.projects.actions.copy_project import copy_project
from annotator.projects.actions.delete_project import delete_project
from annotator.projects.actions.project_settings import (
    add_language,
    add_layer,
    archive_project,
    change_settings,
    remove_language,
    restore_project,
)
from annotator.projects.actions.projects import free_slug
from annotator.projects.actions.stages import add_stages, change_context, order_stages, remove_stage
from annotator.projects.forms.projects import (
    AddLanguageForm,
    AddLayerForm,
    AddStageForm,
    CopyForm,
    DeleteForm,
    GeneralForm,
    LanguageSettingsForm,
    context_choices,
)
from annotator.projects.queries.project_settings import (
    archive_consequences,
    language_rows,
    stage_consequences,
    stages_for_language,
    units_for_stage,
    unjudged,
)
from annotator.templatetags.words import language as language_words
from annotator.templatetags.words import stage_name
from annotator.web.pages import project_page
from annotator.web.refusals import form_errors_as_messages, refusal_as_message
from annotator.web.requests import PageRequest


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: PageRequest, slug: str) -> HttpResponse:
    """The page with everything, and what the project is called and how it is worked in."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    form = GeneralForm.of(access.project)
    status = 200
    if request.method == "POST":
        form = GeneralForm(request.POST)
        status = 422
        if form.is_valid():
            try:
                change_settings(project=access.project, changes=form.changes(), by=access.user)
            except ActionError as error:
                form.add_error("name", str(error))
            else:
                messages.success(request, _("The settings are saved."))
                return redirect("settings", slug)
    return _settings_page(request, access, status=status, form=form)


def _settings_page(request: PageRequest, access: Access, *, status: int = 200, **forms: Form) -> HttpResponse:
    """The page of settings; `forms`: those that are shown with what was sent, by their name in the template."""
    project = access.project
    stages = list(project.stages.select_related("layer"))
    for stage in stages:
        stage.project = project
    context = {
        "form": GeneralForm.of(project),
        "languages": language_rows(project),
        "known_languages": known_languages(tuple(code for code, _name in site.LANGUAGES)),
        "stages": stages,
        "with_trial": {
            row.pk
            for row in stages
            if not row.adjudicates and (trial := kind_named(row.kind).trial) is not None and trial.settings is not None
        },
        "unjudged": unjudged(stages),
        "contexts": context_choices(project),
        "stage_form": AddStageForm(project=project, works=_works(project), prefix=""),
        "layer_form": AddLayerForm(),
        "layers": [layer for layer in project.layers.all() if layer.content_type == Layer.SPANS],
        "categories": category_layers(project),
        "may_copy": may_create_projects(access.user),
        **forms,
    }
    return project_page(request, access, "projects/settings.html", context, section="settings", status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def language_add(request: PageRequest, slug: str) -> HttpResponse:
    """What a further language would bring (GET), and adding it (POST)."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    form = AddLanguageForm(request.POST if request.method == "POST" else request.GET)
    if not form.is_valid():
        for error in form.errors.get("language", []):
            messages.error(request, str(error))
        return redirect("settings", slug)
    tag = form.cleaned_data["language"]
    if request.method == "POST":
        with refusal_as_message(request):
            _project, job = add_language(project=access.project, language=tag, by=access.user)
            _said(request, _("%(language)s is added.") % {"language": language_words(tag)}, job)
        return redirect("settings", slug)
    specs = stages_for_language(access.project, tag)
    stages = [stage_name(_unsaved(access.project, spec)) for spec in specs]
    lines = [_("The project gets these stages: %(stages)s.") % {"stages": ", ".join(stages)}] if stages else []
    lines.append(_("There are no sentences in it yet. Import them for the segments that are there."))
    if tag in access.project.languages:
        messages.error(request, _("The project has this language already."))
        return redirect("settings", slug)
    title = _("Add %(language)s?") % {"language": language_words(tag)}
    return _confirm(request, access, title, lines, button=_("Add the language"), values={"language": tag})


@require_http_methods(["GET", "HEAD", "POST"])
def language(request: PageRequest, slug: str, tag: str) -> HttpResponse:
    """Where a language's labels come from, its dictionaries, its closed-class words; taking it out of the project."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    project = access.project
    if tag not in project.languages:
        raise Http404(_("The project does not have this language."))
    status = 200
    form = LanguageSettingsForm(
        project=project,
        tag=tag,
        initial={
            "sources": project.sources_of(tag),
            "dictionaries": "\n".join(f"{one['name']} {one['url']}" for one in project.dictionaries_for(tag)),
            "function_words": " ".join(project.function_words.get(tag, [])),
        },
    )
    if request.method == "POST" and "remove" in request.POST:
        with refusal_as_message(request):
            remove_language(project=project, language=tag, by=access.user)
            messages.success(
                request, _("%(language)s is no longer in the project.") % {"language": language_words(tag)}
            )
        return redirect("settings", slug)
    if request.method == "POST":
        form = LanguageSettingsForm(request.POST, project=project, tag=tag)
        status = 422
        if form.is_valid():
            data = form.cleaned_data
            words = {code: found for code, found in project.function_words.items() if code != tag}
            if data["function_words"]:
                words[tag] = data["function_words"]
            changes = {"dictionaries": {**project.dictionaries, tag: data["dictionaries"]}, "function_words": words}
            if "sources" in data and set(data["sources"]) != set(project.sources_of(tag)):
                changes["sources"] = {tag: data["sources"]}
            try:
                change_settings(project=project, changes=changes, by=access.user)
            except ActionError as error:
                form.add_error(None, str(error))
            else:
                messages.success(request, _("The settings are saved."))
                return redirect("settings", slug)
    row = next(row for row in language_rows(project) if row.tag == tag)
    context = {"form": form, "tag": tag, "row": row}
    return project_page(request, access, "projects/settings_language.html", context, section="settings", status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def stage_add(request: PageRequest, slug: str) -> HttpResponse:
    """What a further stage would hold (GET), and adding it (POST)."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    data = request.POST if request.method == "POST" else request.GET
    if request.method != "POST" and not data:
        return redirect(f"{reverse('settings', args=[slug])}#add-stage")
    form = AddStageForm(data, project=access.project, works=_works(access.project))
    if not form.is_valid():
        # The form is far down its page.
        form.fields[next(iter(form.errors))].widget.attrs["autofocus"] = True
        return _settings_page(request, access, status=422, stage_form=form)
    spec = _spec(form.cleaned_data)
    if request.method == "POST":
        with refusal_as_message(request):
            job = add_stages(project=access.project, specs=[spec], by=access.user)
            _said(request, _("The stage is added."), job)
        return redirect("settings", slug)
    kind, number = units_for_stage(access.project, spec)
    about = ngettext(
        "There is %(units)s in this language; the stage holds those that its work is about.",
        "There are %(units)s in this language; the stage holds those that its work is about.",
        number,
    )
    lines = [
        about % {"units": counted_units(kind, number)},
        _("What people have done so far stays as it is."),
    ]
    name = stage_name(_unsaved(access.project, spec))
    title = _("Add the stage %(stage)s?") % {"stage": name}
    return _confirm(request, access, title, lines, button=_("Add the stage"), values=form.cleaned_data)


@require_POST
def stage_order(request: PageRequest, slug: str) -> HttpResponse:
    """Move one stage up or down: `stage` and `to`."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    order = list(access.project.stages.order_by("position", "pk").values_list("pk", flat=True))
    moved = whole_number(request.POST.get("stage", ""))
    if moved in order:
        place = order.index(moved)
        beside = place - 1 if request.POST.get("to") == "up" else place + 1
        if 0 <= beside < len(order):
            order[place], order[beside] = order[beside], order[place]
            with refusal_as_message(request):
                order_stages(project=access.project, stages=order, by=access.user)
    return redirect(f"{reverse('settings', args=[slug])}#stages")


@require_POST
def stage_context(request: PageRequest, slug: str, stage: int) -> HttpResponse:
    """What a stage shows around its sentences."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    row = get_object_or_404(access.project.stages.select_related("layer"), pk=stage)
    row.project = access.project
    with refusal_as_message(request):
        change_context(stage=row, context=request.POST.get("context", ""), by=access.user)
        messages.success(request, _("The settings are saved."))
    return redirect(f"{reverse('settings', args=[slug])}#stages")


@require_http_methods(["GET", "HEAD", "POST"])
def stage_remove(request: PageRequest, slug: str, stage: int) -> HttpResponse:
    """What hangs on a stage (GET), and taking it out (POST)."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    row = get_object_or_404(access.project.stages.select_related("layer"), pk=stage)
    row.project = access.project
    if request.method == "POST":
        with refusal_as_message(request):
            remove_stage(stage=row, by=access.user)
            messages.success(request, _("The stage is removed."))
        return redirect("settings", slug)
    numbers = stage_consequences(row)
    done = numbers.answers + numbers.decisions
    lines = [
        with_counts(
            ngettext("%(number)d item leaves the stage.", "%(number)d items leave the stage.", numbers.items),
            number=numbers.items,
        ),
        with_counts(
            ngettext(
                "%(number)d open answer goes back; what is saved on it stays on record.",
                "%(number)d open answers go back; what is saved on them stays on record.",
                numbers.open,
            ),
            number=numbers.open,
        ),
        with_counts(
            ngettext("%(number)d finished answer or decision.", "%(number)d finished answers and decisions.", done),
            number=done,
        ),
    ]
    refused = _("Finished answers keep a stage: it cannot be removed.") if done else ""
    title = _("Remove the stage %(stage)s?") % {"stage": stage_name(row)}
    return _confirm(request, access, title, lines, button=_("Remove the stage"), danger=True, refused=refused)


@require_POST
def layer_add(request: PageRequest, slug: str) -> HttpResponse:
    """A further layer; nothing that is there changes."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    form = AddLayerForm(request.POST)
    if not form.is_valid():
        form_errors_as_messages(request, form)
        return redirect("settings", slug)
    with refusal_as_message(request):
        layer = add_layer(project=access.project, by=access.user, **form.cleaned_data)
        if layer.content_type == Layer.SPANS:
            said = _("The layer %(layer)s is added. Now add a stage for it.")
        else:
            said = _("The layer %(layer)s is added. Files that are imported can fill it.")
        messages.success(request, said % {"layer": layer.slug})
    return redirect(f"{reverse('settings', args=[slug])}#stages")


@require_http_methods(["GET", "HEAD", "POST"])
def archive(request: PageRequest, slug: str) -> HttpResponse:
    """What making a project read-only means (GET), and doing it (POST)."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    if request.method == "POST":
        with refusal_as_message(request):
            archive_project(project=access.project, by=access.user)
            messages.success(
                request, _("The project is read-only now. A manager can bring it back in its settings at any time.")
            )
        return redirect("settings", slug)
    numbers = archive_consequences(access.project)
    open_ = (
        with_counts(
            ngettext(
                "%(number)d person has work open in it, which waits as it is.",
                "%(number)d people have work open in it, which waits as it is.",
                numbers.people,
            ),
            number=numbers.people,
        )
        if numbers.people
        else _("Nobody has work open in it.")
    )
    lines = [
        _("Everybody can go on reading it and downloading its releases. Nobody can label, decide, import or release."),
        open_,
        _("In the list of projects it stands among the archived ones."),
        _("To undo it, bring the project back: here, in its settings. Work goes on where it stopped."),
    ]
    job = numbers.job
    refused = _("%(job)s is under way. Wait for its end, or cancel it, and archive then.") % {"job": job} if job else ""
    title = _("Make %(name)s read-only?") % {"name": access.project.name}
    return _confirm(request, access, title, lines, button=_("Make it read-only"), refused=refused)


@require_POST
def restore(request: PageRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    restore_project(project=access.project, by=access.user)
    messages.success(request, _("The project is back. Work goes on where it stopped."))
    return redirect("settings", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def copy(request: PageRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    name = _("Copy of %(name)s") % {"name": access.project.name}
    form = CopyForm(initial={"name": name[:200]})
    status = 200
    if not may_create_projects(access.user):
        messages.error(request, _("On this site chosen people create projects. Ask a site administrator."))
        return redirect("settings", slug)
    if request.method == "POST":
        form = CopyForm(request.POST)
        status = 422
        if form.is_valid():
            data = form.cleaned_data
            data["slug"] = data["slug"] or free_slug(data["name"])
            try:
                made = copy_project(project=access.project, by=access.user, **data)
            except ActionError as error:
                form.add_error("slug", str(error))
            else:
                messages.success(request, _("The copy is there. You are its manager."))
                job = made.jobs.filter(kind=JobKind.COPY).first()
                return redirect("job", made.slug, job.pk) if job else redirect("project", made.slug)
    return project_page(
        request, access, "projects/settings_copy.html", {"form": form}, section="settings", status=status
    )


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: PageRequest, slug: str) -> HttpResponse:
    """What would be gone, with the archive offered first (GET); deleting, the name typed (POST)."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    project = access.project
    form = DeleteForm()
    status = 200
    if request.method == "POST":
        form = DeleteForm(request.POST)
        status = 422
        if form.is_valid():
            try:
                delete_project(project=project, by=access.user, **form.cleaned_data)
            except ActionError as error:
                form.add_error("name", str(error))
            else:
                messages.success(request, _("%(name)s is being deleted.") % {"name": project.name})
                return redirect("projects")
    context = {
        "form": form,
        "sentences": project.sentences.count(),
        "annotations": project.annotations.count(),
        "golds": project.golds.count(),
        "releases": project.releases.count(),
        "members": project.memberships.count(),
        "last_archive": last_archive(project),
    }
    return project_page(request, access, "projects/settings_delete.html", context, section="settings", status=status)


def _works(project: Project) -> list[tuple[str, str]]:
    """What a further stage can be: a kind of work, or deciding on a layer."""
    layers, stages = list(project.layers.all()), list(project.stages.select_related("layer"))
    found = [(kind.slug, str(kind.title)) for kind in kinds() if kind.intake.standalone]
    for kind in kinds():
        found += _made_from(stages, kind, "", str(kind.title))
    for kind in kinds():
        for layer in layers if kind.layer.several else ():
            holds = (layer.content_type, layer.unit_kind)
            if holds != (kind.layer.content_type, kind.unit) or layer.slug == kind.layer.slug:
                continue
            name = f"{kind.title}: {layer.slug}"
            if kind.intake.standalone:
                found.append((f"{kind.slug}:{layer.slug}", name))
            found += _made_from(stages, kind, f":{layer.slug}", name)
    label_layers = [layer for layer in layers if layer.content_type == Layer.SPANS]
    for layer in label_layers[1:]:
        found.append((f"{Step.CORRECT}:{layer.slug}", f"{kind_named(Step.CORRECT).title}: {layer.slug}"))
    categories = category_layers(project)
    for layer in layers:
        if layer in categories:
            # They come in with files: there is nothing to decide on.
            continue
        stage = Stage(project=project, kind=Stage.ADJUDICATE, layer=layer, language="")
        found.append((f"{Stage.ADJUDICATE}:{layer.slug}", stage_name(stage).removesuffix(" ()")))
    return found


def _made_from(stages: Sequence[Stage], kind: Kind, layer: str, name: str) -> list[tuple[str, str]]:
    """The stages of a kind, on a layer of its own where one is said, by the stages that they can be made from."""
    taken = [stage for stage in stages if not stage.adjudicates and kind.intake.accepts(stage.layer)]
    return [
        (
            f"{kind.slug}{layer}<{before}",
            _("%(kind)s, made from: %(other)s") % {"kind": name, "other": kind_named(before).title},
        )
        for before in dict.fromkeys(stage.kind for stage in taken)
    ]


def _spec(data: dict[str, Any]) -> StageSpec:
    work, _sign, before = data["what"].partition("<")
    kind, _colon, layer = work.partition(":")
    return StageSpec(
        kind,
        data["language"],
        layer=layer or data["scale"],
        mode=data["mode"] or "review",
        order=data["order"] or "reading",
        answers_wanted=data["answers_wanted"],
        context=data["context"] or Context.NEIGHBOURS.value,
        made_from=before,
    )


def _unsaved(project: Project, spec: StageSpec) -> Stage:
    """A stage to be, to be named."""
    layer = project.layers.filter(slug=spec.layer).first() if spec.layer else project.label_layer
    if spec.kind != Stage.ADJUDICATE and (kind := kind_named(spec.kind)).layer.several:
        layer = Layer(project=project, slug=spec.layer or kind.layer.slug, content_type=kind.layer.content_type)
    return Stage(project=project, kind=spec.kind, language=spec.language, layer=layer)


def _said(request: PageRequest, done: str, job: Job | None) -> None:
    if job is not None:
        done = _("%(done)s A job does the rest: %(job)s.") % {"done": done, "job": job}
    messages.success(request, done)


def _confirm(
    request: PageRequest,
    access: Access,
    title: str,
    lines: list[str],
    *,
    button: str,
    values: dict[str, Any] | None = None,
    danger: bool = False,
    refused: str = "",
) -> HttpResponse:
    """The page that shows consequences; its button sends `values` to the same address."""
    context = {
        "title": title,
        "lines": lines,
        "button": button,
        "values": values or {},
        "danger": danger,
        "refused": refused,
    }
    return project_page(request, access, "projects/settings_confirm.html", context, section="settings")
