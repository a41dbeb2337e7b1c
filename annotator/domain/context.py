"""How much of what stands around a sentence a stage shows beside it."""

from __future__ import annotations

from enum import StrEnum


class Context(StrEnum):
    """From least to most; each shows what those before it show."""

    NOTHING = "nothing"
    NEIGHBOURS = "neighbours"  # sentences of its document or group, but for the other sides of its pairs
    OTHER_SIDE = "other-side"  # the premise of a hypothesis, the hypotheses of a premise
    INFERENCE = "inference"  # with the inference labels of its pairs

    def shows(self, other: Context) -> bool:
        """Whether this level shows all that `other` does."""
        return _ORDER.index(self) >= _ORDER.index(other)


_ORDER = list(Context)


def least(*levels: Context) -> Context:
    """The level that shows least.

    >>> least(Context.INFERENCE, Context.NEIGHBOURS).value
    'neighbours'
    """
    return min(levels, key=_ORDER.index)


def most(*levels: Context) -> Context:
    """The level that shows most."""
    return max(levels, key=_ORDER.index)


def below(level: Context) -> list[Context]:
    """The levels that show less."""
    return _ORDER[: _ORDER.index(level)]
