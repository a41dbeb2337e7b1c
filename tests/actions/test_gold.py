"""Gold: agreed, decided, reopened."""

from __future__ import annotations

import pytest

from annotator.actions.errors import ActionError, ConflictError
from annotator.actions.gold import (
    accept_agreed,
    accept_agreed_tags,
    decide_gold,
    decide_gold_tag,
    reopen_gold,
    reopen_gold_tag,
)
from annotator.domain.spans import Span
from annotator.models import Event, Gold, Mode, PairTag, Project, Stage, StageKind, TagKind
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
    return stage_of(project, StageKind.CORRECT)


def test_one_blind_annotation_or_tag_waits_for_the_review_and_two_that_agree_do_not(
    project: Project, stage: Stage
) -> None:
    ana, ben = make_member(project), make_member(project)
    alone, both = make_sentence(project), make_sentence(project)
    make_annotation(alone, ana, [span(1)], mode=Mode.BLIND)
    make_annotation(both, ana, [span(1)], mode=Mode.BLIND)
    make_annotation(both, ben, [span(1)], mode=Mode.BLIND)
    pair = make_pair(project)
    make_tag(pair, "relevant", user=ana, mode=Mode.BLIND)

    sentences = accept_agreed(project=project, language="es", by=ana)
    assert (sentences.accepted, sentences.waiting) == (1, 1)
    assert Gold.objects.get().sentence == both
    pairs = accept_agreed_tags(project=project, language="es", by=ana)
    assert (pairs.accepted, pairs.waiting) == (0, 1)
    assert not PairTag.objects.filter(kind=TagKind.GOLD).exists()


def test_accepts_what_all_agree_on_and_counts_the_rest(project: Project, stage: Stage) -> None:
    ana, ben = make_member(project), make_member(project)
    agreed, empty, single, doubtful, differing, waiting, decided, unseen = (make_sentence(project) for _ in range(8))
    make_annotation(agreed, ben, [span(1)], mode=Mode.BLIND)
    make_annotation(agreed, ana, [{**span(1), "attributes": {"note": "by the reviewer"}}], doubt=True)
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

    summary = accept_agreed(project=project, language="es", by=ana)

    assert (summary.accepted, summary.differing, summary.doubtful, summary.waiting) == (3, 1, 1, 1)
    golds = {gold.sentence: gold for gold in Gold.objects.filter(source="agreed")}
    assert set(golds) == {agreed, empty, single}
    assert golds[agreed].spans[0]["attributes"] == {"note": "by the reviewer"}
    assert golds[empty].spans == []
    assert golds[single].decided_by == ana
    assert Gold.objects.get(sentence=decided).spans == [span(0)]
    assert not Gold.objects.filter(sentence=unseen).exists()
    assert Event.objects.filter(verb="gold.accepted").count() == 3
    assert accept_agreed(project=project, language="es", by=ana).accepted == 0


def test_accepts_one_language_of_one_project_and_only_standing_text(project: Project) -> None:
    ana = make_member(project)
    make_annotation(make_sentence(project, "Time flies", language="en"), ana)
    replaced = make_sentence(project)
    make_annotation(replaced, ana)
    replaced.is_current = False
    replaced.save()
    other = make_project()
    make_annotation(make_sentence(other), ana)
    assert accept_agreed(project=project, language="es", by=ana).accepted == 0
    assert not Gold.objects.exists()


def test_decides_and_changes_in_versions(project: Project) -> None:
    judge = make_member(project, "adjudicator")
    sentence = make_sentence(project)
    gold = decide_gold(sentence=sentence, version=0, spans=[Span((2,), "METAPHOR")], reason="basic sense", by=judge)
    assert (gold.version, gold.spans, gold.source, gold.decided_by) == (1, [span(2)], "adjudicated", judge)
    gold = decide_gold(sentence=sentence, version=1, spans=[], by=judge)
    assert (gold.version, Gold.objects.get().spans) == (2, [])
    first, second = Event.objects.all()
    assert (first.subject_type, first.subject_id, first.before) == ("sentence", sentence.pk, None)
    assert (second.before["spans"], second.after["spans"]) == ([span(2)], [])


def test_stale_decision_conflicts_and_a_repeated_one_does_not(project: Project) -> None:
    judge, other = make_member(project, "adjudicator"), make_member(project, "adjudicator")
    sentence = make_sentence(project)
    decide_gold(sentence=sentence, version=0, spans=[], by=judge)
    assert decide_gold(sentence=sentence, version=0, spans=[], by=judge).version == 1
    with pytest.raises(ConflictError) as caught:
        decide_gold(sentence=sentence, version=0, spans=[Span((1,), "METAPHOR")], by=other)
    assert (caught.value.theirs["version"], caught.value.mine["spans"]) == (1, [span(1)])
    assert Gold.objects.get().spans == []
    assert Event.objects.count() == 1


def test_decision_waits_for_open_work_and_is_not_for_the_blind(project: Project, stage: Stage) -> None:
    judge, ben = make_member(project, "adjudicator"), make_member(project, "adjudicator")
    sentence = make_sentence(project)
    work = make_assignment(sentence, ben, stage, mode=Mode.BLIND)
    with pytest.raises(ActionError, match="still works"):
        decide_gold(sentence=sentence, version=0, spans=[], by=judge)
    work.state = "done"
    work.save()
    with pytest.raises(ActionError, match="blind"):
        decide_gold(sentence=sentence, version=0, spans=[], by=ben)
    with pytest.raises(ActionError, match="no token 9"):
        decide_gold(sentence=sentence, version=0, spans=[Span((8,), "METAPHOR")], by=judge)
    assert not Gold.objects.exists()
    assert not Event.objects.exists()
    decide_gold(sentence=sentence, version=0, spans=[], by=judge)


def test_reopening_gives_the_sentence_back_and_versions_go_on(project: Project) -> None:
    judge = make_member(project, "adjudicator")
    sentence = make_sentence(project)
    decide_gold(sentence=sentence, version=0, spans=[], by=judge)
    with pytest.raises(ConflictError):
        reopen_gold(sentence=sentence, version=7, by=judge)
    reopen_gold(sentence=sentence, version=1, by=judge)
    assert not Gold.objects.exists()
    assert Event.objects.last().verb == "gold.reopened"  # type: ignore[union-attr]
    with pytest.raises(ActionError, match="No gold"):
        reopen_gold(sentence=sentence, version=1, by=judge)
    assert decide_gold(sentence=sentence, version=0, spans=[], by=judge).version == 2
    reopen_gold(sentence=sentence, version=2, by=judge)
    make_annotation(sentence, judge)
    accept_agreed(project=project, language="es", by=judge)
    assert Gold.objects.get().version == 3


def test_tags_are_accepted_decided_and_reopened_alike(project: Project) -> None:
    ana, ben, judge = make_member(project), make_member(project), make_member(project, "adjudicator")
    agreed, differing, waiting = make_pair(project), make_pair(project), make_pair(project)
    for pair, first, second in ((agreed, "relevant", "relevant"), (differing, "relevant", "discarded")):
        make_tag(pair, first, user=ana)
        make_tag(pair, second, user=ben, mode=Mode.BLIND)
    make_tag(waiting, "relevant", user=ana)
    make_assignment(waiting, ben, stage_of(project, StageKind.PAIR_TAG), mode=Mode.BLIND)

    summary = accept_agreed_tags(project=project, language="es", by=judge)
    assert (summary.accepted, summary.differing, summary.waiting) == (1, 1, 1)
    gold = PairTag.objects.get(kind=TagKind.GOLD)
    assert (gold.pair, gold.tag, gold.source) == (agreed, "relevant", "agreed")
    assert accept_agreed_tags(project=project, language="es", by=judge).accepted == 0

    with pytest.raises(ActionError, match="still works"):
        decide_gold_tag(pair=waiting, language="es", version=0, tag="relevant", by=judge)
    with pytest.raises(ActionError, match="no language"):
        decide_gold_tag(pair=differing, language="fr", version=0, tag="relevant", by=judge)
    decided = decide_gold_tag(pair=differing, language="es", version=0, tag="discarded", reason="vague", by=judge)
    assert (decided.version, decided.source, decided.user) == (1, "adjudicated", judge)
    with pytest.raises(ConflictError):
        decide_gold_tag(pair=differing, language="es", version=0, tag="relevant", by=ana)
    reopen_gold_tag(pair=differing, language="es", version=1, by=judge)
    assert decide_gold_tag(pair=differing, language="es", version=0, tag="relevant", by=judge).version == 2
    # Another language is another decision.
    assert decide_gold_tag(pair=differing, language="en", version=0, tag="relevant", by=judge).version == 1
