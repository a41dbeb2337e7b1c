"""Projection: the spans of a source sentence carried over word links onto a target sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from annotator.domain.labels.spans import BIO_ATTRIBUTE, Attributes, Span, runs, sort_spans
from annotator.domain.text.tokens import is_punctuation


class ProjectionError(ValueError):
    """Links that do not fit the sentences; the text is a sentence for the user."""


class LabelSource(StrEnum):
    """Which labels of the source language are carried over."""

    GOLD = "gold"
    ANNOTATIONS = "annotations"


class NotCarried(StrEnum):
    """Why a span was not projected, or a linked token is not in its projection."""

    PUNCTUATION = "punctuation"
    FRAGMENT = "fragment"
    OVERLAP = "overlap"
    FUNCTION_WORD = "function word"
    UNLINKED = "unlinked"


class Outcome(StrEnum):
    """What became of a source span."""

    PROJECTED = "projected"
    UNALIGNED = "unaligned"
    DROPPED = "dropped"


@dataclass(frozen=True)
class SourceOutcome:
    """The outcome of one source span.

    `reason` is None for a projected span, "unlinked" for an unaligned one, and "punctuation" (linked to
    nothing else) or "overlap" (lost against a longer span of another label) for a dropped one.
    `target` is the projected span; spans that merged share it. `left_out` holds the linked target
    tokens that are not in it, each with the reason: "punctuation", "function word", "fragment", "overlap".
    """

    source: Span
    outcome: Outcome
    reason: NotCarried | None
    target: Span | None
    left_out: tuple[tuple[int, NotCarried], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain values, spans as `Span.to_json` gives them."""
        return {
            "source": self.source.to_json(),
            "outcome": self.outcome.value,
            "reason": self.reason or "",
            "target": None if self.target is None else self.target.to_json(),
            "left_out": [{"token": token, "reason": reason} for token, reason in self.left_out],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SourceOutcome:
        """The inverse of `to_json`."""
        return cls(
            source=Span.from_json(data["source"]),
            outcome=Outcome(data["outcome"]),
            reason=NotCarried(data["reason"]) if data["reason"] else None,
            target=None if data["target"] is None else Span.from_json(data["target"]),
            left_out=tuple((one["token"], NotCarried(one["reason"])) for one in data.get("left_out", ())),
        )


@dataclass(frozen=True)
class ProjectionRules:
    """How linked tokens become spans.

    `fill_gap` and `gap_rule`: two neighbouring fragments are joined, and the gap filled, when at most
    `fill_gap` tokens lie between them ("between"), or when the joined span is at most `fill_gap` + 2
    tokens long in all ("elp", as Easy-Label-Projection does). `discontinuous` keeps all fragments of a
    span, not only the largest. `skip_function_words` leaves function words out beside a content word.
    """

    fill_gap: int = 1
    gap_rule: Literal["between", "elp"] = "between"
    discontinuous: bool = False
    skip_function_words: bool = False

    def __post_init__(self) -> None:
        if self.fill_gap < 0:
            raise ProjectionError(f"fill_gap must be 0 or more, but is {self.fill_gap}.")
        if self.gap_rule not in ("between", "elp"):
            raise ProjectionError(f"gap_rule must be 'between' or 'elp', but is {self.gap_rule!r}.")


@dataclass(frozen=True)
class ProjectionResult:
    """The target spans in target order, and one outcome for every source span, in the order given."""

    spans: tuple[Span, ...]
    outcomes: tuple[SourceOutcome, ...]


@dataclass
class _Candidate:
    """A span on its way to the target, and the numbers of the source spans that go into it."""

    tokens: tuple[int, ...]
    label: str
    sources: tuple[int, ...]


def project(
    spans: Iterable[Span],
    links: Iterable[tuple[int, int]],
    target_tokens: Sequence[str],
    *,
    rules: ProjectionRules | None = None,
    is_function_word: Callable[[str], bool] | None = None,
    several: bool = False,
) -> ProjectionResult:
    """Project `spans` along `links`, pairs of (source token, target token).

    1. The target tokens of a span are all those linked to its tokens.
    2. Tokens made of punctuation only are dropped.
    3. With `skip_function_words` (and `is_function_word`), when a content word is among several tokens,
       function words at the edges of each run of linked tokens go: "They fought" is "fought". One that
       is linked together with the content words on both sides stays: it is inside a multi-word unit
       ("kick the bucket"), which is one unit of meaning. Runs of function words only go as a whole.
       This comes before joining, so that filling a gap never brings an edge back.
    4. Neighbouring fragments are joined as `rules` say.
    5. The largest fragment stays, the earliest on a tie, unless `rules.discontinuous`.
    6. Spans of one label that overlap merge; with discontinuous spans also when they interleave, since
       neither BIO nor a reader could tell them apart. Of overlapping spans of different labels the one
       with more tokens wins; on a tie the later one, as in Easy-Label-Projection.

    A label without tokens needs no link: it stands on the target sentence as it does on the source. With `several`,
    labels that reach the same target tokens all stay: one unit may have them.

    Projected spans have the attributes that all their sources have in common, and no score.
    Raises ProjectionError for a link to a token that is not there.
    """
    rules = rules or ProjectionRules()
    sources = tuple(spans)
    targets = _targets(links, len(target_tokens))
    skip = is_function_word if rules.skip_function_words else None
    linked: list[tuple[int, ...]] = []
    candidates: list[_Candidate] = []
    for number, span in enumerate(sources):
        tokens = tuple(sorted(set().union(*(targets.get(token, ()) for token in span.tokens))))
        linked.append(tokens)
        words = tuple(token for token in tokens if not is_punctuation(target_tokens[token]))
        if not words:
            continue
        fragments = _join(_fragments(words, target_tokens, skip), rules)
        whole = tuple(token for part in fragments for token in part) if rules.discontinuous else max(fragments, key=len)
        candidates.append(_Candidate(whole, span.label, (number,)))

    winners = _longest(_merge(candidates), several=several)
    projected = _tokenless(sources)
    for winner in winners:
        target_span = Span(winner.tokens, winner.label, _common_attributes(sources[i] for i in winner.sources))
        projected.update(dict.fromkeys(winner.sources, target_span))
    outcomes = tuple(
        _outcome(span, linked[number], projected.get(number), target_tokens, skip)
        for number, span in enumerate(sources)
    )
    return ProjectionResult(sort_spans(set(projected.values())), outcomes)


def _targets(links: Iterable[tuple[int, int]], length: int) -> dict[int, set[int]]:
    """By source token, the target tokens that it is linked to, in a target sentence of `length` tokens."""
    targets: dict[int, set[int]] = {}
    for source, target in links:
        if source < 0 or not 0 <= target < length:
            raise ProjectionError(
                f"The link {source}-{target} does not fit: the target sentence has {length} tokens, "
                f"counted from 0 in links."
            )
        targets.setdefault(source, set()).add(target)
    return targets


def _tokenless(sources: Sequence[Span]) -> dict[int, Span]:
    """By number, the targets of the labels without tokens; those of one label are one."""
    by_label: dict[str, list[int]] = {}
    for number, span in enumerate(sources):
        if not span.tokens:
            by_label.setdefault(span.label, []).append(number)
    found: dict[int, Span] = {}
    for label, numbers in by_label.items():
        found |= dict.fromkeys(numbers, Span((), label, _common_attributes(sources[i] for i in numbers)))
    return found


def _fragments(
    words: tuple[int, ...], target_tokens: Sequence[str], is_function_word: Callable[[str], bool] | None
) -> list[tuple[int, ...]]:
    """The runs of `words`, without the function words at their edges when a content word is among them."""
    fragments = list(runs(words))
    if is_function_word is None:
        return fragments
    content = {token for token in words if not is_function_word(target_tokens[token])}
    if not content:
        return fragments
    trimmed = []
    for fragment in fragments:
        inside = [token for token in fragment if token in content]
        if inside:
            trimmed.append(tuple(range(inside[0], inside[-1] + 1)))
    return trimmed


def _join(fragments: list[tuple[int, ...]], rules: ProjectionRules) -> list[tuple[int, ...]]:
    """Join neighbouring fragments, from the left, filling the gaps that `rules` allow."""
    joined = fragments[:1]
    for fragment in fragments[1:]:
        before = joined[-1]
        if rules.gap_rule == "elp":
            close = fragment[-1] - before[0] + 1 <= rules.fill_gap + 2
        else:
            close = fragment[0] - before[-1] - 1 <= rules.fill_gap
        if close:
            joined[-1] = tuple(range(before[0], fragment[-1] + 1))
        else:
            joined.append(fragment)
    return joined


def _merge(candidates: list[_Candidate]) -> list[_Candidate]:
    """Merge candidates of one label whose stretches meet; afterwards none of one label do."""
    merged: list[_Candidate] = []
    latest: dict[str, _Candidate] = {}
    for candidate in sorted(candidates, key=lambda c: (c.tokens, c.sources)):
        before = latest.get(candidate.label)
        # In ascending order of first tokens it is enough to look at the last stretch of the label.
        if before is not None and candidate.tokens[0] <= before.tokens[-1]:
            before.tokens = tuple(sorted({*before.tokens, *candidate.tokens}))
            before.sources += candidate.sources
            continue
        latest[candidate.label] = candidate
        merged.append(candidate)
    return merged


def _longest(candidates: list[_Candidate], *, several: bool) -> list[_Candidate]:
    """Those that remain when overlapping candidates of different labels compete, longest first."""
    taken: set[int] = set()
    units: set[tuple[int, ...]] = set()
    winners = []
    for candidate in sorted(candidates, key=lambda c: (len(c.tokens), c.tokens, c.sources), reverse=True):
        if taken.isdisjoint(candidate.tokens) or (several and candidate.tokens in units):
            taken.update(candidate.tokens)
            units.add(candidate.tokens)
            winners.append(candidate)
    return winners


def _common_attributes(sources: Iterable[Span]) -> Attributes:
    """The attributes that all sources share, without the mark of how a file spelt one of them."""
    common = set.intersection(*(set(span.attributes.items()) for span in sources))
    return Attributes({name: value for name, value in common if name != BIO_ATTRIBUTE})


def _outcome(
    source: Span,
    linked: tuple[int, ...],
    target: Span | None,
    target_tokens: Sequence[str],
    is_function_word: Callable[[str], bool] | None,
) -> SourceOutcome:
    if not source.tokens:
        return SourceOutcome(source, Outcome.PROJECTED, None, target)
    if not linked:
        return SourceOutcome(source, Outcome.UNALIGNED, NotCarried.UNLINKED, None)
    covered = frozenset(target.tokens if target else ())
    left_out = []
    for token in linked:
        if token in covered:
            continue
        if is_punctuation(target_tokens[token]):
            reason = NotCarried.PUNCTUATION
        elif target is None:
            reason = NotCarried.OVERLAP
        elif is_function_word is not None and is_function_word(target_tokens[token]):
            reason = NotCarried.FUNCTION_WORD
        else:
            reason = NotCarried.FRAGMENT
        left_out.append((token, reason))
    if target is not None:
        return SourceOutcome(source, Outcome.PROJECTED, None, target, tuple(left_out))
    lost = NotCarried.OVERLAP if any(reason == NotCarried.OVERLAP for _, reason in left_out) else NotCarried.PUNCTUATION
    return SourceOutcome(source, Outcome.DROPPED, lost, None, tuple(left_out))
