"""Making an archive, and restoring one."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class ArchiveForm(forms.Form):
    pseudonyms = forms.BooleanField(label=_("Replace people's names with person-1, person-2, …"), required=False)


class UploadArchiveForm(forms.Form):
    file = forms.FileField(label=_("Project backup"), widget=forms.ClearableFileInput(attrs={"accept": ".zip"}))


class RestoreForm(forms.Form):
    slug = forms.SlugField(
        label=_("Short name"),
        max_length=50,
        help_text=_("Used in addresses and file names. It cannot be changed later."),
    )
