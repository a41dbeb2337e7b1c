"""What the event log says was done is a code of `annotator/domain/verbs.py`, wherever something is logged."""

from __future__ import annotations

import ast
from functools import cache
from typing import TypeGuard

from annotator.domain.verbs import Verb
from tests.architecture.sources import everything


@cache
def given_verbs() -> list[tuple[str, ast.expr]]:
    """Every value that our code hands over as `verb`, with where it stands."""
    return [
        (f"{path}:{node.lineno}", node.value)
        for path, tree in everything().items()
        # The column itself, and verbs of sentences.
        if not {"models", "silver"} & set(path.parts)
        for node in ast.walk(tree)
        if says_a_verb(node)
    ]


def says_a_verb(node: ast.AST) -> TypeGuard[ast.keyword | ast.Assign]:
    if isinstance(node, ast.Assign):
        return [ast.unparse(name) for name in node.targets] == ["verb"]
    return isinstance(node, ast.keyword) and node.arg == "verb"


def spelt_out(value: ast.expr) -> list[ast.expr]:
    """The values that an expression may have; none for a parameter that is passed on."""
    if isinstance(value, ast.IfExp):
        return spelt_out(value.body) + spelt_out(value.orelse)
    return [] if isinstance(value, ast.Name) and value.id == "verb" else [value]


def test_every_event_says_a_verb_that_the_domain_knows() -> None:
    known = {f"Verb.{verb.name}" for verb in Verb}
    others = [
        f"{place}: {ast.unparse(one)}"
        for place, value in given_verbs()
        for one in spelt_out(value)
        if ast.unparse(one) not in known
    ]
    assert not others, f"write a code of annotator/domain/verbs.py here: {others}"


def test_there_is_no_verb_that_nothing_says() -> None:
    said = {ast.unparse(one) for _place, value in given_verbs() for one in spelt_out(value)}
    assert not {f"Verb.{verb.name}" for verb in Verb} - said
