"""The gold of a project row by row, as releases have it in JSON Lines: nothing of it is lost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from annotator.domain.batches import batches
from annotator.domain.labels.spans import Span
from annotator.domain.labels.translations import NAME as TRANSLATIONS
from annotator.domain.text.identity import standoff_text
from annotator.models import Annotation, AnnotationState, Gold, Layer, Pair, Project, Segment, Unit
from annotator.models.corpus_import import PUBLISHED
from annotator.work.gold.queries.withheld import repeats_withheld, withheld
from annotator.work.queue.queries.set_aside import standing_pairs

# Units that are read at once.
TOGETHER = 500


def sentence_records(
    project: Project, names: Mapping[int, str], *, comments: bool = False, words: bool = True
) -> Iterator[dict[str, Any]]:
    """Every gold sentence, also one that stays out of the published layout because its translation has no gold.

    `comments`: with what people wrote beside their answers, not only that they wrote something. `words`: with its
    tokens, unless its text may not be published; else every text is only described.
    """
    layer = project.label_layer
    kept_back = withheld(project) if words else ()
    for some in batches(decided_gold(layer), TOGETHER):
        answers = answers_to(layer, [gold.unit for gold in some])
        for gold in some:
            sentence, segment = gold.unit, gold.unit.segment
            if (sentence.language, segment.pk) in kept_back:
                continue
            yield {
                "uid": segment.uid,
                "language": sentence.language,
                "revision": sentence.revision,
                "dataset": segment.dataset,
                "role": segment.role,
                "group": segment.group,
                "genre": segment.genre,
                **text_record(sentence, words=words),
                "spans": [_span(span) for span in gold.content["spans"]],
                **_translations(gold.content),
                "gold": _provenance(gold, names),
                "annotations": by_name(_without_content(one, names, comments) for one in answers[sentence.pk]),
            }


def pair_records(project: Project, names: Mapping[int, str], *, comments: bool = False) -> Iterator[dict[str, Any]]:
    """Every pair with a gold tag, and the tags that people gave where gold is decided: others may be blind still."""
    layer = project.tag_layer
    pairs = standing_pairs(project).select_related("premise", "hypothesis")
    if layer is not None:
        for some in batches(pairs.iterator(chunk_size=TOGETHER), TOGETHER):
            yield from _pair_records(layer, some, names, comments)


def _pair_records(
    layer: Layer, pairs: Sequence[Pair], names: Mapping[int, str], comments: bool
) -> Iterator[dict[str, Any]]:
    of_pairs = {"unit__segment__in": [pair.segment_id for pair in pairs]}
    gold: defaultdict[int, dict[str, Any]] = defaultdict(dict)
    people: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    decided = Gold.objects.filter(layer=layer, unit__is_current=True, **of_pairs).select_related("unit")
    for row in decided.order_by("unit__language", "unit"):
        gold[row.unit.segment_id][row.unit.language] = {"tag": row.content["value"], **_provenance(row, names)}
    answers = finished(layer).filter(**of_pairs).order_by("unit__segment_id", "unit__language", "pk")
    for segment, language, user, mode, content, doubt, comment in answers.values_list(
        "unit__segment_id", "unit__language", "user", "mode", "content", "doubt", "comment"
    ):
        if language in gold[segment]:
            said = {"annotator": names[user], "language": language, "mode": mode, "tag": content["value"]}
            people[segment].append(said | beside(doubt, comment, comments))
    for pair in pairs:
        if not gold[pair.segment_id]:
            continue
        yield {
            "pair_id": pair.pair_id,
            "dataset": pair.dataset,
            "source_dataset": pair.source_dataset,
            "genre": pair.genre,
            "premise": pair.premise.uid,
            "hypothesis": pair.hypothesis.uid,
            "inference": pair.inference,
            "gold": gold[pair.segment_id],
            "annotations": by_name(people[pair.segment_id]),
        }


def layer_records(
    project: Project,
    layer: Layer,
    names: Mapping[int, str],
    *,
    comments: bool = False,
    without: Collection[int] = (),
    words: bool = True,
) -> Iterator[dict[str, Any]]:
    """Every unit with gold in the layer, but for those `without` (ids): what it was made from, what was decided, and
    what people answered. `words`: as of sentences."""
    kept_back = withheld(project) if words else ()
    for some in batches(decided_gold(layer), TOGETHER):
        units = [gold.unit for gold in some]
        answers, parents = answers_to(layer, units), parents_of(units)
        for gold, unit in zip(some, units, strict=True):
            # Pairs have no text here; what was made from a sentence may repeat it.
            if unit.pk in without or (unit.kind != Segment.PAIR and repeats_withheld(unit, kept_back)):
                continue
            yield {
                **unit_record(unit, [uid for _segment, uid in parents[unit.pk]], words=words),
                "content": in_order(gold.content),
                "gold": _provenance(gold, names),
                "annotations": by_name(answer_record(one, names, comments) for one in answers[unit.pk]),
            }


def answers_to(layer: Layer, units: Collection[Unit]) -> Mapping[int, list[Annotation]]:
    """People's finished answers in a layer, by unit (id)."""
    found: defaultdict[int, list[Annotation]] = defaultdict(list)
    for one in finished(layer).filter(unit__in=units):
        found[one.unit_id].append(one)
    return found


def parents_of(units: Collection[Unit]) -> Mapping[int, list[tuple[int, str]]]:
    """By unit (id), segment (id) and uid of each unit that it was made from."""
    found: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    links = Unit.parents.through.objects.filter(from_unit__in=units).order_by("pk")
    for made, segment, uid in links.values_list("from_unit_id", "to_unit__segment_id", "to_unit__segment__uid"):
        found[made].append((segment, uid))
    return found


def unit_record(unit: Unit, parents: Sequence[str], *, words: bool) -> dict[str, Any]:
    """A unit of any kind, with the uids of those that it was made from."""
    segment = unit.segment
    return {
        "uid": segment.uid,
        "kind": unit.kind,
        "language": unit.language,
        "revision": unit.revision,
        "dataset": segment.dataset,
        "group": segment.group,
        "parents": list(parents),
        **text_record(unit, words=words),
    }


def answer_record(answer: Annotation, names: Mapping[int, str], comments: bool) -> dict[str, Any]:
    """An answer with its content, and who gave it."""
    return {
        "annotator": names[answer.user_id],
        **seen(answer.mode, answer.context),
        "content": in_order(answer.content),
        **beside(answer.doubt, answer.comment, comments),
    }


def _without_content(answer: Annotation, names: Mapping[int, str], comments: bool) -> dict[str, Any]:
    row = {"annotator": names[answer.user_id], **seen(answer.mode, answer.context)}
    return row | beside(answer.doubt, answer.comment, comments)


def text_record(unit: Unit, *, words: bool) -> dict[str, Any]:
    """The tokens of a text, or their substitutes in a release without words."""
    return {"tokens": unit.tokens} if words else standoff_text(unit.tokens, unit.spaces)


def by_name(answers: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Answers in the order of the names that the release has for people."""
    return sorted(answers, key=lambda one: (str(one["annotator"]), str(one.get("language", ""))))


def seen(mode: str, context: str) -> dict[str, str]:
    """What somebody saw as they answered: suggestions or none, and what stood around the unit, where it is known."""
    return {"mode": mode, "context": context} if context else {"mode": mode}


def beside(doubt: bool, comment: str, comments: bool) -> dict[str, Any]:
    """What somebody said beside their answer. Comments may be personal: that there is one is told without it."""
    remarks = {"doubt": doubt, "commented": bool(comment.strip())}
    return {**remarks, "comment": comment} if comments else remarks


def in_order(value: Any) -> Any:
    """A value out of a JSON column with its keys in one order: databases and archives have them in orders of their own,
    and the same gold gives the same bytes."""
    if isinstance(value, dict):
        return {key: in_order(value[key]) for key in sorted(value)}
    return [in_order(one) for one in value] if isinstance(value, list) else value


def further_layers(project: Project) -> list[Layer]:
    """The layers that have no file of their own in the published layout."""
    published = {project.label_layer, project.tag_layer}
    return [layer for layer in project.layers.all() if layer not in published]


def decided_gold(layer: Layer) -> Iterator[Gold]:
    """The gold of a layer on current units in reading order, language by language."""
    rows = Gold.objects.filter(project=layer.project_id, layer=layer, unit__is_current=True)
    return (
        rows.select_related("unit__segment")
        .order_by("unit__segment__position", "unit__language", "unit")
        .iterator(chunk_size=1000)
    )


def _span(stored: Any) -> dict[str, Any]:
    span = Span.from_json(stored).to_json()
    return {**span, "attributes": in_order(span["attributes"])}


def _translations(content: Mapping[str, Any]) -> dict[str, Any]:
    """How the spans of the sources were translated, where somebody said so."""
    said = content.get(TRANSLATIONS)
    return {TRANSLATIONS: [{**one, "attributes": in_order(one["attributes"])} for one in said]} if said else {}


def finished(layer: Layer) -> QuerySet[Annotation]:
    """People's finished answers in a layer, unit by unit."""
    rows = Annotation.objects.filter(PUBLISHED, project=layer.project_id, layer=layer, state=AnnotationState.DONE)
    return rows.order_by("unit_id", "pk")


def _provenance(gold: Gold, names: Mapping[int, str]) -> dict[str, Any]:
    return {
        "source": gold.source,
        "version": gold.version,
        "decided_by": names[gold.decided_by_id] if gold.decided_by_id else None,
        "decided_at": gold.updated_at.isoformat(),
        "reason": gold.reason,
        "chosen": _chosen(gold, names),
    }


def _chosen(gold: Gold, names: Mapping[int, str]) -> dict[str, Any] | None:
    """What a decision was chosen from, by the people's names; an answer is null where nobody's was taken."""
    if gold.chosen is None:
        return None
    found: dict[str, Any] = {"answers": [_named(one, names) for one in gold.chosen["answers"]]}
    if "all" in gold.chosen:
        taken = gold.chosen["all"]
        found["all"] = names.get(taken["user"]) if taken else None
        found["differences"] = [_named(one, names) for one in gold.chosen["differences"]]
        found["edited"] = gold.chosen["edited"]
    if "rule" in gold.chosen:
        # By which rule, whose answer was taken, and how likely it is wrong.
        found["rule"] = _named(gold.chosen["rule"], names)
    return found


def _named(one: Mapping[str, Any], names: Mapping[int, str]) -> dict[str, Any]:
    user = one["user"]
    return {"annotator": None if user is None else names.get(user), **{k: v for k, v in one.items() if k != "user"}}
