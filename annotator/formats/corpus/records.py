"""A corpus in memory as records: what the published layout holds, in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from annotator.domain.labels.tags import Role
from annotator.domain.text.natural import natural_key
from annotator.formats.common.records import Labels, PairRecord, Read, Record, Says, Text
from annotator.formats.corpus import corpus as domain
from annotator.formats.corpus.corpus import Corpus


def reading_order(corpus: Corpus) -> list[domain.Segment]:
    """The segments as people read them: every premise, followed by its hypotheses."""
    premises = {segment.external_id: segment for segment in corpus.segments if segment.role == Role.PREMISE}
    hypotheses: dict[str, list[domain.Segment]] = {}
    for segment in corpus.segments:
        if segment.role == Role.HYPOTHESIS:
            hypotheses.setdefault(segment.group, []).append(segment)
    ordered = []
    for group in sorted({*premises, *hypotheses}, key=natural_key):
        if group in premises:
            ordered.append(premises[group])
        ordered += sorted(hypotheses.get(group, ()), key=lambda segment: natural_key(segment.external_id))
    return ordered


def grouped(reads: Iterable[Read]) -> Iterator[Read]:
    """What a reader gives, each premise followed by its hypotheses, and the pairs in the same order.

    For the published layout, which has a file for each role: its records are held in memory, as its reader does.
    """
    records: list[Record] = []
    pairs: list[PairRecord] = []
    for read in reads:
        if isinstance(read, Record):
            records.append(read)
        elif isinstance(read, PairRecord):
            pairs.append(read)
        else:
            yield read
    if all(record.group for record in records):
        records.sort(key=lambda one: (natural_key(one.group), one.role != Role.PREMISE, natural_key(one.id)))
    yield from records
    place = {record.id: number for number, record in enumerate(records) if record.role == Role.HYPOTHESIS}
    yield from sorted(pairs, key=lambda pair: place.get(pair.hypothesis, len(place)))


def records_of(corpus: Corpus) -> Iterator[Read]:
    """The warnings, the sentences in reading order with their spans as gold, and the pairs in the same order."""
    yield from corpus.warnings
    order = reading_order(corpus)
    for segment in order:
        yield record_of(corpus, segment)
    place = {segment.uid: number for number, segment in enumerate(order)}
    yield from pair_records(corpus, sorted(corpus.pairs, key=lambda pair: place[pair.hypothesis]))


def record_of(corpus: Corpus, segment: domain.Segment) -> Record:
    """A sentence in the languages that have it, with its spans as gold."""
    texts = {
        language: _text(corpus, language, segment.uid)
        for language in corpus.languages
        if segment.uid in corpus.sentences[language]
    }
    return Record(
        "",
        0,
        texts,
        id=segment.external_id,
        role=segment.role,
        group=segment.group,
        genre=segment.genre,
        source=segment.source_dataset,
    )


def pair_records(corpus: Corpus, pairs: Iterable[domain.Pair], *, file: str = "") -> Iterator[PairRecord]:
    """Pairs by the published ids of their sentences, with the tags that they have."""
    ids = {segment.uid: segment.external_id for segment in corpus.segments}
    for pair in pairs:
        tags = {language: tags[pair.uid] for language, tags in corpus.tags.items() if pair.uid in tags}
        yield PairRecord(file, 0, pair.external_id, ids[pair.premise], ids[pair.hypothesis], pair.inference, tags)


def _text(corpus: Corpus, language: str, uid: str) -> Text:
    spans = corpus.spans.get(language, {}).get(uid)
    labels = () if spans is None else (Labels(Says.GOLD, "", tuple(spans)),)
    return Text(tokens=corpus.sentences[language][uid], labels=labels)
