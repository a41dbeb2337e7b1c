"""The engines that a project can use: built in, trained here, or checkpoints that this installation can load."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from importlib.util import find_spec

from django.conf import settings

from annotator.domain.mapping import label_of_machine
from annotator.domain.published_checkpoints import PUBLISHED
from annotator.domain.text.languages import base_language
from annotator.machines.queries.training import (
    CRF,
    ENCODER,
    LearningCourse,
    detector_in_use,
    has_runtime,
    is_trained,
    learning,
    shipped_model,
)
from annotator.models import Project, TrainedDetector

LEXICAL, SIMALIGN, EFLOMAL = "lexical", "simalign", "eflomal"
TRANSFORMERS = "transformers"
# Fine-tunes the encoder that is built in.
TRAIN_ENCODER = f"{TRANSFORMERS}:{ENCODER}"
# How many of the detectors trained here are offered for a language.
MAX_TRAINED = 5


def has_torch() -> bool:
    """Whether this installation has the extra `transformers`. Nothing of it is loaded."""
    return find_spec("torch") is not None and find_spec("transformers") is not None


class Engines:
    """The engines of a project. One query for each language whose detectors are asked for."""

    def __init__(self, project: Project, courses: Sequence[LearningCourse] | None = None) -> None:
        """`courses`: `learning` of the project, where it has been read already."""
        self._project = project
        found = learning(project) if courses is None else courses
        self._courses = {course.language: course for course in found}

    @property
    def trained(self) -> dict[str, TrainedDetector]:
        """The detectors that were trained here and can be used, newest first, by the name that jobs use."""
        rows = [row for course in self._courses.values() for row in course.detectors if row.active]
        return {row.spec: row for row in sorted(rows, key=lambda row: -row.pk)}

    def detectors(self, language: str) -> list[str]:
        """The detectors of a language, the active one first."""
        course = self._courses.get(language)
        in_use = course.in_use if course else detector_in_use(self._project, language, ()).spec
        trained = [spec for spec, row in self.trained.items() if row.language == language][:MAX_TRAINED]
        found = _unique([in_use, *trained, ENCODER, CRF, *_checkpoints(language)])
        return [spec for spec in found if self._is_usable(spec, language)]

    def trainers(self) -> list[str]:
        """The training methods of a detector."""
        return [CRF, *([TRAIN_ENCODER] if has_torch() else []), *_own_checkpoints()]

    def aligners(self) -> list[str]:
        """The aligners."""
        return [LEXICAL, *([SIMALIGN] if has_torch() else []), *([EFLOMAL] if shutil.which(EFLOMAL) else [])]

    def embedders(self) -> list[str]:
        """The models for sentence vectors."""
        return [ENCODER, *_own_checkpoints()]

    def _is_usable(self, spec: str, language: str) -> bool:
        if is_trained(spec):
            return spec in self.trained
        if spec not in (CRF, ENCODER):
            return True
        known = shipped_model(spec, language)
        if not known or (spec == ENCODER and not has_runtime()):
            return False
        return label_of_machine(self._project.scheme, known["label"]) is not None


def _checkpoints(language: str) -> list[str]:
    published = [name.partition("/")[2] for name, known in PUBLISHED.items() if known == base_language(language)]
    return [*([f"{TRANSFORMERS}:{name}" for name in published] if has_torch() else []), *_own_checkpoints()]


def _own_checkpoints() -> list[str]:
    """The checkpoints that the site offers."""
    return [f"{TRANSFORMERS}:{name}" for name in settings.CHECKPOINTS]


def _unique(specs: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(specs))
