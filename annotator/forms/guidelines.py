from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class GuidelinesForm(forms.Form):
    """The Markdown text in one language, and the text it was written over."""

    text = forms.CharField(
        label=_("Text (Markdown)"),
        required=False,
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 28, "spellcheck": "true"}),
    )
    before = forms.CharField(widget=forms.HiddenInput)
