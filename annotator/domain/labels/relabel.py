"""Changing the labels of a scheme: what the new scheme is, and what becomes of a content made under the old one.

Labels are renamed, merged (two rows with one code), split (a new row names the label it comes from), added and removed.
Schemes and contents are handled as they are stored, so that what a scheme says besides stays as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from annotator.domain.labels.fitting import fitted, wider
from annotator.domain.labels.spans import Scheme, SpanError
from annotator.domain.messages import gettext_noop as _

Json = dict[str, Any]
# What is kept of a label beside its code, each a text.
DETAILS = ("name", "key", "colour", "description")


@dataclass(frozen=True, slots=True)
class LabelRow:
    """A label as it is to be. `old`: what it is now, "" for a new one; `code`: what it becomes, "" takes it away.

    `split_from`: of a new label, the one that some of its spans have now; what had that is decided again.
    `tokenless`: whether it may stand on the sentence alone; `anchor`: the heading of the guidelines that it is
    explained under, "" for none. None leaves either as it is.
    """

    old: str
    code: str
    name: str = ""
    key: str = ""
    colour: str = ""
    description: str = ""
    split_from: str = ""
    tokenless: bool | None = None
    anchor: str | None = None


@dataclass(frozen=True)
class AttributeChange:
    """What becomes of an attribute: its `name`, "" where it goes, and its `values`, "" for those that go."""

    name: str
    values: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> Json:
        """As events and jobs keep it."""
        return {"name": self.name, "values": dict(self.values)}


@dataclass(frozen=True)
class Relabelling:
    """A change of a scheme. `mapping`: what each label that changes becomes, "" for nothing. `anew`: gold that has
    one of these labels now is to be decided again. `attributes`: what becomes of those that change, by what they are
    called now. `fits`: units that `after` does not allow are made to fit it (`domain.fitting`). `before`, `after`: the
    schemes as they are stored."""

    before: Json
    after: Json
    mapping: Mapping[str, str] = field(default_factory=dict)
    anew: frozenset[str] = frozenset()
    attributes: Mapping[str, AttributeChange] = field(default_factory=dict)
    fits: bool = False

    @property
    def touched(self) -> frozenset[str]:
        """Labels now in use whose spans change or are decided again."""
        return frozenset(self.mapping) | self.anew

    @property
    def touches_contents(self) -> bool:
        """Whether anything that people or machines have said may change."""
        return bool(self.touched or self.attributes or self.fits)

    @property
    def between(self) -> Json:
        """A scheme under which contents from before and after are both valid, while contents are changed."""
        return wider(self.before, self.after)

    def changed(self, content: Mapping[str, Any]) -> Json:
        """A content of spans under the new scheme."""
        content = relabelled(content, self.mapping)
        if self.attributes:
            spans = [_attributed(span, self.attributes, self.after)[0] for span in content["spans"]]
            content = {**content, "spans": spans}
            if "translations" in content:
                said = [_attributed(one, self.attributes, self.after)[0] for one in content["translations"]]
                content["translations"] = said
        return fitted(content, Scheme.from_json(self.after)) if self.fits else content

    def reopens(self, content: Mapping[str, Any]) -> bool:
        """Whether gold with this content is decided again: it loses something in whose place something else may be."""
        if labels_in(content) & self.anew:
            return True
        if any(_attributed(span, self.attributes, self.after)[1] for span in content["spans"]):
            return True
        return self.fits and places_in(self.changed(content)) != places_in(relabelled(content, self.mapping))

    def to_json(self) -> Json:
        """As events and jobs keep it."""
        return {
            "before": self.before,
            "after": self.after,
            "mapping": dict(self.mapping),
            "anew": sorted(self.anew),
            "attributes": {name: change.to_json() for name, change in self.attributes.items()},
            "fits": self.fits,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Relabelling:
        """The inverse of `to_json`."""
        return cls(
            data["before"],
            data["after"],
            data["mapping"],
            frozenset(data["anew"]),
            # Jobs that an earlier version of the program queued do not say the rest.
            {name: AttributeChange(**change) for name, change in data.get("attributes", {}).items()},
            bool(data.get("fits", False)),
        )


def relabelling(scheme: Mapping[str, Any], rows: Sequence[LabelRow]) -> Relabelling:
    """What `rows` make of a scheme of spans. Every label it has must be in a row. Raises SpanError."""
    labels: list[str] = list(scheme["labels"])
    given = [row.old for row in rows if row.old]
    if sorted(given) != sorted(labels):
        odd = sorted(set(labels) ^ set(given)) or sorted(label for label in given if given.count(label) > 1)
        raise SpanError(
            _("State exactly once what each label becomes. %(label)s is missing or repeated."),
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
                _("Two labels are called %(label)s. To merge labels, give both existing ones the same code."),
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
    # Labels on the sentence that may no longer stand there.
    allowed = {*Scheme.from_json(after).tokenless, ""}
    fits = any(mapping.get(label, label) not in allowed for label in Scheme.from_json(scheme).tokenless)
    return Relabelling(
        before=dict(scheme),
        after=after,
        mapping=mapping,
        anew=frozenset(row.split_from for row in new if row.split_from)
        | frozenset(old for old, code in mapping.items() if not code),
        fits=fits,
    )


def rows_back(before: Mapping[str, Any], after: Mapping[str, Any], mapping: Mapping[str, str]) -> list[LabelRow] | None:
    """Rows that make `before` of `after` again, which `mapping` brought about; None where no rows do.

    What was merged or removed is not in the contents any more, and attributes and rules are changed otherwise.
    """
    now = {label: mapping.get(label, label) for label in before["labels"]}
    if not all(now.values()) or len(set(now.values())) < len(now):
        return None
    known = Scheme.from_json(before)
    rows = [LabelRow(code, label, **asdict(known.detail(label))) for label, code in now.items()]
    rows += [LabelRow(code, "") for code in after["labels"] if code not in now.values()]
    try:
        again = relabelling(after, rows).after
    except SpanError:
        return None
    return rows if Scheme.from_json(again).to_json() == known.to_json() else None


def relabelled(content: Mapping[str, Any], mapping: Mapping[str, str]) -> Json:
    """A content of spans under the new labels.

    Spans of a label that is taken away go; spans that are the same by now become one, and so do those of one label
    that lie inside each other, which no scheme lets stand.
    """
    spans: list[Json] = []
    for span in content["spans"]:
        code = mapping.get(span["label"], span["label"])
        if not code:
            continue
        moved = {**span, "label": code}
        if code != span["label"]:
            spans = _joined(spans, moved)
        else:
            changed = [one for one in spans if one["label"] == code]
            spans = _joined(spans, moved) if changed else [*spans, moved]
    found = {**content, "spans": sorted(spans, key=lambda span: (span["tokens"], span["label"]))}
    if "translations" in content and mapping:
        found["translations"] = _translations(content["translations"], mapping)
    return found


def _translations(given: Iterable[Mapping[str, Any]], mapping: Mapping[str, str]) -> list[Json]:
    """Translations of source spans, under their new labels; the first one if two spans became one."""
    found: dict[Any, Json] = {}
    for one in given:
        if code := mapping.get(one["label"], one["label"]):
            found.setdefault((one["language"], tuple(one["tokens"]), code), {**one, "label": code})
    return [found[key] for key in sorted(found)]


def labels_in(content: Mapping[str, Any]) -> set[str]:
    """The labels that a content of spans has."""
    return {span["label"] for span in content["spans"]}


def places_in(content: Mapping[str, Any]) -> list[Any]:
    """Where the spans of a content stand, and their labels."""
    return sorted([list(span["tokens"]), span["label"]] for span in content["spans"])


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


def _attributed(span: Json, changes: Mapping[str, AttributeChange], after: Mapping[str, Any]) -> tuple[Json, bool]:
    """The span with its attributes as they are now, and whether it lost a value that another may stand for."""
    found: dict[str, str] = {}
    lost = False
    for name, value in span["attributes"].items():
        change = changes.get(name)
        if change is None:
            found[name] = value
            continue
        if not change.name:
            continue
        one = after["attributes"][change.name]
        allowed = one if isinstance(one, list) else one.get("values") or []
        labels = [] if isinstance(one, list) else one.get("labels") or []
        new = change.values.get(value, value)
        if labels and span["label"] not in labels:
            continue
        if not new or (allowed and new not in allowed):
            lost = True
            continue
        found[change.name] = new
    return {**span, "attributes": found}, lost


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
        detail = {name: value for name, value in before.get(row.old, {}).items() if name not in DETAILS}
        detail |= {name: value for name in DETAILS if (value := getattr(row, name))}
        if row.tokenless is not None:
            detail.pop("tokenless", None)
            detail |= {"tokenless": True} if row.tokenless else {}
        if row.anchor is not None:
            detail.pop("anchor", None)
            detail |= {"anchor": row.anchor} if row.anchor else {}
        if detail:
            found[row.code] = detail
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
