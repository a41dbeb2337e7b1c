"""Lookup and permission in one call: everything is fetched through the project, for the user."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from annotator.core.permissions import GRANTS, Permission, works_in
from annotator.core.prepared import Prepared
from annotator.models import Job, JobKind, Membership, Project, Role, User


@dataclass(frozen=True, slots=True)
class Access:
    """A user inside a project. Site admins act as managers of every project."""

    user: User
    project: Project
    role: str
    # In which the user is given work; none: in all.
    languages: Sequence[str] = ()
    # What the API token of a call permits at most.
    within: frozenset[Permission] = frozenset(Permission)

    def works_in(self, language: str) -> bool:
        """Whether the user is given work in a language of the project."""
        return works_in(self.languages, language)

    def require_language(self, language: str) -> None:
        """Raise PermissionDenied, in words, unless the user is given work in `language`."""
        if not self.works_in(language):
            raise PermissionDenied(
                _(
                    "You can work in these languages of the project: %(languages)s. A manager of the project "
                    "can change this."
                )
                % {"languages": ", ".join(self.languages)}
            )

    def may(self, permission: Permission) -> bool:
        return permission in GRANTS[self.role] and permission in self.within

    def can_change(self, permission: Permission) -> bool:
        """Whether pages offer what changes something: the user may, and the project is not archived."""
        return self.may(permission) and not self.project.is_archived

    def require(self, permission: Permission) -> None:
        """Raise PermissionDenied, in words, unless the user's role and API token include `permission`."""
        if permission not in GRANTS[self.role]:
            raise PermissionDenied(
                _("Your role in this project (%(role)s) does not allow this. A manager of the project can change it.")
                % {"role": Role(self.role).label}
            )
        if not self.may(permission):
            raise PermissionDenied(beyond_scope())


def projects_for(user: User | AnonymousUser) -> QuerySet[Project]:
    """The projects that `user` may see."""
    if not isinstance(user, User):
        return Project.objects.none()
    if user.is_superuser:
        return Project.objects.filter(deleting_at=None)
    return Project.objects.filter(memberships__user=user, deleting_at=None)


def managed_by(user: User) -> QuerySet[Project]:
    """The projects that `user` manages, those that are archived included."""
    if user.is_superuser:
        return projects_for(user)
    return projects_for(user).filter(memberships__user=user, memberships__role=Role.MANAGER)


@dataclass(frozen=True, slots=True)
class Deleting:
    """A project that is being deleted, and the job that does it."""

    project: Project
    job: Job | None


def deleting_for(user: User) -> list[Deleting]:
    """The projects that are being deleted, for those who managed them: nobody else sees any of it."""
    # One that is being restored is hidden too, and has no such job.
    rows = Project.objects.filter(deleting_at__isnull=False, jobs__kind=JobKind.DELETE)
    if not user.is_superuser:
        rows = rows.filter(memberships__user=user, memberships__role=Role.MANAGER)
    found = {row.pk: row for row in rows}
    # The newest comes last, and stays.
    jobs = {job.project_id: job for job in Job.objects.filter(project__in=found, kind=JobKind.DELETE).order_by("pk")}
    return [Deleting(row, jobs.get(pk)) for pk, row in found.items()]


_MEMBERSHIP: Prepared[Membership] = Prepared(
    # Guidelines are long, and few pages show them: they are read there.
    lambda user, slug: (
        Membership.objects.select_related("project")
        .defer("project__guidelines")
        .filter(user=user, project__slug=slug, project__deleting_at=None)
    ),
    user=int,
    slug=str,
)


def project_for(
    user: User | AnonymousUser,
    slug: str,
    *,
    needs: Permission = Permission.VIEW,
    within: frozenset[Permission] = frozenset(Permission),
) -> Access:
    """The project named `slug` for `user`: Http404 for outsiders, PermissionDenied for members who may not, or whose
    API token permits only what is `within`."""
    if not isinstance(user, User):
        raise _nothing()
    if user.is_superuser:
        project = Project.objects.filter(slug=slug, deleting_at=None).first()
        role, languages = str(Role.MANAGER), []
    else:
        membership = _MEMBERSHIP.first(user=user.pk, slug=slug)
        project = membership.project if membership else None
        role, languages = (membership.role, membership.languages) if membership else ("", [])
    if project is None:
        raise _nothing()
    access = Access(user=user, project=project, role=role, languages=languages, within=within)
    access.require(needs)
    return access


def beyond_scope() -> str:
    """Why a call is refused that the API token does not permit."""
    return _("This API token does not permit this call. Create a token with a wider scope on your account page.")


def _nothing() -> Http404:
    return Http404(_("This project does not exist, or you are not a member of it."))
