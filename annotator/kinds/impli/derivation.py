"""Sentences to rewrite: each figurative expression that is marked in one."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.domain.content import Content
from annotator.domain.derivation import ByAnswerAndLabels, DesiredUnit, SourceState
from annotator.domain.labels.schemes import Scheme
from annotator.domain.silver import Sense
from annotator.kinds.impli.units import focus_key, sense_of


def _focuses(state: SourceState, content: Content) -> Sequence[DesiredUnit]:
    scheme = Scheme.from_json(state.scheme)
    return [
        DesiredUnit(focus_key(span["tokens"]), state.tokens, state.spaces)
        for span in content.get("spans", ())
        if span["tokens"] and sense_of(span["label"], scheme) is Sense.FIGURATIVE
    ]


FOCUSES = ByAnswerAndLabels(_focuses)
