"""What a kind of work is, and which ones are installed.

A kind says which units a stage of it holds, which suggestion is shown, and what the workspace is given; its folder
in `annotator/kinds/` has its template and controller, too. The core calls kinds through `Kind` only; docs/kinds.md
says how to add one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.utils.translation import gettext_lazy, ngettext_lazy

from annotator.core.counts import grouped
from annotator.core.permissions import Permission

if TYPE_CHECKING:
    from django.urls import URLPattern
    from django.utils.functional import _StrPromise
    from rest_framework.serializers import Serializer

    from annotator.domain.content import Content
    from annotator.domain.trials import Trial
    from annotator.models import Annotation, Layer, Project, Stage, Unit, User
    from annotator.work.answering.queries.workspace import WorkspaceItem

Json = dict[str, Any]


class Holds(StrEnum):
    """Which units of a stage's language and layer it holds."""

    ALL = "all"
    PROJECTED = "projected"  # those that a current projection reached
    UNPROJECTED = "unprojected"  # the others
    MADE = "made"  # those that the kind makes from the answers of another stage
    # Those that the stage before let through (`work/derivation/actions/chains.py: pass_on`), and imported ones.
    PASSED = "passed"


@dataclass(frozen=True, slots=True)
class MadeUnit:
    """A unit that a kind makes from an answer; `key` tells several from one answer apart, for ever.

    A key has no colon: it is the end of the unit's uid.
    """

    kind: str
    tokens: tuple[str, ...]
    spaces: tuple[str, ...] = ()
    key: str = ""
    # Whether its lemmas are worked out and can be looked up, as those of imported sentences are.
    indexed: bool = False
    # How it came about, where one answer becomes units of several sorts.
    rule: str = ""


class Kind:
    """How a layer is worked on. A kind of work is a subclass that says what is its own; the rest has defaults."""

    # How stages name it.
    slug: str
    # Its name on pages; translated when it is made text.
    title: str | _StrPromise
    # What is answered: "sentence", "pair", or a kind of unit that this kind makes.
    unit_kind: str = "sentence"
    # What is said beside the tick for doubt, with the kind's own word for what it is about.
    doubt: str | _StrPromise = gettext_lazy("I am in doubt about this sentence")
    # The page of its workspace; its controller is named there.
    template: str
    # Kinds of suggestions that are shown, the first that a unit has counts (`work/answering/queries/suggestions.py`).
    suggests: tuple[str, ...] = ()
    # What a member must be permitted to work here.
    needs: Permission = Permission.ANNOTATE
    # Whether a stage of it can stand by itself; otherwise it is always made from another one.
    alone: bool = True
    # Whether people work as long as they like: what is handed out and not used is no work that is left.
    open_ended: bool = False
    # Whether `follow` does anything.
    follows: bool = False
    # With `follows`: whether what is answered has gone on, so that another answer comes too late.
    goes_on: bool = True
    # Whether `follow` makes gold of answers (`work/gold/actions/gold_of_answers.py`); whoever changes one of them
    # takes it back.
    decides: bool = False
    # Whether an answer judges the text as it reads. Agreement then counts answers to texts that were sent back and
    # replaced, too: each revision is what its answers are about.
    judges: bool = False
    # Whether `gather` does anything.
    gathers: bool = False
    # Whether units that came with files wait for the stage before, too, unless nobody is asked about them there.
    waits: bool = False
    # What has to be done before a stage of it has anything, as a sentence; said where it is empty.
    comes_first: str | _StrPromise = ""
    # What `due` asks for, as a button says it, and the kind of units that come of it.
    due_action: str | _StrPromise = ""
    due_makes = ""

    # Whether a project may have several layers of its sort, such as scales. Then these two are those of the first one.
    further_layers: bool = False
    layer_slug: str = ""
    content_type: str = ""

    def further_layer(self, project: Project, slug: str) -> Layer:
        """The layer of this name, of `content_type`. Creates it where the project does not have it yet."""
        raise NotImplementedError  # asked only where `further_layers` says so

    def layer(self, project: Project) -> Layer:
        """The layer of a new stage of this kind. Creates it where the project does not have it yet."""
        raise NotImplementedError  # each kind has its own

    def layer_after(self, project: Project, before: Stage) -> Layer:
        """The layer of a new stage that is made from `before`."""
        return self.layer(project)

    def takes(self, layer: Layer) -> bool:
        """Whether a stage of this kind can be made from one that works on `layer`."""
        return False

    def holds(self, stage: Stage) -> Holds:
        """Which units the stage holds."""
        return Holds.ALL

    def settled(self, stage: Stage, units: Sequence[Unit]) -> Collection[int]:
        """Those of the units (ids), all imported and of one project, on which the stage asks nobody, since the answers
        came in as units.

        Asked where a stage is added to what is there, and of the units that a copy of their project is made from; what
        an import brings, its reader says (`Text.settled`).
        """
        return ()

    def made(self, stage: Stage, annotation: Annotation) -> Sequence[MadeUnit]:
        """The units that a finished answer of the stage `stage.made_from` becomes; empty where it holds others."""
        return ()

    def offers(self, stage: Stage, user: User) -> int:
        """How many units `supply` would make for the user; at least 1 where there is no limit."""
        return 0

    def may_take(self, stage: Stage, user: User, count: int) -> int:
        """How many of `count` free items may be handed out to the user: all, unless so much is asked of each person."""
        return count

    def supply(self, stage: Stage, user: User, count: int) -> bool:
        """Make up to `count` units that `user` can claim, where fewer are free; for work that begins from nothing.

        Called in the transaction of a claim, once for a person at a time. What it makes has entered the stage
        (`work/queue/actions/items.py: enter`). Returns whether it made any.
        """
        return False

    def follow(self, stage: Stage, unit: Unit, by: User | None) -> None:
        """Do what follows from how the unit stands in the stage's layer; doing it again changes nothing.

        Called in the transaction in which an answer was finished or reopened in a stage of this kind, or gold in its
        layer was decided.
        """

    def gathers_from(self, stage: Stage) -> Layer | None:
        """The layer from whose labels, as they stand, `gather` makes units; None where the stage has none such."""
        return stage.made_from.layer if stage.made_from is not None else None

    def gather(self, stage: Stage, said: Sequence[tuple[Unit, Content | None]]) -> None:
        """Make the units of the stage that labels become as they stand, whoever gave them, where they are missing;
        doing it again changes nothing.

        `said`: units of the stage's language with what stands on them in the layer of `gathers_from`; they come with
        their segment. Those that came marked with files (`imported_marks`) are among them, whatever stands there.
        Called in the transaction in which an answer was finished or reopened, or gold decided, after an import, and
        where the stage was added (`work/derivation/actions/gathering.py`). It reads the rows of these units only.
        """

    def arrived(self, stage: Stage, units: Sequence[Unit]) -> None:
        """Do what follows from units of the stage that came with an import, where `gathers` says so: what `gather` made
        before may be among them. In a transaction; doing it again changes nothing."""

    def final(self, stage: Stage, units: Sequence[Unit]) -> Collection[int]:
        """Those of the units (ids) on which finished answers stay as they are, since gold is decided on what all of
        them together became; `work/answering/actions/policies.py` refuses changes until it is reopened.

        Asked when somebody changes a finished answer, and of what a page is given. At most one query.
        """
        return ()

    def lacks(self, stage: Stage) -> str:
        """Why a stage without items has none, and what to do, as a sentence; empty where there is nothing to say.

        Asked where a stage is empty: it reads counters and a few rows by index.
        """
        return str(self.comes_first)

    def due(self, stage: Stage) -> str:
        """What a manager should do on the stage's page next, as a sentence; empty where there is nothing.

        Asked by the dashboard: it reads counters and a few rows by index.
        """
        return ""

    def place(self, project: Project, units: Sequence[Unit]) -> None:
        """Bring `Item.unlabelled` of this kind's items in line, where its order depends on other units.

        Called in the transaction in which an item or suggestion of these units was made, or an answer or gold on them
        came to stand or no longer does (`work/queue/actions/order.py`). At most one statement for units of one
        language.
        """

    def texts(self, units: Sequence[Unit]) -> Mapping[int, str]:
        """By unit id, how lists name it."""
        return {unit.pk: unit.text for unit in units}

    def own_texts(self, stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, str]:
        """By unit id, how lists of what the user answered in the stage name it."""
        return self.texts(units)

    def items(self, shown: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
        """By assignment id, what the workspace is given beside the common part: the fields of `item_part`.

        All are of one stage. Whoever adds labels here asks the blind rule: `WorkspaceItem.blind`,
        `work/blind/queries/blind.py`.
        """
        return {}

    def item_part(self) -> type[Serializer[Any]] | None:
        """How `items` is sent: a serializer with the fields that it fills; None where there is nothing to add."""
        return None

    def adjudication(self, stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
        """By unit id, what an adjudicator is shown of it beside the answers: the fields of `adjudication_part`.

        The user is blind on none of them.
        """
        return {}

    def adjudication_part(self) -> type[Serializer[Any]] | None:
        """How `adjudication` is sent; None where there is nothing to add."""
        return None

    # The part of the trial item's page that shows it and asks for the answer, where the kind has trial items.
    trial_template: str = ""

    def trial(self, stage: Stage) -> Trial | None:
        """The item that everybody has to solve before they are given work in the stage; None where there is none."""
        return None

    def trial_content(self, sent: Mapping[str, str]) -> Content:
        """The content that the form of `trial_template` sent; not checked yet."""
        raise NotImplementedError  # asked only where there is a `trial_template`

    # The part of the settings on which managers write their own trial item; empty where they do not.
    trial_settings_template: str = ""

    def trial_settings(self, stage: Stage) -> Mapping[str, str]:
        """What the fields of `trial_settings_template` are filled with."""
        return {}

    def set_trial(self, stage: Stage, sent: Mapping[str, str], by: User) -> None:
        """Make what the form of `trial_settings_template` sent the stage's trial item. Raises ActionError."""
        raise NotImplementedError  # asked only where there is a template for it

    def page(self, stage: Stage) -> Json:
        """What its page's scripts are configured with."""
        return {}

    def routes(self) -> Sequence[URLPattern]:
        """Addresses of its own in the API, below those of a project."""
        return ()


_parts: dict[str, Sequence[str | _StrPromise]] = {}
_sentence_lines: dict[str, Mapping[int, int | None]] = {}


def register_parts(
    unit_kind: str, names: Sequence[str | _StrPromise], *, sentences: Mapping[int, int | None] | None = None
) -> None:
    """Say what the lines of such units' texts are, for units that are made of several parts.

    `sentences`: the lines (from 0) that are read by themselves, such as figurative sentences, each with the line that
    says what it means, or None. Without it, all of them are.
    """
    _parts[unit_kind] = names
    _sentence_lines[unit_kind] = dict.fromkeys(range(len(names))) if sentences is None else sentences


def parts_of(unit_kind: str) -> list[str]:
    """What the lines of such units' texts are, in the reader's language; empty where nobody said it."""
    return [str(name) for name in _parts.get(unit_kind, ())]


def sentence_lines(unit_kind: str) -> Mapping[int, int | None]:
    """The lines of such units' texts that are read by themselves, each with the line that says what it means, or None;
    empty for units that are no texts of several parts."""
    return _sentence_lines.get(unit_kind, {})


def kinds_with_parts() -> list[str]:
    """The kinds of units that are texts of several parts."""
    return list(_parts)


_unit_names: dict[str, str | _StrPromise] = {
    "sentence": ngettext_lazy("%(shown)s sentence", "%(shown)s sentences", "number"),
    "pair": ngettext_lazy("%(shown)s pair", "%(shown)s pairs", "number"),
}


def register_unit_names(names: Mapping[str, str | _StrPromise]) -> None:
    """Say what a number of units is called, by their kind; as `ngettext_lazy` with %(shown)s, counted by `number`."""
    _unit_names.update(names)


def counted_units(unit_kind: str, number: int) -> str:
    """So many units of a kind, in the reader's language."""
    name = _unit_names.get(unit_kind) or ngettext_lazy("%(shown)s unit", "%(shown)s units", "number")
    return str(name % {"number": number, "shown": grouped(number)})


_unit_titles: dict[str, str | _StrPromise] = {}


def register_unit_titles(titles: Mapping[str, str | _StrPromise]) -> None:
    """Say what one unit is called where it stands in a table, by kinds of units."""
    _unit_titles.update(titles)


def unit_title(unit_kind: str) -> str:
    """What a unit is called in the reader's language; its kind where nobody said it."""
    return str(_unit_titles.get(unit_kind, unit_kind))


_layer_names: dict[str, str | _StrPromise] = {}


def register_layer_names(names: Mapping[str, str | _StrPromise]) -> None:
    """Say what layers are called on pages, by their slugs: what they hold, in small letters ("verdicts")."""
    _layer_names.update(names)


def names_a_layer(slug: str) -> bool:
    """Whether a kind that ships calls a layer of its own so: no other one gets that name."""
    return slug in _layer_names


def layer_title(slug: str) -> str:
    """What a layer is called in the reader's language; its slug where nobody said it."""
    return str(_layer_names.get(slug, slug))


_dataset_names: dict[str, str | _StrPromise] = {}


def register_dataset_names(names: Mapping[str, str | _StrPromise]) -> None:
    """Say what datasets are called on pages that no file brought, by the name that is stored and exported."""
    _dataset_names.update(names)


def names_a_dataset(name: str) -> bool:
    """Whether units that no file brought are in a dataset of this name: no import gets it."""
    return name in _dataset_names


def dataset_title(name: str) -> str:
    """What a dataset is called in the reader's language; its own name where files brought it."""
    return str(_dataset_names.get(name, name))


Wrote = Callable[["User", Sequence["Unit"]], set[int]]

_writers: dict[str, Wrote] = {}


def register_writers(unit_kind: str, wrote: Wrote) -> None:
    """Say who wrote such units beside their author, where one text can have come from several people.

    `wrote(user, units)`: those of the units (ids) whose text the user gave, too. Asked for each claim and save.
    """
    _writers[unit_kind] = wrote


def also_wrote(unit_kind: str, user: User, units: Sequence[Unit]) -> set[int]:
    """Those of the units, all of this kind, that the user wrote without being their author."""
    wrote = _writers.get(unit_kind)
    return wrote(user, units) if wrote is not None else set()


Marks = Callable[["Unit"], Sequence[int]]

_markings: dict[str, Marks | None] = {}


def register_marking(unit_kind: str, *, marks: Marks | None = None) -> None:
    """Say that such units are a sentence with something marked in it, or several: who marked it wrote nothing, and may
    answer.

    `marks(unit)`: which tokens are marked, for kinds of units that come in with files; the unit comes with its segment.
    """
    _markings[unit_kind] = marks


def markings() -> frozenset[str]:
    """The kinds of units that are a sentence with something marked in it."""
    return frozenset(_markings)


def imported_markings() -> frozenset[str]:
    """Those of `markings` that come in with files: there, no label says what is marked."""
    return frozenset(unit_kind for unit_kind, marks in _markings.items() if marks is not None)


def imported_marks(unit: Unit) -> Sequence[int]:
    """The tokens that were marked in a unit when it came in with files; empty for any other. It comes with its
    segment."""
    marks = _markings.get(unit.kind)
    return marks(unit) if marks is not None and unit.imported_id is not None else ()


Fits = Callable[["Unit", "Content", bool], "Content"]

_checks: dict[str, Fits] = {}


def register_check(content_type: str, fits: Fits) -> None:
    """Say what contents of a type need beside what the type itself checks, which does not know what stands elsewhere.

    `fits(unit, content, done)`: the content in the spelling that the unit asks for. Raises ContentError. Asked for each
    save and decision, of contents that the type let pass; not of what files bring.
    """
    _checks[content_type] = fits


def fitted(content_type: str, unit: Unit, content: Content, *, done: bool) -> Content:
    """The content as it may stand on the unit. Raises ContentError."""
    fits = _checks.get(content_type)
    return content if fits is None else fits(unit, content, done)


@dataclass(frozen=True, slots=True)
class Reworded:
    """How a unit reads after a text that it was made from was fixed.

    `key` is what the uid ends in from now on, where its end names tokens that stand elsewhere now; "": as it was.
    """

    tokens: tuple[str, ...]
    spaces: tuple[str, ...]
    key: str = ""


@dataclass(frozen=True, slots=True)
class Closed:
    """A unit ends with the text that it was made from, and what was made from the unit in turn. `reason` is a code that
    events store."""

    reason: str


Wording = Callable[["Unit", "Unit", "Unit"], Reworded | Closed | None]

_wordings: dict[str, Wording] = {}


def register_wording(unit_kind: str, wording: Wording) -> None:
    """Say what becomes of such units when a text that they were made from is fixed.

    `wording(unit, before, after)` is asked for each of them, with both revisions of that text; the unit's parents are
    as they are now. Reworded: it gets a new revision, and answers are carried as on sentences. Closed: it is taken
    out of all stages. None: it stays as it is.
    """
    _wordings[unit_kind] = wording


def wordings() -> Mapping[str, Wording]:
    """By kind of unit, what becomes of it when a text that it was made from is fixed."""
    return _wordings


_bound: set[str] = set()


def register_bound(unit_kind: str) -> None:
    """Say that such units are nothing without the unit that they were made from: they are withdrawn with it, and gold
    on them keeps it. The kind of work that made them makes them again, or brings them back, once it is back."""
    _bound.add(unit_kind)


def bound_kinds() -> frozenset[str]:
    """The kinds of units that are withdrawn with what they were made from."""
    return frozenset(_bound)


_shuffled: set[str] = set()


def register_shuffled(unit_kind: str) -> None:
    """Say that the order in which such units are made, or lie in files, tells what others say of them: they are handed
    out in another one."""
    _shuffled.add(unit_kind)


def is_shuffled(unit_kind: str) -> bool:
    """Whether such units are handed out in an order that tells nothing of them."""
    return unit_kind in _shuffled


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


def is_beside(stage: Stage, mode: str) -> bool:
    """Whether an answer in this mode comes beside those that the stage wants: blind, where others review suggestions.

    Where nothing is suggested, a blind answer is one like the others.
    """
    return mode != stage.mode and bool(kind_of(stage).suggests)


def kinds() -> list[Kind]:
    """All installed kinds, in the order in which they were registered."""
    return list(_kinds.values())
