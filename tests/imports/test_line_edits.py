"""Files of parallel lines that do not match: edits in place, their record, and the import with them."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.core.errors import ActionError
from annotator.formats.common.line_edits import DROP, INSERT, MERGE, SWAP
from annotator.imports.drafts.drafts import Upload, change_draft, preview_draft, replace_files, start_import
from annotator.imports.drafts.line_edits import edit_line, line_pairs, lines_side_by_side, undo_line_edits
from annotator.imports.writing.run import run_import
from annotator.models import Import, ImportDraft, Project, Role
from tests.domain.parallel_lines import lines_of
from tests.drafts import draft_of, everything, make_plain, run_all, sentences
from tests.factories import make_member, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]


def parallel(number: int = 40) -> tuple[list[str], list[str]]:
    """Lines of many lengths, with numbers that say which belong together."""
    chance = random.Random(5)
    tails = [" ".join(["muro"] * chance.randint(1, 14)) for _ in range(number)]
    return (
        [f"El año {n * 7919} pasó {tail} ." for n, tail in enumerate(tails)],
        [f"L'any {n * 7919} passà {tail} ." for n, tail in enumerate(tails)],
    )


def shifted(project: Project) -> ImportDraft:
    """The eleventh line is missing in Catalan, and the thirty-first is on two lines there."""
    spanish, catalan = parallel()
    catalan[30:31] = ["L'any 237570", catalan[30].removeprefix("L'any 237570 ")]
    del catalan[10]
    return draft_of(project, {"p.es.txt": text(spanish), "p.ca.txt": text(catalan)})


def text(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"


def edit(draft: ImportDraft, what: str, line: int, file: str = "2") -> ImportDraft:
    seen = len(next(one for one in draft.files if one["id"] == file).get("edits", []))
    return edit_line(draft=draft, file=file, what=what, line=line, seen=seen, by=None)


class TestEdits:
    def test_they_make_files_fit_and_come_in_as_edited(self, project: Project) -> None:
        draft = shifted(project)
        assert not preview_draft(draft=draft)["ready"]

        edit(draft, INSERT, 11)
        edit(draft, MERGE, 31)

        preview = preview_draft(draft=draft)
        assert preview["ready"]
        assert [one["edits"] for one in preview["files"]] == [0, 2]
        run_import(draft=draft, by=None)
        _spanish, catalan = parallel()
        assert sentences(project, "ca") == [*catalan[:10], *catalan[11:]]
        assert len(sentences(project, "es")) == 40
        unit = project.sentences.get(language="ca", segment__uid="p:31")
        assert unit.text == catalan[30]

    def test_each_keeps_who_and_when_and_the_file_stays(self, project: Project) -> None:
        draft = shifted(project)
        before = {name: value for name, value in draft.files[1].items() if name != "edits"}
        mara = make_member(project, Role.MANAGER, "mara")

        edit_line(draft=draft, file="2", what=SWAP, line=3, seen=0, by=mara)

        draft.refresh_from_db()
        [kept] = draft.files[1]["edits"]
        assert (kept["what"], kept["line"], kept["by"]) == (SWAP, 3, "mara")
        assert kept["at"]
        assert {name: value for name, value in draft.files[1].items() if name != "edits"} == before

    def test_undone_one_by_one_or_all_at_once(self, project: Project) -> None:
        draft = shifted(project)
        first = preview_draft(draft=draft)
        edit(draft, DROP, 1)
        edit(draft, DROP, 1)
        undo_line_edits(draft=draft, file="2", seen=2, by=None)
        assert [one["what"] for one in draft.files[1]["edits"]] == [DROP]
        edit(draft, INSERT, 5)
        undo_line_edits(draft=draft, file="2", seen=2, by=None, every=True)
        assert preview_draft(draft=draft)["problems"] == first["problems"]

    @pytest.mark.parametrize(
        ("what", "line"), [(DROP, 0), (DROP, 41), (INSERT, 42), (MERGE, 40), (SWAP, 40), ("burn", 1), (DROP, -1)]
    )
    def test_of_lines_that_there_are_not_they_are_refused(self, project: Project, what: str, line: int) -> None:
        draft = shifted(project)
        with pytest.raises(ActionError):
            edit(draft, what, line)
        assert not ImportDraft.objects.get().files[1].get("edits")

    def test_not_over_those_of_another_window(self, project: Project) -> None:
        draft = shifted(project)
        edit(draft, DROP, 1)
        for call in (edit_line, undo_line_edits):
            more: dict[str, Any] = {"what": DROP, "line": 1} if call is edit_line else {}
            with pytest.raises(ActionError, match="another window"):
                call(draft=draft, file="2", seen=0, by=None, **more)  # type: ignore[operator]
        assert len(ImportDraft.objects.get().files[1]["edits"]) == 1

    def test_only_in_files_that_are_read_line_by_line(self, project: Project) -> None:
        draft = draft_of(project, {"t.csv": "id,text:es\n1,Ana lee.\n"})
        with pytest.raises(ActionError, match="one sentence per line"):
            edit(draft, DROP, 1, "1")
        assert line_pairs(draft) == []

    def test_another_file_in_its_place_has_none_the_same_one_keeps_them(self, project: Project) -> None:
        draft = shifted(project)
        edit(draft, DROP, 1)
        edit(draft, DROP, 1, "1")
        spanish, catalan = parallel()
        replace_files(draft=draft, uploads=[("1", Upload("p.es.txt", [text(spanish).encode()]))], by=None)
        replace_files(draft=draft, uploads=[("2", Upload("p.ca.txt", [text(catalan).encode()]))], by=None)
        assert [len(one.get("edits", [])) for one in draft.files] == [1, 0]

    def test_those_of_a_format_without_lines_are_not_told_of(self, project: Project) -> None:
        draft = shifted(project)
        edit(draft, DROP, 1)
        change_draft(draft=draft, changes={"format": "text"}, by=None)
        assert [one["edits"] for one in preview_draft(draft=draft)["files"]] == [0, 0]


class TestWindows:
    def test_it_opens_where_lengths_begin_to_differ(self, project: Project) -> None:
        spanish, catalan = parallel(300)
        del catalan[200]
        draft = draft_of(project, {"p.es.txt": text(spanish), "p.ca.txt": text(catalan)})

        shown = lines_side_by_side(draft, line_pairs(draft)[0])

        assert shown.place is not None
        assert abs(shown.place.line - 201) <= 4
        assert shown.start <= shown.place.line < shown.start + len(shown.rows)
        assert [side.total for side in shown.sides] == [300, 299]

    def test_a_line_of_the_file_is_found_where_it_is_now(self, project: Project) -> None:
        draft = shifted(project)
        edit(draft, DROP, 1)
        edit(draft, DROP, 1)
        shown = lines_side_by_side(draft, line_pairs(draft)[0], file="2", line=30)
        origins = {number: cells[1][1].origin for number, cells in shown.rows if cells[1][1] is not None}
        assert origins[28] == (30,)

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
    def test_a_window_far_into_a_file_is_read_in_its_encoding(self, project: Project, encoding: str) -> None:
        spanish, catalan = parallel(500)
        draft = draft_of(project, {"p.es.txt": text(spanish), "p.ca.txt": text(catalan).encode(encoding)})
        change_draft(draft=draft, changes={"files": {"2": {"encoding": encoding}}}, by=None)
        shown = lines_side_by_side(draft, line_pairs(draft)[0], start=490)
        assert [cells[1][1].text for _number, cells in shown.rows if cells[1][1]] == catalan[489:]
        assert shown.sides[1].total == 500

    def test_damage_is_said_and_what_is_before_it_shown(self, project: Project) -> None:
        broken = text(["Ana lee .", "Ana escribe ."]).encode() + b"\xff\xfe\n" * 3
        draft = draft_of(project, {"p.es.txt": text(["Ana lee ."] * 5), "p.ca.txt": broken})
        change_draft(draft=draft, changes={"files": {"2": {"encoding": "utf-8", "language": "ca"}}}, by=None)
        shown = lines_side_by_side(draft, line_pairs(draft)[0], start=1)
        assert shown.problem is not None
        assert len(shown.sides[0].lines) == 5


class TestPage:
    @pytest.fixture
    def draft(self, project: Project, client: Client) -> ImportDraft:
        client.force_login(make_member(project, Role.MANAGER, "mara"))
        return shifted(project)

    def url(self, draft: ImportDraft) -> str:
        return reverse("import-lines", args=["corpus", draft.pk])

    def test_edits_and_undoes_and_stays_where_one_is(self, client: Client, draft: ImportDraft) -> None:
        sent = {"pair": "1-2", "from": "6", "seen-1": "0", "seen-2": "0"}
        answer = client.post(self.url(draft), {**sent, "edit": "insert:2:11"})
        assert answer.headers["Location"] == f"{self.url(draft)}?pair=1-2&from=6#line-11"
        page = client.get(answer.headers["Location"]).content.decode()
        assert "Empty line inserted after line 10" in page
        assert "1 edit" in page

        page = client.post(
            self.url(draft), {**sent, "seen-2": "1", "undo": "2"}, headers={"HX-Request": "true"}
        ).content.decode()
        assert "<html" not in page
        assert "No line has been edited." in page
        draft.refresh_from_db()
        assert draft.files[1]["edits"] == []

    def test_the_check_leads_to_the_place(self, client: Client, draft: ImportDraft) -> None:
        page = client.get(reverse("import-draft", args=["corpus", draft.pk]), {"step": "check"}).content.decode()
        assert f'href="{self.url(draft)}?file=1&amp;line=11"' in page
        at_place = client.get(self.url(draft), {"file": "1", "line": "11"}).content.decode()
        assert 'id="line-11"' in at_place

    def test_what_is_odd_is_refused_or_passed_by(self, client: Client, draft: ImportDraft) -> None:
        before = everything()
        for sent in (
            {"edit": "drop:9:1", "seen-9": "0"},
            {"edit": "drop"},
            {"edit": "drop:2:٣", "seen-2": "0"},
            {"edit": "<script>:2:1", "seen-2": "0"},
            {"undo": "2", "seen-2": "0"},
            {},
        ):
            assert client.post(self.url(draft), sent).status_code == 302
        for query in ({"from": "99999999999"}, {"from": "-1"}, {"pair": "7-8"}, {"file": "x", "line": "2"}):
            assert client.get(self.url(draft), query).status_code == 200
        draft.refresh_from_db()
        assert not any(one.get("edits") for one in draft.files)
        assert everything() == before

    def test_hostile_lines_are_shown_as_text(self, client: Client, project: Project, draft: ImportDraft) -> None:
        evil = "<script>alert(1)</script> vuela ."
        other = draft_of(project, {"<b>x</b>.es.txt": text([evil]), "y.ca.txt": text(["Vola ."])})
        files = {"1": {"language": "es", "format": "lines"}, "2": {"language": "ca", "format": "lines"}}
        change_draft(draft=other, changes={"files": files}, by=None)
        edit(other, INSERT, 1)
        page = client.get(self.url(other)).content.decode()
        assert "<script>alert" not in page
        assert "<b>x" not in page
        assert "&lt;script&gt;alert(1)" in page

    def test_it_is_for_managers_of_the_project(self, client: Client, project: Project, draft: ImportDraft) -> None:
        for user, status in ((make_member(project, Role.ANNOTATOR, "ana"), 403), (make_user("stranger"), 404)):
            client.force_login(user)
            assert client.get(self.url(draft)).status_code == status
            sent = {"edit": "drop:2:1", "seen-2": "0"}
            assert client.post(self.url(draft), sent).status_code == status
        draft.refresh_from_db()
        assert not draft.files[1].get("edits")

    def test_the_page_of_the_import_says_who_did_what(self, client: Client, draft: ImportDraft) -> None:
        for place, (what, line) in enumerate([(INSERT, 11), (MERGE, 31)]):
            sent = {"seen-2": str(place), "edit": f"{what}:2:{line}"}
            client.post(self.url(draft), sent)
        before = client.get(reverse("import-draft", args=["corpus", draft.pk]), {"step": "import"}).content.decode()
        assert f'<a href="{self.url(draft)}">2 edits</a>' in before
        draft.refresh_from_db()
        run_all([start_import(draft=draft, by=None)])

        imported = Import.objects.get()
        page = client.get(reverse("import-done", args=["corpus", imported.pk])).content.decode()
        assert "Empty line inserted after line 10" in page
        assert "Merged: line 30 and line 31" in page
        assert "mara" in page
        assert [one["line"] for one in imported.files[1]["edits"]] == [11, 31]
        assert "edits" not in imported.files[0]


class TestSmallFiles:
    """Sixteen lines teach too little to name a line exactly, and nothing is wrong with them once they are repaired."""

    @pytest.mark.parametrize("line", [5, 9])
    def test_a_missing_line_is_looked_for_where_it_may_be(self, client: Client, project: Project, line: int) -> None:
        spanish, catalan = (self.lines(language) for language in ("es", "ca"))
        draft = draft_of(project, {"p.es.txt": text(spanish), "p.ca.txt": text(catalan[: line - 1] + catalan[line:])})

        preview = preview_draft(draft=draft)

        [parallel] = preview["parallel"]
        [finding] = parallel["findings"]
        first, last = finding["first_line"], finding["last_line"]
        assert finding["expected"] == "line_missing_in_b"
        assert first <= line <= last
        unclear = f"The exact line is unclear: look at lines {first} to {last}."
        [problem] = [one for one in preview["problems"] if "missing here" in one["expected"]]
        assert problem["expected"].endswith(unclear) == (first != last)
        client.force_login(make_member(project, Role.MANAGER))
        page = client.get(reverse("import-lines", args=["corpus", draft.pk])).content.decode()
        assert (unclear in page) == (first != last)

    def test_a_repaired_file_has_nothing_wrong(self, project: Project) -> None:
        spanish, catalan = (self.lines(language) for language in ("es", "ca"))
        draft = draft_of(project, {"p.es.txt": text(spanish), "p.ca.txt": text(catalan)})

        preview = preview_draft(draft=draft)

        assert preview["ready"]
        assert preview["parallel"][0]["findings"] == []

    @staticmethod
    def lines(language: str) -> list[str]:
        return [" ".join(line) for line in lines_of("letters")[language]]


def test_edits_come_back_with_a_project_backup() -> None:
    from annotator.backup.actions.schema import _JSON
    from annotator.backup.actions.shapes import Misfit

    shape = _JSON[(Import, "files")]
    good = {"what": "drop", "line": 3, "by": "mara", "at": "2026-11-27T02:00:00+00:00"}
    shape([{"name": "p.es.txt", "size": 3, "edits": [good]}])
    for bad in ({**good, "what": "burn"}, {**good, "line": 0}, {**good, "more": 1}):
        with pytest.raises(Misfit):
            shape([{"name": "p.es.txt", "edits": [bad]}])


def test_a_project_of_one_language_has_no_lines_side_by_side(client: Client) -> None:
    project = make_plain("one", ("es",))
    client.force_login(make_member(project, Role.MANAGER))
    draft = draft_of(project, {"p.es.txt": "Ana lee .\n"})
    page = client.get(reverse("import-lines", args=["one", draft.pk]))
    assert "There are no two text files" in page.content.decode()
