"""The program eflomal as an aligner: clear words where it is not installed, right links where it is."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from mlworkers.engines.aligners.eflomal import MAX_WORDS, PROGRAM, TOO_LONG, EflomalAligner
from mlworkers.engines.base import EngineError
from mlworkers.engines.registry import load_aligner
from tests.mlworkers.parallel import pairs

needs_eflomal = pytest.mark.skipif(
    not (shutil.which(PROGRAM) or (Path(sys.executable).parent / PROGRAM).exists()),
    reason=f"{PROGRAM} is not installed: pip install eflomal (GPL, needs a C compiler)",
)

# Enough repetition for a statistical model.
CORPUS = pairs() * 20


def train(spec: str = "eflomal") -> EflomalAligner:
    aligner = load_aligner(spec, source="es", target="en", corpus=CORPUS)
    assert isinstance(aligner, EflomalAligner)
    return aligner


def test_where_it_is_not_installed_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(EngineError, match="pip install eflomal"):
        load_aligner("eflomal", source="es", target="en", corpus=CORPUS)


@pytest.mark.parametrize("script", ["echo no memory >&2; exit 3", "exit 0"])
def test_a_program_that_fails_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    program = tmp_path / PROGRAM
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    with pytest.raises(EngineError, match=r"eflomal-align failed .*(no memory|No such file)"):
        load_aligner("eflomal", source="es", target="en", corpus=CORPUS)


def test_the_revision_tells_runs_apart_that_drew_differently(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program takes no seed, so that workers of one job may differ: what each stored must show it."""
    program = tmp_path / PROGRAM
    # In place of the program one whose draw is known: the same link in every pair.
    program.write_text(
        "#!/bin/sh\nwhile [ $# -gt 0 ]; do case $1 in\n"
        "--source) source=$2;; --forward-links) forward=$2;; --reverse-links) reverse=$2;; esac; shift; done\n"
        'sed "s/.*/$DRAW/" "$source" > "$forward"; cp "$forward" "$reverse"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    revisions = []
    for draw in ("0-0", "0-0", "0-1"):
        monkeypatch.setenv("DRAW", draw)
        aligner = train()
        assert {(link.source, link.target) for links in aligner.align(pairs()) for link in links} == {
            (0, int(draw[-1]))
        }
        revisions.append(aligner.revision)
    assert revisions[0] == revisions[1] != revisions[2]


def test_what_cannot_be_chosen_is_said() -> None:
    with pytest.raises(EngineError, match=r"eflomal\?links=union"):
        load_aligner("eflomal?links=both", source="es", target="en", corpus=CORPUS)


@needs_eflomal
def test_it_links_its_own_text() -> None:
    left, right = pairs()[0]
    [links] = train("eflomal?links=intersection").align([(left, right)])
    assert {("La", "The"), ("niña", "girl")} <= {(left[link.source], right[link.target]) for link in links}
    assert all(link.score == 1 for link in links)
    assert links == sorted(links, key=lambda link: (link.source, link.target))


@needs_eflomal
def test_the_union_has_what_only_one_direction_has_at_half_the_score() -> None:
    scores = {link.score for links in train().align(pairs()) for link in links}
    assert scores <= {0.5, 1.0}
    assert 1.0 in scores


@needs_eflomal
def test_new_pairs_are_aligned_and_known_ones_stay_as_they_are() -> None:
    aligner = train()
    before = aligner.align(pairs())
    # The first half of one sentence, the second of another.
    new = (["El", "perro", *pairs()[1][0][2:]], ["The", "dog", *pairs()[1][1][2:]])
    [links] = aligner.align([new])
    assert ("leche.", "milk.") in {(new[0][link.source], new[1][link.target]) for link in links}
    assert aligner.align(pairs()) == before


@needs_eflomal
def test_odd_text() -> None:
    aligner = train()
    _left, right = pairs()[0]
    empty, marks, odd, long = aligner.align(
        [
            ([], right),
            (["—", "…"], right),
            (["El", "😀", "e\u0301", "שלום", "\ud800"], ["the", "😀", "é", "שלום", "a\u00a0b"]),
            (["gato"] * 5_000, right),
        ]
    )
    assert empty == marks == long == []
    assert all(link.source < 5 and link.target < 5 for link in odd)
    assert aligner.notes() == {TOO_LONG: 1}
    assert MAX_WORDS < 5_000


@needs_eflomal
def test_without_a_corpus_there_is_nothing_to_run() -> None:
    assert load_aligner("eflomal", source="es", target="en", corpus=[]).align([([], [])]) == [[]]
