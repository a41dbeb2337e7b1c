from __future__ import annotations

from collections.abc import Sequence

from annotator.core.kind import Holds, Kind, MadeUnit
from annotator.domain.text.tokens import tokenise
from annotator.models import Annotation, Layer, Project, Stage


class Write(Kind):
    """Every sentence of the stage's language: write what it says, in other words."""

    slug = "toy-write"
    title = "Write"
    template = "toy/write.html"

    def layer(self, project: Project) -> Layer:
        found, _created = Layer.objects.get_or_create(
            project=project,
            slug="texts",
            defaults={"content_type": "text", "unit_kind": "sentence", "shows": ["votes"], "position": 8},
        )
        return found


class Vote(Kind):
    """The texts that were written: is it one?"""

    slug = "toy-vote"
    title = "Vote"
    unit_kind = "text"
    template = "toy/vote.html"
    alone = False

    def layer(self, project: Project) -> Layer:
        found, _created = Layer.objects.get_or_create(
            project=project,
            slug="votes",
            defaults={
                "content_type": "choice",
                "unit_kind": "text",
                "scheme_data": {"values": ["good", "bad"], "nothing": []},
                "position": 9,
            },
        )
        return found

    def takes(self, layer: Layer) -> bool:
        return layer.content_type == "text"

    def holds(self, stage: Stage) -> Holds:
        return Holds.MADE

    def made(self, stage: Stage, annotation: Annotation) -> Sequence[MadeUnit]:
        return [MadeUnit("text", tokenise(annotation.content["text"]))]


class Quote(Vote):
    """What people labelled, each unit of it by itself: is it one?"""

    slug = "toy-quote"
    title = "Quote"

    def takes(self, layer: Layer) -> bool:
        return layer.content_type == Layer.SPANS

    def made(self, stage: Stage, annotation: Annotation) -> Sequence[MadeUnit]:
        tokens = annotation.unit.tokens
        labelled = [tuple(tokens[place] for place in span["tokens"]) for span in annotation.content["spans"]]
        return [MadeUnit("text", words, key=str(number)) for number, words in enumerate(labelled)]
