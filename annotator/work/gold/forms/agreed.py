"""The form that says by which rule answers become gold."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.domain.merging.rules import Rule, RuleName
from annotator.models import Annotation, Project, User
from annotator.templatetags.words import language as language_words

MAX_PEOPLE = 50
RULES = [
    (RuleName.ALL.value, _("Everyone who answered agrees")),
    (RuleName.AT_LEAST.value, _("At least this many people agree")),
    (RuleName.PERSON.value, _("One person's answers count")),
    (RuleName.SINGLE.value, _("Only one person answered")),
    (RuleName.DAWID_SKENE.value, _("Estimate from everyone's reliability (Dawid–Skene)")),
]


class RuleForm(forms.Form):
    """A language, and a rule; without one, all must agree."""

    language = forms.ChoiceField(label=_("Language"))
    rule = forms.ChoiceField(
        label=_("Rule"),
        required=False,
        choices=RULES,
    )
    agreeing = forms.IntegerField(
        label=_("People who agree"), min_value=2, max_value=MAX_PEOPLE, initial=2, required=False
    )
    answers = forms.IntegerField(
        label=_("of at least this many answers"), min_value=2, max_value=MAX_PEOPLE, initial=3, required=False
    )
    person = forms.ChoiceField(label=_("Person"), required=False)
    limit = forms.IntegerField(
        label=_("Highest uncertainty accepted, in %"),
        min_value=0,
        max_value=49,
        initial=5,
        required=False,
        help_text=_("How likely the estimate is wrong somewhere in the item. Items above it go to adjudication."),
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        languages = cast("forms.ChoiceField", self.fields["language"])
        languages.choices = [(code, language_words(code)) for code in project.languages]
        # Also people who have left: their work may be what counts.
        answered = Annotation.objects.filter(project=project).order_by().values("user")
        people = User.objects.filter(pk__in=answered).order_by("username")
        field = cast("forms.ChoiceField", self.fields["person"])
        field.choices = [("", _("Choose a person")), *((str(user.pk), str(user)) for user in people)]

    def clean(self) -> dict[str, Any]:
        """Refuses a rule about a person that names none."""
        data = dict(super().clean() or self.cleaned_data)
        if data.get("rule") == RuleName.PERSON and not data.get("person"):
            self.add_error("person", _("Choose a person."))
        return data

    @property
    def chosen(self) -> Rule:
        """The rule of a valid form."""
        data = self.cleaned_data
        name = RuleName(data["rule"] or RuleName.ALL)
        given: dict[str, Any] = {"name": name}
        if name == RuleName.AT_LEAST:
            given |= {"agreeing": data["agreeing"] or 2, "answers": data["answers"] or 2}
        elif name == RuleName.PERSON:
            given["person"] = int(data["person"])
        elif name == RuleName.DAWID_SKENE and data["limit"] is not None:
            given["limit"] = data["limit"] / 100
        return Rule(**given)
