"""A project whose texts are hard to carry, and its release."""

from __future__ import annotations

from annotator.domain.labels.schemes import Scheme
from annotator.models import Mode, Project, Sentence, Unit
from tests.factories import (
    make_annotation,
    make_gold,
    make_label_layer,
    make_member,
    make_pair,
    make_pair_unit,
    make_prediction,
    make_project,
    make_projection,
    make_segment,
    make_sentence,
    make_tag,
    span,
)

# Spanish and Arabic, token by token: an emoji outside the basic plane, a letter with a combining mark, Chinese, right
# to left with left to right inside, a token with a space in it, and marks that formats use themselves.
TEXTS = (
    (["Lleva", "la", "contraria", "a", "Nueva York", "."], ["تعارض", "نيويورك", "."]),
    (["El", "tiempo", "😀", "vuela", "夜", "é"], ["الوقت", "😀", "يطير"]),
    (["Dice", '"ya"', "=1+1", "y", "#calla"], ["يقول", '"OK"', "ويصمت"]),
    (["La", "noche", "cae"], ["يهبط", "الليل", "هنا"]),
)
# Labelled tokens of each, in both languages: the first ones have a gap, the last has no label.
LABELS = (
    ([[0, 4]], [[0, 2]]),
    ([[2, 3], [4]], [[1, 2]]),
    ([[4]], [[2]]),
    ([], []),
)


def rich_project() -> Project:
    """Two languages, two people who answered, suggestions, links, and pairs with tags; all with gold."""
    project = make_project("rich", languages=("es", "ar"))
    ana, ben = make_member(project, username="ana"), make_member(project, username="ben")
    for (spanish, arabic), (on_spanish, on_arabic) in zip(TEXTS, LABELS, strict=True):
        first = _sentence(project, spanish, "es")
        second = _sentence(project, arabic, "ar", first)
        gold = [span(*tokens) for tokens in on_spanish]
        shown = make_prediction(first, gold[:1], [0.9] * len(spanish))
        make_annotation(first, ana, gold, suggestion=shown, shown=[shown.pk], suggested={"spans": gold[:1]})
        make_annotation(first, ben, gold[:1], mode=Mode.BLIND)
        make_projection(first, second, [span(*tokens) for tokens in on_arabic], gold[: len(on_arabic)])
        make_gold(first, gold)
        make_gold(second, [span(*tokens) for tokens in on_arabic])
    domains = make_label_layer(project, "domains", Scheme(labels=("TIME",)))
    make_gold(first, [span(1, label="TIME")], layer=domains)
    for tag, inference in (("relevant", "entailment"), ("no_metaphor", "neutral")):
        pair = make_pair(project, inference=inference, premise=f"Cae {tag} hoy", hypothesis=f"Dura {inference} 😀")
        make_pair_unit(pair, "ar")
        for segment in (pair.premise, pair.hypothesis):
            make_gold(make_sentence(project, f"الوقت يطير {segment.uid}", language="ar", segment=segment), [span(1)])
            make_gold(Sentence.objects.get(segment=segment, language="es"), [span(0)])
        make_tag(pair, tag, user=ana)
        make_tag(pair, tag)
        make_tag(pair, tag, language="ar")
    return project


def _sentence(project: Project, tokens: list[str], language: str, beside: Unit | None = None) -> Sentence:
    made = make_sentence(project, "x", language=language, segment=beside.segment if beside else make_segment(project))
    if beside is None:
        made.segment.dataset, made.segment.role, made.segment.group = "news", "", ""
        made.segment.uid = f"news:{made.segment.pk}"
        made.segment.save()
    made.tokens = tokens
    made.token_count = len(tokens)
    made.lemmas, made.content_words = tokens, [True] * len(tokens)
    made.save()
    return made
