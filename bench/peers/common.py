"""What the drivers share: the work, the corrections, the clock, and the look at the memory.

A driver is a subclass of Driver with six verbs; bench.py calls them and prints a line of JSON for each:

    start()              installation to running server
    import_work(work)    how long the import takes, and how much memory
    correct(n)           how long one annotator waits, by call and by sentence
    concurrent(k, n)     the same with k annotators at once
    export_work()        how long the export takes, and how many tokens differ from what they must be
    stop()

In doccano the corrections are those of edit_for; in Translatio the same rule is kept on the labels that are suggested.
"""

import contextlib
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import psutil
import requests

ROOT = Path(os.environ.get("PEERBENCH", Path(tempfile.gettempdir()) / "peerbench")).absolute()
DATA = Path(os.environ.get("M4X", ROOT / "m4x")).absolute()
LABEL = "METAPHOR"
ANNOTATOR_PW = "Linguist-2024-x"

WORKS = {
    "D": ("es", ["xnli_dev_prem", "xnli_dev_hyp"]),
    # Four times the same under other ids: the size of the published corpus.
    "D4": ("es", [f"xnli_dev{n}_{role}" for n in ("", 2, 3, 4) for role in ("prem", "hyp")]),
    # To see whether all works.
    "W0": ("es", ["xnli_dev_prem"]),
}

Labels = list[str]
Result = dict[str, Any]


# --- the work ---------------------------------------------------------------------------------------------------------


class Sentence:
    """A sentence of the corpus with its published labels; `index` is its place in the work."""

    __slots__ = ("file", "index", "key", "labels", "starts", "text", "tokens")

    def __init__(self, key: str, file: str, tokens: Sequence[str], labels: Sequence[str]) -> None:
        self.key, self.file, self.tokens, self.labels = key, file, list(tokens), list(labels)
        self.text = " ".join(tokens)
        self.index = 0
        self.starts = []
        at = 0
        for token in tokens:
            self.starts.append(at)
            at += len(token) + 1

    def span(self, i: int, j: int) -> tuple[int, int]:
        """The characters of the tokens from i to j - 1."""
        return self.starts[i], self.starts[j - 1] + len(self.tokens[j - 1])


def work_files(work: str) -> list[Path]:
    language, names = WORKS[work]
    return [DATA / language / f"{name}.tsv" for name in names]


def read_work(work: str) -> list[Sentence]:
    """All sentences of a work, in the order of its files."""
    found: list[Sentence] = []
    for path in work_files(work):
        tokens: list[str] = []
        labels: Labels = []
        number = 0
        for line_ in [*path.read_text(encoding="utf-8").split("\n"), ""]:
            if line_.strip():
                token, label = line_.split("\t")
                tokens.append(token)
                labels.append(label)
            elif tokens:
                found.append(Sentence(f"{path.parent.name}/{path.stem}:{number}", path.stem, tokens, labels))
                tokens, labels, number = [], [], number + 1
    for index, sentence in enumerate(found):
        sentence.index = index
    return found


def token_spans(labels: Sequence[str]) -> list[tuple[int, int]]:
    """Spans (i, j) of BIO labels; an I- that follows nothing opens a span, so that nothing is lost on the way in."""
    spans = []
    start = None
    for k, label in enumerate(labels):
        if label.startswith("B-") or (label.startswith("I-") and start is None):
            if start is not None:
                spans.append((start, k))
            start = k
        elif label == "O" and start is not None:
            spans.append((start, k))
            start = None
    if start is not None:
        spans.append((start, len(labels)))
    return spans


def char_spans(sentence: Sentence) -> list[tuple[int, int]]:
    return [sentence.span(i, j) for i, j in token_spans(sentence.labels)]


def labels_from_char_spans(sentence: Sentence, spans: Iterable[tuple[int, int]]) -> tuple[Labels, int]:
    """BIO labels of the tokens that spans of characters touch, and how many spans do not end where tokens do."""
    labels, ragged = ["O"] * len(sentence.tokens), 0
    for a, b in sorted(spans):
        hit = [k for k, start in enumerate(sentence.starts) if start < b and a < start + len(sentence.tokens[k])]
        if not hit:
            ragged += 1
            continue
        if (a, b) != sentence.span(hit[0], hit[-1] + 1):
            ragged += 1
        for n, k in enumerate(hit):
            labels[k] = ("B-" if n == 0 else "I-") + LABEL
    return labels, ragged


def edit_for(sentence: Sentence) -> tuple[str, tuple[int, int]]:
    """The one correction that is made on a sentence: ("del", (i, j)) or ("add", (i, j)).

    A sentence with spans loses its first one where its place in the work is even; all others get a span on their
    longest unlabelled token.
    """
    spans = token_spans(sentence.labels)
    if spans and sentence.index % 2 == 0:
        return "del", spans[0]
    free = [k for k, label in enumerate(sentence.labels) if label == "O"]
    if not free:
        return "del", spans[0]
    k = max(free, key=lambda k: (len(sentence.tokens[k]), -k))
    return "add", (k, k + 1)


def apply_edit(sentence: Sentence, edit: tuple[str, tuple[int, int]]) -> Labels:
    """The labels of a sentence after the correction."""
    kind, (i, j) = edit
    labels = list(sentence.labels)
    if kind == "del":
        labels[i:j] = ["O"] * (j - i)
    else:
        labels[i] = "B-" + LABEL
        # An I- that follows would join the new span: it stays one of its own.
        if i + 1 < len(labels) and labels[i + 1].startswith("I-"):
            labels[i + 1] = "B-" + labels[i + 1][2:]
    return labels


def compare(expected: Mapping[str, Labels], got: Mapping[str, Labels]) -> dict[str, int]:
    """How many labels differ in what came back, and how much did not come back."""
    differing = missing = lost = tokens = 0
    for key, want in expected.items():
        have = got.get(key)
        if have is None:
            missing += 1
            lost += len(want)
            continue
        tokens += len(want)
        differing += sum(a != b for a, b in zip(want, have, strict=False)) + abs(len(want) - len(have))
    return {
        "sentences_out": len(expected) - missing,
        "tokens_out": tokens,
        "mismatching_tokens": differing,
        "missing_sentences": missing,
        "missing_tokens": lost,
    }


# --- the clock --------------------------------------------------------------------------------------------------------


def quantile(values: Sequence[float], p: float) -> float | None:
    if not values:
        return None
    ordered = sorted(values)
    place = (len(ordered) - 1) * p
    low, high = int(place), min(int(place) + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def rounded(value: float | None, digits: int = 1) -> float | None:
    return None if value is None else round(value, digits)


def summary(seconds: Sequence[float]) -> Result:
    ms = [value * 1000 for value in seconds]
    return {
        "n": len(ms),
        "mean_ms": rounded(sum(ms) / len(ms)) if ms else None,
        "p50_ms": rounded(quantile(ms, 0.5)),
        "p95_ms": rounded(quantile(ms, 0.95)),
        "p99_ms": rounded(quantile(ms, 0.99)),
        "max_ms": rounded(max(ms) if ms else None),
    }


class Client:
    """A session that times every call under a name."""

    def __init__(self, base: str) -> None:
        self.base, self.s = base, requests.Session()
        self.s.trust_env = False
        self.times: dict[str, list[float]] = defaultdict(list)
        self.sizes: dict[str, int] = defaultdict(int)
        self.errors: list[tuple[str, str]] = []

    def call(
        self, name: str, method: str, path: str, ok: Sequence[int] = (200, 201, 202, 204), **options: Any
    ) -> requests.Response | None:
        """Make a call. Answers None where it failed; `errors` then says why."""
        url = path if path.startswith("http") else self.base + path
        t = time.perf_counter()
        try:
            answer = self.s.request(method, url, timeout=120, **options)
        except requests.RequestException as error:
            self.times[name].append(time.perf_counter() - t)
            self.errors.append((name, type(error).__name__))
            return None
        self.times[name].append(time.perf_counter() - t)
        self.sizes[name] += len(answer.content)
        if answer.status_code not in ok:
            self.errors.append((name, f"{answer.status_code} {answer.text[:160]}"))
            return None
        return answer

    def need(self, *arguments: Any, **options: Any) -> requests.Response:
        """The same for calls that nothing can be measured without."""
        answer = self.call(*arguments, **options)
        if answer is None:
            raise RuntimeError(f"{self.errors[-1]}")
        return answer

    def report(self) -> Result:
        return {
            "per_call": {name: summary(times) for name, times in self.times.items()},
            "all_calls": summary([t for times in self.times.values() for t in times]),
            "kib_received": rounded(sum(self.sizes.values()) / 1024),
            "errors": len(self.errors),
            "error_samples": [list(error) for error in self.errors[:3]],
        }


# --- processes and memory ---------------------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def tree(pids: Iterable[int]) -> list[psutil.Process]:
    """Processes with all that they have started."""
    found = {}
    for pid in pids:
        with contextlib.suppress(psutil.NoSuchProcess):
            process = psutil.Process(pid)
            for one in [process, *process.children(recursive=True)]:
                found[one.pid] = one
    return list(found.values())


class Memory:
    """The most memory that the server's processes had together; PSS counts shared pages once."""

    def __init__(self, pids: Sequence[int], every: float = 0.25) -> None:
        self.pids, self.every = pids, every
        self.peak_rss = self.peak_pss = 0
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def sample(self) -> None:
        rss = pss = 0
        for process in tree(self.pids):
            with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                memory = process.memory_full_info()
                rss += memory.rss
                pss += getattr(memory, "pss", 0) or memory.rss
        self.peak_rss, self.peak_pss = max(self.peak_rss, rss), max(self.peak_pss, pss)

    def run(self) -> None:
        while not self.over.wait(self.every):
            self.sample()

    def __enter__(self) -> "Memory":
        self.sample()
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join()
        self.sample()

    def report(self) -> Result:
        return {"peak_rss_mb": rounded(self.peak_rss / 2**20, 0), "peak_pss_mb": rounded(self.peak_pss / 2**20, 0)}


# --- what a driver is -------------------------------------------------------------------------------------------------


class AnnotatorLike(Protocol):
    """Somebody who is signed in."""

    client: Client

    def sentence(self, index: int) -> None:
        """Make all calls that a browser makes to correct one sentence."""


class Driver:
    name = "?"
    # Seconds that each of many annotators looks at a sentence: between 0.5 and 1.5 times this.
    think = 0.0

    def __init__(self) -> None:
        self.home = ROOT / f"run-{self.name}-{os.getpid()}"
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.pids: list[int] = []
        self.processes: list[subprocess.Popen[bytes]] = []
        self.expected: dict[str, Labels] = {}
        self.sentences: list[Sentence] = []
        self.paused = threading.local()
        self.home.mkdir(parents=True, exist_ok=True)

    # Processes.

    def spawn(
        self, argv: Sequence[str | Path], env: Mapping[str, str], cwd: str | Path, log: str
    ) -> subprocess.Popen[bytes]:
        """Start a process that `stop` ends; what it says goes to a file in `home`."""
        with open(self.home / log, "ab") as out:
            process = subprocess.Popen(
                argv,
                env={**os.environ, **env},
                cwd=cwd,
                stdout=out,
                stderr=out,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        self.pids.append(process.pid)
        self.processes.append(process)
        return process

    def wait_http(
        self, path: str, timeout: float = 180, ok: Callable[[int], bool] = lambda status: status < 500
    ) -> None:
        """Wait until the server answers."""
        t = time.perf_counter()
        with requests.Session() as session:
            session.trust_env = False
            while time.perf_counter() - t < timeout:
                if any(process.poll() is not None for process in self.processes):
                    raise SystemExit(f"{self.name}: the server has ended; its last words are in {self.home}")
                with contextlib.suppress(requests.RequestException):
                    if ok(session.get(self.base + path, timeout=5).status_code):
                        return
                time.sleep(0.1)
        raise SystemExit(f"{self.name}: no answer on {path}")

    def stop(self) -> None:
        """End what this driver has started, and nothing else."""
        processes = tree(self.pids)
        for process in processes:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGTERM)
        _, alive = psutil.wait_procs(processes, timeout=10)
        for process in alive:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        for started in self.processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                started.wait(timeout=5)
        self.pids = []

    def clean(self) -> None:
        shutil.rmtree(self.home, ignore_errors=True)

    def pause(self) -> None:
        """Look at a sentence that is shown, before it is corrected; taken out of the times."""
        if self.think and threading.current_thread() is not threading.main_thread():
            seconds = self.think * random.uniform(0.5, 1.5)
            time.sleep(seconds)
            self.paused.s = getattr(self.paused, "s", 0) + seconds

    # What each tool does in its own way.

    def start(self) -> Result:
        raise NotImplementedError

    def import_work(self, work: str) -> Result:
        raise NotImplementedError

    def annotator(self, number: int) -> AnnotatorLike:
        raise NotImplementedError

    def export_labels(self) -> tuple[dict[str, Labels], int, int, str]:
        """Labels by sentence, spans that do not end where tokens do, bytes, and the format."""
        raise NotImplementedError

    # What is measured.

    def load(self, work: str) -> None:
        self.sentences = read_work(work)
        self.expected = {sentence.key: list(sentence.labels) for sentence in self.sentences}
        self.by_key = {sentence.key: sentence for sentence in self.sentences}

    def note_edit(self, sentence: Sentence) -> None:
        """The tool has taken the correction: this is what the export must say from now on."""
        self.expected[sentence.key] = apply_edit(sentence, edit_for(sentence))

    def correct(self, n: int) -> Result:
        annotator = self.annotator(0)
        annotator.client.times.clear()
        annotator.client.sizes.clear()
        units = []
        with Memory(self.pids) as memory:
            t0 = time.perf_counter()
            for index in range(n):
                t = time.perf_counter()
                annotator.sentence(index)
                units.append(time.perf_counter() - t)
            wall = time.perf_counter() - t0
        calls = sum(len(times) for times in annotator.client.times.values())
        return {
            "sentences": n,
            "wall_s": rounded(wall, 2),
            "calls_per_sentence": rounded(calls / n, 1),
            "unit": summary(units),
            **annotator.client.report(),
            **memory.report(),
        }

    def concurrent(self, k: int, n: int, offset: int) -> Result:
        annotators = [self.annotator(number) for number in range(k)]
        for annotator in annotators:
            annotator.client.times.clear()
        units: list[float] = []
        failed: list[bool] = []
        lock, go = threading.Lock(), threading.Barrier(k)

        def work(number: int, annotator: AnnotatorLike) -> None:
            errors = annotator.client.errors
            go.wait()
            for j in range(n):
                t = time.perf_counter()
                before, self.paused.s = len(errors), 0
                try:
                    annotator.sentence(offset + number * n + j)
                    bad = len(errors) > before
                except Exception as error:
                    bad = True
                    errors.append(("sentence", f"{type(error).__name__}: {error}"[:160]))
                with lock:
                    units.append(time.perf_counter() - t - self.paused.s)
                    failed.append(bad)

        threads = [threading.Thread(target=work, args=pair) for pair in enumerate(annotators)]
        with Memory(self.pids) as memory:
            t0 = time.perf_counter()
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            wall = time.perf_counter() - t0
        calls = [t for annotator in annotators for times in annotator.client.times.values() for t in times]
        errors = [error for annotator in annotators for error in annotator.client.errors]
        return {
            "annotators": k,
            "sentences_each": n,
            **({"think_s": self.think} if self.think else {}),
            "wall_s": rounded(wall, 2),
            "sentences_per_s": rounded(k * n / wall, 2),
            "unit": summary(units),
            "all_calls": summary(calls),
            "failed_sentences": sum(failed),
            "call_errors": len(errors),
            "error_samples": [list(error) for error in errors[:3]],
            **memory.report(),
        }

    def export_work(self) -> Result:
        with Memory(self.pids) as memory:
            t = time.perf_counter()
            got, ragged, size, kind = self.export_labels()
            wall = time.perf_counter() - t
        # That the file is read within the clock is too little to matter.
        return {
            "format": kind,
            "wall_s": rounded(wall, 2),
            "bytes": size,
            "spans_off_token_boundaries": ragged,
            **compare(self.expected, got),
            **memory.report(),
        }


def line(tool: str, step: str, result: Result) -> Result:
    """Print a line of JSON, and answer what it says."""
    row = {"tool": tool, "step": step, **result}
    print(json.dumps(row, ensure_ascii=False), flush=True)
    return row
