"""Verdicts that somebody is in doubt about, and verdicts that were given by mistake."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, Event, Gold, Item, Membership, Role, Unit, User
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.work.queue.queries.progress import stage_progress
from annotator.work.queue.queries.returned import returned_units
from tests.deciding import by_hand, chosen_by_hand, sent
from tests.drafts import load
from tests.factories import make_member, make_release, make_user
from tests.protocols.mabl.work import ACCEPT, BLANKET, OFFICE, REJECT, Mabl

pytestmark = pytest.mark.django_db

LINES = [*OFFICE["figurative"], *OFFICE["literal"]]
OTHER = [*LINES[:3], "The office was empty."]
CORRECT = {"verdict": "correct", "texts": LINES}
FILE = (
    "startphrase,ending1,ending2,labels\nThe hut is a palace.,It is splendid.,It is shabby.,0\n"
    "The hut is a barn.,It is splendid.,It is shabby.,1\n"
)


@pytest.fixture
def scene() -> Mabl:
    return Mabl()


@pytest.fixture
def one(scene: Mabl) -> Mabl:
    """Where one verdict is enough."""
    for name in ("validate", "categories"):
        stage = scene.project.stages.get(kind=name)
        stage.answers_wanted = 1
        stage.save()
        setattr(scene, name, stage)
    return scene


def _judge(scene: Mabl, user: User, verdict: dict[str, Any], **more: Any) -> dict[str, Any]:
    (item,) = scene.claim(user, scene.validate)
    scene.save(user, item, verdict, **more)
    return item


def _waiting(scene: Mabl, judge: User) -> list[dict[str, Any]]:
    stage = scene.project.stages.get(kind="adjudicate", layer=scene.validate.layer)
    found: list[dict[str, Any]] = scene.call(judge, "get", f"stages/{stage.pk}/adjudicate/")["items"]
    return found


class TestImported:
    """Nobody here wrote the text: it cannot go back."""

    @pytest.mark.usefixtures("uploads")
    @pytest.mark.parametrize(
        ("said", "decided"),
        [
            ([REJECT, CORRECT], None),
            ([CORRECT, REJECT], None),
            ([CORRECT, {**CORRECT, "texts": OTHER}], None),
            ([CORRECT, CORRECT], "correct"),
            ([REJECT, {**REJECT, "reason": "offensive"}], "reject"),
        ],
    )
    def test_which_verdict_is_gold_does_not_hang_on_who_was_first(
        self, scene: Mabl, said: list[dict[str, Any]], decided: str | None
    ) -> None:
        load(scene.project, {"en.csv": FILE}, labels_as="none")
        for person, verdict in zip(scene.people, said, strict=False):
            _judge(scene, person, verdict)
        assert [gold.content["verdict"] for gold in Gold.objects.all()] == [decided] * (decided is not None)
        waiting = _waiting(scene, make_member(scene.project, Role.ADJUDICATOR))
        assert len(waiting) == (decided is None)
        scene.check_counters()


class TestTakenBack:
    """What two validators decided by agreeing, an adjudicator opens, and takes back."""

    def test_it_is_found_on_pages_and_waits_for_a_decision(self, client: Client, scene: Mabl) -> None:
        ana, ben, cai, _dan = scene.people
        judge = make_member(scene.project, Role.ADJUDICATOR)
        scene.written(ana)
        for person in (ben, cai):
            _judge(scene, person, ACCEPT)
        gold = Gold.objects.get()
        client.force_login(judge)
        stage = scene.project.stages.get(kind="adjudicate", layer=scene.validate.layer)
        item = Item.objects.get(stage=stage)
        page = client.get(reverse("sentence", args=[scene.project.slug, gold.unit.segment_id])).text
        assert f"{reverse('work', args=[scene.project.slug, stage.pk])}?item={item.pk}" in page
        address = f"stages/{stage.pk}/adjudicate/?item={item.pk}"
        assert scene.call(judge, "get", address)["items"][0]["gold"]["version"] == 1
        assert _waiting(scene, judge) == []

        path, body = f"units/{gold.unit_id}/gold/", {"layer": scene.validate.layer.slug, "version": 1}
        scene.call(judge, "post", f"{path}reopen/", body)
        (waiting,) = _waiting(scene, judge)
        assert [answer["content"]["verdict"] for answer in waiting["answers"]] == ["accept", "accept"]
        assert stage_progress(stage).done == 0
        decision = {"content": REJECT, "reason": "It is no figure.", "chosen": chosen_by_hand(waiting)}
        scene.call(judge, "post", path, {**body, "version": 0, **decision})
        assert _waiting(scene, judge) == []
        assert Annotation.objects.get(user=ana).state == "open"
        scene.check_counters()


class TestDoubt:
    @pytest.mark.parametrize("verdict", [ACCEPT, REJECT])
    def test_the_only_verdict_waits_for_an_adjudicator(self, one: Mabl, verdict: dict[str, Any]) -> None:
        ana, ben, *_ = one.people
        judge = make_member(one.project, Role.ADJUDICATOR)
        item = one.written(ana)
        _judge(one, ben, verdict, doubt=True, comment="I am not sure.")
        assert not Gold.objects.exists()
        assert not Item.objects.filter(stage=one.categories).exists()
        assert one.call(ana, "get", f"assignments/{item['id']}/")["state"] == "done", "it does not come back by itself"
        (waiting,) = _waiting(one, judge)
        assert waiting["why"] == "doubt"
        assert [(said["doubt"], said["comment"]) for said in waiting["answers"]] == [(True, "I am not sure.")]
        one.check_counters()

    @pytest.mark.parametrize("verdict", [ACCEPT, REJECT])
    def test_so_do_two_who_agree_and_are_both_in_doubt(self, scene: Mabl, verdict: dict[str, Any]) -> None:
        ana, ben, cai, _dan = scene.people
        judge = make_member(scene.project, Role.ADJUDICATOR)
        scene.written(ana)
        _judge(scene, ben, verdict, doubt=True)
        narrowed = scene.call(cai, "post", f"stages/{scene.validate.pk}/claim/", {"count": 1, "only": "doubtful"})
        assert len(narrowed["items"]) == 1, "whoever looks for doubts is given it"
        scene.save(cai, narrowed["items"][0], verdict, doubt=True)
        assert not Gold.objects.exists()
        assert Unit.objects.get(kind="figurative-pair").is_current
        assert [one["why"] for one in _waiting(scene, judge)] == ["doubt"]
        accepted = accept_agreed(project=scene.project, layer=scene.validate.layer, language="en", by=judge)
        assert (accepted.accepted, accepted.doubtful) == (0, 1)

    def test_one_who_is_sure_and_one_in_doubt_who_agree_decide(self, scene: Mabl) -> None:
        ana, ben, cai, _dan = scene.people
        scene.written(ana)
        _judge(scene, ben, ACCEPT, doubt=True)
        _judge(scene, cai, ACCEPT)
        assert Gold.objects.get().content["verdict"] == "accept"
        assert Item.objects.filter(stage=scene.categories).exists()

    def test_taking_the_doubt_off_decides(self, one: Mabl) -> None:
        ana, ben, *_ = one.people
        judge = make_member(one.project, Role.ADJUDICATOR)
        one.written(ana)
        item = _judge(one, ben, ACCEPT, doubt=True)
        sure = {"version": 1, "content": ACCEPT, "doubt": False, "done": True}
        one.call(ben, "post", f"assignments/{item['id']}/save/", sure)
        assert Gold.objects.get().content["verdict"] == "accept"
        assert _waiting(one, judge) == []


class TestSlip:
    """The verdict that completes the majority, taken back or changed by who gave it."""

    def test_undoing_it_takes_the_gold_back_and_the_pair_from_the_next_stage(self, one: Mabl) -> None:
        ana, ben, cai, _dan = one.people
        one.written(ana)
        item = _judge(one, ben, ACCEPT)
        assert [stage.items.count() for stage in (one.validate, one.categories)] == [1, 1]
        (held,) = one.claim(cai, one.categories)
        path = f"assignments/{item['id']}/"
        shown = one.call(ben, "get", path)
        assert (shown["gold"], shown["annotation"]["can_undo"]) == (False, True)
        undone = one.call(ben, "post", f"{path}undo/", {"version": 1})
        assert (undone["state"], undone["annotation"]["can_undo"]) == ("open", False)
        assert not Gold.objects.exists()
        assert not Item.objects.filter(stage=one.categories).exists()
        assert Event.objects.filter(verb=Verb.GOLD_REOPENED, actor=ben).exists()
        late = {"version": 0, "content": {"answers": [["object"], []]}, "done": True}
        assert one.send(cai, "post", f"assignments/{held['id']}/save/", late).status_code == 404
        one.check_counters()
        # Given once more, it decides once more.
        one.call(ben, "post", f"{path}save/", {"version": 2, "content": ACCEPT, "done": True})
        assert (Gold.objects.get().version, Item.objects.get(stage=one.categories).state) == (2, "free")
        one.check_counters()

    def test_changing_it_sends_the_pair_back_to_its_writer(self, one: Mabl) -> None:
        ana, ben, *_ = one.people
        written = one.written(ana)
        item = _judge(one, ben, ACCEPT)
        saved = one.call(
            ben, "post", f"assignments/{item['id']}/save/", {"version": 1, "content": REJECT, "done": True}
        )
        assert saved["annotation"]["can_undo"] is True, "its writer has not begun"
        assert not Gold.objects.exists()
        assert not Item.objects.filter(stage=one.categories).exclude(state="void").exists()
        (back,) = one.claim(ana, one.write)
        assert (back["id"], [said["reason"] for said in back["remarks"]]) == (written["id"], ["Incoherent"])
        one.check_counters()

    def test_any_of_those_who_gave_the_answers_may_but_nobody_else(self, scene: Mabl) -> None:
        ana, ben, cai, dan = scene.people
        scene.written(ana)
        first = _judge(scene, ben, ACCEPT)
        _judge(scene, cai, ACCEPT)
        for stranger, status in ((dan, 404), (make_user(), 404)):
            refused = scene.send(stranger, "post", f"assignments/{first['id']}/undo/", {"version": 1})
            assert refused.status_code == status
        assert Gold.objects.exists()
        scene.call(ben, "post", f"assignments/{first['id']}/save/", {"version": 1, "content": REJECT, "done": True})
        assert not Gold.objects.exists()
        assert [one["why"] for one in _waiting(scene, make_member(scene.project, Role.ADJUDICATOR))] == ["differs"]
        scene.check_counters()

    def test_a_save_that_is_repeated_takes_nothing_back(self, one: Mabl) -> None:
        ana, ben, *_ = one.people
        one.written(ana)
        item = _judge(one, ben, ACCEPT)
        again = {"version": 0, "content": ACCEPT, "done": True}
        assert one.call(ben, "post", f"assignments/{item['id']}/save/", again)["annotation"]["version"] == 1
        assert Gold.objects.get().version == 1

    @pytest.mark.parametrize("what", ["categorised", "released", "adjudicated", "accepted"])
    def test_what_others_have_built_on_stays(self, one: Mabl, what: str) -> None:
        ana, ben, cai, _dan = one.people
        judge = make_member(one.project, Role.ADJUDICATOR)
        one.written(ana)
        item = _judge(one, ben, ACCEPT)
        gold = Gold.objects.get()
        if what == "categorised":
            (next_one,) = one.claim(cai, one.categories)
            one.save(cai, next_one, {"answers": [["object"], []]}, done=False)
        elif what == "released":
            make_release(one.project)
        else:
            body = {"layer": "validity", "version": 1, "content": ACCEPT}
            path = f"units/{gold.unit_id}/gold/"
            one.call(judge, "post", f"{path}reopen/", {"layer": "validity", "version": 1})
            if what == "adjudicated":
                chosen = sent(by_hand(gold.unit_id, one.validate.layer))
                one.call(judge, "post", path, {**body, "version": 0, "chosen": chosen})
            else:
                accept_agreed(project=one.project, layer=one.validate.layer, language="en", by=judge)
        before = list(Gold.objects.values())
        shown = one.call(ben, "get", f"assignments/{item['id']}/")
        assert (shown["gold"], shown["annotation"]["can_undo"]) == (True, False)
        version = shown["annotation"]["version"]
        for call, body in (("undo", {}), ("save", {"content": REJECT, "done": True})):
            refused = one.send(ben, "post", f"assignments/{item['id']}/{call}/", {"version": version, **body})
            assert refused.status_code == 400
            assert "Gold has been decided here" in refused.json()["error"]["message"]
        assert list(Gold.objects.values()) == before
        assert Annotation.objects.get(layer=one.validate.layer).content["verdict"] == "accept"

    def test_what_an_adjudicator_took_back_is_theirs_to_decide(self, one: Mabl) -> None:
        ana, ben, *_ = one.people
        judge = make_member(one.project, Role.ADJUDICATOR)
        one.written(ana)
        item = _judge(one, ben, ACCEPT)
        unit = Gold.objects.get().unit_id
        one.call(judge, "post", f"units/{unit}/gold/reopen/", {"layer": "validity", "version": 1})
        body = {"version": 1, "content": ACCEPT, "comment": "It is fine.", "done": True}
        one.call(ben, "post", f"assignments/{item['id']}/save/", body)
        assert not Gold.objects.exists()
        assert Assignment.objects.get(pk=item["id"]).state == "done"


class TestSentBackBySlip:
    """The verdict that sent a pair back, taken back or changed before its writer begins to rework it."""

    def test_undoing_it_brings_the_pair_back_to_be_judged(self, one: Mabl) -> None:
        ana, ben, *_ = one.people
        written = one.written(ana)
        before = one.call(ana, "get", f"assignments/{written['id']}/")
        item = _judge(one, ben, REJECT)
        (back,) = one.claim(ana, one.write)
        assert back["id"] == written["id"]
        path = f"assignments/{item['id']}/"
        assert one.call(ben, "get", path)["annotation"]["can_undo"] is True
        undone = one.call(ben, "post", f"{path}undo/", {"version": 1})
        assert (undone["state"], undone["annotation"]["can_undo"]) == ("open", False)
        after = one.call(ana, "get", f"assignments/{written['id']}/")
        assert (after["state"], after["remarks"]) == ("done", [])
        for key in ("content", "state", "can_undo"):
            assert after["annotation"][key] == before["annotation"][key], key
        assert returned_units(one.project) == []
        unit = Unit.objects.get(kind="figurative-pair")
        assert (unit.is_current, unit.revision, one.validate.items.get().state) == (True, 1, "taken")
        taken_back = Event.objects.get(verb=Verb.ANNOTATION_RETURN_UNDONE)
        assert (taken_back.actor, taken_back.after["unit"]) == (ben, unit.pk)
        one.check_counters()
        # Judged once more, it is accepted, or sent back once more.
        saved = one.call(ben, "post", f"{path}save/", {"version": 2, "content": REJECT, "done": True})
        assert len(returned_units(one.project)) == 1
        body = {"version": saved["annotation"]["version"], "content": ACCEPT, "done": True}
        one.call(ben, "post", f"{path}save/", body)
        assert (Gold.objects.get().unit, returned_units(one.project)) == (unit, [])
        one.check_counters()

    def test_what_its_writer_has_on_the_screen_does_not_win_silently(self, one: Mabl) -> None:
        ana, ben, *_ = one.people
        one.written(ana)
        item = _judge(one, ben, REJECT)
        (back,) = one.claim(ana, one.write)
        one.call(ben, "post", f"assignments/{item['id']}/undo/", {"version": 1})
        late = {"version": back["annotation"]["version"], "content": OFFICE, "done": True}
        refused = one.send(ana, "post", f"assignments/{back['id']}/save/", late)
        assert refused.status_code == 409
        assert "The verdict that sent this text back was changed" in refused.json()["error"]["message"]
        assert Annotation.objects.get(layer=one.write.layer).content == BLANKET
        assert Unit.objects.get(kind="figurative-pair").is_current

    @pytest.mark.parametrize("done", [True, False])
    def test_what_its_writer_has_on_the_screen_is_taken_where_it_stays_with_them(self, one: Mabl, done: bool) -> None:
        ana, ben, *_ = one.people
        one.written(ana)
        item = _judge(one, ben, REJECT)
        (back,) = one.claim(ana, one.write)
        path = f"assignments/{item['id']}/"
        other = {"content": {**REJECT, "reason": "format"}, "comment": "Why a blanket?", "done": True}
        one.call(ben, "post", f"{path}save/", {"version": 1, **other})
        one.call(ben, "post", f"{path}undo/", {"version": 2})
        one.call(ben, "post", f"{path}undo/", {"version": 3})
        one.call(ben, "post", f"{path}save/", {"version": 4, **other})
        late = {"version": back["annotation"]["version"], "content": OFFICE, "done": done}
        saved = one.call(ana, "post", f"assignments/{back['id']}/save/", late)
        assert saved["annotation"]["content"] == OFFICE
        assert Unit.objects.filter(kind="figurative-pair", is_current=True).count() == done
        one.check_counters()
        # What was really saved elsewhere since is never overwritten.
        again = one.send(ana, "post", f"assignments/{back['id']}/save/", {**late, "content": BLANKET})
        assert (again.status_code, "another window" in again.json()["error"]["message"]) == (409, True)

    def test_a_finished_text_on_its_writers_screen_does_not_win_over_its_return(self, one: Mabl) -> None:
        ana, ben, *_ = one.people
        written = one.written(ana)
        _judge(one, ben, REJECT)
        late = {"version": 1, "content": OFFICE, "done": True}
        refused = one.send(ana, "post", f"assignments/{written['id']}/save/", late)
        assert refused.status_code == 409
        assert "This text was sent back after you opened it" in refused.json()["error"]["message"]

    def test_once_its_writer_has_begun_it_stays_and_is_said(self, one: Mabl) -> None:
        ana, ben, *_ = one.people
        one.written(ana)
        item = _judge(one, ben, REJECT)
        (back,) = one.claim(ana, one.write)
        one.save(ana, back, OFFICE, done=False)
        before = list(Annotation.objects.order_by("pk").values())
        path = f"assignments/{item['id']}/"
        assert one.call(ben, "get", path)["annotation"]["can_undo"] is False
        for call, body in (("undo", {}), ("save", {"content": ACCEPT, "done": True})):
            refused = one.send(ben, "post", f"{path}{call}/", {"version": 1, **body})
            assert refused.status_code == 400
            assert "The writer has started revising this text" in refused.json()["error"]["message"]
        assert list(Annotation.objects.order_by("pk").values()) == before
        assert not Event.objects.filter(verb=Verb.ANNOTATION_RETURN_UNDONE).exists()
        one.check_counters()

    def test_what_an_adjudicator_sent_back_is_not_the_judges_to_take_back(self, scene: Mabl) -> None:
        ana, ben, cai, _dan = scene.people
        judge = make_member(scene.project, Role.ADJUDICATOR)
        scene.written(ana)
        item = _judge(scene, ben, REJECT)
        _judge(scene, cai, ACCEPT)
        unit = Unit.objects.get(kind="figurative-pair")
        chosen = sent(by_hand(unit.pk, scene.validate.layer))
        body = {"layer": "validity", "version": 0, "content": REJECT, "chosen": chosen}
        scene.call(judge, "post", f"units/{unit.pk}/gold/", body)
        refused = scene.send(ben, "post", f"assignments/{item['id']}/undo/", {"version": 1})
        assert (refused.status_code, "was sent back to be revised" in refused.json()["error"]["message"]) == (
            400,
            True,
        )
        assert len(returned_units(scene.project)) == 1

    def test_the_writer_may_write_the_same_again_after_it_came_back(self, one: Mabl) -> None:
        """What was never sent back, in the end, needs no comment that says why it stays."""
        ana, ben, *_ = one.people
        written = one.written(ana)
        item = _judge(one, ben, REJECT)
        one.call(ben, "post", f"assignments/{item['id']}/undo/", {"version": 1})
        path = f"assignments/{written['id']}/"
        shown = one.call(ana, "get", path)
        for done in (False, True):
            shown = one.call(
                ana,
                "post",
                f"{path}save/",
                {"version": shown["annotation"]["version"], "content": BLANKET, "done": done},
            )
        assert Unit.objects.filter(kind="figurative-pair", is_current=True).count() == 1

    def test_of_a_writer_who_left_it_stays_theirs_unless_somebody_else_took_it(self, one: Mabl) -> None:
        ana, ben, *_ = one.people
        one.written(ana)
        Membership.objects.get(user=ana, project=one.project).delete()
        item = _judge(one, ben, REJECT)
        assert Assignment.objects.get(user=ana).state == "returned"
        one.call(ben, "post", f"assignments/{item['id']}/undo/", {"version": 1})
        assert (Assignment.objects.get(user=ana).state, one.write.items.get().state) == ("done", "done")
        one.check_counters()
