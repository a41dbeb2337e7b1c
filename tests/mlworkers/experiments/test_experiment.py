"""Experiments: read, refused, trained, measured, put in tables."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from annotator.formats.text.tagged import TaggedSentence, write_tagged
from mlworkers.engines.base import EngineError
from mlworkers.engines.checkpoints import content_hash
from mlworkers.engines.evaluation.scores import Report
from mlworkers.experiments.experiment import Experiment
from mlworkers.experiments.reading import read_experiment
from mlworkers.experiments.running import Row, run
from mlworkers.experiments.tables import as_json, as_markdown, as_text
from tests.corpora import REPOSITORY
from tests.mlworkers.checkpoints import NEEDS_EXTRA, make_checkpoint

THINGS = {"en": ["prices", "taxes", "costs", "rents", "wages"], "es": ["precios", "tasas", "costes", "rentas", "bonos"]}
CLAUSES = {"en": ("explode again", "were paid"), "es": ("explode otra", "se pagan")}

HEAD = """
title = "Own sentences"
engine = "crf"
seeds = [1, 2]
[sets.es]
name = "Own"
language = "es"
files = ["es.tsv"]
[sets.es-test]
name = "Test"
language = "es"
files = ["es-test.tsv"]
[sets.en]
name = "Own"
language = "en"
files = ["en.tsv"]
"""
MONOLINGUAL = """
[[runs]]
setting = "monolingual"
train = ["es"]
test = ["es-test"]
"""


def corpus(language: str, things: list[str]) -> str:
    labelled, plain = CLAUSES[language]
    sentences = []
    for thing in things:
        tokens = (thing, *labelled.split())
        sentences.append(TaggedSentence(tokens, ("O", "B-METAPHOR", "O")))
        tokens = (thing, *plain.split())
        sentences.append(TaggedSentence(tokens, ("O",) * len(tokens)))
    return write_tagged(sentences)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for language, things in THINGS.items():
        (tmp_path / f"{language}.tsv").write_text(corpus(language, things), encoding="utf-8")
    (tmp_path / "es-test.tsv").write_text(corpus("es", ["precios", "salarios"]), encoding="utf-8")
    return tmp_path


def read(folder: Path, text: str) -> Experiment:
    path = folder / "experiment.toml"
    path.write_text(text, encoding="utf-8")
    return read_experiment(path)


def test_measures_every_run_over_the_seeds_and_counts_what_is_on_both_sides(folder: Path) -> None:
    said: list[str] = []
    [row] = run(read(folder, HEAD + MONOLINGUAL), said.append)

    assert [line.split(":")[0] for line in said] == ["Own (es), seed 1", "Own (es), seed 2"]
    assert list(row.reports) == [1, 2]
    assert (row.mean("f1"), row.deviation("f1"), row.mean("span_f1")) == (100.0, 0.0, 100.0)
    assert (row.mean("labelled_in_training_f1"), row.mean("not_labelled_in_training_f1")) == (100.0, 0.0)
    assert (row.mean("in_vocabulary_f1"), row.mean("out_of_vocabulary_f1")) == (100.0, 0.0)
    assert row.repeated == 2


def test_mean_and_standard_deviation_are_those_of_the_seeds(folder: Path) -> None:
    [row] = run(read(folder, HEAD + MONOLINGUAL))
    first, second = row.reports.values()
    changed = Row(row.setting, row.train, row.test, {1: first, 2: _with_f1(second, 90.0)}, 0)
    assert changed.mean("f1") == 95.0
    assert changed.deviation("f1") == pytest.approx(7.07)
    alone = Row(row.setting, row.train, row.test, {1: first}, 0)
    assert alone.deviation("f1") is None


def _with_f1(report: Report, f1: float) -> Report:
    return replace(report, tokens=replace(report.tokens, f1=f1))


def test_all_four_settings_and_one_training_for_runs_on_the_same_sets(folder: Path) -> None:
    more = """
[[runs]]
setting = "cross-domain"
train = ["es"]
test = ["es-test"]
[[runs]]
setting = "zero-shot"
train = ["en"]
test = ["es-test", "es"]
[[runs]]
setting = "multilingual"
train = ["es", "en"]
test = ["es-test", "en"]
"""
    said: list[str] = []
    rows = run(read(folder, HEAD.replace("[1, 2]", "[7]") + MONOLINGUAL + more), said.append)

    assert [row.setting for row in rows] == [
        "monolingual", "cross-domain", "zero-shot", "zero-shot", "multilingual", "multilingual",
    ]  # fmt: skip
    assert len(said) == 3
    assert rows[0].reports == rows[1].reports
    # "explode" is spelt alike in both languages.
    assert rows[2].mean("recall") == 100.0
    assert rows[5].test.language == "en"


def test_tables_say_the_same_three_ways(folder: Path) -> None:
    experiment = read(folder, HEAD + MONOLINGUAL)
    rows = run(experiment)

    text, markdown = as_text(experiment, rows), as_markdown(experiment, rows)
    [row] = json.loads(json.dumps(as_json(experiment, rows)))["rows"]

    for table in (text, markdown):
        assert "100.00 ± 0.00" in table
        assert "Own (es)" in table and "Test (es)" in table
        assert "2 sentences are both in Own (es) and in Test (es)." in table
        assert "Mean and standard deviation over 2 seeds" in table
    assert len({line.count("|") for line in markdown.splitlines() if line.startswith("|")}) == 1
    assert row["mean"]["f1"] == 100.0
    assert row["standard_deviation"]["f1"] == 0.0
    assert row["test"] == {"name": "Test", "language": "es"}
    assert [report["seed"] for report in row["reports"]] == [1, 2]
    assert row["reports"][0]["spans"]["f1"] == 100.0
    assert row["test_sentences_in_training"] == 2


def test_an_engine_that_cannot_be_trained_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r'cannot train the engine "bert".*crf, transformers'):
        read(tmp_path, (HEAD + MONOLINGUAL).replace('"crf"', '"bert"'))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("title =", "title", "is not TOML"),
        ('title = "Own sentences"', "", "title of the file: expected a text"),
        ("seeds = [1, 2]", 'seeds = "1"', "seeds: expected a list of whole numbers"),
        ("seeds = [1, 2]", "seeds = [true]", "seeds: expected a list of whole numbers"),
        ("seeds = [1, 2]", "epochs = 3", "the file: expected only .*, not epochs"),
        ('files = ["en.tsv"]', "", r"files of \[sets\.en\]: expected a list of texts"),
        ('test = ["es-test"]', 'test = ["fr"]', 'test of run 1: expected names of sets .*, not "fr"'),
        ('"monolingual"', '"few-shot"', "setting of run 1: expected one of monolingual, cross-domain"),
        ('train = ["es"]', 'train = ["en"]', "training in the language of the test only, since it is monolingual"),
        ('"monolingual"', '"zero-shot"', "no training in the language of the test, since it is zero-shot"),
        ('"monolingual"', '"multilingual"', "two languages or more, since it is multilingual"),
        (MONOLINGUAL, "", "expected at least one run"),
        ("seeds = [1, 2]", 'model = "name/model"', "the file: expected only .*, not model"),
        ('test = ["es-test"]', 'test = ["es-test"]\ndev = ["es"]', "run 1: expected only .*, not dev"),
        ('"crf"', '"transformers"', "model of the file: expected a text"),
        ('"crf"', '"transformers"\nmodel = "m"\nrecipe = {epoch = 1}', r"\[recipe\]: expected only .*, not epoch"),
        ('"crf"', '"transformers"\nmodel = "m"\nrecipe = {epochs = 1.5}', "epochs of .*: expected a whole number"),
        ('"crf"', '"transformers"\nmodel = "m"\nrecipe = {warmup = true}', "warmup of .*: expected a number"),
    ],
)
def test_a_file_that_is_not_as_it_should_be_is_refused_by_name_and_place(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    text = HEAD + MONOLINGUAL
    assert old in text
    with pytest.raises(EngineError, match=rf"experiment\.toml.*{words}"):
        read(tmp_path, text.replace(old, new))


def test_the_sets_that_choose_the_epoch_are_not_those_of_the_test(folder: Path) -> None:
    text = (HEAD + MONOLINGUAL).replace('"crf"', '"transformers"\nmodel = "m"')
    assert read(folder, text + 'dev = ["es"]').runs[0].dev[0].name == "Own"
    with pytest.raises(EngineError, match="dev of run 1: expected sets that it is not tested on"):
        read(folder, text + 'dev = ["es", "es-test"]')


def test_transformers_are_trained_for_every_setting_and_leave_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch = pytest.importorskip("torch", reason=NEEDS_EXTRA)
    monkeypatch.setenv("ENGINE_DEVICE", "cpu")
    (folder / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "tmp"))
    model = make_checkpoint(folder / "encoder", head="MaskedLM", initializer_range=0.02)
    head = HEAD.replace('"crf"', f'"transformers"\nmodel = "{model}"')
    recipe = "[recipe]\nepochs = 2\nlearning_rate = 3e-3\nwarmup = 0\n"
    runs = """
[[runs]]
setting = "multilingual"
train = ["es", "en"]
dev = ["en"]
test = ["es-test"]
[[runs]]
setting = "zero-shot"
train = ["en"]
test = ["es-test"]
"""
    said: list[str] = []
    experiment = read(folder, head + recipe + MONOLINGUAL + 'dev = ["es"]\n' + runs)
    rows = run(experiment, said.append)

    assert [row.setting for row in rows] == ["monolingual", "multilingual", "zero-shot"]
    assert [line.split(":")[0] for line in said] == [
        f"{name}, seed {seed}" for name in ("Own (es)", "Own (es) + Own (en)", "Own (en)") for seed in (1, 2)
    ]
    for row in rows:
        scores = [report.tokens.f1 for report in row.reports.values()]
        assert row.mean("f1") == pytest.approx(sum(scores) / 2, abs=0.01)
        assert row.deviation("f1") == pytest.approx(abs(scores[0] - scores[1]) / 2**0.5, abs=0.01)
    assert list((folder / "tmp").rglob("*.safetensors")) == []

    text, found = as_text(experiment, rows), as_json(experiment, rows)
    assert "over 2 seeds, engine transformers;" in text
    assert f"Model {model} (revision {content_hash(model)}), epochs 2," in text
    assert "epochs 2, batch 8, learning rate 0.003, weight decay 0.1, warmup 0, length 128." in text
    assert "Of the trainings on Own (es) + Own (en) the epoch is measured that is best on Own (en)." in text
    assert f"torch {torch.__version__}" in text and "crfsuite" not in text
    assert found["recipe"]["epochs"] == 2
    assert [row["dev"] for row in found["rows"]] == [
        [{"name": "Own", "language": "es"}],
        [{"name": "Own", "language": "en"}],
        [],
    ]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"nothing\.toml cannot be read"):
        read_experiment(tmp_path / "nothing.toml")


def test_a_set_without_a_sentence_is_refused(folder: Path) -> None:
    (folder / "es.tsv").write_text("\n", encoding="utf-8")
    with pytest.raises(EngineError, match=r"Own \(es\) contains no sentences"):
        run(read(folder, HEAD + MONOLINGUAL))


@pytest.mark.parametrize(
    "preset", sorted((REPOSITORY / "mlworkers" / "experiments" / "presets").glob("*.toml")), ids=lambda p: p.stem
)
def test_presets_can_be_read(preset: Path, tmp_path: Path) -> None:
    experiment = read_experiment(preset, tmp_path)
    assert experiment.runs
    assert all(file.is_relative_to(tmp_path) for run_ in experiment.runs for side in run_.test for file in side.files)
