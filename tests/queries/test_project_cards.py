"""The cards of projects: what they count, and at what cost."""

from __future__ import annotations

from typing import Any

import pytest

from annotator.models import Mode, Project, Stage
from annotator.queries.project_cards import project_cards
from tests.factories import (
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_project,
    make_projection,
    make_sentence,
    make_user,
    span,
    stage_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project("letters")


class TestCards:
    def test_sentences_gold_and_own_work_of_each_project(self, project: Project) -> None:
        ana = make_member(project)
        correct, review = stage_of(project, "correct"), stage_of(project, "project-review", "en")
        first, second = make_sentence(project), make_sentence(project)
        reached = make_sentence(project, "Time flies", language="en", segment=first.segment)
        make_sentence(project, "Nobody looks", language="en", segment=second.segment)
        make_projection(first, reached, [span(1)], [span(2)])
        make_pair(project)
        make_gold(second)
        make_assignment(first, ana, correct, done=True)
        make_assignment(reached, ana, review, mode=Mode.BLIND)
        make_project("other")

        (card,) = project_cards(ana)

        assert (card.project, card.role) == (project, "annotator")
        assert (card.sentence_count, card.gold_count) == (6, 1)
        assert (card.own_open, card.own_done) == (1, 1)

    def test_site_admins_see_every_project_without_a_role(self, project: Project) -> None:
        make_project("other")

        cards = project_cards(make_user(superuser=True))

        assert [(card.project.slug, card.role, card.sentence_count) for card in cards] == [
            ("letters", "", 0),
            ("other", "", 0),
        ]

    def test_a_second_stage_on_the_same_sentences_counts_them_once(self, project: Project) -> None:
        ana = make_member(project)
        stage = stage_of(project, "correct")
        Stage.objects.create(project=project, kind="correct", layer=stage.layer, language="es", position=20)
        make_sentence(project)

        assert project_cards(ana)[0].sentence_count == 1

    def test_queries_do_not_grow_with_projects(self, project: Project, django_assert_num_queries: Any) -> None:
        admin = make_user(superuser=True)
        for _ in range(3):
            make_sentence(make_project())

        with django_assert_num_queries(6):
            project_cards(admin)
