"""The figures of an experiment as JSON, Markdown and plain text."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from mlworkers.experiments.engines import versions
from mlworkers.experiments.experiment import Corpus, Experiment
from mlworkers.experiments.running import MEASURES, Row, titles

HEADINGS = (
    "setting", "trained on", "tested on", "P", "R", "token F1", "span F1",
    "F1, words seen in training", "F1, not seen", "F1, words labelled in training", "F1, not labelled",
)  # fmt: skip


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


def _cells(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    return [
        (row.setting, titles(row.train), row.test.title, *(_number(row, measure) for measure in MEASURES))
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
        notes.append(f"Of the trainings on {titles(train)} the epoch is measured that is best on {titles(dev)}.")
    for train, test, repeated in dict.fromkeys((row.train, row.test, row.repeated) for row in rows if row.repeated):
        have = "sentence is" if repeated == 1 else "sentences are"
        notes.append(f"{repeated} {have} both in {titles(train)} and in {test.title}.")
    notes.append(", ".join(f"{name} {number}" for name, number in versions(experiment.engine).items()) + ".")
    return notes
