"""What was decided on the same lemma elsewhere in a project: read from the index of lemmas (`LemmaPlace`).

The lemmas were worked out when the sentences came in; nothing here needs language data.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet

from annotator.domain.content import content_type
from annotator.domain.states import AnnotationState
from annotator.domain.tokens import bare
from annotator.models import Annotation, BlindMark, Import, Layer, LemmaPlace, Project, Unit, User
from annotator.queries.blind import blind_on, labels_blind

MAX_EXAMPLES = 10


@dataclass(frozen=True, slots=True)
class Example:
    """A place of a lemma: the unit, the token's index, and whether the labels that stand cover it."""

    unit: Unit
    index: int
    labelled: bool


@dataclass(frozen=True, slots=True)
class LemmaMemory:
    """How often a lemma was labelled and left unlabelled in decided sentences, with some examples of each."""

    lemma: str
    labelled: int
    unlabelled: int
    examples: Sequence[Example]


@dataclass(frozen=True, slots=True)
class _Place:
    unit: int
    index: int
    labelled: bool


def lemma_memory(project: Project, *, language: str, lemma: str, user: User) -> LemmaMemory:
    """What was decided on a lemma (or on the lemma of a word form) in the sentences of a language.

    A place counts once labels stand on its sentence (`domain/standing.py`). Segments on which the user is blind count
    with the user's own labels only, and while the user has blind work open in the language, so do all. Reads the
    index entries of one lemma, however large the project is.
    """
    layer = project.label_layer
    name, places = _places(project, language, lemma)
    if labels_blind(user, project, language):
        decided: QuerySet[LemmaPlace] | None = None
        own = _own(places, user, layer)
    else:
        decided, own = places, []
        if BlindMark.objects.filter(project=project, user=user, live=True).exists():
            hidden = places.filter(blind_on(user, project, "unit__segment_id"))
            own = _own(hidden, user, layer)
            decided = places.exclude(pk__in=hidden.values("pk"))
    counts, examples = {}, {}
    for labelled in (True, False):
        mine = [place for place in own if place.labelled == labelled]
        others = decided.filter(labelled=labelled) if decided is not None else LemmaPlace.objects.none()
        counts[labelled] = len(mine) + others.count()
        # An expression, so that the database reads the lemma's places and sorts them: by the bare key PostgreSQL would
        # rather walk through all places of all lemmas until it has found enough.
        first = others.order_by(F("pk") + 0).values_list("unit_id", "index")[:MAX_EXAMPLES]
        examples[labelled] = [*mine, *(_Place(unit, index, labelled) for unit, index in first)][:MAX_EXAMPLES]
    return LemmaMemory(
        lemma=name,
        labelled=counts[True],
        unlabelled=counts[False],
        examples=_examples(_some_of_both(examples[True], examples[False])),
    )


def _places(project: Project, language: str, lemma: str) -> tuple[str, QuerySet[LemmaPlace]]:
    """The lemma that is meant, of a form with several the most frequent one, and its places in published sentences."""
    given = lemma.strip().lower()
    places = LemmaPlace.objects.filter(project=project, language=language)
    name = given
    if not places.filter(lemma=given).exists():
        for form in dict.fromkeys((given, bare(given))):
            lemmas = places.filter(form=form).values("lemma").annotate(times=Count("pk")).order_by("-times", "lemma")
            found = lemmas.first()
            if found is not None:
                name = found["lemma"]
                break
    places = places.filter(lemma=name)
    # Asked for first: hardly ever is there one, and then no place has to be joined with its sentence.
    hidden = list(Import.objects.filter(project=project, published_at__isnull=True).values_list("pk", flat=True))
    if hidden:
        places = places.filter(Q(unit__imported__isnull=True) | ~Q(unit__imported__in=hidden))
    return name, places


def _own(places: QuerySet[LemmaPlace], user: User, layer: Layer) -> list[_Place]:
    """Those of the places on which the user has finished an answer, with what it says."""
    rows = places.filter(
        unit__is_current=True,
        unit__annotations__user=user,
        unit__annotations__layer=layer,
        unit__annotations__state=AnnotationState.DONE,
    ).order_by("pk")
    found = list(rows.values_list("unit_id", "index"))
    kind = content_type(layer.content_type)
    covered = {
        unit: kind.places(content)
        for unit, content in Annotation.objects.filter(
            unit__in={unit for unit, _index in found}, layer=layer, user=user
        ).values_list("unit_id", "content")
    }
    return [_Place(unit, index, index in covered[unit]) for unit, index in found]


def _some_of_both(labelled: Sequence[_Place], unlabelled: Sequence[_Place]) -> list[_Place]:
    """Both kinds are worth seeing, so each gets half of the room, or more where the other needs less."""
    half = MAX_EXAMPLES // 2
    found = list(labelled[: max(half, MAX_EXAMPLES - len(unlabelled))])
    return [*found, *unlabelled[: MAX_EXAMPLES - len(found)]]


def _examples(places: Iterable[_Place]) -> list[Example]:
    places = list(places)
    units = (
        Unit.objects.select_related("segment")
        .defer("lemmas", "content_words", "touches")
        .in_bulk({place.unit for place in places})
    )
    return [Example(units[place.unit], place.index, place.labelled) for place in places]
