"""Anything that a format writes, it reads again as it was, in everything that it says it keeps."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

from annotator.domain.labels.spans import Attributes, Span
from annotator.formats.common import lines
from annotator.formats.common.features import Feature
from annotator.formats.common.names import file_language, file_role
from annotator.formats.common.protocol import Format, Options
from annotator.formats.common.records import CharSpan, Labels, PairRecord, Record, Says, Text
from annotator.formats.registry import formats
from annotator.formats.text.characters import tokenised
from tests.domain.strategies import examples
from tests.formats.samples import LOOK, SHAPES, Corpus, write

NASTY = [
    '"', '""', "'", ",", ";", "|", "=1+1", "-", "_", "#", "# text = x",
    "\u00a0", "\u2028", "\u0085", "\x0b", "\x1c", "\\", "\\s",
    "😀", "👩‍👩‍👧", "e\u0301", "שָׁלוֹם", "السلام", "\u202eabc", "ﬁ", "a b", "a\tb", "a\nb",
    "a\r", "\r\n", "<b>", "&amp;", "NULL", "O", "B-M",
    "\ufeff", "[1]", '["a"]', "{", "-DOCSTART-", "_x000D_",
]  # fmt: skip
CHARACTERS = st.characters(exclude_categories=("Cs",), exclude_characters="\0")
# White space alone is no token: it stands between them.
TOKENS = st.one_of(
    st.sampled_from(NASTY), st.text(CHARACTERS, min_size=1, max_size=6), st.text("añ,.", min_size=1)
).filter(str.strip)
VALUES = st.dictionaries(
    st.sampled_from(["", "tone"]), st.lists(TOKENS, min_size=1, max_size=2, unique=True).map(tuple)
)
PLAIN = st.text("aé-_.1", min_size=1, max_size=8)
LABELS = ("METAPHOR", "B-side", "ñ", "a|b [1]\\t", "x=y;*->")
# What is drawn from is made once: Hypothesis looks through each strategy anew, and that takes longer than to draw.
ANY_TOKENS, PLAIN_TOKENS = (st.lists(one, min_size=1, max_size=7).map(tuple) for one in (TOKENS, PLAIN))
ANY_GAP, ONE_GAP = st.sampled_from(["", " ", "  "]), st.just(" ")
WORD = PLAIN.filter("_".__ne__)
SOME_LABELS = st.lists(st.sampled_from(LABELS), max_size=3, unique=True)
ATTRIBUTES = st.dictionaries(PLAIN, TOKENS, max_size=2)
ORIGINS = st.lists(st.tuples(st.sampled_from(Says), PLAIN), max_size=2, unique=True)
NUMBER = st.integers(1, 4)


def text(draw: st.DrawFn, keeps: frozenset[Feature]) -> Text:
    # Where the tokens do not survive, the text's own white space would not tell which they were.
    tokens = draw(ANY_TOKENS if Feature.TOKENS in keeps else PLAIN_TOKENS)
    one = Text(tokens=tokens)
    if Feature.TEXT in keeps:
        gap = ANY_GAP if Feature.TOKENS in keeps else ONE_GAP
        gaps = tuple(draw(gap) for _ in tokens[1:])
        one = replace(one, spaces=() if set(gaps) <= {" "} else ("", *gaps, ""))
    if Feature.LABELS in keeps:
        one = replace(one, labels=labels(draw, len(tokens), keeps))
    if Feature.WORDS in keeps and draw(st.booleans()):
        lemmas, parts = (tuple(draw(WORD) for _ in tokens) for _which in (0, 1))
        one = replace(one, lemmas=lemmas, parts_of_speech=parts)
    if Feature.VALUES in keeps and draw(st.booleans()):
        one = replace(one, values=draw(VALUES))
    return one


def labels(draw: st.DrawFn, length: int, keeps: frozenset[Feature]) -> tuple[Labels, ...]:
    spans: list[Span | CharSpan] = []
    free = list(range(length))
    for label in draw(SOME_LABELS):
        if not free:
            break
        begin = draw(st.integers(0, len(free) - 1))
        chosen = free[begin : begin + draw(NUMBER)]
        if Feature.DISCONTINUOUS not in keeps:
            chosen = [one for n, one in enumerate(chosen) if one == chosen[0] + n]
        free = free if Feature.OVERLAPS in keeps else [one for one in free if one not in chosen]
        more = Attributes()
        if Feature.ATTRIBUTES in keeps:
            more = Attributes(draw(ATTRIBUTES))
        spans.append(Span(tuple(chosen), label, more, 0.5 if Feature.SCORES in keeps else None))
    if Feature.ORIGIN not in keeps:
        return (Labels(Says.GOLD, "", tuple(spans)),)
    return tuple(Labels(says, name, tuple(spans)) for says, name in draw(ORIGINS))


@st.composite
def corpora(draw: st.DrawFn, keeps: frozenset[Feature]) -> Corpus:
    languages = ["es", "ca"] if Feature.LANGUAGES in keeps else ["es"]
    found: Corpus = []
    for number in range(draw(NUMBER)):
        record = Record("", 0, {language: text(draw, keeps) for language in languages})
        if Feature.IDS in keeps:
            record = replace(record, id=f"{number}{draw(PLAIN)}")
        if Feature.DOCUMENTS in keeps:
            record = replace(record, group="d" + draw(PLAIN))
        if Feature.SOURCES in keeps:
            record = replace(record, genre=draw(PLAIN), source=draw(PLAIN))
        found.append(record)
    if Feature.PAIRS in keeps and Feature.TEXT in keeps:
        found.append(PairRecord("", 0, draw(PLAIN), "p", "h", draw(PLAIN), {"es": draw(PLAIN)}))
    return found


def read(one: Format, corpus: Corpus, folder: Path) -> Corpus:
    files = [
        replace(file, language=file_language(file.name, ["es", "ca"]), role=file_role(file.name), encoding="utf-8")
        for file in write(one, corpus, folder)
    ]
    options = Options(header=True, delimiter="")
    found = list(tokenised(one.read(files, options), options))
    assert [problem for problem in found if isinstance(problem, Exception)] == []
    return [record for record in found if isinstance(record, Record | PairRecord)]


WRITTEN = [
    pytest.param(one, id=slug) for slug, one in formats().items() if one.writes and one.keeps != {Feature.DOCUMENTS}
]


@pytest.mark.parametrize("one", WRITTEN)
@examples(20, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(data=st.data())
def test_what_is_written_is_read_again(one, data):
    corpus = SHAPES.get(one.slug, lambda same: same)(data.draw(corpora(one.keeps)))
    with TemporaryDirectory() as folder:
        try:
            found = read(one, corpus, Path(folder))
        except ValueError:
            # What a format cannot spell, it refuses.
            assume(False)
    for feature in one.keeps:
        assert LOOK[feature](found) == LOOK[feature](corpus), feature


@pytest.mark.parametrize("one", WRITTEN)
def test_a_very_long_line_is_read_again(one, tmp_path):
    """A sentence of 12,000 words, with a label on the last ones: longer than what readers read at once, where a cell
    has room."""
    number = 2_000 if one.slug == "xlsx" else 12_000
    words = [f"w{place % 97}é" for place in range(number)]
    words[-3:] = ["👩\u200d🚒", "שָׁלוֹם", "vola"] if Feature.TOKENS in one.keeps else ["cau", "la", "nit"]
    assert len(" ".join(words).encode()) > lines._CHUNK or one.slug == "xlsx"
    text = Text(tokens=tuple(words))
    if Feature.LABELS in one.keeps:
        text = replace(text, labels=(Labels(Says.GOLD, "", (Span((number - 2, number - 1), "METAPHOR"),)),))
    record = Record("", 0, {"es": text}, id="1" if Feature.IDS in one.keeps else "")
    if Feature.DOCUMENTS in one.keeps:
        record = replace(record, group="d")
    corpus = SHAPES.get(one.slug, lambda same: same)([record])
    found = read(one, corpus, tmp_path)
    for feature in one.keeps:
        assert LOOK[feature](found) == LOOK[feature](corpus), feature
