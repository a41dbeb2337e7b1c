"""What MUNCH brings: its file format, its part of releases, its tables, and starting points."""

from annotator.core.installed import PackageSpec
from annotator.protocols.munch.corpus import undecided
from annotator.protocols.munch.format import Munch
from annotator.protocols.munch.release import munch_part
from annotator.protocols.munch.start import MUNCH_START, START
from annotator.protocols.munch.tables import BOTH, REPEATED, SAMPLES, TRIPLES
from annotator.releases.queries.release_parts import ReleasePart

SPEC = PackageSpec(
    formats=(Munch(),),
    reports=(SAMPLES, TRIPLES, BOTH, REPEATED),
    release_parts=(ReleasePart("munch", munch_part, undecided),),
    starts=(START, MUNCH_START),
)
