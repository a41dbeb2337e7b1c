"""What the labels and categories of files become: a choice for each, with attributes of the label that is chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.domain.labels.incoming_labels import guessed, same_name
from annotator.domain.labels.schemes import Attribute, Scheme
from annotator.imports.reading.labels import category_layers
from annotator.models import ImportDraft

# Of the choices: nobody chose, and the name says nothing; a person leaves the label out.
NOT_CHOSEN, LEFT_OUT = "", "-"
# Labels that the page asks about; there are more where a column of texts was taken for labels.
MAX_ROWS = 60
Add = Callable[[str, forms.Field, Any], None]


@dataclass(frozen=True)
class Mapped:
    """A label or category of the files: how often it is there, and the names of its controls."""

    name: str
    count: int
    control: str
    attributes: tuple[str, ...]


class LabelMap:
    """The controls `map-0` and `mapattr-0-0`, one set a label, and what they say as `options.label_map`."""

    def __init__(self, draft: ImportDraft, preview: Mapping[str, Any], add: Add) -> None:
        self._draft = draft
        self._chosen: dict[str, Any] = dict((draft.options or {}).get("label_map") or {})
        counts = preview.get("counts", {})
        labels: Mapping[str, int] = counts.get("labels", {})
        categories: Mapping[str, int] = counts.get("categories", {})
        try:
            self._scheme: Scheme | None = draft.project.label_layer.scheme
        except LookupError:
            self._scheme = None
        self._values = {
            value: value for layer in category_layers(draft.project) for value in layer.scheme_data["values"]
        }
        self.rows: list[Mapped] = []
        for name, count in [*labels.items(), *((n, c) for n, c in categories.items() if n not in labels)][:MAX_ROWS]:
            targets = self._targets() if name in labels else self._values or self._targets(on_sentence=True)
            if targets:
                self._add(name, count, targets, add)

    def changed(self, values: Mapping[str, str]) -> dict[str, Any]:
        """The map after what was sent, by the names of controls."""
        found = dict(self._chosen)
        for row in self.rows:
            value = values.get(row.control)
            if value == NOT_CHOSEN:
                found.pop(row.name, None)
            elif value is not None:
                found[row.name] = {"label": "" if value == LEFT_OUT else value, "attributes": {}}
        for row in self.rows:
            target = self._target(row.name)
            entry = found.get(row.name) or {"label": target, "attributes": {}}
            sent = [name for name in row.attributes if name in values]
            # Another label has other attributes.
            if sent and entry["label"] == target:
                names = dict(zip(row.attributes, self._attributes(target), strict=True))
                attributes = {**entry["attributes"], **{names[control]: values[control] for control in sent}}
                found[row.name] = {**entry, "attributes": {name: one for name, one in attributes.items() if one}}
        return found

    def _add(self, name: str, count: int, targets: Mapping[str, str], add: Add) -> None:
        number = len(self.rows)
        target = self._target(name)
        is_out = name in self._chosen and not target
        choices = [*targets.items(), (LEFT_OUT, _("Leave it out"))]
        if not target and not is_out:
            choices.insert(0, (NOT_CHOSEN, _("Choose")))
        label = _("%(name)s becomes") % {"name": name}
        initial = LEFT_OUT if is_out else target
        add(f"map-{number}", forms.ChoiceField(label=label, choices=choices, required=False), initial)
        controls = []
        given = self._chosen.get(name, {}).get("attributes", {})
        for place, (attribute, one) in enumerate(self._attributes(target).items()):
            control = f"mapattr-{number}-{place}"
            shown = one.name or attribute
            values = [("", f"{shown}: –"), *((value, f"{shown}: {value}") for value in one.values)]
            label = f"{name}: {shown}"
            add(control, forms.ChoiceField(label=label, choices=values, required=False), given.get(attribute, ""))
            controls.append(control)
        self.rows.append(Mapped(name, count, f"map-{number}", tuple(controls)))

    def _targets(self, *, on_sentence: bool = False) -> dict[str, str]:
        """The labels that can be chosen, with what people read."""
        if self._scheme is None:
            return {}
        labels = self._scheme.tokenless if on_sentence else self._scheme.labels
        return {label: self._scheme.detail(label).name or label for label in labels}

    def _target(self, name: str) -> str:
        """What the label becomes as things stand; "" where it is left out or nobody knows."""
        if name in self._chosen:
            return str(self._chosen[name]["label"])
        found = guessed(name, self._scheme) if self._scheme is not None else None
        return found or same_name(name, self._values) or ""

    def _attributes(self, label: str) -> dict[str, Attribute]:
        """The attributes of a label that have a list of values."""
        if self._scheme is None or label not in self._scheme.labels:
            return {}
        return {name: one for name, one in self._scheme.attributes_of(label).items() if one.values}
