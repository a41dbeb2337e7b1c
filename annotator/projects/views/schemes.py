"""The scheme of a layer: its labels, its attributes, how its units may lie. Each page shows in numbers what a change
would do before it is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotator.core.access import Access, project_for
from annotator.core.errors import ActionError, ConflictError
from annotator.core.permissions import Permission
from annotator.domain.labels.rescheme import RULES, AttributeRow
from annotator.domain.labels.schemes import ATTRIBUTE_KEYS, PALETTE
from annotator.domain.text.storable import whole_number
from annotator.models import Layer
from annotator.projects.actions.relabel import Plan, attributes_plan, change_scheme, labels_plan, planned, rules_plan
from annotator.projects.forms.schemes import (
    answered_by,
    attributes_now,
    attributes_sent,
    digest,
    labels_now,
    labels_sent,
    rules_sent,
)
from annotator.projects.queries.project_settings import label_consequences, label_uses
from annotator.projects.queries.schemes import scheme_versions
from annotator.projects.views.guidelines import guideline_headings
from annotator.web.pages import project_page
from annotator.web.requests import PageRequest

METHODS = ["GET", "HEAD", "POST"]
EMPTY = AttributeRow("", "")


@require_http_methods(METHODS)
def labels(request: PageRequest, slug: str, layer: str) -> HttpResponse:
    """The labels of a layer: the form, what a change would do (rows sent), and the change (`apply`)."""
    access, row = _found(request, slug, layer)
    data = request.POST if request.method == "POST" else request.GET
    rows = labels_sent(data) if "version" in data else labels_now(row.scheme_data)
    headings = guideline_headings(access.project)
    context = {
        "rows": rows,
        "uses": label_uses(row),
        "existing": row.scheme_data["labels"],
        "colours": PALETTE,
        "versions": scheme_versions(row),
        "headings": headings,
        "anchors": [one.anchor for one in headings],
    }
    return _changing(request, access, row, "labels", labels_plan(rows), rows, context)


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
    """Whether units of a layer may leave out words, share words, and have several labels."""
    access, row = _found(request, slug, layer)
    data = request.POST if request.method == "POST" else request.GET
    scheme = row.scheme
    sent = rules_sent(data) if "version" in data else {name: getattr(scheme, name) for name in RULES}
    return _changing(request, access, row, "rules", rules_plan(**sent), sent, {"rules": sent})


def _found(request: PageRequest, slug: str, layer: str) -> tuple[Access, Layer]:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    return access, get_object_or_404(access.project.layers, slug=layer, content_type=Layer.SPANS)


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
    sent is not what was shown."""
    data = request.POST if request.method == "POST" else request.GET
    given = whole_number(data.get("version", ""))
    version = layer.scheme_version if given is None else given
    context |= {"layer": layer, "version": version}
    status = 200
    if "version" in data:
        shown = digest(sent)
        try:
            if request.method == "POST" and "apply" in data and data.get("shown", shown) == shown:
                job = change_scheme(layer=layer, plan=plan, version=version, by=access.user)
                done = _("The labels were changed.")
                if job is not None:
                    done = _("%(done)s A job will do the rest: %(job)s.") % {"done": done, "job": job}
                messages.success(request, done)
                return redirect("settings", access.project.slug)
            change = planned(layer, plan)
            attributes = [(old, one.name, sorted(one.values.items())) for old, one in change.attributes.items()]
            context |= {
                "change": change,
                "shown": shown,
                "differs": "apply" in data,
                "consequences": label_consequences(layer, change),
                "renamed": [(old, code) for old, code in change.mapping.items() if code],
                "removed": [old for old, code in change.mapping.items() if not code],
                "new": [one for one in change.after["labels"] if one not in _known(change)],
                "attributes": attributes,
                "new_attributes": _new_attributes(change),
                "unchanged": change.after == change.before,
            }
        except ConflictError as conflict:
            messages.error(request, str(conflict))
            return redirect(f"settings-{page}", access.project.slug, layer.slug)
        except ActionError as error:
            context["refused"] = str(error)
            status = 422
    template = f"projects/settings_{page}.html"
    return project_page(request, access, template, context, section="settings", status=status)


def _known(change: Any) -> set[str]:
    return {*change.before["labels"], *change.mapping.values()}


def _new_attributes(change: Any) -> list[str]:
    known = {*(change.before.get("attributes") or {}), *(one.name for one in change.attributes.values())}
    return [name for name in change.after.get("attributes") or {} if name not in known]
