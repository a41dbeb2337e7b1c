"""The languages of a project: adding one, where its labels come from, taking it out."""

from __future__ import annotations

from django.conf import settings as site
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotator.core.access import project_for
from annotator.core.permissions import Permission
from annotator.domain.text.language_tags import known_languages
from annotator.projects.actions.project_settings import add_language, change_settings, remove_language
from annotator.projects.forms.settings import AddLanguageForm, LanguageSettingsForm
from annotator.projects.queries.project_settings import language_rows, stages_for_language
from annotator.projects.views.settings_page import confirm, say_done, unsaved_stage
from annotator.templatetags.words import language as language_words
from annotator.templatetags.words import stage_name
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message, refusal_in
from annotator.web.requests import PageRequest


@require_http_methods(["GET", "HEAD", "POST"])
def language_add(request: PageRequest, slug: str) -> HttpResponse:
    """The languages (GET); what another one would bring (GET `language`), and adding it (POST)."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    if request.method != "POST" and "language" not in request.GET:
        context = {
            "languages": language_rows(access.project),
            "known_languages": known_languages(tuple(code for code, _name in site.LANGUAGES)),
        }
        return project_page(request, access, "projects/settings_languages.html", context, section="settings")
    form = AddLanguageForm(request.POST if request.method == "POST" else request.GET)
    if not form.is_valid():
        for error in form.errors.get("language", []):
            messages.error(request, str(error))
        return redirect("settings-language-add", slug)
    tag = form.cleaned_data["language"]
    if request.method == "POST":
        with refusal_as_message(request):
            _project, job = add_language(project=access.project, language=tag, by=access.user)
            say_done(request, _("%(language)s was added.") % {"language": language_words(tag)}, job)
        return redirect("settings-language-add", slug)
    specs = stages_for_language(access.project, tag)
    stages = [stage_name(unsaved_stage(access.project, spec)) for spec in specs]
    lines = [_("These stages will be added: %(stages)s.") % {"stages": ", ".join(stages)}] if stages else []
    lines.append(_("It has no sentences yet. Import them for the existing segments."))
    if tag in access.project.languages:
        messages.error(request, _("The project already has this language."))
        return redirect("settings-language-add", slug)
    title = _("Add %(language)s?") % {"language": language_words(tag)}
    return confirm(request, access, title, lines, button=_("Add the language"), values={"language": tag})


@require_http_methods(["GET", "HEAD", "POST"])
def language(request: PageRequest, slug: str, tag: str) -> HttpResponse:
    """Where a language's labels come from, its dictionaries, its closed-class words; taking it out of the project."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    project = access.project
    if tag not in project.languages:
        raise Http404(_("The project does not have this language."))
    form = LanguageSettingsForm(
        request.POST if request.method == "POST" else None,
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
        return redirect("settings-language-add", slug)
    if form.is_valid():
        data = form.cleaned_data
        words = {code: found for code, found in project.function_words.items() if code != tag}
        if data["function_words"]:
            words[tag] = data["function_words"]
        changes = {"dictionaries": {**project.dictionaries, tag: data["dictionaries"]}, "function_words": words}
        if "sources" in data and set(data["sources"]) != set(project.sources_of(tag)):
            changes["sources"] = {tag: data["sources"]}
        with refusal_in(form, None):
            change_settings(project=project, changes=changes, by=access.user)
            messages.success(request, _("The settings were saved."))
            return redirect("settings-language-add", slug)
    row = next(row for row in language_rows(project) if row.tag == tag)
    context = {"form": form, "tag": tag, "row": row}
    status = 422 if form.is_bound else 200
    return project_page(request, access, "projects/settings_language.html", context, section="settings", status=status)
