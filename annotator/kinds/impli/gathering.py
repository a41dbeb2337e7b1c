"""Expressions from marked sentences, and silver pairs from expressions: brought in line, some at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.db import transaction

from annotator.core.events import log
from annotator.domain.content import DEFINITIONS
from annotator.domain.effective_content import Answer
from annotator.domain.effective_content import effective_answer as chosen
from annotator.domain.pairs.inference_pairs import UNIT_KIND
from annotator.domain.silver import Made, Parser
from annotator.domain.stable_shuffle import stable_shuffle
from annotator.domain.states import AnnotationState
from annotator.domain.text.parsed import ParsedParser
from annotator.domain.text.tokens import text_of, tokenise
from annotator.domain.verbs import Verb
from annotator.kinds.impli.expressions import expressions_of, stages_for
from annotator.kinds.impli.parsing import parser_of
from annotator.kinds.impli.silver import given, pairs_of, same, wanted_pair
from annotator.kinds.impli.units import Marked
from annotator.kinds.impli.up_to_date import is_outdated
from annotator.models import Annotation, Event, Gold, Item, Segment, Stage, Unit, User
from annotator.work.derivation.actions.changes import labels_changed
from annotator.work.derivation.actions.making import Wanted, make
from annotator.work.derivation.actions.withdrawing import restore, withdraw, withdrawn_from
from annotator.work.queue.actions.items import enter
from annotator.work.queue.queries.progress import stage_progress

# So many sentences or expressions in one call: a second's work.
SENTENCES, EXPRESSIONS = 200, 10


# Of what is refused for one reason, so many are named.
NAMED = 50


@dataclass(frozen=True, slots=True)
class NotMade:
    """A pair that was not made: why, of which sentence (its segment and text), and with which definition."""

    reason: str
    segment: int
    sentence: str
    definition: str


@dataclass(slots=True)
class Gathered:
    """What one call did. `after`: where the next one continues; None at the end. `refused`: by reason, in all; `named`:
    the first `NAMED` of each reason."""

    after: int | None
    made: int = 0
    withdrawn: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    named: list[NotMade] = field(default_factory=list)


@transaction.atomic
def gather_expressions(*, stage: Stage, after: int) -> Gathered:
    """Make what the labels of the next sentences after the unit `after` become, and is not there yet: expressions and
    sentences to rewrite. `made` counts the expressions."""
    found = Unit.objects.published().filter(
        project=stage.project, kind=Segment.SENTENCE, language=stage.language, is_current=True, pk__gt=after,
        lemma_places__labelled=True,
    )  # fmt: skip
    sentences = list(found.select_related("segment").distinct().order_by("pk")[:SENTENCES])
    before = expressions_of(stage.project, stage.language).count()
    labels_changed(stage.project.label_layer, sentences, by=None)
    made = expressions_of(stage.project, stage.language).count() - before
    return Gathered(sentences[-1].pk if len(sentences) == SENTENCES else None, made=made)


def make_pairs(*, stage: Stage, after: int, by: User | None) -> Gathered:
    """Bring the pairs of the next expressions after the unit `after` in line with definitions and marked sentences.

    Pairs whose definition or sentence changed are replaced by a new revision, those that no longer follow are
    withdrawn. All enter the stages for such pairs. Raises ActionError when the parser that is set cannot be used.
    """
    with parser_of(stage.language) as parser:
        # A model takes its time, and nobody else could write meanwhile.
        most = _read_ahead(stage, after, parser) if isinstance(parser, ParsedParser) else EXPRESSIONS
        return _make_pairs(stage, after, most, parser, by)


def new_definitions(stage: Stage) -> bool:
    """Whether more expressions are defined than when pairs were last made of them. Two queries, by index."""
    events = Event.objects.filter(subject_type=Stage._meta.model_name, subject_id=stage.pk, verb=Verb.PAIRS_MADE)
    last = events.order_by("-pk").values_list("after", flat=True).first()
    return stage_progress(stage).done > (last or {}).get("definitions", 0)


def _read_ahead(stage: Stage, after: int, parser: ParsedParser) -> int:
    """Have parsed what the next expressions need; how many of them, so that a call does not last long."""
    texts: set[str] = set()
    most = EXPRESSIONS
    for number, expression in enumerate(_next(stage, after, EXPRESSIONS), start=1):
        uses, definitions = given(stage, expression)
        texts |= {text_of(one.use.tokens) for one in uses}
        written = (definitions.correct, definitions.adversarial, definitions.antonym)
        texts |= {text_of(tokenise(text)) for text in written if text.strip()}
        if len(texts) >= SENTENCES:
            most = number
            break
    parser.learn(sorted(texts))
    return most


@transaction.atomic
def _make_pairs(stage: Stage, after: int, most: int, parser: Parser, by: User | None) -> Gathered:
    _hold(stage)
    expressions = _next(stage, after, most)
    done = Gathered(expressions[-1].pk if len(expressions) == most else None)
    for expression in expressions:
        uses, made = pairs_of(stage, expression, parser)
        _store(stage, expression, uses, made, done, by)
        _tell(done, uses, made)
    is_over = done.after is None
    if done.made or done.withdrawn or (is_over and (new_definitions(stage) or is_outdated(stage))):
        numbers = {
            "made": done.made,
            "withdrawn": done.withdrawn,
            "refused": dict(done.refused),
            "definitions": stage_progress(stage).done,
        }
        log(
            project=stage.project,
            actor=by,
            verb=Verb.PAIRS_MADE,
            subject=stage,
            # What is still to come is not up to date.
            after={**numbers, "parser": parser.name, **({} if is_over else {"more": True})},
        )
    return done


def _tell(done: Gathered, uses: Sequence[Marked], made: Made) -> None:
    for one in made.refusals:
        unit = uses[one.use].unit
        done.refused[one.reason.value] += 1
        if done.refused[one.reason.value] <= NAMED:
            done.named.append(NotMade(one.reason.value, unit.segment_id, unit.text, one.definition))


def _next(stage: Stage, after: int, most: int) -> list[Unit]:
    return list(expressions_of(stage.project, stage.language).filter(pk__gt=after)[:most])


def _store(stage: Stage, expression: Unit, uses: Sequence[Marked], made: Made, done: Gathered, by: User | None) -> None:
    """Bring the pairs of an expression in line. The same number of statements however many there are; a few more for
    each that comes back with somebody's verdicts."""
    children = expression.children.filter(kind=UNIT_KIND, is_current=True).select_related("segment")
    before = {row.segment.uid: row for row in children}
    wanted = {one.uid: one for one in (wanted_pair(pair, uses[pair.use], expression) for pair in made.pairs)}
    unchanged = {uid: row for uid, row in before.items() if uid in wanted and same(row, wanted[uid])}
    withdraw([row for uid, row in before.items() if uid not in unchanged], by)
    done.withdrawn += sum(uid not in wanted for uid in before)
    missing = {uid: one for uid, one in wanted.items() if uid not in unchanged}
    author = _author(stage, expression) if missing else None
    back = _withdrawn(missing, author)
    restore(list(back.values()), by)
    # Those who judge them are shown numbers that count on: they must not tell of the rule either.
    to_make = sorted((one for uid, one in missing.items() if uid not in back), key=lambda one: stable_shuffle(one.uid))
    new = make(stage.project, UNIT_KIND, [replace(one, desired=replace(one.desired, author=author)) for one in to_make])
    done.made += len(new) + len(back)
    unchanged |= back
    for target in stages_for(stage.project, stage.language, UNIT_KIND):
        there = set(Item.objects.filter(stage=target, unit__in=unchanged.values()).values_list("unit_id", flat=True))
        enter(target, [*new, *(unit for unit in unchanged.values() if unit.pk not in there)])


def _withdrawn(missing: Mapping[str, Wanted], author: int | None) -> dict[str, Unit]:
    """By uid, the withdrawn pairs that are made of the same: a definition went and came back, say."""
    rows = withdrawn_from([one.source for one in missing.values()])
    rows = rows.filter(kind=UNIT_KIND, author=author, segment__uid__in=missing).select_related("segment")
    return {row.segment.uid: row for row in rows.order_by("pk") if same(row, missing[row.segment.uid])}


def _author(stage: Stage, expression: Unit) -> int | None:
    """Who gave the definitions that stand: of gold the first who had answered the same, else who decided."""
    rows = Annotation.objects.filter(unit=expression, layer=stage.layer_id, state=AnnotationState.DONE).order_by("pk")
    answers = [Answer(*row) for row in rows.values_list("mode", "content", "user_id")]
    gold = Gold.objects.filter(unit=expression, layer=stage.layer_id).first()
    if gold is None:
        stands = chosen(answers)
        return stands.user if stands else None
    key = DEFINITIONS.key(gold.content)
    return next((one.user for one in answers if DEFINITIONS.key(one.content) == key), gold.decided_by_id)


def _hold(stage: Stage) -> None:
    """One call at a time: two would make the same."""
    Stage.objects.select_for_update(no_key=True).get(pk=stage.pk)
