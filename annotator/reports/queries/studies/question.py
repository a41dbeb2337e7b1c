"""What a study of agreement is asked: whose answers, on what, and how its intervals are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import QuerySet

from annotator.domain.agreement.distances import NOMINAL
from annotator.domain.agreement.plan import RESAMPLES, Plan
from annotator.domain.content import content_type
from annotator.domain.content.spans import SENTENCE
from annotator.domain.mapping import mapped_scheme
from annotator.domain.messages import InvalidError
from annotator.domain.messages import gettext_noop as _
from annotator.domain.projection.outcomes import GAINED, NOT_GAINED, Fate
from annotator.models import Annotation, Layer, Project, Suggestion, SuggestionKind, User
from annotator.reports.queries.agreement import (
    dimension_of,
    layer_named,
    mapping_of,
    public_name,
)
from annotator.reports.queries.finished_answers import finished_answers, judging_kinds

# What is drawn as a whole when intervals are made.
UNITS, DOCUMENTS = "units", "documents"
CLUSTERS = (UNITS, DOCUMENTS)
# Of reviews of projections: what became of each source span, as the dimensions of content types are named.
OUTCOMES = "outcomes"
MAX_PEOPLE = 20
MAX_RESAMPLES = 10_000
MAX_SEED = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Drawing:
    """How intervals are made: what is drawn as a whole, with which seed, how often."""

    cluster: str = UNITS
    seed: int = 1
    resamples: int = RESAMPLES

    def check(self) -> None:
        """Raises InvalidError for settings that there are not."""
        if self.cluster not in CLUSTERS:
            known = ", ".join(CLUSTERS)
            raise InvalidError(
                _("Intervals cannot be made over “%(name)s”. Available: %(known)s."), name=self.cluster, known=known
            )
        if not (1 <= self.seed <= MAX_SEED and 1 <= self.resamples <= MAX_RESAMPLES):
            raise InvalidError(
                _("The seed must be a number from 1 to %(seed)d, and resamples from 1 to %(most)d."),
                seed=MAX_SEED,
                most=MAX_RESAMPLES,
            )


@dataclass(frozen=True)
class StudyQuestion:
    """The settings of a study, each of which there is. People in the order of their ids, which numbers them."""

    project: Project
    layer: Layer
    people: tuple[User, ...]
    language: str
    dimension: str
    mapping: str = ""
    drawing: Drawing = Drawing()

    @cached_property
    def judging(self) -> Sequence[str]:
        """The kinds of work on the layer whose answers are judgements. One query, the first time."""
        return judging_kinds(self.layer)

    @property
    def taken_for(self) -> Mapping[str, str]:
        """The label that each label counts as; empty: itself."""
        return mapping_of(self.layer, self.mapping)

    @property
    def by_token(self) -> bool:
        """Whether each token is a place, so that content words can be told."""
        return self.layer.content_type == Layer.SPANS and self.dimension not in (SENTENCE, OUTCOMES)

    @property
    def plan(self) -> Plan:
        """The results for the tallied answers."""
        settings = {"seed": self.drawing.seed, "resamples": self.drawing.resamples}
        if self.dimension == OUTCOMES:
            return Plan((*(fate.value for fate in Fate), GAINED, NOT_GAINED), "", (NOMINAL,), **settings)
        kind = content_type(self.layer.content_type)
        scheme = mapped_scheme(self.layer.scheme, self.mapping).to_json() if self.mapping else self.layer.scheme_data
        return Plan(kind.values(scheme, self.dimension), kind.unmarked, kind.distances, **settings)

    def answers(self) -> QuerySet[Annotation]:
        """The finished answers of the people. Unordered."""
        return finished_answers(self.project, self.layer, self.language, self.people, self.judging)

    def params(self) -> dict[str, Any]:
        """The settings of the job that computes it."""
        return {
            "layer": self.layer.pk,
            "language": self.language,
            "people": [person.pk for person in self.people],
            "dimension": self.dimension,
            "mapping": self.mapping,
            **asdict(self.drawing),
        }


@dataclass(frozen=True)
class ComputedStudy:
    """Results of a question, as a run stores them."""

    asked: StudyQuestion
    results: dict[str, Any]
    units: int
    last_event: int
    sha256: str
    at: datetime


def study_question(
    project: Project,
    *,
    people: Sequence[User],
    layer: str,
    language: str = "",
    dimension: str = "",
    mapping: str = "",
    drawing: Drawing | None = None,
) -> StudyQuestion:
    """The question, with defaults filled in. `layer` as for `agreement.question`.

    Raises InvalidError for settings that there are not.
    """
    found = layer_named(project, layer)
    if found is None:
        raise InvalidError(_("This project has no such layer, so there is nothing to compare."))
    if not 2 <= len({person.pk for person in people}) <= MAX_PEOPLE:
        raise InvalidError(_("Choose from 2 to %(most)d people."), most=MAX_PEOPLE)
    how = drawing or Drawing()
    how.check()
    if dimension != OUTCOMES or not has_outcomes(found):
        dimension = dimension_of(found, dimension)
    mapping_of(found, mapping)
    chosen = tuple(sorted({person.pk: person for person in people}.values(), key=lambda person: person.pk))
    return StudyQuestion(project, found, chosen, language or project.source_language, dimension, mapping, how)


def has_outcomes(layer: Layer) -> bool:
    """Whether labels were projected onto units of the layer, so that reviewers can be compared on what became of them.
    One query at most."""
    if layer.content_type != Layer.SPANS:
        return False
    return Suggestion.objects.filter(project=layer.project_id, layer=layer, kind=SuggestionKind.PROJECTION).exists()


def name_of(asked: StudyQuestion) -> str:
    """What commands, the API and pages call the layer."""
    return public_name(asked.project, asked.layer)
