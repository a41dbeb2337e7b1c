"""The page in front of which people work. The kind of work gives its template and what its scripts need to know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.csrf import ensure_csrf_cookie

from annotator.accounts.queries import own_keys
from annotator.core.access import Access, project_for
from annotator.core.kind import Kind, empty_reason, kind_of, task_action, task_due
from annotator.core.permissions import Permission
from annotator.core.starts import procedure_of
from annotator.dashboard.queries.stages_before import before, due_for
from annotator.domain.labels.schemes import Label
from annotator.domain.text.storable import whole_number
from annotator.models import Layer, Stage
from annotator.templatetags.words import stage_name
from annotator.web.pages import project_page
from annotator.work.answering.queries.training import needs_training
from annotator.work.answering.queries.trials import pending_trial
from annotator.work.answering.views.workspace_messages import workspace_messages
from annotator.work.gold.queries.adjudication import answering_kinds, item_ids
from annotator.work.queue.actions.assignments import MAX_CLAIM, narrowed_to
from annotator.work.queue.queries.progress import stage_progress

# Enough for the next one to be there when a key is pressed.
FEWEST_AHEAD = 3


@ensure_csrf_cookie
def work(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    """The workspace of a stage.

    `?item=ID` begins with that one of the person's own assignments, or in adjudication with that item; `?only=`
    filters what is assigned (`actions/assignments.NARROWED`), or in adjudication names the items to decide on.
    """
    access = project_for(request.user, slug, needs=Permission.ANNOTATE)
    found = get_object_or_404(access.project.stages.select_related("layer"), pk=stage)
    access.require_language(found.language)
    narrowing = None
    if found.adjudicates:
        access.require(Permission.ADJUDICATE)
        kinds: Sequence[Kind] = answering_kinds(found)
        template, special = "work/workspaces/adjudicate.html", _adjudication(found, request)
        narrowing = _named_items(special["only"])
    else:
        kinds = [kind_of(found)]
        access.require(kinds[0].needs)
        if pending_trial(found, access.user) is not None:
            return redirect("trial", slug, stage)
        if needs_training(found, access.user):
            return redirect("training", slug, stage)
        template, special = kinds[0].workspace.template, _own_work(found, request) | _first(access, found)
        narrowing = _narrowing(found, special["only"])
    return workspace_page(request, access, found, kinds, template, special, narrowing)


def workspace_page(
    request: HttpRequest,
    access: Access,
    found: Stage,
    kinds: Sequence[Kind],
    template: str,
    special: Mapping[str, Any],
    narrowing: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """The workspace of a stage for kinds of work; `special` goes over what its scripts are configured with."""
    config = {**_config(found), "keys": own_keys(access.user), **special}
    texts = workspace_messages(found.layer.content_type, adjudicates=found.adjudicates)
    for kind in kinds:
        given = dict(kind.workspace.page(found))
        texts |= {"doubt_label": str(kind.workspace.doubt)} | given.pop("messages", {})
        config |= given
    # Blind work hides what others answered in any case, and suggestions where there are some.
    suggests = any(kind.suggestions for kind in kinds)
    if not suggests:
        texts["blind_done_text"] = _("You will work as usual from the next item on.")
    context = {
        "stage": found,
        "config": config,
        "due": task_due(found) if not found.adjudicates and access.may(Permission.MANAGE) else "",
        "messages_for_scripts": texts,
        "narrowing": narrowing,
        "suggests": suggests,
        # The procedure is one of labelling; tags have rules of their own.
        "legend": _legend(found.layer),
        "procedure": procedure_of(access.project.preset) if found.layer.content_type == Layer.SPANS else "",
    }
    return project_page(request, access, template, context, section=found)


def _first(access: Access, stage: Stage) -> dict[str, Any]:
    """Where to begin while the stage is empty: the stage before it, and for managers the import."""
    if stage_progress(stage).total:
        return {"empty": str(kind_of(stage).intake.empty_reason)}
    found: dict[str, Any] = {"empty": empty_reason(stage)}
    there = before(stage)
    if there is not None and access.works_in(there.language) and access.may(kind_of(there).needs):
        found["before"] = {"url": reverse("work", args=[access.project.slug, there.pk]), "name": stage_name(there)}
    if access.may(Permission.MANAGE) and (due := due_for(stage)):
        action = task_action(due)
        found["empty"] = task_due(due)
        found["before"] = {"url": reverse("work", args=[access.project.slug, due.pk]), "name": action}
    if access.may(Permission.MANAGE):
        found["import"] = reverse("import", args=[access.project.slug])
    return found


def _legend(layer: Layer) -> list[tuple[str, str, Label]]:
    """Code, colour and what is known of each label, where there is something to say of any."""
    if layer.content_type != Layer.SPANS:
        return []
    scheme = layer.scheme
    described = [(code, scheme.colour(code), scheme.detail(code)) for code in scheme.labels]
    return described if any(one.description or one.anchor for _code, _colour, one in described) else []


def _config(stage: Stage) -> dict[str, Any]:
    """What the scripts of every kind of work need to know."""
    project = stage.project
    return {
        "api": reverse("api:project", args=[project.slug]),
        "stage": {
            "id": stage.pk,
            "kind": stage.kind,
            "language": stage.language,
            "content_type": stage.layer.content_type,
            "answers": stage.answers_wanted,
        },
        "layer": stage.layer.slug,
        # Whose decisions on the same lemma are shown: the project's labels, unless the stage is of other ones.
        "lemma_layer": stage.layer.slug if stage.layer != project.label_layer else "",
        "scheme": stage.layer.scheme_data,
        "dashboard": reverse("project", args=[project.slug]),
        # The page of a sentence by the id of its text, which follows.
        "units": reverse("unit", args=[project.slug, 0]).removesuffix("0/"),
        "signIn": reverse("sign-in"),
        "keysUrl": reverse("api:keys"),
        "locale": get_language() or "en",
        "ahead": _ahead(stage),
    }


def _ahead(stage: Stage) -> int:
    """How many items the page holds in advance: a tenth of the stage at most, so that a few are left to the others."""
    if stage.adjudicates:
        return MAX_CLAIM
    return min(MAX_CLAIM, max(FEWEST_AHEAD, stage_progress(stage).total // 10))


def _own_work(stage: Stage, request: HttpRequest) -> dict[str, Any]:
    only = request.GET.get("only", "")
    return {
        "items": reverse("items", args=[stage.project.slug, stage.pk]),
        "start": _asked_for(request),
        "only": only if only in narrowed_to(stage) else "",
    }


def _asked_for(request: HttpRequest) -> int | None:
    return whole_number(request.GET.get("item", ""))


def _narrowing(stage: Stage, only: str) -> dict[str, Any] | None:
    """The menu that filters the queue, with what is chosen; None where it cannot be filtered."""
    words = {
        "": _("All items"),
        "doubtful": _("In doubt"),
        "commented": _("With a comment"),
        "suggested": _("With suggestions"),
        "unsuggested": _("Without suggestions"),
    }
    known = narrowed_to(stage)
    if not known:
        return None
    choices = [
        {"words": words[code], "url": f"?only={code}" if code else "?", "chosen": code == only} for code in ("", *known)
    ]
    return {"choices": choices, "current": words[only], "chosen": only}


def _named_items(only: str) -> dict[str, Any] | None:
    """The menu back to the whole queue, where the address names items."""
    if not only:
        return None
    current = _("Chosen items")
    choices = [
        {"words": _("All items"), "url": "?", "chosen": False},
        {"words": current, "url": f"?only={only}", "chosen": True},
    ]
    return {"choices": choices, "current": current, "chosen": only}


def _adjudication(stage: Stage, request: HttpRequest) -> dict[str, Any]:
    """`why`: the reasons for which answers differ, unless the kind of work has some of its own."""
    if stage.layer.content_type == Layer.SPANS:
        differently = [_("Different view of the basic meaning"), _("Extent of the span")]
    else:
        differently = [_("Understood differently")]
    why = [_("Oversight"), *differently, _("Too little context"), _("Unclear guidelines")]
    only = ",".join(map(str, item_ids(request.GET.get("only", ""))))
    # Nobody has items of their own there to list.
    return {"items": None, "start": _asked_for(request), "only": only, "why": why}
