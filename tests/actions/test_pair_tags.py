"""Tags of one person on a pair, bulk confirmation, and silver tags in another language."""

from __future__ import annotations

import pytest

from annotator.actions.errors import ActionError, ConflictError
from annotator.actions.pair_tags import confirm_no_metaphor, tag_pair, undo_pair_tag
from annotator.models import Assignment, Event, Mode, Pair, PairTag, Project, Stage, StageKind, TagKind
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_project,
    make_sentence,
    make_tag,
    span,
    stage_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project()


@pytest.fixture
def stage(project: Project) -> Stage:
    return stage_of(project, StageKind.PAIR_TAG)


def everything() -> tuple[object, ...]:
    return list(PairTag.objects.values()), list(Assignment.objects.values()), list(Event.objects.values())


def test_tagging_creates_then_changes_in_versions(project: Project, stage: Stage) -> None:
    ana = make_member(project)
    assignment = make_assignment(make_pair(project), ana, stage)

    tag = tag_pair(assignment=assignment, version=0, tag="relevant", by=ana)
    assert (tag.version, tag.tag, tag.kind, tag.user, tag.language) == (1, "relevant", "person", ana, "es")
    assert Assignment.objects.get().state == "done"
    tag = tag_pair(assignment=assignment, version=1, tag="discarded", comment="too short", by=ana)
    assert (tag.version, PairTag.objects.get().tag) == (2, "discarded")
    first, second = Event.objects.all()
    assert (first.before, first.after["tag"]) == (None, "relevant")
    assert (second.before["tag"], second.after) == (
        "relevant",
        {"version": 2, "tag": "discarded", "comment": "too short"},
    )


def test_stale_tag_conflicts_and_a_repeated_one_does_not(project: Project, stage: Stage) -> None:
    ana = make_member(project)
    assignment = make_assignment(make_pair(project), ana, stage)
    tag_pair(assignment=assignment, version=0, tag="relevant", by=ana)
    before = everything()
    assert tag_pair(assignment=assignment, version=0, tag="relevant", by=ana).version == 1
    with pytest.raises(ConflictError) as caught:
        tag_pair(assignment=assignment, version=0, tag="discarded", by=ana)
    assert (caught.value.theirs["tag"], caught.value.mine["tag"]) == ("relevant", "discarded")
    assert everything() == before


def test_tagging_is_refused_for_others_over_gold_and_with_unknown_tags(project: Project, stage: Stage) -> None:
    ana = make_member(project)
    pair = make_pair(project)
    assignment = make_assignment(pair, ana, stage)
    with pytest.raises(ActionError, match="somebody else"):
        tag_pair(assignment=assignment, version=0, tag="relevant", by=make_member(project))
    with pytest.raises(ActionError, match="not a tag"):
        tag_pair(assignment=assignment, version=0, tag="perhaps", by=ana)
    make_tag(pair, "relevant")
    with pytest.raises(ActionError, match="reopen"):
        tag_pair(assignment=assignment, version=0, tag="discarded", by=ana)
    assert not PairTag.objects.filter(kind=TagKind.PERSON).exists()
    assert Assignment.objects.get().state == "open"


def test_undo_goes_back_to_no_tag_and_versions_never_repeat(project: Project, stage: Stage) -> None:
    ana = make_member(project)
    assignment = make_assignment(make_pair(project), ana, stage)
    tag_pair(assignment=assignment, version=0, tag="relevant", by=ana)
    tag_pair(assignment=assignment, version=1, tag="discarded", by=ana)

    back = undo_pair_tag(assignment=assignment, version=2, by=ana)
    assert back is not None
    assert (back.tag, back.version) == ("relevant", 3)
    assert undo_pair_tag(assignment=assignment, version=3, by=ana) is None
    assert not PairTag.objects.exists()
    assert Assignment.objects.get().state == "open"
    with pytest.raises(ActionError, match="nothing to undo"):
        undo_pair_tag(assignment=assignment, version=3, by=ana)

    assert tag_pair(assignment=assignment, version=0, tag="discarded", by=ana).version == 4
    with pytest.raises(ConflictError):
        undo_pair_tag(assignment=assignment, version=1, by=ana)


def done(pair: Pair, user: object, premise: list[dict[str, object]], hypothesis: list[dict[str, object]]) -> Pair:
    make_annotation(pair.premise.sentences.get(language="es"), user, premise)  # type: ignore[arg-type]
    make_annotation(pair.hypothesis.sentences.get(language="es"), user, hypothesis)  # type: ignore[arg-type]
    return pair


def test_bulk_confirms_only_what_is_proposed_right_now(project: Project, stage: Stage) -> None:
    ana, ben = make_member(project), make_member(project)
    bare = done(make_pair(project), ana, [], [])
    by_gold = make_pair(project)
    make_gold(by_gold.premise.sentences.get())
    make_gold(by_gold.hypothesis.sentences.get())
    labelled = done(make_pair(project), ana, [], [span(1)])
    unseen = make_pair(project)
    others = done(make_pair(project), ana, [], [])
    make_assignment(others, ben, stage)
    disputed = done(make_pair(project), ana, [], [])
    make_annotation(disputed.premise.sentences.get(), ben, [span(0)], mode=Mode.BLIND)
    own = done(make_pair(project), ana, [], [])
    kept = make_assignment(own, ana, stage)
    wanted = [bare, by_gold, labelled, unseen, others, disputed, own]

    result = confirm_no_metaphor(stage=stage, pairs=[*(pair.pk for pair in wanted), 999_999], by=ana)

    assert set(result.confirmed) == {bare.pk, by_gold.pk, own.pk}
    assert result.left_out == (labelled.pk, unseen.pk, others.pk, disputed.pk, 999_999)
    tags = PairTag.objects.all()
    assert {(tag.pair_id, tag.tag, tag.user_id) for tag in tags} == {
        (pair.pk, "no_metaphor", ana.pk) for pair in (bare, by_gold, own)
    }
    assert Assignment.objects.filter(user=ana, state="done").count() == 3
    kept.refresh_from_db()
    assert kept.state == "done"
    assert Event.objects.filter(verb="pair_tag.saved").count() == 3

    before = everything()
    again = confirm_no_metaphor(stage=stage, pairs=[bare.pk], by=ana)
    assert (again.confirmed, again.left_out) == ((), (bare.pk,))
    assert everything() == before


def test_bulk_leaves_out_pairs_of_other_projects_and_blind_ones(project: Project, stage: Stage) -> None:
    ana, ben = make_member(project), make_member(project)
    other = make_project()
    foreign = done(make_pair(other), make_member(other), [], [])
    pair = done(make_pair(project), ana, [], [])
    make_assignment(pair, ben, stage, mode=Mode.BLIND)
    result = confirm_no_metaphor(stage=stage, pairs=[foreign.pk, pair.pk], by=ben)
    assert result.confirmed == ()
    assert not PairTag.objects.exists()


def test_a_confirmation_can_be_undone(project: Project, stage: Stage) -> None:
    ana = make_member(project)
    pair = done(make_pair(project), ana, [], [])
    confirm_no_metaphor(stage=stage, pairs=[pair.pk], by=ana)
    assert undo_pair_tag(assignment=Assignment.objects.get(), version=1, by=ana) is None
    assert Assignment.objects.get().state == "open"
