"""The forms by which managers set long work going."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.domain.labels.label_uses import known_uses
from annotator.domain.labels.schemes import Scheme
from annotator.domain.labels.shipped_schemes import BINARY
from annotator.domain.projection.carry import LabelSource
from annotator.domain.sentence_map import MAX_POINTS
from annotator.domain.text.storable import whole_number
from annotator.jobs.actions import IN_USE
from annotator.machines.actions.training import MAX_HUNDREDS
from annotator.machines.queries.training import ENCODER, has_runtime
from annotator.models import Counter, Project, Stage, User
from annotator.templatetags.words import LABEL_USES, MODES, stage_name, stage_title
from annotator.work.blind.queries.blind_subset import drawable, sentence_stage

# The field that says what a label is in a sample.
_USE = "use_{label}"
# Of what a sample can be drawn with.
MAX_SEED = 2**31 - 1


def _languages(codes: list[str], label: Any) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=[(code, code) for code in codes])


def _targets_first(project: Project) -> list[str]:
    targets = project.target_languages
    return [*targets, *(language for language in project.languages if language not in targets)]


class PredictForm(forms.Form):
    detector = forms.CharField(
        label=_("Detector"),
        max_length=300,
        initial=IN_USE,
        help_text=_(
            "in-use: the active detector, or the best one trained on this project. Others: encoder and crf (built "
            "in), crf:/folder, transformers:/folder, transformers:name/model@revision."
        ),
    )
    only_unprojected = forms.BooleanField(label=_("Only sentences without a projection"), required=False)

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"] = _languages(project.languages, _("Language"))
        if not has_runtime():
            self.fields["detector"].help_text = "{} {}".format(
                self.fields["detector"].help_text,
                _("encoder cannot run here: its package onnxruntime is not installed. crf is used instead."),
            )
        self.order_fields(["language", "detector", "only_unprojected"])


class TrainForm(forms.Form):
    engine = forms.CharField(
        label=_("Engine"),
        max_length=300,
        initial="crf",
        help_text=_(
            "crf takes at most a minute. To fine-tune on a worker with torch, preferably with a GPU: "
            "transformers:encoder (built in), transformers:/folder, transformers:name/model@revision."
        ),
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"] = _languages(project.languages, _("Language"))
        self.order_fields(["language", "engine"])
        labels = project.scheme.labels
        if len(labels) > 1:
            self.fields["label"] = forms.ChoiceField(label=_("Label"), choices=[(label, label) for label in labels])
            self.order_fields(["language", "label", "engine"])


class MapForm(forms.Form):
    sentences = forms.IntegerField(
        label=_("Maximum sentences per language"),
        min_value=10,
        max_value=MAX_POINTS,
        initial=1000,
        help_text=_("Fewer if there are many languages: a map can have at most 6,000 points."),
    )
    model = forms.CharField(
        label=_("Model"),
        max_length=300,
        initial=ENCODER,
        help_text=_(
            "encoder is built in and knows Spanish and English. Others, on a worker with torch: transformers:/folder, "
            "transformers:name/model@revision."
        ),
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=1,
        max_value=2**31 - 1,
        initial=1,
        help_text=_("The same seed gives the same sample."),
    )


class TrainEveryForm(forms.Form):
    hundreds = forms.IntegerField(
        label=_("Train automatically after every … hundred finished sentences"),
        min_value=0,
        max_value=MAX_HUNDREDS,
        help_text=_("Per language. 0: only manually."),
    )


class ProjectLabelsForm(forms.Form):
    labels = forms.ChoiceField(
        label=_("Labels to project"),
        choices=[
            (LabelSource.ANNOTATIONS.value, _("Finished annotations, and gold where available")),
            (LabelSource.GOLD.value, _("Gold only")),
        ],
    )
    aligner = forms.CharField(
        label=_("Aligner"), max_length=300, initial="lexical", help_text=_("lexical is built in.")
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["source"] = _languages(project.languages, _("From"))
        self.fields["target"] = _languages(_targets_first(project), _("To"))
        self.order_fields(["source", "target", "labels", "aligner"])


class LanguageForm(forms.Form):
    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"] = _languages(project.languages, _("Language"))


class TransferForm(forms.Form):
    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["source"] = _languages(project.languages, _("From"))
        self.fields["target"] = _languages(_targets_first(project), _("To"))


class PeopleField(forms.ModelMultipleChoiceField):
    """Some of those who are offered. Django asks the database for numbers of any size, which it cannot be asked for."""

    def clean(self, value: Any) -> Any:
        """The rows. Raises ValidationError for what names none."""
        return super().clean(["0" if whole_number(str(one)) is None else one for one in value or ()])


class BlindForm(forms.Form):
    count = forms.IntegerField(label=_("How many"), min_value=1, max_value=100_000, initial=100)
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=MAX_SEED,
        initial=1,
        help_text=_("The same seed gives the same sample."),
    )

    def __init__(self, *args: Any, project: Project, stages: Sequence[Stage], **kwargs: Any) -> None:
        """`stages`: all of the project, with their layers; those that nothing is drawn from are not offered."""
        super().__init__(*args, **kwargs)
        rows = drawable(stages)
        self._stages = {str(row.stage.pk): row.stage for row in rows if not row.refusal}
        # What several languages have is listed once.
        self.refusals = list(dict.fromkeys((stage_title(row.stage), row.refusal) for row in rows if row.refusal))
        self.fields["stage"] = forms.ChoiceField(
            label=_("Stage"), choices=[(pk, stage_name(stage)) for pk, stage in self._stages.items()]
        )
        self.fields["users"] = PeopleField(
            User.objects.filter(memberships__project=project, is_active=True).order_by("username"),
            label=_("People"),
            widget=forms.CheckboxSelectMultiple,
            error_messages={"required": _("Choose at least one person for the blind work.")},
        )
        self.order_fields(["stage", "users", "count", "seed"])
        labelled = sentence_stage(stages, project.source_language)
        if project.tag_layer is not None and labelled is not None:
            self.fields["count"].help_text = _(
                "In sentence-labelling stages this counts pairs, each with two sentences."
            )

    def clean_stage(self) -> Stage:
        return self._stages[self.cleaned_data["stage"]]


class ReleaseForm(forms.Form):
    partial = forms.BooleanField(label=_("Make a partial release that lists what is left out"), required=False)
    comments = forms.BooleanField(
        label=_("Include people's comments on their answers"),
        required=False,
        help_text=_("They may contain personal information. Without them, a release only shows who commented on what."),
    )
    sample = forms.BooleanField(label=_("Include literal uses to contrast with the metaphors"), required=False)
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=1,
        max_value=MAX_SEED,
        initial=1,
        required=False,
        help_text=_("The same seed gives the same sample."),
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), _("The seed must be a whole number from 1 to 2147483647.")
        ),
    )

    def __init__(self, *args: Any, scheme: Scheme, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        mappings = tuple(scheme.mappings)
        # What the scheme says is proposed; what it leaves open has to be chosen.
        known = known_uses(scheme) or known_uses(scheme, scheme.mappings.get(BINARY, {}))
        self._use_of = {_USE.format(label=label): label for label in scheme.labels}
        for name, label in self._use_of.items():
            self.fields[name] = forms.ChoiceField(
                label=scheme.detail(label).name or label,
                choices=[("", _("Choose")), *LABEL_USES.items()],
                initial=known.get(label, ""),
                required=False,
            )
        if mappings:
            self.fields["mapping"] = forms.ChoiceField(
                label=_("Labels in the published layout"),
                choices=[("", _("as they are")), *((name, name) for name in mappings)],
                required=False,
                error_messages={"invalid_choice": _("This mapping does not exist in the scheme.")},
            )

    def clean_seed(self) -> int:
        seed: int | None = self.cleaned_data["seed"]
        return seed or 1

    def clean(self) -> dict[str, Any]:
        """The settings of the job: what was chosen for labels is one of them."""
        data = dict(super().clean() or self.cleaned_data)
        chosen = {label: data.pop(name, "") for name, label in self._use_of.items()}
        return data | {"uses": {label: use for label, use in chosen.items() if use}}

    @property
    def wants_sample(self) -> bool:
        """Whether a sample was asked for."""
        return bool(self["sample"].value())

    @property
    def uses(self) -> list[forms.BoundField]:
        """The fields that say what each label is in the sample."""
        return [self[name] for name in self._use_of]


class FreeForm(forms.Form):
    """Whose open items are freed. People who left the project are among them: their open items may be left."""

    user = forms.ModelChoiceField(label=_("Person"), queryset=User.objects.none())
    mode = forms.ChoiceField(label=_("Mode"), choices=list(MODES.items()))

    def __init__(self, *args: Any, stage: Stage, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Everybody who ever had an item there has a counter: a few rows, where assignments are many.
        people = User.objects.filter(pk__in=Counter.objects.filter(stage=stage).values("user"))
        cast("forms.ModelChoiceField[User]", self.fields["user"]).queryset = people
