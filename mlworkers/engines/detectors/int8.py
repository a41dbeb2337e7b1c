"""Token classifiers with int8 weights, in ONNX Runtime on a CPU.

The weights of products are int8, with one scale an output; what they are multiplied with gets one scale a batch while
it is computed (ONNX Runtime's dynamic quantisation). All else stays in fp32. So a sentence's numbers depend a little on
the sentences that are in its batch.

A checkpoint is exported once; the file stays beside the hub's cache. onnx and onnxruntime come with the extra `onnx`.
"""

import os
import tempfile
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from annotator.domain.messages import gettext_noop as _
from mlworkers.engines.base import EngineError
from mlworkers.engines.checkpoints import Checkpoint
from mlworkers.engines.torch_runtime import (
    PRECISION_VARIABLE,
    first_line,
    import_package,
    import_torch,
    import_transformers,
    is_out_of_memory,
)

INSTALL = f"pip install -c constraints.txt -e '.[transformers,onnx]', or set {PRECISION_VARIABLE}=fp32"

# What decides about the numbers in an exported file.
MADE_BY = ("torch", "transformers", "onnxruntime")

# Of the fp32 export, relative to the largest number. What tracing got wrong is off by much more.
TOLERANCE = 1e-3


class Int8Model:
    """Called as a model of transformers is; `config` and `base_model` are as its own, without weights."""

    def __init__(self, skeleton: Any, session: Any) -> None:
        self.config = skeleton.config
        self.base_model = skeleton.base_model
        self._session = session

    def __call__(self, *, input_ids: Any, attention_mask: Any) -> SimpleNamespace:
        """The logits of a batch, as `.logits`. RuntimeError when ONNX Runtime fails, for lack of memory or else."""
        try:
            (logits,) = self._session.run(
                None, {"input_ids": input_ids.numpy(), "attention_mask": attention_mask.numpy()}
            )
        except MemoryError:
            raise
        except Exception as error:
            # Its own errors are bare exceptions.
            raise RuntimeError(str(error)) from error
        return SimpleNamespace(logits=import_torch().from_numpy(logits))


def load_int8(checkpoint: Checkpoint, load: Callable[[], Any]) -> Int8Model:
    """The checkpoint with int8 weights, from the cache; exported first where it is not there yet.

    `load` gives the model in fp32 on the CPU, with attention as plain products. Raises EngineError when a package is
    missing, the kind of model cannot be exported, or the cache cannot be written or read.
    """
    transformers, torch = import_transformers(), import_torch()
    import_package("onnx", install=INSTALL)
    import_package("onnxruntime", install=INSTALL)
    path = cache_path(checkpoint)
    if not path.exists():
        _export(checkpoint, load(), path)
    try:
        session = _session(path)
    except Exception as error:
        # A damaged export shows as bare exceptions of ONNX Runtime, one for each part that is damaged.
        if is_out_of_memory(error):
            raise
        raise EngineError(
            _(
                "The int8 export of %(checkpoint)s is damaged (%(reason)s). Delete %(path)s, and it will "
                "be created again."
            ),
            checkpoint=checkpoint.name,
            reason=first_line(error),
            path=path,
        ) from error
    with torch.device("meta"):
        config = transformers.AutoConfig.from_pretrained(checkpoint.folder)
        skeleton = transformers.AutoModelForTokenClassification.from_config(config)
    return Int8Model(skeleton, session)


def cache_path(checkpoint: Checkpoint) -> Path:
    """Where the export of a checkpoint's revision lies, made by the versions that are installed."""
    home = Path(import_package("huggingface_hub.constants").HF_HOME)
    made_by = "-".join(f"{name}-{version(name)}" for name in MADE_BY)
    return home / "translatio-int8" / f"{checkpoint.revision}-{made_by}.onnx"


def _export(checkpoint: Checkpoint, model: Any, path: Path) -> None:
    """Write `model` with int8 weights to `path`, whole or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Beside the file, since only within a file system is moving it one step.
        with tempfile.TemporaryDirectory(dir=path.parent, prefix="unfinished-") as name:
            exact, small = Path(name) / "fp32.onnx", Path(name) / "int8.onnx"
            _trace(model, exact)
            _check(model, exact, checkpoint)
            _quantize(exact, small)
            os.replace(small, path)
    except EngineError:
        raise
    except OSError as error:
        raise EngineError(
            _(
                "The int8 export of %(checkpoint)s cannot be written to %(parent)s: %(reason)s. It needs "
                "up to three times the checkpoint's size. Free some space, check the folder's "
                "permissions, or set HF_HOME to another folder or %(precision_variable)s=fp32."
            ),
            checkpoint=checkpoint.name,
            parent=path.parent,
            reason=error.strerror or str(error),
            precision_variable=PRECISION_VARIABLE,
        ) from error
    except Exception as error:
        # Tracing runs the model's own code, and shows its errors and those of three libraries.
        if is_out_of_memory(error):
            raise
        raise EngineError(
            _(
                "The checkpoint %(checkpoint)s, a %(model_type)s model, cannot be exported for int8 (%(reason)s). Set "
                "%(precision_variable)s=fp32."
            ),
            checkpoint=checkpoint.name,
            model_type=model.config.model_type,
            reason=first_line(error),
            precision_variable=PRECISION_VARIABLE,
        ) from error


def _trace(model: Any, path: Path) -> None:
    torch = import_torch()

    ids, mask = _sample(model, 2, 9)
    axes = {0: "rows", 1: "subwords"}
    with warnings.catch_warnings():
        # What tracing warns of is looked at in _check.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            model,
            # As a dictionary at the end, they are named: models do not take them in one order.
            ({"input_ids": ids, "attention_mask": mask},),
            str(path),
            input_names=["input_ids", "attention_mask"],
            output_names=["logits"],
            dynamic_axes={"input_ids": axes, "attention_mask": axes, "logits": axes},
            opset_version=17,
            # The newer exporter needs one package more, and ten times as long.
            dynamo=False,
        )


def _check(model: Any, path: Path, checkpoint: Checkpoint) -> None:
    """Raise EngineError unless the export gives the model's numbers for batches of other shapes than it was made of."""
    torch = import_torch()
    call = Int8Model(model, _session(path))
    for rows, width in ((1, 3), (3, 40)):
        ids, mask = _sample(model, rows, width)
        with torch.inference_mode():
            wanted = model(input_ids=ids, attention_mask=mask).logits[mask.bool()]
        found = call(input_ids=ids, attention_mask=mask).logits[mask.bool()]
        if not torch.allclose(found, wanted, rtol=0, atol=TOLERANCE * max(1.0, float(wanted.abs().max()))):
            raise EngineError(
                _(
                    "The checkpoint %(checkpoint)s, a %(model_type)s model, gives different numbers after "
                    "its export for int8. Set %(precision_variable)s=fp32."
                ),
                checkpoint=checkpoint.name,
                model_type=model.config.model_type,
                precision_variable=PRECISION_VARIABLE,
            )


def _sample(model: Any, rows: int, width: int) -> tuple[Any, Any]:
    """Drawn subwords and their mask; the last of several rows is padded."""
    torch = import_torch()
    draw = torch.Generator().manual_seed(rows)
    ids = torch.randint(0, model.config.vocab_size, (rows, width), generator=draw)
    mask = torch.ones_like(ids)
    if rows > 1:
        mask[-1, width // 2 :] = 0
    return ids, mask


def _quantize(exact: Path, small: Path) -> None:
    quantization = import_package("onnxruntime.quantization", install=INSTALL)
    quantization.quantize_dynamic(
        exact,
        small,
        # Tables of embeddings are only looked up: nothing would be faster.
        op_types_to_quantize=["MatMul"],
        per_channel=True,
        weight_type=quantization.QuantType.QInt8,
        # With the eighth bit, sums overflow on processors without instructions for int8 products.
        reduce_range=True,
    )


def _session(path: Path) -> Any:
    onnxruntime = import_package("onnxruntime", install=INSTALL)
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = import_torch().get_num_threads()
    # Errors are raised; its own lines on standard error say them twice.
    settings.log_severity_level = 4
    return onnxruntime.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])
