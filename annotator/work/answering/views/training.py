"""The training of a stage: its batches on the workspace of the kind, and how the answers compare with gold."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotator.core.access import Access, project_for
from annotator.core.kind import kind_of
from annotator.core.permissions import Permission
from annotator.models import Stage, Training, Unit
from annotator.search.queries.contents import ShownContent, shown_content
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message
from annotator.web.requests import PageRequest
from annotator.work.answering.actions.training import finish_training, start_training
from annotator.work.answering.queries.training import answered, compared, last_try, needs_training, score_of
from annotator.work.answering.views.workspaces import workspace_page


@dataclass(frozen=True, slots=True)
class Difference:
    """An item of a finished batch as the page shows it; `words`: those on which gold and the answer differ."""

    unit: Unit
    gold: ShownContent
    answer: ShownContent
    words: str
    same: bool


@require_http_methods(["GET", "HEAD", "POST"])
def training(request: PageRequest, slug: str, stage: int) -> HttpResponse:
    """Where somebody is with their training, and the differences once a batch is finished; POST starts a batch."""
    access, found = _stage(request, slug, stage)
    if request.method == "POST":
        with refusal_as_message(request):
            start_training(stage=found, user=access.user)
            return redirect("training-work", slug, stage)
        return redirect("training", slug, stage)
    row = last_try(found, access.user)
    waits = needs_training(found, access.user)
    context = {
        "stage": found,
        "training": row,
        "waits": waits,
        "number": found.training.get("count"),
        "threshold": found.training.get("threshold"),
    }
    if row is not None and row.done_at is None:
        context |= {"done": answered(row), "total": len(row.items)}
    elif row is not None:
        context |= {"score": score_of(row), "compared": _compared(found, row)}
    return project_page(request, access, "work/training.html", context, section=found)


@ensure_csrf_cookie
@require_safe
def training_work(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    """The workspace of the stage's kind on the open batch."""
    access, found = _stage(request, slug, stage)
    row = last_try(found, access.user)
    if row is None or row.done_at is not None:
        return redirect("training", slug, stage)
    kind = kind_of(found)
    page = reverse("training", args=[slug, stage])
    special = {
        "api": f"{reverse('api:project', args=[slug])}training/{row.pk}/",
        "start": None,
        "only": "",
        "items": None,
        "dashboard": page,
        "training": page,
        "ahead": 3,
    }
    return workspace_page(request, access, found, [kind], kind.workspace.template, special)


@require_POST
def training_finish(request: PageRequest, slug: str, stage: int) -> HttpResponse:
    """Close the open batch."""
    access, found = _stage(request, slug, stage)
    row = last_try(found, access.user)
    if row is not None and row.done_at is None:
        with refusal_as_message(request):
            finish_training(training=row, by=access.user, now=timezone.now())
    return redirect("training", slug, stage)


def _stage(request: HttpRequest, slug: str, stage: int) -> tuple[Access, Stage]:
    access = project_for(request.user, slug, needs=Permission.ANNOTATE)
    rows = access.project.stages.select_related("layer").exclude(kind=Stage.ADJUDICATE)
    found = get_object_or_404(rows, pk=stage)
    found.project = access.project
    access.require_language(found.language)
    access.require(kind_of(found).needs)
    return access, found


def _compared(stage: Stage, row: Training) -> list[Difference]:
    found = []
    for one in compared(row):
        words = ", ".join(one.unit.tokens[token] for token in one.tokens)
        gold, answer = (shown_content(stage.layer, one.unit, content) for content in (one.gold, one.answer))
        found.append(Difference(one.unit, gold, answer, words, one.same))
    return found
