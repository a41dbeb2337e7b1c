"""Corrections of what others wrote: they are texts that the writer could have written."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from annotator.core.errors import ActionError
from annotator.models import Gold, Role, Unit
from annotator.releases.queries.exports import release_files
from annotator.releases.queries.release_parts import PARTS
from annotator.reports.queries.tables import FURTHER
from tests.deciding import decide_gold
from tests.drafts import load
from tests.factories import make_member
from tests.kinds.impli.work import FIGURATIVE, REWRITTEN, Impli
from tests.protocols.mabl.work import BLANKET, Mabl

pytestmark = pytest.mark.django_db

BEGINNING = BLANKET["figurative"]
MEANING = BLANKET["literal"]
DEFINITION = "Our branch was left responsible for everything ."


@pytest.fixture(scope="module")
def mabl(kept_rows: None) -> Mabl:
    """A pair was written."""
    scene = Mabl()
    scene.written(scene.people[0])
    return scene


@pytest.fixture(scope="module")
def impli(kept_rows: None) -> Impli:
    """A sentence was rewritten, and pairs were made by rule."""
    scene = Impli()
    ana, ben, cai, _dan = scene.people
    scene.marked(ana)
    (item,) = scene.claim(ben, "rewrite")
    scene.save(ben, item, REWRITTEN)
    scene.defined(cai)
    scene.bring("pairs")
    return scene


@pytest.mark.parametrize(
    ("texts", "why"),
    [
        ([BEGINNING[0], BEGINNING[0], *MEANING], "figurative sentences are the same"),
        ([*BEGINNING, MEANING[0], MEANING[0].upper()], "mean the same"),
        ([*BEGINNING, BEGINNING[0], MEANING[1]], "its meaning are the same"),
        ([BEGINNING[0], "A rusty saw speaks.", *MEANING], "start differently"),
        ([*BEGINNING, MEANING[0], "…"], "Write both sentences"),
    ],
)
def test_a_correction_of_figurative_sentences_is_refused_as_when_it_is_written(
    mabl: Mabl, texts: list[str], why: str
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


def _decide(scene: Impli, unit: Unit, texts: list[str], second: str = "yes") -> Gold:
    content: dict[str, Any] = {"verdict": "correct", "texts": texts, "second": second}
    layer = scene.stage("validate").layer
    return decide_gold(unit=unit.pk, layer=layer, content=content, by=scene.manager)


@pytest.mark.parametrize("hypothesis", [DEFINITION, REWRITTEN["paraphrase"]])
@pytest.mark.parametrize(
    ("texts", "why"),
    [
        ([FIGURATIVE, FIGURATIVE.replace(" .", "!")], "Both sentences have the same words"),
        ([FIGURATIVE.replace("Our", "Your"), DEFINITION.replace("Our", "Your")], "from the corpus"),
    ],
)
def test_a_correction_of_a_pair_for_inference_is_refused_where_it_is_none(
    impli: Impli, hypothesis: str, texts: list[str], why: str
) -> None:
    with pytest.raises(ActionError, match=why):
        _decide(impli, _pair(hypothesis), texts)


@pytest.mark.usefixtures("uploads")
def test_the_first_sentence_of_an_imported_pair_can_be_corrected() -> None:
    scene = Impli("imported")
    load(scene.project, {"manual_e.tsv": "He kiked the bucket.\tHe died.\n"}, dataset="set", labels_as="none")
    unit = _pair("He died.")
    gold = _decide(scene, unit, ["He kicked the bucket.", "He died."])
    assert gold.content["texts"] == ["He kicked the bucket.", "He died."]


def _judged(scene: Impli, hypothesis: str, verdict: Any, **more: Any) -> None:
    """Two people who wrote nothing say the same of the pair."""
    ana, _ben, _cai, dan = scene.people
    for person in (ana, dan):
        (item,) = [one for one in scene.claim(person, "validate", 20) if hypothesis in " ".join(one["unit"]["tokens"])]
        scene.save(person, item, verdict, **more)


def test_a_pair_by_rule_goes_out_as_it_was_corrected(impli: Impli) -> None:
    scene = copy.deepcopy(impli)
    corrected = "Our branch was left to be responsible for everything."
    dataset = Unit.objects.filter(kind="sentence").values_list("segment__dataset", flat=True).distinct().get()
    _judged(scene, DEFINITION, {"verdict": "correct", "texts": [FIGURATIVE, corrected], "second": "yes"})
    _judged(scene, "nursing a newborn", {"verdict": "correct", "texts": [FIGURATIVE, "We nurse."], "second": "yes"})
    _judged(scene, "My aunt was responsible", {"verdict": "reject", "reason": "incoherent", "second": "no"})
    found = PARTS["impli"].compute(scene.project)
    assert {path: data.decode() for path, data in found.files.items()} == {
        f"impli/en/fig_context_{dataset}_e.tsv": f"{FIGURATIVE}\t{corrected}\t\n"
    }
    assert {str(one.reason) for one in found.left_out if one.kind == "pair"} == {
        "label found wrong", "rejected: incoherent", "no gold in en",
    }  # fmt: skip
    assert "1 is as corrected" in found.about["impli/"]
    (row,) = [row for row in FURTHER["pair-classes"].compute(scene.project).rows if row["name"] == "fig_context"]
    assert (row["entailed"], row["corrected"]) == (1, 1)


@pytest.mark.usefixtures("uploads")
@pytest.mark.parametrize("with_valid", [False, True])
def test_an_imported_figurative_pair_goes_out_as_it_was_corrected(with_valid: bool) -> None:
    """Its other rows stay as they were, byte for byte."""
    scene = Mabl(slug="figures-in-files")
    make_member(scene.project, Role.MANAGER)
    more, valid = (",valid", ",1") if with_valid else ("", "")
    rows = [
        f"startphrase,ending1,ending2,labels{more}",
        f"The hut was a palace.,It is splendid.,It is shabby.,0{valid}",
        f"The hut was a pallet.,It is splendid.,It is shabby.,1{valid}",
        f"His purse is a well.,He is rich.,He is poor.,0{valid}",
        f"His purse is a hole.,He is rich.,He is poor.,1{valid}",
    ]
    load(scene.project, {"en.csv": "".join(f"{row}\n" for row in rows)}, dataset="set", labels_as="none")
    texts = ["The hut was a palace.", "The hut was a barn.", "It is splendid.", "It is shabby."]
    for person in scene.people[:2]:
        for item in scene.claim(person, scene.validate, 2):
            is_hut = "hut" in item["unit"]["tokens"]
            scene.save(person, item, {"verdict": "correct", "texts": texts} if is_hut else {"verdict": "accept"})
    found = PARTS["mabl"].compute(scene.project)
    rows[2] = rows[2].replace("pallet", "barn")
    assert found.files["mabl/set/en.csv"].decode() == "".join(f"{row}\n" for row in rows)
    assert found.left_out == ()
    (row,) = FURTHER["mabl-samples"].compute(scene.project).rows
    assert (row["pairs"], row["accepted"], row["corrected"], row["rejected"]) == (2, 1, 1, 0)
    release = release_files(scene.project, partial=False)
    assert "1 is as corrected in validation" in release.files["README.md"].decode()
