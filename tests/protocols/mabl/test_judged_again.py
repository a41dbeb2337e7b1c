"""A text that had gone back to its writer: what is told of it to who judges it once more."""

from __future__ import annotations

from typing import Any

import pytest

from annotator.models import Role, Stage, Unit, User
from annotator.work.answering.queries.verdicts import judged_again
from tests.factories import make_member
from tests.protocols.mabl.work import BLANKET, OFFICE, Mabl

pytestmark = pytest.mark.django_db

REJECT = {"verdict": "reject", "reason": "incoherent"}
WHY = "People here say it every day."


@pytest.fixture
def scene() -> Mabl:
    return Mabl()


def _sent_back(scene: Mabl) -> dict[str, Any]:
    """A pair of the first person's that two others rejected; its item."""
    ana, ben, cai, _dan = scene.people
    scene.written(ana)
    for person, comment in ((ben, "A blanket is not a voice."), (cai, "")):
        (item,) = scene.claim(person, scene.validate)
        assert item["again"] is None
        scene.save(person, item, REJECT, comment=comment)
    (back,) = scene.claim(ana, scene.write)
    return back


def _again(scene: Mabl, user: User) -> Any:
    (item,) = scene.claim(user, scene.validate)
    return item["again"]


def test_what_the_writer_says_reaches_those_who_judge_again_and_they_see_what_they_said(scene: Mabl) -> None:
    ana, ben, cai, _dan = scene.people
    scene.save(ana, _sent_back(scene), BLANKET, comment=WHY)
    again = _again(scene, ben)
    assert again["before"] == [*BLANKET["figurative"], *BLANKET["literal"]]
    assert again["comment"] == WHY
    assert (again["own"]["reason"], again["own"]["comment"]) == ("incoherent", "A blanket is not a voice.")
    assert str(ana) not in str(again)
    assert "A blanket" not in str(_again(scene, cai)), "what others said of it is not told"


def test_the_writer_is_sent_the_text_as_it_came_back(scene: Mabl) -> None:
    back = _sent_back(scene)
    assert back["sent_back"] == [{"lines": [*BLANKET["figurative"], *BLANKET["literal"]], "comment": ""}]
    (new,) = scene.claim(scene.people[3], scene.write)
    assert new["sent_back"] == []


def test_somebody_new_reads_the_writer_too_unless_they_are_blind(scene: Mabl) -> None:
    ana, ben, _cai, dan = scene.people
    back = _sent_back(scene)
    Stage.objects.filter(pk=scene.validate.pk).update(answers_wanted=3)
    scene.save(ana, back, BLANKET, comment=WHY)
    assert (_again(scene, dan)["comment"], _again(scene, dan)["own"]) == (WHY, None)
    eve = make_member(scene.project)
    Stage.objects.filter(pk=scene.validate.pk).update(mode="blind")
    scene.validate.refresh_from_db()
    assert _again(scene, eve)["comment"] == ""
    assert _again(scene, ben)["comment"] == WHY, "who judged it before knows that it had gone back"


def test_a_comment_of_before_is_not_told_as_an_answer(scene: Mabl) -> None:
    ana, ben, cai, _dan = scene.people
    (item,) = scene.claim(ana, scene.write)
    scene.save(ana, item, BLANKET, comment="My first one!")
    for person in (ben, cai):
        scene.judged(person, **REJECT)
    (back,) = scene.claim(ana, scene.write)
    scene.save(ana, back, OFFICE, comment="My first one!")
    again = _again(scene, ben)
    assert (again["comment"], again["before"][0]) == ("", BLANKET["figurative"][0])


def test_whoever_decides_reads_it_as_well(scene: Mabl) -> None:
    ana, ben, cai, _dan = scene.people
    judge = make_member(scene.project, Role.ADJUDICATOR)
    scene.save(ana, _sent_back(scene), BLANKET, comment=WHY)
    scene.judged(ben, **REJECT)
    scene.judged(cai, verdict="accept")
    stage = scene.project.stages.get(kind="adjudicate", layer=scene.validate.layer)
    (waiting,) = scene.call(judge, "get", f"stages/{stage.pk}/adjudicate/")["items"]
    assert (waiting["again"]["comment"], waiting["again"]["own"]) == (WHY, None)


def test_of_many_it_takes_a_fixed_number_of_queries(scene: Mabl, django_assert_max_num_queries: Any) -> None:
    ana, ben, cai, _dan = scene.people
    for number in range(3):
        first = f"The lake is a mirror {number}."
        scene.written(ana, {"figurative": [first, "The lake is a swamp."], "literal": ["It is calm.", "It is not."]})
    for person in (ben, cai):
        for item in scene.claim(person, scene.validate, 3):
            scene.save(person, item, REJECT)
    for back in scene.claim(ana, scene.write, 3):
        scene.save(ana, back, back["annotation"]["content"], comment=WHY)
    units = list(Unit.objects.filter(kind="figurative-pair", is_current=True))
    with django_assert_max_num_queries(5):
        assert len(judged_again(units, ben)) == 3
    with django_assert_max_num_queries(0):
        assert judged_again([unit for unit in units if unit.revision == 1], ben) == {}
