"""Who can be compared with whom, from which rows, and at what cost."""

from __future__ import annotations

from typing import Any

import pytest

from annotator.models import Annotation, Assignment, Layer, Mode, Project, Sentence, Stage, User
from annotator.reports.queries.overlaps import annotators, comparable, overlaps
from tests.factories import (
    choice,
    make_annotation,
    make_assignment,
    make_member,
    make_pair,
    make_sentence,
    stage_of,
    unit_of,
)

pytestmark = pytest.mark.django_db


def answer(user: User, unit: Sentence, stage: Stage, *, mode: str = Mode.REVIEW, content: Any = None) -> Assignment:
    """A finished one, as the actions leave it."""
    made = make_assignment(unit, user, stage, mode=mode, done=True)
    make_annotation(unit, user, mode=mode, content=content)
    return made


class TestOverlaps:
    def test_what_one_of_two_did_blind_is_in_common_and_what_both_did_comes_first(self, project: Project) -> None:
        ana, ben, cleo = (make_member(project, username=name) for name in ("ana", "ben", "cleo"))
        stage, tagging = stage_of(project, "correct"), stage_of(project, "pair-tag")
        shared, third, alone = (make_sentence(project) for _ in range(3))
        for sentence in (shared, third, alone):
            answer(ana, sentence, stage)
        for sentence in (shared, third):
            answer(ben, sentence, stage, mode=Mode.BLIND)
        answer(cleo, third, stage, mode=Mode.BLIND)
        pair = unit_of(make_pair(project))
        answer(ana, pair, tagging, content=choice("relevant"))
        answer(ben, pair, tagging, mode=Mode.BLIND, content=choice("discarded"))

        found = [(row.a, row.b, row.layer, row.language, row.units, row.blind) for row in overlaps(project)]

        assert found == [
            (ben, cleo, "tokens", "es", 1, 1),
            (ana, ben, "tokens", "es", 2, 0),
            (ana, cleo, "tokens", "es", 1, 0),
            (ana, ben, "pairs", "es", 1, 0),
        ]

    def test_only_what_both_have_done_on_the_current_text_counts(self, project: Project) -> None:
        ana, ben = make_member(project), make_member(project)
        stage = stage_of(project, "correct")
        half, old = make_sentence(project), make_sentence(project)
        answer(ana, half, stage)
        make_assignment(half, ben, stage, mode=Mode.BLIND)
        make_annotation(half, ben, mode=Mode.BLIND, state="open")
        for user, mode in ((ana, Mode.REVIEW), (ben, Mode.BLIND)):
            answer(user, old, stage, mode=mode)
        Sentence.objects.filter(pk=old.pk).update(is_current=False)

        assert overlaps(project) == []

    def test_stages_that_want_several_answers_or_share_units_are_read(self, project: Project) -> None:
        ana, ben = make_member(project), make_member(project)
        stage = stage_of(project, "correct")
        again = Stage.objects.create(project=project, kind="correct", layer=stage.layer, language="es", position=20)
        sentence = make_sentence(project)
        answer(ana, sentence, stage)
        answer(ben, sentence, again)
        assert [(row.a, row.b, row.units) for row in overlaps(project)] == [(ana, ben, 1)]

        Stage.objects.filter(pk=again.pk).update(language="en")
        Stage.objects.filter(pk=stage.pk).update(answers_wanted=2)
        both = make_sentence(project)
        for user in (ana, ben):
            answer(user, both, stage)
        assert [(row.a, row.b, row.units) for row in overlaps(project)] == [(ana, ben, 2)]

    def test_it_takes_as_many_queries_however_many_people_share_work(
        self, project: Project, django_assert_num_queries: Any
    ) -> None:
        stage, people = stage_of(project, "correct"), [make_member(project) for _ in range(4)]
        for _ in range(3):
            sentence = make_sentence(project)
            for person in people:
                answer(person, sentence, stage, mode=Mode.BLIND)
        project = Project.objects.get(pk=project.pk)

        # Stages, what is shared, the people, the layers, and which of them labels and tags are.
        with django_assert_num_queries(5):
            assert len(overlaps(project)) == 6


def test_further_layers_have_their_own_name(project: Project) -> None:
    ana, ben = make_member(project), make_member(project)
    layer = Layer.objects.create(
        project=project, slug="mood", content_type="choice", unit_kind="sentence", scheme_data={"values": ["a", "b"]}
    )
    stage = Stage.objects.create(project=project, kind="correct", layer=layer, language="es", position=20)
    sentence = make_sentence(project)
    for user, mode in ((ana, Mode.REVIEW), (ben, Mode.BLIND)):
        make_assignment(sentence, user, stage, mode=mode, done=True)
        Annotation.objects.create(
            project=project, unit=sentence, layer=layer, user=user, mode=mode, state="done", content=choice("a")
        )

    assert [(row.layer, row.units) for row in overlaps(project)] == [("mood", 1)]


class TestComparable:
    def test_two_people_with_work_in_one_stage_are(self, project: Project, django_assert_num_queries: Any) -> None:
        for person in (make_member(project), make_member(project)):
            make_assignment(make_sentence(project), person, stage_of(project, "correct"), done=True)
        with django_assert_num_queries(1):
            assert comparable(project)

    def test_one_person_or_work_that_is_open_or_elsewhere_is_not(self, project: Project) -> None:
        ana, ben = make_member(project), make_member(project)
        make_assignment(make_sentence(project), ana, stage_of(project, "correct"), done=True)
        make_assignment(make_sentence(project), ben, stage_of(project, "correct"))
        make_assignment(make_sentence(project, language="en"), ben, stage_of(project, "correct", "en"), done=True)
        assert not comparable(project)


def test_annotators_are_members_and_those_whose_work_stays(project: Project) -> None:
    ana, ben, cleo = (make_member(project, username=name) for name in ("ana", "ben", "cleo"))
    make_assignment(make_sentence(project), ben, stage_of(project, "correct"), done=True)
    project.memberships.filter(user__in=[ben, cleo]).delete()

    assert list(annotators(project)) == [ana, ben]
