"""The layers of verdicts: one for each kind of texts, the first of which is called `validity`."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.domain.content import VERDICT, Written, content_type
from annotator.domain.content.verdict import REASONS
from annotator.domain.pairs.figurative_pairs import UNIT_KIND
from annotator.models import Layer, Project, Stage

VALIDITY = "validity"


def verdict_layer(project: Project, made_from: Stage | None) -> Layer:
    """The project's layer of verdicts on what people write in the stage."""
    written = content_type(made_from.layer.content_type) if made_from is not None else None
    if not isinstance(written, Written):
        return _layer(project, UNIT_KIND, parts=4)
    return _layer(project, written.unit_kind, parts=written.parts, asks=written.asks)


def _layer(project: Project, unit_kind: str, *, parts: int, asks: tuple[str, Sequence[str]] = ("", ())) -> Layer:
    """The project's layer of verdicts on such units, whatever it is called."""
    found = project.layers.filter(content_type=VERDICT.slug, unit_kind=unit_kind).order_by("pk").first()
    if found is not None:
        return found
    question, answers = asks
    return Layer.objects.create(
        project=project,
        slug=f"{VALIDITY}-{unit_kind}" if project.layers.filter(slug=VALIDITY).exists() else VALIDITY,
        content_type=VERDICT.slug,
        unit_kind=unit_kind,
        scheme_data={"reasons": list(REASONS), "parts": parts, "question": question, "second": list(answers)},
        position=11,
    )
