"""What the workspaces of ratings and of best–worst scaling are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotator.core.kind_parts import Json
from annotator.kinds.rating.expressions import tokens_of, with_brackets, words_of
from annotator.kinds.rating.texts import best_worst_scale, messages, messages_of_expressions, rating_scale
from annotator.kinds.rating.tuples import parts_of
from annotator.models import Stage, Unit, User


def rate_page(stage: Stage) -> Json:
    """What the scripts of ratings are configured with."""
    return {"scale": rating_scale(stage.layer.scheme_data), "messages": messages()}


def compare_page(stage: Stage) -> Json:
    """What the scripts of best–worst scaling are configured with."""
    return {"scale": best_worst_scale(stage.layer.scheme_data), "messages": messages()}


def compare_marked_page(stage: Stage) -> Json:
    """The same where expressions are compared."""
    return {**compare_page(stage), "messages": messages() | messages_of_expressions()}


def marked_fields(stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
    """By unit id, what is marked."""
    return {unit.pk: _marked(unit) for unit in units}


def tuple_fields(stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
    """By unit id, the four expressions."""
    return {
        pk: {"parts": [{"tokens": part.tokens, "spaces": part.spaces, **_marked(part)} for part in parts]}
        for pk, parts in parts_of(units).items()
    }


def expression_texts(units: Sequence[Unit]) -> Mapping[int, str]:
    """By unit id, how lists name marked expressions."""
    return {unit.pk: with_brackets(unit) for unit in units}


def tuple_texts(units: Sequence[Unit]) -> Mapping[int, str]:
    """By unit id, how lists name tuples of sentences."""
    return {unit.pk: _in_a_line(unit) for unit in units}


def marked_tuple_texts(units: Sequence[Unit]) -> Mapping[int, str]:
    """By unit id, how lists name tuples of marked expressions."""
    found = parts_of(units)
    marked = {pk: " / ".join(map(with_brackets, parts)) for pk, parts in found.items()}
    return {unit.pk: marked[unit.pk] or _in_a_line(unit) for unit in units}


def _marked(unit: Unit) -> Json:
    return {"marked": tokens_of(unit), "expression": words_of(unit, between=" … ")}


def _in_a_line(unit: Unit) -> str:
    return unit.text.replace("\n", " / ")
