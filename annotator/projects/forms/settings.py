"""Forms of a project's settings: its name and way of working, its languages, layers and stages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotator.core.kind import kinds
from annotator.domain.context import Context
from annotator.machines.actions.training import MAX_HUNDREDS
from annotator.machines.queries.training import HUNDRED
from annotator.models import Project, Stage
from annotator.projects.actions.project_settings import CATEGORIES, SENTENCE, WORDS
from annotator.projects.forms.projects import SEPARATORS, language_of
from annotator.templatetags.words import context_name
from annotator.templatetags.words import language as language_words


class GeneralForm(forms.Form):
    """What a project is called, and how it is worked in."""

    name = forms.CharField(label=_("Name"), max_length=200)
    adjudicate_own = forms.BooleanField(
        label=_("Adjudicators can decide on items that they labelled, but not on those labelled blind"), required=False
    )
    train_every = forms.IntegerField(
        label=_("Sentences done between two trainings"),
        min_value=0,
        max_value=MAX_HUNDREDS * HUNDRED,
        step_size=HUNDRED,
        help_text=_("Per language, in steps of 100: 300 trains after every 300 sentences. 0: train only manually."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for code, name in settings.LANGUAGES:
            self.fields[f"description_{code}"] = forms.CharField(
                label=gettext("Description in %(language)s") % {"language": name},
                required=False,
                max_length=2000,
                widget=forms.Textarea(attrs={"rows": 3}),
            )
        self.order_fields(["name", *(f"description_{code}" for code, _name in settings.LANGUAGES)])

    @classmethod
    def of(cls, project: Project) -> GeneralForm:
        """With what stands."""
        descriptions = {f"description_{code}": text for code, text in project.descriptions.items()}
        return cls(
            initial={
                "name": project.name,
                "adjudicate_own": project.adjudicate_own,
                "train_every": project.train_every * HUNDRED,
                **descriptions,
            }
        )

    def changes(self) -> dict[str, Any]:
        """As `change_settings` takes them."""
        data = self.cleaned_data
        return {
            "name": data["name"],
            "adjudicate_own": data["adjudicate_own"],
            "train_every": data["train_every"] // HUNDRED,
            "descriptions": {code: data[f"description_{code}"] for code, _name in settings.LANGUAGES},
        }


class AddLanguageForm(forms.Form):
    language = forms.CharField(label=_("Language"), max_length=100)

    def clean_language(self) -> str:
        return language_of(self.cleaned_data["language"])


class LanguageSettingsForm(forms.Form):
    """Where its labels come from; dictionaries, a line each: a name, a space, an address; closed-class words."""

    sources = forms.MultipleChoiceField(
        label=_("Labels are projected from"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "None: its sentences are labelled from scratch. Several: if two projections reach a sentence, the more "
            "reliable one is suggested and the other is kept."
        ),
    )
    dictionaries = forms.CharField(
        label=_("Dictionaries"),
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
        help_text=_("One per line: its name, then its address with {lemma} in place of the word."),
    )
    function_words = forms.CharField(
        label=_("Closed-class words"),
        required=False,
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text=_(
            "Words that are not content words: articles, pronouns, prepositions, conjunctions, auxiliaries. "
            "Separate them with spaces or line breaks. Leave empty to use the built-in list, if there is one. "
            "After a change, existing sentences are updated in the background; projections use the new list when "
            "they are made again."
        ),
    )

    def __init__(self, *args: Any, project: Project, tag: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = [(one, language_words(one)) for one in project.languages if one != tag]
        if others:
            self.fields["sources"] = forms.MultipleChoiceField(
                label=self.fields["sources"].label,
                required=False,
                choices=others,
                widget=forms.CheckboxSelectMultiple,
                help_text=self.fields["sources"].help_text,
            )
            self.order_fields(["sources"])
        else:
            del self.fields["sources"]

    def clean_dictionaries(self) -> list[dict[str, str]]:
        found = []
        for line in filter(None, map(str.strip, self.cleaned_data["dictionaries"].splitlines())):
            name, _space, url = line.rpartition(" ")
            found.append({"name": name.strip(), "url": url})
        return found

    def clean_function_words(self) -> list[str]:
        return [word for word in SEPARATORS.split(self.cleaned_data["function_words"]) if word]


class AddLayerForm(forms.Form):
    """Another layer of labels on the same sentences."""

    slug = forms.CharField(
        label=_("Name of the layer"), max_length=50, help_text=_("Short: lowercase letters, digits, hyphens.")
    )
    labels = forms.CharField(
        label=_("Labels"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text=_("One per line, without spaces."),
    )
    about = forms.ChoiceField(
        label=_("Kind of labels"),
        choices=[
            (WORDS, _("labels on words")),
            (SENTENCE, _("labels on words, or on the sentence if no word carries them")),
            (CATEGORIES, _("categories: each sentence has one")),
        ],
        initial=WORDS,
        required=False,
        help_text=_("Categories are imported with files and exported in releases. They have no stages."),
    )

    def clean_about(self) -> str:
        return self.cleaned_data["about"] or WORDS

    def clean_labels(self) -> list[str]:
        return list(dict.fromkeys(filter(None, SEPARATORS.split(self.cleaned_data["labels"]))))


def context_choices(project: Project) -> list[tuple[str, str]]:
    """What a stage of the project can show around a sentence, in words."""
    levels = list(Context) if project.roles else [Context.NOTHING, Context.NEIGHBOURS]
    return [(level.value, context_name(level)) for level in levels]


class AddStageForm(forms.Form):
    """Another stage: its kind and layer in one field, as only adjudication has a choice of layers."""

    what = forms.ChoiceField(label=_("Kind of work"))
    language = forms.ChoiceField(label=_("Language"))
    mode = forms.ChoiceField(
        label=_("Suggestions"), choices=[("review", _("shown")), ("blind", _("hidden (blind)"))], required=False
    )
    answers_wanted = forms.IntegerField(label=_("People per item"), min_value=1, max_value=20, initial=1)
    order = forms.ChoiceField(
        label=_("Order"),
        choices=[
            (Stage.Order.READING.value, _("as in the text")),
            (Stage.Order.UNCERTAIN.value, _("most uncertain first")),
            (Stage.Order.LABELLED.value, _("labelled first")),
        ],
        required=False,
    )
    scale = forms.SlugField(
        label=_("Separate scale"),
        max_length=50,
        required=False,
        help_text=_("A short name, such as novelty, to rate or compare by something else as well."),
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        work = str(data.get("what", "")).partition("<")[0]
        if data.get("scale") and work not in {kind.slug for kind in kinds() if kind.layer.several}:
            self.add_error("scale", _("Only ratings and comparisons have scales. Leave this empty for other work."))
        return data

    def __init__(self, *args: Any, project: Project, works: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["what"] = forms.ChoiceField(label=_("Kind of work"), choices=works)
        self.fields["language"] = forms.ChoiceField(
            label=_("Language"), choices=[(code, code) for code in project.languages]
        )
        self.order_fields(["what", "language", "mode", "answers_wanted", "order", "context", "scale"])
        self.fields["context"] = forms.ChoiceField(
            label=_("Context shown"),
            choices=context_choices(project),
            required=False,
            initial=Context.NEIGHBOURS.value,
            help_text=_("Only for labelling sentences. Blind work never shows more, on any page."),
        )
