"""Experiments: train a detector on some files, measure it on others, over several seeds, and put it in a table.

What is trained and measured stands in a small TOML file:

    title = "Metaphor detection"
    engine = "crf"
    seeds = [1, 2, 3]

    [sets.es-train]
    name = "Meta4XNLI train"
    language = "es"
    files = ["splits/es/train.tsv"]

    [sets.es-dev]
    name = "Meta4XNLI dev"
    language = "es"
    files = ["splits/es/dev.tsv"]

    [[runs]]
    setting = "monolingual"
    train = ["es-train"]
    test = ["es-dev"]

With `engine = "transformers"` there is a pretrained `model = "name/model@revision"` (or a folder), a table `[recipe]`
where the training is not to be as `Recipe` has it, and runs may name sets for `dev`: the epoch that is best on them is
measured. The trained models are not kept.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mlworkers.engines.detectors.recipe import DEFAULT, Recipe

MONOLINGUAL, CROSS_DOMAIN, ZERO_SHOT, MULTILINGUAL = "monolingual", "cross-domain", "zero-shot", "multilingual"

# What each setting asks of the languages of training and test, in words and as a test.
SETTINGS: dict[str, tuple[str, Callable[[set[str], str], bool]]] = {
    MONOLINGUAL: ("training in the language of the test only", lambda train, test: train == {test}),
    CROSS_DOMAIN: ("training in the language of the test only", lambda train, test: train == {test}),
    ZERO_SHOT: ("no training in the language of the test", lambda train, test: test not in train),
    MULTILINGUAL: ("training in two languages or more", lambda train, test: len(train) > 1),
}


@dataclass(frozen=True)
class Corpus:
    """A set of files in one language."""

    name: str
    language: str
    files: tuple[Path, ...]

    @property
    def title(self) -> str:
        """Name and language, for tables."""
        return f"{self.name} ({self.language})"


@dataclass(frozen=True)
class Run:
    """One training, measured on one or more sets; `dev` are those on which its best epoch is chosen."""

    setting: str
    train: tuple[Corpus, ...]
    test: tuple[Corpus, ...]
    dev: tuple[Corpus, ...] = ()


@dataclass(frozen=True)
class Experiment:
    """What is trained and measured."""

    title: str
    engine: str
    seeds: tuple[int, ...]
    runs: tuple[Run, ...]
    label: str | None = None
    model: str = ""
    recipe: Recipe = DEFAULT
