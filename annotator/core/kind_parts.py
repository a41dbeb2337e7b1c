"""The parts of a kind of work: its layer, its workspace, what follows from answers, its trial item, what managers
do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise
    from rest_framework.serializers import Serializer

    from annotator.domain.content import Content
    from annotator.domain.trials import Trial
    from annotator.models import Layer, Project, Stage, Unit, User
    from annotator.work.answering.queries.workspace import WorkspaceItem

Json = dict[str, Any]

# The text beside the tick for doubt.
DOUBT = gettext_lazy("I'm not sure about this sentence")

# The content as it may stand on the unit; the last argument says whether the answer is finished. Raises ContentError.
ContentCheck = Callable[["Unit", "Content", bool], "Content"]
# What a value of a dimension is called; the value itself where it has no name, as a project's own have.
ValueWords = Callable[[str, str], str]
ItemFields = Callable[[Sequence["WorkspaceItem"], "User"], Mapping[int, Json]]
UnitFields = Callable[["Stage", Sequence["Unit"], "User"], Mapping[int, Json]]
Fields = TypeVar("Fields")


@dataclass(frozen=True, kw_only=True)
class LayerSpec:
    """The layer that a new stage of a kind works on. It is created where the project does not have it yet."""

    slug: str
    content_type: str
    # What it is called on pages: what it holds, in small letters ("verdicts"); the slug where nobody says it.
    name: str | _StrPromise = ""
    # The scheme of a new layer, as the content type spells it.
    scheme: Mapping[str, Any] = field(default_factory=dict)
    # Slugs of layers whose content somebody who is blind in this one may still see.
    shows: Sequence[str] | Callable[[Project], Sequence[str]] = ()
    position: int = 0
    # Whether a project may have several, such as scales, each under a name that managers give.
    several: bool = False
    # The project's layer where it is not known by its slug, for a stage that is made from the stage if one is given.
    # None: there is none yet.
    find: Callable[[Project, Stage | None], Layer | None] | None = None
    # What contents need beside what the content type itself checks, which does not know what stands elsewhere. Asked
    # for each save and decision, of contents that the type let pass; not of what files bring.
    check: ContentCheck | None = None
    # What the values that agreement counts are called, in the reader's language: `value_words(dimension, value)`.
    value_words: ValueWords | None = None


@dataclass(frozen=True)
class Part(Generic[Fields]):
    """What a kind sends of each item beside the common part.

    `serializer`: the dotted path of a serializer with the fields that `fields` fills. It is imported when it is used:
    workers do without the API.
    """

    serializer: str
    fields: Fields

    def shape(self) -> type[Serializer[Any]]:
        """The serializer."""
        found: type[Serializer[Any]] = import_string(self.serializer)
        return found


def of_items(fields: UnitFields) -> ItemFields:
    """What `fields` gives by unit id, for items."""

    def by_assignment(items: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
        found = fields(items[0].stage, [row.unit for row in items], user)
        return {row.assignment.pk: found[row.unit.pk] for row in items}

    return by_assignment


def _no_page(stage: Stage) -> Json:
    return {}


@dataclass(frozen=True, kw_only=True)
class Workspace:
    """The page on which people answer, and what it is given."""

    template: str
    # The text beside the tick for doubt, with the kind's own word for what it is about.
    doubt: str | _StrPromise = DOUBT
    # By assignment id, what the workspace is given of each item. All are of one stage. Code that adds labels here asks
    # the blind rule: `WorkspaceItem.blind`, `work/blind/queries/blind.py`.
    item: Part[ItemFields] | None = None
    # By unit id, what an adjudicator is shown beside the answers. The user is blind on none of the units.
    adjudication: Part[UnitFields] | None = None
    # What the page's scripts are configured with; asked for adjudication pages of the layer, too.
    page: Callable[[Stage], Json] = _no_page
    # By unit id, how lists of what the user answered name units; as all lists do where nobody says it.
    own_texts: Callable[[Stage, Sequence[Unit], User], Mapping[int, str]] | None = None
    # The dotted path of a list of addresses in the API, below those of a project.
    routes: str = ""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What follows from answers.

    `on_change(stage, unit, by)`: does what follows from how the unit stands in the stage's layer; doing it again
    changes nothing. Called in the transaction in which an answer was finished or reopened in a stage of the kind, or
    gold in its layer was decided.

    `closes_on_answer`: whether what is answered has gone on, so that another answer comes too late.

    `is_locked(stage, units)`: those of the units (ids) on which finished answers stay as they are, since gold is
    decided on what all of them together became; changes are refused until it is reopened. Asked when somebody changes a
    finished answer, and of what a page is given. At most one query."""

    on_change: Callable[[Stage, Unit, User | None], None]
    closes_on_answer: bool = True
    is_locked: Callable[[Stage, Sequence[Unit]], Collection[int]] | None = None


@dataclass(frozen=True, kw_only=True)
class Votes(Outcome):
    """Gold is made of answers (`work/gold/actions/gold_of_answers.py`); a change of one of them removes it."""


@dataclass(frozen=True, kw_only=True)
class Verdicts(Votes):
    """Votes that judge the text as it reads. Agreement then counts answers to texts that were sent back and replaced,
    too: each revision is what its answers are about."""


@dataclass(frozen=True, kw_only=True)
class TrialSettings:
    """The part of the settings on which managers write their own trial item: its template, what its fields are filled
    with, and storing what was sent, which raises ActionError."""

    template: str
    initial: Callable[[Stage], Mapping[str, str]]
    save: Callable[[Stage, Mapping[str, str], User], None]


@dataclass(frozen=True, kw_only=True)
class TrialSpec:
    """An item that everybody has to solve before they are given work in a stage.

    `template`: the part of its page that shows it and asks for the answer. `item`: the item of a stage; None where
    there is none. `content`: what the form sent, as content that is not checked yet; raises ActionError."""

    template: str
    item: Callable[[Stage], Trial | None]
    content: Callable[[Mapping[str, str]], Content]
    settings: TrialSettings | None = None


@dataclass(frozen=True, kw_only=True)
class ManagerTask:
    """Something that a manager does on the stage's page, such as making units by rule.

    `due(stage)`: why it should be done now, as a sentence; empty where it need not. It reads counters and a few rows by
    index. `action`: what it is called on its button. `creates`: the kind of units that come of it.
    """

    due: Callable[[Stage], str]
    action: str | _StrPromise
    creates: str
