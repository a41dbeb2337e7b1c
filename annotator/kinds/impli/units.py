"""The units of these kinds, and how marked expressions are found.

*focus*: a sentence with a marked expression, which the last part of its segment's uid names by its tokens
("news-4:…:3.4"). *expression*: an expression by itself, whatever sentences it stands in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from annotator.core.unit_kinds import Closed, Reworded
from annotator.domain.content import SPANS, Content
from annotator.domain.labels.label_uses import literal_labels
from annotator.domain.labels.schemes import Scheme
from annotator.domain.silver import FoundVerb, Sense, Use, grammar_of
from annotator.domain.text.revision import moved_tokens
from annotator.domain.text.tokens import bare, word_of
from annotator.models import Project, Unit
from annotator.work.gold.queries.effective_content import effective_content

FOCUS, EXPRESSION = "focus", "expression"
# Why a focus is closed, as events say it.
FOCUS_CHANGED = "focus changed"
REWRITES, DEFINITIONS = "rewrites", "definitions"

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Marked:
    """A marked expression where it stands. `key` is the same for all forms of one expression. `tokens`: all that are
    marked; `use` has those that another text may take the place of."""

    unit: Unit
    use: Use
    key: Key
    tokens: tuple[int, ...]


def focus_key(tokens: Collection[int]) -> str:
    """The tokens of a focus as a part of a uid."""
    return ".".join(map(str, sorted(tokens)))


def focus_of(uid: str) -> list[int]:
    """The tokens that a focus is. Raises ValueError for another uid."""
    return [int(token) for token in uid.rpartition(":")[2].split(".")]


def focus_wording(unit: Unit, before: Unit, after: Unit) -> Reworded | Closed:
    """A sentence with its focus where its words stand now; closed where one of them is another word."""
    moved = moved_tokens(before.tokens, after.tokens)
    positions = [moved.get(position) for position in focus_of(unit.segment.uid)]
    found = [position for position in positions if position is not None]
    if len(found) < len(positions):
        return Closed(FOCUS_CHANGED)
    return Reworded(tuple(after.tokens), tuple(after.spaces), key=focus_key(found))


def sense_of(label: str, scheme: Scheme) -> Sense:
    """How a span with this label of the scheme is meant: figuratively, unless the scheme says that it is literal."""
    return Sense.LITERAL if label in literal_labels(scheme) else Sense.FIGURATIVE


def key_of(unit: Unit, marked: Collection[int]) -> Key:
    """The lemmas of some of a unit's tokens, as expressions are told apart; () for punctuation only."""
    lemmas = unit.lemmas or [word_of(token) for token in unit.tokens]
    words = tuple(word for word in (word_of(lemmas[index]) for index in sorted(marked)) if word)
    first = _first_verb(unit, marked)
    return words if first is None else (first.base, *words[first.end :])


def name_of(unit: Unit, marked: Collection[int]) -> list[str]:
    """How an expression is called: as it stands, but with its first word as a dictionary has it where that is a verb
    or another content word: "se lavó las manos" is "lavarse las manos"."""
    positions = [index for index in sorted(marked) if bare(unit.tokens[index])]
    words = [bare(unit.tokens[index]) for index in positions]
    first = _first_verb(unit, marked)
    if first is not None:
        return [first.base, *words[first.end :]]
    is_content = bool(positions and unit.content_words) and unit.content_words[positions[0]]
    called = [unit.lemmas[positions[0]].lower() if is_content else word.lower() for word in words[:1]]
    return [*called, *words[1:]]


def _small(unit: Unit) -> tuple[str, ...]:
    """Its lemmas in small letters, as dictionaries have them."""
    return tuple(lemma.lower() for lemma in unit.lemmas)


def _first_verb(unit: Unit, marked: Collection[int]) -> FoundVerb | None:
    """The verb with which an expression begins, if it does; a pronoun may be part of it."""
    grammar = grammar_of(unit.language)
    positions = [index for index in sorted(marked) if bare(unit.tokens[index])]
    if grammar is None or not positions or not unit.lemmas:
        return None
    tokens, lemmas = [unit.tokens[one] for one in positions], [word_of(unit.lemmas[one]) for one in positions]
    return grammar.first_verb(tokens, lemmas, unit.tokens[: positions[0]])


def _without_auxiliary(unit: Unit, marked: Sequence[int]) -> tuple[int, ...]:
    """The tokens that are an expression's own: where it stands in the perfect, "have" is not part of it."""
    positions = [index for index in marked if bare(unit.tokens[index])]
    first = _first_verb(unit, marked)
    return (
        tuple(marked) if not first or not first.begin else tuple(one for one in marked if one >= positions[first.begin])
    )


def marked_in(units: Collection[Unit], project: Project, language: str) -> Iterator[Marked]:
    """Every expression that is marked in these sentences, as their labels stand. Two queries."""
    stands = effective_content(project, project.label_layer, language=language, units=[unit.pk for unit in units])
    for unit in units:
        if unit.pk in stands:
            yield from marked_on(unit, stands[unit.pk], project.scheme)


def marked_on(unit: Unit, content: Content, scheme: Scheme) -> Iterator[Marked]:
    """Every expression that `content` marks in a sentence by labels of the scheme."""
    if not SPANS.is_labelled(content):
        return
    for span in content["spans"]:
        tokens = tuple(sorted(span["tokens"]))
        if tokens and (key := key_of(unit, tokens)):
            own = _without_auxiliary(unit, tokens)
            use = Use(sense_of(span["label"], scheme), tuple(unit.tokens), own, tuple(unit.spaces), _small(unit))
            yield Marked(unit, use, key, tokens)
