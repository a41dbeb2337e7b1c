"""The jobs that count what the tables of reports are made from, and that compute agreement."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from annotator.core.database.snapshot import snapshot
from annotator.core.errors import ActionError
from annotator.domain.messages import InvalidError, message
from annotator.domain.messages import gettext_noop as _
from annotator.jobs import handlers as jobs
from annotator.models import Job, User
from annotator.reports.actions import store_run, store_study
from annotator.reports.queries.agreement import Question, public_name, question
from annotator.reports.queries.agreement_runs import Computed, compute
from annotator.reports.queries.report_lists import countable
from annotator.reports.queries.studies.question import ComputedStudy, Drawing, study_question
from annotator.reports.queries.studies.stored import compute_study
from annotator.reports.queries.tables import all_figures


class CountFigures(jobs.Handler):
    """Count what tables on pages are made from. A chunk for each figures that the project has any of."""

    def plan(self, job: Job) -> jobs.Plan:
        return jobs.Plan([[name] for name in countable(job.project)])

    def work(self, job: Job, items: list[str], engine: None, report: jobs.Progress) -> dict[str, Any]:
        with snapshot():
            return all_figures()[items[0]].count(job.project)

    def store(self, job: Job, items: list[str], outcome: dict[str, Any], engine: None) -> dict[str, Any]:
        return {"figures": {items[0]: outcome}}


class ComputeAgreement(jobs.Handler):
    """Compute the agreement of two people, and store it: one part, since the numbers are of all items together.

    Its result tells nothing: members may see any job, and agreement only where `why_withheld` lets them.
    """

    user_errors = (ActionError, InvalidError)

    def plan(self, job: Job) -> jobs.Plan:
        return jobs.Plan([[job.params["layer"]]])

    def work(self, job: Job, items: list[int], engine: None, report: jobs.Progress) -> Computed:
        asked = _question(job)
        with snapshot():
            return compute(asked, now=timezone.now())

    def store(self, job: Job, items: list[int], outcome: Computed, engine: None) -> dict[str, Any]:
        store_run(computed=outcome, by=job.created_by)
        return {}


class ComputeStudy(jobs.Handler):
    """Compute the agreement of several people, and store it: one part, as of two. Its result tells nothing, either."""

    user_errors = (ActionError, InvalidError)

    def plan(self, job: Job) -> jobs.Plan:
        return jobs.Plan([[job.params["layer"]]])

    def work(self, job: Job, items: list[int], engine: None, report: jobs.Progress) -> ComputedStudy:
        params = job.params
        layer = job.project.layers.filter(pk=params["layer"]).first()
        people = list(User.objects.filter(pk__in=params["people"]))
        if layer is None or len(people) < len(params["people"]):
            raise ActionError(message(_GONE))
        asked = study_question(
            job.project,
            people=people,
            layer=public_name(job.project, layer),
            language=params["language"],
            dimension=params["dimension"],
            mapping=params["mapping"],
            drawing=Drawing(params["cluster"], params["seed"], params["resamples"]),
        )
        with snapshot():
            return compute_study(asked, now=timezone.now())

    def store(self, job: Job, items: list[int], outcome: ComputedStudy, engine: None) -> dict[str, Any]:
        store_study(computed=outcome, by=job.created_by)
        return {}


_GONE = _("The layer or one of the people no longer exists. Choose again on the Agreement page.")


def _question(job: Job) -> Question:
    params = job.params
    people = User.objects.in_bulk([params["a"], params["b"]])
    layer = job.project.layers.filter(pk=params["layer"]).first()
    if layer is None or len(people) < 2:
        raise ActionError(message(_GONE))
    return question(
        job.project,
        a=people[params["a"]],
        b=people[params["b"]],
        layer=public_name(job.project, layer),
        language=params["language"],
        dimension=params["dimension"],
        mapping=params["mapping"],
    )
