"""Samples of literal uses beside the metaphors of a project's gold, as a release has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from annotator.domain.labels.label_uses import LabelUse
from annotator.domain.labels.spans import spans_from_json
from annotator.domain.mapping import mapped
from annotator.domain.sampling.literal_sampling import Found, Instance, Labelled, Sample, Use, marked, sample_literal
from annotator.domain.text.frequencies import zipf_of
from annotator.models import Project
from annotator.releases.queries.gold_records import decided_gold
from annotator.work.gold.queries.withheld import withheld


@dataclass(frozen=True, slots=True)
class LiteralSample:
    """The sample of a language, and the sentences it was drawn from, by uid."""

    sample: Sample
    sentences: Mapping[str, Labelled]
    revisions: Mapping[str, int]

    def records(self) -> Iterator[dict[str, Any]]:
        """Every instance as an object, in the order of sentences; docs/reference/formats.md says what is in it."""
        for instance in self.sample.instances:
            yield self._record(instance)

    def counts(self) -> dict[str, Any]:
        """What was found how, how much of it is labelled as literal, what stayed out, and for how many metaphors
        nothing was found."""
        labelled = sum(one.found == Found.LABELLED and not one.is_metaphor for one in self.sample.instances)
        return {
            "found": self.sample.counts,
            "labelled_literal": labelled,
            "repeated": self.sample.repeated,
            "without_literal": len(self.sample.alone),
        }

    def _record(self, instance: Instance) -> dict[str, Any]:
        sentence = self.sentences[instance.use.uid]
        return {
            "id": _id(instance.use),
            "uid": sentence.uid,
            "revision": self.revisions[sentence.uid],
            "text": marked(sentence, instance.use.tokens),
            "tokens": list(sentence.tokens),
            "expression": list(instance.use.tokens),
            "label": "metaphor" if instance.is_metaphor else "literal",
            "found": str(instance.found),
            "like": _id(instance.like) if instance.like else None,
        }


def literal_sample(project: Project, language: str, *, seed: int, uses: Mapping[str, LabelUse]) -> LiteralSample:
    """The metaphors of a language's gold with literal uses beside them.

    `uses`: what each label says of its expression. Reads all gold of the project, so it is for jobs. Text that may not
    be published stays out.
    """
    taken_for = {label: "" if use == LabelUse.NEITHER else use.value for label, use in uses.items()}
    kept_back = withheld(project)
    sentences = {}
    revisions = {}
    for gold in decided_gold(project.label_layer):
        unit = gold.unit
        if unit.language != language or (language, unit.segment_id) in kept_back:
            continue
        spans = [span for span in mapped(spans_from_json(gold.content["spans"]), taken_for) if span.tokens]
        uid = unit.segment.uid
        revisions[uid] = unit.revision
        sentences[uid] = Labelled(
            uid=uid,
            tokens=unit.tokens,
            lemmas=[lemma.lower() for lemma in unit.lemmas],
            content=unit.content_words,
            expressions=[tuple(span.tokens) for span in spans if span.label == LabelUse.METAPHOR],
            parts_of_speech=unit.parts_of_speech,
            spaces=unit.spaces,
            literal=[tuple(span.tokens) for span in spans if span.label == LabelUse.LITERAL],
        )
    sample = sample_literal(sentences.values(), zipf=partial(zipf_of, language=language), seed=seed)
    return LiteralSample(sample, sentences, revisions)


def _id(use: Use) -> str:
    return f"{use.uid}#{'+'.join(map(str, use.tokens))}"
