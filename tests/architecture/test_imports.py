"""What the import contracts in pyproject.toml cannot see: what a running process has loaded, what they leave out."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from tests.architecture.sources import modules
from tests.corpora import REPOSITORY

MODELS = ("torch", "transformers", "simalign", "pycrfsuite", "sklearn")
# Lemmas and content words are worked out once, where sentences are imported; agreement is plain Python.
LANGUAGE_DATA = ("simplemma", "wordfreq", "numpy")


def loaded_by(code: str) -> set[str]:
    """Names of libraries for models and languages, and of Django, that a fresh interpreter has loaded after `code`."""
    names = (*MODELS, *LANGUAGE_DATA, "django", "celery")
    run = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*[n for n in {names!r} if n in sys.modules])"],
        capture_output=True,
        text=True,
        check=True,
        # Settings make the folder that they are told of; it must not be the one where people's data is.
        env={**os.environ, "DATA_DIR": str(settings.DATA_DIR)},
    )
    return set(run.stdout.split())


def test_the_web_process_loads_neither_models_nor_language_data() -> None:
    code = (
        "import os\nos.environ['DJANGO_SETTINGS_MODULE'] = 'annotator.settings'\n"
        "import annotator.wsgi\nfrom django.urls import get_resolver\nget_resolver().url_patterns"
    )
    assert loaded_by(code) & {*MODELS, *LANGUAGE_DATA} == set()


@pytest.mark.parametrize("module", ["annotator.formats.corpora.meta4xnli", "annotator.domain.projection.carry"])
def test_the_domain_loads_neither_django_nor_celery(module: str) -> None:
    assert loaded_by(f"import {module}") == set()


def test_engines_load_neither_django_nor_celery_nor_torch() -> None:
    assert loaded_by("import mlworkers.engines.registry") <= {"pycrfsuite", "numpy"}


@pytest.fixture(scope="module")
def linter() -> dict[str, Any]:
    """The settings of import-linter."""
    found: dict[str, Any] = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["tool"]["importlinter"]
    return found


def modules_in(folder: Path) -> set[str]:
    """The names of the modules and packages that lie in a folder."""
    packages = {path.parent.name for path in folder.glob("*/__init__.py")}
    return packages | {path.stem for path in folder.glob("*.py") if path.stem not in ("__init__", "manage")}


def test_every_package_of_the_program_is_under_contract(linter: dict[str, Any]) -> None:
    assert set(linter["root_packages"]) == modules_in(REPOSITORY) - {"bench", "tests"}


def test_every_part_of_the_program_but_commands_is_kept_from_models(linter: dict[str, Any]) -> None:
    (contract,) = [one for one in linter["contracts"] if one["name"].startswith("The web process")]
    named = {name.removeprefix("annotator.") for name in contract["source_modules"]}
    assert named == modules_in(REPOSITORY / "annotator") - {"management", "migrations"} | {"api"}


def test_every_part_of_the_engines_has_its_layer(linter: dict[str, Any]) -> None:
    """The contract cannot ask for that itself: parts of `evaluation` lie in two layers."""
    (contract,) = [one for one in linter["contracts"] if one["name"].startswith("Inside the engines")]
    named = {name.removeprefix("mlworkers.engines.") for layer in contract["layers"] for name in layer.split(" | ")}
    engines = REPOSITORY / "mlworkers" / "engines"
    inside = {f"evaluation.{name}" for name in modules_in(engines / "evaluation")}
    assert named == modules_in(engines) - {"evaluation"} | inside


def _named(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def test_no_module_of_the_domain_needs_itself_so_that_each_can_be_imported_first() -> None:
    trees = {_named(path): tree for path, tree in modules().items() if path.parts[:2] == ("annotator", "domain")}
    graph: dict[str, set[str]] = {}
    for module, tree in trees.items():
        wanted = {
            f"{node.module}.{alias.name}"
            for node in tree.body
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        # Of "a.b.c", "a" and "a.b" are imported, too; not those that the module is in itself.
        parts = [name.split(".") for name in wanted]
        needed = {".".join(part[:end]) for part in parts for end in range(1, len(part) + 1)}
        graph[module] = {name for name in needed & trees.keys() if not f"{module}.".startswith(f"{name}.")}
    list(TopologicalSorter(graph).static_order())
