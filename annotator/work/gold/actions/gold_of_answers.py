"""Gold that answers become by themselves, where `Kind.outcome` makes it, and that goes with one of them."""

from __future__ import annotations

from annotator.core.intake import Holds
from annotator.core.kind import kind_of, makes_gold
from annotator.domain.content import Content
from annotator.models import Assignment, Gold, GoldSource, Item, Stage, Unit, User
from annotator.work.gold.actions.adjudication import make_openable
from annotator.work.gold.actions.gold import decide_gold, take_back
from annotator.work.gold.queries.gold_of_answers import SOMEBODYS, changeable_gold
from annotator.work.queue.actions.items import retire


def decide_by_answers(stage: Stage, unit: Unit, content: Content, *, reason: str = "") -> None:
    """Make gold of what the finished answers to a unit say together. What a person undid is theirs to decide."""
    if Gold.all_rows.filter(SOMEBODYS, unit=unit, layer=stage.layer_id).exists():
        return
    decide_gold(
        project=stage.project, unit=unit.pk, layer=stage.layer, version=0, content=content, reason=reason, by=None,
        source=GoldSource.AGREED,
    )  # fmt: skip
    make_openable(unit, stage.layer)


def take_back_of_answers(row: Assignment, *, by: User) -> bool:
    """Take back the gold of an assignment's unit, since the person changes an answer that it came of, and what
    followed from it. Returns whether it could be (`queries.gold_of_answers`). Unit and item are held."""
    stage, unit = row.stage, row.unit
    if not makes_gold(kind_of(stage)):
        return False
    gold = changeable_gold(stage, by).filter(unit=unit).select_for_update(no_key=True, of=("self",)).first()
    if gold is None:
        return False
    unit.project = row.project
    _leave_next(stage, unit, by)
    others = Item.objects.filter(unit=unit, stage__layer=stage.layer_id).exclude(stage__kind=Stage.ADJUDICATE)
    items = [row.item if one.pk == row.item_id else one for one in others.select_for_update(no_key=True).order_by("pk")]
    take_back(unit, stage.layer, items, gold, by=by)
    return True


def _leave_next(stage: Stage, unit: Unit, by: User) -> None:
    """Undo `filling.forward`: nobody has worked on the unit there, and it may go on again. Claims of it go with it."""
    for target in stage.makes.filter(layer__unit_kind=unit.kind):
        if kind_of(target).intake.holds(target) == Holds.FORWARDED:
            items = Item.objects.filter(stage=target, unit=unit)
            retire(items, user=by)
            items.delete()
