from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import cache
from django.utils import translation
from pytest_django.fixtures import Settings

from annotator.models import Project
from tests.factories import make_project


@pytest.fixture(autouse=True)
def own_folders(settings: Settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture(autouse=True)
def no_failed_sign_ins() -> None:
    cache.clear()


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """A page in Spanish leaves its language to whatever runs next in the thread."""
    yield
    translation.deactivate()


@pytest.fixture
def project(db: None) -> Project:
    """A project of sentences in Spanish and English, `letters`."""
    return make_project("letters")
