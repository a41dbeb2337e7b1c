"""Writing what an import adds: hidden rows in short transactions, then the one that publishes them."""

from __future__ import annotations

import time
from collections import Counter as Numbers
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.db import connection, transaction
from django.db.models import F, Max, Q
from django.utils import timezone

from annotator.core.counters import OWN, Weight, add_to_counter, total_weight
from annotator.core.database.background_writer import BackgroundWriter
from annotator.core.database.bulk import Ids, Insert, like, prepared
from annotator.core.events import log
from annotator.domain.batches import batches
from annotator.domain.states import JobState, Mode
from annotator.domain.text.lemmas import lemmas_of
from annotator.domain.verbs import Verb
from annotator.formats.common.records import PairRecord
from annotator.formats.corpus.corpus import pair_uid
from annotator.imports.reading.known import Key, Known, Revisions, Slot, known
from annotator.imports.reading.labels import answer_layers, tag_source
from annotator.imports.reading.pairs import sides
from annotator.imports.reading.source import Terms
from annotator.imports.reading.staging import StagedBatch, StagedRecord, StagedText, StagingStore, genre_and_source
from annotator.imports.reading.summary import ImportSummary, weight_of
from annotator.imports.writing.answers import Answers, Written
from annotator.imports.writing.leases import Lease
from annotator.imports.writing.places import Places
from annotator.jobs.handlers import Interrupted
from annotator.models import Item, Job, Layer, Pair, Project, Segment, Stage, Unit, User
from annotator.work.gold.actions.adjudication import adjudication_stage, refresh_adjudication
from annotator.work.lexicon.actions.lemmas import places
from annotator.work.queue.actions.items import entered
from annotator.work.queue.actions.order import refresh_order

# Of segments or pairs. Small, since on SQLite anyone who saves waits until a transaction of ours ends.
CHUNK_SIZE = 34
# So many times as many on PostgreSQL, where nobody waits: what is looked up waits for all that came before.
MORE = {"sqlite": 1, "postgresql": 5}
PLACED_TOGETHER = 200


class Rows:
    """Writes what is new of records that were checked. Each batch is one transaction, which only has to insert what
    was prepared, `beside` the preparation of the next one; what is needed of earlier ones is looked up, so memory does
    not grow."""

    def __init__(self, lease: Lease, terms: Terms, store: StagingStore, beside: BackgroundWriter) -> None:
        self._lease = lease
        self._project = project = lease.imported.project
        self._terms = terms
        self._staging = store
        self._beside = beside
        lease.imported.files = [dict(one) for one in terms.files]
        lease.imported.licence, lease.imported.publishable = terms.licence, terms.publishable
        self._files = {one["name"]: number for number, one in enumerate(terms.files)}
        self._tag_source = tag_source(project, terms)
        self._answers = Answers(lease.imported, entered(project), answer_layers(project))
        self._a_slot = Segment(project=project, dataset=terms.dataset, imported=lease.imported)
        self._a_unit = Unit(project=project, imported=lease.imported)
        self._segment_ids = Ids(Segment)
        self._unit_ids = Ids(Unit)
        self._unplaced: list[Unit] = []
        self._places = Places(lambda insert: beside.do(partial(self._store_places, insert)))
        # What is counted when it is published: items by stage, gold by layer and language.
        self._made: dict[int, Weight] = {}
        self._decided: Numbers[tuple[Layer, str]] = Numbers()
        self._position = (project.slots.aggregate(last=Max("position"))["last"] or 0) + 1
        self._pair_position = (project.pairs.aggregate(last=Max("position"))["last"] or 0) + 1

    def write(self) -> Iterator[int]:
        """Write all that was staged; gives how many records are written, between two transactions. At the end of
        `beside` all of it is there."""
        written = 0
        more = MORE[connection.vendor]
        for batch in self._staging.staged(together=more):
            there = self._look_up(batch)
            for some in batches(batch.records, more * CHUNK_SIZE):
                self._write_sentences(some, there)
                written += len(some)
                yield written
            for few in batches(batch.pairs, more * CHUNK_SIZE):
                self._write_pairs(few, there)
                yield written
            if len(self._unplaced) >= PLACED_TOGETHER:
                self._place()
        for _pairs in self._pairs_of_further_languages():
            yield written
        self._place()
        self._places.finish()

    def publish(self, summary: ImportSummary, by: User | None) -> None:
        """Let everybody see what was written, count it and log it: one short transaction.

        Raises Interrupted where its job was cancelled after the last report.
        """
        imported = self._lease.imported
        imported.summary = summary.to_json()
        imported.published_at = timezone.now()
        project = self._project.pk
        with transaction.atomic():
            if imported.job_id is not None:
                # Held until the transaction ends, so that nobody cancels the job between this check and the publishing.
                job = Job.objects.select_for_update(no_key=True).filter(pk=imported.job_id)
                if JobState.CANCELLED in job.values_list("state", flat=True):
                    raise Interrupted
            self._lease.renew()
            terms = ("licence", "publishable", "original_language")
            imported.save(update_fields=["summary", "files", *terms, "published_at"])
            Project.objects.filter(pk=project).update(size=F("size") + weight_of(imported.files, imported.summary))
            for made_in, sums in self._made.items():
                add_to_counter(made_in, None, project=project, **sums)
            for (stage, user, mode), number in self._answers.done.items():
                add_to_counter(stage, user, project=project, **{f"{OWN[Mode(mode)]}_done": number})
            for (layer, language), number in self._decided.items():
                judged = adjudication_stage(self._project, layer, language)
                if judged is not None:
                    add_to_counter(judged, None, project=project, done=number)
            log(
                project=self._project,
                actor=by,
                verb=Verb.IMPORT,
                subject=self._project,
                after={**imported.summary, "import": imported.pk},
            )

    def _look_up(self, batch: StagedBatch) -> Known:
        self._beside.wait()
        dataset = self._terms.dataset
        uids = {record.uid for record in batch.records} | {uid for pair in batch.pairs for uid in sides(dataset, pair)}
        return known(self._project, uids, pairs={pair_uid(dataset, pair.id) for pair in batch.pairs})

    def _write_sentences(self, records: Sequence[StagedRecord], there: Known) -> None:
        slots: dict[str, Segment] = {}
        units: dict[Key, Unit] = {}
        texts: dict[Key, StagedText] = {}
        for record in records:
            slot, here = slots.get(record.uid), there.slots.get(record.uid)
            if here is not None and here.is_aside:
                continue
            if slot is None and here is not None:
                slot = Segment(pk=here.pk, position=here.position)
            for language, text in record.texts.items():
                key = (language, record.uid)
                if key in there.texts or key in units:
                    continue
                if slot is None:
                    slot = slots[record.uid] = self._new_slot(record)
                units[key] = self._sentence(slot, language, text, record)
                texts[key] = text
        written = self._answers.of(units, texts)
        self._insert(prepared(Segment, slots.values()), units, written, [])
        there.slots.update((uid, Slot(slot.pk, slot.position, slot.group)) for uid, slot in slots.items())
        there.texts.update((key, Revisions(unit.pk, {tuple(unit.tokens): unit.pk})) for key, unit in units.items())

    def _write_pairs(self, pairs: Sequence[PairRecord], there: Known) -> None:
        slots: dict[str, Segment] = {}
        rows: list[Pair] = []
        units: dict[Key, Unit] = {}
        texts: dict[Key, StagedText] = {}
        parents: list[tuple[int, int]] = []
        records = self._staging.seen([f"s:{sides(self._terms.dataset, pair)[1]}" for pair in pairs])
        for pair in pairs:
            uid = pair_uid(self._terms.dataset, pair.id)
            premise, hypothesis = (there.slots[side] for side in sides(self._terms.dataset, pair))
            if uid in there.pairs:
                slot = Segment(pk=there.slots[uid].pk, position=there.slots[uid].position)
            else:
                genre, source = genre_and_source(records[f"s:{sides(self._terms.dataset, pair)[1]}"].digest)
                slot = slots[uid] = self._pair_slot(uid, genre, hypothesis)
                rows.append(self._pair(pair, genre, source, slot, premise.pk, hypothesis.pk))
            for language in self._project.languages:
                made_of = [there.texts.get((language, side)) for side in sides(self._terms.dataset, pair)]
                if (language, uid) in there.pair_units or None in made_of or premise.is_aside or hypothesis.is_aside:
                    continue
                unit = units[language, uid] = self._pair_unit(slot, language, premise.pk, hypothesis.pk)
                sentences = dict.fromkeys(one.current for one in made_of if one is not None)
                parents += [(unit.pk, sentence) for sentence in sentences]
                if self._tag_source is not None and language in pair.values:
                    tag = self._tag_source._replace(content={"value": pair.values[language]})
                    texts[language, uid] = StagedText((), (), (), (), (), [tag])
        written = self._answers.of(units, texts)
        inserts = [prepared(Segment, slots.values()), prepared(Pair, rows)]
        self._insert(inserts, units, written, parents)
        self._unplaced += units.values()
        there.slots.update((uid, Slot(slot.pk, slot.position, slot.group)) for uid, slot in slots.items())
        there.pairs.update(zip(slots, rows, strict=True))
        there.pair_units.update((key, unit.pk) for key, unit in units.items())

    def _pairs_of_further_languages(self) -> Iterator[int]:
        """Pairs that were there, in languages in which this import brought a side and both are there now."""
        # Read once. SQLite would look through all of the import's units for each pair if it was asked for one of them.
        brought = Unit.objects.filter(imported=self._lease.imported).values("segment")
        either = Q(premise__in=brought) | Q(hypothesis__in=brought)
        rows = self._project.pairs.exclude(imported=self._lease.imported).filter(either).order_by("pk")
        self._beside.wait()
        last = 0
        while some := list(rows.filter(pk__gt=last).select_related("segment")[:CHUNK_SIZE]):
            last = some[-1].pk
            self._complete(some)
            yield last

    def _complete(self, pairs: Sequence[Pair]) -> None:
        wanted = {pk for pair in pairs for pk in (pair.segment_id, pair.premise_id, pair.hypothesis_id)}
        rows = Unit.objects.filter(
            Q(imported=self._lease.imported) | Q(imported=None) | Q(imported__published_at__isnull=False)
        )
        current = rows.filter(segment__in=wanted, is_current=True).values_list("segment_id", "language", "pk")
        there = {(segment, language): pk for segment, language, pk in current}
        units: dict[Key, Unit] = {}
        parents: list[tuple[int, int]] = []
        for pair in pairs:
            for language in self._project.languages:
                made_of = [there.get((side, language)) for side in (pair.premise_id, pair.hypothesis_id)]
                if (pair.segment_id, language) in there or None in made_of:
                    continue
                unit = self._pair_unit(pair.segment, language, pair.premise_id, pair.hypothesis_id)
                units[language, pair.segment.uid] = unit
                parents += [(unit.pk, sentence) for sentence in dict.fromkeys(made_of) if sentence is not None]
        written = Written()
        self._answers.items(written, list(units.values()))
        self._insert([], units, written, parents)
        self._unplaced += units.values()

    def _insert(
        self,
        first: Insert | Sequence[Insert],
        units: Mapping[Key, Unit],
        written: Written,
        parents: Sequence[tuple[int, int]],
    ) -> None:
        """Units with all that hangs on them, in one transaction; `first` is what they hang on."""
        inserts = [
            *([first] if isinstance(first, Insert) else first),
            prepared(Unit, units.values()),
            *written.inserts(),
            Insert(Unit.parents.through, ("from_unit_id", "to_unit_id"), parents),
        ]
        if any(insert.rows for insert in inserts):
            self._beside.do(partial(self._store, inserts, written.answered))
        self._count(written)
        self._places.add(places(units.values(), written.covered).rows)

    @transaction.atomic
    def _store_places(self, insert: Insert) -> None:
        self._lease.renew()
        began = time.perf_counter()
        insert.run()
        # On PostgreSQL nobody waits.
        if connection.vendor == "sqlite":
            self._places.took(time.perf_counter() - began)

    @transaction.atomic
    def _store(self, inserts: Sequence[Insert], answered: Sequence[tuple[Unit, Layer]] = ()) -> None:
        self._lease.renew()
        for insert in inserts:
            insert.run()
        # What several people answered may wait for an adjudicator; nobody sees that either yet.
        for unit, layer in answered:
            refresh_adjudication(project=self._project, unit=unit, layer=layer)
        if answered:
            waiting = Item.objects.filter(unit__in=[unit for unit, _layer in answered], stage__kind=Stage.ADJUDICATE)
            waiting.update(imported=self._lease.imported)

    def _count(self, written: Written) -> None:
        self._decided.update((gold.layer, gold.unit.language) for gold in written.golds)
        by_stage: dict[int, list[Item]] = {}
        for item in written.items:
            by_stage.setdefault(item.stage_id, []).append(item)
        for stage, rows in by_stage.items():
            before = self._made.get(stage, {})
            self._made[stage] = {name: n + before.get(name, 0) for name, n in total_weight(rows).items()}

    def _place(self) -> None:
        """Bring orders in line. Of pairs only: what hangs on new sentences is their pairs, which come after them."""
        self._beside.do(partial(self._place_now, self._unplaced))
        self._unplaced = []

    @transaction.atomic
    def _place_now(self, units: Sequence[Unit]) -> None:
        self._lease.renew()
        refresh_order(self._project, units)

    def _new_slot(self, record: StagedRecord) -> Segment:
        self._position += 1
        return like(
            self._a_slot,
            id=self._segment_ids.next(),
            kind=record.kind or Segment.SENTENCE,
            uid=record.uid,
            role=record.role if self._project.roles else "",
            genre=record.genre,
            group=record.group,
            position=self._position - 1,
        )

    def _sentence(self, slot: Segment, language: str, text: StagedText, record: StagedRecord) -> Unit:
        tokens = list(text.tokens)
        tags = list(text.parts_of_speech)
        return self._unit(
            slot,
            language,
            kind=record.kind or Segment.SENTENCE,
            tokens=tokens,
            spaces=list(text.spaces),
            token_count=len(tokens),
            # As the file has them: "Ancerville" is a name. The index, and whoever compares, take them in small letters.
            lemmas=list(text.lemmas) or lemmas_of(tokens, language),
            content_words=self._project.content_words(tokens, language, tags),
            parts_of_speech=tags,
            touches=[slot.pk],
            origin_file=self._files.get(record.file),
            origin_line=record.line or None,
        )

    def _pair_slot(self, uid: str, genre: str, hypothesis: Slot) -> Segment:
        """Read where its hypothesis is read."""
        return like(
            self._a_slot,
            id=self._segment_ids.next(),
            kind=Segment.PAIR,
            uid=uid,
            genre=genre,
            group=hypothesis.group,
            position=hypothesis.position,
        )

    def _pair(self, pair: PairRecord, genre: str, source: str, slot: Segment, premise: int, hypothesis: int) -> Pair:
        self._pair_position += 1
        return Pair(
            project=self._project,
            segment=slot,
            pair_id=pair.id,
            dataset=self._terms.dataset,
            source_dataset=source,
            genre=genre,
            premise_id=premise,
            hypothesis_id=hypothesis,
            inference=pair.inference,
            position=self._pair_position - 1,
            imported=self._lease.imported,
        )

    def _pair_unit(self, slot: Segment, language: str, premise: int, hypothesis: int) -> Unit:
        return self._unit(slot, language, kind=Segment.PAIR, touches=[slot.pk, premise, hypothesis])

    def _unit(self, slot: Segment, language: str, **more: Any) -> Unit:
        return like(self._a_unit, id=self._unit_ids.next(), segment=slot, language=language, **more)
