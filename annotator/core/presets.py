"""What a new project begins with, as data: packages bring it in their specification."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.domain.context import Context
from annotator.domain.labels.spans import Scheme
from annotator.domain.labels.tags import INFERENCES, ROLES
from annotator.domain.projection.carry import ProjectionRules

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

ADJUDICATE = "adjudicate"
# Slugs of the reference workflow's layers.
LABELS = "labels"
INTERPRETATION = "interpretation"


def guideline_files(folder: Path, name: str) -> dict[str, Path]:
    """The guidelines of this name in a folder, by language of the interface."""
    return {"en": folder / f"{name}.md", "es": folder / f"{name}.es.md"}


class Texts(StrEnum):
    """What the sentences of a project are."""

    SENTENCES = "sentences"
    PARALLEL = "parallel"  # each in several languages
    PAIRS = "pairs"  # premises and hypotheses, in one language or several
    DOCUMENTS = "documents"  # running text


@dataclass(frozen=True)
class StageSpec:
    """A stage to be: the slug of its kind of work, its language, and, where it adjudicates, the layer's slug.

    `order`: in which items are assigned; `mode`: whether suggestions are shown; `answers_wanted`: of how many people.
    `made_from`: the slug of a kind; the answers of its last stage before this one, in the same language, become the
    units of this one. `context`: what is shown around a sentence.
    """

    kind: str
    language: str
    layer: str = ""
    order: str = "reading"
    mode: str = "review"
    answers_wanted: int = 1
    made_from: str = ""
    context: str = Context.NEIGHBOURS.value


@dataclass(frozen=True)
class Preset:
    """What a new project starts with. The first language is labelled first.

    `sources`: by language, those whose labels are projected onto it; what is not in it has the first language.
    `guidelines` holds a Markdown file per language of the interface; `procedure` names the steps that
    the workspaces keep at hand (templates/work/workspaces/procedures/), "" for none.
    """

    name: str
    title: str
    description: str
    languages: tuple[str, ...]
    scheme: Scheme
    rules: ProjectionRules
    stages: tuple[StageSpec, ...]
    guidelines: Mapping[str, Path] = field(default_factory=dict)
    procedure: str = ""
    roles: tuple[str, ...] = ROLES
    inferences: tuple[str, ...] = INFERENCES
    texts: str = ""
    sources: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def guideline_texts(self) -> dict[str, str]:
        """The guidelines by language of the interface."""
        return {language: path.read_text(encoding="utf-8") for language, path in self.guidelines.items()}


def sources_for(languages: Sequence[str], chosen: Collection[str]) -> dict[str, list[str]]:
    """As `Preset.sources` where the labels of the `chosen` languages are projected onto all the others.

    Empty where it is the first language alone, or none: that is the default.
    """
    sources = [language for language in languages if language in chosen]
    if not sources or sources == list(languages[:1]):
        return {}
    return {language: [] if language in sources else sources for language in languages}


@dataclass(frozen=True, kw_only=True)
class Workflow:
    """The steps in which sentences are labelled, projections reviewed, pairs tagged and answers adjudicated.

    A project has some of them. `label`, `review` and `tag` are kinds of work (slugs); `twice` is the step of labelling
    each sentence by two people, blind. `words`: title and description of each step, in working order.
    """

    label: str
    review: str
    tag: str
    twice: str
    words: Mapping[str, tuple[str | _StrPromise, str | _StrPromise]]

    def possible_steps(self, texts: str, languages: Sequence[str]) -> tuple[str, ...]:
        """The steps that make sense for such texts in so many languages, in working order."""
        possible = [self.label, self.twice]
        if len(languages) > 1 and texts in (Texts.PARALLEL, Texts.PAIRS):
            possible.append(self.review)
        if texts == Texts.PAIRS:
            possible.append(self.tag)
        return (*possible, ADJUDICATE)

    def stages(
        self, texts: str, languages: Sequence[str], steps: Collection[str], sources: Collection[str] = ()
    ) -> tuple[StageSpec, ...]:
        """The stages of a project with these steps, in working order; steps that make no sense there are left out.

        `sources`: the languages that nothing is projected onto; the first one where none is given.
        """
        sources = sources or languages[:1]
        wanted = {step for step in self.possible_steps(texts, languages) if step in steps or step == self.label}
        stages: list[StageSpec] = []
        for language in languages:
            if self.review in wanted and language not in sources:
                stages.append(StageSpec(self.review, language))
            if self.twice in wanted:
                stages.append(StageSpec(self.label, language, mode="blind", answers_wanted=2))
            else:
                stages.append(StageSpec(self.label, language))
        if self.tag in wanted:
            stages += [StageSpec(self.tag, language, order="labelled") for language in languages]
        if ADJUDICATE in wanted:
            for language in languages:
                stages.append(StageSpec(ADJUDICATE, language, LABELS))
                if self.tag in wanted:
                    stages.append(StageSpec(ADJUDICATE, language, INTERPRETATION))
        return tuple(stages)

    def each_once(self, languages: Sequence[str], sources: Collection[str] = ()) -> tuple[StageSpec, ...]:
        """The stages of all steps, with one answer to each item; `sources` as for `stages`."""
        return self.stages(Texts.PAIRS, languages, (self.label, self.review, self.tag, ADJUDICATE), sources)


@dataclass(frozen=True)
class Start:
    """A starting point: what a new project of any languages begins with, all of which can be chosen otherwise."""

    name: str
    texts: Texts
    steps: tuple[str, ...] = ()
    scheme: Scheme = field(kw_only=True)
    # Its title and description.
    words: tuple[str | _StrPromise, str | _StrPromise] = field(kw_only=True)
    # That the steps are of; None for work that is not labelling.
    workflow: Workflow | None = None
    guidelines: Mapping[str, Path] = field(default_factory=dict)
    procedure: str = ""
    # Projected labels stay on the words that carry the meaning.
    skip_function_words: bool = False
    # Without a workflow: the stages of each language, in working order. Their languages are filled in.
    chain: tuple[StageSpec, ...] = ()
    # A file of a few texts by language (`imports/drafts/start_sample.py`).
    samples: Mapping[str, Path] = field(default_factory=dict)

    def sampled(self, languages: Sequence[str]) -> list[str]:
        """Those of the languages in which there is a sample."""
        return [language for language in languages if language in self.samples]

    def preset(
        self,
        languages: Sequence[str],
        *,
        texts: str = "",
        labels: Sequence[str] = (),
        steps: Collection[str] | None = None,
        sources: Collection[str] = (),
    ) -> Preset:
        """What a project in `languages` begins with; what is not given is the starting point's own.

        `sources`: the languages whose labels are projected onto the others; the first one where none is given.
        Raises SpanError for labels that cannot be labels.
        """
        scheme = self.scheme
        if labels:
            # Mappings speak of the starting point's own labels.
            mappings = {name: one for name, one in scheme.mappings.items() if one.keys() == set(labels)}
            scheme = replace(scheme, labels=tuple(labels), mappings=mappings)
        chosen = texts or self.texts
        if self.workflow is None:
            stages = tuple(replace(spec, language=language) for language in languages for spec in self.chain)
            sources = ()
        else:
            stages = self.workflow.stages(chosen, languages, self.steps if steps is None else steps, sources)
        return Preset(
            name=self.name,
            title="",
            description="",
            languages=tuple(languages),
            scheme=scheme,
            rules=ProjectionRules(discontinuous=scheme.discontinuous, skip_function_words=self.skip_function_words),
            stages=stages,
            guidelines=self.guidelines,
            procedure=self.procedure,
            roles=ROLES if chosen == Texts.PAIRS else (),
            inferences=INFERENCES if chosen == Texts.PAIRS else (),
            texts=chosen,
            sources=sources_for(languages, sources),
        )
