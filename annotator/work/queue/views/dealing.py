"""Assigning the items of a stage to people: a plan in numbers first, then the act, its undo, and moving."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import Access, project_for
from annotator.core.counts import with_counts
from annotator.core.permissions import Permission
from annotator.models import Stage, User
from annotator.templatetags.words import mode_name
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message, refusal_in, valid_or_messages
from annotator.work.blind.queries.blind import has_blind_work
from annotator.work.queue.actions.dealing import check_wanted, deal_items, move_unstarted, undo_dealing
from annotator.work.queue.forms.dealing import DealForm, MoveForm
from annotator.work.queue.queries.dealing import (
    blind_refusal,
    last_dealt,
    preview,
    refusal,
    shares_blind,
    unstarted_by_person,
    workers,
)


@require_safe
def assign(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    """The form, and what it will do where it is filled in."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    return _page(request, access, _stage(access, stage), request.GET)


def _page(request: HttpRequest, access: Access, stage: Stage, given: QueryDict) -> HttpResponse:
    people = workers(stage)
    asked = bool(given)
    form = _deal_form(access, people, given if asked else None)
    plan = None
    if asked and form.is_valid():
        with refusal_in(form, None):
            check_wanted(stage, form.wanted)
            plan = preview(stage, form.wanted)
    stages = access.project.stages.select_related("layer", "project")
    context: dict[str, Any] = {
        "stage": stage,
        "stages": [one for one in stages if one.pk != stage.pk and not refusal(one)],
        "refusal": refusal(stage),
        "blind_refusal": blind_refusal(stage) if not refusal(stage) else "",
        "shares_blind": not refusal(stage) and shares_blind(stage),
        "form": form,
        "plan": plan,
        "asked": [(name, value) for name in form.fields for value in given.getlist(name)],
        "key": uuid.uuid4(),
        "last": last_dealt(stage),
        "move": _move_form(stage),
    }
    refused = asked and plan is None
    return project_page(request, access, "work/assign.html", context, section=stage, status=422 if refused else 200)


@require_POST
def assign_start(request: HttpRequest, slug: str, stage: int, key: uuid.UUID) -> HttpResponse:
    """Carry out what the page told. `key`: the name of the assignment, made with the page."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    found = _stage(access, stage)
    form = _deal_form(access, workers(found), request.POST)
    if not valid_or_messages(request, form):
        return redirect("assign", slug, stage)
    with refusal_as_message(request):
        given = deal_items(stage=found, wanted=form.wanted, by=access.user, operation=key)
        number = sum(given.values())
        text = ngettext("%(count)d assignment made.", "%(count)d assignments made.", number)
        messages.success(request, with_counts(text, count=number))
    return redirect("assign", slug, stage)


@require_POST
def assign_undo(request: HttpRequest, slug: str, stage: int, key: uuid.UUID) -> HttpResponse:
    """Take back what nobody has started of an assignment."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    with refusal_as_message(request):
        returned, kept = undo_dealing(stage=_stage(access, stage), operation=key, by=access.user)
        text = ngettext(
            "%(count)d assignment returned. Kept because someone started it: %(kept)d.",
            "%(count)d assignments returned. Kept because someone started them: %(kept)d.",
            returned,
        )
        messages.success(request, with_counts(text, count=returned, kept=kept))
    return redirect("assign", slug, stage)


@require_POST
def assign_move(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    """Move items that a person has not started to somebody else, or back to the queue."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    found = _stage(access, stage)
    form = _move_form(found, request.POST)
    if not valid_or_messages(request, form):
        return redirect("assign", slug, stage)
    with refusal_as_message(request):
        moved, refused = move_unstarted(stage=found, by=access.user, **form.asked)
        text = ngettext("%(count)d item moved.", "%(count)d items moved.", moved)
        said = with_counts(text, count=moved)
        if refused:
            why = ngettext(
                "%(count)d item stays, because the new person can't be given it.",
                "%(count)d items stay, because the new person can't be given them.",
                refused,
            )
            said = f"{said} {with_counts(why, count=refused)}"
        messages.success(request, said)
    return redirect("assign", slug, stage)


def _deal_form(access: Access, people: Sequence[User], given: QueryDict | None) -> DealForm:
    # How many items a label has would tell a manager who works blind.
    return DealForm(given, people=people, labels=not has_blind_work(access.user, access.project))


def _move_form(stage: Stage, given: QueryDict | None = None) -> MoveForm:
    rows = [
        (row, with_counts(_("%(name)s, %(mode)s: %(count)d"), name=row.user, mode=mode_name(row.mode), count=row.items))
        for row in unstarted_by_person(stage)
    ]
    return MoveForm(given, people=workers(stage) if rows else [], rows=rows, prefix="move")


def _stage(access: Access, pk: int) -> Stage:
    found = get_object_or_404(access.project.stages.select_related("layer").exclude(kind=Stage.ADJUDICATE), pk=pk)
    found.project = access.project
    return found
