"""Reads of the pages around the work: cards of projects, members, who can be compared with whom.

Numbers come from the counters, a few rows a stage; no page counts a corpus.
"""

from __future__ import annotations

from collections import Counter as Counts
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Count, F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce, Greatest, Least

from annotator.domain.states import AnnotationState, AssignmentState
from annotator.kind import Holds, counted_units, kind_of
from annotator.models import (
    Annotation,
    Assignment,
    BlindMark,
    Counter,
    Gold,
    Layer,
    Membership,
    Mode,
    Project,
    Segment,
    Stage,
    Unit,
    User,
)
from annotator.queries.access import projects_for
from annotator.queries.agreement import public_name
from annotator.queries.blind import shown_uids
from annotator.queries.progress import held_ahead, held_in_advance

_DONE = F("own_done") + F("blind_done")
_OPEN = F("own_open") + F("blind_open")


@dataclass(frozen=True)
class ProjectCard:
    """A project of the user's: their role ("" for a site admin who is no member), its gold, their own work."""

    project: Project
    role: str
    sentence_count: int
    gold_count: int
    own_open: int
    own_done: int


def project_cards(user: User) -> list[ProjectCard]:
    """The user's projects by name. Six queries, however many."""
    projects = list(projects_for(user))
    roles = dict(Membership.objects.filter(user=user).values_list("project", "role"))
    own = {
        row["project"]: row
        for row in Counter.objects.filter(user=user, project__in=projects)
        .exclude(stage__kind=Stage.ADJUDICATE)
        .order_by()
        .values("project")
        .annotate(open=Coalesce(Sum(_OPEN), 0), done=Coalesce(Sum(_DONE), 0))
    }
    held = Assignment.objects.filter(held_in_advance(), user=user, project__in=projects).order_by().values("project")
    ahead = dict(held.annotate(n=Count("pk")).values_list("project", "n"))
    stages: dict[int, list[Stage]] = defaultdict(list)
    by_id = {project.pk: project for project in projects}
    for stage in Stage.objects.filter(project__in=projects).select_related("layer"):
        stage.project = by_id[stage.project_id]
        stages[stage.project_id].append(stage)
    sums = _sums(Counter.objects.filter(project__in=projects))
    cards = []
    for project in projects:
        reaches = _reaches(stages[project.pk], sums).values()
        sentences = [reach for reach in reaches if reach.released and reach.unit_kind == Segment.SENTENCE]
        mine = own.get(project.pk, {"open": 0, "done": 0})
        cards.append(
            ProjectCard(
                project=project,
                role=roles.get(project.pk, ""),
                sentence_count=sum(reach.units for reach in sentences),
                gold_count=sum(reach.decided for reach in sentences),
                own_open=mine["open"] - ahead.get(project.pk, 0),
                own_done=mine["done"],
            )
        )
    return cards


@dataclass(frozen=True)
class MemberRow:
    """A membership, and what the person did. `done`: a stage of each name and how many items they did in all stages of
    that name, in working order; `open`: what they have before them, without what a page merely holds in advance."""

    membership: Membership
    done: Sequence[tuple[Stage, int]]
    open: int


def member_rows(project: Project) -> list[MemberRow]:
    """The memberships by name, each with what the person did. Three queries, from the counters."""
    memberships = list(project.memberships.select_related("user").order_by("user__username"))
    counters = Counter.objects.filter(project=project, user__in=[one.user_id for one in memberships])
    rows = list(counters.select_related("stage__layer").order_by("stage__position", "stage"))
    held = held_ahead(list({row.stage_id: row.stage for row in rows}.values()))
    done: dict[int, dict[Sequence[object], tuple[Stage, int]]] = defaultdict(dict)
    open_: dict[int, int] = defaultdict(int)
    for row in rows:
        stage, person = row.stage, row.user_id or 0
        if number := row.own_done + row.blind_done:
            # The same work in several languages counts together.
            name = stage.title, stage.kind, stage.layer_id
            first, before = done[person].get(name, (stage, 0))
            done[person][name] = first, before + number
        if not stage.adjudicates:
            open_[person] += row.own_open + row.blind_open - held[row.stage_id].people.get(person, 0)
    return [MemberRow(one, list(done[one.user_id].values()), open_[one.user_id]) for one in memberships]


@dataclass(frozen=True)
class Overlap:
    """How many units two people have both done in a layer and language.

    `layer` is the name that the agreement's pages use: `tokens`, `pairs`, or a further layer's slug. `blind`: how many
    of the units both did without suggestions.
    """

    a: User
    b: User
    layer: str
    language: str
    units: int
    blind: int


def overlaps(project: Project) -> list[Overlap]:
    """Every two people with work in common: those with most blind work first, since only that is independent.

    Two people answer one unit where one of them was asked to do so blind, or where a stage wants several answers. Only
    those answers are read, so this costs what the overlap is, not what the project is.
    """
    stages = list(project.stages.exclude(kind=Stage.ADJUDICATE).select_related("layer"))
    for stage in stages:
        stage.project = project
    shared = BlindMark.objects.order_by().filter(project=project).values("assignment")
    if several := _several_answers(stages):
        # Not an OR, for which PostgreSQL would read everybody's work.
        shared = shared.union(Assignment.objects.order_by().filter(stage__in=several).values("pk"))
    rows = (
        Assignment.objects.filter(pk__in=shared, project=project, state=AssignmentState.DONE, unit__is_current=True)
        .filter(unit__annotations__layer=F("stage__layer"), unit__annotations__state=AnnotationState.DONE)
        .order_by()
        .values(
            "stage__layer",
            "unit__language",
            low=Least("user", "unit__annotations__user"),
            high=Greatest("user", "unit__annotations__user"),
        )
        .annotate(
            units=Count("unit", distinct=True),
            blind=Count("unit", distinct=True, filter=Q(mode=Mode.BLIND, unit__annotations__mode=Mode.BLIND)),
        )
        .values_list("stage__layer", "unit__language", "low", "high", "units", "blind")
    )
    # One's own annotation is among those of the unit.
    common = [row for row in rows if row[2] != row[3]]
    users = User.objects.in_bulk({person for row in common for person in row[2:4]})
    layers = {layer.pk: layer for layer in project.layers.all()}
    found = [
        Overlap(users[a], users[b], public_name(project, layers[layer]), language, units, blind)
        for layer, language, a, b, units, blind in common
    ]
    order = [public_name(project, layer) for layer in layers.values()]
    return sorted(
        found,
        key=lambda row: (-row.blind, -row.units, order.index(row.layer), row.language, row.a.pk, row.b.pk),
    )


def _several_answers(stages: Sequence[Stage]) -> list[Stage]:
    """Stages whose units get several answers: in the stage itself, or in another of the layer that holds them too."""
    held: dict[tuple[int, str, Holds], list[Stage]] = defaultdict(list)
    for stage in stages:
        holds = kind_of(stage).holds(stage)
        # What a projection reached and what none reached make up the whole.
        for part in (Holds.PROJECTED, Holds.UNPROJECTED) if holds == Holds.ALL else (holds,):
            held[stage.layer_id, stage.language, part].append(stage)
    crowded = {stage.pk for together in held.values() if len(together) > 1 for stage in together}
    return [stage for stage in stages if stage.answers_wanted > 1 or stage.pk in crowded]


def comparable(project: Project) -> bool:
    """Whether two people have finished something in one layer and language, so that they can be compared. One query,
    from the counters."""
    worked = Counter.objects.filter(Q(own_done__gt=0) | Q(blind_done__gt=0), project=project, user__isnull=False)
    people = worked.exclude(stage__kind=Stage.ADJUDICATE).order_by().values("stage__layer", "stage__language")
    return people.annotate(people=Count("user", distinct=True)).filter(people__gt=1).exists()


def annotators(project: Project) -> QuerySet[User]:
    """Members, and those who left but whose work stays."""
    worked = Counter.objects.filter(Q(own_done__gt=0) | Q(blind_done__gt=0), project=project, user__isnull=False)
    ids = set(project.memberships.values_list("user_id", flat=True))
    ids |= set(worked.values_list("user_id", flat=True))
    return User.objects.filter(pk__in=ids).order_by("username")


def own_items(stage: Stage, user: User, *, state: str = "", doubt: bool = False) -> QuerySet[Assignment]:
    """The user's assignments of the stage on texts that still stand, in reading order.

    `state`: only the open or the done ones. `own_rows` adds what a list shows of them.
    """
    kept = (AssignmentState.OPEN, AssignmentState.DONE)
    # Without the texts: thousands of rows are put in order, and a page shows a few.
    rows = Assignment.objects.filter(
        stage=stage, user=user, state__in=[state] if state in kept else kept, unit__is_current=True
    ).order_by("reading", "pk")
    return rows.filter(doubtful=True) if doubt else rows


@dataclass(frozen=True)
class OwnItem:
    """An assignment in the list of own items: how its unit is named, its id, or the name that stands for it, and the
    user's own answer, if there is one."""

    assignment: Assignment
    text: str
    uid: str
    annotation: Annotation | None

    @property
    def value(self) -> str:
        """What was chosen, in layers where one of several values is; else ""."""
        return (self.annotation.content.get("value") or "") if self.annotation else ""


def own_rows(stage: Stage, user: User, assignments: Iterable[Assignment]) -> list[OwnItem]:
    """What a page shows of assignments that `own_items` found, with their units, segments and pairs."""
    page = list(assignments)
    units = Unit.objects.select_related("segment__pair").in_bulk([row.unit_id for row in page])
    for row in page:
        row.unit = units[row.unit_id]
    own = {row.unit_id: row for row in Annotation.objects.filter(unit__in=units, layer=stage.layer_id, user=user)}
    texts = kind_of(stage).texts(list(units.values()))
    uids = shown_uids(user, stage.project, units.values())
    return [OwnItem(row, texts[row.unit_id], uids[row.unit_id], own.get(row.unit_id)) for row in page]


@dataclass(frozen=True)
class GoldGap:
    """What of a language is without gold: the reason why a release would be partial.

    `has_gold`: any of its sentences has some; without, nothing that is parallel to them can be released. `units`:
    by their kind, others that releases write files of, such as sentences with a marked word.
    """

    language: str
    sentences: int
    pairs: int
    has_gold: bool
    units: Mapping[str, int] = field(default_factory=dict)

    @property
    def named(self) -> list[str]:
        """The further units, in the reader's language."""
        return [counted_units(kind, number) for kind, number in self.units.items()]


# Says how many units are left out of a release for want of a decision: by language, and by "pair" or another kind.
Undecided = Callable[[Project], Mapping[tuple[str, str], int]]
UNDECIDED: dict[str, Undecided] = {}


def gold_gaps(project: Project) -> list[GoldGap]:
    """Per language, what lacks gold and so makes a release partial; languages that lack nothing are left out.

    From the counters. Gold itself is counted where nobody adjudicates in a layer, and of what kinds of work release.
    """
    stages = list(project.stages.select_related("layer"))
    for stage in stages:
        stage.project = project
    missing: Counts[tuple[str, str]] = Counts()
    decided: set[str] = set()
    judged = {(stage.layer_id, stage.language) for stage in stages if stage.adjudicates}
    for (layer, language), reach in _reaches(stages, _sums(Counter.objects.filter(project=project))).items():
        if reach.released:
            if reach.units and (layer, language) not in judged:
                gold = Gold.objects.filter(layer=layer, unit__language=language, unit__is_current=True)
                reach.decided = gold.count()
            missing[reach.unit_kind, language] = max(0, reach.units - reach.decided)
            if reach.unit_kind == Segment.SENTENCE and reach.decided:
                decided.add(language)
    units: dict[str, Counts[str]] = defaultdict(Counts)
    for undecided in UNDECIDED.values():
        for (language, kind), number in undecided(project).items():
            if kind == Segment.PAIR:
                missing[kind, language] += number
            else:
                units[language][kind] += number
    gaps = [
        GoldGap(
            language,
            sentences=missing[Segment.SENTENCE, language],
            pairs=missing[Segment.PAIR, language],
            has_gold=language in decided,
            units=dict(units[language]),
        )
        for language in project.languages
    ]
    return [gap for gap in gaps if gap.sentences or gap.pairs or gap.units]


@dataclass
class _Reach:
    """How many units a layer has in a language, and how many of them are decided.

    `released`: it is the layer that the published files are written from.
    """

    unit_kind: str
    released: bool
    units: int = 0
    decided: int = 0


def _sums(rows: QuerySet[Counter]) -> dict[int, tuple[int, int]]:
    """By stage, its total and what of it is done."""
    summed = rows.order_by().values_list("stage").annotate(Sum("total"), Sum("done"))
    return {stage: (total, done) for stage, total, done in summed}


def _reaches(stages: Sequence[Stage], sums: Mapping[int, tuple[int, int]]) -> dict[tuple[int, str], _Reach]:
    """By layer and language. The stages are all of one project, with their layers.

    A unit that is in two stages counts once: of stages that hold the same part of the units, the larger one counts.
    """
    parts: dict[tuple[int, str], dict[Holds, int]] = defaultdict(lambda: defaultdict(int))
    found: dict[tuple[int, str], _Reach] = {}
    # As `Project.label_layer` and `Project.tag_layer` have it, without asking for each project.
    layers = sorted({stage.layer for stage in stages}, key=lambda layer: (layer.position, layer.pk))
    main = next((layer for layer in layers if layer.content_type == Layer.SPANS), None)
    for stage in stages:
        if main is not None:
            # Which part of the units a stage holds hangs on it.
            stage.project.__dict__.setdefault("label_layer", main)
    released = {
        main.pk if main is not None else None,
        next((layer.pk for layer in layers if layer.unit_kind == Segment.PAIR), None),
    }
    for stage in stages:
        key = (stage.layer_id, stage.language)
        reach = found.setdefault(key, _Reach(stage.layer.unit_kind, stage.layer_id in released))
        total, done = sums.get(stage.pk, (0, 0))
        if stage.adjudicates:
            reach.decided += done
        else:
            holds = kind_of(stage).holds(stage)
            parts[key][holds] = max(parts[key][holds], total)
    for key, by_part in parts.items():
        found[key].units = max(
            by_part[Holds.ALL], by_part[Holds.PROJECTED] + by_part[Holds.UNPROJECTED], by_part[Holds.MADE]
        )
    return found
