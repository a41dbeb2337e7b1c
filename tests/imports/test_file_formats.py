"""Files of several formats in one import: each in its own, guessed and changeable."""

from __future__ import annotations

import pytest

from annotator.core.errors import ActionError
from annotator.imports.drafts.drafts import change_draft, preview_draft
from annotator.imports.writing.run import run_import
from annotator.models import Gold, Import, Project
from tests.drafts import CATALAN, LABELLED, SPANISH, draft_of, sentences
from tests.zips import zipped

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]
TABLE = "id,text:es,text:ca\n1,Ana lee.,L'Anna llegeix.\n2,Ana duerme.,L'Anna dorm.\n"
BOTH: dict[str, str | bytes] = {"novel.es.txt": SPANISH, "novel.ca.txt": CATALAN, "more.es.tsv": LABELLED}


def formats_of(draft: object) -> list[str]:
    return [one["format"] for one in draft.files]  # type: ignore[attr-defined]


def test_each_is_read_as_what_it_is(project: Project) -> None:
    draft = draft_of(project, BOTH)

    assert formats_of(draft) == ["lines", "lines", "tagged"]
    preview = preview_draft(draft=draft)
    assert preview["errors"] == 0
    assert [one["sentences"] for one in preview["files"]] == [{"es": 3}, {"ca": 3}, {"es": 2}]

    change_draft(draft=draft, changes={"labels_as": "gold"}, by=None)
    run_import(draft=draft, by=None)

    assert len(sentences(project, "es")) == 5
    assert len(sentences(project, "ca")) == 3
    assert Gold.objects.count() == 2
    assert [one["name"] for one in Import.objects.get().files] == list(BOTH)


def test_a_choice_for_one_changes_no_other(project: Project) -> None:
    draft = draft_of(project, {**BOTH, "table.csv": TABLE})
    before = formats_of(draft)
    assert before == ["lines", "lines", "tagged", "csv"]

    change_draft(draft=draft, changes={"files": {"3": {"format": "lines"}}}, by=None)
    assert formats_of(draft) == ["lines", "lines", "lines", "csv"]
    change_draft(draft=draft, changes={"files": {"4": {"format": "none"}}}, by=None)
    assert [one["used"] for one in draft.files] == [True, True, True, False]
    change_draft(draft=draft, changes={"files": {"3": {"format": ""}, "4": {"format": ""}}}, by=None)
    assert formats_of(draft) == before


def test_of_a_file_by_itself_it_is_the_format_of_the_import(project: Project) -> None:
    draft = draft_of(project, {"novel.es.txt": SPANISH})
    change_draft(draft=draft, changes={"files": {"1": {"format": "text"}}}, by=None)
    assert draft.format == "text"
    assert draft.options["sentences"] is True
    change_draft(draft=draft, changes={"files": {"1": {"format": ""}}}, by=None)
    assert draft.format == "lines"


def test_one_for_all_takes_the_place_of_those_of_single_files(project: Project) -> None:
    draft = draft_of(project, BOTH)
    change_draft(draft=draft, changes={"files": {"1": {"format": "text"}}}, by=None)
    change_draft(draft=draft, changes={"format": "lines"}, by=None)
    assert formats_of(draft)[:2] == ["lines", "lines"]


def test_what_is_left_out_of_one_is_said(project: Project) -> None:
    odd = TABLE.replace("id,", "codi,")
    draft = draft_of(project, {"novel.es.txt": SPANISH, "novel.ca.txt": CATALAN, "table.csv": odd})
    assert formats_of(draft) == ["lines", "lines", "csv"]
    assert any("codi" in doubt for doubt in preview_draft(draft=draft)["doubts"])


@pytest.mark.parametrize("slug", ["nonsense", 3, None])
def test_unknown_ones_are_refused(project: Project, slug: object) -> None:
    draft = draft_of(project, BOTH)
    with pytest.raises(ActionError):
        change_draft(draft=draft, changes={"files": {"1": {"format": slug}}}, by=None)
    draft.refresh_from_db()
    assert formats_of(draft) == ["lines", "lines", "tagged"]


def test_formats_whose_files_have_texts_of_their_own_come_alone(project: Project) -> None:
    draft = draft_of(project, BOTH)
    with pytest.raises(ActionError, match="cannot be imported together"):
        change_draft(draft=draft, changes={"files": {"3": {"format": "mabl"}}}, by=None)
    draft.refresh_from_db()
    assert formats_of(draft) == ["lines", "lines", "tagged"]


def test_an_error_in_one_hides_none_in_another(project: Project) -> None:
    bad = TABLE.replace("2,Ana", "1,Ana")
    draft = draft_of(project, {"novel.es.txt": SPANISH, "novel.ca.txt": CATALAN + "De més .\n", "table.csv": bad})
    problems = preview_draft(draft=draft)["problems"]
    assert {one["file"] for one in problems if one["severity"] == "error"} == {"novel.es.txt", "table.csv"}


def test_what_an_archive_holds_besides_its_corpus_is_left_out(project: Project) -> None:
    packed = zipped({"a.es.txt": SPANISH.encode(), "a.ca.txt": CATALAN.encode(), "README.md": b"About it.\n"})
    draft = draft_of(project, {"all.zip": packed})
    assert {one["name"] for one in draft.files if one["used"]} == {"all.zip/a.es.txt", "all.zip/a.ca.txt"}
