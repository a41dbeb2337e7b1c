"""The pages around the work: what they count, from which rows, and at what cost."""

from __future__ import annotations

from typing import Any

import pytest

from annotator.models import (
    Annotation,
    Assignment,
    AssignmentState,
    Counter,
    Layer,
    Mode,
    Project,
    Role,
    Sentence,
    Stage,
    User,
)
from annotator.queries.dashboard import (
    GoldGap,
    annotators,
    comparable,
    gold_gaps,
    member_rows,
    overlaps,
    own_items,
    own_rows,
    project_cards,
)
from tests.factories import (
    choice,
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_pair_unit,
    make_project,
    make_projection,
    make_sentence,
    make_user,
    span,
    stage_of,
    unit_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project("letters")


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
        with django_assert_num_queries(6):
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


def test_members_have_what_they_did_and_have_open(project: Project) -> None:
    ana, ben = make_member(project, username="ana"), make_member(project, username="ben")
    correct, tagging = stage_of(project, "correct"), stage_of(project, "pair-tag")
    make_assignment(make_sentence(project), ana, correct, done=True)
    make_assignment(make_sentence(project), ana, correct, mode=Mode.BLIND, done=True)
    make_assignment(make_sentence(project), ana, correct)
    make_assignment(make_pair(project), ana, tagging, done=True)
    # A page of hers holds one in advance.
    make_assignment(make_sentence(project), ana, correct, ahead=True)

    rows = [(row.membership.user, [(s.kind, n) for s, n in row.done], row.open) for row in member_rows(project)]

    assert rows == [(ana, [("correct", 2), ("pair-tag", 1)], 1), (ben, [], 0)]


def test_the_same_work_in_two_languages_counts_together_and_decisions_by_themselves(project: Project) -> None:
    ana = make_member(project, Role.ADJUDICATOR)
    for language in ("es", "en"):
        sentence = make_sentence(project, language=language)
        make_assignment(sentence, ana, stage_of(project, "correct", language), done=True)
    Counter.objects.create(project=project, stage=stage_of(project, "adjudicate"), user=ana, own_done=3)

    (row,) = member_rows(project)

    assert [(stage.kind, number) for stage, number in row.done] == [("correct", 2), ("adjudicate", 3)]


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


class TestOwnItems:
    def test_they_are_in_reading_order_and_can_be_narrowed(self, project: Project) -> None:
        ana, ben = make_member(project), make_member(project)
        stage = stage_of(project, "correct")
        first, second, third, old = (make_sentence(project) for _ in range(4))
        later = make_assignment(second, ana, stage)
        earlier = make_assignment(first, ana, stage, done=True)
        returned = make_assignment(third, ana, stage)
        Assignment.objects.filter(pk=returned.pk).update(state=AssignmentState.RETURNED)
        make_assignment(old, ana, stage)
        Sentence.objects.filter(pk=old.pk).update(is_current=False)
        make_assignment(make_sentence(project), ben, stage)
        Assignment.objects.filter(pk=later.pk).update(doubtful=True)

        assert list(own_items(stage, ana)) == [earlier, later]
        assert list(own_items(stage, ana, state="done")) == [earlier]
        assert list(own_items(stage, ana, state="nonsense")) == [earlier, later]
        assert list(own_items(stage, ana, doubt=True)) == [later]

    def test_a_page_has_text_doubt_comment_and_what_was_chosen(
        self, project: Project, django_assert_max_num_queries: Any
    ) -> None:
        ana, ben = make_member(project), make_member(project)
        stage, tagging = stage_of(project, "correct"), stage_of(project, "pair-tag")
        seen, unseen, pair = make_sentence(project), make_sentence(project), make_pair(project)
        for unit in (seen, unseen):
            make_assignment(unit, ana, stage)
        make_annotation(seen, ana, doubt=True, comment="metonymy?", state="open")
        make_annotation(unseen, ben, comment="not ana's")
        make_assignment(pair, ana, tagging)
        make_annotation(unit_of(pair), ana, content=choice("relevant"))

        with django_assert_max_num_queries(3):
            first, second = own_rows(stage, ana, own_items(stage, ana))
        (third,) = own_rows(tagging, ana, own_items(tagging, ana))

        assert first.annotation is not None and (first.annotation.doubt, first.annotation.comment) == (
            True,
            "metonymy?",
        )
        assert (first.text, first.value) == ("El tiempo vuela", "")
        assert second.annotation is None
        assert (third.value, third.text) == ("relevant", "Nadie mira el reloj")


class TestGoldGaps:
    def test_what_lacks_gold_by_language(self, project: Project) -> None:
        pair = make_pair(project)
        make_gold(make_sentence(project))
        assert gold_gaps(project) == [GoldGap("es", sentences=2, pairs=1, has_gold=True)]

        for sentence in project.sentences.filter(segment__in=[pair.premise, pair.hypothesis]):
            make_gold(sentence)
        make_gold(unit_of(pair), content=choice("no_metaphor"))
        assert gold_gaps(project) == []

        for segment in (pair.premise, pair.hypothesis):
            make_sentence(project, "Time flies", language="en", segment=segment)
        make_pair_unit(pair, "en")
        assert gold_gaps(project) == [GoldGap("en", sentences=2, pairs=1, has_gold=False)]
