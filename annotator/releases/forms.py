"""The form of a project's dataset card."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.models import Project
from annotator.releases.card import ABOUT, QUESTIONS, STATEMENT


class CardForm(forms.Form):
    """A field for each question, and whether releases name people."""

    names = forms.BooleanField(
        label=_("Name people in releases instead of A01, A02, …"),
        required=False,
        help_text=_("Ask them first. Usernames and emails are never included."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for one in QUESTIONS:
            widget = forms.Textarea(attrs={"rows": one.lines}) if one.lines > 1 else forms.TextInput()
            self.fields[one.name] = forms.CharField(
                label=one.label, help_text=one.help, required=False, max_length=one.most, widget=widget
            )

    @classmethod
    def of(cls, project: Project) -> CardForm:
        """With what is stated."""
        return cls(initial=project.dataset_card)

    @property
    def about(self) -> list[forms.BoundField]:
        return [self[one.name] for one in ABOUT]

    @property
    def statement(self) -> list[forms.BoundField]:
        return [self[one.name] for one in STATEMENT]
