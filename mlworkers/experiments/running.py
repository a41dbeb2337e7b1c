"""Train and measure what an experiment says."""

import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotator.formats.text.tagged import TaggedSentence, read_tagged
from mlworkers.engines.base import EvaluationError
from mlworkers.engines.checkpoints import locate, split_revision
from mlworkers.engines.evaluation.scores import (
    IN_VOCABULARY,
    LABELLED,
    NOT_LABELLED,
    OUT_OF_VOCABULARY,
    Report,
    evaluate_tagged,
)
from mlworkers.experiments.engines import Lesson, engine_named
from mlworkers.experiments.experiment import Corpus, Experiment, Run

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


def _f1(report: Report, kind: str) -> float | None:
    """Over the tokens of a kind of word; None where the training sentences are not known."""
    return report.words[kind].f1 if kind in report.words else None


# The training sets and the dev sets of a training.
_Sets = tuple[tuple[Corpus, ...], tuple[Corpus, ...]]


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
                    report = evaluate_tagged(trained(test.language), sentences[test], train=everything)
                    reports.setdefault((sets, test), {})[seed] = report
            progress(f"{titles(train)}, seed {seed}: trained in {seconds:.1f} s")
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


def titles(corpora: Sequence[Corpus]) -> str:
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
        raise EvaluationError(f"The set {corpus.title} contains no sentences. Check its files.")
    return found
