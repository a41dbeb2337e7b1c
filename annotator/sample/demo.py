"""The sample project: logins, corpus, machine labels, two annotators' work on an overlap. All through the actions."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.domain.content import Content
from annotator.domain.labels.spans import Span
from annotator.domain.verbs import Verb
from annotator.formats.corpora.meta4xnli import read_corpus
from annotator.formats.corpus.corpus import pair_uid, segment_uid
from annotator.imports.writing.imports import import_meta4xnli
from annotator.jobs.actions import start_job
from annotator.jobs.workers import wait_for
from annotator.machines.actions.transfers import transfer_tags
from annotator.models import (
    AssignmentState,
    Event,
    Job,
    JobKind,
    JobState,
    Project,
    Role,
    Segment,
    Stage,
    Suggestion,
    SuggestionKind,
    Unit,
    User,
)
from annotator.projects.actions.projects import add_member, create_project
from annotator.work.answering.actions.annotations import save_annotation
from annotator.work.blind.actions.blind import assign_blind
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.work.queue.actions.assignments import assign_review

SAMPLE = Path(__file__).resolve().parent
SLUG = DATASET = "sample"
LABEL = "METAPHOR"
# Draws the pairs of annotators.json; `_overlap` makes sure of it.
SEED = 890370
# Premises whose sentences and pairs Ana has finished in English too, so that a release has something in it.
FINISHED = ("12_sample", "18_sample")
# What Ben has still to do, so that there is a blind sentence and a blind pair to look at.
LEFT_TO_BEN = "72_sample"


@dataclass(frozen=True, slots=True)
class DemoUser:
    username: str
    name: str
    role: str
    does: str


KNOWN_PASSWORD = "translatio"  # noqa: S105
DEMO_USERS = (
    DemoUser("mara", "Mara", Role.MANAGER, "manager: dashboard, agreement, jobs, members, releases"),
    DemoUser("ana", "Ana", Role.ANNOTATOR, "annotator: corrects, reviews projections, tags pairs"),
    DemoUser("ben", "Ben", Role.ANNOTATOR, "annotator: has labelled a part blind, one sentence is left"),
    DemoUser("adela", "Adela", Role.ADJUDICATOR, "adjudicator: decides where the two differ"),
    DemoUser("admin", "Admin", "", "site admin: all projects, /admin/"),
)


def demo_password() -> str:
    """What the people of the sample sign in with: DEMO_PASSWORD, or what everybody knows."""
    return os.environ.get("DEMO_PASSWORD", "") or KNOWN_PASSWORD


def load_sample(*, report: Callable[[str], None]) -> bool:
    """Load the sample project; False, with nothing changed, when it was loaded before.

    Interrupted and called again, it continues where it was. Needs the task modules imported, since it runs jobs.
    Raises ActionError where people of its own use the installation and DEMO_PASSWORD is not set: the sample comes
    with logins.
    """
    if Event.objects.filter(verb=Verb.SAMPLE_LOADED, subject_type="project").exists():
        return False
    users = _users()
    project = _project(users)
    mara = users["mara"]
    overlap = _overlap(project)
    _do(project, JobKind.PREDICT, {"language": "es"}, mara, report)
    _assign(project, overlap, users)
    _annotate(project, overlap, users)
    for layer in project.layers.all():
        accept_agreed(project=project, layer=layer, language="es", by=mara)
    _do(project, JobKind.PROJECT, {"source": "es", "target": "en", "labels": "annotations"}, mara, report)
    _do(project, JobKind.PREDICT, {"language": "en", "only_unprojected": True}, mara, report)
    transfer_tags(project=project, source="es", target="en", by=mara)
    _review_english(project, users)
    _do(project, JobKind.RELEASE, {"partial": True}, mara, report)
    log(project=project, actor=None, verb=Verb.SAMPLE_LOADED, subject=project)
    return True


def _users() -> dict[str, User]:
    names = [person.username for person in DEMO_USERS]
    password = demo_password()
    if password == KNOWN_PASSWORD and User.objects.exclude(username__in=names).exists():
        raise ActionError(
            _(
                "This installation already has users, and the sample creates accounts, including an "
                "administrator's, with a public password. To load it anyway, set DEMO_PASSWORD to a secret "
                "password."
            )
        )
    # Once for all: hashing is slow on purpose.
    hashed = make_password(password)
    return {person.username: _user(person, hashed) for person in DEMO_USERS}


@transaction.atomic
def _user(person: DemoUser, hashed: str) -> User:
    known = User.objects.filter(username=person.username).first()
    if known is not None:
        return known
    admin = not person.role
    user = User.objects.create(
        username=person.username, password=hashed, first_name=person.name, is_staff=admin, is_superuser=admin
    )
    log(project=None, actor=None, verb=Verb.USER_CREATED, subject=user, after={"username": user.username})
    return user


def _project(users: Mapping[str, User]) -> Project:
    project = Project.objects.filter(slug=SLUG).first()
    if project is None:
        project = create_project(slug=SLUG, name="Sample (ES→EN)", preset="meta4xnli-es-en", by=users["mara"])
    for person in DEMO_USERS:
        user = users[person.username]
        if person.role and not project.memberships.filter(user=user).exists():
            add_member(project=project, user=user, role=person.role, by=users["mara"])
    import_meta4xnli(project=project, root=SAMPLE, dataset=DATASET, labels="none", by=users["mara"])
    return project


def _do(project: Project, kind: JobKind, params: dict[str, Any], by: User, report: Callable[[str], None]) -> None:
    """Start the job and wait for its end, unless it was done before."""
    earlier = [job for job in project.jobs.filter(kind=kind) if params.items() <= job.params.items()]
    job: Job | None = next((job for job in earlier if not job.finished or job.state == JobState.DONE), None)
    if job is None:
        job = start_job(project=project, kind=kind, params=params, by=by)
    job = wait_for(job, report=report)
    if job.state != JobState.DONE:
        raise ActionError(f"{job}: {job.error_shown or job.get_state_display()}")


@dataclass(frozen=True, slots=True)
class Overlap:
    """The two annotators' work, by id of the Spanish sentence and pair."""

    sentences: dict[int, dict[str, Any]]
    pairs: dict[int, dict[str, Any]]


def _overlap(project: Project) -> Overlap:
    content = json.loads((SAMPLE / "annotators.json").read_text(encoding="utf-8"))["overlap"]
    current = Unit.objects.published().filter(project=project, language="es", is_current=True)
    units = dict(current.values_list("segment__uid", "pk"))
    return Overlap(
        {units[segment_uid(DATASET, entry["unit"], entry["id"])]: entry for entry in content["sentences"]},
        {units[pair_uid(DATASET, entry["pairID"])]: entry for entry in content["pairs"]},
    )


def _stages(project: Project, overlap: Overlap) -> list[tuple[Stage, list[int]]]:
    return [
        (_stage(project, "correct", "es"), list(overlap.sentences)),
        (_stage(project, "pair-tag", "es"), list(overlap.pairs)),
    ]


def _stage(project: Project, kind: str, language: str) -> Stage:
    return project.stages.select_related("project", "layer").get(kind=kind, language=language)


def _assign(project: Project, overlap: Overlap, users: Mapping[str, User]) -> None:
    if project.assignments.exists():
        return
    with transaction.atomic():
        for stage, units in _stages(project, overlap):
            assign_review(stage=stage, units=units, user=users["ana"], by=users["mara"])
        assign_blind(
            project=project,
            language="es",
            users=[users["ben"]],
            pairs=len(overlap.pairs),
            seed=SEED,
            by=users["mara"],
        )
        for stage, units in _stages(project, overlap):
            drawn = stage.assignments.filter(user=users["ben"]).values_list("unit_id", flat=True)
            if set(drawn) != set(units):
                raise AssertionError("The sample's overlap is not the one that the seed draws.")


def _annotate(project: Project, overlap: Overlap, users: Mapping[str, User]) -> None:
    for name in ("ana", "ben"):
        for unit, assignment in _open(project, users[name], overlap.sentences).items():
            entry = overlap.sentences[unit]
            if name == "ben" and (entry["unit"], entry["id"]) == ("hyp", LEFT_TO_BEN):
                continue
            content = _spans(Span(tuple(tokens), LABEL) for tokens in entry[name])
            _answer(project, assignment, users[name], content, entry["comments"].get(name, ""), name in entry["doubt"])
        for unit, assignment in _open(project, users[name], overlap.pairs).items():
            entry = overlap.pairs[unit]
            if name == "ben" and entry["pairID"] == LEFT_TO_BEN:
                continue
            _answer(project, assignment, users[name], {"value": entry[name]}, entry["comments"].get(name, ""))


def _open(project: Project, user: User, units: Collection[int]) -> dict[int, int]:
    """The person's open assignments to these units, by unit."""
    rows = project.assignments.filter(user=user, unit__in=units, state=AssignmentState.OPEN)
    return dict(rows.order_by("reading", "pk").values_list("unit_id", "pk"))


def _answer(
    project: Project, assignment: int, user: User, content: Content, comment: str = "", doubt: bool = False
) -> None:
    save_annotation(
        project=project,
        assignment=assignment,
        version=0,
        content=content,
        doubt=doubt,
        comment=comment,
        done=True,
        by=user,
        now=timezone.now(),
    )


def _spans(spans: Iterable[Span]) -> Content:
    return {"spans": [span.to_json() for span in spans]}


def _review_english(project: Project, users: Mapping[str, User]) -> None:
    """Ana's English labels are those of the sample's files, her pair tags those of the Spanish pairs."""
    ana, mara = users["ana"], users["mara"]
    labels = read_corpus(SAMPLE, DATASET, labels=project.scheme.labels).spans["en"]
    current = Unit.objects.published().filter(
        project=project,
        language="en",
        is_current=True,
        segment__dataset=DATASET,
        segment__group__in=FINISHED,
    )
    uids = dict(current.filter(kind=Segment.SENTENCE).values_list("pk", "segment__uid"))
    for kind in ("project-review", "correct"):
        assign_review(stage=_stage(project, kind, "en"), units=list(uids), user=ana, by=mara)
    for unit, assignment in _open(project, ana, uids).items():
        _answer(project, assignment, ana, _spans(labels[uids[unit]]))
    accept_agreed(project=project, layer=project.label_layer, language="en", by=mara, without_overlap=True)
    silver = dict(
        Suggestion.objects.filter(
            unit__in=current.filter(kind=Segment.PAIR), kind=SuggestionKind.TRANSFER, is_current=True
        ).values_list("unit_id", "content")
    )
    stage = _stage(project, "pair-tag", "en")
    assign_review(stage=stage, units=list(silver), user=ana, by=mara)
    for unit, assignment in _open(project, ana, silver).items():
        _answer(project, assignment, ana, {"value": silver[unit]["value"]})
    accept_agreed(project=project, layer=stage.layer, language="en", by=mara, without_overlap=True)
