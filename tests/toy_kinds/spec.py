from dataclasses import replace

from annotator.core.installed import PackageSpec
from annotator.core.intake import Derived
from annotator.core.kind import Kind
from annotator.core.kind_parts import LayerSpec, Workspace
from annotator.core.permissions import Permission
from annotator.core.presets import ADJUDICATE, StageSpec, Start, Texts
from annotator.core.unit_kinds import SENTENCE, UnitKind
from annotator.domain.labels.spans import Scheme
from annotator.releases.queries.release_parts import ReleasePart
from annotator.reports.queries.report_lists import has_units
from annotator.reports.queries.reports import ReportSpec, table_figures
from tests.toy_kinds.content import Text
from tests.toy_kinds.files import votes
from tests.toy_kinds.format import Voted
from tests.toy_kinds.rules import LABELLED_TEXTS, WRITTEN_TEXT, is_labels, is_text
from tests.toy_kinds.tables import count_all, count_texts

# Every sentence of the stage's language: write what it says, in other words.
WRITE = Kind(
    slug="toy-write",
    title="Write",
    unit=SENTENCE.slug,
    layer=LayerSpec(slug="texts", content_type="text", shows=("votes",), position=8),
    workspace=Workspace(template="toy/write.html"),
)
# The texts that were written: is it one?
VOTE = Kind(
    slug="toy-vote",
    title="Vote",
    unit="text",
    layer=LayerSpec(slug="votes", content_type="choice", scheme={"values": ["good", "bad"], "nothing": []}, position=9),
    workspace=Workspace(template="toy/vote.html"),
    intake=Derived(rule=WRITTEN_TEXT, from_layer=is_text, imported=False),
)
# What people labelled, each unit of it by itself: is it one?
QUOTE = replace(
    VOTE,
    slug="toy-quote",
    title="Quote",
    intake=Derived(rule=LABELLED_TEXTS, from_layer=is_labels, imported=False),
)
_REPORTS = (
    ReportSpec(
        name="toy-votes",
        title="Voted texts",
        text="How many there are.",
        figures=table_figures("toy-votes", count_texts, has_units("text")),
    ),
    ReportSpec(
        name="toy-agreement",
        title="Agreement",
        text="What others chose.",
        figures=table_figures("toy-agreement", count_all, lambda _project: True),
        needs=Permission.ADJUDICATE,
    ),
)
_STARTS = (
    Start(
        "toy-texts",
        Texts.SENTENCES,
        scheme=Scheme(labels=("METAPHOR",), discontinuous=True),
        chain=(
            StageSpec("toy-write", ""),
            StageSpec("toy-vote", "", made_from="toy-write", answers_wanted=2),
            StageSpec(ADJUDICATE, "", layer="votes"),
        ),
        words=("Toy texts", "Written, voted on."),
    ),
)
SPEC = PackageSpec(
    kinds=(WRITE, VOTE, QUOTE),
    unit_kinds=(UnitKind(slug="text"),),
    content_types=(Text(),),
    formats=(Voted(),),
    reports=_REPORTS,
    release_parts=(ReleasePart("votes", votes),),
    starts=_STARTS,
)
