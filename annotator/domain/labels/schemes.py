"""Label schemes: which labels and attributes a layer of spans has, and how they are shown, keyed and compared.

MIPVU and conceptual domains, the schemes that ship, are in `domain.shipped_schemes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from annotator.domain.messages import InvalidError, Message
from annotator.domain.messages import gettext_noop as _

OUTSIDE = "O"

# Names of colours that static/work/css/labels.css has for light and dark. A label without one gets that of its place.
PALETTE = ("blue", "amber", "teal", "rose", "violet", "green", "orange", "slate", "cyan", "olive", "magenta", "brown")
# Keys that no workspace uses otherwise (tests/js/labels.test.js). Digits are for labels: in adjudication, with Shift.
LABEL_KEYS = tuple("123456789")
# Characters of an attribute's name, and of a text of it.
MAX_NAME_LENGTH = 100
MAX_CHARACTERS = 200
# Labels of a scheme, and categories of a layer; agreement has a row and a column for each.
MAX_LABELS = 500
# Values of an attribute that is asked of source spans: each has a digit.
MAX_OPTIONS = 9
ATTRIBUTE_KEYS = tuple("oqvw")
# Keys that attributes could have before the review of projections took them. Stored schemes keep them; nothing acts on
# them.
_TAKEN_KEYS = tuple("hj")


class SpanError(InvalidError):
    """Spans that a sentence may not carry, or a scheme that cannot be; the text is a sentence for the user, tokens
    counted from 1."""


@dataclass(frozen=True, slots=True)
class Label:
    """What is known of a label beside its code.

    `name`: what people read; the code where it is empty. `colour`: one of PALETTE, `key`: one of LABEL_KEYS, both
    given by the label's place where they are empty. `anchor`: the heading of the guidelines that it is explained
    under. `tokenless`: it may stand on the sentence where no word bears it.
    """

    name: str = ""
    colour: str = ""
    key: str = ""
    description: str = ""
    anchor: str = ""
    tokenless: bool = False

    def to_json(self) -> dict[str, Any]:
        """What is set, by name."""
        return {name: value for name in self.__slots__ if (value := getattr(self, name))}


@dataclass(frozen=True, slots=True)
class Attribute:
    """Something more that a span may say.

    `values`: what it may be; empty means free text, and with `vocabulary` the texts that the project has used are
    offered. `labels`: whose spans may have it; empty means all. `key`: one of ATTRIBUTE_KEYS, goes through the values.
    `obligatory`: an answer is not finished, and nothing decided, while a span that may have it says nothing of it.
    `translation`: it is asked of each span of a source, in the review of projections, and of no span of the target
    (`domain.labels.translations`).
    """

    values: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    name: str = ""
    key: str = ""
    description: str = ""
    vocabulary: bool = False
    obligatory: bool = False
    translation: bool = False

    def to_json(self) -> Any:
        """What is set, by name; the list of values alone where nothing else is."""
        found = {name: value for name in self.__slots__ if (value := getattr(self, name))}
        if found.keys() <= {"values"}:
            return list(self.values)
        return {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}


@dataclass(frozen=True, slots=True)
class Scheme:
    """A layer's label scheme: what a span may look like there.

    `labels` in the order in which they are offered. `discontinuous` and `overlaps` say whether spans may leave out
    tokens, and share them; `several` whether one unit may have several labels, as spans on the same tokens.
    `details`: what is known of a label, by label. `mappings`: by name, what each label is in a simpler scheme, ""
    where it is nothing there. Raises SpanError when the scheme itself is malformed.
    """

    labels: tuple[str, ...]
    discontinuous: bool = True
    overlaps: bool = False
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    several: bool = False
    details: Mapping[str, Label] = field(default_factory=dict)
    mappings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        labels = tuple(self.labels)
        object.__setattr__(self, "labels", labels)
        # Bare values are an attribute without anything else to say of it.
        attributes = {
            name: one if isinstance(one, Attribute) else Attribute(values=tuple(one))
            for name, one in self.attributes.items()
        }
        object.__setattr__(self, "attributes", attributes)
        if not labels:
            raise SpanError(_("A label scheme needs at least one label."))
        if len(labels) > MAX_LABELS:
            raise SpanError(_("A label scheme can have at most %(most)d labels."), most=MAX_LABELS)
        if len(set(labels)) != len(labels):
            raise SpanError(_("A label scheme must name each label only once."))
        for label in labels:
            problem = label_problem(label)
            if problem:
                raise SpanError(problem)
        self._check_details()
        self._check_attributes()
        for name, mapping in self.mappings.items():
            if set(mapping) != set(labels):
                odd = sorted(set(mapping) ^ set(labels))[0]
                raise SpanError(
                    _(
                        "The mapping %(mapping)s must name the labels of the scheme, each with what it becomes. "
                        "%(label)s is missing or unknown."
                    ),
                    mapping=repr(name),
                    label=repr(odd),
                )
            for target in filter(None, mapping.values()):
                if problem := label_problem(target):
                    raise SpanError(problem)

    def __hash__(self) -> int:
        return hash((self.labels, self.discontinuous, self.overlaps, self.several))

    @property
    def tokenless(self) -> tuple[str, ...]:
        """The labels that may stand on a sentence, where no word bears them."""
        return tuple(label for label in self.labels if self.detail(label).tokenless)

    def detail(self, label: str) -> Label:
        """What is known of a label; everything empty where nothing is."""
        return self.details.get(label, _NO_DETAIL)

    def colour(self, label: str) -> str:
        """A label's colour; that of its place where it has none, and none where it is the only label."""
        given = self.detail(label).colour
        return given or (PALETTE[self.labels.index(label) % len(PALETTE)] if len(self.labels) > 1 else "")

    def attributes_of(self, label: str) -> dict[str, Attribute]:
        """The attributes that a span of the label may have."""
        return {name: one for name, one in self.span_attributes.items() if not one.labels or label in one.labels}

    @property
    def span_attributes(self) -> dict[str, Attribute]:
        """The attributes of spans, without those that are asked of spans of a source."""
        return {name: one for name, one in self.attributes.items() if not one.translation}

    def to_json(self) -> dict[str, Any]:
        """The scheme as it is stored with a layer. What is as in most schemes is not written."""
        found: dict[str, Any] = {
            "labels": list(self.labels),
            "discontinuous": self.discontinuous,
            "overlaps": self.overlaps,
            "attributes": {name: one.to_json() for name, one in self.attributes.items()},
        }
        if self.several:
            found["several"] = True
        if details := {label: value for label, one in self.details.items() if (value := one.to_json())}:
            found["details"] = details
        if self.mappings:
            found["mappings"] = {name: dict(mapping) for name, mapping in self.mappings.items()}
        return found

    @classmethod
    def from_json(cls, data: Any) -> Scheme:
        """The inverse of `to_json`; everything but `labels` may be missing. Raises SpanError."""
        if not isinstance(data, Mapping) or not isinstance(data.get("labels"), list | tuple):
            raise SpanError(_("A label scheme must be an object with a list of labels."))
        attributes = data.get("attributes") or {}
        if not isinstance(attributes, Mapping):
            raise SpanError(_ATTRIBUTES)
        return cls(
            labels=tuple(data["labels"]),
            discontinuous=bool(data.get("discontinuous", True)),
            overlaps=bool(data.get("overlaps", False)),
            attributes={str(name): _attribute(one) for name, one in attributes.items()},
            several=bool(data.get("several", False)),
            details={label: _label(one) for label, one in _objects(data, "details")},
            mappings={
                name: {str(label): str(target or "") for label, target in one.items()}
                for name, one in _objects(data, "mappings")
            },
        )

    def _check_details(self) -> None:
        for label, one in self.details.items():
            if label not in self.labels:
                text = _("The scheme describes %(label)s, which is not one of its labels.")
                raise SpanError(text, label=repr(label))
            if one.colour and one.colour not in PALETTE:
                raise SpanError(
                    _(
                        "The colour of %(label)s is %(colour)s. It must be one of %(known)s, which are legible on "
                        "light and on dark pages."
                    ),
                    label=label,
                    colour=repr(one.colour),
                    known=", ".join(PALETTE),
                )
            if one.key and one.key not in LABEL_KEYS:
                raise SpanError(
                    _("The key of %(label)s is %(key)s, but labels must use 1 to 9."), label=label, key=repr(one.key)
                )
        _once([one.key for one in self.details.values()])

    def _check_attributes(self) -> None:
        for name, one in self.attributes.items():
            if not name or len(name) > MAX_NAME_LENGTH:
                raise SpanError(_("An attribute needs a name of at most %(most)s characters."), most=MAX_NAME_LENGTH)
            if unknown := [label for label in one.labels if label not in self.labels]:
                raise SpanError(
                    _("The attribute %(attribute)s is for %(label)s, which is not a label of the scheme."),
                    attribute=repr(name),
                    label=repr(unknown[0]),
                )
            if one.key and one.key not in ATTRIBUTE_KEYS + _TAKEN_KEYS:
                raise SpanError(
                    _(
                        "The key of the attribute %(attribute)s is %(key)s. It must be one of these free keys: "
                        "%(known)s."
                    ),
                    attribute=repr(name),
                    key=repr(one.key),
                    known=", ".join(ATTRIBUTE_KEYS),
                )
            if len(set(one.values)) != len(one.values) or not all(map(_is_text, one.values)):
                raise SpanError(
                    _(
                        "The values of the attribute %(attribute)s must be texts of 1 to %(most)s characters, each "
                        "once."
                    ),
                    attribute=repr(name),
                    most=MAX_CHARACTERS,
                )
            if one.translation and (not one.values or len(one.values) > MAX_OPTIONS):
                raise SpanError(
                    _("The attribute %(attribute)s is asked of source spans, so it needs 1 to %(most)d values."),
                    attribute=repr(name),
                    most=MAX_OPTIONS,
                )
            if one.vocabulary and one.values:
                raise SpanError(
                    _("The attribute %(attribute)s can have a list of values or a growing vocabulary, but not both."),
                    attribute=repr(name),
                )
        _once([one.key for one in self.attributes.values()])


_NO_DETAIL = Label()
_ATTRIBUTES = _(
    "The attributes of a label scheme must be names, each with a list of values or an object with values and labels."
)


def label_problem(label: str) -> Message | None:
    """Why `label` cannot be a label, as a sentence; None when it can."""
    if not isinstance(label, str) or not label:
        return Message(_("A label must not be empty."))
    if label == OUTSIDE:
        return Message(_("A label must not be O, which stands for tokens without a label."))
    if any(character.isspace() or not character.isprintable() for character in label):
        return Message(_("The label %(label)s must not contain spaces or control characters."), {"label": repr(label)})
    return None


def _is_text(value: str) -> bool:
    return bool(value.strip()) and len(value) <= MAX_CHARACTERS and value.isprintable()


def _once(keys: Iterable[str]) -> None:
    seen: set[str] = set()
    for key in filter(None, keys):
        if key in seen:
            raise SpanError(_("The key %(key)s is assigned twice."), key=repr(key))
        seen.add(key)


def _objects(data: Mapping[str, Any], name: str) -> Iterable[tuple[str, Mapping[str, Any]]]:
    found = data.get(name) or {}
    if not isinstance(found, Mapping) or not all(isinstance(one, Mapping) for one in found.values()):
        raise SpanError(_("The %(part)s of a label scheme must be names, each with an object."), part=name)
    return found.items()


def _label(data: Mapping[str, Any]) -> Label:
    texts = ("name", "colour", "key", "description", "anchor")
    return Label(**{name: str(data.get(name) or "") for name in texts}, tokenless=bool(data.get("tokenless", False)))


def _attribute(data: Any) -> Attribute:
    if isinstance(data, list | tuple):
        data = {"values": data}
    lists = {name: data.get(name) or () for name in ("values", "labels")} if isinstance(data, Mapping) else {}
    if not lists or not all(isinstance(one, list | tuple) for one in lists.values()):
        raise SpanError(_ATTRIBUTES)
    return Attribute(
        values=tuple(map(str, lists["values"])),
        labels=tuple(map(str, lists["labels"])),
        **{name: str(data.get(name) or "") for name in ("name", "key", "description")},
        vocabulary=bool(data.get("vocabulary", False)),
        obligatory=bool(data.get("obligatory", False)),
        translation=bool(data.get("translation", False)),
    )
