"""Members and tables by calls."""

from __future__ import annotations

import pytest

from annotator.models import Event, Membership, Role
from tests.clients import client_of
from tests.factories import make_gold, make_member, make_project, make_sentence, make_user, span

pytestmark = pytest.mark.django_db


def test_a_member_is_added_changed_and_removed() -> None:
    project = make_project("letters")
    client = client_of(make_member(project, Role.MANAGER))
    make_user("ana")
    address = "/api/v1/projects/letters/members/"

    made = client.post(address, {"username": "ana", "languages": ["es"]}).json()
    assert (made["role"], made["languages"]) == ("annotator", ["es"])
    one = f"{address}{made['id']}/"
    seen = client.get(one).headers["ETag"]
    changed = client.patch(one, {"role": "adjudicator", "languages": []}, headers={"If-Match": seen}).json()
    assert (changed["role"], changed["languages"]) == ("adjudicator", [])
    assert client.patch(one, {"role": "annotator"}, headers={"If-Match": seen}).status_code == 412
    assert [row["username"] for row in client.get(address).json()["members"]][-1] == "ana"
    assert client.delete(one).status_code == 200
    assert not project.memberships.filter(user__username="ana").exists()


def test_what_cannot_be_changes_nothing() -> None:
    project = make_project("letters")
    mara = make_member(project, Role.MANAGER)
    client = client_of(mara)
    address = "/api/v1/projects/letters/members/"
    ana = make_user("ana")
    for body in ({"username": "nobody"}, {"username": "ana", "languages": ["fr"]}, {"username": "ana", "role": "x"}):
        assert client.post(address, body).status_code == 400
    own = f"{address}{project.memberships.get(user=mara).pk}/"
    # The last manager stays one, and both or none is changed.
    for answer in (client.delete(own), client.patch(own, {"languages": ["es"], "role": "annotator"})):
        assert answer.status_code == 400
    Membership.objects.create(project=project, user=ana, role=Role.ANNOTATOR)
    events = Event.objects.count()
    ana_at = f"{address}{project.memberships.get(user=ana).pk}/"
    assert client.patch(ana_at, {"role": "manager", "languages": ["fr"]}).status_code == 400
    assert project.memberships.get(user=ana).role == "annotator"
    assert Event.objects.count() == events


def test_a_table_is_that_of_the_file() -> None:
    project = make_project("letters")
    client = client_of(make_member(project, Role.MANAGER))
    make_gold(make_sentence(project, "El tiempo vuela"), [span(2)])
    found = client.get("/api/v1/projects/letters/reports/detection/").json()
    assert found["rows"] == client.get("/projects/letters/reports/detection.json").json() != []
    assert client.get("/api/v1/projects/letters/reports/no-such/").status_code == 404
