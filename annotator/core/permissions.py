"""What each role may do in a project. The one home of that rule (guarded by tests/core/test_access.py)."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

from django.conf import settings

from annotator.models import Role, Scope, User

# Of the setting PROJECT_CREATORS.
EVERYBODY, CHOSEN = "everybody", "chosen"


class Permission(StrEnum):
    VIEW = "view"
    ANNOTATE = "annotate"
    ADJUDICATE = "adjudicate"
    MANAGE = "manage"


GRANTS: dict[str, frozenset[Permission]] = {
    Role.ANNOTATOR: frozenset({Permission.VIEW, Permission.ANNOTATE}),
    Role.ADJUDICATOR: frozenset({Permission.VIEW, Permission.ANNOTATE, Permission.ADJUDICATE}),
    Role.MANAGER: frozenset(Permission),
}

# What calls that change something can do with an API token of this scope, within the role. Reads need any token.
WRITES: dict[str, frozenset[Permission]] = {
    Scope.READ: frozenset(),
    Scope.ANNOTATE: frozenset({Permission.VIEW, Permission.ANNOTATE, Permission.ADJUDICATE}),
    Scope.MANAGE: frozenset(Permission),
}


def works_in(languages: Collection[str], language: str) -> bool:
    """Whether a member with these languages is given work in a language of the project; without any, in all."""
    return not languages or language in languages


def may_restore_projects(user: User) -> bool:
    """Whether a person may restore project backups on this site."""
    return user.is_superuser or user.restores_projects


def may_create_projects(user: User) -> bool:
    """Whether a person may create projects on this site."""
    return user.is_superuser or user.creates_projects or settings.PROJECT_CREATORS == EVERYBODY
