"""Reads of the pages around the work: cards of projects, members, who can be compared with whom."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations

from django.db.models import Count, Exists, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotator.models import (
    Annotation,
    AnnotationState,
    Assignment,
    AssignmentState,
    Gold,
    Membership,
    PairTag,
    Project,
    Sentence,
    Stage,
    TagKind,
    User,
)
from annotator.queries.access import projects_for
from annotator.queries.stages import own_assignments, pairs_in


def _count(rows: QuerySet, field: str) -> Coalesce:
    """How many of `rows` hang on the outer row by `field`."""
    counted = rows.filter(**{field: OuterRef("pk")}).order_by().values(field).annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def project_cards(user: User) -> QuerySet[Project]:
    """The user's projects, each with `role`, `sentence_count`, `gold_count`, `own_open` and `own_done`."""
    own = Assignment.objects.filter(user=user)
    role = Membership.objects.filter(project=OuterRef("pk"), user=user).values("role")[:1]
    return projects_for(user).annotate(
        role=Subquery(role),
        sentence_count=_count(Sentence.objects.filter(is_current=True), "project"),
        gold_count=_count(Gold.objects.filter(sentence__is_current=True), "project"),
        own_open=_count(own.filter(state=AssignmentState.OPEN), "project"),
        own_done=_count(own.filter(state=AssignmentState.DONE), "project"),
    )


def member_rows(project: Project) -> QuerySet[Membership]:
    """The memberships by name, each with `done_sentences`, `tagged_pairs` and `open_items` of that person."""
    own = {"project": project}
    done = Annotation.objects.filter(**own, state=AnnotationState.DONE)
    tags = PairTag.objects.filter(**own, kind=TagKind.PERSON)
    unfinished = Assignment.objects.filter(**own, state=AssignmentState.OPEN)

    def of_user(rows: QuerySet, field: str) -> Coalesce:
        counted = (
            rows.filter(**{field: OuterRef("user_id")}).order_by().values(field).annotate(n=Count("pk")).values("n")
        )
        return Coalesce(Subquery(counted, output_field=IntegerField()), 0)

    return (
        project.memberships.select_related("user")
        .annotate(
            done_sentences=of_user(done, "annotator"),
            tagged_pairs=of_user(tags, "user"),
            open_items=of_user(unfinished, "user"),
        )
        .order_by("user__username")
    )


@dataclass(frozen=True)
class Overlap:
    """How many sentences (`tokens`) or pairs (`pairs`) two people have both done in a language."""

    a: User
    b: User
    layer: str
    language: str
    units: int


def overlaps(project: Project) -> list[Overlap]:
    """Every two people with work in common, most of it first."""
    done = Annotation.objects.filter(project=project, state=AnnotationState.DONE, sentence__is_current=True)
    tags = PairTag.objects.filter(project=project, kind=TagKind.PERSON)
    people: dict[tuple[str, str, int], list[int]] = defaultdict(list)
    for item, language, person in done.values_list("sentence_id", "sentence__language", "annotator_id"):
        people["tokens", language, item].append(person)
    for item, language, person in tags.values_list("pair_id", "language", "user_id"):
        people["pairs", language, item].append(person or 0)
    common: Counter[tuple[str, str, int, int]] = Counter()
    for (layer, language, _item), who in people.items():
        for a, b in combinations(sorted(who), 2):
            common[layer, language, a, b] += 1
    users = User.objects.in_bulk({key[position] for key in common for position in (2, 3)})
    found = [
        Overlap(a=users[a], b=users[b], layer=layer, language=language, units=units)
        for (layer, language, a, b), units in common.items()
    ]
    return sorted(found, key=lambda row: (-row.units, row.layer != "tokens", row.language, row.a.pk, row.b.pk))


def annotators(project: Project) -> QuerySet[User]:
    """Members, and those who left but whose work stays."""
    ids = set(project.memberships.values_list("user_id", flat=True))
    ids |= set(project.annotations.order_by().values_list("annotator_id", flat=True).distinct())
    ids |= set(project.pair_tags.filter(user__isnull=False).order_by().values_list("user_id", flat=True).distinct())
    return User.objects.filter(pk__in=ids).order_by("username")


def own_items(stage: Stage, user: User, *, state: str = "", doubt: bool = False) -> QuerySet[Assignment]:
    """The user's assignments of the stage in reading order, each with `doubt`, `comment` and `tag` of their own work.

    Those of pairs have `hypothesis_tokens`, to be recognised by.
    """
    own = Annotation.objects.filter(sentence=OuterRef("sentence_id"), annotator=user)
    tag = PairTag.objects.filter(
        pair=OuterRef("pair_id"), language=stage.language, kind=TagKind.PERSON, user=user
    ).values("tag")
    hypothesis = Sentence.objects.filter(
        segment=OuterRef("pair__hypothesis_id"), language=stage.language, is_current=True
    )
    rows = (
        own_assignments(stage, user)
        .select_related("sentence__segment", "pair__hypothesis", "pair__premise")
        .annotate(
            doubt=Exists(own.filter(doubt=True)),
            comment=Subquery(own.values("comment")[:1]),
            tag=Subquery(tag[:1]),
            hypothesis_tokens=Subquery(hypothesis.values("tokens")[:1]),
        )
    )
    if state in AssignmentState.values:
        rows = rows.filter(state=state)
    return rows.filter(doubt=True) if doubt else rows


@dataclass(frozen=True)
class GoldGap:
    """What of a language is without gold: the reason why a release would be partial."""

    language: str
    sentences: int
    pairs: int


def gold_gaps(project: Project) -> list[GoldGap]:
    """Per language, what lacks gold; languages that lack nothing are left out."""
    gaps = []
    for language in project.languages:
        current = project.sentences.filter(language=language, is_current=True)
        tagged = project.pair_tags.filter(language=language, kind=TagKind.GOLD)
        pairs = pairs_in(project.pairs.all(), language).exclude(pk__in=tagged.values("pair"))
        gap = GoldGap(language, sentences=current.filter(gold__isnull=True).count(), pairs=pairs.count())
        if gap.sentences or gap.pairs:
            gaps.append(gap)
    return gaps
