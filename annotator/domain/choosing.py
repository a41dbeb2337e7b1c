"""What a decision was chosen from: the answers that were seen, and whose was taken for each difference.

A decision is complete when every difference has a choice, and consistent when it says there what was chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from annotator.domain.content.base import Content, ContentType
from annotator.domain.messages import InvalidError, by_number
from annotator.domain.messages import gettext_noop as _


class ChoiceError(InvalidError):
    """A decision that does not say what it was chosen from, or says something else than what was chosen."""


@dataclass(frozen=True)
class Chosen:
    """What somebody chose. `answers`: by id, the version that was seen. `all`: the answer that was taken as a whole.

    `differences`: by key, the answer that was taken there; None where the person who decides wrote something else.
    `edited`: they also changed what the answers share, or there is nothing to choose from.
    """

    answers: Mapping[int, int] = field(default_factory=dict)
    all: int | None = None
    differences: Mapping[str, int | None] = field(default_factory=dict)
    edited: bool = False


def check_chosen(
    kind: ContentType, chosen: Chosen, content: Content, *, answers: Mapping[int, Content], tokens: tuple[str, ...]
) -> None:
    """Raise ChoiceError unless `content` is decided by a choice for each difference between `answers`, by id, or by
    taking one of them as a whole."""
    taken = [one for one in (chosen.all, *chosen.differences.values()) if one is not None]
    if any(one not in answers for one in taken):
        raise ChoiceError(_("The decision refers to an answer that does not exist. Open the item again."))
    if chosen.all is not None:
        if kind.key(answers[chosen.all]) != kind.key(content):
            raise ChoiceError(_("The decision differs from the answer that it refers to. Choose again."))
        return
    contents = list(answers.values())
    found = {difference.key: difference for difference in kind.differences(contents, tokens=tokens)}
    if chosen.differences.keys() - found.keys():
        raise ChoiceError(_("The decision names a difference that the answers do not have. Open the item again."))
    if missing := len(found.keys() - chosen.differences.keys()):
        text = by_number(
            missing,
            _("The answers differ, and %(number)d difference is not decided. Choose an answer for it."),
            _("The answers differ, and %(number)d differences are not decided. Choose an answer for each of them."),
        )
        raise ChoiceError(text, number=missing)
    if not found and not chosen.edited:
        raise ChoiceError(_("Nothing is chosen. Use a whole answer, or edit the result."))
    shared = kind.merge(contents)
    parts = [
        kind.part(content if one is None else answers[one], found[key], shared=shared)
        for key, one in chosen.differences.items()
    ]
    whole = kind.key(kind.joined(shared, parts))
    own_parts = [kind.part(content, found[key], shared=shared) for key in chosen.differences]
    consistent = whole == kind.key(kind.joined(shared, own_parts)) if chosen.edited else whole == kind.key(content)
    if not consistent:
        raise ChoiceError(_("The decision differs from what was chosen for each difference. Choose again."))
