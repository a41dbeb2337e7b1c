"""What errors tell people is marked for the catalogues, so that none of it stays English in another language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.architecture.sources import modules

# What marks a text for the catalogues.
MARKS = {"_", "gettext", "gettext_noop", "ngettext", "pgettext", "npgettext"}
# Errors with a sentence for people, what readers report of files, and sentences with gaps; subclasses are found.
SAYING = {"UserError", "FormatError", "FormatWarning", "LabelError", "LabelsRefused", "Problem", "message", "Message"}
# Methods that make or report one of them.
REPORTING = {"error", "_error", "_warn", "_refuse", "_wrong"}
# Commands speak English, and so does what only they reach: measuring engines, and preparing the demo.
IN_ENGLISH = ("annotator/management/", "annotator/sample/demo.py", "mlworkers/experiments/")
# The class for what commands alone say.
ENGLISH_CLASSES = {"EvaluationError"}

# A word as opposed to a sign, a gap, an element's name, or a code such as UTF-8.
_WORD = re.compile(r"(?<![\w<%({/])[a-z]{2,}(?![\w>(/])")


@cache
def saying_names() -> set[str]:
    """The classes above with all that are derived from them."""
    found = set(SAYING)
    classes = [node for tree in modules().values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    while True:
        more = {node.name for node in classes if any(name_of(base) in found for base in node.bases)}
        if more <= found:
            return found - ENGLISH_CLASSES
        found |= more


def name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def unmarked(node: ast.AST) -> Iterator[str]:
    """The texts of an argument that nothing marks. Arguments of other functions are data: `quote(line)`."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str) and _WORD.search(node.value):
            yield node.value
    elif isinstance(node, ast.Call):
        if name_of(node.func) in {"join", "str", "format"}:
            for part in (node.func, *node.args):
                yield from unmarked(part)
    elif isinstance(node, ast.IfExp):
        yield from unmarked(node.body)
        yield from unmarked(node.orelse)
    elif isinstance(node, ast.JoinedStr):
        for part in node.values:
            if isinstance(part, ast.Constant):
                yield from unmarked(part)
    elif isinstance(node, ast.BinOp | ast.BoolOp):
        for side in ast.iter_child_nodes(node):
            yield from unmarked(side)


def unmarked_in(tree: ast.Module, saying: set[str]) -> Iterator[tuple[int, str]]:
    """Where a text of an error is not marked, and which."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = name_of(node.func)
        of_self = isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)
        if name in saying or (name in REPORTING and of_self and node.func.value.id in {"self", "check"}):
            for argument in node.args:
                for text in unmarked(argument):
                    yield node.lineno, text


def test_errors_for_people_are_marked_for_the_catalogues() -> None:
    saying = saying_names()
    found = [
        f"{path}:{line}: {text!r}"
        for path, tree in modules().items()
        if not path.as_posix().startswith(IN_ENGLISH)
        for line, text in unmarked_in(tree, saying)
    ]
    assert not found, "Say these with message(_(…)), or where a person acts with gettext:\n" + "\n".join(found)


def test_derived_errors_are_known() -> None:
    assert {"EngineError", "ActionError", "UploadError", "SpanError", "BioError", "ExportError"} <= saying_names()


@pytest.mark.parametrize(
    "code",
    [
        'raise EngineError("The model is missing.")',
        'raise EngineError(f"The model {name} is missing.")',
        'raise ActionError("The model " + name)',
        'raise ActionError("The model %s is missing." % name)',
        'raise FormatError(path, 1, message(_("a line")), "a longer one")',
        'raise FormatError(path, 1, message(_("a line")), "a longer one" if long else "none")',
        'raise errors.FormatError(path, 1, "a sentence")',
        'raise SpanError("two spans")',
        'text = message("a sentence without a mark")',
        'self._refuse(record, "one text", quote(value))',
        'raise EngineError(", ".join(names) or "none given")',
    ],
)
def test_unmarked_texts_are_found(code: str) -> None:
    found = list(unmarked_in(ast.parse(code), {*SAYING, "EngineError", "ActionError", "SpanError"}))
    assert len(found) >= 1


@pytest.mark.parametrize(
    "code",
    [
        'raise EngineError(message(_("The model is missing.")))',
        'raise ActionError(_("The model %(name)s is missing.") % {"name": name})',
        'raise FormatError(path, 1, "JSON", quote("some text"))',
        'raise FormatError(f"{folder}/{name}", 1, f"<{element}>", data["key of it"])',
        'message("%(place)s: %(problem)s", place=place, problem=problem)',
        'raise ValueError("a mistake of a programmer")',
    ],
)
def test_marked_texts_and_data_are_not(code: str) -> None:
    assert list(unmarked_in(ast.parse(code), {*SAYING, "EngineError", "ActionError", "SpanError"})) == []
