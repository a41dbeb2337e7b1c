"""The cards of projects: what they count, and at what cost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.core.starts import STARTS
from annotator.dashboard.queries.project_cards import LayerShare, Share, project_cards
from annotator.models import Mode, Project, Stage
from annotator.projects.actions.projects import create_project
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.work.queue.actions.items import change_item
from annotator.work.queue.queries import coverage
from tests.drafts import load
from tests.factories import (
    make_annotation,
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
from tests.protocols.mabl.work import Mabl

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
        assert card.decided
        assert card.shares == [
            LayerShare("tokens", Share("", 1, 6), [Share("es", 1, 4), Share("en", 0, 2)]),
            LayerShare("pairs", Share("", 0, 1), [Share("es", 0, 1)]),
        ]
        assert (card.own_open, card.own_done) == (1, 1)

    def test_site_admins_see_every_project_without_a_role(self, project: Project) -> None:
        make_project("other")

        cards = project_cards(make_user(superuser=True))

        assert [(card.project.slug, card.role, card.shares) for card in cards] == [
            ("letters", "", []),
            ("other", "", []),
        ]

    def test_a_second_stage_on_the_same_sentences_counts_them_once(self, project: Project) -> None:
        ana = make_member(project)
        stage = stage_of(project, "correct")
        Stage.objects.create(project=project, kind="correct", layer=stage.layer, language="es", position=20)
        make_sentence(project)

        assert project_cards(ana)[0].shares == [LayerShare("tokens", Share("", 0, 1), [Share("es", 0, 1)])]

    def test_gold_that_nobody_adjudicates_is_told_of_too(self) -> None:
        project = create_project(slug="plain", preset=STARTS["labels"].preset(["es", "en"], steps=[]), by=None)
        ana, correct = make_member(project), stage_of(project, "correct")
        agreed, answered, _free = (make_sentence(project) for _ in range(3))
        for sentence in (agreed, answered):
            make_assignment(sentence, ana, correct, done=True)
            make_annotation(sentence, ana)
        assert project_cards(ana)[0].shares[0].whole == Share("", 2, 3), "answers, while there is no gold"

        make_annotation(answered, make_member(project), [span(1)])
        accept_agreed(project=project, layer=project.label_layer, language="es", by=None, without_overlap=True)
        make_gold(make_sentence(project, "Time flies", language="en"))

        (card,) = project_cards(ana)
        assert card.decided
        assert card.shares == [LayerShare("tokens", Share("", 2, 4), [Share("es", 1, 3), Share("en", 1, 1)])]

    def test_what_is_there_for_blind_answers_alone_counts_nowhere(self) -> None:
        project = create_project(slug="plain", preset=STARTS["labels"].preset(["es"], steps=[]), by=None)
        make_gold(make_sentence(project))
        beside = make_sentence(project)
        item = beside.items.get()
        change_item(item, user=None, answers_wanted=0)

        assert project_cards(make_member(project))[0].shares[0].whole == Share("", 1, 1)

    def test_of_many_with_and_without_gold_it_says_at_least_how_many(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(coverage, "MAX_COUNTED", 2)
        project = create_project(slug="plain", preset=STARTS["labels"].preset(["es"], steps=[]), by=None)
        ana, correct = make_member(project), stage_of(project, "correct")
        for _ in range(3):
            make_gold(make_sentence(project))
        assert project_cards(ana)[0].shares[0].whole == Share("", 3, 3), "of one sort alone the counters tell"
        for _ in range(3):
            make_assignment(make_sentence(project), ana, correct, done=True)
        assert project_cards(ana)[0].shares[0].whole == Share("", 2, 6, more=True)

    def test_answers_are_told_of_where_they_are_the_result(self) -> None:
        project = create_project(slug="rated", preset=STARTS["rating"].preset(["es"]), by=None)
        ana = make_member(project)
        make_sentence(project)

        (card,) = project_cards(ana)
        assert (card.decided, card.shares) == (
            False,
            [LayerShare("ratings", Share("", 0, 1), [Share("es", 0, 1)])],
        )

    def test_queries_do_not_grow_with_projects(self, project: Project, django_assert_num_queries: Any) -> None:
        admin = make_user(superuser=True)
        for _ in range(3):
            make_sentence(make_project())
        with django_assert_num_queries(7):
            project_cards(admin)

        for slug in ("one", "two"):
            unjudged = create_project(slug=slug, preset=STARTS["labels"].preset(["es", "en"], steps=[]), by=None)
            for language in ("es", "en"):
                make_gold(make_sentence(unjudged, language=language))
        with django_assert_num_queries(8):
            project_cards(admin)


class TestBeforeAnythingIsAnswered:
    def test_written_pairs_are_told_of_where_nobody_judges_them(self) -> None:
        scene = Mabl()
        ana = scene.people[0]
        for stage in scene.project.stages.exclude(kind="write-pair").order_by("-position"):
            stage.delete()
        scene.written(ana)
        (card,) = project_cards(ana)
        assert (card.decided, [(share.layer, share.whole) for share in card.shares]) == (
            False,
            [("pairs", Share("", 1, 1))],
        )

    def test_what_came_in_is_told_of_before_a_stage_has_anything(
        self, client: Client, tmp_path: Path, settings: Any
    ) -> None:
        settings.MEDIA_ROOT = tmp_path
        scaled = create_project(slug="scaled", preset=STARTS["best-worst"].preset(["en"]), by=None)
        load(scaled, {"en.txt": "It rains.\nPrices climb.\nDoubt moved in.\nA bridge is closed.\n"})
        user = make_member(scaled)
        (card,) = project_cards(user)
        assert (card.shares, card.brought) == ([], {"en": {"": 4}})
        client.force_login(user)
        page = client.get(reverse("projects")).content.decode()
        assert "en: 4 sentences" in page
        assert "Nothing here yet" not in page
