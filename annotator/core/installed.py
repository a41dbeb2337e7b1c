"""What the packages of `settings.KINDS` bring: each has a module `spec` with one `SPEC`, read when somebody first asks.

It is data; docs/kinds.md says what it may hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

from django.conf import settings
from django.core.signals import setting_changed

from annotator.domain import content
from annotator.formats import registry

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    from annotator.core.kind import Kind
    from annotator.core.presets import Preset, Start, Workflow
    from annotator.core.unit_kinds import UnitKind
    from annotator.domain.content import ContentType
    from annotator.formats.common.protocol import Format
    from annotator.releases.queries.release_parts import ReleasePart
    from annotator.reports.queries.reports import ReportSpec

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class PackageSpec:
    """What a package brings."""

    kinds: Sequence[Kind] = ()
    # Further names of layers on pages, by slug: of layers that other packages' kinds open for units of this one.
    layer_names: Mapping[str, str | _StrPromise] = field(default_factory=dict)
    unit_kinds: Sequence[UnitKind] = ()
    content_types: Sequence[ContentType] = ()
    # Names on pages of datasets that no file brought, by the name that is stored and exported.
    datasets: Mapping[str, str | _StrPromise] = field(default_factory=dict)
    formats: Sequence[Format] = ()
    # Tables, shown and released where they have rows.
    reports: Sequence[ReportSpec] = ()
    release_parts: Sequence[ReleasePart] = ()
    # Starting points of new projects, ready-made ones, and what the steps of projects of labels are.
    starts: Sequence[Start] = ()
    presets: Sequence[Preset] = ()
    workflows: Sequence[Workflow] = ()


_caches: list[Callable[[], None]] = []


def cached(function: Callable[P, R]) -> Callable[P, R]:
    """`functools.cache` that forgets when `settings.KINDS` changes, as it does in tests."""
    found = cache(function)
    _caches.append(found.cache_clear)
    return found  # type: ignore[return-value]  # a cached function takes what the function takes


@cached
def specs() -> Mapping[str, PackageSpec]:
    """The specifications by package, in the order of the settings."""
    return {package: import_module(f"{package}.spec").SPEC for package in settings.KINDS}


def brought(section: str) -> tuple[Any, ...]:
    """What all installed packages have in one field of `PackageSpec`, in the order of the settings."""
    return tuple(one for spec in specs().values() for one in getattr(spec, section))


def brought_names(section: str) -> Mapping[str, Any]:
    """The same of a field that holds names by slug."""
    return {slug: name for spec in specs().values() for slug, name in getattr(spec, section).items()}


class Brought(Mapping[str, T], Generic[T]):
    """Specifications in one field of `PackageSpec` by slug: those that ship with the core, then those of packages.

    `key`: the attribute that holds the slug.
    """

    def __init__(self, section: str, *, key: str = "slug", own: Iterable[T] = ()) -> None:
        self._section, self._key, self._own = section, attrgetter(key), tuple(own)
        self._table = cached(self._read)

    def _read(self) -> dict[str, T]:
        return {self._key(one): one for one in (*self._own, *brought(self._section))}

    def __getitem__(self, slug: str) -> T:
        return self._table()[slug]

    def __iter__(self) -> Iterator[str]:
        return iter(self._table())

    def __len__(self) -> int:
        return len(self._table())


def install() -> None:
    """Tell the domain and the formats, which know no settings, what packages bring. Called when the site starts."""
    content.install(brought("content_types"))
    registry.install(brought("formats"))


def _forget(*, setting: str, **_more: Any) -> None:
    if setting == "KINDS":
        for clear in _caches:
            clear()
        install()


setting_changed.connect(_forget)
