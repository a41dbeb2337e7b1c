"""Drafts of imports: what is taken, what is shown, what is refused, and that nothing is left behind."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from annotator.core.errors import ActionError
from annotator.core.files.storage import site_files
from annotator.core.files.uploads import UploadError
from annotator.formats.common.records import Record, Text
from annotator.formats.registry import formats
from annotator.imports.drafts.drafts import (
    Upload,
    add_files,
    add_text,
    change_draft,
    drop_draft,
    preview_draft,
    remove_file,
    replace_files,
    start_draft,
    start_import,
    sweep_drafts,
)
from annotator.imports.drafts.preview import WHOLE_BYTES
from annotator.imports.drafts.recognition import recognised
from annotator.imports.queries.drafts import drafts_of
from annotator.imports.reading.problems import problems_csv
from annotator.imports.writing.run import run_import
from annotator.models import ImportDraft, Project, Role
from tests.drafts import CATALAN, LABELLED, SPANISH, draft_of, everything, load, make_plain, sentences
from tests.factories import make_member, store
from tests.zips import zipped

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]


def kept(uploads: Path) -> list[Path]:
    return [path for path in uploads.rglob("*") if path.is_file()] if uploads.exists() else []


class TestPreview:
    def test_two_text_files_are_recognised_and_shown_side_by_side(self, project: Project) -> None:
        draft = draft_of(project, {"novel.es.txt": SPANISH, "novel.ca.txt": CATALAN})

        preview = preview_draft(draft=draft)

        assert (preview["format"], preview["ready"], preview["whole"], preview["errors"]) == ("lines", True, True, 0)
        assert [(file["name"], file["language"]) for file in preview["files"]] == [
            ("novel.es.txt", "es"),
            ("novel.ca.txt", "ca"),
        ]
        assert preview["counts"]["sentences"] == {"es": 3, "ca": 3}
        assert draft.dataset == "novel"
        first = preview["rows"][0]
        assert (first["uid"], first["known"], first["line"]) == ("novel:1", False, 1)
        assert [text["tokens"][:3] for text in first["texts"]] == [["El", "tiempo", "es"], ["El", "temps", "és"]]
        assert preview["counts"]["ratio"] == {"ca": 1.037}

    def test_nothing_is_written(self, project: Project) -> None:
        before = everything()

        preview_draft(draft=draft_of(project, {"es.txt": SPANISH}))

        assert everything() == before

    def test_it_is_made_once_for_the_same_choices(self, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        draft = draft_of(project, {"es.txt": SPANISH})
        first = preview_draft(draft=draft)
        monkeypatch.setattr("annotator.imports.drafts.drafts.make_preview", lambda _draft: pytest.fail("made again"))

        assert preview_draft(draft=draft) == first
        assert preview_draft(draft=ImportDraft.objects.get(pk=draft.pk)) == first

    def test_errors_name_file_and_line_and_all_of_them_can_be_downloaded(self, project: Project) -> None:
        rows = "".join(f"{number % 90},Una frase con el número {number}.\n" for number in range(300))
        draft = draft_of(project, {"frases.csv": "id,text\n" + rows})

        preview = preview_draft(draft=draft)

        assert not preview["ready"]
        assert preview["errors"] == 210
        assert len(preview["problems"]) == 100
        first = preview["problems"][0]
        assert (first["severity"], first["file"], first["line"]) == ("error", "frases.csv", 92)
        assert "frases.csv:2" in first["got"]
        lines = list(problems_csv(draft))
        assert len(lines) == 211
        assert lines[0].strip() == "severity,file,line,expected,got"
        with pytest.raises(ActionError, match="errors in the files"):
            start_import(draft=draft, by=None)

    def test_of_large_files_the_beginning_is_read(self, project: Project) -> None:
        line = "Una oración bastante larga que se repite muchas veces en el mismo fichero .\n"
        draft = draft_of(project, {"es.txt": line * (WHOLE_BYTES // len(line) + 1000)})

        preview = preview_draft(draft=draft)

        assert not preview["whole"]
        assert preview["ready"]
        assert 2000 <= preview["counts"]["records"] <= 2200
        assert preview["expected"] == pytest.approx(WHOLE_BYTES // len(line), rel=0.05)

    def test_punctuation_is_split_off_where_it_is_attached_and_the_preview_says_why(self, project: Project) -> None:
        raw: dict[str, str | bytes] = {"es.txt": "Vuelve cada mes.\nMadruga, y calla.\n"}
        draft = draft_of(project, raw)

        preview = preview_draft(draft=draft)

        assert draft.options["tokens"] == "words"
        assert preview["tokens"] == {"chosen": False, "attached": 2, "apart": 0, "example": "mes."}
        assert preview["rows"][0]["texts"][0]["tokens"] == ["Vuelve", "cada", "mes", "."]

        change_draft(draft=draft, changes={"options": {"tokens": "given"}}, by=None)

        preview = preview_draft(draft=draft)
        assert preview["tokens"]["chosen"]
        assert preview["rows"][0]["texts"][0]["tokens"] == ["Vuelve", "cada", "mes."]

    def test_text_that_is_split_already_is_taken_as_it_comes(self, project: Project) -> None:
        draft = draft_of(project, {"es.txt": SPANISH})

        preview = preview_draft(draft=draft)

        assert draft.options["tokens"] == "given"
        assert (preview["tokens"]["attached"], preview["tokens"]["apart"]) == (0, 3)

    def test_how_a_table_is_split_follows_the_column_that_is_chosen(self, project: Project) -> None:
        table = "uno;otro\nVuelve cada mes .;Vuelve cada mes.\n"
        draft = draft_of(project, {"es.csv": table}, options={"columns": {"0": "text:es", "1": ""}})
        assert draft.options["tokens"] == "given"

        change_draft(draft=draft, changes={"options": {"columns": {"0": "", "1": "text:es"}}}, by=None)

        assert draft.options["tokens"] == "words"

    def test_a_table_of_ours_brings_its_tokens_back_as_they_were(self, project: Project, tmp_path: Path) -> None:
        [path] = formats()["csv"].write([Record("", 1, {"es": Text(tokens=("Cada", "mes."))}, id="1")], tmp_path)

        preview = preview_draft(draft=draft_of(project, {"corpus.csv": path.read_bytes()}))

        assert preview["rows"][0]["texts"][0]["tokens"] == ["Cada", "mes."]

    def test_the_same_text_in_other_tokens_says_what_to_choose(self, project: Project) -> None:
        load(project, {"es.txt": "Vuelve cada mes.\n"}, options={"tokens": "spaces"}, dataset="n")

        [problem] = preview_draft(draft=draft_of(project, {"es.txt": "Vuelve cada mes.\n"}, dataset="n"))["problems"]

        assert "split into different tokens" in problem["expected"]

    def test_that_text_may_be_given_away_is_a_decision(self, project: Project) -> None:
        draft = draft_of(project, {"es.txt": SPANISH})
        assert not draft.publishable

        run_import(draft=draft, by=None)

        assert not project.imports.get().publishable

    def test_known_sentences_are_shown_as_such(self, project: Project) -> None:
        load(project, {"es.txt": SPANISH}, dataset="novel")

        preview = preview_draft(draft=draft_of(project, {"es.txt": SPANISH}, dataset="novel"))

        assert [row["known"] for row in preview["rows"]] == [True] * 3
        assert preview["counts"]["known"] == 3

    def test_labels_are_shown_with_whose_they_are(self, project: Project) -> None:
        draft = draft_of(
            project, {"es.tsv": LABELLED}, format="tagged", files={"1": {"language": "es"}}, labels_as="gold"
        )

        preview = preview_draft(draft=draft)

        assert preview["errors"] == 0, preview["problems"]
        assert preview["counts"]["labels"] == {"METAPHOR": 2}
        assert [span["tokens"] for span in preview["rows"][0]["texts"][0]["spans"]] == [[1], [2]]

    def test_labels_that_the_scheme_does_not_have_are_errors(self, project: Project) -> None:
        wrong = LABELLED.replace("METAPHOR", "IRONY", 1)
        draft = draft_of(project, {"es.tsv": wrong}, format="tagged", files={"1": {"language": "es"}}, labels_as="gold")

        preview = preview_draft(draft=draft)

        assert (preview["errors"], preview["ready"]) == (1, False)
        assert "IRONY" in preview["problems"][0]["got"]
        change_draft(draft=draft, changes={"labels_as": "none"}, by=None)
        assert preview_draft(draft=draft)["ready"]


class TestChoices:
    @pytest.mark.parametrize("changes", [{"licence": "CC\x00BY"}, {"licence": "a" * 1_000}, {"licence": 4}])
    def test_what_is_no_text_of_the_length_is_refused(self, project: Project, changes: dict[str, Any]) -> None:
        draft = draft_of(project, {"es.txt": SPANISH})
        with pytest.raises(ActionError, match="licence must be a text of at most"):
            change_draft(draft=draft, changes=changes, by=None)
        draft.refresh_from_db()
        assert draft.licence == ""

    @pytest.mark.parametrize(
        ("names", "dataset"),
        [
            (["tales.one.txt", "tales.two.txt"], "tales"),
            (["one.txt", "two.txt"], "corpus"),
            (["tales/one.txt", "tales/two.txt"], "tales"),
            (["tales/one.es.txt", "tales/one.ca.txt"], "one"),
        ],
    )
    def test_a_dataset_is_called_after_what_is_common_to_its_files(
        self, project: Project, names: list[str], dataset: str
    ) -> None:
        first, second = names
        draft = draft_of(project, {first: SPANISH})
        add_files(draft=draft, uploads=[Upload(second, [CATALAN.encode()])], by=None)
        assert draft.dataset == dataset

    def test_what_a_person_chose_stays_when_files_come(self, project: Project) -> None:
        draft = draft_of(project, {"one.txt": SPANISH}, files={"1": {"language": "ca"}}, dataset="mine")

        add_files(draft=draft, uploads=[Upload("two.txt", ["Núria\nOriol\nMontserrat\n".encode()])], by=None)

        assert [one["language"] for one in draft.files] == ["ca", "es"]
        assert draft.dataset == "mine"

    def test_columns_can_be_corrected(self, project: Project) -> None:
        content = "x,y\nUna frase corta.,Una frase breu.\nOtra frase más.,Una altra frase.\n"
        draft = draft_of(project, {"t.csv": content}, options={"columns": {"0": "text:es", "1": "text:ca"}})

        preview = preview_draft(draft=draft)

        assert preview["counts"]["sentences"]["ca"] == 2 + (not draft.options["header"])
        change_draft(draft=draft, changes={"options": {"header": True}}, by=None)
        assert preview_draft(draft=draft)["counts"]["sentences"] == {"es": 2, "ca": 2}

    def test_they_are_guessed_anew_with_the_format(self, project: Project) -> None:
        given: dict[str, str | bytes] = {"t.csv": "id,text:es\na1,Una frase corta .\na2,Otra frase más .\n"}
        chosen = {"0": "id", "1": "text:ca"}
        draft = draft_of(project, given, options={"columns": chosen})
        assert draft.options["columns"] == chosen

        change_draft(draft=draft, changes={"format": ""}, by=None)

        assert draft.options["columns"] == {"0": "id", "1": "text:es"}

    def test_encodings_can_be_corrected(self, project: Project) -> None:
        draft = draft_of(project, {"es.txt": SPANISH.encode("utf-16")})
        assert preview_draft(draft=draft)["rows"][0]["texts"][0]["tokens"][0] == "El"

        change_draft(draft=draft, changes={"files": {"1": {"encoding": "latin-1"}}}, by=None)

        assert not preview_draft(draft=draft)["ready"]

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"format": "pdf"}, "must be one of"),
            ({"dataset": "../x"}, "name for a dataset"),
            ({"labels_as": "silver"}, "none, gold"),
            ({"files": {"1": {"language": "fr"}}}, "es, ca"),
            ({"files": {"1": {"encoding": "rot13"}}}, "Unknown encoding"),
            ({"files": {"1": {"encoding": "utf-99"}}}, "Unknown encoding"),
            ({"files": {"9": {"language": "es"}}}, "not part of the import"),
            ({"files": {"1": {"stored": "x"}}}, "Unknown import setting"),
            ({"options": {"tokens": "letters"}}, "given, spaces"),
            ({"options": {"columns": {"-1": "id"}}}, "counted from 0"),
            ({"options": {"path": "x"}}, "Unknown import setting"),
            ({"publishable": "yes"}, "true or false"),
            ({"licence": "x" * 300}, "200 characters"),
            ({"key": "x"}, "Unknown import setting: key"),
        ],
    )
    def test_what_cannot_be_is_refused_and_changes_nothing(
        self, project: Project, changes: dict[str, Any], words: str
    ) -> None:
        draft = draft_of(project, {"es.txt": SPANISH})
        before = ImportDraft.objects.filter(pk=draft.pk).values().get()

        with pytest.raises(ActionError, match=words):
            change_draft(draft=draft, changes={"licence": "CC BY 4.0", **changes}, by=None)

        assert ImportDraft.objects.filter(pk=draft.pk).values().get() == before


class TestFiles:
    def test_zips_and_gzip_are_unpacked(self, project: Project) -> None:
        draft = start_draft(project=project, by=None)
        inside = zipped({"a/x.es.txt": SPANISH.encode(), "__MACOSX/._x": b"?", "a/.DS_Store": b"?"})

        add_files(
            draft=draft,
            uploads=[Upload("corpus.zip", [inside]), Upload("x.ca.txt.gz", [gzip.compress(CATALAN.encode())])],
            by=None,
        )

        assert [one["name"] for one in draft.files] == ["corpus.zip/a/x.es.txt", "x.ca.txt"]
        assert preview_draft(draft=draft)["counts"]["sentences"] == {"es": 3, "ca": 3}

    def test_pasted_text_is_a_file(self, project: Project) -> None:
        draft = start_draft(project=project, by=None)

        add_text(draft=draft, name="pasted.txt", text=SPANISH.replace("\n", "\r\n"), by=None)

        preview = preview_draft(draft=draft)
        assert (preview["counts"]["records"], preview["warnings"]) == (3, 0)
        with pytest.raises(ActionError, match="no text"):
            add_text(draft=draft, name="empty.txt", text=" \n", by=None)

    def test_a_file_can_be_taken_away(self, project: Project, uploads: Path) -> None:
        draft = draft_of(project, {"es.txt": SPANISH, "ca.txt": CATALAN})

        remove_file(draft=draft, file="1", by=None)

        assert [one["name"] for one in draft.files] == ["ca.txt"]
        assert len(kept(uploads)) == 1
        with pytest.raises(ActionError, match="not part of the import"):
            remove_file(draft=draft, file="1", by=None)

    @pytest.mark.parametrize("name", ["../evil.txt", "/etc/passwd", "a/../../b", "C:\\x.txt", "..\\..\\x.txt"])
    def test_names_that_lead_elsewhere_are_refused(self, project: Project, uploads: Path, name: str) -> None:
        draft = draft_of(project, {"es.txt": SPANISH})

        with pytest.raises(UploadError, match="unsafe path"):
            add_files(draft=draft, uploads=[Upload("c.zip", [zipped({"ok.txt": b"Hola .\n", name: b"x"})])], by=None)

        assert len(ImportDraft.objects.get().files) == len(kept(uploads)) == 1
        assert not list(uploads.parent.glob("**/evil.txt"))

    def test_names_of_uploads_are_only_shown(self, project: Project, uploads: Path) -> None:
        draft = draft_of(project, {"../../evil\n.txt": SPANISH})

        assert draft.files[0]["name"] == "evil.txt"
        assert all(path.is_relative_to(uploads) for path in kept(uploads))

    def test_bombs_are_not_unpacked(self, project: Project, uploads: Path, settings: Any) -> None:
        settings.IMPORT_MAX_BYTES = 1_000_000
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("bomb.txt", b"0" * 5_000_000)
        draft = start_draft(project=project, by=None)

        for upload in (
            Upload("bomb.zip", [packed.getvalue()]),
            Upload("bomb.txt.gz", [gzip.compress(b"0" * 5_000_000)]),
            Upload("large.txt", [b"0" * 600_000] * 2),
        ):
            with pytest.raises(UploadError, match="more than 0 MB"):
                add_files(draft=draft, uploads=[Upload("ok.txt", [b"Hola .\n"]), upload], by=None)
            assert kept(uploads) == []
        assert ImportDraft.objects.get().files == []

    def test_all_files_of_a_draft_count(self, project: Project, settings: Any) -> None:
        settings.IMPORT_MAX_BYTES = 1_000
        draft = draft_of(project, {"a.txt": "x" * 600})

        with pytest.raises(UploadError):
            add_files(draft=draft, uploads=[Upload("b.txt", [b"x" * 600])], by=None)


class TestEnd:
    def test_a_dropped_draft_leaves_nothing(self, project: Project, uploads: Path) -> None:
        mara = make_member(project, Role.MANAGER, "mara")
        draft = draft_of(project, {"es.txt": SPANISH})
        preview_draft(draft=draft)

        drop_draft(draft=draft, by=mara)

        assert not ImportDraft.objects.exists()
        assert list((uploads / "drafts").iterdir()) == []
        with pytest.raises(ActionError, match="no longer exists"):
            add_text(draft=draft, name="x.txt", text="x", by=mara)

    def test_drafts_expire_with_their_files_and_strays_are_swept(self, project: Project, uploads: Path) -> None:
        draft_of(project, {"es.txt": SPANISH})
        fresh = draft_of(project, {"es.txt": SPANISH})
        now = timezone.now()
        ImportDraft.objects.filter(pk=fresh.pk).update(expires_at=now + timedelta(days=30))
        store("uploads/drafts/0123/lost.txt", b"Dudas .")

        assert sweep_drafts(now=now) == 0
        assert sweep_drafts(now=now + timedelta(days=8)) == 1

        assert list(drafts_of(project)) == [fresh]
        assert [path.name for path in (uploads / "drafts").iterdir()] == [fresh.key.hex]

    def test_a_draft_under_way_cannot_be_changed(self, project: Project) -> None:
        draft = draft_of(project, {"es.txt": SPANISH})
        start_import(draft=draft, by=None)

        for act in (
            lambda: remove_file(draft=draft, file="1", by=None),
            lambda: drop_draft(draft=draft, by=None),
            lambda: change_draft(draft=draft, changes={"dataset": "x"}, by=None),
            lambda: start_import(draft=draft, by=None),
        ):
            with pytest.raises(ActionError, match="under way"):
                act()
        assert sweep_drafts(now=timezone.now() + timedelta(days=30)) == 0

    @pytest.mark.slow
    def test_sentences_are_there_afterwards(self, project: Project) -> None:
        load(project, {"novel.es.txt": SPANISH, "novel.ca.txt": CATALAN})

        assert sentences(project, "es") == SPANISH.splitlines()
        assert sentences(project, "ca") == CATALAN.splitlines()


def test_a_column_with_a_name_that_says_nothing_is_doubted_until_somebody_chooses() -> None:
    project = make_plain(languages=("es", "ca"))
    rows = "El tiempo vuela .\tEl temps vola .\nLa ciudad despierta .\tLa ciutat es desperta .\n"
    draft = draft_of(project, {"f.tsv": f"Text\tTraducció\n{rows}"})

    doubted = preview_draft(draft=draft)
    change_draft(draft=draft, changes={"options": {"columns": {"0": "text:es", "1": "text:ca"}}}, by=None)
    chosen = preview_draft(draft=draft)

    assert ["“Traducció” (2)" in doubt for doubt in doubted["doubts"]] == [True]
    assert doubted["counts"]["sentences"] == {"es": 2}
    assert chosen["doubts"] == []
    assert chosen["counts"]["sentences"] == {"es": 2, "ca": 2}


class TestNamesInCapitals:
    @pytest.fixture(autouse=True)
    def there(self, project: Project) -> None:
        load(project, {"Novel.txt": SPANISH}, dataset="Novel")

    # The second one is called after its file: nobody chose a name.
    @pytest.mark.parametrize("chosen", [{"dataset": "novel"}, {}])
    def test_a_name_that_differs_in_capitals_alone_is_refused(self, project: Project, chosen: dict[str, Any]) -> None:
        draft = draft_of(project, {"novel.txt": "Llueve otra vez .\n"}, **chosen)
        before = project.segments.count()

        preview = preview_draft(draft=draft)

        assert draft.dataset == "novel"
        assert not preview["ready"]
        assert "“Novel”, which differs from “novel” only in capital letters" in preview["problems"][0]["expected"]
        with pytest.raises(ActionError):
            run_import(draft=draft, by=None)
        assert project.segments.count() == before

    @pytest.mark.parametrize("name", ["Novel", "novels"])
    def test_the_same_name_and_other_ones_are_taken(self, project: Project, name: str) -> None:
        draft = draft_of(project, {"b.txt": "Llueve otra vez .\n"}, dataset=name)

        assert preview_draft(draft=draft)["ready"]


@pytest.mark.django_db(transaction=True)
class TestRecognisedOutsideOfTransactions:
    """Whoever saves waits for a transaction on SQLite, and a file may take long to be recognised."""

    CHANGES: tuple[tuple[str, Callable[[ImportDraft], object]], ...] = (
        ("add", lambda draft: add_files(draft=draft, uploads=[Upload("b.ca.txt", [b"Plou .\n"])], by=None)),
        ("replace", lambda draft: replace_files(draft=draft, uploads=[("1", Upload("c.txt", [b"Ana .\n"]))], by=None)),
        ("remove", lambda draft: remove_file(draft=draft, file="1", by=None)),
        ("change", lambda draft: change_draft(draft=draft, changes={"labels_name": "ana"}, by=None)),
    )

    @pytest.fixture
    def draft(self, project: Project) -> ImportDraft:
        return draft_of(project, {"a.es.txt": SPANISH})

    @pytest.mark.parametrize(("name", "change"), CHANGES)
    def test_what_others_changed_meanwhile_stays(
        self,
        draft: ImportDraft,
        name: str,
        change: Callable[[ImportDraft], object],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        seen: list[bool] = []
        names = ("annotator.imports.drafts.drafts.recognised", "annotator.imports.drafts.choices.recognised")

        def read(row: ImportDraft) -> None:
            recognised(row)
            seen.append(connection.in_atomic_block)
            if len(seen) == 1:
                ImportDraft.objects.filter(pk=row.pk).update(licence="CC0-1.0", chosen=["terms"])

        for one in names:
            monkeypatch.setattr(one, read)
        change(draft)

        assert (name, seen) == (name, [False, False])
        stands = ImportDraft.objects.get(pk=draft.pk)
        assert (stands.licence, stands.chosen) == ("CC0-1.0", ["terms"])
        assert (draft.files, draft.licence) == (stands.files, "CC0-1.0")
        names = {path.name for path in site_files().here(draft.folder).iterdir()}
        assert {one["stored"] for one in stands.files} == names

    def test_what_others_change_all_the_time_is_given_up_with_nothing_changed(
        self, draft: ImportDraft, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        times: list[int] = []

        def read(row: ImportDraft) -> None:
            times.append(1)
            ImportDraft.objects.filter(pk=row.pk).update(licence=f"number {len(times)}")

        monkeypatch.setattr("annotator.imports.drafts.drafts.recognised", read)
        with pytest.raises(ActionError, match="another window"):
            add_files(draft=draft, uploads=[Upload("b.ca.txt", [b"Plou .\n"])], by=None)

        stands = ImportDraft.objects.get(pk=draft.pk)
        assert [one["name"] for one in stands.files] == ["a.es.txt"]
        assert len(list(site_files().here(draft.folder).iterdir())) == 1
