"""Running text to sentences, and sentences to words.

Sentences are sentencex's, which knows the abbreviations of some 250 languages. It decides on full stops too: one
inside a sentence belongs to an abbreviation ("Sr. López"), one that ends it does not. What else is split off a word
is listed here: sacremoses does 3,000 sentences per second and leaves Catalan's "L ' home" in three, spaCy brings
300 MB and neither Japanese nor Thai.

Languages that write no spaces between words get small tokens, since a label can cover several of them but not a part:
one for each Chinese character, in Japanese besides one for each run of katakana and each hiragana, in Thai, Lao,
Khmer and Burmese one for each character with its marks.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from sentencex import get_sentence_boundaries

from annotator.domain.text.languages import base_language

UNSPACED = frozenset({"zh", "yue", "wuu", "ja", "th", "lo", "km", "my"})

# Of pieces between spaces; longer ones, such as sentences of languages without spaces, hardly ever come again.
MAX_CACHED_LENGTH = 30
_CHUNK = re.compile(r"\S+")
# Addresses, and numbers with their separators, are one token.
_WHOLE = re.compile(r"(?:https?://|www\.)\S*[^\s\W]/?|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[@#]\w+")
_ELLIPSIS = re.compile(r"\.{2,}|…+")
_APOSTROPHES = "'’"
_CLOSING = '"”»'
# Marks inside a piece that join no words.
_MARKS = re.compile(r"\.{3,}|…+|[—–¿¡?!;«»“”()\[\]]+|(?<=[^\W\d])[,:](?=[^\W\d])")
# A letter with a dot after it, twice or more: "p.m.", "EE.UU.".
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.){2,}")

# What is written together with a word and is one of its own: before it, up to the apostrophe, …
_ELIDED = {
    "ca": r"(?:[ldsnmt]|el|al|del|pel|can|cal)",
    "fr": r"(?:[ldjcmtsn]|qu|lorsqu|puisqu|quoiqu|jusqu)",
    "it": r"(?:[ldcmtsv]|un|all|dall|dell|nell|sull|coll|quell|bell|sant|gl|nessun|ciascun|quest|tutt|com|dov|anch)",
    "oc": r"(?:[ldsnmt]|qu)",
}
# … and after it.
_ATTACHED = {
    "ca": r"(?:-(?:me|te|se|lo|la|los|les|nos|vos|li|hi|ho|ne|en|us|m|t|ls|ns)|['’](?:m|t|l|ls|ns|n|s|hi|ho))+",
    "fr": r"-(?:t-)?(?:je|tu|il|elle|on|nous|vous|ils|elles|ce|moi|toi|lui|leur|le|la|les|y|en|ci|là)",
    "en": r"(?:n['’]t|['’](?:s|m|d|re|ve|ll))",
}
_EXCEPTIONS = frozenset({"aujourd'hui", "rendez-vous", "quelqu'un", "d'abord", "peut-être", "celui-ci", "celle-ci"})
_BEFORE = {language: re.compile(rf"{rule}[{_APOSTROPHES}](?=\w)", re.IGNORECASE) for language, rule in _ELIDED.items()}
_AFTER = {language: re.compile(rf"(?<=\w){rule}$", re.IGNORECASE) for language, rule in _ATTACHED.items()}


def sentences(text: str, language: str) -> list[tuple[int, int]]:
    """Where each sentence of a text begins and ends, in code points, without the white space around it."""
    found: list[tuple[int, int]] = []
    for boundary in get_sentence_boundaries(base_language(language), text):
        begin, end = boundary["start_index"], boundary["end_index"]
        piece = text[begin:end]
        begin += len(piece) - len(piece.lstrip())
        end -= len(piece) - len(piece.rstrip())
        if begin < end:
            found.append((begin, end))
    return found


def words(text: str, language: str) -> list[tuple[int, int]]:
    """Where each token of a text begins and ends: words, punctuation marks, clitics. White space is in none."""
    language = base_language(language)
    # Only a full stop that is not the text's last needs to be asked about.
    dotted = text.rstrip().find(".", 0, len(text.rstrip()) - 1) >= 0
    ends = {end for _, end in sentences(text, language)} if dotted else set()
    stripped = len(text.rstrip())
    found: list[tuple[int, int]] = []
    for chunk in _CHUNK.finditer(text):
        begin, end = chunk.span()
        # Letters alone: what is elided or attached has an apostrophe or a hyphen.
        if text[begin:end].isalpha() and language not in UNSPACED:
            found.append((begin, end))
            continue
        closes = end in ends or end == stripped
        if end - begin > MAX_CACHED_LENGTH:
            found += _split(text, begin, end, language, closes=closes)
        else:
            found += [(begin + one, begin + other) for one, other in _split_piece(text[begin:end], language, closes)]
    return found


@lru_cache(maxsize=50_000)
def _split_piece(piece: str, language: str, closes: bool) -> tuple[tuple[int, int], ...]:
    """As `_split`, of a piece by itself: the same ones come again and again."""
    return tuple(_split(piece, 0, len(piece), language, closes=closes))


def _split(text: str, begin: int, end: int, language: str, *, closes: bool) -> list[tuple[int, int]]:
    """The tokens of a piece without white space; `closes`: a sentence ends with it."""
    before: list[tuple[int, int]] = []
    after: list[tuple[int, int]] = []
    while begin < end and _is_edge(text[begin]):
        match = _ELLIPSIS.match(text, begin, end)
        if _WHOLE.match(text, begin, end):
            break
        stop = match.end() if match else begin + 1
        before.append((begin, stop))
        begin = stop
    while begin < end:
        stop = _trailing(text, begin, end, closes=closes)
        if stop == end:
            break
        # Who closes a quotation after a full stop ends a sentence, or what was said.
        closes = closes or text[stop] in _CLOSING
        after.append((stop, end))
        end = stop
    middle = _inside(text, begin, end, language) if begin < end else []
    return [*before, *middle, *reversed(after)]


def _trailing(text: str, begin: int, end: int, *, closes: bool) -> int:
    """Where the punctuation mark at the end of a piece begins; `end` when there is none to split off."""
    last = text[end - 1]
    if last == "." or last == "…":
        start = end
        while start > begin and text[start - 1] == last:
            start -= 1
        if last == "…" or end - start > 1:
            return start
        # "Sr." inside a sentence and "p.m." anywhere keep theirs.
        return end if not closes or _DOTTED.fullmatch(text, begin, end) else end - 1
    if not _is_edge(last) or (last in "%°" and text[begin].isdigit()):
        return end
    # The apostrophe of an elision at the end of a piece ("po'") is the word's.
    if (
        last in _APOSTROPHES
        and end - begin > 1
        and text[end - 2].isalpha()
        and text[begin - 1 : begin] not in ("'", "‘")
    ):
        return end
    return end - 1


def _inside(text: str, begin: int, end: int, language: str) -> list[tuple[int, int]]:
    """The tokens of a piece that has no punctuation at its ends."""
    if language in UNSPACED:
        return _unspaced(text, begin, end, language)
    if text[begin:end].replace("’", "'").lower() in _EXCEPTIONS or _WHOLE.fullmatch(text, begin, end):
        return [(begin, end)]
    found: list[tuple[int, int]] = []
    rule = _BEFORE.get(language)
    while rule is not None and (match := rule.match(text, begin, end)):
        found.append((begin, match.end()))
        begin = match.end()
    rule = _AFTER.get(language)
    match = rule.search(text[begin:end]) if rule is not None else None
    if match:
        found += [(begin, begin + match.start()), (begin + match.start(), end)]
    else:
        found += _at_marks(text, begin, end)
    return found


def _at_marks(text: str, begin: int, end: int) -> list[tuple[int, int]]:
    """A piece cut at marks that join no words: "and/or" and "1990-95" stay, "sí,no" and "fin…y" do not."""
    found: list[tuple[int, int]] = []
    start = begin
    for match in _MARKS.finditer(text, begin, end):
        if match.start() > start:
            found.append((start, match.start()))
        found.append(match.span())
        start = match.end()
    return [*found, (start, end)] if start < end else found


def _unspaced(text: str, begin: int, end: int, language: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    previous = ""
    for index in range(begin, end):
        kind = _script(text[index], language)
        if found and (kind == "mark" or (kind and kind == previous)):
            found[-1] = (found[-1][0], index + 1)
        else:
            found.append((index, index + 1))
        previous = kind if kind != "mark" else previous
    return found


def _script(character: str, language: str) -> str:
    """What may stand in one token with its like; "" stands alone, "mark" goes with what is before it."""
    if unicodedata.category(character) in ("Mn", "Mc", "Me", "Cf") or character in "\u0e33\u0eb3":
        return "mark"
    code = ord(character)
    if 0x30A0 <= code <= 0x30FF:
        return "katakana"
    if 0x3040 <= code <= 0x309F or 0x2E80 <= code <= 0x9FFF or 0xF900 <= code <= 0xFAFF or code >= 0x20000:
        return ""
    if 0x0E00 <= code <= 0x0EFF or 0x1000 <= code <= 0x109F or 0x1780 <= code <= 0x17FF:
        return ""
    return "word" if character.isalnum() else ""


def _is_edge(character: str) -> bool:
    """Punctuation and symbols, as they stand before and after words."""
    return unicodedata.category(character)[0] == "P" or character in "$€£¥+<=>^`|~"
