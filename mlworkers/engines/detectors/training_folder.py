"""The folder of a training that takes long: what it was begun with, how far it is, and in the end the model.

While it is trained there is a folder `unfinished` in it, with what is needed to go on after a crash: the state after
the last epoch, and the best model so far. In the end the best model's files move up, `training.json` follows, and
`unfinished` goes. Each of these steps leaves something from which the next call can go on.
"""

import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import joined, message
from annotator.formats.text.tagged import TaggedSentence
from mlworkers.engines.base import EngineError
from mlworkers.engines.torch_runtime import first_line, import_torch

SETTINGS = "training.json"
UNFINISHED = "unfinished"
INPUTS = "inputs.json"
STATE = "state.pt"
LOCK = "lock"

FORMAT = 1

_OTHERS = {
    "training sentences": _("other training sentences"),
    "development sentences": _("other development sentences"),
}


class TrainingFolder:
    """The folder for one training, for one process at a time (a context manager).

    `inputs` is all that decides about the result, by names for people. Entering raises EngineError when the folder
    holds a training with other inputs or something else, or another process trains in it. What fails before its first
    epoch is over leaves nothing behind.
    """

    def __init__(self, folder: Path, inputs: Mapping[str, Any]) -> None:
        self.folder = folder
        self.inputs = dict(inputs)
        self._part = folder / UNFINISHED
        self._lock: Any = None

    def __enter__(self) -> "TrainingFolder":
        if self.finished:
            self._check(read_settings(self.folder).get("inputs", {}))
            shutil.rmtree(self._part, ignore_errors=True)
            return self
        if self._begun:
            self._check(json.loads((self._part / INPUTS).read_text(encoding="utf-8")))
        elif self.folder.exists() and any(path.name != UNFINISHED for path in self.folder.iterdir()):
            raise EngineError(
                _("The folder %(folder)s is not empty and does not contain a training of Translatio. Give a new one."),
                folder=self.folder,
            )
        try:
            self._part.mkdir(parents=True, exist_ok=True)
            self._lock = (self._part / LOCK).open("w")
        except OSError as error:
            raise EngineError(
                _(
                    "The folder %(folder)s cannot be written to: %(reason)s. Give another one, or check its "
                    "permissions."
                ),
                folder=self.folder,
                reason=error.strerror,
            ) from error
        try:
            # The kernel drops it, however the process ends.
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.close()
            raise EngineError(
                _("Another process is training in the folder %(folder)s. Wait for it, or give another folder."),
                folder=self.folder,
            ) from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._lock is None:
            return
        if not self.finished and not self._begun:
            shutil.rmtree(self._part, ignore_errors=True)
            if not any(self.folder.iterdir()):
                self.folder.rmdir()
        self._lock.close()

    @property
    def _begun(self) -> bool:
        """Whether there is something to go on from."""
        return (self._part / STATE).is_file()

    @property
    def finished(self) -> bool:
        """Whether the model is there."""
        return (self.folder / SETTINGS).is_file()

    def load_state(self) -> dict[str, Any] | None:
        """What `save_state` wrote last, tensors in main memory; None before the first time."""
        if not self._begun:
            return None
        try:
            found: dict[str, Any] = import_torch().load(self._part / STATE, map_location="cpu", weights_only=True)
        except Exception as error:  # a damaged file is another exception for each part that is damaged
            raise EngineError(
                _(
                    "The state of the training in %(part)s cannot be read: %(reason)s. Delete %(folder)s to "
                    "train again."
                ),
                part=self._part,
                reason=first_line(error),
                folder=self.folder,
            ) from error
        return found

    def save_state(self, state: Mapping[str, Any], best: int, model: tuple[Any, Any] | None) -> None:
        """Keep the state after an epoch and the number of the best one.

        `model` is a model and its tokenizer, when this epoch's is the best; it is kept instead of the one before.
        """
        new = self._part / f"{STATE}.new"
        try:
            if model is not None:
                shutil.rmtree(self._best(best), ignore_errors=True)
                for part in model:
                    part.save_pretrained(self._best(best))
            import_torch().save(dict(state), new)
            _write(self._part / INPUTS, self.inputs)
            os.replace(new, self._part / STATE)
        except Exception as error:  # a full disk is another exception for each of the libraries that write
            new.unlink(missing_ok=True)
            raise EngineError(
                _(
                    "The state of the training cannot be written to %(part)s: %(reason)s. Free some space "
                    "(about eight times the model's size) and start it again, and it will continue after the "
                    "last saved epoch."
                ),
                part=self._part,
                reason=first_line(error),
            ) from error
        for folder in self._part.glob("best-*"):
            if folder != self._best(best):
                shutil.rmtree(folder)

    def finish(self, best: int, settings: Mapping[str, Any]) -> None:
        """Make the best epoch's model the result, described by `settings`."""
        for path in self._best(best).iterdir():
            os.replace(path, self.folder / path.name)
        _write(self.folder / SETTINGS, {"format": FORMAT, **settings, "inputs": self.inputs})
        shutil.rmtree(self._part)

    def _best(self, epoch: int) -> Path:
        return self._part / f"best-{epoch}"

    def _check(self, before: Mapping[str, Any]) -> None:
        now = json.loads(json.dumps(self.inputs))
        other = [
            message(_OTHERS[name])
            if name in _OTHERS
            else message(
                _("%(name)s %(before)s instead of %(now)s"), name=name, before=before.get(name), now=now.get(name)
            )
            for name in sorted({*before, *now})
            if before.get(name) != now.get(name)
        ]
        if other:
            raise EngineError(
                _(
                    "The folder %(folder)s contains a training with %(other)s. Give another folder, or "
                    "delete this one to train again."
                ),
                folder=self.folder,
                other=joined(other),
            )


def read_settings(folder: Path) -> dict[str, Any]:
    """What `finish` wrote of a model. Raises EngineError when there is none, or it is of another version."""
    try:
        found = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
    except OSError as error:
        raise EngineError(
            _("%(folder)s does not contain a finished training: %(reason)s (%(filename)s). Train the model again."),
            folder=folder,
            reason=error.strerror,
            filename=error.filename,
        ) from error
    except ValueError as error:
        raise EngineError(
            _("%(path)s cannot be read as JSON: %(reason)s. Train the model again."),
            path=folder / SETTINGS,
            reason=str(error),
        ) from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise EngineError(
            _("%(path)s is not of the version that this installation reads. Train the model again."),
            path=folder / SETTINGS,
        )
    return found


def fingerprint(sentences: Iterable[TaggedSentence]) -> str:
    """Twelve hex digits of the SHA-256 over tokens and tags."""
    digest = hashlib.sha256()
    for sentence in sentences:
        digest.update(json.dumps([sentence.tokens, sentence.tags]).encode())
    return digest.hexdigest()[:12]


def _write(path: Path, content: Mapping[str, Any]) -> None:
    new = path.with_name(f".{path.name}.new")
    new.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    os.replace(new, path)
