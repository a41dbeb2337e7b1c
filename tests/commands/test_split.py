"""The command that makes a split."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from annotator.models import Job, Project, Split
from tests.splits.making import fill, parts_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def filled(project: Project) -> Project:
    fill(project)
    return project


def test_it_makes_a_split_as_asked(filled: Project) -> None:
    asked = ["--parts", "train=3", "test=1", "--strata", "role", "--apart", "--seed", "7", "--wait"]
    call_command("split", filled.slug, "ours", *asked)

    split = Split.objects.published().get()
    assert (split.name, split.method, split.parts) == ("ours", "ratio", ["train", "test"])
    params = {name: split.params[name] for name in ("shares", "strata", "together", "seed")}
    assert params == {"shares": [0.75, 0.25], "strata": ["role"], "together": False, "seed": 7}
    assert len([part for part in parts_of(split).values() if part == "train"]) == 60


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--layer", "nothing"], "no layer “nothing”"),
        (["--parts", "train"], "such as train=60"),
        (["--parts", "train=1"], "2 to 20 parts"),
        (["--parts", "a=1", "b=0"], "share above 0"),
    ],
)
def test_what_cannot_be_made_is_refused(filled: Project, options: list[str], says: str) -> None:
    with pytest.raises(CommandError, match=says):
        call_command("split", filled.slug, "ours", *options)
    assert not Job.objects.exists()
    assert not Split.objects.exists()
