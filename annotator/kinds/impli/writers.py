"""Who wrote the pairs that rules made: everybody who ever gave one of the definitions that make them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from annotator.domain.content import DEFINITIONS, Content
from annotator.domain.pairs.figurative_pairs import as_tokens
from annotator.domain.silver import Refusal, Sense, Use, put_in_place
from annotator.domain.states import AnnotationState
from annotator.domain.text.tokens import text_of
from annotator.kinds.impli.parsing import READINGS
from annotator.kinds.impli.units import EXPRESSION, key_of
from annotator.models import Annotation, Event, Segment, Unit, User
from annotator.work.answering.queries.own import wrote_the_same


def wrote(user: User, units: Sequence[Unit]) -> set[int]:
    """Those of the pairs that the user has written, too, and that a definition of theirs makes, also one that they have
    changed since.

    Two queries, and three more where the user has defined one of the expressions.
    """
    return wrote_the_same(user, units) | _defined(user, units)


def _defined(user: User, units: Sequence[Unit]) -> set[int]:
    links = Unit.parents.through.objects.filter(from_unit__in=units, to_unit__kind=EXPRESSION)
    expression_of = dict(
        links.filter(
            to_unit__annotations__user=user, to_unit__annotations__layer__content_type=DEFINITIONS.slug
        ).values_list("from_unit", "to_unit")
    )
    if not expression_of:
        return set()
    given = _given(user, set(expression_of.values()))
    parents: dict[int, dict[str, Unit]] = {}
    links = Unit.parents.through.objects.filter(from_unit__in=expression_of).select_related("to_unit")
    for link in links:
        parents.setdefault(link.from_unit_id, {})[link.to_unit.kind] = link.to_unit
    found = set()
    for unit in units:
        if unit.pk in expression_of and given.get(expression_of[unit.pk]):
            sentence, expression = parents[unit.pk].get(Segment.SENTENCE), parents[unit.pk][EXPRESSION]
            if sentence is not None and _makes(unit, sentence, expression, given[expression.pk]):
                found.add(unit.pk)
    return found


def _given(user: User, expressions: set[int]) -> dict[int, list[Content]]:
    """By expression, every definition that the user ever finished."""
    rows = Annotation.objects.filter(user=user, unit__in=expressions, layer__content_type=DEFINITIONS.slug)
    unit_of, found = {}, dict[int, list[Content]]()
    for pk, unit, state, content in rows.values_list("pk", "unit_id", "state", "content"):
        unit_of[pk] = unit
        if state == AnnotationState.DONE:
            found.setdefault(unit, []).append(content)
    events = Event.objects.filter(subject_type=Annotation._meta.model_name, subject_id__in=unit_of)
    for subject, *sides in events.values_list("subject_id", "before", "after"):
        for side in sides:
            if side and side.get("state") == AnnotationState.DONE and "content" in side:
                found.setdefault(unit_of[subject], []).append(side["content"])
    return found


def _makes(pair: Unit, sentence: Unit, expression: Unit, given: Iterable[Content]) -> bool:
    premise = " ".join(text_of(sentence.tokens, sentence.spaces).split("\n"))
    texts = {content[name] for content in given for name in DEFINITIONS.names if content[name].strip()}
    for use, text, parser in product(_uses(sentence, expression), texts, READINGS):
        made = put_in_place(use, text, parser, language=sentence.language)
        if not isinstance(made, Refusal) and list(as_tokens((premise, made))[0]) == pair.tokens:
            return True
    return False


def _uses(sentence: Unit, expression: Unit) -> Iterator[Use]:
    """Where the expression stands in one piece, whether or not it is marked there now."""
    key = key_of(expression, range(len(expression.tokens)))
    # Tokens without a letter are not part of a key.
    longest = len(key) + 2
    for begin in range(len(sentence.tokens)):
        for end in range(begin + 1, min(begin + longest, len(sentence.tokens)) + 1):
            marked = tuple(range(begin, end))
            if key_of(sentence, marked) == key:
                lemmas = tuple(lemma.lower() for lemma in sentence.lemmas)
                yield Use(Sense.FIGURATIVE, tuple(sentence.tokens), marked, tuple(sentence.spaces), lemmas)
