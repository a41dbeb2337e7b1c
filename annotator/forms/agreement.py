from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from annotator.templatetags.words import compared_name


class AgreementForm(forms.Form):
    """Whose work to compare, on what."""

    def __init__(self, *args: Any, people: Any, languages: Sequence[str], layers: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["layer"] = forms.ChoiceField(
            label=_("Compare"), choices=[(layer, compared_name(layer)) for layer in layers]
        )
        choose_person = {"queryset": people, "empty_label": None, "to_field_name": "username"}
        self.fields["a"] = forms.ModelChoiceField(label=_("First person"), **choose_person)
        self.fields["b"] = forms.ModelChoiceField(label=_("Second person"), **choose_person)
        self.fields["language"] = forms.ChoiceField(label=_("Language"), choices=[(code, code) for code in languages])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("a") and cleaned.get("a") == cleaned.get("b"):
            raise ValidationError(_("Choose two different people."))
        return cleaned
