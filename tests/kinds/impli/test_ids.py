"""Ids of pairs tell their class, and so what is asked: whoever validates blind is told another name."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import Assignment, Gold, Segment, Unit, User
from annotator.releases.queries.release_parts import PARTS
from tests.drafts import load
from tests.kinds.impli.work import NO, REWRITTEN, Impli

pytestmark = pytest.mark.django_db

# Of no digits alone: numbers of rows follow the files, and files hold a class each.
HIDDEN = re.compile("#(?=.*[a-z])[a-z2-7]{8}")
UID = "idioms:manual_antonyms_ne:1"
FILE: dict[str, str | bytes] = {"manual_antonyms_ne.tsv": "He kicked the bucket.\tHe lived.\n"}


@pytest.fixture(scope="module")
def made(kept_rows: None) -> Impli:
    """A pair came in that waits for validation."""
    scene = Impli()
    load(scene.project, FILE, dataset="idioms", labels_as="none")
    assert Segment.objects.get(kind="inference-pair").uid == UID
    return scene


@pytest.fixture
def scene(made: Impli) -> Impli:
    return copy.deepcopy(made)


def _page(user: User, name: str, *args: Any, query: str = "") -> str:
    client = Client()
    client.force_login(user)
    response = client.get(reverse(name, args=["inference", *args]) + query)
    assert response.status_code == 200
    return response.content.decode()


def _told(scene: Impli, user: User) -> dict[str, str]:
    """What each place sends to somebody who has claimed the pair."""
    stage, segment = scene.stage("validate").pk, Segment.objects.get(uid=UID).pk
    assignment = Assignment.objects.get(user=user, stage=stage)
    return {
        "item": str(scene.call(user, "get", f"assignments/{assignment.pk}/")),
        "own items": str(scene.call(user, "get", f"stages/{stage}/items/")),
        "own work": _page(user, "items", stage),
        "find": _page(user, "find", query="?q=bucket"),
        "sentence": _page(user, "sentence", segment),
        "person": _page(user, "person", user.pk),
    }


def test_nothing_tells_a_blind_validator_the_id(scene: Impli) -> None:
    ana = scene.people[0]
    (item,) = scene.claim(ana, "validate")
    assert HIDDEN.fullmatch(item["unit"]["uid"])
    scene.save(ana, item, NO)
    Assignment.objects.update(expires_at=None)
    for place, sent in _told(scene, ana).items():
        assert "manual_antonyms" not in sent, place
    assert "He lived" not in _page(ana, "find", query=f"?q={UID}"), "an id finds nothing either"
    answer = ana.annotations.get()
    assert "manual_antonyms" not in _page(ana, "person-answer", ana.pk, answer.pk)


def test_whoever_may_be_given_the_pair_next_is_not_told_either(scene: Impli) -> None:
    segment = Segment.objects.get(uid=UID).pk
    assert "manual_antonyms" not in _page(scene.people[0], "sentence", segment)
    assert UID in _page(scene.manager, "sentence", segment)
    assert UID in _page(scene.manager, "find", query="?q=bucket")


def test_ids_are_told_once_gold_is_decided_and_go_out_as_they_are(scene: Impli) -> None:
    ana = scene.people[0]
    for person in scene.people[:2]:
        (item,) = scene.claim(person, "validate")
        scene.save(person, item, NO)
    assert Gold.objects.exists()
    assert all(UID in sent for sent in _told(scene, ana).values())
    (path, content) = next(iter(PARTS["impli"].compute(scene.project).files.items()))
    assert (path, content.decode()) == ("impli/idioms/manual_antonyms_ne.tsv", FILE["manual_antonyms_ne.tsv"])


def test_a_manager_who_validates_blind_is_not_told_either(scene: Impli) -> None:
    scene.claim(scene.manager, "validate")
    Assignment.objects.update(expires_at=None)
    assert "manual_antonyms" not in str(list(_told(scene, scene.manager).values()))


def test_ids_of_pairs_that_people_write_tell_nothing_either(scene: Impli) -> None:
    """Their last part counts the texts of a rewriting: the first is entailed, the others are not."""
    ana, ben, *_ = scene.people
    scene.marked(ana)
    (item,) = scene.claim(ben, "rewrite")
    scene.save(ben, item, REWRITTEN)
    for given in scene.claim(scene.people[2], "validate", 5):
        assert HIDDEN.fullmatch(given["unit"]["uid"])


def test_ids_of_sentences_are_told(scene: Impli) -> None:
    (item,) = scene.claim(scene.people[0], "correct")
    assert item["unit"]["uid"] == Unit.objects.get(pk=item["unit"]["id"]).segment.uid


def test_a_writer_who_also_judges_is_not_in_a_blind_batch(scene: Impli) -> None:
    """Nothing is suggested where sentences are rewritten, so nothing is hidden there."""
    ana, ben, cai, dan = scene.people
    scene.marked(ana)
    scene.defined(cai)
    scene.bring("pairs")
    (item,) = scene.claim(ben, "rewrite")
    scene.save(ben, item, REWRITTEN)
    assert {one["mode"] for one in scene.claim(ben, "validate", 9)} == {"blind"}
    for person in (ana, dan):
        scene.judged(person, "all the responsibility", {"verdict": "reject", "reason": "incoherent", "second": "no"})
    (back,) = scene.claim(ben, "rewrite")
    assert (back["mode"], back["state"], len(back["remarks"])) == ("review", "open", 1)
