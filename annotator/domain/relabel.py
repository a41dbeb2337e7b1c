"""Changing the labels of a scheme: what the new scheme is, and what becomes of a content made under the old one.

Labels are renamed, merged (two rows with one code), split (a new row names the label it comes from), added and removed.
Schemes and contents are handled as they are stored, so that what a scheme says besides stays as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.domain.said import gettext_noop as _
from annotator.domain.spans import Scheme, SpanError

Json = dict[str, Any]
# What is kept of a label beside its code, each a text.
DETAILS = ("name", "key", "colour", "description")


@dataclass(frozen=True, slots=True)
class LabelRow:
    """A label as it is to be. `old`: what it is now, "" for a new one; `code`: what it becomes, "" takes it away.

    `split_from`: of a new label, the one that some of its spans have now; what had that is decided anew.
    """

    old: str
    code: str
    name: str = ""
    key: str = ""
    colour: str = ""
    description: str = ""
    split_from: str = ""


@dataclass(frozen=True)
class Relabelling:
    """A change of a scheme. `mapping`: what each label that changes becomes, "" for nothing. `anew`: gold that has
    one of these labels now is to be decided anew. `before`, `after`: the schemes as they are stored."""

    before: Json
    after: Json
    mapping: Mapping[str, str]
    anew: frozenset[str]

    @property
    def touched(self) -> frozenset[str]:
        """Labels now in use whose spans change or are decided anew."""
        return frozenset(self.mapping) | self.anew

    @property
    def between(self) -> Json:
        """A scheme under which contents from before and after are both valid, while contents are changed."""
        extra = [label for label in self.before["labels"] if label not in self.after["labels"]]
        joined = {**self.after, "labels": [*self.after["labels"], *extra]}
        if mappings := joined.get("mappings"):
            joined["mappings"] = {name: {**dict.fromkeys(extra, ""), **mapping} for name, mapping in mappings.items()}
        return joined

    def to_json(self) -> Json:
        """As events and jobs keep it."""
        return {
            "before": self.before,
            "after": self.after,
            "mapping": dict(self.mapping),
            "anew": sorted(self.anew),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Relabelling:
        """The inverse of `to_json`."""
        return cls(data["before"], data["after"], data["mapping"], frozenset(data["anew"]))


def relabelling(scheme: Mapping[str, Any], rows: Sequence[LabelRow]) -> Relabelling:
    """What `rows` make of a scheme of spans. Every label it has must be in a row. Raises SpanError."""
    labels: list[str] = list(scheme["labels"])
    given = [row.old for row in rows if row.old]
    if sorted(given) != sorted(labels):
        odd = sorted(set(labels) ^ set(given)) or sorted(label for label in given if given.count(label) > 1)
        raise SpanError(
            _("The change must say of each label once what it becomes, and of %(label)s it does not."),
            label=repr(odd[0]),
        )
    mapping = {row.old: row.code for row in rows if row.old and row.code != row.old}
    codes = list(dict.fromkeys(row.code for row in rows if row.code))
    new = [row for row in rows if not row.old]
    for row in new:
        if row.split_from and row.split_from not in labels:
            raise SpanError(
                _("%(label)s cannot come from %(other)s, which is not a label of the scheme."),
                label=row.code,
                other=repr(row.split_from),
            )
        if [other.code for other in rows].count(row.code) > 1:
            raise SpanError(
                _("There are two labels %(label)s. To merge labels, give both existing ones one code."),
                label=repr(row.code),
            )
    after: Json = {**scheme, "labels": codes}
    details = dict(scheme.get("details", {}))
    after["details"] = _details(details, rows)
    if not after["details"]:
        del after["details"]
    if "attributes" in scheme:
        attributes = {name: _attribute(one, mapping) for name, one in scheme["attributes"].items()}
        after["attributes"] = {name: one for name, one in attributes.items() if one is not None}
    if "mappings" in scheme:
        after["mappings"] = {name: _mapping(one, rows) for name, one in scheme["mappings"].items()}
    Scheme.from_json(after)
    return Relabelling(
        before=dict(scheme),
        after=after,
        mapping=mapping,
        anew=frozenset(row.split_from for row in new if row.split_from)
        | frozenset(old for old, code in mapping.items() if not code),
    )


def relabelled(content: Mapping[str, Any], mapping: Mapping[str, str]) -> Json:
    """A content of spans under the new labels.

    Spans of a label that is taken away go; spans that are the same by now become one, and so do those of one label
    that lie inside each other, which no scheme lets stand.
    """
    kept: list[Json] = []
    for span in content["spans"]:
        code = mapping.get(span["label"], span["label"])
        if not code:
            continue
        moved = {**span, "label": code}
        if code != span["label"]:
            kept = _joined(kept, moved)
        else:
            changed = [one for one in kept if one["label"] == code]
            kept = _joined(kept, moved) if changed else [*kept, moved]
    return {**content, "spans": sorted(kept, key=lambda span: (span["tokens"], span["label"]))}


def labels_in(content: Mapping[str, Any]) -> set[str]:
    """The labels that a content of spans has."""
    return {span["label"] for span in content["spans"]}


def detail_relabelled(detail: Any, mapping: Mapping[str, str]) -> Any:
    """What a suggestion says of how it came about, with every label in it under its new code; removed ones stay."""
    if isinstance(detail, Mapping):
        found = {name: detail_relabelled(value, mapping) for name, value in detail.items()}
        if isinstance(found.get("label"), str) and "tokens" in found:
            found["label"] = mapping.get(found["label"], "") or found["label"]
        return found
    return [detail_relabelled(one, mapping) for one in detail] if isinstance(detail, list) else detail


def count_labels(contents: Iterable[Mapping[str, Any]], labels: Collection[str]) -> dict[str, int]:
    """How many spans of each of `labels` the contents have."""
    counts = dict.fromkeys(labels, 0)
    for content in contents:
        for span in content["spans"]:
            if span["label"] in counts:
                counts[span["label"]] += 1
    return counts


def _joined(spans: Sequence[Json], new: Json) -> list[Json]:
    """`new` beside the others; those of its label that it shares tokens or interleaves with become one with it."""
    rest: list[Json] = []
    for span in spans:
        if span["label"] == new["label"] and span["tokens"] and new["tokens"] and _entangled(span, new):
            new = {**span, **new, "tokens": sorted({*span["tokens"], *new["tokens"]})}
        elif span["label"] == new["label"] and span["tokens"] == new["tokens"]:
            new = {**span, **new}
        else:
            rest.append(span)
    return [*rest, new]


def _entangled(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return bool(one["tokens"][0] <= other["tokens"][-1] and other["tokens"][0] <= one["tokens"][-1])


def _details(before: Mapping[str, Any], rows: Sequence[LabelRow]) -> Json:
    found: Json = {}
    for row in rows:
        if not row.code or row.code in found:
            continue
        kept = {name: value for name, value in before.get(row.old, {}).items() if name not in DETAILS}
        kept |= {name: value for name in DETAILS if (value := getattr(row, name))}
        if kept:
            found[row.code] = kept
    return found


def _attribute(attribute: Any, mapping: Mapping[str, str]) -> Any:
    if not isinstance(attribute, Mapping) or not attribute.get("labels"):
        return attribute
    labels = list(dict.fromkeys(filter(None, (mapping.get(label, label) for label in attribute["labels"]))))
    # Without labels it would be for all of them.
    return {**attribute, "labels": labels} if labels else None


def _mapping(mapping: Mapping[str, str], rows: Sequence[LabelRow]) -> Json:
    """A mapping to a simpler scheme: renamed labels keep what they become, parts of a split one have the whole's."""
    found: Json = {}
    for row in rows:
        if row.code and row.code not in found:
            found[row.code] = mapping.get(row.old or row.split_from, "")
    return found
