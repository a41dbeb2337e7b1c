"""Studies as they are computed and stored. Without NumPy until one is computed."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Count

from annotator.models import AgreementStudy
from annotator.reports.queries.agreement import public_name
from annotator.reports.queries.studies.question import ComputedStudy, StudyQuestion

# Items that a study is computed of while somebody waits; and answers that are looked at to learn how many there are.
MAX_INLINE = 500
MAX_READ = 40_000


def is_small(asked: StudyQuestion) -> bool:
    """Whether it takes about a second. Two statements, which read at most `MAX_READ` rows."""
    answers = asked.answers()
    if answers[: MAX_READ + 1].count() > MAX_READ:
        return False
    common = answers.values("unit").annotate(people=Count("pk")).filter(people__gt=1)
    return common[: MAX_INLINE + 1].count() <= MAX_INLINE


def compute_study(asked: StudyQuestion, *, now: datetime) -> ComputedStudy:
    """Compute it from all that two of the people or more have done."""
    from annotator.reports.queries.studies.computing import compute

    return compute(asked, now=now)


def to_json(study: AgreementStudy) -> dict[str, Any]:
    """All of a study, as files and the API have it."""
    return {
        "id": study.pk,
        "people": names_of(study),
        "layer": public_name(study.project, study.layer),
        "language": study.language,
        "dimension": study.dimension,
        "mapping": study.mapping,
        "cluster": study.cluster,
        "seed": study.seed,
        "resamples": study.resamples,
        "units": study.units,
        "scheme_version": study.scheme_version,
        "sha256": study.sha256,
        "computed_at": study.computed_at,
        "results": study.results,
    }


def names_of(study: AgreementStudy) -> list[str]:
    """The names of the people of a study, by their numbers."""
    return [str(person.user) for person in study.people.select_related("user")]
