"""Marked expressions: units that are a sentence with the tokens of one label marked, made from labels as they stand.

The end of a segment's uid names the tokens ("news-4:rated:labels:3-4.7"). Two labels on the same tokens are one
expression, and so are those of several people: nobody is asked twice about the same words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from annotator.actions.items import enter
from annotator.actions.making import Wanted, made_uid, make
from annotator.actions.withdrawing import bring_back, withdraw, withdrawn_from
from annotator.domain.content import Content
from annotator.domain.revision import moved_tokens
from annotator.domain.states import ItemState
from annotator.domain.tokens import bare, text_of
from annotator.kind import Closed, Reworded
from annotator.models import Gold, Item, Stage, Unit

UNIT_KIND = "marked-expression"
# Why an expression is closed, as events say it.
CHANGED = "marked expression changed"
# What a uid has room for. An expression in so many pieces that it needs more is not rated.
LONGEST_KEY = 100


def key_of(tokens: Collection[int]) -> str:
    """Tokens as the end of a uid: runs of them.

    >>> key_of([7, 3, 4])
    '3-4.7'
    """
    return ".".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in _runs(tokens))


def tokens_of(unit: Unit) -> list[int]:
    """The tokens of an expression, in order. The unit comes with its segment."""
    found: list[int] = []
    for run in _key(unit).split("."):
        first, _sign, last = run.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def words_of(unit: Unit, between: str = " ") -> str:
    """The words of an expression, without the punctuation around each; `between`: what stands for others in between."""
    pieces = (" ".join(filter(None, (bare(unit.tokens[token]) for token in run))) for run in _runs(tokens_of(unit)))
    return between.join(filter(None, pieces))


def with_brackets(unit: Unit) -> str:
    """The sentence as lists name it: `Prices [have climbed] again.`"""
    marked = set(tokens_of(unit))
    tokens = [
        f"{'[' if at in marked and at - 1 not in marked else ''}{token}"
        f"{']' if at in marked and at + 1 not in marked else ''}"
        for at, token in enumerate(unit.tokens)
    ]
    return text_of(tokens, unit.spaces)


def wording(unit: Unit, before: Unit, after: Unit) -> Reworded | Closed:
    """A sentence with the expression where its words stand now; closed where one of them is another word."""
    moved = moved_tokens(before.tokens, after.tokens)
    places = tokens_of(unit)
    found = [moved[place] for place in places if place in moved]
    if len(found) < len(places):
        return Closed(CHANGED)
    return Reworded(tuple(after.tokens), tuple(after.spaces), key=key_of(found))


def gather(stage: Stage, said: Sequence[tuple[Unit, Content | None]]) -> None:
    """Bring the expressions of these sentences in line with their labels, in all stages that rate them.

    One whose label is gone is withdrawn, with what was said of it, and comes back with it. What has gold stays. While
    nothing stands, since labels are changed or several people differ, what somebody has begun to rate stays, too. The
    same number of statements however many sentences there are; a few more for each expression that comes back.
    """
    if stage.made_from is None:
        return
    marked_in = stage.made_from.layer.slug
    wanted = {sentence.pk: _expressions(sentence, content) for sentence, content in said}
    current, withdrawn = _made_of([sentence for sentence, _content in said], marked_in)
    undecided = {sentence.pk for sentence, content in said if content is None}
    _withdraw_stale(wanted, current, undecided)
    back: list[Unit] = []
    new: list[Wanted] = []
    for sentence, _content in said:
        for key in wanted[sentence.pk]:
            if key in current.get(sentence.pk, {}):
                continue
            if key in withdrawn.get(sentence.pk, {}):
                back.append(withdrawn[sentence.pk][key])
                continue
            uid = made_uid(sentence.segment.uid, f"rated:{marked_in}:{key}")
            new.append(Wanted(uid, sentence, marked_in, sentence.tokens, sentence.spaces))
    bring_back(back, None)
    standing = [
        row for sentence, rows in current.items() for key, row in rows.items() if key in wanted.get(sentence, ())
    ]
    # A further stage, such as another scale, has them from where they are there already.
    there = set(Item.objects.filter(stage=stage, unit__in=[*standing, *back]).values_list("unit_id", flat=True))
    lacking = [row for row in (*standing, *back) if row.pk not in there]
    enter(stage, [*lacking, *make(UNIT_KIND, new).values()])


def _runs(tokens: Collection[int]) -> list[list[int]]:
    """Tokens that follow each other, together."""
    runs: list[list[int]] = []
    for token in sorted(set(tokens)):
        if runs and token == runs[-1][-1] + 1:
            runs[-1].append(token)
        else:
            runs.append([token])
    return runs


def _key(unit: Unit) -> str:
    return unit.segment.uid.rpartition(":")[2]


def _expressions(sentence: Unit, content: Content | None) -> list[str]:
    """The keys of what is labelled in a sentence, each once, in the order of the text."""
    spans = content["spans"] if content is not None else ()
    found = {
        tuple(sorted(span["tokens"])) for span in spans if any(bare(sentence.tokens[token]) for token in span["tokens"])
    }
    keys = [key_of(tokens) for tokens in sorted(found)]
    return [key for key in keys if len(key) <= LONGEST_KEY]


ByKey = Mapping[int, Mapping[str, Unit]]


def _made_of(sentences: Sequence[Unit], marked_in: str) -> tuple[ByKey, ByKey]:
    """By sentence and key, the expressions that are there, and those that were withdrawn from its text as it is. Two
    queries."""
    link = Unit.parents.through.objects.filter(
        to_unit__in=sentences, from_unit__kind=UNIT_KIND, from_unit__rule=marked_in
    )
    rows = list(link.order_by("from_unit").select_related("from_unit__segment"))
    may_come_back = set(withdrawn_from(sentences).filter(kind=UNIT_KIND).values_list("pk", flat=True))
    current: defaultdict[int, dict[str, Unit]] = defaultdict(dict)
    withdrawn: defaultdict[int, dict[str, Unit]] = defaultdict(dict)
    for row in rows:
        unit = row.from_unit
        if unit.is_current:
            current[row.to_unit_id][_key(unit)] = unit
        elif unit.pk in may_come_back:
            # The newest one remains.
            withdrawn[row.to_unit_id][_key(unit)] = unit
    return current, withdrawn


def _withdraw_stale(wanted: Mapping[int, Collection[str]], current: ByKey, undecided: Collection[int]) -> None:
    stale = {
        row.pk: (row, sentence)
        for sentence, rows in current.items()
        for key, row in rows.items()
        if key not in wanted[sentence]
    }
    if not stale:
        return
    kept = set(Gold.objects.filter(unit__in=stale).values_list("unit_id", flat=True))
    untouched = {"answers_open": 0, "answers_done": 0, "extra_open": 0, "extra_done": 0}
    begun = Item.objects.filter(unit__in=stale).exclude(state=ItemState.FREE, **untouched)
    kept |= {pk for pk in begun.values_list("unit_id", flat=True) if stale[pk][1] in undecided}
    withdraw([row for pk, (row, _sentence) in stale.items() if pk not in kept], None)
