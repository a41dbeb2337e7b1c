"""Training batches: gold items before work, answers that count nowhere, a score, and who is let in."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient
from sklearn.metrics import cohen_kappa_score, f1_score

from annotator.core.errors import ActionError
from annotator.models import Annotation, Assignment, Counter, Event, Project, Role, Stage, Training, Unit, User
from annotator.work.answering.actions.training import (
    finish_training,
    let_in,
    let_out,
    save_training,
    set_training,
    start_training,
    undo_training,
)
from annotator.work.answering.queries.training import needs_training, score_of
from annotator.work.blind.actions.blind import assign_blind
from annotator.work.blind.queries.blind_pool import reasons
from annotator.work.queue.actions.assignments import claim
from tests.factories import (
    make_annotation,
    make_gold,
    make_member,
    make_pair,
    make_sentence,
    make_user,
    span,
    spans,
    stage_of,
    unit_of,
)

pytestmark = pytest.mark.django_db
TRAINING = {"count": 4, "labelled": 50, "seed": 1, "threshold": 0.6}


@pytest.fixture
def boss(project: Project) -> User:
    return make_member(project, Role.MANAGER, username="boss")


@pytest.fixture
def novice(project: Project) -> User:
    return make_member(project, username="novice")


@pytest.fixture
def stage(project: Project, boss: User) -> Stage:
    """Ten sentences with gold, five of them with a label, and three without gold."""
    for number in range(10):
        make_gold(make_sentence(project), [span(number % 3)] if number % 2 else [])
    for _time in range(3):
        make_sentence(project)
    found = stage_of(project, "correct")
    set_training(stage=found, training=TRAINING, by=boss)
    found.refresh_from_db()
    return found


def answer(batch: Training, *, like_gold: int) -> Training:
    """Answers of a whole batch: the first ones as in gold, the others with a label on the last word alone."""
    for place, item in enumerate(batch.items, 1):
        last = len(Unit.objects.get(pk=item["unit"]).tokens) - 1
        content = item["gold"] if place <= like_gold else spans(span(last))
        batch = save_training(
            training=batch, place=place, content=content, doubt=False, comment="", done=True, by=batch.user
        )
    return finish_training(training=batch, by=batch.user, now=timezone.now())


def test_who_is_not_let_in_claims_nothing(stage: Stage, novice: User) -> None:
    with pytest.raises(ActionError, match="Finish the training"):
        claim(stage=stage, user=novice, now=timezone.now())
    answer(start_training(stage=stage, user=novice), like_gold=4)
    assert len(claim(stage=stage, user=novice, now=timezone.now())) == 1


def test_a_batch_has_the_asked_share_of_labels_and_a_seed(stage: Stage, novice: User, boss: User) -> None:
    mine, theirs = start_training(stage=stage, user=novice), start_training(stage=stage, user=boss)
    assert [bool(item["gold"]["spans"]) for item in mine.items].count(True) == 2
    assert len(mine.items) == 4
    assert mine.items == theirs.items
    assert start_training(stage=stage, user=novice) == mine


def test_answers_count_nowhere(stage: Stage, novice: User) -> None:
    before = [model.objects.count() for model in (Annotation, Assignment, Counter)]
    answer(start_training(stage=stage, user=novice), like_gold=2)
    assert [model.objects.count() for model in (Annotation, Assignment, Counter)] == before


@pytest.mark.parametrize("like_gold", [0, 2, 4])
def test_the_score_is_that_of_another_program(stage: Stage, novice: User, like_gold: int) -> None:
    batch = answer(start_training(stage=stage, user=novice), like_gold=like_gold)
    gold: list[bool] = []
    given: list[bool] = []
    for item in batch.items:
        for place in range(len(Unit.objects.get(pk=item["unit"]).tokens)):
            for found, content in ((gold, item["gold"]), (given, item["answer"]["content"])):
                found.append(any(place in one["tokens"] for one in content["spans"]))
    kappa = cohen_kappa_score(gold, given)
    assert batch.score == pytest.approx(kappa, abs=1e-9)
    [label] = score_of(batch).labels
    assert label.f1 == pytest.approx(f1_score(gold, given), abs=1e-9)
    assert label.kappa == pytest.approx(kappa, abs=1e-9)
    assert batch.let_in == (kappa >= 0.6)
    assert needs_training(stage, novice) == (kappa < 0.6)


def test_another_try_has_other_items_while_there_are_some(stage: Stage, novice: User) -> None:
    first = answer(start_training(stage=stage, user=novice), like_gold=0)
    second = start_training(stage=stage, user=novice)
    assert second.number == 2
    assert {item["unit"] for item in first.items}.isdisjoint(item["unit"] for item in second.items)
    with pytest.raises(ActionError, match="finished"):
        save_training(training=first, place=1, content=spans(), doubt=False, comment="", done=True, by=novice)


def test_a_manager_lets_people_in_and_out(stage: Stage, novice: User, boss: User) -> None:
    set_training(stage=stage, training={**TRAINING, "threshold": None}, by=boss)
    stage.refresh_from_db()
    answer(start_training(stage=stage, user=novice), like_gold=4)
    assert needs_training(stage, novice)
    let_in(stage=stage, user=novice, by=boss)
    assert not needs_training(stage, novice)
    let_out(stage=stage, user=novice, by=boss)
    assert needs_training(stage, novice)
    verbs = Event.objects.filter(verb__startswith="training.").order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["training.started", "training.finished", "training.let_in", "training.let_out"]


def test_a_batch_is_not_finished_before_all_is_answered(stage: Stage, novice: User) -> None:
    batch = start_training(stage=stage, user=novice)
    with pytest.raises(ActionError, match="Answer all items"):
        finish_training(training=batch, by=novice, now=timezone.now())


def test_undo_goes_back_one_save_at_a_time(stage: Stage, novice: User) -> None:
    batch = start_training(stage=stage, user=novice)
    for tokens in (0, 1):
        content = spans(span(tokens))
        save_training(training=batch, place=1, content=content, doubt=False, comment="", done=True, by=novice)
    undone = undo_training(training=batch, place=1, by=novice)
    assert undone.items[0]["answer"]["content"]["spans"][0]["tokens"] == [0]
    with pytest.raises(ActionError, match="nothing to undo"):
        undo_training(training=batch, place=1, by=novice)


def test_what_somebody_answered_or_is_to_answer_blind_is_in_no_batch(
    project: Project, stage: Stage, novice: User
) -> None:
    golds = list(Unit.objects.filter(golds__isnull=False).order_by("pk"))
    make_annotation(golds[0], novice)
    open_ = Unit.objects.filter(golds__isnull=True).order_by("pk")
    assign_blind(project=project, language=stage.language, users=[novice], pairs=1, seed=1, by=None)
    held = Assignment.objects.get(user=novice, unit__in=open_)
    make_gold(held.unit, [])
    set_training(stage=stage, training={**TRAINING, "count": 50}, by=novice)
    stage.refresh_from_db()
    drawn = {item["unit"] for item in start_training(stage=stage, user=novice).items}
    assert drawn == {unit.pk for unit in golds[1:]}


def test_what_was_in_a_batch_is_given_to_nobody_blind_who_saw_it(stage: Stage, novice: User, boss: User) -> None:
    batch = start_training(stage=stage, user=novice)
    units = list(Unit.objects.filter(pk__in=[item["unit"] for item in batch.items]).select_related("segment"))
    found = reasons(stage, [novice, boss], units)
    assert found.seen == {novice.pk: {unit.pk for unit in units}, boss.pk: set()}


class TestApi:
    def test_tags_are_trained_as_labels_are(self, project: Project, novice: User, boss: User) -> None:
        stage = stage_of(project, "pair-tag")
        for value in ("relevant", "discarded", "relevant", "discarded"):
            make_gold(unit_of(make_pair(project)), content={"value": value})
        set_training(stage=stage, training={**TRAINING, "labelled": 100}, by=boss)
        stage.refresh_from_db()
        batch = start_training(stage=stage, user=novice)
        client = APIClient()
        client.force_authenticate(novice)
        for place, given in enumerate(("relevant", "relevant", "relevant", "relevant"), 1):
            sent = {"version": 0, "content": {"value": given}, "done": True}
            saved = client.post(reverse("api:train-save", args=[project.slug, batch.pk, place]), sent, format="json")
            assert saved.status_code == 200, saved.content
        client.force_login(novice)
        client.post(reverse("training-finish", args=[project.slug, stage.pk]))
        batch.refresh_from_db()
        gold = [item["gold"]["value"] for item in batch.items]
        assert batch.score == pytest.approx(cohen_kappa_score(gold, ["relevant"] * 4), abs=1e-9)
        page = client.get(reverse("training", args=[project.slug, stage.pk])).content.decode()
        assert page.count("The whole item") == gold.count("discarded")

    def test_the_workspace_is_told_no_gold_and_its_saves_count_nowhere(
        self, project: Project, stage: Stage, novice: User
    ) -> None:
        batch = start_training(stage=stage, user=novice)
        client = APIClient()
        client.force_authenticate(novice)
        claimed = client.post(
            reverse("api:train-claim", args=[project.slug, batch.pk, stage.pk]), {"count": 4}, format="json"
        )
        assert claimed.status_code == 200, claimed.content
        assert [item["id"] for item in claimed.json()["items"]] == [1, 2, 3, 4]
        assert all(item["annotation"]["content"] == {"spans": []} for item in claimed.json()["items"])
        assert not any(item["gold"] for item in claimed.json()["items"])
        sent = {"version": 0, "content": spans(span(0)), "done": True}
        saved = client.post(reverse("api:train-save", args=[project.slug, batch.pk, 1]), sent, format="json")
        assert saved.status_code == 200, saved.content
        assert saved.json()["progress"]["done"] == 1
        item = client.get(reverse("api:train-item", args=[project.slug, batch.pk, 1])).json()
        assert (item["state"], item["annotation"]["version"]) == ("done", 1)
        listed = client.get(reverse("api:train-items", args=[project.slug, batch.pk, stage.pk])).json()
        assert [one["id"] for one in listed["results"]] == [1]
        sent["content"] = spans(span(1))
        client.post(reverse("api:train-save", args=[project.slug, batch.pk, 1]), sent, format="json")
        undone = client.post(reverse("api:train-undo", args=[project.slug, batch.pk, 1]), {"version": 2}, format="json")
        assert undone.json()["annotation"]["content"]["spans"][0]["tokens"] == [0]
        assert not Annotation.objects.filter(user=novice).exists()

    def test_nobody_else_reaches_it(self, project: Project, stage: Stage, novice: User, boss: User) -> None:
        batch = start_training(stage=stage, user=novice)
        for user in (boss, make_user()):
            client = APIClient()
            client.force_authenticate(user)
            assert client.get(reverse("api:train-item", args=[project.slug, batch.pk, 1])).status_code == 404


class TestPages:
    def test_from_the_stage_to_being_let_in(self, client: Client, project: Project, stage: Stage, novice: User) -> None:
        client.force_login(novice)
        page = reverse("training", args=[project.slug, stage.pk])
        assert client.get(reverse("work", args=[project.slug, stage.pk])).headers["Location"] == page
        assert "Start the training" in client.get(page).content.decode()
        begun = client.post(page, follow=True)
        assert f"training/{Training.objects.get().pk}/" in begun.content.decode()
        answer_all(Training.objects.get())
        assert "Finish and compare with gold" in client.get(page).content.decode()
        done = client.post(reverse("training-finish", args=[project.slug, stage.pk]), follow=True).content.decode()
        assert "You can work in this stage." in done
        assert "Agreement with gold" in done
        assert client.get(reverse("work", args=[project.slug, stage.pk])).status_code == 200

    def test_managers_set_it_and_let_people_in(
        self, client: Client, project: Project, stage: Stage, novice: User, boss: User
    ) -> None:
        client.force_login(boss)
        page = reverse("settings-training", args=[project.slug, stage.pk])
        assert client.post(page, {**TRAINING, "count": 2, "threshold": ""}).status_code == 302
        stage.refresh_from_db()
        assert stage.training == {**TRAINING, "count": 2, "threshold": None}
        assert "novice" in client.get(page).content.decode()
        people = reverse("settings-training-people", args=[project.slug, stage.pk])
        client.post(people, {"user": novice.pk, "to": "in"})
        assert not needs_training(stage, novice)
        client.post(people, {"user": novice.pk, "to": "out"})
        assert needs_training(stage, novice)
        assert client.post(page, {**TRAINING, "labelled": 101}).status_code == 422
        client.post(page, {**TRAINING, "count": 0})
        stage.refresh_from_db()
        assert stage.training == {}


def answer_all(batch: Training) -> None:
    for place, item in enumerate(batch.items, 1):
        save_training(
            training=batch, place=place, content=item["gold"], doubt=False, comment="", done=True, by=batch.user
        )
