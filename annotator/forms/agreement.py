from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _


class AgreementForm(forms.Form):
    """Whose work to compare, on what."""

    layer = forms.ChoiceField(
        label=_("Compare"), choices=[("tokens", _("Labels on tokens")), ("pairs", _("Tags of pairs"))]
    )

    def __init__(self, *args: Any, people: Any, languages: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choose_person = {"queryset": people, "empty_label": None, "to_field_name": "username"}
        self.fields["a"] = forms.ModelChoiceField(label=_("First person"), **choose_person)
        self.fields["b"] = forms.ModelChoiceField(label=_("Second person"), **choose_person)
        self.fields["language"] = forms.ChoiceField(label=_("Language"), choices=[(code, code) for code in languages])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("a") and cleaned.get("a") == cleaned.get("b"):
            raise ValidationError(_("Choose two different people."))
        return cleaned
