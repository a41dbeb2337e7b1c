"""What a workspace shows of an assignment: the `Item` of the API (docs/architecture.md), blind rule applied."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q

from annotator.domain.origins import origins
from annotator.domain.spans import spans_from_json
from annotator.domain.tokens import text_of
from annotator.models import (
    Annotation,
    AnnotationState,
    Assignment,
    Event,
    Gold,
    Mode,
    Pair,
    PairTag,
    Project,
    Segment,
    SegmentRole,
    Sentence,
    Stage,
    StageKind,
    TagKind,
    User,
)
from annotator.queries.blind import blind_segments
from annotator.queries.lemmas import content_words, lemma_of
from annotator.queries.stages import items_without_label, own_assignments

Json = dict[str, Any]


def item(assignment: Assignment, user: User) -> Json:
    """The assignment as its workspace shows it to `user`, whose own it is."""
    return items([assignment], user)[0]


def items(assignments: Sequence[Assignment], user: User) -> list[Json]:
    """The assignments, all of one project, as workspaces show them; a fixed number of queries however many."""
    ids = [assignment.pk for assignment in assignments]
    loaded = (
        Assignment.objects.filter(pk__in=ids)
        .select_related("project", "stage__project", "sentence__segment", "pair__premise", "pair__hypothesis")
        .in_bulk()
    )
    ordered = [loaded[pk] for pk in ids]
    built: dict[int, Json] = {}
    built |= _sentence_items([row for row in ordered if row.sentence_id is not None], user)
    built |= _pair_items([row for row in ordered if row.pair_id is not None], user)
    return [built[pk] for pk in ids]


def own_items(stage: Stage, user: User, state: str = "") -> list[Json]:
    """The user's assignments of a stage in short, for going back: id, uid, state, doubt, text, position."""
    found = own_assignments(stage, user)
    if state:
        found = found.filter(state=state)
    # Thousands of rows, so values and not objects.
    if stage.kind == StageKind.PAIR_TAG:
        rows = found.values_list("pk", "state", "position", "sentence_id", "pair__pair_id", "pair__hypothesis_id")
        texts = dict(
            Sentence.objects.filter(
                segment__in=found.order_by().values("pair__hypothesis"), language=stage.language, is_current=True
            ).values_list("segment_id", "tokens")
        )
    else:
        rows = found.values_list("pk", "state", "position", "sentence_id", "sentence__segment__uid", "sentence_id")
        texts = dict(found.order_by().values_list("sentence_id", "sentence__tokens"))
    doubts = set(
        Annotation.objects.filter(annotator=user, project=stage.project, doubt=True).values_list(
            "sentence_id", flat=True
        )
    )
    return [
        {
            "id": pk,
            "uid": uid,
            "state": state_of,
            "doubt": sentence in doubts,
            "text": text_of(texts.get(text, ())),
            "position": position,
        }
        for pk, state_of, position, sentence, uid, text in rows
    ]


def sentence_json(sentence: Sentence) -> Json:
    """A sentence with what helps to read it; no labels."""
    segment = sentence.segment
    return {
        "id": sentence.pk,
        "uid": segment.uid,
        "language": sentence.language,
        "revision": sentence.revision,
        "role": segment.role,
        "dataset": segment.dataset,
        "genre": segment.genre,
        "tokens": sentence.tokens,
        "lemmas": [lemma_of(token, sentence.language) for token in sentence.tokens],
        "content": content_words(sentence.tokens, sentence.language),
    }


def contexts(project: Project, language: str, segments: Iterable[Segment]) -> dict[int, Json]:
    """By segment id, the texts around it: its premise group before and after it, and the other sides of its pairs.

    Texts only, so everybody may see them.
    """
    segments = list(segments)
    groups = Q()
    for dataset, group in {(segment.dataset, segment.group) for segment in segments}:
        groups |= Q(segment__dataset=dataset, segment__group=group)
    ids = [segment.pk for segment in segments]
    pairs = list(
        Pair.objects.filter(Q(premise__in=ids) | Q(hypothesis__in=ids), project=project).order_by("position", "pk")
    )
    partners = {pk for pair in pairs for pk in (pair.premise_id, pair.hypothesis_id)}
    near = list(
        Sentence.objects.filter(groups | Q(segment__in=partners), project=project, language=language, is_current=True)
        .select_related("segment")
        .order_by("segment__position", "pk")
    )
    by_segment = {sentence.segment_id: sentence for sentence in near}
    found: dict[int, Json] = {}
    for segment in segments:
        around = [
            row
            for row in near
            if (row.segment.dataset, row.segment.group) == (segment.dataset, segment.group)
            and row.segment_id != segment.pk
        ]
        here = (segment.position, segment.pk)
        sides = [
            (pair, pair.hypothesis_id if pair.premise_id == segment.pk else pair.premise_id)
            for pair in pairs
            if segment.pk in (pair.premise_id, pair.hypothesis_id)
        ]
        found[segment.pk] = {
            "before": [_neighbour(row) for row in around if (row.segment.position, row.segment_id) < here],
            "after": [_neighbour(row) for row in around if (row.segment.position, row.segment_id) > here],
            "pair": [
                {
                    "role": by_segment[other].segment.role,
                    "inference": pair.inference,
                    "text": by_segment[other].text,
                }
                for pair, other in sides
                if other in by_segment
            ],
        }
    return found


def _neighbour(sentence: Sentence) -> Json:
    return {"uid": sentence.segment.uid, "role": sentence.segment.role, "text": sentence.text}


def suggestions_json(annotation: Annotation) -> Json | None:
    """What the machine had suggested when the annotation was opened; None where it was nothing or nobody asked."""
    if annotation.projection is not None:
        alignment = annotation.projection.alignment
        return {
            "kind": "projection",
            "name": alignment.aligner,
            "revision": alignment.revision,
            "threshold": None,
            "spans": annotation.suggested,
            "probabilities": [],
        }
    if annotation.prediction is not None:
        prediction = annotation.prediction
        return {
            "kind": "prediction",
            "name": prediction.detector,
            "revision": prediction.revision,
            "threshold": prediction.threshold,
            "spans": annotation.suggested,
            "probabilities": prediction.probabilities,
        }
    return None


def _sentence_items(assignments: list[Assignment], user: User) -> dict[int, Json]:
    if not assignments:
        return {}
    project = assignments[0].project
    sentences = [row.sentence for row in assignments if row.sentence is not None]
    hidden = blind_segments(user, project, [sentence.segment_id for sentence in sentences])
    annotations = {
        row.sentence_id: row
        for row in Annotation.objects.filter(annotator=user, sentence__in=sentences).select_related(
            "prediction", "projection__source", "projection__alignment"
        )
    }
    undoable = _undoable("annotation", [row.pk for row in annotations.values()])
    decided = set(Gold.objects.filter(sentence__in=sentences).values_list("sentence_id", flat=True))
    around: dict[int, Json] = {}
    for language in {sentence.language for sentence in sentences}:
        around |= contexts(project, language, [row.segment for row in sentences if row.language == language])
    built = {}
    for assignment in assignments:
        sentence = assignment.sentence
        if sentence is None:
            continue
        blind = assignment.mode == Mode.BLIND or sentence.segment_id in hidden
        annotation = annotations.get(sentence.pk)
        built[assignment.pk] = {
            "id": assignment.pk,
            "kind": "sentence",
            "stage": _stage(assignment.stage),
            "mode": Mode.BLIND.value if blind else Mode.REVIEW.value,
            "state": assignment.state,
            "sentence": sentence_json(sentence),
            "annotation": _annotation(annotation, undoable, blind=blind),
            "suggestions": suggestions_json(annotation) if annotation is not None and not blind else None,
            "context": around[sentence.segment_id],
            "source": _source(annotation) if annotation is not None and not blind else None,
            "gold": sentence.pk in decided,
        }
    return built


def _annotation(annotation: Annotation | None, undoable: set[int], *, blind: bool) -> Json:
    if annotation is None:
        return {
            "version": 0,
            "state": "unseen",
            "spans": [],
            "doubt": False,
            "comment": "",
            "updated_at": None,
            "can_undo": False,
            "origins": {"kept": [], "added": [], "removed": []},
        }
    came = origins([] if blind else spans_from_json(annotation.suggested), spans_from_json(annotation.spans))
    return {
        "version": annotation.version,
        "state": annotation.state,
        "spans": annotation.spans,
        "doubt": annotation.doubt,
        "comment": annotation.comment,
        "updated_at": annotation.updated_at.isoformat(),
        "can_undo": annotation.pk in undoable,
        "origins": {
            "kept": [span.to_json() for span in came.kept],
            "added": [span.to_json() for span in came.added],
            "removed": [span.to_json() for span in came.removed],
        },
    }


def _source(annotation: Annotation) -> Json | None:
    projection = annotation.projection
    if projection is None:
        return None
    return {
        "language": projection.source.language,
        "sentence": projection.source_id,
        "tokens": projection.source.tokens,
        "spans": projection.source_spans,
        "links": projection.alignment.links,
        "outcomes": projection.outcomes,
    }


def _stage(stage: Stage) -> Json:
    return {"id": stage.pk, "kind": stage.kind, "language": stage.language}


def _undoable(subject_type: str, ids: list[int]) -> set[int]:
    """Subjects with more saves than undos."""
    prefix = "annotation" if subject_type == "annotation" else "pair_tag"
    rows = (
        Event.objects.filter(subject_type=subject_type, subject_id__in=ids)
        .order_by()
        .values("subject_id")
        .annotate(
            saved=Count("pk", filter=Q(verb=f"{prefix}.saved")),
            undone=Count("pk", filter=Q(verb=f"{prefix}.undone")),
        )
    )
    return {row["subject_id"] for row in rows if row["saved"] > row["undone"]}


@dataclass(frozen=True)
class _Side:
    """Whose labels a pair's side is shown with."""

    spans: list[Json]
    labels: str


def pair_sides(
    project: Project, language: str, pairs: Sequence[Pair], user: User, *, own_only: Iterable[int] = ()
) -> dict[int, Json]:
    """By segment id, the premises and hypotheses of the pairs with the labels that stand there for the user.

    Gold, else the user's own done labels, else the reviewer's. On segments where the user is blind, and
    on those in `own_only`, the user's own labels or none.
    """
    segments = {pk for pair in pairs for pk in (pair.premise_id, pair.hypothesis_id)}
    hidden = blind_segments(user, project, segments) | set(own_only)
    sentences = Sentence.objects.filter(
        project=project, language=language, is_current=True, segment__in=segments
    ).select_related("segment")
    golds = dict(Gold.objects.filter(sentence__in=sentences).values_list("sentence_id", "spans"))
    done: dict[int, list[Annotation]] = defaultdict(list)
    for annotation in Annotation.objects.filter(sentence__in=sentences, state=AnnotationState.DONE).order_by(
        "-mode", "pk"
    ):
        done[annotation.sentence_id].append(annotation)
    sides = {}
    for sentence in sentences:
        side = _side(golds, done[sentence.pk], sentence, user, blind=sentence.segment_id in hidden)
        sides[sentence.segment_id] = {
            "uid": sentence.segment.uid,
            "role": sentence.segment.role,
            "tokens": sentence.tokens,
            "spans": side.spans,
            "labels": side.labels,
        }
    return sides


def _side(
    golds: Mapping[int, list[Json]], done: list[Annotation], sentence: Sentence, user: User, *, blind: bool
) -> _Side:
    own = [row for row in done if row.annotator_id == user.pk]
    if not blind and sentence.pk in golds:
        return _Side(golds[sentence.pk], "gold")
    if own:
        return _Side(own[0].spans, "own")
    if not blind and done:
        return _Side(done[0].spans, "annotation")
    return _Side([], "none")


def pair_json(pair: Pair, sides: Mapping[int, Json]) -> Json:
    """A pair with its sides from `pair_sides`; a side without text in the language is an empty one."""
    return {
        "id": pair.pk,
        "pair_id": pair.pair_id,
        "inference": pair.inference,
        "genre": pair.genre,
        "premise": sides.get(pair.premise_id) or _empty(pair.premise.uid, SegmentRole.PREMISE),
        "hypothesis": sides.get(pair.hypothesis_id) or _empty(pair.hypothesis.uid, SegmentRole.HYPOTHESIS),
    }


def _empty(uid: str, role: str) -> Json:
    return {"uid": uid, "role": str(role), "tokens": [], "spans": [], "labels": "none"}


def _pair_items(assignments: list[Assignment], user: User) -> dict[int, Json]:
    if not assignments:
        return {}
    built: dict[int, Json] = {}
    by_stage: dict[int, list[Assignment]] = defaultdict(list)
    for assignment in assignments:
        by_stage[assignment.stage_id].append(assignment)
    for rows in by_stage.values():
        built |= _stage_pair_items(rows[0].stage, rows, user)
    return built


def _stage_pair_items(stage: Stage, assignments: list[Assignment], user: User) -> dict[int, Json]:
    project, language = assignments[0].project, stage.language
    pairs = [row.pair for row in assignments if row.pair is not None]
    blind_rows = [row.pair for row in assignments if row.pair is not None and row.mode == Mode.BLIND]
    own_only = {pk for pair in blind_rows for pk in (pair.premise_id, pair.hypothesis_id)}
    hidden = own_only | blind_segments(
        user, project, [pk for pair in pairs for pk in (pair.premise_id, pair.hypothesis_id)]
    )
    sides = pair_sides(project, language, pairs, user, own_only=own_only)
    tags = PairTag.objects.filter(pair__in=pairs, language=language)
    own = {row.pair_id: row for row in tags.filter(kind=TagKind.PERSON, user=user)}
    silver = dict(tags.filter(kind=TagKind.SILVER).values_list("pair_id", "tag"))
    decided = set(tags.filter(kind=TagKind.GOLD).values_list("pair_id", flat=True))
    proposed = set(
        items_without_label(stage, user).filter(pk__in=[pair.pk for pair in pairs]).values_list("pk", flat=True)
    )
    undoable = _undoable("assignment", [row.pk for row in assignments])
    built: dict[int, Json] = {}
    for assignment in assignments:
        pair = assignment.pair
        if pair is None:
            continue
        blind = assignment.mode == Mode.BLIND or bool(hidden & {pair.premise_id, pair.hypothesis_id})
        tag = own.get(pair.pk)
        suggested = None if blind else silver.get(pair.pk) or ("no_metaphor" if pair.pk in proposed else None)
        built[assignment.pk] = {
            "id": assignment.pk,
            "kind": "pair",
            "stage": _stage(stage),
            "mode": Mode.BLIND.value if blind else Mode.REVIEW.value,
            "state": assignment.state,
            "pair": pair_json(pair, sides),
            "tag": {
                "tag": tag.tag if tag else None,
                "version": tag.version if tag else 0,
                "comment": tag.comment if tag else "",
                "can_undo": tag is not None and assignment.pk in undoable,
            },
            "suggested": suggested,
            "gold": pair.pk in decided,
        }
    return built


def proposed_pairs(stage: Stage, user: User, limit: int = 200) -> tuple[list[Json], int]:
    """The first pairs proposed as *no metaphor*, to look at before confirming, and how many there are in all."""
    proposed = items_without_label(stage, user)
    pairs = list(proposed.select_related("premise", "hypothesis")[:limit])
    sides = pair_sides(stage.project, stage.language, pairs, user)
    return [pair_json(pair, sides) for pair in pairs], proposed.count()
