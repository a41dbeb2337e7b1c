from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from annotator.core.kind import layer_title
from annotator.models import Layer, Project, SplitMethod
from annotator.splits.queries.stored import STRATA
from annotator.templatetags.splits import METHODS, STRATUM_NAMES

# The parts that the form offers, with what they get at first, in per cent.
USUAL = {"train": 60, "dev": 20, "test": 20}
MAX_FOLDS = 20


class SplitForm(forms.Form):
    """How a corpus is split. Its cleaned data are the settings of the job."""

    name = forms.CharField(
        label=_("Name"),
        max_length=100,
        help_text=_("Files are called by it: letters, digits, “.”, “_” and “-”."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    layer = forms.TypedChoiceField(label=_("Items and gold of"), coerce=int)
    method = forms.ChoiceField(
        label=_("Method"),
        choices=[(name, METHODS[name]) for name in (SplitMethod.RATIO, SplitMethod.FOLDS, SplitMethod.LEXICAL)],
        initial=SplitMethod.RATIO,
        widget=forms.RadioSelect,
    )
    train = forms.IntegerField(label=_("Train, %"), min_value=1, max_value=99, initial=USUAL["train"])
    dev = forms.IntegerField(label=_("Dev, %"), min_value=0, max_value=98, initial=USUAL["dev"])
    test = forms.IntegerField(label=_("Test, %"), min_value=1, max_value=99, initial=USUAL["test"])
    folds = forms.IntegerField(label=_("Folds"), min_value=2, max_value=MAX_FOLDS, initial=5, required=False)
    strata = forms.MultipleChoiceField(
        label=_("Same shares for each"),
        choices=[(name, STRATUM_NAMES[name]) for name in STRATA],
        initial=["dataset", "role", "label"],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    together = forms.BooleanField(
        label=_("Keep groups together: a premise with its hypotheses, a document"), initial=True, required=False
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=1,
        max_value=2**31 - 1,
        initial=1,
        help_text=_("The same seed gives the same split."),
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _offer(self, project.layers.all())

    def clean(self) -> dict[str, Any]:
        data = dict(super().clean() or self.cleaned_data)
        if self.errors:
            return data
        if data["method"] == SplitMethod.FOLDS:
            count = data["folds"] or 5
            parts, shares = [f"fold-{number}" for number in range(1, count + 1)], [1] * count
        else:
            parts = [part for part in USUAL if data[part]]
            shares = [data[part] for part in parts]
            if sum(shares) != 100:
                raise ValidationError(_("The shares add up to %(sum)d%%, not to 100%%."), params={"sum": sum(shares)})
        kept = {name: data[name] for name in ("name", "layer", "method", "strata", "together", "seed")}
        return {**kept, "parts": parts, "shares": shares}


class ImportSplitForm(forms.Form):
    """A published split; its files come beside it."""

    name = SplitForm.base_fields["name"]
    layer = forms.TypedChoiceField(label=_("Items and gold of"), coerce=int)
    partial = forms.BooleanField(label=_("Leave out rows that are not in this project"), required=False)

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _offer(self, project.layers.all())


def _offer(form: forms.Form, layers: Iterable[Layer]) -> None:
    choices = [(layer.pk, capfirst(layer_title(layer.slug))) for layer in layers]
    cast("forms.TypedChoiceField", form.fields["layer"]).choices = choices
