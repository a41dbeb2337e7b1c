"""A crf that builds on another one: what the other knows and it has not seen itself still counts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from annotator.formats.text.tagged import TaggedSentence
from mlworkers.engines.base import EngineError
from mlworkers.engines.detectors.crf import BASE, CrfDetector
from mlworkers.engines.detectors.crf_training import MODELS, train_crf
from mlworkers.engines.registry import load_detector
from tests.mlworkers.detectors.test_crf import sentence

ODD = [[], ["🙂", "ok"], ["\u0301"], ["مرحبا"], ["\ud800"], ["word"] * 3_000]

# Of the two that the base knows, the model itself sees the first only.
SEEN, UNSEEN, ITS_OWN = "soared", "froze", "tapas"


def base_examples() -> list[TaggedSentence]:
    """What the base learns from: two words are labelled, whatever they stand with."""
    things = ["prices", "taxes", "costs", "rents", "wages", "rates", "bills", "fees"]
    found = []
    for thing in things:
        found += [sentence(f"The {thing} {word} again this year.", word) for word in (SEEN, UNSEEN)]
        found.append(sentence(f"We talked about {thing} with the mayor."))
    return found


def own_examples() -> list[TaggedSentence]:
    """What it learns from itself: the base is right where it says anything, and more is labelled."""
    found = []
    for dish in ["soup", "bread", "fish", "rice", "salad", "cake", "tea", "wine"]:
        found.append(sentence(f"The {dish} {SEEN} on the stove.", SEEN))
        found.append(sentence(f"We had {dish} and {ITS_OWN} there.", ITS_OWN))
        found.append(sentence(f"The {dish} was on the table."))
    return found


@pytest.fixture(scope="module")
def base() -> CrfDetector:
    return train_crf("en", base_examples(), provenance="own sentences")


@pytest.fixture(scope="module")
def trained(base: CrfDetector) -> CrfDetector:
    return train_crf("en", own_examples(), base=base)


def test_it_knows_what_its_base_knows_and_what_it_learnt(base: CrfDetector, trained: CrfDetector) -> None:
    tokens = ["The", "salaries", UNSEEN, "again", "and", "we", "had", "milk", "and", ITS_OWN, "there."]

    of_base, alone, both = (
        detector.predict([tokens])[0] for detector in (base, train_crf("en", own_examples()), trained)
    )

    unseen, own = tokens.index(UNSEEN), tokens.index(ITS_OWN)
    assert (max(of_base), max(alone)) == (of_base[unseen], alone[own])
    assert sorted(both)[-2:] == [both[unseen], both[own]]
    assert both[unseen] > 10 * alone[unseen]
    assert both[own] > 0.9


def test_saved_and_loaded_it_is_the_same_without_the_base_elsewhere(
    base: CrfDetector, trained: CrfDetector, tmp_path: Path
) -> None:
    trained.save(tmp_path / "model")

    loaded = load_detector(f"crf:{tmp_path / 'model'}", language="en")

    assert isinstance(loaded, CrfDetector)
    assert loaded.revision == trained.revision
    assert loaded.base is not None and loaded.base.revision == base.revision
    assert loaded.predict(ODD) == trained.predict(ODD)
    assert [len(row) for row in loaded.predict(ODD)] == [len(tokens) for tokens in ODD]


def test_the_base_is_part_of_the_revision(base: CrfDetector, trained: CrfDetector) -> None:
    alone = train_crf("en", own_examples())
    assert len({alone.revision, trained.revision, base.revision}) == 3
    assert trained.settings["base"] == base.revision
    assert train_crf("en", own_examples(), base=base).revision == trained.revision


def test_another_base_in_its_place_is_refused(trained: CrfDetector, tmp_path: Path) -> None:
    trained.save(tmp_path)
    shutil.rmtree(tmp_path / BASE)
    train_crf("en", own_examples()).save(tmp_path / BASE)
    with pytest.raises(EngineError, match="damaged or was changed by hand"):
        CrfDetector.load(tmp_path)


def test_a_missing_base_is_an_error_in_words(trained: CrfDetector, tmp_path: Path) -> None:
    trained.save(tmp_path)
    shutil.rmtree(tmp_path / BASE)
    with pytest.raises(EngineError, match="does not contain a crf model"):
        CrfDetector.load(tmp_path)


def test_settings_that_forget_the_base_are_refused(trained: CrfDetector, tmp_path: Path) -> None:
    trained.save(tmp_path)
    settings = json.loads((tmp_path / "model.json").read_text())
    del settings["base"]
    (tmp_path / "model.json").write_text(json.dumps(settings))
    with pytest.raises(EngineError, match="changed by hand"):
        CrfDetector.load(tmp_path)


def test_a_base_serves_one_language(base: CrfDetector, trained: CrfDetector) -> None:
    with pytest.raises(EngineError, match="base model is for “en”"):
        train_crf("es", own_examples(), base=base)
    with pytest.raises(EngineError, match="Train one without a base"):
        trained.for_language("es")


def test_progress_is_told_after_each_model() -> None:
    told: list[tuple[int, int]] = []
    train_crf("en", own_examples(), progress=lambda done, total: told.append((done, total)))
    assert told == [(done, MODELS) for done in range(1, MODELS + 1)]
