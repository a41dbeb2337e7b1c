"""Of what a blind subset can be drawn, and whether accepting into gold would spoil one: what is decided is not handed
out blind any more (`work/blind/actions/blind.py`, `work/blind/actions/blind_items.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext as _

from annotator.core.intake import Holds
from annotator.core.kind import kind_of
from annotator.core.permissions import works_in
from annotator.domain.content import Written, content_type
from annotator.domain.content.several_texts import SeveralTexts
from annotator.domain.states import AnnotationState, Mode
from annotator.models import Annotation, Counter, Gold, GoldSource, Layer, Project, Segment, Stage


@dataclass(frozen=True, slots=True)
class Drawable:
    """A stage, and why no blind subset is drawn from it; `refusal` is empty where one can be."""

    stage: Stage
    refusal: str


def drawable(stages: Sequence[Stage]) -> list[Drawable]:
    """The stages of a project in which people answer. Stages come with their layer; no query."""
    return [Drawable(stage, no_subset(stage, stages)) for stage in stages if not stage.adjudicates]


def no_subset(stage: Stage, stages: Sequence[Stage]) -> str:
    """Why no blind subset is drawn from a stage, one of `stages`, as a sentence; empty where one can be."""
    with_sentences = sentence_stage(stages, stage.language)
    if stage == with_sentences:
        return ""
    if is_free_text(stage.layer):
        return _("Texts that people write freely are not compared with each other.")
    if kind_of(stage).intake.holds(stage) == Holds.PROJECTED:
        return _("Projections are reviewed here, and people who work blind see none.")
    if with_sentences is not None and stage == pair_stage(stages, stage.language):
        return _("Pairs are drawn together with their sentences.")
    if stage.answers_wanted > 1:
        return _("Several people answer every item here, so all items are compared.")
    return ""


def is_free_text(layer: Layer) -> bool:
    """Whether people write there as they like: nobody's text is compared with what others write beside it."""
    return isinstance(content_type(layer.content_type), Written | SeveralTexts)


def sentence_stage(stages: Sequence[Stage], language: str) -> Stage | None:
    """The stage in which sentences are labelled blind: the first that shows no projections."""
    return _first(stages, language, Segment.SENTENCE, Layer.SPANS)


def pair_stage(stages: Sequence[Stage], language: str) -> Stage | None:
    """The stage in which the pairs of these sentences are answered blind."""
    return _first(stages, language, Segment.PAIR)


def _first(stages: Sequence[Stage], language: str, unit_kind: str, content: str = "") -> Stage | None:
    for stage in stages:
        if stage.adjudicates or (stage.language, stage.layer.unit_kind) != (language, unit_kind):
            continue
        if content in ("", stage.layer.content_type) and kind_of(stage).intake.holds(stage) in (
            Holds.ALL,
            Holds.UNPROJECTED,
        ):
            return stage
    return None


def accepting_spoils(project: Project, layer: Layer, language: str) -> bool:
    """Whether accepting in a layer takes finished sentences, or pairs of them, from a blind subset that can still be
    drawn."""
    if layer not in (project.label_layer, project.tag_layer) or not _subset_to_draw(project, language):
        return False
    labelled = Annotation.objects.filter(
        project=project,
        layer=project.label_layer,
        state=AnnotationState.DONE,
        unit__language=language,
        unit__is_current=True,
    )
    return labelled.exclude(unit__in=Gold.objects.filter(layer=project.label_layer).values("unit")).exists()


def _subset_to_draw(project: Project, language: str) -> bool:
    """Two people or more label in the language, none of them has worked blind, and nothing was accepted so far.

    False where a stage is blind as a whole: there all is compared. From counters and a few rows by index.
    """
    layer = project.label_layer
    stages = Stage.objects.filter(project=project, language=language, layer=layer).exclude(kind=Stage.ADJUDICATE)
    labelling = list(stages)
    if not labelling or any(stage.mode == Mode.BLIND for stage in labelling):
        return False
    people = [row for row in project.memberships.filter(user__is_active=True) if works_in(row.languages, language)]
    if len(people) < 2:
        return False
    blind = Counter.objects.filter(Q(blind_open__gt=0) | Q(blind_done__gt=0), stage__in=labelling)
    accepted = Gold.objects.filter(layer=layer, unit__language=language, source=GoldSource.AGREED)
    return not blind.exists() and not accepted.exists()
