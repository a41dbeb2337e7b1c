"""What Excel shows of a number: "007" of 7 in the format 000, "25 %" of 0.25 in 0 %.

A format has up to four sections, for numbers above, below and of 0, and for text. What is not understood here, such as
conditions and fractions, gives None; the caller has the number then. Dates: `date_formats`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

GENERAL = "General"
# What Excel keeps of a number.
DIGITS = 15
_SMALLEST_PLAIN = -9
_IN_POWERS = re.compile(r"\d(?:[.,]\d+)?[Ee]\+(?:0?[5-9]|[1-9]\d)")
_MAX_NUMBER_LENGTH = 40
# What stands around digits and fields of dates: texts, spaces, fillings, colours and languages.
AROUND = r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_(?P<space>.)|\*(?P<fill>.)|\[(?P<bracket>[^\]]*)\]'
_TOKEN = re.compile(
    AROUND + r"|(?P<general>General)|(?P<exponent>[Ee][+-])|(?P<holder>[0#?])|(?P<mark>[.,%;/@])|(?P<other>.)",
    re.DOTALL,
)
COLOURS = re.compile(r"(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a format: a place for a digit, a mark, or what stands there as it is."""

    kind: str
    text: str


def shown_number(value: float, code: str) -> str | None:
    """A number as Excel shows it in a format; None where the format is not understood."""
    sections = sections_of(code)
    if sections is None or not sections:
        return None
    if len(sections) == 1:
        chosen, is_signed = sections[0], value < 0
    elif value < 0:
        chosen, is_signed = sections[1], False
    else:
        chosen, is_signed = sections[2 if not value and len(sections) > 2 else 0], False
    found = _in_section(abs(Decimal(repr(value))), chosen)
    if not found:
        # Nothing is shown of a number that is hidden; it is there all the same.
        return None
    return f"-{found}" if is_signed and any(character in "123456789" for character in found) else found


def shown_text(value: str, code: str) -> str:
    """A text as Excel shows it: the fourth section, or one with @, has what stands around it."""
    if "@" not in code or code == "@":
        return value
    section = next((one for one in reversed(sections_of(code) or []) if any(part.text == "@" for part in one)), [])
    if not section or any(part.kind == "holder" for part in section):
        return value
    return "".join(value if (part.kind, part.text) == ("mark", "@") else part.text for part in section)


def general(value: float) -> str:
    """A number without a format: up to 15 digits, all of it where it has more."""
    if float(value).is_integer():
        return format(Decimal(repr(value)).to_integral_value(), "f")
    short = Decimal(format(value, f".{DIGITS}g"))
    return format(short, "f") if short.adjusted() >= _SMALLEST_PLAIN else format(short, "E")


def has_lost_digits(value: float) -> bool:
    """Whether a number has more digits than Excel keeps."""
    return bool(abs(value) >= 10**DIGITS)


def was_cut_short(text: str) -> bool:
    """Whether a number as text has lost digits in a spreadsheet program: 1.58E+18, or zeros from the 16th digit on."""
    if not 4 < len(text) < _MAX_NUMBER_LENGTH or not text[-1].isdigit():
        return False
    if _IN_POWERS.fullmatch(text):
        return True
    return len(text) > DIGITS + 2 and text.isdecimal() and not text[DIGITS:].strip("0")


@lru_cache(maxsize=256)
def sections_of(code: str) -> list[list[Part]] | None:
    """The pieces of each section of a format; None where it has conditions."""
    sections: list[list[Part]] = [[]]
    for match in _TOKEN.finditer(code):
        kind, text = match.lastgroup or "other", match[match.lastgroup or 0]
        if kind == "bracket":
            if text.startswith("$"):
                # A currency, and the language that it is written in.
                sections[-1].append(Part("literal", text[1:].partition("-")[0]))
            elif not COLOURS.fullmatch(text):
                return None
        elif (kind, text) == ("mark", ";"):
            sections.append([])
        elif kind in ("quoted", "escaped"):
            sections[-1].append(Part("literal", text))
        elif kind == "space":
            sections[-1].append(Part("literal", " "))
        elif kind == "other":
            sections[-1].append(Part("literal" if not text.isalpha() else "letter", text))
        elif kind != "fill":
            sections[-1].append(Part(kind, text))
    return sections


def _in_section(value: Decimal, parts: Sequence[Part]) -> str | None:
    if any(part.kind == "letter" or (part.text == "/" and part.kind == "mark") for part in parts):
        return None
    if parts == [Part("mark", "@")]:
        return general(float(value))
    if any(part.kind == "general" for part in parts):
        whole = general(float(value))
        return "".join(whole if part.kind == "general" else part.text for part in parts).strip()
    places = [number for number, part in enumerate(parts) if part.kind == "holder"]
    if not places:
        return "".join(part.text for part in parts if part.kind == "literal" or part.text == "%").strip()
    if any(part.kind == "exponent" for part in parts):
        return _in_powers(value, parts)
    marks = [number for number, part in enumerate(parts) if part == Part("mark", ".")]
    point = marks[0] if marks else places[-1] + 1
    value *= Decimal(100) ** sum(part == Part("mark", "%") for part in parts)
    last = max((number for number in places if number < point), default=point - 1)
    commas = [number for number, part in enumerate(parts) if part == Part("mark", ",")]
    value /= Decimal(1000) ** sum(number > last for number in commas)
    decimals = [parts[number].text for number in places if number > point]
    rounded = value.quantize(Decimal(1).scaleb(-len(decimals)), rounding=ROUND_HALF_UP)
    whole, _point, fraction = format(rounded, "f").partition(".")
    shown = _whole(whole, parts[:point], is_grouped=any(number < last for number in commas))
    return (shown + _behind(fraction, parts[point:])).strip()


def _whole(digits: str, parts: Sequence[Part], *, is_grouped: bool) -> str:
    """The part before the point, with the digits put into its places from the right."""
    left = list("" if digits == "0" else digits)
    places = [number for number, part in enumerate(parts) if part.kind == "holder"]
    found: list[str] = []
    count = 0
    first_zero = next((number for number in places if parts[number].text == "0"), len(parts))
    for number in range(len(parts) - 1, -1, -1):
        part = parts[number]
        if part.kind != "holder":
            found.append(part.text if part.kind == "literal" or part.text == "%" else "")
            continue
        takes = len(left) if number == places[0] else 1
        for _place in range(max(takes, 1)):
            digit = left.pop() if left else "0" if number >= first_zero else " " if part.text == "?" else ""
            if digit.isdigit():
                found.append("," if is_grouped and count and count % 3 == 0 else "")
                count += 1
            found.append(digit)
    return "".join(reversed(found))


def _behind(fraction: str, parts: Sequence[Part]) -> str:
    """The point and what follows it; digits that need not be shown are left out."""
    holders = [part.text for part in parts if part.kind == "holder"]
    needed = max((number + 1 for number, holder in enumerate(holders) if holder == "0"), default=0)
    shown = max(needed, len(fraction.rstrip("0")))
    found = []
    number = 0
    for part in parts:
        if part.kind == "holder":
            found.append(fraction[number] if number < shown else "")
            number += 1
        elif part.kind == "literal" or part.text in "%.":
            found.append(part.text)
    return "".join(found)


def _in_powers(value: Decimal, parts: Sequence[Part]) -> str | None:
    at = next(number for number, part in enumerate(parts) if part.kind == "exponent")
    before = [part.text for part in parts[:at] if part.kind in ("holder", "mark")]
    after = [part for part in parts[at + 1 :] if part.kind == "holder"]
    if "".join(before).partition(".")[0] not in ("0", "#"):
        return None
    decimals = max(len(before) - 2, 0)
    mantissa, _e, power = f"{value:.{decimals}E}".partition("E")
    sign = "-" if power.startswith("-") else "+" if parts[at].text.endswith("+") else ""
    return f"{mantissa}E{sign}{power.lstrip('+-').zfill(len(after))}"
