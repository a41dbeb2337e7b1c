"""Commands in front of a database that is new, old or away: sentences, exit codes, and no tracebacks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.site import Site

UNREACHABLE = "postgres://nobody:nothing@127.0.0.1:1/nowhere"
COMMANDS = [("report", "corpus", "detection"), ("worker",)]


def test_the_first_project_makes_the_database(tmp_path: Path) -> None:
    site = Site(tmp_path)

    made = site.manage("create_project", "corpus", "--preset", "meta4xnli-es-en")
    report = site.manage("report", "corpus", "detection", "--format", "json")

    assert 'Created project "corpus"' in made.stdout
    assert "The database is empty: creating its tables." in made.stderr
    assert report.stdout.strip() == "[]"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_database_that_is_not_prepared_says_how_to_prepare_it(tmp_path: Path, command: tuple[str, ...]) -> None:
    done = Site(tmp_path).manage(*command, check=False)

    assert done.returncode == 1
    assert done.stderr.strip() == (
        "CommandError: The database is not prepared for this version. Prepare it with: translatio migrate"
    )


@pytest.mark.parametrize("command", [*COMMANDS, ("create_project", "corpus", "--preset", "meta4xnli-es-en")])
def test_a_database_that_is_away_is_told_in_words(tmp_path: Path, command: tuple[str, ...]) -> None:
    done = Site(tmp_path, database_url=UNREACHABLE).manage(*command, check=False)

    assert done.returncode == 1
    assert done.stderr.startswith("CommandError: The database does not answer: ")
    assert "Traceback" not in done.stderr
