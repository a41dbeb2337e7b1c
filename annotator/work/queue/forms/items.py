"""The form by which people hand open items back."""

from __future__ import annotations

from django import forms


class HandBackForm(forms.Form):
    item = forms.IntegerField(required=False, min_value=1)
