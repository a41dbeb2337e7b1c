"""Texts that are in another script than their language are told before they come in, and come in all the same."""

from __future__ import annotations

import pytest

from annotator.imports.drafts.drafts import preview_draft
from annotator.models import Project
from tests.drafts import draft_of, make_plain

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]

HINDI = "उसकी आवाज़ शहद है\nमेरा दिल टूट गया\n12 : 3\n"


@pytest.fixture
def project() -> Project:
    return make_plain(languages=("en", "hi", "sr"))


def said(project: Project, name: str, text: str, language: str) -> list[str]:
    draft = draft_of(project, {name: text}, files={"1": {"language": language}}, format="lines")
    preview = preview_draft(draft=draft)
    assert preview["ready"]
    return [one["expected"] for one in preview["problems"] if one["file"] == name and "script" in one["expected"]]


def test_a_file_in_another_script_than_its_language_is_warned_of_once(project: Project) -> None:
    [warning] = said(project, "en.txt", HINDI, "en")

    assert "Devanagari" in warning
    assert "Latin" in warning
    assert "“en”" in warning


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (HINDI, "hi"),
        ("Glas joj je med .\n", "sr"),
        ("Глас јој је мед .\n", "sr"),
        # A few lines alone are quotations.
        ("Her voice is honey .\nMy heart broke .\nउसकी आवाज़ शहद है\n", "en"),
        ("1 + 1\n2 : 3\n", "en"),
    ],
)
def test_what_is_written_as_expected_is_not(project: Project, text: str, language: str) -> None:
    assert said(project, "a.txt", text, language) == []
