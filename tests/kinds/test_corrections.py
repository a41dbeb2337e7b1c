"""Corrections of what others wrote: they are texts that the writer could have written."""

from __future__ import annotations

from typing import Any

import pytest

from annotator.actions.errors import ActionError
from annotator.actions.gold import decide_gold
from annotator.models import Gold, Unit
from tests.drafts import load
from tests.kinds.impli.work import FIGURATIVE, REWRITTEN
from tests.kinds.impli.work import Scene as ImpliScene
from tests.kinds.impli.work import make_scene as make_impli
from tests.kinds.mabl.work import BLANKET
from tests.kinds.mabl.work import Scene as MablScene
from tests.kinds.mabl.work import make_scene as make_mabl

pytestmark = pytest.mark.django_db

BEGINNING = BLANKET["figurative"]
MEANING = BLANKET["literal"]
DEFINITION = "Our branch was left being responsible for everything ."


@pytest.fixture(scope="module")
def mabl(kept_rows: None) -> MablScene:
    """A pair was written."""
    scene = make_mabl()
    scene.written(scene.people[0])
    return scene


@pytest.fixture(scope="module")
def impli(kept_rows: None) -> ImpliScene:
    """A sentence was rewritten, and pairs were made by rule."""
    scene = make_impli()
    ana, ben, cai, _dan = scene.people
    scene.marked(ana)
    (item,) = scene.claim(ben, "rewrite")
    scene.answer(ben, item, REWRITTEN)
    scene.defined(cai)
    scene.bring("pairs")
    return scene


@pytest.mark.parametrize(
    ("texts", "why"),
    [
        ([BEGINNING[0], BEGINNING[0], *MEANING], "figurative sentences are the same"),
        ([*BEGINNING, MEANING[0], MEANING[0].upper()], "mean the same"),
        ([*BEGINNING, BEGINNING[0], MEANING[1]], "its meaning are the same"),
        ([BEGINNING[0], "A rusty saw speaks.", *MEANING], "do not begin alike"),
        ([*BEGINNING, MEANING[0], "…"], "Write both sentences"),
    ],
)
def test_a_correction_of_figurative_sentences_is_refused_as_when_it_is_written(
    mabl: MablScene, texts: list[str], why: str
) -> None:
    ben = mabl.people[1]
    (item,) = mabl.claim(ben, mabl.validate)
    body = {"version": item["annotation"]["version"], "content": {"verdict": "correct", "texts": texts}, "done": True}
    refused = mabl.send(ben, "post", f"assignments/{item['id']}/save/", body)
    assert refused.status_code == 400
    assert why in refused.json()["error"]["message"]
    assert mabl.send(ben, "post", f"assignments/{item['id']}/save/", {**body, "done": False}).status_code == 200


def _pair(hypothesis: str) -> Unit:
    (found,) = [unit for unit in Unit.objects.filter(kind="inference-pair", is_current=True) if hypothesis in unit.text]
    return found


def _decide(scene: ImpliScene, unit: Unit, texts: list[str], second: str = "yes") -> Gold:
    content: dict[str, Any] = {"verdict": "correct", "texts": texts, "second": second}
    layer = scene.stages["validate"].layer
    return decide_gold(project=scene.project, unit=unit.pk, layer=layer, version=0, content=content, by=scene.manager)


@pytest.mark.parametrize("hypothesis", [DEFINITION, REWRITTEN["paraphrase"]])
@pytest.mark.parametrize(
    ("texts", "why"),
    [
        ([FIGURATIVE, FIGURATIVE.replace(" .", "!")], "Both sentences have the same words"),
        ([FIGURATIVE.replace("Our", "Your"), DEFINITION.replace("Our", "Your")], "one of the corpus"),
    ],
)
def test_a_correction_of_a_pair_for_inference_is_refused_where_it_is_none(
    impli: ImpliScene, hypothesis: str, texts: list[str], why: str
) -> None:
    with pytest.raises(ActionError, match=why):
        _decide(impli, _pair(hypothesis), texts)


@pytest.mark.usefixtures("uploads")
def test_the_first_sentence_of_an_imported_pair_can_be_corrected() -> None:
    scene = make_impli("imported")
    load(scene.project, {"manual_e.tsv": "He kiked the bucket.\tHe died.\n"}, dataset="set", labels_as="none")
    unit = _pair("He died.")
    gold = _decide(scene, unit, ["He kicked the bucket.", "He died."])
    assert gold.content["texts"] == ["He kicked the bucket.", "He died."]
