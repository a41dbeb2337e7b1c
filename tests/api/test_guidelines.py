"""The guidelines by calls."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from annotator.models import Event, Mode, Project, Role
from annotator.projects.actions.guideline_proposals import propose_guideline
from tests.api.calls import PNG
from tests.clients import client_of
from tests.factories import make_assignment, make_member, make_project, make_sentence, stage_of

pytestmark = pytest.mark.django_db
AT = "/api/v1/projects/letters/guidelines/"


@pytest.fixture
def project() -> Project:
    return make_project("letters")


def test_a_text_is_edited_over_the_one_that_was_read(project: Project) -> None:
    mara, ana = client_of(make_member(project, Role.MANAGER)), client_of(make_member(project))
    first = mara.get(f"{AT}es/").json()
    saved = mara.put(f"{AT}es/", {"text": "# Qué es\r\nUn texto", "before": first["before"]}).json()
    assert (saved["text"], saved["version"]) == ("# Qué es\nUn texto", first["version"] + 1)
    assert ana.get(f"{AT}es/").json() == saved
    about = ana.get(AT).json()
    assert (about["version"], about["written"]) == (saved["version"], ["es"])
    assert {"en", "es"} <= set(about["languages"])

    late = mara.put(f"{AT}es/", {"text": "Otro", "before": first["before"]})
    assert (late.status_code, late.json()["error"]["theirs"]) == (409, {"text": saved["text"]})
    assert mara.put(f"{AT}es/", {"text": "Otro", "before": saved["before"]}).json()["version"] == saved["version"] + 1


def test_members_read_and_managers_alone_write(project: Project) -> None:
    ana = client_of(make_member(project))
    before = ana.get(f"{AT}es/").json()["before"]
    assert ana.put(f"{AT}es/", {"text": "Mío", "before": before}).status_code == 403
    assert ana.get(f"{AT}fr/").status_code == 404
    assert client_of(make_member(project, Role.MANAGER)).put(f"{AT}fr/", {"text": "", "before": "x"}).status_code == 404
    assert not Event.objects.exists()


def test_a_picture_is_stored_and_sent(project: Project) -> None:
    mara = client_of(make_member(project, Role.MANAGER))

    def send(content: bytes) -> object:
        return mara.post(f"{AT}pictures/", {"picture": SimpleUploadedFile("a.png", content)}, format="multipart")

    made = send(PNG).json()
    assert made["markdown"] == f"![](pictures/{made['name']})"
    shown = client_of(make_member(project)).get(f"{AT}pictures/{made['name']}/")
    assert (shown.headers["Content-Type"], b"".join(shown.streaming_content)) == ("image/png", PNG)
    events = Event.objects.count()
    assert send(b"no picture").status_code == 400
    assert mara.get(f"{AT}pictures/{'0' * 32}.png/").status_code == 404
    assert Event.objects.count() == events


def test_proposals_are_listed_and_ended_by_managers(project: Project) -> None:
    judge = make_member(project, Role.ADJUDICATOR, "judge")
    sentence = make_sentence(project, "El tiempo vuela")
    layer = project.label_layer
    one = propose_guideline(project=project, unit=sentence.pk, layer=layer, text="Idioms count.", by=judge)
    boss = make_member(project, Role.MANAGER)
    mara = client_of(boss)
    [shown] = mara.get(f"{AT}proposals/?language=en").json()["proposals"]
    assert (shown["id"], shown["text"], shown["unit"]) == (one.pk, "Idioms count.", sentence.pk)
    assert mara.get(f"{AT}proposals/?language=es").json() == {"proposals": []}

    def end(client: APIClient, how: str) -> tuple[int, bool | None]:
        answer = client.post(f"{AT}proposals/{one.pk}/", {"end": how}, format="json")
        return answer.status_code, answer.json().get("changed")

    assert end(client_of(judge), "taken") == (403, None)
    assert [end(mara, how) for how in ("taken", "dismissed", "open", "open")] == [
        (200, True), (200, False), (200, True), (200, False),
    ]  # fmt: skip
    assert end(mara, "away")[0] == 400
    make_assignment(sentence, boss, stage_of(project, "correct"), mode=Mode.BLIND)
    assert mara.get(f"{AT}proposals/?language=en").json() == {"proposals": []}
    # Neither is told apart from one that is not there, nor ended.
    assert [end(mara, how) for how in ("taken", "dismissed", "open")] == [(404, None)] * 3
    one.refresh_from_db()
    assert one.closed_at is None
