"""Training of checkpoints: what is learnt, which epoch is taken, how an interrupted one goes on, what is refused."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.formats.text.tagged import TaggedSentence, write_tagged
from mlworkers.engines.base import EngineError
from mlworkers.engines.evaluation.scores import evaluate_tagged
from mlworkers.engines.registry import load_detector
from tests.corpora import REPOSITORY
from tests.mlworkers.checkpoints import KINDS, NEEDS_EXTRA, make_checkpoint
from tests.mlworkers.toy import DEV, LABELLED, PLAIN, TRAIN, corpus, make_encoder

torch = pytest.importorskip("torch", reason=NEEDS_EXTRA)
transformers = pytest.importorskip("transformers", reason=NEEDS_EXTRA)

from mlworkers.engines import torch_runtime  # noqa: E402
from mlworkers.engines.checkpoints import content_hash  # noqa: E402
from mlworkers.engines.detectors.recipe import Recipe, steps  # noqa: E402
from mlworkers.engines.detectors.training_folder import TrainingFolder  # noqa: E402
from mlworkers.engines.detectors.training_loop import batches_of  # noqa: E402
from mlworkers.engines.detectors.transformers_training import TrainedTransformers, train_transformers  # noqa: E402

# Small random models learn with rates that would ruin a pretrained one.
QUICK = Recipe(epochs=4, learning_rate=3e-3)


@pytest.fixture(autouse=True)
def _calm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGINE_DEVICE", "cpu")
    monkeypatch.setattr(torch_runtime, "_models", type(torch_runtime._models)())


@pytest.fixture(scope="module")
def encoders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Encoders as they are pretrained: without a head that classifies tokens."""
    root = tmp_path_factory.mktemp("encoders")
    return {kind: make_encoder(root / kind, kind) for kind in KINDS}


@pytest.fixture
def encoder(encoders: dict[str, Path]) -> str:
    return str(encoders["bert"])


def f1(trained: TrainedTransformers) -> list[float]:
    return [epoch["f1"] for epoch in trained.settings["epochs"]]


def stop_at(step: int) -> Callable[[int, int], None]:
    def progress(done: int, total: int) -> None:
        if done == step:
            raise KeyboardInterrupt

    return progress


@pytest.mark.parametrize("kind", KINDS)
def test_it_learns_and_the_folder_is_a_detector_with_the_same_scores(
    encoders: dict[str, Path], kind: str, tmp_path: Path
) -> None:
    recipe = replace(QUICK, epochs=10)
    trained = train_transformers(str(encoders[kind]), "es", TRAIN, DEV, folder=tmp_path / "out", recipe=recipe)

    # Who labels every word has 42, who labels one in four by chance 27.
    assert trained.settings["dev"]["f1"] > 80
    detector = load_detector(f"transformers:{tmp_path / 'out'}", language="es", labels=["OTHER"])
    assert (detector.label, detector.revision) == ("METAPHOR", trained.revision)
    found = evaluate_tagged(detector, DEV).tokens
    assert {name: getattr(found, name) for name in ("precision", "recall", "f1")}.items() <= trained.settings[
        "dev"
    ].items()
    assert trained.detector("en").language == "en"
    assert not (tmp_path / "out" / "unfinished").exists()


def test_the_settings_say_what_was_done(encoder: str, tmp_path: Path) -> None:
    recipe = replace(QUICK, epochs=2)
    others = {"en": [TaggedSentence(("precios", "golpea"), ("O", "B-METAPHOR"))]}
    trained = train_transformers(
        encoder, "es", TRAIN, DEV, folder=tmp_path / "out", others=others, seed=7, recipe=recipe, provenance="own"
    )

    settings = json.loads((tmp_path / "out" / "training.json").read_text())
    assert settings == trained.settings
    assert settings["training"]["languages"] == ["es", "en"]
    assert settings["training"]["sentences"] == 61
    assert settings["training"]["tokens"] == sum(len(sentence.tokens) for sentence in TRAIN) + 2
    assert settings["training"]["provenance"] == "own"
    assert settings["training"]["versions"]["torch"] == torch.__version__
    assert settings["model"]["name"] == "bert" and settings["model"]["new_head"]
    assert settings["model"]["revision"] == content_hash(Path(encoder))
    assert (settings["seed"], settings["recipe"]["epochs"], settings["recipe"]["batch"]) == (7, 2, 8)
    assert [epoch["epoch"] for epoch in settings["epochs"]] == [1, 2]
    assert settings["dev"]["sentences"] == 30
    config = transformers.AutoConfig.from_pretrained(tmp_path / "out")
    assert config.id2label == {0: "O", 1: "B-METAPHOR", 2: "I-METAPHOR"}
    assert config.label2id == {"O": 0, "B-METAPHOR": 1, "I-METAPHOR": 2}


def test_the_best_epoch_is_kept(encoder: str, tmp_path: Path) -> None:
    # A new head labels most words. Here that is right, and what it learns, to label few of them, is wrong.
    dev = [replace(sentence, tags=("B-METAPHOR",) * len(sentence.tokens)) for sentence in DEV]
    recipe = Recipe(epochs=5, batch=20, learning_rate=3e-3)
    trained = train_transformers(encoder, "es", TRAIN, dev, folder=tmp_path / "out", recipe=recipe)

    found, best = f1(trained), trained.settings["chosen_epoch"]
    assert max(found) > found[-1], f"the last epoch is the best here, which proves nothing: {found}"
    assert best == max(range(1, 6), key=lambda epoch: (found[epoch - 1], epoch))
    assert trained.settings["dev"]["f1"] == evaluate_tagged(trained.detector(), dev).tokens.f1 == max(found)


def test_without_dev_the_last_epoch_is_taken(encoder: str, tmp_path: Path) -> None:
    short = replace(QUICK, epochs=5)
    trained = train_transformers(encoder, "es", TRAIN, folder=tmp_path / "out", recipe=short)
    measured = train_transformers(encoder, "es", TRAIN, DEV, folder=tmp_path / "measured", recipe=short)

    assert "dev" not in trained.settings and "f1" not in trained.settings["epochs"][0]
    assert trained.settings["chosen_epoch"] == measured.settings["chosen_epoch"] == 5
    weights = [(folder / "model.safetensors").read_bytes() for folder in (trained.folder, measured.folder)]
    assert weights[0] == weights[1], "measuring changes nothing"


@pytest.mark.parametrize("at", [9, 20])
def test_interrupted_it_goes_on_and_ends_the_same(encoder: str, tmp_path: Path, at: int) -> None:
    def train(folder: str, progress: Callable[[int, int], None]) -> TrainedTransformers:
        where = tmp_path / folder
        return train_transformers(encoder, "es", TRAIN, DEV, folder=where, seed=3, recipe=QUICK, progress=progress)

    whole = train("whole", lambda done, total: None)
    with pytest.raises(KeyboardInterrupt):
        train("stopped", stop_at(at))
    # Whatever was drawn since then does not matter.
    torch.rand(5)
    seen: list[tuple[int, int]] = []
    resumed = train("stopped", lambda done, total: seen.append((done, total)))

    # Eight steps an epoch: it goes on from the last whole one.
    assert seen[0] == (at // 8 * 8, 32)
    assert resumed.settings == whole.settings
    assert resumed.revision == whole.revision
    for name in ("model.safetensors", "training.json"):
        assert (whole.folder / name).read_bytes() == (resumed.folder / name).read_bytes()


KILLED = """
import os, signal, sys
from pathlib import Path
from annotator.formats.text.tagged import read_tagged
from mlworkers.engines.detectors.transformers_training import Recipe, train_transformers  # noqa: E402

def progress(done, total):
    if done == 12:
        os.kill(os.getpid(), signal.SIGKILL)

encoder, data, out = sys.argv[1:]
train_transformers(
    encoder, "es", read_tagged(data).sentences, folder=Path(out), recipe=Recipe(epochs=2), progress=progress
)
"""


def test_a_killed_process_leaves_what_another_one_goes_on_from(encoder: str, tmp_path: Path) -> None:
    data = tmp_path / "train.tsv"
    data.write_text(write_tagged(TRAIN), encoding="utf-8")
    recipe = Recipe(epochs=2)

    ended = subprocess.run(
        [sys.executable, "-c", KILLED, encoder, str(data), str(tmp_path / "killed")], cwd=REPOSITORY, check=False
    )
    seen: list[int] = []
    resumed = train_transformers(
        encoder, "es", TRAIN, folder=tmp_path / "killed", recipe=recipe, progress=lambda done, _: seen.append(done)
    )
    whole = train_transformers(encoder, "es", TRAIN, folder=tmp_path / "whole", recipe=recipe)

    assert ended.returncode == -signal.SIGKILL
    assert seen[0] == 8
    assert resumed.revision == whole.revision


def test_a_full_disk_is_told_and_costs_one_epoch(encoder: str, tmp_path: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)

    def fill_up(done: int, total: int) -> None:
        if done == 9:
            # Of any file only so much can be written from here on.
            resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, limits[1]))

    def train(folder: str, progress: Callable[[int, int], None]) -> TrainedTransformers:
        where = tmp_path / folder
        return train_transformers(encoder, "es", TRAIN, DEV, folder=where, recipe=QUICK, progress=progress)

    try:
        with pytest.raises(EngineError, match=r"state of the training cannot be written .* Free some space"):
            train("full", fill_up)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    seen: list[int] = []
    resumed = train("full", lambda done, total: seen.append(done))

    assert seen[0] == 8
    assert resumed.revision == train("whole", lambda done, total: None).revision


def test_stopped_while_the_result_is_put_in_place_it_is_put_there_next_time(
    encoder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def train(folder: str) -> TrainedTransformers:
        return train_transformers(encoder, "es", TRAIN, DEV, folder=tmp_path / folder, recipe=QUICK)

    moved: list[Path] = []

    def stop(source: Path, target: Path) -> None:
        if target.parent == tmp_path / "stopped":
            if moved:
                raise KeyboardInterrupt
            moved.append(target)
        replace_file(source, target)

    replace_file = os.replace
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", stop)
        with pytest.raises(KeyboardInterrupt):
            train("stopped")
    assert moved[0].is_file() and not (tmp_path / "stopped" / "training.json").exists()

    assert train("stopped").revision == train("whole").revision


def test_a_damaged_state_is_told(encoder: str, tmp_path: Path, half_trained: Callable[[Path], None]) -> None:
    half_trained(tmp_path / "out")
    state = tmp_path / "out" / "unfinished" / "state.pt"
    state.write_bytes(state.read_bytes()[:1000])
    with pytest.raises(EngineError, match=r"state of the training .* cannot be read: .* Delete"):
        train_transformers(encoder, "es", TRAIN, DEV, folder=tmp_path / "out", recipe=QUICK)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"train": TRAIN[1:]}, "other training sentences"),
        ({"dev": DEV[1:]}, "other development sentences"),
        ({"seed": 5}, "seed 0 instead of 5"),
        ({"recipe": replace(QUICK, batch=4)}, "batch 8 instead of 4"),
    ],
)
def test_a_folder_is_for_one_training(
    encoder: str, tmp_path: Path, change: dict[str, object], words: str, half_trained: Callable[[Path], None]
) -> None:
    given = {"train": TRAIN, "dev": DEV, "seed": 0, "recipe": QUICK} | change
    half_trained(tmp_path / "out")
    with pytest.raises(EngineError, match=rf"contains a training with {words}.*delete"):
        train_transformers(encoder, "es", folder=tmp_path / "out", **given)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def half_trained(encoders: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], None]:
    """Puts a training that ended after its first epoch into a folder."""

    made = tmp_path_factory.mktemp("half") / "out"
    with pytest.raises(KeyboardInterrupt):
        train_transformers(str(encoders["bert"]), "es", TRAIN, DEV, folder=made, recipe=QUICK, progress=stop_at(9))
    return lambda folder: shutil.copytree(made, folder)


def test_a_finished_training_is_returned_and_not_done_again(encoder: str, tmp_path: Path) -> None:
    short = replace(QUICK, epochs=1)
    first = train_transformers(encoder, "es", TRAIN, folder=tmp_path / "out", recipe=short)
    again = train_transformers(
        encoder, "es", TRAIN, folder=tmp_path / "out", recipe=short, progress=lambda done, total: pytest.fail("trained")
    )
    assert again == first
    with pytest.raises(EngineError, match="contains a training with seed 0 instead of 1"):
        train_transformers(encoder, "es", TRAIN, folder=tmp_path / "out", recipe=short, seed=1)


def test_what_fails_before_the_first_epoch_leaves_nothing(encoder: str, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        train_transformers(encoder, "es", TRAIN, folder=tmp_path / "new" / "out", recipe=QUICK, progress=stop_at(3))
    assert not (tmp_path / "new" / "out").exists()
    # So other settings can be tried there.
    train_transformers(encoder, "es", TRAIN, folder=tmp_path / "new" / "out", recipe=replace(QUICK, epochs=1))


def test_other_files_in_the_folder_are_not_touched(encoder: str, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="is not empty"):
        train_transformers(encoder, "es", TRAIN, folder=Path(encoder), recipe=QUICK)
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(EngineError, match="is not empty"):
        train_transformers(encoder, "es", TRAIN, folder=tmp_path, recipe=QUICK)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_one_process_trains_in_a_folder(encoder: str, tmp_path: Path) -> None:
    with TrainingFolder(tmp_path / "out", {}), pytest.raises(EngineError, match="Another process is training"):
        train_transformers(encoder, "es", TRAIN, folder=tmp_path / "out", recipe=QUICK)


def test_a_folder_that_cannot_be_written_is_named(encoder: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EngineError, match=r"file/out cannot be written to: Not a directory"):
        train_transformers(encoder, "es", TRAIN, folder=tmp_path / "file" / "out", recipe=QUICK)


def test_beginnings_and_insides_of_spans_are_told_apart(encoder: str, tmp_path: Path) -> None:
    # Of two labelled words in a row the second is inside the span.
    draw = random.Random(1)
    sentences = [
        TaggedSentence(
            (draw.choice(PLAIN), "golpea", "devora", draw.choice(PLAIN)), ("O", "B-METAPHOR", "I-METAPHOR", "O")
        )
        for _ in range(60)
    ]
    trained = train_transformers(encoder, "es", sentences, folder=tmp_path / "out", recipe=QUICK)

    model = transformers.AutoModelForTokenClassification.from_pretrained(trained.folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(trained.folder)
    encoded = tokenizer(["la", "golpea", "devora", "ola"], is_split_into_words=True, return_tensors="pt")
    with torch.no_grad():
        found = model(**encoded).logits[0].argmax(-1).tolist()
    assert [model.config.id2label[number] for number in found][1:-1] == ["O", "B-METAPHOR", "I-METAPHOR", "O"]


def test_progress_counts_every_step(encoder: str, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    recipe = replace(QUICK, epochs=2, batch=7)
    train_transformers(
        encoder, "es", TRAIN[:15], folder=tmp_path / "out", recipe=recipe, progress=lambda *step: seen.append(step)
    )
    assert seen == [(done, 6) for done in range(7)]
    assert steps(15, recipe) == 6


@given(st.lists(st.integers(1, 60), max_size=400), st.integers(1, 9), st.integers())
def test_an_epoch_has_every_sentence_once_beside_others_of_its_length(lengths: list[int], size: int, seed: int) -> None:
    batches = batches_of(lengths, size, random.Random(seed))

    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    assert len(batches) == steps(len(lengths), Recipe(epochs=1, batch=size))
    assert batches == batches_of(lengths, size, random.Random(seed))


def test_little_of_what_is_computed_is_padding() -> None:
    lengths = [random.Random(3 * number).randint(5, 40) for number in range(800)]
    epochs = [batches_of(lengths, 8, random.Random(seed)) for seed in (1, 2)]

    computed = sum(len(batch) * max(lengths[index] for index in batch) for batch in epochs[0])
    assert computed < 1.15 * sum(lengths)
    # Neither the batches nor what is in them is the same in the next epoch.
    first, second = ({frozenset(batch) for batch in epoch} for epoch in epochs)
    assert not first & second


def test_long_sentences_are_learnt_to_the_end_and_counted(encoder: str, tmp_path: Path) -> None:
    # What is labelled stands where training on the first 32 subwords would never come to.
    def long(draw: random.Random) -> TaggedSentence:
        tokens = [draw.choice(PLAIN) for _ in range(60)]
        for place in range(30, 60, 4):
            tokens[place] = draw.choice(LABELLED)
        return TaggedSentence(tuple(tokens), tuple("B-METAPHOR" if token in LABELLED else "O" for token in tokens))

    draw = random.Random(1)
    sentences = [long(draw) for _ in range(20)]
    endless = TaggedSentence(("ola", "golpea" * 12), ("O", "B-METAPHOR"))
    empty = TaggedSentence(("\u200b", "precios"), ("B-METAPHOR", "O"))
    recipe = replace(QUICK, epochs=15, length=32)
    trained = train_transformers(
        encoder, "es", [*sentences, endless, empty], DEV, folder=tmp_path / "out", recipe=recipe
    )

    assert trained.settings["training"]["met"] == {
        "sentences longer than the training length, learnt from in windows": 21,
        "tokens cut, longer than half the training length": 1,
        "tokens that the tokenizer made nothing of, not learnt from": 1,
    }
    assert trained.settings["dev"]["f1"] > 60


def test_a_head_for_these_labels_is_trained_on_and_any_other_replaced(encoder: str, tmp_path: Path) -> None:
    first = train_transformers(encoder, "es", TRAIN, DEV, folder=tmp_path / "first", recipe=QUICK)
    still = Recipe(epochs=1, learning_rate=1e-12)

    on = train_transformers(str(first.folder), "es", TRAIN, DEV, folder=tmp_path / "on", recipe=still)
    renamed = train_transformers(
        str(first.folder), "es", TRAIN, DEV, folder=tmp_path / "renamed", recipe=still, label="FIGURE"
    )

    assert not on.settings["model"]["new_head"]
    assert f1(on) == [first.settings["dev"]["f1"]]
    assert renamed.settings["model"]["new_head"]
    assert f1(renamed) != f1(on)
    head = make_checkpoint(tmp_path / "five", names={number: f"LABEL_{number}" for number in range(5)})
    smaller = train_transformers(str(head), "es", TRAIN, folder=tmp_path / "smaller", recipe=still)
    assert smaller.settings["model"]["new_head"]


def test_several_labels_need_a_name(encoder: str, tmp_path: Path) -> None:
    mixed = [*TRAIN[:20], *corpus(20, 4, "B-IDIOM"), *corpus(20, 5, "I-IDIOM")]
    short = replace(QUICK, epochs=1)
    with pytest.raises(EngineError, match=r"several labels \(IDIOM, METAPHOR\)"):
        train_transformers(encoder, "es", mixed, folder=tmp_path / "out", recipe=short)
    assert not (tmp_path / "out").exists()
    trained = train_transformers(encoder, "es", mixed, folder=tmp_path / "out", recipe=short, label="FIGURE")
    assert trained.detector().label == "FIGURE"
    assert trained.settings["training"]["labelled_tokens"] == sum(
        tag != "O" for sentence in mixed for tag in sentence.tags
    )


def test_nothing_to_learn_is_refused(encoder: str, tmp_path: Path) -> None:
    plain = [TaggedSentence(("no", "que"), ("O", "O"))]
    with pytest.raises(EngineError, match="None of the 1 training sentences has a label"):
        train_transformers(encoder, "es", plain, folder=tmp_path / "out")
    nothing = [TaggedSentence(("\u200b",), ("B-METAPHOR",)), TaggedSentence((), ())]
    with pytest.raises(EngineError, match="finds no subwords in any of the 2 training sentences"):
        train_transformers(encoder, "es", nothing, folder=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("recipe", "words"),
    [
        (Recipe(epochs=0), "epochs must be greater than 0"),
        (Recipe(batch=-1), "batch must be greater than 0"),
        (Recipe(learning_rate=0), "learning_rate must be greater than 0, not 0"),
        (Recipe(learning_rate=float("nan")), "learning_rate must be greater than 0, not nan"),
        (Recipe(warmup=6), "warm-up must be a share"),
        (Recipe(weight_decay=-1), "weight decay"),
        (Recipe(length=2), "length of 2 subwords leaves no room"),
    ],
)
def test_recipes_that_train_nothing_are_refused(encoder: str, tmp_path: Path, recipe: Recipe, words: str) -> None:
    with pytest.raises(EngineError, match=words):
        train_transformers(encoder, "es", TRAIN, folder=tmp_path / "out", recipe=recipe)
    assert not (tmp_path / "out").exists()


def test_models_that_cannot_be_trained_are_told_apart(encoder: str, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="does not exist"):
        train_transformers(str(tmp_path / "nowhere"), "es", TRAIN, folder=tmp_path / "out")
    with pytest.raises(EngineError, match="No model given"):
        train_transformers("", "es", TRAIN, folder=tmp_path / "out")

    slow = tmp_path / "slow"
    config = transformers.CanineConfig(
        hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32, num_hash_buckets=64
    )
    transformers.CanineModel(config).save_pretrained(slow)
    transformers.CanineTokenizer().save_pretrained(slow)
    with pytest.raises(EngineError, match=r"tokenizer of slow cannot say which word.*tokenizer\.json"):
        train_transformers(str(slow), "es", TRAIN, folder=tmp_path / "out")

    half = tmp_path / "half"
    model = transformers.BertModel.from_pretrained(encoder)
    kept = {name: value for name, value in model.state_dict().items() if "encoder.layer.1" not in name}
    model.save_pretrained(half, state_dict=kept)
    transformers.AutoTokenizer.from_pretrained(encoder).save_pretrained(half)
    with pytest.raises(EngineError, match=r"lacks the weights bert\.encoder\.layer\.1"):
        train_transformers(str(half), "es", TRAIN, folder=tmp_path / "out")

    (half / "model.safetensors").write_bytes(b"\0" * 100)
    with pytest.raises(EngineError, match="cannot be trained to classify tokens"):
        train_transformers(str(half), "es", TRAIN, folder=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_when_memory_does_not_suffice_it_says_what_to_make_smaller(
    encoder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: object, **more: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")

    monkeypatch.setattr(transformers.BertModel, "forward", full)
    with pytest.raises(EngineError, match=r"is not enough to train bert with 8 sentences.*smaller batch"):
        train_transformers(encoder, "es", TRAIN, folder=tmp_path / "out")


def test_a_rate_that_ruins_the_model_is_told(encoder: str, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"diverged in epoch 1.*learning rate below"):
        train_transformers(encoder, "es", TRAIN, folder=tmp_path / "out", recipe=Recipe(learning_rate=1e30, warmup=0.0))


def test_others_draw_the_same_numbers_whether_it_trains_or_not(encoder: str, tmp_path: Path) -> None:
    torch.manual_seed(1)
    expected = torch.rand(3)
    torch.manual_seed(1)
    train_transformers(encoder, "es", TRAIN[:8], folder=tmp_path / "out", recipe=replace(QUICK, epochs=1))
    assert torch.equal(torch.rand(3), expected)
