"""Which units a stage holds: one of the classes below says it for each kind of work."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    from annotator.domain.content import Content
    from annotator.domain.derivation import Rule
    from annotator.models import Layer, Stage, Unit, User


class Holds(StrEnum):
    """Which units of a stage's language and layer it holds."""

    ALL = "all"
    PROJECTED = "projected"  # those that a current projection reached
    UNPROJECTED = "unprojected"  # the others
    DERIVED = "derived"  # those alone that are derived from answers or labels
    # Those that the stage before let through (`work/derivation/actions/filling.py`), and imported ones.
    FORWARDED = "forwarded"


@dataclass(frozen=True, kw_only=True)
class Intake:
    """Which units a stage holds. Use one of the classes that follow."""

    # What has to be done before a stage has anything, as a sentence; said where it is empty.
    empty_reason: str | _StrPromise = ""
    # The same of one stage, where it depends on what the project has; "" where there is nothing to say. It reads
    # counters and a few rows by index.
    why_empty: Callable[[Stage], str] | None = None

    # Whether a stage can stand by itself; otherwise it is always made from another one.
    standalone: bool = True

    def holds(self, stage: Stage) -> Holds:
        """Which units the stage holds."""
        return Holds.ALL

    def accepts(self, layer: Layer) -> bool:
        """Whether a stage can be made from one that works on this layer."""
        return False


@dataclass(frozen=True, kw_only=True)
class AllUnits(Intake):
    """Every unit of the stage's language and of the layer's kind of units."""


@dataclass(frozen=True, kw_only=True)
class Unprojected(Intake):
    """Every unit; in a language that labels are projected onto, those of the main layer that no projection reached."""

    def holds(self, stage: Stage) -> Holds:
        project = stage.project
        is_main = stage.layer_id == project.label_layer.pk
        return Holds.UNPROJECTED if is_main and project.sources_of(stage.language) else Holds.ALL


@dataclass(frozen=True, kw_only=True)
class Projected(Intake):
    """The units that a current projection reached."""

    def holds(self, stage: Stage) -> Holds:
        return Holds.PROJECTED


@dataclass(frozen=True, slots=True)
class SharedUnits:
    """Units each of which follows from several others, as an expression does from all sentences that mark it.

    `reconcile(stage, labelled)`: brings the units in line; `labelled` are units of the stage's language, with their
    segment, and what stands on them in the layer of `Derived.source`. `after_import(stage, units)`: units of the stage
    were imported; what `reconcile` made before may be among them. In a transaction each, one call at a time; doing
    it again changes nothing. They read the rows of these units only.
    """

    reconcile: Callable[[Stage, Sequence[tuple[Unit, Content | None]]], None]
    after_import: Callable[[Stage, Sequence[Unit]], None]
    reads_standing = True


def _layer_before(stage: Stage) -> Layer | None:
    return stage.made_from.layer if stage.made_from is not None else None


def _no_layer(layer: Layer) -> bool:
    return False


@dataclass(frozen=True, kw_only=True)
class _FromLayers(Intake):
    """What stages have in common that can be made from others. `from_layer`: from those that work on which layers."""

    standalone: bool = False
    from_layer: Callable[[Layer], bool] = _no_layer

    def accepts(self, layer: Layer) -> bool:
        return self.from_layer(layer)


@dataclass(frozen=True, kw_only=True)
class Derived(_FromLayers):
    """Units that follow from answers or labels, by a rule (`annotator/domain/derivation.py`).

    They are brought in line in the transaction in which an answer was finished or reopened, or gold decided, after an
    import, and where a stage is added (`work/derivation/actions/changes.py`).
    """

    rule: Rule | SharedUnits
    # The layer that the rule reads; None where the stage has none.
    source: Callable[[Stage], Layer | None] = _layer_before
    # Whether units of the kind that are imported are held, too.
    imported: bool = True
    # Of imported units of one project, those (ids) on which the stage asks nobody, since the answers are units.
    # Asked where a stage is added to what is there, and of the units that a copy of their project is made from; what an
    # import brings, its reader says (`Text.settled`).
    already_answered: Callable[[Stage, Sequence[Unit]], Collection[int]] | None = None

    def holds(self, stage: Stage) -> Holds:
        return Holds.ALL if self.imported else Holds.DERIVED


@dataclass(frozen=True, kw_only=True)
class Forwarded(_FromLayers):
    """Units that the stage before lets through, and imported ones.

    `wait`: whether imported units wait for the stage before, too, unless nobody is asked about them there.
    """

    wait: bool = False

    def holds(self, stage: Stage) -> Holds:
        return Holds.FORWARDED if stage.made_from_id is not None else Holds.ALL


def _whole_quota(stage: Stage, user: User, count: int) -> int:
    return count


@dataclass(frozen=True, kw_only=True)
class OnDemand:
    """Units that are made when somebody asks for one and none is free, for work that begins from nothing.

    `create(stage, user, count)`: makes up to `count` units that the user can claim. What it makes has entered the stage
    (`work/queue/actions/items.py: enter`). Returns whether it made any. Called in the transaction of a claim, once for
    a person at a time.

    `available(stage, user)`: how many units `create` would make for the user; at least 1 where there is no limit.

    `quota(stage, user, count)`: how many of `count` free items may be assigned to the user: all, unless so much is
    asked of each person.

    `open_ended`: whether people work as long as they like: what is assigned and not used is not work that is left.
    """

    create: Callable[[Stage, User, int], bool]
    available: Callable[[Stage, User], int]
    quota: Callable[[Stage, User, int], int] = _whole_quota
    open_ended: bool = False
