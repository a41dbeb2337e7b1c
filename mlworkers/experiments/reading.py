"""Experiments out of their TOML files."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from mlworkers.engines.base import SEEDS, EvaluationError
from mlworkers.engines.detectors.recipe import Recipe
from mlworkers.experiments.engines import engine_named
from mlworkers.experiments.experiment import SETTINGS, Corpus, Experiment, Run


@dataclass(frozen=True)
class _Reader:
    """Reads a TOML file's content; every complaint names the file, the place and what is expected there."""

    path: Path
    data: Path

    def experiment(self, content: Mapping[str, Any]) -> Experiment:
        engine = self._text(content, "engine", "the file")
        pretrained = engine_named(engine).pretrained
        known = {"title", "engine", "seeds", "label", "sets", "runs"}
        self._only(content, "the file", known | ({"model", "recipe"} if pretrained else set()))
        corpora = {key: self._corpus(key, found) for key, found in self._table(content.get("sets"), "[sets.…]").items()}
        runs = content.get("runs")
        if not isinstance(runs, list) or not runs:
            raise self._wrong("[[runs]]", "at least one run")
        seeds = content.get("seeds", [0])
        if not isinstance(seeds, list) or not seeds or any(type(seed) is not int for seed in seeds):
            raise self._wrong("seeds", "a list of whole numbers")
        if not all(0 <= seed < SEEDS for seed in seeds):
            raise self._wrong("seeds", f"numbers from 0 to {SEEDS - 1}")
        return Experiment(
            self._text(content, "title", "the file"),
            engine,
            tuple(dict.fromkeys(seeds)),
            tuple(self._run(number, found, corpora, pretrained) for number, found in enumerate(runs, start=1)),
            self._text(content, "label", "the file") if "label" in content else None,
            self._text(content, "model", "the file") if pretrained else "",
            self._recipe(content.get("recipe", {})),
        )

    def _recipe(self, content: Any) -> Recipe:
        table = self._table(content, "[recipe]")
        kinds = {field.name: (int,) if field.type is int else (int, float) for field in fields(Recipe)}
        self._only(table, "[recipe]", set(kinds))
        for name, value in table.items():
            if type(value) not in kinds[name]:
                raise self._wrong(f"{name} of [recipe]", "a whole number" if kinds[name] == (int,) else "a number")
        return Recipe(**table)

    def _corpus(self, key: str, content: Any) -> Corpus:
        place = f"[sets.{key}]"
        table = self._table(content, place)
        self._only(table, place, {"name", "language", "files"})
        files = self._names(table, "files", place)
        return Corpus(
            self._text(table, "name", place),
            self._text(table, "language", place),
            tuple(self.data / file for file in files),
        )

    def _run(self, number: int, content: Any, corpora: Mapping[str, Corpus], pretrained: bool) -> Run:
        place = f"run {number}"
        table = self._table(content, place)
        self._only(table, place, {"setting", "train", "test"} | ({"dev"} if pretrained else set()))
        setting = self._text(table, "setting", place)
        if setting not in SETTINGS:
            raise self._wrong(f"setting of {place}", f"one of {', '.join(SETTINGS)}")
        sides = []
        for side in ("train", "test", "dev"):
            keys = self._names(table, side, place) if side != "dev" or side in table else []
            for key in keys:
                if key not in corpora:
                    raise self._wrong(f"{side} of {place}", f'names of sets ({", ".join(corpora)}), not "{key}"')
            sides.append(tuple(corpora[key] for key in dict.fromkeys(keys)))
        train, tests, dev = sides
        if set(dev) & set(tests):
            raise self._wrong(
                f"dev of {place}", "sets that it is not tested on, since the best epoch is chosen on them"
            )
        languages = {corpus.language for corpus in train}
        wanted, fits = SETTINGS[setting]
        for test in tests:
            if not fits(languages, test.language):
                raise self._wrong(
                    place, f"{wanted}, since it is {setting}; it trains in {', '.join(sorted(languages))} and tests in "
                    f"{test.language}"
                )  # fmt: skip
        return Run(setting, train, tests, dev)

    def _text(self, table: Mapping[str, Any], key: str, place: str) -> str:
        found = table.get(key)
        if not isinstance(found, str) or not found:
            raise self._wrong(f"{key} of {place}", "a text")
        return found

    def _names(self, table: Mapping[str, Any], key: str, place: str) -> list[str]:
        found = table.get(key)
        if not isinstance(found, list) or not found or not all(isinstance(name, str) for name in found):
            raise self._wrong(f"{key} of {place}", "a list of texts")
        return found

    def _table(self, found: Any, place: str) -> dict[str, Any]:
        if not isinstance(found, dict):
            raise self._wrong(place, "a table")
        return found

    def _only(self, table: Mapping[str, Any], place: str, known: set[str]) -> None:
        unknown = sorted(set(table) - known)
        if unknown:
            raise self._wrong(place, f"only {', '.join(sorted(known))}, not {', '.join(unknown)}")

    def _wrong(self, place: str, expected: str) -> EvaluationError:
        return EvaluationError(f"{self.path}, {place}: expected {expected}.")


def read_experiment(path: Path, data: Path | None = None) -> Experiment:
    """Read a TOML file; the files that it names lie under `data`, by default its own folder.

    Raises EvaluationError when it is not as `experiment` describes it, and for an engine that cannot be trained.
    """
    try:
        text = path.read_text(encoding="utf-8")
        content = tomllib.loads(text)
    except OSError as error:
        raise EvaluationError(f"The experiment {path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise EvaluationError(f"{path} is not TOML: {error}.") from error
    return _Reader(path, path.parent if data is None else data).experiment(content)
