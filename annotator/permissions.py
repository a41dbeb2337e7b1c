"""What each role may do in a project. The one home of that rule (guarded by tests/queries/test_access.py)."""

from __future__ import annotations

from enum import StrEnum

from annotator.models import Role


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
