"""The core knows no kind of work: none of its modules names one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.core.kind import kinds

ROOT = Path(__file__).resolve().parents[2]
# Content types and words of file formats may be called as a kind of work is; the sample is data for kinds that ship.
NOT_CORE = ("kinds", "protocols", "domain", "formats", "sample", "migrations")
# The same words for something else.
OTHER_MEANINGS = {
    "annotator/dashboard/views/job_words.py": {"categories"},  # what an import counts
    "annotator/imports/drafts/preview.py": {"categories"},
    "annotator/imports/forms/imports.py": {"categories", "correct"},  # and the id of a form
    "annotator/imports/forms/labels.py": {"categories"},
    "annotator/projects/actions/project_settings.py": {"categories"},  # what labels are about
    "annotator/projects/views/stages.py": {"categories"},  # a part of the page
}


def modules() -> Iterator[Path]:
    for root in ("annotator", "api", "mlworkers"):
        for path in sorted((ROOT / root).rglob("*.py")):
            if root != "annotator" or path.relative_to(ROOT / root).parts[0] not in NOT_CORE:
                yield path


def literals(path: Path) -> set[str]:
    """The texts in a module that are values."""
    found = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {node.value for node in found if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_no_literal_of_the_core_is_the_slug_of_a_kind() -> None:
    slugs = {kind.slug for kind in kinds()}
    named = {str(path.relative_to(ROOT)): literals(path) & slugs for path in modules()}
    found = {path: names for path, names in named.items() if names}
    assert found == OTHER_MEANINGS


@pytest.mark.parametrize("register", ["annotator.core", "annotator.reports", "annotator.releases", "annotator.formats"])
def test_what_packages_bring_is_not_registered(register: str) -> None:
    """It stands in their specification."""
    for path in (ROOT / register.replace(".", "/")).rglob("*.py"):
        defined = [node.name for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                   if isinstance(node, ast.FunctionDef)]  # fmt: skip
        assert not [name for name in defined if name.startswith("register")], path
