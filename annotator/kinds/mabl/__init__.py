"""MABL: its files in and out, its tables, and a starting point."""

from annotator.core.presets import register_start
from annotator.domain.pairs.figurative_pairs import UNIT_KIND
from annotator.formats.common.protocol import register as register_format
from annotator.kinds.mabl.concept_files import concepts_part
from annotator.kinds.mabl.concept_tables import CONCEPTS, COUNTED, FIGURES, OVERLAP, SHARED
from annotator.kinds.mabl.format import Mabl
from annotator.kinds.mabl.release import part, undecided, without_categories
from annotator.kinds.mabl.reports import SAMPLES
from annotator.kinds.mabl.start import START
from annotator.releases.queries.release_parts import register_part
from annotator.reports.queries.report_lists import has_units
from annotator.reports.queries.reports import register_counted, register_figures, register_report

register_format(Mabl())
register_part("mabl", part, undecided, without_categories)
register_part("concepts", concepts_part)
register_figures(FIGURES, COUNTED)
register_report("shared-concepts", SHARED)
register_report("concept-overlap", OVERLAP)
register_report("concepts", CONCEPTS)
register_counted("mabl-samples", SAMPLES, applies=has_units(UNIT_KIND))
register_start(START)
