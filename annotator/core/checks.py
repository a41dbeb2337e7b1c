"""System checks: what packages of kinds bring, and what several machines need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, Warning
from django.db import connection
from django.template.exceptions import TemplateDoesNotExist
from django.template.loader import get_template
from django.utils.module_loading import import_string

from annotator.core.installed import brought
from annotator.core.kind import Kind
from annotator.core.unit_kinds import SENTENCE
from annotator.domain.content import content_types
from annotator.environment import text
from annotator.models import SuggestionKind

# By field of `PackageSpec`, the attribute that has to be another one in each specification.
_NAMED_BY = {
    "kinds": "slug",
    "unit_kinds": "slug",
    "content_types": "slug",
    "formats": "slug",
    "starts": "name",
    "presets": "name",
    "reports": "name",
    "release_parts": "name",
}


def check_specs(app_configs: Sequence[AppConfig] | None = None, **_more: Any) -> list[CheckMessage]:
    """What is wrong with the specifications of all installed packages."""
    return [*_same_names(), *_different_layers(), *_wrong_kinds()]


def check_secret_key(app_configs: Sequence[AppConfig] | None = None, **_more: Any) -> list[CheckMessage]:
    """Whether processes on several machines could have different keys, which ends sign-ins made on another one."""
    if connection.vendor != "postgresql" or text("SECRET_KEY", ""):
        return []
    return [
        Warning(
            "SECRET_KEY was made on the first start and is kept in DATA_DIR.",
            hint="Set SECRET_KEY to the same value on all machines that serve pages.",
            id="annotator.W001",
        )
    ]


def _same_names() -> Iterator[CheckMessage]:
    for section, attribute in _NAMED_BY.items():
        own = [SENTENCE.slug] if section == "unit_kinds" else []
        for name, number in Counter([*own, *(getattr(one, attribute) for one in brought(section))]).items():
            if number > 1:
                yield Error(f'{number} specifications in {section} are named "{name}".', id="annotator.E001")


def _different_layers() -> Iterator[CheckMessage]:
    """Kinds may share a layer, which has one content type and one kind of units."""
    known: dict[str, Kind] = {}
    for kind in brought("kinds"):
        other = known.setdefault(kind.layer.slug, kind)
        if (kind.layer.content_type, kind.unit) != (other.layer.content_type, other.unit):
            yield Error(
                f'The kinds "{other.slug}" and "{kind.slug}" say different things of the layer "{kind.layer.slug}".',
                hint="Kinds that share a layer have its content type and kind of units in common.",
                id="annotator.E002",
            )


def _wrong_kinds() -> Iterator[CheckMessage]:
    types = {one.slug for one in content_types()}
    units = {SENTENCE.slug, *(one.slug for one in brought("unit_kinds"))}
    for kind in brought("kinds"):
        if kind.layer.content_type not in types:
            yield _error(kind, f'no content type "{kind.layer.content_type}" is installed', "annotator.E003")
        asked = [kind.unit, *([kind.manager_task.creates] if kind.manager_task is not None else [])]
        for unit in asked:
            if unit not in units:
                yield _error(kind, f'no package defines the kind of units "{unit}"', "annotator.E004")
        for template in _templates(kind):
            try:
                get_template(template)
            except TemplateDoesNotExist:
                yield _error(kind, f'there is no template "{template}"', "annotator.E005")
        for path in _paths(kind):
            try:
                import_string(path)
            except ImportError as error:
                yield _error(kind, f"{path} cannot be imported ({error})", "annotator.E006")
        for suggestion in kind.suggestions:
            if suggestion not in SuggestionKind.values:
                yield _error(kind, f'there are no suggestions "{suggestion}"', "annotator.E007")


def _error(kind: Kind, problem: str, id: str) -> CheckMessage:
    return Error(f'The kind of work "{kind.slug}": {problem}.', id=id)


def _templates(kind: Kind) -> Iterator[str]:
    yield kind.workspace.template
    if kind.trial is not None:
        yield kind.trial.template
        if kind.trial.settings is not None:
            yield kind.trial.settings.template


def _paths(kind: Kind) -> Iterator[str]:
    for part in (kind.workspace.item, kind.workspace.adjudication):
        if part is not None:
            yield part.serializer
    if kind.workspace.routes:
        yield kind.workspace.routes
