"""How the list of sentences calls what is a person's own."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotator.core.access import project_for
from annotator.models import Project
from annotator.search.queries.standing import standings
from tests.factories import make_assignment, make_gold, make_member, make_sentence, stage_of

pytestmark = pytest.mark.django_db


def test_done_and_held_in_advance_are_not_called_assigned(client: Client, project: Project) -> None:
    ana, ben = make_member(project, username="ana"), make_member(project, username="ben")
    stage = stage_of(project, "correct")
    names = ("given", "finished", "held", "decided", "others", "free")
    units = {name: make_sentence(project, name) for name in names}
    make_assignment(units["given"], ana, stage)
    make_assignment(units["finished"], ana, stage, done=True)
    make_assignment(units["held"], ana, stage, ahead=True)
    make_assignment(units["decided"], ana, stage, done=True)
    make_gold(units["decided"])
    make_assignment(units["others"], ben, stage, done=True)
    make_assignment(units["free"], ben, stage, ahead=True)

    found = standings(project_for(ana, project.slug), [unit.pk for unit in units.values()])

    assert [found[unit.pk].told for unit in units.values()] == ["own", "done", "ahead", "gold", "others", "others"]
    # What an act is compared with is the same for all of one's own.
    assert {found[units[name].pk].seen for name in ("given", "finished", "held")} == {"own-0"}
    client.force_login(ana)
    page = client.get(reverse("find", args=[project.slug])).content.decode()
    for told in ("Assigned to me", "Done by me", "Next in my work"):
        assert page.count(f">{told}</a>") == 1
