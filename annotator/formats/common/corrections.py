"""Where a person said that a sentence or a token begins, or does not, otherwise than the rules have it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

SPLIT, JOIN = "split", "join"
# Of a draft; nobody corrects more by hand.
MAX_CORRECTIONS = 100_000
_KEY = re.compile(r"[0-9a-f]{16}")


def text_key(text: str) -> str:
    """Stands for a text in corrections."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass
class Corrections:
    """By text, as its key, and place in it: where one begins (SPLIT) or does not (JOIN).

    Of tokens the key is `text_key`, of sentences `sentence_splits.paragraph_key`; a place is the index of the first
    code point, and in a paragraph that after the last one joins the next paragraph.
    """

    places: dict[str, dict[int, str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.places)

    def __len__(self) -> int:
        return sum(map(len, self.places.values()))

    def correct(self, key: str, place: int, what: str) -> None:
        """Split or join at a place; what takes an earlier correction back leaves none."""
        mine = self.places.setdefault(key, {})
        if mine.get(place, what) != what:
            del mine[place]
        else:
            mine[place] = what
        if not mine:
            del self.places[key]

    def unused(self, used: set[str]) -> int:
        """How many are of texts whose keys are not among these."""
        return sum(len(mine) for key, mine in self.places.items() if key not in used)

    def to_json(self) -> dict[str, dict[str, str]]:
        """As it is stored: by text and place, "split" or "join"."""
        return {key: {str(place): what for place, what in mine.items()} for key, mine in self.places.items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Mapping[str, str]]) -> Corrections:
        """The inverse of `to_json`. Raises ValueError with what cannot be one."""
        found: dict[str, dict[int, str]] = {}
        for key, mine in data.items():
            if not isinstance(key, str) or not _KEY.fullmatch(key) or not isinstance(mine, Mapping):
                raise ValueError(str(key))
            for place, what in mine.items():
                if not str(place).isdecimal() or len(str(place)) > 9 or what not in (SPLIT, JOIN):
                    raise ValueError(f"{place}: {what}")
                found.setdefault(key, {})[int(place)] = what
        if sum(map(len, found.values())) > MAX_CORRECTIONS:
            raise ValueError(f"> {MAX_CORRECTIONS}")
        return cls(found)


NONE = Corrections()
