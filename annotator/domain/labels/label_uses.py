"""What the labels of a scheme say of an expression's use: that it is a metaphor, that it is literal, or neither."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from annotator.domain.labels.schemes import Scheme
from annotator.domain.labels.shipped_schemes import BINARY
from annotator.domain.messages import InvalidError
from annotator.domain.messages import gettext_noop as _


class LabelUse(StrEnum):
    """What a label says of the expression that it stands on."""

    METAPHOR = "metaphor"
    LITERAL = "literal"
    NEITHER = "neither"


# The name of a mapping that keeps the labels of uses that are meant as they stand, and makes nothing of the others.
LITERAL = "literal"
# MIPVU's codes: of what is understood by comparison, and of what is said in so many words beside it.
_INDIRECT = "INDIRECT"
_MEANT_AS_THEY_SAY = frozenset({"DIRECT", "MFLAG", "DFMA"})
# What such labels are called in schemes that do not say it.
_LITERAL_NAMES = frozenset({"LITERAL", "LIT"})


def literal_labels(scheme: Scheme) -> frozenset[str]:
    """The labels of uses that are meant as they stand, as the scheme's mapping LITERAL says; renaming a label keeps
    what it says. Of a scheme without that mapping, those that are called so.

    >>> sorted(literal_labels(Scheme(("FIG", "PLAIN"), mappings={LITERAL: {"FIG": "", "PLAIN": "PLAIN"}})))
    ['PLAIN']
    """
    mapping = scheme.mappings.get(LITERAL)
    if mapping is None:
        return frozenset(label for label in scheme.labels if label.upper() in _LITERAL_NAMES)
    return frozenset(label for label in scheme.labels if mapping[label])


def replaceable_labels(scheme: Scheme) -> frozenset[str]:
    """The labels of words that another word could stand for: metaphors that are not meant as they say.

    Left out are literal uses, what is nothing where only metaphor or not is asked, and MIPVU's direct metaphors and
    signals: "like" and the words of a comparison say just what they say.

    >>> sorted(replaceable_labels(Scheme(("INDIRECT", "DIRECT", "MFLAG"))))
    ['INDIRECT']
    """
    binary = scheme.mappings.get(BINARY, {})
    left_out = {label for label in scheme.labels if not binary.get(label, label)} | literal_labels(scheme)
    if _INDIRECT in scheme.labels:
        left_out |= _MEANT_AS_THEY_SAY
    return frozenset(scheme.labels) - left_out


class LabelUseError(InvalidError, ValueError):
    """It is not known of each label what it says of its expression, or none says that it is a metaphor."""


def known_uses(scheme: Scheme, mapping: Mapping[str, str] | None = None) -> dict[str, LabelUse]:
    """What the scheme itself says of its labels; empty where it leaves that open.

    A scheme with one label is about metaphors. A mapping to one label is so, too: what it leaves out is neither. Of
    several labels nothing is assumed, whatever they are called.
    """
    taken_for = {label: label for label in scheme.labels} if mapping is None else mapping
    if len(set(filter(None, taken_for.values()))) != 1:
        return {}
    return {label: LabelUse.METAPHOR if taken_for[label] else LabelUse.NEITHER for label in scheme.labels}


def checked_uses(
    scheme: Scheme, chosen: Mapping[str, object], mapping: Mapping[str, str] | None = None
) -> dict[str, LabelUse]:
    """`chosen` of each label of the scheme; what the scheme says, under `mapping`, where nothing is said.

    Raises LabelUseError where a label is missing or unknown, a use is not a LabelUse, or no label is a metaphor.
    """
    uses: Mapping[str, object] = chosen or known_uses(scheme, mapping)
    unknown = sorted(uses.keys() - set(scheme.labels))
    if unknown:
        raise LabelUseError(_("The scheme has no label “%(label)s”."), label=unknown[0])
    open_labels = [label for label in scheme.labels if uses.get(label) not in list(LabelUse)]
    if open_labels:
        raise LabelUseError(
            _("Choose metaphor, literal use or neither for each label. Not chosen yet: %(labels)s."),
            labels=", ".join(open_labels),
        )
    found = {label: LabelUse(str(uses[label])) for label in scheme.labels}
    if LabelUse.METAPHOR not in found.values():
        raise LabelUseError(_("At least one label must be a metaphor: literal uses are drawn for metaphors."))
    return found
