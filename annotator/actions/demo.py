"""The sample project: logins, corpus, machine labels, two annotators' work on an overlap. All through the actions."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.actions.annotations import open_annotation, save_annotation
from annotator.actions.assignments import assign_blind, assign_review
from annotator.actions.errors import ActionError
from annotator.actions.events import log
from annotator.actions.gold import accept_agreed, accept_agreed_tags
from annotator.actions.imports import import_meta4xnli
from annotator.actions.jobs import start_job
from annotator.actions.pair_tags import tag_pair, transfer_tags
from annotator.actions.projects import add_member, create_project
from annotator.domain.corpus import segment_uid
from annotator.domain.formats.meta4xnli import read_corpus
from annotator.domain.spans import Span
from annotator.models import (
    AssignmentState,
    Event,
    Job,
    JobKind,
    JobState,
    Project,
    Role,
    Stage,
    StageKind,
    TagKind,
    User,
)
from annotator.workers import wait_for

SAMPLE = Path(__file__).resolve().parent.parent / "sample"
SLUG = DATASET = "sample"
LABEL = "METAPHOR"
LOADED = "sample.loaded"
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

    Interrupted and called again, it goes on where it was. Needs the task modules imported, since it runs jobs.
    Raises ActionError where people of its own use the installation and DEMO_PASSWORD is not set: the sample comes
    with logins.
    """
    if Event.objects.filter(verb=LOADED, subject_type="project").exists():
        return False
    users = _users()
    project = _project(users)
    mara = users["mara"]
    overlap = _overlap(project)
    _do(project, JobKind.PREDICT, {"language": "es"}, mara, report)
    _assign(project, overlap, users)
    _label(project, overlap, users)
    _tag(project, overlap, users)
    accept_agreed(project=project, language="es", by=mara)
    accept_agreed_tags(project=project, language="es", by=mara)
    _do(project, JobKind.PROJECT, {"source": "es", "target": "en", "labels": "annotations"}, mara, report)
    _do(project, JobKind.PREDICT, {"language": "en", "only_unprojected": True}, mara, report)
    transfer_tags(project=project, source="es", target="en", by=mara)
    _review_english(project, users)
    _do(project, JobKind.RELEASE, {"partial": True}, mara, report)
    log(project=project, actor=None, verb=LOADED, subject=project)
    return True


def _users() -> dict[str, User]:
    names = [person.username for person in DEMO_USERS]
    password = demo_password()
    if password == KNOWN_PASSWORD and User.objects.exclude(username__in=names).exists():
        raise ActionError(
            _(
                "This installation has people of its own, and the sample comes with logins, an administrator's among "
                "them, whose password everybody knows. Set DEMO_PASSWORD to a secret one to load it nevertheless."
            )
        )
    return {person.username: _user(person, password) for person in DEMO_USERS}


@transaction.atomic
def _user(person: DemoUser, password: str) -> User:
    known = User.objects.filter(username=person.username).first()
    if known is not None:
        return known
    admin = not person.role
    user = User.objects.create_user(
        person.username, password=password, first_name=person.name, is_staff=admin, is_superuser=admin
    )
    log(project=None, actor=None, verb="user.created", subject=user, after={"username": user.username})
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
        raise ActionError(f"{job}: {job.error or job.get_state_display()}")


@dataclass(frozen=True, slots=True)
class Overlap:
    """The two annotators' work, by id of the sentence and of the pair."""

    sentences: dict[int, dict[str, Any]]
    pairs: dict[int, dict[str, Any]]


def _overlap(project: Project) -> Overlap:
    content = json.loads((SAMPLE / "annotators.json").read_text(encoding="utf-8"))["overlap"]
    sentences = dict(project.sentences.filter(language="es", is_current=True).values_list("segment__uid", "pk"))
    pairs = dict(project.pairs.filter(dataset=DATASET).values_list("pair_id", "pk"))
    return Overlap(
        {sentences[segment_uid(DATASET, entry["unit"], entry["id"])]: entry for entry in content["sentences"]},
        {pairs[entry["pairID"]]: entry for entry in content["pairs"]},
    )


def _assign(project: Project, overlap: Overlap, users: Mapping[str, User]) -> None:
    if project.assignments.exists():
        return
    with transaction.atomic():
        for stage, ids in _stages(project, overlap):
            assign_review(stage=stage, ids=ids, user=users["ana"], by=users["mara"])
        assign_blind(
            project=project,
            language="es",
            users=[users["ben"]],
            pairs=len(overlap.pairs),
            seed=SEED,
            by=users["mara"],
        )
        for stage, ids in _stages(project, overlap):
            field = "pair_id" if stage.kind == StageKind.PAIR_TAG else "sentence_id"
            drawn = stage.assignments.filter(user=users["ben"]).values_list(field, flat=True)
            if set(drawn) != set(ids):
                raise ActionError("The sample's overlap is not the one that the seed draws.")


def _stages(project: Project, overlap: Overlap) -> list[tuple[Stage, list[int]]]:
    return [
        (project.stages.get(kind=StageKind.CORRECT, language="es"), list(overlap.sentences)),
        (project.stages.get(kind=StageKind.PAIR_TAG, language="es"), list(overlap.pairs)),
    ]


def _label(project: Project, overlap: Overlap, users: Mapping[str, User]) -> None:
    for name in ("ana", "ben"):
        user = users[name]
        todo = project.assignments.filter(user=user, sentence__in=overlap.sentences, state=AssignmentState.OPEN)
        for assignment in todo.select_related("sentence", "stage", "project"):
            entry = overlap.sentences[assignment.sentence_id or 0]
            if name == "ben" and (entry["unit"], entry["id"]) == ("hyp", LEFT_TO_BEN):
                continue
            annotation = open_annotation(assignment=assignment, by=user)
            save_annotation(
                annotation=annotation,
                version=annotation.version,
                spans=[Span(tuple(tokens), LABEL) for tokens in entry[name]],
                doubt=name in entry["doubt"],
                comment=entry["comments"].get(name, ""),
                done=True,
                by=user,
            )


def _tag(project: Project, overlap: Overlap, users: Mapping[str, User]) -> None:
    for name in ("ana", "ben"):
        user = users[name]
        todo = project.assignments.filter(user=user, pair__in=overlap.pairs, state=AssignmentState.OPEN)
        for assignment in todo.select_related("pair", "stage", "project"):
            entry = overlap.pairs[assignment.pair_id or 0]
            if name == "ben" and entry["pairID"] == LEFT_TO_BEN:
                continue
            comment = entry["comments"].get(name, "")
            tag_pair(assignment=assignment, version=0, tag=entry[name], comment=comment, by=user)


def _review_english(project: Project, users: Mapping[str, User]) -> None:
    """Ana's English labels are those of the sample's files, her pair tags those of the Spanish pairs."""
    ana, mara = users["ana"], users["mara"]
    labels = read_corpus(SAMPLE, DATASET, labels=project.scheme.labels).spans["en"]
    groups = project.segments.filter(dataset=DATASET, group__in=FINISHED)
    uids = dict(
        project.sentences.filter(language="en", is_current=True, segment__in=groups).values_list("pk", "segment__uid")
    )
    for kind in (StageKind.PROJECT_REVIEW, StageKind.CORRECT):
        stage = project.stages.get(kind=kind, language="en")
        assign_review(stage=stage, ids=list(uids), user=ana, by=mara)
        todo = stage.assignments.filter(user=ana, sentence__in=uids, state=AssignmentState.OPEN)
        for assignment in todo.select_related("sentence", "stage", "project"):
            annotation = open_annotation(assignment=assignment, by=ana)
            save_annotation(
                annotation=annotation,
                version=annotation.version,
                spans=labels[uids[assignment.sentence_id or 0]],
                doubt=False,
                comment="",
                done=True,
                by=ana,
            )
    accept_agreed(project=project, language="en", by=mara)
    silver = dict(
        project.pair_tags.filter(language="en", kind=TagKind.SILVER, pair__premise__in=groups).values_list(
            "pair_id", "tag"
        )
    )
    stage = project.stages.get(kind=StageKind.PAIR_TAG, language="en")
    assign_review(stage=stage, ids=list(silver), user=ana, by=mara)
    todo = stage.assignments.filter(user=ana, pair__in=silver, state=AssignmentState.OPEN)
    for assignment in todo.select_related("pair", "stage", "project"):
        tag_pair(assignment=assignment, version=0, tag=silver[assignment.pair_id or 0], by=ana)
    accept_agreed_tags(project=project, language="en", by=mara)
