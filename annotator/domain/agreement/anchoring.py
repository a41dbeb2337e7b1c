"""How far suggestions lead people: what became of suggested places where they were shown, and where they were not.

The share of suggested places that people accepted who saw the suggestion is set against the share that others marked
in the same way without seeing it; of all other places, the share that either marked. Both are of the same units, so
neither the machine nor the text makes the difference. What is left is how the two people differ, and what the
suggestion does; a person who marks more of everything does so at the other places, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from annotator.domain.agreement.bootstrap import Resampled, resample
from annotator.domain.agreement.coefficients import Floats, ratio
from annotator.domain.agreement.plan import RESAMPLES

# Columns of a unit: suggested places, those accepted, those that blind people marked so; then other places, and those
# that either marked.
_SUGGESTED, _ACCEPTED, _BLIND, _OTHER, _ADDED, _BLIND_ADDED = range(6)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a person who saw `suggested` gave on a unit. `person`: their number."""

    person: int
    suggested: Sequence[str]
    given: Sequence[str]


@dataclass
class Anchoring:
    """Sums of each person who saw suggestions, over units that somebody else did blind. `unmarked`: as in a plan; the
    category of a place that is not suggested, where a suggestion may leave places out."""

    unmarked: str
    _units: dict[int | None, Counter[tuple[float, ...]]] = field(default_factory=dict)

    def add(self, seen: Sequence[Seen], blind: Sequence[Sequence[str]]) -> None:
        """Count a unit: the answers of those who saw a suggestion, and those of others who did not."""
        if not blind:
            return
        together = np.zeros(6)
        for one in seen:
            sums = self._sums(one, blind)
            if sums.any():
                self._units.setdefault(one.person, Counter())[tuple(sums.tolist())] += 1
            together += sums
        if together.any():
            self._units.setdefault(None, Counter())[tuple(together.tolist())] += 1

    def _sums(self, seen: Seen, blind: Sequence[Sequence[str]]) -> Floats:
        sums = np.zeros(6)
        for at, (suggested, given) in enumerate(zip(seen.suggested, seen.given, strict=False)):
            others = [answer[at] for answer in blind if at < len(answer)]
            if not others:
                continue
            if suggested != self.unmarked:
                sums[_SUGGESTED] += 1
                sums[_ACCEPTED] += given == suggested
                sums[_BLIND] += others.count(suggested) / len(others)
            else:
                sums[_OTHER] += 1
                sums[_ADDED] += given != self.unmarked
                sums[_BLIND_ADDED] += 1 - others.count(self.unmarked) / len(others)
        return sums

    def rows(self, *, seed: int, resamples: int = RESAMPLES) -> list[dict[str, Any]]:
        """A row for all together (`person` is None) and one for each person: shares with their intervals, and the
        difference that suggestions make (`led`), in shares of suggested places."""
        found = []
        for person in sorted(self._units, key=lambda one: (one is not None, one or 0)):
            units = self._units[person]
            sample = resample(
                np.array(list(units)), seed=(seed, 0 if person is None else 1 + person), resamples=resamples,
                times=list(units.values()),
            )  # fmt: skip
            found.append({"person": person, "units": sum(units.values()), **_row(sample)})
        return found


def _row(sample: Resampled) -> dict[str, Any]:
    def share(part: int, whole: int) -> dict[str, Any]:
        return sample.estimate(lambda sums: ratio(sums[..., part], sums[..., whole])).to_json()

    def less(one: int, other: int, whole: int) -> dict[str, Any]:
        return sample.estimate(lambda sums: ratio(sums[..., one] - sums[..., other], sums[..., whole])).to_json()

    return {
        "suggested": int(sample.whole[_SUGGESTED]),
        "accepted": share(_ACCEPTED, _SUGGESTED),
        "blind": share(_BLIND, _SUGGESTED),
        "led": less(_ACCEPTED, _BLIND, _SUGGESTED),
        "others": int(sample.whole[_OTHER]),
        "added": share(_ADDED, _OTHER),
        "blind_added": share(_BLIND_ADDED, _OTHER),
        "less_added": less(_ADDED, _BLIND_ADDED, _OTHER),
    }
