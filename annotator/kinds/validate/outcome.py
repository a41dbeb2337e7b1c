"""What follows from verdicts: the majority accepts, or the text goes back to its writer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from annotator.domain.content import Content
from annotator.domain.content.verdict import ACCEPT, VERDICT
from annotator.domain.deciding import decided, without_doubt
from annotator.domain.shares import majority
from annotator.domain.states import AnnotationState, ItemState
from annotator.models import Annotation, Gold, Item, Stage, Unit, User
from annotator.work.derivation.actions.filling import forward
from annotator.work.gold.actions.gold_of_answers import decide_by_answers
from annotator.work.queue.actions.returns import return_answer


def apply_verdicts(stage: Stage, unit: Unit, by: User | None) -> None:
    """Do what the verdicts on a unit ask for, once all that are wanted are there, or gold is decided.

    More than half accept: that is gold, and the unit continues. More than half do not: it goes back to its writer; if
    nobody here wrote it, the most frequent verdict is gold, if one is. Otherwise it waits for an adjudicator, also
    where doubtful verdicts would be what decides (`domain.deciding`).
    """
    item = Item.objects.filter(stage=stage, unit=unit).first()
    if item is None or item.state == ItemState.VOID:
        return
    gold = Gold.objects.filter(unit=unit, layer=stage.layer_id).first()
    if gold is not None:
        if gold.content["verdict"] == ACCEPT:
            forward(stage, unit, by=by)
        else:
            return_answer(stage=stage, unit=unit, by=by)
        return
    if item.answers_open or item.answers_done < item.answers_wanted:
        return
    verdicts = list(
        Annotation.objects.filter(unit=unit, layer=stage.layer_id, state=AnnotationState.DONE)
        .order_by("pk")
        .values_list("content", "doubt")
    )
    is_accepted = decided(verdicts, accepted)
    if is_accepted is None or (not is_accepted and return_answer(stage=stage, unit=unit, by=by)):
        return
    second = decided(verdicts, second_answer)
    if stage.layer.scheme_data.get("second") and second is None:
        # The second question is open still: an adjudicator decides both.
        return
    content = explained(without_doubt(verdicts))
    if content is not None:
        decide_by_answers(stage, unit, {**content, "second": second})


def accepted(verdicts: Sequence[Content]) -> bool | None:
    """Whether more than half of the verdicts accept; None where half of them do."""
    return majority([content["verdict"] == ACCEPT for content in verdicts])


def explained(verdicts: Sequence[Content]) -> Content | None:
    """The content that says what most say; None where as many of them reject as correct, or correct it in another way.
    Of several reasons to reject, the most frequent, then the first. Without an answer to the second question, which is
    counted by itself."""
    side = [content for content in verdicts if (content["verdict"] == ACCEPT) == accepted(verdicts)]
    ways = Counter((one["verdict"], tuple(one["texts"])) for one in side).most_common(2)
    if len(ways) > 1 and ways[0][1] == ways[1][1]:
        return None
    verdict, texts = ways[0][0]
    reasons = Counter(one["reason"] for one in side if (one["verdict"], tuple(one["texts"])) == (verdict, texts))
    return {**VERDICT.empty(), "verdict": verdict, "reason": reasons.most_common(1)[0][0], "texts": list(texts)}


def second_answer(verdicts: Sequence[Content]) -> str | None:
    """What more than half answer to the second question; None where there is no such answer."""
    counts: Counter[str | None] = Counter(one["second"] for one in verdicts)
    answer, number = counts.most_common(1)[0] if counts else (None, 0)
    return answer if 2 * number > len(verdicts) else None
