"""Expressions by themselves, made of the sentences in which they are marked, and linked to them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db.models import Exists, Max, OuterRef, QuerySet

from annotator.domain.content import Content
from annotator.domain.pairs.inference_pairs import UNIT_KIND as PAIR
from annotator.domain.states import AssignmentState
from annotator.kinds.impli.units import EXPRESSION, Key, Marked, key_of, marked_on, name_of
from annotator.models import Assignment, Item, LemmaPlace, Project, Segment, Stage, Unit, User
from annotator.work.blind.queries.blind import blind_segments
from annotator.work.derivation.actions.making import fitted
from annotator.work.derivation.actions.withdrawing import restore, withdraw
from annotator.work.queue.actions.items import enter, enters

# As many sentences of an expression are shown.
EXAMPLES = 5


def expressions_of(project: Project, language: str) -> QuerySet[Unit]:
    """The current expressions of a language."""
    units = Unit.objects.published().filter(project=project, kind=EXPRESSION, language=language, is_current=True)
    return units.select_related("segment").order_by("pk")


def stages_for(project: Project, language: str, kind: str) -> list[Stage]:
    """The stages that such units enter, made from no answer as they are."""
    rows = project.stages.filter(layer__unit_kind=kind, language=language).exclude(kind=Stage.ADJUDICATE)
    stages = list(rows.select_related("layer", "project"))
    return [stage for stage in stages if enters(stage, stages)]


def add_expressions(stage: Stage, labelled: Sequence[tuple[Unit, Content | None]]) -> list[Unit]:
    """Make the expressions that these sentences mark and that are not there yet, and link each to its sentences; a link
    to a sentence that no longer marks the expression goes. One that no sentence marks any more is withdrawn, with what
    people said of it, and comes back with the next mark. Returns those that these sentences mark.

    Reads the expressions of the same words only.
    """
    scheme = stage.project.scheme
    marked = [one for unit, content in labelled if content is not None for one in marked_on(unit, content, scheme)]
    known, linked = _known(stage, marked)
    new: dict[Key, Marked] = {}
    for one in marked:
        if one.key not in known:
            new.setdefault(one.key, one)
    back = _withdrawn(stage, new)
    if back:
        restore(list(back.values()), None)
        known |= back
        new = {key: one for key, one in new.items() if key not in back}
    if new:
        last = stage.project.slots.filter(kind=EXPRESSION).aggregate(last=Max("position"))["last"] or 0
        made = [_expression(stage, one, last + number) for number, one in enumerate(new.values(), start=1)]
        known |= dict(zip(new, made, strict=True))
    for target in stages_for(stage.project, stage.language, EXPRESSION) if new or back else ():
        entering = [known[key] for key in (*new, *back)]
        there = set(Item.objects.filter(stage=target, unit__in=entering).values_list("unit_id", flat=True))
        enter(target, [unit for unit in entering if unit.pk not in there])
    marks = [linked.get((one.unit.pk, one.key), known[one.key]) for one in marked]
    wanted = {(expression.pk, one.unit.pk) for expression, one in zip(marks, marked, strict=True)}
    _leave(stage, _link([unit for unit, _content in labelled], wanted))
    return list({expression.pk: expression for expression in marks}.values())


def _withdrawn(stage: Stage, keys: Collection[Key]) -> dict[Key, Unit]:
    """Of expressions that are not there, those that were and that no sentence marked any more. One query at most."""
    if not keys:
        return {}
    rows = Unit.objects.filter(
        project=stage.project, kind=EXPRESSION, language=stage.language, is_current=False, imported=None
    )
    found = {key_of(unit, range(len(unit.tokens))): unit for unit in rows.select_related("segment").order_by("pk")}
    return {key: found[key] for key in keys if key in found}


def _leave(stage: Stage, unlinked: Collection[int]) -> None:
    """Withdraw those of these expressions that no sentence marks any more, and the pairs that were made of them; not
    what came with a dictionary."""
    if not unlinked:
        return
    links = Unit.parents.through.objects.filter(from_unit=OuterRef("pk"), to_unit__kind=Segment.SENTENCE)
    left = expressions_of(stage.project, stage.language).filter(~Exists(links), pk__in=unlinked, imported=None)
    if gone := list(left):
        withdraw([*gone, *Unit.objects.filter(parents__in=gone, kind=PAIR, is_current=True)], None)


def _known(stage: Stage, marked: Collection[Marked]) -> tuple[dict[Key, Unit], dict[tuple[int, Key], Unit]]:
    """The expressions that are there: made of a sentence, or imported with a dictionary; and by sentence those that it
    is linked to. Earlier rules may have made another one of it, which it keeps.
    """
    keys = {one.key for one in marked}
    if not keys:
        return {}, {}
    rows = expressions_of(stage.project, stage.language)
    places = LemmaPlace.objects.filter(
        project=stage.project, language=stage.language, lemma__in={lemma for key in keys for lemma in key}
    )
    imported = places.filter(unit__kind=EXPRESSION, unit__imported__isnull=False).values("unit")
    found: dict[Key, Unit] = {}
    # Not an OR: each is a few rows by an index.
    made_here = rows.filter(segment__uid__in=[_uid(stage.language, key) for key in keys])
    links = Unit.parents.through.objects.filter(to_unit__in=[one.unit for one in marked], from_unit__kind=EXPRESSION)
    linked = {unit.pk: unit for unit in rows.filter(pk__in=links.values("from_unit"))}
    for unit in [*rows.filter(pk__in=imported), *made_here, *linked.values()]:
        found.setdefault(key_of(unit, range(len(unit.tokens))), unit)
    own: dict[tuple[int, Key], Unit] = {}
    for expression, sentence in links.order_by("pk").values_list("from_unit_id", "to_unit_id"):
        if expression in linked:
            unit = linked[expression]
            own.setdefault((sentence, key_of(unit, range(len(unit.tokens)))), unit)
    return {key: unit for key, unit in found.items() if key in keys}, own


def _uid(language: str, key: Key) -> str:
    return fitted(f"expression:{language}:{'-'.join(key)}")


def _expression(stage: Stage, marked: Marked, position: int) -> Unit:
    segment, _created = Segment.objects.get_or_create(
        project_id=stage.project_id,
        uid=_uid(stage.language, marked.key),
        defaults={"kind": EXPRESSION, "dataset": "expressions", "position": position},
    )
    tokens = name_of(marked.unit, marked.tokens)
    return Unit.objects.create(
        project_id=stage.project_id,
        segment=segment,
        kind=EXPRESSION,
        language=stage.language,
        tokens=tokens,
        token_count=len(tokens),
        lemmas=list(marked.key),
        touches=[segment.pk],
        rule="marked",
    )


def _link(sentences: Sequence[Unit], wanted: Collection[tuple[int, int]]) -> set[int]:
    """Link expressions to sentences, and to none of these otherwise, as they read now or before. Returns the
    expressions (ids) that lost a link."""
    link = Unit.parents.through
    rows = link.objects.filter(
        to_unit__segment__in=[unit.segment_id for unit in sentences],
        to_unit__language__in={unit.language for unit in sentences},
        to_unit__kind=Segment.SENTENCE,
        from_unit__kind=EXPRESSION,
    )
    there: Mapping[tuple[int, int], int] = {(one.from_unit_id, one.to_unit_id): one.pk for one in rows}
    gone = [pk for pair, pk in there.items() if pair not in wanted]
    if gone:
        link.objects.filter(pk__in=gone).delete()
    missing = sorted(set(wanted) - set(there))
    link.objects.bulk_create(link(from_unit_id=expression, to_unit_id=sentence) for expression, sentence in missing)
    return {expression for expression, sentence in there if (expression, sentence) not in wanted}


def replace_twins(stage: Stage, imported: Sequence[Unit]) -> None:
    """Where an expression was made of marks before it came with a dictionary, the imported one has its sentences, and
    the made one goes; not where somebody has started to define that one. The first of several rows for one has them."""
    by_uid: dict[str, Unit] = {}
    for unit in sorted(imported, key=lambda unit: unit.pk):
        by_uid.setdefault(_uid(stage.language, key_of(unit, range(len(unit.tokens)))), unit)
    rows = expressions_of(stage.project, stage.language).filter(segment__uid__in=by_uid, imported=None)
    begun = Exists(Assignment.objects.filter(unit=OuterRef("pk")).exclude(state=AssignmentState.RETURNED))
    twins = list(rows.exclude(begun).exclude(annotations__isnull=False).exclude(golds__isnull=False))
    for twin in twins:
        twin.parents.through.objects.filter(from_unit=twin).update(from_unit=by_uid[twin.segment.uid])
    withdraw(twins, None)


def examples_of(units: Sequence[Unit], user: User) -> dict[int, dict[str, Any]]:
    """By expression, the first `EXAMPLES` sentences that mark it, as their texts, and how many more do; without those
    on which the user is blind. All items are of one project. Three queries."""
    if not units:
        return {}
    links = Unit.parents.through.objects.filter(from_unit__in=units, to_unit__is_current=True)
    rows = list(links.order_by("pk").values_list("from_unit", "to_unit", "to_unit__segment"))
    project = units[0].project
    hidden = blind_segments(user, project, {segment for *_, segment in rows}, project.label_layer)
    marked: dict[int, list[int]] = {unit.pk: [] for unit in units}
    for expression, sentence, segment in rows:
        if segment not in hidden:
            marked[expression].append(sentence)
    texts = Unit.objects.in_bulk({pk for sentences in marked.values() for pk in sentences[:EXAMPLES]})
    return {
        expression: {
            "examples": [texts[pk].text for pk in sentences[:EXAMPLES]],
            "more": max(0, len(sentences) - EXAMPLES),
        }
        for expression, sentences in marked.items()
    }
