from dataclasses import replace

import pytest

from annotator.domain.labels.bio import BioError
from annotator.domain.labels.spans import Span
from annotator.domain.statistics import PairCount, count_sentence, detection_rows, interpretation_rows
from annotator.formats.corpora.meta4xnli import list_datasets, read_corpus, write_corpus
from tests.corpora import META4XNLI, needs_meta4xnli
from tests.domain import toy
from tests.domain.toy import EN_HYP, EN_PREM, ES_HYP, ES_PREM, MET, NO_MET, NONRELEVANT, change, read


@pytest.fixture
def files():
    return toy.files()


# Reading and writing


def test_a_corpus_has_segments_pairs_and_both_languages(tmp_path, files):
    corpus = read(tmp_path, files)
    assert corpus.languages == ("es", "en")
    assert [(s.uid, s.role, s.group, s.genre, s.source_dataset) for s in corpus.segments] == [
        ("toy_dev:prem:2_toy.dev", "prem", "2_toy.dev", "fiction", "toy.dev"),
        ("toy_dev:prem:10_toy.dev", "prem", "10_toy.dev", "letters", "toy.dev"),
        ("toy_dev:hyp:3_toy.dev", "hyp", "2_toy.dev", "fiction", "toy.dev"),
        ("toy_dev:hyp:20_toy.dev", "hyp", "10_toy.dev", "letters", "toy.dev"),
        ("toy_dev:hyp:100_toy.dev", "hyp", "10_toy.dev", "letters", "toy.dev"),
    ]
    pair = corpus.pairs[1]
    assert (pair.external_id, pair.premise, pair.hypothesis, pair.inference) == (
        "20_toy.dev",
        "toy_dev:prem:10_toy.dev",
        "toy_dev:hyp:20_toy.dev",
        "contradiction",
    )
    assert [corpus.tags["en"][pair.uid] for pair in corpus.pairs] == ["relevant", "non_relevant", "no_metaphor"]
    assert corpus.sentences["en"]["toy_dev:prem:10_toy.dev"] == ("The", '"train"', "left", "late.")
    assert corpus.text("es", "toy_dev:hyp:100_toy.dev") == "Nadie\u00a0viajó\u2028en tren."
    assert corpus.spans["es"]["toy_dev:prem:2_toy.dev"] == (Span((1,), "METAPHOR"), Span((3,), "METAPHOR"))
    assert corpus.spans["en"]["toy_dev:hyp:20_toy.dev"] == (Span((2, 4), "METAPHOR"),)
    assert corpus.spans["en"]["toy_dev:hyp:3_toy.dev"] == ()


def test_what_is_read_is_written_byte_for_byte(tmp_path, files):
    corpus = read(tmp_path, files)
    assert write_corpus(corpus) == files
    assert read_corpus(toy.write(tmp_path / "copy", files), "toy_dev") == corpus


def test_datasets_are_listed(tmp_path, files):
    toy.write(tmp_path, files)
    toy.write(tmp_path, {name.replace("toy_dev", "a_test"): data for name, data in files.items()})
    assert list_datasets(tmp_path) == ("a_test", "toy_dev")
    assert write_corpus(read_corpus(tmp_path, "a_test")).keys() == {n.replace("toy_dev", "a_test") for n in files}


def test_any_number_of_languages_will_do(tmp_path, files):
    for name in list(files):
        if "/es/" in name:
            files[name.replace("/es/", "/ca/")] = files[name]
    for name in (MET, NONRELEVANT, NO_MET):
        files[name] += b"".join(
            b"ca" + line[2:] for line in files[name].splitlines(keepends=True) if line.startswith(b"es\t")
        )
    corpus = read(tmp_path, files)
    assert corpus.languages == ("es", "en", "ca")
    assert write_corpus(corpus) == files


def test_a_folder_of_a_language_that_has_other_datasets_only_is_no_matter(tmp_path, files):
    files["detection/source_datasets/eu/other_prem.tsv"] = b""
    assert read(tmp_path, files).languages == ("es", "en")


def test_tags_belong_to_a_language(tmp_path, files):
    rows = files[MET].split(b"\n")
    files[MET] = b"\n".join([rows[0], rows[1], b""])
    files[NO_MET] = files[NO_MET].replace(b"en\tneutral", rows[2] + b"\nen\tneutral")
    corpus = read(tmp_path, files)
    assert corpus.tags["es"]["toy_dev:pair:3_toy.dev"] == "relevant"
    assert corpus.tags["en"]["toy_dev:pair:3_toy.dev"] == "no_metaphor"
    assert write_corpus(corpus) == files


@pytest.mark.parametrize(
    "ids",
    [
        {"2_toy.dev": "2", "10_toy.dev": "10", "3_toy.dev": "3", "20_toy.dev": "20", "100_toy.dev": "100"},
        {"2_toy.dev": "7_a", "10_toy.dev": "7_b", "3_toy.dev": "9_a", "20_toy.dev": "9_b", "100_toy.dev": "9_c"},
        {"2_toy.dev": "p2", "10_toy.dev": "p10", "3_toy.dev": "h3", "20_toy.dev": "h20", "100_toy.dev": "h100"},
    ],
)
def test_ids_may_look_otherwise(tmp_path, files, ids):
    for name in (MET, NONRELEVANT, NO_MET):
        for old, new in ids.items():
            files[name] = files[name].replace(b"\t" + old.encode() + b"\t", b"\t" + new.encode() + b"\t")
    corpus = read(tmp_path, files)
    assert [segment.external_id for segment in corpus.segments] == list(ids.values())
    assert write_corpus(corpus) == files


def test_a_part_of_a_corpus_can_be_written(tmp_path, files):
    corpus = read(tmp_path, files)
    kept = "toy_dev:hyp:3_toy.dev"
    part = replace(corpus, spans={"es": {kept: ()}}, tags={"es": {}})
    written = write_corpus(part)
    assert written[ES_HYP] == b"Habl\xc3\xb3\tO\ncon\tO\ndureza.\tO\n\n"
    assert written[ES_PREM] == written[EN_PREM] == b""
    assert written[MET].decode() == toy.HEADER


def test_what_the_layout_cannot_spell_is_refused(tmp_path, files):
    corpus = read(tmp_path, files)
    uid = corpus.segments[0].uid
    tangled = (Span((0, 2), "METAPHOR"), Span((1, 3), "METAPHOR"))
    with pytest.raises(BioError, match=f"{uid}: BIO tags cannot tell"):
        write_corpus(replace(corpus, spans={"es": {uid: tangled}}))
    with pytest.raises(ValueError, match="'discarded'"):
        write_corpus(replace(corpus, tags={"es": {corpus.pairs[0].uid: "discarded"}}))


# Warnings


@pytest.mark.parametrize(
    ("name", "old", "new", "line", "what"),
    [
        (ES_PREM, "\n", "\r\n", 1, "CR LF"),
        (MET, "\n", "\r\n", 1, "CR LF"),
        (ES_PREM, "\n\nEl", "\n\n\nEl", 7, "more than one blank line"),
        (ES_HYP, "Habló\tO", "Habló\tI-METAPHOR", 1, "without an earlier B-"),
    ],
)
def test_warnings_are_reported_with_file_and_line(tmp_path, files, name, old, new, line, what):
    change(files, name, old, new)
    corpus = read(tmp_path, files)
    assert any((o.path, o.line) == (name, line) and what in str(o.what) for o in corpus.warnings)
    assert corpus.text("es", "toy_dev:prem:2_toy.dev") == "Sus palabras eran cuchillos ."


def test_a_continuation_across_tokens_is_reported(tmp_path, files):
    (warning,) = read(tmp_path, files).warnings
    assert (warning.path, warning.line) == (EN_HYP, 9)


@pytest.mark.parametrize("name", [ES_PREM, MET])
def test_a_byte_order_mark_is_skipped(tmp_path, files, name):
    plain = read(tmp_path / "plain", files)
    files[name] = b"\xef\xbb\xbf" + files[name]
    marked = read(tmp_path / "marked", files)
    assert replace(marked, warnings=()) == replace(plain, warnings=())
    assert len(marked.warnings) == len(plain.warnings) + 1


def test_orphans_are_written_as_they_came(tmp_path, files):
    change(files, ES_HYP, "Habló\tO", "Habló\tI-METAPHOR")
    assert write_corpus(read(tmp_path, files)) == files


def test_rows_in_another_order_are_reported(tmp_path, files):
    header, es, en, end = files[MET].split(b"\n")
    files[MET] = b"\n".join([header, en, es, end])
    corpus = read(tmp_path, files)
    assert corpus.languages == ("en", "es")
    # Now it is the other files that have the languages the other way round.
    assert {o.path for o in corpus.warnings if "ascending order" in str(o.what)} == {NONRELEVANT, NO_MET}


@pytest.mark.parametrize("spelling", [b"\n", b"\tO\n\n"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_sentence_may_be_empty(tmp_path, files, spelling, place):
    blocks = files[ES_HYP].split(b"\n\n")[:-1]
    text = " ".join(line.split("\t")[0] for line in blocks[place].decode().split("\n"))
    files[ES_HYP] = b"".join(spelling if i == place else block + b"\n\n" for i, block in enumerate(blocks))
    for name in (MET, NONRELEVANT, NO_MET):
        files[name] = files[name].replace(b"\t" + text.encode() + b"\t", b"\t\t")
    corpus = read(tmp_path, files)
    assert corpus.text("es", corpus.pairs[place].hypothesis) == ""
    assert write_corpus(corpus) == files
    mine = [o for o in corpus.warnings if o.path == ES_HYP]
    assert len(mine) == 1


# The published corpus


@pytest.fixture(scope="module")
def published():
    return read_corpus(META4XNLI, "xnli_dev")


@needs_meta4xnli
@pytest.mark.slow
def test_the_published_corpus_is_written_byte_for_byte(published):
    files = write_corpus(published)
    assert len(files) == 7
    for name, content in files.items():
        assert content == (META4XNLI / name).read_bytes(), name


@needs_meta4xnli
def test_the_published_corpus_has_one_warning(published):
    (warning,) = published.warnings
    assert (warning.path, warning.line) == ("detection/source_datasets/en/xnli_dev_hyp.tsv", 8211)


@needs_meta4xnli
def test_the_published_corpus_has_the_published_numbers(published):
    roles = {segment.uid: segment.role for segment in published.segments}
    rows = detection_rows(
        count_sentence(language, "xnli_dev", roles[uid], spans, len(published.sentences[language][uid]))
        for language, by_uid in published.spans.items()
        for uid, spans in by_uid.items()
    )
    assert [(r.language, r.role, r.labelled_tokens, r.tokens, r.labelled_sentences, r.sentences) for r in rows] == [
        ("es", "prem", 276, 16146, 203, 830),
        ("es", "hyp", 276, 24347, 252, 2490),
        ("es", "all", 552, 40493, 455, 3320),
        ("en", "prem", 384, 15098, 290, 830),
        ("en", "hyp", 442, 23271, 388, 2490),
        ("en", "all", 826, 38369, 678, 3320),
    ]
    pairs = {pair.uid: pair for pair in published.pairs}
    for language in published.languages:
        tags = published.tags[language].items()
        table = interpretation_rows(PairCount("xnli_dev", pairs[uid].inference, tag) for uid, tag in tags)
        assert [(r.inference, r.relevant, r.non_relevant, r.no_metaphor, r.total) for r in table] == [
            ("entailment", 101, 136, 593, 830),
            ("neutral", 96, 153, 581, 830),
            ("contradiction", 92, 160, 578, 830),
            ("all", 289, 449, 1752, 2490),
        ]
