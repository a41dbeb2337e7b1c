"""Lookup and permission are one call."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404

from annotator.models import Role
from annotator.permissions import GRANTS, Permission
from annotator.queries.access import project_for, projects_for
from tests.factories import make_member, make_project, make_user

pytestmark = pytest.mark.django_db

MAY = {
    Role.ANNOTATOR: {"view", "annotate"},
    Role.ADJUDICATOR: {"view", "annotate", "adjudicate"},
    Role.MANAGER: {"view", "annotate", "adjudicate", "manage"},
}


@pytest.mark.parametrize("role", Role.values)
@pytest.mark.parametrize("needs", list(Permission))
def test_each_role_gets_what_it_may_and_nothing_else(role: str, needs: Permission) -> None:
    project = make_project()
    user = make_member(project, role)
    if needs in MAY[Role(role)]:
        access = project_for(user, project.slug, needs=needs)
        assert (access.project, access.role) == (project, role)
    else:
        with pytest.raises(PermissionDenied, match="manager of the project"):
            project_for(user, project.slug, needs=needs)


def test_every_role_has_its_grants() -> None:
    assert {role: set(map(str, grants)) for role, grants in GRANTS.items()} == MAY


def test_outsiders_do_not_learn_that_a_project_exists() -> None:
    project, other = make_project(), make_project()
    outsider = make_member(other, Role.MANAGER)
    with pytest.raises(Http404) as of_existing:
        project_for(outsider, project.slug)
    with pytest.raises(Http404) as of_missing:
        project_for(outsider, "no-such-project")
    assert str(of_existing.value) == str(of_missing.value)
    assert list(projects_for(outsider)) == [other]


def test_site_admins_act_as_managers_everywhere() -> None:
    project = make_project()
    admin = make_user(superuser=True)
    assert project_for(admin, project.slug, needs=Permission.MANAGE).role == Role.MANAGER
    assert list(projects_for(admin)) == [project]
