"""Trial items: somebody answers one whose right answers are known before they are given work in a stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from annotator.domain.content.base import Content, ContentType


@dataclass(frozen=True, slots=True)
class Trial:
    """A trial item. `shown`: what its page needs to show it, by name; `accepted`: the contents that solve it.

    `hint` is a sentence for a person who missed it, and does not name a right answer. `told` does, for a person who
    missed it again, so that nobody is stuck.
    """

    accepted: tuple[Content, ...]
    hint: str
    told: str
    shown: Mapping[str, str] = field(default_factory=dict)


def is_solved(trial: Trial, content: Content, kind: ContentType) -> bool:
    """Whether a content says the same as one of the accepted ones (`ContentType.key`)."""
    return kind.key(content) in {kind.key(one) for one in trial.accepted}
