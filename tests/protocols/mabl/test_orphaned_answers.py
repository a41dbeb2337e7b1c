"""Texts that went back to somebody who has left: handed over to another writer, or given up."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.core.errors import ActionError
from annotator.domain.leaving_out import WhyNotReleased
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, BlindMark, Event, Item, Membership, Mode, Role, Stage, Unit, User
from annotator.projects.actions.projects import add_member, change_languages, remove_member
from annotator.releases.queries.exports import release_files
from annotator.releases.queries.release_parts import PARTS
from annotator.work.queue.actions.assignments import assign_review
from annotator.work.queue.actions.orphaned_answers import give_up, hand_over
from annotator.work.queue.queries.orphaned_answers import orphaned_answers
from annotator.work.queue.queries.returned import returned_units
from tests.deciding import by_hand, sent
from tests.factories import make_assignment, make_member, make_user
from tests.protocols.mabl.work import ACCEPT, BLANKET, OFFICE, REJECT, WARM, Mabl

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(kept_rows: None) -> tuple[Mabl, User]:
    """Ana's pair was rejected, and she is no member any more; a manager."""
    scene = Mabl()
    ana, ben, cai, _dan = scene.people
    manager = make_member(scene.project, Role.MANAGER)
    scene.written(ana)
    for person in (ben, cai):
        (item,) = scene.claim(person, scene.validate)
        scene.save(person, item, REJECT, comment="A blanket is not a voice.")
    remove_member(membership=Membership.objects.get(user=ana, project=scene.project), by=manager)
    return scene, manager


@pytest.fixture
def scene(made: tuple[Mabl, User]) -> Mabl:
    return copy.deepcopy(made[0])


@pytest.fixture
def manager(made: tuple[Mabl, User]) -> User:
    return made[1]


def _unit_of(writer: User) -> int:
    return Annotation.objects.get(user=writer).unit_id


def _left(scene: Mabl) -> int:
    (left,) = orphaned_answers([scene.write])[scene.write.pk]
    return left.answer.pk


def _text(item: dict[str, Any]) -> str:
    return " ".join(item["unit"]["tokens"])


def _handed_over(scene: Mabl, manager: User) -> dict[str, object]:
    dan = scene.people[3]
    hand_over(stage=scene.write, answer=_left(scene), to=dan, by=manager)
    (item,) = scene.claim(dan, scene.write)
    found: dict[str, object] = item
    return found


class TestWhereManagersLook:
    def test_the_dashboard_says_so_and_the_page_shows_the_text_and_why_it_came_back(
        self, client: Client, scene: Mabl, manager: User
    ) -> None:
        client.force_login(manager)
        dashboard = client.get(reverse("project", args=[scene.project.slug])).text
        assert "1 returned text was left behind by someone who has left the project." in dashboard
        address = reverse("left-texts", args=[scene.project.slug, scene.write.pk])
        assert address in dashboard
        page = client.get(address).text
        for words in (BLANKET["figurative"][0], "Incoherent", "A blanket is not a voice.", str(scene.people[0])):
            assert words in page

        client.force_login(scene.people[1])
        assert address not in client.get(reverse("project", args=[scene.project.slug])).text
        assert client.get(address).status_code == 403
        client.force_login(make_user())
        assert client.get(address).status_code == 404

    def test_a_member_who_is_given_no_work_in_the_language_has_left_as_well(self, scene: Mabl) -> None:
        ana, ben, cai, dan = scene.people
        scene.project.languages = ["en", "es"]
        scene.project.save()
        eve = make_member(scene.project)
        change_languages(membership=Membership.objects.get(user=ben), languages=["es"], by=None)
        scene.written(eve, OFFICE)
        change_languages(membership=Membership.objects.get(user=eve), languages=["es"], by=None)
        for person in (cai, dan):
            scene.judged(person, **REJECT)
        assert {left.answer.user for left in orphaned_answers([scene.write])[scene.write.pk]} == {ana, eve}
        scene.check_counters()

    def test_where_nobody_left_nothing_waits_and_it_costs_two_queries(
        self, django_assert_num_queries: object, scene: Mabl
    ) -> None:
        Annotation.objects.filter(layer=scene.write.layer).update(state="done")
        stages = list(scene.project.stages.select_related("layer"))
        with django_assert_num_queries(2):  # type: ignore[operator]  # the fixture's type is pytest-django's own
            assert orphaned_answers(stages) == {}


class TestJudgedOnceMore:
    def test_who_judges_what_somebody_else_mended_is_told_that_it_had_gone_back(
        self, scene: Mabl, manager: User
    ) -> None:
        _ana, ben, _cai, _dan = scene.people
        mended, eve = _handed_over(scene, manager), make_member(scene.project)
        scene.save(scene.people[3], mended, OFFICE, comment="Nobody says it of a blanket.")
        (item,) = scene.claim(ben, scene.validate)
        assert item["again"]["before"] == [*BLANKET["figurative"], *BLANKET["literal"]]
        assert item["again"]["comment"] == "Nobody says it of a blanket."
        assert (item["again"]["own"]["reason"], item["again"]["own"]["comment"]) == (
            "incoherent", "A blanket is not a voice.",
        )  # fmt: skip
        (new,) = scene.claim(eve, scene.validate)
        assert (new["again"]["before"][0], new["again"]["own"]) == (BLANKET["figurative"][0], None)
        for person in (scene.people[0], scene.people[3]):
            assert str(person) not in str(item["again"]) + str(new["again"])


class TestCalls:
    """The same by the API."""

    @pytest.fixture
    def path(self, scene: Mabl) -> str:
        return f"stages/{scene.write.pk}/left/"

    def test_what_waits_is_listed_with_its_remarks_and_who_may_mend_it(
        self, scene: Mabl, manager: User, path: str
    ) -> None:
        ana, *others = scene.people
        found = scene.call(manager, "get", path)
        assert found["results"] == [
            {
                "answer": _left(scene),
                "writer": ana.username,
                "texts": [[*BLANKET["figurative"], *BLANKET["literal"]]],
                "remarks": [{"key": "", "reason": "Incoherent", "texts": [], "comment": "A blanket is not a voice."}],
            }
        ]
        assert set(found["writers"]) == {person.username for person in (*others, manager)}
        empty = scene.call(manager, "get", f"stages/{scene.validate.pk}/left/")
        assert empty["results"] == []

    def test_a_text_is_handed_over_by_name(self, scene: Mabl, manager: User, path: str) -> None:
        dan = scene.people[3]
        address = f"{path}{_left(scene)}/hand-over/"
        for to, why in (("nobody", "nobody is not assigned work"), (scene.people[0].username, "is not assigned work")):
            refused = scene.send(manager, "post", address, {"to": to})
            assert refused.status_code == 400
            assert why in str(refused.json()["error"]["fields"]["to"])
        assert scene.call(manager, "post", address, {"to": dan.username})["results"] == []
        (item,) = scene.claim(dan, scene.write)
        assert item["annotation"]["content"] == BLANKET
        again = scene.send(manager, "post", address, {"to": dan.username})
        assert (again.status_code, "no longer waiting" in again.json()["error"]["message"]) == (400, True)

    def test_a_text_is_given_up_with_a_reason(self, scene: Mabl, manager: User, path: str) -> None:
        address = f"{path}{_left(scene)}/give-up/"
        for reason in ("", " ", "x" * 501):
            assert scene.send(manager, "post", address, {"reason": reason}).status_code == 400
        assert scene.call(manager, "post", address, {"reason": "Nobody says it."})["results"] == []
        assert Event.objects.get(verb=Verb.ANNOTATION_GIVEN_UP).after["reason"] == "Nobody says it."


class TestDeactivated:
    """Whose account was deactivated is a member still, and cannot sign in."""

    @pytest.fixture
    def deactivated(self, scene: Mabl) -> Mabl:
        """Eve's pair was sent back to her before her account was deactivated."""
        _ana, ben, cai, _dan = scene.people
        eve = make_member(scene.project)
        # Ana's place is free again.
        scene.written(scene.people[3], WARM)
        scene.written(eve, OFFICE)
        for person in (ben, cai):
            for item in scene.claim(person, scene.validate, 20):
                scene.save(person, item, REJECT if OFFICE["figurative"][0] in _text(item) else ACCEPT)
        User.objects.filter(pk=eve.pk).update(is_active=False)
        scene.people.append(eve)
        return scene

    def test_what_was_sent_back_to_them_waits_and_they_mend_nothing(
        self, client: Client, deactivated: Mabl, manager: User
    ) -> None:
        eve = deactivated.people[4]
        left = {one.answer.user: one for one in orphaned_answers([deactivated.write])[deactivated.write.pk]}
        assert set(left) == {deactivated.people[0], eve}
        client.force_login(manager)
        page = client.get(reverse("left-texts", args=[deactivated.project.slug, deactivated.write.pk])).text
        offered = set(re.findall(r'<option value="(\d+)"', page))
        assert (str(deactivated.people[1].pk) in offered, str(eve.pk) in offered) == (True, False)
        with pytest.raises(ActionError, match="not assigned work in this language"):
            hand_over(stage=deactivated.write, answer=left[eve].answer.pk, to=eve, by=manager)

    @pytest.mark.parametrize("how", ["hand over", "give up"])
    def test_they_hold_the_place_no_longer(self, deactivated: Mabl, manager: User, how: str) -> None:
        dan, eve = deactivated.people[3:]
        left = Annotation.objects.get(user=eve)
        item = Item.objects.get(stage=deactivated.write, unit=left.unit_id)
        assert item.answers_open == 1
        if how == "hand over":
            hand_over(stage=deactivated.write, answer=left.pk, to=dan, by=manager)
        else:
            give_up(stage=deactivated.write, answer=left.pk, reason="No time.", by=manager)
        item.refresh_from_db()
        assert (item.answers_wanted, item.answers_open) == (1, int(how == "hand over"))
        assert Assignment.objects.get(stage=deactivated.write, user=eve).state == "returned"
        deactivated.check_counters()

    def test_what_is_sent_back_later_waits_at_once(self, scene: Mabl) -> None:
        *_, cai, dan = scene.people
        scene.written(dan, OFFICE)
        User.objects.filter(pk=dan.pk).update(is_active=False)
        for person in (scene.people[1], cai):
            scene.judged(person, **REJECT)
        assert Assignment.objects.get(stage=scene.write, user=dan).state == "returned"
        assert dan in {left.answer.user for left in orphaned_answers([scene.write])[scene.write.pk]}
        scene.check_counters()


class TestHandedOver:
    def test_somebody_else_begins_from_it_and_knows_what_was_said(self, scene: Mabl, manager: User) -> None:
        item = _handed_over(scene, manager)
        assert item["annotation"]["content"] == BLANKET  # type: ignore[index]  # JSON
        assert [one["comment"] for one in item["remarks"]] == ["A blanket is not a voice."]  # type: ignore[attr-defined]  # JSON
        assert orphaned_answers([scene.write]) == {}
        assert len(returned_units(scene.project)) == 1, "it is with its new writer"
        event = Event.objects.get(verb=Verb.ANNOTATION_HANDED_OVER)
        assert (event.actor, event.after["user"]) == (manager, scene.people[0].pk)
        scene.check_counters()

    @pytest.mark.parametrize("content", [WARM, OFFICE])
    def test_neither_of_its_two_writers_judges_it(self, scene: Mabl, manager: User, content: object) -> None:
        ana, ben, cai, dan = scene.people
        item = _handed_over(scene, manager)
        scene.save(dan, item, content)
        unit = Unit.objects.get(kind="figurative-pair", is_current=True)
        assert (unit.author, unit.revision) == (dan, 2)
        add_member(project=scene.project, user=ana, role=Role.ADJUDICATOR, by=None)
        for writer in (ana, dan):
            assert scene.claim(writer, scene.validate) == []
            assert assign_review(stage=scene.validate, units=[unit.pk], user=writer, by=manager) == 0
            chosen = sent(by_hand(unit.pk, scene.validate.layer))
            body = {"layer": "validity", "version": 0, "content": ACCEPT, "chosen": chosen}
            Membership.objects.filter(user=writer).update(role=Role.ADJUDICATOR)
            refused = scene.send(writer, "post", f"units/{unit.pk}/gold/", body)
            assert "You wrote this yourself" in refused.json()["error"]["message"]
        for person in (ben, cai):
            scene.judged(person, **ACCEPT)
        assert returned_units(scene.project) == []
        scene.check_counters()

    def test_whoever_judged_it_is_told_who_mends_it_and_then_that_it_is_mended(
        self, scene: Mabl, manager: User
    ) -> None:
        ben, dan = scene.people[1], scene.people[3]
        item = _handed_over(scene, manager)
        path = f"assignments/{Assignment.objects.get(user=ben, stage=scene.validate).pk}/undo/"
        refused = scene.send(ben, "post", path, {"version": 1})
        assert "someone else is revising it" in refused.json()["error"]["message"]
        scene.save(dan, item, WARM)
        refused = scene.send(ben, "post", path, {"version": 1})
        assert "Continue with its new revision" in refused.json()["error"]["message"]

    def test_what_cannot_be_handed_over_stays(self, scene: Mabl, manager: User) -> None:
        ana, ben, *_ = scene.people
        left = _left(scene)
        before = list(Annotation.objects.order_by("pk").values())
        for person in (ana, make_user()):
            with pytest.raises(ActionError, match="not assigned work in this language"):
                hand_over(stage=scene.write, answer=left, to=person, by=manager)
        with pytest.raises(ActionError, match="no longer waiting"):
            hand_over(stage=scene.write, answer=left + 1000, to=ben, by=manager)
        assert list(Annotation.objects.order_by("pk").values()) == before
        hand_over(stage=scene.write, answer=left, to=ben, by=manager)
        with pytest.raises(ActionError, match="no longer waiting"):
            give_up(stage=scene.write, answer=left, reason="Too late.", by=manager)

    def test_whoever_works_blind_there_is_not_handed_it_and_the_manager_reads_why(
        self, scene: Mabl, manager: User
    ) -> None:
        _ana, ben, _cai, dan = scene.people
        left, unit = _left(scene), Unit.objects.get(pk=_unit_of(scene.people[0]))
        other = Stage.objects.get(pk=scene.write.pk)
        other.pk, other.slug = None, "again"
        other.save()
        Item.objects.create(project=scene.project, stage=other, unit=unit, reading=1, answers_wanted=2)
        make_assignment(unit, ben, other, mode=Mode.BLIND)
        make_assignment(unit, dan, other)
        with pytest.raises(ActionError, match="works blind there"):
            hand_over(stage=scene.write, answer=left, to=ben, by=manager)
        with pytest.raises(ActionError, match="answers this in another stage"):
            hand_over(stage=scene.write, answer=left, to=dan, by=manager)
        assert _left(scene) == left
        assert not Annotation.objects.filter(user__in=[ben, dan], layer=scene.write.layer).exists()

    def test_beside_what_somebody_wrote_in_its_place_meanwhile(self, scene: Mabl, manager: User) -> None:
        ana, _ben, _cai, dan = scene.people
        eve = make_member(scene.project)
        scene.written(dan, OFFICE)
        assert Annotation.objects.get(user=dan, layer=scene.write.layer).unit_id == _unit_of(ana)
        with pytest.raises(ActionError, match="has already written something there"):
            hand_over(stage=scene.write, answer=_left(scene), to=dan, by=manager)
        hand_over(stage=scene.write, answer=_left(scene), to=eve, by=manager)
        assert Assignment.objects.get(user=eve, stage=scene.write).mode == scene.write.mode == Mode.REVIEW
        assert not BlindMark.objects.exists(), "texts are not compared, so nothing of them is ever decided there"
        scene.check_counters()
        (item,) = scene.claim(eve, scene.write)
        scene.save(eve, item, WARM)
        texts = Unit.objects.filter(kind="figurative-pair", is_current=True).values_list("author", "revision")
        assert sorted(texts) == sorted([(dan.pk, 1), (eve.pk, 2)])
        assert returned_units(scene.project) == []
        scene.check_counters()

    def test_on_the_page(self, client: Client, scene: Mabl, manager: User) -> None:
        dan = scene.people[3]
        address = reverse("left-text-hand-over", args=[scene.project.slug, scene.write.pk, _left(scene)])
        client.force_login(scene.people[1])
        assert client.post(address, {"to": dan.pk}).status_code == 403
        client.force_login(manager)
        assert "Choose who should revise it." in client.post(address, {"to": ""}, follow=True).text
        said = client.post(address, {"to": dan.pk}, follow=True).text
        assert f"Handed over to {dan}" in said
        assert Annotation.objects.get(user=dan, layer=scene.write.layer).content == BLANKET


class TestGivenUp:
    def test_it_is_listed_and_makes_no_release_incomplete(self, client: Client, scene: Mabl, manager: User) -> None:
        _ana, ben, cai, dan = scene.people
        scene.written(dan, OFFICE)
        assert orphaned_answers([scene.write]), "what the next one writes in its place is another text"
        for person in (ben, cai):
            scene.judged(person, **ACCEPT)
        client.force_login(manager)
        address = reverse("left-text-give-up", args=[scene.project.slug, scene.write.pk, _left(scene)])
        assert "Say briefly why" in client.post(address, {"reason": " "}, follow=True).text
        assert _left(scene)
        client.post(address, {"reason": " Nobody here\tunderstands it."})
        assert orphaned_answers([scene.write]) == {}
        assert returned_units(scene.project) == []
        (row,) = PARTS["mabl"].compute(scene.project).left_out
        assert str(row.reason) == "given up: Nobody here understands it."
        assert WhyNotReleased.read(str(row.reason)) == row.reason
        assert "mabl/en.csv" in release_files(scene.project, partial=False).files
        event = Event.objects.get(verb=Verb.ANNOTATION_GIVEN_UP)
        assert (event.actor, event.after["reason"]) == (manager, "Nobody here understands it.")

    def test_a_verdict_on_it_stays_and_it_is_said_why(self, scene: Mabl, manager: User) -> None:
        ben = scene.people[1]
        give_up(stage=scene.write, answer=_left(scene), reason="No time.", by=manager)
        given = Assignment.objects.get(user=ben, stage=scene.validate)
        refused = scene.send(ben, "post", f"assignments/{given.pk}/undo/", {"version": 1})
        assert "a manager discarded it" in refused.json()["error"]["message"]
        assert Annotation.objects.get(user=ben).content["verdict"] == "reject"
        assert not Unit.objects.get(kind="figurative-pair").is_current

    def test_its_writer_may_mend_it_all_the_same_if_they_return(self, scene: Mabl, manager: User) -> None:
        ana = scene.people[0]
        give_up(stage=scene.write, answer=_left(scene), reason="No time.", by=manager)
        add_member(project=scene.project, user=ana, role=Role.ANNOTATOR, by=None)
        (item,) = scene.claim(ana, scene.write)
        scene.save(ana, item, WARM)
        assert Unit.objects.filter(kind="figurative-pair", is_current=True).count() == 1
        assert PARTS["mabl"].compute(scene.project).left_out[0].id, "it waits for verdicts"
        assert str(PARTS["mabl"].compute(scene.project).left_out[0].reason) == "no gold in en"


class TestATextThatGoesBackAgain:
    def test_it_waits_once_as_its_second_writer_left_it(self, scene: Mabl, manager: User) -> None:
        _ana, ben, cai, dan = scene.people
        item = _handed_over(scene, manager)
        scene.save(dan, item, WARM)
        for person in (ben, cai):
            (judged,) = scene.claim(person, scene.validate)
            scene.save(person, judged, REJECT, comment="Neither warm nor cold.")
        assert [unit.revision for unit in returned_units(scene.project)] == [2]
        assert orphaned_answers([scene.write]) == {}
        remove_member(membership=Membership.objects.get(user=dan, project=scene.project), by=manager)
        (left,) = orphaned_answers([scene.write])[scene.write.pk]
        assert (left.answer.user, [unit.revision for unit in left.units]) == (dan, [2])
        eve = make_member(scene.project)
        hand_over(stage=scene.write, answer=left.answer.pk, to=eve, by=manager)
        assert orphaned_answers([scene.write]) == {}
        scene.check_counters()
