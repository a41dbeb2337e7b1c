"""What was decided on the same lemma elsewhere, in a layer other than the project's labels.

The index of lemmas tells of the labels alone (`LemmaPlace.labelled`), so here the contents of the lemma's sentences are
read: of so many at most that a page may wait for them.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotator.domain.content import Content, content_type
from annotator.domain.states import AnnotationState
from annotator.models import Annotation, BlindMark, Gold, Import, Layer, LemmaPlace, Project, User
from annotator.work.blind.queries.blind import blind_on, hiding, labels_blind
from annotator.work.gold.queries.effective_content import effective_content

# Places of one lemma on which somebody has decided in the layer. The earliest are read.
MAX_READ = 2000

Decided = dict[int, bool]
"""Whether the labels that stand cover a place, by the place's id."""


@dataclass(frozen=True, slots=True)
class Looked:
    """The decided places that were read. `in_all`: how often the lemma stands in the language, where there may be more
    decided places than were read; 0 where all of them were."""

    decided: Decided
    in_all: int = 0


def decided_in(
    layer: Layer, *, project: Project, language: str, lemma: str, user: User, without: int | None = None
) -> Looked:
    """The decided places of a lemma in a layer of spans, in their order. At most seven statements, and one more where
    not all of them are read.

    Segments on which the user is blind count with the user's own labels only, and while the user has blind work open in
    the language, so do all. `without`: the item at hand (id of its unit), which is no evidence for itself.
    """
    hidden = Import.objects.filter(project=project, published_at__isnull=True)
    places = LemmaPlace.objects.filter(project=project, language=language, lemma=lemma, unit__is_current=True).filter(
        Q(unit__imported__isnull=True) | ~Q(unit__imported__in=hidden)
    )
    if without is not None:
        places = places.exclude(unit=without)
    layers = hiding(project, layer) if BlindMark.objects.filter(project=project, user=user, live=True).exists() else []
    everywhere = places
    if layers and labels_blind(user, project, language, layers):
        own = _own(places, layer, user)
        return Looked(own, everywhere.count() if len(own) >= MAX_READ else 0)
    own = {}
    if layers:
        hidden_here = blind_on(user, project, "unit__segment_id", layers)
        own = _own(places.filter(hidden_here), layer, user)
        places = places.exclude(hidden_here)
    answered = Annotation.objects.filter(unit=OuterRef("unit"), layer=layer, state=AnnotationState.DONE)
    decided = Gold.objects.filter(unit=OuterRef("unit"), layer=layer)
    rows = list(_first(places.filter(Exists(answered) | Exists(decided))))
    units = {unit for _place, unit, _index in rows}
    stands = effective_content(project, layer, language=language, units=units) if units else {}
    is_cut = max(len(own), len(rows)) >= MAX_READ
    return Looked(own | _covered(layer, rows, stands), everywhere.count() if is_cut else 0)


def _own(places: QuerySet[LemmaPlace], layer: Layer, user: User) -> Decided:
    """Those of the places on which the user has finished an answer, with what it says."""
    answers = Annotation.objects.filter(layer=layer, user=user, state=AnnotationState.DONE)
    rows = list(_first(places.filter(unit__in=answers.values("unit"))))
    contents = answers.filter(unit__in={unit for _place, unit, _index in rows}).values_list("unit_id", "content")
    return _covered(layer, rows, dict(contents))


def _first(places: QuerySet[LemmaPlace]) -> QuerySet[LemmaPlace, tuple[int, int, int]]:
    return places.order_by("pk").values_list("pk", "unit_id", "index")[:MAX_READ]


def _covered(layer: Layer, rows: list[tuple[int, int, int]], contents: dict[int, Content]) -> Decided:
    kind = content_type(layer.content_type)
    covered = {unit: kind.places(content) for unit, content in contents.items()}
    return {place: index in covered[unit] for place, unit, index in rows if unit in covered}
