"""Texts that were sent back and that nobody has in hand by now: no text is lost between people."""

from __future__ import annotations

import copy

import pytest

from annotator.core.errors import ActionError
from annotator.domain.states import Mode
from annotator.models import Annotation, Assignment, Item, Membership, Role, Unit, User
from annotator.projects.actions.projects import add_member, remove_member
from annotator.work.queue.actions.giving_back import free_open
from annotator.work.queue.actions.orphaned_answers import hand_over
from annotator.work.queue.queries.orphaned_answers import orphaned_answers
from annotator.work.queue.queries.returned import returned_units
from tests.factories import make_member
from tests.protocols.mabl.work import BLANKET, OFFICE, REJECT, WARM, Mabl

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(kept_rows: None) -> tuple[Mabl, User]:
    """Ana's pair was rejected, and she has it again; a manager."""
    scene = Mabl()
    ana, ben, cai, _dan = scene.people
    scene.written(ana)
    for person in (ben, cai):
        scene.judged(person, **REJECT)
    return scene, make_member(scene.project, Role.MANAGER)


@pytest.fixture
def scene(made: tuple[Mabl, User]) -> Mabl:
    return copy.deepcopy(made[0])


@pytest.fixture
def manager(made: tuple[Mabl, User]) -> User:
    return made[1]


def _free(scene: Mabl, user: User, by: User) -> None:
    assert free_open(stage=scene.write, user=user, mode="review", by=by) == 1


def _leaves(scene: Mabl, user: User, manager: User) -> None:
    remove_member(membership=Membership.objects.get(user=user, project=scene.project), by=manager)


def _left(scene: Mabl) -> list[int]:
    return [left.answer.pk for left in orphaned_answers([scene.write]).get(scene.write.pk, [])]


@pytest.mark.parametrize("freed_by", ["writer", "manager"])
def test_its_writer_has_it_again_though_somebody_writes_in_its_place(scene: Mabl, manager: User, freed_by: str) -> None:
    ana, ben, _cai, dan = scene.people
    _free(scene, ana, ana if freed_by == "writer" else manager)
    scene.written(dan, OFFICE)
    (blank,) = scene.claim(ben, scene.write)
    (item,) = scene.claim(ana, scene.write)
    assert (item["annotation"]["content"], item["mode"]) == (BLANKET, "review")
    assert item["unit"]["id"] != blank["unit"]["id"]
    assert _left(scene) == []
    scene.check_counters()
    scene.save(ana, item, WARM)
    texts = Unit.objects.filter(kind="figurative-pair", is_current=True).values_list("author", "revision")
    assert sorted(texts) == sorted([(dan.pk, 1), (ana.pk, 2)])
    assert returned_units(scene.project) == []
    scene.check_counters()


def test_of_two_who_have_the_place_whoever_gives_it_back_is_not_waited_for(scene: Mabl, manager: User) -> None:
    ana, _ben, _cai, dan = scene.people
    _free(scene, ana, ana)
    (blank,) = scene.claim(dan, scene.write)
    (item,) = scene.claim(ana, scene.write)
    assert item["unit"]["id"] == blank["unit"]["id"]
    _free(scene, dan, dan)
    place = Item.objects.get(stage=scene.write, unit=item["unit"]["id"])
    assert (place.answers_wanted, place.state) == (1, "taken")
    scene.check_counters()


def test_who_left_and_is_back_has_it_again(scene: Mabl, manager: User) -> None:
    ana, _ben, _cai, dan = scene.people
    _leaves(scene, ana, manager)
    scene.written(dan, OFFICE)
    add_member(project=scene.project, user=ana, role=Role.ANNOTATOR, by=None)
    assert _left(scene) == []
    assert scene.claim(ana, scene.write)[0]["annotation"]["content"] == BLANKET
    scene.check_counters()


class TestHandedOver:
    @pytest.fixture
    def handed(self, scene: Mabl, manager: User) -> Mabl:
        ana, _ben, _cai, dan = scene.people
        _leaves(scene, ana, manager)
        (left,) = _left(scene)
        hand_over(stage=scene.write, answer=left, to=dan, by=manager)
        assert _left(scene) == []
        return scene

    @pytest.mark.parametrize("freed_by", ["dan", "manager"])
    def test_it_waits_again_and_others_can_have_it(self, handed: Mabl, manager: User, freed_by: str) -> None:
        ana, ben, _cai, dan = handed.people
        _free(handed, dan, dan if freed_by == "dan" else manager)
        (left,) = _left(handed)
        assert Annotation.objects.get(pk=left).user == ana
        assert len(returned_units(handed.project)) == 1
        handed.check_counters()
        hand_over(stage=handed.write, answer=left, to=ben, by=manager)
        assert _left(handed) == []
        assert handed.claim(ben, handed.write)[0]["annotation"]["content"] == BLANKET
        handed.check_counters()

    def test_the_same_person_goes_on_with_what_they_began(self, handed: Mabl, manager: User) -> None:
        dan = handed.people[3]
        (item,) = handed.claim(dan, handed.write)
        body = {"version": 1, "content": WARM, "done": False}
        handed.call(dan, "post", f"assignments/{item['id']}/save/", body)
        _free(handed, dan, manager)
        hand_over(stage=handed.write, answer=_left(handed)[0], to=dan, by=manager)
        assert handed.claim(dan, handed.write)[0]["annotation"]["content"] == WARM
        handed.check_counters()

    def test_its_first_writer_has_it_if_they_are_back(self, handed: Mabl, manager: User) -> None:
        ana, ben, _cai, dan = handed.people
        add_member(project=handed.project, user=ana, role=Role.ANNOTATOR, by=None)
        (other,) = handed.claim(ana, handed.write)
        assert other["annotation"]["content"] != BLANKET, "somebody else has it"
        free_open(stage=handed.write, user=ana, mode="review", by=ana)
        _free(handed, dan, dan)
        handed.claim(ben, handed.write)
        assert handed.claim(ana, handed.write)[0]["annotation"]["content"] == BLANKET
        handed.check_counters()

    def test_beside_what_was_written_in_its_place_it_is_not_blind(self, scene: Mabl, manager: User) -> None:
        ana, ben, _cai, dan = scene.people
        _leaves(scene, ana, manager)
        scene.written(dan, OFFICE)
        hand_over(stage=scene.write, answer=_left(scene)[0], to=ben, by=manager)
        assert Assignment.objects.get(stage=scene.write, user=ben).mode == Mode.REVIEW
        with pytest.raises(ActionError, match="no longer waiting"):
            hand_over(stage=scene.write, answer=Annotation.objects.get(user=ana).pk, to=ben, by=manager)
        _free(scene, ben, ben)
        assert len(_left(scene)) == 1
        scene.check_counters()
