"""JSON as annotation tools export it and as people write it: where labels and tokens stand, how positions count, and
which answers are none. The shapes are the tools'; the sentences are ours."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotator.formats.common.errors import FormatError
from annotator.formats.common.records import Read, Record
from annotator.formats.registry import formats
from annotator.formats.text.characters import tokenised
from annotator.formats.text.positions import in_characters
from tests.formats.brought import guessed, warnings

SLEEPS = "The market is sleeping today."
PLACE = {"start": 14, "end": 22}
TOKENS = SLEEPS.split()
EMOJI = "😀😀 the market sleeps"


def brought(folder: Path, files: Mapping[str, Any], **options: Any) -> list[Read]:
    """What comes of files: of rows as JSON Lines, of anything else as JSON."""
    guess = guessed(
        folder,
        {
            name: "".join(json.dumps(row) + "\n" for row in content)
            if isinstance(content, tuple)
            else json.dumps(content)
            for name, content in files.items()
        },
    )
    how = replace(guess.options, **{"tokens": "words", **options} if guess.options.tokens == "given" else options)
    if any("tokens" in str(content) for content in files.values()):
        how = replace(how, tokens="given")
    return list(tokenised(in_characters(formats()[guess.format].read(guess.files, how), how), how))


def labels(reads: list[Read]) -> list[list[tuple[str, str, list[tuple[str, str]]]]]:
    """Of each text, what each source says: the words and the label of each span."""
    return [
        [
            (
                one.says.value,
                one.name,
                [(" ".join(text.tokens[i] for i in span.tokens), span.label) for span in one.spans],
            )
            for one in text.labels
        ]
        for read in reads
        if isinstance(read, Record)
        for text in read.texts.values()
    ]


def values(reads: list[Read]) -> list[dict[str, tuple[str, ...]]]:
    return [dict(text.values) for read in reads if isinstance(read, Record) for text in read.texts.values()]


class TestLabelsUnderAnyKey:
    @pytest.mark.parametrize(
        ("row", "left_out"),
        [
            ({"text": SLEEPS, "spans": [{**PLACE, "label": "M", "token_start": 3, "token_end": 3}]}, []),
            ({"text": SLEEPS, "annotations": [{**PLACE, "label": "M"}]}, []),
            ({"text": SLEEPS, "annotations": [{**PLACE, "label": "M", "user": 1}]}, ["annotations.user"]),
            ({"text": SLEEPS, "entities": [{"begin": 14, "end": 22, "type": "M", "novel": "yes"}]}, ["entities.novel"]),
            ({"text": SLEEPS, "entities": [{"offset": 14, "length": 8, "category": "M", "text": "sleeping"}]}, []),
            ({"text": SLEEPS, "entities": [{**PLACE, "value": "sleeping", "entity": "M"}]}, []),
            ({"text": SLEEPS, "entities": [{**PLACE, "entity": "sleeping", "type": "M"}]}, ["entities.entity"]),
            ({"text": SLEEPS, "mentions": [{"startOffset": 14, "endOffset": 22, "type": "M"}]}, []),
            ({"sentence": SLEEPS, "spans": [{"start_char": 14, "end_char": 22, "entity_group": "M"}]}, []),
            ({"text": SLEEPS, "label": [{**PLACE, "tag": "M"}]}, []),
            ({"text": SLEEPS, "labels": {**PLACE, "tag": "M"}}, []),
            ({"text": SLEEPS, "labels": {"M": [[14, 22]]}}, []),
            ({"text": SLEEPS, "spans": {"sc": [{**PLACE, "label": "M"}]}}, []),
            ({"text": SLEEPS, "ents": [{**PLACE, "label": "M"}], "sents": [{"start": 0, "end": 29}]}, ["sents"]),
            ({"text": SLEEPS, "entities": [["M", 14, 22]]}, []),
            ({"text": SLEEPS, "entities": [["T1", "M", [[14, 22]]]]}, []),
            ({"text": SLEEPS, "entities": [{"label": {"name": "M"}, "span": [14, 22]}]}, []),
            ({"text": SLEEPS, "annotations": [{"from": 14, "to": 22, "class": "M"}]}, []),
            (
                {
                    "text": SLEEPS,
                    "annotations": [
                        {"displayName": "M", "textExtraction": {"textSegment": {"startOffset": 14, "endOffset": 22}}}
                    ],
                },
                [],
            ),
            ({"Text": SLEEPS, "Entities": [{"BeginOffset": 14, "EndOffset": 22, "Type": "M", "Score": 0.9}]}, []),
            ([SLEEPS, {"entities": [[14, 22, "M"]]}], []),
            ({"text": SLEEPS, "spans": [{**PLACE, "label": "M"}], "page": 3}, ["page"]),
        ],
    )
    def test_a_label_on_a_word(self, tmp_path: Path, row: Any, left_out: list[str]) -> None:
        reads = brought(tmp_path, {"a.jsonl": (row,)})
        assert labels(reads) == [[("gold", "", [("sleeping", "M")])]]
        assert values(reads) == [{}]
        assert warnings(reads) == [f"“{key}” is not read (once)" for key in left_out]

    def test_an_end_that_is_the_last_character(self, tmp_path: Path) -> None:
        point = {"start": 14, "end": 21, "text": "sleeping"}
        reads = brought(
            tmp_path, {"a.jsonl": ({"content": SLEEPS, "annotation": [{"label": ["M"], "points": [point]}]},)}
        )
        assert labels(reads) == [[("gold", "", [("sleeping", "M")])]]
        assert warnings(reads) == ["1 label whose end is its last character, according to the text beside it"]

    @pytest.mark.parametrize(
        "whole",
        [
            {"rasa_nlu_data": {"common_examples": [{"text": SLEEPS, "entities": [{**PLACE, "entity": "M"}]}]}},
            {"classes": ["M"], "annotations": [[SLEEPS, {"entities": [[14, 22, "M"]]}]]},
            {"version": 1, "documents": [{"text": SLEEPS, "entities": [{**PLACE, "label": "M"}]}]},
            [[SLEEPS, {"entities": [[14, 22, "M"]]}]],
            [{"text": SLEEPS, "entities": [{**PLACE, "label": "M"}]}],
        ],
    )
    def test_objects_in_a_list_somewhere_in_the_file(self, tmp_path: Path, whole: Any) -> None:
        assert labels(brought(tmp_path, {"a.json": whole})) == [[("gold", "", [("sleeping", "M")])]]

    @pytest.mark.parametrize(
        "tokens",
        [
            [
                {"text": "The", "ws": True},
                {"text": "market", "ws": True},
                {"text": "sleeps", "ws": False},
                {"text": "."},
            ],
            [
                {"form": "The"},
                {"form": "market"},
                {"form": "sleeps", "whitespace": ""},
                {"form": ".", "whitespace": ""},
            ],
            [
                {"word": "The", "start": 0, "end": 3},
                {"word": "market", "start": 4, "end": 10},
                {"word": "sleeps", "start": 11, "end": 17},
                {"word": ".", "start": 17, "end": 18},
            ],
        ],
    )
    def test_tokens_as_objects(self, tmp_path: Path, tokens: list[dict[str, Any]]) -> None:
        reads = brought(tmp_path, {"a.jsonl": ({"tokens": tokens, "spans": [{"start": 11, "end": 17, "label": "M"}]},)})
        assert labels(reads) == [[("gold", "", [("sleeps", "M")])]]
        [text] = [text for read in reads if isinstance(read, Record) for text in read.texts.values()]
        assert (text.tokens, text.spaces) == (("The", "market", "sleeps", "."), ("", " ", " ", "", ""))

    def test_what_stands_with_tokens_is_read_or_counted(self, tmp_path: Path) -> None:
        tokens = [
            {"id": 0, "text": "Markets", "lemma": "market", "pos": "NOUN", "dep": "nsubj", "tag": "O"},
            {"id": 1, "text": "sleep", "lemma": "sleep", "pos": "VERB", "dep": "ROOT", "tag": "B-M"},
        ]
        reads = brought(tmp_path, {"a.jsonl": ({"text": "Markets sleep", "tokens": tokens},)})
        [text] = [text for read in reads if isinstance(read, Record) for text in read.texts.values()]
        assert (text.lemmas, text.parts_of_speech) == (("market", "sleep"), ("NOUN", "VERB"))
        assert labels(reads) == [[("gold", "", [("sleep", "M")])]]
        assert warnings(reads) == ["“tokens.dep” is not read (2 times)"]

    @pytest.mark.parametrize(
        ("rows", "found"),
        [
            # Of texts that are classified, an empty list says nothing of words.
            ([{"labels": ["bad"]}, {"labels": []}], [{"": ("bad",)}, {}]),
            ([{"labels": []}] * 7 + [{"labels": ["bad"]}], [{}] * 7 + [{"": ("bad",)}]),
            ([{"label": "bad"}, {"label": ""}, {"label": None}], [{"": ("bad",)}, {}, {}]),
            ([{"label": ["bad", "long"]}, {"label": []}], [{"": ("bad", "long")}, {}]),
            ([{"category": "bad"}, {"category": None}], [{"": ("bad",)}, {}]),
            ([{"labels": {"tone": "bad"}}, {"labels": {}}], [{"tone": ("bad",)}, {}]),
        ],
    )
    def test_classes_say_nothing_of_words(self, tmp_path: Path, rows: list[Any], found: list[Any]) -> None:
        reads = brought(tmp_path, {"a.jsonl": tuple({"text": f"Bad {n}.", **row} for n, row in enumerate(rows))})
        assert labels(reads) == [[]] * len(rows)
        assert values(reads) == found

    def test_a_class_beside_a_label(self, tmp_path: Path) -> None:
        for key in ("news", ["news"]):
            reads = brought(
                tmp_path, {"a.jsonl": ({"text": SLEEPS, "label": key, "spans": [{**PLACE, "label": "M"}]},)}
            )
            assert (labels(reads), values(reads)) == ([[("gold", "", [("sleeping", "M")])]], [{"": ("news",)}])

    @pytest.mark.parametrize(
        "label", [{"start": 14, "label": "M"}, {"start": 14, "end": 22}, {"start": "a", "end": 2, "label": "M"}]
    )
    def test_half_a_label_is_refused(self, tmp_path: Path, label: dict[str, Any]) -> None:
        reads = brought(tmp_path, {"a.jsonl": ({"text": SLEEPS, "annotations": [label]},)})
        assert [read.line for read in reads if isinstance(read, FormatError)] == [1]


ANA = [("person", "ana", [("sleeping", "M")])]
GOLD = [("gold", "", [("sleeping", "M")])]
MODEL = [("model", "m", [("sleeping", "M")])]
SPAN = [{**PLACE, "label": "M"}]


def prodigy(answer: str, **more: Any) -> dict[str, Any]:
    return {"text": SLEEPS, "spans": SPAN, "_input_hash": 1, "_task_hash": 2, "answer": answer, **more}


def rubrix(status: str, **more: Any) -> dict[str, Any]:
    return {
        "text": SLEEPS, "tokens": TOKENS, "annotation": SPAN, "annotation_agent": "ana", "prediction": None,
        "status": status, **more,
    }  # fmt: skip


def argilla(status: str, *, record: str = "completed", **more: Any) -> dict[str, Any]:
    response = {"value": SPAN, "user_id": "ana", "status": status}
    return {"status": record, "fields": {"text": SLEEPS}, "responses": {"q": [response]}, "suggestions": {}, **more}


def light_tag(*, seen: bool = True, correct: bool | None = None, labelled: bool = True) -> dict[str, Any]:
    ana = [{"annotator": "ana", "annotator_id": 1}]
    label = {**PLACE, "tag": "M", "value": "sleeping", "annotated_by": ana}
    label |= {"reviewed": correct is not None, "correct": correct}
    found = [label] if labelled else []
    return {"example_id": "e", "content": SLEEPS, "annotations": found, "seen_by": ana if seen else []}


def label_studio(**annotation: Any) -> list[dict[str, Any]]:
    region = {
        "from_name": "l",
        "to_name": "t",
        "type": "labels",
        "value": {**PLACE, "text": "sleeping", "labels": ["M"]},
    }
    one = {"id": 1, "completed_by": {"email": "ana"}, "result": [region], "was_cancelled": False, **annotation}
    return [{"id": 1, "data": {"text": SLEEPS}, "annotations": [one]}]


class TestTheStateOfAnAnswer:
    @pytest.mark.parametrize(
        ("content", "found", "state"),
        [
            ((prodigy("accept"),), GOLD, ""),
            ((prodigy("reject"),), [], "rejected"),
            ((prodigy("ignore"),), [], "ignored"),
            ((prodigy("ignore", spans=[]),), [], "ignored"),
            ((rubrix("Validated"),), ANA, ""),
            ((rubrix("Edited"),), ANA, ""),
            ((rubrix("Discarded"),), [], "discarded"),
            ((rubrix("Default"),), [], "unfinished"),
            ((rubrix("Default", annotation=None, prediction=[["M", 14, 22, 0.5]], prediction_agent="m"),), MODEL, ""),
            ([argilla("submitted")], ANA, ""),
            ([argilla("submitted", record="pending")], ANA, ""),
            ([argilla("draft", record="pending")], [], "a draft"),
            ([argilla("discarded")], [], "discarded"),
            (
                [argilla("draft", suggestions={"q": {"value": SPAN, "score": None, "agent": "m"}})],
                MODEL,
                "a draft",
            ),
            (
                (
                    {
                        "text": SLEEPS,
                        "status": "pending",
                        "q.responses": [SPAN],
                        "q.responses.users": ["ana"],
                        "q.responses.status": ["draft"],
                    },
                ),
                [],
                "a draft",
            ),
            (
                (
                    {
                        "fields": {"text": SLEEPS},
                        "responses": [{"user_id": "ana", "values": {"q": {"value": SPAN}}, "status": "submitted"}],
                        "suggestions": [],
                    },
                ),
                ANA,
                "",
            ),
            (
                ({"fields": {"text": SLEEPS}, "responses": [{"user_id": "ana", "values": {}, "status": "discarded"}]},),
                [],
                "discarded",
            ),
            ({"name": "job", "examples": [light_tag()]}, ANA, ""),
            ({"name": "job", "examples": [light_tag(labelled=False)]}, [("person", "ana", [])], ""),
            ({"name": "job", "examples": [light_tag(seen=False, labelled=False)]}, [], ""),
            ({"name": "job", "examples": [light_tag(correct=True)]}, GOLD, ""),
            (label_studio(), ANA, ""),
            (label_studio(was_cancelled=True), [], "skipped"),
            (label_studio(skipped=True), [], "skipped"),
            (label_studio(last_action="rejected"), [], "rejected"),
            (label_studio(last_action="fixed_and_accepted"), ANA, ""),
            (label_studio(reviews=[{"accepted": False, "created_at": "2026-01-02"}]), [], "rejected"),
            (
                label_studio(
                    reviews=[
                        {"accepted": True, "created_at": "2026-01-02"},
                        {"accepted": False, "created_at": "2026-01-01"},
                    ]
                ),
                ANA,
                "",
            ),
            (({"text": SLEEPS, "labels": SPAN, "status": "in_progress"},), [], "unfinished"),
            (({"text": SLEEPS, "labels": SPAN, "state": "IN PROGRESS"},), [], "unfinished"),
            (({"text": SLEEPS, "labels": SPAN, "review_status": "Rejected"},), [], "rejected"),
            (({"text": SLEEPS, "labels": SPAN, "skipped": True},), [], "skipped"),
            (({"text": SLEEPS, "labels": SPAN, "skipped": False, "accepted": True},), GOLD, ""),
            (({"text": SLEEPS, "labels": SPAN, "completed": False},), [], "unfinished"),
            (({"text": SLEEPS, "labels": [[14, 22, "M"]], "status": "cancelled"},), [], "cancelled"),
            (({"text": SLEEPS, "label": [[14, 22, "M"]], "status": "draft"},), [], "a draft"),
            (({"text": SLEEPS, "label": [[14, 22, "M"]], "status": "done"},), GOLD, ""),
            (({"text": SLEEPS, "label": [[14, 22, "M"]], "is_confirmed": False},), [], "unfinished"),
            (({"text": SLEEPS, "label": [[14, 22, "M"]], "is_confirmed": True},), GOLD, ""),
            (({"text": SLEEPS, "label": [[14, 22, "M"]], "status": "TO_REVIEW"},), [], "unfinished"),
            (({"text": SLEEPS, "spans": SPAN, "estado": "rechazado"},), [], "rejected"),
            (({"text": SLEEPS, "spans": SPAN, "estado": "Pendiente"},), [], "unfinished"),
            (({"text": SLEEPS, "spans": SPAN, "estado": "aceptada"},), GOLD, ""),
            (({"text": SLEEPS, "spans": [{**SPAN[0], "answer": "accept"}]},), GOLD, ""),
        ],
    )
    def test_only_an_answer_that_is_one_comes_in(
        self, tmp_path: Path, content: Any, found: list[Any], state: str
    ) -> None:
        reads = brought(tmp_path, {"a.jsonl" if isinstance(content, tuple) else "a.json": content})
        assert labels(reads) == [found]
        assert warnings(reads) == ([f"1 answer marked as {state}, which is left out"] if state else [])

    @pytest.mark.parametrize(
        ("label", "state"),
        [({"status": "rejected"}, "rejected"), ({"correct": False}, "rejected"), ({"draft": True}, "a draft")],
    )
    def test_a_label_that_is_none(self, tmp_path: Path, label: dict[str, Any], state: str) -> None:
        second = {"start": 4, "end": 10, "label": "M"}
        alone = brought(tmp_path, {"a.jsonl": ({"text": SLEEPS, "spans": [{**PLACE, "label": "M", **label}]},)})
        beside = brought(
            tmp_path, {"a.jsonl": ({"text": SLEEPS, "spans": [{**PLACE, "label": "M", **label}, second]},)}
        )
        # Where nothing is left, nobody said that there is nothing.
        assert labels(alone) == [[]]
        assert labels(beside) == [[("gold", "", [("market", "M")])]]
        assert warnings(alone) == warnings(beside) == [f"1 label marked as {state}, which is left out"]

    def test_light_tags_reviewers_reject_labels(self, tmp_path: Path) -> None:
        reads = brought(tmp_path, {"a.json": {"examples": [light_tag(correct=False)]}})
        assert labels(reads) == [[]]
        assert warnings(reads) == ["1 label marked as rejected, which is left out"]

    def test_drafts_of_label_studio(self, tmp_path: Path) -> None:
        [task] = label_studio()
        draft = {"result": task["annotations"][0]["result"]}
        reads = brought(tmp_path, {"a.json": [{**task, "annotations": [], "drafts": [draft]}]})
        assert labels(reads) == [[]]
        assert warnings(reads) == ["1 answer marked as a draft, which is left out"]

    def test_categories_have_states_too(self, tmp_path: Path) -> None:
        rows = (
            {"text": "Bad.", "label": "bad", "answer": "accept"},
            {"text": "Good.", "label": "bad", "answer": "reject"},
            {"text": "So.", "options": [{"id": "bad"}, {"id": "good"}], "accept": ["good"], "answer": "accept"},
            {"text": "Hm.", "options": [{"id": "bad"}, {"id": "good"}], "accept": ["bad"], "answer": "ignore"},
        )
        assert values(brought(tmp_path, {"a.jsonl": rows})) == [{"": ("bad",)}, {}, {"": ("good",)}, {}]

    def test_a_word_that_is_no_state_is_counted(self, tmp_path: Path) -> None:
        reads = brought(tmp_path, {"a.jsonl": ({"text": SLEEPS, "labels": SPAN, "status": "published"},)})
        assert labels(reads) == [GOLD]
        assert warnings(reads) == ["“status” is not read (once)"]


IN_UNITS = "label positions in {} count an emoji as two (UTF-16 units) and are read that way"


class TestHowPositionsCount:
    @pytest.mark.parametrize(
        ("row", "word", "in_units"),
        [
            ({"text": EMOJI, "label": [[16, 22, "M"]]}, "sleeps", True),
            ({"text": f"{EMOJI} now well", "label": [[16, 22, "M"]]}, "sleeps", True),
            ({"text": EMOJI, "label": [[14, 20, "M"]]}, "sleeps", False),
            ({"text": EMOJI, "spans": [{"start": 16, "end": 22, "label": "M"}]}, "sleeps", True),
            ({"text": EMOJI, "entities": [{"start_offset": 16, "end_offset": 22, "label": "M"}]}, "sleeps", True),
            ({"text": EMOJI, "entities": [{"offset": 16, "length": 6, "category": "M"}]}, "sleeps", True),
            # The words beside a label tell where both ways fit.
            ({"text": "😀😀 a b c d e", "spans": [{"start": 7, "end": 8, "text": "b", "label": "M"}]}, "b", True),
            ({"text": "😀😀 a b c d e", "spans": [{"start": 7, "end": 8, "text": "c", "label": "M"}]}, "c", False),
            # Rare letters count two as well.
            ({"text": "𠮷 sleeps 𝒜 now", "spans": [{"start": 3, "end": 9, "label": "M"}]}, "sleeps", True),
            # Labels before the first emoji are where they are.
            ({"text": "It sleeps 😀 now", "label": [[3, 9, "M"]]}, "sleeps", False),
        ],
    )
    def test_what_fits_the_words_is_right(self, tmp_path: Path, row: Any, word: str, in_units: bool) -> None:
        reads = brought(tmp_path, {"a.jsonl": (row,)})
        assert labels(reads) == [[("gold", "", [(word, "M")])]]
        assert warnings(reads) == ([IN_UNITS.format("1 text")] if in_units else [])

    def test_where_both_fit_it_is_said(self, tmp_path: Path) -> None:
        row = {"text": "😀😀 a b c d e sleeps", "label": [[7, 8, "M"]]}
        reads = brought(tmp_path, {"a.jsonl": (row,)})
        assert labels(reads) == [[("gold", "", [("c", "M")])]]
        [warning] = warnings(reads)
        assert warning.startswith("the labels of 1 text fit whether an emoji counts as one character or as two")
        chosen = brought(tmp_path, {"a.jsonl": (row,)}, positions="utf16")
        assert (labels(chosen), warnings(chosen)) == ([[("gold", "", [("b", "M")])]], [])
        chosen = brought(tmp_path, {"a.jsonl": (row,)}, positions="characters")
        assert (labels(chosen), warnings(chosen)) == ([[("gold", "", [("c", "M")])]], [])

    @pytest.mark.parametrize("told_first", [True, False])
    def test_one_text_tells_for_the_others_of_its_file(self, tmp_path: Path, told_first: bool) -> None:
        both, one = {"text": "😀😀 a b c d e", "label": [[7, 8, "M"]]}, {"text": EMOJI, "label": [[16, 22, "M"]]}
        reads = brought(tmp_path, {"a.jsonl": (one, both) if told_first else (both, one)})
        assert sorted(words[0][2][0][0] for words in labels(reads)) == ["b", "sleeps"]
        assert warnings(reads) == [IN_UNITS.format("2 texts")]

    def test_each_file_counts_its_own_way(self, tmp_path: Path) -> None:
        both = {"text": "😀😀 a b c d e", "spans": [{"start": 7, "end": 8, "label": "M"}]}
        units = {"text": EMOJI, "spans": [{"start": 16, "end": 22, "label": "M"}]}
        points = {"text": EMOJI, "spans": [{"start": 14, "end": 20, "label": "M"}]}
        reads = brought(tmp_path, {"a.jsonl": (both, units), "b.jsonl": (both, points)})
        assert [words[0][2][0][0] for words in labels(reads)] == ["b", "sleeps", "c", "sleeps"]

    def test_tokens_of_the_file_tell_too(self, tmp_path: Path) -> None:
        row = {"text": "😀 ab-cd", "tokens": ["😀", "ab", "-", "cd"], "spans": [{"start": 3, "end": 5, "label": "M"}]}
        assert labels(brought(tmp_path, {"a.jsonl": (row,)})) == [[("gold", "", [("ab", "M")])]]

    def test_predictions_of_label_studio_without_their_text(self, tmp_path: Path) -> None:
        value = {"start": 16, "end": 22, "labels": ["M"]}
        region = {"from_name": "l", "to_name": "t", "type": "labels", "value": value}
        task = {"data": {"text": f"{EMOJI} now well"}, "predictions": [{"model_version": "m", "result": [region]}]}
        reads = brought(tmp_path, {"a.json": [task]})
        assert labels(reads) == [[("model", "m", [("sleeps", "M")])]]


@pytest.mark.parametrize("key", ["text_id", "sentence_no", "sentenceId", "item_id", "frase_id", "example no"])
@pytest.mark.parametrize("more", [{}, {"label": [[14, 22, "M"]]}, {"spans": []}])
def test_the_id_of_a_text_under_other_names(tmp_path: Path, key: str, more: dict[str, Any]) -> None:
    reads = brought(tmp_path, {"a.jsonl": ({key: 158, "text": SLEEPS, **more},)})
    assert [read.id for read in reads if isinstance(read, Record)] == ["158"]
    assert warnings(reads) == []


@pytest.mark.parametrize("key", ["verb_id", "token_no", "data_row", "num_labels"])
def test_what_else_is_numbered_is_no_id(tmp_path: Path, key: str) -> None:
    reads = brought(tmp_path, {"a.jsonl": ({key: 158, "text": SLEEPS},)})
    assert [read.id for read in reads if isinstance(read, Record)] == [""]
    assert warnings(reads) == [f"“{key}” is not read (once)"]


@pytest.mark.parametrize("language", ["eng", "English", "en", "inglés"])
@pytest.mark.parametrize("more", [{}, {"label": [[14, 22, "M"]]}])
def test_a_language_by_other_codes_and_names(tmp_path: Path, language: str, more: dict[str, Any]) -> None:
    reads = brought(tmp_path, {"a.jsonl": ({"id": 1, "language": language, "text": SLEEPS, **more},)})
    assert [list(read.texts) for read in reads if isinstance(read, Record)] == [["en"]]


def test_an_id_is_no_text_in_indonesian(tmp_path: Path) -> None:
    reads = brought(tmp_path, {"a.jsonl": ({"id": "a1", "en": SLEEPS, "es": "El mercado duerme."},)})
    assert [(read.id, list(read.texts)) for read in reads if isinstance(read, Record)] == [("a1", ["en", "es"])]
