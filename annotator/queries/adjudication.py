"""What waits for an adjudicator: items whose done annotations differ, lowest agreement first, then doubtful ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from django.db.models import Exists, OuterRef, Q

from annotator.domain.agreement import observed_agreement
from annotator.domain.spans import spans_from_json
from annotator.models import (
    Annotation,
    AnnotationState,
    Assignment,
    AssignmentState,
    Pair,
    PairTag,
    Prediction,
    Project,
    Projection,
    Sentence,
    TagKind,
    User,
)
from annotator.queries.blind import blind_on
from annotator.queries.decided import decided_pair, decided_sentence
from annotator.queries.workspace import contexts, pair_json, pair_sides, sentence_json

Json = dict[str, Any]


@dataclass(frozen=True)
class Waiting:
    """One item of the queue: a sentence or a pair (its id), how far its annotators agree, and why it waits."""

    kind: str
    pk: int
    agreement: float
    why: str  # "differs", or "doubt": one person's only, and flagged by them


def queue(project: Project, language: str, user: User) -> list[Waiting]:
    """Everything in the language that waits for a decision by `user`: sentences, then pairs.

    Left out: what somebody still works on, what gold is decided for, and what the user is blind on.
    """
    return [*_sentences(project, language, user), *_pairs(project, language, user)]


def adjudication_items(project: Project, waiting: Sequence[Waiting], language: str, user: User) -> list[Json]:
    """The `AdjudicationItem`s of (a part of) the queue, in its order."""
    sentences = _sentence_items(project, language, [item for item in waiting if item.kind == "sentence"])
    pairs = _pair_items(project, language, [item for item in waiting if item.kind == "pair"], user)
    return [sentences[item.pk] if item.kind == "sentence" else pairs[item.pk] for item in waiting]


def _sentences(project: Project, language: str, user: User) -> list[Waiting]:
    at_work = Assignment.objects.filter(sentence=OuterRef("sentence"), state=AssignmentState.OPEN)
    another = Annotation.objects.filter(sentence=OuterRef("sentence"), state=AnnotationState.DONE).exclude(
        pk=OuterRef("pk")
    )
    rows = (
        Annotation.objects.filter(
            ~decided_sentence("sentence_id"),
            ~Exists(at_work),
            ~blind_on(user, project, "sentence__segment_id"),
            Q(doubt=True) | Q(Exists(another)),
            project=project,
            sentence__language=language,
            sentence__is_current=True,
            state=AnnotationState.DONE,
        )
        .order_by("sentence__segment__position", "sentence", "pk")
        .values_list("sentence_id", "sentence__token_count", "spans", "doubt")
    )
    found: dict[int, list[tuple[int, list[Json], bool]]] = defaultdict(list)
    for sentence, length, spans, doubt in rows:
        found[sentence].append((length, spans, doubt))
    differing, doubtful = [], []
    for sentence, given in found.items():
        if len({_key(spans) for _, spans, _ in given}) > 1:
            length = given[0][0]
            shares = [
                observed_agreement(spans_from_json(one), spans_from_json(other), length)
                for (_, one, _), (_, other, _) in combinations(given, 2)
            ]
            differing.append(Waiting("sentence", sentence, sum(shares) / len(shares), "differs"))
        elif len(given) == 1 and given[0][2]:
            doubtful.append(Waiting("sentence", sentence, 1.0, "doubt"))
    # Sorting is stable: items that agree alike stay in reading order.
    return [*sorted(differing, key=lambda item: item.agreement), *doubtful]


def _pairs(project: Project, language: str, user: User) -> list[Waiting]:
    at_work = Assignment.objects.filter(pair=OuterRef("pair"), stage__language=language, state=AssignmentState.OPEN)
    rows = (
        PairTag.objects.filter(
            ~decided_pair(language, "pair_id"),
            ~Exists(at_work),
            ~blind_on(user, project, "pair__premise_id", "pair__hypothesis_id"),
            project=project,
            language=language,
            kind=TagKind.PERSON,
        )
        .order_by("pair__position", "pair", "pk")
        .values_list("pair_id", "tag")
    )
    tags: dict[int, list[str]] = defaultdict(list)
    for pair, tag in rows:
        tags[pair].append(tag)
    differing = []
    for pair, given in tags.items():
        if len(set(given)) > 1:
            couples = list(combinations(given, 2))
            share = sum(one == other for one, other in couples) / len(couples)
            differing.append(Waiting("pair", pair, share, "differs"))
    return sorted(differing, key=lambda item: item.agreement)


def _sentence_items(project: Project, language: str, waiting: list[Waiting]) -> dict[int, Json]:
    ids = [item.pk for item in waiting]
    sentences = Sentence.objects.filter(project=project, pk__in=ids).select_related("segment").in_bulk()
    around = contexts(project, language, [row.segment for row in sentences.values()]) if sentences else {}
    annotations: dict[int, list[Json]] = defaultdict(list)
    for row in (
        Annotation.objects.filter(sentence__in=ids, state=AnnotationState.DONE)
        .select_related("annotator")
        .order_by("pk")
    ):
        annotations[row.sentence_id].append(
            {
                "annotator": str(row.annotator),
                "mode": row.mode,
                "spans": row.spans,
                "doubt": row.doubt,
                "comment": row.comment,
            }
        )
    suggestions = _suggestions(ids)
    return {
        item.pk: {
            "kind": "sentence",
            "sentence": sentence_json(sentences[item.pk]),
            "context": around[sentences[item.pk].segment_id],
            "agreement": item.agreement,
            "why": item.why,
            "annotations": annotations[item.pk],
            "suggestions": suggestions.get(item.pk),
            "gold": None,
        }
        for item in waiting
    }


def _suggestions(sentences: list[int]) -> dict[int, Json]:
    """What machines say of the sentences now: the projection where there is one, else the prediction."""
    found: dict[int, Json] = {
        row.sentence_id: {
            "kind": "prediction",
            "name": row.detector,
            "revision": row.revision,
            "threshold": row.threshold,
            "spans": row.spans,
            "probabilities": row.probabilities,
        }
        for row in Prediction.objects.filter(sentence__in=sentences, is_current=True)
    }
    for row in Projection.objects.filter(target__in=sentences, is_current=True).select_related("alignment"):
        found[row.target_id] = {
            "kind": "projection",
            "name": row.alignment.aligner,
            "revision": row.alignment.revision,
            "threshold": None,
            "spans": row.spans,
            "probabilities": [],
        }
    return found


def _pair_items(project: Project, language: str, waiting: list[Waiting], user: User) -> dict[int, Json]:
    ids = [item.pk for item in waiting]
    pairs = Pair.objects.filter(project=project, pk__in=ids).select_related("premise", "hypothesis").in_bulk()
    sides = pair_sides(project, language, list(pairs.values()), user)
    tags: dict[int, list[Json]] = defaultdict(list)
    silver: dict[int, str] = {}
    for row in PairTag.objects.filter(pair__in=ids, language=language).select_related("user").order_by("pk"):
        if row.kind == TagKind.SILVER:
            silver[row.pair_id] = row.tag
        elif row.kind == TagKind.PERSON:
            tags[row.pair_id].append(
                {"annotator": str(row.user), "mode": row.mode, "tag": row.tag, "comment": row.comment}
            )
    return {
        item.pk: {
            "kind": "pair",
            "language": language,
            "pair": pair_json(pairs[item.pk], sides),
            "agreement": item.agreement,
            "why": item.why,
            "tags": tags[item.pk],
            "suggestions": silver.get(item.pk),
            "gold": None,
        }
        for item in waiting
    }


def _key(spans: list[Json]) -> frozenset[tuple[tuple[int, ...], str]]:
    return frozenset((tuple(span["tokens"]), span["label"]) for span in spans)
