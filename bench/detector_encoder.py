"""How long a shipped detector takes for 13,320 sentences, and how much memory a worker has with it.

    python bench/detector_encoder.py --shared SHARED [--detector encoder]

The sentences are those of xnli_dev in both languages and, for as many again, of Meta4XNLI train; they come in the jobs'
chunks. Everything that a worker imports is loaded.
"""

import argparse
import os
import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.settings")

import django

SENTENCES = 13_320


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--detector", default="encoder")
    options = parser.parse_args()
    django.setup()
    import mlworkers.tasks  # noqa: F401 -- what a worker has loaded
    from annotator.formats.text.tagged import read_tagged
    from annotator.jobs.actions import CHUNK
    from mlworkers.engines.registry import load_detector

    folder = options.shared / "data" / "meta4xnli" / "detection"
    texts = {
        language: [
            sentence.tokens
            for name in (
                *folder.glob(f"source_datasets/{language}/*.tsv"),
                folder / f"splits/{language}/meta4xnli_train.tsv",
            )
            for sentence in read_tagged(name).sentences
        ][: SENTENCES // 2]
        for language in ("es", "en")
    }
    before = memory()
    start, used = time.perf_counter(), time.process_time()
    detectors = {language: load_detector(options.detector, language=language) for language in texts}
    loaded = time.perf_counter() - start
    start = time.perf_counter()
    for language, rows in texts.items():
        for at in range(0, len(rows), CHUNK):
            detectors[language].predict(rows[at : at + CHUNK])
    seconds = time.perf_counter() - start
    words = sum(len(row) for rows in texts.values() for row in rows)
    print(
        f"{options.detector}: loaded in {loaded:.2f} s; {SENTENCES} sentences ({words} tokens) in {seconds:.1f} s, "
        f"{time.process_time() - used:.1f} s of processors; {SENTENCES / seconds:.0f} sentences and "
        f"{words / seconds:.0f} tokens a second on {os.cpu_count()} cores; memory at most {memory():.0f} MB, "
        f"{before:.0f} MB before"
    )


def memory() -> float:
    """The most that this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1_000_000 if sys.platform == "darwin" else 1_024)


if __name__ == "__main__":
    main()
