"""People's work on a text that was fixed: their answers continue to its new revision, with the items of its stages."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotator.core.counters import OWN, count_items
from annotator.core.events import log_many
from annotator.core.kind import is_beside
from annotator.core.unit_kinds import wordings
from annotator.domain.content import Content, ContentError, content_type
from annotator.domain.effective_content import Answer
from annotator.domain.states import AnnotationState, AssignmentState, ItemState, Mode, item_state
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, BlindMark, Item, Layer, Project, Stage, Unit, User
from annotator.work.answering.actions.own_answers import answer_data
from annotator.work.blind.actions.blind_marks import mark_blind
from annotator.work.derivation.actions.reconcile import reconcile
from annotator.work.gold.actions.adjudication import refresh_adjudication
from annotator.work.lexicon.actions.lemmas import mark_places
from annotator.work.queue.actions.items import change_item, retire


@dataclass(frozen=True, slots=True)
class Carried:
    """A content on the new text, and what of it was lost; `whole`: what was finished stays so."""

    content: Content
    lost: list[str]
    whole: bool


def carried(layer: Layer, content: Content, old: Unit, new: Unit) -> Carried:
    """The content for the new text. One that the layer's scheme does not allow there any more is lost as a whole."""
    kind = content_type(layer.content_type)
    lost = kind.lost(content, before=old.tokens, after=new.tokens)
    moved = kind.carry(content, before=old.tokens, after=new.tokens)
    try:
        moved = kind.check(moved, scheme=layer.scheme_data, tokens=new.tokens, done=False)
    except ContentError:
        return Carried(kind.empty(), kind.lost(content, before=old.tokens, after=[]), whole=False)
    return Carried(moved, lost, whole=kind.stands(content, before=old.tokens, after=new.tokens))


def carry_work(
    *, project: Project, old: Unit, new: Unit, items: Sequence[Item], by: User | None, operation: uuid.UUID
) -> dict[str, list[str]]:
    """Void the old unit's items (locked, with stage and layer), and make those of the new one with everybody's answers.

    An answer stays done where its content type says so (`ContentType.stands`). Returns what was lost, by
    the person's id.
    """
    answering = [item for item in items if item.stage.kind != Stage.ADJUDICATE and item.state != ItemState.VOID]
    retire(Item.objects.filter(pk__in=[item.pk for item in answering]), user=by)
    held = _take_back(old, answering)
    begun = _new_items(new, answering, held, by)
    annotations, lost = _carry_annotations(project, old, new, by, operation)
    answers = {(row.layer_id, row.user_id): row for row in annotations}
    for row in held:
        _hand_on(row, new, begun[row.stage_id], answers.get((row.stage.layer_id, row.user_id)), by)
    for layer in {row.layer for row in annotations}:
        done = [row for row in annotations if row.layer_id == layer.pk and row.state == AnnotationState.DONE]
        mark_places(new, layer, [Answer(row.mode, row.content, row.user_id) for row in done])
        refresh_adjudication(project=project, unit=new, layer=layer)
    return lost


def make_again(new: Unit, *, by: User | None) -> None:
    """Bring what is made from the answers to a fixed text in line with what of them went on to it. What an answer that
    is to be finished again had become stays until then, where it follows the text (`UnitKind.wording`)."""
    states: dict[int | None, dict[str, list[int]]] = {}
    rows = Annotation.objects.filter(unit=new, stage__makes__isnull=False).distinct().order_by("pk")
    for stage, state, user in rows.values_list("stage_id", "state", "user_id"):
        states.setdefault(stage, {}).setdefault(state, []).append(user)
    targets = Stage.objects.filter(made_from__in=states).select_related("layer", "project", "made_from__layer")
    for target in targets.order_by("pk") if states else ():
        of = states[target.made_from_id]
        if target.layer.unit_kind not in wordings():
            reconcile(target, [new], by=by, authors=of.get(AnnotationState.OPEN, ()))
        elif AnnotationState.DONE in of:
            reconcile(target, [new], by=by)


def _take_back(old: Unit, items: Iterable[Item]) -> list[Assignment]:
    """Return every assignment on the old unit, whose items are void. Their answers stay on record there."""
    held = list(
        Assignment.objects.select_for_update(no_key=True, of=("self",))
        .select_related("stage__layer")
        .filter(item__in=[item.pk for item in items])
        .exclude(state=AssignmentState.RETURNED)
        .order_by("pk")
    )
    fresh = Item.objects.in_bulk([row.item_id for row in held])
    for row in held:
        name = "done" if row.state == AssignmentState.DONE else "open"
        changed = {f"{'extra' if is_beside(row.stage, row.mode) else 'answers'}_{name}": -1}
        change_item(fresh[row.item_id], user=row.user_id, **changed)  # type: ignore[arg-type]  # its names
    # A done one goes by way of open: `ASSIGNMENT_STATES`.
    rows = Assignment.objects.filter(pk__in=[row.pk for row in held])
    rows.update(state=AssignmentState.RETURNED, expires_at=None)
    BlindMark.objects.filter(assignment__in=held).delete()
    return held


def _new_items(new: Unit, items: Iterable[Item], held: Iterable[Assignment], by: User | None) -> dict[int, Item]:
    """The new unit's items by stage: in those stages where the old one's were."""
    worked_on = {row.stage_id for row in held}
    made = [
        Item(
            project_id=new.project_id,
            stage=item.stage,
            unit=new,
            answers_wanted=item.answers_wanted,
            state=item_state(wanted=item.answers_wanted, open_=0, done=0, decided=False),
            reading=item.reading,
            doubtful=item.doubtful,
            commented=item.commented,
        )
        for item in items
        # One that was there for blind answers alone is needed while somebody has one.
        if item.answers_wanted or item.stage_id in worked_on
    ]
    Item.objects.bulk_create(made)
    count_items(made, user=by)
    return {item.stage_id: item for item in made}


def _carry_annotations(
    project: Project, old: Unit, new: Unit, by: User | None, operation: uuid.UUID
) -> tuple[list[Annotation], dict[str, list[str]]]:
    rows = list(Annotation.objects.filter(unit=old).select_related("layer", "stage").order_by("pk"))
    earlier = _with_the_same_text(new)
    lost: dict[str, list[str]] = {}
    made: list[Annotation] = []
    for row in rows:
        back = earlier.get((row.layer_id, row.user_id))
        # Every revision counts the version up by one: more, and the person has written something since.
        if back is not None and row.version == back.version + old.revision - back.unit.revision:
            content, suggested, state, done_at = back.content, back.suggested, back.state, back.done_at
        else:
            moved = carried(row.layer, row.content, old, new)
            if moved.lost:
                lost.setdefault(str(row.user_id), []).extend(moved.lost)
            content = moved.content
            suggested = row.suggested and carried(row.layer, row.suggested, old, new).content
            stays = moved.whole and row.state == AnnotationState.DONE
            state, done_at = (row.state, row.done_at) if stays else (AnnotationState.OPEN.value, None)
        made.append(
            Annotation(
                project=project,
                unit=new,
                layer=row.layer,
                stage=row.stage,
                user_id=row.user_id,
                mode=row.mode,
                state=state,
                # An old window's version never fits.
                version=row.version + 1,
                content=content,
                suggested=suggested,
                context=row.context,
                scheme_version=row.scheme_version,
                guidelines_version=row.guidelines_version,
                doubt=row.doubt,
                comment=row.comment,
                done_at=done_at,
            )
        )
    Annotation.objects.bulk_create(made)
    log_many(
        project=project,
        actor=by,
        verb=Verb.ANNOTATION_CARRIED,
        operation=operation,
        changes=[(after, answer_data(before), answer_data(after)) for before, after in zip(rows, made, strict=True)],
    )
    return made, lost


def _with_the_same_text(new: Unit) -> dict[tuple[int, int], Annotation]:
    """Answers on the newest earlier revision that reads the same, by layer and person."""
    revisions = Unit.objects.filter(segment=new.segment_id, language=new.language, revision__lt=new.revision)
    same = next((unit for unit in revisions.order_by("-revision") if unit.tokens == new.tokens), None)
    if same is None:
        return {}
    rows = Annotation.objects.filter(unit=same).select_related("unit")
    return {(row.layer_id, row.user_id): row for row in rows}


def _hand_on(row: Assignment, new: Unit, item: Item, answer: Annotation | None, by: User | None) -> None:
    """The person's assignment on the new unit."""
    done = answer is not None and answer.state == AnnotationState.DONE
    # What nobody has worked on yet still goes back in its time; the person who fixed the text is working on it.
    stays = row.state == AssignmentState.DONE or (by is not None and row.user_id == by.pk)
    made = Assignment.objects.create(
        project_id=row.project_id,
        stage=row.stage,
        item=item,
        unit=new,
        user_id=row.user_id,
        mode=row.mode,
        context=row.context,
        state=AssignmentState.DONE if done else AssignmentState.OPEN,
        reading=row.reading,
        doubtful=row.doubtful,
        expires_at=None if stays else row.expires_at,
        done_at=answer.done_at if answer is not None and done else None,
    )
    name = "done" if done else "open"
    changed = {f"{'extra' if is_beside(row.stage, row.mode) else 'answers'}_{name}": 1}
    change_item(item, user=row.user_id, own={f"{OWN[Mode(row.mode)]}_{name}": 1}, **changed)  # type: ignore[arg-type]  # its names
    if row.mode == Mode.BLIND:
        mark_blind([made], row.stage)
