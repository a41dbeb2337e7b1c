"""Text that may not be published: it stays out of what leaves the project, and that is said."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotator.core.errors import ActionError, ArchivedError
from annotator.imports.drafts.drafts import change_draft
from annotator.imports.queries.imports import published_by
from annotator.imports.terms import change_import_terms
from annotator.models import Project, Role, Segment, Unit
from annotator.projects.actions.project_settings import archive_project
from annotator.releases.queries.exports import release_files
from annotator.releases.queries.published_layout import published_layout
from annotator.revisions.revisions import revise_text
from annotator.work.gold.queries.left_out import MissingGoldError
from tests.drafts import draft_of, load, make_plain
from tests.factories import make_gold, make_member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]

OPEN: dict[str, str | bytes] = {"abierto.csv": "id,text:es\n1,El sol brilla .\n2,La luna sale .\n"}
CLOSED: dict[str, str | bytes] = {"cerrado.csv": "id,text:es\n1,El secreto arde .\n2,Nadie lo sabe .\n"}


@pytest.fixture
def project() -> Project:
    project = make_plain(languages=("es",))
    load(project, OPEN, licence="CC BY 4.0")
    load(project, CLOSED, publishable=False, licence="All rights reserved")
    for unit in Unit.objects.all():
        make_gold(unit)
    return project


def test_it_is_in_no_file_and_listed_as_left_out(project: Project) -> None:
    release = release_files(project, partial=False)

    assert not [path for path, content in release.files.items() if b"secreto" in content or b"sabe" in content]
    assert [(one["id"], one["reason"]) for one in release.left_out] == [
        ("cerrado:1", "text that may not be published in es"),
        ("cerrado:2", "text that may not be published in es"),
    ]
    assert len(release.files["sentences.jsonl"].splitlines()) == 2
    assert release.manifest["sources"] == [
        {"dataset": "abierto", "licence": "CC BY 4.0", "publishable": True, "files": ["abierto.csv"]},
        {"dataset": "cerrado", "licence": "All rights reserved", "publishable": False, "files": ["cerrado.csv"]},
    ]
    readme = release.files["README.md"].decode()
    assert "abierto: CC BY 4.0\n" in readme
    assert "All rights reserved; its text cannot be published" in readme


def test_it_is_no_missing_gold(project: Project) -> None:
    assert published_layout(project, {}, partial=False).left_out


def test_nothing_else_is_nothing_to_export(project: Project) -> None:
    project.imports.update(publishable=False)

    with pytest.raises(MissingGoldError, match="allow none of its texts to be published"):
        release_files(project, partial=True)


def test_labels_of_a_later_import_say_nothing_of_the_text(project: Project, client: Client) -> None:
    labelled: dict[str, str | bytes] = {"abierto.csv": "id,text:es,labels:es\n1,El sol brilla .,O O B-METAPHOR O\n"}
    load(project, labelled, labels_as="gold", publishable=False)
    assert project.imports.filter(dataset="abierto").count() == 2

    release = release_files(project, partial=False)
    client.force_login(make_member(project, Role.MANAGER))
    releases = client.get(reverse("releases", args=["corpus"])).content.decode()
    imports = client.get(reverse("import", args=["corpus"])).content.decode()

    assert b"brilla" in release.files["sentences.jsonl"]
    assert [(one["dataset"], one["publishable"]) for one in release.manifest["sources"]] == [
        ("abierto", True),
        ("cerrado", False),
    ]
    assert "abierto: CC BY 4.0\n" in release.files["README.md"].decode()
    assert "cerrado" in releases
    assert "abierto" not in releases
    assert imports.count("not publishable") == 1


def test_the_licence_of_a_dataset_is_known_the_second_time(project: Project) -> None:
    more = draft_of(project, {"more.csv": "id,text:es\n9,Llueve .\n"}, dataset="abierto")
    assert (more.licence, more.publishable) == ("CC BY 4.0", True)

    change_draft(draft=more, changes={"dataset": "cerrado"}, by=None)
    assert (more.licence, more.publishable) == ("All rights reserved", False)
    change_draft(draft=more, changes={"dataset": "otro"}, by=None)
    assert (more.licence, more.publishable) == ("", False)
    change_draft(draft=more, changes={"licence": "CC0"}, by=None)
    change_draft(draft=more, changes={"dataset": "abierto"}, by=None)
    assert more.licence == "CC0"


def test_gold_that_may_not_be_published_is_said_beside_what_is_undecided(project: Project) -> None:
    project.golds.filter(unit__segment__dataset="abierto").delete()

    with pytest.raises(
        MissingGoldError, match="2 sentences have gold, but their imports do not allow their texts to be published"
    ):
        release_files(project, partial=True)


def test_deciding_more_is_not_asked_for_where_nothing_may_be_published(project: Project) -> None:
    project.imports.update(publishable=False)
    aside = project.slots.get(uid="abierto:2")
    aside.set_aside_reason = "garbled"
    aside.save()

    with pytest.raises(MissingGoldError, match="allow none of its texts to be published"):
        release_files(project, partial=True)


def test_a_text_that_was_fixed_stays_out(project: Project) -> None:
    unit = Unit.objects.get(segment__uid="cerrado:1")
    revise_text(
        project=project, unit=unit.pk, text="El secreto quema .", by=make_member(project, Role.MANAGER), anybodys=True
    )
    fixed = Unit.objects.get(segment__uid="cerrado:1", is_current=True)
    make_gold(fixed)

    release = release_files(project, partial=True)

    assert not [path for path, content in release.files.items() if b"secreto" in content]


def test_pages_say_so(project: Project, client: Client) -> None:
    client.force_login(make_member(project, Role.MANAGER, "mara"))

    releases = client.get(reverse("releases", args=["corpus"])).content.decode()
    assert "cerrado (cerrado.csv) · All rights reserved" in releases
    assert "not publishable" in client.get(reverse("import", args=["corpus"])).content.decode()


def test_it_can_be_published_or_withheld_later_with_an_event(project: Project) -> None:
    mara = make_member(project, Role.MANAGER)
    closed = project.imports.get(dataset="cerrado")
    assert published_by(closed) == {"es": 2}

    change_import_terms(imported=closed, licence=" CC0 ", publishable=True, by=mara)

    assert len(release_files(project, partial=False).files["sentences.jsonl"].splitlines()) == 4
    event = project.events.get(verb="import.terms")
    assert (event.actor, event.before["publishable"], event.after["publishable"]) == (mara, False, True)
    assert (event.after["import"], event.after["licence"]) == (closed.pk, "CC0")

    change_import_terms(imported=project.imports.get(dataset="abierto"), publishable=False, by=mara)

    assert [one["id"] for one in release_files(project, partial=False).left_out] == ["abierto:1", "abierto:2"]
    assert project.events.filter(verb="import.terms").count() == 2


def test_saying_the_same_again_is_no_event(project: Project) -> None:
    imported = project.imports.get(dataset="abierto")

    change_import_terms(imported=imported, licence="CC BY 4.0", publishable=True, by=None)

    assert not project.events.filter(verb="import.terms").exists()


def test_the_original_language_is_said_later_and_released(project: Project) -> None:
    mara = make_member(project, Role.MANAGER)
    imported = project.imports.get(dataset="abierto")
    with pytest.raises(ActionError, match="does not have the language “fr”"):
        change_import_terms(imported=imported, original_language="fr", by=mara)
    assert not project.events.filter(verb="import.terms").exists()

    change_import_terms(imported=imported, original_language="es", by=mara)

    imported.refresh_from_db()
    assert (imported.original_language, imported.licence, imported.publishable) == ("es", "CC BY 4.0", True)
    event = project.events.get(verb="import.terms")
    assert (event.before["original_language"], event.after["original_language"]) == ("", "es")
    sources = {one["dataset"]: one for one in release_files(project, partial=True).manifest["sources"]}
    assert sources["abierto"]["original_language"] == "es"
    assert "original_language" not in sources["cerrado"]


def test_what_came_in_is_what_the_numbers_say(project: Project) -> None:
    mara = make_member(project, Role.MANAGER)
    # Another file has one of them again, and one more.
    load(project, {"abierto.csv": "id,text:es\n2,La luna sale .\n3,Llueve .\n"}, dataset="abierto")
    unit = Unit.objects.get(segment__uid="abierto:1")
    revise_text(project=project, unit=unit.pk, text="El sol quema .", by=mara, anybodys=True)

    assert [published_by(one) for one in project.imports.order_by("pk")] == [{"es": 2}, {"es": 2}, {"es": 1}]
    for one in project.imports.all():
        rows = Unit.objects.filter(imported=one, kind=Segment.SENTENCE)
        assert rows.values("segment", "language").distinct().count() == sum(published_by(one).values())


@pytest.mark.parametrize("address", ["import-terms", "api:import"])
def test_the_numbers_are_read_without_the_sentences(project: Project, client: Client, address: str) -> None:
    client.force_login(make_member(project, Role.MANAGER, "mara"))
    found = reverse(address, args=["corpus", project.imports.get(dataset="cerrado").pk])
    client.get(found)

    with CaptureQueriesContext(connection) as captured:
        answer = client.get(found)

    assert answer.status_code == 200
    assert b"2 sentences" in answer.content or answer.json()["sentences"] == {"es": 2}
    tables = ("annotator_unit", "annotator_segment")
    assert not [one["sql"] for one in captured if any(table in one["sql"] for table in tables)]


def test_nothing_changes_in_an_archived_project(project: Project) -> None:
    imported = project.imports.get(dataset="cerrado")
    archive_project(project=project, by=None)

    with pytest.raises(ArchivedError):
        change_import_terms(imported=imported, publishable=True, by=None)

    imported.refresh_from_db()
    assert not imported.publishable


def test_a_manager_says_so_on_a_page_that_tells_the_numbers(project: Project, client: Client) -> None:
    client.force_login(make_member(project, Role.MANAGER, "mara"))
    closed = project.imports.get(dataset="cerrado")
    address = reverse("import-terms", args=["corpus", closed.pk])

    page = client.get(address).content.decode()
    assert "If you tick it, future releases will contain them" in page
    assert "2 sentences" in page
    sent = {"licence": "CC0", "publishable": "on", "original_language": "es"}
    said = client.post(address, sent, follow=True).content.decode()
    assert "Releases can contain the text of cerrado from now on." in said

    closed.refresh_from_db()
    assert (closed.licence, closed.publishable, closed.original_language) == ("CC0", True, "es")
    assert "Spanish" in client.get(reverse("import-done", args=["corpus", closed.pk])).content.decode()
    assert client.post(address, {"original_language": "fr"}).status_code == 422
    assert client.post(address, {"licence": "x" * 201}).status_code == 422
    assert "are left out" not in client.get(reverse("releases", args=["corpus"])).content.decode()


def test_records_of_a_release_are_readable(project: Project) -> None:
    rows = release_files(project, partial=False).files["sentences.jsonl"].decode().splitlines()
    assert {json.loads(row)["uid"] for row in rows} == {"abierto:1", "abierto:2"}
