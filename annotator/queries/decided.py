"""Whether gold is decided: conditions for rows of any table that names a sentence or pair."""

from __future__ import annotations

from django.db.models import Exists, OuterRef

from annotator.models import Gold, PairTag, TagKind


def decided_sentence(sentence: str = "pk") -> Exists:
    """Condition: gold is decided on the sentence that the outer row names."""
    return Exists(Gold.objects.filter(sentence=OuterRef(sentence)))


def decided_pair(language: str | OuterRef, pair: str = "pk") -> Exists:
    """Condition: gold is decided, in this language, on the pair that the outer row names."""
    return Exists(PairTag.objects.filter(pair=OuterRef(pair), language=language, kind=TagKind.GOLD))
