"""Files from several folders in one import."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from annotator.models import Sentence
from tests.drafts import make_plain

pytestmark = pytest.mark.django_db


def write(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        path = folder / name / "x.csv"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"id,text\n1,{text}\n")


@pytest.mark.parametrize("given", [("a/x.csv", "b/x.csv"), ("a", "b")], ids=["files", "folders"])
def test_files_of_one_name_in_several_folders_are_told_apart(tmp_path: Path, given: tuple[str, str]) -> None:
    make_plain("cartes", languages=("en",))
    write(tmp_path, a="We slept well.", b="They left early.")
    out = StringIO()
    call_command(
        "import_files", *(str(tmp_path / one) for one in given), project="cartes", dataset="d", stdout=out, stderr=out
    )
    texts = {sentence.segment.uid: sentence.text for sentence in Sentence.objects.select_related("segment")}
    assert sorted(texts.values()) == ["They left early.", "We slept well."]
    assert "b/x.csv" in out.getvalue()
