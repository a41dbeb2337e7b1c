from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy, pgettext_lazy

from annotator.core.kind import Holds, Json, Kind, MadeUnit, parts_of
from annotator.domain.content import VERDICT, Written, content_type
from annotator.domain.content.verdict import LONGEST, REASONS
from annotator.domain.pairs.figurative_pairs import UNIT_KIND, as_tokens
from annotator.domain.stable_shuffle import stable_shuffle
from annotator.kinds.validate.outcome import apply_verdicts
from annotator.kinds.validate.question import brings_question
from annotator.kinds.validate.texts import messages, reasons, second_answers
from annotator.models import Annotation, Layer, Project, Stage, Unit, User
from annotator.work.answering.queries.verdicts import judged_again
from annotator.work.answering.queries.workspace import WorkspaceItem

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.serializers import Serializer

VALIDITY = "validity"


class Validate(Kind):
    """What people wrote in the stage before, or what came in with files, by somebody else than its writer."""

    slug = "validate"
    title = pgettext_lazy("stage", "Validate")
    doubt = gettext_lazy("I am in doubt about this verdict")
    template = "kinds/validate.html"
    comes_first = gettext_lazy("What people write in the stage before is judged here, and so is what was imported.")
    unit_kind = UNIT_KIND
    alone = False
    follows = True
    decides = True
    judges = True

    def layer(self, project: Project) -> Layer:
        return _layer(project, UNIT_KIND, parts=4)

    def layer_after(self, project: Project, before: Stage) -> Layer:
        """One for each kind of units; the first is called `validity`."""
        written = content_type(before.layer.content_type)
        if not isinstance(written, Written):
            return self.layer(project)
        return _layer(project, written.unit_kind, parts=written.parts, asks=written.asks)

    def takes(self, layer: Layer) -> bool:
        return isinstance(content_type(layer.content_type), Written)

    def made(self, stage: Stage, annotation: Annotation) -> Sequence[MadeUnit]:
        written = content_type(annotation.layer.content_type)
        if not isinstance(written, Written):
            return ()
        texts = written.texts(annotation.content, annotation.unit.text)
        # Those who judge them are shown numbers that count on: they must not tell which of the texts one is.
        return [
            MadeUnit(written.unit_kind, *as_tokens(text.lines), key=text.key, indexed=True, rule=text.rule)
            for text in sorted(texts, key=lambda text: stable_shuffle(f"{annotation.unit_id}:{text.key}"))
        ]

    def holds(self, stage: Stage) -> Holds:
        # What comes in with files enters by itself.
        return Holds.ALL

    def follow(self, stage: Stage, unit: Unit, by: User | None) -> None:
        apply_verdicts(stage, unit, by)

    def texts(self, units: Sequence[Unit]) -> Mapping[int, str]:
        return {unit.pk: " / ".join(line for line in unit.text.split("\n") if line) for unit in units}

    def items(self, shown: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
        blind = {row.unit.pk for row in shown if row.blind}
        again = judged_again([row.unit for row in shown], user, blind=blind)
        return {row.assignment.pk: {"again": again.get(row.unit.pk)} for row in shown}

    def item_part(self) -> type[Serializer[Any]]:
        from annotator.kinds.validate.serializers import ValidatePart

        return ValidatePart

    def adjudication(self, stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
        again = judged_again(units, user)
        return {unit.pk: {"again": again.get(unit.pk)} for unit in units}

    def adjudication_part(self) -> type[Serializer[Any]]:
        return self.item_part()

    def page(self, stage: Stage) -> Json:
        return {
            "parts": parts_of(stage.layer.unit_kind),
            "longest": LONGEST,
            "rejections": reasons(stage.layer.scheme_data),
            # Where the kind of texts brings a question, nobody sets another one.
            "brings_question": brings_question(stage.layer.scheme_data),
            "second": second_answers(stage.layer.scheme_data),
            "messages": messages(stage),
        }

    def routes(self) -> Sequence[URLPattern]:
        from annotator.kinds.validate.api import routes

        return routes


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
