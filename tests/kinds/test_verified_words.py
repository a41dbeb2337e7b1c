"""The best word as most people wrote it, verified by an expert; and which labels are offered for another word."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest

from annotator.domain.labels.label_uses import LITERAL, replaceable_labels
from annotator.domain.labels.schemes import Scheme
from annotator.domain.labels.shipped_schemes import MIPVU, conceptual_domains
from annotator.models import Gold, Layer, Role, Unit
from tests.drafts import load
from tests.factories import make_gold, make_member, make_sentence, span, spans
from tests.kinds.munch import ONE, Munch

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(kept_rows: None) -> Munch:
    """Six adjudicators and one annotator; five people write a word."""
    scene = Munch(6, template="substitution-verified")
    scene.people.append(make_member(scene.project, Role.ANNOTATOR))
    scene.solve_trial(scene.people[6])
    return scene


@pytest.fixture
def scene(made: Munch, uploads: Path) -> Munch:
    return copy.deepcopy(made)


class TestVerifying:
    @pytest.mark.parametrize(
        ("written", "proposed"),
        [
            (("surge", "Surge", "rush", "tide", "flood"), ["surge"]),
            (("surge", "surge", "rush", "rush", "flood"), ["rush", "surge"]),
            (("surge", "rush", "tide", "flood", ""), []),
        ],
    )
    def test_the_expert_sees_how_often_each_word_was_written(
        self, scene: Munch, written: tuple[str, ...], proposed: list[str]
    ) -> None:
        load(scene.project, {"for_generation.csv": ONE})
        scene.write(*written)
        (item,) = scene.claim(scene.people[5], "verify-best", 20)
        words = [word.lower() for word in written if word]
        assert {one["word"]: one["count"] for one in item["proposals"]} == {word: words.count(word) for word in words}
        assert [one["count"] for one in item["proposals"]] == sorted(map(words.count, set(words)), reverse=True)
        assert item["proposed"] == proposed
        assert item["annotation"]["content"] == {"words": [], "none": False}, "nothing is chosen for them"
        assert not Gold.objects.exists()

    @pytest.mark.parametrize("content", [{"words": ["surge"], "none": False}, {"words": ["rush"], "none": False}])
    def test_what_the_expert_says_is_gold(self, scene: Munch, content: dict[str, object]) -> None:
        load(scene.project, {"for_generation.csv": ONE})
        scene.write("surge", "surge", "rush", "tide", "flood")
        scene.answer(scene.people[5], "verify-best", content)
        gold = Gold.objects.get()
        assert (gold.unit, gold.content) == (Unit.objects.get(kind="words"), content)
        assert gold.layer.slug == "best"

    def test_what_they_are_in_doubt_about_is_decided_by_an_adjudicator(self, scene: Munch) -> None:
        load(scene.project, {"for_generation.csv": ONE})
        scene.write("surge", "surge", "rush", "tide", "flood")
        (item,) = scene.claim(scene.people[5], "verify-best", 20)
        body = {"version": 0, "content": {"words": ["surge"], "none": False}, "done": True, "doubt": True}
        scene.call(scene.people[5], "post", f"assignments/{item['id']}/save/", body)
        assert not Gold.objects.exists()

    def test_annotators_verify_nothing(self, scene: Munch) -> None:
        load(scene.project, {"for_generation.csv": ONE})
        scene.write("surge", "surge", "rush", "tide", "flood")
        stage = scene.stage("verify-best")
        scene.call(scene.people[6], "post", f"stages/{stage.pk}/claim/", {"count": 1}, expect=403)

    def test_words_that_came_with_files_are_nobodys(self, scene: Munch) -> None:
        load(scene.project, {"for_generation.csv": ONE.replace("FICTION,", "FICTION,rush surge")})
        (item,) = scene.claim(scene.people[5], "verify-best", 20)
        assert [(one["word"], one["count"]) for one in item["proposals"]] == [("rush", 0), ("surge", 0)]
        assert item["proposed"] == []


class TestReplaceableLabels:
    @pytest.mark.parametrize(
        ("scheme", "labels"),
        [
            (Scheme(("METAPHOR",)), {"METAPHOR"}),
            (MIPVU, {"INDIRECT", "IMPLICIT"}),
            # As people type them, without what the shipped scheme knows of them.
            (Scheme(("INDIRECT", "DIRECT", "IMPLICIT", "MFLAG")), {"INDIRECT", "IMPLICIT"}),
            (conceptual_domains(), {"CONCEPTUAL"}),
            (Scheme(("FIGURATIVE", "LITERAL")), {"FIGURATIVE"}),
            (Scheme(("FIG", "PLAIN"), mappings={LITERAL: {"FIG": "", "PLAIN": "PLAIN"}}), {"FIG"}),
            # Of somebody else's scheme nothing is assumed.
            (Scheme(("DIRECT", "REPORTED")), {"DIRECT", "REPORTED"}),
        ],
    )
    def test_are_metaphors_that_are_not_meant_as_they_say(self, scheme: Scheme, labels: set[str]) -> None:
        assert replaceable_labels(scheme) == labels

    def test_under_mipvu_direct_metaphors_and_signals_are_not_offered(self, scene: Munch) -> None:
        Layer.objects.filter(pk=scene.project.label_layer.pk).update(scheme_data=MIPVU.to_json())
        first = make_sentence(scene.project, "Joy came like a wave", language="en")
        labels = [span(1, label="INDIRECT"), span(2, label="MFLAG"), span(4, label="DIRECT")]
        scene.answer(scene.people[0], "correct", spans(*labels))
        second = make_sentence(scene.project, "It ran like a river", language="en")
        make_gold(second, [span(1, label="INDIRECT"), span(2, label="MFLAG"), span(4, label="DIRECT")])
        found = scene.claim(scene.people[1], "substitute", 20)
        assert [item["marked"]["word"] for item in found] == ["came"]
        assert first.text == "Joy came like a wave"
