"""What the dashboard says of the next step: title, text, button and address."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.core.access import Access
from annotator.core.counts import with_counts
from annotator.core.kind import empty_reason, is_open_ended, kind_of, task_action, task_due
from annotator.core.permissions import Permission
from annotator.core.unit_kinds import counted_units
from annotator.dashboard.queries.next_step import Left, NextStep, Step
from annotator.dashboard.queries.stages_before import before
from annotator.models import Stage
from annotator.templatetags.words import language, stage_name
from annotator.work.gold.waiting_words import barred_words


def next_step_words(access: Access, step: NextStep) -> dict[str, str]:
    """Title, text, button and address of a step."""
    slug = access.project.slug
    words = _in_stage(slug, step, step.stage) if step.stage else _in_project(slug, step)
    return words or _nothing(access, step)


def _in_stage(slug: str, step: NextStep, stage: Stage) -> dict[str, str] | None:
    """What has to be done in a stage; None for other steps."""
    name = stage_name(stage)
    match step.step:
        case Step.MEND | Step.CONTINUE:
            return _work(slug, stage, _("Continue: %(stage)s") % {"stage": name}, _waiting(step), _("Continue"))
        case Step.ADJUDICATE:
            text = ngettext(
                "%(count)d disagreement waits for a decision.",
                "%(count)d disagreements wait for a decision.",
                step.count,
            )
            return _work(slug, stage, name, with_counts(text, count=step.count), _("Adjudicate"))
        case Step.ACCEPT:
            return {
                "title": _("Accept matching answers as gold"),
                "text": _("Finished in %(language)s without gold: %(units)s.")
                % {"language": language(step.language), "units": counted_units(stage.layer.unit_kind, step.count)},
            }
        case Step.DUE:
            action = task_action(stage)
            title = _("%(stage)s: %(action)s") % {"stage": name, "action": action}
            return _work(slug, stage, title, task_due(stage), action)
        case Step.FIRST:
            title, first = _("%(stage)s: nothing here yet") % {"stage": name}, before(stage)
            if first is not None:
                return _work(slug, first, title, empty_reason(stage), stage_name(first))
            url = reverse("import", args=[slug])
            return {"title": title, "text": empty_reason(stage), "button": _("Import"), "url": url}
        case Step.START if is_open_ended(kind_of(stage)):
            return _work(slug, stage, name, _left_to_write(step.count), _("Start"))
        case Step.START:
            text = ngettext("%(count)d item is free.", "%(count)d items are free.", step.count)
            return _work(slug, stage, name, with_counts(text, count=step.count), _("Start"))
        case _:
            return None


def _work(slug: str, stage: Stage, title: str, text: str, button: str) -> dict[str, str]:
    """A step whose button leads to the work of a stage."""
    url = reverse("work", args=[slug, stage.pk])
    return {"title": title, "text": text, "button": button, "url": url}


def _waiting(step: NextStep) -> str:
    """What somebody has started, was given, or got back."""
    if step.step == Step.MEND:
        text = ngettext(
            "%(count)d text was sent back to you, with reasons.",
            "%(count)d texts were sent back to you, with reasons.",
            step.count,
        )
    elif step.blind:
        text = ngettext(
            "%(count)d item of a blind sample is waiting for you.",
            "%(count)d items of a blind sample are waiting for you.",
            step.count,
        )
    else:
        text = ngettext("%(count)d item is waiting for you.", "%(count)d items are waiting for you.", step.count)
    return with_counts(text, count=step.count)


def _in_project(slug: str, step: NextStep) -> dict[str, str] | None:
    """What has to be done in the project as a whole; None for other steps."""
    match step.step:
        case Step.IMPORT:
            return {
                "title": _("Import sentences"),
                "text": _("The project is empty. Import your own files: text, tables, or exports from other tools."),
                "button": _("Import"),
                "url": reverse("import", args=[slug]),
            }
        case Step.PREDICT:
            return {
                "title": _("Pre-label the sentences"),
                "text": _("A detector suggests labels in %(language)s. People then correct every sentence.")
                % {"language": language(step.language)},
            }
        case Step.PROJECT:
            return {
                "title": _("Project the labels"),
                "text": _(
                    "All sentences in %(source)s are corrected. Word alignment carries their labels to %(target)s."
                )
                % {"source": language(step.source), "target": language(step.language)},
            }
        case Step.RELEASE:
            return {
                "title": _("Release the gold"),
                "text": _("Everything has gold."),
                "button": _("Go to releases"),
                "url": reverse("releases", args=[slug]),
            }
        case Step.RELEASE_ANSWERS:
            return {
                "title": _("Release the answers"),
                "text": _("Everything is answered."),
                "button": _("Go to releases"),
                "url": reverse("releases", args=[slug]),
            }
        case _:
            return None


def _nothing(access: Access, step: NextStep) -> dict[str, str]:
    """Why there is nothing to do."""
    stage = stage_name(step.stage) if step.stage else ""
    match step.step:
        case Step.WAIT:
            return {
                "title": _("Nothing to do yet"),
                "text": _("The project has no sentences. A manager must import them first."),
            }
        case Step.ARCHIVED:
            return {
                "title": _("This project is archived"),
                "text": _("You can read it and download its releases, but nothing in it can be changed."),
            }
        case Step.OWN:
            text = _("You wrote the remaining items. Someone else judges them.")
        case Step.BARRED if step.stage and step.waits:
            text = _("%(stage)s: %(waits)s") % {"stage": stage, "waits": barred_words(step.waits)}
        case Step.BLIND:
            text = with_counts(
                ngettext(
                    "%(stage)s: %(count)d item would reveal answers that you must not see while annotating blind. "
                    "It becomes available once gold is decided.",
                    "%(stage)s: %(count)d items would reveal answers that you must not see while annotating blind. "
                    "They become available once gold is decided.",
                    step.count,
                ),
                count=step.count,
                stage=stage,
            )
        case _:
            text = _left(access, step)
    return {"title": _("You're all caught up"), "text": text}


def _left(access: Access, step: NextStep) -> str:
    """Why nothing waits for somebody: in whose hands the rest is, or what is missing."""
    manages = access.may(Permission.MANAGE)
    match step.left:
        case Left.OPEN if manages:
            return _("The remaining items are assigned to other people.")
        case Left.OPEN:
            return _("The remaining items are assigned to other people or need a manager.")
        case Left.OTHERS if manages:
            return _("The remaining items are for other people.")
        case Left.OTHERS:
            return _("The remaining items are for other people or need a manager.")
        case _ if step.stage is not None:
            return empty_reason(step.stage)
        case Left.DONE:
            return _("Everything here is done.")
        case Left.NONE:
            return _("There is nothing to work on yet.")


def _left_to_write(count: int) -> str:
    """Of a stage in which everybody writes up to a target, or as many as they like: then `count` is 1, too."""
    if count == 1:
        return _("Write one, and continue while there is more to write.")
    return with_counts(
        ngettext("You still have %(count)d to write.", "You still have %(count)d to write.", count),
        count=count,
    )
