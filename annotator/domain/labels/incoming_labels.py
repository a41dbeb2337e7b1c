"""What labels of files become under a project's scheme: the label of the same name, what a person chose, or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from annotator.domain.labels.schemes import Scheme
from annotator.domain.labels.spans import BIO_ATTRIBUTE, Span


@dataclass(frozen=True, slots=True)
class LabelMapping:
    """What a label of files becomes: `label` of the project ("": it is left out), with these attributes added."""

    label: str
    attributes: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {"label": self.label, "attributes": dict(self.attributes)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> LabelMapping:
        """The inverse of `to_json`."""
        return cls(str(data["label"]), dict(data.get("attributes") or {}))


def same_name(name: str, known: Mapping[str, str]) -> str | None:
    """Which of `known` (code and what people read) is called so: exactly, or but for capitals where only one is.

    >>> same_name("metaphor", {"METAPHOR": "", "MFLAG": "Signal"}), same_name("signal", {"MFLAG": "Signal"})
    ('METAPHOR', 'MFLAG')
    """
    if name in known:
        return name
    folded = name.casefold()
    found = [code for code, shown in known.items() if folded and folded in (code.casefold(), shown.casefold())]
    return found[0] if len(found) == 1 else None


def guessed(label: str, scheme: Scheme) -> str | None:
    """The label of the scheme that has the name of a file's label; None where there is none."""
    return same_name(label, {code: scheme.detail(code).name for code in scheme.labels})


def becomes(label: str, scheme: Scheme, chosen: Mapping[str, LabelMapping]) -> LabelMapping | None:
    """What a label of files becomes; None where neither its name nor a person says so."""
    if label in chosen:
        return chosen[label]
    found = guessed(label, scheme)
    return None if found is None else LabelMapping(found)


def taken_over(
    spans: Iterable[Span], scheme: Scheme, chosen: Mapping[str, LabelMapping], left_out: Counter[str] | None = None
) -> tuple[Span, ...]:
    """The spans under the labels that theirs become. Raises LookupError, with the label, where nothing says what.

    A span keeps those of its attributes that it may have in the scheme; the others are counted in `left_out`, by their
    names. Spans that become the same (two labels on the same tokens that are one here) are one.
    """
    found: list[Span] = []
    came_as: dict[tuple[tuple[int, ...], str], tuple[str, bool]] = {}
    for span in spans:
        new = becomes(span.label, scheme, chosen)
        if new is None:
            raise LookupError(span.label)
        if not new.label:
            continue
        allowed = {*scheme.attributes_of(new.label), BIO_ATTRIBUTE}
        lost = [name for name in span.attributes if name not in allowed]
        if left_out is not None:
            left_out.update(lost)
        attributes = span.attributes
        if lost or new.attributes:
            attributes = {name: value for name, value in attributes.items() if name in allowed} | dict(new.attributes)
        # What stands twice in the file itself stays so, and is refused, but where they differed in what is left out.
        place = (span.tokens, new.label)
        is_first = place not in came_as
        same = came_as.setdefault(place, (span.label, bool(lost))) == (span.label, False) and not lost
        if is_first or same:
            found.append(replace(span, label=new.label, attributes=attributes))
    return tuple(found)
