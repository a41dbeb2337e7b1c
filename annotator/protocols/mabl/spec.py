"""What MABL brings: its file format, its part of releases, its tables, and a starting point."""

from annotator.core.installed import PackageSpec
from annotator.protocols.mabl.concept_files import concepts_part
from annotator.protocols.mabl.concept_tables import CONCEPTS, OVERLAP, SHARED
from annotator.protocols.mabl.format import Mabl
from annotator.protocols.mabl.release import part, undecided, without_categories
from annotator.protocols.mabl.reports import SAMPLES
from annotator.protocols.mabl.start import START
from annotator.releases.queries.release_parts import ReleasePart

_RELEASE_PARTS = (
    ReleasePart("mabl", part, undecided, without_categories),
    ReleasePart("concepts", concepts_part),
)
SPEC = PackageSpec(
    formats=(Mabl(),),
    reports=(SHARED, OVERLAP, CONCEPTS, SAMPLES),
    release_parts=_RELEASE_PARTS,
    starts=(START,),
)
