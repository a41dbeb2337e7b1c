"""The one pass over all that would be imported, before anything is written: a preview, a check and an import make it.

Memory does not grow with the files: what has been read is kept on disk (`staging.py`), what the project has is looked
up batch by batch (`known.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from annotator.core import presets
from annotator.domain.batches import batches
from annotator.formats.common.errors import FormatError, UnevenError
from annotator.formats.common.records import PairRecord, Read
from annotator.imports.reading.findings import MAX_FIRST, Findings, FirstRecord
from annotator.imports.reading.known import known
from annotator.imports.reading.labels import LabelAttribution, LabelsRefused
from annotator.imports.reading.notes import closing_notes
from annotator.imports.reading.pairs import PairCheck
from annotator.imports.reading.problems import Problems, problem_of
from annotator.imports.reading.sentences import SentenceCheck
from annotator.imports.reading.source import Entry, Found, Terms, identified
from annotator.imports.reading.staging import StagedBatch, StagingStore
from annotator.imports.reading.summary import ImportSummary
from annotator.models import Project
from annotator.projects.queries.project_settings import texts_of

# Records and pairs that are looked up, and staged, together.
CHUNK_SIZE = 200
MAX_ERRORS = 10_000


class Check:
    """Reads files, holds what they have against each other and the project, and keeps in `store` what others need.

    That is the texts for comparing languages: of all records, or of `max_compared` where more are not compared; and,
    with `stages`, what an import writes.
    """

    def __init__(
        self,
        project: Project,
        terms: Terms,
        store: StagingStore,
        problems: Problems,
        *,
        max_compared: int = 0,
        stages: bool = False,
    ) -> None:
        self._project = project
        self._terms = terms
        self._store = store
        self._stages = stages
        self._findings = Findings(ImportSummary(terms.dataset, terms.labels_as, label_map=terms.label_map), problems)
        self._attribution: LabelAttribution | None = None
        try:
            self._attribution = LabelAttribution(project, terms)
        except LabelsRefused as refused:
            problems.error(None, str(refused), refused.got)
        self._sentences = SentenceCheck(
            project, terms, store, self._findings, self._attribution, max_compared=max_compared
        )
        self._pairs = PairCheck(project, terms, store, self._findings)

    def run(
        self,
        reads: Iterable[Read],
        report: Callable[[int], None] = lambda _done: None,
        *,
        limit: int = 0,
        most: int = 0,
    ) -> Findings:
        """Read to the end, or about `limit` records, or `most` of whatever readers give: records, warnings, errors.

        `report` is told how many records are read.
        """
        found = self._findings
        number = 0
        for batch in batches(identified(self._to_the_end(reads), self._project, self._terms, self._store), CHUNK_SIZE):
            self._batch(batch)
            report(found.counts.records)
            number += len(batch)
            if (
                (limit and found.counts.records >= limit)
                or (most and number >= most)
                or found.problems.error_count > MAX_ERRORS
            ):
                found.is_whole = False
                break
        lost = self._attribution.lost_attributes if self._attribution is not None else Counter[str]()
        closing_notes(self._project, self._terms, found, lost)
        for problem in self._sentences.scripts.problems():
            found.problems.add(problem)
        # Where texts are not parallel, files of one language alone are nothing to be told of.
        expected = () if texts_of(self._project) == presets.Texts.SENTENCES else self._project.languages
        found.summary.missing_languages = [code for code in expected if code not in found.counts.sentences]
        found.summary.warnings = tuple(found.problems.warnings)
        found.languages = self._sentences.compared_languages()
        self._store.finish()
        return found

    def _to_the_end(self, reads: Iterable[Read]) -> Iterator[Read]:
        """The reads, and last why nothing more can be understood: what came before it is looked at, too. Notes where
        a file ends so."""
        try:
            for read in reads:
                self._findings.is_cut |= isinstance(read, FormatError) and read.ends_file
                yield read
        except FormatError as error:
            self._findings.is_cut = True
            yield error

    def _batch(self, batch: Sequence[Found]) -> None:
        found = self._findings
        entries = [one for one in batch if isinstance(one, Entry)]
        pairs = [one for one in batch if isinstance(one, PairRecord)]
        for one in batch:
            found.is_uneven |= isinstance(one, UnevenError)
            if not isinstance(one, Entry | PairRecord):
                found.problems.add(problem_of(one))
        uids = {entry.uid for entry in entries}
        there = known(self._project, uids | self._pairs.uids(pairs), pairs=self._pairs.pair_uids(pairs))
        answers = self._sentences.answers(entries)
        for entry in entries:
            if self._is_shown(entry):
                found.first.append(FirstRecord(entry, entry.uid in there.slots, answers.get(id(entry), {})))
        found.first_pairs += pairs[: max(MAX_FIRST - len(found.first_pairs), 0)]
        staged = StagedBatch()
        self._sentences.check(entries, there, answers, staged)
        self._pairs.check(pairs, there, staged)
        if self._stages:
            self._store.stage(staged)

    def _is_shown(self, entry: Entry) -> bool:
        """Whether it is among the first ones: of files that do not go together, those of each language."""
        first = self._findings.first
        if not self._terms.apart:
            return len(first) < MAX_FIRST
        languages = {one["language"] for one in self._terms.files}
        mine = tuple(entry.record.texts)
        count = sum(tuple(other.entry.record.texts) == mine for other in first)
        return len(first) < MAX_FIRST and count < max(MAX_FIRST // max(len(languages), 1), 1)
