"""Sentences of an import, and units of other kinds, checked before they are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotator.core.errors import quoted
from annotator.domain.labels.spans import Span, sort_spans
from annotator.domain.text.tokens import text_of
from annotator.formats.common.records import Record, Says, Text
from annotator.imports.reading.counts import Origins
from annotator.imports.reading.findings import Findings
from annotator.imports.reading.fit import Fit
from annotator.imports.reading.known import Carried, Known, Revisions, carried
from annotator.imports.reading.labels import LabelAttribution, LabelsRefused, answer_layers
from annotator.imports.reading.scripts import Scripts
from annotator.imports.reading.source import Entry, Terms
from annotator.imports.reading.staging import (
    IncomingAnswer,
    Seen,
    StagedBatch,
    StagedRecord,
    StagedText,
    StagingStore,
    details,
    digest,
)
from annotator.imports.reading.summary import Tally
from annotator.models import Project, Segment

Answers = Mapping[int, Mapping[str, Sequence[IncomingAnswer]]]
"""By `id` of an entry and by language, the answers that come in."""


class SentenceCheck:
    """Compares the records of the files with each other and with what the project has."""

    def __init__(
        self,
        project: Project,
        terms: Terms,
        store: StagingStore,
        findings: Findings,
        attribution: LabelAttribution | None,
        *,
        max_compared: int,
    ) -> None:
        self.scripts = Scripts()
        self._project = project
        self._terms = terms
        self._store = store
        self._findings = findings
        self._attribution = attribution
        self._max_compared = max_compared
        self._layers = answer_layers(project)
        self._fit = Fit(project, findings.problems)
        self._origins = Origins(terms, project.languages)
        # Texts of one file, or of files that do not go together, are compared with nothing.
        self._compares = (not terms.apart or terms.by_order) and len(project.languages) > 1
        self._compared: set[str] = set()
        # Of a batch: what is kept for the comparison, and what the project's units carry.
        self._texts: list[tuple[str, int, Sequence[str], str, int]] = []
        self._carried: Mapping[str, Carried] = {}

    def answers(self, entries: Sequence[Entry]) -> Answers:
        """The answers that come in with these."""
        found: dict[int, dict[str, Sequence[IncomingAnswer]]] = {}
        if self._attribution is None:
            return found
        for entry in entries:
            for language, text in entry.record.texts.items():
                if not text.answered:
                    continue
                try:
                    answers = self._attribution.of(text, len(text.tokens), entry.record.kind)
                    found.setdefault(id(entry), {})[language] = answers
                except LabelsRefused as refused:
                    name = f"{entry.uid} [{language}]: {refused}" if not refused.got else str(refused)
                    once = None if not refused.got else "labels"
                    self._findings.problems.error(entry.record.at(text), name, refused.got, once=once)
        return found

    def check(self, entries: Sequence[Entry], there: Known, answers: Answers, staged: StagedBatch) -> None:
        """Check a batch, and add to `staged` what can be imported."""
        seen = Seen(self._store, [key for entry in entries for key in _keys(entry)])
        layers = {one.layer for by_language in answers.values() for some in by_language.values() for one in some}
        units = [revisions.current for revisions in there.texts.values()] if answers else []
        self._carried = {layer: carried(self._layers[layer], units) for layer in layers}
        for entry in entries:
            if self._segment(entry, there, seen):
                self._stage(entry, there, seen, answers.get(id(entry), {}), staged)
        seen.save()
        if not self._max_compared or self._findings.compared <= self._max_compared:
            self._store.add_texts(self._texts)
        self._texts.clear()

    def compared_languages(self) -> list[str]:
        """The languages whose sentences can be compared: those of the files, and those of segments that are there."""
        return [code for code in self._project.languages if code in self._compared]

    def _segment(self, entry: Entry, there: Known, seen: Seen) -> bool:
        """Whether texts of the record can be imported, as far as its segment goes."""
        record, findings = entry.record, self._findings
        if not self._fit.of(record):
            return False
        findings.counts.records += 1
        findings.counts.with_ids += bool(record.id)
        slot = details(record)
        before = seen.get(f"s:{entry.uid}")
        here = there.slots.get(entry.uid)
        if before is None:
            findings.summary.segments.count(new=here is None)
            if here is None:
                self._check_lengths(entry)
            elif here.dataset != self._terms.dataset:
                findings.problems.error(record, _("an ID that no other dataset of the project has"), quoted(entry.uid))
        elif before.digest != slot and (record.role or not _again(entry, seen)):
            findings.problems.error(
                record,
                _("the role, group, genre and source that %(id)s has at %(place)s")
                % {"id": quoted(record.id or entry.uid), "place": before.place},
                _("different values"),
            )
        seen.add(f"s:{entry.uid}", slot, record.file, record.line)
        if here is not None and here.is_aside:
            findings.aside.append(entry.uid)
            return False
        return True

    def _stage(
        self,
        entry: Entry,
        there: Known,
        seen: Seen,
        answers: Mapping[str, Sequence[IncomingAnswer]],
        staged: StagedBatch,
    ) -> None:
        record = entry.record
        texts: dict[str, StagedText] = {}
        is_for_known = False
        for language, text in record.texts.items():
            if not self._text(entry, language, text, there, seen):
                continue
            here = there.texts.get((language, entry.uid))
            mine = answers.get(language, ())
            texts[language] = StagedText(
                text.tokens, text.spaces, text.lemmas, text.parts_of_speech, text.settled, mine
            )
            for one in mine:
                is_for_known |= self._count_answer(f"{entry.uid} [{language}]", language, one, here, text.tokens)
        self._add_what_is_there(entry, there)
        self._findings.compared += 1
        fields = (entry.uid, record.kind, record.role, record.genre, record.group, record.file, record.line)
        staged.records.append(StagedRecord(*fields, texts))
        if is_for_known:
            staged.known_records.append(staged.records[-1])

    def _add_what_is_there(self, entry: Entry, there: Known) -> None:
        """Another language is compared with what the project has of the segment."""
        for language in self._project.languages:
            here = there.texts.get((language, entry.uid))
            if here is not None and language not in entry.record.texts:
                tokens = next(tokens for tokens, pk in here.texts.items() if pk == here.current)
                self._compare(language, tokens, "", 0)

    def _compare(self, language: str, tokens: Sequence[str], file: str, line: int) -> None:
        if self._compares:
            self._texts.append((language, self._findings.compared, tokens, file, line))
            self._compared.add(language)

    def _text(self, entry: Entry, language: str, text: Text, there: Known, seen: Seen) -> bool:
        """Whether a text of a record can be imported, or is there."""
        record, tokens = entry.record.at(text), text.tokens
        if not tokens:
            return False
        self.scripts.add(record.file, language, tokens)
        key = f"t:{language}:{entry.uid}"
        mine = digest(tokens)
        before = seen.get(key)
        if before is not None:
            # A premise stands beside each of its hypotheses.
            if before.digest != mine or not record.role:
                self._findings.problems.error(
                    record,
                    _("each ID only once per language"),
                    _("%(id)s again, as at %(place)s") % {"id": quoted(record.id or entry.uid), "place": before.place},
                )
            return False
        seen.add(key, mine, record.file, record.line)
        self._compare(language, tokens, record.file, record.line)
        here = there.texts.get((language, entry.uid))
        self._count_text(record, language, text, is_new=here is None)
        if here is not None and tokens not in here.texts:
            self._findings.problems.error(record, other_text(language, entry, here, tokens))
            return False
        return True

    def _count_text(self, record: Record, language: str, text: Text, *, is_new: bool) -> None:
        counts, summary, attribution = self._findings.counts, self._findings.summary, self._attribution
        homeless = attribution.homeless(text, record.kind) if attribution is not None and text.answered else []
        counts.add_text(language, record.kind, text, self._origins.of(record, language), homeless)
        counts.by_machine += attribution is not None and attribution.is_by_machine_alone(text)
        summary.sentences.setdefault(language, Tally()).count(new=is_new)
        if is_new:
            summary.tokens += len(text.tokens)
            summary.units.setdefault(language, Counter())[record.kind] += 1

    def _count_answer(
        self, name: str, language: str, answer: IncomingAnswer, here: Revisions | None, tokens: tuple[str, ...]
    ) -> bool:
        """Count an answer; whether it is a new one on a unit that the project has."""
        summary = self._findings.summary
        if here is not None and here.texts[tokens] != here.current:
            self._findings.summary.is_outdated(name)
            return False
        there = self._carried[answer.layer]
        is_new = here is None or not there.has(here.current, answer)
        if answer.says == Says.GOLD:
            tallies = summary.categories if answer.layer else summary.gold
            tallies.setdefault(f"{answer.layer} {language}".strip(), Tally()).count(new=is_new)
            if here is not None and not is_new and not _same(answer, there.gold[here.current]):
                self._findings.summary.differs(name)
        else:
            tallies = summary.annotations if answer.says == Says.PERSON else summary.suggestions
            tallies.setdefault(answer.name, Tally()).count(new=is_new)
        return is_new and here is not None

    def _check_lengths(self, entry: Entry) -> None:
        record = entry.record
        self._fit.lengths(
            record,
            Segment,
            uid=entry.uid,
            role=record.role,
            dataset=self._terms.dataset,
            genre=record.genre,
            group=record.group,
        )


def other_text(language: str, entry: Entry, here: Revisions, tokens: Sequence[str]) -> str:
    """Why a sentence is refused whose id has another text in the project."""
    there = next(there for there, pk in here.texts.items() if pk == here.current)
    if "".join(there) == "".join(tokens):
        text = _(
            "The sentence %(uid)s [%(language)s] is in the project as %(here)s, but the files have %(there)s: the "
            "same text, split into different tokens. Choose how text is split under “Tokens”."
        )
    elif not entry.record.id:
        text = _(
            "The text %(uid)s [%(language)s] is %(here)s here, but %(there)s in the files, which have no IDs and are "
            "matched by order. If these are different texts, choose another dataset under “Import”. To change a "
            "text, edit it in the project."
        )
    elif entry.record.kind:
        text = _(
            "The text %(uid)s [%(language)s] is %(here)s here, but %(there)s in the files. Nothing was imported, "
            "because an import can't change what another one added. Undo that import and import all its files again "
            "together, or choose another dataset under “Import”."
        )
    else:
        text = _(
            "The sentence %(uid)s [%(language)s] is %(here)s here, but %(there)s in the files. Nothing was imported: "
            "edit the text in the project, where it becomes a new revision."
        )
    here_and_there = {"here": quoted(text_of(there)), "there": quoted(text_of(tokens))}
    return text % {"uid": entry.uid, "language": language, **here_and_there}


def _keys(entry: Entry) -> list[str]:
    return [f"s:{entry.uid}", *(f"t:{language}:{entry.uid}" for language in entry.record.texts)]


def _again(entry: Entry, seen: Seen) -> bool:
    """Whether its text came before in a language, which is an error by itself."""
    return any(seen.get(f"t:{language}:{entry.uid}") for language in entry.record.texts)


def _same(answer: IncomingAnswer, gold: Mapping[str, Any]) -> bool:
    """Whether gold that is there says what files say."""
    return _spans(gold) == _spans(answer.content) if not answer.layer else gold == answer.content


def _spans(content: Mapping[str, Any]) -> tuple[Span, ...]:
    return sort_spans(map(Span.from_json, content["spans"]))
