"""Training of transformers from the command line, and evaluation of several detectors, with small random models."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotator.formats.text.tagged import write_tagged
from mlworkers.engines import torch_runtime
from tests.corpora import REPOSITORY
from tests.mlworkers.checkpoints import NEEDS_EXTRA
from tests.mlworkers.toy import DEV, TRAIN, make_encoder

pytest.importorskip("torch", reason=NEEDS_EXTRA)

from mlworkers.engines.detectors.recipe import Recipe
from mlworkers.engines.detectors.transformers_training import TrainedTransformers, train_transformers


@pytest.fixture(autouse=True)
def _calm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGINE_DEVICE", "cpu")
    monkeypatch.setattr(torch_runtime, "_models", type(torch_runtime._models)())


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """An encoder, a training and a development file."""
    folder = tmp_path_factory.mktemp("files")
    for name, sentences in (("train.tsv", TRAIN), ("dev.tsv", DEV)):
        (folder / name).write_text(write_tagged(sentences), encoding="utf-8")
    return {"model": make_encoder(folder / "encoder"), "train": folder / "train.tsv", "dev": folder / "dev.tsv"}


def call(*args: str | Path, **options: Any) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command(*map(str, args), stdout=out, stderr=err, **options)
    return out.getvalue(), err.getvalue()


def asked(files: dict[str, Path], out: Path, *more: str, rate: str = "3e-3") -> list[str | Path]:
    return [
        "train_detector", "--engine", "transformers", "--model", files["model"], "--language", "es",
        "--train", files["train"], "--dev", files["dev"], "--out", out, "--learning-rate", rate, *more,
    ]  # fmt: skip


def test_seeds_are_trained_measured_and_compared(files: dict[str, Path], tmp_path: Path) -> None:
    said, noted = call(*asked(files, tmp_path / "out", "--seeds", "1", "2", "--epochs", "5"))

    trained = [TrainedTransformers.load(tmp_path / "out" / f"seed-{seed}") for seed in (1, 2)]
    scores = [one.settings["dev"]["f1"] for one in trained]
    assert min(scores) > 60
    assert [one.settings["seed"] for one in trained] == [1, 2]
    assert trained[0].settings["recipe"] == {
        "epochs": 5, "batch": 8, "learning_rate": 3e-3, "weight_decay": 0.1, "warmup": 0.06, "length": 128,
    }  # fmt: skip
    assert trained[0].settings["training"]["provenance"] == "train.tsv"
    assert "Trained on 60 sentences" in said
    mean, deviation = sum(scores) / 2, abs(scores[0] - scores[1]) / 2**0.5
    assert f"F1 on the development sentences over 2 seeds: {mean:.2f} ± {deviation:.2f}." in said
    assert f"Model {trained[1].revision}, of epoch {trained[1].settings['chosen_epoch']}" in said
    assert "Step 0 of 40\n" in noted and "Step 40 of 40, " in noted

    names = [f"transformers:{one.folder}" for one in trained]
    evaluate = ["evaluate_detector", "--language", "es", "--test", files["dev"], "--train", files["train"]]
    found = json.loads(call(*evaluate, "--detector", *names, "--format", "json")[0])
    text = call(*evaluate, "--detector", *names)[0]
    alone = json.loads(call(*evaluate, "--detector", names[0], "--format", "json")[0])

    assert [row["revision"] for row in found["detectors"]] == [one.revision for one in trained]
    assert [row["f1"] for row in found["detectors"]] == scores
    assert found["mean"]["f1"] == pytest.approx(mean, abs=0.01)
    assert found["standard_deviation"]["f1"] == pytest.approx(deviation, abs=0.01)
    assert found["mean"].keys() == found["standard_deviation"].keys() == {
        "precision", "recall", "f1", "tokens_per_second", "spans", "in_vocabulary", "out_of_vocabulary",
        "labelled_in_training", "not_labelled_in_training",
    }  # fmt: skip
    assert found["mean"]["in_vocabulary"].keys() == {"precision", "recall", "f1"}
    assert "2 detectors on 30 sentences" in text
    assert f"F1 {mean:.2f} ± {deviation:.2f}\nexact spans: " in text
    assert all(f"{name} {one.revision}: precision" in text for name, one in zip(names, trained, strict=True))
    assert alone["f1"] == scores[0] and "mean" not in alone


def test_the_same_command_goes_on_where_a_training_stopped(files: dict[str, Path], tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done == 9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_transformers(
            str(files["model"]), "es", TRAIN, DEV, folder=tmp_path / "out",
            recipe=Recipe(epochs=2, learning_rate=3e-3), progress=stop,
        )  # fmt: skip

    with pytest.raises(CommandError, match="contains a training with epochs 2 instead of 3"):
        call(*asked(files, tmp_path / "out", "--epochs", "3"))
    said, noted = call(*asked(files, tmp_path / "out", "--epochs", "2"))
    again, silent = call(*asked(files, tmp_path / "out", "--epochs", "2"))

    assert noted.startswith("Step 8 of 16\n")
    assert again == said
    assert silent == "", "what is finished is not trained again"


def test_stopped_by_hand_it_says_how_to_go_on(files: dict[str, Path], tmp_path: Path) -> None:
    # Far more epochs than it will come to.
    args = asked(files, tmp_path / "out", "--epochs", "100000")
    with subprocess.Popen(
        [sys.executable, "manage.py", *map(str, args)],
        cwd=REPOSITORY, env={**os.environ, "DATA_DIR": str(tmp_path)}, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        first = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()

    assert first == "Step 0 of 800000\n"
    assert process.returncode == 1
    assert rest.endswith("CommandError: Stopped. The same command continues after the last finished epoch.\n")


def test_what_was_met_is_told(files: dict[str, Path], tmp_path: Path) -> None:
    odd = tmp_path / "odd.tsv"
    odd.write_text("\u200b\tO\ngolpea\tB-METAPHOR\n\n", encoding="utf-8")
    said, noted = call(
        "train_detector", "--engine", "transformers", "--model", files["model"], "--language", "es",
        "--train", odd, "--dev", odd, "--out", tmp_path / "out", "--epochs", "1",
    )  # fmt: skip
    assert "1 tokens that the tokenizer made nothing of, not learnt from" in noted
    assert "over" not in said, "one seed has no mean"


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--engine", "transformers"], "Give the model to train: --model"),
        (["--model", "name/model"], "--model is for --engine transformers"),
        (["--weight-decay", "0.1"], "--weight-decay is for --engine transformers"),
        (["--seeds", "99999999999999999999"], "A seed must be a whole number from 0 to 4294967295"),
        (["--seeds", "1", "-1"], "not -1"),
        (["--label", "O"], "O"),
        (["--label", "TWO WORDS"], "TWO WORDS"),
        (["--language", " "], "Give the language of the sentences"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    files: dict[str, Path], tmp_path: Path, more: list[str], words: str
) -> None:
    with pytest.raises(CommandError, match=words):
        call("train_detector", "--language", "es", "--train", files["train"], "--out", tmp_path / "out", *more)
    assert not (tmp_path / "out").exists()


def test_a_folder_that_no_job_could_name_is_refused_before_anything_is_trained(
    files: dict[str, Path], tmp_path: Path
) -> None:
    with pytest.raises(CommandError, match="has a colon in its path"):
        call(*asked(files, tmp_path / "a:b"))
    assert not (tmp_path / "a:b").exists()


def test_several_labels_that_count_as_one_are_told(tmp_path: Path) -> None:
    lines = ["la\tO", "ola\tB-METAPHOR", "roja\tB-METONYMY", ""] * 3
    (tmp_path / "two.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")

    said, noted = call(
        "train_detector", "--language", "es", "--train", tmp_path / "two.tsv", "--out", tmp_path / "out",
        "--label", "METONYMY",
    )  # fmt: skip

    assert "6 of them labelled" in said
    assert "labels METAPHOR, METONYMY; every token with one of them counts as METONYMY" in noted


def test_a_folder_of_a_checkpoint_is_told_its_name(files: dict[str, Path]) -> None:
    with pytest.raises(CommandError, match="Write transformers:"):
        call("evaluate_detector", "--language", "es", "--detector", files["model"], "--test", files["dev"])
    with pytest.raises(CommandError, match="only jobs of that project know it"):
        call("evaluate_detector", "--language", "es", "--detector", "trained:1", "--test", files["dev"])


def test_crf_is_trained_with_its_seeds(files: dict[str, Path], tmp_path: Path) -> None:
    said, _ = call(
        "train_detector", "--language", "es", "--train", files["train"], "--dev", files["dev"],
        "--out", tmp_path, "--seeds", "1", "2",
    )  # fmt: skip
    assert (tmp_path / "seed-1" / "model.json").is_file() and (tmp_path / "seed-2" / "model.json").is_file()
    assert "F1 on the development sentences over 2 seeds: 100.00 ± 0.00." in said
