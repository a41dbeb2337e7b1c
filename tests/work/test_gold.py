"""Gold: agreed, decided, changed, reopened. For labels and tags alike."""

from __future__ import annotations

import pytest

from annotator.core.errors import ActionError, ConflictError, OverlapError
from annotator.domain.content import Content
from annotator.models import (
    Annotation,
    Assignment,
    Counter,
    Event,
    Gold,
    Import,
    Item,
    Layer,
    Mode,
    Project,
    Stage,
    Unit,
    User,
)
from annotator.work.gold.actions.agreed import AcceptSummary, accept_agreed
from annotator.work.gold.actions.gold import reopen_gold
from annotator.work.queue.actions.assignments import claim
from annotator.work.queue.queries.progress import stage_progress
from tests.deciding import decide_gold
from tests.factories import (
    choice,
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_pair_unit,
    make_project,
    make_sentence,
    make_tag,
    span,
    spans,
    stage_of,
    unit_of,
)
from tests.rows import Rows, rows_of
from tests.saving import NOW, save

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(project: Project) -> Stage:
    return stage_of(project, "correct")


@pytest.fixture
def judge(project: Project) -> User:
    return make_member(project, "adjudicator")


@pytest.fixture
def tags(project: Project) -> Layer:
    layer = project.tag_layer
    assert layer is not None
    return layer


def accept(project: Project, by: User | None, layer: Layer | None = None, language: str = "es") -> AcceptSummary:
    return accept_agreed(
        project=project, layer=layer or project.label_layer, language=language, by=by, without_overlap=True
    )


def decide(unit: Unit, version: int, content: Content, by: User | None, *, reason: str = "") -> Gold:
    layer = unit.project.label_layer if unit.kind == "sentence" else unit.project.tag_layer
    assert layer is not None
    return decide_gold(unit=unit.pk, layer=layer, version=version, content=content, reason=reason, by=by)


def reopen(unit: Unit, version: int, by: User | None) -> None:
    layer = unit.project.label_layer if unit.kind == "sentence" else unit.project.tag_layer
    assert layer is not None
    reopen_gold(project=unit.project, unit=unit.pk, layer=layer, version=version, by=by)


def everything() -> list[Rows]:
    return rows_of(Gold, Item, Assignment, Annotation, Counter, Event)


class TestAccepting:
    def test_one_blind_answer_waits_for_the_review_and_two_that_agree_do_not(
        self, project: Project, tags: Layer, ana: User, ben: User
    ) -> None:
        alone, both = make_sentence(project), make_sentence(project)
        make_annotation(alone, ana, [span(1)], mode=Mode.BLIND)
        make_annotation(both, ana, [span(1)], mode=Mode.BLIND)
        make_annotation(both, ben, [span(1)], mode=Mode.BLIND)
        make_tag(make_pair(project), "relevant", user=ana, mode=Mode.BLIND)

        sentences = accept(project, ana)
        assert (sentences.accepted, sentences.waiting) == (1, 1)
        assert Gold.objects.get().unit_id == both.pk
        pairs = accept(project, ana, tags)
        assert (pairs.accepted, pairs.waiting) == (0, 1)
        assert not Gold.objects.filter(layer=tags).exists()

    def test_accepts_what_all_agree_on_and_counts_the_rest(
        self, project: Project, stage: Stage, ana: User, ben: User
    ) -> None:
        agreed, empty, single, doubtful, differing, waiting, decided, unseen = (
            make_sentence(project) for _ in range(8)
        )
        make_annotation(agreed, ben, [span(1)], mode=Mode.BLIND)
        make_annotation(agreed, ana, [{**span(1), "attributes": {"bio": "orphan"}}], doubt=True)
        make_annotation(empty, ana)
        make_annotation(empty, ben)
        make_annotation(single, ana, [span(2)])
        make_annotation(doubtful, ana, [span(2)], doubt=True)
        make_annotation(differing, ana, [span(0)])
        make_annotation(differing, ben, [span(0, 1)])
        make_annotation(waiting, ana, [span(0)])
        make_assignment(waiting, ben, stage, mode=Mode.BLIND)
        make_gold(decided, [span(0)])
        make_annotation(decided, ana, [span(1)])

        summary = accept(project, ana)

        assert summary == AcceptSummary(accepted=3, differing=1, doubtful=1, waiting=1)
        golds = {gold.unit_id: gold for gold in Gold.objects.filter(source="agreed")}
        assert set(golds) == {agreed.pk, empty.pk, single.pk}
        assert golds[agreed.pk].content["spans"][0]["attributes"] == {"bio": "orphan"}
        assert golds[empty.pk].content == spans()
        assert golds[single.pk].decided_by == ana
        assert Gold.objects.get(unit=decided).content == spans(span(0))
        assert not Gold.objects.filter(unit=unseen).exists()
        events = Event.objects.filter(verb="gold.accepted")
        assert events.count() == 3
        assert events.values("operation").distinct().count() == 1
        before = everything()
        assert accept(project, ana) == AcceptSummary(accepted=0, differing=1, doubtful=1, waiting=1)
        assert everything() == before

    def test_tags_alike(self, project: Project, tags: Layer, judge: User, ana: User, ben: User) -> None:
        agreed, differing, doubtful, waiting = (make_pair(project) for _ in range(4))
        for pair, first, second in ((agreed, "relevant", "relevant"), (differing, "relevant", "discarded")):
            make_tag(pair, first, user=ana)
            make_tag(pair, second, user=ben, mode=Mode.BLIND)
        make_annotation(unit_of(doubtful), ana, content=choice("relevant"), doubt=True)
        make_tag(waiting, "relevant", user=ana)
        make_assignment(waiting, ben, stage_of(project, "pair-tag"), mode=Mode.BLIND)

        assert accept(project, judge, tags) == AcceptSummary(accepted=1, differing=1, doubtful=1, waiting=1)
        gold = Gold.objects.get(layer=tags)
        assert (gold.unit, gold.content, gold.source) == (unit_of(agreed), choice("relevant"), "agreed")
        assert accept(project, judge, tags).accepted == 0
        # Labels are another layer.
        assert accept(project, judge) == AcceptSummary()

    def test_one_language_of_one_project_and_only_standing_text(self, project: Project, ana: User) -> None:
        make_annotation(make_sentence(project, "Time flies", language="en"), ana)
        replaced = make_sentence(project)
        make_annotation(replaced, ana)
        Unit.objects.filter(pk=replaced.pk).update(is_current=False)
        other = make_project()
        make_annotation(make_sentence(other), ana)
        assert accept(project, ana).accepted == 0
        assert not Gold.objects.exists()

    def test_items_counters_and_blind_marks_follow(
        self, project: Project, stage: Stage, judge: User, ana: User, ben: User
    ) -> None:
        sentence, open_one = make_sentence(project), make_sentence(project)
        for user, mode in ((ana, Mode.REVIEW), (ben, Mode.BLIND)):
            make_assignment(sentence, user, stage, mode=mode, done=True)
            make_annotation(sentence, user, mode=mode)
        assert accept(project, judge).accepted == 1
        assert Item.objects.get(stage=stage, unit=sentence).state == "decided"
        assert Item.objects.get(stage=stage, unit=open_one).state == "free"
        assert not Assignment.objects.filter(blind_marks__live=True).exists()
        assert stage_progress(stage, ana).to_json() == {"done": 1, "open": 0, "total": 2, "mine": 1, "blind": 0}
        adjudication = stage_of(project, "adjudicate")
        assert stage_progress(adjudication, judge).to_json() == {
            "done": 1,
            "open": 0,
            "total": 2,
            "mine": 1,
            "blind": 0,
        }

    def test_items_that_left_the_stage_are_not_counted(self, project: Project, stage: Stage, ana: User) -> None:
        sentence = make_sentence(project)
        make_annotation(sentence, ana)
        Item.objects.filter(unit=sentence, stage=stage).update(state="void")
        before = stage_progress(stage)
        accept(project, ana)
        assert stage_progress(stage) == before
        assert Item.objects.get(unit=sentence, stage=stage).state == "void"

    def test_all_wanted_answers_are_waited_for(self, project: Project, stage: Stage) -> None:
        stage.answers_wanted = 2
        stage.save()
        make_sentence(project)
        for at, expected in enumerate(({"waiting": 1}, {"accepted": 1})):
            (row,) = claim(stage=stage, user=make_member(project, username=f"u{at}"), now=NOW)
            save(row, spans())
            assert accept(project, None) == AcceptSummary(**expected)

    def test_more_than_one_batch(self, project: Project, monkeypatch: pytest.MonkeyPatch, ana: User) -> None:
        monkeypatch.setattr("annotator.work.gold.actions.agreed.BATCH", 2)
        for _ in range(5):
            make_annotation(make_sentence(project), ana)
        assert accept(project, ana).accepted == 5
        assert Event.objects.filter(verb="gold.accepted").values("operation").distinct().count() == 1


class TestBeforeABlindOverlap:
    def test_accepting_is_refused_in_every_layer_and_nothing_is_written(
        self, project: Project, tags: Layer, judge: User, ana: User, ben: User
    ) -> None:
        make_annotation(make_sentence(project), ana)
        events = Event.objects.count()

        for layer in (project.label_layer, tags):
            with pytest.raises(OverlapError, match="assign the sample first"):
                accept_agreed(project=project, layer=layer, language="es", by=judge)

        assert (Gold.objects.count(), Event.objects.count()) == (0, events)

    def test_it_is_not_where_one_is_assigned(
        self, project: Project, stage: Stage, judge: User, ana: User, ben: User
    ) -> None:
        make_annotation(make_sentence(project), ana)
        make_assignment(make_sentence(project), ben, stage, mode=Mode.BLIND)

        assert accept_agreed(project=project, layer=stage.layer, language="es", by=judge).accepted == 1


class TestDeciding:
    def test_and_changing_in_versions(self, project: Project, judge: User) -> None:
        sentence = make_sentence(project)
        gold = decide(sentence, 0, spans(span(2)), judge, reason="basic sense")
        assert (gold.version, gold.content, gold.source, gold.decided_by) == (1, spans(span(2)), "adjudicated", judge)
        gold = decide(sentence, 1, spans(), judge)
        assert (gold.version, Gold.objects.get().content) == (2, spans())
        first, second = Event.objects.all()
        assert (first.subject_type, first.subject_id, first.before) == ("unit", sentence.pk, None)
        assert (second.before["content"], second.after["content"]) == (spans(span(2)), spans())
        assert (first.after["reason"], second.before["reason"]) == ("basic sense", "basic sense")
        adjudication = stage_of(project, "adjudicate")
        assert stage_progress(adjudication, judge).to_json() == {
            "done": 1,
            "open": 0,
            "total": 1,
            "mine": 1,
            "blind": 0,
        }

    def test_a_stale_decision_conflicts_and_a_repeated_one_does_not(self, project: Project, judge: User) -> None:
        other = make_member(project, "adjudicator")
        sentence = make_sentence(project)
        decide(sentence, 0, spans(), judge)
        before = everything()
        assert decide(sentence, 0, spans(), judge).version == 1
        with pytest.raises(ConflictError) as caught:
            decide(sentence, 0, spans(span(1)), other)
        assert (caught.value.theirs["version"], caught.value.mine["content"]) == (1, spans(span(1)))
        assert everything() == before
        with pytest.raises(ConflictError):
            decide(make_sentence(project), 3, spans(), judge)
        assert Gold.objects.get().content == spans()
        assert Event.objects.count() == 1

    def test_waits_for_open_work_and_is_not_for_the_blind(self, project: Project, stage: Stage, judge: User) -> None:
        ben = make_member(project, "adjudicator")
        sentence = make_sentence(project)
        make_assignment(sentence, ben, stage, mode=Mode.BLIND)
        before = everything()
        with pytest.raises(ActionError, match="still working"):
            decide(sentence, 0, spans(), judge)
        assert everything() == before
        Assignment.objects.all().delete()
        Item.objects.update(extra_open=0)
        make_assignment(sentence, ben, stage, mode=Mode.BLIND, done=True)
        before = everything()
        with pytest.raises(ActionError, match="blind"):
            decide(sentence, 0, spans(), ben)
        with pytest.raises(ActionError, match="no token 9"):
            decide(sentence, 0, spans(span(8)), judge)
        assert everything() == before
        decide(sentence, 0, spans(), judge)

    def test_replaced_hidden_and_foreign_units_are_refused(self, project: Project, judge: User) -> None:
        replaced, hidden = make_sentence(project), make_sentence(project)
        Unit.objects.filter(pk=replaced.pk).update(is_current=False)
        Unit.objects.filter(pk=hidden.pk).update(
            imported=Import.objects.create(project=project, dataset="set", labels="none")
        )
        foreign = make_sentence(make_project())
        for unit in (replaced.pk, hidden.pk, foreign.pk, 999_999):
            with pytest.raises(ActionError):
                decide_gold(unit=unit, layer=project.label_layer, content=spans(), by=judge)
        assert not Gold.all_rows.exists()

    def test_nothing_else_changes(self, project: Project, stage: Stage, judge: User, ana: User) -> None:
        sentence, other = make_sentence(project), make_sentence(project)
        for unit in (sentence, other):
            make_assignment(unit, ana, stage, done=True)
            make_annotation(unit, ana, [span(1)])

        def rest() -> list[object]:
            return [
                list(Annotation.objects.values()),
                list(Assignment.objects.values()),
                list(Item.objects.filter(unit=other).values()),
            ]

        before = rest()
        decide(sentence, 0, spans(span(0)), judge)
        assert rest() == before

    def test_own_items_are_barred_where_the_project_says_so(self, project: Project, judge: User, tags: Layer) -> None:
        own, other = make_sentence(project), make_sentence(project)
        make_annotation(own, judge)
        decide(own, 0, spans(), judge)
        project.adjudicate_own = False
        project.save()
        with pytest.raises(ActionError, match="yourself"):
            decide(own, 1, spans(span(1)), judge)
        with pytest.raises(ActionError, match="yourself"):
            reopen(own, 1, judge)
        decide(other, 0, spans(), judge)
        decide(own, 1, spans(span(1)), make_member(project, "adjudicator"))
        # Another layer is other work.
        pair = make_pair(project)
        make_annotation(pair.premise.units.get(), judge)
        decide(unit_of(pair), 0, choice("relevant"), judge)


class TestReopening:
    def test_gives_the_unit_back_and_versions_go_on(self, project: Project, judge: User) -> None:
        sentence = make_sentence(project)
        decide(sentence, 0, spans(), judge)
        before = everything()
        with pytest.raises(ConflictError):
            reopen(sentence, 7, judge)
        assert everything() == before
        reopen(sentence, 1, judge)
        assert not Gold.objects.exists()
        event = Event.objects.last()
        assert event is not None
        assert (event.verb, event.before["version"], event.after) == ("gold.reopened", 1, None)
        with pytest.raises(ActionError, match="not been decided"):
            reopen(sentence, 1, judge)
        # An old window never fits a new decision.
        assert decide(sentence, 0, spans(), judge).version == 2
        with pytest.raises(ConflictError):
            decide(sentence, 1, spans(span(1)), judge)
        reopen(sentence, 2, judge)
        make_annotation(sentence, judge)
        accept(project, judge)
        assert Gold.objects.get().version == 3
        assert Gold.all_rows.count() == 1

    def test_counts_go_back_to_whose_they_were(self, project: Project, stage: Stage, judge: User) -> None:
        ana, other = make_member(project), make_member(project, "adjudicator")
        sentence = make_sentence(project)
        make_assignment(sentence, ana, stage, done=True)
        make_annotation(sentence, ana)
        adjudication = stage_of(project, "adjudicate")

        def mine() -> tuple[int, int, int]:
            return (
                stage_progress(adjudication, judge).mine,
                stage_progress(adjudication, other).mine,
                stage_progress(adjudication).done,
            )

        decide(sentence, 0, spans(), judge)
        assert mine() == (1, 0, 1)
        decide(sentence, 1, spans(span(1)), other)
        assert mine() == (0, 1, 1)
        reopen(sentence, 2, judge)
        assert mine() == (0, 0, 0)
        assert stage_progress(stage).to_json() == {"done": 1, "open": 0, "total": 1, "mine": 0, "blind": 0}
        assert Item.objects.get(stage=stage, unit=sentence).state == "done"

    def test_what_differs_waits_again_and_what_is_open_is_open_again(
        self, project: Project, stage: Stage, judge: User, ana: User, ben: User
    ) -> None:
        sentence = make_sentence(project)
        for user, mode, spans_ in ((ana, Mode.REVIEW, [span(1)]), (ben, Mode.BLIND, [])):
            make_assignment(sentence, user, stage, mode=mode, done=True)
            make_annotation(sentence, user, spans_, mode=mode)
        waiting = Item.objects.filter(stage__kind=Stage.ADJUDICATE)
        assert waiting.get().state == "free"
        decide(sentence, 0, spans(), judge)
        assert waiting.get().state == "decided"
        reopen(sentence, 1, judge)
        assert waiting.get().state == "free"
        row = Assignment.objects.get(user=ana)
        saved = save(row, spans())
        assert saved.version == 2
        # Both say the same now.
        assert waiting.get().state == "void"

    def test_tags_alike_and_another_language_is_another_decision(
        self, project: Project, tags: Layer, judge: User
    ) -> None:
        pair = make_pair(project)
        unit = unit_of(pair)
        with pytest.raises(ActionError):
            decide(unit, 0, choice("perhaps"), judge)
        with pytest.raises(ActionError):
            decide(unit, 0, choice(None), judge)
        decided = decide(unit, 0, choice("discarded"), judge, reason="vague")
        assert (decided.version, decided.source, decided.decided_by) == (1, "adjudicated", judge)
        with pytest.raises(ConflictError):
            decide(unit, 0, choice("relevant"), judge)
        reopen(unit, 1, judge)
        assert decide(unit, 0, choice("relevant"), judge).version == 2
        assert decide(make_pair_unit(pair, "en"), 0, choice("relevant"), judge).version == 1
        # The labels of its sentences are not decided by it.
        assert not Gold.objects.filter(layer=project.label_layer).exists()


class TestImported:
    """Gold that came with an import."""

    def test_accepting_does_not_touch_it(self, project: Project, stage: Stage, ana: User) -> None:
        sentence = make_sentence(project)
        make_gold(sentence, [span(0)])
        make_annotation(sentence, ana, [span(1)])
        before = list(Gold.objects.values())
        assert accept(project, ana) == AcceptSummary()
        assert list(Gold.objects.values()) == before

    def test_an_adjudicator_changes_and_reopens_it(self, project: Project, stage: Stage, judge: User) -> None:
        sentence = make_sentence(project)
        make_gold(sentence, [span(0)])
        gold = decide(sentence, 1, spans(), judge)
        assert (gold.version, gold.source) == (2, "adjudicated")
        adjudication = stage_of(project, "adjudicate")
        assert stage_progress(adjudication, judge).to_json() == {
            "done": 1,
            "open": 0,
            "total": 1,
            "mine": 1,
            "blind": 0,
        }
        reopen(sentence, 2, judge)
        assert stage_progress(adjudication, judge).to_json() == {
            "done": 0,
            "open": 0,
            "total": 1,
            "mine": 0,
            "blind": 0,
        }
        assert Item.objects.get(stage=stage, unit=sentence).state == "free"

    def test_that_of_an_unfinished_import_does_not_stand(self, project: Project) -> None:
        hidden = Import.objects.create(project=project, dataset="set", labels="gold")
        make_gold(make_sentence(project), imported=hidden)
        assert not Gold.objects.exists()
        assert Gold.all_rows.exists()
