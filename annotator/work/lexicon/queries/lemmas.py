"""What was decided on the same lemma elsewhere in a project: read from the index of lemmas (`LemmaPlace`).

The lemmas were worked out when the sentences came in; nothing here needs language data.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, Func, IntegerField, Q, QuerySet, Subquery

from annotator.core.prepared import PreparedRows
from annotator.domain.content import content_type
from annotator.domain.states import AnnotationState
from annotator.domain.text.lookup import lookup_key
from annotator.domain.text.tokens import bare
from annotator.models import BlindMark, Import, Layer, LemmaPlace, Project, User
from annotator.work.blind.queries.blind import blind_on, hiding, labels_blind
from annotator.work.lexicon.queries.layer_lemmas import decided_in

MAX_EXAMPLES = 10


@dataclass(frozen=True, slots=True)
class Example:
    """A place of a lemma: the unit's uid and text, the token's index, and whether the labels that stand cover it."""

    uid: str
    tokens: Sequence[str]
    spaces: Sequence[str]
    index: int
    labelled: bool


@dataclass(frozen=True, slots=True)
class LemmaMemory:
    """How often a lemma was labelled and left unlabelled in decided sentences, with some examples of each.

    `in_all`: how often it stands in the language, where not all decided places were looked at; else 0.
    """

    lemma: str
    labelled: int
    unlabelled: int
    examples: Sequence[Example]
    in_all: int = 0


@dataclass(frozen=True, slots=True)
class _Own:
    """A place on which the person has finished an answer."""

    place: int
    labelled: bool


def lemma_memory(
    project: Project, *, language: str, lemma: str, user: User, layer: Layer | None = None, unit: int | None = None
) -> LemmaMemory:
    """What was decided on a lemma (or on the lemma of a word form) in the sentences of a language: in `layer`, else in
    the project's labels.

    `unit`: the item at hand (id), which is no evidence for itself: nothing of it is counted or shown.

    A place counts once labels stand on its sentence (`domain/effective_content.py`). Segments on which the user is
    blind count with the user's own labels only, and while the user has blind work open in the language, so do all.
    Reads the index entries of one lemma, however large the project is: three statements, as a rule.
    """
    if layer is not None and layer != project.label_layer:
        return _in_layer(project, layer, language, lemma, user, unit)
    given = lookup_key(lemma.strip().lower())
    at_hand = unit or _NONE
    [(importing, is_marked, is_known, *numbers)] = _ASKED.rows(
        project=project.pk, user=user.pk, language=language, lemma=given, unit=at_hand
    )
    counts: dict[bool, int] = dict(zip((True, False), numbers, strict=True))
    name = given if is_known else _of_form(project, language, given)
    if name != given:
        counts = dict(_counted(_places(project.pk, language, name, at_hand)))
    # Asked only where something is hidden from the person.
    places = LemmaPlace.objects.none()
    if importing or is_marked:
        places = _places(project.pk, language, name, at_hand)
    if importing:
        # Hardly ever is there one; otherwise no place has to be joined with its sentence to be counted.
        hidden = Q(unit__imported__in=Import.objects.filter(project=project, published_at__isnull=True))
        places = places.filter(Q(unit__imported__isnull=True) | ~hidden)
    own: list[_Own] = []
    if is_marked:
        places, own = _blind_apart(places, project, language, user)
    if importing or is_marked:
        counts = dict(_counted(places))
    found = {}
    for labelled in (True, False):
        mine = [one.place for one in own if one.labelled == labelled]
        others = counts.get(labelled, 0)
        counts[labelled] = others + len(mine)
        rows: list[Sequence[Any]] = []
        if mine:
            rows += _examples(LemmaPlace.objects.filter(pk__in=mine[:MAX_EXAMPLES]))
        if others and (importing or is_marked):
            rows += _examples(places.filter(labelled=labelled))
        elif others:
            rows += _SOME[labelled].rows(project=project.pk, language=language, lemma=name, unit=at_hand)
        found[labelled] = _as_examples(rows, labelled)
    return LemmaMemory(
        lemma=name,
        labelled=counts[True],
        unlabelled=counts[False],
        examples=_some_of_both(found[True][:MAX_EXAMPLES], found[False][:MAX_EXAMPLES]),
    )


def _blind_apart(
    places: QuerySet[LemmaPlace], project: Project, language: str, user: User
) -> tuple[QuerySet[LemmaPlace], list[_Own]]:
    """The places that the user may see, and their own of those where they work blind."""
    layers = hiding(project, project.label_layer)
    if not layers:
        return places, []
    if labels_blind(user, project, language, layers):
        return places.none(), _own(places, user, project.label_layer)
    hidden = blind_on(user, project, "unit__segment_id", layers)
    return places.exclude(hidden), _own(places.filter(hidden), user, project.label_layer)


def _places(project: int, language: str, lemma: str, unit: int) -> QuerySet[LemmaPlace]:
    """The places of a lemma, but for those in the item at hand."""
    return LemmaPlace.objects.filter(project=project, language=language, lemma=lemma).exclude(unit=unit)


def _in_layer(project: Project, layer: Layer, language: str, lemma: str, user: User, unit: int | None) -> LemmaMemory:
    given = lookup_key(lemma.strip().lower())
    is_known = LemmaPlace.objects.filter(project=project, language=language, lemma=given).exists()
    name = given if is_known else _of_form(project, language, given)
    looked = decided_in(layer, project=project, language=language, lemma=name, user=user, without=unit)
    decided = looked.decided
    found: dict[bool, list[Example]] = {}
    for labelled in (True, False):
        places = [place for place, covered in decided.items() if covered == labelled]
        rows = _examples(LemmaPlace.objects.filter(pk__in=places[:MAX_EXAMPLES])) if places else ()
        found[labelled] = _as_examples(rows, labelled)
    return LemmaMemory(
        lemma=name,
        labelled=sum(decided.values()),
        unlabelled=len(decided) - sum(decided.values()),
        examples=_some_of_both(found[True], found[False]),
        in_all=looked.in_all,
    )


def _of_form(project: Project, language: str, given: str) -> str:
    """The most frequent lemma of a form; what was given, where it is no form either."""
    all_places = LemmaPlace.objects.filter(project=project, language=language)
    for form in dict.fromkeys((given, bare(given))):
        lemmas = all_places.filter(form=form).values("lemma").annotate(times=Count("pk")).order_by("-times", "lemma")
        found = lemmas.first()
        if found is not None:
            return str(found["lemma"])
    return given


def _counted(places: QuerySet[LemmaPlace]) -> QuerySet[LemmaPlace, Any]:
    decided = places.filter(labelled__isnull=False)
    return decided.order_by().values_list("labelled").annotate(Count("pk"))


def _own(places: QuerySet[LemmaPlace], user: User, layer: Layer) -> list[_Own]:
    """Those of the places on which the user has finished an answer, with what it says."""
    rows = places.filter(
        unit__is_current=True,
        unit__annotations__user=user,
        unit__annotations__layer=layer,
        unit__annotations__state=AnnotationState.DONE,
    ).order_by("pk")
    kind = content_type(layer.content_type)
    return [
        _Own(place, index in kind.places(content))
        for place, index, content in rows.values_list("pk", "index", "unit__annotations__content")
    ]


def _some_of_both(labelled: Sequence[Example], unlabelled: Sequence[Example]) -> list[Example]:
    """Both kinds are worth seeing, so each gets half of the room, or more where the other needs less."""
    half = MAX_EXAMPLES // 2
    found = list(labelled[: max(half, MAX_EXAMPLES - len(unlabelled))])
    return [*found, *unlabelled[: MAX_EXAMPLES - len(found)]]


def _examples(places: QuerySet[LemmaPlace]) -> QuerySet[LemmaPlace, Any]:
    # Ordered by an expression, so that the database reads the lemma's places and sorts them: by the bare key
    # PostgreSQL would rather walk through all places of all lemmas until it has found enough. Chosen first, since it
    # would join all of them with their sentences before it takes the first ones.
    first = places.order_by(F("pk") + 0).values("pk")[:MAX_EXAMPLES]
    rows = LemmaPlace.objects.filter(pk__in=first).order_by("pk")
    return rows.values_list("unit__segment__uid", "unit__tokens", "unit__spaces", "index")


def _as_examples(rows: Iterable[Sequence[Any]], labelled: bool) -> list[Example]:
    return [Example(uid, tokens, spaces, index, labelled) for uid, tokens, spaces, index in rows]


_LEMMA = {"project": int, "language": str, "lemma": str, "unit": int}
# No unit has this id.
_NONE = 0


def _number(labelled: bool, **lemma: Any) -> Subquery:
    rows = _places(**lemma).filter(labelled=labelled).order_by()
    # Not `Count`, which would group the rows: PostgreSQL cannot prepare a statement that groups.
    return Subquery(rows.values(number=Func("pk", function="COUNT", output_field=IntegerField())))


# Whether an import still hides sentences, whether the person is blind anywhere in the project, whether the lemma stands
# anywhere, and how many of its places are labelled and not: all that is asked where nothing is hidden from anybody.
_ASKED = PreparedRows(
    lambda user, unit, **lemma: Project.objects.filter(pk=lemma["project"]).values_list(
        Exists(Import.objects.filter(project=lemma["project"], published_at__isnull=True)),
        Exists(BlindMark.objects.filter(project=lemma["project"], user=user, live=True)),
        Exists(LemmaPlace.objects.filter(**lemma)),
        _number(True, unit=unit, **lemma),
        _number(False, unit=unit, **lemma),
    ),
    user=int,
    **_LEMMA,
)
_SOME = {
    True: PreparedRows(lambda **lemma: _examples(_places(**lemma).filter(labelled=True)), **_LEMMA),
    False: PreparedRows(lambda **lemma: _examples(_places(**lemma).filter(labelled=False)), **_LEMMA),
}
