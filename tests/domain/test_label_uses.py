"""What the labels of a scheme say of the use of their words."""

from __future__ import annotations

import pytest

from annotator.domain.labels.label_uses import LabelUse, LabelUseError, checked_uses, known_uses
from annotator.domain.labels.schemes import Scheme
from annotator.domain.labels.shipped_schemes import BINARY, MIPVU


def test_the_only_label_is_a_metaphor() -> None:
    assert known_uses(Scheme(labels=("CONCEPTUAL",))) == {"CONCEPTUAL": LabelUse.METAPHOR}


def test_of_several_labels_nothing_is_assumed_whatever_they_are_called() -> None:
    scheme = Scheme(labels=("METAPHOR", "LITERAL"), mappings={"kept": {"METAPHOR": "METAPHOR", "LITERAL": "LITERAL"}})
    assert known_uses(scheme) == known_uses(scheme, scheme.mappings["kept"]) == {}
    with pytest.raises(LabelUseError, match="Not chosen yet: METAPHOR, LITERAL"):
        checked_uses(scheme, {}, scheme.mappings["kept"])


def test_a_mapping_to_one_label_says_it() -> None:
    known = known_uses(MIPVU, MIPVU.mappings[BINARY])
    assert known["DIRECT"] == LabelUse.METAPHOR
    assert known["MFLAG"] == LabelUse.NEITHER
    assert checked_uses(MIPVU, {}, MIPVU.mappings[BINARY]) == known


def test_what_is_chosen_goes_before_what_a_mapping_says() -> None:
    chosen = dict.fromkeys(MIPVU.labels, "neither") | {"DIRECT": "metaphor", "DFMA": "literal"}
    assert checked_uses(MIPVU, chosen, MIPVU.mappings[BINARY])["DFMA"] == LabelUse.LITERAL
