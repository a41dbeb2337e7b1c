"""A release as repositories take it: card, licence, citation, tables that other readers load."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from annotator.formats.json_lines.release import PAIRS, SENTENCES
from annotator.management.base import write_all
from annotator.models import Mode, Project
from annotator.releases.card import QUESTIONS
from annotator.releases.queries import dataset_tables as tables_module
from annotator.releases.queries.exports import release_files
from tests.drafts import load, make_plain
from tests.factories import (
    make_annotation,
    make_gold,
    make_member,
    make_pair,
    make_project,
    make_projection,
    make_sentence,
    make_tag,
    span,
)

pytestmark = pytest.mark.django_db

CARD = {
    "title": "Metáforas: «un corpus»",
    "authors": "Ruiz Vega, Ana; 0000-0002-1825-0097; Universidad de Letras\nSalas, Ben",
    "licence_labels": "CC-BY-4.0",
    "licence_texts": "CC-BY-SA-4.0",
    "doi": "10.5281/zenodo.1234567",
    "citation": "Ruiz Vega, A. (2026). Metáforas.",
    "pay": "18 € an hour",
    "consent": 'Everybody signed: "yes"',
}


@pytest.fixture
def project() -> Project:
    """Two languages, of which the second lacks gold on a sentence; answers, links, a pair."""
    made = make_project("corpus")
    ana, ben = make_member(made, username="ana"), make_member(made, username="ben")
    for number, text in enumerate(("=SUMA(1) vuela", "La noche cae", 'Dice "ya" 😀')):
        spanish = make_sentence(made, text)
        english = make_sentence(made, "Time flies here", language="en", segment=spanish.segment)
        make_projection(spanish, english, [span(1)], [span(1)])
        make_annotation(spanish, ana, [span(1)], mode=Mode.BLIND)
        make_annotation(spanish, ben, [span(number % 2)], mode=Mode.BLIND)
        make_gold(spanish, [span(1)])
        if number:
            make_gold(english, [span(0, 1)])
    pair = make_pair(made)
    for sentence in made.sentences.filter(segment__in=[pair.premise, pair.hypothesis]):
        make_gold(sentence)
    make_tag(pair, "relevant")
    return made


@pytest.fixture
def files(project: Project) -> dict[str, bytes]:
    project.dataset_card = CARD
    project.save()
    return release_files(project, partial=True, about={"number": 1, "date": "2026-11-27"}).files


def front(files: dict[str, bytes]) -> dict[str, Any]:
    _before, head, _body = files["README.md"].decode().split("---\n", 2)
    found: dict[str, Any] = yaml.safe_load(head)
    return found


def lines(content: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in content.split(b"\n") if line]


def test_the_card_has_a_header_that_hubs_read(files: dict[str, bytes]) -> None:
    head = front(files)

    assert head["pretty_name"] == CARD["title"]
    assert (head["license"], head["language"], head["size_categories"]) == ("cc-by-4.0", ["es", "en"], ["n<1K"])
    assert head["task_categories"] == ["token-classification", "text-classification"]
    assert {one["config_name"] for one in head["configs"]} >= {"sentences_es", "sentences_en", "pairs_es"}
    assert all(one["data_files"] in files for one in head["configs"])
    text = files["README.md"].decode()
    assert "18 € an hour" in text
    assert "| labels | es | A01 – A02 | 3 |" in text


def test_what_is_not_stated_is_named(project: Project) -> None:
    files = release_files(project, partial=True).files

    text = files["README.md"].decode()
    statement = text[text.index("## Data statement") :]
    assert statement.count("\nnot stated\n") == statement.count("### ") == 9
    assert "- DOI: not stated" in text
    assert front(files)["license"] == "unknown"
    assert "Licence of the labels: not stated" in files["LICENSE"].decode()
    assert yaml.safe_load(files["CITATION.cff"])["authors"] == [{"name": "not stated"}]
    assert len({one.name for one in QUESTIONS}) == len(QUESTIONS)


def test_the_citation_names_authors_licence_and_doi(files: dict[str, bytes]) -> None:
    found = yaml.safe_load(files["CITATION.cff"])

    assert (found["cff-version"], found["type"], found["title"]) == ("1.2.0", "dataset", CARD["title"])
    assert found["authors"] == [
        {
            "family-names": "Ruiz Vega",
            "given-names": "Ana",
            "orcid": "https://orcid.org/0000-0002-1825-0097",
            "affiliation": "Universidad de Letras",
        },
        {"family-names": "Salas", "given-names": "Ben"},
    ]
    assert (found["doi"], found["license"], found["date-released"]) == (CARD["doi"], "CC-BY-4.0", "2026-11-27")
    licence = files["LICENSE"].decode()
    assert "https://spdx.org/licenses/CC-BY-4.0.html" in licence
    assert "Licence of the texts: CC-BY-SA-4.0" in licence


def test_a_licence_that_hubs_do_not_know_goes_by_its_name(project: Project) -> None:
    project.dataset_card = {"licence_labels": "Letras Pública 1.0"}
    head = front(release_files(project, partial=True).files)
    assert (head["license"], head["license_name"]) == ("other", "Letras Pública 1.0")


def test_what_is_gold_in_one_language_waits_for_no_other(files: dict[str, bytes]) -> None:
    spanish, english = (lines(files[f"data/sentences_{code}.jsonl"]) for code in ("es", "en"))
    assert (len(spanish), len(english)) == (5, 2)
    assert (spanish[0]["tokens"], spanish[0]["tags"]) == (["=SUMA(1)", "vuela"], ["O", "B-METAPHOR"])
    assert not [path for path, content in files.items() if not content]


def test_tables_say_the_same_in_both_formats(files: dict[str, bytes]) -> None:
    import pandas
    from pyarrow import parquet

    written = [path for path in files if path.endswith(".parquet")]
    assert len(written) == len([path for path in files if path.startswith("data/")]) // 2 >= 5
    for path in written:
        expected = lines(files[path.replace(".parquet", ".jsonl")])
        assert parquet.read_table(io.BytesIO(files[path])).to_pylist() == expected
        assert list(pandas.read_parquet(io.BytesIO(files[path])).columns) == list(expected[0])


def test_tables_have_every_row_of_the_files_that_lose_nothing(files: dict[str, bytes]) -> None:
    def rows(start: str) -> int:
        return sum(len(lines(files[path])) for path in files if path.startswith(start) and path.endswith(".jsonl"))

    assert rows("data/sentences_") == len(lines(files[SENTENCES]))
    assert rows("data/pairs_") == len(lines(files[PAIRS]))
    assert rows("data/annotations_") == rows("annotations/")
    assert rows("data/alignments_") == rows("alignments/")


def test_every_configuration_loads_without_a_network(
    files: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    import datasets

    write_all(tmp_path / "release", files)
    folder = str(tmp_path / "release")

    configs = datasets.get_dataset_config_names(folder)
    assert configs == [one["config_name"] for one in front(files)["configs"]]
    for name in configs:
        loaded = datasets.load_dataset(folder, name, split="train", cache_dir=str(tmp_path / "cache"))
        assert loaded.to_list() == lines(files[f"data/{name}.jsonl"])


@pytest.mark.parametrize("has_parquet", [True, False])
def test_croissant_is_valid_and_its_records_are_the_rows(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_parquet: bool
) -> None:
    import mlcroissant

    monkeypatch.setattr(tables_module, "find_spec", lambda name: has_parquet or None)
    project.dataset_card = CARD
    files = release_files(project, partial=True, about={"number": 1, "date": "2026-11-27"}).files
    write_all(tmp_path, files)

    found = mlcroissant.Dataset(jsonld=str(tmp_path / "croissant.json"))

    assert not found.metadata.ctx.issues.errors
    assert {one.name for one in found.metadata.record_sets} == {one["config_name"] for one in front(files)["configs"]}
    (row, *others) = list(found.records("sentences_en"))
    assert len(others) == 1
    assert [word.decode() for word in row["sentences_en/tokens"]] == ["Time", "flies", "here"]


def test_without_the_extra_the_card_says_that_parquet_is_left_out(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables_module, "find_spec", lambda name: None)

    files = release_files(project, partial=True).files

    assert not [path for path in files if path.endswith(".parquet")]
    assert "There is no Parquet" in files["README.md"].decode()
    assert all(one["data_files"].endswith(".jsonl") for one in front(files)["configs"])


def test_the_same_gold_gives_the_same_bytes(project: Project) -> None:
    first, second = (release_files(project, partial=True).files for _ in range(2))
    assert first == second


def test_code_in_an_answer_stays_text(project: Project) -> None:
    """Of a card that somebody fills in with what has a meaning in YAML."""
    project.dataset_card = CARD | {"title": "a: b\n---\n- c # d", "authors": "x: [y, 'z'"}
    files = release_files(project, partial=True).files

    assert front(files)["pretty_name"] == "a: b\n---\n- c # d"
    assert yaml.safe_load(files["CITATION.cff"])["authors"] == [{"family-names": "x: [y", "given-names": "'z'"}]
    assert re.match(r"---\npretty_name", files["README.md"].decode())


def test_each_file_of_a_partial_release_can_be_imported_again(
    files: dict[str, bytes], uploads: None, tmp_path: Path
) -> None:
    layout = {path: content for path, content in files.items() if path.startswith("detection/source_datasets/")}
    alone = [path for path in files if path.startswith(("hub/", "data/sentences_")) and path.endswith(".jsonl")]
    given: list[dict[str, str | bytes]] = [dict(layout), *({path: files[path]} for path in [*alone, SENTENCES])]

    for number, some in enumerate(given):
        project = make_plain(languages=("es", "en"), slug=f"again{number}")
        load(project, some, labels_as="gold")
        assert project.sentences.exists(), list(some)
        assert project.golds.exists(), list(some)
