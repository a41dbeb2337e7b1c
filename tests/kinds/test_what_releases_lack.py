"""What pages say that a release would leave out for want of a decision is what a release leaves out."""

from __future__ import annotations

from collections import Counter

import pytest

from annotator.domain.leaving_out import NotReleased, WhyNotReleased
from annotator.models import Project, Segment, Unit
from annotator.releases.queries.gold_gaps import GoldGap, gold_gaps
from annotator.releases.queries.release_parts import PARTS
from annotator.work.gold.actions.agreed import accept_agreed
from tests.deciding import decide_gold
from tests.kinds.impli.work import Impli
from tests.protocols.mabl.work import Mabl

pytestmark = pytest.mark.django_db


def left_out(project: Project) -> Counter[tuple[str, str]]:
    """What the parts of a release leave out until somebody decides."""
    rows = [row for part in PARTS.values() for row in part.compute(project).left_out]
    reasons = [(row.language, row.kind, row.reason) for row in rows if isinstance(row.reason, WhyNotReleased)]
    return Counter((language, kind) for language, kind, why in reasons if why.code == NotReleased.NO_GOLD)


def undecided(project: Project) -> Counter[tuple[str, str]]:
    """What pages count."""
    return sum((Counter(count(project)) for part in PARTS.values() if (count := part.undecided)), Counter())


def test_pairs_that_were_written_wait_for_their_verdict() -> None:
    scene = Mabl()
    scene.written(scene.people[0])
    assert undecided(scene.project) == left_out(scene.project) == {("en", "pair"): 1}
    assert gold_gaps(scene.project) == [GoldGap("en", sentences=0, pairs=1, has_gold=False)]
    for person in scene.people[1:3]:
        scene.judged(person, verdict="accept")
    assert undecided(scene.project) == left_out(scene.project) == {}
    assert gold_gaps(scene.project) == []


def test_pairs_made_here_wait_and_imported_ones_do_not() -> None:
    scene = Impli()
    ana, ben, *_ = scene.people
    scene.marked(ana)
    scene.bring("expressions")
    scene.defined(ben)
    scene.bring("pairs")
    definitions = {("en", "expression"): 1}
    assert undecided(scene.project) == left_out(scene.project) == {("en", "pair"): 3, **definitions}
    unit = Unit.objects.filter(kind="inference-pair").first()
    assert unit is not None
    decide_gold(
        unit=unit.pk, layer=scene.stage("validate").layer, content={"verdict": "accept", "second": "yes"}, by=None
    )
    assert undecided(scene.project) == left_out(scene.project) == {("en", "pair"): 2, **definitions}
    layer = scene.stage("define").layer
    accept_agreed(project=scene.project, layer=layer, language="en", by=None, without_overlap=True)
    assert undecided(scene.project) == left_out(scene.project) == {("en", "pair"): 2}
    (gap,) = gold_gaps(scene.project)
    assert (gap.pairs, gap.sentences) == (2, scene.project.sentences.filter(kind=Segment.SENTENCE).count())
