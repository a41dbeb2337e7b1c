"""What lacks gold, and so makes a release partial; for pages, which do not compute a release."""

from __future__ import annotations

from collections import Counter as Counts
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from annotator.core.unit_kinds import counted_units
from annotator.models import Counter, Gold, Project, Segment, Stage
from annotator.releases.queries.release_parts import PARTS
from annotator.work.queue.queries.coverage import reaches, sums_of


@dataclass(frozen=True)
class GoldGap:
    """What of a language is without gold: the reason why a release would be partial.

    `has_gold`: any of its sentences has some; without, nothing that is parallel to them can be released. `units`:
    by their kind, others that releases write files of, such as sentences with a marked word. `decided_in`: by kind of
    unit, the stage in which gold is decided, where there is one.
    """

    language: str
    sentences: int
    pairs: int
    has_gold: bool
    units: Mapping[str, int] = field(default_factory=dict)
    decided_in: Mapping[str, Stage] = field(default_factory=dict, compare=False)

    @property
    def named(self) -> list[str]:
        """The further units, in the reader's language."""
        return [counted_units(kind, number) for kind, number in self.units.items()]


def gold_gaps(project: Project) -> list[GoldGap]:
    """Per language, what lacks gold and so makes a release partial; languages that lack nothing are left out.

    From the counters. Gold itself is counted where nobody adjudicates in a layer, and of what kinds of work release.
    """
    stages = list(project.stages.select_related("layer"))
    for stage in stages:
        stage.project = project
    missing: Counts[tuple[str, str]] = Counts()
    decided: set[str] = set()
    judged = {(stage.layer_id, stage.language) for stage in stages if stage.adjudicates}
    for (layer, language), reach in reaches(stages, sums_of(Counter.objects.filter(project=project))).items():
        if reach.released:
            if reach.units and (layer, language) not in judged:
                gold = Gold.objects.filter(layer=layer, unit__language=language, unit__is_current=True)
                reach.decided = gold.count()
            missing[reach.unit_kind, language] = max(0, reach.units - reach.decided)
            if reach.unit_kind == Segment.SENTENCE and reach.decided:
                decided.add(language)
    units: dict[str, Counts[str]] = defaultdict(Counts)
    for part in PARTS.values():
        for (language, kind), number in part.undecided(project).items() if part.undecided is not None else ():
            if kind == Segment.PAIR:
                missing[kind, language] += number
            else:
                units[language][kind] += number
    gaps = [
        GoldGap(
            language,
            sentences=missing[Segment.SENTENCE, language],
            pairs=missing[Segment.PAIR, language],
            has_gold=language in decided,
            units=dict(units[language]),
            decided_in={
                stage.layer.unit_kind: stage for stage in stages if stage.adjudicates and stage.language == language
            },
        )
        for language in project.languages
    ]
    return [gap for gap in gaps if gap.sentences or gap.pairs or gap.units]
