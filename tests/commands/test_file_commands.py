"""The commands that work on files alone: each once in a process of its own, with a database that nobody can reach.

Otherwise they run in this process, as manage.py runs them; pytest-django lets nobody reach the database there, either.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import execute_from_command_line

from annotator.formats.text.tagged import read_tagged
from tests.corpora import REPOSITORY

UNREACHABLE = "postgres://nobody:nothing@127.0.0.1:1/nowhere"


def run(*args: str | Path, alone: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Give a command; with a folder for its data, in a process of its own."""
    command = ["manage.py", *map(str, args)]
    if alone is not None:
        return subprocess.run(
            [sys.executable, *command],
            cwd=REPOSITORY,
            env={**os.environ, "DATABASE_URL": UNREACHABLE, "DATA_DIR": str(alone)},
            capture_output=True,
            text=True,
            check=False,
        )
    code, out, err = 0, StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            execute_from_command_line(command)
        except SystemExit as left:
            code = left.code
    return subprocess.CompletedProcess(command, code, out.getvalue(), err.getvalue())


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


SPANISH = ["Los precios suben mucho", "El tiempo vuela", "Ella come pan", "", "El perro come"]
ENGLISH = ["Prices rise a lot", "Time flies", "She eats bread", "", "The dog eats"]


def align(source: Path, target: Path, out: Path, *, alone: Path | None = None) -> subprocess.CompletedProcess[str]:
    return run(
        "align", "--source", source, "--target", target, "--source-language", "es", "--target-language", "en",
        "--out", out, alone=alone,
    )  # fmt: skip


def test_align_writes_a_line_of_links_a_pair(tmp_path: Path) -> None:
    source = write(tmp_path / "es.txt", "".join(line + "\n" for line in SPANISH))
    target = write(tmp_path / "en.txt", "".join(line + "\n" for line in ENGLISH))
    out = tmp_path / "links"

    done = align(source, target, out, alone=tmp_path)

    assert done.returncode == 0, done.stderr
    lines = out.read_text().split("\n")
    assert len(lines) == 6
    assert lines[3] == lines[5] == ""
    for line, spanish, english in zip(lines[:5], SPANISH, ENGLISH, strict=True):
        for link in line.split():
            one, other = map(int, link.split("-"))
            assert one < len(spanish.split())
            assert other < len(english.split())
    assert "5 sentence pairs" in done.stdout


def test_align_refuses_files_of_different_length_and_leaves_the_old_output(tmp_path: Path) -> None:
    source = write(tmp_path / "es.txt", "uno\ndos\n")
    target = write(tmp_path / "en.txt", "one\n")
    out = write(tmp_path / "links", "0-0\n")

    done = align(source, target, out, alone=tmp_path)

    assert done.returncode == 1
    assert f"{source} has 2 lines and {target} has 1" in done.stderr
    assert "Traceback" not in done.stderr
    assert out.read_text() == "0-0\n"


@pytest.mark.parametrize("damage", ["missing", "not utf-8"])
def test_align_says_which_file_it_cannot_read(tmp_path: Path, damage: str) -> None:
    source = tmp_path / "es.txt"
    if damage == "not utf-8":
        write(source, b"uno\nd\xf3s\n")
    target = write(tmp_path / "en.txt", "one\ntwo\n")

    done = align(source, target, tmp_path / "links")

    assert done.returncode == 1
    assert f"{source}" in done.stderr
    assert "expected" in done.stderr
    assert not (tmp_path / "links").exists()


def project(
    tmp_path: Path, source: str, target: str, links: str, *options: str, alone: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return run(
        "project_file",
        "--source", write(tmp_path / "source", source),
        "--target", write(tmp_path / "target", target),
        "--links", write(tmp_path / "links", links),
        "--out", tmp_path / "out",
        *options,
        alone=alone,
    )  # fmt: skip


def tags(path: Path) -> list[list[str]]:
    return [list(sentence.tags) for sentence in read_tagged(path).sentences]


def test_project_file_any_labels_further_columns_ignored(tmp_path: Path) -> None:
    source = "Ana\tB-PER\tNNP\nvive\tO\tVB\n\nEn\tO\tIN\nNueva\tB-LOC\tNNP\nYork\tI-LOC\tNNP\n\n"

    done = project(tmp_path, source, "Ana lives\nIn New York\n", "0-0 1-1\n0-0 1-1 2-2\n", alone=tmp_path)

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out").read_text() == "Ana\tB-PER\nlives\tO\n\nIn\tO\nNew\tB-LOC\nYork\tI-LOC\n\n"
    assert "2 source spans: 2 projected" in done.stdout


@pytest.mark.parametrize("separator", [" ", "\t"])
def test_project_file_reads_conll_columns(tmp_path: Path, separator: str) -> None:
    source = "-DOCSTART- -X- -X- O\n\nAna NNP B-NP B-PER\nvive VB B-VP O\n\n".replace(" ", separator)

    done = project(tmp_path, source, "Ana lives\n", "0-0 1-1\n")

    assert done.returncode == 0, done.stderr
    assert tags(tmp_path / "out") == [["B-PER", "O"]]


def test_a_tag_that_is_wrong_is_named_where_the_reader_would_look_for_it(tmp_path: Path) -> None:
    source = "Ana\tB-PER\tNNP\nvive\tX\tVB\n\n"

    done = project(tmp_path, source, "Ana lives\n", "0-0 1-1\n")

    assert done.returncode == 1
    assert "source:2: expected the tag O, or B- or I- and a label, got “X”" in done.stderr


def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    source, target = write(tmp_path / "es", "uno\n"), write(tmp_path / "en", "one\n")
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to("behind")

    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
        done = align(source, target, pipe)
        read, _ = reader.communicate(timeout=60)
    linked = align(source, target, link)

    assert (done.returncode, linked.returncode) == (0, 0), done.stderr + linked.stderr
    assert read == "0-0\n"
    assert pipe.is_fifo()
    assert link.is_symlink()
    assert (tmp_path / "behind").read_text() == "0-0\n"


def test_an_output_that_is_a_folder_is_refused_in_words(tmp_path: Path) -> None:
    source, target = write(tmp_path / "es", "uno\n"), write(tmp_path / "en", "one\n")

    done = align(source, target, tmp_path)

    assert done.returncode == 1
    assert f"{tmp_path} is a folder. Give the name of a file." in done.stderr


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], ["B-X", "I-X", "I-X", "I-X", "I-X"]),
        (["--fill-gap", "0"], ["B-X", "I-X", "O", "O", "O"]),
        (["--gap-rule", "elp"], ["B-X", "I-X", "O", "O", "O"]),
        (["--gap-rule", "elp", "--fill-gap", "3"], ["B-X", "I-X", "I-X", "I-X", "I-X"]),
    ],
)
def test_project_file_gap_rules(tmp_path: Path, options: list[str], expected: list[str]) -> None:
    done = project(tmp_path, "a\tB-X\nb\tI-X\n\n", "v w x y z\n", "0-0 0-1 1-3 1-4\n", *options)

    assert done.returncode == 0, done.stderr
    assert tags(tmp_path / "out") == [expected]


def test_project_file_counts_what_did_not_arrive(tmp_path: Path) -> None:
    done = project(tmp_path, "a\tB-X\nb\tB-X\nc\tB-X\n\n", "v .\n", "0-0 1-1\n")

    assert done.returncode == 0, done.stderr
    assert "3 source spans: 1 projected, 1 dropped: punctuation, 1 unaligned" in done.stdout


@pytest.mark.parametrize(
    ("source", "target", "links", "options", "words"),
    [
        ("a\tO\n\n", "v\nw\n", "0-0\n", [], "has 2 lines"),
        ("a\tO\n\nb\tO\n\n", "v\nw\n", "0-0\n", [], "has 1 lines"),
        ("a\tO\n\n", "v\n", "0-1\n", [], "links:1: expected links within the target"),
        ("a\tO\n\n", "v\n", "1-0\n", [], "links:1: expected links within the source"),
        ("a\tO\n\n", "v\n", "0:0\n", [], "links:1: expected links like"),
        ("a\tO\n\nb\tX\n\n", "v\nw\n", "\n\n", [], "source:3: expected"),
        ("a\tO\nb\n\n", "v\n", "\n", [], "source:2: expected"),
        ("a\tO\n\n", "\n", "\n", [], "target:1: expected a sentence"),
        ("a\tO\n\n", "v\n", "\n", ["--fill-gap", "-1"], "fill-gap"),
    ],
)
def test_project_file_refusals_write_nothing(
    tmp_path: Path, source: str, target: str, links: str, options: list[str], words: str
) -> None:
    write(tmp_path / "out", "old")

    done = project(tmp_path, source, target, links, *options)

    assert done.returncode == 1
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert (tmp_path / "out").read_text() == "old"
    assert not list(tmp_path.glob(".out*"))


def tagged(count: int) -> str:
    """Sentences in which one word is always labelled."""
    words = ["casa", "perro", "libro", "mesa", "árbol"]
    return "".join(f"el\tO\n{words[i % 5]}\tO\nvuela\tB-METAPHOR\nhoy\tO\n\n" for i in range(count))


def test_train_and_evaluate(tmp_path: Path) -> None:
    train, dev = write(tmp_path / "train.tsv", tagged(40)), write(tmp_path / "dev.tsv", tagged(10))
    model = tmp_path / "model"

    trained = run(
        "train_detector", "--language", "es", "--train", train, dev, "--dev", dev, "--out", model, alone=tmp_path
    )
    assert trained.returncode == 0, trained.stderr
    assert "50 sentences" in trained.stdout

    evaluated = run(
        "evaluate_detector", "--language", "es", "--detector", model, "--test", dev, "--format", "json", alone=tmp_path
    )
    assert evaluated.returncode == 0, evaluated.stderr
    found = json.loads(evaluated.stdout)
    assert (found["precision"], found["recall"], found["f1"]) == (100.0, 100.0, 100.0)
    assert found["tokens_per_second"] > 0
    assert found["spans"] == {"precision": 100.0, "recall": 100.0, "f1": 100.0}
    assert "in_vocabulary" not in found


def test_evaluate_tells_words_labelled_in_training_from_others(tmp_path: Path) -> None:
    train = write(tmp_path / "train.tsv", tagged(40))
    test = write(tmp_path / "test.tsv", tagged(2) + "la\tO\nmesa\tO\nbaila\tB-METAPHOR\n\n")
    model = tmp_path / "model"
    trained = run("train_detector", "--language", "es", "--train", train, "--out", model)
    assert trained.returncode == 0, trained.stderr
    assert "development" not in trained.stdout

    asked = ("evaluate_detector", "--language", "es", "--detector", model, "--test", test, "--train", train)
    as_json = run(*asked, "--format", "json")
    as_text = run(*asked)

    found = json.loads(as_json.stdout)
    assert found["labelled_in_training"] == {"precision": 100.0, "recall": 100.0, "f1": 100.0, "labelled": 2}
    assert found["not_labelled_in_training"]["labelled"] == found["out_of_vocabulary"]["labelled"] == 1
    assert found["in_vocabulary"]["labelled"] == 2
    assert "words labelled in training (2 labelled tokens): precision 100.0, recall 100.0, F1 100.0" in as_text.stdout
    assert "words not seen in training, out of vocabulary (1 labelled tokens): precision" in as_text.stdout
    assert "exact spans: precision" in as_text.stdout


def test_files_without_a_sentence_are_refused_and_not_passed_over(tmp_path: Path) -> None:
    train, empty = write(tmp_path / "train.tsv", tagged(20)), write(tmp_path / "empty.tsv", "\n")

    trained = run(
        "train_detector",
        "--language",
        "es",
        "--train",
        train,
        "--dev",
        empty,
        "--out",
        tmp_path / "model",
    )
    evaluated = run("evaluate_detector", "--language", "es", "--detector", "crf", "--test", empty)

    assert (trained.returncode, evaluated.returncode) == (1, 1)
    assert f"{empty} contains no sentences." in trained.stderr
    assert f"{empty} contains no sentences." in evaluated.stderr
    assert not (tmp_path / "model").exists()


def test_a_threshold_that_is_a_guess_is_called_one(tmp_path: Path) -> None:
    train = write(tmp_path / "train.tsv", tagged(1) + "El\tO\nperro\tO\n\n")

    done = run("train_detector", "--language", "es", "--train", train, "--out", tmp_path / "model")

    assert done.returncode == 0, done.stderr
    assert "this one is a guess" in done.stderr


def test_scores_on_sentences_without_labels_are_called_meaningless(tmp_path: Path) -> None:
    train = write(tmp_path / "train.tsv", tagged(20))
    dev = write(tmp_path / "dev.tsv", "El\tO\nperro\tO\n\n")

    done = run("train_detector", "--language", "es", "--train", train, "--dev", dev, "--out", tmp_path / "model")

    assert done.returncode == 0, done.stderr
    assert "None of them has a label, so these scores mean nothing." in done.stderr
    assert "guess" not in done.stderr


def test_train_without_labels_says_so_and_writes_nothing(tmp_path: Path) -> None:
    train = write(tmp_path / "train.tsv", "el\tO\nperro\tO\n\n" * 20)

    done = run("train_detector", "--language", "es", "--train", train, "--dev", train, "--out", tmp_path / "m")

    assert done.returncode == 1
    assert "label" in done.stderr
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    ("detector", "next_step"), [("nothing-like-it", "Use “crf”"), ("crf:nowhere", "train_detector"), ("crf", "es")]
)
def test_evaluate_says_what_to_do_about_an_unknown_detector(tmp_path: Path, detector: str, next_step: str) -> None:
    test = write(tmp_path / "test.tsv", tagged(2))

    done = run("evaluate_detector", "--language", "eu", "--detector", detector, "--test", test)

    assert done.returncode == 1
    assert next_step in done.stderr
    assert "Traceback" not in done.stderr


EXPERIMENT = """
title = "Flying"
engine = "crf"
[sets.own]
name = "Own"
language = "es"
files = ["train.tsv"]
[sets.test]
name = "Test"
language = "es"
files = ["test.tsv"]
[[runs]]
setting = "monolingual"
train = ["own"]
test = ["test"]
"""


def test_experiment_prints_one_table_and_writes_all_three(tmp_path: Path) -> None:
    data, out = tmp_path / "data", tmp_path / "out"
    data.mkdir()
    write(data / "train.tsv", tagged(20))
    write(data / "test.tsv", tagged(3))
    described = write(tmp_path / "flying.toml", EXPERIMENT)

    done = run(
        "experiment", described, "--data", data, "--out", out, "--format", "json", alone=tmp_path
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rows"][0]["mean"]["f1"] == 100.0
    assert "Own (es), seed 0: trained in" in done.stderr
    assert (out / "results.json").read_text() == done.stdout
    assert (out / "results.md").read_text().startswith("## Flying\n")
    assert "monolingual  Own (es)    Test (es)  100.00" in (out / "results.txt").read_text()
    assert sorted(path.name for path in out.iterdir()) == ["results.json", "results.md", "results.txt"]


@pytest.mark.parametrize(
    ("name", "words"),
    [("no-such-preset", "Presets: "), ("missing.toml", "missing.toml cannot be read"), ("here.toml", "train.tsv")],
)
def test_experiment_refuses_in_words_and_writes_nothing(tmp_path: Path, name: str, words: str) -> None:
    write(tmp_path / "here.toml", EXPERIMENT)

    done = run("experiment", tmp_path / name if "toml" in name else name, "--out", tmp_path / "out")

    assert done.returncode == 1
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()
