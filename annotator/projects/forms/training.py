"""The form of a stage's training."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.models import Stage
from annotator.work.answering.actions.repeats import MOST
from annotator.work.answering.actions.training import MAX_ITEMS


class TrainingForm(forms.Form):
    """How a stage trains people before work; without items, it does not."""

    count = forms.IntegerField(
        label=_("Items per batch"), min_value=0, max_value=MAX_ITEMS, help_text=_("0: there is no training.")
    )
    labelled = forms.IntegerField(label=_("Percentage with labels in gold"), min_value=0, max_value=100)
    seed = forms.IntegerField(
        label=_("Seed"), min_value=0, max_value=2**31 - 1, help_text=_("The same seed gives the same sample.")
    )
    threshold = forms.FloatField(
        label=_("κ that lets people in"),
        min_value=0,
        max_value=1,
        required=False,
        help_text=_("Empty: a manager lets people in."),
    )

    again = forms.IntegerField(
        label=_("Give again one item in"),
        required=False,
        min_value=0,
        max_value=MOST,
        help_text=_(
            "People then answer it a second time without being told, at least 50 items later. Agreement shows how "
            "consistent each of them is. Tell people beforehand that this can happen. 0: none."
        ),
    )

    @staticmethod
    def initial_of(stage: Stage) -> dict[str, Any]:
        """What the form shows of a stage."""
        return {"count": 0, "labelled": 50, "seed": 1, "again": stage.again, **stage.training}

    @property
    def training(self) -> dict[str, Any]:
        """What a valid form asks for; empty without items."""
        data = {name: value for name, value in self.cleaned_data.items() if name != "again"}
        return data if data["count"] else {}
