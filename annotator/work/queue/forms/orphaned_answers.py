"""The form by which a text that somebody left is handed over."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.models import Stage, User
from annotator.work.queue.queries.orphaned_answers import members_in


class HandOverForm(forms.Form):
    """Who must revise it: the members who are given work in the language."""

    to = forms.ModelChoiceField(
        label=_("Who should revise it"), queryset=User.objects.none(), empty_label=_("Choose a person")
    )

    def __init__(self, *args: Any, stage: Stage, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = [user.pk for user in members_in(stage.project, stage.language)]
        field = cast("forms.ModelChoiceField[User]", self.fields["to"])
        field.queryset = User.objects.filter(pk__in=people).order_by("username")
