"""What every page of a project needs in its context."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotator.core.access import Access
from annotator.core.permissions import Permission
from annotator.models import Stage

# Current entry of a page's rail: the URL name of a section, or the stage that the page is about.
Section = str | Stage


def project_page(
    request: HttpRequest,
    access: Access,
    template: str,
    context: dict[str, Any] | None = None,
    *,
    section: Section = "",
    status: int = 200,
) -> HttpResponse:
    """Render a page of a project: `access`, `project`, `rail_section`, `can_annotate`, `can_adjudicate`, `can_manage`,
    which are all false in an archived project.
    """
    return render(request, template, {**page_context(access, section), **(context or {})}, status=status)


def page_context(access: Access, section: Section = "") -> dict[str, Any]:
    """The context that pages of a project share, refusals inside a project included."""
    return {
        "access": access,
        "project": access.project,
        "rail_section": section,
        "may_manage": access.may(Permission.MANAGE) and section != "settings",
        "may_manage_people": access.may(Permission.MANAGE),
        "can_annotate": access.can_change(Permission.ANNOTATE),
        "can_adjudicate": access.can_change(Permission.ADJUDICATE),
        "can_manage": access.can_change(Permission.MANAGE),
    }
