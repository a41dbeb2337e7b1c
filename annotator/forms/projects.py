from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.presets import PRESETS


class CreateProjectForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=200)
    slug = forms.SlugField(
        label=_("Short name"),
        max_length=50,
        help_text=_("For addresses, commands and file names; it stays. Letters without accents, digits, hyphens."),
    )
    preset = forms.ChoiceField(
        label=_("Start from"), choices=[(preset.name, preset.title) for preset in PRESETS.values()]
    )
