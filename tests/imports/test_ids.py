"""Ids that files count, repeat, or give in one file or document alone; and what published files repeat."""

from __future__ import annotations

import json
from typing import Any

import pytest

from annotator.core.errors import ActionError
from annotator.core.starts import STARTS
from annotator.models import Gold, Pair, Project, Segment
from annotator.projects.actions.projects import create_project
from tests.drafts import everything, load, make_plain, sentences

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]


@pytest.fixture
def project() -> Project:
    return make_plain(languages=("en", "fr"))


def tmx(*units: tuple[str, str, str]) -> str:
    body = "".join(
        f'<tu{f" tuid={chr(34)}{own}{chr(34)}" if own else ""}><tuv xml:lang="en"><seg>{en}</seg></tuv>'
        f'<tuv xml:lang="fr"><seg>{fr}</seg></tuv></tu>'
        for own, en, fr in units
    )
    return f'<?xml version="1.0"?><tmx version="1.4"><header srclang="en"/><body>{body}</body></tmx>'


def conllu(document: str, *given: tuple[str, str]) -> str:
    lines = [f"# newdoc id = {document}"] if document else []
    for own, text in given:
        lines += [f"# sent_id = {own}", f"# text = {text}"]
        lines += [f"{n}\t{word}" + "\t_" * 8 for n, word in enumerate(text.split(), start=1)]
        lines += [""]
    return "\n".join(lines) + "\n"


def rows(*given: dict[str, Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in given)


def uids() -> list[str]:
    return list(Segment.objects.order_by("position").values_list("uid", flat=True))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["", "1"], ["kit:kit:1", "kit:1"]),
        (["1", ""], ["kit:1", "kit:kit:1"]),
        (["", "", "2"], ["kit:1", "kit:kit:2", "kit:2"]),
        (["", "kit:1", "1"], ["kit:kit:kit:1", "kit:kit:1", "kit:1"]),
        (["", ""], ["kit:1", "kit:2"]),
    ],
)
def test_a_counted_id_is_none_that_the_file_has(project: Project, given: list[str], expected: list[str]) -> None:
    files: dict[str, str | bytes] = {
        "kit.tmx": tmx(*((own, f"Sentence {n}.", f"Phrase {n}.") for n, own in enumerate(given)))
    }
    load(project, files)
    assert uids() == expected
    load(project, files)
    assert uids() == expected


@pytest.mark.parametrize(
    ("files", "expected", "warned"),
    [
        # UDPipe counts anew in each document, and in each file.
        (
            {"a.conllu": conllu("a", ("1", "We slept")), "b.conllu": conllu("b", ("1", "We slept"))},
            ["d:1", "d:b:1"],
            "1 ID appears again in another file or document",
        ),
        (
            {"a.conllu": conllu("a", ("1", "We slept"), ("2", "It rained")) + conllu("b", ("1", "We ran"))},
            ["d:1", "d:2", "d:b:1"],
            "1 ID appears again in another file or document",
        ),
        (
            {"a.conllu": conllu("", ("1", "We slept")), "b.conllu": conllu("", ("1", "We ran"), ("2", "It rained"))},
            ["d:1", "d:b:1", "d:2"],
            "1 ID appears again in another file or document",
        ),
        # The same sentence in several files of one set.
        (
            {"a.jsonl": rows({"id": 1, "text": "We slept"}), "b.jsonl": rows({"id": 1, "text": "We slept"})},
            ["d:1"],
            "1 sentence appears more than once and is imported once",
        ),
        (
            {"a.jsonl": rows({"id": 1, "text": "We slept"}, {"id": 1, "text": "We slept"})},
            ["d:1"],
            "1 sentence appears more than once and is imported once",
        ),
    ],
)
def test_ids_of_one_file_or_document(
    project: Project, files: dict[str, str | bytes], expected: list[str], warned: str
) -> None:
    summary = load(project, files, dataset="d", files={str(n): {"language": "en"} for n in range(1, len(files) + 1)})
    assert uids() == expected
    assert [warning for warning in summary["warnings"] if warned in warning]
    assert len(sentences(project, "en")) == len(expected)


def test_a_sentence_that_is_there_again_with_other_labels(project: Project) -> None:
    first = {"id": 1, "text": "We slept", "labels": [[3, 8, "METAPHOR"]]}
    summary = load(
        project, {"a.jsonl": rows(first, {**first, "labels": []})}, labels_as="gold", files={"1": {"language": "en"}}
    )
    assert Gold.objects.get().content["spans"][0]["tokens"] == [1]
    assert "1 sentence appears again with other labels, and only the first ones are imported" in summary["warnings"][0]


def test_one_id_with_two_texts_in_one_file_is_refused(project: Project) -> None:
    before = everything()
    with pytest.raises(ActionError):
        load(project, {"a.jsonl": rows({"id": 1, "text": "We slept"}, {"id": 1, "text": "We ran"})})
    assert everything() == before


class TestPairs:
    ONE = {"pairID": "7", "promptID": "3", "premise": "It rains.", "hypothesis": "It is wet.", "label": "entailment"}
    OTHER = {
        "pairID": "8",
        "promptID": "3",
        "premise": "It rains.",
        "hypothesis": "It is dry.",
        "label": "contradiction",
    }

    @pytest.fixture
    def project(self) -> Project:
        return create_project(slug="pairs", preset=STARTS["pairs"].preset(["en"]), by=None)

    def bring(self, project: Project, **files: str) -> dict[str, Any]:
        given: dict[str, str | bytes] = {f"{name}.jsonl": content for name, content in files.items()}
        chosen = {str(n): {"language": "en"} for n in range(1, len(files) + 1)}
        return load(project, given, dataset="d", files=chosen)

    def test_a_pair_in_several_files_of_one_set_comes_in_once(self, project: Project) -> None:
        summary = self.bring(project, dev=rows(self.ONE, self.OTHER), hard=rows(self.OTHER))
        assert sorted(Pair.objects.values_list("pair_id", flat=True)) == ["7", "8"]
        assert summary["warnings"] == ["hard.jsonl:1: 1 pair appears more than once and is imported once"]

    def test_the_first_of_two_labels_counts(self, project: Project) -> None:
        summary = self.bring(project, dev=rows(self.ONE), hard=rows({**self.ONE, "label": "neutral"}))
        assert Pair.objects.get().inference == "entailment"
        assert "1 pair appears again with another inference label" in summary["warnings"][0]

    def test_pairs_without_ids_are_those_of_their_file(self, project: Project) -> None:
        bare = [{key: one[key] for key in ("premise", "hypothesis", "label")} for one in (self.ONE, self.OTHER)]
        other = {**bare[0], "premise": "It snows.", "hypothesis": "It is cold."}
        summary = self.bring(project, dev=rows(*bare), test=rows(other))
        assert Pair.objects.count() == 3
        assert [pair.hypothesis.units.get().text for pair in Pair.objects.order_by("pk")] == [
            "It is wet.", "It is dry.", "It is cold.",
        ]  # fmt: skip
        assert "whose name is added to" in str(summary["warnings"])
