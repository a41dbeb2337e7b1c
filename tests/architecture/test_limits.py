"""How large folders, modules and functions may grow, and that what they import runs one way."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT, modules

MODULES_A_FOLDER, LINES_A_MODULE, LINES_A_FUNCTION = 20, 400, 60
# A noun or a command each.
LISTS = ("annotator/models", "annotator/management/commands")
# What is answered is decided on, and the other way round: its parts know each other.
WORK = "annotator.work"


def _name(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    """Everything that runs, inside of functions, too."""
    for child in ast.iter_child_nodes(node):
        if not _for_types(child):
            yield child
            yield from _executed(child)


@cache
def imports() -> dict[str, set[str]]:
    """By module, the other modules of the program that it imports, wherever it does."""
    trees = {_name(path): tree for path, tree in modules().items()}
    found: dict[str, set[str]] = {}
    for module, tree in trees.items():
        wanted: set[str] = set()
        for node in _executed(tree):
            if isinstance(node, ast.Import):
                wanted |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                inside = {f"{node.module}.{alias.name}" for alias in node.names}
                wanted |= inside & trees.keys() or {node.module}
        found[module] = (wanted & trees.keys()) - {module}
    return found


def between(part: Callable[[str], str]) -> dict[str, set[str]]:
    """The imports between folders. `part`: the folder that a module is counted to, "" for none."""
    found: dict[str, set[str]] = {}
    for module, wanted in imports().items():
        parts = {part(one) for one in wanted} - {"", part(module)}
        found.setdefault(part(module), set()).update(parts if part(module) else ())
    return found


def child_of(folder: str) -> Callable[[str], str]:
    """The folder directly in `folder` in which a module lies."""
    packages = {_name(path) for path in modules() if path.name == "__init__.py"}

    def part(module: str) -> str:
        child = ".".join(module.split(".")[: folder.count(".") + 2])
        return child if module.startswith(f"{folder}.") and child in packages else ""

    return part


def below_pages(module: str) -> str:
    """The capability of a module that is neither a page nor a form: pages show what other capabilities know."""
    return "" if {"views", "forms"} & set(module.split(".")) else child_of("annotator")(module)


def test_no_folder_has_more_modules_than_one_can_look_over() -> None:
    lying = Counter(path.parent for path in modules() if path.name != "__init__.py")
    many = {str(folder): number for folder, number in lying.items() if number > MODULES_A_FOLDER}
    assert many.keys() <= set(LISTS), many


def test_no_module_is_longer_than_one_reads_at_once() -> None:
    lines = {str(path): len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in modules()}
    assert {path: number for path, number in lines.items() if number > LINES_A_MODULE} == {}


def test_no_function_is_longer_than_a_screen() -> None:
    functions = [
        (f"{path}: {node.name}", (node.end_lineno or 0) - node.lineno + 1)
        for path, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    assert len(functions) > 5000
    assert [one for one in functions if one[1] > LINES_A_FUNCTION] == []


def test_no_module_needs_itself() -> None:
    list(TopologicalSorter(imports()).static_order())


@pytest.mark.parametrize("folder", ["annotator.core", "annotator.domain", "annotator.formats", "annotator.imports",
                                    "annotator.kinds", "mlworkers", "mlworkers.engines", "api.v1"])  # fmt: skip
def test_the_folders_in_a_folder_import_each_other_one_way(folder: str) -> None:
    list(TopologicalSorter(between(child_of(folder))).static_order())


def test_capabilities_import_each_other_one_way() -> None:
    graph = between(below_pages)
    assert graph["annotator.projects"] >= {"annotator.machines", WORK}
    list(TopologicalSorter(graph).static_order())
