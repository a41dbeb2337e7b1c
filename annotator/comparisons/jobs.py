"""The job that compares labels."""

from __future__ import annotations

from typing import Any

from annotator.comparisons.actions.comparisons import publish_comparison, write_comparison
from annotator.comparisons.queries.collecting import Computed
from annotator.comparisons.queries.languages import compare_languages
from annotator.comparisons.queries.versions import compare_versions
from annotator.core.database.snapshot import snapshot
from annotator.core.errors import ActionError
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.jobs import handlers as jobs
from annotator.models import ComparisonKind, Job


class Compare(jobs.Handler):
    """Compare labels and store the table: one part, since a release is read as a whole.

    Its result tells nothing: members may see any job, and comparisons are not for those who work blind.
    """

    def plan(self, job: Job) -> jobs.Plan:
        return jobs.Plan([["comparison"]])

    def work(self, job: Job, items: list[str], engine: None, report: jobs.Progress) -> int:
        return write_comparison(job=job, computed=_computed(job))

    def store(self, job: Job, items: list[str], outcome: int, engine: None) -> dict[str, Any]:
        publish_comparison(pk=outcome, by=job.created_by)
        return {}


def _computed(job: Job) -> Computed:
    left, right = job.params["left"], job.params["right"]
    layer = job.project.layers.select_related("project").filter(pk=job.params["layer"]).first()
    if layer is None:
        raise ActionError(message(_("The layer of this comparison no longer exists. Choose another one.")))
    with snapshot():
        if job.params["kind"] == ComparisonKind.LANGUAGES:
            return compare_languages(layer, left["language"], right["language"])
        return compare_versions(layer, left, right)
