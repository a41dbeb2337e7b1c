"""The page in front of which people label: one per kind of stage, the rest is its scripts over the API."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.csrf import ensure_csrf_cookie

from annotator.domain.languages import base_language
from annotator.models import Project, Stage, StageKind, Tag
from annotator.permissions import Permission
from annotator.presets import PRESETS
from annotator.queries.access import project_for
from annotator.views.pages import project_page
from annotator.views.workspace_messages import workspace_messages

_TEMPLATES = {
    StageKind.CORRECT: "workspaces/correct.html",
    StageKind.PROJECT_REVIEW: "workspaces/review.html",
    StageKind.PAIR_TAG: "workspaces/pair_tag.html",
    StageKind.ADJUDICATE: "workspaces/adjudicate.html",
}

# Where to look words up, by language; {lemma} is filled in by the page.
_DICTIONARIES = {
    "es": [{"name": "DLE", "url": "https://dle.rae.es/{lemma}"}],
    "en": [
        {"name": "Longman", "url": "https://www.ldoceonline.com/dictionary/{lemma}"},
        {"name": "Cambridge", "url": "https://dictionary.cambridge.org/dictionary/english/{lemma}"},
    ],
}


@ensure_csrf_cookie
def work(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    """The workspace of a stage; `?item=ID` begins with that one of the person's own assignments."""
    access = project_for(request.user, slug, needs=Permission.ANNOTATE)
    found = get_object_or_404(access.project.stages, pk=stage)
    if found.kind == StageKind.ADJUDICATE:
        access.require(Permission.ADJUDICATE)
    preset = PRESETS.get(access.project.preset)
    context = {
        "stage": found,
        "config": _config(access.project, found, request.GET.get("item", "")),
        "messages_for_scripts": workspace_messages(),
        "tags": _tags(),
        "procedure": preset.procedure if preset else "",
    }
    return project_page(request, access, _TEMPLATES[StageKind(found.kind)], context)


def _config(project: Project, stage: Stage, asked: str) -> dict[str, Any]:
    # In adjudication nobody has items of their own to list or to begin with.
    own = stage.kind != StageKind.ADJUDICATE
    return {
        "api": f"/api/v1/projects/{project.slug}/",
        "stage": {"id": stage.pk, "kind": stage.kind, "language": stage.language},
        "scheme": project.scheme.to_json(),
        "dictionaries": _DICTIONARIES.get(base_language(stage.language), []),
        "dashboard": reverse("project", args=[project.slug]),
        "items": reverse("items", args=[project.slug, stage.pk]) if own else None,
        "signIn": reverse("sign-in"),
        "locale": get_language() or "en",
        "tags": _tags(),
        "reasons": _reasons(),
        "start": int(asked) if own and asked.isascii() and asked.isdigit() else None,
    }


def _tags() -> list[dict[str, str]]:
    definitions = {
        Tag.RELEVANT: _("Whoever misreads the metaphor gets the inference wrong."),
        Tag.NON_RELEVANT: _("A metaphor is there, but the inference rests on something else."),
        Tag.NO_METAPHOR: _("Neither sentence has a metaphor."),
        Tag.DISCARDED: _("Cannot be judged: ambiguous, unintelligible, or too little context."),
    }
    return [{"value": str(tag), "label": str(tag.label), "definition": text} for tag, text in definitions.items()]


def _reasons() -> list[str]:
    return [
        _("Oversight"),
        _("Basic meaning seen differently"),
        _("Extent of the unit"),
        _("Too little context"),
        _("Guidelines unclear"),
    ]
