"""Which English words are adjectives, as far as their ending or a short list tells."""

from __future__ import annotations

from annotator.domain.text.word_sets import word_set

_ADJECTIVES = word_set(
    "angry annoying bad big black blank blue bold brave bright broad brown calm cheap clean clear cold cool dark dead "
    "deep dense difficult dim dry dull easy empty faint fair fast fat fierce fine firm flat fresh full gentle giant "
    "gold good grand gray great green grey happy hard harsh heavy high hot huge keen large late little long loose "
    "loud low mad new nice odd old open pale plain poor proud pure quick quiet rare raw red rich ripe rough sad safe "
    "sharp short sick silent slow small smooth soft sour stale steep stiff strange strong sweet swift tall tame thick "
    "thin tight tiny vast warm weak wet white whole wide wild wise young"
)
# Not those in which many nouns end, too: "fish", "table".
_ADJECTIVE_ENDS = ("ous", "ful", "less")


def is_adjective(word: str) -> bool:
    """Whether a word in lower case is an adjective, as its ending or a short list says."""
    return word in _ADJECTIVES or word.endswith(_ADJECTIVE_ENDS)
