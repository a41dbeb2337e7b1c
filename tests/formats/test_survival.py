"""Each format that ships with the core keeps what it says it keeps, and no more. Those of kinds bring other units."""

from __future__ import annotations

import pytest

from annotator.formats.common.errors import FormatError
from annotator.formats.common.features import Feature
from annotator.formats.shipped import SHIPPED
from tests.formats.page import MEANINGS
from tests.formats.samples import CORPORA, LOOK, survives

# Formats that kinds bring hold units of their own; their tests stand with them.
EVERY = [pytest.param(one, feature, id=f"{one.slug}-{feature}") for one in SHIPPED for feature in Feature]


@pytest.mark.parametrize(("one", "feature"), EVERY)
def test_a_format_keeps_what_it_says(one, feature, tmp_path):
    try:
        found = survives(one, feature, tmp_path)
    except FormatError:
        # What it cannot spell it should have refused to write; it does not say that it can.
        found = False
    assert found == (feature in one.keeps)


def test_each_feature_has_a_corpus_and_a_meaning():
    assert set(CORPORA) == set(LOOK) == set(MEANINGS) == set(Feature)
