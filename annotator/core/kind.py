"""What a kind of work is, and which ones are installed.

A kind says which units a stage of it holds, which layer is worked on, what the workspace is given, and what follows
from answers. It is data, in the `spec` module of its package. The core knows kinds through `Kind` only;
docs/kinds.md says how to add one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.utils.module_loading import import_string

from annotator.core.installed import Brought, brought_names, cached
from annotator.core.intake import AllUnits, Derived, Forwarded, Intake, OnDemand, SharedUnits
from annotator.core.kind_parts import (
    ContentCheck,
    LayerSpec,
    ManagerTask,
    Outcome,
    TrialSpec,
    ValueWords,
    Verdicts,
    Votes,
    Workspace,
)
from annotator.core.permissions import Permission
from annotator.core.unit_kinds import unit_texts
from annotator.models import Layer

if TYPE_CHECKING:
    from django.urls import URLPattern
    from django.utils.functional import _StrPromise

    from annotator.domain.content import Content
    from annotator.domain.derivation import Rule
    from annotator.models import Project, Stage, Unit, User


@dataclass(frozen=True, kw_only=True)
class Kind:
    """How a layer is worked on. Parts that a kind does without are None."""

    # How stages name it.
    slug: str
    # Its name on pages; translated when it is made text.
    title: str | _StrPromise
    # What is answered: the slug of a kind of units (`annotator/core/unit_kinds.py`).
    unit: str
    layer: LayerSpec
    workspace: Workspace
    intake: Intake = field(default_factory=AllUnits)
    on_demand: OnDemand | None = None
    outcome: Outcome | None = None
    trial: TrialSpec | None = None
    manager_task: ManagerTask | None = None
    # Kinds of suggestions that are shown, the first that a unit has counts (`work/answering/queries/suggestions.py`).
    suggestions: tuple[str, ...] = ()
    # What a member must be permitted to work here.
    needs: Permission = Permission.ANNOTATE


KINDS: Mapping[str, Kind] = Brought("kinds")


def kinds() -> list[Kind]:
    """All installed kinds, in the order in which their packages bring them."""
    return list(KINDS.values())


def kind_named(slug: str) -> Kind:
    """The kind with this slug. Raises LookupError, in words, when it is not installed."""
    try:
        return KINDS[slug]
    except KeyError:
        raise LookupError(f'Unknown kind of work "{slug}". Installed: {", ".join(sorted(KINDS))}.') from None


def kind_of(stage: Stage) -> Kind:
    """The kind of a stage. Raises LookupError, in words, when it is not installed."""
    return kind_named(stage.kind)


def routes() -> list[URLPattern]:
    """The addresses in the API that kinds bring."""
    paths = dict.fromkeys(kind.workspace.routes for kind in kinds() if kind.workspace.routes)
    return [route for path in paths for route in import_string(path)]


def is_beside(stage: Stage, mode: str) -> bool:
    """Whether an answer in this mode comes beside those that the stage wants: blind, where others review suggestions.

    Where nothing is suggested, a blind answer is one like the others.
    """
    return mode != stage.mode and bool(kind_of(stage).suggestions)


def waits_for_previous_stage(stage: Stage) -> bool:
    """Whether units that were imported wait for the stage before, too."""
    intake = kind_of(stage).intake
    return isinstance(intake, Forwarded) and intake.wait


def rule_of(stage: Stage) -> Rule | SharedUnits | None:
    """The rule by which units of the stage follow from answers or labels."""
    intake = kind_of(stage).intake
    return intake.rule if isinstance(intake, Derived) else None


def derives_from_labels(kind: Kind) -> bool:
    """Whether units follow from labels as they stand, no matter who gave them."""
    return isinstance(kind.intake, Derived) and kind.intake.rule.reads_standing


def source_layer(stage: Stage) -> Layer | None:
    """The layer from whose answers or labels the stage's units follow; None where it has none such."""
    intake = kind_of(stage).intake
    return intake.source(stage) if isinstance(intake, Derived) else None


def already_answered(stage: Stage, units: Sequence[Unit]) -> Collection[int]:
    """Those of imported units (ids) on which the stage asks nobody, since the answers were imported as units."""
    intake = kind_of(stage).intake
    if not units or not isinstance(intake, Derived) or intake.already_answered is None:
        return ()
    return intake.already_answered(stage, units)


def empty_reason(stage: Stage) -> str:
    """Why a stage without items has none, and what to do, as a sentence; empty where there is nothing to say."""
    intake = kind_of(stage).intake
    return str(intake.empty_reason) if intake.why_empty is None else intake.why_empty(stage)


def available(stage: Stage, user: User) -> int:
    """How many units would be made for the user who asks for one."""
    on_demand = kind_of(stage).on_demand
    return on_demand.available(stage, user) if on_demand is not None else 0


def create_units(stage: Stage, user: User, count: int) -> bool:
    """Make up to `count` units that the user can claim, where fewer are free. Returns whether any were made."""
    on_demand = kind_of(stage).on_demand
    return on_demand is not None and on_demand.create(stage, user, count)


def quota(stage: Stage, user: User, count: int) -> int:
    """How many of `count` free items may be assigned to the user."""
    on_demand = kind_of(stage).on_demand
    return on_demand.quota(stage, user, count) if on_demand is not None else count


def is_open_ended(kind: Kind) -> bool:
    """Whether people work as long as they like: what is assigned and not used is not work that is left."""
    return kind.on_demand is not None and kind.on_demand.open_ended


def on_change(stage: Stage, unit: Unit, by: User | None) -> None:
    """Do what follows from how the unit stands in the stage."""
    outcome = kind_of(stage).outcome
    if outcome is not None:
        outcome.on_change(stage, unit, by)


def makes_gold(kind: Kind) -> bool:
    """Whether gold is made of answers."""
    return isinstance(kind.outcome, Votes)


def judges_texts(kind: Kind) -> bool:
    """Whether an answer judges the text as it reads."""
    return isinstance(kind.outcome, Verdicts)


def locked_units(stage: Stage, units: Sequence[Unit]) -> Collection[int]:
    """Those of the units (ids) on which finished answers stay as they are."""
    outcome = kind_of(stage).outcome
    return outcome.is_locked(stage, units) if outcome is not None and outcome.is_locked is not None else ()


def task_due(stage: Stage) -> str:
    """What a manager should do on the stage's page next, as a sentence; empty where there is nothing."""
    task = kind_of(stage).manager_task
    return task.due(stage) if task is not None else ""


def task_action(stage: Stage) -> str:
    """What `task_due` asks for, as a button says it."""
    task = kind_of(stage).manager_task
    return str(task.action) if task is not None else ""


def own_texts(stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, str]:
    """By unit id, how lists of what the user answered in the stage name it."""
    named = kind_of(stage).workspace.own_texts
    return unit_texts(units) if named is None else named(stage, units, user)


def layer_for(kind: Kind, project: Project, *, made_from: Stage | None = None) -> Layer:
    """The layer of a new stage of the kind. Creates it where the project does not have it yet."""
    found = kind.layer.find(project, made_from) if kind.layer.find is not None else None
    return found or further_layer(kind, project, kind.layer.slug)


def further_layer(kind: Kind, project: Project, slug: str) -> Layer:
    """The layer of this name, of the sort that the kind works on. Creates it where the project does not have it yet."""
    spec = kind.layer
    found, _created = Layer.objects.get_or_create(
        project=project,
        slug=slug,
        defaults={
            "content_type": spec.content_type,
            "unit_kind": kind.unit,
            "scheme_data": dict(spec.scheme),
            "shows": list(spec.shows(project) if callable(spec.shows) else spec.shows),
            "position": spec.position,
        },
    )
    return found


@cached
def _layer_names() -> Mapping[str, str | _StrPromise]:
    own = {kind.layer.slug: kind.layer.name for kind in kinds() if kind.layer.name}
    return {**own, **brought_names("layer_names")}


def names_a_layer(slug: str) -> bool:
    """Whether a kind calls a layer of its own so: no other one gets that name."""
    return slug in _layer_names()


def layer_title(slug: str) -> str:
    """What a layer is called in the reader's language; its slug where nobody says it."""
    return str(_layer_names().get(slug, slug))


@cached
def _by_content_type(part: str) -> Mapping[str, Any]:
    """A part of the layers' specifications, by the content type that it is about."""
    given = [(kind.layer.content_type, getattr(kind.layer, part)) for kind in kinds()]
    return {content_type: one for content_type, one in given if one is not None}


def fitted(content_type: str, unit: Unit, content: Content, *, done: bool) -> Content:
    """The content as it may stand on the unit. Raises ContentError."""
    check: ContentCheck | None = _by_content_type("check").get(content_type)
    return content if check is None else check(unit, content, done)


def value_title(content_type: str, dimension: str, value: str) -> str:
    """What a value is called in the reader's language; the value itself where nobody says it."""
    words: ValueWords | None = _by_content_type("value_words").get(content_type)
    return value if words is None else words(dimension, value)


@cached
def _dataset_names() -> Mapping[str, str | _StrPromise]:
    return brought_names("datasets")


def names_a_dataset(name: str) -> bool:
    """Whether units that no file brought are in a dataset of this name: no import gets it."""
    return name in _dataset_names()


def dataset_title(name: str) -> str:
    """What a dataset is called in the reader's language; its own name where files brought it."""
    return str(_dataset_names().get(name, name))
