"""The same links as the simalign package, which runs one pair at a time; and clear words where something is wrong."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.formats.text.tagged import read_tagged
from mlworkers.engines.base import EngineError, SentencePair
from mlworkers.engines.registry import load_aligner
from tests.corpora import META4XNLI, needs_meta4xnli
from tests.mlworkers.checkpoints import KINDS, NEEDS_EXTRA, TEXT, make_checkpoint, make_tokenizer
from tests.mlworkers.parallel import everyday
from tests.mlworkers.parallel import pairs as own_pairs

torch = pytest.importorskip("torch", reason=NEEDS_EXTRA)
transformers = pytest.importorskip("transformers", reason=NEEDS_EXTRA)
simalign = pytest.importorskip("simalign", reason=NEEDS_EXTRA)

from mlworkers.engines import torch_runtime  # noqa: E402
from mlworkers.engines.aligners.simalign import aligner as simalign_aligner  # noqa: E402
from mlworkers.engines.aligners.simalign.aligner import Settings, SimAligner  # noqa: E402
from mlworkers.engines.aligners.simalign.similarity_matching import METHODS, hide_padding, match  # noqa: E402
from mlworkers.engines.subwords import WINDOWED, WITHOUT_SUBWORDS  # noqa: E402

# Small enough weights for embeddings that keep their words apart through many layers.
SIZES = {"num_hidden_layers": 10, "hidden_size": 64, "initializer_range": 0.05}

# The package names each method by a letter.
LETTERS = {"inter": "a", "itermax": "i", "mwmf": "m", "fwd": "f", "rev": "r"}
TOKEN_TYPES = ("bpe", "word")

Pairs = Sequence[SentencePair]
Links = list[tuple[int, int]]


@pytest.fixture(autouse=True)
def _calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reference and engine on the CPU in fp32; no model of another test is kept."""
    monkeypatch.setenv("ENGINE_DEVICE", "cpu")
    monkeypatch.setattr(torch_runtime, "_models", type(torch_runtime._models)())


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A checkpoint a kind, with ten layers, so that the usual layer 8 is not the last."""
    text = [" ".join(side) for pair in own_pairs() for side in pair] + TEXT
    found = {}
    for kind in KINDS:
        tokenizer = make_tokenizer(kind, text)
        # As published checkpoints of this kind are saved that classify words.
        if kind == "roberta":
            tokenizer = type(tokenizer)(vocab=_vocabulary(tokenizer), merges=_merges(tokenizer), add_prefix_space=True)
        folder = tmp_path_factory.mktemp(kind) / kind
        found[kind] = make_checkpoint(folder, kind, tokenizer=tokenizer, **SIZES)
    return found


def _vocabulary(tokenizer: Any) -> dict[str, int]:
    found: dict[str, int] = tokenizer.get_vocab()
    return found


def _merges(tokenizer: Any) -> list[tuple[str, str]]:
    import json

    return [tuple(merge) for merge in json.loads(tokenizer.backend_tokenizer.to_str())["model"]["merges"]]


def load(folder: Path, **chosen: Any) -> SimAligner:
    query = "&".join(f"{name}={value}" for name, value in chosen.items())
    return SimAligner.load(f"simalign:{folder}" + (f"?{query}" if query else ""))


def reference(
    folder: Path, pairs: Pairs, *, token_type: str, distortion: float = 0.0, layer: int = 8, double: bool = False
) -> dict[str, list[Links]]:
    """The package's links by method, pair after pair; with `double` from embeddings in double precision."""
    package = simalign.SentenceAligner(
        model=str(folder),
        token_type=token_type,
        distortion=distortion,
        matching_methods="".join(LETTERS.values()),
        layer=layer,
    )
    if double:
        package.embed_loader.emb_model.double()
    found = [package.get_word_aligns(list(left), list(right)) for left, right in pairs]
    return {method: [one[method] for one in found] for method in METHODS}


def plain(links: Iterable[Any]) -> list[Links]:
    return [[(link.source, link.target) for link in one] for one in links]


def corpus_pairs(count: int) -> tuple[list[str], list[SentencePair]]:
    """Text to train a tokenizer on, and every so-many-th pair of the published corpus."""
    root = META4XNLI / "detection" / "source_datasets"
    sides = [
        [
            sentence.tokens
            for name in ("prem", "hyp")
            for sentence in read_tagged(root / code / f"xnli_dev_{name}.tsv").sentences
        ]
        for code in ("es", "en")
    ]
    pairs = list(zip(*sides, strict=True))
    return [" ".join(tokens) for side in sides for tokens in side], pairs[:: len(pairs) // count][:count]


@needs_meta4xnli
@pytest.mark.parametrize("token_type", TOKEN_TYPES)
def test_the_links_of_the_package_on_500_real_pairs(tmp_path: Path, token_type: str) -> None:
    text, pairs = corpus_pairs(500)
    tokenizer = make_tokenizer("bert", text, 20_000)
    folder = make_checkpoint(tmp_path / "model", tokenizer=tokenizer, **SIZES)
    expected = reference(folder, pairs, token_type=token_type)
    for method in METHODS:
        found = plain(load(folder, method=method, token_type=token_type).align(pairs))
        assert len(found) == 500
        differs = [index for index, links in enumerate(found) if links != expected[method][index]]
        # Where two similarities differ by less than single precision can tell, the order of sums decides.
        assert len(differs) <= 2
        exact = reference(folder, [pairs[index] for index in differs], token_type=token_type, double=True)[method]
        assert [found[index] for index in differs] == exact


@pytest.mark.parametrize("token_type", TOKEN_TYPES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_links_of_the_package_for_every_kind_of_model(folders: dict[str, Path], kind: str, token_type: str) -> None:
    pairs = own_pairs()
    expected = reference(folders[kind], pairs, token_type=token_type)
    for method in METHODS:
        assert plain(load(folders[kind], method=method, token_type=token_type).align(pairs)) == expected[method]


@pytest.mark.parametrize(("source", "target"), [("ca", "en"), ("eu", "es")])
def test_the_links_of_the_package_in_other_languages(folders: dict[str, Path], source: str, target: str) -> None:
    pairs = everyday(source, target)
    aligner = load_aligner(f"simalign:{folders['xlm-roberta']}", source=source, target=target, corpus=[])
    found = aligner.align(pairs)
    assert plain(found) == reference(folders["xlm-roberta"], pairs, token_type="bpe")["itermax"]
    assert all(found)


@pytest.mark.parametrize("layer", [0, 1, 9, 10])
def test_the_links_of_the_package_at_other_layers(folders: dict[str, Path], layer: int) -> None:
    expected = reference(folders["bert"], own_pairs(), token_type="word", layer=layer)
    found = plain(load(folders["bert"], layer=layer, token_type="word").align(own_pairs()))
    assert found == expected["itermax"]


@pytest.mark.parametrize("token_type", TOKEN_TYPES)
def test_the_links_of_the_package_with_distortion(folders: dict[str, Path], token_type: str) -> None:
    pairs = [*own_pairs(), (["ola"], ["wave", "of"]), (["La", "ola"], ["wave"])]
    expected = reference(folders["bert"], pairs, token_type=token_type, distortion=0.5)
    for method in METHODS:
        aligner = load(folders["bert"], method=method, token_type=token_type, distortion=0.5)
        assert plain(aligner.align(pairs)) == expected[method]


def test_without_being_asked_the_usual_layer_method_and_subwords(folders: dict[str, Path]) -> None:
    aligner = load_aligner(f"simalign:{folders['bert']}", source="es", target="en", corpus=[])
    assert plain(aligner.align(own_pairs())) == reference(folders["bert"], own_pairs(), token_type="bpe")["itermax"]
    assert aligner.name == "simalign"
    assert aligner.revision.endswith("layer=8 itermax bpe")
    assert aligner.revision.startswith("bert@")
    assert len(aligner.revision) <= 100


def test_a_score_is_the_package_s_similarity(folders: dict[str, Path]) -> None:
    package = simalign.SentenceAligner(model=str(folders["bert"]), token_type="word", layer=8)
    for left, right in own_pairs():
        subwords = [[package.embed_loader.tokenizer.tokenize(word) for word in side] for side in (left, right)]
        vectors = package.embed_loader.get_embed_list([left, right]).numpy()
        means = package.average_embeds_over_words(vectors, subwords)
        similarity = package.get_similarity(*means)
        links = load(folders["bert"], token_type="word", method="fwd").align([(left, right)])[0]
        assert len(links) == len(left)
        for link in links:
            assert link.score == pytest.approx(similarity[link.source, link.target], abs=1e-5)
            assert 0 <= link.score <= 1


def test_of_several_linked_subwords_the_most_similar_give_the_score(folders: dict[str, Path]) -> None:
    by_word = load(folders["bert"], method="inter")
    [links] = by_word.align([(["despidos"], ["despidos"])])
    assert [(link.source, link.target) for link in links] == [(0, 0)]
    assert links[0].score == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("method", METHODS)
@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_matching_is_the_package_s_whatever_the_similarities(method: str, data: st.DataObject) -> None:
    """Many equal values, so that ties are frequent; several pairs of different size in one padded batch."""
    package = simalign.SentenceAligner
    size = st.integers(min_value=1, max_value=7)
    shapes = data.draw(st.lists(st.tuples(size, size), min_size=1, max_size=4))
    # For the assignment, which may choose among equals, only sums can be compared.
    steps = st.integers(min_value=1, max_value=20)
    matrices = [
        np.array(data.draw(st.lists(steps, min_size=m * n, max_size=m * n)), np.float32).reshape(m, n) / 20
        for m, n in shapes
    ]
    rows, columns = torch.tensor([m for m, _ in shapes]), torch.tensor([n for _, n in shapes])
    padded = torch.zeros(len(shapes), int(rows.max()), int(columns.max()))
    for number, matrix in enumerate(matrices):
        padded[number, : matrix.shape[0], : matrix.shape[1]] = torch.from_numpy(matrix)
    links = match(hide_padding(padded, rows, columns), rows, columns, method)
    for number, matrix in enumerate(matrices):
        found = np.zeros_like(matrix)
        for _, i, j in links[links[:, 0] == number].tolist():
            assert found[i, j] == 0
            found[i, j] = 1
        forward, backward = package.get_alignment_matrix(matrix)
        if method == "mwmf":
            expected = package.get_max_weight_match(matrix)
            assert found.sum() == min(matrix.shape)
            assert found.sum(0).max() <= 1 and found.sum(1).max() <= 1
            # The package's own sums are in single precision and may fall short by its errors.
            assert (found * matrix).sum() >= (expected * matrix).sum() - 1e-5
            continue
        by_package = {"fwd": forward, "rev": backward, "inter": forward * backward, "itermax": package.iter_max(matrix)}
        assert np.array_equal(found, by_package[method])


@pytest.mark.parametrize("method", METHODS)
def test_batches_do_not_matter(folders: dict[str, Path], method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = own_pairs()
    together = plain(load(folders["bert"], method=method).align(pairs))
    alone = load(folders["bert"], method=method)
    assert plain(one for pair in pairs for one in alone.align([pair])) == together
    small = load(folders["bert"], method=method)
    monkeypatch.setattr(small._encoder._batches, "budget", 40)
    monkeypatch.setattr(small._batches, "budget", 4_000)
    monkeypatch.setattr(simalign_aligner, "_KEPT", {False: 60})
    assert plain(small.align(pairs)) == together


def test_each_sentence_is_embedded_once_and_layers_beyond_are_gone(folders: dict[str, Path]) -> None:
    aligner = load(folders["bert"], layer=4)
    sentences: list[int] = []
    aligner._encoder._model.register_forward_pre_hook(
        lambda _model, _args, given: sentences.append(len(given["input_ids"])), with_kwargs=True
    )
    aligner.align([(["La", "ola"], ["The", "wave"]), (["La", "ola"], ["A", "wave"]), (["La", "ola"], ["The", "wave"])])
    assert sum(sentences) == 3
    # The first layer that is not needed stays: its input is what is read.
    assert len(aligner._encoder._model.encoder.layer) == 5


@pytest.mark.parametrize(
    ("config", "model"),
    [
        ("DistilBertConfig", {"dim": 32, "n_layers": 6, "n_heads": 4, "hidden_dim": 64}),
        ("ElectraConfig", {"embedding_size": 16}),
        ("AlbertConfig", {"embedding_size": 16}),
        ("ModernBertConfig", {"local_attention": 8, "global_attn_every_n_layers": 3}),
    ],
)
def test_layers_are_those_of_transformers_however_the_model_is_built(
    tmp_path: Path, config: str, model: dict[str, int]
) -> None:
    tokenizer = make_tokenizer("bert")
    sizes = {"hidden_size": 32, "num_hidden_layers": 6, "num_attention_heads": 4, "intermediate_size": 64}
    made = getattr(transformers, config)(
        **({} if config == "DistilBertConfig" else sizes),
        **model,
        vocab_size=len(tokenizer),
        pad_token_id=0,
        initializer_range=0.05,
    )
    torch.manual_seed(1)
    transformers.AutoModel.from_config(made).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    expected = reference(tmp_path, own_pairs(), token_type="bpe", layer=4)
    assert plain(load(tmp_path, layer=4).align(own_pairs())) == expected["itermax"]


def test_a_sentence_beyond_the_window_is_aligned_to_its_end_and_noted(tmp_path: Path) -> None:
    folder = make_checkpoint(tmp_path / "model", positions=64, **SIZES)
    aligner = load(folder, method="inter")
    words = [word for line in TEXT for word in line.split()]
    [links] = aligner.align([(words, words)])
    assert [(link.source, link.target) for link in links] == [(index, index) for index in range(len(words))]
    assert aligner.notes() == {WINDOWED: 2}
    aligner.align([(["ola"], ["wave"])])
    assert aligner.notes() == {}


def test_five_thousand_tokens(folders: dict[str, Path]) -> None:
    words = [f"{number:04}" for number in range(5_000)]
    aligner = load(folders["bert"], method="itermax", token_type="word")
    long, short = aligner.align([(words, words[::-1]), (["ola"], ["ola"])])
    assert {link.source for link in long} <= set(range(5_000)) and max(link.source for link in long) > 4_900
    assert max(link.target for link in long) > 4_900
    assert [(link.source, link.target) for link in short] == [(0, 0)]
    assert aligner.notes() == {WINDOWED: 2}


@pytest.mark.parametrize("token_type", TOKEN_TYPES)
def test_tokens_without_subwords_have_no_links_and_are_counted(folders: dict[str, Path], token_type: str) -> None:
    aligner = load(folders["bert"], token_type=token_type, method="fwd")
    with_nothing, nothing = aligner.align(
        [(["La", "\u200b", "ola", "\ufeff"], ["The", "wave"]), (["\u200b"], ["The", "wave"])]
    )
    assert {link.source for link in with_nothing} == {0, 2}
    assert nothing == []
    assert aligner.notes() == {WITHOUT_SUBWORDS: 3}
    without = aligner.align([(["La", "ola"], ["The", "wave"])])[0]
    assert [(link.source // 2, link.target, link.score) for link in with_nothing] == [
        (link.source, link.target, pytest.approx(link.score, abs=1e-5)) for link in without
    ]


@pytest.mark.parametrize("method", METHODS)
def test_empty_sides_have_no_links(folders: dict[str, Path], method: str) -> None:
    aligner = load(folders["bert"], method=method)
    assert aligner.align([]) == []
    assert aligner.align([([], []), ([], ["wave"]), (["ola"], [])]) == [[], [], []]
    assert plain(aligner.align([([], ["wave"]), (["ola"], ["ola"])])) == [[], [(0, 0)]]


ODD = [
    ["La", "\u0301\u0308", "ola"],
    ["cafe\u0301", "\u0301"],
    ["😀", "👩‍👩‍👧", "🇪🇸", "golpea"],
    ["הגל", "הכה", "את", "המשפחות"],
    ["العائلات", "\u200f", "تضررت"],
    ["漢字かな交じり文", "ﬁn", "Ａ１", "ñandú"],
    ["<s>", "[SEP]", "</s>", "[PAD]", "ola"],
    ["\ud800", "ola"],
    ["a" * 3_000, "ola"],
]


@pytest.mark.parametrize("token_type", TOKEN_TYPES)
@pytest.mark.parametrize("kind", KINDS)
def test_odd_text_gives_links_within_its_tokens(folders: dict[str, Path], kind: str, token_type: str) -> None:
    pairs = list(itertools.product(ODD, ODD))
    for (left, right), links in zip(pairs, load(folders[kind], token_type=token_type).align(pairs), strict=True):
        assert all(0 <= link.source < len(left) and 0 <= link.target < len(right) for link in links)
        assert [(link.source, link.target) for link in links] == sorted({(link.source, link.target) for link in links})
        assert all(0 <= link.score <= 1 for link in links)
        assert links


@pytest.mark.parametrize("token_type", TOKEN_TYPES)
@pytest.mark.parametrize("kind", KINDS)
def test_odd_text_where_the_package_manages_it_has_its_links(
    folders: dict[str, Path], kind: str, token_type: str
) -> None:
    package = simalign.SentenceAligner(model=str(folders[kind]), token_type=token_type, matching_methods="i", layer=8)
    wave = ["The", "wave", "of", "layoffs"]
    found = plain(load(folders[kind], token_type=token_type).align([(odd, wave) for odd in ODD]))
    compared = 0
    for odd, links in zip(ODD, found, strict=True):
        # It cannot take lone surrogates, fails over words without subwords and cuts off what is too long.
        if "\ud800" in odd or len(odd[0]) > 100:
            continue
        if token_type == "word" and not all(package.embed_loader.tokenizer.tokenize(word) for word in odd):
            continue
        compared += 1
        assert links == package.get_word_aligns(odd, wave)["itermax"], odd
    assert compared >= 4


@pytest.mark.parametrize("method", ["inter", "mwmf"])
def test_identical_sentences_align_diagonally(folders: dict[str, Path], method: str) -> None:
    sentences = [line.split() for line in TEXT]
    for links, sentence in zip(
        load(folders["bert"], method=method).align([(one, one) for one in sentences]), sentences, strict=True
    ):
        assert [(link.source, link.target) for link in links] == [(index, index) for index in range(len(sentence))]


def test_the_same_input_gives_the_same_links(folders: dict[str, Path]) -> None:
    aligner = load(folders["bert"])
    assert aligner.align(own_pairs()) == aligner.align(own_pairs())


@pytest.mark.parametrize("how", ["embedding", "matching"])
def test_when_memory_runs_out_batches_get_smaller(
    folders: dict[str, Path], how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = plain(load(folders["bert"]).align(own_pairs()))
    aligner = load(folders["bert"])
    whole = aligner._encoder._hidden if how == "embedding" else aligner._match
    refused = []

    def cramped(first: Any, second: Any) -> Any:
        if len(first) > 3:
            refused.append(len(first))
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return whole(first, second)

    monkeypatch.setattr(*((aligner._encoder, "_hidden") if how == "embedding" else (aligner, "_match")), cramped)
    assert plain(aligner.align(own_pairs())) == expected
    assert refused


@pytest.mark.parametrize(
    ("how", "unit"),
    [("embedding", r"batch of \d+ tokens of text"), ("matching", r"batch of \d+ numbers that compare two sentences")],
)
def test_memory_for_not_even_one_pair_is_told(
    folders: dict[str, Path], how: str, unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    aligner = load(folders["bert"])

    def full(*_given: Any) -> Any:
        raise torch.OutOfMemoryError("CUDA out of memory.")

    monkeypatch.setattr(*((aligner._encoder, "_hidden") if how == "embedding" else (aligner, "_match")), full)
    with pytest.raises(EngineError, match=f"is not enough for a single {unit}"):
        aligner.align(own_pairs())


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("simalign:{folder}?method=best", "no method “best”. It must be one of: inter, itermax, mwmf, fwd, rev"),
        ("simalign:{folder}?layer=eight", "no layer “eight”"),
        ("simalign:{folder}?token_type=char", "one of: bpe, word"),
        ("simalign:{folder}?distortion=2", "from 0 to 1"),
        ("simalign:{folder}?colour=red", "does not know “colour”"),
        ("simalign:{folder}?inter", "does not know “inter”"),
        ("simalign:{folder}?layer=11", "has 10 layers, so there is no layer 11"),
        ("simalign:name/model@", "no revision after the @"),
        ("simalign:/nowhere/at/all", "does not exist"),
        ("simalign:./", "has no config.json"),
        ("simalign:not a model", "neither a folder of this machine nor a model ID"),
        ("simalignment", "Unknown aligner"),
        ("fast_align", "Unknown aligner"),
    ],
)
def test_what_cannot_be_had_is_said(
    folders: dict[str, Path], spec: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EngineError) as raised:
        load_aligner(spec.format(folder=folders["bert"]), source="es", target="en", corpus=[])
    assert words in str(raised.value)


def test_a_model_that_is_no_encoder_is_refused(tmp_path: Path) -> None:
    tokenizer = make_tokenizer("bert")
    made = transformers.T5Config(vocab_size=len(tokenizer), d_model=16, d_kv=8, d_ff=16, num_layers=2, num_heads=2)
    transformers.T5Model(made).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    with pytest.raises(EngineError, match="does not give embeddings"):
        load(tmp_path, layer=1)


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json"])
def test_a_damaged_checkpoint_is_told(folders: dict[str, Path], tmp_path: Path, name: str) -> None:
    folder = shutil.copytree(folders["bert"], tmp_path / "model")
    (folder / name).write_bytes(b"no such thing")
    with pytest.raises(EngineError, match="cannot be loaded"):
        load(folder)


def test_weights_that_are_no_numbers_are_told(folders: dict[str, Path]) -> None:
    aligner = load(folders["bert"])
    with torch.no_grad():
        for weights in aligner._encoder._model.parameters():
            weights.fill_(float("nan"))
    with pytest.raises(EngineError, match="gives invalid numbers"):
        aligner.align(own_pairs())


def test_settings_in_words() -> None:
    assert Settings.read("simalign") == Settings()
    assert Settings.read("simalign?method=mwmf").model == "bert-base-multilingual-cased"
    assert Settings.read(
        "simalign:xlm-roberta-base@abc?layer=7&token_type=word&distortion=0.5&method=inter"
    ) == Settings("xlm-roberta-base", "abc", "inter", 7, "word", 0.5)


def test_a_folder_may_have_an_at_in_its_name(folders: dict[str, Path], tmp_path: Path) -> None:
    folder = shutil.copytree(folders["bert"], tmp_path / "model@home")
    assert load(folder).revision.startswith("model@home@")


def test_a_model_is_loaded_once(folders: dict[str, Path]) -> None:
    first, second = load(folders["bert"]), load(folders["bert"], method="inter", token_type="word")
    assert first._encoder is second._encoder
    assert load(folders["bert"], layer=3)._encoder is not first._encoder
