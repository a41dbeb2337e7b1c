"""What figurative sentences compare: from columns, from translations, as tables, in releases, on the page."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.core.starts import STARTS
from annotator.formats.common.errors import FormatError
from annotator.formats.common.protocol import Options, SourceFile
from annotator.formats.recognise import recognise
from annotator.jobs import running as jobs
from annotator.jobs.actions import start_job
from annotator.models import Gold, Import, Job, JobState, Project, Role, Unit
from annotator.projects.actions.projects import create_project
from annotator.protocols.mabl.columns import Layout, meanings
from annotator.protocols.mabl.concept_tables import count_concepts
from annotator.protocols.mabl.concepts import compared
from annotator.protocols.mabl.format import Mabl
from annotator.releases.queries.exports import release_files
from annotator.reports.queries.tables import FURTHER
from tests.drafts import load
from tests.factories import enlarge, make_member
from tests.found import find

HEAD = "startphrase,ending1,ending2,labels\n"
ENGLISH = """The hut is a palace.,It is fine.,It is poor.,0
The hut is a hole.,It is fine.,It is poor.,1
The man sings like a lark.,He sings well.,He sings badly.,0
The man sings like a rusty gate.,He sings well.,He sings badly.,1
"""
SPANISH = """La choza es un palacio.,Es buena.,Es mala.,0
La choza es un agujero.,Es buena.,Es mala.,1
Su padre es un roble.,Es fuerte.,Es débil.,0
Su padre es un gato.,Es fuerte.,Es débil.,1
"""
TRANSLATED = """The hut is a palace.,It is good.,It is bad.,0
The hut is like holes.,It is good.,It is bad.,1
His father is an oak.,He is strong.,He is weak.,0
His father is a cat.,He is strong.,He is weak.,1
"""
JAVANESE = (
    "startphrase,ending1,ending2,labels,subject,relation,object\n"
    + """Wit iku istana,a,b,0,The tree,is,a palace
Wit iku bolongan,a,b,1,the tree,is,the Cats
Dheweke iku singa,c,d,0,He,is,a lion
Dheweke iku segawon,c,d,1,,,
"""
)


pytestmark = pytest.mark.usefixtures("uploads")


def bring(project: Project, name: str, content: str, language: str, dataset: str, **changes: Any) -> None:
    load(project, {name: content}, files={"1": {"language": language}}, dataset=dataset, **changes)


@pytest.fixture(scope="module")
def figures(kept_rows: None) -> Project:
    """Pairs in four languages, with columns or a translation where there are some. No test changes this object."""
    project = create_project(slug="figures", preset=STARTS["mabl"].preset(["es", "en", "jv", "yo"]), by=None)
    bring(project, "english.csv", HEAD + ENGLISH, "en", "english")
    bring(project, "es.csv", HEAD + SPANISH, "es", "spanish")
    bring(project, "translated_es.csv", HEAD + TRANSLATED, "en", "spanish", options={"match": "order"})
    bring(project, "jv.csv", JAVANESE, "jv", "javanese")
    bring(project, "yo.csv", HEAD + "Ilé ni òkun,a,b,0\nIlé ni ihò,a,b,1\n", "yo", "yoruba")
    return project


@pytest.fixture
def corpus(figures: Project, db: None) -> Project:
    return copy.deepcopy(figures)


def work(job: Job) -> Job:
    jobs.run_job(job.pk, worker="here")
    job.refresh_from_db()
    return job


def _first_error(file: SourceFile) -> str:
    try:
        return str(next(read for read in Mabl().read([file], Options()) if isinstance(read, FormatError)))
    except FormatError as error:
        return str(error)


class TestColumns:
    def test_object_is_a_category_unless_subject_and_relation_stand_beside_it(self) -> None:
        assert meanings(["startphrase", "object", "visual"]) == ["start", "object", "visual"]
        with_parts = ["Object", "subject", "relation (string)", "obj"]
        assert meanings(with_parts) == ["part-object", "part-subject", "part-relation", "object"]
        assert meanings(["x", "y", "z"]) == ["part-subject", "part-relation", "part-object"]
        assert meanings(["x", "y"]) == ["", ""]

    @pytest.mark.parametrize(
        ("head", "row", "expected"),
        [
            (
                "subject,relation",
                "a b,c,d,0,a,is",
                r"1: expected the columns subject, relation and object.*without object",
            ),
            (
                "subject,relation,object",
                "a b,c,d,0,a,is,",
                r"2: expected a text in the column object, got an empty cell",
            ),
            ("x,y,z", "a b,c,d,0,,,\na b,d,c,1,a,is,", r"3: expected a text in the column z, got an empty cell"),
            ("x,y,z", 'a b,c,d,0,a,is,"b\nc"', r"2: expected sentences without line breaks"),
        ],
    )
    def test_what_is_wrong_is_named_with_its_line(self, tmp_path: Path, head: str, row: str, expected: str) -> None:
        path = tmp_path / "en.csv"
        path.write_text(f"{HEAD.strip()},{head}\n{row}\n", encoding="utf-8")
        assert re.search(expected, _first_error(SourceFile("en.csv", path, "utf-8", "en")))

    def test_a_translation_is_not_in_the_language_that_its_name_says(self, tmp_path: Path) -> None:
        path = tmp_path / "translated_es.csv"
        path.write_text(HEAD + TRANSLATED, encoding="utf-8")
        (guess, *_others) = recognise([SourceFile(path.name, path, "utf-8")], languages=["es", "en"])
        assert (guess.format, guess.files[0].language) == ("mabl", "en")

    def test_the_file_goes_out_as_it_came_in(self, corpus: Project) -> None:
        files = release_files(corpus, partial=True).files
        assert files["mabl/javanese/jv.csv"] == JAVANESE.encode()
        assert files["mabl/spanish/translated_es.csv"] == (HEAD + TRANSLATED).encode()
        layout = Layout.from_json(Import.objects.get(dataset="javanese").files[0]["layout"])
        assert layout.parts(2, 1) == ("the tree", "is", "the Cats")
        assert layout.parts(4, 1) is None


class TestCounting:
    def test_where_each_comparison_is_from(self, corpus: Project) -> None:
        found = [
            (one.unit.language, one.half, one.text_of.language, one.found, one.comparison and one.comparison.object)
            for one in compared(corpus)
        ]
        assert found == [
            ("en", 0, "en", "small", "a palace"),
            ("en", 1, "en", "small", "a hole"),
            ("en", 0, "en", "small", "a lark"),
            ("en", 1, "en", "small", "a rusty gate"),
            ("es", 0, "en", "small", "a palace"),
            ("es", 1, "en", "small", "holes"),
            ("es", 0, "en", "small", "an oak"),
            ("es", 1, "en", "small", "a cat"),
            ("jv", 0, "jv", "column", "a palace"),
            ("jv", 1, "jv", "column", "the Cats"),
            ("jv", 0, "jv", "column", "a lion"),
            ("jv", 1, "jv", "", None),
            ("yo", 0, "yo", "", None),
            ("yo", 1, "yo", "", None),
        ]

    def test_concepts_by_language_and_what_two_share(self, corpus: Project) -> None:
        rows = {row["language"]: row for row in FURTHER["concepts"].compute(corpus).rows}
        assert {
            language: (row["sentences"], row["found"], row["subjects"], row["concepts"], row["own"], row["similar"])
            for language, row in rows.items()
        } == {
            "es": (4, 4, 2, 4, 1, "jv"),
            "en": (4, 4, 2, 4, 2, "es"),
            "jv": (4, 3, 2, 3, 1, "es"),
            "yo": (2, 0, 0, 0, 0, "–"),
        }
        assert rows["en"]["jaccard"] == "0.333"
        overlap = FURTHER["concept-overlap"].compute(corpus)
        assert [(row["language"], row["other"], row["shared"], row["union"]) for row in overlap.rows] == [
            ("es", "en", 2, 6),
            ("es", "jv", 2, 5),
            ("en", "jv", 1, 6),
        ]
        assert overlap.heat is not None
        assert overlap.heat.names == ("es", "en", "jv")
        assert overlap.heat.cells[0] == (None, 0.3333, 0.4)
        shared = [(row["name"], row["languages"]) for row in FURTHER["shared-concepts"].compute(corpus).rows]
        assert shared == [("palace", "es, en, jv"), ("cat", "es, jv"), ("hole", "es, en")]

    def test_it_is_said_where_there_is_neither_column_nor_translation(self, corpus: Project) -> None:
        notes = FURTHER["concepts"].compute(corpus).notes
        assert notes == (
            "Concepts are compared in English, through translations where available.",
            "Concepts found in all languages: 1.",
            "No concepts in: yo. Their sentences have neither columns nor a translation here.",
        )

    def test_rejected_pairs_are_not_counted(self, corpus: Project) -> None:
        unit = Unit.objects.filter(language="jv").first()
        Gold.objects.filter(unit=unit).update(content={"verdict": "reject", "reason": "other"})
        assert {row["language"]: row["sentences"] for row in count_concepts(corpus)["languages"]}["jv"] == 2
        assert b"istana" not in release_files(corpus, partial=True).files["concepts/jv.tsv"]

    def test_a_text_that_was_fixed_has_no_column_any_more(self, corpus: Project) -> None:
        unit = Unit.objects.get(language="jv", origin_line=2)
        Unit.objects.filter(pk=unit.pk).update(imported=None)
        assert [one.found for one in compared(corpus) if one.unit.language == "jv"] == ["", "", "column", ""]

    def test_a_project_without_pairs_has_no_table(self, db: None) -> None:
        empty = create_project(slug="empty", preset=STARTS["mabl"].preset(["en"]), by=None)
        assert FURTHER["concepts"].compute(empty).rows == ()


class TestColumnsInTheirOwnLanguage:
    """Spanish columns of Spanish sentences: beside English ones they are no concepts that could be shared."""

    SPANISH = (
        "startphrase,ending1,ending2,labels,subject,relation,object\n"
        "La choza es un palacio.,Es buena.,Es mala.,0,La choza,es,un palacio\n"
        "La choza es un agujero.,Es buena.,Es mala.,1,La choza,es,un agujero\n"
    )

    @pytest.fixture
    def project(self, db: None) -> Project:
        project = create_project(slug="own", preset=STARTS["mabl"].preset(["en", "es"]), by=None)
        bring(project, "english.csv", HEAD + ENGLISH, "en", "english")
        bring(project, "es.csv", self.SPANISH, "es", "spanish")
        return project

    def test_it_is_said_beside_the_tables_instead_of_a_zero(self, project: Project) -> None:
        report = FURTHER["concepts"].compute(project)
        rows = {row["language"]: row for row in report.rows}
        assert (rows["es"]["found"], rows["es"]["concepts"], rows["es"]["own"], rows["es"]["jaccard"]) == (
            2,
            2,
            "–",
            "–",
        )
        assert rows["en"]["own"] == 4
        said = [note for note in report.notes if "Not compared with others: es." in note]
        assert len(said) == 1
        assert "Import translations of these sentences in en" in said[0]
        overlap = FURTHER["concept-overlap"].compute(project)
        assert (overlap.rows, overlap.notes, overlap.heat) == ((), tuple(said), None)

    def test_the_page_says_it(self, project: Project, client: Client) -> None:
        client.force_login(make_member(project))
        page = client.get(reverse("report", args=["own", "concepts"])).text
        assert "Not compared with others: es." in page

    def test_a_translation_is_compared_instead(self, project: Project) -> None:
        translated = HEAD + "".join(f"{line}\n" for line in TRANSLATED.splitlines()[:2])
        bring(project, "translated_es.csv", translated, "en", "spanish", options={"match": "order"})
        overlap = FURTHER["concept-overlap"].compute(project)
        assert [(row["language"], row["other"], row["shared"]) for row in overlap.rows] == [("en", "es", 2)]
        assert overlap.notes == ()
        found = [(one.found, one.comparison and one.comparison.object) for one in compared(project)]
        assert ("small", "a palace") in found
        assert ("column", "un palacio") not in found


class TestRelease:
    def test_the_tables_and_what_each_sentence_compares(self, corpus: Project) -> None:
        files = release_files(corpus, partial=True).files
        assert {path for path in files if "concept" in path} == {
            "concepts/en.tsv",
            "concepts/es.tsv",
            "concepts/jv.tsv",
            "statistics/concepts.json",
            "statistics/concept-overlap.json",
            "statistics/shared-concepts.json",
        }
        lines = files["concepts/es.tsv"].decode().splitlines()
        assert lines[0].split("\t") == ["id", "label", "subject", "relation", "object", "concept", "found", "text_in"]
        assert lines[2].split("\t") == ["spanish:es:1", "1", "The hut", "is like", "holes", "hole", "small", "en"]
        assert release_files(corpus, partial=True).files == files

    def test_what_may_not_be_published_and_what_nobody_accepted_stays_out(self, corpus: Project) -> None:
        Import.objects.filter(dataset="javanese").update(publishable=False)
        Gold.objects.filter(unit__language="es").delete()
        files = release_files(corpus, partial=True).files
        assert {path for path in files if path.startswith("concepts/")} == {"concepts/en.tsv"}

    def test_a_translation_that_may_not_be_published_stays_out(self, corpus: Project) -> None:
        translations = Unit.objects.filter(language="en", segment__dataset="spanish")
        Import.objects.filter(units__in=translations).update(publishable=False)
        assert "concepts/es.tsv" not in release_files(corpus, partial=True).files


class TestPage:
    def read(self, client: Client, kind: str = "concepts") -> str:
        client.force_login(make_member(Project.objects.get(slug="figures"), Role.MANAGER))
        return client.get(reverse("report", args=["figures", kind])).text

    def test_a_job_counts_and_the_page_shows_what_it_counted(self, corpus: Project, client: Client) -> None:
        assert "Most similar" in self.read(client), "a small project is counted at once"
        enlarge(corpus)
        before = self.read(client)
        assert "Not counted yet. A job counts it" in before
        assert "Most similar" not in before
        assert client.get(reverse("report-json", args=["figures", "concepts"])).status_code == 404

        response = client.post(reverse("report-count", args=["figures"]))
        job = Job.objects.latest("pk")
        assert response.headers["Location"] == reverse("reports", args=["figures"])
        assert "The count is running." in self.read(client)
        assert work(job).state == JobState.DONE

        page = self.read(client)
        assert "Counted on" in page
        assert "Later changes are not included." in page
        page = self.read(client, "concept-overlap")
        assert "Heat map of es, en, jv. The table has the same numbers." in page
        assert page.count('<text class="heat-number"') == 9
        page = self.read(client, "shared-concepts")
        palace = reverse("report-sentences", args=["figures", "shared-concepts"]) + "?value=palace"
        assert re.findall(rf'<a href="{re.escape(palace)}">([^<]*)</a>', page) == ["palace", "3"]
        rows = client.get(reverse("report-json", args=["figures", "concept-overlap"])).json()
        assert rows[0] == {"language": "es", "other": "en", "shared": 2, "union": 6, "jaccard": 0.3333}
        # The figures are no list of numbers for the job's page.
        of_job = client.get(reverse("job", args=["figures", job.pk])).content.decode()
        assert "overlaps" not in of_job
        assert "The counts are in the reports." in of_job

    def test_the_page_reads_no_pair(self, corpus: Project, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        enlarge(corpus)
        work(start_job(project=corpus, kind="count", params={}, by=None))
        monkeypatch.setattr("annotator.protocols.mabl.concept_tables.compared", lambda project: pytest.fail("scanned"))
        assert "Most similar" in self.read(client)


class TestSentencesBehind:
    """What a shared concept leads to: just the sentences that were counted."""

    def rows(self, client: Client, project: Project, **query: str) -> list[str]:
        client.force_login(make_member(project))
        page = client.get(reverse("report-sentences", args=["figures", "shared-concepts"]), query).content.decode()
        return re.findall(r'<a href="[^"]*/sentences/[^"]*"><bdi[^>]*>([^<]*)</bdi>', page)

    def test_a_concept_leads_to_the_sentences_that_have_it_in_each_language(
        self, corpus: Project, client: Client
    ) -> None:
        by_name = {row["name"]: row for row in FURTHER["shared-concepts"].compute(corpus).rows}
        assert by_name["palace"]["sentences"] == 3
        found = ["La choza es un palacio.", "The hut is a palace.", "Wit iku istana"]
        assert self.rows(client, corpus, value="palace") == found
        # The translation, and the other half of the pair, have the word and are not counted.
        assert self.rows(client, corpus, value="palace", language="en") == ["The hut is a palace."]
        assert self.rows(client, corpus, value="hole", language="es") == ["La choza es un agujero."]

    @pytest.mark.parametrize("query", [{}, {"value": "nothing"}, {"value": "cat", "language": "en"}])
    def test_what_the_table_does_not_have_is_not_found(
        self, corpus: Project, client: Client, query: dict[str, str]
    ) -> None:
        client.force_login(make_member(corpus))
        assert client.get(reverse("report-sentences", args=["figures", "shared-concepts"]), query).status_code == 404
        assert client.get(reverse("report-sentences", args=["figures", "other"]), query).status_code == 404

    def test_what_a_job_counted_is_read_by_id_page_by_page(
        self, corpus: Project, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        enlarge(corpus)
        work(start_job(project=corpus, kind="count", params={}, by=None))
        monkeypatch.setattr("annotator.protocols.mabl.concept_tables.compared", lambda project: pytest.fail("scanned"))
        monkeypatch.setattr("annotator.reports.views.reports.SENTENCES", 2)
        assert len(self.rows(client, corpus, value="palace")) == 2
        assert self.rows(client, corpus, value="palace", page="2") == ["Wit iku istana"]
        Unit.objects.filter(language="en", segment__dataset="english").update(is_current=False)
        assert self.rows(client, corpus, value="palace") == ["La choza es un palacio."]

    def test_figures_of_an_earlier_job_lead_nowhere(self, corpus: Project, client: Client) -> None:
        enlarge(corpus)
        job = work(start_job(project=corpus, kind="count", params={}, by=None))
        for row in job.result["figures"]["concepts"]["listed"]:
            del row["where"]
        job.save()
        client.force_login(make_member(corpus))
        page = client.get(reverse("report", args=["figures", "shared-concepts"])).text
        assert "palace" in page
        assert "?value=" not in page


class TestSearch:
    def test_a_word_of_the_translation_finds_the_pair_with_its_original(self, corpus: Project, client: Client) -> None:
        reader = make_member(corpus)
        rows = find(corpus, "oak", reader=reader).rows
        assert [(unit.language, [other.language for other in others]) for unit, others in rows] == [("en", ["es"])]
        client.force_login(reader)
        page = client.get(reverse("find", args=["figures"]), {"q": "oak"}).content.decode()
        assert "Su padre es un roble." in page
        segment = rows[0][0].segment_id
        whole = client.get(reverse("sentence", args=["figures", segment])).content.decode()
        assert "Su padre es un roble." in whole
        assert "His father is an oak." in whole
