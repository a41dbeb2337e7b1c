"""How long a text may be: the page says what the server takes, and the server takes no more."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from annotator.core.kind import kind_of
from annotator.core.starts import STARTS
from annotator.domain.content import ContentError, content_type
from annotator.models import Stage
from annotator.projects.actions.projects import create_project
from tests.protocols.mabl.work import BLANKET, Mabl

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Mabl:
    return Mabl()


def _page(stage: Stage) -> Any:
    return kind_of(stage).workspace.page(stage)


def test_a_pair_takes_as_many_characters_as_the_page_says(scene: Mabl) -> None:
    ana, *_ = scene.people
    longest = _page(scene.write)["longest"]
    judge = scene.project.stages.get(kind="adjudicate", layer=scene.validate.layer)
    assert kind_of(scene.validate).workspace.page(judge)["longest"] == _page(scene.validate)["longest"]
    (item,) = scene.claim(ana, scene.write)
    # A sign beyond the first plane is one character, as the page counts it.
    for more, status in ((1, 400), (0, 200)):
        text = f"Her voice is {'🦋' * (longest + more - len('Her voice is '))}"
        body = {"version": 0, "content": {**BLANKET, "figurative": [text, BLANKET["figurative"][1]]}, "done": True}
        answer = scene.send(ana, "post", f"assignments/{item['id']}/save/", body)
        assert answer.status_code == status
        if more:
            assert f"at most {longest} characters" in answer.json()["error"]["message"]


def test_a_correction_takes_as_many(scene: Mabl) -> None:
    ana, ben, *_ = scene.people
    scene.written(ana)
    (item,) = scene.claim(ben, scene.validate)
    longest = _page(scene.validate)["longest"]
    for more, status in ((1, 400), (0, 200)):
        texts = [*BLANKET["figurative"], "a" * (longest + more), "b"]
        body = {"version": 0, "content": {"verdict": "correct", "texts": texts}, "done": True}
        assert scene.send(ben, "post", f"assignments/{item['id']}/save/", body).status_code == status


def test_so_do_definitions_and_rewritings() -> None:
    project = create_project(slug="expressions", preset=STARTS["impli"].preset(["en"]), by=None)
    for kind, name in (("define", "correct"), ("rewrite", "paraphrase")):
        stage = project.stages.get(kind=kind)
        longest = _page(stage)["longest"]
        check = partial(content_type(stage.layer.content_type).check, scheme={}, tokens=["a"], done=False)
        assert check({name: "b" * longest})[name] == "b" * longest
        with pytest.raises(ContentError):
            check({name: "b" * (longest + 1)})
