"""Import: a corpus from files into a project. Importing again adds nothing and changes nothing."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotator.actions.errors import ActionError
from annotator.actions.events import log
from annotator.actions.gold import next_versions
from annotator.actions.locks import lock_project
from annotator.domain import corpus as domain
from annotator.domain.corpus import Corpus
from annotator.domain.formats import meta4xnli
from annotator.domain.formats.errors import FormatWarning, quote
from annotator.domain.natural import natural_key
from annotator.domain.spans import Span, SpanError, check_spans, sort_spans
from annotator.domain.tokens import text_of
from annotator.models import Gold, GoldSource, Pair, PairTag, Project, Segment, SegmentRole, Sentence, TagKind, User

LABELS = ("none", "gold")
_DATASET = re.compile(r"\w[\w.-]*")
IMPORTED = GoldSource.IMPORTED


@dataclass
class Tally:
    """What was new, and what was there already and stayed as it was."""

    new: int = 0
    known: int = 0

    def count(self, *, new: bool) -> None:
        if new:
            self.new += 1
        else:
            self.known += 1


@dataclass
class ImportSummary:
    """What an import did, in numbers.

    `differing` names gold that the project already had and the file contradicts; the project's stays.
    `outdated` names sentences whose labels were left out because their text has a newer revision here.
    """

    dataset: str
    labels: str
    segments: Tally = field(default_factory=Tally)
    pairs: Tally = field(default_factory=Tally)
    sentences: dict[str, Tally] = field(default_factory=dict)
    gold: dict[str, Tally] = field(default_factory=dict)
    tags: dict[str, Tally] = field(default_factory=dict)
    differing: list[str] = field(default_factory=list)
    outdated: list[str] = field(default_factory=list)
    missing_languages: list[str] = field(default_factory=list)
    warnings: tuple[FormatWarning, ...] = ()

    @property
    def changed(self) -> bool:
        """True when anything at all was added."""
        return any(tally.new for _name, tally in self._tallies())

    def to_json(self) -> dict[str, Any]:
        return {
            "dataset": self.dataset,
            "labels": self.labels,
            "changed": self.changed,
            "counts": {name: {"new": tally.new, "known": tally.known} for name, tally in self._tallies()},
            "differing": self.differing,
            "outdated": self.outdated,
            "missing_languages": self.missing_languages,
            "warnings": [str(warning) for warning in self.warnings],
        }

    def lines(self) -> list[str]:
        """The numbers for a terminal; warnings are not listed here."""
        found = [f"{name}: {tally.new} new, {tally.known} known" for name, tally in self._tallies()]
        if not self.changed:
            found.append("Nothing was new; nothing was changed.")
        if self.missing_languages:
            found.append(f"No sentences in the files for: {', '.join(self.missing_languages)}.")
        if self.differing:
            found.append(f"{len(self.differing)} kept as decided here, though the files differ:")
            found += [f"  {name}" for name in self.differing]
        if self.outdated:
            found.append(f"{len(self.outdated)} labels left out, since the text has a newer revision here:")
            found += [f"  {name}" for name in self.outdated]
        return found

    def _tallies(self) -> Iterator[tuple[str, Tally]]:
        yield "segments", self.segments
        for language, tally in self.sentences.items():
            yield f"sentences {language}", tally
        yield "pairs", self.pairs
        for language, tally in self.gold.items():
            yield f"gold labels {language}", tally
        for language, tally in self.tags.items():
            yield f"gold pair tags {language}", tally


@dataclass(frozen=True)
class _Stored:
    """What the project has of a text: all revisions, and which of them is current."""

    current: int
    revisions: Mapping[tuple[str, ...], int]


def import_meta4xnli(
    *, project: Project, root: Path, dataset: str, labels: str = "none", by: User | None
) -> ImportSummary:
    """Read a dataset in the published layout under `root` and import it; see `import_corpus`.

    Raises FormatError (file, line, what was expected) or ActionError; nothing is imported then.
    """
    _check_name(dataset)
    corpus = meta4xnli.read_corpus(root, dataset, labels=project.scheme.labels)
    return import_corpus(project=project, corpus=corpus, labels=labels, by=by)


@transaction.atomic
def import_corpus(*, project: Project, corpus: Corpus, labels: str = "none", by: User | None) -> ImportSummary:
    """Add the segments, sentences and pairs of `corpus` that the project does not have yet.

    With `labels="gold"` its spans and pair tags become gold where nothing is decided yet; what people
    decided stays. Raises ActionError, with nothing changed, when the project has another text, inference
    label or premise under the same id, a language is not the project's, or spans do not fit its scheme.
    """
    _check_name(corpus.dataset)
    if labels not in LABELS:
        raise ActionError(_('Labels can be imported as "none" or "gold", not "%(labels)s".') % {"labels": labels})
    # Two imports at once take turns; the second finds what the first added.
    lock_project(project)
    _check_languages(project, corpus)
    summary = ImportSummary(corpus.dataset, labels, warnings=corpus.warnings)
    summary.missing_languages = [language for language in project.languages if language not in corpus.languages]
    segments = _import_segments(project, corpus, summary)
    pairs = _import_pairs(project, corpus, segments, summary)
    stored = _import_sentences(project, corpus, segments, summary)
    if labels == "gold":
        _import_gold(project, corpus, stored, summary)
        _import_tags(project, corpus, pairs, summary)
    log(project=project, actor=by, verb="import", subject=project, after=summary.to_json())
    if summary.changed:
        transaction.on_commit(_refresh_statistics)
    return summary


def _check_name(dataset: str) -> None:
    if not _DATASET.fullmatch(dataset):
        # It becomes part of file names, here and on export; it must not lead out of the folder.
        raise ActionError(
            _("%(name)s is not the name of a dataset; it must be letters, digits, _, - and dots.")
            % {"name": quote(dataset)}
        )


def _refresh_statistics() -> None:
    """Without fresh statistics PostgreSQL takes a second, not milliseconds, to find the next free sentence."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "ANALYZE annotator_segment, annotator_sentence, annotator_pair, annotator_gold, annotator_pairtag"
            )


def reading_order(corpus: Corpus) -> list[domain.Segment]:
    """The segments as people read them: every premise, followed by its hypotheses."""
    premises = {segment.external_id: segment for segment in corpus.segments if segment.role == SegmentRole.PREMISE}
    hypotheses: dict[str, list[domain.Segment]] = {}
    for segment in corpus.segments:
        if segment.role == SegmentRole.HYPOTHESIS:
            hypotheses.setdefault(segment.group, []).append(segment)
    ordered = []
    for group in sorted({*premises, *hypotheses}, key=natural_key):
        if group in premises:
            ordered.append(premises[group])
        ordered += sorted(hypotheses.get(group, ()), key=lambda segment: natural_key(segment.external_id))
    return ordered


def _check_languages(project: Project, corpus: Corpus) -> None:
    unknown = [language for language in corpus.languages if language not in project.languages]
    if unknown:
        raise ActionError(
            _("The files have sentences in %(unknown)s, but the languages of this project are %(known)s.")
            % {"unknown": ", ".join(unknown), "known": ", ".join(project.languages)}
        )


def _import_segments(project: Project, corpus: Corpus, summary: ImportSummary) -> dict[str, int]:
    """Primary keys by uid."""
    known = dict(project.segments.filter(dataset=corpus.dataset).values_list("uid", "pk"))
    position = (project.segments.aggregate(last=Max("position"))["last"] or 0) + 1
    new: list[Segment] = []
    for segment in reading_order(corpus):
        summary.segments.count(new=segment.uid not in known)
        if segment.uid in known:
            continue
        new.append(
            Segment(
                project=project,
                uid=segment.uid,
                role=segment.role,
                dataset=segment.dataset,
                genre=segment.genre,
                group=segment.group,
                position=position + len(new),
            )
        )
    _check_lengths(new)
    known.update((row.uid, row.pk) for row in Segment.objects.bulk_create(new))
    return known


def _import_pairs(
    project: Project, corpus: Corpus, segments: Mapping[str, int], summary: ImportSummary
) -> dict[str, int]:
    """Primary keys by the corpus's uid of the pair."""
    # Locked, as sentences are below: nobody decides gold on them while we look whether any is decided.
    rows = project.pairs.filter(dataset=corpus.dataset).order_by("pk").select_for_update(no_key=True)
    known = {pair.pair_id: pair for pair in rows}
    origin = {segment.uid: segment for segment in corpus.segments}
    order = {segment.uid: number for number, segment in enumerate(reading_order(corpus))}
    position = (project.pairs.aggregate(last=Max("position"))["last"] or 0) + 1
    found: dict[str, int] = {}
    new: list[tuple[str, Pair]] = []
    for pair in sorted(corpus.pairs, key=lambda pair: order[pair.hypothesis]):
        hypothesis = origin[pair.hypothesis]
        row = Pair(
            project=project,
            pair_id=pair.external_id,
            dataset=pair.dataset,
            source_dataset=hypothesis.source_dataset,
            genre=hypothesis.genre,
            premise_id=segments[pair.premise],
            hypothesis_id=segments[pair.hypothesis],
            inference=pair.inference,
            position=position + len(new),
        )
        stored = known.get(pair.external_id)
        summary.pairs.count(new=stored is None)
        if stored is None:
            new.append((pair.uid, row))
        else:
            _check_same_pair(stored, row)
            found[pair.uid] = stored.pk
    _check_lengths([row for _uid, row in new])
    Pair.objects.bulk_create(row for _uid, row in new)
    found.update((uid, row.pk) for uid, row in new)
    return found


def _check_lengths(rows: Iterable[Segment | Pair]) -> None:
    """PostgreSQL would refuse them in words of its own, SQLite would not."""
    for row in rows:
        for column in row._meta.concrete_fields:
            value = getattr(row, column.attname)
            if column.max_length and isinstance(value, str) and len(value) > column.max_length:
                raise ActionError(
                    _("The %(name)s %(text)s is too long: at most %(most)d characters. Nothing was imported.")
                    % {"name": column.name, "text": quote(value), "most": column.max_length}
                )


def _check_same_pair(stored: Pair, row: Pair) -> None:
    if (stored.premise_id, stored.hypothesis_id) != (row.premise_id, row.hypothesis_id):
        raise ActionError(
            _("The pair %(id)s joins other segments here than in the files; nothing was imported.")
            % {"id": quote(row.pair_id)}
        )
    for name in ("inference", "genre", "source_dataset"):
        here, there = getattr(stored, name), getattr(row, name)
        if here != there:
            raise ActionError(
                _("The pair %(id)s has the %(name)s %(here)s here, but %(there)s in the files; nothing was imported.")
                % {"id": quote(row.pair_id), "name": name, "here": quote(here), "there": quote(there)}
            )


def _import_sentences(
    project: Project, corpus: Corpus, segments: Mapping[str, int], summary: ImportSummary
) -> dict[tuple[str, str], _Stored]:
    """What the project has, after the import, for every language and uid of the corpus."""
    stored = _stored_sentences(project, corpus.dataset)
    new: list[Sentence] = []
    keys: list[tuple[str, str]] = []
    for language in corpus.languages:
        tally = summary.sentences.setdefault(language, Tally())
        sentences = corpus.sentences[language]
        for segment in reading_order(corpus):
            if segment.uid not in sentences:
                continue
            tokens = sentences[segment.uid]
            here = stored.get((language, segment.uid))
            tally.count(new=here is None)
            if here is None:
                new.append(
                    Sentence(
                        project=project,
                        segment_id=segments[segment.uid],
                        language=language,
                        tokens=list(tokens),
                        token_count=len(tokens),
                    )
                )
                keys.append((language, segment.uid))
            elif tokens not in here.revisions:
                raise ActionError(_other_text(language, segment.uid, here, tokens))
    for key, row in zip(keys, Sentence.objects.bulk_create(new), strict=True):
        stored[key] = _Stored(row.pk, {tuple(row.tokens): row.pk})
    return stored


def _stored_sentences(project: Project, dataset: str) -> dict[tuple[str, str], _Stored]:
    rows = project.sentences.filter(segment__dataset=dataset).values_list(
        "language", "segment__uid", "tokens", "pk", "is_current"
    )
    current: dict[tuple[str, str], int] = {}
    revisions: dict[tuple[str, str], dict[tuple[str, ...], int]] = {}
    # The current revision last, so that it wins when a text came back.
    locked = rows.order_by("is_current", "pk").select_for_update(no_key=True, of=("self",))
    for language, uid, tokens, pk, is_current in locked:
        revisions.setdefault((language, uid), {})[tuple(tokens)] = pk
        if is_current:
            current[language, uid] = pk
    return {key: _Stored(current[key], texts) for key, texts in revisions.items() if key in current}


def _other_text(language: str, uid: str, here: _Stored, tokens: Sequence[str]) -> str:
    text = next(text_of(known) for known, pk in here.revisions.items() if pk == here.current)
    return _(
        "The sentence %(uid)s [%(language)s] reads %(here)s here, but %(there)s in the files. Nothing was imported: "
        "a changed text is a new revision, which is made in the project and not by an import."
    ) % {"uid": uid, "language": language, "here": quote(text), "there": quote(text_of(tokens))}


def _import_gold(
    project: Project, corpus: Corpus, stored: Mapping[tuple[str, str], _Stored], summary: ImportSummary
) -> None:
    decided = {
        pk: sort_spans(map(Span.from_json, spans))
        for pk, spans in project.golds.filter(sentence__segment__dataset=corpus.dataset).values_list(
            "sentence_id", "spans"
        )
    }
    new: list[Gold] = []
    for language in corpus.languages:
        tally = summary.gold.setdefault(language, Tally())
        for uid, spans in corpus.spans.get(language, {}).items():
            tokens = corpus.sentences[language][uid]
            here = stored[language, uid]
            if here.revisions[tokens] != here.current:
                summary.outdated.append(f"{uid} [{language}]")
                continue
            checked = _checked(project, language, uid, spans, len(tokens))
            tally.count(new=here.current not in decided)
            if here.current not in decided:
                new.append(
                    Gold(
                        project=project,
                        sentence_id=here.current,
                        spans=[span.to_json() for span in checked],
                        source=IMPORTED,
                    )
                )
            elif decided[here.current] != checked:
                summary.differing.append(f"{uid} [{language}]")
    # Where gold was decided before and reopened, counting goes on.
    versions = next_versions(project, "sentence", [gold.sentence_id for gold in new])
    for gold in new:
        gold.version = versions.get(gold.sentence_id, 1)
    Gold.objects.bulk_create(new)


def _checked(project: Project, language: str, uid: str, spans: Collection[Span], length: int) -> tuple[Span, ...]:
    if not spans:
        return ()
    try:
        return check_spans(spans, length=length, scheme=project.scheme)
    except SpanError as error:
        raise ActionError(f"{uid} [{language}]: {error}") from error


def _import_tags(project: Project, corpus: Corpus, pairs: Mapping[str, int], summary: ImportSummary) -> None:
    decided = {
        (pair, language): tag
        for pair, language, tag in project.pair_tags.filter(
            kind=TagKind.GOLD, pair__dataset=corpus.dataset
        ).values_list("pair_id", "language", "tag")
    }
    new: list[PairTag] = []
    for language in corpus.languages:
        tally = summary.tags.setdefault(language, Tally())
        for uid, tag in corpus.tags.get(language, {}).items():
            before = decided.get((pairs[uid], language))
            tally.count(new=before is None)
            if before is None:
                new.append(
                    PairTag(
                        project=project,
                        pair_id=pairs[uid],
                        language=language,
                        kind=TagKind.GOLD,
                        tag=tag,
                        source=IMPORTED,
                    )
                )
            elif before != tag:
                summary.differing.append(f"{uid} [{language}]: {before} here, {tag} in the files")
    for language in corpus.languages:
        mine = [row for row in new if row.language == language]
        versions = next_versions(project, "pair", [row.pair_id for row in mine], language)
        for row in mine:
            row.version = versions.get(row.pair_id, 1)
    PairTag.objects.bulk_create(new)
