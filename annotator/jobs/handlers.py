"""Handlers: how a kind of job is cut into chunks, how one is done and stored, and the job ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from django.utils.module_loading import import_string

from annotator.core.errors import ActionError
from annotator.models import Job, JobKind

Counts = Mapping[str, Any]
Items = list[Any]


@dataclass(frozen=True)
class Plan:
    """The work of a job: lists of items (JSON), and counts that go into the result, e.g. of what is left out.

    Progress counts items, or what `sizes` says of each chunk: a training is one item of many steps.
    """

    chunks: Sequence[Items]
    counts: Counts = field(default_factory=dict)
    sizes: Sequence[int] | None = None


# Reports the progress of a chunk, in the job's unit. Raises if the chunk must be left, so callers must let exceptions
# through.
Progress = Callable[[int], None]


class Handler(Protocol):
    """The implementation of one kind of job. Subclasses override only what differs."""

    @property
    def user_errors(self) -> tuple[type[Exception], ...]:
        """Exceptions whose message is for the person who started the job."""
        return (ActionError,)

    def plan(self, job: Job) -> Plan:
        """Cut the job into chunks. May run more than once; only one result is taken."""

    def prepare(self, job: Job) -> Any:
        """Load the data that every chunk needs (a model), once for consecutive chunks of a worker, while it holds the
        first of them."""
        return None

    def work(self, job: Job, items: Items, engine: Any, report: Progress) -> Any:
        """Do the long part of one chunk, outside any transaction; `report` is for chunks that take minutes.

        Writes nothing to the database, with one exception: what would hold others up inside the transaction of `store`
        may be written here in short transactions. Nobody may see it before it is whole, or each of its rows must be
        whole in itself, and the next try must find, by the job's id, what a killed one left (an import, a
        pre-labelling). Any chunk can be started again, even after its last write.
        """

    def store(self, job: Job, items: Items, outcome: Any, engine: Any) -> Counts:
        """Write a chunk's outcome, inside the transaction that marks it done; counts are added to the result."""

    def finish(self, job: Job) -> Counts:
        """After the last chunk, inside the transaction that marks the job done."""
        return {}


# The module of each kind of job, in its capability; only workers load it.
_HANDLERS: dict[str, str] = {
    JobKind.ARCHIVE: "annotator.backup.jobs.WriteArchive",
    JobKind.RESTORE: "annotator.backup.jobs.Restore",
    JobKind.COMPARE: "annotator.comparisons.jobs.Compare",
    JobKind.COPY: "annotator.imports.jobs.CopyTexts",
    JobKind.IMPORT: "annotator.imports.jobs.Import",
    JobKind.DELETE: "annotator.projects.jobs.DeleteProject",
    JobKind.FILL: "annotator.projects.jobs.FillStage",
    JobKind.RELABEL: "annotator.projects.jobs.Relabel",
    JobKind.EXPORT: "annotator.releases.jobs.WriteExport",
    JobKind.RELEASE: "annotator.releases.jobs.MakeRelease",
    JobKind.AGREEMENT: "annotator.reports.jobs.ComputeAgreement",
    JobKind.STUDY: "annotator.reports.jobs.ComputeStudy",
    JobKind.COUNT: "annotator.reports.jobs.CountFigures",
    JobKind.SPLIT: "annotator.splits.jobs.MakeSplit",
    JobKind.ACCEPT: "annotator.work.gold.jobs.AcceptAnswers",
    JobKind.WORDS: "annotator.work.lexicon.jobs.RecomputeWords",
    JobKind.MAP: "mlworkers.sentence_map.DrawMap",
    JobKind.PREDICT: "mlworkers.tasks.Predict",
    JobKind.PROJECT: "mlworkers.tasks.ProjectLabels",
    JobKind.REVISE: "mlworkers.revision.Revise",
    JobKind.TRAIN: "mlworkers.training.Train",
}


def handler_of(kind: str) -> Handler:
    """The handler of a kind of job. Raises KeyError for a kind of a later version."""
    handler: Handler = import_string(_HANDLERS[kind])()
    return handler


class Interrupted(Exception):
    """Raised by a report: leave the chunk as it is. Code that tidies up after errors must let it pass."""


def added(result: Counts, more: Counts) -> dict[str, Any]:
    """`result` with `more`: numbers add up, lists follow each other, dicts are added key by key, the rest replaces."""
    total = dict(result)
    for key, value in more.items():
        before = total.get(key)
        if isinstance(value, Mapping):
            total[key] = added(before if isinstance(before, Mapping) else {}, value)
        elif _adds_up(value) and _adds_up(before) and isinstance(value, list) == isinstance(before, list):
            total[key] = before + value
        else:
            total[key] = value
    return total


def _adds_up(value: Any) -> bool:
    return isinstance(value, int | float | list) and not isinstance(value, bool)
