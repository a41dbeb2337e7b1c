"""The pairs that rules make of an expression, as its sentences and definitions stand."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2s

from annotator.domain.content import DEFINITIONS
from annotator.domain.derivation import DesiredUnit
from annotator.domain.pairs.figurative_pairs import as_tokens
from annotator.domain.pairs.inference_pairs import BY_RULE
from annotator.domain.pairs.inference_pairs import UNIT_KIND as PAIR
from annotator.domain.silver import Definitions, Made, Parser, SilverPair, silver_pairs
from annotator.kinds.impli.units import EXPRESSION, FOCUS, Marked, key_of, marked_in
from annotator.models import LemmaPlace, Project, Segment, Stage, Unit
from annotator.work.derivation.actions.making import Wanted
from annotator.work.gold.queries.effective_content import effective_content

# Of the sentences of one expression; more are not made into pairs.
MAX_USES = 500


def pairs_of(stage: Stage, expression: Unit, parser: Parser) -> tuple[list[Marked], Made]:
    """The sentences with an expression, and the pairs that its definitions make of them. Nine queries."""
    uses, definitions = given(stage, expression)
    return uses, made_of(uses, definitions, parser, stage.language)


def made_of(uses: Sequence[Marked], definitions: Definitions, parser: Parser, language: str) -> Made:
    """The pairs that definitions make of these uses, without those that people have written. A query at most."""
    written: set[tuple[str, str]] = set()
    if uses:
        units = {one.unit.pk for one in uses}
        pairs = Unit.objects.filter(kind=PAIR, is_current=True, parents__kind=FOCUS, parents__parents__in=units)
        written = {(first, second) for first, _line, second in (pair.text.partition("\n") for pair in pairs)}
    return silver_pairs((one.use for one in uses), definitions, parser, language=language, written=written)


def given(stage: Stage, expression: Unit) -> tuple[list[Marked], Definitions]:
    """The sentences with an expression, none where it is not defined, and its definitions."""
    project = stage.project
    defined = effective_content(project, stage.layer, language=stage.language, units=[expression.pk]).get(expression.pk)
    if defined is None:
        return [], Definitions("")
    return uses_of(project, expression), DEFINITIONS.as_definitions(defined)


def uses_of(project: Project, expression: Unit) -> list[Marked]:
    """Where an expression is marked: in the sentences that it is linked to, and in those that have one of its words
    marked and were not gone through since. The first `MAX_USES` of each."""
    key = key_of(expression, range(len(expression.tokens)))
    places = LemmaPlace.objects.filter(
        project=project, language=expression.language, labelled=True, unit__kind=Segment.SENTENCE, unit__is_current=True
    )
    # Not the longest of its words alone: "bit the dust" is found by "dust", and not by "bite", as "had bitten it" is.
    # "Lavarse" is found by "lavar", too.
    lemmas = {*key, key[0].removesuffix("se")} if key else set[str]()
    linked = expression.parents.filter(kind=Segment.SENTENCE, is_current=True)
    found = {
        *linked.order_by("pk").values_list("pk", flat=True)[:MAX_USES],
        *places.filter(lemma__in=lemmas).order_by("unit").values_list("unit", flat=True).distinct()[:MAX_USES],
    }
    sentences = Unit.objects.published().filter(pk__in=found).select_related("segment").order_by("pk")
    return own_uses(expression, list(marked_in(list(sentences), project, expression.language)))


def own_uses(expression: Unit, marked: Sequence[Marked]) -> list[Marked]:
    """Those of the marks that are uses of an expression. Where earlier rules made another expression of the same words,
    each has the sentences that it is linked to. A query at most."""
    key = key_of(expression, range(len(expression.tokens)))
    uses = [one for one in marked if one.key == key]
    if not uses:
        return []
    links = Unit.parents.through.objects.filter(
        to_unit__in={one.unit.pk for one in uses}, from_unit__kind=EXPRESSION, from_unit__is_current=True
    ).select_related("from_unit")
    own = {link.to_unit_id for link in links if link.from_unit_id == expression.pk}
    elsewhere = {
        link.to_unit_id for link in links if key_of(link.from_unit, range(len(link.from_unit.tokens))) == key
    } - own
    return [one for one in uses if one.unit.pk not in elsewhere]


def wanted_pair(pair: SilverPair, marked: Marked, expression: Unit) -> Wanted:
    """The unit that a pair becomes."""
    # What a reader may see, the uid too, does not tell the label.
    identity = f"{pair.rule}:{marked.use.marked}:{expression.segment.uid}"
    key = blake2s(identity.encode(), digest_size=6).hexdigest()
    text = as_tokens((" ".join(pair.premise.split("\n")), pair.hypothesis))
    return Wanted(marked.unit, DesiredUnit(key, *text, rule=str(BY_RULE[pair.rule]), path=""), also_of=expression)


def same(unit: Unit, wanted: Wanted) -> bool:
    """Whether a pair reads as wanted."""
    return (unit.tokens, unit.spaces) == (list(wanted.desired.tokens), list(wanted.desired.spaces))
