"""The words behind a cell of a confusion table, and the way from them to adjudication."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotator.reports.queries.agreement import question
from annotator.reports.queries.cell_words import cell_places, cell_sentences, to_decide
from annotator.reports.views.agreement import agreement_form, choice_of, names_of, reader_of_answers
from annotator.templatetags.pages import group_name
from annotator.web.pages import project_page
from annotator.web.refusals import valid_or_messages

# Sentences on one page.
SENTENCES = 50


@require_safe
def agreement_words(request: HttpRequest, slug: str) -> HttpResponse:
    """What the first person gave `?first=` and the second one `?second=`, in a group of rows."""
    access = reader_of_answers(request, slug)
    form, _usual = agreement_form(access.project, request.GET)
    if not valid_or_messages(request, form):
        return redirect("agreement", slug)
    asked = question(access.project, **form.cleaned_data)
    back = f"{reverse('agreement', args=[slug])}?{urlencode(choice_of(form))}"
    first, second, group = (request.GET.get(name, "") for name in ("first", "second", "group"))
    found = cell_places(asked, group, (first, second))
    if found is None:
        messages.info(request, _("The words are not stored yet. Compute the agreement again to list them."))
        return redirect(back)
    if not found.count:
        raise Http404
    by_unit = found.by_unit
    page = Paginator(by_unit, SENTENCES).get_page(request.GET.get("page"))
    rows = cell_sentences(access, list(page))
    names = names_of(asked, [first, second])
    context = {
        "asked": asked,
        "group": group_name(group),
        "first": names.get(first, first),
        "second": names.get(second, second),
        "same": first == second,
        "found": found,
        "listed": len(found.places),
        "page": page,
        "rows": rows,
        "gone": len(page) - len(rows),
        "deciding": to_decide(access, asked, [unit for unit, _tokens in by_unit]) if first != second else None,
        "back": back,
        "filters": "&" + urlencode({**choice_of(form), "group": group, "first": first, "second": second}),
    }
    return project_page(request, access, "reports/agreement_words.html", context, section="agreement")
