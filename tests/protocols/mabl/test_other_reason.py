"""Another reason for a rejection than those of the list is said in the comment."""

from __future__ import annotations

import pytest

from annotator.models import Annotation
from tests.protocols.mabl.work import BLANKET, Mabl

pytestmark = pytest.mark.django_db


def test_another_reason_is_refused_without_a_comment() -> None:
    scene = Mabl()
    ana, ben, *_ = scene.people
    scene.written(ana, BLANKET)
    (item,) = scene.claim(ben, scene.validate)
    path = f"assignments/{item['id']}/save/"
    body = {"version": 0, "content": {"verdict": "reject", "reason": "other"}, "done": True}

    refused = scene.send(ben, "post", path, {**body, "comment": "  "})

    assert (refused.status_code, "Say in the comment" in refused.json()["error"]["message"]) == (400, True)
    assert not Annotation.objects.filter(layer=scene.validate.layer).exists()
    # What is not finished yet may wait for it.
    draft = scene.call(ben, "post", path, {**body, "done": False})
    version = draft["annotation"]["version"]
    scene.call(ben, "post", path, {**body, "version": version, "comment": "The second one is a proverb."})
    assert Annotation.objects.get(layer=scene.validate.layer).state == "done"
