"""Pairs of an import, checked before they are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from annotator.core.errors import quoted
from annotator.domain.labels.tags import Role
from annotator.formats.common.records import PairRecord, Says
from annotator.formats.corpus.corpus import pair_uid
from annotator.formats.corpus.incoming import record_uid
from annotator.imports.reading.findings import Findings
from annotator.imports.reading.fit import Fit
from annotator.imports.reading.known import Carried, Known, carried
from annotator.imports.reading.labels import tag_source
from annotator.imports.reading.source import Terms
from annotator.imports.reading.staging import Seen, StagedBatch, StagingStore, digest, genre_and_source
from annotator.imports.reading.summary import Tally
from annotator.models import LabelsAs, Layer, Pair, Project, Segment


def sides(dataset: str, pair: PairRecord) -> tuple[str, str]:
    """The uids of a pair's premise and hypothesis."""
    return (
        record_uid(dataset, Role.PREMISE, pair.premise),
        record_uid(dataset, Role.HYPOTHESIS, pair.hypothesis),
    )


class PairCheck:
    """Compares the pairs of the files with each other, with their sentences, and with what the project has."""

    def __init__(self, project: Project, terms: Terms, store: StagingStore, findings: Findings) -> None:
        self._project = project
        self._terms = terms
        self._store = store
        self._findings = findings
        self._fit = Fit(project, findings.problems)
        self._layer: Layer | None = project.tag_layer
        self._source = tag_source(project, terms)

    def uids(self, pairs: Sequence[PairRecord]) -> set[str]:
        """The uids of their sentences."""
        return {uid for pair in pairs for uid in sides(self._terms.dataset, pair)}

    def pair_uids(self, pairs: Sequence[PairRecord]) -> set[str]:
        """Their own uids."""
        return {pair_uid(self._terms.dataset, pair.id) for pair in pairs}

    def check(self, pairs: Sequence[PairRecord], there: Known, staged: StagedBatch) -> None:
        """Check a batch, whose sentences came before or with it, and add to `staged` what can be imported."""
        if not pairs:
            return
        dataset, languages = self._terms.dataset, self._project.languages
        keys = [f"p:{uid}" for uid in self.pair_uids(pairs)]
        for uid in self.uids(pairs):
            keys += [f"s:{uid}", *(f"t:{language}:{uid}" for language in languages)]
        seen = Seen(self._store, keys)
        units = there.pair_units.values()
        answered = carried(self._layer, units) if self._layer is not None and self._source is not None else Carried()
        for pair in pairs:
            uid = pair_uid(dataset, pair.id)
            key, before = f"p:{uid}", seen.get(f"p:{uid}")
            if before is not None:
                self._findings.problems.error(
                    pair,
                    _("each pair once"),
                    _("%(id)s again, as at %(place)s") % {"id": quoted(pair.id), "place": before.place},
                )
                continue
            seen.add(key, digest([pair.premise, pair.hypothesis, pair.inference]), pair.file, pair.line)
            self._pair(pair, uid, there, seen)
            staged.pairs.append(pair)
            if pair.values and self._tags(pair, uid, there, seen, answered):
                staged.known_pairs.append(pair)
        seen.save()

    def _pair(self, pair: PairRecord, uid: str, there: Known, seen: Seen) -> None:
        self._findings.counts.pairs += 1
        stored = there.pairs.get(uid)
        of_hypothesis = {}
        if (record := seen.get(f"s:{sides(self._terms.dataset, pair)[1]}")) is not None:
            of_hypothesis = dict(zip(("genre", "source_dataset"), genre_and_source(record.digest), strict=True))
        self._findings.summary.pairs.count(new=stored is None)
        # A pair without a label can be given one here (`revisions/inference_labels.py`).
        if pair.inference and pair.inference not in self._project.inferences:
            self._findings.problems.error(
                pair,
                _(
                    "The files have the inference label %(unknown)s, but this project only has %(known)s. Nothing "
                    "was imported."
                )
                % {"unknown": quoted(pair.inference), "known": ", ".join(self._project.inferences) or "–"},
                once="inferences",
            )
        for name, external, side in zip(
            (_("premise"), _("hypothesis")),
            (pair.premise, pair.hypothesis),
            sides(self._terms.dataset, pair),
            strict=True,
        ):
            if side not in there.slots and f"s:{side}" not in seen:
                expected = _("the %(side)s sentence in these files or in the project: add the file with the sentences")
                self._findings.problems.error(pair, expected % {"side": name}, quoted(external))
        if stored is not None:
            self._same(pair, stored, there, of_hypothesis)
            return
        self._fit.lengths(pair, Segment, uid=uid)
        self._fit.lengths(
            pair,
            Pair,
            pair_id=pair.id,
            inference=pair.inference,
            source_dataset=of_hypothesis.get("source_dataset", ""),
        )

    def _same(self, pair: PairRecord, stored: Pair, there: Known, of_hypothesis: Mapping[str, str]) -> None:
        joined = [there.slots[uid].pk if uid in there.slots else None for uid in sides(self._terms.dataset, pair)]
        if [stored.premise_id, stored.hypothesis_id] != joined:
            self._findings.problems.error(
                pair,
                _("The pair %(id)s joins different segments here and in the files. Nothing was imported.")
                % {"id": quoted(stored.pair_id)},
            )
        # Files without a label contradict none.
        inference = {"inference": pair.inference} if pair.inference else {}
        for name, there_ in {**inference, **of_hypothesis}.items():
            here = getattr(stored, name)
            if here != there_:
                self._findings.problems.error(
                    pair,
                    _(
                        "The %(name)s of the pair %(id)s is %(here)s here, but %(there)s in the files. Nothing was "
                        "imported."
                    )
                    % {"id": quoted(stored.pair_id), "name": name, "here": quoted(here), "there": quoted(there_)},
                )

    def _tags(
        self,
        pair: PairRecord,
        uid: str,
        there: Known,
        seen: Seen,
        answered: Carried,
    ) -> bool:
        """Count the tags of a pair; whether one of them is new on a pair that the project has."""
        is_for_known = False
        if self._terms.labels_as in (LabelsAs.NONE, LabelsAs.MODEL):
            self._findings.counts.tags_left_out += 1
            return False
        if self._layer is None:
            self._findings.problems.error(
                pair,
                _("This project has no stage for tagging pairs, so tags can't be imported."),
                once="tags",
            )
            return False
        summary = self._findings.summary
        for language, tag in pair.values.items():
            if tag not in self._layer.scheme_data["values"]:
                self._findings.problems.error(
                    pair,
                    _("The pair %(id)s has the tag %(tag)s, but the tags of this project are %(known)s.")
                    % {
                        "id": quoted(pair.id),
                        "tag": quoted(tag),
                        "known": ", ".join(self._layer.scheme_data["values"]),
                    },
                )
                continue
            if any(
                f"t:{language}:{side}" not in seen and (language, side) not in there.texts
                for side in sides(self._terms.dataset, pair)
            ):
                self._findings.problems.error(
                    pair,
                    _("The pair %(id)s has a tag in %(language)s, but not both of its sentences. Nothing was imported.")
                    % {"id": quoted(pair.id), "language": language},
                )
                continue
            unit = there.pair_units.get((language, uid))
            if self._source is None:
                continue
            has = unit is not None and answered.has(unit, self._source)
            is_for_known |= unit is not None and not has
            if self._source.says == Says.PERSON:
                summary.annotations.setdefault(self._source.name, Tally()).count(new=not has)
                continue
            summary.tags.setdefault(language, Tally()).count(new=not has)
            before = answered.gold[unit]["value"] if unit is not None and has else tag
            if before != tag:
                differs = _("%(id)s: %(before)s here, %(tag)s in the files")
                self._findings.summary.differs(differs % {"id": f"{uid} [{language}]", "before": before, "tag": tag})
        return is_for_known
