"""Files of several languages that are not parallel, and those that say they are translations."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.core.errors import ActionError
from annotator.core.starts import STARTS
from annotator.imports.drafts.drafts import change_draft, preview_draft
from annotator.models import Gold, ImportDraft, Project, Role, Unit
from annotator.projects.actions.projects import create_project
from annotator.releases.queries.exports import release_files
from annotator.reports.queries.tables import FURTHER
from annotator.revisions.new_revision import new_revision
from tests.drafts import draft_of, everything, load
from tests.factories import make_member

pytestmark = pytest.mark.usefixtures("uploads")

HEAD = "startphrase,ending1,ending2,labels\n"
SPANISH = """La choza es un palacio.,Es buena.,Es mala.,0
La choza es un agujero.,Es buena.,Es mala.,1
Su padre es un roble.,Es fuerte.,Es débil.,0
Su padre es un gato.,Es fuerte.,Es débil.,1
"""
BASQUE = """Zuhaitza jauregia da,a,b,0
Zuhaitza zuloa da,a,b,1
Bera lehoia da,c,d,0
Bera hiena da,c,d,1
Bihotza harria da,e,f,0
Bihotza kotoia da,e,f,1
"""
OF_SPANISH = """The hut is a palace.,It is good.,It is bad.,0
The hut is a hole.,It is good.,It is bad.,1
His father is an oak.,He is strong.,He is weak.,0
His father is a cat.,He is strong.,He is weak.,1
"""
OWN = """The sky is lead.,It is dull.,It is bright.,0
The sky is silver.,It is dull.,It is bright.,1
"""
OF_BASQUE = """The tree is a palace.,a,b,0
The tree is a pit.,a,b,1
He is a lion.,c,d,0
He is a hyena.,c,d,1
The heart is a stone.,e,f,0
The heart is a feather.,e,f,1
"""


def _samples(project: Project) -> tuple[dict[str, Any], ...]:
    return FURTHER["mabl-samples"].compute(project).rows


@pytest.fixture(scope="module")
def made(kept_rows: None) -> Project:
    return create_project(slug="figures", preset=STARTS["mabl"].preset(["es", "eu", "en"]), by=None)


@pytest.fixture
def project(made: Project, db: None) -> Project:
    return copy.deepcopy(made)


@pytest.fixture
def manager(client: Client, made: Project, db: None) -> Client:
    client.force_login(make_member(made, Role.MANAGER))
    return client


def page_of(client: Client, draft: ImportDraft) -> str:
    """The steps that show messages on the files."""
    url = reverse("import-draft", args=[draft.project.slug, draft.pk])
    return "".join(client.get(url, {"step": step}).content.decode() for step in ("format", "check"))


def originals(project: Project) -> dict[str, str]:
    """By English text, the first line of the text beside it."""
    english = Unit.objects.filter(project=project, language="en").select_related("segment")
    return {
        unit.text.split("\n")[0]: "; ".join(
            other.text.split("\n")[0] for other in unit.segment.units.exclude(language="en")
        )
        for unit in english
    }


class TestSeveralLanguages:
    def test_the_preview_shows_each_language_by_itself(self, project: Project, manager: Client) -> None:
        many = "".join(f"Zuhaitz {n} jauregia da,a,b,0\nZuhaitz {n} zuloa da,a,b,1\n" for n in range(30))
        draft = draft_of(project, {"es.csv": HEAD + SPANISH, "eu.csv": HEAD + many})
        preview = preview_draft(draft=draft)
        languages = [text["language"] for row in preview["rows"] for text in row["texts"]]
        assert (languages.count("es"), languages.count("eu"), preview["parallel"]) == (2, 10, [])
        page = page_of(manager, draft)
        assert "La choza es un palacio." in page
        assert "Zuhaitz 0 jauregia da" in page
        assert "go together" not in page
        assert "[]" not in page
        assert page.count("import-sample") == 2

    def test_beside_its_originals_it_is_said_to_come_later(self, project: Project, manager: Client) -> None:
        draft = draft_of(project, {"es.csv": HEAD + SPANISH, "translated_es.csv": HEAD + OF_SPANISH})
        assert draft.options["match"] == "id"
        assert "import this file on its own, after the originals" in page_of(manager, draft)


@pytest.fixture(scope="class")
def with_both(made: Project, kept_rows_of_class: None) -> Project:
    """Pairs in two languages, which are no translations of each other."""
    project = copy.deepcopy(made)
    load(project, {"es.csv": HEAD + SPANISH, "eu.csv": HEAD + BASQUE}, dataset="cats")
    return project


class TestTranslations:
    @pytest.fixture
    def both(self, with_both: Project, db: None) -> Project:
        return copy.deepcopy(with_both)

    def test_pairs_of_one_language_are_no_translations_of_those_of_another(self, both: Project) -> None:
        assert sorted(both.slots.values_list("uid", flat=True)) == [
            "cats:es:1", "cats:es:2", "cats:eu:1", "cats:eu:2", "cats:eu:3",
        ]  # fmt: skip
        again = load(both, {"es.csv": HEAD + SPANISH, "eu.csv": HEAD + BASQUE}, dataset="cats")
        assert again["counts"]["segments"] == {"new": 0, "known": 5}

    def test_one_with_as_many_pairs_as_a_dataset_is_tied_to_it(self, both: Project, manager: Client) -> None:
        spanish = draft_of(both, {"translated_es.csv": HEAD + OF_SPANISH}, publishable=True)
        assert (spanish.dataset, spanish.options["match"], spanish.options["originals"]) == ("cats", "order", "es")
        assert "Its texts are linked in order to those of the dataset cats" in page_of(manager, spanish)
        load(both, {"translated_es.csv": HEAD + OF_SPANISH})
        load(both, {"translated_eu.csv": HEAD + OF_BASQUE})
        assert originals(both) == {
            "The hut is a palace.": "La choza es un palacio.",
            "His father is an oak.": "Su padre es un roble.",
            "The tree is a palace.": "Zuhaitza jauregia da",
            "He is a lion.": "Bera lehoia da",
            "The heart is a stone.": "Bihotza harria da",
        }
        rows = {row["language"]: row["found"] for row in FURTHER["concepts"].compute(both).rows}
        assert rows == {"es": 4, "eu": 6}

    def test_translations_are_no_samples_of_their_language(self, both: Project) -> None:
        assert "translations" not in FURTHER["mabl-samples"].compute(both).columns
        # Of English itself, a translation that is tied to its pairs, and one that is tied to none.
        load(both, {"en.csv": HEAD + OWN}, dataset="dogs")
        load(both, {"translated_es.csv": HEAD + OF_SPANISH})
        load(both, {"translated_eu.csv": HEAD + OF_SPANISH}, dataset="dogs", options={"match": "id"})
        columns = ("language", "dataset", "pairs", "samples", "accepted", "rejected", "translations")
        report = FURTHER["mabl-samples"].compute(both)
        assert report.columns == columns
        assert [tuple(row[name] for name in columns) for row in report.rows] == [
            ("es", "cats", 2, 4, 2, 0, 0),
            ("eu", "cats", 3, 6, 3, 0, 0),
            ("en", "cats", 0, 0, 0, 0, 2),
            ("en", "dogs", 1, 2, 1, 0, 2),
            ("en", "all", 1, 2, 1, 0, 4),
        ]

    def test_what_is_tied_to_nothing_is_no_sentence_of_its_language_but_of_the_one_it_translates(
        self, both: Project
    ) -> None:
        load(both, {"en.csv": HEAD + OWN}, dataset="dogs")
        load(both, {"translated_eu.csv": HEAD + OF_SPANISH}, dataset="dogs", options={"match": "id"})
        rows = {row["language"]: (row["sentences"], row["found"]) for row in FURTHER["concepts"].compute(both).rows}
        # Two of the three Basque pairs have a translation, of which nobody knows which.
        assert rows == {"es": (4, 0), "eu": (6, 4), "en": (2, 2)}
        files = release_files(both, partial=True).files
        assert [len(files[f"concepts/{language}.tsv"].splitlines()) for language in ("eu", "en")] == [5, 3]

    def test_a_translation_of_a_rejected_pair_is_no_sentence(self, both: Project) -> None:
        load(both, {"translated_es.csv": HEAD + OF_SPANISH})
        hut = Unit.objects.get(project=both, language="es", segment__uid="cats:es:1")
        Gold.objects.filter(unit=hut).update(content={"verdict": "reject", "reason": "other"})
        rows = {row["language"]: row["sentences"] for row in FURTHER["concepts"].compute(both).rows}
        assert rows == {"es": 2, "eu": 6}

    def test_what_is_tied_to_another_language_is_a_translation_whatever_its_file_is_called(self, both: Project) -> None:
        load(both, {"english.csv": HEAD + OF_SPANISH}, dataset="cats", options={"match": "order", "originals": "es"})
        found = {(row["language"], row["samples"], row["translations"]) for row in _samples(both)}
        assert found == {("es", 4, 0), ("eu", 6, 0), ("en", 0, 2)}
        # A new revision stays what the earlier one was.
        hut = Unit.objects.get(project=both, language="es", segment__uid="cats:es:1")
        new_revision(both, hut, hut.tokens, hut.spaces, None)
        assert {(row["language"], row["samples"], row["translations"]) for row in _samples(both)} == found

    def test_one_of_another_length_is_said_to_be_tied_to_nothing(self, both: Project, manager: Client) -> None:
        draft = draft_of(both, {"translated_eu.csv": HEAD + OF_SPANISH})
        assert (draft.dataset, draft.options["match"]) == ("translated", "id")
        page = page_of(manager, draft)
        assert "will not be linked to any" in page
        assert "cats: 3" in page
        load(both, {"translated_eu.csv": HEAD + OF_SPANISH}, dataset="cats")
        load(both, {"translated_es.csv": HEAD + OF_BASQUE}, dataset="cats")
        assert set(originals(both).values()) == {""}

    def test_what_a_person_chose_stays(self, both: Project) -> None:
        draft = draft_of(both, {"translated_es.csv": HEAD + OF_SPANISH}, dataset="other")
        assert (draft.dataset, draft.options["match"]) == ("other", "id")
        change_draft(draft=draft, changes={"dataset": "cats"}, by=None)
        assert (draft.dataset, draft.options["match"]) == ("cats", "order")
        change_draft(draft=draft, changes={"options": {"match": "id"}}, by=None)
        assert (draft.dataset, draft.options["match"]) == ("cats", "id")

    def test_a_second_translation_is_not_called_a_changed_text(self, both: Project) -> None:
        load(both, {"translated_es.csv": HEAD + OF_SPANISH})
        other = OF_SPANISH.replace("The hut", "The shack")
        before = everything()
        with pytest.raises(ActionError, match=r"matched by order.*choose another dataset") as refused:
            load(both, {"translated_es.csv": HEAD + other})
        assert "revision" not in str(refused.value)
        assert everything() == before
