"""Starting, cancelling and retrying background jobs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.core.database.locks import lock_project
from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.core.files.room import check_room
from annotator.domain.labels.label_uses import LabelUseError, checked_uses
from annotator.domain.mapping import MappingError, labels_of_machine, mapping_named
from annotator.domain.projection.carry import LabelSource
from annotator.domain.states import JOB_STATES, JobState, may_precede
from annotator.domain.verbs import Verb
from annotator.jobs.running import change_state, give_back
from annotator.machines.queries.training import (
    FINISHED,
    detector_in_use,
    finished_sentences,
    is_trained,
    label_to_learn,
    too_little_to_start,
    trained_detector,
)
from annotator.models import Job, JobChunk, JobKind, Project, User
from annotator.models.stored_error import error_columns
from annotator.releases.actions.label_exports import checked_choice, choice_of

# Waiting or running: what can still be cancelled.
ACTIVE = may_precede(JOB_STATES, JobState.CANCELLED)
CHUNK = 100
# Stands for the detector in use when the job is started; what is stored names that one.
IN_USE = "in-use"
# Characters of what somebody typed that an error repeats.
LONGEST_SHOWN = 50
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
    label [what the scheme or the mapping says; it must be given where they say nothing];
    archive: `pseudonyms` [False]; possible in a read-only project, too;
    revise: `unit` (the new revision), `detector` [""; no prediction], `projections` [none; objects with `source`,
    `target`, `aligner`, `labels` as for project]: started by `revisions/revisions.py` alone;
    fill: `stage` (id), relabel: `layer` (id), `change`, copy: `from` (id of a project): started by
    `projects/actions/stages.py`, `projects/actions/relabel.py` and `projects/actions/copy_project.py`;
    words: `language`, `words` (which list): started by `projects/actions/project_settings.py`;
    map: `model` "encoder" or "transformers:" and a model ["encoder"], `sentences` of each language at most [1000],
    `seed` that they are drawn with [1];
    count: nothing; it counts all that tables are made from;
    export: `format`, `layer` [""; the text alone], `languages` [all], `whose` "gold", "person" or "model" ["gold"],
    `name` of that person or model [""], `undecided` [False]; possible in a read-only project, too;
    import: either `path` (a zip under UPLOADS_DIR), `labels` "none" or "gold" ["none"], `dataset` [all in the zip]; or
    `draft` (the key of an import draft), `fingerprint` (what was previewed), `check` (only read it) [False].

    Raises ActionError for unknown kinds, parameters or languages, and when the same work is under way already.
    """
    checked = _checked(project, _kind(kind), dict(params))
    lock_project(project)
    same = _active(project, kind, checked)
    if same is not None:
        raise ActionError(_("This work is under way already: %(job)s. Wait for its end, or cancel it.") % {"job": same})
    if kind in _KEEPING:
        check_room(by=by)
    job = Job.objects.create(
        project=project, kind=kind, params=checked, result=_known(project, kind, checked), created_by=by
    )
    _log(job, by, verb=Verb.JOB_START, after={"kind": kind, "params": checked})
    send_on_commit(job)
    return job


def _known(project: Project, kind: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """What is put on record when a job is started: for a training, what the next one is counted from."""
    if kind != JobKind.TRAIN:
        return {}
    return {FINISHED: finished_sentences(project, params["language"])}


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
        raise ActionError(_("%(job)s is finished; there is nothing to cancel.") % {"job": job})
    job.refresh_from_db()
    _log(job, by, verb=Verb.JOB_CANCEL, before={"state": before, "done": job.done}, after={"state": job.state})
    return job


@transaction.atomic
def retry_job(*, job: Job, by: User | None) -> Job:
    """Go on with a failed or cancelled job; what it had done already is not done again."""
    job = Job.objects.select_for_update().get(pk=job.pk)
    before = {"state": job.state, "error": job.error}
    if not change_state(job.pk, JobState.QUEUED, started_at=None, finished_at=None, **error_columns()):
        raise ActionError(_("Only a failed or cancelled job can be tried again; %(job)s is neither.") % {"job": job})
    give_back(JobChunk.objects.filter(job=job))
    job.chunks.update(attempts=0)
    job.refresh_from_db()
    _log(job, by, verb=Verb.JOB_RETRY, before=before, after={"state": job.state})
    send_on_commit(job)
    return job


def send_on_commit(job: Job) -> None:
    """Tell workers of a job once the transaction is committed."""
    from annotator.celery import send

    transaction.on_commit(lambda: send(job.pk, JobKind(job.kind).queue))


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
    JobKind.RELEASE: {"partial": False, "mapping": "", "sample": False, "seed": 1, "uses": {}, "comments": False},
    JobKind.IMPORT: {
        "path": "",
        "labels": "none",
        "dataset": "",
        "draft": "",
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
    JobKind.EXPORT: {"format": None, "layer": "", "languages": [], "whose": "gold", "name": "", "undecided": False},
}
_CHOICES = {
    (JobKind.PROJECT, "labels"): [source.value for source in LabelSource],
    (JobKind.IMPORT, "labels"): ["none", "gold"],
}


def _kind(kind: str) -> JobKind:
    # Projects are deleted and restored by their own actions alone (delete_project.py, archive/uploads.py).
    if kind not in JobKind or JobKind(kind) not in _DEFAULTS:
        raise ActionError(_('There is no kind of job called "%(kind)s".') % {"kind": kind})
    return JobKind(kind)


def _checked(project: Project, kind: JobKind, params: dict[str, Any]) -> dict[str, Any]:
    defaults = _DEFAULTS[kind]
    if unknown := sorted(params.keys() - defaults.keys()):
        raise ActionError(
            _("Jobs of the kind %(kind)s have no setting %(names)s.")
            % {"kind": kind.label, "names": ", ".join(unknown)}
        )
    checked = defaults | params
    for name, value in checked.items():
        default = defaults[name]
        wanted = str if default is None else type(default)
        wrong = not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool)
        if wrong or (default is None and not value) or (wanted is int and value < 1):
            raise ActionError(
                _("The setting %(name)s of a job of the kind %(kind)s is missing or wrong: %(value)s.")
                % {"name": name, "kind": kind.label, "value": value}
            )
        if value not in _CHOICES.get((kind, name), [value]):
            raise ActionError(
                _("The setting %(name)s must be one of: %(choices)s.")
                % {"name": name, "choices": ", ".join(_CHOICES[kind, name])}
            )
        if name in ("language", "source", "target") and value not in project.languages:
            raise ActionError(
                _('The project has no language "%(language)s"; it has: %(languages)s.')
                % {"language": value, "languages": ", ".join(project.languages)}
            )
    if kind == JobKind.IMPORT and not (checked["path"] or checked["draft"]):
        raise ActionError(
            _("The setting %(name)s of a job of the kind %(kind)s is missing or wrong: %(value)s.")
            % {"name": "path", "kind": kind.label, "value": checked["path"]}
        )
    if kind == JobKind.PREDICT:
        checked["detector"] = _detector(project, checked)
    if kind == JobKind.TRAIN:
        checked["label"] = _label(project, checked)
        _check_engine(checked["engine"])
        if reason := too_little_to_start(project, checked["language"], checked["label"]):
            raise ActionError(reason)
    if kind == JobKind.RELEASE:
        checked["uses"] = _uses(project, checked)
    if kind == JobKind.EXPORT:
        checked["languages"] = list(checked_choice(project, choice_of(checked)).languages)
    if kind == JobKind.PROJECT and checked["source"] == checked["target"]:
        raise ActionError(_("Labels are projected from one language to another; choose two."))
    return checked


def _uses(project: Project, params: Mapping[str, Any]) -> dict[str, str]:
    """What labels are uses of in the release's sample, as the job keeps it; nothing where it has none."""
    try:
        mapping = mapping_named(project.scheme, params["mapping"]) if params["mapping"] else None
        if not params["sample"]:
            return {}
        return {label: use.value for label, use in checked_uses(project.scheme, params["uses"], mapping).items()}
    except (MappingError, LabelUseError) as error:
        raise ActionError(error.said) from error


def _detector(project: Project, params: Mapping[str, Any]) -> str:
    """The detector that a pre-labelling names: every part of it uses the same, whatever becomes active meanwhile."""
    spec = str(params["detector"])
    if spec == IN_USE:
        return detector_in_use(project, params["language"]).spec
    if not is_trained(spec):
        return spec
    trained = trained_detector(project, spec)
    if trained is None or trained.language != params["language"]:
        kept = project.trained_detectors.filter(language=params["language"], active=True)
        raise ActionError(
            _(
                'This project has no detector "%(detector)s" for sentences in %(language)s. It has: %(kept)s. One that '
                "was no better than the one in use is not kept."
            )
            % {
                "detector": spec[:LONGEST_SHOWN],
                "language": params["language"],
                "kept": ", ".join(row.spec for row in kept) or _("none"),
            }
        )
    return trained.spec


def _label(project: Project, params: Mapping[str, Any]) -> str:
    labels = labels_of_machine(project.scheme)
    if params["label"] and params["label"] not in labels:
        raise ActionError(
            _("The setting %(name)s must be one of: %(choices)s.") % {"name": "label", "choices": ", ".join(labels)}
        )
    return str(params["label"] or label_to_learn(project, params["language"]))


def _check_engine(engine: str) -> None:
    name, _colon, model = engine.partition(":")
    if engine != "crf" and not (name == "transformers" and model):
        raise ActionError(
            _('No engine that learns from projects is called "%(engine)s". Use crf, or transformers: and a model.')
            % {"engine": engine}
        )
