"""Stand-off releases: no word of the texts in any file, and with the texts the files of an ordinary release."""

from __future__ import annotations

import importlib.util
import io
import json
import zipfile
from pathlib import Path
from types import ModuleType

import pytest
from django.test import Client

from annotator.core.errors import ActionError
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import Job, JobKind, JobState, Mode, Project, Role, Sentence
from annotator.releases.actions.releases import write_zip
from annotator.releases.queries.exports import release_files
from annotator.releases.queries.standoff import standoff_files
from annotator.work.gold.queries.left_out import MissingGoldError
from tests.drafts import load, make_plain
from tests.factories import (
    make_annotation,
    make_gold,
    make_label_layer,
    make_member,
    make_pair,
    make_prediction,
    make_project,
    make_projection,
    make_sentence,
    make_tag,
    span,
)

pytestmark = pytest.mark.django_db

SCRIPT = Path(__file__).parents[2] / "docs" / "examples" / "merge_standoff.py"


def merge_script() -> ModuleType:
    found = importlib.util.spec_from_file_location("merge_standoff", SCRIPT)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.fixture
def labelled() -> Project:
    """Sentences whose every word is a marker, labelled, projected and decided, and a pair."""
    project = make_project("corpus")
    ana, ben = make_member(project, Role.ADJUDICATOR, "ana"), make_member(project, Role.ADJUDICATOR, "ben")
    for place in range(3):
        spanish = make_sentence(project, " ".join(f"zqx{place}es{word}" for word in range(5)))
        words = " ".join(f"zqx{place}en{word}" for word in range(5))
        english = make_sentence(project, words, language="en", segment=spanish.segment)
        shown = make_prediction(spanish, [span(1), span(3)], [0.1, 0.9, 0.1, 0.8, 0.1])
        begun = {"suggestion": shown, "shown": [shown.pk], "suggested": {"spans": [span(1), span(3)]}}
        make_annotation(spanish, ana, [span(1), span(place)], comment=f"zqx{place}es0 is odd", **begun)
        make_annotation(spanish, ben, [span(2)], mode=Mode.BLIND)
        make_gold(spanish, [span(1), span(2)], source="adjudicated", decided_by=ana)
        carried = make_projection(spanish, english, [span(1)], [span(1), span(2)])
        make_annotation(english, ben, [span(1)], suggestion=carried, shown=[carried.pk])
        make_gold(english, [span(1)])
    pair = make_pair(project)
    for sentence in project.sentences.filter(segment__in=[pair.premise, pair.hypothesis]):
        make_gold(sentence)
    make_tag(pair, "relevant")
    return project


def texts_of(project: Project) -> str:
    """What people have: a text a line, with its ID."""
    rows = Sentence.objects.filter(project=project).select_related("segment")
    return "".join(json.dumps({"uid": row.segment.uid, "text": row.text}, ensure_ascii=False) + "\n" for row in rows)


def merged(tmp_path: Path, files: dict[str, bytes], texts: str, name: str = "texts.jsonl") -> tuple[int, Path]:
    """The exit code of the script, and the folder that it wrote."""
    with (tmp_path / "release.zip").open("wb") as file:
        write_zip(file, files)
    (tmp_path / name).write_text(texts, encoding="utf-8")
    out = tmp_path / "out"
    code = merge_script().main([str(tmp_path / "release.zip"), str(tmp_path / name), "--out", str(out)])
    return code, out


def test_no_word_of_a_text_is_in_any_file(labelled: Project) -> None:
    gold = labelled.golds.exclude(content={"spans": []}).filter(unit__language="es")
    gold.update(reason="zqx0es1 is conventional")

    files = standoff_files(labelled, partial=True).files

    packed = io.BytesIO()
    write_zip(packed, files)
    with zipfile.ZipFile(packed) as archive:
        found = {name: archive.read(name).decode() for name in archive.namelist()}
    assert [name for name, text in found.items() if "zqx" in text] == []
    words = {token for row in labelled.sentences.all() for token in row.tokens if len(token) > 5}
    assert [(name, word) for name, text in found.items() for word in words if word in text] == []
    assert {"sentences.jsonl", "pairs.jsonl", "annotations/labels.jsonl", "suggestions/labels.jsonl",
            "alignments/es-en.jsonl", "README.md", "merge_standoff.py", "manifest.json"} <= found.keys()  # fmt: skip
    assert "zqx" in b"".join(release_files(labelled, partial=True).files.values()).decode("utf-8", "replace")


def test_with_the_texts_it_gives_the_files_of_an_ordinary_release(labelled: Project, tmp_path: Path) -> None:
    ordinary = release_files(labelled, partial=True).files

    code, out = merged(tmp_path, standoff_files(labelled, partial=True).files, texts_of(labelled))

    assert code == 0
    assert (out / "sentences.jsonl").read_bytes() == ordinary["sentences.jsonl"]
    assert not (out / "not_merged.tsv").exists()


def test_texts_without_ids_and_with_other_white_space_are_found(labelled: Project, tmp_path: Path) -> None:
    ordinary = release_files(labelled, partial=True).files
    lines = "".join(f"  {row.text.replace(' ', '')}\n" for row in labelled.sentences.all())

    code, out = merged(tmp_path, standoff_files(labelled, partial=True).files, lines, "texts.txt")

    assert code == 0
    assert (out / "sentences.jsonl").read_bytes() == ordinary["sentences.jsonl"]


def test_the_original_white_space_is_in_the_positions(tmp_path: Path) -> None:
    project = make_project()
    sentence = make_sentence(project, "don 't stop .")
    sentence.spaces = ["", "", "  ", "", "\n"]
    sentence.save()
    make_gold(sentence, [span(2)])

    files = standoff_files(project, partial=True).files

    row = json.loads(files["sentences.jsonl"])
    assert row["positions"] == [[0, 3], [3, 5], [7, 11], [11, 12]]
    code, out = merged(tmp_path, files, json.dumps({"id": "x", "text": "don't  stop.\n"}))
    assert (code, json.loads((out / "sentences.jsonl").read_text())["tokens"]) == (0, ["don", "'t", "stop", "."])


def test_what_is_missing_or_differs_is_listed(labelled: Project, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in texts_of(labelled).splitlines()]
    gone, other = rows[0]["uid"], rows[2]["uid"]
    kept = [row for row in rows if row["uid"] != gone]
    lines = "".join(f"{row['uid']}\t{row['text']}{' more' if row['uid'] == other else ''}\n" for row in kept)

    code, out = merged(tmp_path, standoff_files(labelled, partial=True).files, lines, "texts.tsv")

    assert code == 1
    listed = [line.split("\t") for line in (out / "not_merged.tsv").read_text().splitlines()[1:]]
    assert {(uid, why) for _file, uid, _language, why in listed} == {(gone, "missing"), (other, "differs")}
    ordinary = release_files(labelled, partial=True).files["sentences.jsonl"].splitlines()
    left = [line for line in ordinary if json.loads(line)["uid"] not in (gone, other)]
    assert (out / "sentences.jsonl").read_bytes().splitlines() == left


@pytest.mark.usefixtures("uploads")
def test_texts_that_may_not_be_published_are_described() -> None:
    project = make_plain(languages=("es",))
    load(project, {"cerrado.csv": "id,text:es\n1,zqxuno zqxdos\n"}, publishable=False)
    make_gold(project.sentences.get(), [span(1)])

    with pytest.raises(MissingGoldError):
        release_files(project, partial=True)
    files = standoff_files(project, partial=True).files

    assert json.loads(files["sentences.jsonl"])["spans"][0]["tokens"] == [1]
    assert not any(b"zqx" in content for content in files.values())


def test_answers_that_are_texts_have_no_file(labelled: Project) -> None:
    layer = make_label_layer(labelled, "notes", labelled.scheme)
    layer.content_type, layer.scheme_data = "substitute", {}
    layer.save()
    sentence = labelled.sentences.first()
    assert sentence is not None
    labelled.golds.create(unit=sentence, layer=layer, content={"words": ["zqxnote"]}, source="adjudicated")

    files = standoff_files(labelled, partial=True).files

    assert "layers/notes.jsonl" not in files
    assert "its answers are texts" in files["README.md"].decode()
    assert not any(b"zqxnote" in content for content in files.values())


def test_values_of_no_scheme_are_left_out(labelled: Project) -> None:
    gold = labelled.golds.filter(unit__language="es").exclude(content={"spans": []}).first()
    assert gold is not None
    gold.content = {"spans": [{**span(1), "attributes": {"lemma": "zqxlemma"}}]}
    gold.save()

    files = standoff_files(labelled, partial=True).files

    assert not any(b"zqxlemma" in content for content in files.values())


def test_it_refuses_where_gold_is_missing(labelled: Project) -> None:
    make_sentence(labelled, "Nadie lo ha visto")
    with pytest.raises(MissingGoldError):
        standoff_files(labelled, partial=False)
    with pytest.raises(MissingGoldError):
        standoff_files(make_project(), partial=True)


class TestJob:
    def test_a_manager_makes_one(self, labelled: Project, client: Client) -> None:
        mara = make_member(labelled, Role.MANAGER, "mara")
        client.force_login(mara)

        client.post(f"/projects/{labelled.slug}/releases/start/", {"partial": "on", "standoff": "on"})

        job = Job.objects.get(kind=JobKind.RELEASE)
        run_job(job.pk, worker="one")
        job.refresh_from_db()
        assert job.state == JobState.DONE, job.error
        release = labelled.releases.get()
        assert release.manifest["standoff"] is True
        assert "stand-off" in client.get(f"/projects/{labelled.slug}/releases/").text

    @pytest.mark.parametrize("more", [{"comments": True}, {"sample": True}])
    def test_it_cannot_have_what_needs_texts(self, labelled: Project, more: dict[str, bool]) -> None:
        with pytest.raises(ActionError, match="stand-off"):
            start_job(project=labelled, kind=JobKind.RELEASE, params={"standoff": True, **more}, by=None)
        assert not Job.objects.filter(kind=JobKind.RELEASE).exists()
