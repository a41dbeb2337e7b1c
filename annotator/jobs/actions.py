"""Starting, cancelling and retrying background jobs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from annotator.core.database.locks import lock_project
from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.core.files.room import check_room
from annotator.domain.projection.carry import LabelSource
from annotator.domain.states import JOB_STATES, JobState, may_precede
from annotator.domain.verbs import Verb
from annotator.jobs.running import FREE, change_state, free
from annotator.jobs.steps import Action, Step, send
from annotator.models import Job, JobChunk, JobKind, Project, User
from annotator.models.stored_error import error_columns

# Waiting or running: what can still be cancelled.
ACTIVE = may_precede(JOB_STATES, JobState.CANCELLED)
CHUNK = 100
# Stands for the detector in use when the job is started; what is stored names that one.
IN_USE = "in-use"
# What they write is kept until somebody deletes it.
_KEEPING = (JobKind.ARCHIVE, JobKind.RELEASE)


@transaction.atomic
def start_job(*, project: Project, kind: str, params: Mapping[str, Any], by: User | None) -> Job:
    """Create a job; workers hear of it when the transaction commits.

    `params` by kind (what is left out takes the value in brackets):
    predict: `language`, `detector` ["in-use", which stands for the one in use now], `only_unprojected` [False],
    `chunk` [100 sentences];
    project: `source`, `target`, `aligner` ["lexical"], `labels` "gold" or "annotations" ["annotations"], `chunk`;
    train: `language`, `engine` "crf" or "transformers:" and a model ["crf"], `label` [that of the one in use];
    release: `partial` [False], `mapping` [none: labels as they are], `sample` [False: without literal uses beside the
    metaphors], `seed` that these are drawn with [1], `uses` that labels are of: "metaphor", "literal" or "neither" by
    label [what the scheme or the mapping says; it must be given where they say nothing], `splits` (ids) [none],
    `standoff` [False: with the texts];
    archive: `pseudonyms` [False]; possible in a read-only project, too;
    revise: `unit` (the new revision), `detector` [""; no prediction], `projections` [none; objects with `source`,
    `target`, `aligner`, `labels` as for project]: started by `revisions/revisions.py` alone;
    fill: `stage` (id), relabel: `layer` (id), `change`, copy: `from` (id of a project): started by
    `projects/actions/stages.py`, `projects/actions/relabel.py` and `projects/actions/copy_project.py`;
    words: `language`, `words` (which list): started by `projects/actions/project_settings.py`;
    map: `model` "encoder" or "transformers:" and a model ["encoder"], `sentences` of each language at most [1000],
    `seed` that they are drawn with [1];
    count: nothing; it counts all that tables are made from;
    agreement: `layer` (id), `language`, `a` and `b` (ids of people), `dimension`, `mapping` [""; labels as they are]:
    started by `reports/views/agreement.py` and the API, which know that these are; also in a read-only project;
    split: `name`, `layer` (id), `method` "ratio", "folds", "lexical" or "imported", `parts` (names), their `shares`,
    `strata` of "dataset", "role", "inference" and "label" [none], `together` [False; items of a group], `seed` [1],
    `upload` (where published files lie) and `partial` [False; every row must be found];
    accept: `layers` (ids), `language`, `rule` (`domain/merging/rules.py`) and `dry_run` [False]: started by
    `work/gold/actions/accepting.py`, which knows that these are;
    compare: `kind` "languages" or "versions", `layer` (id), `left` and `right`: objects with `language`, or with
    `source` "gold", "time" (and `at`), "release" (`number`) or "person" (`person`, an id); also in a read-only project;
    export: `format`, `layer` [""; the text alone], `languages` [all], `whose` "gold", "person" or "model" ["gold"],
    `name` of that person or model [""], `undecided` [False]; possible in a read-only project, too;
    import: `draft` (the key of an import draft), `fingerprint` (what was previewed), `check` (only read it) [False].

    Raises ActionError for unknown kinds, parameters or languages, and when the same work is under way already.
    """
    checked = _checked(project, _kind(kind), dict(params))
    lock_project(project)
    same = _active(project, kind, checked)
    if same is not None:
        raise ActionError(
            _("This work is already in progress: %(job)s. Wait until it finishes, or cancel it.") % {"job": same}
        )
    if kind in _KEEPING:
        check_room(by=by)
    job = Job.objects.create(
        project=project,
        kind=kind,
        params=checked,
        routed=_route(project, kind, checked),
        result=_known(project, kind, checked),
        created_by=by,
    )
    _log(job, by, verb=Verb.JOB_START, after={"kind": kind, "params": checked})
    send_on_commit(job)
    return job


def _known(project: Project, kind: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """What is put on record when a job is started: for a training, what the next one is counted from."""
    known: dict[str, Any] = import_string(_KNOWN[JobKind(kind)])(project, params) if kind in _KNOWN else {}
    return known


def _route(project: Project, kind: str, params: dict[str, Any]) -> str:
    """The queue of a job that does not go where those of its kind do."""
    route: str = import_string(_ROUTES[JobKind(kind)])(project, params) if kind in _ROUTES else ""
    return route


def active_job(*, project: Project, kind: str, params: Mapping[str, Any]) -> Job | None:
    """The job that does just this work already, waiting or running. Raises ActionError as `start_job` does."""
    return _active(project, kind, _checked(project, _kind(kind), dict(params)))


def _active(project: Project, kind: str, params: dict[str, Any]) -> Job | None:
    return project.jobs.filter(kind=kind, params=params, state__in=ACTIVE).first()


@transaction.atomic
def cancel_job(*, job: Job, by: User | None) -> Job:
    """Stop a job. What is stored stays; the rest of the chunks that are being worked on is thrown away."""
    job = Job.objects.select_for_update().get(pk=job.pk)
    before = job.state
    if not change_state(job.pk, JobState.CANCELLED, finished_at=timezone.now()):
        raise ActionError(_("%(job)s is finished and cannot be cancelled.") % {"job": job})
    job.refresh_from_db()
    _log(job, by, verb=Verb.JOB_CANCEL, before={"state": before, "done": job.done}, after={"state": job.state})
    return job


@transaction.atomic
def retry_job(*, job: Job, by: User | None) -> Job:
    """Go on with a failed or cancelled job; what it had done already is not done again."""
    job = Job.objects.select_for_update().get(pk=job.pk)
    before = {"state": job.state, "error": job.error}
    if not change_state(job.pk, JobState.QUEUED, started_at=None, finished_at=None, **FREE, **error_columns()):
        raise ActionError(_("%(job)s cannot be retried. Only failed and cancelled jobs can.") % {"job": job})
    free(JobChunk.objects.filter(job=job))
    job.chunks.update(attempts=0)
    job.refresh_from_db()
    _log(job, by, verb=Verb.JOB_RETRY, before=before, after={"state": job.state})
    send_on_commit(job)
    return job


def send_on_commit(job: Job) -> None:
    """Tell workers of a job once the transaction is committed."""
    transaction.on_commit(lambda: send([Step.of(job, Action.BEGIN)]))


def _log(job: Job, by: User | None, *, verb: Verb, before: Any = None, after: Any = None) -> None:
    project = None if JobKind(job.kind).apart else job.project
    log(project=project, actor=by, verb=verb, subject=job, before=before, after=after)


_DEFAULTS: dict[JobKind, dict[str, Any]] = {
    JobKind.PREDICT: {"language": None, "detector": IN_USE, "only_unprojected": False, "chunk": CHUNK},
    JobKind.PROJECT: {
        "source": None,
        "target": None,
        "aligner": "lexical",
        "labels": LabelSource.ANNOTATIONS.value,
        "chunk": CHUNK,
    },
    JobKind.REVISE: {"unit": 0, "detector": "", "projections": []},
    JobKind.TRAIN: {"language": None, "engine": "crf", "label": ""},
    JobKind.RELEASE: {
        "partial": False,
        "mapping": "",
        "sample": False,
        "seed": 1,
        "uses": {},
        "comments": False,
        "splits": [],
        "standoff": False,
    },
    JobKind.IMPORT: {
        "draft": None,
        "check": False,
        "fingerprint": "",
        # Of the interface of whoever started it: what is wrong is said in it.
        "interface": "",
    },
    JobKind.FILL: {"stage": 0},
    JobKind.RELABEL: {"layer": 0, "change": {}},
    JobKind.COPY: {"from": 0},
    JobKind.ARCHIVE: {"pseudonyms": False},
    JobKind.WORDS: {"language": None, "words": ""},
    JobKind.MAP: {"model": "encoder", "sentences": 1000, "seed": 1},
    JobKind.COUNT: {},
    JobKind.AGREEMENT: {"layer": 0, "language": None, "a": 0, "b": 0, "dimension": None, "mapping": ""},
    JobKind.SPLIT: {
        "name": None,
        "layer": 0,
        "method": None,
        "parts": [],
        "shares": [],
        "strata": [],
        "together": False,
        "seed": 1,
        "upload": "",
        "partial": False,
    },
    JobKind.STUDY: {
        "layer": 0,
        "language": None,
        "people": [],
        "dimension": None,
        "mapping": "",
        "cluster": None,
        "seed": 1,
        "resamples": 1000,
    },
    JobKind.COMPARE: {"kind": None, "layer": 0, "left": {}, "right": {}},
    JobKind.ACCEPT: {"layers": [], "language": None, "rule": {}, "dry_run": False},
    JobKind.EXPORT: {"format": None, "layer": "", "languages": [], "whose": "gold", "name": "", "undecided": False},
}
# What a capability says of its own jobs, which are above this one: a function of the project and the settings. It
# returns those that it makes more exact, and raises ActionError for what cannot be.
_CHECKS = {
    JobKind.PREDICT: "annotator.machines.actions.job_settings.exact_prediction",
    JobKind.TRAIN: "annotator.machines.actions.job_settings.exact_training",
    JobKind.RELEASE: "annotator.releases.actions.job_settings.exact_release",
    JobKind.EXPORT: "annotator.releases.actions.job_settings.exact_export",
    JobKind.COMPARE: "annotator.comparisons.actions.job_settings.exact_comparison",
    JobKind.SPLIT: "annotator.splits.actions.job_settings.exact_split",
}
_ROUTES = dict.fromkeys(
    (JobKind.PREDICT, JobKind.PROJECT, JobKind.TRAIN, JobKind.REVISE, JobKind.MAP),
    "annotator.machines.actions.job_settings.route_of",
)
_KNOWN = {JobKind.TRAIN: "annotator.machines.actions.job_settings.learnt_from"}
_CHOICES = {
    (JobKind.PROJECT, "labels"): [source.value for source in LabelSource],
}


def _kind(kind: str) -> JobKind:
    # Projects are deleted and restored by their own actions alone (delete_project.py, archive/uploads.py).
    if kind not in JobKind or JobKind(kind) not in _DEFAULTS:
        raise ActionError(_("Unknown kind of job: “%(kind)s”.") % {"kind": kind})
    return JobKind(kind)


def _checked(project: Project, kind: JobKind, params: dict[str, Any]) -> dict[str, Any]:
    defaults = _DEFAULTS[kind]
    if unknown := sorted(params.keys() - defaults.keys()):
        raise ActionError(
            _("Jobs of the kind “%(kind)s” have no setting %(names)s.")
            % {"kind": kind.label, "names": ", ".join(unknown)}
        )
    checked = defaults | params
    for name, value in checked.items():
        default = defaults[name]
        wanted = str if default is None else type(default)
        wrong = not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool)
        if wrong or (default is None and not value) or (wanted is int and value < 1):
            raise ActionError(
                _("The setting %(name)s of the job “%(kind)s” is missing or invalid: %(value)s.")
                % {"name": name, "kind": kind.label, "value": value}
            )
        if value not in _CHOICES.get((kind, name), [value]):
            raise ActionError(
                _("The setting %(name)s must be one of: %(choices)s.")
                % {"name": name, "choices": ", ".join(_CHOICES[kind, name])}
            )
        if name in ("language", "source", "target") and value not in project.languages:
            raise ActionError(
                _("The project does not have the language “%(language)s”. Available: %(languages)s.")
                % {"language": value, "languages": ", ".join(project.languages)}
            )
    if kind in _CHECKS:
        checked |= import_string(_CHECKS[kind])(project, checked)
    if kind == JobKind.PROJECT and checked["source"] == checked["target"]:
        raise ActionError(_("Labels are projected from one language to another. Choose two."))
    return checked
