"""Long work in a process of its own: what comes back, what is said meanwhile, and that no child is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from annotator.core.processes import child_process
from annotator.core.processes.child_process import Child, ChildDiedError, Helper, in_child_process
from tests.conftest import CHILDREN_IN_USE

Progress = Callable[[int, int], None]


@pytest.fixture(autouse=True)
def as_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests have theirs forked."""
    monkeypatch.setattr(child_process, "CONTEXT", CHILDREN_IN_USE)


def doubled(number: int, *, plus: int, progress: Progress) -> tuple[int, int]:
    progress(1, 2)
    return os.getpid(), 2 * number + plus


def refusing(*, progress: Progress) -> None:
    raise LookupError("Nothing to learn.")


def dying(*, progress: Progress) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def endless(path: str, *, progress: Progress) -> None:
    with open(path, "w") as file:
        file.write(str(os.getpid()))
    progress(1, 2)
    while True:
        time.sleep(0.05)


def interrupted(done: int, total: int) -> None:
    if done:
        raise KeyboardInterrupt


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_another_process_does_the_work_and_says_how_far_it_is() -> None:
    heard: list[tuple[int, int]] = []

    pid, found = in_child_process(doubled, 20, plus=2, progress=lambda done, total: heard.append((done, total)))

    assert (found, set(heard) - {(0, 0)}) == (42, {(1, 2)})
    assert pid != os.getpid()
    assert not is_alive(pid)


def test_one_goes_on_meanwhile_and_asks_later(tmp_path: object) -> None:
    with Child(doubled, 20, plus=2) as child:
        pid, found = child.wait()
        assert (found, pid != os.getpid()) == (42, True)

    path = f"{tmp_path}/pid"
    with Child(endless, path) as child, pytest.raises(KeyboardInterrupt):
        child.wait(interrupted)
    with open(path) as file:
        assert not is_alive(int(file.read()))


def test_what_it_raises_is_raised_here() -> None:
    with pytest.raises(LookupError, match=r"Nothing to learn\."):
        in_child_process(refusing)


def test_a_child_that_dies_is_an_error_in_words() -> None:
    with pytest.raises(ChildDiedError, match="exit code -9"):
        in_child_process(dying)


def test_whoever_stops_listening_ends_the_child(tmp_path: object) -> None:
    class Enough(Exception):
        pass

    def stop(done: int, total: int) -> None:
        if done:
            raise Enough

    path = f"{tmp_path}/pid"
    with pytest.raises(Enough):
        in_child_process(endless, path, progress=stop)
    with open(path) as file:
        assert not is_alive(int(file.read()))


def test_a_parent_that_is_killed_leaves_no_child_behind(tmp_path: object) -> None:
    path = f"{tmp_path}/pid"
    code = f"""
import os, signal
from annotator.core.processes import child_process
from annotator.core.processes.child_process import in_child_process
from tests.core.test_child_process import endless
if __name__ == "__main__":
    in_child_process(endless, {path!r}, progress=lambda done, total: done and os.kill(os.getpid(), signal.SIGKILL))
"""
    script = f"{tmp_path}/parent.py"
    with open(script, "w") as file:
        file.write(code)
    ended = subprocess.run([sys.executable, script], env={**os.environ, "PYTHONPATH": os.getcwd()}, check=False)

    assert ended.returncode == -signal.SIGKILL
    with open(path) as file:
        child = int(file.read())
    until = time.monotonic() + 10
    while is_alive(child) and time.monotonic() < until:
        time.sleep(0.05)
    assert not is_alive(child)


def halved(number: int) -> int:
    if number % 2:
        raise LookupError(f"{number} is odd.")
    return number // 2


def vanishing(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_a_helper_answers_one_question_after_the_other() -> None:
    with Helper(halved) as helper:
        # More than a pipe holds: whoever asks does not wait until somebody reads.
        for number in range(20_000):
            helper.ask(2 * number)
        assert [helper.answer() for _ in range(20_000)] == list(range(20_000))
        helper.ask(3)
        helper.ask(8)
        with pytest.raises(LookupError, match="3 is odd"):
            helper.answer()
        assert helper.answer() == 4


def test_a_helper_that_dies_is_an_error_in_words() -> None:
    with Helper(vanishing) as helper:
        helper.ask(1)
        with pytest.raises(ChildDiedError, match="ended unexpectedly"):
            helper.answer()
