"""The scheme of a layer: its labels, its attributes, how its spans may lie. Each page shows in numbers what a change
would do before it is made; what touches no contents is saved at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotator.core.access import Access, project_for
from annotator.core.errors import ActionError, ConflictError
from annotator.core.permissions import Permission
from annotator.domain.labels.relabel import LabelRow, Relabelling, rows_back
from annotator.domain.labels.rescheme import RULES, AttributeRow
from annotator.domain.labels.schemes import ATTRIBUTE_KEYS, PALETTE
from annotator.domain.text.storable import whole_number
from annotator.models import Event, Job, Layer
from annotator.projects.actions.relabel import Plan, attributes_plan, change_scheme, labels_plan, planned, rules_plan
from annotator.projects.forms.schemes import (
    answered_by,
    attributes_now,
    attributes_sent,
    digest,
    label_fields,
    labels_now,
    labels_sent,
    rules_sent,
    shown_labels,
)
from annotator.projects.queries.project_settings import LabelConsequences, label_consequences, label_uses
from annotator.projects.queries.schemes import scheme_versions
from annotator.projects.views.guidelines import guideline_headings
from annotator.web.pages import project_page
from annotator.web.requests import PageRequest

METHODS = ["GET", "HEAD", "POST"]
EMPTY = AttributeRow("", "")
# Buttons that give the form back changed, and save nothing.
_EDITING = ("add", "move")
# What can be done to one label, on a page of its own.
MERGE, SPLIT, DELETE = "merge", "split", "delete"


@require_http_methods(METHODS)
def labels(request: PageRequest, slug: str, layer: str) -> HttpResponse:
    """The labels of a layer: the form, what a change would do (rows sent), and the change (`apply`)."""
    access, row = _found(request, slug, layer)
    data = request.POST if request.method == "POST" else request.GET
    rows = labels_sent(data) if "version" in data else labels_now(row.scheme_data)
    headings = guideline_headings(access.project)
    versions = scheme_versions(row)
    empty = [LabelRow("", "")] * (1 + list(data.getlist("code")).count("") if "add" in data else 0)
    context = {
        "rows": shown_labels([*rows, *empty]),
        "uses": label_uses(row, request.user),
        "existing": row.scheme_data["labels"],
        "colours": PALETTE,
        "versions": versions,
        "undo_rows": label_fields(_undo_rows(row, versions)),
        "headings": headings,
        "anchors": [one.anchor for one in headings],
        "adding": "add" in data,
    }
    return _changing(request, access, row, "labels", labels_plan(rows), rows, context)


@require_http_methods(METHODS)
def label_merge(request: PageRequest, slug: str, layer: str) -> HttpResponse:
    """One label becomes another that there is."""
    return _act_on_label(request, slug, layer, MERGE)


@require_http_methods(METHODS)
def label_split(request: PageRequest, slug: str, layer: str) -> HttpResponse:
    """A new label beside one, for some of its uses; which ones, people say by relabelling them."""
    return _act_on_label(request, slug, layer, SPLIT)


@require_http_methods(METHODS)
def label_delete(request: PageRequest, slug: str, layer: str) -> HttpResponse:
    """One label goes, from all contents, too."""
    return _act_on_label(request, slug, layer, DELETE)


@require_http_methods(METHODS)
def attributes(request: PageRequest, slug: str, layer: str) -> HttpResponse:
    """The attributes of a layer and their values."""
    access, row = _found(request, slug, layer)
    data = request.POST if request.method == "POST" else request.GET
    rows = attributes_sent(data) if "version" in data else attributes_now(row.scheme_data)
    context = {
        "rows": [(one, answered_by(one)) for one in [*rows, *([EMPTY] if "version" in data else [])]],
        "labels": row.scheme_data["labels"],
        "keys": ATTRIBUTE_KEYS,
    }
    return _changing(request, access, row, "attributes", attributes_plan(rows), rows, context)


@require_http_methods(METHODS)
def rules(request: PageRequest, slug: str, layer: str) -> HttpResponse:
    """Whether spans of a layer may leave out words, share words, and have several labels."""
    access, row = _found(request, slug, layer)
    data = request.POST if request.method == "POST" else request.GET
    scheme = row.scheme
    sent = rules_sent(data) if "version" in data else {name: getattr(scheme, name) for name in RULES}
    return _changing(request, access, row, "rules", rules_plan(**sent), sent, {"rules": sent})


def _found(request: PageRequest, slug: str, layer: str) -> tuple[Access, Layer]:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    return access, get_object_or_404(access.project.layers, slug=layer, content_type=Layer.SPANS)


def _undo_rows(layer: Layer, versions: Sequence[Event]) -> list[LabelRow]:
    """Rows that undo the newest change; none where it cannot be undone."""
    before, after = (versions[0].before, versions[0].after) if versions else (None, None)
    if not before or not after or after["scheme"] != layer.scheme_data:
        return []
    return rows_back(before["scheme"], after["scheme"], after.get("mapping", {})) or []


def _act_on_label(request: PageRequest, slug: str, layer: str, act: str) -> HttpResponse:
    """The page for a change of a label (GET `label`), its effects (with `into`), and the change itself (POST)."""
    access, row = _found(request, slug, layer)
    data = request.POST if request.method == "POST" else request.GET
    label, given = data.get("label", ""), data.get("into", "").strip()
    uses = label_uses(row, request.user)
    if label not in uses:
        raise Http404(_("The project does not have this label."))
    context: dict[str, Any] = {
        "layer": row,
        "act": act,
        "label": label,
        "given": given,
        "used": uses[label],
        "others": [(one, number) for one, number in uses.items() if one != label],
        "asks": act != DELETE,
        **_act_words(act, label, given),
    }
    status = 200
    if given or act == DELETE:
        try:
            plan = labels_plan(_rows_after(row, act, label, given))
            change = planned(row, plan)
            if request.method == "POST":
                version = whole_number(data.get("version", "")) or 0
                job = change_scheme(layer=row, plan=plan, version=version, by=access.user)
                _say_changed(request, job)
                return redirect("settings-labels", slug, layer)
            context |= _effects(change, label_consequences(row, change, access.user))
        except ConflictError as conflict:
            messages.error(request, str(conflict))
            return redirect("settings-labels", slug, layer)
        except ActionError as error:
            context["refused"] = str(error)
            status = 422
    return project_page(request, access, "projects/settings_label_act.html", context, section="settings", status=status)


def _act_words(act: str, label: str, given: str) -> dict[str, str]:
    gaps = {"label": label, "other": given}
    match act:
        case "merge":
            return {
                "title": _("Merge the label %(label)s") % gaps,
                "about": _("Each of its uses will get another label, and this one will be deleted."),
                "button": _("Merge %(label)s into %(other)s") % gaps,
            }
        case "split":
            return {
                "title": _("Split the label %(label)s") % gaps,
                "about": _("A new label will be added. Then relabel the uses that belong to it."),
                "button": _("Add the label %(other)s") % gaps,
            }
        case _:
            return {
                "title": _("Delete the label %(label)s?") % gaps,
                "about": _("It will be deleted from the list, and from everything that was labelled with it."),
                "button": _("Delete the label"),
            }


def _rows_after(layer: Layer, act: str, label: str, given: str) -> list[LabelRow]:
    """The labels of a layer after an act on one of them. Raises ActionError for a merge into no other label."""
    rows = labels_now(layer.scheme_data)
    at = next(place for place, row in enumerate(rows) if row.old == label)
    if act == SPLIT:
        return [*rows[: at + 1], LabelRow("", given, split_from=label), *rows[at + 1 :]]
    gone = rows.pop(at)
    if act == DELETE:
        return [*rows, replace(gone, code="")]
    if given not in {row.old for row in rows}:
        raise ActionError(_("Choose a label of this layer to merge into."))
    # Behind the other one, whose name and colour stay.
    return [*rows, replace(gone, code=given)]


def _changing(
    request: PageRequest,
    access: Access,
    layer: Layer,
    page: str,
    plan: Plan,
    sent: Sequence[Any] | Mapping[str, Any],
    context: dict[str, Any],
) -> HttpResponse:
    """The form, with what the change would do once something was sent; the change itself with `apply`, unless what is
    sent is not what was shown, and with `save` where it touches nothing that was said."""
    data = request.POST if request.method == "POST" else request.GET
    given = whole_number(data.get("version", ""))
    version = layer.scheme_version if given is None else given
    layers = [one for one in access.project.layers.all() if one.content_type == Layer.SPANS]
    context |= {"layer": layer, "layers": layers, "version": version}
    status = 200
    if "version" in data and not any(name in data for name in _EDITING):
        shown = digest(sent)
        try:
            change = planned(layer, plan)
            consequences = label_consequences(layer, change, access.user)
            agreed = "apply" in data and data.get("shown", shown) == shown
            harmless = "save" in data and not change.touches_contents and not consequences.lacking
            if request.method == "POST" and (agreed or harmless):
                _say_changed(request, change_scheme(layer=layer, plan=plan, version=version, by=access.user))
                return redirect(f"settings-{page}", access.project.slug, layer.slug)
            context |= {"shown": shown, "differs": "apply" in data, **_effects(change, consequences)}
        except ConflictError as conflict:
            messages.error(request, str(conflict))
            return redirect(f"settings-{page}", access.project.slug, layer.slug)
        except ActionError as error:
            context["refused"] = str(error)
            status = 422
    template = f"projects/settings_{page}.html"
    return project_page(request, access, template, context, section="settings", status=status)


def _say_changed(request: PageRequest, job: Job | None) -> None:
    done = _("The labels were changed.")
    if job is not None:
        done = _("%(done)s A job will do the rest: %(job)s.") % {"done": done, "job": job}
    messages.success(request, done)


def _effects(change: Relabelling, consequences: LabelConsequences) -> dict[str, Any]:
    """What the list of effects shows."""
    before, after = change.before["labels"], change.after["labels"]
    kept = list(dict.fromkeys(code for old in before if (code := change.mapping.get(old, old))))
    return {
        "change": change,
        "consequences": consequences,
        "renamed": [(old, code) for old, code in change.mapping.items() if code],
        "removed": [old for old, code in change.mapping.items() if not code],
        "new": [one for one in after if one not in _known(change)],
        "order": after if [one for one in after if one in kept] != kept else [],
        "attributes": [(old, one.name, sorted(one.values.items())) for old, one in change.attributes.items()],
        "new_attributes": _new_attributes(change),
        "unchanged": change.after == change.before,
    }


def _known(change: Relabelling) -> set[str]:
    return {*change.before["labels"], *change.mapping.values()}


def _new_attributes(change: Relabelling) -> list[str]:
    known = {*(change.before.get("attributes") or {}), *(one.name for one in change.attributes.values())}
    return [name for name in change.after.get("attributes") or {} if name not in known]
