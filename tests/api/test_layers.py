"""Two layers of labels on the same sentences: MIPVU and conceptual domains, each with stages of its own."""

from __future__ import annotations

import json
from typing import Any

import pytest

from annotator.core.errors import ActionError
from annotator.domain.labels.shipped_schemes import MIPVU, conceptual_domains
from annotator.models import Annotation, Event, Gold, Item, LemmaPlace, Role, Term, User
from annotator.releases.queries.exports import release_files
from annotator.reports.queries.agreement import agreement
from annotator.work.lexicon.actions.terms import MergeSummary, count_terms, merge_terms
from annotator.work.lexicon.queries.terms import vocabularies_of
from tests.clients import client_of
from tests.deciding import chosen_by_hand
from tests.factories import (
    make_gold,
    make_label_layer,
    make_member,
    make_sentence,
    spans,
)
from tests.scenarios import Scenario

pytestmark = pytest.mark.django_db


class Scene(Scenario):
    """MIPVU on the first layer of labels; `domains` has a layer of its own, with stages in both languages."""

    def __init__(self) -> None:
        super().__init__(people=0)
        main = self.project.label_layer
        main.scheme_data = MIPVU.to_json()
        main.save()
        self.layer = make_label_layer(self.project, "domains", conceptual_domains())
        self.text = self.sentence("La deuda crece sin freno")
        self.correct = self.stage("correct")
        self.domains = self.add_stage("correct", layer="domains", answers_wanted=2)
        self.english = self.add_stage("correct", "en", layer="domains")
        self.judge = self.add_stage("adjudicate", layer="domains")
        self.ana: User = make_member(self.project, Role.MANAGER, "ana")
        self.ben: User = make_member(self.project, Role.ADJUDICATOR, "ben")

    def terms(self) -> dict[str, int]:
        found = self.call(self.ben, "get", "layers/domains/terms/?attribute=source")["terms"]
        return {one["term"]: one["uses"] for one in found}


def domain(source: str, *tokens: int, target: str = "DEBT") -> dict[str, Any]:
    attributes = {"source": source, "target": target}
    return {"tokens": list(tokens), "label": "CONCEPTUAL", "attributes": attributes, "score": None}


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_from_claim_to_release_in_a_further_layer(scene: Scene) -> None:
    implicit = {"tokens": [], "label": "IMPLICIT", "attributes": {"borderline": "WIDLII"}, "score": None}
    scene.answer(scene.ana, scene.correct, spans(implicit, {"tokens": [2], "label": "INDIRECT"}))
    covered = list(LemmaPlace.objects.filter(labelled=True).values_list("index", flat=True))
    # Units of this layer overlap each other, and those of the other one.
    scene.answer(scene.ana, scene.domains, spans(domain("PLANT", 2), domain("VEHICLE", 2, 3, 4)))
    scene.answer(scene.ben, scene.domains, spans(domain("PLANT", 2), domain("MOTION", 2, 3, 4)))

    assert list(LemmaPlace.objects.filter(labelled=True).values_list("index", flat=True)) == covered == [2]
    assert Annotation.objects.filter(user=scene.ana).count() == 2
    by_label = agreement(scene.project, a=scene.ana, b=scene.ben, layer="domains")
    by_domain = agreement(scene.project, a=scene.ana, b=scene.ben, layer="domains", dimension="attributes")
    assert by_label.overall.kappa.observed == 1
    assert by_domain.overall.kappa.observed == 2 / 5
    queue = scene.call(scene.ben, "get", f"stages/{scene.judge.pk}/adjudicate/")
    (waiting,) = queue["items"]
    assert [span["attributes"]["source"] for span in waiting["shared"]["spans"]] == ["PLANT"]
    decided = spans(domain("PLANT", 2), domain("CAR", 2, 3, 4))
    body = {"layer": "domains", "version": 0, "content": decided, "reason": "sin freno"}
    body["chosen"] = chosen_by_hand(waiting)
    scene.call(scene.ben, "post", f"units/{scene.text.pk}/gold/", body)
    make_gold(scene.text, [implicit])

    release = release_files(scene.project, partial=True)
    (line,) = release.files["layers/domains.jsonl"].decode().splitlines()
    assert json.loads(line)["content"] == decided
    assert release.manifest["project"]["layers"]["domains"] == conceptual_domains().to_json()
    (line,) = release.files["sentences.jsonl"].decode().splitlines()
    assert json.loads(line)["spans"] == [implicit]
    # The main layer is what it was.
    assert scene.project.label_layer.slug == "labels"
    assert Item.objects.get(stage=scene.correct).state == "decided"


def test_every_sentence_is_in_a_further_layers_stage_whatever_the_language(scene: Scene) -> None:
    english = make_sentence(scene.project, "The debt grows", language="en", segment=scene.text.segment)
    assert Item.objects.filter(stage=scene.english, unit=english).exists()


def test_the_vocabulary_grows_with_saves_and_shrinks_with_undo(scene: Scene) -> None:
    scene.answer(scene.ana, scene.domains, spans(domain("PLANT", 2), domain("PLANT", 3)))
    assert scene.terms() == {"PLANT": 2}
    item = scene.call(scene.ana, "get", f"stages/{scene.domains.pk}/items/?state=done")["results"][0]
    scene.call(scene.ana, "post", f"assignments/{item['id']}/undo/", {"version": 1})
    # It was a word of the project's once: it is still offered.
    assert scene.terms() == {"PLANT": 0}
    assert scene.call(scene.ana, "get", "layers/domains/terms/?attribute=colour", expect=400)
    assert scene.call(scene.ana, "get", "layers/nothing/terms/?attribute=source", expect=404)
    assert Term.objects.filter(layer=scene.project.label_layer).count() == 0


def test_terms_are_offered_by_their_use_elsewhere_than_in_the_item_at_hand(scene: Scene) -> None:
    """Whoever labels the same sentence is not told which term the other one chose there."""
    other = make_sentence(scene.project, "La deuda crece")
    content, layer = spans(domain("GROWTH", 2), domain("PLANT", 2)), scene.domains.layer
    Annotation.objects.create(project=scene.project, unit=other, layer=layer, user=scene.ana, content=content)
    count_terms(layer, None, content)
    scene.answer(scene.ana, scene.domains, spans(domain("PLANT", 2), domain("VEHICLE", 3)))
    path = "layers/domains/terms/?attribute=source"
    told = scene.call(scene.ben, "get", f"{path}&unit={scene.text.pk}")["terms"]
    assert told == [{"term": "GROWTH", "uses": 1}, {"term": "PLANT", "uses": 1}]
    assert scene.terms() == {"PLANT": 2, "GROWTH": 1, "VEHICLE": 1}
    scene.call(scene.ben, "get", f"{path}&unit=none", expect=400)


def test_two_terms_become_one_in_answers_and_gold_as_one_act(scene: Scene) -> None:
    scene.answer(scene.ana, scene.domains, spans(domain("Journey", 2)))
    scene.answer(scene.ben, scene.domains, spans(domain("JOURNEY", 2, target="Journey")))
    Gold.objects.create(
        project=scene.project,
        unit=make_sentence(scene.project),
        layer=scene.layer,
        content=spans(domain("Journey", 0)),
        source="imported",
    )
    (vocabulary, _target) = vocabularies_of(scene.layer)
    assert [[term.text for term in group] for group in vocabulary.alike] == [["JOURNEY", "Journey"]]
    assert Item.objects.get(stage=scene.judge).state == "free"

    summary = merge_terms(
        project=scene.project, layer=scene.layer, attribute="source", term="Journey", into="JOURNEY", by=scene.ana
    )

    assert summary == MergeSummary(annotations=1, spans=1, golds=1)
    assert scene.terms() == {"JOURNEY": 2}
    rows = {row.user: row for row in Annotation.objects.all()}
    assert rows[scene.ana].content == spans(domain("JOURNEY", 2))
    assert (rows[scene.ana].version, rows[scene.ben].version) == (2, 1)
    # The other attribute is another vocabulary.
    assert rows[scene.ben].content == spans(domain("JOURNEY", 2, target="Journey"))
    assert Gold.objects.get().content == spans(domain("JOURNEY", 0))
    (act,) = Event.objects.filter(verb="terms.merged")
    events = Event.objects.filter(operation=act.operation)
    assert sorted(events.values_list("verb", flat=True)) == [
        "annotation.terms_merged",
        "gold.terms_merged",
        "terms.merged",
    ]
    assert act.after == {"term": "JOURNEY", "annotations": 1, "spans": 1, "golds": 1}


def test_managers_merge_terms_by_a_call(scene: Scene) -> None:
    scene.answer(scene.ana, scene.domains, spans(domain("Journey", 2)))
    scene.answer(scene.ben, scene.domains, spans(domain("JOURNEY", 2)))
    manager = client_of(make_member(scene.project, "manager"))
    address = f"/api/v1/projects/{scene.project.slug}/layers/{scene.layer.slug}/terms/merge/"
    asked = {"attribute": "source", "term": "Journey", "into": "JOURNEY"}
    assert client_of(make_member(scene.project)).post(address, asked).status_code == 403
    assert manager.post(address, asked).json() == {"annotations": 1, "spans": 1, "golds": 0}
    assert scene.terms() == {"JOURNEY": 2}
    # It is gone.
    assert manager.post(address, asked).status_code == 400


def test_who_differed_by_two_terms_alone_agrees_when_they_are_one(scene: Scene) -> None:
    scene.answer(scene.ana, scene.domains, spans(domain("Journey", 2)))
    scene.answer(scene.ben, scene.domains, spans(domain("JOURNEY", 2)))
    before = Item.objects.get(stage=scene.judge)

    merge_terms(
        project=scene.project, layer=scene.layer, attribute="source", term="Journey", into="JOURNEY", by=scene.ana
    )

    after = Item.objects.get(stage=scene.judge)
    assert (before.state, after.state) == ("free", "void")


def test_merging_is_refused_for_terms_that_are_not_there(scene: Scene) -> None:
    scene.answer(scene.ana, scene.domains, spans(domain("PLANT", 2)))
    before = list(Annotation.objects.values())
    for term, into in (("PLANT", "TREE"), ("TREE", "PLANT"), ("PLANT", "PLANT")):
        with pytest.raises(ActionError):
            merge_terms(
                project=scene.project, layer=scene.layer, attribute="source", term=term, into=into, by=scene.ana
            )
    assert list(Annotation.objects.values()) == before
    assert scene.terms() == {"PLANT": 1}


def test_what_no_scheme_allows_is_refused_over_the_api(scene: Scene) -> None:
    for label, attributes in (("INDIRECT", {}), ("IMPLICIT", {"borderline": "perhaps"})):
        content = spans({"tokens": [], "label": label, "attributes": attributes, "score": None})
        answer = scene.answer(scene.ana, scene.correct, content, expect=400)
        assert answer["error"]["message"].endswith(".")
        Annotation.objects.all().delete()
    assert not Annotation.objects.exists()
