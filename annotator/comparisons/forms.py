from __future__ import annotations

from typing import Any, cast

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.comparisons.queries.sources import GOLD, PERSON, RELEASE, TIME
from annotator.core.kind import layer_title
from annotator.domain.comparing.versions import has_labels
from annotator.models import ComparisonKind, Layer, Project
from annotator.reports.queries.overlaps import annotators
from annotator.templatetags.words import language

# Releases that the form offers, the newest ones.
MAX_RELEASES = 50


class LanguagesForm(forms.Form):
    """Gold of two languages. Its `params` are the settings of the job."""

    layer = forms.TypedChoiceField(label=gettext_lazy("Labels"), coerce=int)
    source = forms.ChoiceField(label=gettext_lazy("Source language"))
    target = forms.ChoiceField(label=gettext_lazy("Target language"))

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _offer(self, "layer", [(one.pk, _named(one)) for one in project.layers.filter(content_type=Layer.SPANS)])
        languages = [(one, language(one)) for one in project.languages]
        _offer(self, "source", languages)
        _offer(self, "target", languages)
        self.fields["target"].initial = languages[-1][0]

    def params(self) -> dict[str, Any]:
        data = self.cleaned_data
        sides = {"left": {"language": data["source"]}, "right": {"language": data["target"]}}
        return {"kind": ComparisonKind.LANGUAGES, "layer": data["layer"], **sides}


class VersionsForm(forms.Form):
    """Two versions of the labels of a layer. Its `params` are the settings of the job."""

    layer = forms.TypedChoiceField(label=gettext_lazy("Labels"), coerce=int)
    left = forms.ChoiceField(label=gettext_lazy("Left version"))
    right = forms.ChoiceField(label=gettext_lazy("Right version"))
    at = forms.DateField(
        label=gettext_lazy("Date of the earlier gold"),
        required=False,
        help_text=gettext_lazy("Gold as it was at the beginning of this day."),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        layers = [(one.pk, _named(one)) for one in project.layers.all() if has_labels(one.content_type)]
        _offer(self, "layer", layers)
        releases = project.releases.order_by("-number").values_list("number", flat=True)[:MAX_RELEASES]
        versions = [
            (GOLD, _("Current gold")),
            (TIME, _("Gold on the date below")),
            *((f"{RELEASE}:{number}", _("Release %(number)d") % {"number": number}) for number in releases),
            *((f"{PERSON}:{user.pk}", str(user)) for user in annotators(project)),
        ]
        _offer(self, "left", versions)
        _offer(self, "right", versions)
        self.fields["left"].initial = versions[min(2, len(versions) - 1)][0]

    def params(self) -> dict[str, Any]:
        data = self.cleaned_data
        sides = {name: self._side(data[name]) for name in ("left", "right")}
        return {"kind": ComparisonKind.VERSIONS, "layer": data["layer"], **sides}

    def _side(self, chosen: str) -> dict[str, Any]:
        source, _colon, number = chosen.partition(":")
        if source == TIME:
            at = self.cleaned_data["at"]
            return {"source": TIME, "at": at.isoformat() if at else ""}
        more = {RELEASE: "number", PERSON: "person"}.get(source)
        return {"source": source, **({more: int(number)} if more else {})}


def _named(layer: Layer) -> str:
    return capfirst(layer_title(layer.slug))


def _offer(form: forms.Form, name: str, choices: list[tuple[Any, str]]) -> None:
    cast("forms.ChoiceField", form.fields[name]).choices = choices
