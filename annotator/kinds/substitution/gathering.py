"""What becomes of all answers to an item together: the words to choose from, and the word with the most votes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db.models import Exists, OuterRef

from annotator.domain.content.best import BEST
from annotator.domain.deciding import decided
from annotator.domain.states import AnnotationState
from annotator.kinds.substitution.derivation import WORDS_OF_ALL
from annotator.kinds.substitution.units import RULE, WORDS, words_uid
from annotator.models import Annotation, Gold, Item, Stage, Unit, User
from annotator.work.derivation.actions.filling import forward
from annotator.work.derivation.actions.reconcile import Derivation, bring_in_line
from annotator.work.gold.actions.gold import end_blind
from annotator.work.gold.actions.gold_of_answers import decide_by_answers


def finished(stage: Stage, unit: Unit) -> list[Annotation]:
    """The finished answers to a unit in the stage's layer once as many are there as the stage wants; else none."""
    item = Item.objects.filter(stage=stage, unit=unit).first()
    rows = Annotation.objects.filter(unit=unit, layer=stage.layer_id, state=AnnotationState.DONE).order_by("pk")
    found = list(rows)
    return found if item is not None and len(found) >= item.answers_wanted else []


def offer_words(stage: Stage, unit: Unit, *, by: User | None) -> bool:
    """Bring the words to choose from in line with what was written for a marked sentence. Returns whether all wrote.

    Where an answer changes, so do the words: a new revision with new votes; where they are no longer complete, they are
    withdrawn. Words that are the same again come back with their votes. What was written for words on which
    gold is decided stays as it is (`with_decided_words`).
    """
    answers = finished(stage, unit)
    if answers:
        # All have written: there is nothing left to hide, and no gold will ever say so.
        end_blind([unit.pk], stage.layer)
    voting = stage.makes.filter(layer__unit_kind=WORDS).select_related("layer", "project")
    derivation = Derivation(
        WORDS_OF_ALL, stage.layer, stage.project, before=stage, language=stage.language, unit_kind=WORDS, stages=voting
    )
    bring_in_line(derivation, [unit], by=by, known=answers)
    return bool(answers)


def with_imported_words(stage: Stage, units: Sequence[Unit]) -> Collection[int]:
    """Sentences (ids) whose words were imported with them. One query."""
    words = {words_uid(unit.segment.uid): unit.pk for unit in units}
    rows = Unit.objects.filter(
        project__in={unit.project_id for unit in units},
        language=stage.language,
        segment__uid__in=words,
        imported__isnull=False,
        is_current=True,
    )
    return [words[uid] for uid in rows.values_list("segment__uid", flat=True)]


def after_substitute(stage: Stage, unit: Unit, by: User | None) -> None:
    """Once all have answered, their words can be voted on and the sentence continues."""
    if offer_words(stage, unit, by=by):
        forward(stage, unit, by=by)


def with_decided_words(units: Sequence[Unit]) -> set[int]:
    """Those of the marked sentences (ids) for which people wrote words on which gold is decided. One query."""
    made = Unit.parents.through.objects.filter(
        to_unit__in=units, from_unit__kind=WORDS, from_unit__rule=RULE, from_unit__is_current=True
    )
    return set(made.filter(Exists(Gold.objects.filter(unit=OuterRef("from_unit")))).values_list("to_unit", flat=True))


def decide_by_votes(stage: Stage, unit: Unit) -> None:
    """Make gold of the word with the most votes, once all have voted. Ties are left to adjudicators, and so is
    what doubtful votes would decide (`domain.deciding`)."""
    _decide(stage, unit, finished(stage, unit), reason="votes")


def decide_by_expert(stage: Stage, unit: Unit) -> None:
    """Make gold of what the expert says who looked at how often each word was written. What they are in doubt about is
    left to adjudicators, and so is what several say differently."""
    answers = [row for row in finished(stage, unit) if row.stage_id == stage.pk]
    _decide(stage, unit, answers, reason="verified")


def _decide(stage: Stage, unit: Unit, votes: Sequence[Annotation], *, reason: str) -> None:
    if not votes or Gold.objects.filter(unit=unit, layer=stage.layer_id).exists():
        return
    end_blind([unit.pk], stage.layer)
    # Contents are equal where they name the same words: they are in one order.
    winner = decided([(row.content, row.doubt) for row in votes], BEST.winner)
    if winner is not None:
        decide_by_answers(stage, unit, winner, reason=reason)
