"""All sentences of an import, a page at a time, and sentences that are split otherwise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotator.core.errors import ActionError
from annotator.imports.drafts.drafts import Upload, change_draft, correct_split, preview_draft, replace_files
from annotator.imports.drafts.sentences import SHOWN, SentencePage, SentenceShown, sentence_page
from annotator.imports.writing.run import run_import
from annotator.models import ImportDraft, Project, Role, Unit
from tests.clients import client_of
from tests.drafts import SPANISH, draft_of, everything, make_plain, sentences
from tests.factories import make_member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]

NOVEL = (
    "La casa del Dr. Vila olía a humo. Nadie vivía allí desde el invierno.\n\n"
    "Ana abrió la puerta… y entró. El silencio pesaba.\n\n"
    "Fuera, el viento cantaba.\n"
)


@pytest.fixture
def project() -> Project:
    return make_plain(languages=("es",))


@pytest.fixture
def draft(project: Project) -> ImportDraft:
    return draft_of(project, {"novela.txt": NOVEL}, format="text", dataset="novela")


def texts(page: SentencePage) -> list[str]:
    return [" ".join(one.texts.values()) for one in page.sentences]


def shown(draft: ImportDraft, begins: str) -> SentenceShown:
    return next(one for one in sentence_page(draft).sentences if one.texts["es"].startswith(begins))


def join(draft: ImportDraft, begins: str) -> None:
    one = shown(draft, begins)
    assert one.join is not None
    correct_split(draft=draft, of="splits", key=one.join[0], place=one.join[1], what="join", by=None)


def split(draft: ImportDraft, begins: str, word: str) -> None:
    token = next(token for token in shown(draft, begins).tokens if token.text == word)
    correct_split(draft=draft, of="splits", key=token.paragraph, place=token.place, what="split", by=None)


class TestCorrections:
    def test_what_is_shown_is_what_comes_in(self, project: Project, draft: ImportDraft) -> None:
        join(draft, "La casa")
        split(draft, "Ana", "y")
        join(draft, "El silencio")

        page = sentence_page(draft)
        assert texts(page) == [
            "La casa del Dr. Vila olía a humo. Nadie vivía allí desde el invierno.",
            "Ana abrió la puerta…",
            "y entró.",
            "El silencio pesaba. Fuera, el viento cantaba.",
        ]
        assert [one.is_corrected for one in page.sentences] == [True, False, True, True]
        assert preview_draft(draft=draft)["counts"]["sentences"] == {"es": 4}
        run_import(draft=draft, by=None)
        assert len(sentences(project, "es")) == 4
        assert sentences(project, "es")[2].startswith("y entró")

    def test_each_is_taken_back_by_its_opposite(self, draft: ImportDraft) -> None:
        before = texts(sentence_page(draft))
        join(draft, "La casa")
        join(draft, "El silencio")
        split(draft, "Ana", "y")

        split(draft, "La casa", "Nadie")
        split(draft, "El silencio", "Fuera")
        join(draft, "Ana")

        assert texts(sentence_page(draft)) == before
        assert draft.options["splits"] == {}

    def test_they_are_kept_when_the_file_is_read_again(self, draft: ImportDraft) -> None:
        split(draft, "Ana", "y")

        mended = "Un prólogo.\n\n" + NOVEL.replace("cantaba", "no cantaba")
        replace_files(draft=draft, uploads=[("1", Upload("novela.txt", [mended.encode()]))], by=None)
        assert "y entró." in texts(sentence_page(draft))

        change_draft(draft=draft, changes={"format": "lines"}, by=None)
        change_draft(draft=draft, changes={"format": "text"}, by=None)
        assert "y entró." in texts(sentence_page(draft))

    def test_those_that_fit_no_more_are_said(self, draft: ImportDraft) -> None:
        join(draft, "La casa")

        replace_files(draft=draft, uploads=[("1", Upload("novela.txt", [b"Otra cosa. Del todo.\n"]))], by=None)

        assert any("a sentence correction" in one["expected"] for one in preview_draft(draft=draft)["problems"])

    def test_what_is_none_is_refused(self, draft: ImportDraft) -> None:
        for wrong in ({"x": {"1": "split"}}, {"0" * 16: {"1": "cut"}}, "x"):
            with pytest.raises(ActionError):
                change_draft(draft=draft, changes={"options": {"splits": wrong}}, by=None)
        draft.refresh_from_db()
        assert draft.options["splits"] == {}

    def test_nothing_is_written(self, draft: ImportDraft) -> None:
        before = everything()
        join(draft, "La casa")
        assert everything() == before


class TestPages:
    def test_all_sentences_are_reached_forwards_and_backwards(self, project: Project) -> None:
        lines = [f"El tren número {number} llega. Nadie baja de él." for number in range(1, 131)]
        draft = draft_of(project, {"trenes.txt": "\n\n".join(lines)}, format="text")

        cursor, seen, cursors = "", [], []
        while True:
            page = sentence_page(draft, cursor=cursor)
            cursors.append(page.sentences[0].cursor)
            seen += texts(page)
            assert len(page.sentences) <= SHOWN
            if not page.next:
                break
            cursor = page.next

        assert " ".join(seen) == " ".join(lines)
        for now, before in zip(cursors[:0:-1], cursors[-2::-1], strict=True):
            assert sentence_page(draft, cursor=now).previous == before
        assert sentence_page(draft).previous == ""

    def test_a_long_paragraph_has_several_pages(self, project: Project) -> None:
        draft = draft_of(project, {"todo.txt": "El tren llega tarde. " * 120}, format="text")

        first = sentence_page(draft)
        second = sentence_page(draft, cursor=first.next)

        assert (len(first.sentences), len(second.sentences), second.previous) == (50, 50, "1.0")
        assert len(sentence_page(draft, cursor=second.next).sentences) == 20

    def test_one_begins_at_a_line_or_in_a_file(self, project: Project) -> None:
        draft = draft_of(project, {"a.txt": NOVEL, "b.txt": "Otro libro. Muy corto.\n"}, format="text")

        assert texts(sentence_page(draft, line=3))[0].startswith("Ana abrió")
        assert texts(sentence_page(draft, file="2")) == ["Otro libro.", "Muy corto."]

    def test_parallel_lines_are_shown_side_by_side_and_not_split(self) -> None:
        draft = draft_of(make_plain(), {"es.txt": "Uno.\nDos.\n", "ca.txt": "U.\nDos.\n"}, format="lines")

        page = sentence_page(draft)

        assert [one.texts for one in page.sentences] == [{"es": "Uno.", "ca": "U."}, {"es": "Dos.", "ca": "Dos."}]
        assert not any(one.tokens or one.join for one in page.sentences)

    def test_what_cannot_be_read_ends_the_page(self, project: Project) -> None:
        draft = draft_of(project, {"es.txt": SPANISH.encode() + b"\x00\n"}, format="lines")

        page = sentence_page(draft)

        assert page.problem is not None
        assert sentence_page(draft, cursor="x.y").sentences == page.sentences

    def test_without_spaces_one_splits_at_characters(self) -> None:
        draft = draft_of(make_plain("zh", ("zh",)), {"a.zh.txt": "时间就是金钱。他说。"}, format="text")

        [first, _second] = sentence_page(draft).sentences
        assert [token.text for token in first.tokens][:4] == ["时", "间", "就", "是"]


class TestWays:
    """The same by page, API and command."""

    def test_on_the_page(self, client: Client, project: Project, draft: ImportDraft) -> None:
        client.force_login(make_member(project, Role.MANAGER, "mara"))
        url = reverse("import-sentences", args=["corpus", draft.pk])
        one = shown(draft, "La casa")
        assert one.join is not None

        answer = client.post(url, {"join": f"{one.join[0]}:{one.join[1]}@s{one.cursor}", "from": "1.0"})

        assert answer.headers["Location"] == f"{url}?from=1.0#s1.0"
        page = client.get(url).content.decode()
        assert "olía a humo. Nadie vivía" in page
        assert "Undo 1 correction" in page
        client.post(url, {"all": "1"})
        assert len(sentence_page(ImportDraft.objects.get()).sentences) == 5
        assert (
            reverse("import-sentences", args=["corpus", draft.pk])
            in client.get(reverse("import-draft", args=["corpus", draft.pk]), {"step": "check"}).content.decode()
        )

    def test_bad_requests_change_nothing(self, client: Client, project: Project, draft: ImportDraft) -> None:
        client.force_login(make_member(project, Role.MANAGER, "mara"))
        url = reverse("import-sentences", args=["corpus", draft.pk])

        for sent in ({"join": "x:y@z"}, {"split": "zz:3@1.0"}, {"join": f"{'0' * 16}:{'9' * 30}"}, {}):
            assert client.post(url, sent).status_code == 302

        assert ImportDraft.objects.get().options["splits"] == {}
        assert client.get(url, {"from": "9.9.9", "file": "77", "line": "x"}).status_code == 200

    def test_over_the_api(self, project: Project, draft: ImportDraft) -> None:
        api = client_of(make_member(project, Role.MANAGER, "mara"))
        address = f"/api/v1/projects/corpus/imports/drafts/{draft.pk}/sentences/"
        first = api.get(address).json()["sentences"][0]

        answer = api.post(address, {**first["join"], "correction": "join"})

        assert answer.status_code == 200
        assert answer.json()["options"]["splits"] == {first["join"]["paragraph"]: {str(first["join"]["place"]): "join"}}
        assert len(api.get(address).json()["sentences"]) == 4
        assert api.post(address, {"paragraph": "x", "place": 1, "correction": "join"}).status_code == 400

    def test_by_command(self, project: Project, draft: ImportDraft, tmp_path: Path) -> None:
        join(draft, "La casa")
        (tmp_path / "splits.json").write_text(json.dumps(draft.options["splits"]))
        (tmp_path / "novela.txt").write_text(NOVEL)

        call_command(
            "import_files", str(tmp_path / "novela.txt"), project="corpus", format="text",
            splits=tmp_path / "splits.json", label=["METAPHOR=METAPHOR", "OTHER="],
        )  # fmt: skip

        assert Unit.objects.count() == 4


def test_the_last_sentence_of_a_file_has_none_to_be_joined_to_it(project: Project) -> None:
    draft = draft_of(project, {"a.txt": "Uno. Dos.\n", "b.txt": "Tres. Cuatro.\n"}, format="text")

    assert [(one.texts["es"], one.join is not None) for one in sentence_page(draft).sentences] == [
        ("Uno.", True),
        ("Dos.", False),
        ("Tres.", True),
        ("Cuatro.", False),
    ]
