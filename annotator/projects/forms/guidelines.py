from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.projects.actions.guidelines import MAX_TEXT


class GuidelinesForm(forms.Form):
    """The Markdown text in one language, and the text it was written over."""

    text = forms.CharField(
        label=_("Text (Markdown)"),
        required=False,
        max_length=MAX_TEXT,
        widget=forms.Textarea(
            attrs={
                "rows": 28,
                "spellcheck": "true",
                # Beside it stands what it becomes.
                "hx-post": "../preview/",
                "hx-trigger": "input changed delay:400ms",
                "hx-target": "#preview",
            }
        ),
    )
    before = forms.CharField(widget=forms.HiddenInput)
