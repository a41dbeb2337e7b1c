"""What Excel shows of a date or time, where that does not depend on whose Excel it is."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence

from annotator.formats.tables.number_formats import AROUND, COLOURS

_TOKEN = re.compile(
    AROUND + r"|(?P<half>AM/PM|A/P)|(?P<fraction>[.,]0+)|(?P<field>[yY]+|[mM]+|[dD]+|[hH]+|[sS]+)|(?P<other>.)",
    re.DOTALL,
)
_LOCALE = re.compile(r"\$[^-]*-([0-9A-Fa-f]+)")
_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
}
_DAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
}
# What the language of a format's names is, by the part of its number that says the language.
_LANGUAGES: Mapping[int, str] = {0x09: "en", 0x0A: "es"}
Moment = datetime.datetime | datetime.date | datetime.time


def shown_date(value: Moment | datetime.timedelta, code: str) -> str | None:
    """A date or time as Excel shows it in a format; None where that is not known."""
    tokens = _tokens(code)
    if tokens is None or (isinstance(value, datetime.timedelta) and not _is_lapse(tokens)):
        return None
    if isinstance(value, datetime.timedelta):
        return _lapse(value, tokens)
    moment = _moment(value)
    language = next((text for kind, text in tokens if kind == "language"), "en")
    is_halved = any(kind == "half" for kind, _text in tokens)
    fields = [(number, text) for number, (kind, text) in enumerate(tokens) if kind == "field"]
    found = []
    for number, (kind, text) in enumerate(tokens):
        if kind == "lapse":
            return None
        if kind == "half":
            found.append(("AM" if moment.hour < 12 else "PM")[: 2 if text == "AM/PM" else 1])
        elif kind == "fraction":
            found.append(f".{moment.microsecond:06d}"[: len(text)])
        elif kind == "field":
            before = next((other for at, other in reversed(fields) if at < number), "")
            after = next((other for at, other in fields if at > number), "")
            is_minute = text[0] == "m" and (before[:1] == "h" or after[:1] == "s")
            found.append(_field(moment, text, language, is_minute=is_minute, is_halved=is_halved))
        elif kind == "literal":
            found.append(text)
    return "".join(found).strip()


def plain_date(value: Moment | datetime.timedelta) -> str:
    """A date as the year, month and day, with the time where there is one."""
    if isinstance(value, datetime.timedelta):
        return str(value)
    if isinstance(value, datetime.datetime):
        is_day = not (value.hour or value.minute or value.second or value.microsecond)
        return value.date().isoformat() if is_day else value.isoformat(sep=" ")
    return value.isoformat()


def _tokens(code: str) -> list[tuple[str, str]] | None:
    """The pieces of the first section; None where it has what is not known here."""
    found: list[tuple[str, str]] = []
    for match in _TOKEN.finditer(code):
        kind, text = match.lastgroup or "other", match[match.lastgroup or 0]
        if kind == "other" and text == ";":
            break
        if kind in ("quoted", "escaped"):
            found.append(("literal", text))
        elif kind == "space":
            found.append(("literal", " "))
        elif kind == "bracket":
            locale = _LOCALE.fullmatch(text)
            if locale is not None:
                number = int(locale[1], 16)
                # Formats of the system are those of the person who looks at it.
                if number >= 0xF000 or (number & 0xFFFF and number & 0x3FF not in _LANGUAGES):
                    return None
                found.append(("language", _LANGUAGES.get(number & 0x3FF, "en")))
            elif re.fullmatch(r"[hH]+|[mM]+|[sS]+", text):
                found.append(("lapse", text.lower()))
            elif not COLOURS.fullmatch(text):
                return None
        elif kind == "field":
            found.append((kind, text.lower()))
        elif kind == "other":
            if text.isalpha():
                return None
            found.append(("literal", text))
        elif kind != "fill":
            found.append((kind, text))
    return found if any(kind in ("field", "lapse") for kind, _text in found) else None


def _moment(value: Moment) -> datetime.datetime:
    if isinstance(value, datetime.datetime):
        return value
    if isinstance(value, datetime.date):
        return datetime.datetime(value.year, value.month, value.day)
    # The day before the first one, as Excel has it.
    return datetime.datetime.combine(datetime.date(1899, 12, 31), value)


def _field(moment: datetime.datetime, text: str, language: str, *, is_minute: bool, is_halved: bool) -> str:
    size = len(text)
    if text[0] == "y":
        return f"{moment.year:04d}" if size > 2 else f"{moment.year % 100:02d}"
    if is_minute:
        return f"{moment.minute:0{min(size, 2)}d}"
    if text[0] == "m":
        return _named(moment.month, _MONTHS[language].split()[moment.month - 1], size)
    if text[0] == "d":
        return _named(moment.day, _DAYS[language].split()[moment.weekday()], size)
    if text[0] == "h":
        hour = (moment.hour % 12 or 12) if is_halved else moment.hour
        return f"{hour:0{min(size, 2)}d}"
    return f"{moment.second:0{min(size, 2)}d}"


def _named(number: int, name: str, size: int) -> str:
    if size < 3:
        return f"{number:0{size}d}"
    return {3: name[:3], 5: name[0].upper()}.get(size, name)


def _is_lapse(tokens: Sequence[tuple[str, str]]) -> bool:
    return any(kind == "lapse" for kind, _text in tokens)


def _lapse(value: datetime.timedelta, tokens: Sequence[tuple[str, str]]) -> str | None:
    """A time that continues beyond a day, such as [h]:mm."""
    seconds = round(value.total_seconds())
    if seconds < 0:
        return None
    first = next(text for kind, text in tokens if kind == "lapse")
    whole = {"h": seconds // 3600, "m": seconds // 60, "s": seconds}[first[0]]
    found = []
    for kind, text in tokens:
        if kind == "lapse":
            found.append(f"{whole:0{len(text)}d}")
        elif kind == "field":
            rest = {"m": seconds // 60 % 60, "s": seconds % 60}.get(text[0])
            if rest is None:
                return None
            found.append(f"{rest:0{min(len(text), 2)}d}")
        elif kind == "literal":
            found.append(text)
    return "".join(found)
