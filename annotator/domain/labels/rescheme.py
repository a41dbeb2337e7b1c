"""Changing the attributes of a scheme, and how its units may lie: what the new scheme is (`domain.relabel` says what
becomes of contents)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotator.domain.labels.relabel import AttributeChange, Json, Relabelling
from annotator.domain.labels.schemes import Attribute, Scheme, SpanError
from annotator.domain.messages import gettext_noop as _

RULES = ("discontinuous", "overlaps", "several")


@dataclass(frozen=True, slots=True)
class ValueRow:
    """A value of an attribute. `old`: what it is now, "" for a new one; `value`: what it becomes, "" takes it away.
    Two rows with one value merge them."""

    old: str
    value: str


@dataclass(frozen=True, slots=True)
class AttributeRow:
    """An attribute as it is to be. `old`: its code now, "" for a new one; `code`: what it becomes, "" takes it away.

    The rest as in `domain.schemes.Attribute`; without values it is free text.
    """

    old: str
    code: str
    values: tuple[ValueRow, ...] = ()
    labels: tuple[str, ...] = ()
    name: str = ""
    key: str = ""
    description: str = ""
    vocabulary: bool = False
    obligatory: bool = False
    translation: bool = False


def attribute_change(scheme: Mapping[str, object], rows: Sequence[AttributeRow]) -> Relabelling:
    """What `rows` make of the attributes of a scheme of spans. Every attribute it has must be in a row, with each of
    its values. Raises SpanError."""
    before = Scheme.from_json(scheme)
    given = [row.old for row in rows if row.old]
    if sorted(given) != sorted(before.attributes):
        odd = sorted(set(before.attributes) ^ set(given)) or sorted(one for one in given if given.count(one) > 1)
        raise SpanError(
            _("State exactly once what each attribute becomes. %(name)r is missing or repeated."), name=odd[0]
        )
    codes = [row.code for row in rows if row.code]
    if twice := [code for code in codes if codes.count(code) > 1]:
        raise SpanError(_("Two attributes are called %(name)r."), name=twice[0])
    attributes = {row.code: _attribute(row) for row in rows if row.code}
    after: Json = {**scheme, "attributes": {name: one.to_json() for name, one in attributes.items()}}
    Scheme.from_json(after)
    changes = {}
    for row in rows:
        if row.old and (change := _change(row, before.attributes[row.old], before)):
            changes[row.old] = change
    return Relabelling(before=dict(scheme), after=after, attributes=changes)


def rules_change(scheme: Mapping[str, object], *, discontinuous: bool, overlaps: bool, several: bool) -> Relabelling:
    """A scheme whose units may leave out words, share words, and have several labels, or not. Raises SpanError."""
    rules = {"discontinuous": discontinuous, "overlaps": overlaps, "several": several}
    old = Scheme.from_json(scheme)
    after: Json = {**scheme, **rules}
    Scheme.from_json(after)
    # Where units may overlap, several labels on one are nothing more.
    lessened = (
        (old.discontinuous and not discontinuous)
        or (old.overlaps and not overlaps)
        or (old.several and not several and not overlaps)
    )
    return Relabelling(before=dict(scheme), after=after, fits=lessened)


def _attribute(row: AttributeRow) -> Attribute:
    values = tuple(dict.fromkeys(one.value for one in row.values if one.value))
    if row.values and not values:
        raise SpanError(
            _("%(name)r has no values left. Remove the attribute, or keep a value."), name=row.old or row.code
        )
    return Attribute(
        values=values,
        labels=row.labels,
        name=row.name,
        key=row.key,
        description=row.description,
        vocabulary=row.vocabulary,
        obligatory=row.obligatory,
        translation=row.translation,
    )


def _change(row: AttributeRow, old: Attribute, scheme: Scheme) -> AttributeChange | None:
    """What becomes of the contents' values; None where all of them stay as they are."""
    if not row.code:
        return AttributeChange("")
    renamed = [one.old for one in row.values if one.old]
    # As free text the values that were chosen stay as they are written.
    if row.values and sorted(renamed) != sorted(old.values):
        odd = sorted(set(old.values) ^ set(renamed)) or sorted(one for one in renamed if renamed.count(one) > 1)
        raise SpanError(
            _("State exactly once what each value of %(name)r becomes. %(value)r is missing or repeated."),
            name=row.old,
            value=odd[0],
        )
    values = {one.old: one.value for one in row.values if one.old and one.old != one.value}
    to_list = bool(row.values) and not old.values
    fewer = bool(row.labels) and not set(old.labels or scheme.labels) <= set(row.labels)
    if row.code == row.old and not values and not to_list and not fewer:
        return None
    return AttributeChange(row.code, values)
