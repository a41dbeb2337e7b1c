"""What IMPLI brings: its file formats, its part of releases, its tables, and a starting point."""

from annotator.core.installed import PackageSpec
from annotator.protocols.impli.dictionary import Dictionary
from annotator.protocols.impli.pair_files import Impli
from annotator.protocols.impli.release import part, undecided
from annotator.protocols.impli.reports import CLASSES, SILVER, VALID
from annotator.protocols.impli.start import START
from annotator.releases.queries.release_parts import ReleasePart

SPEC = PackageSpec(
    formats=(Impli(), Dictionary()),
    reports=(CLASSES, VALID, SILVER),
    release_parts=(ReleasePart("impli", part, undecided),),
    starts=(START,),
)
