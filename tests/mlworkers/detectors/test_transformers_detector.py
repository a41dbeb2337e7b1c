"""The same numbers as transformers directly, whatever the text; and clear words where something is wrong."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mlworkers.engines.base import EngineError
from mlworkers.engines.registry import load_detector
from tests.mlworkers.checkpoints import HITZ_MAP, KINDS, NEEDS_EXTRA, OWN_NAMES, TEXT, make_checkpoint

torch = pytest.importorskip("torch", reason=NEEDS_EXTRA)
transformers = pytest.importorskip("transformers", reason=NEEDS_EXTRA)

from mlworkers.engines import torch_runtime  # noqa: E402
from mlworkers.engines.detectors import transformers_detector  # noqa: E402
from mlworkers.engines.detectors.transformers_detector import TransformersDetector  # noqa: E402
from mlworkers.engines.subwords import CUT_WORDS, WINDOWED, WITHOUT_SUBWORDS  # noqa: E402
from mlworkers.engines.windows import windows  # noqa: E402

SENTENCES = [line.split() for line in TEXT]
ODD = [
    ["La", "\u0301\u0308", "ola"],  # a token of combining marks only
    ["cafe\u0301", "\u0301"],
    ["😀", "👩‍👩‍👧", "🇪🇸", "golpea"],
    ["הגל", "הכה", "את", "המשפחות"],
    ["العائلات", "\u200f", "تضررت"],
    ["\u200b", "ola", "\ufeff", "\u00ad"],
    ["ola"],
    [],
    ["<s>", "[SEP]", "</s>", "[PAD]", "ola"],
    ["漢字かな交じり文", "ﬁn", "Ａ１", "ñandú"],
]


@pytest.fixture(autouse=True)
def _calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reference and engine on the CPU in fp32; no model of another test is kept."""
    monkeypatch.setenv("ENGINE_DEVICE", "cpu")
    monkeypatch.setattr(torch_runtime, "_models", type(torch_runtime._models)())


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {kind: make_checkpoint(tmp_path_factory.mktemp(kind) / kind, kind, names=OWN_NAMES) for kind in KINDS}


def load(folder: Path, **more: Any) -> TransformersDetector:
    return TransformersDetector.load(str(folder), language="es", **more)


class Direct:
    """The checkpoint run with transformers directly, one sentence at a time."""

    def __init__(self, folder: Path) -> None:
        self.model = transformers.AutoModelForTokenClassification.from_pretrained(folder).eval()
        more = {"add_prefix_space": True} if self.model.config.model_type == "roberta" else {}
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **more)
        self.outside = next(number for number, name in self.model.config.id2label.items() if name == "O")

    def begins(self, tokens: Sequence[str]) -> list[bool]:
        """Whether B (class 1) is likelier than I (class 2), at each word's first subword."""
        encoded = self.tokenizer(list(tokens), is_split_into_words=True, return_tensors="pt")
        with torch.no_grad():
            logits = self.model(**encoded).logits[0]
        words = encoded.word_ids(0)
        return [bool(logits[words.index(word), 1] > logits[words.index(word), 2]) for word in range(len(tokens))]

    def probabilities(self, tokens: Sequence[str]) -> list[float]:
        found = [0.0] * len(tokens)
        if not tokens:
            return found
        encoded = self.tokenizer(list(tokens), is_split_into_words=True, return_tensors="pt")
        with torch.no_grad():
            numbers = self.model(**encoded).logits[0].softmax(-1)
        words = encoded.word_ids(0)
        for subword, word in enumerate(words):
            if word is not None and word not in words[:subword]:
                found[word] = 1 - float(numbers[subword, self.outside])
        return found


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_numbers_as_transformers_directly(checkpoints: dict[str, Path], kind: str) -> None:
    direct, detector = Direct(checkpoints[kind]), load(checkpoints[kind])
    sentences = [*SENTENCES, *ODD, *(left + right for left, right in zip(SENTENCES, reversed(SENTENCES), strict=True))]

    found = detector.predict(sentences)

    expected = [direct.probabilities(tokens) for tokens in sentences]
    assert [len(row) for row in found] == [len(tokens) for tokens in sentences]
    for row, wanted in zip(found, expected, strict=True):
        assert row == pytest.approx(wanted, abs=1e-4)
    spread = [number for row in found for number in row if number]
    assert max(spread) - min(spread) > 0.3, "random weights that say the same of every word prove nothing"
    labels = [[number >= detector.threshold for number in row] for row in found]
    assert labels == [[number >= 0.5 for number in row] for row in expected]


@pytest.mark.parametrize("kind", KINDS)
def test_batches_do_not_matter(checkpoints: dict[str, Path], kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    detector = load(checkpoints[kind])
    together = detector.predict(SENTENCES + ODD)
    monkeypatch.setattr(transformers_detector, "BLOCK", 3)
    monkeypatch.setattr(detector._model.batches, "budget", 1)
    alone = detector.predict(SENTENCES + ODD)
    for row, wanted in zip(alone, together, strict=True):
        assert row == pytest.approx(wanted, abs=1e-5)
    assert detector.predict([]) == []


def test_tokens_without_subwords_get_zero_and_are_counted(checkpoints: dict[str, Path]) -> None:
    detector = load(checkpoints["bert"])
    # BERT's normalisation takes control and format characters away.
    assert detector.predict([["ola", "\u200b", "\u200f"], ["\ufeff"]])[1] == [0.0]
    assert detector.notes() == {WITHOUT_SUBWORDS: 3}
    row = detector.predict([["ola", "\u200b", "pozo"]])[0]
    assert row[1] == 0.0
    assert row[0] > 0 < row[2]
    assert detector.notes() == {WITHOUT_SUBWORDS: 1}, "notes are of the last call"
    detector.predict(SENTENCES)
    assert detector.notes() == {}


@pytest.mark.parametrize("kind", KINDS)
def test_a_sentence_that_just_fits_is_the_same_with_and_without_windows(tmp_path: Path, kind: str) -> None:
    tokens = [word for sentence in SENTENCES for word in sentence]
    wide = make_checkpoint(tmp_path / "wide", kind, names=OWN_NAMES, positions=512)
    expected = Direct(wide).probabilities(tokens)
    length = len(Direct(wide).tokenizer(tokens, is_split_into_words=True)["input_ids"])

    just, short = (
        load(_narrowed(wide, tmp_path / "just", length)),
        load(_narrowed(wide, tmp_path / "short", length - 1)),
    )

    assert just.predict([tokens])[0] == pytest.approx(expected, abs=1e-4)
    assert just.notes() == {}
    assert short.predict([tokens])[0] != pytest.approx(expected, abs=1e-4)
    assert short.notes() == {WINDOWED: 1}


@pytest.mark.parametrize("kind", KINDS)
def test_beyond_the_window_each_word_comes_from_the_window_with_most_context(tmp_path: Path, kind: str) -> None:
    wide = make_checkpoint(tmp_path / "wide", kind, names=OWN_NAMES, positions=512)
    narrow = load(_narrowed(wide, tmp_path / "narrow", 48))
    direct = Direct(wide)
    tokens = [word for sentence in SENTENCES for word in sentence]
    counts = [
        len(direct.tokenizer([word], is_split_into_words=True, add_special_tokens=False)["input_ids"])
        for word in tokens
    ]

    found = narrow.predict([tokens])[0]

    parts = windows(counts, 46)
    assert len(parts) > 3
    for part in parts:
        alone = direct.probabilities(tokens[part.first : part.last])
        for word in part.keep:
            assert found[word] == pytest.approx(alone[word - part.first], abs=1e-4)


def test_where_context_does_not_matter_windows_change_nothing(tmp_path: Path) -> None:
    wide = make_checkpoint(tmp_path / "wide", "bert", names=OWN_NAMES, positions=512)
    model = transformers.AutoModelForTokenClassification.from_pretrained(wide)
    with torch.no_grad():
        model.bert.embeddings.position_embeddings.weight.zero_()
        for layer in model.bert.encoder.layer:
            layer.attention.output.dense.weight.zero_()
    model.save_pretrained(wide)
    tokens = [word for sentence in SENTENCES for word in sentence]
    expected = load(wide).predict([tokens])[0]
    for window in (8, 13, 32, 65):
        narrow = load(_narrowed(wide, tmp_path / str(window), window))
        assert narrow.predict([tokens, tokens[:3]])[0] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("kind", ["roberta", "xlm-roberta"])
def test_a_word_longer_than_the_window_leaves_room_for_its_neighbours(checkpoints: dict[str, Path], kind: str) -> None:
    detector, giant = load(checkpoints[kind]), "ola2020" * 200
    row = detector.predict([["La", giant, "golpea", giant, giant]])[0]
    assert all(0 < number < 1 for number in row)
    assert detector.notes() == {WINDOWED: 1, CUT_WORDS: 3}
    assert all(0 < number < 1 for number in detector.predict([[giant]])[0])


# Label maps


def test_a_map_gives_published_checkpoints_their_labels(tmp_path: Path) -> None:
    named = make_checkpoint(tmp_path / "named", names={0: "B-METAPHOR", 1: "I-METAPHOR", 2: "O"})
    bare = make_checkpoint(tmp_path / "bare")
    by_map = load_detector(f"transformers:{bare}:{HITZ_MAP}", language="es")
    by_name = load_detector(f"transformers:{named}", language="es")
    assert (by_map.label, by_map.language, by_map.name) == ("METAPHOR", "es", "transformers:bare")
    assert by_map.predict(SENTENCES) == by_name.predict(SENTENCES)
    turned = load_detector(f"transformers:{bare}:LABEL_0=O,LABEL_1=B-X,LABEL_2=I-X", language="es")
    assert turned.label == "X"
    assert turned.predict(SENTENCES) != by_map.predict(SENTENCES)


def test_presets_say_what_the_published_labels_mean() -> None:
    assert sorted(transformers_detector.PRESETS) == [
        "deberta-large-metaphor-detection-en",
        "mdeberta-base-metaphor-detection-es",
        "xlm-roberta-large-metaphor-detection-es",
    ]
    for name, preset in transformers_detector.PRESETS.items():
        assert preset.hub_id == f"HiTZ/{name}"
        assert preset.label_map == {"LABEL_0": "B-METAPHOR", "LABEL_1": "I-METAPHOR", "LABEL_2": "O"}


@pytest.mark.parametrize(
    ("label_map", "says"),
    [
        ("LABEL_0=B-METAPHOR,LABEL_1=O", "LABEL_0=B-METAPHOR,LABEL_1=O"),
        (HITZ_MAP + ",LABEL_3=O", "LABEL_3=O"),
        ("B=B-METAPHOR,I=I-METAPHOR,O=O", "B=B-METAPHOR"),
        ("LABEL_0=B-METAPHOR,LABEL_1=I-METAPHOR,LABEL_2=I-METAPHOR", "which one is O"),
        ("LABEL_0=O,LABEL_1=O,LABEL_2=O", "no label at all"),
    ],
)
def test_a_map_that_does_not_fit_is_named_with_the_checkpoint(tmp_path: Path, label_map: str, says: str) -> None:
    folder = make_checkpoint(tmp_path / "bare")
    with pytest.raises(EngineError) as error:
        load_detector(f"transformers:{folder}:{label_map}", language="es")
    assert says in str(error.value)
    assert "bare" in str(error.value)
    assert "0 = LABEL_0, 1 = LABEL_1, 2 = LABEL_2" in str(error.value)


@pytest.mark.parametrize("label_map", ["LABEL_0=B-METAPHOR,LABEL_1", "LABEL_0=O,LABEL_0=O", "=O", "LABEL_0="])
def test_a_map_that_cannot_be_read_is_quoted(tmp_path: Path, label_map: str) -> None:
    folder = make_checkpoint(tmp_path / "bare")
    with pytest.raises(EngineError, match="cannot be read") as error:
        load_detector(f"transformers:{folder}:{label_map}", language="es")
    assert label_map in str(error.value)


def test_labels_without_names_need_a_map(tmp_path: Path) -> None:
    folder = make_checkpoint(tmp_path / "bare")
    with pytest.raises(EngineError, match=r"which one is O.*LABEL_0=B-NAME,LABEL_1=B-NAME,LABEL_2=O"):
        load(folder)


def test_the_project_decides_between_labels(tmp_path: Path) -> None:
    names = {0: "O", 1: "B-LOC", 2: "I-LOC", 3: "B-PER", 4: "METAPHOR"}
    folder = make_checkpoint(tmp_path / "many", names=names)
    places = load(folder, labels=("LOC", "OTHER"))
    assert places.label == "LOC"
    metaphors = load(folder, labels=("METAPHOR",))
    people = load(folder, labels=("PER",))
    outside = [
        1 - sum(numbers)
        for numbers in zip(*(one.predict(SENTENCES[:1])[0] for one in (places, metaphors, people)), strict=True)
    ]
    assert outside == pytest.approx([1 - number for number in Direct(folder).probabilities(SENTENCES[0])], abs=1e-4)
    for labels in ((), ("LOC", "PER"), ("METONYMY",)):
        with pytest.raises(EngineError, match="LOC, METAPHOR, PER"):
            load(folder, labels=labels)


@pytest.mark.parametrize(
    ("names", "marks"),
    [
        (OWN_NAMES, None),
        ({0: "O", 1: "B-METAPHOR", 2: "O-BUT-B"}, "B"),
        ({0: "O", 1: "METAPHOR", 2: "OTHER"}, "I"),
    ],
)
def test_the_likelier_of_b_and_i_says_where_a_label_begins(
    tmp_path: Path, names: dict[int, str], marks: str | None
) -> None:
    """A model that knows only B begins at every word; one without BIO never says so."""
    folder = make_checkpoint(tmp_path / "bio", names=names)
    detector = load(folder, labels=("METAPHOR",))
    direct = Direct(folder)

    rows, found = detector.predict_tags(SENTENCES)

    assert rows == detector.predict(SENTENCES)
    if marks is not None:
        assert {mark for row in found for mark in row} == {marks}
        return
    assert found == [["B" if begins else "I" for begins in direct.begins(tokens)] for tokens in SENTENCES]
    assert {mark for row in found for mark in row} == {"B", "I"}


# Revisions, and one model for all


def test_a_folder_s_revision_is_its_content(tmp_path: Path) -> None:
    first = make_checkpoint(tmp_path / "first", names=OWN_NAMES)
    shutil.copytree(first, tmp_path / "copy")
    other = make_checkpoint(tmp_path / "other", names=OWN_NAMES, seed=1)
    assert load(first).revision == load(tmp_path / "copy").revision
    assert load(other).revision != load(first).revision


def test_a_model_is_loaded_once_and_again_when_it_changed(tmp_path: Path) -> None:
    folder = make_checkpoint(tmp_path / "model", names=OWN_NAMES)
    first, second = load(folder), load(folder, labels=("METAPHOR",))
    assert first is not second
    assert first._model is second._model
    make_checkpoint(folder, names=OWN_NAMES, seed=1)
    third = load(folder)
    assert third._model is not first._model
    assert third.revision != first.revision
    assert third.predict(SENTENCES) != first.predict(SENTENCES)


# Faults


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="does not exist"):
        load(tmp_path / "nothing")
    with pytest.raises(EngineError, match=r"has no config\.json"):
        load(tmp_path)


def test_no_checkpoint_named() -> None:
    with pytest.raises(EngineError, match="deberta-large-metaphor-detection-en"):
        load_detector("transformers:", language="en")


def test_a_model_without_a_head_for_tokens_is_refused(tmp_path: Path) -> None:
    folder = make_checkpoint(tmp_path / "masked", head="MaskedLM", names=OWN_NAMES)
    with pytest.raises(EngineError, match=r"does not classify tokens.*classifier"):
        load(folder)


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "tokenizer.json"])
def test_a_damaged_file_is_told_as_one(tmp_path: Path, name: str) -> None:
    folder = make_checkpoint(tmp_path / "damaged", names=OWN_NAMES)
    content = (folder / name).read_bytes()
    (folder / name).write_bytes(content[: len(content) // 2])
    with pytest.raises(EngineError, match="cannot be loaded"):
        load(folder)


def test_weights_that_are_no_numbers_are_told(tmp_path: Path) -> None:
    folder = make_checkpoint(tmp_path / "nan", names=OWN_NAMES)
    model = transformers.AutoModelForTokenClassification.from_pretrained(folder)
    with torch.no_grad():
        model.classifier.weight.fill_(float("nan"))
    model.save_pretrained(folder)
    with pytest.raises(EngineError, match="gives invalid numbers in fp32"):
        load(folder).predict(SENTENCES)


@pytest.mark.parametrize("kind", ["bert", "deberta-v2"])
@pytest.mark.parametrize("how", ["cuda", "cpu"])
def test_when_memory_runs_out_batches_get_smaller(
    checkpoints: dict[str, Path], kind: str, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    detector = load(checkpoints[kind])
    expected = detector.predict(SENTENCES * 10)
    _cramp(detector, monkeypatch, how, tokens=150)
    monkeypatch.setattr(detector._model.batches, "budget", 2_048)

    found = detector.predict(SENTENCES * 10)

    for row, wanted in zip(found, expected, strict=True):
        assert row == pytest.approx(wanted, abs=1e-5)
    assert detector._model.batches.budget <= 150, "the next chunk does not run out again"


def test_memory_for_not_even_one_sentence_is_told(
    checkpoints: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    detector = load(checkpoints["bert"])
    _cramp(detector, monkeypatch, "cuda", tokens=3)
    with pytest.raises(EngineError, match=r"is not enough.*\d+ tokens"):
        detector.predict(SENTENCES)


def test_other_errors_of_the_model_are_not_taken_for_a_lack_of_memory(
    checkpoints: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    detector = load(checkpoints["bert"])

    def broken(**_inputs: Any) -> None:
        raise RuntimeError("expected scalar type Float but found Half")

    monkeypatch.setattr(detector._model, "model", broken)
    with pytest.raises(RuntimeError, match="Half"):
        detector.predict(SENTENCES)


def _cramp(detector: TransformersDetector, monkeypatch: pytest.MonkeyPatch, how: str, *, tokens: int) -> None:
    """Let the model run out of memory for batches of more than `tokens`, as a GPU or a CPU says it."""
    model = detector._model.model

    def forward(*, input_ids: Any, **more: Any) -> Any:
        if input_ids.numel() > tokens:
            if how == "cuda":
                raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes.")
        return model(input_ids=input_ids, **more)

    monkeypatch.setattr(detector._model, "model", forward)


def _narrowed(folder: Path, to: Path, window: int) -> Path:
    """The same checkpoint, whose tokenizer says that the model takes `window` subwords."""
    shutil.copytree(folder, to)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    tokenizer.model_max_length = window
    tokenizer.save_pretrained(to)
    return to
