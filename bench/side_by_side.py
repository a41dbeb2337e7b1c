"""Compare two ways to do the same work, in turns in one process."""

import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

from mlworkers.engines.torch_runtime import import_torch


@dataclass
class Side:
    """The last result of a side, and the seconds of each round: wall time and processor time."""

    result: Any = None
    passed: list[float] = field(default_factory=list)
    spent: list[float] = field(default_factory=list)


def alternate(sides: Mapping[str, Callable[[], Any]], rounds: int) -> dict[str, Side]:
    """Let the sides take turns, so that a machine whose speed changes does so for all of them."""
    found = {name: Side() for name in sides}
    for _ in range(rounds):
        for name, work in sides.items():
            passed, spent = time.perf_counter(), time.process_time()
            found[name].result = work()
            found[name].passed.append(time.perf_counter() - passed)
            found[name].spent.append(time.process_time() - spent)
    return found


def report(found: Mapping[str, Side], ours: str, count: int, what: str, *, on_gpu: bool) -> None:
    """Print how many of `count` things each side does in a second, and how many times as fast `ours` is.

    By the clock: the best round, and the median. On a CPU, which others may use, by its own seconds, too.
    """
    clocks = {"clock": "passed"} if on_gpu else {"clock": "passed", "processor": "spent"}
    for clock, name in clocks.items():
        seconds: dict[str, Sequence[float]] = {side: getattr(times, name) for side, times in found.items()}
        print(f"  {what} a second, by the {clock}: best, median; ours in times of it, by the best and by the median")
        for side, times in seconds.items():
            ratios = [take(times) / take(seconds[ours]) for take in (min, median)]
            than = "" if side == ours else f"   {ratios[0]:6.2f} {ratios[1]:6.2f}"
            print(f"    {side:<32}{count / min(times):9.1f} {count / median(times):9.1f}{than}", flush=True)


def machine(device: str, *packages: str) -> str:
    """Machine, load and versions of this run."""
    torch = import_torch()
    if device == "cpu":
        lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").is_file() else []
        names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
        name = f"{(names or [platform.processor()])[0]}, {torch.get_num_threads()} threads"
    else:
        name = torch.cuda.get_device_name(device)
    load = ", ".join(f"{number:.1f}" for number in os.getloadavg())
    versions = ", ".join(f"{package} {version(package)}" for package in packages)
    return f"{time.strftime('%Y-%m-%d')}; {name}; load average {load}\nPython {platform.python_version()}, {versions}"
