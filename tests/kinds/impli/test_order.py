"""Who judges pairs for inference cannot tell the class of one by its place: files and rules bring class after class."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from annotator.models import Unit, User
from tests.drafts import load
from tests.factories import make_member, make_sentence
from tests.kinds.impli.work import REWRITTEN, Impli

pytestmark = pytest.mark.django_db

SENTENCES = 6
DEFINED = {"correct": "to be responsible", "adversarial": "to nurse a newborn", "antonym": "to be free"}


@pytest.fixture(scope="module")
def made(kept_rows: None) -> Impli:
    return Impli()


@pytest.fixture
def scene(made: Impli, uploads: Path) -> Impli:
    return copy.deepcopy(made)


def _marked(scene: Impli, user: User) -> None:
    for number in range(SENTENCES):
        make_sentence(scene.project, f"Branch {number} was left holding the baby .", language="en")
    for item in scene.claim(user, "correct", 20):
        begin = item["unit"]["tokens"].index("holding")
        span = {"tokens": [begin, begin + 1, begin + 2], "label": "FIGURATIVE", "attributes": {}, "score": None}
        scene.save(user, item, {"spans": [span] if item["unit"]["tokens"][0] == "Branch" else []})


def _classes(items: list[dict[str, Any]]) -> list[list[str]]:
    """Of each first sentence, the classes of its pairs in the order in which they are handed out, and by number."""
    rules = dict(Unit.objects.values_list("pk", "rule"))
    orders = []
    for rows in (items, sorted(items, key=lambda item: item["unit"]["id"])):
        found: dict[str, list[str]] = {}
        for item in rows:
            tokens = item["unit"]["tokens"]
            found.setdefault(tokens[1], []).append(rules[item["unit"]["id"]])
        orders.append(["".join(some) for some in found.values()])
    return orders


def test_pairs_made_by_rule_come_in_no_order_of_their_classes(scene: Impli) -> None:
    ana, ben, cai, _dan = scene.people
    _marked(scene, ana)
    scene.defined(ben, DEFINED)
    scene.bring("pairs")
    items = scene.claim(cai, "validate", 20)
    assert len(items) == 3 * SENTENCES
    for orders in _classes(items):
        assert len(set(orders)) > 1


def test_what_was_written_of_a_sentence_comes_in_no_order_either(scene: Impli) -> None:
    ana, ben, cai, _dan = scene.people
    _marked(scene, ana)
    for item in scene.claim(ben, "rewrite", 20):
        scene.save(ben, item, {**REWRITTEN, "opposite": "Our branch had no responsibility."})
    for orders in _classes(scene.claim(cai, "validate", 20)):
        assert len(set(orders)) > 1


def test_files_of_one_class_each_are_mixed(scene: Impli) -> None:
    files: dict[str, str | bytes] = {
        f"manual_{name}.tsv": "".join(f"He {n} froze.\tHe {n} {said}.\t1\n" for n in range(8))
        for name, said in (("e", "stopped"), ("ne", "ran"))
    }
    load(scene.project, files, labels_as="none")
    eve = make_member(scene.project)
    said = [item["unit"]["tokens"][-1] for item in scene.claim(eve, "validate", 20)]
    assert sorted(said) == ["ran."] * 8 + ["stopped."] * 8
    assert said not in (sorted(said), sorted(said, reverse=True))
