"""Filters of the list of sentences, from its address, and the filters that a project offers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from urllib.parse import urlencode

from django.db.models import Exists, Q

from annotator.core.access import Access
from annotator.core.kind import kind_of
from annotator.core.permissions import Permission
from annotator.domain.labels.spans import Scheme
from annotator.domain.states import ItemState, Mode
from annotator.models import Annotation, Counter, Gold, Item, Layer, Project, Stage, Suggestion, SuggestionKind, User
from annotator.search.queries.find import LONGEST, MAX_DATASETS
from annotator.work.blind.queries.blind import answers_blind

YES, NO = "yes", "no"
LABELLED, UNLABELLED = "labelled", "unlabelled"
TABLE, CONTEXT = "table", "context"
LEFT, RIGHT = "left", "right"
# The filters as the page groups them.
GROUPS = {
    "labels": ("marked", "label", "attribute", "gold", "suggestion"),
    "work": ("stage", "state", "person", "disagreement", "doubt", "comment"),
    "text": ("language", "dataset", "role", "document"),
}
STATES = (ItemState.FREE, ItemState.TAKEN, ItemState.DONE, ItemState.DECIDED)


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters as texts, empty if unused. Invalid values count as empty."""

    q: str = ""
    language: str = ""
    dataset: str = ""
    role: str = ""
    document: str = ""
    marked: str = ""
    label: str = ""
    attribute: str = ""
    stage: str = ""
    state: str = ""
    person: str = ""
    doubt: str = ""
    comment: str = ""
    gold: str = ""
    disagreement: str = ""
    suggestion: str = ""
    view: str = ""
    sort: str = ""
    after: str = ""
    page: str = ""

    @classmethod
    def from_query(cls, given: Mapping[str, str]) -> Filters:
        """Those of an address."""
        values = {one.name: str(given.get(one.name, "")).strip()[:LONGEST] for one in fields(cls)}
        return cls(**values)

    @property
    def in_context(self) -> bool:
        return self.view == CONTEXT

    @property
    def whose(self) -> tuple[int, str]:
        """The person (id, 0: nobody) and the mode of their answers, "" for both modes: `person` is "7" or "7:blind"."""
        person, _colon, mode = self.person.partition(":")
        return number(person) or 0, mode

    @property
    def cursor(self) -> tuple[int, int]:
        """The place (position, unit) after which the list continues."""
        place, _dot, unit = self.after.partition(".")
        found = (number(place), number(unit))
        return (found[0] or 0, found[1] or 0) if None not in found else (-1, 0)

    @property
    def chosen(self) -> dict[str, str]:
        """The filters, without the words and the view."""
        shown = {"q", "view", "sort", "after", "page"}
        return {
            one.name: getattr(self, one.name) for one in fields(self) if one.name not in shown and self.has(one.name)
        }

    @property
    def chosen_in(self) -> dict[str, bool]:
        """By group, whether anything in it is filtered by: such a group is open."""
        return {group: any(map(self.has, names)) for group, names in GROUPS.items()}

    def has(self, name: str) -> bool:
        return bool(getattr(self, name))

    def available_to(self, reader: Reader) -> bool:
        """Whether the list is filtered by all of this before the reader: what they may not filter by is left out."""
        stages = {str(stage.pk) for stage in reader.stages if not stage.adjudicates}
        return (
            (reader.decides or not (self.person or self.disagreement))
            and (reader.sees_gold or not (self.gold or self.marked))
            and (not self.stage or self.stage in stages)
            and reader.layer is not None
        )

    def address(self, **changed: str) -> str:
        """The query of an address with these filters, some of them changed. It begins on the first page."""
        new = replace(self, **{"after": "", "page": "", **changed})
        return urlencode({one.name: getattr(new, one.name) for one in fields(new) if new.has(one.name)})


def number(text: str) -> int | None:
    """A whole number that a database can hold, as an address has it."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None


@dataclass(frozen=True, slots=True)
class Reader:
    """Who looks, and at what: their own answers, gold, or everybody's (`Sight`)."""

    access: Access
    layer: Layer | None
    decides: bool
    sees_gold: bool
    # The stages of the labels that they may filter by.
    stages: Sequence[Stage] = ()

    @property
    def is_told_names(self) -> bool:
        """Whether IDs that tell of answers are told (`shown_uids`): where they are blind themselves, they never are."""
        return self.access.may(Permission.ADJUDICATE)

    @property
    def user(self) -> User:
        return self.access.user

    @property
    def project(self) -> Project:
        return self.access.project


def reader_of(access: Access, stages: Sequence[Stage] | None = None) -> Reader:
    """`stages`: those of the project with their layers, where they are at hand.

    While somebody has blind work open, they see their own answers alone; annotators see gold beside them, and
    adjudicators what others answered. Where they are blind on a sentence itself, nothing else of it either."""
    blind = answers_blind(access.user, access.project)
    try:
        layer: Layer | None = access.project.label_layer
    except LookupError:
        layer = None
    decides = access.may(Permission.ADJUDICATE) and not blind
    return Reader(access, layer, decides=decides, sees_gold=not blind, stages=_stages(access, layer, decides, stages))


@dataclass(frozen=True, slots=True)
class Facets:
    """The filters that the project offers to this reader; empty if it does not have them. `people`: the value of the
    filter, the person, and the mode of their answers, which is offered for people who have worked blind."""

    languages: Sequence[str]
    datasets: Sequence[str]
    roles: Sequence[str]
    labels: Sequence[str]
    attributes: Sequence[tuple[str, str]]
    stages: Sequence[Stage]
    states: Sequence[str]
    people: Sequence[tuple[str, User, str]]
    doubt: bool
    comment: bool
    gold: bool
    disagreement: bool
    suggestions: Sequence[str]


def facets(reader: Reader) -> Facets:
    """Five statements, whatever the size of the project."""
    project, layer = reader.project, reader.layer
    datasets = project.imports.order_by().values_list("dataset", flat=True).distinct()
    scheme = layer.scheme if layer is not None else None
    stages = reader.stages
    there = _there(reader, stages)
    languages = list(project.languages)
    return Facets(
        languages=languages if len(languages) > 1 else (),
        datasets=sorted(datasets[:MAX_DATASETS]),
        roles=project.roles if len(project.roles) > 1 else (),
        labels=scheme.labels if scheme is not None else (),
        attributes=_attributes(scheme),
        stages=[stage for stage in stages if not stage.adjudicates],
        states=STATES,
        people=_people(reader) if reader.decides else [],
        doubt=there["doubt"],
        comment=there["comment"],
        gold=there["gold"],
        disagreement=there["disagreement"],
        suggestions=[kind for kind in SuggestionKind.values if there[kind]],
    )


def _people(reader: Reader) -> list[tuple[str, User, str]]:
    rows = reader.project.memberships.select_related("user").order_by("user__username")[:500]
    counters = Counter.objects.filter(stage__in=[stage.pk for stage in reader.stages])
    blind = set(counters.filter(Q(blind_open__gt=0) | Q(blind_done__gt=0)).values_list("user", flat=True))
    modes = {"": "", **{mode.value: f":{mode}" for mode in Mode}}
    return [
        (f"{one.user_id}{end}", one.user, mode)
        for one in rows
        for mode, end in modes.items()
        if not mode or one.user_id in blind
    ]


def _stages(access: Access, layer: Layer | None, decides: bool, stages: Sequence[Stage] | None) -> list[Stage]:
    """The stages of the labels: those of others' decisions only for who decides."""
    if layer is None:
        return []
    known = access.project.stages.filter(layer=layer).select_related("layer") if stages is None else stages
    rows = [stage for stage in known if stage.layer_id == layer.pk]
    return [stage for stage in rows if (decides if stage.adjudicates else access.may(kind_of(stage).needs))]


def remarked(reader: Reader, **which: object) -> Q:
    """Answers with a doubt or comment that the reader sees: everybody's, or their own. By an index of their own."""
    people = [reader.user.pk]
    if reader.decides:
        people = list(reader.project.memberships.values_list("user", flat=True)[:500])
    return Q(project=reader.project, layer=reader.layer, user__in=people, **which)


def _attributes(scheme: Scheme | None) -> list[tuple[str, str]]:
    """Attributes with values to choose from, each value on its own. No span has those that are asked of its source."""
    if scheme is None:
        return []
    asked = [(name, one) for name, one in scheme.attributes.items() if not one.translation]
    return [(name, value) for name, attribute in asked for value in attribute.values][:200]


def _there(reader: Reader, stages: Sequence[Stage]) -> dict[str, bool]:
    """Whether there is any of it at all. One statement, and one for the members."""
    project, layer = reader.project, reader.layer
    names = ("doubt", "comment", "gold", "disagreement", *SuggestionKind.values)
    if layer is None:
        return dict.fromkeys(names, False)
    marked = remarked(reader)
    judged = [stage.pk for stage in stages if stage.adjudicates]
    asked = {
        "doubt": Annotation.objects.filter(marked, Q(doubt=True) | Q(comment__gt=""), doubt=True),
        "comment": Annotation.objects.filter(marked, Q(doubt=True) | Q(comment__gt=""), comment__gt=""),
        "disagreement": Item.objects.filter(stage__in=judged, state=ItemState.FREE),
    }
    if reader.sees_gold:
        asked["gold"] = Gold.objects.filter(project=project, layer=layer)
    for kind in SuggestionKind.values if reader.decides else [SuggestionKind.PROPOSAL.value]:
        asked[kind] = Suggestion.objects.filter(project=project, layer=layer, kind=kind, is_current=True)
    # A prefix for each: `doubt` and others would not be columns of a project.
    found = Project.objects.filter(pk=project.pk).values(
        **{f"has_{name.replace('-', '_')}": Exists(rows) for name, rows in asked.items()}
    )
    there = found.get()
    return {name: bool(there.get(f"has_{name.replace('-', '_')}")) for name in names}
