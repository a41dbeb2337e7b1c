"""Devices, batches within memory, and checkpoints from folders and from a hub, or one that fails."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlparse

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlworkers.engines.base import EngineError
from tests.mlworkers.checkpoints import NEEDS_EXTRA

torch = pytest.importorskip("torch", reason=NEEDS_EXTRA)
pytest.importorskip("huggingface_hub", reason=NEEDS_EXTRA)

from mlworkers.engines.checkpoints import content_hash, locate  # noqa: E402
from mlworkers.engines.torch_runtime import Batches, Device, choose_device, is_out_of_memory, shared  # noqa: E402

CPU = Device("cpu", "fp32")


@given(st.lists(st.integers(min_value=0, max_value=50), max_size=80), st.integers(min_value=1, max_value=120))
def test_batches_hold_every_index_once_within_the_budget(lengths: list[int], budget: int) -> None:
    found: list[list[int]] = []
    Batches(CPU, budget).run(lengths, found.append)
    assert sorted(index for batch in found for index in batch) == list(range(len(lengths)))
    for batch in found:
        assert len(batch) == 1 or max(lengths[index] for index in batch) * len(batch) <= budget


# Each time memory runs out, garbage is collected, which in a process full of tests takes long.
@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(min_value=1, max_value=30), max_size=60), st.integers(min_value=30, max_value=200))
def test_what_ran_out_of_memory_comes_again_in_smaller_batches(lengths: list[int], memory: int) -> None:
    done: list[int] = []

    def work(batch: list[int]) -> None:
        if max(lengths[index] for index in batch) * len(batch) > memory:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        done.extend(batch)

    Batches(CPU, 1_000).run(lengths, work)
    assert sorted(done) == list(range(len(lengths)))


def test_errors_that_say_that_memory_ran_out() -> None:
    assert is_out_of_memory(torch.OutOfMemoryError("CUDA out of memory."))
    assert is_out_of_memory(RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: 8 bytes"))
    assert is_out_of_memory(
        RuntimeError("[ONNXRuntimeError] : 1 : FAIL : bfc_arena.cc:360 Failed to allocate memory for requested buffer")
    )
    assert is_out_of_memory(MemoryError())
    assert not is_out_of_memory(RuntimeError("mat1 and mat2 shapes cannot be multiplied"))


def test_the_device_is_the_one_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose_device("cpu") == CPU
    monkeypatch.setenv("ENGINE_DEVICE", "cpu")
    monkeypatch.setenv("ENGINE_PRECISION", "bf16")
    assert choose_device() == Device("cpu", "bf16")
    assert choose_device(precision="fp32") == CPU


def test_bf16_is_for_the_devices_that_compute_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cards in one machine, of which only the second has bf16. No machine of the tests has a GPU."""
    capabilities = {"cuda:0": (7, 5), "cuda:1": (8, 9)}
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "get_device_capability", capabilities.__getitem__)
    assert choose_device("cuda:0").precision == "fp16"
    assert choose_device("cuda:1").precision == "bf16"
    assert choose_device("cuda:1", "fp32").precision == "fp32"


@pytest.mark.parametrize("device", ["tpu", "cuda:x", "cuda:99"])
def test_a_device_that_is_not_there_is_refused(device: str) -> None:
    with pytest.raises(EngineError, match=f"device “{device}”.*ENGINE_DEVICE"):
        choose_device(device)


def test_a_precision_that_does_not_exist_is_refused() -> None:
    with pytest.raises(EngineError, match=r"Unknown precision “fp8”.*fp32, bf16, fp16, int8"):
        choose_device("cpu", "fp8")


def test_int8_is_for_who_can_do_it_on_a_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose_device("cpu", "int8", int8=True) == Device("cpu", "int8")
    assert choose_device("cpu", "int8") == CPU
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    for int8 in (True, False):
        with pytest.raises(EngineError, match=r"int8 is for CPUs.*ENGINE_DEVICE=cpu.*ENGINE_PRECISION"):
            choose_device("cuda", "int8", int8=int8)


def test_the_last_two_models_are_kept() -> None:
    loads: list[str] = []

    def get(name: str) -> object:
        def load() -> object:
            loads.append(name)
            return object()

        return shared(("test", name), load)

    first = get("one")
    assert get("two") is not first
    assert get("one") is first
    get("three")
    assert get("one") is first
    get("two")
    assert loads == ["one", "two", "three", "two"]


def test_a_hash_is_of_names_and_contents(tmp_path: Path) -> None:
    def folder(name: str, **files: str) -> Path:
        (tmp_path / name).mkdir()
        for file, content in files.items():
            (tmp_path / name / file).write_text(content)
        return tmp_path / name

    one = content_hash(folder("one", a="12", b="3"))
    assert content_hash(folder("same", a="12", b="3")) == one
    assert content_hash(folder("moved", a="1", b="23")) != one
    assert content_hash(folder("renamed", a="12", c="3")) != one
    (tmp_path / "one" / "a").write_text("99")
    assert content_hash(tmp_path / "one") != one


# The hub. Its client reads its settings when it is imported, so each of these has a process of its own.

COMMIT = "0123456789abcdef0123456789abcdef01234567"
FILES = {"config.json": b"{}", "tokenizer.json": b"{}", "onnx/model.onnx": b"no", "README.md": b"no"}


class _Hub(BaseHTTPRequestHandler):
    """As much of a hub as fetching a checkpoint takes: one model, one commit."""

    weights = "model.safetensors"
    more: ClassVar[dict[str, bytes]] = {}

    def _answer(self) -> None:
        path = urlparse(self.path).path
        files = FILES | {self.weights: b"weights", "training_args.bin": b"no"} | self.more
        if not path.startswith(("/api/models/org/model", "/org/model/")):
            return self._send(404, b"{}", {"X-Error-Code": "RepoNotFound"})
        if path == "/api/models/org/model" or path.endswith(("/revision/main", "/revision/v1")):
            return self._json({"id": "org/model", "sha": COMMIT})
        if path == f"/api/models/org/model/tree/{COMMIT}":
            return self._json(
                [{"type": "file", "path": name, "size": len(data), "oid": name} for name, data in files.items()]
            )
        if path.startswith(f"/org/model/resolve/{COMMIT}/"):
            data = files[path.removeprefix(f"/org/model/resolve/{COMMIT}/")]
            return self._send(200, data, {"X-Repo-Commit": COMMIT, "ETag": f'"{abs(hash(path))}"'})
        return self._send(404, b"{}", {"X-Error-Code": "RevisionNotFound"})

    do_GET = do_HEAD = _answer

    def _json(self, content: Any) -> None:
        self._send(200, json.dumps(content).encode(), {"Content-Type": "application/json"})

    def _send(self, status: int, data: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(data)

    def log_message(self, *args: Any) -> None:
        """Nothing."""


class _HubWithOldWeights(_Hub):
    weights = "pytorch_model.bin"


class _HubWithPooling(_Hub):
    more: ClassVar[dict[str, bytes]] = {
        "modules.json": b"[]", "1_Pooling/config.json": b"{}", "2_Dense/config.json": b"{}",
        "2_Dense/pytorch_model.bin": b"weights", "2_Dense/README.md": b"no",
    }  # fmt: skip


@contextmanager
def hub(handler: type[_Hub] = _Hub) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def ask(
    home: Path,
    endpoint: str,
    source: str,
    revision: str | None = None,
    *,
    folders: Sequence[str] = (),
    **environment: str,
) -> Any:
    """What `locate` says in a process with this hub and cache: the checkpoint as a dict, or the error's text."""
    return ask_and_hear(home, endpoint, source, revision, folders=folders, **environment)[0]


def ask_and_hear(
    home: Path,
    endpoint: str,
    source: str,
    revision: str | None = None,
    *,
    folders: Sequence[str] = (),
    **environment: str,
) -> tuple[Any, str]:
    """As `ask`, with what was logged."""
    code = (
        "import json, sys\n"
        "from mlworkers.engines.base import EngineError\n"
        "from mlworkers.engines.checkpoints import locate, with_folders\n"
        "source, revision, folders = json.loads(sys.argv[1])\n"
        "try:\n    found = locate(source, revision)\n    with_folders(found, folders)\n"
        "except EngineError as error:\n    print(json.dumps(str(error)))\n"
        "else:\n    files = sorted(path.name for path in found.folder.rglob('*') if path.is_file())\n"
        "    print(json.dumps({'revision': found.revision, 'name': found.name, 'files': files}))\n"
    )
    settings = {"HF_HOME": str(home), "HF_ENDPOINT": endpoint, "HF_HUB_DISABLE_XET": "1", **environment}
    inherited = {name: value for name, value in os.environ.items() if "PROXY" not in name.upper()}
    run = subprocess.run(
        [sys.executable, "-c", code, json.dumps([source, revision, list(folders)])],
        env={**inherited, **settings},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout), run.stderr


@pytest.mark.parametrize("revision", [None, "main", "v1", COMMIT])
def test_a_checkpoint_of_the_hub_is_pinned_to_its_commit(tmp_path: Path, revision: str | None) -> None:
    with hub() as endpoint:
        found = ask(tmp_path, endpoint, "org/model", revision)
    wanted = {"revision": COMMIT, "name": "org/model", "files": ["config.json", "model.safetensors", "tokenizer.json"]}
    assert found == wanted
    # The hub is gone: the commit is here.
    assert ask(tmp_path, endpoint, "org/model", COMMIT) == wanted
    assert ask(tmp_path, endpoint, "org/model", COMMIT, HF_HUB_OFFLINE="1") == wanted


def test_folders_with_the_pooling_of_a_checkpoint_are_fetched_when_they_are_asked_for(tmp_path: Path) -> None:
    with hub(_HubWithPooling) as endpoint:
        alone = ask(tmp_path, endpoint, "org/model")
        whole = ask(tmp_path, endpoint, "org/model", folders=["1_Pooling", "2_Dense"])
    assert alone["files"] == ["config.json", "model.safetensors", "modules.json", "tokenizer.json"]
    assert sorted(set(whole["files"]) - set(alone["files"])) == ["pytorch_model.bin"]
    assert whole["files"].count("config.json") == 3
    # The hub is gone: they are here.
    assert ask(tmp_path, endpoint, "org/model", COMMIT, folders=["1_Pooling", "2_Dense"]) == whole


def test_a_branch_from_the_cache_is_never_taken_quietly(tmp_path: Path) -> None:
    with hub() as endpoint:
        found, heard = ask_and_hear(tmp_path, endpoint, "org/model")
    assert "could not be reached" not in heard
    refs = tmp_path / "hub" / "models--org--model" / "refs"
    refs.mkdir(exist_ok=True)
    (refs / "main").write_text(COMMIT)

    again, heard = ask_and_hear(tmp_path, endpoint, "org/model")

    assert again == found
    assert "hub could not be reached" in heard
    assert "org/model is taken from this machine's cache" in heard


def test_checkpoints_without_safetensors_come_with_their_older_weights(tmp_path: Path) -> None:
    with hub(_HubWithOldWeights) as endpoint:
        found = ask(tmp_path, endpoint, "org/model")
    assert found["files"] == ["config.json", "pytorch_model.bin", "tokenizer.json"]


def test_models_and_revisions_that_the_hub_has_not(tmp_path: Path) -> None:
    with hub() as endpoint:
        assert "The folder “org/other” does not exist" in ask(tmp_path, endpoint, "org/other")
        assert "no public model with that ID" in ask(tmp_path, endpoint, "org/other")
        assert "no revision “v2”" in ask(tmp_path, endpoint, "org/model", "v2")
        assert "no revision “" + "f" * 40 in ask(tmp_path, endpoint, "org/model", "f" * 40)
    assert list(tmp_path.rglob("*.json")) == []


def test_without_a_network_the_error_says_so(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{free.getsockname()[1]}"
        for environment in ({}, {"HF_HUB_OFFLINE": "1"}):
            said = ask(tmp_path, nobody, "org/model", "v1", **environment)
            assert "The folder “org/model” does not exist" in said
            assert "org/model@v1 is not in its cache" in said
            assert "model hub could not be reached" in said


def test_a_hub_that_takes_the_call_and_says_nothing_is_given_up_on(tmp_path: Path) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        began = time.monotonic()
        said = ask(tmp_path, f"http://127.0.0.1:{silent.getsockname()[1]}", "org/model")
    assert "could not be reached" in said
    assert time.monotonic() - began < 60


def test_what_is_no_id_is_neither_folder_nor_model(tmp_path: Path) -> None:
    said = ask(tmp_path, "http://127.0.0.1:9", "what is this?")
    assert said.startswith("“what is this?” is neither a folder of this machine nor a model ID of the hub")


def test_a_folder_needs_no_hub(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text("{}")
    assert locate(str(tmp_path / "model")).name == "model"
