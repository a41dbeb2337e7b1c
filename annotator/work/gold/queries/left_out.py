"""What stays out of a release, why, and what to do about it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import F

from annotator.domain.leaving_out import NotReleased, Of, WhyNotReleased
from annotator.domain.messages import Message, Sentence, UserError, joined, message
from annotator.domain.messages import gettext_noop as _
from annotator.models import Project
from annotator.work.queue.queries.set_aside import segments_aside

# What `LeftOut.kind` says of a label that the layout's tags cannot spell; its sentence is there.
LABEL = "label"
# A message names so many of what it counts; pages list the rest.
_NAMED = 1


class MissingGoldError(UserError):
    """There is no complete gold to export; the message says what is missing and what to do next."""


@dataclass(frozen=True)
class LeftOut:
    """A sentence, pair or label that is not in the published layout, and why. `id` is a segment's uid or a pair id.

    Of a label, `reason` is the sentence with which the format refuses it.
    """

    kind: str
    dataset: str
    id: str
    language: str
    reason: WhyNotReleased | str

    @property
    def message(self) -> Sentence:
        """The reason as a sentence."""
        return self.reason.message if isinstance(self.reason, WhyNotReleased) else self.reason

    def to_json(self) -> dict[str, str]:
        return {
            "kind": self.kind,
            "dataset": self.dataset,
            "id": self.id,
            "language": self.language,
            "reason": str(self.reason),
        }


def check_complete(left_out: Iterable[LeftOut]) -> None:
    """Raise MissingGoldError where something stays out that deciding would bring in."""
    if missing := [one for one in left_out if one.kind != LABEL and not is_settled(one)]:
        raise MissingGoldError(_missing(missing))


def check_not_from_prompts_alone(left_out: Collection[LeftOut]) -> None:
    """Raise MissingGoldError where people wrote something, all of it from prompts that may not be published. Of what
    has nothing else to release."""
    number = sum(from_withheld_prompt(str(one.reason)) for one in left_out)
    if not number:
        return
    text = (
        _(
            "1 pair is left out because it was written from a prompt that cannot be published, and "
            "there is nothing else to release. If the licence of the prompt allows it, say so on the "
            "import page."
        )
        if number == 1
        else _(
            "%(number)d pairs are left out because they were written from prompts that cannot be "
            "published, and there is nothing else to release. If the licence of the prompts allows it, "
            "say so on the import page."
        )
    )
    raise MissingGoldError(message(text, number=number))


def from_withheld_prompt(reason: str) -> bool:
    """Whether a reason, as manifests keep it, is that something was written from what may not be published."""
    why = WhyNotReleased.read(reason)
    return why is not None and (why.code, why.of) == (NotReleased.WITHHELD, Of.PROMPT)


def left_out_aside(project: Project, listed: Collection[LeftOut]) -> list[LeftOut]:
    """What was set aside and is not `listed` yet, by language: the layout does not list what is not a sentence, nor
    anything where nothing is labelled."""
    known = {one.id for one in listed}
    rows = segments_aside(project).filter(units_aside__segment=F("pk"))
    names = ("kind", "dataset", "uid", "units_aside__language", "set_aside_reason")
    return [
        LeftOut(kind, dataset, uid, language, WhyNotReleased(NotReleased.SET_ASIDE, note=note))
        for kind, dataset, uid, language, note in rows.values_list(*names).distinct()
        if uid not in known
    ]


def is_withheld(one: LeftOut) -> bool:
    return isinstance(one.reason, WhyNotReleased) and one.reason.code == NotReleased.WITHHELD


def is_settled(one: LeftOut) -> bool:
    """Whether deciding more would not bring it in, or it is told of a sentence that is there."""
    settled = (
        NotReleased.WITHHELD, NotReleased.DISCARDED, NotReleased.REJECTED, NotReleased.WRONG_LABEL,
        NotReleased.GIVEN_UP, NotReleased.BOTH, NotReleased.SET_ASIDE,
    )  # fmt: skip
    return isinstance(one.reason, WhyNotReleased) and one.reason.code in settled


def _missing(missing: list[LeftOut]) -> Message:
    """What is missing, and what to do: decide, or make pairs again."""
    to_make = [one for one in missing if _is_by_rule(one)]
    undecided = [one for one in missing if not _is_by_rule(one)]
    texts: list[Sentence] = []
    if undecided:
        text = _(
            "Gold is not complete. %(counts)s. Complete it, or create a partial release, which lists what is left out."
        )
        texts.append(message(text, counts=_counted(undecided)))
    if to_make:
        text = _(
            "Pairs by rule are not up to date. %(counts)s. Make the pairs again where expressions are "
            "defined, or create a partial release, which lists what is left out."
        )
        texts.append(message(text, counts=_counted(to_make)))
    return joined(texts, " ")


def _is_by_rule(one: LeftOut) -> bool:
    by_rule = (NotReleased.OUTDATED, NotReleased.UNMADE)
    return isinstance(one.reason, WhyNotReleased) and one.reason.code in by_rule


def _counted(missing: list[LeftOut]) -> Message:
    """How many of each sort, once for all languages: what lacks gold in one stays out in the others."""
    missing = list({(one.kind, one.dataset, one.id): one for one in reversed(missing)}.values())[::-1]
    sentences = [one for one in missing if one.kind == "sentence"]
    pairs = [one for one in missing if one.kind == "pair"]
    # Of units that kinds of work bring, such as sentences with a marked word.
    others = [one for one in missing if one.kind not in ("sentence", "pair")]
    counts: list[Sentence] = []
    if sentences:
        text = _("1 sentence: %(first)s") if len(sentences) == 1 else _("%(number)d sentences: %(first)s")
        counts.append(message(text, number=len(sentences), first=_first(sentences)))
    if pairs:
        text = _("1 pair: %(first)s") if len(pairs) == 1 else _("%(number)d pairs: %(first)s")
        counts.append(message(text, number=len(pairs), first=_first(pairs)))
    if others:
        text = _("1 text: %(first)s") if len(others) == 1 else _("%(number)d texts: %(first)s")
        counts.append(message(text, number=len(others), first=_first(others)))
    return joined(counts, "; ")


def _first(missing: list[LeftOut]) -> Message:
    named: list[Sentence] = [
        message("%(id)s [%(language)s] (%(why)s)", id=one.id, language=one.language, why=one.message)
        for one in missing[:_NAMED]
    ]
    return joined([*named, "…"] if len(missing) > _NAMED else named)
