"""The conclusions for a reader of a dataset, in words, from the scores of its audit.

A score is above chance where it exceeds it by NOTABLE points and by two standard deviations over folds. Chance is the
score of the commonest class, or 100 divided by the number of classes, which a guess in the shares of the classes gives,
whichever is more. Of what the whole instance gains over chance, a part gains nearly all from NEARLY_ALL, most from
MOST. Parts are judged in the split in which the whole instance scores more: where each premise has a hypothesis of each
class, a random split scores below chance, since training shows which classes are left. A lexical split loses
something where the score is NOTABLE points less there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from annotator.domain.audit.scores import Score, Seen, Split, Undefined
from annotator.domain.messages import Message, message
from annotator.domain.messages import gettext_noop as _

NOTABLE = 3.0
NEARLY_ALL, MOST = 0.8, 0.5
# A number as the reader's language writes it.
Written = Callable[[float], str]

_ALONE = {
    Seen.EXPRESSION: _("The expression alone gives %(part)s of %(whole)s"),
    Seen.MASKED: _("The text without the expression gives %(part)s of %(whole)s"),
    Seen.FIRST: _("The first text alone gives %(part)s of %(whole)s"),
    Seen.SECOND: _("The second text alone gives %(part)s of %(whole)s"),
    Seen.OVERLAP: _("Word overlap alone gives %(part)s of %(whole)s"),
}
_UNDEFINED = {
    Undefined.ONE_CLASS: _("All instances are of one class, so there is nothing to guess."),
    Undefined.TOO_FEW: _("There are too few instances: each of five folds needs all classes, two of each."),
    Undefined.NOT_INSTALLED: _(
        "The classifier needs the extra “audit” (scikit-learn). The person who runs the site can install it with: "
        "pip install -c constraints.txt -e '.[audit]'"
    ),
}
_TOO_FEW_APART = _("Too few expressions or groups have each class for a lexical split in five folds.")
_NOTHING = _(
    "The whole instance gives %(whole)s (%(split)s split), and a guess %(chance)s. The classifier finds nothing to "
    "learn here. A stronger model could."
)
_PART = _("%(given)s (%(split)s split; a guess gives %(chance)s): %(judgement)s.")
_MIND = _(
    "A model can score well here without relating the parts to each other. Results on this dataset should be compared "
    "with these numbers, not with the majority alone."
)
_BELOW = _(
    "The random split gives %(before)s, less than a guess: groups have each class equally often, so training shows "
    "which ones are left. Keep groups together when you split this dataset."
)
_UNSEEN = {
    Seen.EXPRESSION: _(
        "On expressions that training did not have, the expression alone gives %(after)s instead of %(before)s: "
        "%(judgement)s."
    ),
    Seen.WHOLE: _(
        "On groups that training did not have, the whole instance gives %(after)s instead of %(before)s: %(judgement)s."
    ),
}
_SPLITS = {Split.RANDOM: _("random"), Split.LEXICAL: _("lexical")}
_Scores = Mapping[Seen, Score]


def conclusions(scores: Sequence[Score], classes: int, written: Written = "{:.1f}".format) -> list[Message]:
    """Sentences on the scores of one task. `written`: how numbers are written in them."""
    by_split = {split: {one.seen: one for one in scores if one.split == split} for split in Split}
    random, lexical = by_split[Split.RANDOM], by_split[Split.LEXICAL]
    if (reason := random[Seen.WHOLE].undefined) is not None:
        return [message(_UNDEFINED[reason])]
    guess = max(_mean(random[Seen.MAJORITY]), 100 / classes)
    if lexical[Seen.WHOLE].undefined is not None:
        return [*_on_parts(random, guess, written), message(_TOO_FEW_APART)]
    higher = max(random, lexical, key=lambda split: _mean(split[Seen.WHOLE]))
    return [*_on_parts(higher, guess, written), *_on_splits(random, lexical, guess, written)]


def _mean(score: Score) -> float:
    return score.mean or 0.0


def _above(score: Score, guess: float) -> float:
    """How far it is above chance; 0 where it may be chance."""
    gained = _mean(score) - guess
    return gained if gained >= max(NOTABLE, 2 * (score.spread or 0.0)) else 0.0


def _on_parts(scores: _Scores, guess: float, written: Written) -> Iterator[Message]:
    whole = scores[Seen.WHOLE]
    gaps = {"split": message(_SPLITS[whole.split]), "chance": written(guess), "whole": written(_mean(whole))}
    gained = _above(whole, guess)
    if not gained:
        yield message(_NOTHING, **gaps)
    shares = []
    for seen, text in _ALONE.items():
        if seen in scores:
            of_part = _above(scores[seen], guess)
            shares.append(of_part / gained if gained else float(of_part > 0))
            given = message(text, part=written(_mean(scores[seen])), whole=gaps["whole"])
            yield message(_PART, given=given, judgement=message(_judgement(shares[-1])), **gaps)
    if any(share >= NEARLY_ALL for share in shares):
        yield message(_MIND)


def _judgement(share: float) -> str:
    if share >= NEARLY_ALL:
        return _("nearly all of what the classifier learns")
    if share >= MOST:
        return _("most of what the classifier learns")
    return _("some of what the classifier learns") if share else _("nothing that is clearly above chance")


def _on_splits(random: _Scores, lexical: _Scores, guess: float, written: Written) -> Iterator[Message]:
    seen = Seen.EXPRESSION if Seen.EXPRESSION in random else Seen.WHOLE
    before, after = _mean(random[seen]), _mean(lexical[seen])
    gaps = {"before": written(before), "after": written(after)}
    if guess - before >= NOTABLE and _above(lexical[seen], guess):
        yield message(_BELOW, **gaps)
    elif _above(random[seen], guess):
        yield message(_UNSEEN[seen], judgement=message(_memory(before - after, _above(lexical[seen], guess))), **gaps)


def _memory(lost: float, above: float) -> str:
    if not above:
        return _("the result of the random split is memory")
    if lost >= NOTABLE:
        return _("part of the result of the random split is memory")
    return _("little of the result of the random split is memory")
