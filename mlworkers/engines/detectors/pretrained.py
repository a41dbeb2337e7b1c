"""The pretrained model that a training begins with."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from annotator.domain.messages import gettext_noop as _
from mlworkers.engines.acceleration import narrow_positions
from mlworkers.engines.base import EngineError
from mlworkers.engines.checkpoints import Checkpoint, loading_errors, locate, refuse_incomplete, split_revision
from mlworkers.engines.detectors.encoder.checkpoint import write_checkpoint
from mlworkers.engines.detectors.encoder.detector import EncoderDetector
from mlworkers.engines.subwords import load_tokenizer
from mlworkers.engines.torch_runtime import Device, import_torch, import_transformers


@contextmanager
def located(model: str, language: str) -> Iterator[Checkpoint]:
    """The checkpoint to begin with; the shipped encoder is written down for as long as it is needed."""
    if model == EncoderDetector.name:
        with tempfile.TemporaryDirectory() as beside:
            write_checkpoint(Path(beside) / model, language)
            yield locate(str(Path(beside) / model))
        return
    source, revision = split_revision(model)
    if not source:
        raise EngineError(
            _(
                "No model given. Use a folder, a hub ID with its revision (name/model@revision), or "
                "encoder for the built-in one."
            )
        )
    yield locate(source, revision)


def load_pretrained(checkpoint: Checkpoint, names: Mapping[int, str], device: Device) -> tuple[Any, Any, bool]:
    """The model with a head for these classes, its tokenizer, and whether the head is new."""
    transformers, torch = import_transformers(), import_torch()
    kinds = transformers.AutoModelForTokenClassification
    unusable = _(
        "The checkpoint %(checkpoint)s (%(folder)s) cannot be trained to classify tokens: "
        "%(reason)s. It must be a pretrained encoder with its tokenizer, as save_pretrained "
        "writes it."
    )
    with loading_errors(checkpoint, device, unusable):
        config = transformers.AutoConfig.from_pretrained(checkpoint.folder)
        tokenizer = load_tokenizer(transformers, checkpoint, config)
        same = {int(number): name for number, name in config.id2label.items()} == dict(names)
        model, report = kinds.from_pretrained(
            checkpoint.folder,
            id2label=dict(names),
            label2id={name: number for number, name in names.items()},
            dtype=torch.float32,
            ignore_mismatched_sizes=True,
            output_loading_info=True,
        )
        inside = f"{model.base_model_prefix}."
        new = sorted([*report["missing_keys"], *(key for key, *_ in report["mismatched_keys"])])
        refuse_incomplete(checkpoint, [key for key in new if key.startswith(inside)])
        if not new and not same:
            # A head of the same size for other classes: what it knows would be taken for something else.
            fresh = kinds.from_config(model.config).state_dict()
            model.load_state_dict(
                {key: value for key, value in fresh.items() if not key.startswith(inside)}, strict=False
            )
        narrow_positions(model)
        return model.to(device.name), tokenizer, bool(new) or not same
