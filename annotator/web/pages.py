"""What every page of a project needs in its context."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotator.core.access import Access
from annotator.core.permissions import Permission


def _navigation(access: Access, section: str) -> list[dict[str, Any]]:
    entries = [
        ("project", _("Dashboard"), Permission.VIEW),
        ("find", _("Find"), Permission.VIEW),
        ("guidelines", _("Guidelines"), Permission.VIEW),
        ("agreement", _("Agreement"), Permission.ADJUDICATE),
        ("reports", _("Reports"), Permission.VIEW),
        ("jobs", _("Jobs"), Permission.VIEW),
        ("releases", _("Releases"), Permission.VIEW),
        ("members", _("Members"), Permission.VIEW),
        ("import", _("Import"), Permission.MANAGE),
        ("settings", _("Settings"), Permission.MANAGE),
    ]
    return [
        {"label": label, "url": reverse(name, args=[access.project.slug]), "current": name == section}
        for name, label, needs in entries
        if access.may(needs)
    ]


def project_page(
    request: HttpRequest,
    access: Access,
    template: str,
    context: dict[str, Any] | None = None,
    *,
    section: str = "",
    status: int = 200,
) -> HttpResponse:
    """Render a page of a project: `access`, `project`, `nav`, `can_annotate`, `can_adjudicate`, `can_manage`,
    which are all false in an archived project.

    `section` is the URL name of the entry of the project's navigation that is current.
    """
    shared = {
        "access": access,
        "project": access.project,
        "nav": _navigation(access, section),
        "may_manage": access.may(Permission.MANAGE) and section != "settings",
        "may_manage_people": access.may(Permission.MANAGE),
        "can_annotate": access.can_change(Permission.ANNOTATE),
        "can_adjudicate": access.can_change(Permission.ADJUDICATE),
        "can_manage": access.can_change(Permission.MANAGE),
    }
    return render(request, template, {**shared, **(context or {})}, status=status)
