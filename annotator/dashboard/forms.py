"""The forms by which managers set long work going."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from annotator.core.counts import grouped
from annotator.dashboard.engine_words import aligner_words, detector_words, embedder_words, trainer_words
from annotator.dashboard.queries.run_numbers import LanguageNumbers
from annotator.domain.labels.label_uses import known_uses
from annotator.domain.labels.schemes import Scheme
from annotator.domain.labels.shipped_schemes import BINARY
from annotator.domain.projection.carry import LabelSource
from annotator.domain.sentence_map import MAX_POINTS
from annotator.domain.text.storable import whole_number
from annotator.machines.queries.engines import Engines
from annotator.machines.queries.training import HUNDRED
from annotator.models import Counter, Project, Split, Stage, User
from annotator.templatetags.words import LABEL_USES, MODES, stage_name, stage_title
from annotator.templatetags.words import language as language_words
from annotator.work.blind.queries.blind_pool import size
from annotator.work.blind.queries.blind_subset import drawable, sentence_stage

# How often a detector can be trained by itself, in hundreds of finished sentences.
_HUNDREDS = (1, 2, 5, 10, 20, 50)
FINISHED = ngettext_lazy("%(shown)s sentence done", "%(shown)s sentences done", "number")
EVERY = ngettext_lazy("after every %(shown)s sentence done", "after every %(shown)s sentences done", "number")
WITHOUT_GOLD = ngettext_lazy("%(shown)s done item without gold", "%(shown)s done items without gold", "number")
TAGGED = ngettext_lazy("%(shown)s tagged pair", "%(shown)s tagged pairs", "number")
# The field that says what a label is in a sample.
_USE = "use_{label}"
# How many items a blind sample has, unless somebody says otherwise or there are fewer.
BLIND_SAMPLE = 100
# Of what a sample can be drawn with.
MAX_SEED = 2**31 - 1


def _counted(words: Any, number: int) -> str:
    return str(words % {"number": number, "shown": grouped(number)})


def _labelled(row: LanguageNumbers) -> str:
    """The number of labelled sentences that a language can project."""
    return _("%(finished)s done, %(gold)s with gold") % {
        "finished": grouped(row.finished),
        "gold": grouped(row.gold),
    }


def _languages(codes: Sequence[str], label: Any, notes: Mapping[str, str] | None = None) -> forms.ChoiceField:
    """A choice of languages; `notes` says how much each has."""
    notes = notes or {}
    choices = [(code, f"{name}: {notes[code]}" if notes.get(code) else name) for code, name in _named(codes)]
    return forms.ChoiceField(label=label, choices=choices)


def _named(codes: Sequence[str]) -> list[tuple[str, str]]:
    return [(code, language_words(code)) for code in codes]


def _targets_first(project: Project) -> list[str]:
    targets = project.target_languages
    return [*targets, *(language for language in project.languages if language not in targets)]


def _engines(specs: Sequence[str], label: Any, words: Callable[[str], str]) -> forms.ChoiceField:
    """A list of engines, the first one chosen."""
    return forms.ChoiceField(
        label=label,
        choices=[(spec, words(spec)) for spec in specs],
        initial=next(iter(specs), None),
        widget=forms.RadioSelect,
    )


class PredictForm(forms.Form):
    """One choice tells language and detector. `without`: the languages that no detector knows, by name."""

    detector = forms.ChoiceField(label=_("Language and detector"), widget=forms.RadioSelect)
    only_unprojected = forms.BooleanField(label=_("Only sentences without a projection"), required=False)

    def __init__(
        self, *args: Any, project: Project, engines: Engines | None = None, language: str = "", **kwargs: Any
    ) -> None:
        """`language`: the one that is chosen at first."""
        super().__init__(*args, **kwargs)
        engines = engines or Engines(project)
        detectors = {code: engines.detectors(code) for code in project.languages}
        self._groups = {
            code: [(f"{code} {spec}", detector_words(spec, engines.trained)) for spec in specs]
            for code, specs in detectors.items()
        }
        field = cast("forms.ChoiceField", self.fields["detector"])
        field.choices = [choice for group in self._groups.values() for choice in group]
        field.initial = next((value for value, _words in self._groups.get(language) or field.choices), None)
        self.without = [code for code, specs in detectors.items() if not specs]

    def clean(self) -> dict[str, Any]:
        """The settings of the job."""
        data = dict(super().clean() or self.cleaned_data)
        if "detector" in data:
            data["language"], _space, data["detector"] = data["detector"].partition(" ")
        return data

    @property
    def groups(self) -> list[tuple[str, list[forms.boundfield.BoundWidget]]]:
        """The languages that can be pre-labelled, each with its detectors."""
        drawn = {str(widget.data["value"]): widget for widget in self["detector"]}
        return [
            (code, [drawn[value] for value, _words in choices]) for code, choices in self._groups.items() if choices
        ]


class TrainForm(forms.Form):
    def __init__(
        self,
        *args: Any,
        project: Project,
        engines: Engines | None = None,
        numbers: Mapping[str, LanguageNumbers] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        notes = {code: _counted(FINISHED, row.finished) for code, row in (numbers or {}).items()}
        self.fields["language"] = _languages(project.languages, _("Language"), notes)
        labels = project.scheme.labels
        if len(labels) > 1:
            names = [(label, project.scheme.detail(label).name or label) for label in labels]
            self.fields["label"] = forms.ChoiceField(label=_("Label"), choices=names)
        self.fields["engine"] = _engines((engines or Engines(project)).trainers(), _("Training method"), trainer_words)
        self.can_start = not numbers or any(row.finished or row.gold for row in numbers.values())


class MapForm(forms.Form):
    sentences = forms.IntegerField(
        label=_("Maximum sentences per language"),
        min_value=10,
        max_value=MAX_POINTS,
        initial=1000,
        help_text=_("Fewer if there are many languages: a map can have at most 6,000 points."),
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=1,
        max_value=2**31 - 1,
        initial=1,
        help_text=_("The same seed gives the same sample."),
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(spec, embedder_words(spec)) for spec in Engines(project).embedders()]
        self.fields["model"] = forms.ChoiceField(label=_("Model"), choices=choices)
        self.order_fields(["sentences", "model", "seed"])


class TrainEveryForm(forms.Form):
    hundreds = forms.TypedChoiceField(label=_("Train automatically"), coerce=int)

    def __init__(self, *args: Any, hundreds: int = 0, **kwargs: Any) -> None:
        """`hundreds`: what is set now."""
        super().__init__(*args, **kwargs)
        self.initial = {"hundreds": hundreds}
        offered = sorted({*_HUNDREDS, hundreds} - {0})
        cast("forms.ChoiceField", self.fields["hundreds"]).choices = [
            (0, _("only by hand")),
            *((number, _counted(EVERY, number * HUNDRED)) for number in offered),
        ]


class ProjectLabelsForm(forms.Form):
    labels = forms.ChoiceField(
        label=_("Labels to project"),
        choices=[
            (LabelSource.ANNOTATIONS.value, _("Finished annotations, and gold where available")),
            (LabelSource.GOLD.value, _("Gold only")),
        ],
    )

    def __init__(
        self,
        *args: Any,
        project: Project,
        engines: Engines | None = None,
        numbers: Mapping[str, LanguageNumbers] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        notes = {code: _labelled(row) for code, row in (numbers or {}).items()}
        self.fields["source"] = _languages(project.languages, _("From"), notes)
        self.fields["target"] = _languages(_targets_first(project), _("To"))
        self.fields["aligner"] = _engines((engines or Engines(project)).aligners(), _("Aligner"), aligner_words)
        self.order_fields(["source", "target", "labels", "aligner"])
        self.can_start = not numbers or any(row.finished or row.gold for row in numbers.values())


class LanguageForm(forms.Form):
    def __init__(
        self, *args: Any, project: Project, numbers: Mapping[str, LanguageNumbers] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        notes = {code: _counted(WITHOUT_GOLD, row.without_gold) for code, row in (numbers or {}).items()}
        self.fields["language"] = _languages(project.languages, _("Language"), notes)
        self.can_start = not numbers or any(row.without_gold for row in numbers.values())


class TransferForm(forms.Form):
    def __init__(
        self, *args: Any, project: Project, numbers: Mapping[str, LanguageNumbers] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        notes = {code: _counted(TAGGED, row.tagged) for code, row in (numbers or {}).items()}
        self.fields["source"] = _languages(project.languages, _("From"), notes)
        self.fields["target"] = _languages(_targets_first(project), _("To"))
        self.can_start = not numbers or any(row.tagged for row in numbers.values())


class PeopleField(forms.ModelMultipleChoiceField):
    """Some of those who are offered. Django asks the database for numbers of any size, which it cannot be asked for."""

    def clean(self, value: Any) -> Any:
        """The rows. Raises ValidationError for what names none."""
        return super().clean(["0" if whole_number(str(one)) is None else one for one in value or ()])


class BlindForm(forms.Form):
    count = forms.IntegerField(label=_("How many"), min_value=1, max_value=100_000, initial=BLIND_SAMPLE)
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
            error_messages={"required": _("Choose at least one person for the blind sample.")},
        )
        self.order_fields(["stage", "users", "count", "seed"])
        told: list[Any] = []
        labelled = sentence_stage(stages, project.source_language)
        if project.tag_layer is not None and labelled is not None:
            told.append(_("In sentence-labelling stages this counts pairs, each with two sentences."))
        first = next(iter(self._stages.values()), None)
        if not self.is_bound and first is not None and 0 < (there := size(first, stages, BLIND_SAMPLE)) < BLIND_SAMPLE:
            self.initial["count"] = there
            told.append(_("Default: all %(number)d in “%(stage)s”.") % {"number": there, "stage": stage_name(first)})
        self.fields["count"].help_text = " ".join(map(str, told))

    def clean_stage(self) -> Stage:
        return self._stages[self.cleaned_data["stage"]]


class ReleaseForm(forms.Form):
    partial = forms.BooleanField(label=_("Create a partial release that lists what is left out"), required=False)
    comments = forms.BooleanField(
        label=_("Include people's comments on their answers"),
        required=False,
        help_text=_("They may contain personal information. Without them, a release only shows who commented on what."),
    )
    standoff = forms.BooleanField(
        label=_("Stand-off: leave out the words of all texts"),
        required=False,
        help_text=_(
            "For corpora whose texts cannot be passed on. The files have IDs, checksums and token positions. A script "
            "in the release merges them with the texts that people have."
        ),
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

    def __init__(self, *args: Any, scheme: Scheme, splits: Sequence[Split] = (), **kwargs: Any) -> None:
        """`splits`: those of the project, of which the release can have files."""
        super().__init__(*args, **kwargs)
        if splits:
            self.fields["splits"] = forms.TypedMultipleChoiceField(
                label=_("Splits to include"),
                choices=[(split.pk, split.name) for split in splits],
                coerce=int,
                required=False,
                widget=forms.CheckboxSelectMultiple,
            )
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
