"""The scene of most actions: a project with two annotators, and how they save."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from annotator.models import Annotation, Assignment, Project, User
from annotator.work.answering.actions.annotations import save_annotation
from tests.factories import make_member, make_project

NOW = timezone.now()


@pytest.fixture
def project(db: None) -> Project:
    return make_project()


@pytest.fixture
def ana(project: Project) -> User:
    return make_member(project)


@pytest.fixture
def ben(project: Project) -> User:
    return make_member(project)


def save(row: Assignment, content: dict[str, Any], *, done: bool = True, doubt: bool = False) -> Annotation:
    """Save an answer over whatever its person had saved before."""
    found = Annotation.objects.filter(unit=row.unit, layer=row.stage.layer, user=row.user)
    return save_annotation(
        project=row.project,
        assignment=row.pk,
        version=found.values_list("version", flat=True).first() or 0,
        content=content,
        doubt=doubt,
        done=done,
        by=row.user,
        now=NOW,
    )
