"""A file that looks like no sentences comes in only in a format that somebody has chosen."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command

from annotator.core.errors import ActionError
from annotator.imports.drafts.drafts import change_draft, preview_draft, start_import
from annotator.imports.writing.run import run_import
from annotator.models import Gold, Project
from tests.drafts import draft_of, make_plain, sentences

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]

CONFIGURATION = "[entities]\nMETAPHOR\n\n[relations]\n"
TEXT = "Rumours bloom in town.\nShe shrugged her worries off.\n"
ANN = "T1\tMETAPHOR 8 13\tbloom\nT2\tMETAPHOR 27 35;48 51\tshrugged off\nA1\tSure T1\n#1\tAnnotatorNotes T1\tcheck\n"


@pytest.fixture
def project() -> Project:
    return make_plain(languages=("en",))


def spans(project: Project) -> list[list[list[int]]]:
    rows = Gold.objects.filter(unit__project=project).order_by("unit__segment__position")
    return [[span["tokens"] for span in gold.content["spans"]] for gold in rows]


class TestAsked:
    def test_it_is_named_and_cannot_be_imported(self, project: Project) -> None:
        draft = draft_of(project, {"tools.txt": CONFIGURATION})

        preview = preview_draft(draft=draft)

        assert (preview["format"], preview["ready"], preview["errors"]) == ("", False, 1)
        assert preview["problems"][0]["file"] == "tools.txt"
        assert "configuration: “[entities]”" in preview["problems"][0]["got"]
        with pytest.raises(ActionError):
            start_import(draft=draft, by=None)
        assert sentences(project, "en") == []

    def test_once_its_format_is_chosen_it_comes_in(self, project: Project) -> None:
        draft = draft_of(project, {"tools.txt": CONFIGURATION})

        change_draft(draft=draft, changes={"format": "lines"}, by=None)

        assert preview_draft(draft=draft)["ready"]
        run_import(draft=draft, by=None)
        assert sentences(project, "en") == ["[entities]", "METAPHOR", "[relations]"]

    def test_the_choice_is_taken_back_with_the_format(self, project: Project) -> None:
        draft = draft_of(project, {"tools.txt": CONFIGURATION}, format="lines")

        change_draft(draft=draft, changes={"format": ""}, by=None)

        assert not preview_draft(draft=draft)["ready"]


class TestBrat:
    FILES = {"annotation.conf": CONFIGURATION, "doc.txt": TEXT, "doc.ann": ANN, "empty.txt": "Time heals.\n"}

    def test_a_folder(self, project: Project) -> None:
        draft = draft_of(project, {**self.FILES, "empty.ann": ""}, labels_as="gold")

        preview = preview_draft(draft=draft)
        run_import(draft=draft, by=None)

        warned = [f"{problem['expected']} {problem['got']}" for problem in preview["problems"]]
        assert any("1 note, which is not imported" in one for one in warned)
        assert any("1 label has the attribute “Sure”" in one for one in warned)
        assert [file["name"] for file in preview["files"] if not file["used"]] == ["annotation.conf", "empty.ann"]
        assert sentences(project, "en") == [*TEXT.splitlines(), "Time heals."]
        # Nobody has annotated the document whose annotations are empty.
        assert spans(project) == [[[1]], [[1, 4]]]

    def test_the_command_names_what_is_left_out(
        self, project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for name, content in {**self.FILES, "empty.ann": ""}.items():
            (tmp_path / name).write_text(content, encoding="utf-8")

        call_command("import_files", str(tmp_path), project=project.slug, labels_as="gold")

        out, err = capsys.readouterr()
        assert "Left out: annotation.conf, empty.ann" in out + err
        assert "the attribute “Sure”" in out + err
        assert len(sentences(project, "en")) == 3
