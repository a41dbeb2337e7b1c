"""What leaves a project: complete or listed, never silently short."""

from __future__ import annotations

import hashlib
import io
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext
from pyarrow import parquet
from pytest_django import DjangoAssertNumQueries

from annotator.domain.labels.schemes import Label, Scheme
from annotator.domain.labels.shipped_schemes import MIPVU
from annotator.formats.text.tagged import parse_tagged
from annotator.imports.writing.imports import import_meta4xnli
from annotator.models import Annotation, Gold, Import, Layer, Pair, Project, Sentence, Unit
from annotator.projects.actions.projects import create_project
from annotator.releases.queries.exports import release_files
from annotator.releases.queries.published_layout import ExportError, published_layout
from annotator.work.gold.queries.left_out import MissingGoldError
from tests.corpus_files import DATASET, EN_HYP, EN_PREM, ES_HYP, ES_PREM, MET, NO_MET, PUBLISHED, SAMPLE
from tests.factories import (
    choice,
    make_annotation,
    make_gold,
    make_member,
    make_project,
    make_segment,
    make_sentence,
    make_tag,
    make_user,
    span,
    spans,
)

pytestmark = pytest.mark.django_db

EN_1 = {"language": "en", "segment__uid": "sample:prem:1_sample"}


@pytest.fixture(scope="module")
def imported(kept_rows: None) -> Project:
    project = create_project(slug="corpus", preset="meta4xnli-es-en", by=None)
    import_meta4xnli(project=project, root=SAMPLE, dataset=DATASET, labels="gold", by=None)
    return project


@pytest.fixture
def project(imported: Project, db: None) -> Project:
    return Project.objects.get(pk=imported.pk)


def as_text(path: str, content: bytes) -> str:
    """What a file says; of Parquet, which packs it, its rows."""
    return str(parquet.read_table(io.BytesIO(content)).to_pylist()) if path.endswith(".parquet") else content.decode()


def gold_tag(pair_id: str, language: str) -> QuerySet[Gold]:
    return Gold.objects.filter(unit__segment__pair__pair_id=pair_id, unit__language=language)


def sample(path: str) -> bytes:
    return (SAMPLE / path).read_bytes()


def groups(content: bytes) -> list[bytes]:
    return content.split(b"\n\n")[:-1]


def test_what_was_imported_comes_out_byte_for_byte(project: Project) -> None:
    export = published_layout(project, {}, partial=False)

    assert export.files == {path: sample(path) for path in PUBLISHED}
    assert export.left_out == ()


def test_missing_gold_is_refused_by_name(project: Project) -> None:
    Gold.objects.get(unit__in=Sentence.objects.filter(**EN_1)).delete()
    gold_tag("9_sample", "es").delete()

    with pytest.raises(MissingGoldError) as refusal:
        published_layout(project, {}, partial=False)

    assert "1 sentence: sample:prem:1_sample [es] (no gold in en)" in str(refusal.value)
    assert "4 pairs: 1_sample [es] (its premise has no gold in en), …." in str(refusal.value)


def test_an_answer_on_which_nobody_decided_is_no_gold(project: Project) -> None:
    sentence = Sentence.objects.get(**EN_1)
    Gold.objects.get(unit=sentence).delete()
    make_annotation(sentence, make_member(project))

    reasons = {
        str(one.reason) for one in published_layout(project, {}, partial=True).left_out if one.kind == "sentence"
    }

    assert reasons == {"no gold in en"}


def test_a_sentence_that_is_not_there_is_told_from_one_without_gold(project: Project) -> None:
    Sentence.objects.filter(**EN_1).update(is_current=False)

    reasons = {
        str(one.reason) for one in published_layout(project, {}, partial=True).left_out if one.kind == "sentence"
    }

    assert reasons == {"no sentence in en"}


def test_partial_leaves_out_in_all_languages_and_lists(project: Project) -> None:
    Gold.objects.get(unit__in=Sentence.objects.filter(**EN_1)).delete()
    gold_tag("75_sample", "es").delete()

    export = published_layout(project, {}, partial=True)

    for path in (ES_PREM, EN_PREM):
        assert groups(export.files[path]) == groups(sample(path))[1:]
    for path in (ES_HYP, EN_HYP):
        assert export.files[path] == sample(path)
    listed = export.files["left_out.tsv"].decode().splitlines()
    assert listed[0].split("\t") == ["kind", "dataset", "id", "language", "reason"]
    assert "sentence\tsample\tsample:prem:1_sample\tes\tno gold in en" in listed
    assert "sentence\tsample\tsample:prem:1_sample\ten\tno gold in en" in listed
    pairs = {line.split("\t")[2] for line in listed if line.startswith("pair")}
    of_premise = set(Pair.objects.filter(premise__uid=EN_1["segment__uid"]).values_list("pair_id", flat=True))
    assert pairs == of_premise | {"75_sample"}
    rows = [
        line.split("\t")
        for path in PUBLISHED
        if path.startswith("interpretation")
        for line in export.files[path].decode().splitlines()[1:]
    ]
    assert len(rows) == 2 * (75 - len(pairs))
    assert pairs.isdisjoint(row[5] for row in rows)
    ids = export.files["detection/ids/sample_prem.txt"].decode().splitlines()
    assert ids[0] == "sample:prem:2_sample"
    assert len(ids) == len(groups(export.files[ES_PREM])) == 24


def test_discarded_pairs_are_left_out_and_listed_without_asking(project: Project) -> None:
    gold_tag("1_sample", "en").update(content=choice("discarded"))

    export = published_layout(project, {}, partial=False)

    assert {(one.kind, one.id, str(one.reason)) for one in export.left_out} == {("pair", "1_sample", "discarded")}
    assert export.files[MET].count(b"\n") == sample(MET).count(b"\n") - 2
    assert export.files[NO_MET] == sample(NO_MET)
    assert export.files[ES_HYP] == sample(ES_HYP)


def test_no_gold_at_all_is_refused_even_partially() -> None:
    empty = create_project(slug="empty", preset="meta4xnli-es-en", by=None)
    import_meta4xnli(project=empty, root=SAMPLE, dataset=DATASET, labels="none", by=None)

    with pytest.raises(MissingGoldError, match="nothing to export"):
        published_layout(empty, {}, partial=True)


def test_unseen_never_leaves_as_o(project: Project) -> None:
    Gold.objects.exclude(unit__segment__uid="sample:prem:2_sample").delete()

    export = published_layout(project, {}, partial=True)

    for path in (ES_PREM, EN_PREM):
        assert groups(export.files[path]) == groups(sample(path))[1:2]
    assert not [path for path in export.files if path == ES_HYP or path.startswith("interpretation/")]


def test_spans_that_bio_cannot_spell_are_refused_by_name(project: Project) -> None:
    gold = Gold.objects.get(unit__in=Sentence.objects.filter(**EN_1))
    label = {"label": "METAPHOR", "attributes": {}, "score": None}
    gold.content = spans({"tokens": [0, 3], **label}, {"tokens": [1, 4], **label})
    gold.save()

    with pytest.raises(ExportError, match="sample:prem:1_sample"):
        published_layout(project, {}, partial=False)


def test_release_is_the_same_bytes_every_time(project: Project) -> None:
    first, second = (release_files(project, partial=False, about={"number": 1}) for _ in range(2))

    assert first.files == second.files
    assert list(first.files) == sorted(first.files)


def test_keys_of_stored_values_are_written_in_one_order(project: Project) -> None:
    """A database, or an archive that was restored, may have them in another one."""
    made = []
    for turn in (1, -1):
        scheme = dict([("values", ["calm", "angry"]), ("help", {"en": "x", "es": "y"})][::turn])
        content = dict([("verdict", "accept"), ("reason", ""), ("texts", ["a"])][::turn])
        with transaction.atomic():
            mood = Layer.objects.create(
                project=project, slug="mood", content_type="verdict", unit_kind="sentence", scheme_data=scheme
            )
            unit = Sentence.objects.filter(language="es").order_by("segment__position")[0]
            Gold.objects.create(project=project, unit=unit, layer=mood, content=content, source="agreed", reason="x")
            Gold.objects.filter(layer=mood).update(updated_at=datetime(2026, 5, 1, tzinfo=UTC))
            ana = make_user(f"ana{turn}")
            Annotation.objects.create(project=project, unit=unit, layer=mood, user=ana, state="done", content=content)
            Annotation.objects.update(created_at=datetime(2026, 5, 1, tzinfo=UTC))
            files = release_files(project, partial=False).files
            made.append({path: content.replace(f"ana{turn}".encode(), b"ana") for path, content in files.items()})
            transaction.set_rollback(True)

    assert made[0]["layers/mood.jsonl"]
    assert {path: content for path, content in made[0].items() if path != "manifest.json"} == {
        path: content for path, content in made[1].items() if path != "manifest.json"
    }
    first, second = (json.loads(files["manifest.json"])["project"] for files in made)
    assert json.dumps(first) == json.dumps(second)


def test_release_holds_layout_hub_project_files_and_checksums(project: Project) -> None:
    mia = make_user("mia")
    Gold.objects.filter(unit__in=Sentence.objects.filter(**EN_1)).update(decided_by=mia, source="adjudicated")

    release = release_files(project, partial=False, about={"number": 3, "date": "2030-01-01"})

    assert {path: release.files[path] for path in PUBLISHED} == {path: sample(path) for path in PUBLISHED}
    tagged = parse_tagged(sample(ES_HYP), "hyp").sentences
    hub = [json.loads(line) for line in release.files["hub/es/sample_hyp.jsonl"].splitlines()]
    assert [(row["tokens"], row["tags"]) for row in hub] == [(list(one.tokens), list(one.tags)) for one in tagged]
    sentences = [json.loads(line) for line in release.files["sentences.jsonl"].splitlines()]
    assert len(sentences) == 200
    (decided,) = [one for one in sentences if one["gold"]["decided_by"] == "A01"]
    assert (decided["uid"], decided["language"], decided["revision"]) == ("sample:prem:1_sample", "en", 1)
    pairs = [json.loads(line) for line in release.files["pairs.jsonl"].splitlines()]
    assert len(pairs) == 75
    assert set(pairs[0]["gold"]) == {"es", "en"}
    assert json.loads(release.files["statistics/detection.json"])[0]["language"] == "es"
    assert release.files["guidelines/en.md"].decode() == project.guidelines["en"]

    manifest = json.loads(release.files["manifest.json"])
    assert manifest == release.manifest
    assert (manifest["number"], manifest["date"], manifest["partial"]) == (3, "2030-01-01", False)
    assert manifest["counts"]["sentences"] == {"es": 100, "en": 100}
    assert manifest["left_out"] == release.left_out == []
    assert set(manifest["files"]) == set(release.files) - {"manifest.json"}
    for path, about in manifest["files"].items():
        content = release.files[path]
        assert (about["sha256"], about["bytes"]) == (hashlib.sha256(content).hexdigest(), len(content))


def test_partial_release_says_so_and_lists_everything(project: Project) -> None:
    Gold.objects.get(unit__in=Sentence.objects.filter(**EN_1)).delete()
    with pytest.raises(MissingGoldError):
        release_files(project, partial=False)

    release = release_files(project, partial=True)

    assert release.manifest["partial"] is True
    assert {"sample:prem:1_sample"} == {one["id"] for one in release.left_out if one["kind"] == "sentence"}
    assert release.manifest["left_out"] == release.left_out
    uids = [
        (record["uid"], record["language"]) for record in map(json.loads, release.files["sentences.jsonl"].splitlines())
    ]
    assert ("sample:prem:1_sample", "es") in uids  # its gold is not lost, it only has no counterpart
    assert ("sample:prem:1_sample", "en") not in uids
    assert "partial" in release.files["README.md"].decode()


def test_hostile_text_comes_out_as_it_came_in(project: Project, tmp_path: Path) -> None:
    gold = Gold.objects.get(unit__in=Sentence.objects.filter(**EN_1))
    words = ["<script>", "=1+1", "😀\u200d👩", "\u2028", "'; DROP", '"', "\\n"]
    Sentence.objects.filter(pk=gold.unit_id).update(tokens=words, token_count=len(words))
    gold.content = spans()
    gold.save()

    release = release_files(project, partial=False)

    rows = [json.loads(line) for line in release.files["hub/en/sample_prem.jsonl"].splitlines()]
    (row,) = [row for row in rows if row["id"] == EN_1["segment__uid"]]
    assert row["tokens"] == words
    assert list(parse_tagged(release.files[EN_PREM], "prem").sentences[0].tokens) == words


def test_peoples_tags_are_released_only_where_gold_is_decided(project: Project) -> None:
    ana = make_user("ana")
    decided, open_pair = Pair.objects.filter(project=project).order_by("position")[:2]
    for pair in (decided, open_pair):
        make_tag(pair, "relevant", user=ana)
    gold_tag(open_pair.pair_id, "es").delete()

    release = release_files(project, partial=True)

    records = {row["pair_id"]: row for row in map(json.loads, release.files["pairs.jsonl"].splitlines())}
    assert [tag["annotator"] for tag in records[decided.pair_id]["annotations"]] == ["A01"]
    assert records[open_pair.pair_id]["annotations"] == []


def test_doubt_is_told_and_so_are_comments_whose_words_are_there_on_request_alone(
    project: Project, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    words = "¿Metáfora muerta? Pregunte a Ana."
    pair = Pair.objects.filter(project=project).order_by("position")[0]
    tag = make_tag(pair, "relevant", user=make_user("ana"))
    sentence = Sentence.objects.filter(language="es", golds__isnull=False).order_by("pk")[0]
    labels = make_annotation(sentence, make_user("ben"))
    quiet = release_files(project, partial=False)
    with CaptureQueriesContext(connection) as before:
        release_files(project, partial=False)
    for row, doubt in ((tag, True), (labels, False)):
        Annotation.objects.filter(pk=row.pk).update(doubt=doubt, comment=words)

    release = release_files(project, partial=False)
    with django_assert_num_queries(len(before)):
        told = release_files(project, partial=False, comments=True)

    expected = {
        "pairs.jsonl": {"annotator": "A01", "language": "es", "mode": "review", "tag": "relevant", "doubt": True},
        "sentences.jsonl": {"annotator": "A02", "mode": "review", "doubt": False},
    }
    for path, said in expected.items():
        for files, comment in ((release.files, {}), (told.files, {"comment": words})):
            rows = map(json.loads, files[path].splitlines())
            assert [one for row in rows for one in row["annotations"]] == [{**said, "commented": True, **comment}]
    assert not any(words in as_text(path, content) for path, content in release.files.items())
    assert ("comments" in release.manifest, told.manifest["comments"]) == (False, True)
    # The files of the published layouts know nothing of it.
    changed = {path for path, content in told.files.items() if content != quiet.files[path]}
    changed -= {path for path in changed if path.startswith("data/")} | {"croissant.json"}
    assert changed == {
        "annotations/interpretation.jsonl",
        "annotations/labels.jsonl",
        "pairs.jsonl",
        "sentences.jsonl",
        "README.md",
        "manifest.json",
    }


def test_a_further_layer_has_a_file_of_its_own(project: Project) -> None:
    mood = Layer.objects.create(
        project=project,
        slug="mood",
        content_type="choice",
        unit_kind="sentence",
        scheme_data={"values": ["calm", "angry"]},
        position=3,
    )
    ana = make_user("ana")
    first, second = Sentence.objects.filter(language="es").order_by("segment__position")[:2]
    made_from = Unit.objects.get(segment=first.segment, language="en")
    first.parents.add(made_from)
    for unit in (first, second):
        Annotation.objects.create(
            project=project, unit=unit, layer=mood, user=ana, state="done", content=choice("angry")
        )
    Gold.objects.create(project=project, unit=first, layer=mood, content=choice("calm"), source="adjudicated")

    release = release_files(project, partial=False)

    (record,) = map(json.loads, release.files["layers/mood.jsonl"].splitlines())
    assert (record["uid"], record["language"], record["tokens"]) == (first.segment.uid, "es", first.tokens)
    assert (record["content"], record["parents"]) == (choice("calm"), [first.segment.uid])
    ana_said = {"annotator": "A01", "mode": "review", "content": choice("angry"), "doubt": False, "commented": False}
    assert record["annotations"] == [ana_said]
    assert record["gold"]["source"] == "adjudicated"
    assert release.manifest["project"]["layers"] == {"mood": {"values": ["calm", "angry"]}}
    assert "layers/mood.jsonl" in release.files["README.md"].decode()
    # The files of the published layers know nothing of it.
    assert all(row["annotations"] == [] for row in map(json.loads, release.files["sentences.jsonl"].splitlines()))
    assert {path: release.files[path] for path in PUBLISHED} == {path: sample(path) for path in PUBLISHED}


def test_gold_that_was_reopened_or_is_not_published_yet_does_not_leave(project: Project) -> None:
    reopened = Gold.objects.filter(unit__in=Sentence.objects.filter(**EN_1))
    reopened.update(reopened=True)

    with pytest.raises(MissingGoldError, match="1_sample"):
        published_layout(project, {}, partial=False)

    Import.objects.update(published_at=None)
    with pytest.raises(MissingGoldError, match="project has no gold yet"):
        published_layout(project, {}, partial=True)


def test_labels_that_tags_cannot_spell_are_listed_one_by_one_and_kept_where_nothing_is_lost(project: Project) -> None:
    layer = project.label_layer
    layer.scheme_data = Scheme(("METAPHOR", "PP"), several=True, details={"METAPHOR": Label(tokenless=True)}).to_json()
    layer.save()
    sentence = Sentence.objects.get(**EN_1)
    gold = Gold.objects.get(unit=sentence)
    gold.content = spans(span(), span(0), span(0, label="PP"))
    gold.save()

    release = release_files(project, partial=False)

    listed = [row for row in release.left_out if row["kind"] == "label"]
    assert [row["id"] for row in listed] == ["sample:prem:1_sample"] * 2
    assert "METAPHOR on the sentence does not cover a token" in listed[1]["reason"]
    assert "share token 1" in listed[0]["reason"]
    # Every sentence is there, so places still tell which is which.
    assert not any(path.startswith("detection/ids/") for path in release.files)
    rows = [json.loads(line) for line in release.files["hub/en/sample_prem.jsonl"].splitlines()]
    assert {row["id"]: row["labels"] for row in rows}["sample:prem:1_sample"] == ["METAPHOR"]
    lossless = [json.loads(line) for line in release.files["sentences.jsonl"].splitlines()]
    (kept,) = [row for row in lossless if (row["uid"], row["language"]) == ("sample:prem:1_sample", "en")]
    assert kept["spans"] == gold.content["spans"]


def test_labels_are_written_as_what_a_mapping_takes_them_for_on_request(project: Project) -> None:
    layer = project.label_layer
    layer.scheme_data = MIPVU.to_json()
    layer.save()
    for gold in Gold.objects.filter(layer=layer):
        gold.content = spans(*({**one, "label": "DIRECT"} for one in gold.content["spans"]))
        gold.save()

    release = release_files(project, partial=False, mapping="metaphor")

    assert {path: release.files[path] for path in PUBLISHED} == {path: sample(path) for path in PUBLISHED}
    assert release.manifest["mapping"] == {"name": "metaphor", "labels": MIPVU.mappings["metaphor"]}
    assert release.manifest["project"]["scheme"] == MIPVU.to_json()
    assert b'"label": "DIRECT"' in release.files["sentences.jsonl"]
    assert "mapping" not in release_files(project, partial=False).manifest
    with pytest.raises(ExportError, match="Unknown mapping “other”"):
        published_layout(project, {}, partial=False, mapping="other")


def test_what_an_import_brings_that_is_not_published_yet_is_neither_released_nor_missed(project: Project) -> None:
    hidden = Import.objects.create(project=project, dataset=DATASET, labels="gold")
    Unit.objects.filter(language="en").update(imported=hidden)
    Gold.objects.filter(unit__language="en").update(imported=hidden)
    Pair.objects.filter(pair_id="75_sample").update(imported=hidden)

    export = published_layout(project, {}, partial=False)

    assert export.left_out == ()
    assert export.files[ES_PREM] == sample(ES_PREM)
    assert EN_PREM not in export.files
    assert not any(b"75_sample" in content for content in export.files.values())


def test_sentences_without_a_role_are_in_a_file_of_their_own(db: None) -> None:
    project = make_project(languages=("es", "ca"))
    project.roles = []
    project.save()
    for number, text in enumerate(("El tiempo vuela", "Es de piedra"), start=1):
        segment = make_segment(project, role="", uid=f"set:{number}")
        for language in project.languages:
            sentence = make_sentence(project, text, language=language, segment=segment)
            if number == 1 or language == "es":
                make_gold(sentence, [span(1)])

    release = release_files(project, partial=True)

    assert release.files["detection/source_datasets/ca/set.tsv"] == b"El\tO\ntiempo\tB-METAPHOR\nvuela\tO\n\n"
    assert release.files["detection/ids/set.txt"] == b"set:1\n"
    [row] = [json.loads(line) for line in release.files["hub/es/set.jsonl"].splitlines()]
    assert row["tags"] == ["O", "B-METAPHOR", "O"]
    assert not [path for path in release.files if path.startswith("interpretation/") or "_prem" in path]
    readme = release.files["README.md"].decode()
    assert "- es: 1 sentence in `detection/`\n" in readme
    assert "interpretation/" not in readme
    # One row, not the same sum once more beside a role without a name.
    assert [row["role"] for row in json.loads(release.files["statistics/detection.json"])] == ["all", "all"]
