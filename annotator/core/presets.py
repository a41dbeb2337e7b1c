"""Ready-made projects, as data. Nothing else in the core knows these languages or labels; kinds bring more of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.domain.context import Context
from annotator.domain.labels.shipped_schemes import MIPVU
from annotator.domain.labels.spans import Scheme
from annotator.domain.labels.tags import INFERENCES, ROLES
from annotator.domain.projection.carry import ProjectionRules

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

ADJUDICATE = "adjudicate"
# Slugs of the reference workflow's layers.
LABELS = "labels"
INTERPRETATION = "interpretation"

_SAMPLE = Path(__file__).parents[1] / "sample"
_GUIDELINES = Path(__file__).parents[1] / "guidelines"


class Texts(StrEnum):
    """What the sentences of a project are."""

    SENTENCES = "sentences"
    PARALLEL = "parallel"  # each in several languages
    PAIRS = "pairs"  # premises and hypotheses, in one language or several
    DOCUMENTS = "documents"  # running text


class Step(StrEnum):
    """A part of the workflow that a project has or has not, in working order."""

    CORRECT = "correct"
    TWICE = "twice"  # two people label each sentence, blind
    PROJECT = "project-review"
    PAIRS = "pair-tag"
    ADJUDICATE = "adjudicate"


@dataclass(frozen=True)
class StageSpec:
    """A stage to be: the slug of its kind of work, its language, and, where it adjudicates, the layer's slug.

    `order`: in which items are handed out; `mode`: whether suggestions are shown; `answers_wanted`: of how many people.
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


def workflow(languages: Sequence[str], sources: Collection[str] = ()) -> tuple[StageSpec, ...]:
    """The stages of the reference workflow in working order, for `sources` (the first language where none is given)
    and the languages that their labels are projected onto."""
    sources = sources or languages[:1]
    stages = []
    for language in languages:
        if language not in sources:
            stages.append(StageSpec("project-review", language))
        stages.append(StageSpec("correct", language))
    stages += [StageSpec("pair-tag", language, order="labelled") for language in languages]
    for language in languages:
        stages += [StageSpec(ADJUDICATE, language, LABELS), StageSpec(ADJUDICATE, language, INTERPRETATION)]
    return tuple(stages)


def plain(languages: Sequence[str], labels: Sequence[str], sources: Collection[str] = ()) -> Preset:
    """The reference workflow for any languages and labels, without guidelines; `sources` as for `workflow`.

    Raises SpanError for labels that cannot be labels.
    """
    scheme = Scheme(labels=tuple(labels))
    return Preset(
        name="",
        title="",
        description="",
        languages=tuple(languages),
        scheme=scheme,
        rules=ProjectionRules(discontinuous=scheme.discontinuous),
        stages=workflow(languages, sources),
        sources=sources_for(languages, sources),
    )


META4XNLI_ES_EN = Preset(
    name="meta4xnli-es-en",
    texts=Texts.PAIRS,
    title="Meta4XNLI (ES→EN)",
    description="Metaphor in Spanish premises and hypotheses under MIPVU, carried over to English and reviewed there.",
    languages=("es", "en"),
    scheme=Scheme(labels=("METAPHOR",), discontinuous=True),
    # Labels stay on the words that carry the metaphor: "They fought" becomes "fought".
    rules=ProjectionRules(discontinuous=True, skip_function_words=True),
    # Premises and hypotheses were labelled apart from each other, without their inference labels.
    stages=tuple(replace(spec, context=Context.NOTHING.value) for spec in workflow(("es", "en"))),
    guidelines={"en": _SAMPLE / "guidelines.md", "es": _SAMPLE / "guidelines.es.md"},
    procedure="mipvu",
)

PRESETS: dict[str, Preset] = {preset.name: preset for preset in (META4XNLI_ES_EN,)}


def possible_steps(texts: str, languages: Sequence[str]) -> tuple[Step, ...]:
    """The steps that make sense for such texts in so many languages, in working order."""
    possible = [Step.CORRECT, Step.TWICE]
    if len(languages) > 1 and texts in (Texts.PARALLEL, Texts.PAIRS):
        possible.append(Step.PROJECT)
    if texts == Texts.PAIRS:
        possible.append(Step.PAIRS)
    return (*possible, Step.ADJUDICATE)


def sources_for(languages: Sequence[str], chosen: Collection[str]) -> dict[str, list[str]]:
    """As `Preset.sources` where the labels of the `chosen` languages are projected onto all the others.

    Empty where it is the first language alone, or none: that holds without being said.
    """
    sources = [language for language in languages if language in chosen]
    if not sources or sources == list(languages[:1]):
        return {}
    return {language: [] if language in sources else sources for language in languages}


def stages_of(
    texts: str, languages: Sequence[str], steps: Collection[str], sources: Collection[str] = ()
) -> tuple[StageSpec, ...]:
    """The stages of a project with these steps, in working order; steps that make no sense there are left out.

    `sources`: the languages that nothing is projected onto; the first one where none is given.
    """
    sources = sources or languages[:1]
    wanted = {step for step in possible_steps(texts, languages) if step in steps or step == Step.CORRECT}
    stages: list[StageSpec] = []
    for language in languages:
        if Step.PROJECT in wanted and language not in sources:
            stages.append(StageSpec(Step.PROJECT, language))
        if Step.TWICE in wanted:
            stages.append(StageSpec(Step.CORRECT, language, mode="blind", answers_wanted=2))
        else:
            stages.append(StageSpec(Step.CORRECT, language))
    if Step.PAIRS in wanted:
        stages += [StageSpec(Step.PAIRS, language, order="labelled") for language in languages]
    if Step.ADJUDICATE in wanted:
        for language in languages:
            stages.append(StageSpec(ADJUDICATE, language, LABELS))
            if Step.PAIRS in wanted:
                stages.append(StageSpec(ADJUDICATE, language, INTERPRETATION))
    return tuple(stages)


@dataclass(frozen=True)
class Start:
    """A starting point: what a new project of any languages begins with, all of which can be chosen otherwise."""

    name: str
    texts: Texts
    steps: tuple[Step, ...]
    scheme: Scheme
    guidelines: Mapping[str, Path] = field(default_factory=dict)
    procedure: str = ""
    # Projected labels stay on the words that carry the meaning.
    skip_function_words: bool = False
    # Of work that is no labelling: the stages of each language, in working order, instead of those of `steps`. Their
    # languages are filled in.
    chain: tuple[StageSpec, ...] = ()
    # A file of a few texts by language (`imports/drafts/start_sample.py`).
    samples: Mapping[str, Path] = field(default_factory=dict)
    # What it is called, and what one does: of those that a kind brings.
    words: tuple[str | _StrPromise, str | _StrPromise] | None = None

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
        if self.chain:
            stages = tuple(replace(spec, language=language) for language in languages for spec in self.chain)
            sources = ()
        else:
            stages = stages_of(chosen, languages, self.steps if steps is None else steps, sources)
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


_METAPHOR = Scheme(labels=("METAPHOR",), discontinuous=True)
_METAPHOR_GUIDELINES = {"en": _GUIDELINES / "metaphor.md", "es": _GUIDELINES / "metaphor.es.md"}
# Relation, signal, borderline, personification and discarded, as in the VU Amsterdam Metaphor Corpus.
SHIPPED_STARTS: tuple[Start, ...] = (
    Start(
        "metaphor-parallel",
        Texts.PARALLEL,
        (Step.CORRECT, Step.PROJECT, Step.ADJUDICATE),
        _METAPHOR,
        _METAPHOR_GUIDELINES,
        procedure="mipvu",
        skip_function_words=True,
    ),
    Start("labels", Texts.SENTENCES, (Step.CORRECT, Step.ADJUDICATE), _METAPHOR),
    Start("parallel", Texts.PARALLEL, (Step.CORRECT, Step.PROJECT, Step.ADJUDICATE), _METAPHOR),
    Start(
        "mipvu",
        # In one language it is labelled and adjudicated; a second one makes the texts parallel.
        Texts.PARALLEL,
        (Step.CORRECT, Step.PROJECT, Step.ADJUDICATE),
        MIPVU,
        _METAPHOR_GUIDELINES,
        procedure="mipvu",
        skip_function_words=True,
    ),
    Start(
        "pairs",
        Texts.PAIRS,
        (Step.CORRECT, Step.PROJECT, Step.PAIRS, Step.ADJUDICATE),
        _METAPHOR,
        _METAPHOR_GUIDELINES,
        procedure="mipvu",
        skip_function_words=True,
    ),
    Start("agreement", Texts.SENTENCES, (Step.CORRECT, Step.TWICE, Step.ADJUDICATE), _METAPHOR),
)
