"""The page of one sentence."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import project_for
from annotator.core.permissions import Permission
from annotator.models import Stage
from annotator.revisions.inference_labels import label_pair
from annotator.revisions.set_aside import MAX_REASON, restore_sentence, set_aside
from annotator.search.queries import find as queries
from annotator.search.queries.sentence import sentence_page
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message
from annotator.work.gold.actions.open_gold import open_gold


@require_safe
def sentence(request: HttpRequest, slug: str, segment: int) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.VIEW)
    context = {"page": sentence_page(access, segment), "longest_reason": MAX_REASON}
    return project_page(request, access, "search/sentence.html", context, section="find")


@require_safe
def sentence_of_unit(request: HttpRequest, slug: str, unit: int) -> HttpResponse:
    """The page of the sentence that somebody has before them, where it can be set aside."""
    access = project_for(request.user, slug, needs=Permission.VIEW)
    return redirect(f"{reverse('sentence', args=[slug, queries.segment_of(access, unit)])}#set-aside")


@require_POST
def sentence_set_aside(request: HttpRequest, slug: str, segment: int) -> HttpResponse:
    """Take a sentence out of the corpus, for a reason."""
    access = project_for(request.user, slug, needs=Permission.ANNOTATE)
    unit = queries.whole(access, segment).units[0].pk
    decides = access.may(Permission.ADJUDICATE)
    reason = request.POST.get("reason", "")
    with refusal_as_message(request):
        set_aside(project=access.project, unit=unit, reason=reason, by=access.user, anybodys=decides)
        messages.success(request, _("The sentence is set aside. You can restore it here."))
    return redirect("sentence", slug, segment)


@require_POST
def sentence_restore(request: HttpRequest, slug: str, segment: int) -> HttpResponse:
    """Undo that."""
    access = project_for(request.user, slug, needs=Permission.ANNOTATE)
    unit = queries.whole(access, segment).units[0].pk
    decides = access.may(Permission.ADJUDICATE)
    with refusal_as_message(request):
        restore_sentence(project=access.project, unit=unit, by=access.user, anybodys=decides)
        messages.success(request, _("The sentence is restored, with its answers and gold."))
    return redirect("sentence", slug, segment)


@require_POST
def pair_label(request: HttpRequest, slug: str, segment: int, pair: int) -> HttpResponse:
    """Give a pair that came without an inference label one, or change or remove it: `inference` over `seen`."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    if pair not in [one.pair.pk for one in queries.whole(access, segment).pairs if one.is_told]:
        raise Http404(_("There is no such pair in the project."))
    inference, seen = (request.POST.get(name, "") for name in ("inference", "seen"))
    with refusal_as_message(request):
        label_pair(project=access.project, pair=pair, inference=inference, seen=seen, by=access.user, anybodys=True)
        messages.success(request, _("Inference label saved.") if inference else _("Inference label removed."))
    return redirect("sentence", slug, segment)


@require_POST
def gold_open(request: HttpRequest, slug: str, stage: int, unit: int) -> HttpResponse:
    """Open in adjudication what was decided without it, to change or reopen it."""
    access = project_for(request.user, slug, needs=Permission.ADJUDICATE)
    found = get_object_or_404(access.project.stages.filter(kind=Stage.ADJUDICATE).select_related("layer"), pk=stage)
    with refusal_as_message(request):
        item = open_gold(project=access.project, unit=unit, layer=found.layer, by=access.user)
        return redirect(f"{reverse('work', args=[slug, stage])}?item={item.pk}")
    return redirect("find", slug)
