"""System checks: what Django says at start of a specification that is wrong."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from annotator.core.checks import check_specs
from annotator.core.installed import PackageSpec
from annotator.core.intake import Derived
from annotator.core.kind import Kind
from annotator.core.kind_parts import ManagerTask, Part, TrialSpec
from annotator.core.unit_kinds import UnitKind
from tests.toy_kinds.spec import VOTE

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

Bring = Callable[..., list[tuple[str | None, str]]]
BROUGHT = {"unit_kinds": (UnitKind(slug="text"),)}


@pytest.fixture
def bring(settings: SettingsWrapper, monkeypatch: pytest.MonkeyPatch) -> Bring:
    """Install a package with this specification, and say what is wrong with it."""

    def brought(**sections: Any) -> list[tuple[str | None, str]]:
        package, spec = ModuleType("brought"), ModuleType("brought.spec")
        vars(spec)["SPEC"] = PackageSpec(**sections)
        monkeypatch.setitem(sys.modules, "brought", package)
        monkeypatch.setitem(sys.modules, "brought.spec", spec)
        settings.KINDS = [*settings.KINDS, "brought"]
        return [(message.id, message.msg) for message in check_specs()]

    return brought


def kind(**changes: Any) -> Kind:
    """A kind with nothing wrong but what is changed."""
    right = replace(
        VOTE,
        slug="mine",
        layer=replace(VOTE.layer, slug="mine"),
        workspace=replace(VOTE.workspace, template="kinds/labels.html"),
    )
    return replace(right, **changes)


def test_nothing_is_wrong_with_what_ships() -> None:
    assert check_specs() == []


def test_nothing_is_wrong_with_a_kind_that_is_right(bring: Bring) -> None:
    assert bring(kinds=(kind(),), **BROUGHT) == []


@pytest.mark.parametrize(
    ("changes", "id", "said"),
    [
        ({"slug": "correct"}, "annotator.E001", '2 specifications in kinds are named "correct"'),
        ({"layer": replace(VOTE.layer, slug="ratings")}, "annotator.E002", 'different things of the layer "ratings"'),
        ({"layer": replace(VOTE.layer, content_type="vote")}, "annotator.E003", 'no content type "vote"'),
        ({"unit": "poem"}, "annotator.E004", 'no package defines the kind of units "poem"'),
        (
            {"manager_task": ManagerTask(due=lambda stage: "", action="Make poems", creates="poem")},
            "annotator.E004",
            'no package defines the kind of units "poem"',
        ),
        ({"workspace": replace(VOTE.workspace, template="none.html")}, "annotator.E005", 'no template "none.html"'),
        (
            {"trial": TrialSpec(template="trial.html", item=lambda stage: None, content=dict)},
            "annotator.E005",
            'no template "trial.html"',
        ),
        (
            {"workspace": replace(kind().workspace, item=Part("brought.serializers.Gone", lambda shown, user: {}))},
            "annotator.E006",
            "brought.serializers.Gone cannot be imported",
        ),
        ({"workspace": replace(kind().workspace, routes="brought.gone")}, "annotator.E006", "brought.gone cannot be"),
        ({"suggestions": ("guess",)}, "annotator.E007", 'there are no suggestions "guess"'),
    ],
)
def test_what_is_wrong_is_said_with_the_kind(bring: Bring, changes: Any, id: str, said: str) -> None:
    [(found, message)] = bring(kinds=(kind(**changes),), **BROUGHT)
    assert found == id
    assert said in message


def test_a_kind_of_units_is_defined_once(bring: Bring) -> None:
    [(found, message)] = bring(unit_kinds=(UnitKind(slug="sentence"),))
    assert found == "annotator.E001"
    assert "sentence" in message


def test_kinds_have_at_most_twelve_fields_and_say_what_they_do_by_their_parts() -> None:
    fields = Kind.__dataclass_fields__
    assert len(fields) <= 12
    assert not [name for name, one in fields.items() if one.type in ("bool", bool)]
    assert Derived.__dataclass_fields__.keys() >= {"rule", "from_layer"}
