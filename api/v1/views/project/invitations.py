"""Invitations to a project: listed, created, renewed and revoked. The link is in the answer that makes it alone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.permissions import Permission
from annotator.models import Invitation
from annotator.projects.actions.invitations import invite, renew, revoke
from annotator.projects.queries.invitations import listed
from api.v1 import part_shapes as p
from api.v1.schema import answers
from api.v1.sending import Json, send
from api.v1.views.base import NO_BODY, ProjectView, found


class _InvitationView(ProjectView):
    needs = Permission.MANAGE

    def invitation(self, pk: int) -> Invitation:
        rows = self.access.project.invitations.select_related("invited_by", "accepted_by")
        return found(rows, pk, _("There is no such invitation in this project."))

    def with_link(self, row: Invitation, secret: str) -> Response:
        """The invitation with its link, which nobody is told again."""
        link = self.request.build_absolute_uri(reverse("invitation", args=[secret]))
        return send(p.InvitationLinkAnswer, {**_shown(row), "link": link})

    def kept(self, data: Any) -> Any:
        """The answer to a repeated call is stored without the link."""
        return {**data, "link": ""} if "link" in data else data


class InvitationsView(_InvitationView):
    """The open invitations, and the newest of the others."""

    @extend_schema(operation_id="invitations", responses=answers(p.InvitationsAnswer))
    def get(self, request: Request, slug: str) -> Response:
        rows = listed(self.access.project, timezone.now())
        return send(p.InvitationsAnswer, {"invitations": [_shown(row) for row, _state in rows]})

    @extend_schema(operation_id="invite", request=p.InvitationRequest, responses=answers(p.InvitationLinkAnswer, 400))
    def post(self, request: Request, slug: str) -> Response:
        """Creates one. The answer has its link; no email is sent."""
        data = self.checked(p.InvitationRequest, request.data)
        valid = timedelta(days=data.pop("days", settings.INVITATION_DAYS))
        row, secret = invite(project=self.access.project, valid=valid, by=self.user, now=timezone.now(), **data)
        return self.with_link(row, secret)


class RenewInvitationView(_InvitationView):
    """Gives an invitation that nobody has accepted a new link. The old one no longer works."""

    bodyless = NO_BODY

    @extend_schema(operation_id="renew_invitation", request=None, responses=answers(p.InvitationLinkAnswer, 400))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        valid = timedelta(days=settings.INVITATION_DAYS)
        row, secret = renew(invitation=self.invitation(pk), valid=valid, by=self.user, now=timezone.now())
        return self.with_link(row, secret)


class RevokeInvitationView(_InvitationView):
    """Revokes an invitation: its link no longer works."""

    bodyless = NO_BODY

    @extend_schema(operation_id="revoke_invitation", request=None, responses=answers(p.InvitationAnswer, 400))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        row = revoke(invitation=self.invitation(pk), by=self.user, now=timezone.now())
        return send(p.InvitationAnswer, _shown(row))


def _shown(row: Invitation) -> Json:
    names = ("id", "role", "languages", "email", "created_at", "expires_at", "sent_at", "accepted_at", "revoked_at")
    people = {name: getattr(row, name) for name in ("invited_by", "accepted_by")}
    return {
        **{name: getattr(row, name) for name in names},
        **{name: user.username if user is not None else None for name, user in people.items()},
        "state": row.state(timezone.now()),
    }
