"""What is wrong with files is said in the language of whoever imports them, wherever it is read."""

from __future__ import annotations

import csv
from typing import Any

import pytest
from django.utils.translation import get_language, override
from django.utils.translation import gettext as catalogue

from annotator.core import errors
from annotator.imports.drafts.drafts import preview_draft, start_check
from annotator.imports.reading.problems import problems_csv
from annotator.jobs import running as jobs
from annotator.models import Project
from tests.drafts import draft_of, make_plain

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]

BAD: dict[str, str | bytes] = {"es.tsv": "El\tO\nsol sin tabulador\n\n"}
ES: dict[str, Any] = {"files": {"1": {"language": "es"}}, "format": "tagged"}


@pytest.fixture(autouse=True)
def loud(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spanish in which sentences of the domain can be told: the catalogue's are not what is tested."""
    monkeypatch.setattr(errors, "gettext", lambda text: f"¡{text}!" if get_language() == "es" else catalogue(text))


@pytest.fixture
def project() -> Project:
    return make_plain(languages=("es",))


def test_the_preview_and_the_list_are_in_the_language_of_whoever_looks(project: Project) -> None:
    draft = draft_of(project, BAD, **ES)

    english = preview_draft(draft=draft)["problems"][0]["expected"]
    with override("es"):
        spanish = preview_draft(draft=draft)["problems"][0]["expected"]
        rows = list(csv.DictReader(problems_csv(draft)))

    assert not english.startswith("¡")
    assert spanish == f"¡{english}!"
    assert rows[0]["expected"] == spanish
    assert preview_draft(draft=draft)["problems"][0]["expected"] == english


def test_a_job_speaks_the_language_of_whoever_started_it(project: Project) -> None:
    draft = draft_of(project, BAD, **ES)
    with override("es"):
        job = start_check(draft=draft, by=None)

    jobs.run_job(job.pk, worker="test")

    draft.refresh_from_db()
    assert draft.preview["language"] == "es"
    assert draft.preview["problems"][0]["expected"].startswith("¡")


def test_what_a_format_is_taken_for_is_said_so_too(project: Project) -> None:
    with override("es"):
        notes = preview_draft(draft=draft_of(project, {"a.txt": "Uno .\n", "leer.md": "\n"}))["notes"]

    assert notes
    assert all(note.startswith("¡") for note in notes)
