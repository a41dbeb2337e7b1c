"""From domain objects to answers: every answer goes through a serializer."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from rest_framework.response import Response
from rest_framework.serializers import Serializer

from annotator.core.kind import Kind, kind_named, kinds
from annotator.core.kind_parts import Part
from api.v1.shapes import AdjudicationAnswer, ItemAnswer

Json = dict[str, Any]


def send(shape: type[Serializer[Any]], value: Any) -> Response:
    """The answer 200 with `value` as `shape` shows it."""
    return Response(shown_as(shape, value))


def shown_as(shape: type[Serializer[Any]], value: Any) -> Json:
    """`value` as `shape` shows it."""
    data: Json = made(shape).to_representation(value)
    return data


def item_shape(kind: Kind) -> type[Serializer[Any]]:
    """The shape of an item in stages of this kind: the common part and the kind's."""
    return _joined(ItemAnswer, _shape(kind.workspace.item), f"{_name(kind)}Item")


def adjudication_shape(kind: Kind) -> type[Serializer[Any]]:
    """The shape of what an adjudicator is shown of answers of this kind."""
    return _joined(AdjudicationAnswer, _shape(kind.workspace.adjudication), f"{_name(kind)}Adjudication")


def items_shown(items: Iterable[Json]) -> list[Json]:
    """Items of `queries.workspace.workspace_items`, each in the shape of its kind."""
    return [shown_as(item_shape(kind_named(row["shown"].stage.kind)), row) for row in items]


def adjudications_shown(items: Iterable[Json]) -> list[Json]:
    """Items of `queries.adjudication.adjudication_items`, each in the shape of its kind."""
    return [shown_as(adjudication_shape(kind_named(row["waiting"].kind)), row) for row in items]


def item_shapes() -> dict[str, Serializer[Any] | type[Serializer[Any]]]:
    """By kind, for the schema."""
    return {kind.slug: item_shape(kind) for kind in kinds()}


def adjudication_shapes() -> dict[str, Serializer[Any] | type[Serializer[Any]]]:
    """By kind, for the schema."""
    return {kind.slug: adjudication_shape(kind) for kind in kinds()}


@cache
def made(shape: type[Serializer[Any]]) -> Serializer[Any]:
    """A serializer to show or to check values with, made once: it copies all its fields, which takes longer than
    showing a row. It keeps nothing of a value."""
    return shape()


@cache
def _joined(common: type[Serializer[Any]], part: type[Serializer[Any]] | None, name: str) -> type[Serializer[Any]]:
    return type(name, (common,) if part is None else (common, part), {"__doc__": common.__doc__})


def _shape(part: Part[Any] | None) -> type[Serializer[Any]] | None:
    return part.shape() if part is not None else None


def _name(kind: Kind) -> str:
    return "".join(word.title() for word in kind.slug.replace("_", "-").split("-"))
