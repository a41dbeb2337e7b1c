"""What looks like a token a line, marks, configuration, code or columns is asked about by name, and never sentences."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from annotator.domain.labels.spans import Span
from annotator.formats.common.errors import FormatError, FormatWarning
from annotator.formats.common.protocol import Guess, SourceFile
from annotator.formats.common.records import Record
from annotator.formats.recognise import recognise
from annotator.formats.registry import formats
from tests.formats.brought import guesses


def sentences(guess: Guess) -> list[tuple[str, tuple[Span, ...]]]:
    """The words of each sentence, and its labels."""
    found = []
    for read in formats()[guess.format].read(guess.files, guess.options):
        assert not isinstance(read, FormatError), read
        for text in read.texts.values() if isinstance(read, Record) else ():
            spans = text.labels[0].spans if text.labels else ()
            found.append((" ".join(text.tokens) or text.text, tuple(span for span in spans if isinstance(span, Span))))
    return found


ROWS = [("Ana", "X"), ("sows", "Y"), ("doubt", "X"), (".", "Z"), ("Rumours", "X"), ("bloom", "Y"), (".", "Z")]
PARTS = {"X": "NOUN", "Y": "VERB", "Z": "PUNCT"}


def columns(delimiter: str, *, gap: bool = True) -> str:
    """A token a line with its part of speech."""
    lines = [delimiter.join((word, PARTS[part])) + "\n" for word, part in ROWS]
    if gap:
        lines.insert(4, "\n")
    return "".join(lines)


QUESTIONED = {
    "a word a line, with blank lines": ("w.txt", "Ana\nsows\ndoubt\n.\n\nRumours\nbloom\n.\n", "one token per line"),
    "a word a line, without": ("w.txt", "Ana\nsows\ndoubt\n.\nRumours\nbloom\n.\n", "one token per line"),
    "a list of words": ("w.txt", "".join(f"word{chr(97 + n)}\n" for n in range(24)), "one token per line"),
    "parts of speech": ("w.tsv", columns("\t"), "one token per line"),
    "parts of speech without blank lines": ("w.tsv", columns("\t", gap=False), "one token per line"),
    "parts of speech with spaces": ("w.txt", columns(" "), "one token per line"),
    "nine columns with spaces": (
        "w.txt",
        "".join(f"{n} {word} _ {PARTS[part]} _ _ 0 _ _\n" for n, (word, part) in enumerate(ROWS, 1)),
        "one token per line",
    ),
    "a table of tokens": (
        "ner.csv",
        "Sentence #,Word,POS,Tag\nSentence: 1,Ana,NNP,B-PER\n,sows,VBZ,O\n,doubt,NN,O\n,.,.,O\n"
        "Sentence: 2,Rumours,NNS,O\n,bloom,VBP,O\n,.,.,O\n",
        "one token per line",
    ),
    "a table of tokens with numbers": (
        "ner.tsv",
        "sent\ttoken\tlabel\n" + "".join(f"{1 + n // 4}\t{word}\tO\n" for n, (word, _part) in enumerate(ROWS)),
        "one token per line",
    ),
    "brat without its text": ("doc.ann", "T1\tMETAPHOR 4 8\tsows\nA1\tSure T1\n", "marks of another tool"),
    "brat under another name": ("doc.txt", "T1\tMETAPHOR 4 8\tsows\nT2\tMETAPHOR 9 14\tdoubt\n", "marks of another"),
    "subtitles": ("film.txt", "1\n00:00:01,000 --> 00:00:02,500\nRumours bloom.\n\n" * 3, "marks of another tool"),
    "subtitles by name": ("film.srt", "Rumours bloom.\nAna sows doubt.\n", "marks of another tool"),
    "CHAT": ("talk.txt", "@Begin\n*ANA:\trumours bloom .\n%mor:\tn|rumour v|bloom .\n@End\n", "marks of another tool"),
    "Toolbox": ("lex.txt", "\\lx bloom\n\\ps v\n\\ge open\n\n\\lx sow\n\\ps v\n\\ge plant\n", "marks of another tool"),
    "LaTeX": ("a.txt", "\\documentclass{article}\n\\begin{document}\nRumours bloom.\n\\end{document}\n", "marks"),
    "trees": ("t.txt", "(S (NP (NNS Rumours)) (VP (VBP bloom)))\n(S (NP (NNP Ana)) (VP (VBZ sows)))\n", "marks of"),
    "gettext": ("es.txt", 'msgid "Sow"\nmsgstr "Siembra"\n\nmsgid "Bloom"\nmsgstr "Florece"\n', "marks of another"),
    "tagged words": ("t.txt", "Rumours/NNS bloom/VBP ./.\nAna/NNP sows/VBZ doubt/NN ./.\n", "to have marks in it"),
    "tagged words with _": ("t.txt", "Rumours_NNS bloom_VBP ._.\nAna_NNP sows_VBZ doubt_NN ._.\n", "to have marks"),
    "elements": ("t.txt", "Rumours <m>bloom</m>.\nAna <m>sows</m> doubt.\n", "to have marks in it"),
    "elements with attributes": ("t.txt", 'Rumours <m type="a">bloom</m>.\n<s>Ana sows.</s>\n', "to have marks"),
    "Rasa": ("t.txt", "- [Rumours](TOPIC) bloom\n- Ana [sows](METAPHOR) doubt\n", "to have marks in it"),
    "lists of strings": ("t.txt", '["Rumours", "bloom"]\n["Ana", "sows"]\n', "to have marks in it"),
    "sections": ("annotation.txt", "[entities]\nMETAPHOR\n[relations]\nSource\n", "configuration"),
    "settings": ("a.txt", "name = corpus\nlanguage = en\nmax_len=20\n", "configuration"),
    "settings by name": ("a.cfg", "Rumours bloom.\n", "configuration"),
    "YAML": ("a.yaml", "name: corpus\nlabels:\n  - METAPHOR\n", "configuration"),
    "YAML under another name": ("a.txt", "name: corpus\nlabels:\n  source: a\n  target: b\n", "configuration"),
    "YAML with lists": ("a.txt", "project: x\nlabels:\n  - METAPHOR\n  - NONE\n", "configuration"),
    "a table drawn in text": ("a.txt", "| id | text |\n|----|:-----|\n| 1 | Rumours bloom. |\n", "marks of another"),
    "a grid": ("a.txt", "id  | text\n----+-----\n1   | Rumours bloom.\n2   | We slept.\n", "marks of another"),
    "AMR": ("a.txt", "# ::id 1\n# ::snt Rumours bloom.\n(b / bloom-01\n   :ARG0 (r / rumour))\n", "marks of another"),
    "Python": (
        "a.txt",
        "import re\n\ndef count(words):\n    n = 0\n    for word in words:\n        n += len(word)\n    return n\n",
        "code",
    ),
    "Python by name": ("a.py", "print('Rumours bloom.')\n", "code"),
    "JavaScript": ("a.txt", "const a = 1;\nfunction b(c) {\n  return c + a;\n}\nb(2);\n", "code"),
    "SQL by name": ("a.sql", "SELECT text FROM sentences\n", "code"),
    "uneven columns": (
        "a.txt",
        "1\tRumours bloom.\tx\n2\tAna sows doubt.\n3\tTime heals.\ty\tz\n4\tIdeas travel.\n5\tIt rains.\tq\n",
        "columns",
    ),
    "columns with spaces": ("a.txt", "No   Text        Tag\n1    Ana slept   a\n2    We left     b\n", "columns"),
    "names of files": ("a.txt", "doc1.txt\ndoc2.txt\ndoc_3.txt\n", "names or addresses"),
    "addresses": ("a.txt", "https://example.org/a\nhttps://example.org/b\n", "names or addresses"),
    "requirements": ("a.txt", "django==5.2\nnumpy>=2\nopenpyxl~=3.1\nruff\n", "names or addresses"),
    "a log": ("a.txt", "2025-01-01 10:00:00 INFO begun\n2025-01-01 10:00:01 INFO done\n", "marks of another tool"),
    "Docker": ("Dockerfile", "FROM python:3.11\nRUN pip install x\n", "code"),
    "numbers": ("a.txt", "0-0 1-1\n0-1 1-0\n2\n", "numbers, not words"),
    "a table of numbers": ("a.csv", "1,0.5\n2,0.7\n3,0.1\n", "numbers, not words"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "content", "what"), QUESTIONED.values(), ids=QUESTIONED)
def test_what_is_no_text_is_asked_about_by_name(tmp_path: Path, name: str, content: str, what: str) -> None:
    found = guesses(tmp_path, {name: content})
    assert all(guess.questions for guess in found)
    if found:
        [question] = found[0].questions
        assert question.path == name
        assert what in str(question)
        assert "choose its format" in str(question)


TEXTS = {
    "short sentences": ("a.txt", "Yes.\nNo.\n\nPerhaps.\nWell then.\n"),
    "dialogue": ("a.txt", "Ana: Rumours bloom.\nJon: They always do.\nAna: Why?\n"),
    "semicolons": ("a.txt", "Rumours bloom;\nAna sows doubt;\nand time heals.\n"),
    "brackets": ("a.txt", "[Laughter] Rumours bloom.\nAna sows doubt (again).\n(No one knows.)\n"),
    "one word a line": ("a.txt", "Rumours\nDon't!\nHalf-truths\nWorries…\n"),
    "an address": ("a.txt", "See https://example.org/a_b for more.\nAna wrote to a@b.org.\n"),
    "verse": ("a.txt", "Rumours bloom\nin the night\n\nAna sows\nher doubt\n"),
    "even lines": ("a.txt", "Rumours bloom at night\nAna sows her doubt\n\nTime heals all wounds\nWe slept at home\n"),
    "equations": ("a.txt", "If x = 2, the claim holds.\nThen y = 3 follows at once.\n"),
    "Chinese": ("a.txt", "时间就是金钱。\n谣言四起\n\n他吃了闭门羹。\n我们睡了\n思想开花\n"),
    "Thai": ("a.txt", "เวลาคือเงิน\nข่าวลือแพร่\n\nเขากลับบ้าน\n"),
    "words side by side": ("a.csv", "Vola,Vuela\nCau,Cae\nNeva,Nieva\n"),
    "marked words in a table": ("a.csv", "id,text\n1,Rumours <b>bloom</b>.\n2,Ana <b>sows</b> doubt.\n"),
    "headed dashes": ("a.txt", "- Rumours bloom.\n- They always do.\n- Why?\n"),
    "quoted": ("a.txt", '"Rumours bloom."\n"They always do."\n'),
    "sentences with capitals last": ("a.txt", "Ana lives in the USA\nJon works for the UN\nThey met in NY\n"),
    "numbered": ("a.txt", "1. Rumours bloom.\n2. Ana sows doubt.\n3. Time heals.\n"),
    "begun like code": ("a.txt", "Import taxes rose.\nFor years Ana slept.\nIf time healed:\nReturn to sender.\n"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "content"), TEXTS.values(), ids=TEXTS)
def test_text_is_not_asked_about(tmp_path: Path, name: str, content: str) -> None:
    assert not guesses(tmp_path, {name: content}, "en", "ca", "zh", "th")[0].questions


def test_a_workbook_of_tokens_is_asked_about(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in [("word", "tag"), *((word, "O") for word, _part in ROWS)]:
        book.active.append(row)
    book.save(tmp_path / "ner.xlsx")
    [guess] = recognise([SourceFile("ner.xlsx", tmp_path / "ner.xlsx", encoding="")], languages=["en"])
    assert "one token per line" in str(guess.questions[0])


@pytest.mark.parametrize("name", ["visual.conf", "b.txt", "tokens.txt", "numbers.txt"])
def test_beside_text_it_is_left_out_and_named(tmp_path: Path, name: str) -> None:
    odd = {
        "visual.conf": "[labels]\nMETAPHOR | Metaphor\n",
        "b.txt": "def f(x):\n    return x + 1\n\nprint(f(2))\n",
        "tokens.txt": "Ana\nsows\ndoubt\n.\n\n",
        "numbers.txt": "2\n",
    }[name]
    guess = guesses(tmp_path, {"a.txt": "Rumours bloom.\nAna sows doubt.\n", name: odd})[0]
    assert not guess.questions
    assert [text for text, _spans in sentences(guess)] == ["Rumours bloom.", "Ana sows doubt."]
    assert f"{name} left out" in map(str, guess.notes)


def test_among_tables_a_tagged_file_is_read_as_such(tmp_path: Path) -> None:
    guess = guesses(
        tmp_path,
        {
            "dev/corpus.tsv": "Rumours\tO\nbloom\tB-M\n.\tO\n\nAna\tO\nslept\tO\n\n",
            "dev/corpus_again.tsv": "2\tAna has slept.\n",
            "dev/corpus_checked.txt": "2\n",
        },
    )[0]
    assert guess.format == "tagged"
    assert sentences(guess) == [("Rumours bloom .", (Span((1,), "M"),)), ("Ana slept", ())]
    assert "dev/corpus_again.tsv, dev/corpus_checked.txt left out" in map(str, guess.notes)


@pytest.mark.parametrize(("delimiter", "slug"), [("\t", "tagged"), (" ", "conll2003")])
def test_labels_without_b_and_i_are_tags(tmp_path: Path, delimiter: str, slug: str) -> None:
    rows = [
        ("Ana", "PER"),
        ("Ruiz", "PER"),
        ("sows", "O"),
        ("Rome", "LOC"),
        (".", "O"),
        ("", ""),
        ("Jon", "PER"),
        (".", "O"),
    ]
    content = "".join(f"{word}{delimiter}{tag}\n" if word else "\n" for word, tag in rows)
    guess = guesses(tmp_path, {"a.txt": content + "\n"})[0]
    assert guess.format == slug
    assert sentences(guess) == [
        ("Ana Ruiz sows Rome .", (Span((0, 1), "PER"), Span((3,), "LOC"))),
        ("Jon .", (Span((0,), "PER"),)),
    ]
    said = [one for one in formats()[slug].read(guess.files, guess.options) if isinstance(one, FormatWarning)]
    assert "neighbours with the same tag are one label" in str(said[0])


WORDS = "1\tWe\twe\tPRON\t_\t_\t2\tnsubj\t_\t_{0}\n2\tslept\tsleep\tVERB\t_\t_\t0\troot\t_\t_{0}\n\n"


@pytest.mark.parametrize("ends", ["\t", "\t\t", "\t \t"])
def test_empty_columns_behind_those_of_conllu_are_left_out(tmp_path: Path, ends: str) -> None:
    guess = guesses(tmp_path, {"a.conllu": WORDS.format(ends) * 3})[0]
    assert [text for text, _spans in sentences(guess)] == ["We slept"] * 3


@pytest.mark.parametrize(
    "content", [WORDS.format("\tx"), WORDS.format("").replace("\t_\t_\n", "\t_\n"), WORDS.format("").replace("\t", " ")]
)
def test_another_number_of_columns_is_an_error_with_its_line(tmp_path: Path, content: str) -> None:
    guess = guesses(tmp_path, {"a.conllu": content * 2})[0]
    assert guess.format == "conllu"
    found = [one for one in formats()["conllu"].read(guess.files, guess.options) if not isinstance(one, FormatWarning)]
    assert [str(one).split(", got")[0] for one in found] == [
        f"a.conllu:{line}: expected 10 columns separated by tabs" for line in (1, 4)
    ]
