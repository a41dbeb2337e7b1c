"""Lemmas keep the letters that files write them with; they are looked up in small letters."""

from __future__ import annotations

import pytest

from annotator.models import LemmaPlace, Unit
from tests.drafts import load, make_plain

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]

FILE = "# sent_id = 1\n1\tAncerville\tAncerville\tPROPN" + "\t_" * 6 + "\n2\tDORT\tDormir\tVERB" + "\t_" * 6 + "\n\n"


def test_a_lemma_of_a_file_can_be_had_back() -> None:
    project = make_plain(languages=("fr",))
    load(project, {"a.conllu": FILE}, files={"1": {"language": "fr"}})
    assert Unit.objects.get().lemmas == ["Ancerville", "Dormir"]
    places = LemmaPlace.objects.order_by("index").values_list("lemma", "form")
    assert list(places) == [("ancerville", "ancerville"), ("dormir", "dort")]
