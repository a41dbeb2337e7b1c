"""Which expressions are rated or compared: the labels of sentences as they stand, and what came marked with files.

Two labels on the same tokens are one expression, and so are those of several people: nobody is asked twice about the
same words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotator.core.unit_kinds import imported_marks
from annotator.domain.content import Content
from annotator.domain.states import ItemState
from annotator.domain.text.tokens import bare
from annotator.kinds.rating.expressions import TUPLE_KIND, UNIT_KIND, end_of, key_of
from annotator.models import Gold, Item, Layer, Stage, Unit
from annotator.work.derivation.actions.making import Wanted, made_uid, make
from annotator.work.derivation.actions.withdrawing import bring_back, withdraw, withdrawn_from
from annotator.work.queue.actions.items import enter

# What a uid has room for. An expression in so many pieces that it needs more is not rated.
LONGEST_KEY = 100
ByKey = Mapping[int, Mapping[str, Unit]]


def marked_in(stage: Stage) -> str:
    """By which rule the expressions of a stage came about: the layer whose labels they are, or the kind of units that
    came marked. No layer has a name with a colon."""
    if stage.made_from is None:
        return ""
    layer = stage.made_from.layer
    return layer.slug if layer.content_type == Layer.SPANS else f"marked:{layer.unit_kind}"


def gather(stage: Stage, said: Sequence[tuple[Unit, Content | None]]) -> list[Unit]:
    """Bring the expressions of these units in line with what is marked there; returns all that stand now.

    One whose label is gone is withdrawn, with the tuples that have it and what was said of them, and comes back with
    it. What has gold stays. While nothing stands, since labels are changed or several people differ, what somebody has
    begun to answer stays, too. The same number of statements however many units there are; a few more for each
    expression that comes back.
    """
    if stage.made_from is None:
        return []
    rule = marked_in(stage)
    wanted = {unit.pk: _expressions(unit, content) for unit, content in said}
    current, withdrawn = _made_of([unit for unit, _content in said], rule)
    undecided = {unit.pk for unit, content in said if content is None}
    _withdraw_stale(wanted, current, undecided)
    back: list[Unit] = []
    new: list[Wanted] = []
    for unit, _content in said:
        for key in wanted[unit.pk]:
            if key in current.get(unit.pk, {}):
                continue
            if key in withdrawn.get(unit.pk, {}):
                back.append(withdrawn[unit.pk][key])
                continue
            uid = made_uid(unit.segment.uid, f"rated:{rule}:{key}")
            new.append(Wanted(uid, unit, rule, unit.tokens, unit.spaces))
    _bring_back(back)
    standing = [row for unit, rows in current.items() for key, row in rows.items() if key in wanted.get(unit, ())]
    return [*standing, *back, *make(UNIT_KIND, new).values()]


def enter_lacking(stage: Stage, units: Sequence[Unit]) -> None:
    """Let those of the units enter the stage that are not there: a further stage, such as another scale, has them from
    where they are already."""
    there = set(Item.objects.filter(stage=stage, unit__in=units).values_list("unit_id", flat=True))
    enter(stage, [unit for unit in units if unit.pk not in there])


def tuples_of(expressions: Collection[Unit]) -> QuerySet[Unit]:
    """The tuples that have any of these expressions."""
    having = Unit.parents.through.objects.filter(to_unit__in=expressions)
    tuples = Unit.objects.filter(pk__in=having.values("from_unit"), kind=TUPLE_KIND, is_current=True)
    return tuples.select_related("segment").order_by("pk")


def _expressions(unit: Unit, content: Content | None) -> list[str]:
    """The keys of what is marked in a unit, each once, in the order of the text."""
    spans = [span["tokens"] for span in content["spans"]] if content is not None and "spans" in content else []
    marked = [*spans, imported_marks(unit)]
    found = {tuple(sorted(tokens)) for tokens in marked if any(bare(unit.tokens[token]) for token in tokens)}
    keys = [key_of(tokens) for tokens in sorted(found)]
    return [key for key in keys if len(key) <= LONGEST_KEY]


def _made_of(units: Sequence[Unit], rule: str) -> tuple[ByKey, ByKey]:
    """By unit and key, the expressions that are there, and those that were withdrawn from its text as it is. Two
    queries."""
    link = Unit.parents.through.objects.filter(to_unit__in=units, from_unit__kind=UNIT_KIND, from_unit__rule=rule)
    rows = list(link.order_by("from_unit").select_related("from_unit__segment"))
    may_come_back = set(withdrawn_from(units).filter(kind=UNIT_KIND).values_list("pk", flat=True))
    current: defaultdict[int, dict[str, Unit]] = defaultdict(dict)
    withdrawn: defaultdict[int, dict[str, Unit]] = defaultdict(dict)
    for row in rows:
        made = row.from_unit
        if made.is_current:
            current[row.to_unit_id][end_of(made)] = made
        elif made.pk in may_come_back:
            # The newest one remains.
            withdrawn[row.to_unit_id][end_of(made)] = made
    return current, withdrawn


def _withdraw_stale(wanted: Mapping[int, Collection[str]], current: ByKey, undecided: Collection[int]) -> None:
    stale = {
        row.pk: (row, unit) for unit, rows in current.items() for key, row in rows.items() if key not in wanted[unit]
    }
    if not stale:
        return
    tuples = tuples_of([row for row, _unit in stale.values()])
    links = Unit.parents.through.objects.filter(from_unit__in=tuples, to_unit__in=stale)
    in_tuple: defaultdict[int, set[int]] = defaultdict(set)
    for made, expression in links.values_list("from_unit", "to_unit"):
        in_tuple[made].add(expression)
    asked = [*stale, *in_tuple]
    decided = set(Gold.objects.filter(unit__in=asked).values_list("unit_id", flat=True))
    untouched = {"answers_open": 0, "answers_done": 0, "extra_open": 0, "extra_done": 0}
    rows = Item.objects.filter(unit__in=asked).exclude(state=ItemState.FREE, **untouched)
    begun = set(rows.values_list("unit_id", flat=True))

    def about(units: Collection[int]) -> set[int]:
        """The expressions that such units are, or that such tuples have."""
        return {expression for unit in units for expression in in_tuple.get(unit, {unit})}

    kept = about(decided) | {pk for pk in about(begun) if stale[pk][1] in undecided}
    gone = [row for pk, (row, _unit) in stale.items() if pk not in kept]
    withdraw([*tuples_of(gone), *gone], None)


def _bring_back(expressions: Sequence[Unit]) -> None:
    """Undo the withdrawal of expressions, and of the tuples of which all expressions are there again, as they were."""
    if not expressions:
        return
    bring_back(expressions, None)
    other = Unit.parents.through.objects.filter(from_unit=OuterRef("pk"))
    # A tuple that is older than one of its expressions has gone on to a newer revision.
    changed = other.filter(Q(to_unit__is_current=False) | Q(to_unit__gt=OuterRef("pk")))
    whole = withdrawn_from(expressions).filter(~Exists(changed), kind=TUPLE_KIND)
    bring_back(list(Unit.objects.filter(pk__in=whole.values("pk"))), None)
