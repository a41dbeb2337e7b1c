"""Whatever text a project has, every engine gives a result of the right shape that harms no other sentence; and a
model hub that cannot be reached is said in words."""

from __future__ import annotations

import math
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mlworkers.engines.aligners.eflomal import MAX_WORDS, PROGRAM, TOO_LONG
from mlworkers.engines.base import Aligner, Detector, EngineError, Link, Noting, SentencePair
from mlworkers.engines.registry import load_aligner, load_detector
from mlworkers.engines.subwords import CUT_WORDS, WINDOWED, WITHOUT_SUBWORDS
from tests.mlworkers.checkpoints import KINDS, NEEDS_EXTRA, OWN_NAMES, TEXT, make_checkpoint
from tests.mlworkers.encoder import needs_encoder
from tests.mlworkers.odd import LONG, LONG_WORD, ODD
from tests.mlworkers.parallel import pairs

ON_TORCH = ("transformers", "simalign")

BEFORE, AFTER = (TEXT[number].split() for number in (0, 2))
SHORT = ["The", "wave", "hits"]
AROUND: list[SentencePair] = [(BEFORE, TEXT[1].split()), (AFTER, TEXT[3].split())]


@pytest.fixture(scope="module", autouse=True)
def _on_the_cpu() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENGINE_DEVICE", "cpu")
        patch.setenv("ENGINE_PRECISION", "fp32")
        yield


@pytest.fixture(scope="module", params=("crf", pytest.param("encoder", marks=needs_encoder), *KINDS))
def kind(request: pytest.FixtureRequest) -> str:
    """A shipped detector, or the kind of checkpoint: WordPiece, bytes, or SentencePiece."""
    return str(request.param)


@pytest.fixture(scope="module")
def detector(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Detector:
    if kind in ("crf", "encoder"):
        return load_detector(kind, language="es")
    folder = make_checkpoint(tmp_path_factory.mktemp("detector"), kind, names=OWN_NAMES)
    return load_detector(f"transformers:{folder}", language="es")


@pytest.fixture(
    scope="module",
    params=("lexical", "lexical without a table", "simalign bert", "simalign xlm-roberta by word", "eflomal"),
)
def aligner(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Aligner:
    name, _, which = request.param.partition(" ")
    if name == "simalign":
        kind, _, by_word = which.partition(" ")
        folder = make_checkpoint(tmp_path_factory.mktemp("aligner"), kind, num_hidden_layers=3)
        query = "?layer=2" + ("&token_type=word" if by_word else "")
        return load_aligner(f"simalign:{folder}{query}", source="es", target="en", corpus=[])
    if name == "eflomal":
        needs_eflomal()
    source, target = ("eu", "oc") if which else ("es", "en")
    return load_aligner(name, source=source, target=target, corpus=[*pairs() * 5, *AROUND])


def needs_eflomal() -> None:
    if not (shutil.which(PROGRAM) or (Path(sys.executable).parent / PROGRAM).exists()):
        pytest.skip(f"{PROGRAM} is not installed: pip install eflomal (GPL, needs a C compiler)")


def notes(engine: Detector | Aligner) -> dict[str, int]:
    return engine.notes() if isinstance(engine, Noting) else {}


@pytest.mark.parametrize("case", ODD)
def test_detectors_take_any_text(kind: str, detector: Detector, case: str) -> None:
    odd = ODD[case]
    batch = [BEFORE, odd, AFTER]

    found = detector.predict(batch)

    met = notes(detector)
    assert [len(row) for row in found] == [len(tokens) for tokens in batch]
    assert all(math.isfinite(number) and 0 <= number <= 1 for row in found for number in row)
    if kind == "crf":
        assert met == {}
    else:
        # What the tokenizer makes nothing of, and nothing else, has no probability; it is counted.
        assert met.pop(WITHOUT_SUBWORDS, 0) == found[1].count(0.0)
        expected = {LONG: {WINDOWED: 1}, LONG_WORD: {WINDOWED: 1, CUT_WORDS: 1}}
        # BERT's tokenizer takes a very long word for one unknown subword.
        assert met == ({} if (kind, case) == ("bert", LONG_WORD) else expected.get(case, {}))
    if case == LONG:
        # All of it again and alone would last longer than all other cases: a few windows tell as much.
        batch = [BEFORE, odd[:300], AFTER]
        found = [found[0], detector.predict(batch)[1], found[2]]
    assert detector.predict(batch) == found
    for tokens, row in zip(batch, found, strict=True):
        assert detector.predict([tokens])[0] == pytest.approx(row, abs=1e-4)


@pytest.mark.parametrize("case", ODD)
def test_aligners_take_any_text(aligner: Aligner, case: str) -> None:
    odd = ODD[case]
    # Two long sentences are pairs of their own in the tests of each aligner.
    between: list[SentencePair] = [(odd, SHORT), (SHORT, odd), *([] if case == LONG else [(odd, odd)])]
    batch = [AROUND[0], *between, AROUND[1]]

    found = aligner.align(batch)

    met = notes(aligner)
    assert len(found) == len(batch)
    for (left, right), links in zip(batch, found, strict=True):
        assert all(0 <= link.source < len(left) and 0 <= link.target < len(right) for link in links)
        assert places(links) == sorted(set(places(links)))
        assert all(0 <= link.score <= 1 for link in links)
    assert found[0] and found[-1]
    assert aligner.align(batch) == found
    for pair, links in zip(batch, found, strict=True):
        [alone] = aligner.align([pair])
        assert places(alone) == places(links)
        assert [link.score for link in alone] == pytest.approx([link.score for link in links], abs=1e-4)
    if case == LONG:
        expected = {"simalign": {WINDOWED: 2}, "eflomal": {TOO_LONG: 2}}.get(aligner.name, {})
        assert met == expected
        assert MAX_WORDS < 5_000
        assert all(found[1:-1]) or aligner.name == "eflomal"
    elif "ola" in odd and aligner.name != "eflomal":
        # A word among odd ones is linked, in a sentence with itself to itself (eflomal draws at random).
        word = odd.index("ola")
        assert (word, word) in places(found[3])


@pytest.mark.parametrize("kind", ["lexical", "eflomal"])
def test_any_text_can_be_learnt_from(kind: str) -> None:
    if kind == "eflomal":
        needs_eflomal()
    odd: list[SentencePair] = [(tokens, SHORT) for tokens in ODD.values()]
    odd += [(SHORT, tokens) for tokens, _ in odd]
    both = (ODD[LONG], ODD[LONG])
    aligner = load_aligner(kind, source="es", target="en", corpus=[both, *odd, *pairs() * 5])
    left, right = pairs()[0]
    [links] = aligner.align([(left, right)])
    assert {("niña", "girl"), ("come", "eats")} <= {(left[link.source], right[link.target]) for link in links}


def places(links: list[Link]) -> list[tuple[int, int]]:
    return [(link.source, link.target) for link in links]


def load(engine: str, folder: Path) -> Detector | Aligner:
    if engine == "simalign":
        return load_aligner(f"simalign:{folder}?layer=1", source="es", target="en", corpus=[])
    return load_detector(f"transformers:{folder}", language="es")


@pytest.mark.parametrize("engine", ON_TORCH)
def test_a_model_that_is_not_there_is_said(tmp_path: Path, engine: str) -> None:
    pytest.importorskip("transformers", reason=NEEDS_EXTRA)
    with pytest.raises(EngineError, match=r"has no config\.json.*save_pretrained"):
        load(engine, tmp_path)
    with pytest.raises(EngineError, match=r"nothing does not exist.*save_pretrained"):
        load(engine, tmp_path / "nothing")


@pytest.mark.parametrize("engine", ON_TORCH)
def test_a_model_that_does_not_fit_into_memory_is_said(
    tmp_path: Path, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_checkpoint(tmp_path / "giant", names=OWN_NAMES)
    import torch

    def to(*_given: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")

    monkeypatch.setattr(torch.nn.Module, "to", to)
    with pytest.raises(EngineError, match=r"giant\W* does not fit into the memory of cpu\. Use a smaller model"):
        load(engine, folder)


# The hub. Its client reads its address when it is imported, so each question is asked by a process of its own.

ASK = """
import sys
from mlworkers.engines.base import EngineError
from mlworkers.engines.registry import load_aligner, load_detector
try:
    if sys.argv[1] == "simalign":
        load_aligner("simalign:org/model@v1?layer=8", source="es", target="en", corpus=[])
    else:
        load_detector("transformers:org/model@v1", language="es")
except EngineError as error:
    print(error)
"""
HUBS = ("refuses", "is silent")


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], str]:
    """What each engine says of a hub where nobody listens, and of one that takes the call and says nothing."""
    pytest.importorskip("transformers", reason=NEEDS_EXTRA)
    inherited = {name: value for name, value in os.environ.items() if "PROXY" not in name.upper()}
    with socket.socket() as nobody, socket.socket() as silent:
        for one in (nobody, silent):
            one.bind(("127.0.0.1", 0))
        silent.listen()
        asked = {}
        for hub, one in zip(HUBS, (nobody, silent), strict=True):
            endpoint = f"http://127.0.0.1:{one.getsockname()[1]}"
            for engine in ON_TORCH:
                # All at once: what takes long is waiting.
                asked[hub, engine] = subprocess.Popen(
                    [sys.executable, "-c", ASK, engine],
                    env={**inherited, "HF_HOME": str(tmp_path_factory.mktemp("home")), "HF_ENDPOINT": endpoint},
                    stdout=subprocess.PIPE,
                    text=True,
                )
        return {question: process.communicate(timeout=120)[0] for question, process in asked.items()}


@pytest.mark.parametrize("hub", HUBS)
@pytest.mark.parametrize("engine", ON_TORCH)
def test_a_hub_that_cannot_be_reached_is_said(answers: dict[tuple[str, str], str], engine: str, hub: str) -> None:
    said = answers[hub, engine]
    assert "The folder “org/model” does not exist on this machine" in said
    assert "org/model@v1 is not in its cache" in said
    assert "the model hub could not be reached" in said
    assert "copy the checkpoint to a folder" in said
