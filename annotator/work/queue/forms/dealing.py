"""The forms by which a manager assigns items of a stage, and moves those that nobody has started."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotator.domain.dealing.deal import Amount, Order, Turns
from annotator.domain.states import Mode
from annotator.models import User
from annotator.work.queue.queries.dealing import LABELS, STRATA, Unstarted, Wanted

MAX_SEED = 2**31 - 1
MAX_ITEMS = 1_000_000
IN_ORDER, RANDOM = "order", "random"
QUEUE = "queue"

_GROUPS = [
    ("dataset", _("Datasets")),
    ("role", pgettext_lazy("of sentences", "Roles")),
    ("document", _("Documents")),
    ("class", _("Inference labels")),
]


class DealForm(forms.Form):
    """Who gets how many items of a stage, which ones, and how many of them are shared."""

    users = forms.MultipleChoiceField(
        label=_("People"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one person.")},
    )
    amount = forms.ChoiceField(
        label=_("How many items"),
        choices=[
            (Amount.NUMBER.value, _("This many")),
            (Amount.SHARE.value, _("This percentage of what is free")),
            (Amount.EACH.value, _("This many of each group")),
            (Amount.ALL.value, _("All that are free")),
        ],
    )
    number = forms.IntegerField(
        label=_("Number or percentage"), initial=100, min_value=0, max_value=MAX_ITEMS, required=False
    )
    sample = forms.ChoiceField(
        label=_("Which items"),
        choices=[(IN_ORDER, _("The first ones in the stage's order")), (RANDOM, _("A random sample"))],
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=MAX_SEED,
        initial=1,
        required=False,
        help_text=_("The same seed gives the same sample."),
    )
    strata = forms.MultipleChoiceField(
        label=_("Groups in a random sample"),
        choices=_GROUPS,
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    shared_amount = forms.ChoiceField(
        label=_("Shared items"),
        choices=[(Amount.NUMBER.value, _("This many")), (Amount.SHARE.value, _("This percentage of the items"))],
    )
    shared = forms.IntegerField(
        label=_("Number or percentage shared"), initial=0, min_value=0, max_value=MAX_ITEMS, required=False
    )
    sharers = forms.IntegerField(
        label=_("People per shared item"), min_value=2, max_value=50, initial=2, required=False
    )
    turns = forms.ChoiceField(
        label=_("Who is next"),
        choices=[
            (Turns.IN_TURN.value, _("Everyone in turn")),
            (Turns.BY_LOAD.value, _("The person with the least open work")),
        ],
    )
    blind = forms.BooleanField(label=_("Blind: they see no suggestions and nobody else's answers"), required=False)

    def __init__(self, *args: Any, people: Sequence[User], labels: bool, **kwargs: Any) -> None:
        """`labels`: whether items can be grouped by the labels that are suggested or gold."""
        super().__init__(*args, **kwargs)
        if labels:
            strata = cast("forms.MultipleChoiceField", self.fields["strata"])
            strata.choices = [*_GROUPS, (LABELS, _("Suggested or gold labels"))]
        self._people = {str(user.pk): user for user in people}
        field = cast("forms.MultipleChoiceField", self.fields["users"])
        field.choices = [(pk, str(user)) for pk, user in self._people.items()]

    def clean(self) -> dict[str, Any]:
        """Refuses percentages above 100."""
        data = dict(super().clean() or self.cleaned_data)
        for amount, name in (("amount", "number"), ("shared_amount", "shared")):
            if data.get(amount) == Amount.SHARE and (data.get(name) or 0) > 100:
                self.add_error(name, _("Enter a percentage from 0 to 100."))
        return data

    @property
    def wanted(self) -> Wanted:
        """What a valid form asks for."""
        data = self.cleaned_data
        seed = data["seed"] or 0
        order = Order(
            amount=Amount(data["amount"]),
            number=data["number"] or 0,
            seed=seed if data["sample"] == RANDOM else None,
            shared_amount=Amount(data["shared_amount"]),
            shared=data["shared"] or 0,
            sharers=data["sharers"] or 2,
            turns=Turns(data["turns"]),
        )
        strata = [name for name in (*STRATA, LABELS) if name in data["strata"]]
        return Wanted([self._people[pk] for pk in data["users"]], order, strata, data["blind"])


class MoveForm(forms.Form):
    """Whose not-started items go to whom; without a number, all of them."""

    whose = forms.ChoiceField(label=_("From"))
    to = forms.ChoiceField(label=_("To"))
    count = forms.IntegerField(
        label=_("How many"), min_value=1, max_value=MAX_ITEMS, required=False, help_text=_("Empty: all of them.")
    )

    def __init__(
        self, *args: Any, people: Sequence[User], rows: Sequence[tuple[Unstarted, str]], **kwargs: Any
    ) -> None:
        """`rows`: what can be moved, each with its words."""
        super().__init__(*args, **kwargs)
        self._rows = {f"{row.user.pk}-{row.mode}": row for row, _words in rows}
        self._people = {str(user.pk): user for user in people}
        whose = cast("forms.ChoiceField", self.fields["whose"])
        whose.choices = list(zip(self._rows, (words for _row, words in rows), strict=True))
        to = cast("forms.ChoiceField", self.fields["to"])
        to.choices = [(QUEUE, _("The queue")), *((pk, str(user)) for pk, user in self._people.items())]

    @property
    def asked(self) -> dict[str, Any]:
        """What a valid form asks for."""
        row = self._rows[self.cleaned_data["whose"]]
        return {
            "user": row.user,
            "mode": Mode(row.mode).value,
            "to": self._people.get(self.cleaned_data["to"]),
            "count": self.cleaned_data["count"],
        }
