"""Names of engines on pages."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from annotator.core.counts import grouped
from annotator.machines.queries.engines import EFLOMAL, LEXICAL, SIMALIGN, TRAIN_ENCODER, TRANSFORMERS
from annotator.machines.queries.training import CRF, ENCODER
from annotator.models import TrainedDetector


def detector_words(spec: str, trained: Mapping[str, TrainedDetector]) -> str:
    """The name of a detector: its engine, or its training data."""
    if row := trained.get(spec):
        return _("Trained on this project: %(sentences)s sentences, F1 %(f1)s") % {
            "sentences": grouped(row.sentences),
            "f1": number_format(row.f1, 1),
        }
    known = {ENCODER: _("Encoder (built in, more accurate)"), CRF: _("CRF (built in, faster)")}
    return known.get(spec) or _checkpoint(spec)


def trainer_words(spec: str) -> str:
    """The name of a training method."""
    known = {CRF: _("CRF (a minute at most)"), TRAIN_ENCODER: _("Fine-tune the built-in encoder (best with a GPU)")}
    return known.get(spec) or _("Fine-tune %(checkpoint)s (best with a GPU)") % {"checkpoint": _name(spec)}


def aligner_words(spec: str) -> str:
    """The name of an aligner."""
    known = {
        LEXICAL: _("Lexical (built in, learns from this project's parallel sentences)"),
        SIMALIGN: _("SimAlign (a multilingual model, best with a GPU)"),
        EFLOMAL: _("eflomal (learns from this project's parallel sentences)"),
    }
    return known.get(spec, spec)


def embedder_words(spec: str) -> str:
    """The name of a model for the sentence map."""
    return _("Encoder (built in, Spanish and English)") if spec == ENCODER else _checkpoint(spec)


def _checkpoint(spec: str) -> str:
    return _("Checkpoint %(name)s") % {"name": _name(spec)}


def _name(spec: str) -> str:
    return spec.removeprefix(f"{TRANSFORMERS}:")
