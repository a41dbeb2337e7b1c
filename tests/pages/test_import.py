"""Imports in the browser's pages: files come, are seen, corrected, imported; and who may."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotator.core.starts import STARTS
from annotator.imports.views.steps import STEPS
from annotator.jobs import running as jobs
from annotator.models import ImportDraft, Job, JobState, Project, Role
from annotator.projects.actions.projects import create_project
from tests.bad_files import workbook
from tests.drafts import CATALAN, LABELLED, SPANISH, everything, load, make_plain, sentences
from tests.factories import make_member, make_user
from tests.zips import zipped

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]
URL = reverse("import", args=["corpus"])


@pytest.fixture
def project(client: Client) -> Project:
    project = make_plain()
    client.force_login(make_member(project, Role.MANAGER, "mara"))
    return project


def files(**given: str | bytes) -> list[SimpleUploadedFile]:
    """Files by name, with "__" for the dots."""
    return [
        SimpleUploadedFile(name.replace("__", "."), content.encode() if isinstance(content, str) else content)
        for name, content in given.items()
    ]


def bring(client: Client, **given: str | bytes) -> tuple[ImportDraft, str]:
    """Choose files: the draft that came of it, and its page."""
    response = client.post(URL, {"files": files(**given)}, follow=True)
    assert response.status_code == 200
    draft = ImportDraft.objects.latest("pk")
    assert response.redirect_chain[-1][0] == at("import-draft", draft) + "?step=format"
    return draft, every_step(client, draft)


def step(client: Client, draft: ImportDraft, name: str) -> str:
    """The page of a step."""
    response = client.get(at("import-draft", draft), {"step": name})
    assert response.status_code == 200
    return response.content.decode()


def every_step(client: Client, draft: ImportDraft) -> str:
    """The pages of all steps, one after the other."""
    return "".join(step(client, draft, name) for name in STEPS)


def at(name: str, draft: ImportDraft, *more: int) -> str:
    return reverse(name, args=["corpus", draft.pk, *more])


def sent(client: Client, draft: ImportDraft, **changes: str) -> dict[str, str]:
    """The form of a draft's page as a browser sends it, with some fields changed ("option_tokens": "words")."""
    form = client.get(at("import-draft", draft)).context["form"]
    data = {"shown": form.shown(), "previewed": ImportDraft.objects.get(pk=draft.pk).preview_of}
    for field in form:
        value = field.value()
        if value is True:
            data[field.name] = "on"
        elif value not in (False, None):
            data[field.name] = value
    for name, value in changes.items():
        data[name.replace("_", "-") if name.startswith(("option_", "file_", "column_", "person_")) else name] = value
    return data


def run(project: Project) -> Job:
    job = project.jobs.order_by("pk").last()
    assert job is not None
    jobs.run_job(job.pk, worker="test")
    job.refresh_from_db()
    return job


class TestTwoTextFiles:
    def test_need_no_correction(self, client: Client, project: Project) -> None:
        draft, page = bring(client, novel__ca__txt=CATALAN, novel__es__txt=SPANISH)

        assert "Import 3 sentences in es and ca" in page
        assert 'lang="ca"' in page
        assert everything_of(project) == 0

        response = client.post(at("import-start", draft), sent(client, draft))
        job = run(project)

        assert response.headers["Location"] == reverse("job", args=["corpus", job.pk])
        assert job.state == JobState.DONE, job.error
        assert len(sentences(project, "ca")) == len(sentences(project, "es")) == 3
        page = client.get(response.headers["Location"]).content.decode()
        assert "Start with the first one" in page
        first = project.stages.order_by("position").first()
        assert first is not None
        assert reverse("work", args=["corpus", first.pk]) in page

    def test_a_draft_is_found_again_and_given_up(self, client: Client, project: Project, uploads: Path) -> None:
        draft, _page = bring(client, novel__ca__txt=CATALAN)

        assert at("import-draft", draft) in client.get(URL).content.decode()
        client.post(at("import-drop", draft))

        assert not ImportDraft.objects.exists()
        assert not [path for path in uploads.rglob("*") if path.is_file()]

    def test_one_is_taken_away_and_one_is_added(self, client: Client, project: Project) -> None:
        draft, _page = bring(client, novel__ca__txt=CATALAN)
        client.post(at("import-files", draft), {"files": files(novel__es__txt=SPANISH)})
        client.post(at("import-file-remove", draft, 1))

        draft.refresh_from_db()
        assert [one["name"] for one in draft.files] == ["novel.es.txt"]

    def test_pasted_text_is_a_file_too(self, client: Client, project: Project) -> None:
        client.post(URL, {"text": SPANISH, "name": "paste.es.txt"}, follow=True)

        assert "Import 3 sentences in es" in step(client, ImportDraft.objects.get(), "import")

    def test_pasted_text_gets_a_name_that_is_free_and_can_be_changed(self, client: Client, project: Project) -> None:
        load(project, {"pasted.txt": SPANISH}, dataset="pasted", files={"1": {"language": "es"}})
        assert 'value="pasted_2.txt"' in client.get(URL).content.decode()

        client.post(URL, {"text": CATALAN, "name": ""})

        draft = ImportDraft.objects.latest("pk")
        assert (draft.files[0]["name"], draft.dataset) == ("pasted_2.txt", "pasted_2")
        client.post(at("import-draft", draft), sent(client, draft, dataset="tales"))
        draft.refresh_from_db()
        assert draft.dataset == "tales"
        assert list(project.imports.values_list("dataset", flat=True)) == ["pasted"]


class TestSteps:
    def test_one_goes_on_where_something_is_to_be_done(self, client: Client, project: Project) -> None:
        def opened() -> str:
            return str(client.get(at("import-draft", draft)).context["step"])

        draft, _page = bring(client, odd__json='{"animal": "gato"}')
        assert opened() == "format"
        client.post(at("import-draft", draft), {"step": "format", "shown": "file-1-format", "file-1-format": "jsonl"})
        assert opened() == "check"
        client.post(at("import-files", draft), {"files": files(novel__es__txt=SPANISH), "replace": "1"})
        client.post(at("import-draft", draft), {"step": "format", "shown": "file-1-format", "file-1-format": ""})
        assert opened() == "licence"
        client.post(at("import-draft", draft), {"step": "licence", "shown": "licence publishable", "licence": "CC0"})
        assert opened() == "import"
        client.post(at("import-file-remove", draft, 1))
        assert opened() == "files"

    def test_each_sends_its_own_choices_and_leaves_the_others(self, client: Client, project: Project) -> None:
        draft, _page = bring(client, novel__es__txt=SPANISH, novel__ca__txt=CATALAN)
        said = {"shown": "licence publishable", "licence": "CC0", "publishable": "on", "step": "licence"}

        answer = client.post(at("import-draft", draft), {**said, "go": "import"})
        assert answer.headers["Location"] == at("import-draft", draft) + "?step=import"
        client.post(at("import-draft", draft), {"shown": "option-tokens", "option-tokens": "words", "step": "format"})

        draft.refresh_from_db()
        assert (draft.licence, draft.publishable, draft.options["tokens"]) == ("CC0", True, "words")
        assert "can contain the text" in step(client, draft, "import")

    def test_what_is_refused_stays_at_its_step(self, client: Client, project: Project) -> None:
        draft, _page = bring(client, novel__es__txt=SPANISH)
        said = {"shown": "dataset", "dataset": "no/such:name", "step": "format", "go": "check"}

        answer = client.post(at("import-draft", draft), said, follow=True)

        assert answer.redirect_chain[-1][0] == at("import-draft", draft) + "?step=format"
        assert "is not a valid name for a dataset" in answer.content.decode()

    @pytest.mark.parametrize("asked", ["", "nowhere", "<script>", "../files"])
    def test_those_that_there_are_not_are_passed_by(self, client: Client, project: Project, asked: str) -> None:
        draft, _page = bring(client, novel__es__txt=SPANISH)
        assert client.get(at("import-draft", draft), {"step": asked}).context["step"] == "licence"
        answer = client.post(at("import-draft", draft), {"step": asked, "go": asked, "shown": ""})
        assert answer.headers["Location"] == at("import-draft", draft)

    def test_errors_are_what_the_check_begins_with(self, client: Client, project: Project) -> None:
        draft, _page = bring(client, table__csv=TestErrors.BAD)
        page = step(client, draft, "check")
        assert page.index("1 error") < page.index("as they will appear")
        assert "No errors were found." not in page


class TestCorrections:
    def test_a_choice_is_kept_and_shown_at_once(self, client: Client, project: Project) -> None:
        draft, _page = bring(client, novel__es__txt=SPANISH)

        response = client.post(
            at("import-draft", draft), sent(client, draft, file_1_language="ca"), headers={"HX-Request": "true"}
        )

        draft.refresh_from_db()
        assert draft.files[0]["language"] == "ca"
        assert draft.chosen == ["files.1.language"]
        page = response.content.decode()
        assert "Import 3 sentences in ca" in page
        assert "<html" not in page

    def test_a_workbook_is_asked_no_encoding(self, client: Client, project: Project) -> None:
        rows = [["id", "text:es"], ["1", "El sol sale ."]]
        _draft, page = bring(client, tabla__xlsx=workbook(rows), más__csv="id,text:ca\n1,El sol surt .\n")
        called = '{}<span class="visually-hidden">: {}</span>'
        assert called.format("Language", "tabla.xlsx") in page
        assert called.format("Encoding", "tabla.xlsx") not in page
        assert called.format("Encoding", "más.csv") in page

    def test_a_column_is_said_to_be_something_else(self, client: Client, project: Project) -> None:
        rows = "".join(f"{number},Ana lee la carta {number}.,Anna llegeix {number}.\n" for number in range(3))
        draft, _page = bring(client, table__csv="a,b,c\n" + rows)

        data = sent(client, draft, column_0="id", column_1="text:es", column_2="text:ca", option_header="on")
        client.post(at("import-draft", draft), data)
        page = step(client, draft, "import")

        draft.refresh_from_db()
        assert draft.options["columns"] == {"0": "id", "1": "text:es", "2": "text:ca"}
        assert "Import 3 sentences in es and ca" in page

    def test_the_first_row_of_a_table_is_a_heading_or_it_is_asked(self, client: Client, project: Project) -> None:
        rows = zip(SPANISH.splitlines(), CATALAN.splitlines(), strict=True)
        table = "Obra;Versió\n" + "".join(f"{es};{ca}\n" for es, ca in rows)
        draft, page = bring(client, table__csv=table)

        assert "Import 3 sentences in es and ca" in page
        assert "The first row is read as column names" in page

        chosen = sent(client, draft)
        del chosen["option-header"]
        page = client.post(at("import-draft", draft), chosen, headers={"HX-Request": "true"}).content.decode()

        draft.refresh_from_db()
        assert draft.options["header"] is False
        assert "Import 4 sentences in es and ca" in page
        assert "is read as" not in page

    def test_cells_with_line_breaks_are_shown_on_one_line(self, client: Client, project: Project) -> None:
        _draft, page = bring(client, table__csv='id,text_es\n1,"Ana lee\nla\u00a0carta."\n')

        assert '<td translate="no"><span class="cell" dir="auto">Ana lee la carta.</span></td>' in page

    def test_labels_become_a_persons(self, client: Client, project: Project) -> None:
        draft, page = bring(client, es__tsv=LABELLED)
        assert "left out" in page

        client.post(at("import-draft", draft), sent(client, draft, labels_as="person"))
        client.post(at("import-draft", draft), sent(client, draft, labels_person="mara"))

        draft.refresh_from_db()
        assert (draft.labels_as, draft.labels_name) == ("person", "mara")

    def test_what_cannot_be_is_refused_with_a_sentence(self, client: Client, project: Project) -> None:
        draft, _page = bring(client, novel__es__txt=SPANISH)

        response = client.post(
            at("import-draft", draft), sent(client, draft, dataset="no/such:name"), headers={"HX-Request": "true"}
        )

        draft.refresh_from_db()
        assert draft.dataset == "novel"
        assert "is not a valid name for a dataset" in response.content.decode()

    def test_what_was_not_seen_is_not_imported(self, client: Client, project: Project) -> None:
        draft, _page = bring(client, novel__es__txt=SPANISH)

        response = client.post(at("import-start", draft), sent(client, draft, option_tokens="words"), follow=True)

        assert "Check the updated preview" in response.content.decode()
        assert not project.jobs.exists()


class TestErrors:
    def test_of_a_damaged_file_no_other_format_is_asked_for(self, client: Client, project: Project) -> None:
        _draft, page = bring(client, cortado__json='[{"text": "El tren", "label": [')
        assert "Correct 1 error first" in page
        assert "The format was not recognised" not in page

        _draft, page = bring(client, otro__json='{"animal": "gato"}')
        assert "The format was not recognised" in page

    BAD = "id,text:es\n1,Ana lee.\n1,Ana escribe.\n2,Ana duerme.\n"

    def test_a_bad_file_is_chosen_anew_and_what_was_chosen_stays(self, client: Client, project: Project) -> None:
        draft, page = bring(client, table__csv=self.BAD)
        assert "Correct 1 error first" in page
        assert "disabled" in page
        client.post(at("import-draft", draft), sent(client, draft, dataset="mine"))

        good = self.BAD.replace("1,Ana escribe", "3,Ana escribe")
        response = client.post(at("import-files", draft), {"files": files(table__csv=good)}, follow=True)

        draft.refresh_from_db()
        assert "table.csv was read again" in response.content.decode()
        page = every_step(client, draft)
        assert [one["id"] for one in draft.files] == ["1"]
        assert draft.dataset == "mine"
        assert "Import 3 sentences in es" in page
        assert "No errors were found." in page
        assert "1 error" not in page

    def test_a_file_of_another_name_takes_the_place_that_was_said(self, client: Client, project: Project) -> None:
        draft, _page = bring(client, es__txt=SPANISH, ca__txt="\n")
        client.post(at("import-draft", draft), sent(client, draft, file_2_language="ca"))

        response = client.post(
            at("import-files", draft), {"files": files(better__txt=CATALAN), "replace": "2"}, follow=True
        )

        assert "better.txt replaces ca.txt." in response.content.decode()
        draft.refresh_from_db()
        assert [(one["id"], one["name"], one["language"]) for one in draft.files] == [
            ("1", "es.txt", "es"),
            ("2", "better.txt", "ca"),
        ]

    def test_two_files_in_one_language_are_said_with_what_to_do(self, client: Client, project: Project) -> None:
        draft, _page = bring(client, es__txt=SPANISH, ca__txt=CATALAN)

        response = client.post(
            at("import-files", draft), {"files": files(es__txt=SPANISH), "replace": "2"}, follow=True
        )

        assert "es.txt replaces ca.txt." in response.content.decode()
        page = step(client, draft, "check")
        assert "a second one in es, besides es.txt: remove one, or correct its language" in page

    def test_an_archive_once_more_takes_the_place_of_what_was_in_it(self, client: Client, project: Project) -> None:
        draft, _page = bring(client, all__zip=zipped({"es.txt": SPANISH.encode(), "old.ca.txt": CATALAN.encode()}))

        again = zipped({"es.txt": SPANISH.encode(), "ca.txt": CATALAN.encode()})
        client.post(at("import-files", draft), {"files": files(all__zip=again)})

        draft.refresh_from_db()
        assert sorted(one["name"] for one in draft.files) == ["all.zip/ca.txt", "all.zip/es.txt"]

    def test_all_of_them_can_be_downloaded(self, client: Client, project: Project) -> None:
        draft, _page = bring(client, table__csv=self.BAD)

        response = client.get(at("import-problems", draft))

        lines = response.getvalue().decode("utf-8-sig").splitlines()
        assert lines[0] == "severity,file,line,expected,got"
        assert lines[1].startswith("error,table.csv,3,")

    def test_a_refused_upload_leaves_nothing_behind(self, client: Client, project: Project, uploads: Path) -> None:
        before = everything()

        response = client.post(URL, {"files": files(evil__zip=zipped({"../evil.txt": b"x"}))})

        assert response.status_code == 422
        assert "unsafe path" in response.content.decode()
        assert not ImportDraft.objects.exists()
        assert everything() == before
        assert not [path for path in uploads.rglob("*") if path.is_file()]

    def test_hostile_names_and_texts_are_shown_as_text(self, client: Client, project: Project) -> None:
        text = "<script>alert(1)</script> vuela .\n"
        given = [SimpleUploadedFile("<img src=x onerror=alert(1)>.es.txt", text.encode())]

        client.post(URL, {"files": given}, follow=True)
        page = every_step(client, ImportDraft.objects.get())

        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_saying_the_licence_leaves_the_preview_what_was_looked_at(client: Client, project: Project) -> None:
    draft, _page = bring(client, novel__es__txt=SPANISH, novel__ca__txt=CATALAN)

    ticked = {**sent(client, draft), "publishable": "on", "licence": "CC0"}
    client.post(at("import-draft", draft), ticked, headers={"HX-Request": "true"})
    client.post(at("import-start", draft), sent(client, draft))

    assert project.jobs.filter(kind="import").count() == 1


def test_files_that_hardly_go_together_are_refused(client: Client, project: Project) -> None:
    spanish, catalan = parallel_lines(100)
    random.Random(1).shuffle(catalan)

    draft, page = bring(client, p__es__txt="\n".join(spanish) + "\n", p__ca__txt="\n".join(catalan) + "\n")

    assert "hardly match" in page
    assert not draft.preview["ready"]


class TestLinesThatGoTogetherNevertheless:
    """It is offered where it helps."""

    BOX = 'name="option-parallel"'

    def test_where_as_many_lines_are_shifted(self, client: Client, project: Project) -> None:
        spanish, catalan = parallel_lines()
        del catalan[20]
        catalan.append("Un final que no és enlloc més .")

        draft, page = bring(client, p__es__txt="\n".join(spanish) + "\n", p__ca__txt="\n".join(catalan) + "\n")
        assert self.BOX in page
        assert not draft.preview["ready"]

        chosen = {**sent(client, draft), "option-parallel": "on", "step": "check"}
        page = client.post(at("import-draft", draft), chosen, headers={"HX-Request": "true"}).content.decode()

        draft.refresh_from_db()
        assert draft.preview["ready"]
        # It can be taken back.
        assert self.BOX in page

    def test_not_where_one_file_is_longer(self, client: Client, project: Project) -> None:
        spanish, catalan = parallel_lines()
        del catalan[20]

        draft, page = bring(client, p__es__txt="\n".join(spanish) + "\n", p__ca__txt="\n".join(catalan) + "\n")

        assert "Edit the lines here, or edit the file and choose it again." in page
        assert self.BOX not in page
        assert draft.preview["errors"]

    def test_not_where_the_dataset_is_longer(self, client: Client, project: Project) -> None:
        spanish, catalan = parallel_lines()
        load(project, {"p.es.txt": "\n".join(spanish) + "\n"})
        del catalan[20]
        draft, _page = bring(client, p__ca__txt="\n".join(catalan) + "\n")

        chosen = {**sent(client, draft, dataset="p", option_match="order"), "step": "check"}
        page = client.post(at("import-draft", draft), chosen, headers={"HX-Request": "true"}).content.decode()

        draft.refresh_from_db()
        assert "may be misaligned" in page
        assert self.BOX not in page
        assert draft.preview["errors"]


def test_an_import_is_taken_back(client: Client, project: Project) -> None:
    load(project, {"es.txt": SPANISH})
    imported = project.imports.get()

    client.post(reverse("import-take-back", args=["corpus", imported.pk]))

    assert not project.sentences.exists()


def everything_of(project: Project) -> int:
    return project.sentences.count() + project.jobs.count()


def parallel_lines(number: int = 40) -> tuple[list[str], list[str]]:
    """Sentences whose numbers say which belong together."""
    things = ["casa", "mesa", "cosa", "carta", "porta"]
    said = [(things[n % 5], n * 7919, n * 31 + 5, n * 17) for n in range(number)]
    spanish = [f"La {thing} número {a} tiene {b} partes de color {c} ." for thing, a, b, c in said]
    catalan = [f"La {thing} número {a} té {b} parts de color {c} ." for thing, a, b, c in said]
    return spanish, catalan


def test_a_file_in_a_language_that_the_project_lacks_comes_in_once_the_language_is_added(
    client: Client, project: Project
) -> None:
    load(project, {"novel.es.txt": SPANISH, "novel.ca.txt": CATALAN})
    draft, page = bring(client, novel__en__txt="Time is gold .\nThe town wakes .\nAna keeps letters .\n")
    assert not draft.preview["ready"]
    assert f"{reverse('settings-language-add', args=['corpus'])}?language=en" in page

    client.post(reverse("settings-language-add", args=["corpus"]), {"language": "en"})
    page = every_step(client, draft)

    assert ImportDraft.objects.get(pk=draft.pk).preview["ready"]
    assert "is not a language of this project yet" not in page
    assert "These sentences are already in the project in es and ca. The import will add them in en." in page


def test_what_the_project_has_in_all_its_languages_is_not_said_to_be_added(client: Client, project: Project) -> None:
    load(project, {"novel.es.txt": SPANISH, "novel.ca.txt": CATALAN})

    _draft, page = bring(client, novel__es__txt=SPANISH)

    assert "The import will add them" not in page
    assert "are in the project in ca" not in page


def test_a_problem_is_in_the_file_of_its_language(client: Client, project: Project) -> None:
    catalan = CATALAN.split("\n")
    catalan[1] = "paraula " * 5001

    draft, _page = bring(client, novel__es__txt=SPANISH, novel__ca__txt="\n".join(catalan))

    assert [(one["file"], one["line"]) for one in draft.preview["problems"] if one["severity"] == "error"] == [
        ("novel.ca.txt", 2)
    ]


def test_labels_that_cannot_come_in_are_named_in_the_file_of_their_language(client: Client, project: Project) -> None:
    other = LABELLED.replace("METAPHOR", "SIMILE")
    draft, _page = bring(client, p__es__tsv=LABELLED, p__ca__tsv=other)
    page = client.post(at("import-draft", draft), sent(client, draft, labels_as="gold"), headers={"HX-Request": "true"})

    draft.refresh_from_db()
    assert page.status_code == 200
    assert {one["file"] for one in draft.preview["problems"] if "SIMILE" in one["expected"] + one["got"]} == {
        "p.ca.tsv"
    }


def test_a_translation_under_another_name_is_told_how_it_joins_what_is_there(client: Client, project: Project) -> None:
    load(project, {"novel.es.txt": SPANISH}, dataset="novel")

    _draft, page = bring(client, story__ca__txt=CATALAN)

    assert "enter the dataset of those sentences under “Dataset” (novel)" in page
    assert '<option value="novel">' in page


class TestPairs:
    """Of projects whose units are pairs: nothing on their pages is called a sentence that is none."""

    HEAD = "startphrase,ending1,ending2,labels\n"
    ROWS = "The hut is a palace.,It is fine.,It is poor.,0\nThe hut is a hole.,It is fine.,It is poor.,1\n"

    @pytest.fixture
    def project(self, client: Client) -> Project:
        mara = make_user("mara")
        project = create_project(slug="corpus", preset=STARTS["mabl"].preset(["en"]), by=mara)
        client.force_login(mara)
        return project

    def test_the_pages_of_an_import(self, client: Client, project: Project) -> None:
        draft, page = bring(client, en__csv=self.HEAD + self.ROWS)

        assert draft.format == "mabl"
        assert "Import 1 pair in en" in page
        assert "1 pair, as it will appear" in page
        listed = client.get(at("import-sentences", draft)).content.decode()
        assert "<h1>All pairs</h1>" in listed and "All sentences" not in listed

        # Nothing splits such texts, and they have no labels on words.
        assert not {"option-tokens", "option-sentences", "option-widen"}.intersection(sent(client, draft))
        assert "Import decisions in the files as" in page and "labels in the files" not in page
        for name in ("Format", "Language", "Encoding"):
            assert f'{name}<span class="visually-hidden">: en.csv</span>' in page

        client.post(at("import-start", draft), sent(client, draft), follow=True)
        job = run(project)
        assert job.state == JobState.DONE
        page = client.get(reverse("job", args=["corpus", job.pk])).content.decode()
        assert "Pairs: English (en)" in page
        assert "Sentences" not in page.split("<main")[1]
