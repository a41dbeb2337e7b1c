"""Train a detector, from tagged files or from what people decided in a project."""

from __future__ import annotations

import statistics
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandError

from annotator.domain.labels.spans import OUTSIDE, Scheme
from annotator.formats.text.tagged import TaggedSentence, read_tagged
from annotator.management.base import FileCommand, write_all
from annotator.management.jobs import run_job_command
from annotator.models import JobKind
from mlworkers.engines.base import SEEDS

if TYPE_CHECKING:
    from mlworkers.engines.detectors.recipe import Recipe

ENGINES = ("crf", "transformers")


# Seconds between two lines that say how far a training is.
PROGRESS_EVERY = 10.0

# The options that make up a recipe, with what they are in words.
RECIPE = {
    "epochs": (int, "epochs: passes over the training sentences (4)"),
    "batch": (int, "sentences per step (8)"),
    "learning_rate": (float, "highest learning rate (5e-5)"),
    "weight_decay": (float, "weight decay (0.1)"),
    "warmup": (float, "share of the steps in which the learning rate rises (0.06)"),
    "length": (int, "subwords at a time; longer sentences are split into windows (128)"),
}


class Command(FileCommand):
    help = (
        "Train a detector: a crf (threshold and calibration come from cross-validation), or a "
        "transformers model (the epoch that is best on --dev is kept; called again, an "
        "interrupted training continues). Either on files of token<TAB>tag, or as a job on the "
        "gold and the finished sentences of a project, where the better of the new and the "
        "active detector becomes the active one."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--engine", choices=ENGINES, default="crf", help="what is trained (crf)")
        parser.add_argument("--language", required=True, help="language code, such as es")
        parser.add_argument(
            "--label",
            help="which label to learn, if a project has several; what its spans are called, if files "
            "have several, which all count",
        )
        own = parser.add_argument_group("from a project")
        own.add_argument("--project", metavar="SLUG", help="the project that it learns from, and is for")
        own.add_argument(
            "--wait", action="store_true", help="wait until the job has ended (runs it here if no worker is running)"
        )
        files = parser.add_argument_group("from files")
        files.add_argument("--train", nargs="+", type=Path, metavar="TSV", help="what it learns from")
        files.add_argument("--dev", nargs="+", type=Path, metavar="TSV", help="what it is measured on")
        files.add_argument(
            "--out", type=Path, metavar="DIR", help="folder for the model; with several seeds, seed-N in it"
        )
        files.add_argument("--seeds", nargs="+", type=int, metavar="N", help="one training per seed (0)")
        parser.add_argument("--model", help="pretrained model: a folder, or an id on the hub (name/model@revision)")
        group = parser.add_argument_group("from files with --engine transformers")
        for name, (kind, words) in RECIPE.items():
            group.add_argument(f"--{name.replace('_', '-')}", type=kind, help=words)

    def handle(self, *args: Any, **options: Any) -> None:
        check_engine(options)
        check_values(options)
        if options["project"]:
            check_given(options, needed=(), foreign=("train", "dev", "out", "seeds", *RECIPE), with_="--project")
            run_job_command(self, options["project"], JobKind.TRAIN, params_of(options), wait=options["wait"])
        else:
            check_given(options, needed=("train", "out"), foreign=("wait",), with_="files")
            self.train_on_files({**options, "dev": options["dev"] or [], "seeds": options["seeds"] or [0]})

    def train_on_files(self, options: Mapping[str, Any]) -> None:
        """Train with each seed, and say what came of it."""
        train, dev = self._read(options["train"]), self._read(options["dev"])
        self._note_labels([*train, *dev], options["label"])
        seeds = list(dict.fromkeys(options["seeds"]))
        scores = []
        for seed in seeds:
            out = options["out"] / f"seed-{seed}" if len(seeds) > 1 else options["out"]
            if len(seeds) > 1:
                self.say(f"Seed {seed}:")
            work = self._crf if options["engine"] == "crf" else self._transformers
            settings = work(options, train, dev, out, seed)
            if dev:
                scores.append(settings["dev"]["f1"])
        if len(scores) > 1:
            mean, deviation = statistics.fmean(scores), statistics.stdev(scores)
            self.say(f"F1 on the development sentences over {len(scores)} seeds: {mean:.2f} ± {deviation:.2f}.")

    def _crf(
        self,
        options: Mapping[str, Any],
        train: Sequence[TaggedSentence],
        dev: Sequence[TaggedSentence],
        out: Path,
        seed: int,
    ) -> Mapping[str, Any]:
        from mlworkers.engines.detectors.crf_training import train_crf

        trained = train_crf(
            options["language"], train, dev, label=options["label"], provenance=names(options["train"]), seed=seed
        )
        with tempfile.TemporaryDirectory() as folder:
            trained.save(folder)
            # In the order in which they were written: model.json names the weights, so it comes last.
            files = sorted(Path(folder).iterdir(), key=lambda path: (path.suffix == ".json", path.name))
            write_all(out, {path.name: path.read_bytes() for path in files})
        validated = trained.settings["cross_validation"]
        self._say_learnt(trained.settings["training"])
        self.say(f"Threshold {trained.settings['threshold']} by cross-validation: {_scores(validated)}.")
        if not validated["f1"]:
            self.note("No threshold finds a label there, so this one is a guess. Give --train more labelled sentences.")
        self._say_dev(trained.settings)
        self.say(f"Model {trained.revision} written to {out}.")
        return trained.settings

    def _transformers(
        self,
        options: Mapping[str, Any],
        train: Sequence[TaggedSentence],
        dev: Sequence[TaggedSentence],
        out: Path,
        seed: int,
    ) -> Mapping[str, Any]:
        from mlworkers.engines.detectors.transformers_training import train_transformers

        try:
            trained = train_transformers(
                options["model"],
                options["language"],
                train,
                dev,
                folder=out,
                label=options["label"],
                seed=seed,
                recipe=recipe_of(options),
                provenance=names(options["train"]),
                progress=Progress(self),
            )
        except KeyboardInterrupt:
            raise CommandError("Stopped. The same command continues after the last finished epoch.") from None
        learnt = trained.settings["training"]
        self._say_learnt(learnt)
        for what, number in learnt["met"].items():
            self.note(f"{number} {what}")
        for epoch in trained.settings["epochs"]:
            measured = f", {_scores(epoch)}" if dev else ""
            self.say(f"Epoch {epoch['epoch']}: loss {epoch['loss']:.4f}{measured}")
        self._say_dev(trained.settings)
        self.say(f"Model {trained.revision}, of epoch {trained.settings['chosen_epoch']}, written to {out}.")
        self.say(f"Its name for jobs and commands: transformers:{out.resolve()}")
        return trained.settings

    def _note_labels(self, sentences: Sequence[TaggedSentence], label: str | None) -> None:
        found = sorted({tag[2:] for sentence in sentences for tag in sentence.tags if tag != OUTSIDE})
        if label is not None and found not in ([], [label]):
            self.note(f"The files have the labels {', '.join(found)}; every token with one of them counts as {label}.")

    def _say_learnt(self, learnt: Mapping[str, Any]) -> None:
        self.say(
            f"Trained on {learnt['sentences']} sentences, {learnt['tokens']} tokens, "
            f"{learnt['labelled_tokens']} of them labelled."
        )

    def _say_dev(self, settings: Mapping[str, Any]) -> None:
        if (measured := settings.get("dev")) is None:
            return
        self.say(f"On {measured['sentences']} development sentences: {_scores(measured)}.")
        if not measured["labelled_tokens"]:
            self.note("None of them has a label, so these scores mean nothing.")

    def _read(self, paths: Sequence[Path]) -> list[TaggedSentence]:
        sentences: list[TaggedSentence] = []
        for path in paths:
            file = read_tagged(path)
            self.note_warnings(file.warnings)
            if not file.sentences:
                raise CommandError(f"{path} contains no sentences.")
            sentences += file.sentences
        return sentences


class Progress:
    """Says how far a training is, at its beginning, its end, and every few seconds between."""

    def __init__(self, command: FileCommand) -> None:
        self._command = command
        self._began: tuple[float, int] | None = None
        self._said = 0.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if self._began is None:
            self._began = (now, done)
        elif done < total and now - self._said < PROGRESS_EVERY:
            return
        self._said = now
        seconds, steps = now - self._began[0], done - self._began[1]
        speed = f", {steps / seconds:.1f} per second" if steps else ""
        left = f", {(total - done) * seconds / steps:.0f} s left" if steps and done < total else ""
        self._command.note(f"Step {done} of {total}{speed}{left}")


def check_engine(options: Mapping[str, Any]) -> None:
    """Raise CommandError for options that the engine does not have, or lacks."""
    if options["engine"] == "transformers":
        if not options["model"]:
            raise CommandError(
                "Give the model to train: --model FOLDER, or --model name/model@revision of the model hub."
            )
        return
    for name in ("model", *RECIPE):
        if options[name] is not None:
            raise CommandError(f"--{name.replace('_', '-')} is for --engine transformers.")


def check_values(options: Mapping[str, Any]) -> None:
    """Raise CommandError, or SpanError for a label, for what no training takes."""
    if options["label"] is not None:
        Scheme(labels=(options["label"],))
    if not options["language"].strip():
        raise CommandError("Give the language of the sentences, such as --language es.")
    for seed in options["seeds"] or []:
        if not 0 <= seed < SEEDS:
            raise CommandError(f"A seed must be a whole number from 0 to {SEEDS - 1}, not {seed}.")
    if options["engine"] == "transformers" and options["out"] and ":" in str(options["out"].resolve()):
        raise CommandError(
            f"{options['out']} has a colon in its path, and jobs could not name the model. Give another folder."
        )


def check_given(options: Mapping[str, Any], *, needed: Sequence[str], foreign: Sequence[str], with_: str) -> None:
    """Raise CommandError for options that are missing, or do not go `with_` what was asked for."""
    missing = [f"--{name}" for name in needed if not options[name]]
    if missing:
        raise CommandError(f"Give the training data: --project SLUG, or files with {' and '.join(missing)}.")
    for name in foreign:
        if options[name] is not None and options[name] is not False:
            raise CommandError(f"--{name.replace('_', '-')} cannot be used with {with_}.")


def params_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options as the settings of a job."""
    if options["engine"] == "transformers":
        # The worker may have been started elsewhere.
        folder = Path(options["model"])
        engine = f"transformers:{folder.resolve() if folder.is_dir() else options['model']}"
    else:
        engine = options["engine"]
    return {"language": options["language"], "engine": engine, "label": options["label"] or ""}


def recipe_of(options: Mapping[str, Any]) -> Recipe:
    """What the options say of how a transformers model is trained."""
    from mlworkers.engines.detectors.recipe import Recipe

    return Recipe(**{name: options[name] for name in RECIPE if options[name] is not None})


def names(paths: Sequence[Path]) -> str:
    """Where the training sentences come from, in words."""
    return ", ".join(path.name for path in paths)


def _scores(found: Mapping[str, float]) -> str:
    return f"precision {found['precision']}, recall {found['recall']}, F1 {found['f1']}"
