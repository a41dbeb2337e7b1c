"""What an import brings that is no sentence is called what it is: in the preview, and on the licence's page."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.core.starts import STARTS
from annotator.imports.drafts.drafts import preview_draft
from annotator.imports.views.steps import STEPS
from annotator.models import Import, Project, Role
from annotator.projects.actions.projects import create_project
from tests.drafts import draft_of, load
from tests.factories import make_member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]

MABL = (
    "startphrase,ending1,ending2,labels,object,visual\n"
    "Her voice is silk,It is soft.,It is rough.,0,1,0\nHer voice is gravel,It is soft.,It is rough.,1,0,0\n"
)
IMPLI = "He spilt the beans.\tHe told it.\n"
MUNCH = {
    "for_generation.csv": "i0,idx,s0,novelty,sid,genre,human_ans\r\n"
    "0,7,She felt a <b>wave</b> of joy.,0.1,a-1,FICTION,surge rush\r\n",
}
CASES: dict[str, tuple[str, dict[str, str | bytes], str, str, list[str]]] = {
    "mabl": (
        "mabl",
        {"en.csv": MABL},
        "Import 1 pair in en",
        "1 pair",
        ["Figurative sentence 1: Her voice is silk", "Meaning of 2: It is rough.", "Categories of 1: object",
         "Categories of 2: none of these", "Validation: accepted"],
    ),
    "impli": (
        "impli",
        {"manual_ne.tsv": IMPLI},
        "Import 1 pair in en",
        "1 pair",
        ["First sentence: He spilt the beans.", "Second sentence: He told it.", "Label: Does not follow"],
    ),
    "dictionary": (
        "impli",
        {"idioms.tsv": "expression\tdefinition\nspill the beans\tto tell a secret\n"},
        "Import 1 expression in en",
        "1 expression",
        ["Expression: spill the beans", "Literal definition: to tell a secret"],
    ),
    "munch": (
        "substitution",
        dict(MUNCH),
        "Import 1 marked sentence and 1 list of answers in en",
        "1 marked sentence and 1 list of answers",
        ["Sentence: She felt a wave of joy.", "Highlighted word: wave", "Answers: surge, rush"],
    ),
}  # fmt: skip


def page(client: Client, name: str, *args: Any) -> str:
    return " ".join(client.get(reverse(name, args=args)).content.decode().split())


def steps(client: Client, slug: str, draft: int) -> str:
    """The pages of all steps of an import, one after the other."""
    url = reverse("import-draft", args=[slug, draft])
    return " ".join("".join(client.get(url, {"step": one}).content.decode() for one in STEPS).split())


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Any:
    start, files, button, brought, parts = CASES[request.param]
    project = create_project(slug="units", preset=STARTS[start].preset(["en"]), by=None)
    return project, files, button, brought, parts


@pytest.fixture
def manager(case: Any, client: Client) -> Client:
    client.force_login(make_member(case[0], Role.MANAGER))
    return client


def test_the_preview_says_what_each_row_becomes(case: Any, manager: Client) -> None:
    project, files, button, brought, parts = case
    draft = draft_of(project, files)
    preview = preview_draft(draft=draft)
    said = [f"{one['name']}: {one['text']}" for row in preview["rows"] for one in row["texts"][0]["parts"]]
    assert [one for one in parts if one not in said] == []
    shown = steps(manager, project.slug, draft.pk)
    assert f"{button} </button>" in shown
    assert f"{brought}," in shown
    assert "sample-token" not in shown, "it does not look like a sentence"
    assert all(f"<dt>{one.split(': ')[0]}</dt>" in shown for one in parts)


def test_the_page_of_the_licence_counts_units(case: Any, manager: Client) -> None:
    project, files, _button, brought, _parts = case
    load(project, files, dataset="own")
    imported = Import.objects.get(project=project)
    assert f"English (en): {brought}</li>" in page(manager, "import-terms", project.slug, imported.pk)


def test_pairs_that_came_in_before_units_were_counted_are_pairs(client: Client) -> None:
    project = create_project(slug="units", preset=STARTS["mabl"].preset(["en"]), by=None)
    client.force_login(make_member(project, Role.MANAGER))
    load(project, {"en.csv": MABL}, dataset="own")
    imported = Import.objects.get(project=project)
    imported.summary.pop("units")
    imported.save()
    assert "English (en): 1 pair</li>" in page(client, "import-terms", project.slug, imported.pk)


def test_sentences_stay_sentences(client: Client) -> None:
    project: Project = create_project(slug="units", preset=STARTS["labels"].preset(["en"]), by=None)
    client.force_login(make_member(project, Role.MANAGER))
    files: dict[str, str | bytes] = {"en.txt": "Time flies.\nTime crawls.\n"}
    draft = draft_of(project, files)
    shown = steps(client, project.slug, draft.pk)
    assert "Import 2 sentences in en" in shown
    assert "sample-token" in shown
    load(project, files, dataset="own")
    imported = Import.objects.get(project=project)
    assert "units" not in imported.summary
    assert "English (en): 2 sentences</li>" in page(client, "import-terms", project.slug, imported.pk)


NOTHING_IS_DONE = "Left out"
TO_BE_VALIDATED = "Left out: it will be validated here"
TO_BE_LABELLED = "Left out: it will be labelled here"
LABELLED = "Time\tO\nflies\tB-METAPHOR\n.\tO\n\n"


@pytest.mark.parametrize(
    ("start", "files", "said"),
    [
        ("mabl", {"en.csv": MABL}, TO_BE_VALIDATED),
        ("impli", {"manual_ne.tsv": IMPLI}, TO_BE_VALIDATED),
        ("impli", {"idioms.tsv": "expression\tdefinition\nspill the beans\tto tell a secret\n"}, TO_BE_LABELLED),
        ("substitution", MUNCH, TO_BE_LABELLED),
        ("labels", {"en.tsv": LABELLED}, TO_BE_LABELLED),
        # Nobody marks words where sentences are rated.
        ("rating", {"en.tsv": LABELLED}, NOTHING_IS_DONE),
    ],
)
def test_leaving_labels_out_says_what_is_done_here_with_what_comes_in(
    client: Client, start: str, files: dict[str, str | bytes], said: str
) -> None:
    project = create_project(slug="units", preset=STARTS[start].preset(["en"]), by=None)
    client.force_login(make_member(project, Role.MANAGER))
    draft = draft_of(project, files, labels_as="gold")
    shown = steps(client, project.slug, draft.pk)
    assert f'<option value="none">{said}</option>' in shown


@pytest.mark.parametrize(
    ("start", "named"),
    [
        ("mabl", "Formats for this project: MABL. Also:"),
        ("impli", "Formats for this project: IMPLI; Definitions of expressions. Also:"),
        ("substitution", "Formats for this project: MUNCH: a marked word with its paraphrases. Also:"),
        ("rating", ""),
        ("labels", ""),
    ],
)
def test_the_page_names_the_formats_that_the_project_was_made_for(
    client: Client, db: None, start: str, named: str
) -> None:
    project = create_project(slug="made", preset=STARTS[start].preset(["en"]), by=None)
    client.force_login(make_member(project, Role.MANAGER))
    page = client.get(reverse("import", args=["made"])).content.decode()
    assert ("Formats for this project" in page) == bool(named)
    assert named in page
