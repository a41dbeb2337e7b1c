from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from annotator.domain.agreement.plan import RESAMPLES
from annotator.reports.queries.studies.question import DOCUMENTS, MAX_RESAMPLES, MAX_SEED, UNITS, Drawing
from annotator.templatetags.words import compared_name

DIMENSIONS = {
    "sentence": _("labels on the sentence itself"),
    "attributes": _("labels with their attributes"),
    "words": _("the words themselves"),
    "found": _("whether there is a word"),
    "second": _("the second question"),
    "verdicts": _("the verdicts"),
    "best": _("which is the most"),
    "worst": _("which is the least"),
    "tokens": _("labels on tokens"),
    "outcomes": _("outcomes of projected spans"),
}


# What is drawn as a whole when intervals are made.
CLUSTERS = {UNITS: _("sentences or items"), DOCUMENTS: _("documents")}


class AgreementForm(forms.Form):
    """Whose work to compare, on what. `usual`: by layer, what is counted without a choice."""

    def __init__(
        self,
        *args: Any,
        people: Any,
        languages: Sequence[str],
        layers: Sequence[str],
        mappings: Mapping[str, Sequence[str]] = MappingProxyType({}),
        dimensions: Mapping[str, Sequence[str]] = MappingProxyType({}),
        usual: Mapping[str, str] = MappingProxyType({}),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["layer"] = forms.ChoiceField(
            label=_("Compare"), choices=[(layer, compared_name(layer)) for layer in layers]
        )
        choose_person = {"queryset": people, "empty_label": None, "to_field_name": "username"}
        self.fields["a"] = forms.ModelChoiceField(label=_("First person"), **choose_person)
        self.fields["b"] = forms.ModelChoiceField(label=_("Second person"), **choose_person)
        # By name, the layers that have it; without any there is nothing to choose.
        self.having = {"mapping": mappings, "dimension": dimensions}
        if mappings:
            self.fields["mapping"] = forms.ChoiceField(
                label=_("Labels treated as"),
                choices=[("", _("themselves")), *((name, name) for name in mappings)],
                required=False,
            )
        if dimensions:
            self.fields["dimension"] = forms.ChoiceField(
                label=_("Dimension to compare"),
                choices=[("", _usually(usual)), *((name, DIMENSIONS.get(name, name)) for name in dimensions)],
                required=False,
            )
        self.fields["language"] = forms.ChoiceField(label=_("Language"), choices=[(code, code) for code in languages])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("a") and cleaned.get("a") == cleaned.get("b"):
            raise ValidationError(_("Choose two different people."))
        for field, having in self.having.items():
            if cleaned.get(field) and cleaned.get("layer") not in having[cleaned[field]]:
                raise ValidationError(_("This choice does not apply to what is compared. Choose another one, or none."))
        return cleaned


class StudyForm(AgreementForm):
    """Whose work to compare, on what, and how intervals are made."""

    cluster = forms.ChoiceField(
        label=_("Intervals over"),
        choices=list(CLUSTERS.items()),
        required=False,
    )
    seed = forms.IntegerField(label=_("Seed"), min_value=1, max_value=MAX_SEED, initial=1, required=False)
    resamples = forms.IntegerField(
        label=_("Resamples"), min_value=1, max_value=MAX_RESAMPLES, initial=RESAMPLES, required=False
    )

    def __init__(self, *args: Any, people: Any, **kwargs: Any) -> None:
        super().__init__(*args, people=people, **kwargs)
        del self.fields["a"], self.fields["b"]
        self.fields["people"] = forms.ModelMultipleChoiceField(
            label=_("People"), queryset=people, to_field_name="username", widget=forms.CheckboxSelectMultiple
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        usual = asdict(Drawing())
        how = {name: cleaned.pop(name, None) or value for name, value in usual.items()}
        return {**cleaned, "drawing": Drawing(**how)}


def _usually(usual: Mapping[str, str]) -> str:
    """What is counted without a choice; of each layer where it is not the same in all."""
    names = {layer: str(DIMENSIONS.get(name, name)) for layer, name in usual.items()}
    if len(set(names.values())) == 1:
        return next(iter(names.values()))
    return "; ".join(f"{compared_name(layer)}: {name}" for layer, name in names.items())
