"""The preset of Meta4XNLI, and starting points of any languages and labels that choose among its steps."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from django.utils.translation import gettext_lazy

from annotator.core.presets import ADJUDICATE, Preset, Start, Texts, guideline_files
from annotator.domain.context import Context
from annotator.domain.labels.shipped_schemes import HOW_TRANSLATED, MIPVU
from annotator.domain.labels.spans import Scheme
from annotator.domain.projection.carry import ProjectionRules
from annotator.protocols.meta4xnli.workflow import WORKFLOW

_GUIDELINES = Path(__file__).parent / "guidelines"
_METAPHOR = Scheme(labels=("METAPHOR",), discontinuous=True)
# Where labels are projected, people say how each was translated.
_TRANSLATED = replace(_METAPHOR, attributes=HOW_TRANSLATED)
META4XNLI_ES_EN = Preset(
    name="meta4xnli-es-en",
    texts=Texts.PAIRS,
    title="Meta4XNLI (ES→EN)",
    description="Metaphor in Spanish premises and hypotheses under MIPVU, carried over to English and reviewed there.",
    languages=("es", "en"),
    scheme=_TRANSLATED,
    # Labels stay on the words that carry the metaphor: "They fought" becomes "fought".
    rules=ProjectionRules(discontinuous=True, skip_function_words=True),
    # Premises and hypotheses were labelled apart from each other, without their inference labels.
    stages=tuple(replace(spec, context=Context.NOTHING.value) for spec in WORKFLOW.each_once(("es", "en"))),
    guidelines=guideline_files(_GUIDELINES, "meta4xnli"),
    procedure="mipvu",
)
_start = partial(Start, workflow=WORKFLOW, scheme=_METAPHOR)
_mipvu = partial(
    _start, guidelines=guideline_files(_GUIDELINES, "metaphor"), procedure="mipvu", skip_function_words=True
)
_PROJECTED = ("correct", "project-review", ADJUDICATE)
STARTS = (
    _mipvu(
        "metaphor-parallel",
        Texts.PARALLEL,
        _PROJECTED,
        scheme=_TRANSLATED,
        words=(
            gettext_lazy("Metaphor in parallel text"),
            gettext_lazy(
                "Based on Meta4XNLI: label metaphors in one language, project them onto the others, and review "
                "them there."
            ),
        ),
    ),
    _start(
        "labels",
        Texts.SENTENCES,
        ("correct", ADJUDICATE),
        words=(
            gettext_lazy("Labels on sentences"),
            gettext_lazy("Any labels on words, in one or several languages. The simplest way to start."),
        ),
    ),
    _start(
        "parallel",
        Texts.PARALLEL,
        _PROJECTED,
        words=(
            gettext_lazy("Projected labels in parallel text"),
            gettext_lazy("Any labels in one language. Word alignment carries them to its translations."),
        ),
    ),
    # Relation, signal, borderline, personification and discarded, as in the VU Amsterdam Metaphor Corpus. In one
    # language it is labelled and adjudicated; a second one makes the texts parallel.
    _mipvu(
        "mipvu",
        Texts.PARALLEL,
        _PROJECTED,
        scheme=MIPVU,
        words=(
            gettext_lazy("Full MIPVU"),
            gettext_lazy(
                "Metaphor-related words with relation, signal, borderline cases and personification, in one "
                "language or projected onto its translations."
            ),
        ),
    ),
    _mipvu(
        "pairs",
        Texts.PAIRS,
        ("correct", "project-review", "pair-tag", ADJUDICATE),
        words=(
            gettext_lazy("Tag inference pairs"),
            gettext_lazy("Label both sentences, then tag whether the inference needs the metaphor."),
        ),
    ),
    _start(
        "agreement",
        Texts.SENTENCES,
        ("correct", "twice", ADJUDICATE),
        words=(
            gettext_lazy("Agreement study"),
            gettext_lazy(
                "Two people label every sentence without seeing the other's work. Their agreement is measured."
            ),
        ),
    ),
)
