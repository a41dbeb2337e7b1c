"""The dashboard of a project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.forms import Form
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from annotator.core.access import Access, project_for
from annotator.core.intake import Holds
from annotator.core.kind import available, empty_reason, is_open_ended, kind_of, task_action, task_due
from annotator.core.permissions import Permission
from annotator.core.unit_kinds import counted_units
from annotator.dashboard.forms import (
    BlindForm,
    LanguageForm,
    PredictForm,
    ProjectLabelsForm,
    TrainEveryForm,
    TrainForm,
    TransferForm,
)
from annotator.dashboard.queries.next_step import NextStep, Step, decisions, labels_sentences, next_step
from annotator.dashboard.queries.run_numbers import LanguageNumbers, run_numbers
from annotator.dashboard.queries.stages_before import before
from annotator.dashboard.views.next_step_words import next_step_words
from annotator.jobs.queries import ALL_QUEUES, active_jobs, listed_jobs, progress_of, queues_listening
from annotator.machines.queries.engines import Engines, has_torch
from annotator.machines.queries.training import LearningCourse, learning
from annotator.models import Project, Stage
from annotator.releases.queries.releases import answers_stand
from annotator.reports.queries.agreement import question
from annotator.reports.queries.agreement_runs import rows_of
from annotator.reports.queries.overlaps import Overlap, common_work
from annotator.search.queries.filters import reader_of
from annotator.templatetags.words import stage_title
from annotator.web.pages import project_page
from annotator.web.requests import PageRequest
from annotator.work.blind.queries.blind import answers_blind
from annotator.work.derivation.queries.source_changes import changed_in
from annotator.work.queue.queries.coverage import MAX_COUNTED, gold_of_unjudged
from annotator.work.queue.queries.dealing import refusal
from annotator.work.queue.queries.orphaned_answers import orphaned_answers
from annotator.work.queue.queries.progress import (
    HeldAhead,
    PersonProgress,
    Progress,
    held_ahead,
    people_progress,
    project_progress,
    public_progress,
)


@require_safe
@vary_on_headers("HX-Request")
def dashboard(request: PageRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.VIEW)
    if request.htmx:
        return project_page(request, access, "dashboard/dashboard_jobs.html", _jobs(access))
    project = access.project
    progress = project_progress(project, access.user)
    deciding = decisions(access, progress)
    waiting = {stage: found.mine for stage, found in deciding.items()}
    step = next_step(access, progress, waiting)
    gold = gold_of_unjudged([stage for stage, _n in progress], {stage.pk: (n.total, n.done) for stage, n in progress})
    numbers = run_numbers(project, progress, gold)
    people = people_progress([stage for stage, _numbers in progress])
    ahead = held_ahead([stage for stage, _numbers in progress])
    progress = [(stage, public_progress(stage, numbers)) for stage, numbers in progress]
    left = orphaned_answers([stage for stage, _n in progress]) if access.can_change(Permission.MANAGE) else {}
    changed = changed_in([stage for stage, _numbers in progress], access.user)
    context: dict[str, Any] = {
        "stages": [
            _stage_row(access, stage, numbers)
            | {
                "people": _at_work(stage, people[stage.pk], ahead[stage.pk]),
                "to_decide": waiting.get(stage.pk),
                "others_decide": deciding[stage.pk].others if stage.pk in deciding else 0,
                "gold": gold.get(stage.pk, 0),
                "more_gold": gold.get(stage.pk) == MAX_COUNTED,
                "source_changed": changed[stage.pk],
                "left": len(left.get(stage.pk, ())),
            }
            for stage, numbers in progress
        ],
        "next": {"step": step.step.value, **next_step_words(access, step)},
        "learning": learning(project),
        "several_labels": len(project.scheme.labels) > 1,
        "silent": bool(ALL_QUEUES - queues_listening()),
        "reader": reader_of(access, [stage for stage, _numbers in progress]),
    }
    for row in context["stages"]:
        told = row["progress"]
        row["begun"] = any((row["people"], row["gold"], row["others_decide"], told.done, told.open, told.blind_open))
    context["has_begun"] = any(row["begun"] for row in context["stages"])
    context["matrix"] = _matrix(context["stages"], project.languages)
    if access.may(Permission.ADJUDICATE):
        context["agreements"] = _agreements(access)
    if access.may(Permission.MANAGE):
        context["labels_sentences"] = labels_sentences(project, progress)
        context["answers_stand"] = answers_stand(project, [stage for stage, _numbers in progress])
        context["offers_jobs"] = access.can_change(Permission.MANAGE) and (
            context["labels_sentences"] or project.tag_layer is not None or not context["answers_stand"]
        )
        if context["offers_jobs"]:
            context["forms"] = _forms(project, step, context["stages"], numbers, context["learning"])
            context["run_numbers"] = numbers
            context["assign_at"] = next((stage for stage, _numbers in progress if not refusal(stage)), None)
            context["by_hand"] = _by_hand(project, context["stages"])
            context["has_torch"] = has_torch()
    return project_page(request, access, "dashboard/dashboard.html", context, section="project")


def _stage_row(access: Access, stage: Stage, numbers: Progress) -> dict[str, Any]:
    """What the dashboard says of a stage by itself."""
    return {
        "stage": stage,
        "progress": numbers,
        "open_ended": not stage.adjudicates and is_open_ended(kind_of(stage)),
        "unseen": numbers.total - numbers.done - numbers.open,
        "remaining": max(0, numbers.total - numbers.done),
        "adjudicates": stage.adjudicates,
        "may_work": access.can_change(_needed(stage)) and access.works_in(stage.language),
        "comes_first": _first(access, stage, numbers.total),
        "due": _due(access, stage),
        "waits_for_projection": not stage.adjudicates and kind_of(stage).intake.holds(stage) == Holds.PROJECTED,
    }


def _matrix(rows: Sequence[dict[str, Any]], languages: Sequence[str]) -> dict[str, Any]:
    """The rows of stages by what is done there, in the order of the first of them, and by language. Two stages of one
    name in one language are two lines."""
    used = [language for language in languages if any(row["stage"].language == language for row in rows)]
    lines: list[dict[str, Any]] = []
    for row in rows:
        title, column = stage_title(row["stage"]), used.index(row["stage"].language)
        line = next((line for line in lines if line["title"] == title and line["cells"][column] is None), None)
        if line is None:
            line = {"title": title, "cells": [None] * len(used)}
            lines.append(line)
        line["cells"][column] = row
    return {"languages": used, "lines": lines}


def _forms(
    project: Project,
    step: NextStep,
    rows: Sequence[dict[str, Any]],
    numbers: Mapping[str, LanguageNumbers],
    courses: Sequence[LearningCourse],
) -> dict[str, Form]:
    """What a manager starts from the dashboard; `step` says what with."""
    told: dict[str, Any] = {"project": project, "numbers": numbers}
    engines = Engines(project, courses)
    source, target = (step.source, step.language) if step.step == Step.PROJECT else ("", "")
    return {
        "predict": PredictForm(project=project, engines=engines, language=step.language, auto_id="predict-%s"),
        "train": TrainForm(**told, engines=engines, auto_id="train-%s"),
        "train_every": TrainEveryForm(hundreds=project.train_every, auto_id="train-every-%s"),
        "project": ProjectLabelsForm(
            **told,
            engines=engines,
            auto_id="project-%s",
            initial={"source": source, "target": target} if source else None,
        ),
        "accept": LanguageForm(
            **told, auto_id="accept-%s", initial={"language": step.language} if step.step == Step.ACCEPT else None
        ),
        "transfer": TransferForm(**told, auto_id="transfer-%s"),
        "blind": BlindForm(project=project, stages=[row["stage"] for row in rows], auto_id="blind-%s"),
    }


def _by_hand(project: Project, rows: Sequence[dict[str, Any]]) -> dict[str, Stage]:
    """By language, the first stage in which the reader can label sentences."""
    layer = project.label_layer.pk
    found: dict[str, Stage] = {}
    for row in rows:
        stage = row["stage"]
        if stage.layer_id == layer and not stage.adjudicates and row["may_work"]:
            found.setdefault(stage.language, stage)
    return found


def _jobs(access: Access) -> dict[str, Any]:
    """Running jobs, else the newest one: for the menu of what runs."""
    listening = queues_listening()
    active = [progress_of(job, listening=listening) for job in active_jobs(access.project)]
    return {
        "active_jobs": active,
        "last_job": None if active else listed_jobs(access.project).first(),
    }


def _at_work(stage: Stage, people: Sequence[PersonProgress], ahead: HeldAhead) -> list[PersonProgress]:
    """What each person has open, without what their page holds in advance; who has nothing else is left out."""
    rows = [
        # What is claimed is answered in the stage's own mode.
        replace(row, open=row.open - ahead.people.get(row.user.pk, 0)) if row.mode == stage.mode else row
        for row in people
    ]
    return [row for row in rows if row.open or row.done]


def _needed(stage: Stage) -> Permission:
    return Permission.ADJUDICATE if stage.adjudicates else kind_of(stage).needs


def _first(access: Access, stage: Stage, total: int) -> dict[str, Any] | None:
    """Of an empty stage, what has to be done first, and the stage in which the reader may do it; or what is made there
    once somebody begins."""
    if stage.adjudicates or total or is_open_ended(kind_of(stage)):
        return None
    if not (lacks := empty_reason(stage)):
        offered = available(stage, access.user)
        text = _("Up to %(units)s will be created when someone starts.")
        units = counted_units(stage.layer.unit_kind, offered)
        return {"text": text % {"units": units}, "stage": None} if offered else None
    there = before(stage)
    may_work = there is not None and access.can_change(_needed(there)) and access.works_in(there.language)
    return {"text": lacks, "stage": there if may_work else None}


def _due(access: Access, stage: Stage) -> dict[str, str] | None:
    """What a manager should do in a stage: why, and as its link says it."""
    if stage.adjudicates or not access.can_change(Permission.MANAGE):
        return None
    text = task_due(stage)
    return {"text": text, "action": task_action(stage)} if text else None


def _agreements(access: Access) -> list[dict[str, Any]]:
    """Agreement of the first two of `common_work` in each layer, but not on what they wrote as they liked; none for
    anyone who still answers blind. `result`: None where a job has still to compute it."""
    if answers_blind(access.user, access.project):
        return []
    most: dict[str, Overlap] = {}
    for row in common_work(access.project).rows:
        if not row.free:
            most.setdefault(row.layer, row)
    found = []
    for row in most.values():
        asked = question(access.project, a=row.a, b=row.b, layer=row.layer, language=row.language)
        found.append({"a": row.a, "b": row.b, "asked": asked, "result": rows_of(asked)})
    return found
