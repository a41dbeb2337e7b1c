"""Making contents of spans fit a scheme that allows less than the one they were made under, and schemes for both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotator.domain.labels.schemes import Scheme
from annotator.domain.labels.spans import runs

Json = dict[str, Any]


def fitted(content: Mapping[str, Any], scheme: Scheme) -> Json:
    """A content of spans of labels of `scheme` with as little changed as it takes that the scheme allows it.

    A unit that leaves out words is cut where it does so, where units must be contiguous; where they must not overlap,
    the longer of two stays, of two that are equally long the earlier, of two labels on one unit the one that the scheme
    names first. A label on the sentence that may not stand there goes. What is allowed stays as it is.
    """
    place = {label: number for number, label in enumerate(scheme.labels)}
    spans = [span for span in content["spans"] if span["tokens"] or span["label"] in scheme.tokenless]
    if not scheme.discontinuous:
        spans = [{**span, "tokens": list(run)} for span in spans for run in (runs(span["tokens"]) or ((),))]
    once = {(tuple(span["tokens"]), span["label"]): span for span in reversed(spans)}
    spans = sorted(once.values(), key=_in_order)
    if not scheme.overlaps:
        remaining: list[Json] = []
        for span in sorted(spans, key=lambda one: (-len(one["tokens"]), one["tokens"], place[one["label"]])):
            if all(_beside(span, other, scheme) for other in remaining):
                remaining.append(span)
        spans = sorted(remaining, key=_in_order)
    return {**content, "spans": spans}


def wider(before: Mapping[str, Any], after: Mapping[str, Any]) -> Json:
    """A stored scheme under which what either of two allows is valid: while contents are brought from one to the other.

    It is shown as `after` is, and offers what only `before` has behind it.
    """
    old, new = Scheme.from_json(before), Scheme.from_json(after)
    extra = [label for label in old.labels if label not in new.labels]
    joined: Json = {**after, "labels": [*new.labels, *extra]}
    for name in ("discontinuous", "overlaps", "several"):
        joined[name] = getattr(old, name) or getattr(new, name)
    details = {label: dict(one) for label, one in (after.get("details") or {}).items()}
    for label in old.tokenless:
        details[label] = {**details.get(label, {}), "tokenless": True}
    if details:
        joined["details"] = details
    attributes = {name: one.to_json() for name, one in new.attributes.items()}
    for name, one in old.attributes.items():
        attributes[name] = _wider_attribute(one.to_json(), attributes.get(name))
    joined["attributes"] = attributes
    if mappings := joined.get("mappings"):
        joined["mappings"] = {name: {**dict.fromkeys(extra, ""), **mapping} for name, mapping in mappings.items()}
    return joined


def _wider_attribute(old: Any, new: Any) -> Any:
    one = {"values": old} if isinstance(old, list) else dict(old)
    for name in ("key", "obligatory"):
        one.pop(name, None)
    if new is None:
        return one
    other = {"values": new} if isinstance(new, list) else dict(new)
    joined = {**other, "obligatory": False}
    for name in ("values", "labels"):
        both = [*other.get(name, []), *(value for value in one.get(name, []) if value not in other.get(name, []))]
        # Empty means that anything goes.
        joined[name] = both if other.get(name) and one.get(name) else []
    if not joined["values"]:
        joined["vocabulary"] = bool(one.get("vocabulary") or other.get("vocabulary"))
    return joined


def _in_order(span: Mapping[str, Any]) -> tuple[Any, ...]:
    return span["tokens"], span["label"]


def _beside(span: Mapping[str, Any], other: Mapping[str, Any], scheme: Scheme) -> bool:
    """Whether two spans may stand beside each other where units must not overlap."""
    ours: Sequence[int] = span["tokens"]
    theirs: Sequence[int] = other["tokens"]
    if not ours or not theirs:
        return True
    if span["label"] == other["label"]:
        return bool(ours[-1] < theirs[0] or theirs[-1] < ours[0])
    return not set(ours) & set(theirs) or (scheme.several and ours == theirs)
