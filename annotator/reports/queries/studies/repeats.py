"""A person's own consistency: items given again without being told, and the same text in several items."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import Any

import numpy as np
from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from annotator.domain.agreement.bootstrap import resample
from annotator.domain.agreement.coefficients import cluster_sums, cohen_kappa, pair_sums
from annotator.domain.batches import batches
from annotator.domain.content import Content, content_type
from annotator.domain.mapping import mapped_content
from annotator.models import Repeat, User
from annotator.reports.queries.studies.question import OUTCOMES, StudyQuestion

_AT_ONCE = 1000


def consistency(asked: StudyQuestion) -> list[dict[str, Any]]:
    """For each person who answered an item again, or a text more than once: the earlier answer against the next one.
    Nothing of reviews of projections, whose sources differ.
    """
    if asked.dimension == OUTCOMES:
        return []
    return [row for number, person in enumerate(asked.people) if (row := _of_person(asked, number, person)) is not None]


def _of_person(asked: StudyQuestion, number: int, person: User) -> dict[str, Any] | None:
    again = list(_given_again(asked, person))
    texts = [*again, *_repeated(asked, person)]
    pairs = [pair for answers in texts for pair in pairwise(answers)]
    values = sorted({value for pair in pairs for given in pair for value in given})
    if not values:
        return None
    code, k = {value: at for at, value in enumerate(values)}, len(values)
    first, second, clusters = array("q"), array("q"), array("q")
    for at, answers in enumerate(texts):
        for one, other in pairwise(answers):
            for a, b in zip(one, other, strict=False):
                first.append(code[a])
                second.append(code[b])
                clusters.append(at)
    sums = cluster_sums(pair_sums(np.array(first), np.array(second), k), np.array(clusters))
    drawing = asked.drawing
    sample = resample(sums, seed=(drawing.seed, number), resamples=drawing.resamples)
    same = sum(a == b for a, b in zip(first, second, strict=True))
    return {
        "person": number,
        "again": len(again),
        "texts": len(texts) - len(again),
        "places": len(first),
        "same": same,
        "cohen": sample.estimate(lambda given: cohen_kappa(given, k)).to_json(),
    }


def given_again(asked: StudyQuestion) -> QuerySet[Repeat]:
    """The items of the layer that people of the study answered a second time, on current units."""
    rows = Repeat.objects.filter(project=asked.project, stage__layer=asked.layer, stage__language=asked.language)
    rows = rows.filter(assignment__unit__is_current=True)
    return rows.filter(user__in=asked.people, done_at__isnull=False).order_by("pk")


def _given_again(asked: StudyQuestion, person: User) -> Iterator[list[Sequence[str]]]:
    """What the person gave on each item that they were given again: both times."""
    rows = given_again(asked).filter(user=person)
    for first, answer, tokens in rows.values_list("first", "answer__content", "assignment__unit__tokens").iterator():
        yield [_observed(asked, content, tokens) for content in (first, answer)]


def _observed(asked: StudyQuestion, content: Content, tokens: Sequence[str]) -> Sequence[str]:
    shown = mapped_content(content, asked.taken_for) if asked.taken_for else content
    return content_type(asked.layer.content_type).observations(shown, tokens=tokens, dimension=asked.dimension)


def _repeated(asked: StudyQuestion, person: User) -> Iterator[list[Sequence[str]]]:
    """What the person gave on each text that they answered more than once, in the order in which they did."""
    rows = asked.answers().filter(user=person)
    hashes, units = array("q"), array("q")
    for unit, tokens in rows.order_by("unit_id").values_list("unit_id", "unit__tokens").iterator(chunk_size=_AT_ONCE):
        if tokens:
            written = "\0".join(tokens).encode()
            hashes.append(int.from_bytes(blake2b(written, digest_size=8).digest(), "big", signed=True))
            units.append(unit)
    if not len(units):
        return
    _texts, of_unit, times = np.unique(np.array(hashes), return_inverse=True, return_counts=True)
    repeated = np.flatnonzero(times[of_unit] > 1)
    text_of = {int(units[at]): int(of_unit[at]) for at in repeated}
    found: defaultdict[int, list[tuple[Any, Sequence[str]]]] = defaultdict(list)
    for batch in batches(sorted(text_of), _AT_ONCE):
        answers = rows.filter(unit__in=batch).annotate(at=Coalesce("done_at", "updated_at"))
        for unit, at, content, tokens in answers.values_list("unit_id", "at", "content", "unit__tokens"):
            found[text_of[unit]].append(((at, unit), _observed(asked, content, tokens)))
    for _text, answered in sorted(found.items()):
        yield [given for _when, given in sorted(answered, key=lambda one: one[0])]
