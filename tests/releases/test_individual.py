"""Who answered what, under pseudonyms; and the tables counted again from a release alone."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from annotator.domain.labels.spans import Span
from annotator.imports.terms import change_import_terms
from annotator.management.base import write_all
from annotator.models import Mode, Project, Pseudonym, Role, User
from annotator.releases.actions.pseudonyms import give_pseudonyms
from annotator.releases.queries.exports import release_files
from annotator.releases.queries.individual import span_origins
from annotator.reports.queries.agreement import agreement
from tests.drafts import load, make_plain
from tests.factories import (
    make_annotation,
    make_gold,
    make_member,
    make_pair,
    make_prediction,
    make_project,
    make_projection,
    make_sentence,
    make_tag,
    span,
)
from tests.releases.test_exports import as_text

pytestmark = pytest.mark.django_db

RECOUNT = Path(__file__).parents[2] / "docs" / "examples" / "recount.py"


def recount_script() -> ModuleType:
    found = importlib.util.spec_from_file_location("recount", RECOUNT)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def rows(files: dict[str, bytes], path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in files[path].splitlines()]


def person(project: Project, username: str, first: str, last: str) -> User:
    user = make_member(project, Role.ADJUDICATOR, username)
    user.first_name, user.last_name, user.email = first, last, f"{username}@letras.example"
    user.save()
    return user


@pytest.fixture
def people(project: Project) -> list[User]:
    return [person(project, "zoraida", "Zoraida", "Quintanilla"), person(project, "hermenegildo", "Gil", "Ochandiano")]


@pytest.fixture
def project() -> Project:
    return make_project("corpus")


@pytest.fixture
def labelled(project: Project, people: list[User]) -> Project:
    """A little of all: a prediction corrected, projections kept, shifted and lost, blind answers, tags."""
    zoraida, gil = people
    texts = ["El tiempo vuela otra vez", "La noche cae sobre todos", "Nadie mira el reloj ahora"]
    for place, text in enumerate(texts):
        spanish = make_sentence(project, text)
        english = make_sentence(project, "Time flies over us again", language="en", segment=spanish.segment)
        shown = make_prediction(spanish, [span(1), span(3)], [0.1, 0.9, 0.1, 0.8, 0.1])
        begun = {"suggestion": shown, "shown": [shown.pk], "suggested": {"spans": [span(1), span(3)]}}
        make_annotation(spanish, zoraida, [span(1), span(place)], seconds=2.5, **begun)
        make_annotation(spanish, gil, [span(2), span(1)], mode=Mode.BLIND)
        make_gold(spanish, [span(1), span(2)], source="adjudicated", decided_by=zoraida, reason="Both agree now")
        carried = make_projection(spanish, english, [span(1)], [span(1), span(2)])
        begun = {"suggestion": carried, "shown": [carried.pk], "suggested": {"spans": [span(1)]}}
        after = [[span(1)], [span(0, 1)], [span(4)]][place]
        make_annotation(english, gil, after, **begun)
        make_gold(english, after)
    for tag, other in (("relevant", "relevant"), ("no_metaphor", "relevant"), ("no_metaphor", "no_metaphor")):
        pair = make_pair(project)
        for sentence in project.sentences.filter(segment__in=[pair.premise, pair.hypothesis]):
            make_gold(sentence)
        make_tag(pair, tag, user=zoraida)
        make_tag(pair, other, user=gil, mode=Mode.BLIND)
        make_tag(pair, tag)
    return project


@pytest.fixture
def released(labelled: Project) -> dict[str, bytes]:
    return release_files(labelled, partial=True).files


def test_nobody_is_named_in_any_file(released: dict[str, bytes], people: list[User]) -> None:
    named = [text for user in people for text in (user.username, user.first_name, user.last_name, user.email)]

    assert not [(path, name) for path, content in released.items() for name in named if name in as_text(path, content)]
    assert b"A01" in released["annotations/labels.jsonl"]
    assert b"A02" in released["pairs.jsonl"]


def test_names_go_out_where_the_project_says_so(labelled: Project) -> None:
    labelled.dataset_card = {"names": True}
    labelled.save()

    files = release_files(labelled, partial=True).files

    assert {row["annotator"] for row in rows(files, "annotations/labels.jsonl")} == {
        "Zoraida Quintanilla",
        "Gil Ochandiano",
    }
    assert b"A01" not in files["annotations/labels.jsonl"]
    assert b"zoraida" not in files["annotations/labels.jsonl"]


def test_a_number_stays_with_its_person_whoever_comes_and_goes(project: Project, people: list[User]) -> None:
    zoraida, gil = people
    sentence = make_sentence(project)
    make_gold(sentence)
    make_annotation(sentence, gil)
    give_pseudonyms(project)
    make_annotation(sentence, zoraida)
    give_pseudonyms(project)
    project.memberships.filter(user=gil).delete()
    make_annotation(sentence, make_member(project, username="later"))
    give_pseudonyms(project)

    given = dict(Pseudonym.objects.filter(project=project).values_list("user__username", "number"))

    assert given == {"hermenegildo": 1, "zoraida": 2, "later": 3}
    found = rows(release_files(project, partial=True).files, "annotations/labels.jsonl")
    assert [row["annotator"] for row in found] == ["A01", "A02", "A03"]


def test_an_answer_has_what_it_began_from(released: dict[str, bytes]) -> None:
    answers, suggestions = rows(released, "annotations/labels.jsonl"), rows(released, "suggestions/labels.jsonl")
    ids = {row["id"]: row for row in suggestions}

    corrected = next(row for row in answers if row["language"] == "es" and row["mode"] == "review")
    assert ids[corrected["suggestion"]]["content"] == corrected["suggested"]
    assert (ids[corrected["suggestion"]]["by"], ids[corrected["suggestion"]]["threshold"]) == ("crf", 0.5)
    assert corrected["shown"] == [corrected["suggestion"]]
    assert (corrected["seconds"], corrected["scheme_version"], corrected["version"]) == (2.5, 1, 1)
    assert [(one["origin"], one["tokens"], one["from"]) for one in corrected["origins"]] == [
        ("accepted", [1], "prediction:crf"),
        ("added", [0], ""),
        ("removed", [3], "prediction:crf"),
    ]
    blind = next(row for row in answers if row["mode"] == "blind")
    assert (blind["suggested"], blind["suggestion"], blind["shown"]) == (None, None, [])
    english = [row["origins"] for row in answers if row["language"] == "en"]
    assert [[one["origin"] for one in origins] for origins in english] == [
        ["accepted"],
        ["shifted"],
        ["added", "removed"],
    ]
    assert english[1][0]["was"] == {"tokens": [1], "label": "METAPHOR"}
    assert english[0][0]["from"] == "projection:es"
    decided = next(row for row in rows(released, "sentences.jsonl") if row["gold"]["source"] == "adjudicated")
    assert (decided["gold"]["decided_by"], decided["gold"]["reason"]) == ("A01", "Both agree now")
    links = rows(released, "alignments/es-en.jsonl")
    assert (links[0]["links"], links[0]["aligner"], len(links)) == ([[0, 0, 0.9]], "lexical", 3)


def test_answers_to_what_nobody_decided_stay_here(project: Project, people: list[User]) -> None:
    decided, undecided = make_sentence(project, "El tiempo vuela"), make_sentence(project, "La noche cae")
    make_gold(decided)
    for sentence in (decided, undecided):
        make_annotation(sentence, people[0])
        make_prediction(sentence, [span(1)], [0.1, 0.9, 0.1])

    files = release_files(project, partial=True).files

    for path in ("annotations/labels.jsonl", "suggestions/labels.jsonl"):
        assert [row["uid"] for row in rows(files, path)] == [decided.segment.uid]


def test_a_text_that_may_not_be_published_has_no_answers_here() -> None:
    project = make_plain(languages=("es",))
    load(project, {"abierto.csv": "id,text:es\n1,El sol brilla .\n2,La luna sale .\n"})
    load(project, {"cerrado.csv": "id,text:es\n1,El secreto arde .\n"}, publishable=False)
    ana = make_member(project)
    for sentence in project.sentences:
        make_annotation(sentence, ana)
        make_gold(sentence)

    files = release_files(project, partial=True).files
    assert [row["uid"] for row in rows(files, "annotations/labels.jsonl")] == ["abierto:1", "abierto:2"]

    change_import_terms(imported=project.imports.get(dataset="cerrado"), publishable=True, by=None)
    assert len(rows(release_files(project, partial=True).files, "annotations/labels.jsonl")) == 3


def test_the_same_gold_gives_the_same_files(labelled: Project, released: dict[str, bytes]) -> None:
    give_pseudonyms(labelled)
    assert release_files(labelled, partial=True).files == released


def test_the_tables_are_counted_again_from_the_files_alone(
    labelled: Project, released: dict[str, bytes], people: list[User], tmp_path: Path
) -> None:
    write_all(tmp_path, released)

    found = recount_script().recount(tmp_path)

    for table in ("detection", "interpretation", "correction", "projection"):
        stored = json.loads(released[f"statistics/{table}.json"])
        columns = found[table][0].keys()
        expected = [{name: row[name] for name in columns} for row in stored]
        # Tables have rows for roles that nothing has, too.
        filled = [row for row in expected if any(type(value) is int and value for value in row.values())]
        assert sorted(map(str, filled)) == sorted(
            str(row) for row in found[table] if any(type(value) is int and value for value in row.values())
        )
        assert filled
    zoraida, gil = people
    for layer, name in (("labels", "tokens"), ("interpretation", "pairs")):
        (row,) = [row for row in found["agreement"] if (row["layer"], row["language"]) == (layer, "es")]
        overall = agreement(labelled, a=zoraida, b=gil, layer=name, language="es").overall
        assert row["annotators"] == ["A01", "A02"]
        assert (row["units"], row["kappa"]) == (overall.units, pytest.approx(overall.kappa.value))
        assert row["kappa"] not in (None, 1)


def test_a_recount_notices_a_label_that_is_another(released: dict[str, bytes], tmp_path: Path) -> None:
    write_all(tmp_path, released)
    before = recount_script().recount(tmp_path)
    path = tmp_path / "annotations" / "labels.jsonl"
    answers = rows(released, "annotations/labels.jsonl")
    changed = next(row for row in answers if (row["language"], row["mode"]) == ("es", "review"))
    changed["content"] = {"spans": [span(4)]}
    path.write_text("".join(json.dumps(row) + "\n" for row in answers))

    after = recount_script().recount(tmp_path)

    assert after["correction"] != before["correction"]
    assert after["agreement"] != before["agreement"]


def test_a_shifted_span_is_matched_once() -> None:
    before = [Span((1, 2), "METAPHOR")]

    found = span_origins(before, [Span((1,), "METAPHOR"), Span((2,), "METAPHOR")], "projection:es")

    assert [(one["origin"], one["tokens"]) for one in found] == [("shifted", [1]), ("added", [2])]
