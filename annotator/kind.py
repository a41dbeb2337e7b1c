"""The protocol of kinds of work, and which ones are installed.

A kind says which units a stage of it holds, which suggestion is shown, and what the workspace is given; its folder
in `annotator/kinds/` has its template and controller, too. The core calls kinds through this protocol only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from django.conf import settings

if TYPE_CHECKING:
    from annotator.models import Annotation, Assignment, Layer, Project, Stage, User
    from annotator.permissions import Permission

Json = dict[str, Any]


class Holds(StrEnum):
    """Which units of a stage's language and layer it holds."""

    ALL = "all"
    PROJECTED = "projected"  # those that a current projection reached
    UNPROJECTED = "unprojected"  # the others
    MADE = "made"  # those that the kind makes from the answers of another stage


@dataclass(frozen=True, slots=True)
class MadeUnit:
    """A unit that a kind makes from an answer; `key` tells several from one answer apart, for ever."""

    kind: str
    tokens: tuple[str, ...]
    spaces: tuple[str, ...] = ()
    key: str = ""


class Kind(Protocol):
    """How a layer is worked on."""

    @property
    def slug(self) -> str:
        """How stages name it."""

    @property
    def title(self) -> str:
        """Its name on pages; translated when it is made text."""

    @property
    def unit_kind(self) -> str:
        """What is answered: "sentence", "pair", or a kind of unit that this kind makes."""

    @property
    def template(self) -> str:
        """The page of its workspace; its controller is named there."""

    @property
    def suggests(self) -> tuple[str, ...]:
        """Kinds of suggestions that are shown, the first that a unit has counts (`queries/suggestions.py`)."""

    @property
    def needs(self) -> Permission:
        """What a member must be permitted to work here."""

    def holds(self, stage: Stage) -> Holds:
        """Which units the stage holds."""

    def layer(self, project: Project) -> Layer:
        """The layer of a new stage of this kind. Creates it where the project does not have it yet."""

    def items(self, assignments: Sequence[Assignment], user: User) -> Mapping[int, Json]:
        """By assignment, what the workspace is given beside the common part (`queries/workspace.py`)."""

    def adjudication(self, stage: Stage, units: Sequence[int], user: User) -> Mapping[int, Json]:
        """By unit, what an adjudicator is shown of it beside the answers."""

    def page(self, stage: Stage) -> Json:
        """What its page's scripts are configured with."""

    def made(self, stage: Stage, annotation: Annotation) -> Sequence[MadeUnit]:
        """The units that a finished answer of the stage `stage.made_from` becomes; empty where it holds others."""


_kinds: dict[str, Kind] = {}


def register(new: Kind) -> None:
    """Make a kind known under its slug."""
    _kinds[new.slug] = new


def load() -> None:
    """Import the packages of `settings.KINDS`; each registers its kind."""
    for name in settings.KINDS:
        import_module(name)


def kind_of(stage: Stage) -> Kind:
    """The kind of a stage. Raises LookupError, in words, when it is not installed."""
    return kind_named(stage.kind)


def kind_named(slug: str) -> Kind:
    """The kind with this slug. Raises LookupError, in words, when it is not installed."""
    try:
        return _kinds[slug]
    except KeyError:
        raise LookupError(f'No kind of work "{slug}" is installed; there are: {", ".join(sorted(_kinds))}.') from None


def kinds() -> list[Kind]:
    """All installed kinds, in the order in which they were registered."""
    return list(_kinds.values())
