"""Whether the pairs that rules made are what the rules would make now, of the labels, texts and definitions that stand.

A release compares all of them. Pages are told by events: a change that leaves pairs behind is noted once, when it is
made, and the next making of pairs settles it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db.models import QuerySet

from annotator.core.events import log
from annotator.domain.content import DEFINITIONS
from annotator.domain.pairs.inference_pairs import BY_RULE, UNIT_KIND
from annotator.domain.silver import Definitions, Parser, SmallParser
from annotator.domain.verbs import Verb
from annotator.environment import SMALL_PARSER
from annotator.kinds.impli.expressions import expressions_of, stages_for
from annotator.kinds.impli.parsing import READINGS
from annotator.kinds.impli.silver import made_of, own_uses, same, uses_of, wanted_pair
from annotator.kinds.impli.units import EXPRESSION, Marked, marked_in
from annotator.models import Event, Project, Segment, Stage, Unit
from annotator.work.gold.queries.effective_content import effective_content

# Of an expression whose definitions change, so many sentences are looked at.
_LOOKED_AT = 5


@dataclass(frozen=True, slots=True)
class Drift:
    """Pairs (ids) that are no longer made, and the expressions of which some are still to be made."""

    stale: frozenset[int] = frozenset()
    unmade: tuple[Unit, ...] = ()


def drift(project: Project) -> Drift:
    """How the pairs of a project differ from what would be made now. It runs the rules: for jobs."""
    stale: set[int] = set()
    unmade: list[Unit] = []
    for stage in project.stages.filter(kind="define").select_related("layer", "project").order_by("pk"):
        there = _by_rule(project, stage.language)
        by_expression = _by_expression(there)
        defined = effective_content(project, stage.layer, language=stage.language)
        fits: set[int] = set()
        may_enter = bool(stages_for(project, stage.language, UNIT_KIND))
        for expression in expressions_of(project, stage.language):
            if expression.pk not in defined:
                continue
            definitions = DEFINITIONS.as_definitions(defined[expression.pk])
            compared = _compared(
                expression, uses_of(project, expression), definitions, by_expression.get(expression.pk, ())
            )
            fits |= compared.fits
            if compared.missing and may_enter:
                unmade.append(expression)
        stale |= {pair.pk for pair in there} - fits
    return Drift(frozenset(stale), tuple(unmade))


def is_outdated(stage: Stage) -> bool:
    """Whether something changed since pairs were last made, so that they would be others now. One query, by index."""
    last = _last(stage)
    return last is not None and (last.verb == Verb.PAIRS_OUTDATED or bool((last.after or {}).get("more")))


def note_sentences(stage: Stage, units: Sequence[Unit], expressions: Collection[Unit]) -> None:
    """Note it where pairs of these sentences, whose labels changed, are others now. `expressions`: what they mark."""
    if not _can_drift(stage):
        return
    project, language = stage.project, stage.language
    there = _by_rule(project, language, parents__segment__in=[unit.segment_id for unit in units])
    by_expression = _by_expression(there)
    parents = expressions_of(project, language).filter(pk__in=by_expression)
    known = {unit.pk: unit for unit in (*expressions, *parents)}
    defined = effective_content(project, stage.layer, language=language, units=list(known))
    marked = list(marked_in(units, project, language))
    for expression in known.values():
        uses = own_uses(expression, marked)
        if _differs(stage, expression, uses, defined.get(expression.pk), by_expression.get(expression.pk, ())):
            _note(stage)
            return


def note_definitions(stage: Stage, expression: Unit) -> None:
    """Note it where pairs of an expression, whose definitions changed, are others now. It looks at some sentences."""
    if not _can_drift(stage):
        return
    project = stage.project
    there = _by_rule(project, stage.language, parents=expression)
    if not there:
        # What is defined for the first time is told by the number of definitions.
        return
    looked_at = expression.parents.filter(kind=Segment.SENTENCE, is_current=True).select_related("segment")
    sentences = list(looked_at.order_by("pk")[:_LOOKED_AT])
    uses = own_uses(expression, list(marked_in(sentences, project, stage.language)))
    segments = {unit.segment.uid for unit in sentences}
    of_these = [pair for pair in there if pair.segment.group in segments]
    defined = effective_content(project, stage.layer, language=stage.language, units=[expression.pk])
    if _differs(stage, expression, uses, defined.get(expression.pk), of_these):
        _note(stage)


@dataclass(frozen=True, slots=True)
class _Compared:
    """The pairs (ids) that would be made now, and the texts of those that would, and are not there."""

    fits: frozenset[int]
    missing: tuple[tuple[str, ...], ...] = ()


def _compared(expression: Unit, uses: Sequence[Marked], definitions: Definitions, there: Sequence[Unit]) -> _Compared:
    """Pairs of an expression beside what its uses and definitions make now.

    A parser that needs a model is not asked: a pair fits that is made in any reading, and none is listed as missing.
    """
    is_sure = settings.PARSER == SMALL_PARSER
    parsers: Sequence[Parser] = [SmallParser(expression.language)] if is_sure else READINGS
    fits: set[int] = set()
    missing: list[tuple[str, ...]] = []
    for parser in parsers:
        made = made_of(uses, definitions, parser, expression.language)
        wanted = {one.uid: one for one in (wanted_pair(pair, uses[pair.use], expression) for pair in made.pairs)}
        found = [pair for pair in there if pair.segment.uid in wanted and same(pair, wanted[pair.segment.uid])]
        fits |= {pair.pk for pair in found}
        if is_sure:
            present = {pair.segment.uid for pair in found}
            missing += [one.desired.tokens for uid, one in wanted.items() if uid not in present]
    return _Compared(frozenset(fits), tuple(missing))


def _differs(
    stage: Stage, expression: Unit, uses: Sequence[Marked], content: dict[str, str] | None, there: Sequence[Unit]
) -> bool:
    definitions = Definitions("") if content is None else DEFINITIONS.as_definitions(content)
    compared = _compared(expression, uses, definitions, there)
    if len(compared.fits) < len(there):
        return True
    # Of two sentences that read the same, one alone has the pair.
    missing = set(compared.missing)
    if not missing:
        return False
    elsewhere = expression.children.filter(
        kind=UNIT_KIND, is_current=True, token_count__in={len(tokens) for tokens in missing}
    )
    return not missing <= {tuple(tokens) for tokens in elsewhere.values_list("tokens", flat=True)}


def _by_rule(project: Project, language: str, **where: object) -> list[Unit]:
    """The current pairs that were made by rule here."""
    rules = [str(made) for made in BY_RULE.values()]
    rows: QuerySet[Unit] = Unit.objects.published().filter(
        project=project, kind=UNIT_KIND, language=language, is_current=True, imported=None, rule__in=rules, **where
    )
    return list(rows.select_related("segment").defer("lemmas", "content_words").distinct().order_by("pk"))


def _by_expression(pairs: Iterable[Unit]) -> dict[int, list[Unit]]:
    """Pairs by the expression (id) that they were made of."""
    by_id = {pair.pk: pair for pair in pairs}
    links = Unit.parents.through.objects.filter(from_unit__in=by_id, to_unit__kind=EXPRESSION)
    found: dict[int, list[Unit]] = {}
    for pair, expression in links.order_by("from_unit").values_list("from_unit_id", "to_unit_id"):
        found.setdefault(expression, []).append(by_id[pair])
    return found


def _can_drift(stage: Stage) -> bool:
    """Whether pairs were made, and nothing was noted since."""
    last = _last(stage)
    return last is not None and last.verb == Verb.PAIRS_MADE


def _last(stage: Stage) -> Event | None:
    verbs = (Verb.PAIRS_MADE, Verb.PAIRS_OUTDATED)
    rows = Event.objects.filter(subject_type=Stage._meta.model_name or "", subject_id=stage.pk, verb__in=verbs)
    return rows.order_by("-pk").first()


def _note(stage: Stage) -> None:
    log(project=stage.project, actor=None, verb=Verb.PAIRS_OUTDATED, subject=stage)
