"""Files that any reader of text or tables would take, and that look like something else: a token per line, the marks of
another tool, configuration, code, columns, numbers.

Nobody is to find a configuration among the sentences: such a file is read only in a format that a person has chosen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from pathlib import PurePosixPath

from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.domain.text.word_sets import word_set
from annotator.formats.columns.token_rows import is_a_token_a_row, token_rows
from annotator.formats.common.beginnings import beginning, looks_like_text
from annotator.formats.common.errors import FormatError, quote
from annotator.formats.common.names import is_language
from annotator.formats.common.protocol import Guess, Options, SourceFile
from annotator.formats.registry import formats


class Look(StrEnum):
    """What a file looks like."""

    TOKENS = "tokens"
    MARKS = "marks"
    INLINE = "inline"
    CONFIGURATION = "configuration"
    CODE = "code"
    NAMES = "names"
    COLUMNS = "columns"
    NUMBERS = "numbers"


_EVERY = frozenset(Look)
# The formats that read any text, or any table, and what they are asked about.
_ASKED = {"lines": _EVERY, "text": _EVERY, "moses": _EVERY, "csv": _EVERY, "tsv": _EVERY, "xlsx": frozenset(Look)}
_TABLES = ("csv", "tsv", "xlsx")
# A table has columns, and its cells may have marks in them.
_OF_TABLES = frozenset({Look.TOKENS, Look.MARKS, Look.NUMBERS})
_NAMED_TABLES = (".csv", ".tsv", ".tab", ".xlsx", ".xlsm")
_ROWS = 200

_WHAT = {
    Look.TOKENS: _("text that looks like one token per line, not one sentence per line: %(line)s"),
    Look.MARKS: _("text that looks like the marks of another tool: %(line)s"),
    Look.INLINE: _("text that seems to have marks in it: %(line)s"),
    Look.CONFIGURATION: _("text that looks like configuration: %(line)s"),
    Look.CODE: _("text that looks like code: %(line)s"),
    Look.NAMES: _("names or addresses, not sentences: %(line)s"),
    Look.COLUMNS: _("text that looks like columns, not one sentence per line: %(line)s"),
    Look.NUMBERS: _("numbers, not words: %(line)s"),
}


# By the suffix alone; such as are a language's, too (.cs, .pl), are told by what is in the file.
_SUFFIXES = {
    Look.CONFIGURATION: word_set("conf cfg ini toml yaml yml properties env editorconfig gitignore gitattributes lock"),
    Look.CODE: word_set(
        "py pyi js mjs ts tsx jsx java c h cc cpp hpp cs go rs rb php pl pm sh bash zsh bat cmd ps1 r rmd sql css scss "
        "less lua kt swift scala hs ipynb mk makefile dockerfile cmake dtd xsd xsl xslt tcl awk sed vbs log diff patch"
    ),
    Look.MARKS: word_set("ann a1 a2 srt vtt sub ass cha textgrid eaf rtf po pot bib ris tex sfm mrg ptb"),
}


def _lines(*patterns: str) -> Callable[[str], bool]:
    """Whether a line has one of the patterns at its beginning."""
    found = re.compile("|".join(f"(?:{pattern})" for pattern in patterns))
    return lambda line: bool(found.match(line))


_IS_MARK = _lines(
    r"[TAMREN]\d+\t",  # brat
    r"#\d+\t\w*Notes?\b",
    r"\d*:?\d\d:\d\d[.,]\d{3} --> ",  # subtitles
    r"(?:\*[A-Z]{2,}\w*|%[a-z]{3}):\s|@(?:Begin|End|UTF8|Languages|Participants|ID|Options|Media)\b",  # CHAT
    r"\\[a-z]\w*(?:\s|$)",  # Toolbox
    r"\\[A-Za-z]+[\[{]",  # LaTeX
    r"\((?:[A-Z][A-Z$-]*\s*)?\([A-Z]",  # trees in brackets
    r"\s+\([A-Z][A-Z$-]* ",
    r"(?:msgid|msgstr|msgctxt)(?:\[\d\])? \"",  # gettext
    r"@\w+\{[^\s,]*,?$",  # BibTeX
    r"(?:TY|AU|ER|TI|AB|KW)  - ",  # RIS
    r"#(?:FORMAT|T_SP|T_CH|T_RL|[Tt]ext|id|Sentence\.id)=",  # WebAnno
    r"\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d\S*\s",  # logs
    r"-DOCSTART-|#begin document|#end document",
    r"# ::\w+ |\s*\(\w+ / [\w-]+\)*$|\s+:[A-Za-z][\w-]* \S",  # graphs of AMR
)
# The rule below the heading of a table that is drawn in text.
_RULE = re.compile(r"\s*[|+]?\s*:?[-=]{3,}:?\s*(?:[|+]\s*:?[-=]{3,}:?\s*)+[|+]?\s*")
_INLINE = re.compile(
    r"</[A-Za-z][\w:.-]*\s*>|<(?:START|END)[:>]|<[A-Za-z][\w:.-]*(?:\s+[\w:.-]+\s*=\s*[\"'][^<>]*)?/?>"
    r"|\[[^\[\]]+\]\([\w: -]+\)|\[\[[^\[\]]+\]\]|\{\{[^{}]+\}\}|\[[A-Z][A-Z_-]{2,} [^\[\]]+\]|^\s*\[\s*[\"'].*\]\s*,?$"
)
# "Time/NN", "flies_VBZ", "time|NOUN"
_TAGGED_WORD = re.compile(r"\S+[/_|](?:[A-Z$][A-Z0-9$-]*|[.,:;'`\"()?!-]+)")
_SECTION = re.compile(r"\s*\[\[?[\w .:/@*-]+\]?\]\s*")
_IS_SETTING = _lines(r"\s*[\w.\[\]-]+\s*[+:]?=\s*(?!=)\S*", r"\s*[\w.-]+\s*:=")
_IS_NESTED = _lines(r"\s+(?:- )?[\w.-]+:(?:\s|$)", r"- [\w.-]+:(?:\s|$)")
_IS_HOLDER = _lines(r"\s*(?:- )?[\w.-]+:\s*$")
_IS_KEY = _lines(r"\s*(?:- )?[\"']?[\w.-]+[\"']?:(?:\s|$)", r"\s*- \S+$", r"---$")
_IS_CODE = _lines(
    r"\s*(?:def|class|function|func|fn|sub|package|namespace|interface|enum|struct)\s+[\w.:$]+\s*[({:;]",
    r"\s*(?:import|using|require|include|library|use)\b[\s(<\"'][\w.:/*<>\"' -]+[;)>\"']?$",
    r"\s*from\s+[\w.]+\s+import\b",
    r"\s*#(?:include|define|ifdef|ifndef|endif|!)",
    r"\s*(?://|/\*|\*/|<!--|<\?php|--\s)",
    r"\s*(?:public|private|protected|static|const|let|var|val|final|async|export|return)\b.*[;{(=]",
    r"\s*(?:if|for|while|elif|else if|switch|catch|with|try|except|else|do)\b.*[:{]\s*$",
    r"\s*(?:return|yield|raise|throw|print|echo|puts|assert)\b.*[\w)\]\"'](?:;|\(.*\)|\])\s*$",
    r"\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER)\s+\w+.*",
    r"\s*[\w.$]+\(.*\)[;,]?\s*$",
    r"\s*[\w.$\[\]\"']+\s*(?:[-+*/|&]?=|:=|<-|=>)\s*\S",
    r".*[;{}]\s*$",
    r"\s*[\])}]+[;,]?\s*$",
)
# Some of these say more than that a line ends in a semicolon, as a sentence may.
_IS_SURELY_CODE = _lines(
    r"\s*(?:def|class|function|func|fn)\s+\w+\s*[({:]",
    r"\s*(?:import|using|package)\s+[\w.*{}, ]+;?$",
    r"\s*from\s+[\w.]+\s+import\b",
    r"\s*#(?:include|define|!)",
    r"\s*(?:[\w.$]+\s*)?\w+\(.*\)\s*[;{:]\s*$",
    r"\s*[\w.$\[\]\"']+\s*(?:[-+*/|&]?=|:=|<-|=>)\s*\S",
    r".*[{}]\s*$",
)
_INSIDE = re.compile(r"\w[\\/_=@<>~#]+\w|\w[.:]\w|\w:/|[a-z]\d")
_GAPS = re.compile(r"\S(?: {2,}|\t)\S")


@dataclass(frozen=True, slots=True)
class Odd:
    """What a file looks like that is not text, and the line that shows it."""

    look: Look
    line: int
    shown: str

    def error(self, file: SourceFile) -> FormatError:
        """Asks what the file is."""
        got = message(_WHAT[self.look], line=quote(self.shown, 60))
        expected = message(_("sentences: remove this file, or choose its format"))
        return file.error(self.line, expected, got)


def is_asked(guess: Guess) -> bool:
    """Whether a guess is one of a format that reads any text or any table."""
    return guess.format in _ASKED


def questions(guess: Guess) -> tuple[FormatError, ...]:
    """What is to be asked before the files of a guess are taken for sentences, each file by its name."""
    if not is_asked(guess):
        return ()
    found = []
    for file in guess.files:
        odd = oddity(file)
        named = file.name.lower().endswith(_NAMED_TABLES)
        if odd is not None and guess.format in _TABLES and odd.look not in (_OF_TABLES if named else _EVERY):
            odd = None
        if odd is not None and guess.format in _TABLES and odd.look is Look.COLUMNS:
            odd = None
        if odd is None and guess.format in _TABLES:
            odd = _token_rows(file, guess)
        if odd is not None:
            found.append(odd.error(file))
    return tuple(found)


def oddity(file: SourceFile) -> Odd | None:
    """What a file looks like that is not text."""
    if not looks_like_text([file]):
        return None
    numbered = [(number, line) for number, line in enumerate(beginning(file), start=1) if line.strip()]
    # What cannot be decoded, or split into lines, the reader says.
    if not numbered or any("\ufffd" in line or "\r" in line for _number, line in numbered):
        return None
    lines = [line for _number, line in numbered]
    suffix = PurePosixPath(file.name).suffix.lower()[1:] or PurePosixPath(file.name).name.lower().lstrip(".")
    for look, suffixes in _SUFFIXES.items():
        if suffix in suffixes and not is_language(suffix):
            return Odd(look, *numbered[0])
    if rule := next((one for one in numbered[:4] if _RULE.fullmatch(one[1])), None):
        return Odd(Look.MARKS, *rule)
    all_lines = beginning(file)
    if token_rows(all_lines):
        return Odd(Look.TOKENS, *numbered[0])
    for look, is_one, share in (
        (Look.MARKS, _IS_MARK, 0.3),
        (Look.CONFIGURATION, _is_configuration(lines), 0.6),
        (Look.CODE, _is_code(lines), 0.6),
        (Look.INLINE, _has_marks, 0.5),
        (Look.NUMBERS, _has_no_words, 0.9),
        (Look.NAMES, _is_name, 0.75),
        (Look.COLUMNS, _has_columns, 0.6),
    ):
        fits = [(number, line) for number, line in numbered if is_one(line)]
        if len(fits) >= share * len(lines) and fits:
            return Odd(look, *fits[0])
    return None


def _is_configuration(lines: Sequence[str]) -> Callable[[str], bool]:
    """Whether a line is one of configuration: of sections that are named in brackets, of settings, of nested keys."""
    sections = sum(bool(_SECTION.fullmatch(line)) for line in lines)
    if sections and not any(_is_sentence(line) for line in lines):
        return lambda line: True
    below = pairwise(lines)
    if (
        any(map(_IS_NESTED, lines))
        or lines[0].strip() == "---"
        or any(_IS_HOLDER(key) and value.startswith((" ", "\t", "- ")) for key, value in below)
    ):
        return lambda line: _IS_KEY(line) or _is_comment(line)
    if not any(map(_IS_SETTING, lines)):
        return lambda line: False
    return lambda line: bool(_SECTION.fullmatch(line)) or _IS_SETTING(line) or _is_comment(line)


def _is_code(lines: Sequence[str]) -> Callable[[str], bool]:
    if sum(map(_IS_SURELY_CODE, lines)) * 5 < len(lines):
        return lambda line: False
    return lambda line: _IS_CODE(line) or _is_comment(line)


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith(("#", ";", "//", "!"))


def _is_sentence(line: str) -> bool:
    return len(line.split()) > 2 and line.rstrip("\"'”’»)] ").endswith((".", "!", "?", "…", "。", "！", "？"))


def _has_marks(line: str) -> bool:
    words = line.split()
    tagged = sum(bool(_TAGGED_WORD.fullmatch(word)) for word in words)
    return bool(_INLINE.search(line)) or (len(words) > 1 and tagged >= 0.8 * len(words))


def _has_no_words(line: str) -> bool:
    return not any(character.isalpha() for character in line)


def _is_name(line: str) -> bool:
    """Whether a line is one word with what a word of a text has not inside: doc_1.txt, https://example.org, a==5."""
    return len(line.split()) == 1 and bool(_INSIDE.search(line.strip()))


def _has_columns(line: str) -> bool:
    return "\t" in line.strip() or len(_GAPS.findall(line)) > 1 or line.count("|") > 1


def _token_rows(file: SourceFile, guess: Guess) -> Odd | None:
    """Whether the rows of a table have a token each."""
    cells = getattr(formats()[guess.format], "cells", None)
    if cells is None:
        return None
    try:
        rows: list[list[str]] = cells([file], _without_meanings(guess.options), _ROWS)
    except FormatError:
        return None
    body = rows[1:] if guess.options.header else rows
    if not is_a_token_a_row(body):
        return None
    return Odd(Look.TOKENS, 1, " | ".join(rows[0]))


def _without_meanings(options: Options) -> Options:
    return Options(delimiter=options.delimiter, header=options.header, quoting=options.quoting)
