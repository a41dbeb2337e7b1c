"""The crf detector: trained in the test on own sentences, and as shipped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotator.formats.text.tagged import TaggedSentence, read_tagged
from bench.reliability import calibration_error, reliability
from mlworkers.engines.base import EngineError
from mlworkers.engines.detectors.crf import CrfDetector
from mlworkers.engines.detectors.crf_training import train_crf
from mlworkers.engines.evaluation.scores import evaluate_tagged
from mlworkers.engines.registry import load_detector
from tests.corpora import META4XNLI, needs_meta4xnli


def sentence(text: str, *labelled: str, label: str = "METAPHOR") -> TaggedSentence:
    tokens = tuple(text.split())
    return TaggedSentence(tokens, tuple(f"B-{label}" if token in labelled else "O" for token in tokens))


def examples() -> list[TaggedSentence]:
    things = ["prices", "taxes", "costs", "rents", "wages", "rates", "bills", "fees"]
    found = []
    for thing in things:
        found.append(sentence(f"The {thing} exploded again this year.", "exploded"))
        found.append(sentence(f"The {thing} were paid again this year."))
        found.append(sentence(f"We talked about {thing} with the mayor."))
    return found


@pytest.fixture(scope="module")
def trained() -> CrfDetector:
    return train_crf("en", examples(), examples()[:9], provenance="own sentences")


@pytest.fixture(scope="module", params=["es", "en"])
def shipped(request: pytest.FixtureRequest) -> CrfDetector:
    detector = load_detector("crf", language=request.param)
    assert isinstance(detector, CrfDetector)
    return detector


def test_learns_which_words_are_labelled(trained: CrfDetector) -> None:
    detector = trained
    tokens = ["The", "salaries", "exploded", "again."]
    [row] = detector.predict([tokens])
    assert row.index(max(row)) == 2
    assert row[2] >= detector.threshold > max(row[:2] + row[3:])


def test_records_what_it_was_trained_on(trained: CrfDetector) -> None:
    training = trained.settings["training"]
    assert training["sentences"] == 24
    assert training["labelled_tokens"] == 8
    assert training["provenance"] == "own sentences"
    assert trained.settings["dev"]["f1"] == 100.0
    assert trained.settings["label"] == "METAPHOR"


def test_is_the_same_every_time(trained: CrfDetector) -> None:
    again = train_crf("en", examples(), examples()[:9], provenance="own sentences")
    assert again.weights == trained.weights
    assert again.settings == trained.settings
    sentences = [example.tokens for example in examples()]
    assert again.predict(sentences) == trained.predict(sentences)


def test_saved_model_predicts_the_same(trained: CrfDetector, tmp_path: Path) -> None:
    trained.save(tmp_path / "new" / "folder")
    loaded = CrfDetector.load(tmp_path / "new" / "folder")
    sentences = [example.tokens for example in examples()]
    assert loaded.predict(sentences) == trained.predict(sentences)
    assert (loaded.revision, loaded.threshold, loaded.label) == (
        trained.revision,
        trained.settings["threshold"],
        "METAPHOR",
    )


def test_threshold_is_part_of_the_revision(trained: CrfDetector, tmp_path: Path) -> None:
    trained.save(tmp_path)
    settings = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))
    settings["threshold"] = 0.99
    (tmp_path / "model.json").write_text(json.dumps(settings), encoding="utf-8")
    with pytest.raises(EngineError, match="changed by hand"):
        CrfDetector.load(tmp_path)


def test_damaged_weights_are_refused_before_crfsuite_sees_them(trained: CrfDetector, tmp_path: Path) -> None:
    trained.save(tmp_path)
    weights = tmp_path / "model.crfsuite"
    weights.write_bytes(weights.read_bytes()[:-100])
    with pytest.raises(EngineError, match="damaged"):
        CrfDetector.load(tmp_path)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": 99}'])
def test_unreadable_settings_are_an_error_in_words(trained: CrfDetector, tmp_path: Path, content: str) -> None:
    trained.save(tmp_path)
    (tmp_path / "model.json").write_text(content, encoding="utf-8")
    with pytest.raises(EngineError, match=r"model\.json"):
        CrfDetector.load(tmp_path)


def test_missing_folder_is_an_error_in_words(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="train_detector"):
        CrfDetector.load(tmp_path / "nowhere")


def test_nothing_labelled_cannot_be_learnt() -> None:
    with pytest.raises(EngineError, match="nothing to learn"):
        train_crf("en", [sentence("Nothing here.")], [])
    with pytest.raises(EngineError, match="0 training sentences"):
        train_crf("en", [], [])


def test_several_labels_need_a_name() -> None:
    mixed = [sentence("The prices exploded.", "exploded."), sentence("What a joke.", "joke.", label="IRONY")]
    with pytest.raises(EngineError, match="IRONY, METAPHOR"):
        train_crf("en", mixed, mixed)
    assert train_crf("en", mixed, mixed, label="FIGURE").label == "FIGURE"


def test_threshold_and_calibration_come_from_the_training_sentences_alone(trained: CrfDetector) -> None:
    other_dev = train_crf("en", examples(), [sentence("Nothing here.")], provenance="own sentences")
    without = train_crf("en", examples(), provenance="own sentences")
    assert without.revision == other_dev.revision == trained.revision
    assert "dev" not in without.settings
    assert other_dev.settings["dev"]["labelled_tokens"] == 0
    assert without.settings["cross_validation"] == {"folds": 4, "precision": 100.0, "recall": 100.0, "f1": 100.0}


def test_the_draw_of_the_parts_is_reproducible() -> None:
    mixed = [*examples(), *(sentence(f"They {verb} the plan.", verb) for verb in ("attacked", "buried", "killed"))]
    assert train_crf("en", mixed, seed=3).settings == train_crf("en", mixed, seed=3).settings
    # The weights are of all sentences, whatever the parts.
    assert train_crf("en", mixed, seed=3).weights == train_crf("en", mixed, seed=4).weights


def test_one_labelled_sentence_gives_a_model_without_calibration() -> None:
    only = train_crf("en", [sentence("The prices exploded.", "exploded."), sentence("The dog sleeps.")])
    assert only.settings["cross_validation"]["folds"] == 0
    assert only.settings["calibration"] == {"a": 1.0, "b": 1.0, "c": 0.0}
    assert only.settings["threshold"] == 0.5


def test_two_labelled_sentences_are_enough_for_parts() -> None:
    two = [sentence("The prices exploded.", "exploded."), sentence("The rents exploded.", "exploded.")]
    model = train_crf("en", [*two, sentence("The dog sleeps.")])
    assert model.settings["cross_validation"]["folds"] == 2
    assert model.predict([["The", "fees", "exploded."]])[0][2] >= model.settings["threshold"]


def test_learns_from_another_language_alone() -> None:
    model = train_crf("es", (), others={"en": examples()})
    assert model.settings["training"]["languages"] == ["en"]
    detector = model
    assert detector.language == "es"
    [row] = detector.predict([["Prices", "exploded", "hoy."]])
    assert row.index(max(row)) == 1


def test_a_model_can_be_tried_in_another_language_under_another_revision(trained: CrfDetector) -> None:
    spanish = trained.for_language("es")
    assert (spanish.language, trained.language) == ("es", "en")
    assert spanish.revision != trained.revision
    assert trained.for_language("en").revision == trained.revision
    [row] = spanish.predict([["Prices", "exploded", "hoy."]])
    assert row.index(max(row)) == 1


def test_sentences_of_the_language_among_the_others_are_learnt_from(trained: CrfDetector) -> None:
    halves = train_crf("en", examples()[:12], others={"en": examples()[12:]}, provenance="own sentences")
    assert halves.weights == trained.weights


def test_calibration_is_part_of_the_revision_and_keeps_the_order(trained: CrfDetector) -> None:
    settings = {**trained.settings, "calibration": {"a": 0.5, "b": 0.25, "c": -1.0}}
    sentences = [example.tokens for example in examples()]
    before = [value for row in trained.predict(sentences) for value in row]
    after = [value for row in CrfDetector(trained.weights, settings).predict(sentences) for value in row]
    assert before != after
    assert sorted(range(len(before)), key=before.__getitem__) == sorted(range(len(after)), key=after.__getitem__)


def test_changed_calibration_is_refused(trained: CrfDetector, tmp_path: Path) -> None:
    trained.save(tmp_path)
    settings = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))
    settings["calibration"]["a"] = 0.7
    (tmp_path / "model.json").write_text(json.dumps(settings), encoding="utf-8")
    with pytest.raises(EngineError, match="changed by hand"):
        CrfDetector.load(tmp_path)


# wordfreq has lists for Chinese, Japanese and Korean, but not what it splits their texts with.
@pytest.mark.parametrize("language", ["eu", "zh", "ja", "ko"])
def test_a_language_without_lemmas_and_frequencies_works_and_says_so(language: str) -> None:
    trained = train_crf(language, examples(), examples())
    assert trained.settings["features"]["lemmas"] is False
    assert trained.settings["features"]["frequencies"] is False
    assert trained.settings["dev"]["f1"] == 100.0


def test_model_of_other_features_is_refused(trained: CrfDetector) -> None:
    settings = {**trained.settings, "features": {"version": 0}}
    with pytest.raises(EngineError, match="Train it again"):
        CrfDetector(trained.weights, settings)


def test_no_sentences_no_rows(shipped: CrfDetector) -> None:
    assert shipped.predict([]) == []
    assert shipped.predict([[]]) == [[]]


def test_sentences_do_not_influence_each_other(shipped: CrfDetector) -> None:
    sentences = [example.tokens for example in examples()]
    assert shipped.predict(sentences) == [shipped.predict([tokens])[0] for tokens in sentences]


@pytest.mark.parametrize(
    ("language", "text", "labelled"),
    [
        ("es", "El gobierno abordó el problema con firmeza.", "abordó"),
        ("es", "La empresa atraviesa una etapa difícil.", "atraviesa"),
        ("en", "They fought for their rights.", "fought"),
        ("en", "The company is facing a difficult stage.", "facing"),
    ],
)
def test_shipped_models_find_common_metaphors(language: str, text: str, labelled: str) -> None:
    detector = load_detector("crf", language=language)
    tokens = text.split()
    [row] = detector.predict([tokens])
    assert tokens[row.index(max(row))] == labelled
    assert max(row) >= detector.threshold


def test_shipped_models_name_their_revision_and_source(shipped: CrfDetector) -> None:
    assert shipped.label == "METAPHOR"
    assert len(shipped.revision) == 12
    assert 0 < shipped.threshold < 1
    assert "Meta4XNLI" in shipped.settings["training"]["provenance"]


@needs_meta4xnli
@pytest.mark.parametrize(("language", "least"), [("es", 52), ("en", 48)])
def test_shipped_models_are_as_good_as_promised_on_dev(language: str, least: float) -> None:
    dev = read_tagged(META4XNLI / "detection" / "splits" / language / "meta4xnli_dev.tsv").sentences
    detector = load_detector("crf", language=language)
    result = evaluate_tagged(detector, dev).tokens
    assert result.f1 >= least
    assert result.tokens_per_second > 3000
    assert isinstance(detector, CrfDetector)
    recorded = detector.settings["dev"]
    assert (result.precision, result.recall, result.f1) == (recorded["precision"], recorded["recall"], recorded["f1"])


@needs_meta4xnli
@pytest.mark.parametrize("language", ["es", "en"])
def test_shipped_probabilities_mean_what_they_say_on_dev(language: str) -> None:
    dev = read_tagged(META4XNLI / "detection" / "splits" / language / "meta4xnli_dev.tsv").sentences
    rows = load_detector("crf", language=language).predict([item.tokens for item in dev])
    values = [value for row in rows for value in row]
    labelled = [tag != "O" for item in dev for tag in item.tags]
    bands = reliability(values, labelled, [0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert calibration_error(bands) < 0.5
    for band in bands:
        # Twice the standard error of a share, and what another sample of sentences can shift it by.
        allowed = 2 * (band.mean * (1 - band.mean) / band.tokens) ** 0.5 + 0.03
        assert band.share == pytest.approx(band.mean, abs=allowed), band
