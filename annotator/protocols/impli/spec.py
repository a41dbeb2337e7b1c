"""What IMPLI brings: its file formats, its part of releases, its tables, and a starting point."""

from annotator.core.installed import PackageSpec
from annotator.domain.content import DEFINITIONS
from annotator.domain.pairs.inference_pairs import UNIT_KIND as PAIR
from annotator.protocols.impli.dictionary import Dictionary
from annotator.protocols.impli.pair_files import Impli
from annotator.protocols.impli.release import part, undecided
from annotator.protocols.impli.reports import CLASSES, SILVER, VALID, with_classes, with_note, with_ways
from annotator.protocols.impli.start import START
from annotator.releases.queries.release_parts import ReleasePart
from annotator.reports.queries.report_lists import has_answers, has_units
from annotator.reports.queries.reports import counted_report

_REPORTS = (
    counted_report("pair-classes", CLASSES, applies=has_units(PAIR), show=with_ways),
    counted_report("valid-pairs", VALID, applies=has_units(PAIR), show=with_classes),
    # The rules are run for every expression, which takes 15 ms of each.
    counted_report("silver-pairs", SILVER, applies=has_answers(DEFINITIONS.slug), show=with_note, slow=True),
)
SPEC = PackageSpec(
    formats=(Impli(), Dictionary()),
    reports=_REPORTS,
    release_parts=(ReleasePart("impli", part, undecided),),
    starts=(START,),
)
