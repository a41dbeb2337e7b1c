"""Which units wait for an adjudicator, and since when no more."""

from __future__ import annotations

import pytest

from annotator.models import Item, Mode, Project, Stage, Unit, User
from annotator.work.answering.actions.annotations import undo_annotation
from annotator.work.gold.actions.adjudication import DOUBT, refresh_adjudication
from annotator.work.queue.actions.assignments import claim
from annotator.work.queue.actions.giving_back import free_open
from tests.factories import (
    choice,
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_projection,
    make_sentence,
    make_tag,
    span,
    spans,
    stage_of,
    unit_of,
)
from tests.saving import NOW, save

pytestmark = pytest.mark.django_db


def waiting(project: Project, layer: str = "labels", language: str = "es") -> list[int]:
    """Units that wait, lowest agreement first: as the queue is read."""
    stage = stage_of(project, "adjudicate", language, layer)
    return list(
        stage.items.filter(state="free").order_by("uncertainty", "reading", "pk").values_list("unit", flat=True)
    )


def test_differing_work_waits_lowest_agreement_first_then_doubts(project: Project, ana: User, ben: User) -> None:
    stage = stage_of(project, "correct")
    doubtful, near, far, agreed, decided, open_work = (make_sentence(project, "a b c d") for _ in range(6))
    make_annotation(doubtful, ana, [span(0)], doubt=True, comment="metonymy?")
    make_annotation(near, ana, [span(0)])
    make_annotation(near, ben, mode=Mode.BLIND)
    make_annotation(far, ana, [span(0, 1)])
    make_annotation(far, ben, [span(2)])
    for unit in (agreed, decided, open_work):
        make_annotation(unit, ana)
    make_annotation(agreed, ben)
    make_gold(decided)
    make_annotation(decided, ben, [span(0)])
    make_assignment(open_work, ben, stage, mode=Mode.BLIND)
    make_annotation(open_work, make_member(project), [span(0)])
    pair = make_pair(project)
    make_tag(pair, "relevant", user=ana)
    make_tag(pair, "discarded", user=ben, mode=Mode.BLIND)

    assert waiting(project) == [far.pk, near.pk, doubtful.pk]
    shares = Item.objects.filter(stage__kind=Stage.ADJUDICATE, unit__in=[far, near, doubtful])
    assert dict(shares.values_list("unit", "uncertainty")) == {far.pk: 0.25, near.pk: 0.75, doubtful.pk: DOUBT}
    assert list(shares.filter(doubtful=True).values_list("unit", flat=True)) == [doubtful.pk]
    # Tags wait in the stage of their own layer.
    assert waiting(project, "interpretation") == [unit_of(pair).pk]


def test_an_item_of_every_layer_and_language_is_in_its_own_stage(project: Project, ana: User) -> None:
    english = make_sentence(project, "Time flies", language="en")
    make_annotation(english, ana, doubt=True)
    pair = make_pair(project)
    make_annotation(unit_of(pair), ana, content=choice("relevant"), doubt=True)
    assert waiting(project, language="en") == [english.pk]
    assert waiting(project, "interpretation") == [unit_of(pair).pk]
    assert waiting(project) == waiting(project, "interpretation", "en") == []


def test_it_comes_and_goes_with_what_people_write(project: Project, ana: User, ben: User) -> None:
    stage = stage_of(project, "correct")
    unit: Unit = make_sentence(project)
    mine = make_assignment(unit, ana, stage)
    save(mine, spans(span(1)))
    assert waiting(project) == []
    save(mine, spans(span(1)), doubt=True)
    assert waiting(project) == [unit.pk]
    save(mine, spans(span(1)))
    assert waiting(project) == []

    theirs = make_assignment(unit, ben, stage, mode=Mode.BLIND)
    save(theirs, spans(), done=False)
    assert waiting(project) == []
    save(theirs, spans())
    assert waiting(project) == [unit.pk]
    undo_annotation(project=project, assignment=theirs.pk, version=2, by=ben, now=NOW)
    assert waiting(project) == []
    save(theirs, spans(span(1)))
    assert waiting(project) == []  # they agree
    undo_annotation(project=project, assignment=mine.pk, version=3, by=ana, now=NOW)
    assert waiting(project) == []  # a doubt of one of two who agree
    save(theirs, spans())
    assert waiting(project) == [unit.pk]
    save(mine, spans(), done=False)
    assert waiting(project) == []
    # One item, whatever happened.
    assert unit.items.filter(stage__kind=Stage.ADJUDICATE).count() == 1


def test_full_agreement_of_differing_contents_still_sorts_before_doubts(project: Project, ana: User, ben: User) -> None:
    unit = make_sentence(project, "a b c d")
    # The same tokens, in one span and in two: agreement counts tokens.
    make_annotation(unit, ana, [span(0, 1)])
    make_annotation(unit, ben, [span(0), span(1)])
    assert Item.objects.get(unit=unit, stage__kind=Stage.ADJUDICATE).uncertainty < DOUBT


def test_decided_items_and_projects_without_adjudication_are_left_alone(project: Project, ana: User, ben: User) -> None:
    unit = make_sentence(project)
    make_annotation(unit, ana, [span(0)])
    make_annotation(unit, ben, [span(1)])
    make_gold(unit)
    before = list(Item.objects.values())
    refresh_adjudication(project=project, unit=unit, layer=project.label_layer)
    assert list(Item.objects.values()) == before
    Item.objects.filter(stage__kind=Stage.ADJUDICATE).delete()
    project.stages.filter(kind=Stage.ADJUDICATE).delete()
    refresh_adjudication(project=project, unit=unit, layer=project.label_layer)
    assert unit.items.count() == 1


def test_what_is_claimed_in_another_stage_is_waited_for_too(project: Project, ana: User, ben: User) -> None:
    spanish = make_sentence(project)
    english = make_sentence(project, "Time flies", language="en", segment=spanish.segment)
    make_projection(spanish, english, [], [])
    review = stage_of(project, "project-review", "en")
    blind = make_assignment(english, ana, stage_of(project, "correct", "en"), mode=Mode.BLIND)
    save(blind, spans(), doubt=True)
    assert waiting(project, language="en") == [english.pk]
    claim(stage=review, user=ben, now=NOW)
    assert waiting(project, language="en") == []
    free_open(stage=review, user=ben, mode=Mode.REVIEW, by=ben)
    assert waiting(project, language="en") == [english.pk]
