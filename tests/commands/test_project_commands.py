"""The commands that work on a project: what they print, and how they fail."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command, get_commands, load_command_class
from django.core.management.base import CommandError

from annotator.machines.queries.training import built_in
from annotator.models import Annotation, Gold, Job, Layer, Project, Segment, Sentence, TrainedDetector
from tests.corpus_files import EN_PREM, ES_PREM, PUBLISHED, SAMPLE, copy_sample, replace
from tests.factories import make_annotation, make_user, span

pytestmark = pytest.mark.django_db


def run(*args: Any, **options: Any) -> str:
    out, err = StringIO(), StringIO()
    call_command(*map(str, args), stdout=out, stderr=err, **options)
    return out.getvalue()


@pytest.fixture
def project() -> Project:
    run("create_project", "corpus", "--preset", "meta4xnli-es-en")
    return Project.objects.get(slug="corpus")


@pytest.fixture
def gold(project: Project) -> Project:
    run("import_meta4xnli", "corpus", SAMPLE, "--dataset", "sample", "--labels", "gold")
    return project


def test_create_project_says_what_it_made() -> None:
    mia = make_user("mia")

    said = run("create_project", "corpus", "--preset", "meta4xnli-es-en", "--manager", "mia")

    assert "9 stages" in said
    assert "7. adjudicate es (interpretation)" in said
    assert Project.objects.get(slug="corpus").memberships.get().user == mia


def test_create_project_for_any_languages() -> None:
    run("create_project", "ca", "--languages", "ca,en", "--labels", "METAPHOR,METONYMY", "--name", "Català")

    project = Project.objects.get(slug="ca")
    assert (project.name, project.languages, project.scheme.labels) == (
        "Català",
        ["ca", "en"],
        ("METAPHOR", "METONYMY"),
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["new"],
        ["new", "--languages", "es,en"],
        ["new", "--preset", "meta4xnli-es-en", "--labels", "X"],
        ["new", "--preset", "other"],
        ["corpus", "--preset", "meta4xnli-es-en"],
        ["new", "--preset", "meta4xnli-es-en", "--manager", "nobody"],
        ["new", "--languages", "es", "--labels", "O"],
    ],
)
def test_create_project_refusals(project: Project, arguments: list[str]) -> None:
    with pytest.raises(CommandError):
        run("create_project", *arguments)

    assert Project.objects.get() == project


def test_import_counts_and_says_when_nothing_was_new(project: Project) -> None:
    first = run("import_meta4xnli", "corpus", SAMPLE, "--dataset", "sample", "--labels", "gold")
    second = run("import_meta4xnli", "corpus", SAMPLE, "--dataset", "sample", "--labels", "gold")

    assert "sentences es: 100 new, 0 known" in first
    assert "sentences es: 0 new, 100 known" in second
    assert "Everything was already in the project" in second


def test_import_fails_with_file_line_and_what_was_expected(project: Project, tmp_path: Path) -> None:
    root = copy_sample(tmp_path / "corpus")
    replace(root / ES_PREM, b"devora\tB-METAPHOR", b"devora")

    with pytest.raises(CommandError, match=r"es/sample_prem\.tsv:3: expected a token, a tab and a tag, got “devora”"):
        run("import_meta4xnli", "corpus", root, "--dataset", "sample")

    assert not Segment.objects.exists()


@pytest.mark.parametrize("dataset", ["absent", "../sample"])
def test_import_of_what_is_not_there_names_what_is(project: Project, dataset: str) -> None:
    with pytest.raises(CommandError, match=f'no dataset "{dataset}". Available: sample'):
        run("import_meta4xnli", "corpus", SAMPLE, "--dataset", dataset)


def test_import_from_the_wrong_folder_says_which_one_is_wanted(project: Project) -> None:
    with pytest.raises(CommandError, match=r"detection contains no corpus. It must be the folder in which detection/"):
        run("import_meta4xnli", "corpus", SAMPLE / "detection", "--dataset", "sample")


def test_unknown_projects_are_named_with_the_known_ones(project: Project) -> None:
    with pytest.raises(CommandError, match=r'Unknown project "corpsu".*corpus'):
        run("report", "corpsu", "detection")


def test_reports_as_json_have_the_promised_keys(gold: Project) -> None:
    detection = json.loads(run("report", "corpus", "detection", "--format", "json"))
    interpretation = json.loads(run("report", "corpus", "interpretation", "--format", "json"))
    projection = json.loads(run("report", "corpus", "projection", "--format", "json"))

    assert [list(row) for row in detection] == [
        ["language", "dataset", "role", "labelled_tokens", "tokens", "labelled_sentences", "sentences"]
    ] * 6
    assert [(row["language"], row["role"]) for row in detection[:3]] == [("es", "prem"), ("es", "hyp"), ("es", "all")]
    assert [list(row) for row in interpretation] == [
        ["dataset", "inference", "relevant", "non_relevant", "no_metaphor", "total"]
    ] * 4
    assert interpretation[-1]["total"] == 75
    machine, people = ["source", "projected", "unaligned", "dropped"], ["kept", "shifted", "lost", "lost_not_projected"]
    columns = [*machine, *people, "gained", "target", "labelled_tokens", "predicted", "revised"]
    assert [list(row) for row in projection] == [["language", "dataset", "role", *columns]] * 3
    assert json.loads(run("report", "corpus", "correction", "--format", "json")) == []


def test_agreement(gold: Project) -> None:
    for name, spans in (("ana", [0]), ("ben", [1])):
        sentence = Sentence.objects.get(language="en", segment__uid="sample:prem:1_sample")
        make_annotation(sentence, make_user(name), [span(*spans)], mode="blind")
    arguments = ("agreement", "corpus", "--annotators", "ana", "ben", "--layer", "tokens", "--language", "en")

    found = json.loads(run(*arguments, "--format", "json"))
    text = run(*arguments)

    assert (found["annotators"], found["layer"], found["language"]) == (["ana", "ben"], "tokens", "en")
    assert found["rows"][-1]["n"] == sentence.token_count
    assert found["rows"][-1]["kappa"] < 0
    assert "Agreement of ana and ben on tokens, language en" in text


def test_agreement_on_any_layer_and_dimension(gold: Project) -> None:
    scheme = {"values": ["dry", "warm"]}
    layer = Layer.objects.create(
        project=gold, slug="tone", content_type=Layer.CHOICE, unit_kind="sentence", scheme_data=scheme
    )
    people = [make_user(name) for name in ("ana", "ben")]
    for unit, values in zip(gold.sentences.filter(language="es")[:3], ("dd", "ww", "dw"), strict=True):
        for user, value in zip(people, values, strict=True):
            content = {"value": "dry" if value == "d" else "warm"}
            Annotation.objects.create(project=gold, unit=unit, layer=layer, user=user, state="done", content=content)
    arguments = ("agreement", "corpus", "--annotators", "ana", "ben", "--layer", "tone")

    found = json.loads(run(*arguments, "--dimension", "units", "--format", "json"))

    assert found == json.loads(run(*arguments, "--format", "json"))
    assert (found["rows"][-1]["n"], found["rows"][-1]["units"]) == (3, 3)
    assert found["rows"][-1]["kappa"] == pytest.approx(0.4)
    assert "on tone (units), language es" in run(*arguments)
    with pytest.raises(CommandError, match=r"no dimension “colour”.*units"):
        run(*arguments, "--dimension", "colour")
    with pytest.raises(CommandError, match=r"Unknown layer “mood”.*tokens, pairs, tone"):
        run("agreement", "corpus", "--annotators", "ana", "ben", "--layer", "mood")


def test_export_writes_the_published_layout(gold: Project, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"

    said = run("export_meta4xnli", "corpus", out)

    written = {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert written == {path: (SAMPLE / path).read_bytes() for path in PUBLISHED}
    assert "sample es: 100 sentences, 75 pairs" in said


def test_export_refuses_incomplete_gold_and_writes_nothing(gold: Project, tmp_path: Path) -> None:
    Gold.objects.filter(unit__segment__uid="sample:prem:1_sample", unit__language="en").delete()
    out = tmp_path / "out"

    with pytest.raises(CommandError, match="sample:prem:1_sample"):
        run("export_meta4xnli", "corpus", out)

    assert not out.exists()


def test_partial_export_lists_what_it_left_out_and_a_full_one_clears_the_list(gold: Project, tmp_path: Path) -> None:
    removed = Gold.objects.get(unit__segment__uid="sample:prem:1_sample", unit__language="en")
    Gold.objects.filter(pk=removed.pk).delete()
    out = tmp_path / "out"

    said = run("export_meta4xnli", "corpus", out, "--partial")

    assert "sentence sample:prem:1_sample [en]: no gold in en" in said
    assert "sample:prem:1_sample" in (out / "left_out.tsv").read_text()
    assert (out / EN_PREM).read_bytes() != (SAMPLE / EN_PREM).read_bytes()

    removed.save(force_insert=True)
    run("export_meta4xnli", "corpus", out)

    assert not (out / "left_out.tsv").exists()
    assert not list(out.glob("detection/ids/*"))
    assert (out / EN_PREM).read_bytes() == (SAMPLE / EN_PREM).read_bytes()


def test_help_says_what_every_option_of_every_command_does() -> None:
    silent = [
        f"{name} {action.option_strings or action.dest}"
        for name, app in get_commands().items()
        if app == "annotator"
        for action in load_command_class("annotator", name).create_parser("manage.py", name)._actions
        if not action.help
    ]

    assert silent == []


def test_train_detector_learns_from_a_project(gold: Project) -> None:
    said = run("train_detector", "--project", "corpus", "--language", "es", "--wait")

    detector = TrainedDetector.objects.get(project=gold)
    assert f"detector: {detector.spec}" in said
    assert f"f1: {detector.f1}" in said
    assert f"learnt from: {detector.sentences}" in said
    assert detector.baseline == built_in("es")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--project", "nowhere"], 'Unknown project "nowhere". Available: corpus.'),
        (["--project", "corpus", "--train", "a.tsv"], "--train cannot be used with --project"),
        (["--project", "corpus", "--out", "there"], "--out cannot be used with --project"),
        (["--project", "corpus", "--engine", "transformers"], "--model FOLDER"),
        (
            ["--project", "corpus", "--engine", "transformers", "--model", "m", "--warmup", "0"],
            "--warmup cannot be used",
        ),
        (["--project", "corpus", "--label", "IDIOM"], "must be one of: METAPHOR"),
        (["--out", "there"], "--project SLUG, or files with --train"),
        ([], "--project SLUG, or files with --train and --out"),
        (["--train", "a.tsv", "--out", "there", "--wait"], "--wait cannot be used with files"),
    ],
)
def test_train_detector_refusals(gold: Project, arguments: list[str], says: str) -> None:
    with pytest.raises(CommandError, match=re.escape(says)):
        run("train_detector", "--language", "es", *arguments)

    assert not Job.objects.exists()
