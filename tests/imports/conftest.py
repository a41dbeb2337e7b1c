"""What several tests of imports start from."""

from __future__ import annotations

import pytest

from annotator.models import Project
from tests.drafts import make_plain


@pytest.fixture
def project(db: None) -> Project:
    """A project of plain sentences in Spanish and Catalan."""
    return make_plain()
