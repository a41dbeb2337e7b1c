"""Computing a study. The same question over the same answers gives the same numbers, and the same SHA-256.

That is of lines of JSON without spaces, each ended by a line feed: first the settings of the job and the version of the
scheme, then for each item in the order of ids: its id, and of each answer its id and version; then of each item that
was given again "again", its id, and the version of the second answer.
"""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime
from hashlib import sha256
from typing import Any

from annotator.domain.agreement.anchoring import Anchoring
from annotator.domain.agreement.plan import WHOLE
from annotator.domain.agreement.study import Study
from annotator.domain.agreement.tally import Tally
from annotator.models import Event
from annotator.reports.queries.studies.question import ComputedStudy, StudyQuestion
from annotator.reports.queries.studies.reading import Read, common_units, read
from annotator.reports.queries.studies.repeats import consistency, given_again
from annotator.reports.queries.studies.strata import COMPARED, SUGGESTIONS

MAX_WORDS = 100


def compute(asked: StudyQuestion, *, now: datetime) -> ComputedStudy:
    """Compute it from all that two of the people or more have done."""
    events = Event.objects.filter(project=asked.project).order_by("-pk")
    last_event = events.values_list("pk", flat=True).first() or 0
    plan, digest = asked.plan, sha256()
    _write(digest, {**asked.params(), "scheme_version": asked.layer.scheme_version})
    tally, anchoring, words = Tally(len(asked.people)), Anchoring(plan.unmarked), _Words()
    common = common_units(asked)
    for unit in read(asked, common):
        tally.add(unit.answers)
        if unit.seen:
            anchoring.add(unit.seen, unit.unaided)
        words.add(unit)
        _write(digest, [unit.unit, *unit.versions])
    for again in given_again(asked).values_list("pk", "answer__version"):
        _write(digest, ["again", *again])
    study = Study(tally, plan)
    strata = [one for one in study.strata() if one == WHOLE or not _is_whole(tally, one)]
    results = {
        "values": list(study.values),
        "unmarked": plan.unmarked,
        "rows": [row.to_json() for one in strata for row in study.rows(one)],
        "strata": [study.stratum(one).to_json() for one in strata],
        "pairs": list(map(list, study.shared())),
        "left_out": study.left_out(),
        "shown": {name: units for (dimension, name), units in tally.units.items() if dimension == SUGGESTIONS},
        "differences": study.differences(COMPARED),
        "anchoring": anchoring.rows(seed=plan.seed, resamples=plan.resamples),
        "consistency": consistency(asked),
        "words": words.rows(),
    }
    return ComputedStudy(asked, results, len(common.units), last_event, digest.hexdigest(), now)


def _is_whole(tally: Tally, stratum: tuple[str, str]) -> bool:
    """Whether a stratum is all that there is, so that its numbers are those of the whole."""
    return tally.units[stratum] == tally.units[WHOLE]


def _write(digest: Any, line: Any) -> None:
    written = json.dumps(line, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    digest.update(written.encode() + b"\n")


class _Words:
    """How often people differ on a word."""

    def __init__(self) -> None:
        self.compared: Counter[str] = Counter()
        self.differing: Counter[str] = Counter()
        # Those that are a content word somewhere, which the index of words has.
        self.content: set[str] = set()

    def add(self, unit: Read) -> None:
        given = [one for one in unit.answers.given if one is not None]
        if not unit.words or len(given) < 2:
            return
        self.compared.update(unit.words)
        if any(one != given[0] for one in given[1:]):
            places = zip(unit.words, zip(*given, strict=False), strict=False)
            differing = [at for at, (_word, labels) in enumerate(places) if len(set(labels)) > 1]
            self.differing.update(unit.words[at] for at in differing)
            content = unit.answers.content
            self.content.update(unit.words[at] for at in differing if content and content[at])

    def rows(self) -> list[dict[str, Any]]:
        """Words on which people differ most often, with how often they were compared."""
        order = sorted(self.differing.items(), key=lambda one: (-one[1], self.compared[one[0]], one[0]))
        return [
            {
                "word": word,
                "differing": number,
                "compared": self.compared[word],
                "content": word in self.content,
            }
            for word, number in order[:MAX_WORDS]
        ]
