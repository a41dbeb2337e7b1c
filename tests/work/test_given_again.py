"""Items that people are given again without being told: when, as what, and where the second answer counts."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient
from sklearn.metrics import cohen_kappa_score

from annotator.core.errors import ActionError
from annotator.domain.labels.relabel import LabelRow
from annotator.models import (
    Annotation,
    Assignment,
    Counter,
    Event,
    Gold,
    Mode,
    Project,
    Repeat,
    Role,
    Stage,
    User,
)
from annotator.projects.actions.relabel import change_scheme, labels_plan
from annotator.reports.queries.studies.question import study_question
from annotator.reports.queries.studies.stored import compute_study
from annotator.work.answering.actions.repeats import give_again, set_again
from annotator.work.answering.queries import repeats
from annotator.work.queue.queries.progress import stage_progress
from tests.factories import (
    make_assignment,
    make_member,
    make_prediction,
    make_project,
    make_sentence,
    make_user,
    span,
    spans,
    stage_of,
)
from tests.saving import save

pytestmark = pytest.mark.django_db
BETWEEN, EVERY = 4, 5


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four items between the two times: fifty would only take longer."""
    monkeypatch.setattr(repeats, "BETWEEN", BETWEEN)


@pytest.fixture
def project() -> Project:
    return make_project("letters")


@pytest.fixture
def stage(project: Project) -> Stage:
    found = stage_of(project, "correct")
    set_again(stage=found, again=EVERY, by=make_member(project, Role.MANAGER))
    found.refresh_from_db()
    found.project = project
    return found


@pytest.fixture
def ana(project: Project) -> User:
    return make_member(project, username="ana")


def do(stage: Stage, user: User, times: int, *, mode: Mode = Mode.REVIEW) -> list[Assignment]:
    """The person does new items, each with its first word labelled."""
    done = []
    for _time in range(times):
        sentence = make_sentence(stage.project, "El tiempo vuela")
        made = make_prediction(sentence, [span(2)], [0.1, 0.1, 0.9])
        row = make_assignment(sentence, user, stage, mode=mode)
        if mode == Mode.REVIEW:
            row.suggestion, row.shown = made, [made.pk]
            row.save(update_fields=["suggestion", "shown"])
        save(row, spans(span(0)), now=timezone.now())
        done.append(row)
    return done


def api(user: User) -> APIClient:
    client = APIClient()
    client.force_authenticate(user)
    return client


def claimed(stage: Stage, user: User, *held: int) -> list[dict[str, Any]]:
    body = {"held": list(held), "count": 2}
    answer = api(user).post(f"/api/v1/projects/letters/stages/{stage.pk}/claim/", body, format="json")
    assert answer.status_code == 200, answer.content
    found: list[dict[str, Any]] = answer.json()["items"]
    return found


def send(user: User, key: int, action: str, **body: Any) -> Any:
    return api(user).post(f"/api/v1/projects/letters/assignments/{key}/{action}/", body, format="json")


def counted(stage: Stage, user: User) -> tuple[Any, ...]:
    """Whatever an answer counts in."""
    return (
        list(Annotation.objects.order_by("pk").values()),
        list(Assignment.objects.order_by("pk").values()),
        list(Counter.objects.order_by("pk").values()),
        list(Gold.objects.values()),
        stage_progress(stage, user),
    )


def test_one_in_five_comes_again_after_others(stage: Stage, ana: User) -> None:
    done = do(stage, ana, EVERY - 1)
    assert claimed(stage, ana) == []
    done += do(stage, ana, 1)
    [item] = claimed(stage, ana)
    repeat = Repeat.objects.get()
    assert (item["id"], repeat.assignment_id) == (-repeat.pk, done[0].pk), "it is the only one with four after it"
    assert repeat.first == spans(span(0))
    assert claimed(stage, ana, item["id"]) == [], "the screen holds it"
    assert [one["id"] for one in claimed(stage, ana)] == [item["id"]], "it comes again after a reload"
    assert Repeat.objects.count() == 1

    send(ana, item["id"], "save", version=0, content=spans(), done=True)
    assert claimed(stage, ana) == []
    do(stage, ana, EVERY - 1)
    assert claimed(stage, ana) == []
    do(stage, ana, 1)
    assert len(claimed(stage, ana)) == 1
    assert Repeat.objects.count() == 2
    assert Repeat.objects.values("assignment").distinct().count() == 2


def test_it_looks_like_an_item_that_nobody_touched(stage: Stage, ana: User) -> None:
    do(stage, ana, EVERY)
    free = make_sentence(stage.project, "El tiempo vuela")
    make_prediction(free, [span(2)], [0.1, 0.1, 0.9])
    new, again = claimed(stage, ana)
    assert again["id"] < 0 < new["id"]

    def shape(value: Any) -> Any:
        return {name: shape(one) for name, one in value.items()} if isinstance(value, dict) else type(value)

    assert shape(again) == shape(new)
    assert again["annotation"] == new["annotation"] | {"content": again["annotation"]["content"]}
    assert again["annotation"]["content"] == spans(span(2)), "the suggestion, not the answer of before"
    assert api(ana).get(f"/api/v1/projects/letters/assignments/{again['id']}/").json() == again


def test_the_second_answer_counts_nowhere(stage: Stage, ana: User) -> None:
    do(stage, ana, EVERY)
    [item] = claimed(stage, ana)
    before = counted(stage, ana)
    saved = send(ana, item["id"], "save", version=0, content=spans(span(1)), doubt=True, comment="?", done=True).json()
    assert (saved["state"], saved["annotation"]["version"], saved["annotation"]["doubt"]) == ("done", 1, True)
    assert counted(stage, ana) == before
    repeat = Repeat.objects.get()
    assert repeat.done_at is not None
    assert repeat.answer["content"] == spans(span(1))


def test_it_is_saved_over_what_was_seen_and_undone(stage: Stage, ana: User) -> None:
    do(stage, ana, EVERY)
    [item] = claimed(stage, ana)
    key = item["id"]
    assert send(ana, key, "undo", version=1).status_code == 400, "nothing to undo"
    send(ana, key, "save", version=0, content=spans(span(1)), done=False)
    assert send(ana, key, "save", version=0, content=spans(span(1)), done=False).json()["annotation"]["version"] == 1
    late = send(ana, key, "save", version=0, content=spans(), done=True)
    assert (late.status_code, late.json()["error"]["theirs"]["content"]) == (409, spans(span(1)))
    assert send(ana, key, "save", version=1, content={"spans": [{"tokens": [9]}]}, done=True).status_code == 400
    send(ana, key, "save", version=1, content=spans(), done=True)
    undone = send(ana, key, "undo", version=2).json()
    assert (undone["state"], undone["annotation"]["content"]) == ("open", spans(span(1)))
    assert Repeat.objects.get().done_at is None


def test_nobody_else_reads_or_answers_it(stage: Stage, ana: User) -> None:
    do(stage, ana, EVERY)
    [item] = claimed(stage, ana)
    for other in (make_member(stage.project, Role.MANAGER), make_user("outsider")):
        assert send(other, item["id"], "save", version=0, content=spans(), done=True).status_code == 404
        assert send(other, item["id"], "undo", version=0 + 1).status_code == 404
        assert api(other).get(f"/api/v1/projects/letters/assignments/{item['id']}/").status_code == 404
    assert Repeat.objects.get().answer is None


def test_what_was_answered_blind_is_blind_again(project: Project, stage: Stage, ana: User) -> None:
    do(stage, ana, EVERY, mode=Mode.BLIND)
    [item] = claimed(stage, ana)
    assert item["mode"] == "blind"
    assert item["annotation"]["content"] == spans()


def test_nothing_is_given_again_that_is_to_be_answered_blind_elsewhere(stage: Stage, ana: User) -> None:
    first = do(stage, ana, EVERY)[0]
    other = stage_of(stage.project, "correct", "en")
    make_assignment(
        make_sentence(stage.project, "Time flies", language="en", segment=first.unit.segment), ana, other,
        mode=Mode.BLIND,
    )  # fmt: skip
    assert claimed(stage, ana) == []
    assert not Repeat.objects.exists()


def test_it_is_withheld_once_it_would_tell_of_blind_work_or_its_text_changed(stage: Stage, ana: User) -> None:
    do(stage, ana, EVERY)
    [item] = claimed(stage, ana)
    unit = Repeat.objects.get().assignment.unit
    english = make_sentence(stage.project, "Time flies", language="en", segment=unit.segment)
    other = make_assignment(english, ana, stage_of(stage.project, "correct", "en"), mode=Mode.BLIND)
    assert claimed(stage, ana) == []
    other.delete()
    assert [one["id"] for one in claimed(stage, ana)] == [item["id"]]
    type(unit).objects.filter(pk=unit.pk).update(is_current=False)
    assert claimed(stage, ana) == []
    assert send(ana, item["id"], "save", version=0, content=spans(), done=True).status_code == 400
    assert Repeat.objects.get().answer is None


def test_accepted_suggestions_are_told_apart_as_always(stage: Stage, ana: User) -> None:
    """What was accepted and added is marked the second time, too: that it is not would give it away."""
    do(stage, ana, EVERY)
    free = make_sentence(stage.project, "El tiempo vuela")
    make_prediction(free, [span(2)], [0.1, 0.1, 0.9])
    new, again = claimed(stage, ana)
    given = spans(span(0), span(2))
    usual, second = (send(ana, one["id"], "save", version=0, content=given, done=True).json() for one in (new, again))
    assert second["annotation"]["origins"] == usual["annotation"]["origins"]
    assert second.keys() == usual.keys()


def test_the_history_of_its_sentence_tells_managers_alone(stage: Stage, ana: User, client: Client) -> None:
    do(stage, ana, EVERY)
    claimed(stage, ana)
    segment = Repeat.objects.get().assignment.unit.segment_id
    told = {}
    for user in (ana, make_member(stage.project, Role.MANAGER), make_member(stage.project)):
        client.force_login(user)
        page = client.get(f"/projects/letters/sentences/{segment}/")
        assert page.status_code == 200
        told[user] = "Was given an item again" in page.content.decode()
    assert list(told.values()) == [False, True, False]


def test_whoever_is_not_given_work_is_given_nothing_again(stage: Stage, ana: User) -> None:
    do(stage, ana, EVERY)
    Stage.objects.filter(pk=stage.pk).update(training={"count": 5, "labelled": 50, "seed": 1, "threshold": None})
    body = {"held": [], "count": 2}
    answer = api(ana).post(f"/api/v1/projects/letters/stages/{stage.pk}/claim/", body, format="json")
    assert answer.status_code == 400
    assert not Repeat.objects.exists()


def test_the_first_answer_stays_as_it_was_when_it_changes(stage: Stage, ana: User) -> None:
    first = do(stage, ana, EVERY)[0]
    [item] = claimed(stage, ana)
    save(first, spans(span(1)), done=False, now=timezone.now())
    send(ana, item["id"], "save", version=0, content=spans(span(2)), done=True)
    repeat = Repeat.objects.get()
    assert (repeat.first, repeat.answer["content"]) == (spans(span(0)), spans(span(2)))
    assert Annotation.objects.get(unit=first.unit, user=ana).content == spans(span(1))


def test_both_answers_follow_a_new_name_of_their_label(stage: Stage, ana: User) -> None:
    do(stage, ana, EVERY)
    [item] = claimed(stage, ana)
    send(ana, item["id"], "save", version=0, content=spans(), done=False)
    send(ana, item["id"], "save", version=1, content=spans(span(0)), done=True)
    change_scheme(layer=stage.layer, plan=labels_plan([LabelRow("METAPHOR", "MRW")]), version=1, by=None)
    repeat = Repeat.objects.get()
    renamed = {"spans": [{**spans(span(0))["spans"][0], "label": "MRW"}]}
    assert (repeat.first, repeat.answer["content"], repeat.answer["version"]) == (renamed, renamed, 3)
    assert send(ana, item["id"], "undo", version=3).status_code == 400, "the labels of before are no more"
    change_scheme(
        layer=stage.layer, plan=labels_plan([LabelRow("MRW", "MRW"), LabelRow("", "NEW")]), version=2, by=None
    )
    repeat.refresh_from_db()
    assert repeat.answer["version"] == 3


def test_it_is_asked_for_where_answers_are_compared(project: Project) -> None:
    boss = make_member(project, Role.MANAGER)
    correct = stage_of(project, "correct")
    for again in (1, 4, 1001):
        with pytest.raises(ActionError, match="one item in 5 to 1000"):
            set_again(stage=correct, again=again, by=boss)
    for stage in (stage_of(project, "adjudicate"), stage_of(project, "project-review", "en")):
        with pytest.raises(ActionError, match="can't be given again"):
            set_again(stage=stage, again=10, by=boss)
    assert not Event.objects.filter(verb="stage.again").exists()
    set_again(stage=correct, again=10, by=boss)
    set_again(stage=correct, again=10, by=boss)
    assert Event.objects.get(verb="stage.again").after == {"again": 10}


def test_managers_ask_for_it_beside_the_training(project: Project, client: Client) -> None:
    boss, stage = make_member(project, Role.MANAGER), stage_of(project, "correct")
    client.force_login(boss)
    address = f"/projects/letters/settings/stages/{stage.pk}/training/"
    assert "Give again one item in" in client.get(address).content.decode()
    sent = {"count": 0, "labelled": 50, "seed": 1, "again": 20}
    assert client.post(address, sent).status_code == 302
    stage.refresh_from_db()
    assert (stage.again, stage.training) == (20, {})
    assert client.post(address, sent | {"again": 2}).status_code == 422
    client.force_login(make_member(project))
    assert client.post(address, sent | {"again": 0}).status_code == 403
    stage.refresh_from_db()
    assert stage.again == 20


def test_consistency_is_that_of_both_answers(project: Project, stage: Stage, ana: User) -> None:
    """Ana labels another word on every third item that comes again."""
    ben = make_member(project, username="ben")
    first, second = [], []
    for number in range(6):
        do(stage, ana, EVERY)
        [repeat] = give_again(stage=stage, user=ana)
        given = spans(span(number % 3))
        send(ana, -repeat.pk, "save", version=0, content=given, done=True)
        first += ["METAPHOR", "O", "O"]
        second += ["METAPHOR" if token == number % 3 else "O" for token in range(3)]
    asked = study_question(project, people=[ana, ben], layer="tokens", language="es")
    computed = compute_study(asked, now=timezone.now())
    # All sentences have one text, which is a repeated text, too: here it is counted apart.
    [row] = computed.results["consistency"]
    assert row["again"] == 6
    alone = Repeat.objects.first()
    assert alone is not None
    Annotation.objects.filter(layer=project.label_layer).exclude(unit=alone.assignment.unit).delete()
    [row] = compute_study(asked, now=timezone.now()).results["consistency"]
    assert (row["again"], row["texts"], row["places"]) == (6, 0, 18)
    assert row["same"] == sum(a == b for a, b in zip(first, second, strict=True))
    assert row["cohen"]["value"] == pytest.approx(cohen_kappa_score(first, second), abs=1e-9)
    changed = compute_study(asked, now=timezone.now()).sha256
    send(ana, -alone.pk, "save", version=1, content=spans(), done=True)
    assert compute_study(asked, now=timezone.now()).sha256 != changed


def test_somebody_who_changes_their_mind_now_and_then_is_as_consistent_as_they_are(
    project: Project, stage: Stage, ana: User
) -> None:
    """400 items, of whose words one in three is labelled; the second time a coin that falls so once in ten flips each.

    Both answers are as often labelled: 1/3, and 1/3 * 0.9 + 2/3 * 0.1 = 11/30. They are equal on 9 words in 10; by
    chance on 1/3 * 11/30 + 2/3 * 19/30 = 49/90: kappa is (0.9 - 49/90) / (1 - 49/90) = 32/41.
    """
    chance = random.Random(7)
    first, second = [], []
    for _item in range(400):
        row = make_assignment(make_sentence(project, "El tiempo vuela"), ana, stage, done=True)
        given = [chance.random() < 1 / 3 for _word in range(3)]
        again = [one != (chance.random() < 0.1) for one in given]
        first += given
        second += again
        answers = [spans(*(span(at) for at, one in enumerate(marked) if one)) for marked in (given, again)]
        said = {"content": answers[1], "doubt": False, "comment": "", "done": True, "version": 1, "before": None}
        Repeat.objects.create(
            project=project, stage=stage, assignment=row, user=ana, after=1, first=answers[0], answer=said,
            done_at=timezone.now(),
        )  # fmt: skip
    asked = study_question(project, people=[ana, make_member(project)], layer="tokens", language="es")
    [row] = compute_study(asked, now=timezone.now()).results["consistency"]
    assert (row["again"], row["texts"], row["places"]) == (400, 0, 1200)
    assert row["cohen"]["value"] == pytest.approx(cohen_kappa_score(first, second), abs=1e-9)
    assert row["cohen"]["low"] < 32 / 41 < row["cohen"]["high"]


def test_what_is_set_aside_counts_in_no_consistency(project: Project, stage: Stage, ana: User) -> None:
    do(stage, ana, EVERY)
    [repeat] = give_again(stage=stage, user=ana)
    send(ana, -repeat.pk, "save", version=0, content=spans(span(0)), done=True)
    asked = study_question(project, people=[ana, make_member(project)], layer="tokens", language="es")
    assert compute_study(asked, now=timezone.now()).results["consistency"][0]["again"] == 1
    unit = repeat.assignment.unit
    type(unit).objects.filter(pk=unit.pk).update(is_current=False)
    assert compute_study(asked, now=timezone.now()).results["consistency"][0]["again"] == 0
