"""What new projects can begin with: what the installed packages bring."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from annotator.core.installed import Brought, brought
from annotator.core.presets import Preset, Start, Workflow, sources_for
from annotator.domain.labels.spans import Scheme
from annotator.domain.projection.carry import ProjectionRules

STARTS: Mapping[str, Start] = Brought("starts", key="name")
PRESETS: Mapping[str, Preset] = Brought("presets", key="name")


def workflow() -> Workflow:
    """The steps that projects of labels have."""
    found: Workflow = brought("workflows")[0]
    return found


def plain(languages: Sequence[str], labels: Sequence[str], sources: Collection[str] = ()) -> Preset:
    """All steps of the workflow for any languages and labels, without guidelines; `sources`: the languages that nothing
    is projected onto, the first one where none is given.

    Raises SpanError for labels that cannot be labels.
    """
    scheme = Scheme(labels=tuple(labels))
    return Preset(
        name="",
        title="",
        description="",
        languages=tuple(languages),
        scheme=scheme,
        rules=ProjectionRules(discontinuous=scheme.discontinuous),
        stages=workflow().each_once(languages, sources),
        sources=sources_for(languages, sources),
    )


def procedure_of(preset: str) -> str:
    """The steps that the workspaces of a project made from this preset or starting point keep at hand."""
    known = PRESETS.get(preset) or STARTS.get(preset)
    return known.procedure if known else ""
