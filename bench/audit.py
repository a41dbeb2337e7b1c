"""Cost and results of the artifact audit on real gold: seconds, memory, and the table.

    DATA_DIR=/tmp/audit python bench/audit.py --shared SHARED

Projects in SQLite hold xnli_dev (3,320 sentences and 2,490 pairs in two languages), the published splits (9,690
sentences in two languages), and the development part of VUA. With --sentences N, one is filled up with the published
splits until it has N sentences in each language. Then a process of its own, as a worker is, counts the table. Memory is
the most that this process had, and what of it was there before. First, metaphors of VUA beside as many literal uses,
which are in no project.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
LANGUAGES = ("es", "en")
CHILD = """
import sys, time
import bench.setup
from bench.splits import memory
from annotator.management.tables import report_text
from annotator.models import Project
from annotator.reports.queries.core_tables.artifacts import TABLE

project = Project.objects.get(slug=sys.argv[1])
before, began, used = memory(), time.perf_counter(), time.process_time()
report = TABLE.compute(project)
wall, cpu = time.perf_counter() - began, time.process_time() - used
print(report_text(report))
print(f"{wall:.1f} s ({cpu:.1f} s of a core), {before} -> {memory()} MB")
"""


def fill(slug: str, files: Mapping[str, Sequence[Path]], sentences: int = 0) -> None:
    """A project with the labels of tagged files, by language and parallel, as gold; repeated up to `sentences`."""
    from annotator.domain.text.lemmas import lemmas_of
    from annotator.formats.text.tagged import read_tagged
    from annotator.models import Gold, GoldSource, Project, Segment, Unit
    from annotator.projects.actions.projects import create_project

    if Project.objects.filter(slug=slug).exists():
        return
    project = create_project(slug=slug, preset="meta4xnli-es-en", by=None)
    layer = project.label_layer
    segments: list[Segment] = []
    for language, paths in files.items():
        whole = [one for path in paths for one in read_tagged(path).sentences]
        rows = list(islice(cycle(whole), sentences or len(whole)))
        if not segments:
            segments = [Segment(project=project, uid=f"s{n}", dataset="set", position=n) for n in range(len(rows))]
            Segment.objects.bulk_create(segments, 2000)
        units = [
            Unit(project=project, segment=segment, language=language, tokens=row.tokens, token_count=len(row.tokens),
                 lemmas=lemmas_of(list(row.tokens), language), touches=[segment.pk])
            for segment, row in zip(segments, rows, strict=True)
        ]  # fmt: skip
        Unit.objects.bulk_create(units, 2000)
        Gold.objects.bulk_create(
            (Gold(project=project, unit=unit, layer=layer, source=GoldSource.IMPORTED,
                  content={"spans": [one.to_json() for one in row.read().spans]})
             for unit, row in zip(units, rows, strict=True)), 2000,
        )  # fmt: skip


def sample(path: Path, language: str) -> None:
    """The audit of metaphors beside as many literal uses, as releases draw them."""
    from functools import partial

    from annotator.domain.audit.instances import Drawn, Instance
    from annotator.domain.audit.scoring import audit
    from annotator.domain.sampling.literal_sampling import Labelled, sample_literal
    from annotator.domain.text.frequencies import zipf_of
    from annotator.domain.text.lemmas import content_words, lemmas_of
    from annotator.domain.text.tokens import word_of
    from annotator.formats.text.tagged import read_tagged

    sentences = {}
    for number, row in enumerate(read_tagged(path).sentences):
        tokens, spans = list(row.tokens), [tuple(span.tokens) for span in row.read().spans]
        lemmas = [lemma.lower() for lemma in lemmas_of(tokens, language)]
        sentences[f"{number:05}"] = Labelled(f"{number:05}", tokens, lemmas, content_words(tokens, language), spans)
    drawn = Drawn(seed=1)
    for one in sample_literal(sentences.values(), zipf=partial(zipf_of, language=language), seed=1).instances:
        row, places = sentences[one.use.uid], one.use.tokens
        words = tuple(word_of(token) or token for token in row.tokens)
        named = " ".join(row.lemmas[place] for place in places)
        drawn.add(Instance(f"{one.use.uid} {places}", str(one.is_metaphor), named, (words,), places))
    began = time.perf_counter()
    scores = audit(drawn, seed=1)
    print(f"== {path.stem}, metaphors and literal uses: {drawn.counts.total():,}")
    for score in scores:
        print(f"{score.split}  {score.seen}  {score.mean:.1f} ± {score.spread:.1f}")
    print(f"{time.perf_counter() - began:.1f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--sentences", type=int, nargs="*", default=[])
    options = parser.parse_args()
    from django.core.management import call_command

    import bench.setup  # noqa: F401 -- before all that needs models
    from annotator.models import Project
    from annotator.projects.actions.projects import create_project

    call_command("migrate", verbosity=0, interactive=False)
    data = options.shared / "data"
    splits = data / "meta4xnli" / "detection" / "splits"
    published = {language: sorted((splits / language).glob("*.tsv")) for language in LANGUAGES}
    if not Project.objects.filter(slug="xnli-dev").exists():
        create_project(slug="xnli-dev", preset="meta4xnli-es-en", by=None)
        call_command("import_meta4xnli", "xnli-dev", data / "meta4xnli", dataset="xnli_dev", labels="gold")
    fill("published", published)
    fill("vua-dev", {"en": [data / "vua" / "vua_dev.tsv"]})
    for count in options.sentences:
        fill(f"repeated-{count}", published, count)
    sample(data / "vua" / "vua_dev.tsv", "en")
    for slug in ("xnli-dev", "published", "vua-dev", *(f"repeated-{count}" for count in options.sentences)):
        child = subprocess.run(
            [sys.executable, "-c", CHILD, slug], cwd=ROOT, capture_output=True, text=True, check=False
        )
        print(f"== {slug}\n{child.stdout}{child.stderr if child.returncode else ''}", flush=True)


if __name__ == "__main__":
    main()
