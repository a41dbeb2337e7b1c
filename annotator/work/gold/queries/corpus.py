"""The gold of a project as corpora that the file formats can write, and what stays out of them."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from annotator.domain.batches import batches
from annotator.domain.content import Content
from annotator.domain.labels.bio import spellable
from annotator.domain.labels.spans import Span, spans_from_json
from annotator.domain.labels.tags import Tag
from annotator.domain.leaving_out import NotReleased, Of, WhyNotReleased
from annotator.domain.mapping import mapped, mapping_named
from annotator.domain.messages import by_number, message
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.natural import natural_key
from annotator.formats.corpus import corpus as domain
from annotator.formats.corpus.corpus import Corpus, pair_uid, segment_uid
from annotator.models import Gold, Layer, Project, Segment, Unit
from annotator.work.gold.queries.left_out import (
    LABEL,
    LeftOut,
    MissingGoldError,
    check_complete,
    is_settled,
    is_withheld,
)
from annotator.work.gold.queries.withheld import withheld

# Units that are read at once.
_TOGETHER = 1000


@dataclass(frozen=True)
class GoldCorpora:
    """One corpus a dataset, in the order of the project, and what had to stay out of them.

    `on_sentence`: by language and uid of a segment, the labels that no token bears.
    """

    corpora: tuple[Corpus, ...]
    left_out: tuple[LeftOut, ...]
    on_sentence: Mapping[tuple[str, str], tuple[str, ...]]


class _Segment(NamedTuple):
    """What the files need of a segment: a row of the database in a fraction of the memory."""

    pk: int
    uid: str
    dataset: str
    role: str
    group: str
    genre: str
    set_aside_reason: str


class _Pair(NamedTuple):
    """The same of a pair."""

    pk: int
    pair_id: str
    premise_id: int
    hypothesis_id: int
    segment_id: int
    inference: str
    source_dataset: str


@dataclass(frozen=True)
class _Dataset:
    """What the project has of a dataset, by language and segment: a sentence's, or that of a pair."""

    name: str
    roles: tuple[str, ...]
    languages: tuple[str, ...]
    segments: list[_Segment]
    pairs: list[_Pair]
    tokens: Mapping[tuple[str, int], tuple[str, ...]]
    spans: Mapping[tuple[str, int], tuple[Span, ...]]
    tags: Mapping[tuple[str, int], str]
    # Whether the scheme allows labels that the layout's tags cannot spell.
    beyond_tags: bool
    # Sentences whose text may not be published.
    withheld: frozenset[tuple[str, int]]


def gold_corpora(
    project: Project, *, partial: bool, mapping: str = "", alone: bool = True, beside: Collection[LeftOut] = ()
) -> GoldCorpora:
    """The gold of the current sentences and of the pairs.

    The published layout is parallel line group by line group and has no ids, so what lacks gold in one
    language stays out in all of them; so do pairs that need such a sentence, and always discarded pairs and what came
    with an import whose text may not be published. Labels that
    its tags cannot spell (without a token, on shared ones) stay out and are listed; they do not make gold incomplete.
    `mapping` names one of the scheme, under which labels are written.
    Raises MissingGoldError when anything lacks gold, unless `partial`, and when there is no gold at all, unless the
    labels are not `alone` in what is written: then there are no corpora. `beside`: what is left out of the rest.
    """
    corpora: list[Corpus] = []
    left_out: list[LeftOut] = []
    on_sentence: dict[tuple[str, str], tuple[str, ...]] = {}
    kept_back = 0
    for dataset in _datasets(project, mapping):
        corpus, out = _corpus(dataset)
        kept_back += _decided_but_withheld(dataset)
        corpora.append(corpus)
        left_out += out
        uids = {segment.pk: segment.uid for segment in dataset.segments}
        for (language, segment), spans in dataset.spans.items():
            if labels := tuple(span.label for span in spans if not span.tokens):
                on_sentence[language, uids[segment]] = labels
    nothing = not any(spans for corpus in corpora for spans in corpus.spans.values())
    if nothing and alone:
        raise _nothing_to_export(project, left_out, kept_back)
    if not partial:
        check_complete([*left_out, *beside])
    return GoldCorpora(() if nothing else tuple(corpora), tuple(left_out), on_sentence)


def _nothing_to_export(project: Project, left_out: Collection[LeftOut], kept_back: int) -> MissingGoldError:
    """Why there is no gold to export, and what to do next. `kept_back`: how many texts with gold are withheld."""
    sentences = [one for one in left_out if one.kind == "sentence"]
    if sentences and all(map(is_settled, sentences)) and any(map(is_withheld, sentences)):
        return MissingGoldError(
            message(
                _(
                    "The imports of this project allow none of its texts to be published, so there is nothing to "
                    "export. If the licence allows it, say so on the import page."
                )
            )
        )
    if kept_back:
        text = by_number(
            kept_back,
            _(
                "%(number)d sentence has gold, but its import does not allow its text to be published, so there is "
                "nothing to export. If the licence allows it, say so on the import page."
            ),
            _(
                "%(number)d sentences have gold, but their imports do not allow their texts to be published, so "
                "there is nothing to export. If the licence allows it, say so on the import page."
            ),
        )
        return MissingGoldError(message(text, number=kept_back))
    if project.golds.exists():
        return MissingGoldError(
            message(
                _(
                    "No sentence has gold in all of the project's languages (%(languages)s) yet, so there is nothing "
                    "to export. Decide on some in each language."
                ),
                languages=", ".join(project.languages),
            )
        )
    return MissingGoldError(message(_("This project has no gold yet, so there is nothing to export.")))


def _decided_but_withheld(dataset: _Dataset) -> int:
    """How many segments have gold in all languages, and stay out since a text of them may not be published."""
    keys = [[(language, segment.pk) for language in dataset.languages] for segment in dataset.segments]
    return sum(all(key in dataset.spans for key in one) and any(key in dataset.withheld for key in one) for one in keys)


def external_id(segment: Segment | _Segment) -> str:
    """The published id in a segment's uid; the uid itself when it was not made from one."""
    return segment.uid.removeprefix(segment_uid(segment.dataset, segment.role, ""))


def _datasets(project: Project, mapping: str) -> Iterator[_Dataset]:
    names = list(dict.fromkeys(project.segments.order_by("position").values_list("dataset", flat=True)))
    scheme = project.scheme
    taken_for = mapping_named(scheme, mapping) if mapping else None
    for name in names:
        tokens: dict[tuple[str, int], tuple[str, ...]] = {}
        spans: dict[tuple[str, int], tuple[Span, ...]] = {}
        tags: dict[tuple[str, int], str] = {}
        current = Unit.objects.published().filter(project=project, segment__dataset=name, is_current=True)
        sentences = current.filter(kind=Segment.SENTENCE).order_by("pk")
        rows = sentences.values_list("pk", "language", "segment_id", "tokens").iterator(chunk_size=_TOGETHER)
        for some in batches(rows, _TOGETHER):
            labels = _gold(project.label_layer, [row[0] for row in some])
            for unit, language, segment, words in some:
                key = language, segment
                # Words come again and again: each is kept once.
                tokens[key] = tuple(map(sys.intern, words))
                # A gold decision without spans is an empty list; no decision is no entry.
                if unit in labels:
                    decided = spans_from_json(labels[unit]["spans"])
                    spans[key] = tuple(decided) if taken_for is None else mapped(decided, taken_for)
        pairs = current.filter(kind=Segment.PAIR).order_by("pk").values_list("pk", "language", "segment_id")
        for some_pairs in batches(pairs.iterator(chunk_size=_TOGETHER), _TOGETHER):
            chosen = _gold(project.tag_layer, [row[0] for row in some_pairs])
            for unit, language, segment in some_pairs:
                if unit in chosen:
                    tags[language, segment] = sys.intern(chosen[unit]["value"])
        present = {language for language, _segment in tokens}
        yield _Dataset(
            name=name,
            roles=tuple(project.roles),
            languages=tuple(language for language in project.languages if language in present),
            segments=[
                _Segment(pk, uid, name, *map(sys.intern, rest))
                for pk, uid, *rest in project.segments.filter(dataset=name)
                .values_list("pk", "uid", "role", "group", "genre", "set_aside_reason")
                .iterator()
            ],
            pairs=[_Pair(*row) for row in project.pairs.published().filter(dataset=name).values_list(*_Pair._fields)],
            tokens=tokens,
            spans=spans,
            tags=tags,
            withheld=withheld(project, name),
            beyond_tags=scheme.overlaps or scheme.several or bool(scheme.tokenless),
        )


def _gold(layer: Layer | None, units: Collection[int]) -> dict[int, Content]:
    """The gold of a layer on these units."""
    if layer is None:
        return {}
    return dict(Gold.objects.filter(layer=layer, unit__in=units).values_list("unit_id", "content"))


def _corpus(dataset: _Dataset) -> tuple[Corpus, list[LeftOut]]:
    sentences_out = _sentences_out(dataset)
    pairs_out = _pairs_out(dataset, sentences_out)
    segments = {segment.pk: segment for segment in dataset.segments}
    sentences: dict[str, dict[str, tuple[str, ...]]] = {}
    spans: dict[str, dict[str, tuple[Span, ...]]] = {}
    tags: dict[str, dict[str, str]] = {}
    labels_out: list[LeftOut] = []
    for language in dataset.languages:
        sentences[language], spans[language], tags[language] = {}, {}, {}
        for segment in dataset.segments:
            if segment.pk not in sentences_out:
                tokens = sentences[language][segment.uid] = dataset.tokens[language, segment.pk]
                decided = dataset.spans[language, segment.pk]
                spelt, out = spellable(decided, len(tokens)) if dataset.beyond_tags else (decided, ())
                spans[language][segment.uid] = spelt
                labels_out += [LeftOut(LABEL, dataset.name, segment.uid, language, reason) for _span, reason in out]
        for pair in dataset.pairs:
            if pair.pk not in pairs_out:
                tags[language][pair_uid(dataset.name, pair.pair_id)] = dataset.tags[language, pair.segment_id]
    corpus = Corpus(
        dataset=dataset.name,
        languages=dataset.languages,
        segments=_segments(dataset),
        pairs=tuple(
            domain.Pair(
                uid=pair_uid(dataset.name, pair.pair_id),
                dataset=dataset.name,
                external_id=pair.pair_id,
                premise=segments[pair.premise_id].uid,
                hypothesis=segments[pair.hypothesis_id].uid,
                inference=pair.inference,
            )
            for pair in sorted(dataset.pairs, key=lambda pair: natural_key(pair.pair_id))
        ),
        sentences=sentences,
        spans=spans,
        tags=tags,
    )
    return corpus, [
        *_list("sentence", dataset, ((segment.pk, segment.uid) for segment in dataset.segments), sentences_out),
        *_list("pair", dataset, ((pair.pk, pair.pair_id) for pair in dataset.pairs), pairs_out),
        *labels_out,
    ]


def _segments(dataset: _Dataset) -> tuple[domain.Segment, ...]:
    """Role by role in the project's order, each by ascending id; the published source comes from the pairs."""
    source: dict[int, str] = {}
    for pair in dataset.pairs:
        source.setdefault(pair.premise_id, pair.source_dataset)
        source[pair.hypothesis_id] = pair.source_dataset
    found = [
        domain.Segment(
            uid=segment.uid,
            dataset=segment.dataset,
            role=segment.role,
            external_id=external_id(segment),
            group=segment.group,
            genre=segment.genre,
            source_dataset=source.get(segment.pk, ""),
        )
        for segment in dataset.segments
    ]
    order = {role: number for number, role in enumerate(dataset.roles)}
    return tuple(
        sorted(found, key=lambda one: (order.get(one.role, len(order)), natural_key(one.external_id), one.uid))
    )


def _sentences_out(dataset: _Dataset) -> dict[int, WhyNotReleased]:
    """Why a segment stays out, by primary key: the first language in which something is missing."""
    reasons: dict[int, WhyNotReleased] = {}
    for segment in dataset.segments:
        if segment.set_aside_reason:
            reasons[segment.pk] = WhyNotReleased(NotReleased.SET_ASIDE, note=segment.set_aside_reason)
            continue
        for language in dataset.languages:
            if (language, segment.pk) in dataset.withheld:
                reasons[segment.pk] = WhyNotReleased(NotReleased.WITHHELD, language)
                break
        for language in dataset.languages if segment.pk not in reasons else ():
            if (language, segment.pk) not in dataset.spans:
                known = (language, segment.pk) in dataset.tokens
                reasons[segment.pk] = WhyNotReleased(
                    NotReleased.NO_GOLD if known else NotReleased.NO_SENTENCE, language
                )
                break
    return reasons


def _pairs_out(dataset: _Dataset, sentences_out: Mapping[int, WhyNotReleased]) -> dict[int, WhyNotReleased]:
    """Why a pair stays out, by primary key. What is undecided counts before what is discarded."""
    reasons: dict[int, WhyNotReleased] = {}
    for pair in dataset.pairs:
        for of, segment in ((Of.PREMISE, pair.premise_id), (Of.HYPOTHESIS, pair.hypothesis_id)):
            if segment in sentences_out:
                reasons[pair.pk] = replace(sentences_out[segment], of=of)
        if pair.pk in reasons:
            continue
        tags = {language: dataset.tags.get((language, pair.segment_id)) for language in dataset.languages}
        undecided = [language for language, tag in tags.items() if tag is None]
        if undecided:
            reasons[pair.pk] = WhyNotReleased(NotReleased.NO_GOLD, undecided[0])
        elif Tag.DISCARDED in tags.values():
            reasons[pair.pk] = WhyNotReleased(NotReleased.DISCARDED)
        elif not pair.inference:
            reasons[pair.pk] = WhyNotReleased(NotReleased.NO_INFERENCE)
    return reasons


def _list(
    kind: str, dataset: _Dataset, items: Iterable[tuple[int, str]], reasons: Mapping[int, WhyNotReleased]
) -> Iterable[LeftOut]:
    for key, identifier in items:
        if key in reasons:
            for language in dataset.languages:
                yield LeftOut(kind, dataset.name, identifier, language, reasons[key])
