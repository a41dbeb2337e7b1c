"""Counts on pages: as the language of the page groups them, from the server and from scripts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import override

from annotator.core.counts import grouped, with_counts

# The same cases go through `static/site/logic/numbers.js` in tests/js/numbers.test.js.
CASES: dict[str, list[tuple[int, str]]] = json.loads((Path(__file__).parents[1] / "counts.json").read_text("utf-8"))


@pytest.mark.parametrize("language", CASES)
def test_counts_are_grouped_from_four_digits_on_wherever_they_are_written(language: str) -> None:
    with override(language):
        for number, text in CASES[language]:
            assert [grouped(number), intcomma(number), with_counts("%(n)d", n=number)] == [text] * 3


def test_each_language_of_the_pages_is_among_the_cases() -> None:
    assert set(CASES) == {code for code, _name in settings.LANGUAGES}
