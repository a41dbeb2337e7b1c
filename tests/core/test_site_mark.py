"""The mark by which processes know that they see the same files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from annotator.core.files.site_mark import MARK, mark_storage, storage_trouble
from annotator.core.files.storage import site_files
from annotator.models import Event
from tests.storage import ObjectServer

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["folder", pytest.param("bucket", marks=pytest.mark.processes)])
def elsewhere(request: pytest.FixtureRequest, stored: Path, settings: Any, object_store: ObjectServer) -> Any:
    """What makes this process see another storage; each kind of storage once."""
    if request.param == "folder":
        return lambda: setattr(settings, "MEDIA_ROOT", stored.with_name("elsewhere"))
    request.getfixturevalue("bucket")
    other = object_store.with_bucket().settings(stored.parent / "copies")
    return lambda: setattr(settings, "STORAGES", {**settings.STORAGES, "default": other})


def test_whoever_starts_first_marks_the_storage_and_others_see_it(elsewhere: Any) -> None:
    assert storage_trouble() is None

    mark_storage()
    mark_storage()

    assert storage_trouble() is None
    assert site_files().exists(MARK)
    [event] = Event.objects.filter(verb="storage.marked")
    assert (event.subject_type, event.project) == ("site", None)


def test_another_storage_is_told_and_left_as_it_is(elsewhere: Any) -> None:
    mark_storage()
    elsewhere()

    mark_storage()

    trouble = storage_trouble() or ""
    assert site_files().place in trouble
    assert "STORAGE_URL" in trouble
    assert not site_files().exists(MARK)
    assert Client().get("/readyz/").json()["storage"] == trouble


def test_a_site_that_moved_claims_its_storage(elsewhere: Any) -> None:
    mark_storage()
    elsewhere()

    call_command("claim_storage")

    assert storage_trouble() is None
    assert Event.objects.filter(verb="storage.marked").count() == 2


def test_a_database_without_the_mark_takes_that_of_the_storage(stored: Path) -> None:
    site_files().here(MARK).write_text("of old")

    mark_storage()

    assert storage_trouble() is None
    assert (stored / MARK).read_text() == "of old"
