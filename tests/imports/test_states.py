"""What becomes gold of files that also have answers which are none, a model's labels, categories without a place."""

from __future__ import annotations

import json
from typing import Any

import pytest

from annotator.models import Gold, Import, Project, Suggestion
from tests.drafts import load, make_plain, sentences

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]

TEXT = "The market is sleeping today."
SPAN = {"start": 14, "end": 22, "label": "METAPHOR"}


@pytest.fixture
def project() -> Project:
    return make_plain(languages=("en",))


def rows(*given: dict[str, Any]) -> dict[str, str | bytes]:
    return {"export.jsonl": "".join(json.dumps(row) + "\n" for row in given)}


def gold() -> dict[str, list[list[int]]]:
    """By the text of each sentence with gold, the tokens of its labels."""
    return {
        row.unit.text: [span["tokens"] for span in row.content["spans"]] for row in Gold.objects.select_related("unit")
    }


def test_gold_of_what_was_accepted_alone(project: Project) -> None:
    files = rows(
        {"text": TEXT, "spans": [SPAN], "answer": "accept"},
        {"text": "He drew a line on the paper.", "spans": [{**SPAN, "start": 3, "end": 7}], "answer": "reject"},
        {"text": "Skip this one please.", "spans": [], "answer": "ignore"},
    )
    summary = load(project, files, labels_as="gold")

    assert len(sentences(project, "en")) == 3
    assert list(gold()) == ["The market is sleeping today."]
    assert summary["warnings"] == [
        "export.jsonl:3: 1 answer marked as rejected, which is left out",
        "export.jsonl:3: 1 answer marked as ignored, which is left out",
    ]


@pytest.mark.parametrize("labels_as", ["gold", "model"])
def test_a_models_labels_are_never_gold(project: Project, labels_as: str) -> None:
    model = {"says": "model", "name": "m", "labels": [SPAN]}
    person = {"says": "person", "name": "ana", "labels": [{**SPAN, "start": 4, "end": 10}]}
    files = rows({"text": TEXT, "labels": [model]}, {"text": f"{TEXT} Soundly.", "labels": [person, model]})

    if labels_as == "model":
        # Whose they are is said: of two, nobody knows which ones are meant.
        load(project, rows({"text": TEXT, "labels": [model]}), labels_as="model", labels_name="m")
        assert (Gold.objects.count(), Suggestion.objects.count()) == (0, 1)
        return
    summary = load(project, files, labels_as="gold")
    assert list(gold().values()) == [[[1]]]
    [warning] = summary["warnings"]
    assert warning.startswith("1 sentence only has labels from a model, which are left out")


def test_categories_without_a_place_are_said_of_what_came_in(project: Project) -> None:
    files = rows({"text": "Terrible service.", "label": ["negative"]}, {"text": "Great price.", "label": ["positive"]})
    summary = load(project, files, labels_as="gold")

    [warning] = summary["warnings"]
    assert warning.startswith("2 sentences have categories that are left out")
    assert Import.objects.get().summary["warnings"] == [warning]
    assert Gold.objects.count() == 0


def test_positions_in_utf16_units(project: Project) -> None:
    summary = load(
        project, rows({"text": "😀😀 the market sleeps now", "label": [[16, 22, "METAPHOR"]]}), labels_as="gold"
    )
    assert list(gold().values()) == [[[3]]]
    assert "UTF-16" in summary["warnings"][0]


@pytest.mark.parametrize(("chosen", "token"), [("utf16", 2), ("characters", 3)])
def test_where_both_ways_of_counting_fit_a_person_chooses(project: Project, chosen: str, token: int) -> None:
    files = rows({"text": "😀😀 a b c d e", "label": [[7, 8, "METAPHOR"]]})
    summary = load(project, files, labels_as="gold", options={"positions": chosen})
    assert list(gold().values()) == [[[token]]]
    assert summary["warnings"] == []
