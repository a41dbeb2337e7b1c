"""The list of sentences, what is done with chosen rows of it, and its download."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import Access, project_for
from annotator.core.errors import ActionError
from annotator.core.permissions import Permission
from annotator.models import User
from annotator.search.actions.many import Row, assign_many, label_many
from annotator.search.actions.undo_many import undo_many
from annotator.search.files import sentences_file
from annotator.search.queries import download
from annotator.search.queries.acts import act_of, last_undoable
from annotator.search.queries.filters import Filters, Reader, facets, number, reader_of
from annotator.search.queries.listing import PER_PAGE, found
from annotator.search.queries.proposals import proposed_to
from annotator.search.queries.rows import MAX_IN_CONTEXT, completed, concordance, rows_of
from annotator.search.queries.standing import labelling_stages
from annotator.search.queries.words import Hits
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message
from annotator.work.queue.queries.set_aside import listed_aside


@require_safe
def find(request: HttpRequest, slug: str) -> HttpResponse:
    """`?q=`: words, the beginning of one, or an ID; the rest as `Filters` has it. `?act=`: what was just done; without
    it, what the person did last and can still undo."""
    access = project_for(request.user, slug, needs=Permission.VIEW)
    filters = Filters.from_query(request.GET.dict())
    reader = reader_of(access)
    told = _act(access, request.GET.get("act", ""))
    context: dict[str, Any] = {
        "filters": filters,
        "query": filters.q,
        "facets": facets(reader),
        "reader": reader,
        "act": told or (last_undoable(access) if access.can_change(Permission.ANNOTATE) else None),
        "act_is_new": told is not None,
        "address": filters.address(),
        "here": filters.address(after=filters.after, page=filters.page),
        "max_rows": download.MAX_ROWS,
        "proposed": 0 if filters.suggestion else proposed_to(reader),
        "views": [(view, filters.address(view=view)) for view in ("", "context")],
        "cleared": Filters(q=filters.q, view=filters.view, sort=filters.sort).address(),
        "sorts": [(sort, filters.address(sort=sort)) for sort in ("left", "right")],
    }
    if filters.in_context and filters.q:
        context |= _in_context(reader, filters)
    elif not filters.in_context:
        context |= _as_table(reader, filters)
        if not filters.q and not filters.chosen and not filters.after:
            context["aside"], context["more_aside"] = listed_aside(access.project)
    if reader.layer is not None and access.can_change(Permission.ANNOTATE):
        context["stages"] = [one for one in labelling_stages(access).values() if access.works_in(one.language)]
        context["people"] = _people(access)
    return project_page(request, access, "search/find.html", context, section="find")


@require_safe
def find_download(request: HttpRequest, slug: str, format: str) -> HttpResponseBase:
    """The rows of the list with its filters, at most MAX_ROWS."""
    access = project_for(request.user, slug, needs=Permission.VIEW)
    return sentences_file(reader_of(access), Filters.from_query(request.GET.dict()), format)


@require_POST
def find_act(request: HttpRequest, slug: str) -> HttpResponse:
    """`rows`: the chosen rows, `unit:words:seen` each; `do`: label, unlabel or assign; `back`: the list's address."""
    access = project_for(request.user, slug, needs=Permission.ANNOTATE)
    back = Filters.from_query(QueryDict(request.POST.get("back", "")[:2000]).dict())
    address = back.address(after=back.after, page=back.page)
    with refusal_as_message(request):
        operation = _do(access, request.POST, _rows(request.POST.getlist("rows")))
        address = "&".join(filter(None, [address, f"act={operation}"]))
    return redirect(f"{reverse('find', args=[slug])}?{address}")


@require_POST
def find_undo(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponse:
    """Undo what was done last with chosen rows."""
    access = project_for(request.user, slug, needs=Permission.ANNOTATE)
    back = Filters.from_query(QueryDict(request.POST.get("back", "")[:2000]).dict())
    address = back.address(after=back.after, page=back.page)
    with refusal_as_message(request):
        undo_many(access=access, operation=key, now=timezone.now())
        messages.success(request, _("Undone."))
    return redirect(f"{reverse('find', args=[slug])}?{'&'.join(filter(None, [address, f'act={key}']))}")


def _do(access: Access, given: QueryDict, rows: list[Row]) -> uuid.UUID:
    now, do = timezone.now(), given.get("do", "")
    if do in ("label", "unlabel"):
        return label_many(access=access, rows=rows, label=given.get("label", ""), remove=do == "unlabel", now=now)
    stage = labelling_stages(access).get(number(given.get("stage", "")) or 0)
    user = User.objects.filter(pk=number(given.get("user", "")) or 0).first()
    if do != "assign" or stage is None or user is None:
        raise ActionError(_("Choose a stage and a person."))
    return assign_many(access=access, rows=rows, stage=stage, user=user, now=now)


def _rows(given: list[str]) -> list[Row]:
    """The chosen rows; several words of one sentence are one row. Invalid values are ignored."""
    words: dict[int, set[int]] = {}
    seen: dict[int, str] = {}
    for value in given:
        unit, _colon, rest = value.partition(":")
        tokens, _colon, state = rest.partition(":")
        pk, places = number(unit), [number(token) for token in tokens.split(",") if token]
        if pk is not None and None not in places:
            words.setdefault(pk, set()).update(place for place in places if place is not None)
            seen.setdefault(pk, state)
    return [Row(pk, frozenset(tokens), seen[pk]) for pk, tokens in words.items()]


def _act(access: Access, key: str) -> Any:
    try:
        return act_of(access.project, uuid.UUID(key), access.user) if key else None
    except ValueError:
        return None


def _as_table(reader: Reader, filters: Filters) -> dict[str, Any]:
    page = found(reader, filters)
    onwards = f"{filters.address()}&after={page.after}".lstrip("&") if page.after else ""
    return {
        "page": page,
        "rows": rows_of(reader, page),
        "onwards": onwards,
        "frequent": page.hits.frequent,
        **_not_searched(page.hits),
    }


def _in_context(reader: Reader, filters: Filters) -> dict[str, Any]:
    all_of = concordance(reader, filters)
    page = Paginator(all_of.lines, PER_PAGE).get_page(filters.page)
    return {
        "concordance": all_of,
        **_not_searched(all_of.hits),
        "page": page,
        "lines": completed(reader, list(page.object_list)),
        "pager": f"&{filters.address()}",
        "max_in_context": MAX_IN_CONTEXT,
    }


def _not_searched(hits: Hits) -> dict[str, Any]:
    """The words that nothing was found by, and whether others were searched for."""
    return {"unknown": hits.unknown, "unindexed": hits.unindexed, "searched": bool(hits.wanted)}


def _people(access: Access) -> list[User]:
    """Whom the person may assign to: themselves, and a manager everybody."""
    if not access.may(Permission.MANAGE):
        return [access.user]
    rows = access.project.memberships.select_related("user").order_by("user__username")[:500]
    return [one.user for one in rows]
