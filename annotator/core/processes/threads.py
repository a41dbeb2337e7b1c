"""How the threads of a process share Python's lock."""

import sys


def switch_often() -> None:
    """Let threads have the lock half a millisecond after they ask for it. By default it is five, as long as a save.

    A thread that holds the database's lock gives Python's away with each statement, and everybody who writes waits
    until it has it back.
    """
    sys.setswitchinterval(0.0005)
