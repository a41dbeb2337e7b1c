"""Every component in all its states, in both themes and from right to left, for site admins."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_safe

from annotator.models import Layer, Stage
from annotator.work.queue.queries.progress import Progress

# Name, theme and direction of each column.
PANES = (("light", "light", "ltr"), ("dark", "dark", "ltr"), ("rtl", "light", "rtl"))

_CORRECT = pgettext_lazy("stage", "Correct labels")
_REVIEW = pgettext_lazy("stage", "Review projections")
_ADJUDICATE = pgettext_lazy("stage", "Adjudicate: labels")


class SampleForm(forms.Form):
    """Each sort of field; `name` has an error."""

    name = forms.CharField(label=_("Name"), help_text=_("The same seed gives the same sample."))
    number = forms.IntegerField(label=_("Seed"), initial=100)
    choice = forms.ChoiceField(label=_("Language"), choices=[("es", "Español"), ("en", "English")])
    text = forms.CharField(label=_("Text"), widget=forms.Textarea(attrs={"rows": 3}))
    tick = forms.BooleanField(label=_("Only sentences without a projection"), required=False)
    one = forms.ChoiceField(label=_("Aligner"), choices=[("a", "A"), ("b", "B")], widget=forms.RadioSelect)


@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    if not request.user.is_superuser:
        raise Http404
    panes = [
        {
            "name": name,
            "theme": theme,
            "direction": direction,
            "form": SampleForm(auto_id=f"{name}-%s"),
            "wrong": SampleForm({"number": "many"}, auto_id=f"{name}-wrong-%s"),
        }
        for name, theme, direction in PANES
    ]
    context = {
        "panes": panes,
        "page": Paginator(range(60), 20).get_page(2),
        "shares": [
            {"label": label, "value": value, "text": f"{value} %"}
            for label, value in (("A", 100), ("B", 42.5), ("C", 0))
        ],
        "matrix": _matrix(),
        "tabs": [
            {"label": label, "url": "#main", "current": current}
            for label, current in ((_CORRECT, True), (_REVIEW, False), (_ADJUDICATE, False))
        ],
        "project": SimpleNamespace(slug="sample"),
    }
    # Without a project: the page has no rail.
    return render(request, "styleguide/styleguide.html", context)


def _matrix() -> dict[str, Any]:
    """Stages with work, done, empty, to be decided, and one that the reader may not open."""
    layer = Layer(slug="labels", content_type=Layer.SPANS, unit_kind="")

    def cell(language: str, numbers: Progress, **more: Any) -> dict[str, Any]:
        stage = Stage(pk=1, kind=Stage.ADJUDICATE, language=language, layer=layer, title=str(_CORRECT))
        return {
            "stage": stage,
            "progress": numbers,
            "remaining": numbers.total - numbers.done,
            "may_work": True,
            "adjudicates": False,
            "open_ended": False,
            "to_decide": None,
        } | more

    done, some, none = Progress(60, 0, 60, 0), Progress(20, 5, 1200, 0), Progress(0, 0, 0, 0)
    return {
        "languages": ["es", "en"],
        "lines": [
            {"title": _CORRECT, "cells": [cell("es", some), cell("en", done)]},
            {"title": _REVIEW, "cells": [None, cell("en", none, may_work=False)]},
            {"title": _ADJUDICATE, "cells": [cell("es", some, adjudicates=True, to_decide=9), None]},
        ],
    }
