"""Inviting people by a link, and where the link leads."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from annotator.accounts.forms.accounts import NewAccountForm
from annotator.accounts.mail import send
from annotator.core.access import Access, project_for
from annotator.core.errors import ActionError, ArchivedError
from annotator.core.permissions import Permission
from annotator.models import Invitation, InvitationState, Role, User
from annotator.projects.actions.invitations import accept, accept_as_new, invite, mark_sent, refusal, renew, revoke
from annotator.projects.forms.members import InvitationForm
from annotator.projects.queries.invitations import invitation_by
from annotator.projects.views.members import NewLink, members_page
from annotator.templatetags.pages import when_said
from annotator.web.refusals import refusal_as_message


@require_POST
def member_invite(request: HttpRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    form = InvitationForm(request.POST, prefix="invite", project=access.project)
    if form.is_valid():
        data = form.cleaned_data
        try:
            made, secret = invite(
                project=access.project,
                role=data["role"],
                languages=data["languages"],
                email=data["email"],
                valid=timedelta(days=data["days"]),
                by=access.user,
                now=timezone.now(),
            )
            return _with_link(request, access, made, secret)
        except ArchivedError:
            raise
        except ActionError as error:
            form.add_error(None, str(error))
    return members_page(request, access, invite_form=form)


@require_POST
def invitation_renew(request: HttpRequest, slug: str, invitation: int) -> HttpResponse:
    """A new link for an invitation whose link was lost, or is over."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    row = get_object_or_404(access.project.invitations, pk=invitation)
    with refusal_as_message(request):
        row, secret = renew(
            invitation=row, valid=timedelta(days=settings.INVITATION_DAYS), by=access.user, now=timezone.now()
        )
        return _with_link(request, access, row, secret)
    return redirect("members", slug)


@require_POST
def invitation_revoke(request: HttpRequest, slug: str, invitation: int) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    row = get_object_or_404(access.project.invitations, pk=invitation)
    with refusal_as_message(request):
        revoke(invitation=row, by=access.user, now=timezone.now())
        messages.success(request, _("Invitation revoked. Its link no longer works."))
    return redirect("members", slug)


@login_not_required
@never_cache
@sensitive_post_parameters("password1", "password2")
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Where the link leads: looking changes nothing, joining is a form."""
    now = timezone.now()
    found = invitation_by(token)
    if found is None:
        return _useless(request, _("This invitation link is not valid. Check that you copied the whole address."), 404)
    user = request.user if isinstance(request.user, User) else None
    if user is not None and found.project.memberships.filter(user=user).exists():
        return _join_page(request, found, is_member=True)
    if found.state(now) != InvitationState.OPEN:
        return _useless(request, refusal(found, now), 410)
    if found.project.is_archived:
        return _useless(
            request, _("The project is archived, so nobody can join it now. Ask a manager of the project."), 410
        )
    form = None if user else NewAccountForm(request.POST or None, initial={"email": found.email})
    if request.method == "POST":
        try:
            if user is not None:
                accept(invitation=found, user=user, now=now)
                return _welcome(request, found)
            if form is not None and form.is_valid():
                membership = accept_as_new(invitation=found, **form.account, now=now)
                login(request, membership.user)
                return _welcome(request, found)
        except ActionError as error:
            if form is None:
                return _useless(request, str(error), 409)
            form.add_error(None, str(error))
    return _join_page(request, found, form=form)


def _with_link(request: HttpRequest, access: Access, row: Invitation, secret: str) -> HttpResponse:
    """The members page with the link, which is shown in this answer and kept nowhere; sent, where that was asked."""
    url = request.build_absolute_uri(reverse("invitation", args=[secret]))
    sent = False
    if row.email and settings.SENDS_MAIL:
        with refusal_as_message(request):
            _send(access, row, url)
            mark_sent(invitation=row, by=access.user, now=timezone.now())
            sent = True
    return members_page(request, access, link=NewLink(row, url, sent))


def _send(access: Access, row: Invitation, url: str) -> None:
    about = {"who": access.user, "project": access.project.name, "role": Role(row.role).label}
    until = when_said(row.expires_at, "DATETIME_FORMAT")
    lines = [
        _("%(who)s invites you to the project “%(project)s” (%(role)s).") % about,
        "",
        _("Join here. The link works once and expires on %(until)s:") % {"until": until},
        url,
    ]
    send(subject=_("Invitation to “%(project)s”") % about, text="\n".join(lines), to=row.email)


def _useless(request: HttpRequest, why: str, status: int) -> HttpResponse:
    return render(request, "projects/invitation_useless.html", {"why": why}, status=status)


def _join_page(
    request: HttpRequest, found: Invitation, *, form: NewAccountForm | None = None, is_member: bool = False
) -> HttpResponse:
    # Not as `project`: the page is not part of the project, and the reader is not a member yet.
    context = {"invitation": found, "to": found.project, "form": form, "is_member": is_member}
    status = 422 if form is not None and form.is_bound else 200
    return render(request, "projects/invitation.html", context, status=status)


def _welcome(request: HttpRequest, found: Invitation) -> HttpResponse:
    messages.success(request, _("Welcome to “%(project)s”.") % {"project": found.project.name})
    return redirect("project", found.project.slug)
