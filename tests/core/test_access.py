"""Lookup and permission are one call."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils import timezone

from annotator.core.access import project_for, projects_for
from annotator.core.permissions import GRANTS, Permission
from annotator.models import Project, Role
from tests.factories import make_member, make_project, make_user

pytestmark = pytest.mark.django_db

MAY = {
    Role.ANNOTATOR: {"view", "annotate"},
    Role.ADJUDICATOR: {"view", "annotate", "adjudicate"},
    Role.MANAGER: {"view", "annotate", "adjudicate", "manage"},
}


@pytest.mark.parametrize("role", Role.values)
@pytest.mark.parametrize("needs", list(Permission))
def test_each_role_gets_what_it_may_and_nothing_else(role: str, needs: Permission, project: Project) -> None:
    user = make_member(project, role)
    if needs in MAY[Role(role)]:
        access = project_for(user, project.slug, needs=needs)
        assert (access.project, access.role) == (project, role)
    else:
        with pytest.raises(PermissionDenied, match="manager of the project"):
            project_for(user, project.slug, needs=needs)


def test_every_role_has_its_grants() -> None:
    assert {role: set(map(str, grants)) for role, grants in GRANTS.items()} == MAY


@pytest.mark.parametrize("superuser", [False, True])
def test_it_is_one_query(superuser: bool, django_assert_num_queries: Any, project: Project) -> None:
    user = make_user(superuser=True) if superuser else make_member(project)
    with django_assert_num_queries(1):
        access = project_for(user, project.slug)
        assert access.project.name == project.name


def test_nobody_who_is_not_signed_in_gets_anything(project: Project) -> None:
    with pytest.raises(Http404):
        project_for(AnonymousUser(), project.slug)
    assert not projects_for(AnonymousUser()).exists()


def test_outsiders_do_not_learn_that_a_project_exists() -> None:
    project, other = make_project(), make_project()
    outsider = make_member(other, Role.MANAGER)
    with pytest.raises(Http404) as of_existing:
        project_for(outsider, project.slug)
    with pytest.raises(Http404) as of_missing:
        project_for(outsider, "no-such-project")
    assert str(of_existing.value) == str(of_missing.value)
    assert list(projects_for(outsider)) == [other]


def test_site_admins_act_as_managers_everywhere(project: Project) -> None:
    admin = make_user(superuser=True)
    assert project_for(admin, project.slug, needs=Permission.MANAGE).role == Role.MANAGER
    assert list(projects_for(admin)) == [project]


@pytest.mark.parametrize("superuser", [False, True])
def test_a_project_that_is_being_deleted_is_not_found_any_more(superuser: bool, project: Project) -> None:
    user = make_user(superuser=True) if superuser else make_member(project, Role.MANAGER)
    project.deleting_at = timezone.now()
    project.save()

    with pytest.raises(Http404):
        project_for(user, project.slug)
    assert not projects_for(user).exists()
