"""Which expressions are rated or compared: the labels of sentences as they stand, and what came marked with files.

Two labels on the same tokens are one expression, and so are those of several people: nobody is asked twice about the
same words.
"""

from __future__ import annotations

from collections.abc import Sequence

from annotator.domain.content import SPANS
from annotator.domain.derivation import DerivedUnit, DesiredUnit, Rule, SourceState
from annotator.domain.text.tokens import bare
from annotator.kinds.rating.expressions import UNIT_KIND, key_of

# What a uid has room for. An expression in so many pieces that it needs more is not rated.
MAX_KEY_LENGTH = 100


def rule_of(layer: str, content_type: str, unit_kind: str) -> str:
    """By which rule the expressions of a stage came about: the layer whose labels they are, or the kind of units that
    came marked. No layer has a name with a colon."""
    return layer if content_type == SPANS.slug else f"marked:{unit_kind}"


class MarkedExpressions(Rule):
    """An expression without its label goes, with the tuples that have it and what was said of them, and comes back with
    the label. What has gold stays. While nothing stands, since labels are changed or several people differ, what
    somebody has started to answer stays, too."""

    unit_kind = UNIT_KIND
    reads_standing = True

    def derive(self, state: SourceState) -> Sequence[DesiredUnit]:
        content = state.stands.content() or {}
        spans = [span["tokens"] for span in content.get("spans", ())]
        marked = {tuple(sorted(tokens)) for tokens in (*spans, state.marked)}
        worded = [tokens for tokens in sorted(marked) if any(bare(state.tokens[token]) for token in tokens)]
        rule = _rule(state)
        return [
            DesiredUnit(key, state.tokens, state.spaces, rule=rule, path=f"rated:{rule}")
            for key in map(key_of, worded)
            if len(key) <= MAX_KEY_LENGTH
        ]

    def owns(self, state: SourceState, unit: DerivedUnit) -> bool:
        return unit.rule == _rule(state)

    def keeps(self, state: SourceState, unit: DerivedUnit, *, is_replaced: bool) -> bool:
        return unit.is_decided or (unit.is_begun and state.stands.content() is None)


def _rule(state: SourceState) -> str:
    return rule_of(state.layer, state.content_type, state.unit_kind)


MARKED_EXPRESSIONS = MarkedExpressions()
