"""SQLite with a queue in front of its one writer.

SQLite lets a writer that finds the database busy sleep and try again, longer each time: with eight people at work, some
wait for seconds while others pass them. Here a transaction that may write first waits for a lock on a file beside the
database. The kernel wakes the next one, in this process or another, and drops the lock of a process that dies.
"""

from __future__ import annotations

import fcntl
import time
from contextlib import suppress
from typing import IO, Any

from django.db.backends.sqlite3 import base

# Seconds between two times that this process brings what was committed from the log into the database; None: SQLite
# does it itself, in the commit by which the log has become long. Workers do it, so that a save never has to.
checkpoint_every: float | None = None


class DatabaseWrapper(base.DatabaseWrapper):
    _turn: IO[bytes] | None = None
    _checkpointed_at = 0.0

    def _start_transaction_under_autocommit(self) -> None:
        self._wait_for_turn()
        try:
            super()._start_transaction_under_autocommit()
        except BaseException:
            self._end_turn()
            raise

    def _commit(self) -> Any:
        try:
            return super()._commit()
        finally:
            # After a commit that failed, the rollback that follows has the database to itself by SQLite's own lock.
            wrote = self._turn is not None
            self._end_turn()
            if wrote and checkpoint_every is not None:
                self._checkpoint(checkpoint_every)

    def _checkpoint(self, every: float) -> None:
        """Outside of our turn: nobody waits for it."""
        if time.monotonic() - self._checkpointed_at >= every and self.connection is not None:
            # What was committed is stored, whether there is room for it in the database by now or not.
            with suppress(base.Database.Error):
                self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
            self._checkpointed_at = time.monotonic()

    def _rollback(self) -> Any:
        try:
            return super()._rollback()
        finally:
            self._end_turn()

    def _close(self) -> Any:
        try:
            return super()._close()
        finally:
            self._end_turn()

    def _wait_for_turn(self) -> None:
        name = str(self.settings_dict["NAME"])
        # A deferred transaction is there to read from one snapshot, and waits for nobody.
        if self.is_in_memory_db() or self._turn is not None or self.transaction_mode in (None, "DEFERRED"):
            return
        # Opened each time: a lock belongs to the opened file, and forked processes must not share one.
        self._turn = open(f"{name}.turn", "ab")  # noqa: SIM115 -- open as long as the transaction
        fcntl.flock(self._turn, fcntl.LOCK_EX)

    def _end_turn(self) -> None:
        if self._turn is not None:
            self._turn.close()
            self._turn = None
