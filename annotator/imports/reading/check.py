"""Reads all that would be imported, before anything is written: what is wrong with it, what is new, how much it is.

Memory does not grow with the files: what has been seen is kept on disk (`import_scratch.py`), what the project has is
looked up batch by batch (`import_known.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.db.models import Model
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.core import presets
from annotator.core.errors import quoted
from annotator.domain.batches import batches
from annotator.domain.text.tokens import text_of
from annotator.formats.common.errors import FormatError, FormatWarning, UnevenError
from annotator.formats.common.records import PairRecord, Read, Record, Says, Text
from annotator.imports.queries.imports import alike_in_capitals
from annotator.imports.reading.counts import Counts, Origins
from annotator.imports.reading.fit import Fit
from annotator.imports.reading.known import Known, Revisions, answered, decided, known, spans_of, suggested
from annotator.imports.reading.labels import LabelsRefused, Policy, Said
from annotator.imports.reading.lemmas import Texts
from annotator.imports.reading.pairs import PairCheck
from annotator.imports.reading.problems import ERROR, WARNING, Problem, Problems, problem_of
from annotator.imports.reading.scripts import Scripts
from annotator.imports.reading.source import Entry, Found, Terms, identified
from annotator.imports.reading.staging import Scratch, Seen, details, digest
from annotator.imports.reading.summary import LISTED, ImportSummary, Tally
from annotator.models import LabelsAs, Layer, Project, Segment
from annotator.projects.queries.project_settings import texts_of

AT_ONCE = 200
# The first sentences and pairs, for a preview.
KEPT = 20
MOST_ERRORS = 10_000
CATEGORIES_NAMED = 20
ATTRIBUTES_NAMED = 20
_T = TypeVar("_T")


class Check:
    """One reading of the files. `summary` says what would be new, `problems` what is wrong.

    The scratch keeps texts for comparing languages: of all records, or of `most_compared` where more are not compared.
    """

    def __init__(
        self,
        project: Project,
        terms: Terms,
        scratch: Scratch,
        problems: Problems,
        announce: Callable[[Texts], None] = lambda _texts: None,
        *,
        most_compared: int = 0,
    ) -> None:
        self.summary = ImportSummary(terms.dataset, terms.labels_as, label_map=terms.label_map)
        self.counts = Counts()
        self.problems = problems
        # Whether labels are to be added to units that were there before.
        self.adds_to_known = False
        # The first sentences and pairs, for a preview; whether they are in the project.
        self.first: list[tuple[Entry, bool]] = []
        self.first_pairs: list[PairRecord] = []
        self.whole = True
        # Whether there was more in the files, which could not be understood.
        self.cut = False
        # Whether there are more sentences than they are to go with, or fewer.
        self.uneven = False
        self._project = project
        self._terms = terms
        self._scratch = scratch
        self._most_compared = most_compared
        self._policy: Policy | None = None
        self.accepts_shifts = terms.accept_shifts
        # How many records there are to be compared, language with language.
        self.number = 0
        self._warnings: list[FormatWarning] = []
        self._compared: set[str] = set()
        self._texts: list[tuple[str, int, Sequence[str], str, int]] = []
        self._aside: list[str] = []
        # Is told which sentences are new, and have no lemmas yet.
        self._announce = announce
        self._new: list[tuple[str, Sequence[str]]] = []
        self._first_said: dict[str, dict[str, list[Said]]] = {}
        try:
            self._policy = Policy(project, terms)
        except LabelsRefused as refused:
            self._error(None, str(refused), refused.got)
        self._fit = Fit(project, self._error, self._warn)
        self._origins = Origins(terms, project.languages)
        self._scripts = Scripts()
        self._pairs = PairCheck(project, terms, scratch, self)

    def run(
        self,
        reads: Iterable[Read],
        report: Callable[[int], None] = lambda _done: None,
        *,
        limit: int = 0,
        most: int = 0,
    ) -> None:
        """Read to the end, or about `limit` records, or `most` of whatever readers give: records, warnings, errors.

        `report` is told how many records are read.
        """
        number = 0
        found: Iterator[Found] = identified(self._to_the_end(reads), self._project, self._terms)
        for batch in batches(found, AT_ONCE):
            self._batch(batch)
            report(self.counts.records)
            number += len(batch)
            if (
                (limit and self.counts.records >= limit)
                or (most and number >= most)
                or self.problems.error_count > MOST_ERRORS
            ):
                self.whole = False
                break
        self._say_what_is_alike()
        self._say_what_is_homeless()
        self._say_which_attributes_are_lost()
        self._say_what_is_aside()
        self._say_what_is_empty()
        self._say_what_is_by_machine()
        self._say_which_labels_are_left_out()
        for problem in self._scripts.problems():
            self._add(problem)
        # Where texts are not parallel, files of one language alone are nothing to be told of.
        expected = () if texts_of(self._project) == presets.Texts.SENTENCES else self._project.languages
        self.summary.missing_languages = [code for code in expected if code not in self.counts.sentences]
        self.summary.warnings = tuple(self._warnings)

    def _to_the_end(self, reads: Iterable[Read]) -> Iterator[Read]:
        """The reads, and last why nothing more can be understood: what came before it is looked at, too. Notes where
        a file ends so."""
        try:
            for read in reads:
                self.cut |= isinstance(read, FormatError) and read.ends_file
                yield read
        except FormatError as error:
            self.cut = True
            yield error

    def compared(self) -> list[str]:
        """The languages whose sentences can be compared: those of the files, and those of segments that are there."""
        if self._terms.apart and not self._terms.by_order:
            return []
        return [code for code in self._project.languages if code in self._compared]

    def said_of(self, entry: Entry) -> dict[str, list[Said]]:
        """By language, the answers of one of the first entries."""
        return self._first_said.get(entry.uid, {})

    def error(self, read: Record | PairRecord | None, expected: str, got: str = "", *, once: str | None = None) -> None:
        """Something is wrong at a record; with `once`, said only the first time about that."""
        self._error(read, expected, got, once=once)

    def _error(
        self, read: Record | PairRecord | None, expected: str, got: str = "", *, once: str | None = None
    ) -> None:
        file, line = (read.file, read.line) if read is not None else ("", 0)
        problem = Problem(ERROR, file, line, expected, got)
        if once is None:
            self.problems.add(problem)
        else:
            self.problems.add_once(problem, about=once)

    def _warn(self, record: Record, what: str) -> None:
        self._add(Problem(WARNING, record.file, record.line, what))

    def _add(self, problem: Problem) -> None:
        """List a problem; a warning is kept with what was imported, too."""
        self.problems.add(problem)
        if problem.severity == WARNING and len(self._warnings) < LISTED:
            self._warnings.append(FormatWarning(problem.file, problem.line, problem.expected))

    def _say_what_is_alike(self) -> None:
        """Names of datasets become names of files: on Windows and macOS those of "A" and "a" would be the same."""
        there = alike_in_capitals(self._project, self._terms.dataset)
        if there:
            said = _(
                "The project has a dataset %(there)s, which differs from %(name)s in capitals alone. Write it the same "
                "way, or choose another name."
            )
            self._error(None, said % {"there": quoted(there), "name": quoted(self._terms.dataset)})

    def _say_what_is_homeless(self) -> None:
        """Categories that are left out although labels are to come in: how many, and what to do."""
        number = self.counts.homeless_sentences
        if not number:
            return
        names = [f"{name}: {count}" for name, count in self.counts.homeless.most_common(CATEGORIES_NAMED)]
        more = ", …" if len(self.counts.homeless) > len(names) else ""
        said = ngettext(
            "%(number)d sentence has a category that is left out, since this project has no place for it "
            "(%(names)s). To take it, say under “Import” which label it becomes: one that may stand on a sentence "
            "without a word. Or add a layer of categories on sentences.",
            "%(number)d sentences have categories that are left out, since this project has no place for them "
            "(%(names)s). To take them, say under “Import” which labels they become: such as may stand on a sentence "
            "without a word. Or add a layer of categories on sentences.",
            number,
        )
        # Said once for all of them: not lost among many of single lines.
        del self._warnings[LISTED - 1 :]
        self._add(Problem(WARNING, "", 0, said % {"number": number, "names": ", ".join(names) + more}))

    def _say_which_labels_are_left_out(self) -> None:
        """That nobody has said whose the labels of the files are: they do not come in unnoticed, nor stay out so."""
        number = sum(sentences for sentences, _spans in self.counts.said.values())
        if number and self._terms.labels_as == LabelsAs.NONE:
            said = ngettext(
                "%(number)d sentence has labels that are left out. To take them, choose whose they are.",
                "%(number)d sentences have labels that are left out. To take them, choose whose they are.",
                number,
            )
            del self._warnings[LISTED - 1 :]
            self._add(Problem(WARNING, "", 0, said % {"number": number}))

    def _say_what_is_by_machine(self) -> None:
        """Labels that a model alone gave, where the files are said to have people's."""
        if number := self.counts.by_machine:
            said = ngettext(
                "%(number)d sentence has labels of a model alone, which are left out: they are no decision. To take "
                "them, import the file once more, as a model’s suggestions.",
                "%(number)d sentences have labels of a model alone, which are left out: they are no decision. To take "
                "them, import the file once more, as a model’s suggestions.",
                number,
            )
            del self._warnings[LISTED - 1 :]
            self._add(Problem(WARNING, "", 0, said % {"number": number}))

    def _say_which_attributes_are_lost(self) -> None:
        """Attributes of labels that the scheme does not know: how many are left out."""
        lost = self._policy.lost_attributes if self._policy is not None else Counter[str]()
        del self._warnings[LISTED - min(len(lost), ATTRIBUTES_NAMED) :]
        for name, number in lost.most_common(ATTRIBUTES_NAMED):
            said = ngettext(
                "%(number)d label has the attribute %(name)s, which this project's label scheme does not have. It is "
                "left out.",
                "%(number)d labels have the attribute %(name)s, which this project's label scheme does not have. It "
                "is left out.",
                number,
            )
            self._add(Problem(WARNING, "", 0, said % {"number": number, "name": quoted(name, 60)}))

    def _say_what_is_aside(self) -> None:
        """Sentences that somebody set aside here: they stay so, whatever the files have."""
        number = len(self._aside)
        if not number:
            return
        names = ", ".join(quoted(uid) for uid in self._aside[:CATEGORIES_NAMED])
        said = ngettext(
            "%(number)d sentence of the files was set aside here, and stays so: %(names)s. To take it, restore it "
            "first.",
            "%(number)d sentences of the files were set aside here, and stay so: %(names)s. To take them, restore them "
            "first.",
            number,
        )
        more = ", …" if number > CATEGORIES_NAMED else ""
        self.problems.add(Problem(WARNING, "", 0, said % {"number": number, "names": names + more}))

    def _say_what_is_empty(self) -> None:
        """Files without a single sentence: a header alone, or blank lines."""
        if self.counts.records or self.counts.pairs or self.problems.error_count:
            return
        for one in self._terms.files:
            self.problems.add(Problem(ERROR, one["name"], 0, _("a file with at least one sentence"), _("none")))

    def _batch(self, batch: Sequence[Found]) -> None:
        entries = [found for found in batch if isinstance(found, Entry)]
        pairs = [found for found in batch if isinstance(found, PairRecord)]
        for found in batch:
            self.uneven |= isinstance(found, UnevenError)
            if not isinstance(found, Entry | PairRecord):
                self._add(problem_of(found))
        uids = {entry.uid for entry in entries}
        there = known(self._project, uids | self._pairs.uids(pairs), pairs=self._pairs.pair_uids(pairs))
        seen = Seen(self._scratch, [key for entry in entries for key in _keys(entry)])
        said = self._said(entries)
        stands = self._standing(there, said)
        for entry in entries:
            if self._is_shown(entry):
                self.first.append((entry, entry.uid in there.slots))
                self._first_said[entry.uid] = said.get(id(entry), {})
            self._entry(entry, there, seen, said.get(id(entry), {}), stands)
        seen.save()
        if not self._most_compared or self.number <= self._most_compared:
            self._scratch.add_texts(self._texts)
        self._announce(self._new)
        self._texts.clear()
        self._new.clear()
        self.first_pairs += pairs[: max(KEPT - len(self.first_pairs), 0)]
        self._pairs.check(pairs, there)

    def _is_shown(self, entry: Entry) -> bool:
        """Whether it is among the first ones: of files that do not go together, those of each language."""
        if not self._terms.apart:
            return len(self.first) < KEPT
        languages = {one["language"] for one in self._terms.files}
        mine = tuple(entry.record.texts)
        shown = sum(tuple(other.record.texts) == mine for other, _known in self.first)
        return len(self.first) < KEPT and shown < max(KEPT // max(len(languages), 1), 1)

    def _said(self, entries: Sequence[Entry]) -> dict[int, dict[str, list[Said]]]:
        """By entry and language, the answers that come in."""
        found: dict[int, dict[str, list[Said]]] = {}
        if self._policy is None:
            return found
        for entry in entries:
            for language, text in entry.record.texts.items():
                if not text.answered:
                    continue
                try:
                    found.setdefault(id(entry), {})[language] = self._policy.of(
                        text, len(text.tokens), entry.record.kind
                    )
                except LabelsRefused as refused:
                    name = f"{entry.uid} [{language}]: {refused}" if not refused.got else str(refused)
                    self._error(entry.record.at(text), name, refused.got, once=None if not refused.got else "labels")
        return found

    def _standing(self, there: Known, said: dict[int, dict[str, list[Said]]]) -> dict[Layer | None, _Standing]:
        """By layer, what the project's units carry already; nothing is asked where no labels come in."""
        units = [revisions.current for revisions in there.texts.values()] if said else []
        layers = {one.layer for languages in said.values() for saids in languages.values() for one in saids}
        if not units:
            return dict.fromkeys(layers, _Standing({}, set(), set()))
        found: dict[Layer | None, _Standing] = {}
        for named in layers:
            layer = named or self._project.label_layer
            found[named] = _Standing(decided(layer, units), answered(layer, units), suggested(layer, units))
        return found

    def _entry(
        self,
        entry: Entry,
        there: Known,
        seen: Seen,
        said: dict[str, list[Said]],
        stands: Mapping[Layer | None, _Standing],
    ) -> None:
        record = entry.record
        if not self._fit.of(record):
            return
        self.counts.records += 1
        self.counts.with_ids += bool(record.id)
        place = (record.file, record.line)
        slot = details(record)
        before = seen.get(f"s:{entry.uid}")
        if before is None:
            is_new = entry.uid not in there.slots
            self.summary.segments.count(new=is_new)
            if is_new:
                self._check_lengths(entry)
            elif there.slots[entry.uid].dataset != self._terms.dataset:
                self._error(record, _("an id that no other dataset of the project has"), quoted(entry.uid))
        elif before.digest != slot and (record.role or not _again(entry, seen)):
            self._error(
                record,
                _("the role, group, genre and source that %(id)s has at %(place)s")
                % {"id": quoted(record.id or entry.uid), "place": before.place},
                _("others"),
            )
        seen.add(f"s:{entry.uid}", slot, *place)
        if entry.uid in there.slots and there.slots[entry.uid].is_aside:
            self._aside.append(entry.uid)
            return
        for language, text in record.texts.items():
            self._text(entry, language, text, there, seen, said.get(language, []), stands)
        self._add_what_is_there(entry, there)
        self.number += 1

    def _add_what_is_there(self, entry: Entry, there: Known) -> None:
        """A further language is compared with what the project has of the segment."""
        for language in self._project.languages:
            here = there.texts.get((language, entry.uid))
            if here is not None and language not in entry.record.texts:
                tokens = next(tokens for tokens, pk in here.texts.items() if pk == here.current)
                self._texts.append((language, self.number, tokens, "", 0))
                self._compared.add(language)

    def _text(
        self,
        entry: Entry,
        language: str,
        text: Text,
        there: Known,
        seen: Seen,
        said: list[Said],
        stands: Mapping[Layer | None, _Standing],
    ) -> None:
        record, tokens = entry.record.at(text), text.tokens
        if not tokens:
            return
        self._scripts.add(record.file, language, tokens)
        key = f"t:{language}:{entry.uid}"
        mine = digest(tokens)
        before = seen.get(key)
        if before is not None:
            if before.digest == mine and record.role:
                # A premise stands beside each of its hypotheses.
                return
            self._error(
                record,
                _("each id once in a language"),
                _("%(id)s again, as at %(place)s") % {"id": quoted(record.id or entry.uid), "place": before.place},
            )
            return
        seen.add(key, mine, record.file, record.line)
        self._texts.append((language, self.number, tokens, record.file, record.line))
        self._compared.add(language)
        homeless = self._policy.homeless(text, record.kind) if self._policy is not None and text.answered else []
        self.counts.add_text(language, record.kind, text, self._origins.of(record, language), homeless)
        self.counts.by_machine += self._policy is not None and self._policy.is_by_machine_alone(text)
        here = there.texts.get((language, entry.uid))
        self.summary.sentences.setdefault(language, Tally()).count(new=here is None)
        if here is None:
            self.summary.tokens += len(tokens)
            self.summary.units.setdefault(language, Counter())[record.kind] += 1
        if here is None and not text.lemmas:
            self._new.append((language, tokens))
        if here is not None and tokens not in here.texts:
            self._error(record, other_text(language, entry, here, tokens))
            return
        for one in said:
            self._count_said(entry, language, one, here, tokens, stands)

    def _count_said(
        self,
        entry: Entry,
        language: str,
        said: Said,
        here: Revisions | None,
        tokens: tuple[str, ...],
        stands: Mapping[Layer | None, _Standing],
    ) -> None:
        summary = self.summary
        name = f"{entry.uid} [{language}]"
        if here is not None and here.texts[tokens] != here.current:
            _list(summary.outdated, name)
            return
        there = stands[said.layer]
        of = said.layer.slug if said.layer is not None else ""
        if said.says == Says.GOLD:
            before = there.gold.get(here.current) if here is not None else None
            tallies = summary.gold if said.layer is None else summary.categories
            tallies.setdefault(f"{of} {language}".strip(), Tally()).count(new=before is None)
            if before is not None and not _same(said, before):
                _list(summary.differing, name)
            is_new = before is None
        elif said.says == Says.PERSON:
            is_new = here is None or (here.current, said.user) not in there.answered
            summary.annotations.setdefault(said.name, Tally()).count(new=is_new)
        else:
            is_new = here is None or (here.current, said.name, said.revision) not in there.suggested
            summary.suggestions.setdefault(said.name, Tally()).count(new=is_new)
        self.adds_to_known = self.adds_to_known or (here is not None and is_new)

    def _check_lengths(self, entry: Entry) -> None:
        record = entry.record
        self.check_lengths(
            record,
            Segment,
            uid=entry.uid,
            role=record.role,
            dataset=self._terms.dataset,
            genre=record.genre,
            group=record.group,
        )

    def check_lengths(self, read: Record | PairRecord, model: type[Model], **values: str) -> None:
        """PostgreSQL would refuse them in words of its own, SQLite would not."""
        self._fit.lengths(read, model, **values)


@dataclass(frozen=True, slots=True)
class _Standing:
    """What the units of a batch carry of the layer of labels."""

    gold: dict[int, dict[str, object]]
    answered: set[tuple[int, int]]
    suggested: set[tuple[int, str, str]]


def other_text(language: str, entry: Entry, here: Revisions, tokens: Sequence[str]) -> str:
    """Why a sentence is refused whose id has another text in the project."""
    there = next(there for there, pk in here.texts.items() if pk == here.current)
    text, uid = text_of(there), entry.uid
    if "".join(there) == "".join(tokens):
        return _(
            "The sentence %(uid)s [%(language)s] is there as %(here)s, but the files would bring it as %(there)s: the "
            "same text, split into other tokens. Choose how text is split under “Tokens”."
        ) % {"uid": uid, "language": language, "here": quoted(text), "there": quoted(text_of(tokens))}
    if not entry.record.id:
        return _(
            "The text %(uid)s [%(language)s] reads %(here)s here, but %(there)s in the files. These have no ids, so "
            "texts are known by their order alone. If they are other texts, write another dataset under “Import”. To "
            "change a text, fix it in the project."
        ) % {"uid": uid, "language": language, "here": quoted(text), "there": quoted(text_of(tokens))}
    if entry.record.kind:
        return _(
            "The text %(uid)s [%(language)s] reads %(here)s here, but %(there)s in the files. Nothing was imported: no "
            "import changes what another one brought. Take that one back and import its files anew, all at once, or "
            "write another dataset under “Import”."
        ) % {"uid": uid, "language": language, "here": quoted(text), "there": quoted(text_of(tokens))}
    return _(
        "The sentence %(uid)s [%(language)s] reads %(here)s here, but %(there)s in the files. Nothing was imported: "
        "a changed text is a new revision, which is made in the project and not by an import."
    ) % {"uid": uid, "language": language, "here": quoted(text), "there": quoted(text_of(tokens))}


def _keys(entry: Entry) -> list[str]:
    return [f"s:{entry.uid}", *(f"t:{language}:{entry.uid}" for language in entry.record.texts)]


def _again(entry: Entry, seen: Seen) -> bool:
    """Whether its text came before in a language, which is an error by itself."""
    return any(seen.get(f"t:{language}:{entry.uid}") for language in entry.record.texts)


def _same(said: Said, gold: Mapping[str, object]) -> bool:
    """Whether gold that is there says what files say."""
    return spans_of(gold) == said.spans if said.layer is None else gold == said.content


def _list(names: list[str], name: str) -> None:
    if len(names) < LISTED:
        names.append(name)
