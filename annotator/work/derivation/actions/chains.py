"""Units that are made from the answers of another stage, in the transaction of the answer."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from hashlib import blake2s
from typing import Any

from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from annotator.core.intake import Holds, MadeUnit
from annotator.core.kind import kind_of, on_change, rule_of
from annotator.core.unit_kinds import bound_kinds, wordings
from annotator.domain.content import Written, content_type
from annotator.domain.states import AnnotationState, ItemState
from annotator.domain.text.lemmas import lemma_of
from annotator.domain.text.tokens import word_of
from annotator.models import (
    Annotation,
    Gold,
    Item,
    Layer,
    Segment,
    Stage,
    Suggestion,
    SuggestionKind,
    Unit,
    User,
)
from annotator.work.answering.actions.policies import check_mended, was_sent_back
from annotator.work.derivation.actions.withdrawing import bring_back, with_bound, withdraw, withdrawn_from
from annotator.work.lexicon.actions.lemmas import index_places, lemmas_known
from annotator.work.queue.actions.items import BATCH, enter, enters, waited_for
from annotator.work.queue.queries.reassigned import taken_from

# The length of the uid of a made unit, unless its key needs more: what kinds make of that unit has room for an end.
MADE_UID = 150


def make_units(*, stage: Stage, annotation: Annotation, unit: Unit, by: User | None, carried: bool = False) -> None:
    """Bring the units that other stages make from an answer of `stage` in line with it: new, revised or withdrawn.

    What has gold is not withdrawn because the answer was opened or says no more of it. Only another text takes its
    place, which is judged anew.

    `carried`: the answer was carried to a fixed text. Where it is to be finished again, what was carried with it stays
    until then. Raises ActionError where a text went back and is as it was, without a word why.
    """
    is_written = isinstance(content_type(stage.layer.content_type), Written)
    taken = taken_from(annotation) if is_written else None
    for target in stage.makes.select_related("layer", "project"):
        if carried and annotation.state != AnnotationState.DONE and target.layer.unit_kind in wordings():
            continue
        rule = rule_of(target)
        wanted = rule.units_of(target, annotation) if rule and annotation.state == AnnotationState.DONE else ()
        standing = _made_before(target, annotation, unit, taken)
        kept = set()
        for made in wanted:
            rows = [row for row in standing if key_of_made(row) == made.key]
            now = next((row for row in rows if row.is_current), None)
            if now is not None:
                kept.add(now.pk)
                if _is_made_of(now, made):
                    continue
                withdraw(with_bound([now]), by)
            back = _to_bring_back(rows, made, annotation, unit)
            if back is not None:
                kept.add(back.pk)
                bring_back([back], by)
                continue
            if not carried:
                check_mended([row for row in rows if _is_made_of(row, made)], annotation, taken)
            _make(target, unit, (now or rows[-1]).segment if rows else None, made, annotation, by)
        for row in standing:
            # What a rule made does not go with the answer of one person, and nothing that is gold does.
            if row.is_current and row.pk not in kept and row.author_id is not None and not is_gold(row):
                withdraw(with_bound([row]), by)


def _is_made_of(unit: Unit, made: MadeUnit) -> bool:
    return (unit.tokens, unit.spaces) == (list(made.tokens), list(made.spaces))


def _to_bring_back(rows: Sequence[Unit], made: MadeUnit, annotation: Annotation, unit: Unit) -> Unit | None:
    """Of the units that were made from an answer under one key, the newest withdrawn one that is made of the same, and
    that was not sent back."""
    found = [
        row for row in rows if row.author_id == annotation.user_id and not row.is_current and _is_made_of(row, made)
    ]
    if not found:
        return None
    rows_back = withdrawn_from([unit]).filter(pk__in=[row.pk for row in found]).order_by("-pk")
    return next((row for row in rows_back if not was_sent_back(row, annotation)), None)


def _made_before(target: Stage, annotation: Annotation, unit: Unit, taken: Annotation | None) -> list[Unit]:
    """The units that were made for `target` from the person's answers to the unit, from the answer that they took over,
    or by rule, oldest first; withdrawn ones, too.

    They are known by what they belong to, never by ids in their uid: those are others where an archive is restored.
    """
    made = Unit.objects.filter(
        Exists(Item.objects.filter(unit=OuterRef("pk"), stage=target)),
        kind=target.layer.unit_kind,
        imported=None,
        parents__segment=unit.segment_id,
    ).filter(Q(author=annotation.user_id) | Q(author=None) | Q(author=taken and taken.user_id))
    rows = Unit.objects.filter(segment__in=made.values("segment"), language=target.language)
    return list(rows.select_related("segment").order_by("segment", "revision"))


def key_of_made(unit: Unit) -> str:
    """What tells a made unit from others of the same answer: the end of its uid."""
    return unit.segment.uid.rpartition(":")[2]


def ended(uid: str, key: str) -> str:
    """The uid of a made unit with another key at its end. It is cut before that where it grows too long."""
    stem, end = uid.rpartition(":")[0], f":{key}"
    longest = Segment._meta.get_field("uid").max_length or 0
    if len(stem) + len(end) > longest:
        whole = blake2s(stem.encode(), digest_size=6).hexdigest()
        stem = f"{stem[: longest - len(end) - len(whole) - 1]}~{whole}"
    return stem + end


def _new_uid(parent: Segment, key: str) -> str:
    """A uid for a made unit that nobody else has and that ends in its key; kinds may add to it. The parent's is cut."""
    end = f":{uuid.uuid4().hex[:12]}:{key}"
    return parent.uid[: max(0, MADE_UID - len(end))] + end


def _make(
    target: Stage, parent: Unit, segment: Segment | None, made: MadeUnit, annotation: Annotation, by: User | None
) -> None:
    segment = segment or Segment.objects.create(
        project_id=target.project_id,
        uid=_new_uid(parent.segment, made.key),
        kind=made.kind,
        dataset=parent.segment.dataset,
        genre=parent.segment.genre,
        group=parent.segment.uid,
        position=parent.segment.position,
    )
    last = segment.units.filter(language=target.language).aggregate(last=Max("revision"))["last"] or 0
    unit = Unit.objects.create(
        project_id=target.project_id,
        segment=segment,
        kind=made.kind,
        language=target.language,
        revision=last + 1,
        tokens=list(made.tokens),
        spaces=list(made.spaces),
        token_count=len(made.tokens),
        **(_indexed(target, made.tokens, parent.touches) if made.indexed else {}),
        touches=[segment.pk, *parent.touches],
        author_id=annotation.user_id,
        rule=made.rule,
    )
    unit.parents.add(parent)
    if made.indexed:
        index_places([unit])
    enter(target, [unit], user=by)


def _indexed(target: Stage, tokens: Sequence[str], segments: Collection[int]) -> dict[str, Any]:
    """Lemmas and content words of a made text. The lemmas are those that the project knows, else the dictionary's."""
    language = target.language
    known = lemmas_known(tokens, project=target.project_id, language=language, segments=segments)
    return {
        "lemmas": [known.get(word_of(token)) or lemma_of(token, language) for token in tokens],
        "content_words": target.project.content_words(tokens, language),
    }


def is_gold(unit: Unit) -> bool:
    """Whether anything is decided on a unit, or on what is nothing without it: no answer to what it was made from takes
    it away then."""
    on_bound = Q(unit__parents=unit, unit__is_current=True, unit__kind__in=bound_kinds())
    return Gold.objects.filter(Q(unit=unit) | on_bound).exists()


def pass_on(stage: Stage, unit: Unit, *, by: User | None) -> None:
    """Let a unit go on from `stage` to the stages after it that hold what is let through, and units of its kind. It
    enters each once."""
    for target in stage.makes.filter(layer__unit_kind=unit.kind).select_related("layer"):
        if (
            kind_of(target).intake.holds(target) != Holds.FORWARDED
            or Item.objects.filter(stage=target, unit=unit).exists()
        ):
            continue
        decided = Gold.objects.filter(unit=unit, layer=target.layer_id).values_list("unit_id", "layer_id")
        enter(target, [unit], decided=set(decided), user=by)


def follow_gold(layer: Layer, units: Collection[Unit], *, by: User | None) -> None:
    """The stages of a layer do what follows from how units stand: gold was decided on them, or a stage was added."""
    stages = Stage.objects.filter(layer=layer).exclude(kind=Stage.ADJUDICATE)
    following = [stage for stage in stages if kind_of(stage).outcome is not None]
    if not following:
        return
    items = Item.objects.filter(unit__in=units, stage__in=following)
    for item in items.select_related("stage__layer", "stage__project", "unit__segment").order_by("pk"):
        on_change(item.stage, item.unit, by)


def enter_current(stage: Stage) -> None:
    """Make the items of a new stage from what the project has: its units, or the finished answers that become them."""
    if not stage.project.slots.exists():
        return
    if stage.made_from is not None:
        carry_on(stage, None)
        if kind_of(stage).intake.holds(stage) == Holds.DERIVED:
            return
    decided = set(Gold.objects.filter(layer=stage.layer_id).values_list("unit_id", "layer_id"))
    batch: list[Unit] = []
    there = Item.objects.filter(stage=stage).values("unit")
    for unit in (
        held_units(stage).exclude(pk__in=there).select_related("segment").order_by("pk").iterator(chunk_size=BATCH)
    ):
        batch.append(unit)
        if len(batch) == BATCH:
            enter(stage, batch, decided=decided)
            batch = []
    enter(stage, batch, decided=decided)


def carry_on(stage: Stage, units: Collection[int] | None) -> None:
    """Bring a stage that is made from another what was answered there, on these units (ids) or on all. Doing it again
    changes nothing. In a transaction."""
    before = stage.made_from
    if before is None:
        return
    # As a save holds its item: whoever comes second sees what the first one made. Answers are read after that.
    held = Item.objects.filter(stage=before) if units is None else Item.objects.filter(stage=before, unit__in=units)
    list(held.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    answers, answered = finished_before(stage), answered_before(stage)
    if units is not None:
        answers, answered = answers.filter(unit__in=units), answered.filter(pk__in=units)
    for annotation in answers.select_related("unit__segment", "stage").order_by("pk").iterator():
        make_units(stage=before, annotation=annotation, unit=annotation.unit, by=None)
    if kind_of(stage).intake.holds(stage) != Holds.DERIVED:
        follow_gold(before.layer, list(answered.order_by("pk")), by=None)


def finished_before(stage: Stage) -> QuerySet[Annotation]:
    """The finished answers that a stage is made from."""
    return Annotation.objects.filter(stage=stage.made_from, state=AnnotationState.DONE, unit__is_current=True)


def answered_before(stage: Stage) -> QuerySet[Unit]:
    """The current units that were answered in the stage that this one is made from, or on which gold is decided in the
    layer of that one."""
    before = stage.made_from
    if before is None:
        return Unit.objects.none()
    answered = Annotation.objects.filter(stage=before, state=AnnotationState.DONE).values("unit")
    decided = Gold.objects.filter(layer=before.layer_id).values("unit")
    return Unit.objects.filter(
        Q(pk__in=answered) | Q(pk__in=decided), project=stage.project_id, language=before.language, is_current=True
    )


def held_units(stage: Stage) -> QuerySet[Unit]:
    """The units of the project that a stage holds beside those that are made from answers or let through."""
    kind = kind_of(stage)
    units = Unit.objects.published().filter(
        project=stage.project_id, kind=stage.layer.unit_kind, language=stage.language, is_current=True
    )
    if stage.made_from is not None:
        if not enters(stage, stage.project.stages.all()):
            return units.none()
        units = units.filter(imported__isnull=False)
        before = waited_for(stage)
        if before is not None:
            nobody_is_asked = Item.objects.filter(stage=before, unit=OuterRef("pk"), state=ItemState.DECIDED)
            return units.filter(Exists(nobody_is_asked))
        return units
    if kind.intake.holds(stage) in (Holds.PROJECTED, Holds.UNPROJECTED):
        reached = Exists(
            Suggestion.objects.filter(
                unit=OuterRef("pk"), layer=stage.layer_id, kind=SuggestionKind.PROJECTION, is_current=True
            )
        )
        units = units.filter(reached if kind.intake.holds(stage) == Holds.PROJECTED else ~reached)
    return units
