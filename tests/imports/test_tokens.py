"""Tokens of an import that are split and joined by hand, by page, API and command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotator.imports.drafts.drafts import Upload, change_draft, correct_split, preview_draft, replace_files
from annotator.imports.drafts.sentences import TokenPlace, sentence_page
from annotator.imports.writing.run import run_import
from annotator.models import ImportDraft, Project, Role, Unit
from tests.clients import client_of
from tests.drafts import draft_of, make_plain
from tests.factories import make_member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]

SPANISH = "Vino al bar.\nEl Sr.Vila duerme.\n"
CATALAN = "Va venir al bar.\nEl Sr.Vila dorm.\n"


@pytest.fixture
def draft(project: Project) -> ImportDraft:
    return draft_of(project, {"bar.es.txt": SPANISH, "bar.ca.txt": CATALAN}, format="lines", dataset="bar")


def places(draft: ImportDraft, language: str) -> list[TokenPlace]:
    return [place for one in sentence_page(draft).sentences for place in one.token_places.get(language, [])]


def token(draft: ImportDraft, text: str, language: str = "es") -> TokenPlace:
    return next(one for one in places(draft, language) if one.text == text)


def split(draft: ImportDraft, text: str, left: str, language: str = "es") -> None:
    one = token(draft, text, language)
    place = next(place for place, before, _after in one.halves if before == left)
    correct_split(draft=draft, of="token_splits", key=one.key, place=place, what="split", by=None)


def join(draft: ImportDraft, text: str, language: str = "es") -> None:
    one = token(draft, text, language)
    assert one.joins
    correct_split(draft=draft, of="token_splits", key=one.key, place=one.place, what="join", by=None)


def imported(language: str) -> list[list[str]]:
    rows = Unit.objects.filter(language=language).order_by("segment__position")
    return [row.tokens for row in rows]


class TestCorrections:
    def test_what_is_shown_is_what_comes_in(self, draft: ImportDraft) -> None:
        split(draft, "al", "a")
        join(draft, ".")
        split(draft, "Sr.Vila", "Sr.", "ca")

        assert [one.is_corrected for one in sentence_page(draft).sentences] == [True, True]
        [first, second] = preview_draft(draft=draft)["rows"]
        assert [text["tokens"] for text in first["texts"]] == [
            ["Vino", "a", "l", "bar."],
            ["Va", "venir", "al", "bar", "."],
        ]
        run_import(draft=draft, by=None)
        assert imported("es") == [["Vino", "a", "l", "bar."], [*second["texts"][0]["tokens"]]]
        assert imported("ca")[1][1:3] == ["Sr.", "Vila"]
        assert [row.text for row in Unit.objects.filter(language="es").order_by("pk")] == SPANISH.splitlines()

    def test_each_is_taken_back_by_its_opposite(self, draft: ImportDraft) -> None:
        before = places(draft, "es")
        split(draft, "al", "a")
        join(draft, "l")
        join(draft, ".")
        split(draft, "bar.", "bar")

        assert places(draft, "es") == before
        assert draft.options["token_splits"] == {}

    def test_white_space_keeps_tokens_apart(self, draft: ImportDraft) -> None:
        assert [one.text for one in places(draft, "es") if one.joins] == [".", "."]

    def test_they_outlast_options_formats_and_mended_files(self, draft: ImportDraft) -> None:
        split(draft, "al", "a")

        for changes in ({"options": {"tokens": "spaces"}}, {"format": "text"}, {"options": {"sentences": False}}):
            change_draft(draft=draft, changes=changes, by=None)
            assert [one.text for one in places(draft, "es")][1:3] == ["a", "l"], changes
            assert not any("of tokens" in one["expected"] for one in preview_draft(draft=draft)["problems"])

        mended = "Un prólogo.\n" + SPANISH
        replace_files(draft=draft, uploads=[("1", Upload("bar.es.txt", [mended.encode()]))], by=None)
        assert token(draft, "l").place == 6

    def test_those_that_fit_no_more_are_said(self, draft: ImportDraft) -> None:
        split(draft, "al", "a")

        replace_files(draft=draft, uploads=[("1", Upload("bar.es.txt", [b"Otra cosa.\nEs esto.\n"]))], by=None)

        assert any("a token correction" in one["expected"] for one in preview_draft(draft=draft)["problems"])

    def test_tokens_of_the_file_are_not_corrected(self, project: Project) -> None:
        draft = draft_of(project, {"a.es.tsv": "Al\tO\nbar.\tO\n"})

        assert places(draft, "es") == []

    def test_of_running_text_each_place_names_its_paragraph(self) -> None:
        text = "Ana duerme. Vino al bar.\n\nSalió del bar.\n"
        draft = draft_of(make_plain("uno", ("es",)), {"a.txt": text}, format="text")
        split(draft, "al", "a")
        split(draft, "del", "de")

        assert [one.text for one in places(draft, "es")] == [
            "Ana", "duerme", ".", "Vino", "a", "l", "bar", ".", "Salió", "de", "l", "bar", ".",
        ]  # fmt: skip


class TestWays:
    """The same by page, API and command."""

    def test_on_the_page(self, client: Client, project: Project, draft: ImportDraft) -> None:
        client.force_login(make_member(project, Role.MANAGER, "mara"))
        url = reverse("import-sentences", args=["corpus", draft.pk])
        one = token(draft, "al")
        assert "token-split" not in client.get(url).content.decode()
        opened = client.get(url, {"tokens": "1.0"}).content.decode()
        sent = f"{one.key}:{one.place + 1}@t1.0-es-1"
        assert f'name="token-split" value="{sent}"' in opened

        answer = client.post(url, {"token-split": sent, "from": "1.0", "tokens": "1.0"})

        assert answer.headers["Location"] == f"{url}?from=1.0&tokens=1.0#t1.0-es-1"
        assert [place.text for place in places(ImportDraft.objects.get(), "es")][1:3] == ["a", "l"]
        assert "Undo 1 correction" in client.get(url).content.decode()
        client.post(url, {"token-join": sent, "tokens": "1.0"})
        assert ImportDraft.objects.get().options["token_splits"] == {}
        client.post(url, {"token-split": sent})
        client.post(url, {"all": "1"})
        assert ImportDraft.objects.get().options["token_splits"] == {}

    def test_bad_requests_change_nothing(self, client: Client, project: Project, draft: ImportDraft) -> None:
        client.force_login(make_member(project, Role.MANAGER, "mara"))
        url = reverse("import-sentences", args=["corpus", draft.pk])

        for sent in ({"token-join": "x:y@z"}, {"token-split": "zz:3@1.0"}, {"token-join": f"{'0' * 16}:{'9' * 30}"}):
            assert client.post(url, sent).status_code == 302

        assert ImportDraft.objects.get().options["token_splits"] == {}
        assert client.get(url, {"tokens": "9.9.9"}).status_code == 200

    def test_over_the_api(self, project: Project, draft: ImportDraft) -> None:
        api = client_of(make_member(project, Role.MANAGER, "mara"))
        address = f"/api/v1/projects/corpus/imports/drafts/{draft.pk}/"
        first = api.get(f"{address}sentences/").json()["sentences"][0]
        said = first["token_places"]["es"][1]
        assert said == {"text": "al", "key": said["key"], "place": 5, "joins": False}

        answer = api.post(f"{address}tokens/", {"key": said["key"], "place": 6, "correction": "split"})

        assert answer.status_code == 200
        assert answer.json()["options"]["token_splits"] == {said["key"]: {"6": "split"}}
        assert api.post(f"{address}tokens/", {"key": "x", "place": 1, "correction": "join"}).status_code == 400
        other = client_of(make_member(project, Role.ANNOTATOR, "ane"))
        assert other.post(f"{address}tokens/", {"key": said["key"], "place": 5, "correction": "split"}).status_code in (
            403,
            404,
        )

    def test_by_command(self, draft: ImportDraft, tmp_path: Path) -> None:
        split(draft, "al", "a")
        (tmp_path / "tokens.json").write_text(json.dumps(draft.options["token_splits"]))
        (tmp_path / "bar.es.txt").write_text(SPANISH)

        call_command(
            "import_files", str(tmp_path / "bar.es.txt"), project="corpus", format="lines",
            token_splits=tmp_path / "tokens.json",
        )  # fmt: skip

        assert imported("es")[0] == ["Vino", "a", "l", "bar", "."]
