"""Members of a project and their roles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotator.backup.actions.people import map_person
from annotator.backup.queries.placeholders import placeholders_of
from annotator.core.access import Access, project_for
from annotator.core.counts import with_counts
from annotator.core.permissions import Permission
from annotator.dashboard.queries.pace import agreements, recent_pace
from annotator.models import Invitation, Role, User
from annotator.projects.actions.members import create_member_account, reset_password, set_adjudicate_own
from annotator.projects.actions.projects import add_member, change_languages, change_role, remove_member
from annotator.projects.forms.members import (
    AddMemberForm,
    AdjudicateOwnForm,
    InvitationForm,
    LanguagesForm,
    MapPersonForm,
    NewAccountForm,
    RoleForm,
)
from annotator.projects.queries.invitations import listed
from annotator.projects.queries.members import member_rows, resettable
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message, refusal_in, valid_or_messages
from annotator.web.requests import PageRequest


@require_safe
def members(request: HttpRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.VIEW)
    return members_page(request, access)


@require_POST
def member_add(request: HttpRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    form = AddMemberForm(request.POST, prefix="add")
    with refusal_in(form, "username"):
        if form.is_valid():
            user, role = form.cleaned_data["username"], form.cleaned_data["role"]
            add_member(project=access.project, user=user, role=role, by=access.user)
            messages.success(request, _("%(user)s is now a member.") % {"user": user})
            return redirect("members", slug)
    return members_page(request, access, add_form=form)


@require_POST
def member_create(request: HttpRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    form = NewAccountForm(request.POST, prefix="new")
    with refusal_in(form, "username"):
        if form.is_valid():
            membership, password = create_member_account(project=access.project, by=access.user, **form.cleaned_data)
            return members_page(
                request, access, new_account={"username": membership.user.username, "password": password}
            )
    return members_page(request, access, new_form=form)


@require_POST
def member_map(request: PageRequest, slug: str, person: int) -> HttpResponse:
    """Say which account somebody in the project's backup is."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    # A manager does not say who somebody is on this site.
    if not request.user.is_superuser:
        raise Http404(_("Only site administrators can map people to accounts."))
    named = get_object_or_404(User, pk=person, placeholder_of=access.project.pk)
    form = MapPersonForm(request.POST)
    if not valid_or_messages(request, form):
        return redirect("members", slug)
    with refusal_as_message(request):
        account = form.cleaned_data["account"]
        map_person(project=access.project, placeholder=named, account=account, by=request.user)
        about = {"name": named.backup_name, "account": account.username}
        messages.success(request, _("%(name)s is now %(account)s.") % about)
    return redirect("members", slug)


@require_POST
def member_role(request: HttpRequest, slug: str, member: int) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    membership = get_object_or_404(access.project.memberships, pk=member)
    form = RoleForm(request.POST)
    if not valid_or_messages(request, form):
        return redirect("members", slug)
    with refusal_as_message(request):
        changed = change_role(membership=membership, role=form.cleaned_data["role"], by=access.user)
        messages.success(request, _("%(user)s: %(role)s.") % {"user": changed.user, "role": Role(changed.role).label})
    return redirect("members", slug)


@require_POST
def member_languages(request: HttpRequest, slug: str, member: int) -> HttpResponse:
    """Set in which languages a member is given work."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    membership = get_object_or_404(access.project.memberships, pk=member)
    form = LanguagesForm(request.POST, project=access.project)
    if not valid_or_messages(request, form):
        return redirect("members", slug)
    changed = change_languages(membership=membership, languages=form.cleaned_data["languages"], by=access.user)
    gaps = {"user": changed.user, "languages": ", ".join(changed.languages)}
    if changed.languages:
        messages.success(request, _("%(user)s is assigned work in: %(languages)s.") % gaps)
    else:
        messages.success(request, _("%(user)s is assigned work in all languages.") % gaps)
    return redirect("members", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def member_remove(request: HttpRequest, slug: str, member: int) -> HttpResponse:
    """What becomes of a member's work (GET), and taking them out (POST)."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    membership = get_object_or_404(access.project.memberships.select_related("user"), pk=member)
    if request.method == "POST":
        with refusal_as_message(request):
            remove_member(membership=membership, by=access.user)
            gaps = {"user": membership.user}
            messages.success(request, _("%(user)s is no longer a member. Finished work stays.") % gaps)
            if membership.user == request.user and not request.user.is_superuser:
                return redirect("projects")
        return redirect("members", slug)
    row = next(one for one in member_rows(access.project) if one.membership.pk == member)
    done = sum(number for _stage, number in row.done)
    lines = [
        with_counts(
            ngettext("%(number)d done item will be kept.", "%(number)d done items will be kept.", done),
            number=done,
        ),
        with_counts(
            ngettext(
                "%(number)d open item will be returned to the queue.",
                "%(number)d open items will be returned to the queue.",
                row.open,
            ),
            number=row.open,
        ),
        _("The account will be kept. This person will no longer see the project."),
    ]
    context = {
        "title": _("Remove %(user)s from the project?") % {"user": membership.user},
        "lines": lines,
        "button": _("Remove from the project"),
    }
    return project_page(request, access, "projects/member_confirm.html", context, section="members")


@require_http_methods(["GET", "HEAD", "POST"])
def member_password(request: HttpRequest, slug: str, member: int) -> HttpResponse:
    """What a new password means (GET), and setting one (POST), which is shown in the answer alone."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    membership = get_object_or_404(access.project.memberships.select_related("user"), pk=member)
    if request.method == "POST":
        with refusal_as_message(request):
            password = reset_password(membership=membership, by=access.user)
            new = {"username": membership.user.username, "password": password}
            return members_page(request, access, new_account=new, is_reset=True)
        return redirect("members", slug)
    context = {
        "title": _("Reset the password of %(user)s?") % {"user": membership.user},
        "lines": [
            _("You will see a new password once, to share it with this person."),
            _("The old password will stop working, and this person will be signed out everywhere."),
        ],
        "button": _("Reset the password"),
    }
    return project_page(request, access, "projects/member_confirm.html", context, section="members")


@require_POST
def adjudicate_own(request: HttpRequest, slug: str) -> HttpResponse:
    """Set whether adjudicators may decide on what they annotated themselves."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    form = AdjudicateOwnForm(request.POST, prefix="own")
    form.is_valid()
    project = set_adjudicate_own(project=access.project, by=access.user, **form.cleaned_data)
    if project.adjudicate_own:
        messages.success(
            request, _("Adjudicators can decide on items that they labelled, but not on those labelled blind.")
        )
    else:
        messages.success(request, _("Only adjudicators who did not annotate an item can decide on it."))
    return redirect("members", slug)


@dataclass(frozen=True)
class NewLink:
    """The link of an invitation, where it was just made: it can be shown this one time."""

    invitation: Invitation
    url: str
    sent: bool


def members_page(
    request: HttpRequest,
    access: Access,
    *,
    add_form: AddMemberForm | None = None,
    new_form: NewAccountForm | None = None,
    new_account: dict[str, str] | None = None,
    is_reset: bool = False,
    invite_form: InvitationForm | None = None,
    link: NewLink | None = None,
) -> HttpResponse:
    """The members, and for managers what they can do there. What was just made is shown in the answer itself: on the
    way to another page it would have to be kept somewhere."""
    rows = member_rows(access.project)
    context: dict[str, Any] = {
        "members": [(row, None, []) for row in rows],
        "roles": Role.choices,
        "add_form": add_form or AddMemberForm(prefix="add"),
        "new_form": new_form or NewAccountForm(prefix="new"),
        "new_account": new_account,
        "is_reset": is_reset,
        "adjudicate_own": AdjudicateOwnForm(initial={"allowed": access.project.adjudicate_own}, prefix="own"),
        "link": link,
        # Opened by the address, for pages without scripts, and after a form with errors.
        "adding": "add" in request.GET or bool(add_form or new_form or invite_form),
        "how": "existing" if add_form else "new" if new_form else "invite",
    }
    if access.may(Permission.MANAGE):
        people = [row.membership.user_id for row in rows]
        paces, found = recent_pace(access.project, people, now=timezone.now()), agreements(access.project, access.user)
        context["members"] = [(row, paces[pk], found.get(pk, [])[:2]) for row, pk in zip(rows, people, strict=True)]
        context["resettable"] = resettable(access.project, people)
        # A person whom a backup names is nobody here until a site admin says so.
        context["placeholders"] = placeholders_of(access.project) if access.user.is_superuser else []
        context["invitations"] = listed(access.project, timezone.now())
        context["invite_form"] = invite_form or InvitationForm(prefix="invite", project=access.project)
    status = 422 if add_form or new_form or invite_form else 200
    response = project_page(request, access, "projects/members.html", context, section="members", status=status)
    if new_account or link:
        add_never_cache_headers(response)
    return response
