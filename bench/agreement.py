"""What agreement of several people costs, and how often its intervals hold the truth.

    python bench/agreement.py coverage [--runs 2000] [--prevalence 0.1 0.05 0.02]
    python bench/agreement.py time [--sentences 13320] [--people 2] [--resamples 1000]
    python bench/agreement.py memory [--sentences 100000 1000000]
    DATA_DIR=/tmp/agreement python bench/agreement.py stored [--sentences 13320]

`coverage`: two people label words of 500 sentences with known error rates. Sentences differ in how many words are to be
labelled, so words of one are alike. Printed is the share of runs in which each 95 % interval holds the value that the
error rates have. `time` and `memory` tally sentences that are made up one by one, as the database would send them;
`stored` computes a whole study, groups and words included, of a project of that many sentences in a database.
"""

import argparse
import os
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

# As in workers (`annotator/settings.py`).
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from annotator.domain.agreement.bootstrap import resample
from annotator.domain.agreement.coefficients import (
    cluster_sums,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    item_sums,
    krippendorff_alpha,
    observed,
    pair_sums,
    specific_agreement,
)
from annotator.domain.agreement.plan import WHOLE, Plan
from annotator.domain.agreement.study import Study
from annotator.domain.agreement.tally import Answers, Tally
from annotator.domain.labels.spans import Span

# What each of the two misses and adds, and how alike words of a sentence are: the larger, the less.
MISSED, ADDED, ALIKE = 0.2, 0.02, 20
SENTENCES, WORDS = 500, 15
LABELS = ("O", "METAPHOR")


def truth(prevalence: float) -> dict[str, float]:
    """The values of the coefficients that the error rates have."""
    both = prevalence * (1 - MISSED) ** 2 + (1 - prevalence) * ADDED**2
    marked = prevalence * (1 - MISSED) + (1 - prevalence) * ADDED
    agreeing, chance = 1 - 2 * (marked - both), marked**2 + (1 - marked) ** 2
    kappa = (agreeing - chance) / (1 - chance)
    rare = 2 * marked * (1 - marked)
    return {
        "cohen": kappa, "alpha": kappa, "fleiss": kappa, "ac1": (agreeing - rare) / (1 - rare), "observed": agreeing,
        "positive": both / marked, "negative": (1 - 2 * marked + both) / (1 - marked),
    }  # fmt: skip


def answers(random: np.random.Generator, prevalence: float) -> tuple[np.ndarray, np.ndarray]:
    """What both gave at each word, 0 or 1, and the sentence of each word."""
    lengths = np.maximum(1, random.poisson(WORDS, SENTENCES))
    sentences = np.repeat(np.arange(SENTENCES), lengths)
    rates = random.beta(prevalence * ALIKE, (1 - prevalence) * ALIKE, SENTENCES)
    marked = random.random(len(sentences)) < rates[sentences]
    given = [
        np.where(marked, random.random(len(marked)) > MISSED, random.random(len(marked)) < ADDED) for _ in range(2)
    ]
    return np.stack(given, axis=1).astype(np.int64), sentences


def coverage(runs: int, prevalence: float) -> dict[str, float]:
    """The share of runs in which each interval holds the truth."""
    expected, held = truth(prevalence), dict.fromkeys(truth(prevalence), 0)
    for seed in range(runs):
        codes, sentences = answers(np.random.default_rng(seed), prevalence)
        pairs = resample(cluster_sums(pair_sums(codes[:, 0], codes[:, 1], 2), sentences), seed=seed)
        items = resample(cluster_sums(item_sums(codes, 2), sentences), seed=seed)
        estimates = {
            "cohen": pairs.estimate(lambda sums: cohen_kappa(sums, 2)),
            "alpha": items.estimate(lambda sums: krippendorff_alpha(sums, 2)),
            "fleiss": items.estimate(lambda sums: fleiss_kappa(sums, 2)),
            "ac1": items.estimate(lambda sums: gwet_ac1(sums, 2)),
            "observed": items.estimate(lambda sums: observed(sums, 2)),
            "positive": items.estimate(lambda sums: specific_agreement(sums, 2)[..., 1]),
            "negative": items.estimate(lambda sums: specific_agreement(sums, 2)[..., 0]),
        }
        for name, found in estimates.items():
            held[name] += found.low is not None and found.high is not None and found.low <= expected[name] <= found.high
    return {name: number / runs for name, number in held.items()}


def units(sentences: int, people: int) -> Iterator[Answers]:
    """Sentences with the answers of people, as a study reads them; in groups of some ten dimensions."""
    random = np.random.default_rng(1)
    for number in range(sentences):
        length = max(1, int(random.poisson(20)))
        marked, content = random.random(length) < 0.05, random.random(length) < 0.5
        given = [
            ["METAPHOR" if one else "O" for one in np.where(marked, random.random(length) > MISSED, False)]
            for _person in range(people)
        ]
        spans = [[Span((at,), label) for at, label in enumerate(one) if label != "O"] for one in given]
        strata = [
            WHOLE, ("dataset", str(number % 3)), ("role", str(number % 2)), ("genre", str(number % 10)),
            ("part", str(5 * number // sentences)), ("experience", str(number < 100)), ("month", str(number % 12)),
            ("suggestions", str(number % 3)),
        ]  # fmt: skip
        yield Answers(given, content.tolist(), spans, strata)


def timed(sentences: int, people: int, resamples: int) -> None:
    made = list(units(sentences, people))
    began, used = time.perf_counter(), time.process_time()
    tally = Tally(people)
    for unit in made:
        tally.add(unit)
    tallied = time.process_time()
    study = Study(tally, Plan(LABELS, "O", resamples=resamples))
    study.rows(WHOLE)
    whole = time.process_time()
    for stratum in study.strata()[1:]:
        study.rows(stratum)
    ended = time.process_time()
    print(
        f"{sentences:,} sentences × {people}, {resamples} resamples: tallied in {tallied - used:.2f} s, all "
        f"coefficients in {whole - tallied:.2f} s, those of {len(study.strata()) - 1} groups in "
        f"{ended - whole:.2f} s of one core "
        f"({time.perf_counter() - began:.1f} s by the clock)"
    )


def remembered(sentences: int) -> None:
    tally = Tally(2)
    for unit in units(sentences, 2):
        tally.add(unit)
    study = Study(tally, Plan(LABELS, "O"))
    study.rows(WHOLE)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    different = len(tally.clusters(WHOLE, np.zeros((len(tally.patterns), 1)))[1])
    print(f"{sentences:,} sentences: {peak:.0f} MiB at most, {different:,} of them different", flush=True)


def _words(number: int, length: int) -> list[str]:
    """Texts that do not repeat, of some thousands of words."""
    return [f"w{(13 * number + at * at) % 5003}" for at in range(length)]


def stored(sentences: int) -> None:
    import bench.setup  # noqa: F401, I001 -- before all that needs models
    from django.core.management import call_command
    from django.utils import timezone

    from annotator.models import Annotation, AnnotationState, Mode, Segment, Unit, User
    from annotator.projects.actions.projects import create_project
    from annotator.reports.queries.studies.question import study_question
    from annotator.reports.queries.studies.stored import compute_study

    call_command("migrate", verbosity=0)
    people = [User.objects.create(username=f"bench{time.time_ns()}{number}") for number in range(2)]
    project = create_project(slug=f"bench-{time.time_ns()}", preset="meta4xnli-es-en", by=people[0])
    segments = Segment.objects.bulk_create(
        Segment(
            project=project, uid=str(number), role=("prem", "hyp")[number % 2], dataset="made", position=number,
            genre=f"genre {number % 10}", group=str(number // 10),
        )
        for number in range(sentences)
    )  # fmt: skip
    made = list(units(sentences, 2))
    rows = Unit.objects.bulk_create(
        Unit(
            project=project, segment=segment, language="es", tokens=_words(number, len(one.content)),
            lemmas=_words(number, len(one.content)), content_words=list(one.content),
            token_count=len(one.content), touches=[segment.pk],
        )
        for number, (segment, one) in enumerate(zip(segments, made, strict=True))
    )  # fmt: skip
    Annotation.objects.bulk_create(
        Annotation(
            project=project, unit=row, layer=project.label_layer, user=person, mode=Mode.BLIND,
            state=AnnotationState.DONE, done_at=timezone.now(),
            content={"spans": [span.to_json() for span in one.spans[number] or ()]},
        )
        for row, one in zip(rows, made, strict=True) for number, person in enumerate(people)
    )  # fmt: skip
    asked = study_question(project, people=people, layer="tokens")
    began, used = time.perf_counter(), time.process_time()
    found = compute_study(asked, now=timezone.now())
    print(
        f"{found.units:,} sentences × 2 from the database, {len(found.results['strata'])} groups: "
        f"{time.process_time() - used:.2f} s of one core ({time.perf_counter() - began:.1f} s by the clock)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_subparsers(dest="what", required=True)
    of_coverage = what.add_parser("coverage")
    of_coverage.add_argument("--runs", type=int, default=2000)
    of_coverage.add_argument("--prevalence", type=float, nargs="+", default=[0.1, 0.05, 0.02])
    of_time = what.add_parser("time")
    of_time.add_argument("--sentences", type=int, default=13_320)
    of_time.add_argument("--people", type=int, default=2)
    of_time.add_argument("--resamples", type=int, default=1000)
    what.add_parser("stored").add_argument("--sentences", type=int, default=13_320)
    what.add_parser("memory").add_argument("--sentences", type=int, nargs="+", default=[100_000, 1_000_000])
    asked = parser.parse_args()
    if asked.what == "coverage":
        for prevalence in asked.prevalence:
            shares = coverage(asked.runs, prevalence)
            print(f"{prevalence:.0%}", {name: f"{share:.1%}" for name, share in shares.items()}, flush=True)
    elif asked.what == "time":
        timed(asked.sentences, asked.people, asked.resamples)
    elif asked.what == "stored":
        stored(asked.sentences)
    else:
        for sentences in asked.sentences:
            remembered(sentences)


if __name__ == "__main__":
    main()
