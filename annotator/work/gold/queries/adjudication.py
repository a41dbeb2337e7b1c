"""What waits for an adjudicator: units whose finished answers differ, lowest agreement first, then doubtful ones.

The queue is stored: items of the stage that adjudicates (`work/gold/actions/adjudication.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Value

from annotator.core.access import Access
from annotator.core.kind import Kind, kind_of
from annotator.core.permissions import GRANTS, Permission, works_in
from annotator.domain.content import Content, ContentType, content_type
from annotator.domain.states import AnnotationState, ItemState
from annotator.domain.text.storable import whole_number
from annotator.models import Annotation, BlindMark, Gold, Item, Project, Stage, Suggestion, Unit, User
from annotator.work.answering.queries.own import anybodys, own_units
from annotator.work.answering.queries.suggestions import shown
from annotator.work.blind.queries.blind import blind_units
from annotator.work.derivation.queries.sources import SourceChange, shows_carried, source_changes

Json = dict[str, Any]
_Row = TypeVar("_Row", Item, Gold)

# How many waiting units are looked at, to say how many are left for somebody who is blind on some of them.
COUNTED = 2000
# How many items a queue can be filtered to.
MAX_ONLY = 100
# What an adjudicator can open: what waits, and what is decided.
OPENED = (ItemState.FREE, ItemState.DECIDED)


@dataclass(frozen=True, slots=True)
class Apart:
    """A difference between answers: `says` has what they say there, each once, with the answers that say it, by id."""

    key: str
    tokens: tuple[int, ...]
    says: Sequence[Json]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A unit that waits: its finished answers (with their users), what all of them share, where they differ, and what
    machines say; `source_changed`, what stands now on sources that changed since.

    `kind` is the slug of the kind of work whose part it is shown with (`Kind.adjudication`). `gold` is there where the
    unit was asked for and is decided already.
    """

    item: Item
    stage: Stage
    kind: str
    answers: Sequence[Annotation]
    shared: Content
    differences: Sequence[Apart]
    suggestion: Suggestion | None
    gold: Gold | None = None
    source_changed: Sequence[SourceChange] = ()

    @property
    def chosen(self) -> Json | None:
        """What gold that stands was chosen from, as a decision says it; None where it is not known any more."""
        choice = (self.gold.chosen if self.gold else None) or {}
        answers = {row.user_id: row.pk for row in self.answers}
        if "all" not in choice:
            return None
        return {
            "all": choice["all"] and answers.get(choice["all"]["user"]),
            "differences": [{"key": one["key"], "answer": answers.get(one["user"])} for one in choice["differences"]],
            "edited": choice["edited"],
        }

    @property
    def unit(self) -> Unit:
        return self.item.unit

    @property
    def agreement(self) -> float:
        """How far the answers agree, 0 to 1."""
        return self.item.uncertainty

    @property
    def why(self) -> str:
        """ "differs"; "doubt": all say the same, and all are in doubt; "agreed": all say the same, or nobody answered,
        and the item is open because somebody wants to look at what was decided."""
        if self.item.doubtful:
            return "doubt"
        key = content_type(self.stage.layer.content_type).key
        return "differs" if len({key(answer.content) for answer in self.answers}) > 1 else "agreed"


def queue(stage: Stage, user: User) -> QuerySet[Item]:
    """Everything that waits in the stage, in order. Left out: own work, where the project bars deciding on it."""
    rows = Item.objects.filter(stage=stage, state=ItemState.FREE).order_by("uncertainty", "reading", "pk")
    return _decidable(rows, stage.project, stage.layer_id, user)


def _decidable(rows: QuerySet[_Row], project: Project, layer: int | OuterRef, user: User) -> QuerySet[_Row]:
    """Without what the user answered, where the project bars deciding on it. Of items, or of gold."""
    if project.adjudicate_own:
        return rows
    own = Annotation.objects.filter(unit=OuterRef("unit"), layer=layer, user=user)
    return rows.filter(~Exists(own))


def waiting(stage: Stage, user: User, limit: int, only: Collection[int] = ()) -> list[Waiting]:
    """The first of the queue that is not hidden from the user, of the items `only` where some are named. A fixed number
    of queries, a few more where some are hidden."""
    rows = queue(stage, user).select_related("unit__segment")
    return _with_answers(stage, _visible(rows.filter(pk__in=only) if only else rows, stage, user, limit))


def waiting_ids(stage: Stage, user: User, which: Q, limit: int = MAX_ONLY) -> list[int]:
    """The ids of those items of the queue that are meant by `which` and not hidden from the user: at most `limit`."""
    rows = queue(stage, user).filter(which).select_related("unit__segment")
    return [item.pk for item in _visible(rows, stage, user, limit)]


def item_ids(text: str) -> list[int]:
    """The items in an address, separated by commas: at most `MAX_ONLY`. Values that are not numbers are ignored."""
    numbers = [whole_number(part) for part in text.split(",")]
    return [number for number in numbers if number is not None][:MAX_ONLY]


def opened(stage: Stage, user: User, item: int) -> Waiting | None:
    """The one of this id, whether it waits or is decided; None where the user may not decide on it."""
    rows = Item.objects.filter(stage=stage, pk=item, state__in=OPENED).select_related("unit__segment")
    items = _visible(_decidable(rows, stage.project, stage.layer_id, user), stage, user, 1)
    if not items:
        return None
    gold = Gold.objects.filter(unit=items[0].unit_id, layer=stage.layer_id).first()
    return replace(_with_answers(stage, items)[0], gold=gold)


def open_to(access: Access, units: Sequence[Unit]) -> list[Item]:
    """The items in adjudication of these units that the user may decide on, or has seen decided; with their stages.

    Empty for everybody who may not adjudicate: that answers differ says something of them.
    """
    if not access.may(Permission.ADJUDICATE):
        return []
    rows = Item.objects.filter(unit__in=units, stage__kind=Stage.ADJUDICATE, state__in=OPENED)
    rows = _decidable(rows, access.project, OuterRef("stage__layer"), access.user).select_related("stage__layer")
    hidden = hidden_units(access.project, access.user, units)
    return [
        row
        for row in rows.order_by("stage__position", "stage", "pk")
        if row.unit_id not in hidden and access.works_in(row.stage.language)
    ]


def openable_gold(access: Access, units: Sequence[Unit]) -> list[tuple[Stage, Unit]]:
    """The units on which gold came with files or by accepting what agrees, with the stage in which the user may open
    it (`work/gold/actions/open_gold.py`): nothing of them ever waited there. Four queries; none for whoever may not
    adjudicate.
    """
    if not access.may(Permission.ADJUDICATE):
        return []
    there = Item.objects.filter(
        unit=OuterRef("unit"), stage__kind=Stage.ADJUDICATE, stage__layer=OuterRef("layer"), state__in=OPENED
    )
    rows = _decidable(
        Gold.objects.filter(~Exists(there), unit__in=units), access.project, OuterRef("layer"), access.user
    )
    decided = list(rows.values_list("unit_id", "layer_id"))
    if not decided:
        return []
    by_id = {unit.pk: unit for unit in units}
    judged = access.project.stages.filter(kind=Stage.ADJUDICATE, layer__in={layer for _unit, layer in decided})
    hidden = hidden_units(access.project, access.user, units)
    return [
        (stage, by_id[unit])
        for stage in judged.select_related("layer").order_by("position", "pk")
        for unit, layer in sorted(decided)
        if stage.layer_id == layer and stage.language == by_id[unit].language and unit not in hidden
        if access.works_in(stage.language)
    ]


def _with_answers(stage: Stage, items: Sequence[Item]) -> list[Waiting]:
    if not items:
        return []
    units = [item.unit for item in items]
    kinds = answering_kinds(stage)
    answers: dict[int, list[Annotation]] = defaultdict(list)
    for row in (
        Annotation.objects.filter(unit__in=units, layer=stage.layer_id, state=AnnotationState.DONE)
        .select_related("user")
        .order_by("pk")
    ):
        answers[row.unit_id].append(row)
    suggests = list(dict.fromkeys(name for kind in kinds for name in kind.suggestions))
    suggestions = shown(stage.project, stage.layer, [unit.pk for unit in units], suggests)
    changes = source_changes(stage.layer, list(suggestions)) if any(map(shows_carried, kinds)) else {}
    kind = content_type(stage.layer.content_type)
    return [
        Waiting(
            item=item,
            stage=stage,
            kind=kinds[0].slug if kinds else stage.kind,
            answers=answers[item.unit_id],
            shared=kind.merge([row.content for row in answers[item.unit_id]]),
            differences=_apart(kind, item.unit, answers[item.unit_id]),
            suggestion=next(iter(suggestions.get(item.unit_id, ())), None),
            source_changed=changes.get(item.unit_id, ()),
        )
        for item in items
    ]


def _apart(kind: ContentType, unit: Unit, answers: Sequence[Annotation]) -> list[Apart]:
    """Where the answers differ; what is the same is told once."""
    contents = [row.content for row in answers]
    shared = kind.merge(contents)
    found = []
    for difference in kind.differences(contents, tokens=unit.tokens):
        says: dict[Any, Json] = {}
        for row in answers:
            part = kind.part(row.content, difference, shared=shared)
            same = kind.key(kind.joined(kind.empty(), [part]))
            says.setdefault(same, {"content": part, "answers": []})["answers"].append(row.pk)
        found.append(Apart(difference.key, difference.tokens, list(says.values())))
    return found


def adjudication_items(stage: Stage, user: User, found: Sequence[Waiting]) -> list[Json]:
    """What waits as the API sends it: `waiting`, and beside it the fields of the kind's part."""
    kinds = answering_kinds(stage)
    part = kinds[0].workspace.adjudication if kinds and found else None
    parts = part.fields(stage, [row.unit for row in found], user) if part is not None else {}
    return [{"waiting": row, **parts.get(row.unit.pk, {})} for row in found]


@dataclass(frozen=True, slots=True)
class Waits:
    """How many items wait in a stage for the user (`mine`), and how many for somebody else: the user labelled them
    `blind`, wrote them (`own`), or `answered` them in a project that bars deciding on that. Each is told once.

    `nobody`: none waits for the user, some for somebody else, and nobody else in the project can decide on any.
    """

    mine: int = 0
    blind: int = 0
    own: int = 0
    answered: int = 0
    nobody: bool = False

    @property
    def others(self) -> int:
        """How many wait for somebody else."""
        return self.blind + self.own + self.answered


def waits(stage: Stage, user: User) -> Waits:
    """For whom the items of a stage wait, and why. Where some are hidden, at most COUNTED are looked at."""
    found = _waits(stage, user)
    if found.mine or not found.others:
        return found
    return replace(found, nobody=not any(_waits(stage, other).mine for other in _other_judges(stage, user)))


def _waits(stage: Stage, user: User) -> Waits:
    rows = Item.objects.filter(stage=stage, state=ItemState.FREE).order_by("uncertainty", "reading", "pk")
    is_marked = BlindMark.objects.filter(project=stage.project_id, user=user, live=True).exists()
    if not is_marked and stage.layer.unit_kind in anybodys():
        mine = queue(stage, user).count()
        # Where nothing is barred, these are the same rows.
        return Waits(mine, answered=0 if stage.project.adjudicate_own else rows.count() - mine)
    units = [item.unit for item in rows.select_related("unit").only(*_TO_HIDE)[:COUNTED]]
    blind = set(blind_units(user, stage.project_id, units))
    own = own_units(user, units) - blind
    answered = set[int]()
    if not stage.project.adjudicate_own:
        theirs = Annotation.objects.filter(unit__in=units, layer=stage.layer_id, user=user)
        answered = set(theirs.values_list("unit_id", flat=True)) - blind - own
    others = len(blind) + len(own) + len(answered)
    return Waits(len(units) - others, len(blind), len(own), len(answered))


def _other_judges(stage: Stage, user: User) -> list[User]:
    """Everybody else who decides in the language of a stage."""
    roles = [role for role, granted in GRANTS.items() if Permission.ADJUDICATE in granted]
    members = stage.project.memberships.filter(role__in=roles, user__is_active=True).exclude(user=user)
    return [row.user for row in members.select_related("user") if works_in(row.languages, stage.language)]


# What `hidden_units` looks at.
_TO_HIDE = tuple(
    f"unit__{name}" for name in ("touches", "kind", "author", "project", "language", "tokens", "token_count")
)


def waits_of(stages: Sequence[Stage], user: User) -> dict[int, Waits]:
    """By stage of one project, as `waits` without `nobody`: in one query for all, unless some are hidden from the user.
    Stages come with their layer."""
    if not stages:
        return {}
    project = stages[0].project
    rows = Item.objects.filter(stage__in=stages, state=ItemState.FREE)
    own = Annotation.objects.filter(unit=OuterRef("unit"), layer=OuterRef("stage__layer"), user=user)
    answered = Count("pk", filter=Q(Exists(own))) if not project.adjudicate_own else Value(0)
    marks = BlindMark.objects.filter(project=project, user=user, live=True)
    counted = list(rows.order_by().values_list("stage").annotate(Count("pk"), answered=answered, blind=Exists(marks)))
    counts = {stage: Waits(count - barred, answered=barred) for stage, count, barred, _is_blind in counted}
    is_blind = any(is_blind for *_counts, is_blind in counted)
    return {
        stage.pk: _waits(stage, user)
        if stage.pk in counts and (is_blind or stage.layer.unit_kind not in anybodys())
        else counts.get(stage.pk, Waits())
        for stage in stages
    }


def answering_kinds(stage: Stage) -> list[Kind]:
    """The kinds of work whose answers the stage decides on, in the order of their stages; the first one shows them."""
    rows = stage.project.stages.filter(layer=stage.layer_id, language=stage.language).exclude(kind=Stage.ADJUDICATE)
    return list({row.kind: kind_of(row) for row in rows.order_by("position", "pk")}.values())


def hidden_units(project: Project | int, user: User, units: Sequence[Unit]) -> set[int]:
    """Those of the units on which the user may not decide: they are blind there, or wrote them. What others said of
    one's own text is none of one's business before it is decided."""
    return set(blind_units(user, project, units)) | own_units(user, units)


def _visible(rows: QuerySet[Item], stage: Stage, user: User, wanted: int) -> list[Item]:
    found: list[Item] = []
    begin, size = 0, wanted
    while len(found) < wanted:
        page = list(rows[begin : begin + size])
        if not page:
            break
        hidden = hidden_units(stage.project_id, user, [item.unit for item in page])
        found += [item for item in page if item.unit_id not in hidden]
        begin, size = begin + size, size * 4
    return found[:wanted]
