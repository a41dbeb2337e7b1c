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

import platform
import statistics
import tempfile
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

from annotator.formats.text.tagged import TaggedSentence, read_tagged
from mlworkers.engines.base import SEEDS, Detector, EvaluationError
from mlworkers.engines.detectors.crf import train_crf
from mlworkers.engines.detectors.transformers_training import DEFAULT, Recipe, train_transformers
from mlworkers.engines.evaluation.scores import (
    IN_VOCABULARY,
    LABELLED,
    NOT_LABELLED,
    OUT_OF_VOCABULARY,
    Report,
    evaluate_tagged,
)
from mlworkers.engines.torch_runtime import Checkpoint, locate, split_revision

MONOLINGUAL, CROSS_DOMAIN, ZERO_SHOT, MULTILINGUAL = "monolingual", "cross-domain", "zero-shot", "multilingual"

# What each setting asks of the languages of training and test, in words and as a test.
SETTINGS: dict[str, tuple[str, Callable[[set[str], str], bool]]] = {
    MONOLINGUAL: ("training in the language of the test only", lambda train, test: train == {test}),
    CROSS_DOMAIN: ("training in the language of the test only", lambda train, test: train == {test}),
    ZERO_SHOT: ("no training in the language of the test", lambda train, test: test not in train),
    MULTILINGUAL: ("training in two languages or more", lambda train, test: len(train) > 1),
}

# Columns of the tables, and where a report has them.
MEASURES: dict[str, Callable[[Report], float | None]] = {
    "precision": lambda report: report.tokens.precision,
    "recall": lambda report: report.tokens.recall,
    "f1": lambda report: report.tokens.f1,
    "span_f1": lambda report: report.spans.f1,
    "in_vocabulary_f1": lambda report: _f1(report, IN_VOCABULARY),
    "out_of_vocabulary_f1": lambda report: _f1(report, OUT_OF_VOCABULARY),
    "labelled_in_training_f1": lambda report: _f1(report, LABELLED),
    "not_labelled_in_training_f1": lambda report: _f1(report, NOT_LABELLED),
}
HEADINGS = (
    "setting", "trained on", "tested on", "P", "R", "token F1", "span F1",
    "F1, words seen in training", "F1, not seen", "F1, words labelled in training", "F1, not labelled",
)  # fmt: skip


def _f1(report: Report, kind: str) -> float | None:
    """Over the tokens of a kind of word; None where the training sentences are not known."""
    return report.words[kind].f1 if kind in report.words else None


class Trained(Protocol):
    """What an engine's training gives."""

    def detector(self, language: str) -> Detector:
        """It as a detector for sentences in `language`, which need not be one of those it was trained on."""


@dataclass(frozen=True)
class Lesson:
    """What one training is given: sentences by language, dev sentences, the seed, the pretrained model if there is
    one, and a folder to be made that stays for as long as the result is measured."""

    train: Mapping[str, Sequence[TaggedSentence]]
    dev: Sequence[TaggedSentence]
    seed: int
    model: Checkpoint | None
    folder: Path

    def parts(self) -> tuple[str, Sequence[TaggedSentence], dict[str, Sequence[TaggedSentence]]]:
        """The first language, its sentences, and those of the other languages."""
        language, *others = self.train
        return language, self.train[language], {other: self.train[other] for other in others}


@dataclass(frozen=True)
class Engine:
    """How an engine is trained, the packages that figures depend on, and whether it is a pretrained model that is
    trained: then the experiment has a model, perhaps a recipe, and runs may have dev sets."""

    train: Callable[["Experiment", Lesson], Trained]
    packages: tuple[str, ...]
    pretrained: bool = False


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


# The training sets and the dev sets of a training.
_Sets = tuple[tuple[Corpus, ...], tuple[Corpus, ...]]


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

    @classmethod
    def read(cls, path: Path, data: Path | None = None) -> "Experiment":
        """Read a TOML file; the files that it names lie under `data`, by default its own folder.

        Raises EvaluationError when it is not as described above, and for an engine that cannot be trained.
        """
        try:
            text = path.read_text(encoding="utf-8")
            content = tomllib.loads(text)
        except OSError as error:
            raise EvaluationError(f"The experiment {path} cannot be read: {error.strerror}.") from error
        except ValueError as error:
            raise EvaluationError(f"{path} is not TOML: {error}.") from error
        return _Reader(path, path.parent if data is None else data).experiment(content)


@dataclass(frozen=True)
class Row:
    """A training measured on one set: the report of every seed.

    `repeated` is how many of the test sentences are in the training sentences, too; `dev` the sets on which the epoch
    was chosen; `model_revision` that of the pretrained model.
    """

    setting: str
    train: tuple[Corpus, ...]
    test: Corpus
    reports: Mapping[int, Report]
    repeated: int
    dev: tuple[Corpus, ...] = ()
    model_revision: str = ""

    def mean(self, measure: str) -> float | None:
        """The mean of a measure over the seeds; None where it is not known."""
        values = self._values(measure)
        return round(statistics.fmean(values), 2) if values else None

    def deviation(self, measure: str) -> float | None:
        """Its standard deviation (of a sample); None with fewer than two seeds."""
        values = self._values(measure)
        return round(statistics.stdev(values), 2) if len(values) > 1 else None

    def _values(self, measure: str) -> list[float]:
        found = (MEASURES[measure](report) for report in self.reports.values())
        return [value for value in found if value is not None]


def run(experiment: Experiment, progress: Callable[[str], None] = lambda line: None) -> list[Row]:
    """Train and measure everything; one row per run and test set, in their order.

    Runs on the same training and dev sets share a training. `progress` gets a line after every training. Raises
    EngineError for what training refuses.
    """
    engine = engine_named(experiment.engine)
    # Once, so that all trainings begin from the same revision.
    model = locate(*split_revision(experiment.model)) if experiment.model else None
    sentences: dict[Corpus, list[TaggedSentence]] = {}
    for run_ in experiment.runs:
        for corpus in (*run_.train, *run_.dev, *run_.test):
            if corpus not in sentences:
                sentences[corpus] = _sentences(corpus)
    reports: dict[tuple[_Sets, Corpus], dict[int, Report]] = {}
    for sets, tests in _trainings(experiment.runs).items():
        train, dev = sets
        learnt: dict[str, list[TaggedSentence]] = {}
        for corpus in train:
            learnt.setdefault(corpus.language, []).extend(sentences[corpus])
        everything = [sentence for part in learnt.values() for sentence in part]
        chosen_on = [sentence for corpus in dev for sentence in sentences[corpus]]
        for seed in experiment.seeds:
            start = time.perf_counter()
            with tempfile.TemporaryDirectory() as folder:
                trained = engine.train(experiment, Lesson(learnt, chosen_on, seed, model, Path(folder) / "model"))
                seconds = time.perf_counter() - start
                for test in tests:
                    report = evaluate_tagged(trained.detector(test.language), sentences[test], train=everything)
                    reports.setdefault((sets, test), {})[seed] = report
            progress(f"{_titles(train)}, seed {seed}: trained in {seconds:.1f} s")
    rows = []
    revision = model.revision if model else ""
    for run_ in experiment.runs:
        known = {sentence.tokens for corpus in run_.train for sentence in sentences[corpus]}
        for test in run_.test:
            repeated = sum(sentence.tokens in known for sentence in sentences[test])
            rows.append(
                Row(run_.setting, run_.train, test, reports[(run_.train, run_.dev), test], repeated, run_.dev, revision)
            )
    return rows


def engine_named(name: str) -> Engine:
    """An engine that can be trained. Raises EvaluationError for any other."""
    found = ENGINES.get(name)
    if found is None:
        raise EvaluationError(
            f'Experiments cannot train the engine "{name}". Those they can train: {", ".join(ENGINES)}. '
            "To measure a model that is trained already, use evaluate_detector."
        )
    return found


def as_json(experiment: Experiment, rows: Sequence[Row]) -> dict[str, Any]:
    """Everything: per row the mean and deviation of each measure, and the report of each seed."""
    return {
        "title": experiment.title,
        "engine": experiment.engine,
        **({"model": experiment.model, "recipe": asdict(experiment.recipe)} if experiment.model else {}),
        "seeds": list(experiment.seeds),
        "versions": versions(experiment.engine),
        "rows": [
            {
                "setting": row.setting,
                "train": [_named(corpus) for corpus in row.train],
                "dev": [_named(corpus) for corpus in row.dev],
                "test": _named(row.test),
                "test_sentences_in_training": row.repeated,
                **({"model_revision": row.model_revision} if row.model_revision else {}),
                "mean": {measure: row.mean(measure) for measure in MEASURES},
                "standard_deviation": {measure: row.deviation(measure) for measure in MEASURES},
                "reports": [{"seed": seed, **report.to_json()} for seed, report in row.reports.items()],
            }
            for row in rows
        ],
    }


def _named(corpus: Corpus) -> dict[str, str]:
    return {"name": corpus.name, "language": corpus.language}


def as_markdown(experiment: Experiment, rows: Sequence[Row]) -> str:
    """A table in Markdown, with what has to be known to read it below."""
    lines = [" | ".join(HEADINGS), " | ".join(["---"] * 3 + ["---:"] * (len(HEADINGS) - 3))]
    lines += [" | ".join(cells) for cells in _cells(rows)]
    table = [f"| {line} |" for line in lines]
    return "\n".join([f"## {experiment.title}", "", *table, "", *_notes(experiment, rows)]) + "\n"


def as_text(experiment: Experiment, rows: Sequence[Row]) -> str:
    """The same as plain text in columns."""
    table = [HEADINGS, *_cells(rows)]
    widths = [max(len(cells[column]) for cells in table) for column in range(len(HEADINGS))]
    lines = []
    for cells in table:
        aligned = [
            cell.ljust(width) if column < 3 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        lines.append("  ".join(aligned).rstrip())
    return "\n".join([experiment.title, "", *lines, "", *_notes(experiment, rows)]) + "\n"


def versions(engine: str) -> dict[str, str]:
    """Versions of what the figures of an engine depend on."""
    return {"python": platform.python_version(), **{name: version(name) for name in engine_named(engine).packages}}


def _cells(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    return [
        (row.setting, _titles(row.train), row.test.title, *(_number(row, measure) for measure in MEASURES))
        for row in rows
    ]


def _number(row: Row, measure: str) -> str:
    mean, deviation = row.mean(measure), row.deviation(measure)
    if mean is None:
        return "–"
    return f"{mean:.2f}" if deviation is None else f"{mean:.2f} ± {deviation:.2f}"


def _notes(experiment: Experiment, rows: Sequence[Row]) -> list[str]:
    seeds = len(experiment.seeds)
    over = f"Mean and standard deviation over {seeds} seeds" if seeds > 1 else "One seed"
    notes = [f"{over}, engine {experiment.engine}; in per cent of the labelled class."]
    if experiment.model:
        recipe = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in asdict(experiment.recipe).items())
        notes.append(f"Model {experiment.model} (revision {rows[0].model_revision[:12]}), {recipe}.")
    for train, dev in dict.fromkeys((row.train, row.dev) for row in rows if row.dev):
        notes.append(f"Of the trainings on {_titles(train)} the epoch is measured that is best on {_titles(dev)}.")
    for train, test, repeated in dict.fromkeys((row.train, row.test, row.repeated) for row in rows if row.repeated):
        have = "sentence is" if repeated == 1 else "sentences are"
        notes.append(f"{repeated} {have} both in {_titles(train)} and in {test.title}.")
    notes.append(", ".join(f"{name} {number}" for name, number in versions(experiment.engine).items()) + ".")
    return notes


def _titles(corpora: Sequence[Corpus]) -> str:
    return " + ".join(corpus.title for corpus in corpora)


def _trainings(runs: Sequence[Run]) -> dict[_Sets, list[Corpus]]:
    """Every distinct training, with all that it is measured on."""
    found: dict[_Sets, list[Corpus]] = {}
    for run_ in runs:
        tests = found.setdefault((run_.train, run_.dev), [])
        tests += [test for test in run_.test if test not in tests]
    return found


def _sentences(corpus: Corpus) -> list[TaggedSentence]:
    found = [sentence for path in corpus.files for sentence in read_tagged(path).sentences]
    if not found:
        raise EvaluationError(f"The set {corpus.title} holds no sentence. Look at its files.")
    return found


def _crf(experiment: Experiment, lesson: Lesson) -> Trained:
    language, train, others = lesson.parts()
    return train_crf(language, train, others=others, label=experiment.label, seed=lesson.seed)


def _transformers(experiment: Experiment, lesson: Lesson) -> Trained:
    language, train, others = lesson.parts()
    if lesson.model is None:
        raise EvaluationError('Experiments with transformers need a model: model = "name/model@revision".')
    return train_transformers(
        str(lesson.model.folder),
        language,
        train,
        lesson.dev,
        folder=lesson.folder,
        others=others,
        label=experiment.label,
        seed=lesson.seed,
        recipe=experiment.recipe,
    )


ENGINES: dict[str, Engine] = {
    "crf": Engine(_crf, ("numpy", "python-crfsuite", "simplemma", "wordfreq")),
    "transformers": Engine(_transformers, ("torch", "transformers", "tokenizers"), pretrained=True),
}


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
