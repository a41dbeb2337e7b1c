"""Gold that never waited in adjudication is opened there: it came with files, or by accepting what agrees."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.database.deadlocks import again_on_deadlock
from annotator.core.errors import ActionError
from annotator.core.policies import check_open
from annotator.models import Item, Layer, Project, User
from annotator.work.answering.actions.policies import check_may_judge
from annotator.work.gold.actions.adjudication import adjudication_stage, make_openable
from annotator.work.gold.actions.gold import held_for_gold


@again_on_deadlock
@transaction.atomic
def open_gold(*, project: Project, unit: int, layer: Layer, by: User) -> Item:
    """The item of a decided unit in its adjudication stage, made where there is none. Nothing is decided by it.

    Raises ActionError when nothing is decided there, or when the person may not decide on it; ArchivedError.
    """
    # Nothing is decided, so nothing is logged, which would ask it.
    check_open(project)
    row, _items, standing = held_for_gold(project, unit, layer)
    stage = adjudication_stage(project, layer, row.language)
    if standing is None or standing.reopened or not row.is_current or stage is None:
        raise ActionError(_("Gold has not been decided here."))
    check_may_judge(row, layer, by)
    make_openable(row, layer)
    return Item.objects.get(stage=stage, unit=row)
