"""Takes one tool through the whole measurement, and prints one line of JSON for each step.

    python bench.py doccano --work D
    python bench.py app --work D --n 300 --k 8 --m 50

Steps: start (always), import, export (of what was imported), correct (N sentences, one annotator), concurrent (K
annotators, M sentences each), export2 (of what doccano's annotators corrected). The lines are added to OUT, too.
"""

import argparse
import importlib
import json
import os
import time
from typing import Any

from common import ROOT, WORKS, Driver, line

DRIVERS = {"doccano": ("doccano_driver", "Doccano"), "app": ("app_driver", "App")}


def driver_class(name: str) -> type[Driver]:
    """The driver of a tool; only that one's module is imported."""
    module, cls = DRIVERS[name]
    return getattr(importlib.import_module(module), cls)


def set_option(driver: Driver, option: str) -> None:
    """Set an attribute from ATTR=VALUE; the value gets the type of the one that it replaces."""
    name, value = option.split("=", 1)
    before = getattr(type(driver), name)
    setattr(driver, name, value.lower() == "true" if isinstance(before, bool) else type(before)(value))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", choices=sorted(DRIVERS))
    parser.add_argument("--work", default="D", choices=sorted(WORKS))
    parser.add_argument("--steps", default="start,import,export,correct,concurrent,export2")
    parser.add_argument("--n", type=int, default=300, help="sentences that one annotator corrects")
    parser.add_argument("--k", type=int, default=8, help="annotators at once")
    parser.add_argument("--m", type=int, default=50, help="sentences of each of them")
    parser.add_argument("--out", default=str(ROOT / "results.jsonl"))
    parser.add_argument("--keep", action="store_true", help="leave the server running and its files in place")
    parser.add_argument("--set", action="append", default=[], metavar="ATTR=VALUE", help="e.g. import_format=CoNLL")
    arguments = parser.parse_args()
    driver = driver_class(arguments.tool)()
    for option in arguments.set:
        set_option(driver, option)
    steps = arguments.steps.split(",")

    def say(step: str, result: dict[str, Any]) -> None:
        circumstances = {
            "work": arguments.work,
            "at": time.strftime("%H:%M:%S"),
            "load1": round(os.getloadavg()[0], 1),
            **({"options": arguments.set} if arguments.set else {}),
        }
        row = line(driver.name, step, {**circumstances, **result})
        with open(arguments.out, "a", encoding="utf-8") as out:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")

    done = False
    try:
        say("start", driver.start())
        if "import" in steps:
            say("import", driver.import_work(arguments.work))
        if "export" in steps:
            say("export-untouched", driver.export_work())
        if "correct" in steps:
            say("correct", driver.correct(arguments.n))
        if "concurrent" in steps:
            say("concurrent", driver.concurrent(arguments.k, arguments.m, offset=arguments.n))
        if "export2" in steps:
            say("export-edited", driver.export_work())
        done = True
    finally:
        if arguments.keep:
            print(json.dumps({"kept": str(driver.home), "base": driver.base, "pids": driver.pids}))
        else:
            driver.stop()
            # What the servers said last is in these files.
            if done:
                driver.clean()


if __name__ == "__main__":
    main()
