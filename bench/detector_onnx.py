"""What ONNX Runtime with int8 weights would bring on a CPU: the detector's own batches through both.

    pip install onnx onnxruntime
    python bench/detector_onnx.py --shared ../shared

Speed and, on random weights, how often labels agree; whether F1 holds takes a trained checkpoint.
"""

import argparse
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import onnxruntime
import torch
import transformers
from onnxruntime.quantization import QuantType, quantize_dynamic

from bench.detector_transformers import SIZES, machine, read
from mlworkers.engines.transformers_detector import TransformersDetector
from tests.engines.checkpoints import OWN_NAMES, make_checkpoint, make_tokenizer


class Logits(torch.nn.Module):
    """A model whose answer is a tensor, as the export wants it."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        load = transformers.AutoModelForTokenClassification.from_pretrained
        self.model = load(folder, attn_implementation="eager").eval()

    def forward(self, ids: Any, mask: Any) -> Any:
        return self.model(input_ids=ids, attention_mask=mask, return_dict=False)[0]


def quantized(folder: Path, scratch: Path) -> Any:
    """The checkpoint with int8 weights, callable as the detector calls its model."""
    ids = torch.randint(5, 100, (2, 9))
    axes = {0: "rows", 1: "pieces"}
    torch.onnx.export(
        Logits(folder),
        (ids, torch.ones_like(ids)),
        str(scratch / "model.onnx"),
        input_names=["ids", "mask"],
        output_names=["logits"],
        dynamic_axes={"ids": axes, "mask": axes, "logits": axes},
        opset_version=17,
        dynamo=False,
    )
    quantize_dynamic(scratch / "model.onnx", scratch / "int8.onnx", weight_type=QuantType.QInt8)
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = torch.get_num_threads()
    session = onnxruntime.InferenceSession(scratch / "int8.onnx", settings, providers=["CPUExecutionProvider"])

    def call(*, input_ids: Any, attention_mask: Any) -> Any:
        (logits,) = session.run(None, {"ids": input_ids.numpy(), "mask": attention_mask.numpy()})
        return SimpleNamespace(logits=torch.from_numpy(logits))

    return call


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--sentences", type=int, default=128)
    parser.add_argument("--size", default="base", choices=sorted(SIZES))
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    sentences = [list(tokens) for tokens in read(options.shared, options.sentences)]
    with tempfile.TemporaryDirectory() as folder_name:
        scratch = Path(folder_name)
        tokenizer = make_tokenizer("xlm-roberta", [" ".join(tokens) for tokens in sentences], pieces=8_000)
        sizes = SIZES[options.size] | {"initializer_range": 0.02}
        folder = make_checkpoint(
            scratch / "model", "xlm-roberta", names=OWN_NAMES, positions=512, tokenizer=tokenizer, **sizes
        )
        detector = TransformersDetector.load(str(folder), language="es", device="cpu", precision="fp32")
        models = {"fp32": detector._model.model, "int8": quantized(folder, scratch)}
        seconds: dict[str, list[float]] = {name: [] for name in models}
        found: dict[str, list[list[float]]] = {}
        for _ in range(options.rounds):
            for name, model in models.items():
                detector._model.model = model
                start = time.perf_counter()
                found[name] = detector.predict(sentences)
                seconds[name].append(time.perf_counter() - start)
    pairs = [
        (one >= detector.threshold, other >= detector.threshold)
        for rows in zip(*found.values(), strict=True)
        for one, other in zip(*rows, strict=True)
    ]
    print(machine("cpu"))
    print(", ".join(f"{name} {version(name)}" for name in ("torch", "transformers", "onnxruntime")))
    for name, times in seconds.items():
        print(f"{name}  {len(sentences) / min(times):8.1f} sentences/s   {[round(value, 2) for value in times]}")
    print(f"ratio {min(seconds['fp32']) / min(seconds['int8']):7.2f}")
    print(f"equal labels {100 * sum(one == other for one, other in pairs) / len(pairs):.2f} % of tokens")


if __name__ == "__main__":
    main()
