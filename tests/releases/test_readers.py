"""Other people's readers read a release as it lies in its zip; and what is written of its sentences in their formats.

doccano and Label Studio want a Python of their own, which the variables DOCCANO_PYTHON and LABEL_STUDIO_PYTHON name:

    python3 -m venv D && D/bin/pip install doccano==1.8.4 'marshmallow<4' 'numpy<2'
    python3 -m venv L && L/bin/pip install label-studio-sdk==2.1.2
    export DOCCANO_PYTHON=D/bin/python LABEL_STUDIO_PYTHON=L/bin/python
    .venv/bin/python -m pytest tests/releases/test_readers.py
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cassis
import conllu
import pandas
import pytest

from annotator.formats.common.protocol import Options, SourceFile
from annotator.formats.common.records import Record
from annotator.formats.json_lines.release import SENTENCES
from annotator.formats.registry import formats
from annotator.formats.webanno import layers
from annotator.releases.actions.releases import write_zip
from annotator.releases.queries.exports import release_files
from tests.formats.tools.sentences import seen
from tests.releases.rich import LABELS, TEXTS, rich_project

pytestmark = pytest.mark.django_db

TOOLS = Path(__file__).parents[1] / "formats" / "tools"
# Label Studio numbers the tasks that it imports; its exports go through this converter.
LABEL_STUDIO = """
import json, sys
from pathlib import Path
from label_studio_sdk.converter import Converter
given, out = Path(sys.argv[1]), Path(sys.argv[2])
tasks = json.loads(given.read_text("utf-8"))
given.write_text(json.dumps([{"id": n, **task} for n, task in enumerate(tasks, 1)]), "utf-8")
labels = '<Labels name="label" toName="text"><Label value="METAPHOR"/></Labels>'
config = f'<View>{labels}<Text name="text" value="$text"/></View>'
found = Converter(config, project_dir=None)
found.convert_to_json(str(given), str(out), is_dir=False)
found.convert_to_conll2003(str(given), str(out), is_dir=False)
"""


@pytest.fixture(scope="module")
def release(kept_rows: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The zip, unpacked as people do."""
    packed = io.BytesIO()
    write_zip(packed, release_files(rich_project(), partial=False).files)
    folder = tmp_path_factory.mktemp("release")
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(folder)
    return folder


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


def named(folder: Path, ending: str) -> list[Path]:
    found = sorted(folder.rglob(f"*{ending}"))
    assert found, ending
    return found


def sentences(release: Path, language: str) -> list[Record]:
    """The sentences with gold of a language, as an import reads them."""
    file = SourceFile(SENTENCES, release / SENTENCES, encoding="utf-8")
    read = formats()["jsonl"].read([file], Options())
    found = [one for one in read if isinstance(one, Record) and language in one.texts]
    assert len(found) == len(TEXTS) + 4
    return found


def expected(place: int) -> list[tuple[list[str], list[list[int]]]]:
    """Tokens and labels of the texts that are hard to carry, in the language at `place`."""
    return [(tokens[place], labels[place]) for tokens, labels in zip(TEXTS, LABELS, strict=True)]


def test_the_release_has_what_is_hard_to_carry(release: Path) -> None:
    rows = lines(release / SENTENCES)

    for place, language in enumerate(("es", "ar")):
        found = [
            (row["tokens"], [span["tokens"] for span in row["spans"]])
            for row in rows
            if row["language"] == language and row["dataset"] == "news"
        ]
        assert found == expected(place)


def test_pandas_reads_every_table(release: Path) -> None:
    for path in named(release, ".jsonl"):
        table = pandas.read_json(path, lines=True, dtype=False)
        assert table.shape[0] == len(lines(path)) > 0, path
    for path in named(release, ".parquet"):
        assert pandas.read_parquet(path).shape[0] == len(lines(path.with_suffix(".jsonl"))), path
    for path in named(release / "interpretation", ".tsv"):
        table = pandas.read_csv(path, sep="\t", quoting=3, keep_default_na=False, dtype=str)
        assert table.shape[0] == path.read_bytes().count(b"\n") - 1, path
    for path in named(release / "detection" / "source_datasets", ".tsv"):
        table = pandas.read_csv(
            path, sep="\t", quoting=3, keep_default_na=False, dtype=str, header=None, names=["token", "label"]
        )
        content = path.read_bytes().replace(b"\n\n", b"\n")
        assert "\n".join(table["token"] + "\t" + table["label"]) + "\n" == content.decode(), path


def test_pandas_has_the_tokens_as_they_were(release: Path) -> None:
    for place, language in enumerate(("es", "ar")):
        table = pandas.read_parquet(release / "data" / f"sentences_{language}.parquet")
        news = table[table["dataset"] == "news"]
        assert [list(tokens) for tokens in news["tokens"]] == [tokens for tokens, _labels in expected(place)]


def test_datasets_loads_every_configuration_and_the_hub_layout(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    import datasets

    cache = str(tmp_path / "cache")
    for name in datasets.get_dataset_config_names(str(release)):
        loaded = datasets.load_dataset(str(release), name, split="train", cache_dir=cache)
        assert loaded.to_list() == lines(release / "data" / f"{name}.jsonl"), name
    for path in named(release / "hub", ".jsonl"):
        loaded = datasets.load_dataset("json", data_files=str(path), split="train", cache_dir=cache)
        assert loaded.to_list() == lines(path), path


def test_mlcroissant_reads_every_record(release: Path) -> None:
    import mlcroissant

    found = mlcroissant.Dataset(jsonld=str(release / "croissant.json"))

    assert not found.metadata.ctx.issues.errors
    for one in found.metadata.record_sets:
        assert len(list(found.records(one.name))) == len(lines(release / "data" / f"{one.name}.jsonl")), one.name


@pytest.mark.parametrize(("place", "language"), [(0, "es"), (1, "ar")])
def test_conllu_reads_its_sentences(release: Path, tmp_path: Path, place: int, language: str) -> None:
    records = sentences(release, language)
    paths = formats()["conllu"].write(records, tmp_path)

    found = {one.metadata["sent_id"]: one for path in paths for one in conllu.parse(path.read_text("utf-8"))}

    assert found.keys() == {record.id for record in records}
    news = [one for name, one in found.items() if name.startswith("news:")]
    for (tokens, labels), one in zip(expected(place), news, strict=True):
        assert [token["form"] for token in one] == tokens
        tagged = [number for number, token in enumerate(one) if token["misc"]["Label"] != "O"]
        assert tagged == sorted(token for label in labels for token in label)


@pytest.mark.parametrize("language", ["es", "ar"])
def test_cassis_reads_its_sentences(release: Path, tmp_path: Path, language: str) -> None:
    records = sentences(release, language)
    tokens: Counter[str] = Counter()
    labelled: Counter[str] = Counter()

    for path in formats()["cas-xmi"].write(records, tmp_path):
        with zipfile.ZipFile(path) as archive:
            types = cassis.load_typesystem(io.BytesIO(archive.read("TypeSystem.xml")))
            for name in (one for one in archive.namelist() if one.endswith(".xmi")):
                cas = cassis.load_cas_from_xmi(io.BytesIO(archive.read(name)), typesystem=types)
                tokens.update(mark.get_covered_text() for mark in cas.select(layers.TOKEN))
                labelled.update(mark.get_covered_text() for mark in cas.select(layers.LABELS))

    assert tokens == Counter(token for record in records for token in record.texts[language].tokens)
    assert labelled == Counter(_labelled_text(records, language))


def _labelled_text(records: list[Record], language: str) -> Iterator[str]:
    """What a label covers: a CAS has a mark for each of its parts."""
    for record in records:
        text = record.texts[language]
        for span in text.labels[0].spans:
            run: list[str] = []
            for number in range(span.tokens[0], span.tokens[-1] + 2):
                if number in span.tokens:
                    run.append(text.tokens[number])
                elif run:
                    yield " ".join(run)
                    run = []


def test_doccano_imports_its_sentences(release: Path, tmp_path: Path) -> None:
    """Through doccano's own `data_import`, as labels with relations and as columns as they lie in the zip."""
    python = os.environ.get("DOCCANO_PYTHON") or pytest.skip("doccano is not installed: this file says how to run it")
    records = sentences(release, "es")
    given = tmp_path / "given"
    given.mkdir()
    (path,) = formats()["doccano"].write(records, tmp_path)
    path.rename(given / "relations.jsonl")
    rows = seen(records)
    layout = release / "detection" / "source_datasets" / "es" / "set_prem.tsv"
    (given / "tagged.tsv").write_bytes(layout.read_bytes())
    tagged = [row for row, record in zip(rows, records, strict=True) if record.role == "prem"]
    (tmp_path / "expected.json").write_text(json.dumps({"relations": rows, "tagged": tagged}), "utf-8")

    done = subprocess.run(
        [python, str(TOOLS / "with_doccano.py"), str(tmp_path)], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr[-3000:]
    assert "VERSION doccano" in done.stdout
    assert "DIFFERS" not in done.stdout, done.stdout


def test_label_studio_converts_its_sentences(release: Path, tmp_path: Path) -> None:
    """By the converter of Label Studio's SDK, which its exports go through."""
    python = os.environ.get("LABEL_STUDIO_PYTHON") or pytest.skip(
        "Label Studio's SDK is not installed: this file says how to run it"
    )
    records = sentences(release, "es")
    (path,) = formats()["label-studio"].write(records, tmp_path)

    done = subprocess.run(
        [python, "-c", LABEL_STUDIO, str(path), str(tmp_path / "out")], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr[-3000:]
    (made,) = (tmp_path / "out").glob("*.json")
    tasks = json.loads(made.read_text("utf-8"))
    assert [task["data"]["id"] for task in tasks] == [record.id for record in records]
    labelled = list(_labelled_text(records, "es"))
    marks = [one["value"] for task in tasks for one in task["annotations"][0]["result"]]
    assert [mark["text"] for mark in marks] == labelled
    assert all(mark["labels"] == ["METAPHOR"] for mark in marks)
    # It splits tokens by rules of its own.
    columns = [line.split() for line in (tmp_path / "out" / "result.conll").read_text("utf-8").splitlines()[1:]]
    tagged = "".join(line[0] for line in columns if line and line[-1] != "O")
    assert tagged == "".join(labelled).replace(" ", "")
