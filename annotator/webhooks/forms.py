"""The form of a webhook."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotator.models import WebhookEvent


class WebhookForm(forms.Form):
    """The address of a program, and what it is told of."""

    url = forms.CharField(
        label=_("Address"), max_length=2000, widget=forms.URLInput(attrs={"placeholder": "https://", "dir": "ltr"})
    )
    events = forms.MultipleChoiceField(
        label=_("Events"), choices=WebhookEvent.choices, widget=forms.CheckboxSelectMultiple
    )


class ChangeWebhookForm(WebhookForm):
    """The same of one that is there."""

    is_active = forms.BooleanField(label=pgettext_lazy("webhook", "On"), required=False)
