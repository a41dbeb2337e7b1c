"""Sentences with a marked word: each word that is labelled by itself, so that another one can take its place. And the
words to choose from, of what people wrote for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from annotator.domain.content import Content
from annotator.domain.derivation import ByAnswerAndLabels, DerivedUnit, DesiredUnit, Rule, SourceState
from annotator.domain.labels.label_uses import replaceable_labels
from annotator.domain.labels.schemes import Scheme
from annotator.domain.text.marked import mark_token, marked_at
from annotator.domain.text.one_word import counted_words, in_case_of, word_key
from annotator.domain.text.tokens import is_punctuation
from annotator.kinds.substitution.units import RULE, WORDS, WORDS_END, position_of


def _marked(state: SourceState, content: Content) -> Sequence[DesiredUnit]:
    return list(_marked_words(state, content))


def _marked_words(state: SourceState, content: Content) -> Iterator[DesiredUnit]:
    labels = replaceable_labels(Scheme.from_json(state.scheme))
    spans = [span for span in content.get("spans", ()) if span["label"] in labels]
    for position in sorted({span["tokens"][0] for span in spans if len(span["tokens"]) == 1}):
        if not is_punctuation(state.tokens[position]):
            tokens, spaces, at = mark_token(state.tokens, state.spaces, position).tokens()
            yield DesiredUnit(str(at), tuple(tokens), tuple(spaces))


MARKED_WORDS = ByAnswerAndLabels(_marked)


class WordsOfAll(Rule):
    """The words to choose from: what all wrote for a marked sentence. No answer counts until all are there.

    The word that stands there is not a substitute for itself. Imported words stay, before those that people
    write; and while gold is decided, all stay as they are.
    """

    unit_kind = WORDS
    known_by = WORDS_END.removeprefix(":")

    def derive(self, state: SourceState) -> Sequence[DesiredUnit]:
        came = _came(state)
        marked = marked_at(state.tokens, state.spaces, position_of(state.uid)).word
        written = [
            in_case_of(answer.content["word"], marked) for answer in state.stands.answers if answer.content["word"]
        ]
        known = {word_key(word) for word in (marked, *came)}
        # By the alphabet, as pages offer them (static/work/content/best.js): a voter does not see how often each was
        # written.
        new = sorted((word for word, _count in counted_words(written) if word_key(word) not in known), key=word_key)
        words = (*came, *new)
        if not words:
            return ()
        same = [unit for unit in state.there if set(unit.tokens) == set(words)]
        newest = max(same, key=lambda unit: unit.is_current) if same else None
        return [
            DesiredUnit(
                self.known_by,
                words if newest is None else newest.tokens,
                () if newest is None else newest.spaces,
                # Again as they were imported: nobody's answer is among them.
                rule="" if words == came else RULE,
                path="",
                continues=bool(came),
            )
        ]

    def owns(self, state: SourceState, unit: DerivedUnit) -> bool:
        return True

    def keeps(self, state: SourceState, unit: DerivedUnit, *, is_replaced: bool) -> bool:
        return unit.is_decided


def _came(state: SourceState) -> tuple[str, ...]:
    """Words as they were imported, whatever people have added since; none where people alone wrote them."""
    is_imported = any(unit.is_current and unit.is_imported for unit in state.there)
    return state.there[0].tokens if is_imported else ()


WORDS_OF_ALL = WordsOfAll()
