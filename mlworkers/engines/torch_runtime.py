"""What the engines on torch share: device and precision, batches, out of memory, models that are kept.

torch, transformers and huggingface_hub come with the extra `transformers` and are imported inside the functions,
so that this module loads without them.
"""

import gc
import importlib
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from annotator.domain.messages import Message, message
from annotator.domain.messages import gettext_noop as _
from mlworkers.engines.base import EngineError

T = TypeVar("T")

INSTALL = "pip install -c constraints.txt -e '.[transformers]'"

# Padded tokens a batch. On a CPU, per thread, more only leaves the caches; int8 takes less room. On a GPU
# less leaves it idle.
CPU_BUDGET = 128
INT8_BUDGET = 256
GPU_BUDGET = 32_768

# Models that a process keeps: a project's two languages take turns.
KEPT_MODELS = 2

DEVICE_VARIABLE = "ENGINE_DEVICE"
PRECISION_VARIABLE = "ENGINE_PRECISION"
# What numbers are computed in; with int8 that is only the products, see detectors/int8.py.
PRECISIONS = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16", "int8": "float32"}
INT8 = "int8"
# At the end of the revisions of models that run in it.
INT8_MARK = f"+{INT8}"


@dataclass(frozen=True, slots=True)
class Device:
    """Where and how a model runs. `name` is torch's ("cpu", "cuda", "cuda:1"), `precision` a key of PRECISIONS."""

    name: str
    precision: str

    @property
    def dtype(self) -> Any:
        """The torch dtype of the model that is loaded."""
        return getattr(import_torch(), PRECISIONS[self.precision])

    @property
    def is_gpu(self) -> bool:
        """Whether batches travel to another memory."""
        return self.name != "cpu"

    @property
    def budget(self) -> int:
        """Padded tokens a batch to begin with."""
        if self.is_gpu:
            return GPU_BUDGET
        return (INT8_BUDGET if self.precision == INT8 else CPU_BUDGET) * int(import_torch().get_num_threads())


def import_torch() -> Any:
    """torch. Raises EngineError that says how to install it."""
    return import_package("torch")


def import_transformers() -> Any:
    """transformers, without its progress bars and advice. Raises EngineError that says how to install it."""
    import_torch()
    transformers = import_package("transformers")
    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()
    return transformers


def choose_device(device: str = "", precision: str = "", *, int8: bool = False) -> Device:
    """The device and precision asked for, else those of the environment (ENGINE_DEVICE, ENGINE_PRECISION), else the
    best: the first CUDA device with bf16, or fp16 where it has no bf16, or the CPU with fp32.

    `int8` says that the caller has a way of its own to int8; for all others that precision means fp32. Raises
    EngineError for a device that is not there, a precision that does not exist, and int8 on a GPU.
    """
    torch = import_torch()
    device = device or os.environ.get(DEVICE_VARIABLE, "") or ("cuda" if torch.cuda.is_available() else "cpu")
    kind, _colon, number = device.partition(":")
    if kind not in ("cpu", "cuda") or (number and not number.isdecimal()):
        raise EngineError(
            _("Unknown device “%(device)s”. Set %(device_variable)s to cpu, cuda or cuda:1."),
            device=device,
            device_variable=DEVICE_VARIABLE,
        )
    if kind == "cuda" and int(number or 0) >= torch.cuda.device_count():
        raise EngineError(
            _(
                "The device “%(device)s” was requested, but this process sees %(device_count)s CUDA "
                "devices. Install torch with CUDA and check the driver, or set %(device_variable)s=cpu."
            ),
            device=device,
            device_count=torch.cuda.device_count(),
            device_variable=DEVICE_VARIABLE,
        )
    precision = precision or os.environ.get(PRECISION_VARIABLE, "")
    if not precision:
        precision = "fp32" if kind == "cpu" else "bf16" if _computes_bf16(device) else "fp16"
    if precision not in PRECISIONS:
        raise EngineError(
            _("Unknown precision “%(precision)s”. Set %(precision_variable)s to one of: %(precisions)s."),
            precision=precision,
            precision_variable=PRECISION_VARIABLE,
            precisions=", ".join(PRECISIONS),
        )
    if precision == INT8 and kind != "cpu":
        raise EngineError(
            _(
                "The precision int8 is for CPUs, and the device is “%(device)s”. Set "
                "%(device_variable)s=cpu, or %(precision_variable)s to bf16, fp16 or fp32."
            ),
            device=device,
            device_variable=DEVICE_VARIABLE,
            precision_variable=PRECISION_VARIABLE,
        )
    if precision == INT8 and not int8:
        precision = "fp32"
    return Device(device, precision)


def _computes_bf16(device: str) -> bool:
    """Whether a CUDA device computes in bf16 itself: older ones are told to by torch, and are slow at it."""
    return bool(import_torch().cuda.get_device_capability(device) >= (8, 0))


# What lengths count where nobody says otherwise.
TOKENS = message(_("tokens of text"))


class Batches:
    """Cuts work into batches of similar length, and makes them smaller when memory runs out.

    `unit` is what lengths count, for messages.
    """

    def __init__(self, device: Device, budget: int | None = None, *, unit: Message = TOKENS) -> None:
        self.device = device
        self._unit = unit
        # Padded tokens a batch; halved for good when memory runs out.
        self.budget = budget or device.budget

    def run(self, lengths: Sequence[int], work: Callable[[list[int]], None]) -> None:
        """Call `work` with lists of indices into `lengths`, every index once, the longest first.

        A list's longest length times its size stays within the budget, unless it is a single one. When `work` runs
        out of memory the budget is halved and the same indices come again, in smaller lists, so `work` must not leave
        half of its results behind. Raises EngineError when memory does not even suffice for one.
        """
        waiting = sorted(range(len(lengths)), key=lambda index: -lengths[index])
        start = 0
        while start < len(waiting):
            longest = max(1, lengths[waiting[start]])
            batch = waiting[start : start + max(1, self.budget // longest)]
            if self._fits(work, batch):
                start += len(batch)
            elif len(batch) == 1:
                raise EngineError(
                    _(
                        "The memory of %(device)s is not enough for a single batch of %(longest)s %(unit)s. Use "
                        "a smaller model or a machine with more memory, or set %(device_variable)s=cpu."
                    ),
                    device=self.device.name,
                    longest=longest,
                    unit=self._unit,
                    device_variable=DEVICE_VARIABLE,
                )
            else:
                self.budget = max(1, len(batch) * longest // 2)
                free_memory()

    def _fits(self, work: Callable[[list[int]], None], batch: list[int]) -> bool:
        # The error holds on to the tensors of the failed batch: it must be gone before memory is freed.
        try:
            work(batch)
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            return False
        return True


def is_out_of_memory(error: BaseException) -> bool:
    """Whether torch, ONNX Runtime or Python says that memory ran out."""
    if isinstance(error, (MemoryError, import_torch().OutOfMemoryError)):
        return True
    text = str(error).lower()
    signs = (
        "out of memory",
        "not enough memory",
        "can't allocate memory",
        "cublas_status_alloc_failed",
        # ONNX Runtime's.
        "failed to allocate memory",
        "bad_alloc",
    )
    return any(sign in text for sign in signs)


def free_memory() -> None:
    """Give memory back that nothing uses any more."""
    gc.collect()
    torch = import_torch()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


_models: OrderedDict[Hashable, Any] = OrderedDict()
_models_lock = threading.RLock()


def shared(key: Hashable, load: Callable[[], T]) -> T:
    """What `load` returned for this key, in this process, for as long as it is among the last two used.

    The key must say everything that decides about the model: its kind, source, revision and device.
    """
    with _models_lock:
        if key not in _models:
            while len(_models) >= KEPT_MODELS:
                _models.popitem(last=False)
                free_memory()
            _models[key] = load()
        _models.move_to_end(key)
        found: T = _models[key]
        return found


def first_line(error: BaseException) -> str:
    """The first line of what an exception says, without a full stop; its type when it says nothing."""
    text = str(error).strip().split("\n")[0].rstrip(".")
    return text or type(error).__name__


def import_package(name: str, *, install: str = INSTALL) -> Any:
    """The module `name`. Raises EngineError that says with `install` how to get it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise EngineError(
            _(
                "This engine needs the package %(name)s, which is not installed. Run this on the worker's "
                "machine: %(install)s"
            ),
            name=error.name or name,
            install=install,
        ) from error
