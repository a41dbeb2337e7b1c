"""How a model of transformers is trained: the numbers that one can choose."""

import math
from dataclasses import dataclass

from annotator.domain.messages import gettext_noop as _
from mlworkers.engines.base import EngineError


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a model is trained; the defaults are those with which the detectors of Meta4XNLI were trained.

    `batch` is in sentences, `length` in subwords with those that frame a sentence, `warmup` the share of all steps
    during which the learning rate rises; then it falls to 0, both in a line.
    """

    epochs: int = 4
    batch: int = 8
    learning_rate: float = 5e-5
    weight_decay: float = 0.1
    warmup: float = 0.06
    length: int = 128

    def check(self) -> None:
        """Raise EngineError for a value with which nothing can be trained."""
        for name in ("epochs", "batch", "length", "learning_rate"):
            if not getattr(self, name) > 0:
                raise EngineError(
                    _("%(name)s must be greater than 0, not %(value)s."),
                    name=name,
                    value=getattr(self, name),
                )
        if not 0 <= self.warmup <= 1:
            raise EngineError(
                _("The warm-up must be a share of all steps, from 0 to 1, not %(warmup)s."), warmup=self.warmup
            )
        if not self.weight_decay >= 0:
            raise EngineError(
                _("The weight decay must be 0 or more, not %(weight_decay)s."), weight_decay=self.weight_decay
            )


DEFAULT = Recipe()


def steps(sentences: int, recipe: Recipe = DEFAULT) -> int:
    """How many steps of the optimiser a training on so many sentences takes: what `progress` counts.

    Sentences of which the tokenizer makes nothing take no part, so with such ones it may be fewer.
    """
    return recipe.epochs * math.ceil(sentences / recipe.batch)
