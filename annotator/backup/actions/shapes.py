"""What values of a stranger's file must look like. A shape takes a value of JSON and returns it, or raises Misfit."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from typing import Any

from annotator.domain.messages import Message, message
from annotator.domain.messages import gettext_noop as _

Shape = Callable[[Any], Any]

INT64 = 2**63 - 1
# How deep values may be nested. SQLite reads no JSON deeper than 1,000, and people nest nothing so deep.
DEEPEST = 20
# Characters of a value that an error repeats.
MAX_SHOWN = 40


class Misfit(Exception):
    """A value is not as it must be. `problem` says why, `path` where in its row."""

    def __init__(self, problem: Message, path: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.path = path

    def inside(self, name: object) -> Misfit:
        """The same, seen from what holds the value as `name`."""
        return Misfit(self.problem, f"{str(name)[:MAX_SHOWN]}.{self.path}" if self.path else str(name)[:80])


def expected(what: str, value: Any) -> Misfit:
    """The misfit of a value that is not `what`, a text of the catalogue."""
    return Misfit(message(_("expected %(what)s, not %(value)s"), what=message(what), value=shortened(value)))


def shortened(value: Any) -> str:
    """A value as an error repeats it."""
    if type(value) in (list, dict):
        return "[…]" if type(value) is list else "{…}"
    # A number of thousands of digits cannot be written.
    shown = repr(value[:MAX_SHOWN] if type(value) is str else value) if type(value) is not int else ""
    if type(value) is int:
        shown = str(value) if abs(value) < 10**MAX_SHOWN else "…"
    return shown


TRUTH = _("true or false")
TEXT = _("a text")
WHOLE = _("a whole number")
NUMBER = _("a number")
LIST = _("a list")
OBJECT = _("an object")
ONE_OF = _("one of the known values")


def truth(value: Any) -> bool:
    """True or false."""
    if type(value) is not bool:
        raise expected(TRUTH, value)
    return value


def text(most: int | None = None, least: int = 0) -> Shape:
    """A text of `least` to `most` characters."""

    def check(value: Any) -> str:
        if type(value) is not str:
            raise expected(TEXT, value)
        if (most is not None and len(value) > most) or len(value) < least:
            raise Misfit(
                message(
                    _("expected a text of %(least)d to %(most)s characters, not of %(number)d"),
                    least=least,
                    most="∞" if most is None else most,
                    number=len(value),
                )
            )
        return value

    return check


def line(most: int, least: int = 0) -> Shape:
    """A text without line breaks and other control characters."""
    checked = text(most, least)

    def check(value: Any) -> str:
        found: str = checked(value)
        if not found.isprintable():
            raise expected(_("a text without line breaks and control characters"), value)
        return found

    return check


def whole(least: int = -INT64 - 1, most: int = INT64) -> Shape:
    """A whole number in a range."""

    def check(value: Any) -> int:
        if type(value) is not int:
            raise expected(WHOLE, value)
        if not least <= value <= most:
            raise Misfit(message(_("expected a number from %(least)d to %(most)d"), least=least, most=most))
        return value

    return check


def number(value: Any) -> float:
    """A finite number."""
    if type(value) is int and abs(value) <= INT64:
        return value
    if type(value) is not float or not math.isfinite(value):
        raise expected(NUMBER, value)
    return value


def one_of(known: Collection[Any]) -> Shape:
    """One of these texts."""
    values = frozenset(known)

    def check(value: Any) -> str:
        if type(value) is not str or value not in values:
            raise expected(ONE_OF, value)
        return value

    return check


def either(*others: Any, shape: Shape) -> Shape:
    """One of `others`, such as None, or what has the shape."""
    return lambda value: value if any(value is other for other in others) else shape(value)


def optional(shape: Shape) -> Shape:
    """None, or what has the shape."""
    return either(None, shape=shape)


def first_of(*others: Shape) -> Shape:
    """What has one of the shapes; of what has none, the last one says what is wrong."""

    def check(value: Any) -> Any:
        for shape in others[:-1]:
            try:
                return shape(value)
            except Misfit:
                continue
        return others[-1](value)

    return check


def listed(shape: Shape, most: int | None = None, *, once: bool = False) -> Shape:
    """A list of such values; `once`: each at most once."""

    def check(value: Any) -> list[Any]:
        if type(value) is not list:
            raise expected(LIST, value)
        if most is not None and len(value) > most:
            raise Misfit(message(_("expected at most %(most)d values, not %(number)d"), most=most, number=len(value)))
        found = []
        for place, one in enumerate(value):
            try:
                found.append(shape(one))
            except Misfit as error:
                raise error.inside(place) from None
        if once and len(set(found)) != len(found):
            raise Misfit(message(_("expected each value once")))
        return found

    return check


def several(*shapes: Shape) -> Shape:
    """A list with one value of each shape."""

    def check(value: Any) -> list[Any]:
        if type(value) is not list or len(value) != len(shapes):
            raise expected(LIST, value)
        return [shape(one) for shape, one in zip(shapes, value, strict=True)]

    return check


def mapped(shape: Shape, key: Shape | None = None, most: int | None = None) -> Shape:
    """An object whose values have the shape, under any names or those of a shape."""

    def check(value: Any) -> dict[str, Any]:
        if type(value) is not dict:
            raise expected(OBJECT, value)
        if most is not None and len(value) > most:
            raise Misfit(message(_("expected at most %(most)d values, not %(number)d"), most=most, number=len(value)))
        found = {}
        for name, one in value.items():
            try:
                found[key(name) if key is not None else name] = shape(one)
            except Misfit as error:
                raise error.inside(name) from None
        return found

    return check


def keyed(
    needed: Mapping[str, Shape] | None = None, may: Mapping[str, Shape] | None = None, rest: Shape | None = None
) -> Shape:
    """An object with these names. `may`: names that it may have; `rest`: the shape of what has other names, which it
    may not have otherwise."""
    needed, may = needed or {}, may or {}

    def check(value: Any) -> dict[str, Any]:
        if type(value) is not dict:
            raise expected(OBJECT, value)
        if missing := needed.keys() - value.keys():
            raise Misfit(message(_("is missing")), sorted(missing)[0])
        found = {}
        for name, one in value.items():
            shape = needed.get(name) or may.get(name) or rest
            if shape is None:
                raise Misfit(message(_("is not known")), name[:MAX_SHOWN])
            try:
                found[name] = shape(one)
            except Misfit as error:
                raise error.inside(name) from None
        return found

    return check


def anything(value: Any, depth: int = DEEPEST) -> Any:
    """Whatever can be stored: numbers in their range, and nothing nested too deeply."""
    kind = type(value)
    if kind is int or kind is float:
        return number(value)
    if depth == 0:
        raise Misfit(message(_("is nested too deeply")))
    if kind is dict:
        for name, one in value.items():
            try:
                anything(one, depth - 1)
            except Misfit as error:
                raise error.inside(name) from None
    elif kind is list:
        for place, one in enumerate(value):
            try:
                anything(one, depth - 1)
            except Misfit as error:
                raise error.inside(place) from None
    return value


def storable(value: Any) -> Any:
    """The same value, if every text in it can be stored: JSON can name NUL and half characters by escapes."""
    if type(value) is str:
        if "\0" in value or any("\ud800" <= character <= "\udfff" for character in value):
            raise expected(_("a text that can be stored"), value)
    elif type(value) is dict:
        for name, one in value.items():
            storable(name)
            try:
                storable(one)
            except Misfit as error:
                raise error.inside(name) from None
    elif type(value) is list:
        for place, one in enumerate(value):
            try:
                storable(one)
            except Misfit as error:
                raise error.inside(place) from None
    return value


def no_constant(name: str) -> Any:
    """For `json.loads`: NaN and the infinities are no JSON."""
    raise Misfit(message(_("expected %(what)s, not %(value)s"), what=message(NUMBER), value=name))


def inside(name: str, check: Callable[..., Any], *value: Any) -> None:
    """Check something that stands under a name. Raises Misfit."""
    try:
        check(*value)
    except Misfit as error:
        raise error.inside(name) from None
