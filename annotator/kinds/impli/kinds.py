from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from annotator.core.kind import Json, Kind, MadeUnit
from annotator.domain.content import DEFINITIONS as DEFINITIONS_TYPE
from annotator.domain.content import REWRITE, Content
from annotator.domain.content.definitions import check_says_something
from annotator.domain.content.several_texts import LONGEST
from annotator.domain.pairs.inference_pairs import UNIT_KIND as PAIR
from annotator.domain.silver import Sense
from annotator.domain.states import AnnotationState
from annotator.kinds.impli.expressions import add_expressions, examples_of, replace_twins
from annotator.kinds.impli.gathering import new_definitions
from annotator.kinds.impli.texts import define_names, messages, refusals, rewrite_names
from annotator.kinds.impli.units import DEFINITIONS, EXPRESSION, FOCUS, REWRITES, focus_key, focus_of, sense_of
from annotator.kinds.impli.up_to_date import is_outdated, note_definitions, note_sentences
from annotator.models import Annotation, Layer, Project, Stage, SuggestionKind, Unit, User
from annotator.work.answering.queries.verdicts import remarks_on
from annotator.work.answering.queries.workspace import WorkspaceItem
from annotator.work.answering.verdict_words import reason_words
from annotator.work.derivation.actions.gathering import make_missing

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.serializers import Serializer


class Rewrite(Kind):
    """Sentences whose labels mark a figurative expression, in other words; what is written becomes pairs."""

    slug = "rewrite"
    title = pgettext_lazy("stage", "Rewrite")
    unit_kind = FOCUS
    template = "kinds/rewrite.html"
    alone = False
    gathers = True
    comes_first = gettext_lazy("Mark figurative expressions first: each becomes a sentence to rewrite.")

    def layer(self, project: Project) -> Layer:
        found, _created = Layer.objects.get_or_create(
            project=project,
            slug=REWRITES,
            defaults={"content_type": REWRITE.slug, "unit_kind": FOCUS, "scheme_data": {}, "position": 8},
        )
        return found

    def takes(self, layer: Layer) -> bool:
        return layer.content_type == Layer.SPANS

    def made(self, stage: Stage, annotation: Annotation) -> Sequence[MadeUnit]:
        unit, scheme = annotation.unit, annotation.layer.scheme
        keys = [
            focus_key(span["tokens"])
            for span in annotation.content.get("spans", ())
            if span["tokens"] and sense_of(span["label"], scheme) is Sense.FIGURATIVE
        ]
        return [MadeUnit(FOCUS, tuple(unit.tokens), tuple(unit.spaces), key=key) for key in dict.fromkeys(keys)]

    def gather(self, stage: Stage, said: Sequence[tuple[Unit, Content | None]]) -> None:
        make_missing(stage, said)

    def items(self, shown: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
        open_ones = [row for row in shown if row.annotation and row.annotation.state == AnnotationState.OPEN]
        remarks = remarks_on([row.unit for row in open_ones], user) if open_ones else {}
        return {
            row.assignment.pk: {
                "focus": focus_of(row.unit.segment.uid),
                "remarks": [
                    {**one, "about": REWRITE.name_of(one["key"]), "reason": reason_words(one["reason"])}
                    for one in remarks.get(row.unit.pk, ())
                ],
            }
            for row in shown
        }

    def item_part(self) -> type[Serializer[Any]]:
        from annotator.kinds.impli.serializers import RewritePart

        return RewritePart

    def adjudication(self, stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
        return {unit.pk: {"focus": focus_of(unit.segment.uid), "remarks": []} for unit in units}

    def adjudication_part(self) -> type[Serializer[Any]]:
        return self.item_part()

    def page(self, stage: Stage) -> Json:
        return {"names": rewrite_names(), "longest": LONGEST, "messages": messages()}


def fit_definitions(unit: Unit, content: Content, done: bool) -> Content:
    """Definitions as they are. Raises ContentError for finished ones that say nothing in the unit's language."""
    if done:
        check_says_something(content, unit.language)
    return content


class Define(Kind):
    """Expressions, whatever sentences they stand in: what they mean, fit to stand in their place."""

    slug = "define"
    title = pgettext_lazy("stage", "Define expressions")
    doubt = gettext_lazy("I am in doubt about this expression")
    unit_kind = EXPRESSION
    # A dictionary that was imported as a machine's is what somebody begins with.
    suggests = (SuggestionKind.PREDICTION.value,)
    template = "kinds/define.html"
    gathers = True
    follows = True
    goes_on = False
    comes_first = gettext_lazy("Mark expressions in sentences first, or import a dictionary.")
    due_action = gettext_lazy("Make pairs of the definitions")
    due_makes = PAIR

    def layer(self, project: Project) -> Layer:
        found, _created = Layer.objects.get_or_create(
            project=project,
            slug=DEFINITIONS,
            defaults={
                "content_type": DEFINITIONS_TYPE.slug,
                "unit_kind": EXPRESSION,
                "scheme_data": {},
                "position": 9,
            },
        )
        return found

    def gathers_from(self, stage: Stage) -> Layer | None:
        return stage.project.label_layer

    def gather(self, stage: Stage, said: Sequence[tuple[Unit, Content | None]]) -> None:
        marked = add_expressions(stage, said)
        note_sentences(stage, [unit for unit, _content in said], marked)

    def follow(self, stage: Stage, unit: Unit, by: User | None) -> None:
        note_definitions(stage, unit)

    def due(self, stage: Stage) -> str:
        if new_definitions(stage):
            return gettext("Some finished definitions have not been turned into pairs yet.")
        if is_outdated(stage):
            return gettext(
                "Labels, texts or definitions have changed since pairs were made by rule. Make the pairs again: until "
                "then, a release leaves out those that no longer fit."
            )
        return ""

    def arrived(self, stage: Stage, units: Sequence[Unit]) -> None:
        replace_twins(stage, units)

    def items(self, shown: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
        found = examples_of([row.unit for row in shown], user)
        return {row.assignment.pk: found[row.unit.pk] for row in shown}

    def item_part(self) -> type[Serializer[Any]]:
        from annotator.kinds.impli.serializers import DefinePart

        return DefinePart

    def adjudication(self, stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
        return examples_of(units, user)

    def adjudication_part(self) -> type[Serializer[Any]]:
        return self.item_part()

    def page(self, stage: Stage) -> Json:
        # Its id stands for 0.
        sentence = reverse("sentence", args=[stage.project.slug, 0])
        return {
            "names": define_names(),
            "longest": LONGEST,
            "refusals": refusals(),
            "sentence": sentence,
            "messages": messages(),
        }

    def routes(self) -> Sequence[URLPattern]:
        from annotator.kinds.impli.api import routes

        return routes
