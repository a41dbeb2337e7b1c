"""Checkpoints by folder or hub id: where their files are on this machine, and which state of them it is."""

import hashlib
import logging
import re
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from annotator.domain.messages import gettext_noop as _
from mlworkers.engines.base import EngineError
from mlworkers.engines.torch_runtime import Device, first_line, import_package, is_out_of_memory

logger = logging.getLogger(__name__)

# Seconds that the hub has for an answer; its own default waits longer, and people wait for the job.
HUB_TIMEOUT = 5.0


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A checkpoint's files on this machine.

    `revision` is the commit on the hub, or a hash over the folder's files. `name` is for people: the hub id, or the
    folder's name.
    """

    folder: Path
    revision: str
    name: str


def split_revision(text: str) -> tuple[str, str | None]:
    """A source and its revision from `name/model@revision`; a folder may have an @ in its name, and has no revision."""
    if text.startswith(("/", ".", "~")):
        return text, None
    source, _, revision = text.partition("@")
    return source, revision or None


def locate(source: str, revision: str | None = None) -> Checkpoint:
    """Find the checkpoint `source`: a folder of this machine, or an id on the hub, fetched when it is not here yet.

    Of a hub id, `revision` is a commit, branch or tag (default: main); a commit that is on this machine already is
    not asked for on the network. Raises EngineError when there is no such checkpoint or the hub does not answer.
    """
    folder = Path(source).expanduser()
    if folder.is_dir() or source.startswith(("/", ".", "~")):
        if not (folder / "config.json").is_file():
            what = _(
                "The folder %(source)s has no config.json, so it is not a checkpoint. Give the folder "
                "that save_pretrained wrote, as the worker's machine sees it."
            )
            if not folder.is_dir():
                what = _(
                    "The folder %(source)s does not exist, so there is no checkpoint in it. Give the folder that "
                    "save_pretrained wrote, as the worker's machine sees it."
                )
            raise EngineError(what, source=source)
        folder = folder.resolve()
        return Checkpoint(folder, content_hash(folder), folder.name)
    with hub_errors(source, revision):
        fetched = _fetch(source, revision)
    return Checkpoint(fetched, fetched.name, source)


@contextmanager
def hub_errors(source: str, revision: str | None = None) -> Iterator[None]:
    """Say in a sentence what the hub, or the way to it, said in exceptions."""
    errors = import_package("huggingface_hub.errors")
    try:
        yield
    except errors.HFValidationError as error:
        raise EngineError(
            _(
                "“%(source)s” is neither a folder of this machine nor a model ID of the hub (such as "
                "“name/model”). Check the spelling."
            ),
            source=source,
        ) from error
    except errors.GatedRepoError as error:
        raise EngineError(
            _(
                "The model “%(source)s” on the hub requires you to accept its terms. Accept them there, "
                "and set HF_TOKEN to a token of that account for the worker."
            ),
            source=source,
        ) from error
    except errors.RevisionNotFoundError as error:
        raise EngineError(
            _(
                "The model “%(source)s” on the hub has no revision “%(revision)s”. Give a commit, branch "
                "or tag that is listed there."
            ),
            source=source,
            revision=revision,
        ) from error
    except errors.RepositoryNotFoundError as error:
        raise EngineError(
            _(
                "The folder “%(source)s” does not exist on this machine, and the hub has no public model "
                "with that ID. Check the spelling, or set HF_TOKEN for the worker if the model is private."
            ),
            source=source,
        ) from error
    except Exception as error:
        # The hub's client lets the errors of several libraries through.
        raise EngineError(
            _(
                "The folder “%(source)s” does not exist on this machine, the model %(model)s is not in its "
                "cache, and the model hub could not be reached (%(reason)s). Check the worker's network, "
                "or copy the checkpoint to a folder and give that."
            ),
            source=source,
            model=f"{source}@{revision}" if revision else source,
            reason=_reason(error),
        ) from error


@contextmanager
def loading_errors(checkpoint: Checkpoint, device: Device, unusable: str) -> Iterator[None]:
    """Raise EngineError for whatever loading a checkpoint raises: out of memory, else `unusable`.

    Damaged files and foreign kinds of models show as errors of several libraries, some of them bare exceptions.
    `unusable` is a text with the gaps `checkpoint`, `folder` and `reason`.
    """
    try:
        yield
    except EngineError:
        raise
    except Exception as error:
        if is_out_of_memory(error):
            raise EngineError(
                _(
                    "The checkpoint %(checkpoint)s does not fit into the memory of %(device)s. Use a smaller model, or "
                    "a machine with more memory."
                ),
                checkpoint=checkpoint.name,
                device=device.name,
            ) from error
        raise EngineError(
            unusable, checkpoint=checkpoint.name, folder=checkpoint.folder, reason=first_line(error)
        ) from error


def refuse_incomplete(checkpoint: Checkpoint, missing: Sequence[str]) -> None:
    """Raise EngineError where weights of the model itself are missing."""
    if missing:
        raise EngineError(
            _(
                "The checkpoint %(checkpoint)s is damaged or incomplete: it lacks the weights %(missing)s. "
                "Fetch it again."
            ),
            checkpoint=checkpoint.name,
            missing=", ".join(missing[:3]),
        )


def refuse_not_finite(checkpoint: Checkpoint, device: Device, is_finite: bool) -> None:
    """Raise EngineError where a model's results are not all numbers."""
    if not is_finite:
        raise EngineError(
            _(
                "The model %(checkpoint)s gives invalid numbers in %(precision)s on %(device)s. Set "
                "ENGINE_PRECISION=fp32, or use another checkpoint if this one is damaged."
            ),
            checkpoint=checkpoint.name,
            precision=device.precision,
            device=device.name,
        )


def content_hash(folder: Path) -> str:
    """Twelve hex digits of the SHA-256 over the names and bytes of a folder's files; known again while the files'
    sizes and times stay the same."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    stamp = tuple((path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in files)
    key = (str(folder), stamp)
    if key not in _hashes:
        digest = hashlib.sha256()
        for path in files:
            digest.update(f"{path.name}\0{path.stat().st_size}\0".encode())
            with path.open("rb") as file:
                while block := file.read(1 << 20):
                    digest.update(block)
        _hashes[key] = digest.hexdigest()[:12]
    return _hashes[key]


_hashes: dict[tuple[str, Hashable], str] = {}


def _fetch(source: str, revision: str | None) -> Path:
    """The files of a hub id in the cache of this machine; the folder's name is the commit."""
    hub = import_package("huggingface_hub")
    errors = import_package("huggingface_hub.errors")
    # Without this a hub that takes the call and says nothing is waited for without end.
    hub.get_session().timeout = HUB_TIMEOUT

    def files(*patterns: str, commit: str | None, local: bool = False) -> Path:
        return Path(
            hub.snapshot_download(
                source,
                revision=commit,
                allow_patterns=list(patterns),
                # Copies for other runtimes lie in folders of their own.
                ignore_patterns=["*/*"],
                etag_timeout=HUB_TIMEOUT,
                local_files_only=local,
            )
        )

    local = False
    commit = revision
    if revision is None or not _COMMIT.fullmatch(revision):
        try:
            commit = hub.HfApi().model_info(source, revision=revision, timeout=HUB_TIMEOUT).sha
        except (errors.HFValidationError, errors.RepositoryNotFoundError, errors.RevisionNotFoundError):
            raise
        except Exception as unreachable:
            # Then the commit that this machine knows by that name.
            local = True
            try:
                files("config.json", commit=revision, local=True)
            except Exception:
                # Nothing in the cache either: the first reason is the one to tell.
                raise unreachable from None
            logger.warning(
                "The model hub could not be reached (%s). %s is taken from this machine's cache, as it was when it was "
                "last fetched; the commit is stored with what it predicts.",
                _reason(unreachable),
                source,
            )
    folder = files(*_SETTINGS, "*.safetensors", commit=commit, local=local)
    if not any(folder.glob("*.safetensors")):
        folder = files(*_SETTINGS, "pytorch_model*.bin", commit=commit, local=local)
    return folder


def with_folders(checkpoint: Checkpoint, names: Sequence[str]) -> Path:
    """The checkpoint's folder, with these folders in it; from the hub they are fetched when they are not here yet.

    Raises EngineError when the hub does not answer.
    """
    missing = [name for name in names if not (checkpoint.folder / name).is_dir()]
    is_fetched = checkpoint.folder.name == checkpoint.revision and _COMMIT.fullmatch(checkpoint.revision)
    if missing and is_fetched:
        with hub_errors(checkpoint.name, checkpoint.revision):
            import_package("huggingface_hub").snapshot_download(
                checkpoint.name,
                revision=checkpoint.revision,
                allow_patterns=[f"{name}/{file}" for name in missing for file in ("*.json", "*.safetensors", "*.bin")],
                etag_timeout=HUB_TIMEOUT,
            )
    return checkpoint.folder


_COMMIT = re.compile(r"[0-9a-f]{40}")

_SETTINGS = ("*.json", "*.txt", "*.model")


def _reason(error: BaseException) -> str:
    name, text = type(error).__name__, first_line(error)
    return name if text == name else f"{name}: {text}"
