"""What becomes of all answers to an item together: the words to choose from, and the word with the most votes."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Exists, OuterRef

from annotator.domain.content.best import BEST
from annotator.domain.deciding import decided
from annotator.domain.states import AnnotationState
from annotator.domain.text.one_word import counted_words, in_case_of, word_key
from annotator.kinds.substitution.units import RULE, WORDS, as_marked, by_uid, words_uid
from annotator.models import Annotation, Gold, Item, Segment, Stage, Unit, User
from annotator.work.derivation.actions.chains import is_gold
from annotator.work.derivation.actions.withdrawing import bring_back, withdraw, withdrawn_from
from annotator.work.gold.actions.gold import end_blind
from annotator.work.gold.actions.gold_of_answers import decide_by_answers
from annotator.work.queue.actions.items import enter


def finished(stage: Stage, unit: Unit) -> list[Annotation]:
    """The finished answers to a unit in the stage's layer once as many are there as the stage wants; else none."""
    item = Item.objects.filter(stage=stage, unit=unit).first()
    rows = Annotation.objects.filter(unit=unit, layer=stage.layer_id, state=AnnotationState.DONE).order_by("pk")
    found = list(rows)
    return found if item is not None and len(found) >= item.answers_wanted else []


def gather(stage: Stage, unit: Unit, *, by: User | None) -> bool:
    """Bring the words to choose from in line with what was written for a marked sentence. Returns whether all wrote.

    The word that stands there is no substitute for itself. Where an answer changes, so do the words: a new revision,
    which is voted on anew; where they are no longer complete, they are withdrawn. Words that are the same again come
    back with their votes. Words that came in with files stay,
    before those that people write; and while gold is decided, all stay as they are, and so does what was written for
    them (`with_decided_words`).
    """
    answers = finished(stage, unit)
    if answers:
        # All have written: there is nothing left to hide, and no gold will ever say so.
        end_blind([unit.pk], stage.layer)
    marked = as_marked(unit).word
    written = [in_case_of(row.content["word"], marked) for row in answers if row.content["word"]]
    # By the alphabet, as pages offer them (static/work/content/best.js): a voter does not see how often each was
    # written.
    found = (word for word, _count in counted_words(written) if word_key(word) != word_key(marked))
    words = sorted(found, key=word_key)
    uid = words_uid(unit.segment.uid)
    standing = by_uid(unit.project_id, unit.language, [uid]).get(uid)
    imported = _imported(standing) if standing is not None else None
    if imported is not None:
        known = {word_key(word) for word in imported.tokens}
        words = [*imported.tokens, *(word for word in words if word_key(word) not in known)]
    if standing is not None and set(standing.tokens) != set(words) and not is_gold(standing):
        withdraw([standing], by)
        standing = None
    if words:
        current = standing or _brought_back(unit, words, by) or _make(unit, uid, words, imported)
        for target in stage.makes.filter(layer__unit_kind=WORDS).select_related("layer", "project"):
            if not Item.objects.filter(stage=target, unit=current).exists():
                enter(target, [current], user=by)
    return bool(answers)


def with_decided_words(units: Sequence[Unit]) -> set[int]:
    """Those of the marked sentences (ids) for which people wrote words on which gold is decided. One query."""
    made = Unit.parents.through.objects.filter(
        to_unit__in=units, from_unit__kind=WORDS, from_unit__rule=RULE, from_unit__is_current=True
    )
    return set(made.filter(Exists(Gold.objects.filter(unit=OuterRef("from_unit")))).values_list("to_unit", flat=True))


def _imported(words: Unit) -> Unit | None:
    """Words as they came in with files, whatever people have added since; None for those that people alone wrote."""
    if words.imported_id is None:
        return None
    return Unit.objects.filter(segment=words.segment_id, language=words.language).order_by("revision").first()


def _brought_back(unit: Unit, words: list[str], by: User | None) -> Unit | None:
    """The same words as before somebody's answer was opened or changed, with their votes; None where there are none."""
    rows = withdrawn_from([unit]).filter(kind=WORDS).select_related("segment").order_by("-pk")
    found = next((row for row in rows if set(row.tokens) == set(words)), None)
    if found is not None:
        bring_back([found], by)
    return found


def _make(unit: Unit, uid: str, words: list[str], imported: Unit | None) -> Unit:
    """The next revision of the words. What began with `imported` words stays its import's."""
    came = {}
    if imported is not None:
        came = {
            "imported_id": imported.imported_id,
            "origin_file": imported.origin_file,
            "origin_line": imported.origin_line,
        }
    segment, _created = Segment.objects.get_or_create(
        project_id=unit.project_id,
        uid=uid,
        defaults={
            "kind": WORDS,
            "dataset": unit.segment.dataset,
            "genre": unit.segment.genre,
            "group": unit.segment.uid,
            "position": unit.segment.position,
        },
    )
    before = segment.units.filter(language=unit.language).order_by("-revision").first()
    made = Unit.objects.create(
        project_id=unit.project_id,
        segment=segment,
        kind=WORDS,
        language=unit.language,
        revision=before.revision + 1 if before is not None else 1,
        tokens=words,
        token_count=len(words),
        touches=[segment.pk, *unit.touches],
        # Once more as they came in: nobody's answer is among them.
        rule="" if imported is not None and words == imported.tokens else RULE,
        **came,
    )
    made.parents.add(unit)
    return made


def decide_by_votes(stage: Stage, unit: Unit) -> None:
    """Make gold of the word with the most votes, once all have voted. Ties are left to whoever adjudicates, and so is
    what doubtful votes would decide (`domain.deciding`)."""
    _decide(stage, unit, finished(stage, unit), reason="votes")


def decide_by_expert(stage: Stage, unit: Unit) -> None:
    """Make gold of what the expert says who looked at how often each word was written. What they are in doubt about is
    left to whoever adjudicates, and so is what several say differently."""
    said = [row for row in finished(stage, unit) if row.stage_id == stage.pk]
    _decide(stage, unit, said, reason="verified")


def _decide(stage: Stage, unit: Unit, votes: Sequence[Annotation], *, reason: str) -> None:
    if not votes or Gold.objects.filter(unit=unit, layer=stage.layer_id).exists():
        return
    end_blind([unit.pk], stage.layer)
    # Contents are equal where they name the same words: they are in one order.
    winner = decided([(row.content, row.doubt) for row in votes], BEST.winner)
    if winner is not None:
        decide_by_answers(stage, unit, winner, reason=reason)
