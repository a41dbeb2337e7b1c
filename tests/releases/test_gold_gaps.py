"""What lacks gold."""

from __future__ import annotations

import pytest

from annotator.models import Project
from annotator.releases.queries.gold_gaps import GoldGap, gold_gaps
from tests.factories import choice, make_gold, make_pair, make_pair_unit, make_sentence, unit_of

pytestmark = pytest.mark.django_db


class TestGoldGaps:
    def test_what_lacks_gold_by_language(self, project: Project) -> None:
        pair = make_pair(project)
        make_gold(make_sentence(project))
        assert gold_gaps(project) == [GoldGap("es", sentences=2, pairs=1, has_gold=True)]

        for sentence in project.sentences.filter(segment__in=[pair.premise, pair.hypothesis]):
            make_gold(sentence)
        make_gold(unit_of(pair), content=choice("no_metaphor"))
        assert gold_gaps(project) == []

        for segment in (pair.premise, pair.hypothesis):
            make_sentence(project, "Time flies", language="en", segment=segment)
        make_pair_unit(pair, "en")
        assert gold_gaps(project) == [GoldGap("en", sentences=2, pairs=1, has_gold=False)]
