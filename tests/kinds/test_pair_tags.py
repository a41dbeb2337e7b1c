"""Pair tags: tagging in versions, pairs without a label, and confirming them in bulk."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from annotator.core.counters import recounted
from annotator.core.errors import ActionError, ArchivedError, ConflictError
from annotator.kinds.pair_tags import proposals as proposing
from annotator.kinds.pair_tags.actions import Confirmed, confirm_no_metaphor
from annotator.kinds.pair_tags.proposals import proposals
from annotator.models import Annotation, Assignment, Event, Item, Mode, Pair, Project, Segment, Sentence, Stage, User
from annotator.work.answering.actions.annotations import save_annotation, undo_annotation
from annotator.work.queue.queries.progress import stage_progress
from tests.factories import (
    choice,
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_project,
    make_tag,
    span,
    stage_of,
    unit_of,
)

pytestmark = pytest.mark.django_db

NOTHING = choice("no_metaphor")


@pytest.fixture
def stage(project: Project) -> Stage:
    return stage_of(project, "pair-tag")


def sentence_of(segment: Segment) -> Sentence:
    return Sentence.objects.select_related("segment").get(segment=segment, language="es", is_current=True)


def done(pair: Pair, user: User, premise: list[dict[str, Any]], hypothesis: list[dict[str, Any]]) -> Pair:
    """The pair, whose sentences somebody has labelled so."""
    make_annotation(sentence_of(pair.premise), user, premise)
    make_annotation(sentence_of(pair.hypothesis), user, hypothesis)
    return pair


def everything() -> tuple[object, ...]:
    return tuple(list(model.objects.values()) for model in (Annotation, Assignment, Event, Item))


def confirm(stage: Stage, pairs: list[int], by: User) -> Confirmed:
    return confirm_no_metaphor(stage=stage, pairs=pairs, by=by, now=timezone.now())


def save(assignment: Assignment, version: int, tag: str, by: User, comment: str = "") -> Annotation:
    return save_annotation(
        project=assignment.project,
        assignment=assignment.pk,
        version=version,
        content=choice(tag),
        comment=comment,
        done=True,
        by=by,
        now=timezone.now(),
    )


def undo(assignment: Assignment, version: int, by: User) -> Annotation:
    return undo_annotation(
        project=assignment.project, assignment=assignment.pk, version=version, by=by, now=timezone.now()
    )


def counted(stage: Stage) -> None:
    """The counters are what the items say."""
    progress = stage_progress(stage)
    assert {"done": progress.done, "open": progress.open, "total": progress.total} == recounted(stage)


def test_tagging_creates_then_changes_in_versions(project: Project, stage: Stage, ana: User) -> None:
    assignment = make_assignment(make_pair(project), ana, stage)
    tag = save(assignment, 0, "relevant", ana)
    assert (tag.version, tag.content, tag.user, tag.state) == (1, choice("relevant"), ana, "done")
    assert Assignment.objects.get().state == "done"
    tag = save(assignment, 1, "discarded", ana, "too short")
    assert (tag.version, Annotation.objects.get().content) == (2, choice("discarded"))
    first, second = Event.objects.order_by("pk")
    assert (first.before, first.after["content"]) == (None, choice("relevant"))
    assert second.before["content"] == choice("relevant")
    assert (second.after["version"], second.after["content"], second.after["comment"]) == (
        2,
        choice("discarded"),
        "too short",
    )


def test_tagging_is_refused_over_gold_and_with_unknown_tags(project: Project, stage: Stage, ana: User) -> None:
    pair = make_pair(project)
    assignment = make_assignment(pair, ana, stage)
    with pytest.raises(ActionError, match="cannot be chosen"):
        save(assignment, 0, "perhaps", ana)
    make_tag(pair, "relevant")
    with pytest.raises(ActionError, match="reopen"):
        save(assignment, 0, "discarded", ana)
    assert not Annotation.objects.exists()
    assert Assignment.objects.get().state == "open"


def test_undo_goes_back_to_no_tag_and_versions_never_repeat(project: Project, stage: Stage, ana: User) -> None:
    assignment = make_assignment(make_pair(project), ana, stage)
    save(assignment, 0, "relevant", ana)
    save(assignment, 1, "discarded", ana)

    back = undo(assignment, 2, ana)
    assert (back.content, back.version) == (choice("relevant"), 3)
    back = undo(assignment, 3, ana)
    assert (back.content, back.state, back.version) == (choice(None), "open", 4)
    assert Assignment.objects.get().state == "open"
    with pytest.raises(ActionError, match="nothing to undo"):
        undo(assignment, 4, ana)

    assert save(assignment, 4, "discarded", ana).version == 5
    with pytest.raises(ConflictError):
        undo(assignment, 1, ana)


def test_bulk_confirms_only_what_is_proposed_right_now(project: Project, stage: Stage, ana: User, ben: User) -> None:
    bare = done(make_pair(project), ana, [], [])
    by_gold = make_pair(project)
    make_gold(sentence_of(by_gold.premise))
    make_gold(sentence_of(by_gold.hypothesis))
    labelled = done(make_pair(project), ana, [], [span(1)])
    unseen = make_pair(project)
    others = done(make_pair(project), ana, [], [])
    make_assignment(others, ben, stage)
    disputed = done(make_pair(project), ana, [], [])
    make_annotation(sentence_of(disputed.premise), ben, [span(0)], mode=Mode.BLIND)
    own = done(make_pair(project), ana, [], [])
    kept = make_assignment(own, ana, stage)
    wanted = [bare, by_gold, labelled, unseen, others, disputed, own]

    result = confirm(stage, [*(pair.pk for pair in wanted), 999_999], ana)

    assert set(result.confirmed) == {bare.pk, by_gold.pk, own.pk}
    assert result.left_out == (labelled.pk, unseen.pk, others.pk, disputed.pk, 999_999)
    tags = Annotation.objects.filter(layer=stage.layer)
    assert {(tag.unit_id, tag.content["value"], tag.user_id, tag.state) for tag in tags} == {
        (unit_of(pair).pk, "no_metaphor", ana.pk, "done") for pair in (bare, by_gold, own)
    }
    assert Assignment.objects.filter(user=ana, state="done").count() == 3
    kept.refresh_from_db()
    assert kept.state == "done"
    events = Event.objects.filter(verb="annotation.saved")
    assert (events.count(), events.values("operation").distinct().count()) == (3, 1)
    assert stage_progress(stage, ana).to_json() == {"done": 3, "open": 1, "total": 7, "mine": 3, "blind": 0}
    counted(stage)

    before = everything()
    again = confirm(stage, [bare.pk], ana)
    assert (again.confirmed, again.left_out) == ((), (bare.pk,))
    assert everything() == before


def test_bulk_leaves_out_pairs_of_other_projects_and_blind_ones(project: Project, stage: Stage, ana: User) -> None:
    ben = make_member(project)
    other = make_project()
    foreign = done(make_pair(other), make_member(other), [], [])
    pair = done(make_pair(project), ana, [], [])
    make_assignment(pair, ben, stage, mode=Mode.BLIND)
    result = confirm(stage, [foreign.pk, pair.pk], ben)
    assert result.confirmed == ()
    assert not Annotation.objects.filter(layer=stage.layer).exists()


def test_pairs_are_confirmed_where_pairs_are_tagged_only(project: Project, ana: User) -> None:
    for stage in (stage_of(project, "correct"), stage_of(project, Stage.ADJUDICATE, layer="interpretation")):
        with pytest.raises(ActionError, match="pairs are tagged"):
            confirm(stage, [make_pair(project).pk], ana)


def test_nothing_is_confirmed_in_an_archived_project(project: Project, ana: User) -> None:
    pair = done(make_pair(project), ana, [], [])
    Project.objects.update(archived_at=timezone.now())
    before = everything()

    with pytest.raises(ArchivedError):
        confirm(stage_of(Project.objects.get(), "pair-tag"), [pair.pk], ana)

    assert everything() == before


def test_a_confirmation_can_be_undone(project: Project, stage: Stage, ana: User) -> None:
    pair = done(make_pair(project), ana, [], [])
    confirm(stage, [pair.pk], ana)
    assignment = Assignment.objects.get()
    back = undo(assignment, 1, ana)
    assert (back.content, back.version) == (choice(None), 2)
    assert Assignment.objects.get().state == "open"
    counted(stage)


def test_a_confirmation_over_an_open_answer_keeps_its_comment_and_can_be_undone(
    project: Project, stage: Stage, ana: User
) -> None:
    pair = done(make_pair(project), ana, [], [])
    assignment = make_assignment(pair, ana, stage)
    save_annotation(
        project=project,
        assignment=assignment.pk,
        version=0,
        content=choice("relevant"),
        comment="perhaps",
        done=False,
        by=ana,
        now=timezone.now(),
    )
    assert confirm(stage, [pair.pk], ana).confirmed == (pair.pk,)
    tag = Annotation.objects.get(layer=stage.layer)
    assert (tag.content, tag.comment, tag.version, tag.state) == (NOTHING, "perhaps", 2, "done")
    counted(stage)
    back = undo(assignment, 2, ana)
    assert (back.content, back.comment, back.state) == (choice("relevant"), "perhaps", "open")
    counted(stage)


def test_a_confirmation_beside_a_blind_answer_waits_for_adjudication(project: Project, stage: Stage, ana: User) -> None:
    ben = make_member(project)
    pair = done(make_pair(project), ana, [], [])
    make_assignment(pair, ben, stage, mode=Mode.BLIND, done=True)
    make_tag(pair, "relevant", user=ben, mode=Mode.BLIND)
    confirm(stage, [pair.pk], ana)
    judging = stage_of(project, Stage.ADJUDICATE, layer="interpretation")
    assert [item.unit_id for item in Item.objects.filter(stage=judging, state="free")] == [unit_of(pair).pk]


def test_proposals_come_in_pages_that_read_a_bounded_part_of_the_queue(
    project: Project, stage: Stage, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proposing, "PAGE", 3)
    monkeypatch.setattr(proposing, "PAGES", 2)
    pairs = [make_pair(project) for _ in range(14)]
    for number in (0, 2, 10, 13):
        done(pairs[number], ana, [], [])
    found: list[list[int]] = []
    after: int | None = 0
    while after is not None:
        views, after = proposals(stage, ana, after=after)
        found.append([view.pair.pk for view in views])
    # The second call reads two pages in which there is nothing, and stops: pages may be empty in between.
    assert found == [[pairs[0].pk, pairs[2].pk], [], [pairs[10].pk], [pairs[13].pk]]


def test_proposals_cost_the_same_however_many(
    project: Project, stage: Stage, ana: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    done(make_pair(project), ana, [], [])
    with django_assert_num_queries(10):
        assert len(proposals(stage, ana)[0]) == 1
    for _ in range(8):
        done(make_pair(project), ana, [], [])
    with django_assert_num_queries(10):
        assert len(proposals(stage, ana)[0]) == 9
