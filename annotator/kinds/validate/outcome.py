"""What follows from verdicts: the majority accepts, or the text goes back to its writer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from annotator.actions.chains import pass_on
from annotator.actions.gold import decide_gold
from annotator.actions.returns import return_answer
from annotator.domain.content import Content
from annotator.domain.content.verdict import ACCEPT, VERDICT
from annotator.domain.states import AnnotationState, ItemState
from annotator.models import Annotation, Gold, GoldSource, Item, Stage, Unit, User


def settle(stage: Stage, unit: Unit, by: User | None) -> None:
    """Do what the verdicts on a unit ask for, once all that are wanted are there, or gold is decided.

    More than half accept: that is gold, and the unit goes on. More than half do not: it goes back to its writer; where
    nobody here wrote it, the most frequent verdict is gold. Otherwise it waits for an adjudicator.
    """
    item = Item.objects.filter(stage=stage, unit=unit).first()
    if item is None or item.state == ItemState.VOID:
        return
    gold = Gold.objects.filter(unit=unit, layer=stage.layer_id).first()
    if gold is not None:
        if gold.content["verdict"] == ACCEPT:
            pass_on(stage, unit, by=by)
        else:
            return_answer(stage=stage, unit=unit, by=by)
        return
    if item.answers_open or item.answers_done < item.answers_wanted:
        return
    verdicts = list(
        Annotation.objects.filter(unit=unit, layer=stage.layer_id, state=AnnotationState.DONE)
        .order_by("pk")
        .values_list("content", flat=True)
    )
    accepted = sum(content["verdict"] == ACCEPT for content in verdicts)
    if 2 * accepted == len(verdicts):
        return
    if 2 * accepted < len(verdicts) and return_answer(stage=stage, unit=unit, by=by):
        return
    winner = majority(verdicts)
    if stage.layer.scheme_data.get("second") and winner["second"] is None:
        # The second question is open still: an adjudicator decides both.
        return
    # Whose reopened decision is written over counts on from its version.
    before = Gold.all_rows.filter(unit=unit, layer=stage.layer_id).values_list("reopened", flat=True).first()
    if before:
        return
    decide_gold(
        project=stage.project, unit=unit.pk, layer=stage.layer, version=0, content=winner, by=None,
        source=GoldSource.AGREED,
    )  # fmt: skip


def majority(verdicts: Sequence[Content]) -> Content:
    """The content that says what most say; of those that explain it in several ways, the most frequent, then the
    first. The second question is counted by itself; without a majority it has no answer."""
    accepted = [content for content in verdicts if content["verdict"] == ACCEPT]
    side = accepted if 2 * len(accepted) > len(verdicts) else [one for one in verdicts if one["verdict"] != ACCEPT]
    explained = Counter((one["verdict"], one["reason"], tuple(one["texts"])) for one in side)
    (verdict, reason, texts), _number = explained.most_common(1)[0]
    second, number = Counter(one["second"] for one in verdicts).most_common(1)[0]
    return {
        **VERDICT.empty(),
        "verdict": verdict,
        "reason": reason,
        "texts": list(texts),
        "second": second if 2 * number > len(verdicts) else None,
    }
