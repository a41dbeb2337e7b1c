"""Gold that came with files, on a text that is fixed: open again with its reason, and what stays of it offered."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from annotator.domain.verbs import Verb
from annotator.jobs.running import run_job
from annotator.models import (
    Assignment,
    Event,
    Gold,
    GoldSource,
    Item,
    ItemState,
    Project,
    Suggestion,
    SuggestionKind,
    Unit,
    User,
)
from annotator.reports.queries.tables import report_named
from annotator.revisions.revisions import TEXT_REVISED, revise_text
from annotator.work.answering.queries.workspace import WorkspaceItem, shown_assignments
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.work.queue.actions.assignments import claim
from tests.factories import (
    make_annotation,
    make_gold,
    make_prediction,
    make_projection,
    make_segment,
    make_sentence,
    span,
    spans,
    stage_of,
)
from tests.saving import save
from tests.work.test_counters import check

pytestmark = pytest.mark.django_db

TEXT = "Las promesas ardian en la noche"
FIXED = "Las promesas ardían en la noche"


def fix(project: Project, unit: Unit, text: str) -> Unit:
    return revise_text(project=project, unit=unit.pk, text=text, by=None, anybodys=True).unit


def offered(unit: Unit) -> Suggestion:
    return Suggestion.objects.get(unit=unit, kind=SuggestionKind.EARLIER_GOLD, is_current=True)


def claimed(user: User, project: Project, kind: str = "correct", language: str = "es") -> WorkspaceItem:
    [row] = claim(stage=stage_of(project, kind, language), user=user, now=timezone.now())
    row = Assignment.objects.select_related("item", "unit__segment", "stage__layer").get(pk=row.pk)
    [shown] = shown_assignments(project, [row], user)
    return shown


def tokens(content: dict[str, Any]) -> list[list[int]]:
    return [one["tokens"] for one in content["spans"]]


def test_what_stays_is_offered_and_what_does_not_is_told(project: Project, ana: User) -> None:
    old = make_sentence(project, TEXT)
    make_gold(old, [span(1), span(2)])

    new = fix(project, old, FIXED)

    assert not Gold.objects.exists()
    event = Event.objects.get(verb=Verb.GOLD_REOPENED)
    assert (event.after["reason"], tokens(event.before["content"])) == (TEXT_REVISED, [[1], [2]])
    item = Item.objects.get(unit=new)
    assert (item.state, item.suggested) == (ItemState.FREE, True)
    shown = claimed(ana, project)
    assert shown.suggestion == offered(new)
    assert tokens(shown.answer.content) == [[1]]
    assert shown.revised is not None
    assert (shown.revised.before, shown.revised.changed, shown.revised.lost) == (TEXT, [2], ["ardian (METAPHOR)"])
    assert Gold.all_rows.get(unit=old).content == spans(span(1), span(2))
    check(project)


def test_it_can_be_decided_again(project: Project, ana: User) -> None:
    old = make_sentence(project, TEXT)
    make_gold(old, [span(1)])
    new = fix(project, old, FIXED)
    row = claimed(ana, project).assignment
    saved = save(row, spans(span(1), span(2)))
    assert saved.suggestion == offered(new)
    assert (
        accept_agreed(project=project, layer=project.label_layer, language="es", by=None, without_overlap=True).accepted
        == 1
    )
    gold = Gold.objects.get(unit=new)
    assert (gold.source, tokens(gold.content)) == (GoldSource.AGREED, [[1], [2]])
    # What was offered is nobody's prediction.
    assert report_named("correction").compute(project).rows == ()
    check(project)


def test_no_label_is_a_decision_that_is_offered_too(project: Project, ana: User) -> None:
    old = make_sentence(project, TEXT)
    make_gold(old)
    new = fix(project, old, FIXED)
    assert offered(new).content == spans()
    assert not Item.objects.get(unit=new).suggested
    assert claimed(ana, project).suggestion == offered(new)


def test_it_comes_before_what_machines_say(project: Project, ana: User) -> None:
    old = make_sentence(project, TEXT)
    make_prediction(old, [span(2)], [0, 0, 0.9, 0, 0, 0])
    make_gold(old, [span(1)])
    revised = revise_text(project=project, unit=old.pk, text=FIXED, by=None, anybodys=True)
    assert revised.job is not None
    run_job(revised.job.pk, worker="one")
    assert [one.kind for one in claimed(ana, project).suggestions] == ["earlier-gold", "prediction"]


def test_a_reviewed_projection_offers_it_beside_the_source(project: Project, ana: User) -> None:
    segment = make_segment(project)
    source = make_sentence(project, TEXT, segment=segment)
    target = make_sentence(project, "Promises burnt in the night", language="en", segment=segment)
    make_gold(source, [span(2)])
    make_projection(source, target, [span(1)], [span(2)])
    make_gold(target, [span(1), span(4)])
    new = fix(project, target, "Promises burned in the night")
    assert tokens(offered(new).content) == [[4]]
    check(project)


@pytest.mark.parametrize("text", ["Las promesas ardían en la noche clara", TEXT])
def test_a_second_fix_begins_from_what_was_decided(project: Project, text: str) -> None:
    old = make_sentence(project, TEXT)
    make_gold(old, [span(1), span(2)])
    new = fix(project, fix(project, old, FIXED), text)
    # An earlier text that comes back has all of it.
    assert tokens(offered(new).content) == ([[1], [2]] if text == TEXT else [[1]])
    assert offered(new).source_id == old.pk


def test_gold_on_peoples_answers_is_decided_from_these(project: Project, ana: User) -> None:
    old = make_sentence(project, TEXT)
    make_annotation(old, ana, [span(2)])
    make_gold(old, [span(1)], source=GoldSource.AGREED)
    fix(project, old, FIXED)
    assert not Suggestion.objects.filter(kind=SuggestionKind.EARLIER_GOLD).exists()


def test_other_sentences_keep_their_gold(project: Project) -> None:
    old, other = make_sentence(project, TEXT), make_sentence(project)
    make_gold(old, [span(1)])
    make_gold(other, [span(2)])
    fix(project, old, FIXED)
    assert [gold.unit_id for gold in Gold.objects.all()] == [other.pk]
    assert Suggestion.objects.count() == 1
