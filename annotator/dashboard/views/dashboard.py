"""The dashboard of a project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from annotator.core.access import Access, project_for
from annotator.core.counts import with_counts
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
from annotator.dashboard.queries.next_step import Left, NextStep, Step, before, decisions, labels_sentences, next_step
from annotator.jobs.queries import ALL_QUEUES, active_jobs, listed_jobs, progress_of, queues_listening
from annotator.machines.queries.training import learning
from annotator.models import Stage
from annotator.releases.queries.releases import answers_stand
from annotator.reports.queries.agreement import agreement
from annotator.reports.queries.overlaps import Overlap, overlaps
from annotator.templatetags.words import language, stage_name
from annotator.web.pages import project_page
from annotator.web.requests import PageRequest
from annotator.work.blind.queries.blind import agreement_hidden
from annotator.work.derivation.queries.source_changes import changed_in
from annotator.work.gold.waiting_words import barred_words
from annotator.work.queue.queries.coverage import MAX_COUNTED, gold_of_unjudged
from annotator.work.queue.queries.orphaned_answers import orphaned_answers
from annotator.work.queue.queries.progress import (
    HeldAhead,
    PersonProgress,
    held_ahead,
    people_progress,
    project_progress,
    told,
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
    people = people_progress([stage for stage, _numbers in progress])
    ahead = held_ahead([stage for stage, _numbers in progress])
    progress = [(stage, told(stage, numbers)) for stage, numbers in progress]
    left = orphaned_answers([stage for stage, _n in progress]) if access.can_change(Permission.MANAGE) else {}
    changed = changed_in([stage for stage, _numbers in progress])
    context = {
        "stages": [
            {
                "stage": stage,
                "progress": numbers,
                "open_ended": not stage.adjudicates and is_open_ended(kind_of(stage)),
                "unseen": numbers.total - numbers.done - numbers.open,
                "people": _at_work(stage, people[stage.pk], ahead[stage.pk]),
                "adjudicates": stage.adjudicates,
                "to_decide": waiting.get(stage.pk),
                "others_decide": deciding[stage.pk].others if stage.pk in deciding else 0,
                "gold": gold.get(stage.pk, 0),
                "more_gold": gold.get(stage.pk) == MAX_COUNTED,
                "may_work": access.can_change(_needed(stage)) and access.works_in(stage.language),
                "comes_first": _first(access, stage, numbers.total),
                "due": _due(access, stage),
                "source_changed": changed[stage.pk],
                "left": len(left.get(stage.pk, ())),
                "waits_for_projection": not stage.adjudicates and kind_of(stage).intake.holds(stage) == Holds.PROJECTED,
            }
            for stage, numbers in progress
        ],
        "next": {"step": step.step.value, **_words(access, step)},
        "learning": learning(project),
        "several_labels": len(project.scheme.labels) > 1,
        **_jobs(access),
    }
    if access.may(Permission.ADJUDICATE):
        context["agreements"] = _agreements(access)
    if access.may(Permission.MANAGE):
        context["labels_sentences"] = labels_sentences(project, progress)
        context["answers_stand"] = answers_stand(project, [stage for stage, _numbers in progress])
        context["forms"] = {
            "predict": PredictForm(project=project, auto_id="predict-%s"),
            "train": TrainForm(project=project, auto_id="train-%s"),
            "train_every": TrainEveryForm(initial={"hundreds": project.train_every}, auto_id="train-every-%s"),
            "project": ProjectLabelsForm(
                project=project,
                auto_id="project-%s",
                initial={"source": step.source, "target": step.language} if step.step == Step.PROJECT else None,
            ),
            "accept": LanguageForm(
                project=project,
                auto_id="accept-%s",
                initial={"language": step.language} if step.step == Step.ACCEPT else None,
            ),
            "transfer": TransferForm(project=project, auto_id="transfer-%s"),
            "blind": BlindForm(project=project, stages=[row["stage"] for row in context["stages"]], auto_id="blind-%s"),
        }
    return project_page(request, access, "dashboard/dashboard.html", context, section="project")


def _jobs(access: Access) -> dict[str, Any]:
    """Running jobs, else the newest one, and the queues nobody listens to."""
    listening = queues_listening()
    active = [progress_of(job, listening=listening) for job in active_jobs(access.project)]
    return {
        "active_jobs": active,
        "last_job": None if active else listed_jobs(access.project).first(),
        "silent": sorted(ALL_QUEUES - listening),
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
        said = _("Made once somebody begins, at most: %(units)s.")
        units = counted_units(stage.layer.unit_kind, offered)
        return {"text": said % {"units": units}, "stage": None} if offered else None
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
    """Agreement of the first two of `overlaps` in each layer, but not on what they wrote as they liked; one's own waits
    for the end of blind work."""
    most: dict[str, Overlap] = {}
    for row in overlaps(access.project):
        if row.free or row.layer in most:
            continue
        if not agreement_hidden(access.user, access.project, row.language, (row.a, row.b)):
            most[row.layer] = row
    return [
        {
            "a": row.a,
            "b": row.b,
            "result": agreement(access.project, a=row.a, b=row.b, layer=row.layer, language=row.language),
        }
        for row in most.values()
    ]


def _words(access: Access, step: NextStep) -> dict[str, str]:
    """Title, text, button and address of a step."""
    slug = access.project.slug
    work = reverse("work", args=[slug, step.stage.pk]) if step.stage else ""
    stage = stage_name(step.stage) if step.stage else ""
    match step.step:
        case Step.IMPORT:
            return {
                "title": _("Import sentences"),
                "text": _("The project is empty. Bring files of your own: text, tables, or what other tools export."),
                "button": _("Import"),
                "url": reverse("import", args=[slug]),
            }
        case Step.WAIT:
            return {
                "title": _("Nothing to do yet"),
                "text": _("The project has no sentences. A manager imports them first."),
            }
        case Step.PREDICT:
            return {
                "title": _("Pre-label the sentences"),
                "text": _("A detector suggests labels in %(language)s; people then correct every sentence.")
                % {"language": language(step.language)},
            }
        case Step.MEND:
            return {
                "title": _("Go on: %(stage)s") % {"stage": stage},
                "text": with_counts(
                    ngettext(
                        "%(count)d text came back to you, with reasons.",
                        "%(count)d texts came back to you, with reasons.",
                        step.count,
                    ),
                    count=step.count,
                ),
                "button": _("Go on"),
                "url": work,
            }
        case Step.CONTINUE:
            waiting = ngettext("%(count)d item is waiting for you.", "%(count)d items are waiting for you.", step.count)
            if step.blind:
                waiting = ngettext(
                    "%(count)d item of a blind sample is waiting for you.",
                    "%(count)d items of a blind sample are waiting for you.",
                    step.count,
                )
            return {
                "title": _("Go on: %(stage)s") % {"stage": stage},
                "text": with_counts(waiting, count=step.count),
                "button": _("Go on"),
                "url": work,
            }
        case Step.PROJECT:
            return {
                "title": _("Project the labels"),
                "text": _(
                    "All sentences in %(source)s are corrected. Word alignment carries their labels to %(target)s."
                )
                % {"source": language(step.source), "target": language(step.language)},
            }
        case Step.ADJUDICATE:
            return {
                "title": stage,
                "text": with_counts(
                    ngettext(
                        "%(count)d disagreement waits for a decision.",
                        "%(count)d disagreements wait for a decision.",
                        step.count,
                    ),
                    count=step.count,
                ),
                "button": _("Adjudicate"),
                "url": work,
            }
        case Step.ACCEPT if step.stage:
            return {
                "title": _("Accept what agrees into gold"),
                "text": _("Finished in %(language)s and without gold: %(units)s.")
                % {"language": language(step.language), "units": counted_units(step.stage.layer.unit_kind, step.count)},
            }
        case Step.DUE if step.stage:
            return {
                "title": _("%(stage)s: %(action)s") % {"stage": stage, "action": task_action(step.stage)},
                "text": task_due(step.stage),
                "button": task_action(step.stage),
                "url": work,
            }
        case Step.FIRST if step.stage:
            first = before(step.stage)
            words = {
                "title": _("%(stage)s: nothing here yet") % {"stage": stage},
                "text": empty_reason(step.stage),
            }
            if first is None:
                return {**words, "button": _("Import"), "url": reverse("import", args=[slug])}
            return {**words, "button": stage_name(first), "url": reverse("work", args=[slug, first.pk])}
        case Step.START if step.stage and is_open_ended(kind_of(step.stage)):
            return {
                "title": stage,
                "text": _left_to_write(step.count),
                "button": _("Start"),
                "url": work,
            }
        case Step.START:
            return {
                "title": stage,
                "text": with_counts(
                    ngettext("%(count)d item is free.", "%(count)d items are free.", step.count), count=step.count
                ),
                "button": _("Start"),
                "url": work,
            }
        case Step.RELEASE:
            return {
                "title": _("Release the gold"),
                "text": _("Everything has gold."),
                "button": _("To the releases"),
                "url": reverse("releases", args=[slug]),
            }
        case Step.RELEASE_ANSWERS:
            return {
                "title": _("Release the answers"),
                "text": _("Everything is answered."),
                "button": _("To the releases"),
                "url": reverse("releases", args=[slug]),
            }
        case Step.ARCHIVED:
            return {
                "title": _("This project is archived"),
                "text": _("It can be read and its releases downloaded. Nothing in it changes."),
            }
        case Step.OWN:
            return {
                "title": _("Nothing waits for you"),
                "text": _("What is left was written by you; somebody else judges it."),
            }
        case Step.BARRED if step.stage and step.waits:
            return {
                "title": _("Nothing waits for you"),
                "text": _("%(stage)s: %(waits)s") % {"stage": stage, "waits": barred_words(step.waits)},
            }
        case Step.BLIND:
            return {
                "title": _("Nothing waits for you"),
                "text": with_counts(
                    ngettext(
                        "%(stage)s: %(count)d item would show what others answered where you work blind. It is open to "
                        "you once gold is decided there.",
                        "%(stage)s: %(count)d items would show what others answered where you work blind. They are "
                        "open to you once gold is decided there.",
                        step.count,
                    ),
                    count=step.count,
                    stage=stage,
                ),
            }
        case _:
            return {"title": _("Nothing waits for you"), "text": _left(access, step)}


def _left(access: Access, step: NextStep) -> str:
    """Why nothing waits for somebody: in whose hands the rest is, or what is missing."""
    manages = access.may(Permission.MANAGE)
    match step.left:
        case Left.OPEN if manages:
            return _("What is left is in other hands.")
        case Left.OPEN:
            return _("What is left is in other hands, or waits for a manager.")
        case Left.OTHERS if manages:
            return _("What is left is for others.")
        case Left.OTHERS:
            return _("What is left is for others, or waits for a manager.")
        case _ if step.stage is not None:
            return empty_reason(step.stage)
        case Left.DONE:
            return _("All that is here is done.")
        case Left.NONE:
            return _("There is nothing to work on yet.")


def _left_to_write(count: int) -> str:
    """Of a stage in which everybody writes up to a target, or as many as they like: then `count` is 1, too."""
    if count == 1:
        return _("Write one, and go on while there is more to write.")
    return with_counts(
        ngettext("%(count)d is still to be written by you.", "%(count)d are still to be written by you.", count),
        count=count,
    )
