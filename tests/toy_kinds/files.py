"""Votes in releases: `text<TAB>vote` a line."""

from __future__ import annotations

from annotator.models import Gold, Project, Unit
from annotator.releases.queries.release_parts import Part
from annotator.work.gold.queries.left_out import LeftOut


def votes(project: Project) -> Part:
    """The texts that are decided on, and those that are not."""
    rows = Gold.objects.filter(project=project, layer__slug="votes").order_by("unit")
    files = {"votes.tsv": "".join(f"{row.unit.text}\t{row.content['value']}\n" for row in rows).encode()}
    undecided = Unit.objects.filter(project=project, kind="text").exclude(golds__layer__slug="votes")
    out = tuple(LeftOut("text", one.segment.dataset, one.segment.uid, "es", "no vote") for one in undecided)
    return Part(files if rows else {}, {"votes.tsv": "texts with their votes"}, out)
