"""The job that makes a split, or stores a published one."""

from __future__ import annotations

from typing import Any

from annotator.core.database.snapshot import snapshot
from annotator.core.errors import ActionError
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.formats.common.errors import FormatError
from annotator.jobs import handlers as jobs
from annotator.models import Job, Layer, SplitMethod
from annotator.splits.actions.job_settings import check_parts
from annotator.splits.actions.splits import publish_split, write_split
from annotator.splits.actions.uploads import drop_upload, uploaded
from annotator.splits.queries.collected import How
from annotator.splits.queries.computed import Computed, compute, compute_placed
from annotator.splits.queries.matching import placed


class MakeSplit(jobs.Handler):
    """Make a split and store it: one part, since all of its items go together.

    Its result tells nothing: members may see any job, and splits are not for those who work blind.
    """

    user_errors = (ActionError, FormatError)

    def plan(self, job: Job) -> jobs.Plan:
        return jobs.Plan([["split"]])

    def work(self, job: Job, items: list[str], engine: None, report: jobs.Progress) -> int:
        return write_split(job=job, computed=_computed(job))

    def store(self, job: Job, items: list[str], outcome: int, engine: None) -> dict[str, Any]:
        publish_split(pk=outcome, by=job.created_by)
        return {}

    def finish(self, job: Job) -> dict[str, Any]:
        if key := job.params["upload"]:
            drop_upload(job.project_id, key)
        return {}


def _computed(job: Job) -> Computed:
    layer, params = _layer(job), job.params
    with snapshot():
        if params["method"] != SplitMethod.IMPORTED:
            how = How(params["seed"], params["strata"], params["together"], params["method"] == SplitMethod.LEXICAL)
            return compute(layer, params["parts"], params["shares"], how)
        try:
            sources = uploaded(job.project_id, params["upload"])
        except FileNotFoundError as error:
            raise ActionError(
                message(_("The files of this split are no longer on this site. Upload them again."))
            ) from error
        found = placed(layer, sources, partial=params["partial"])
        check_parts(found.parts)
        return compute_placed(layer, found)


def _layer(job: Job) -> Layer:
    layer = job.project.layers.select_related("project").filter(pk=job.params["layer"]).first()
    if layer is None:
        raise ActionError(message(_("The layer of this split no longer exists. Choose another one.")))
    return layer
