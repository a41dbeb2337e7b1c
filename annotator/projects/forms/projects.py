"""Forms of a project's life: making it, copying it, deleting it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotator.core.errors import ActionError, translate
from annotator.core.presets import Preset, StageSpec, Start, Texts
from annotator.core.starts import STARTS, workflow
from annotator.domain.labels.spans import SpanError
from annotator.domain.text.language_tags import UnknownLanguageError, find_language
from annotator.models import Project
from annotator.projects.actions.projects import check_sample, check_sources
from annotator.templatetags.words import TEXTS

COPY = "copy:"
SEPARATORS = re.compile(r"[\s,;]+")
_SLUG_HELP = _(
    "Used in addresses, commands and file names. It cannot be changed later. If you leave it empty, it is made "
    "from the name."
)


def language_of(text: str) -> str:
    """The tag of a language given by name or tag. Raises ValidationError in words."""
    try:
        return find_language(text)
    except UnknownLanguageError:
        raise ValidationError(
            _("Unknown language “%(text)s”. Enter its name, or its code such as ca, pt-BR or sr-Latn."),
            params={"text": text},
        ) from None


class LanguagesWidget(forms.TextInput):
    """Several fields of one name, one language each."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        given = data.getlist(name) if hasattr(data, "getlist") else data.get(name, [])
        return [one.strip() for one in given if one.strip()]


class LanguagesField(forms.Field):
    """Languages by name or tag, in order; the value are their tags."""

    widget = LanguagesWidget

    def to_python(self, value: Any) -> list[str]:
        return [language_of(one) for one in value or []]


class NewProjectForm(forms.Form):
    """One page: name, languages, where to start from; everything else has the start's own value."""

    name = forms.CharField(label=_("Name"), max_length=200)
    slug = forms.SlugField(label=_("Short name"), max_length=50, required=False, help_text=_SLUG_HELP)
    source = forms.CharField(
        label=_("Language"), max_length=100, help_text=_("The language that is labelled first. Enter its name or code.")
    )
    targets = LanguagesField(label=_("Other languages"), required=False)
    start = forms.CharField(initial="metaphor-parallel")
    texts = forms.ChoiceField(choices=[(str(code), words[0]) for code, words in TEXTS.items()], required=False)
    labels = forms.CharField(
        label=_("Labels"), required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 3})
    )
    steps = forms.MultipleChoiceField(
        choices=[(step, words[0]) for step, words in workflow().words.items()], required=False
    )
    sources = LanguagesField(label=_("Languages to label"), required=False)
    sample = forms.BooleanField(label=_("With sample data"), required=False)
    # Whose defaults the choices were when the page was sent: without scripts they stay those of the first start.
    choices_of = forms.CharField(required=False, widget=forms.HiddenInput)
    # Of a copy; `texts` says what the sentences of a new project are.
    with_texts = forms.BooleanField(label=_("Copy its texts, without labels"), required=False)
    members = forms.BooleanField(label=_("Copy its members"), required=False)

    def __init__(self, *args: Any, copies: Sequence[Project] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.copies = {f"{COPY}{project.slug}": project for project in copies}
        if self.data.get("start", "").startswith(COPY):
            self.fields["source"].required = False

    def clean_source(self) -> str:
        given: str = self.cleaned_data["source"].strip()
        return language_of(given) if given else ""

    def clean_start(self) -> str:
        start: str = self.cleaned_data["start"]
        if start not in STARTS and start not in self.copies:
            raise ValidationError(_("Choose a template or a project to copy."))
        return start

    def clean_labels(self) -> list[str]:
        return list(dict.fromkeys(filter(None, SEPARATORS.split(self.cleaned_data["labels"]))))

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if "source" in data and data["source"] in data.get("targets", ()):
            self.add_error("targets", gettext("Each language can be listed only once."))
        if data.get("start") in STARTS and not self.errors:
            try:
                self.preset()
            except SpanError as error:
                self.add_error("labels", translate(error))
            try:
                check_sources([data["source"], *data["targets"]], self._sources())
            except ActionError as error:
                self.add_error("sources", str(error))
            try:
                if data["sample"]:
                    check_sample(STARTS[data["start"]], [data["source"], *data["targets"]])
            except ActionError as error:
                self.add_error("sample", str(error))
        return data

    @property
    def copied(self) -> Project | None:
        """The project that is copied, where one is."""
        return self.copies.get(self.cleaned_data["start"])

    @property
    def sampled(self) -> Start | None:
        """The starting point whose sample is wanted; None where none is."""
        return STARTS.get(self.cleaned_data["start"]) if self.cleaned_data["sample"] else None

    def preset(self) -> Preset:
        """What the project begins with. Raises SpanError for labels that cannot be labels."""
        data = self.cleaned_data
        start = STARTS[data["start"]]
        languages = [data["source"], *data["targets"]]
        if data["choices_of"] != start.name or start.chain:
            return start.preset(languages, sources=self._sources())
        return start.preset(
            languages, texts=data["texts"], labels=data["labels"], steps=data["steps"], sources=self._sources()
        )

    def _sources(self) -> list[str]:
        """Those that were chosen; a language that was taken out of the form since is none."""
        data = self.cleaned_data
        return [one for one in [data["source"], *data["targets"]] if one in data["sources"]]


class Choices:
    """What the page offers besides, and what of it is chosen: the start's own values, or those that were sent."""

    def __init__(self, data: Any = None) -> None:
        given = data or {}
        name = given.get("start") or "metaphor-parallel"
        self.copy = name.startswith(COPY)
        self.start: Start = STARTS.get(name) or STARTS["labels"]
        own = given.get("choices_of") == self.start.name
        languages = [one for one in [given.get("source"), *_several(given, "targets")] if one]
        self.languages = [tag for one in languages if (tag := _known(one))]
        self.texts = (own and given.get("texts")) or self.start.texts.value
        self.labels = given.get("labels", "") if own else "\n".join(self.start.scheme.labels)
        self.steps = set(_several(given, "steps")) if own else set(self.start.steps)
        steps = workflow()
        self.steps.add(steps.label)
        chosen = {tag for one in _several(given, "sources") if (tag := _known(one))}
        self.sources = [tag for tag in self.languages if tag in chosen] or self.languages[:1]
        # Two stand for as many as there will be, until somebody has named them.
        several = self.languages if len(self.languages) > 1 or self.texts == Texts.SENTENCES else ["", "*"]
        # Work that is not labelling has its own stages: there is nothing to choose.
        self.chained = self.start.workflow is None
        self.possible = () if self.chained else steps.possible_steps(self.texts, several)
        self.samples = list(self.start.samples)
        self.sampled = self.start.sampled(self.languages)
        # Before a language is named, any may still be.
        self.can_sample = bool(self.sampled or (self.samples and not self.languages))
        self.sample = self.can_sample and bool(given.get("sample"))
        # With two languages it is the first one; which of more they are is a choice.
        self.chooses_sources = len(self.languages) > 2 and steps.review in set(self.possible) & self.steps

    def stages(self, languages: Sequence[str]) -> tuple[StageSpec, ...]:
        """Those of a project in these languages with what is chosen."""
        if self.chained:
            return self.start.preset(languages).stages
        return workflow().stages(self.texts, languages, self.steps, self.sources)


def _several(data: Any, name: str) -> list[str]:
    found = data.getlist(name) if hasattr(data, "getlist") else data.get(name, [])
    return list(found)


def _known(text: str) -> str:
    try:
        return find_language(text)
    except UnknownLanguageError:
        return ""


class CopyForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=200)
    slug = forms.SlugField(label=_("Short name"), max_length=50, required=False, help_text=_SLUG_HELP)
    texts = forms.BooleanField(label=_("Copy its texts, without labels"), required=False)
    members = forms.BooleanField(label=_("Copy its members"), required=False)


class DeleteForm(forms.Form):
    name = forms.CharField(label=_("Name of the project"), max_length=200)
