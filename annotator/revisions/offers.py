"""What the job that follows a fixed text stores: lemmas, and suggestions for those who are at work on the sentence."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from annotator.core.kind import kind_of
from annotator.domain.effective_content import Answer
from annotator.domain.states import AnnotationState, AssignmentState, Mode
from annotator.models import Annotation, Assignment, Gold, Job, LemmaPlace, Project, Unit
from annotator.work.answering.queries.suggestions import shown_in
from annotator.work.lexicon.actions.lemmas import index_places, mark_places
from annotator.work.queue.actions.items import reassign_unstarted


@transaction.atomic
def store_lemmas(*, unit: int, lemmas: list[str]) -> None:
    """Write the lemmas of a new revision, and the places of its words, where they were guessed."""
    row = Unit.objects.select_for_update(no_key=True).filter(pk=unit, is_current=True).first()
    if row is None or row.lemmas == lemmas:
        return
    row.lemmas = lemmas
    row.save(update_fields=["lemmas"])
    LemmaPlace.objects.filter(unit=row).delete()
    index_places([row])
    layer = row.project.label_layer
    done = Annotation.objects.filter(unit=row, layer=layer, state=AnnotationState.DONE).order_by("pk")
    gold = Gold.objects.filter(unit=row, layer=layer).first()
    answers = [Answer(one.mode, one.content, one.user_id) for one in done]
    mark_places(row, layer, answers, gold.content if gold else None)


@transaction.atomic
def offer_suggestions(*, project: Project, unit: int, job: Job | None = None) -> None:
    """Show what machines say of a sentence, in stages that show it, to those whose open answer began without it.

    What the same job offered before gives way to what is better, until the person saves. Blind work is left alone, and
    so is what somebody has finished.
    """
    begun_without = Q(suggestion=None)
    if job is not None:
        begun_without |= Q(suggestion__job=job)
    rows = Assignment.objects.filter(begun_without, unit=unit, state=AssignmentState.OPEN, mode=Mode.REVIEW)
    saved = Annotation.objects.filter(
        unit=unit, layer=OuterRef("stage__layer"), user=OuterRef("user"), suggestion__isnull=False
    ).exclude(undo_event=None)
    for row in rows.exclude(Exists(saved)).select_related("stage__layer", "stage__project"):
        suggestions = shown_in(project, row.stage.layer, kind_of(row.stage), [unit]).get(unit)
        if not suggestions:
            continue
        ids = [one.pk for one in suggestions]
        Assignment.objects.filter(pk=row.pk).update(suggestion=suggestions[0], shown=ids)
        begun = Annotation.objects.filter(
            begun_without,
            unit=unit,
            layer=row.stage.layer,
            user=row.user_id,
            mode=Mode.REVIEW,
            state=AnnotationState.OPEN,
        )
        begun.update(suggestion=suggestions[0], shown=ids, suggested=suggestions[0].content)


def finish_revision(*, project: Project, unit: int) -> None:
    """Take the sentence to the stages that now hold it: a projection may have come, or none."""
    row = Unit.objects.filter(pk=unit).first()
    if row is not None:
        reassign_unstarted(project, [row.pk], language=row.language)
