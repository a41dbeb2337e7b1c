"""Samples for blind work: who is given what, and what it hides until gold is decided."""

from __future__ import annotations

import pytest

from annotator.core.counters import recounted
from annotator.core.errors import ActionError
from annotator.models import Annotation, Assignment, BlindMark, Counter, Event, Item, Mode, Project, Stage, Unit, User
from annotator.work.answering.actions.annotations import ReassignedError
from annotator.work.blind.actions.blind import BlindSummary, assign_blind
from annotator.work.blind.queries.blind import is_blind
from annotator.work.blind.queries.blind_pool import draw, pool
from annotator.work.gold.actions.gold import reopen_gold
from annotator.work.queue.actions.assignments import claim
from annotator.work.queue.actions.giving_back import free_open
from annotator.work.queue.actions.items import reassign_unstarted
from annotator.work.queue.queries.progress import stage_progress
from tests.deciding import decide_gold
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_pair_unit,
    make_projection,
    make_sentence,
    make_tag,
    make_user,
    span,
    spans,
    stage_of,
    unit_of,
)
from tests.saving import NOW, save

pytestmark = pytest.mark.django_db


@pytest.fixture
def correct(project: Project) -> Stage:
    return stage_of(project, "correct")


def given(project: Project, *users: User, pairs: int = 1, seed: int = 1, language: str = "es") -> list[BlindSummary]:
    return assign_blind(project=project, language=language, users=users, pairs=pairs, seed=seed, by=None)


class TestDrawing:
    def test_the_sample_is_seeded_and_the_same_for_all(self, project: Project) -> None:
        pairs = [make_pair(project) for _ in range(8)]
        ana, ben, boss = make_member(project), make_member(project), make_member(project, "manager")

        summaries = assign_blind(project=project, language="es", users=[ana, ben], pairs=3, seed=7, by=boss)

        drawn = draw(stage_of(project, "correct"), [], 3, 7)
        assert draw(stage_of(project, "correct"), [], 3, 7) == drawn
        assert {tuple(draw(stage_of(project, "correct"), [], 3, seed)) for seed in range(20)} != {tuple(drawn)}
        assert len(drawn) == 3
        assert set(drawn) < {unit_of(pair) for pair in pairs}
        assert [(row.user, row.pairs, row.sentences, row.seen) for row in summaries] == [
            (ana, 3, 6, 0),
            (ben, 3, 6, 0),
        ]
        for user in (ana, ben):
            own = Assignment.objects.filter(user=user).select_related("unit")
            assert {(row.mode, row.expires_at, tuple(row.shown)) for row in own} == {("blind", None, ())}
            assert {row.unit for row in own if row.unit.kind == "pair"} == set(drawn)
            assert {row.unit.segment_id for row in own if row.unit.kind == "sentence"} == {
                pk for unit in drawn for pk in unit.touches[1:]
            }
        assert Event.objects.filter(verb="assignment.blind", actor=boss).count() == 18
        sample = Event.objects.get(verb="assignment.sample").after
        assert (sample["seed"], sample["language"], sample["units"]) == (7, "es", [unit.pk for unit in drawn])

    def test_whole_groups_are_drawn_and_the_last_one_is_cut(self, project: Project) -> None:
        pairs = [make_pair(project) for _ in range(6)]
        for at, pair in enumerate(pairs):
            pair.segment.group = f"premise{at // 3}"
            pair.segment.save()
        groups = [unit.segment.group for unit in draw(stage_of(project, "correct"), [], 4, 3)]
        assert sorted(groups.count(name) for name in set(groups)) == [1, 3]
        assert len(draw(stage_of(project, "correct"), [], 100, 3)) == 6

    def test_a_project_without_pairs_draws_sentences(self, project: Project, ben: User) -> None:
        sentences = [make_sentence(project) for _ in range(5)]
        (summary,) = given(project, ben, pairs=2)
        assert (summary.pairs, summary.sentences) == (0, 2)
        assert {row.unit_id for row in Assignment.objects.all()} < {row.pk for row in sentences}

    def test_texts_that_were_replaced_are_not_drawn(self, project: Project) -> None:
        old = make_sentence(project)
        Unit.objects.filter(pk=old.pk).update(is_current=False)
        new = make_sentence(project)
        assert draw(stage_of(project, "correct"), [], 5, 1) == [Unit.objects.get(pk=new.pk)]

    def test_it_is_drawn_from_what_all_can_have(self, project: Project, correct: Stage, ana: User, ben: User) -> None:
        """Of 40 pairs 12 have gold, and each of the two has seen 4 others."""
        pairs = [make_pair(project) for _ in range(40)]
        for pair in pairs[:12]:
            make_gold(pair.premise.units.get(kind="sentence"))
        for user, seen in ((ana, pairs[12:16]), (ben, pairs[16:20])):
            for pair in seen:
                make_assignment(pair.premise.units.get(kind="sentence"), user, correct)

        before = pool(correct, [ana, ben])
        assert (before.total, before.free, before.decided, before.seen) == (40, 20, 12, 8)
        assert pool(correct, [ana]).free == 24
        assert before.given == 0
        for summary in given(project, ana, ben, pairs=20):
            assert (summary.pairs, summary.sentences, summary.seen, summary.decided) == (20, 40, 0, 0)
        drawn = set(
            Assignment.objects.filter(user=ana, mode=Mode.BLIND, unit__kind="pair").values_list("unit", flat=True)
        )
        assert drawn == {unit_of(pair).pk for pair in pairs[20:]}
        after = pool(correct, [ana, ben])
        assert (after.free, after.given) == (20, 20)
        assert pool(correct, [ana, make_member(project)]).given == 0

    def test_where_there_is_too_little_it_says_what_is_lacking(
        self, project: Project, correct: Stage, ana: User, ben: User
    ) -> None:
        free, decided, seen = (make_pair(project) for _ in range(3))
        make_gold(decided.premise.units.get(kind="sentence"))
        make_assignment(seen.premise.units.get(kind="sentence"), ana, correct)
        mine, yours = given(project, ana, ben, pairs=3)
        assert (mine.pairs, mine.seen, mine.decided) == (1, 1, 1)
        assert (yours.pairs, yours.seen, yours.decided) == (2, 0, 1)
        assert unit_of(free) in {row.unit for row in Assignment.objects.filter(user=ana, mode=Mode.BLIND)}


class TestHandingOut:
    def test_again_changes_nothing(self, project: Project, ben: User) -> None:
        make_pair(project)
        given(project, ben)
        before = [list(model.objects.order_by("pk").values()) for model in (Assignment, Item, Counter, BlindMark)]
        (again,) = given(project, ben)
        assert (again.pairs, again.sentences, again.already) == (0, 0, 3)
        after = [list(model.objects.order_by("pk").values()) for model in (Assignment, Item, Counter, BlindMark)]
        assert after == before

    def test_what_a_person_saw_with_suggestions_is_counted_and_left_out(
        self, project: Project, correct: Stage, ben: User
    ) -> None:
        seen, tagged, decided, fresh = (make_pair(project) for _ in range(4))
        make_assignment(seen.premise.units.get(kind="sentence"), ben, correct)
        make_tag(tagged, "relevant", user=ben)
        make_gold(decided.hypothesis.units.get(kind="sentence"))

        (summary,) = given(project, ben, pairs=4)

        assert (summary.pairs, summary.sentences, summary.seen, summary.decided) == (1, 2, 2, 1)
        blind = Assignment.objects.filter(mode=Mode.BLIND, unit__kind="pair")
        assert [row.unit for row in blind] == [unit_of(fresh)]

    def test_an_annotation_seen_in_another_language_counts_as_seen(self, project: Project, ben: User) -> None:
        pair = make_pair(project)
        make_annotation(make_sentence(project, "Time flies", language="en", segment=pair.premise), ben)
        (summary,) = given(project, ben)
        assert (summary.pairs, summary.seen) == (0, 1)

    def test_what_was_claimed_and_handed_back_untouched_was_not_worked_on(
        self, project: Project, correct: Stage, ben: User
    ) -> None:
        sentence = make_sentence(project)
        (row,) = claim(stage=correct, user=ben, now=NOW)
        free_open(stage=correct, user=ben, mode=Mode.REVIEW, by=ben)
        (summary,) = given(project, ben)
        assert summary.sentences == 1
        row.refresh_from_db()
        assert (row.unit_id, row.mode, row.state, row.shown, row.expires_at) == (sentence.pk, "blind", "open", [], None)

    def test_what_was_saved_with_suggestions_and_handed_back_was_seen(
        self, project: Project, correct: Stage, ben: User
    ) -> None:
        make_sentence(project)
        (row,) = claim(stage=correct, user=ben, now=NOW)
        save(row, spans(), done=False)
        free_open(stage=correct, user=ben, mode=Mode.REVIEW, by=ben)
        assert given(project, ben)[0].seen == 1

    def test_is_for_members_and_languages_of_the_project(self, project: Project, ben: User) -> None:
        make_pair(project)
        with pytest.raises(ActionError, match="not a member"):
            given(project, ben, make_user())
        with pytest.raises(ActionError, match="no stage"):
            given(project, ben, language="fr")
        with pytest.raises(ActionError, match="no pairs"):
            given(project, ben, language="en")
        with pytest.raises(ActionError, match="at least 1"):
            given(project, ben, pairs=0)
        with pytest.raises(ActionError, match="at least one person"):
            given(project)
        assert not Assignment.objects.exists()
        assert not Event.objects.exists()

    def test_the_review_stays_to_be_claimed_beside_it(
        self, project: Project, correct: Stage, ana: User, ben: User
    ) -> None:
        sentence = make_sentence(project)
        given(project, ben)
        item = Item.objects.get(stage=correct, unit=sentence)
        assert (item.state, item.answers_open, item.extra_open) == ("free", 0, 1)
        assert stage_progress(correct, ben).to_json() == {"done": 0, "open": 0, "total": 1, "mine": 0, "blind": 1}
        assert [row.unit_id for row in claim(stage=correct, user=ana, now=NOW)] == [sentence.pk]

    def test_what_waited_for_adjudication_waits_for_them_first(self, project: Project, correct: Stage) -> None:
        sentence = make_sentence(project)
        row = make_assignment(sentence, make_member(project), correct)
        save(row, spans(), doubt=True)
        waiting = Item.objects.filter(stage__kind=Stage.ADJUDICATE, state="free")
        assert waiting.exists()
        given(project, make_member(project))
        assert not waiting.exists()

    def test_in_a_stage_that_is_blind_itself_they_come_beside_the_answers_it_wants(
        self, project: Project, correct: Stage
    ) -> None:
        correct.mode = Mode.BLIND
        correct.save()
        sentence = make_sentence(project)
        ana, ben, cid = (make_member(project) for _ in range(3))
        claim(stage=correct, user=ana, now=NOW)
        summaries = given(project, ana, ben, cid)
        assert [(row.sentences, row.already) for row in summaries] == [(0, 1), (1, 0), (1, 0)]
        item = Item.objects.get(stage=correct, unit=sentence)
        assert (item.state, item.answers_wanted, item.answers_open, item.extra_open) == ("taken", 3, 3, 0)


class TestProjections:
    """Blind work in a language that projections reach: the review moves, the blind answers stay."""

    def test_the_review_of_what_is_projected_later_moves(self, project: Project, ana: User, ben: User) -> None:
        spanish = make_sentence(project)
        english = make_sentence(project, "Time flies", language="en", segment=spanish.segment)
        in_english, review = stage_of(project, "correct", "en"), stage_of(project, "project-review", "en")
        given(project, ben, language="en")
        projection = make_projection(spanish, english, [span(1)], [span(2)])

        assert [row.unit_id for row in claim(stage=review, user=ana, now=NOW)] == [english.pk]
        assert claim(stage=in_english, user=ana, now=NOW) == []
        (row,) = claim(stage=in_english, user=ben, now=NOW)
        assert (row.unit_id, row.mode) == (english.pk, "blind")
        assert stage_progress(in_english).total == 0
        assert stage_progress(review).total == 1
        save(row, spans())

        # The projection goes before the review began: somebody else can correct the sentence again.
        free_open(stage=review, user=ana, mode=Mode.REVIEW, by=ana)
        projection.is_current = False
        projection.save()
        reassign_unstarted(project, [english.pk], language="en")
        assert claim(stage=review, user=ana, now=NOW) == []
        assert [row.unit_id for row in claim(stage=in_english, user=ana, now=NOW)] == [english.pk]
        for stage in (in_english, review):
            assert stage_progress(stage).to_json() == {**recounted(stage), "mine": 0, "blind": 0}

    def test_a_sample_of_what_is_projected_already_gets_items_for_blind_answers_alone(
        self, project: Project, ana: User, ben: User
    ) -> None:
        spanish = make_sentence(project)
        english = make_sentence(project, "Time flies", language="en", segment=spanish.segment)
        in_english = stage_of(project, "correct", "en")
        make_projection(spanish, english, [span(1)], [span(2)])
        given(project, ben, language="en")
        item = Item.objects.get(stage=in_english, unit=english)
        assert (item.answers_wanted, item.extra_open, item.state) == (0, 1, "done")
        assert claim(stage=in_english, user=ana, now=NOW) == []
        assert stage_progress(in_english).to_json() == {"done": 0, "open": 0, "total": 0, "mine": 0, "blind": 0}

    def test_what_was_begun_with_suggestions_and_comes_late_is_no_part_of_the_blind_answer(
        self, project: Project, ben: User
    ) -> None:
        spanish = make_sentence(project)
        english = make_sentence(project, "Time flies", language="en", segment=spanish.segment)
        review = stage_of(project, "project-review", "en")
        make_projection(spanish, english, [span(1)], [span(1)])
        (seen,) = claim(stage=review, user=ben, now=NOW)
        free_open(stage=review, user=ben, mode=Mode.REVIEW, by=ben)
        given(project, ben, language="en")

        with pytest.raises(ReassignedError):
            save(seen, spans(span(1)))

        assert not Annotation.objects.exists()
        event = Event.objects.get(verb="annotation.kept")
        assert (event.subject_id, event.after["content"]) == (seen.pk, spans(span(1)))
        answer = save(Assignment.objects.get(user=ben, mode=Mode.BLIND), spans(span(0)))
        assert (answer.mode, answer.version, answer.content, answer.suggested) == ("blind", 1, spans(span(0)), None)


class TestMarks:
    def test_live_until_gold_is_decided_off_with_it_and_on_again_when_it_is_reopened(
        self, project: Project, correct: Stage
    ) -> None:
        sentence, other = make_sentence(project), make_sentence(project)
        ben, judge = make_member(project), make_member(project, "adjudicator")
        for unit in (sentence, other):
            make_assignment(unit, ben, correct, mode=Mode.BLIND, done=True)
        layer = project.label_layer
        assert is_blind(ben, sentence)
        decide_gold(unit=sentence.pk, layer=layer, content=spans(), by=judge)
        assert not is_blind(ben, sentence)
        assert is_blind(ben, other)
        reopen_gold(project=project, unit=sentence.pk, layer=layer, version=1, by=judge)
        assert is_blind(ben, sentence)

    def test_a_pair_blinds_its_sentences_in_every_language(self, project: Project) -> None:
        pair = make_pair(project)
        english = make_sentence(project, "Time flies", language="en", segment=pair.premise)
        ben, judge = make_member(project), make_member(project, "adjudicator")
        row = make_assignment(pair, ben, stage_of(project, "pair-tag"), mode=Mode.BLIND, done=True)
        assert set(row.blind_marks.values_list("segment_id", flat=True)) == {
            pair.segment_id,
            pair.premise_id,
            pair.hypothesis_id,
        }
        assert is_blind(ben, english)
        # Gold of the sentences, or of the pair in another language, does not end it.
        make_gold(pair.premise.units.get(language="es"))
        make_sentence(project, "Nobody looks", language="en", segment=pair.hypothesis)
        make_gold(make_pair_unit(pair, "en"), content={"value": "relevant"})
        assert is_blind(ben, english)
        unit = unit_of(pair)
        decide_gold(unit=unit.pk, layer=row.stage.layer, content={"value": "relevant"}, by=judge)
        assert not is_blind(ben, english)

    def test_handing_back_ends_it(self, project: Project, ben: User) -> None:
        make_pair(project)
        given(project, ben)
        assert BlindMark.objects.filter(user=ben, live=True).exists()
        for stage in project.stages.exclude(kind=Stage.ADJUDICATE):
            free_open(stage=stage, user=ben, mode=Mode.BLIND, by=ben)
        assert not BlindMark.objects.exists()
        # They can be given the same again.
        assert given(project, ben)[0].pairs == 1
        assert BlindMark.objects.filter(user=ben, live=True).exists()
