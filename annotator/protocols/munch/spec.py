"""What MUNCH brings: its file format, its part of releases, its tables, and starting points."""

from annotator.core.installed import PackageSpec
from annotator.domain.content import SUBSTITUTE
from annotator.kinds.substitution.units import MARKED
from annotator.protocols.munch.corpus import undecided
from annotator.protocols.munch.format import Munch
from annotator.protocols.munch.release import munch_part
from annotator.protocols.munch.start import MUNCH_START, START
from annotator.protocols.munch.tables import BOTH, REPEATED, SAMPLES, TRIPLES
from annotator.releases.queries.release_parts import ReleasePart
from annotator.reports.queries.report_lists import has_answers, has_units
from annotator.reports.queries.reports import counted_report

_REPORTS = (
    counted_report("samples", SAMPLES, applies=has_units(MARKED)),
    counted_report("triples", TRIPLES, applies=has_units(MARKED)),
    counted_report("both", BOTH, applies=has_units(MARKED)),
    counted_report("repeated", REPEATED, applies=has_answers(SUBSTITUTE.slug)),
)
SPEC = PackageSpec(
    formats=(Munch(),),
    reports=_REPORTS,
    release_parts=(ReleasePart("munch", munch_part, undecided),),
    starts=(START, MUNCH_START),
)
