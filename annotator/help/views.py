"""The pages of the manual, for everybody who has signed in."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from annotator.help.pages import PAGES, WRITTEN, manual_page, manual_titles


@require_safe
def help_page(request: HttpRequest, name: str = PAGES[0]) -> HttpResponse:
    if name not in PAGES:
        raise Http404
    language = (get_language() or WRITTEN).partition("-")[0]
    context = {"page": manual_page(name, language), "titles": manual_titles(language), "wanted": language}
    return render(request, "help/help.html", context)
