"""Import: whole or not at all, and never twice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db.models import Sum

from annotator.core.counters import recounted
from annotator.core.errors import ActionError
from annotator.core.starts import plain
from annotator.domain.labels.shipped_schemes import MIPVU
from annotator.formats.common.errors import FormatError
from annotator.formats.corpora.meta4xnli import read_corpus
from annotator.imports.writing.imports import ImportSummary, import_corpus, import_meta4xnli
from annotator.models import (
    Annotation,
    Counter,
    Event,
    Gold,
    GoldSource,
    Item,
    ItemState,
    LemmaPlace,
    Pair,
    Project,
    Segment,
    Sentence,
    Stage,
    Unit,
)
from annotator.projects.actions.projects import create_project
from annotator.work.gold.actions.gold import reopen_gold
from tests.corpus_files import (
    DATASET,
    EN_HYP,
    ES_PREM,
    MET,
    NO_MET,
    NONRELEVANT,
    SAMPLE,
    copy_sample,
    replace,
)
from tests.deciding import decide_gold
from tests.drafts import load as load_files
from tests.factories import choice, layer_of, make_member, make_user, spans, unit_of
from tests.rows import Rows, rows_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return copy_sample(tmp_path / "corpus")


@pytest.fixture
def project() -> Project:
    return create_project(slug="corpus", preset="meta4xnli-es-en", by=None)


def load(project: Project, root: Path, labels: str = "none") -> ImportSummary:
    return import_meta4xnli(project=project, root=root, dataset=DATASET, labels=labels, by=None)


def content() -> list[Rows]:
    """Everything an import could touch."""
    return rows_of(Segment, Unit, Unit.parents.through, Pair, Gold, Item, LemmaPlace, Counter)


def labels(language: str | None = None) -> Any:
    """Gold of sentences."""
    found = Gold.objects.filter(layer__slug="labels").select_related("unit__segment")
    return found.filter(unit__language=language) if language else found


def tags(language: str | None = None) -> Any:
    """Gold of pairs."""
    found = Gold.objects.filter(layer__slug="interpretation")
    return found.filter(unit__language=language) if language else found


def assert_counters_right(project: Project) -> None:
    for stage in project.stages.all():
        if not stage.adjudicates:
            assert stage_numbers(stage) == recounted(stage), stage


def stage_numbers(stage: Stage) -> dict[str, int]:
    sums = stage.counters.aggregate(total=Sum("total"), done=Sum("done"), open=Sum("open"))
    return {name: number or 0 for name, number in sums.items()}


def test_sentences_and_pairs_without_labels(project: Project, root: Path) -> None:
    ana = make_user("ana")

    summary = import_meta4xnli(project=project, root=root, dataset=DATASET, labels="none", by=ana)

    assert (summary.segments.new, summary.pairs.new) == (100, 75)
    assert {language: tally.new for language, tally in summary.sentences.items()} == {"es": 100, "en": 100}
    assert (project.segments.count(), project.sentences.count(), Pair.objects.count()) == (100, 200, 75)
    assert not Gold.objects.exists()
    event = Event.objects.latest("pk")
    assert (event.verb, event.actor, event.project) == ("import", ana, project)
    assert event.after["counts"]["pairs"] == {"new": 75, "known": 0}


def test_gold_in_all_languages_and_tags(project: Project, root: Path) -> None:
    corpus = read_corpus(root, DATASET)

    load(project, root, "gold")

    assert labels().filter(source=GoldSource.IMPORTED).count() == 200
    for language in ("es", "en"):
        stored = {gold.unit.segment.uid: gold.content["spans"] for gold in labels(language)}
        assert stored == {uid: [span.to_json() for span in spans] for uid, spans in corpus.spans[language].items()}
        found = tags(language).values_list("unit__segment__uid", "content__value")
        assert dict(found) == corpus.tags[language]
    assert set(tags().values_list("content__value", flat=True)) == {"relevant", "non_relevant", "no_metaphor"}


@pytest.mark.parametrize("there", [False, True])
def test_labels_and_tags_of_a_person(project: Project, root: Path, there: bool) -> None:
    """On what comes with them, and on what was there, beside somebody else's answers."""
    for name in ("ana", "ben"):
        make_member(project, username=name)
    if there:
        load(project, root)
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*.tsv")}
    given = {"dataset": DATASET, "labels_as": "person"}

    load_files(project, files, **given, labels_name="ana")
    summary = load_files(project, files, **given, labels_name="ben")
    again = load_files(project, files, **given, labels_name="ben")

    assert summary["counts"]["annotations by ben"] == {"new": 350, "known": 0}
    assert again["changed"] is False
    assert not Gold.objects.exists()
    corpus = read_corpus(root, DATASET)
    for name, mode in (("ana", "review"), ("ben", "blind")):
        rows = Annotation.objects.filter(user__username=name, layer=project.tag_layer, state="done", mode=mode)
        for language in ("es", "en"):
            found = rows.filter(unit__language=language).values_list("unit__segment__uid", "content__value")
            assert dict(found) == corpus.tags[language]
        assert Annotation.objects.filter(user__username=name, layer=project.label_layer).count() == 200
    assert_counters_right(project)


@pytest.mark.parametrize("terms", [{}, {"labels_as": "model", "labels_name": "one"}])
def test_tags_that_nobody_takes_are_told(project: Project, root: Path, terms: dict[str, str]) -> None:
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*.tsv")}

    summary = load_files(project, files, dataset=DATASET, **terms)

    assert any("75 pairs have tags that are left out" in warning for warning in summary["warnings"])
    assert not Annotation.objects.exists() and not Gold.objects.exists()


def test_reading_order_is_a_premise_and_its_hypotheses(project: Project, root: Path) -> None:
    load(project, root)

    segments = list(project.segments.order_by("position"))
    assert [segment.role for segment in segments] == ["prem", "hyp", "hyp", "hyp"] * 25
    for start in range(0, 100, 4):
        assert len({segment.group for segment in segments[start : start + 4]}) == 1
    assert segments[4].group == "2_sample"  # by number: 10 comes after 2
    hypotheses = [segment.pk for segment in segments if segment.role == "hyp"]
    assert [pair.hypothesis_id for pair in Pair.objects.order_by("position")] == hypotheses
    in_stage = Item.objects.filter(stage__kind="pair-tag", stage__language="es").order_by("reading")
    assert [item.unit.segment.pair.hypothesis_id for item in in_stage] == hypotheses
    for pair in Pair.objects.select_related("segment", "premise"):
        assert (pair.segment.uid, pair.segment.kind) == (f"{DATASET}:pair:{pair.pair_id}", "pair")
        assert pair.segment.group == pair.premise.group


@pytest.mark.parametrize("labels", ["none", "gold"])
def test_importing_again_changes_nothing(project: Project, root: Path, labels: str) -> None:
    load(project, root, labels)
    before = content()

    summary = load(project, root, labels)

    assert content() == before
    assert not summary.changed
    assert summary.segments.known == 100
    assert "Everything was already in the project, so nothing was changed." in summary.lines()


def test_gold_later_adds_what_is_missing_and_keeps_what_people_decided(project: Project, root: Path) -> None:
    load(project, root)
    decided = Sentence.objects.get(language="es", segment__uid="sample:prem:1_sample")
    mia = make_user("mia")
    pair = unit_of(Pair.objects.get(pair_id="1_sample"))
    for unit, content in ((decided, spans()), (pair, choice("discarded"))):
        decide_gold(unit=unit.pk, layer=layer_of(unit), content=content, by=mia)

    summary = load(project, root, "gold")

    gold = Gold.objects.get(unit=decided)
    assert (gold.content, gold.source, gold.decided_by) == (spans(), GoldSource.ADJUDICATED, mia)
    assert Gold.objects.get(unit=pair).content == choice("discarded")
    assert (summary.gold["es"].new, summary.gold["es"].known) == (99, 1)
    assert (summary.tags["es"].new, summary.tags["en"].new) == (74, 75)
    assert summary.differing == [
        "sample:prem:1_sample [es]",
        "sample:pair:1_sample [es]: discarded here, relevant in the files",
    ]


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [(b"\toup\t", b"\t" + b"g" * 101 + b"\t", "genre"), (b"_sample\t", b"_" + b"s" * 200 + b"\t", "uid")],
)
def test_what_is_too_long_to_be_stored_is_named(
    project: Project, root: Path, old: bytes, new: bytes, named: str
) -> None:
    for name in (MET, NONRELEVANT, NO_MET):
        replace(root / name, old, new, -1)

    with pytest.raises(ActionError, match=f"The {named} .* is longer than"):
        load(project, root)

    assert not Segment.objects.exists()


def test_an_id_is_one_field_of_a_line(project: Project, root: Path) -> None:
    for name in (MET, NONRELEVANT, NO_MET):
        replace(root / name, b"_sample\t", b"_\xc2\x85sample\t", -1)

    with pytest.raises(ActionError, match="an ID without tabs"):
        load(project, root)

    assert not Segment.objects.exists()


def test_versions_of_gold_go_on_counting_after_a_reopening(project: Project, root: Path) -> None:
    load(project, root, "gold")
    golds = [labels().earliest("pk"), tags().earliest("pk")]
    for gold in golds:
        reopen_gold(project=project, unit=gold.unit_id, layer=gold.layer, version=1, by=None)

    load(project, root, "gold")

    for gold in golds:
        assert Gold.objects.get(unit=gold.unit_id).version == 2
    assert labels().exclude(version=1).count() == tags().exclude(version=1).count() == 1
    assert not Item.objects.exclude(state=ItemState.DECIDED).exists()
    assert_counters_right(project)


def test_labels_do_not_go_to_a_newer_text(project: Project, root: Path) -> None:
    load(project, root)
    old = Sentence.objects.get(language="en", segment__uid="sample:prem:1_sample")
    Sentence.objects.filter(pk=old.pk).update(is_current=False)
    new = Sentence.objects.create(
        project=project, segment=old.segment, language="en", revision=2, tokens=["Other", "words."], token_count=2
    )

    summary = load(project, root, "gold")

    assert summary.outdated == ["sample:prem:1_sample [en]"]
    assert not Gold.objects.filter(unit__in=[old, new]).exists()
    assert labels().count() == 199


def change_both_languages(root: Path, old: str, new: str) -> None:
    """The same words in the detection and the interpretation files."""
    replace(root / ES_PREM, old.encode(), new.encode())
    for name in (MET, NONRELEVANT, NO_MET):
        path = root / name
        path.write_bytes(path.read_bytes().replace(old.encode(), new.encode()))


def test_another_text_under_a_known_id_is_refused_with_both(project: Project, root: Path) -> None:
    load(project, root, "gold")
    before, events = content(), Event.objects.count()
    change_both_languages(root, "inflación", "deflación")

    with pytest.raises(ActionError) as refusal:
        load(project, root, "gold")

    assert "sample:prem:1_sample [es]" in str(refusal.value)
    assert "“La inflación devora" in str(refusal.value)
    assert "“La deflación devora" in str(refusal.value)
    assert content() == before
    assert Event.objects.count() == events


def test_another_inference_label_under_a_known_pair_is_refused(project: Project, root: Path) -> None:
    load(project, root)
    before = content()
    path = root / MET
    lines = path.read_text().split("\n")
    path.write_text("\n".join(
        line.replace("entailment", "neutral") if "\t1_sample\t1_sample\t" in line else line for line in lines
    ))  # fmt: skip

    with pytest.raises(ActionError, match=r"1_sample.*entailment.*neutral"):
        load(project, root)

    assert content() == before


def line_without_tab(root: Path) -> None:
    replace(root / ES_PREM, b"devora\tB-METAPHOR", b"devora B-METAPHOR")


def not_utf8(root: Path) -> None:
    replace(root / EN_HYP, b"a", b"\xff")


def file_missing(root: Path) -> None:
    (root / NONRELEVANT).unlink()


DAMAGES = [
    (line_without_tab, ES_PREM, "a tab"),
    (not_utf8, EN_HYP, "UTF-8"),
    (file_missing, NONRELEVANT, "no such file"),
]


@pytest.fixture(scope="class")
def loaded(kept_rows_of_class: None, tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = create_project(slug="loaded", preset="meta4xnli-es-en", by=None)
    load(project, copy_sample(tmp_path_factory.mktemp("loaded") / "corpus"), "gold")
    return project


class TestBadFiles:
    """They import nothing and lose nothing, of what was there already included."""

    @pytest.mark.parametrize(("damage", "file", "words"), DAMAGES, ids=[damage.__name__ for damage, _, _ in DAMAGES])
    @pytest.mark.parametrize("again", [False, True], ids=["into nothing", "into what was there"])
    def test_they_are_refused(
        self,
        project: Project,
        loaded: Project,
        root: Path,
        damage: Callable[[Path], None],
        file: str,
        words: str,
        again: bool,
    ) -> None:
        before, events = content(), Event.objects.count()
        damage(root)

        with pytest.raises(FormatError) as refusal:
            load(loaded if again else project, root, "gold")

        assert refusal.value.path == file
        assert f"{file}:{refusal.value.line}: expected" in str(refusal.value) or not refusal.value.line
        assert words in str(refusal.value)
        assert content() == before
        assert Event.objects.count() == events


def test_unusual_files_are_read_and_reported(project: Project, root: Path) -> None:
    usual = read_corpus(root, DATASET)
    path = root / ES_PREM
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))

    summary = load(project, root, "gold")

    assert len(summary.warnings) > len(usual.warnings)
    assert Event.objects.latest("pk").after["warnings"] == [str(warning) for warning in summary.warnings]
    stored = labels("es")
    assert {gold.unit.segment.uid: tuple(gold.unit.tokens) for gold in stored} == usual.sentences["es"]
    assert {gold.unit.segment.uid: gold.content["spans"] for gold in stored} == {
        uid: [span.to_json() for span in spans] for uid, spans in usual.spans["es"].items()
    }


def test_languages_must_be_the_projects(root: Path) -> None:
    catalan = create_project(slug="ca", preset=plain(["ca", "en"], ["METAPHOR"]), by=None)

    with pytest.raises(ActionError, match=r"es.*ca, en"):
        load(catalan, root)

    assert not Segment.objects.exists()


def test_labels_must_be_the_schemes(root: Path) -> None:
    other = create_project(slug="irony", preset=plain(["es", "en"], ["IRONY"]), by=None)

    with pytest.raises(FormatError, match="B-IRONY"):
        load(other, root)

    assert not Segment.objects.exists()


def test_contiguous_schemes_refuse_discontinuous_spans_by_name(project: Project, root: Path) -> None:
    layer = project.label_layer
    layer.scheme_data = {**layer.scheme_data, "discontinuous": False}
    layer.save()
    replace(root / ES_PREM, b"salarios\tO", b"salarios\tI-METAPHOR")

    with pytest.raises(ActionError, match=r"sample:prem:1_sample \[es\].*contiguous"):
        load(project, root, "gold")

    assert not Segment.objects.exists()


@pytest.mark.parametrize("dataset", ["../sample", "sample/../sample", "", ".sample", "a b", "/etc/passwd"])
def test_dataset_names_do_not_lead_out_of_the_folder(project: Project, root: Path, dataset: str) -> None:
    with pytest.raises(ActionError, match="name for a dataset"):
        import_meta4xnli(project=project, root=root, dataset=dataset, labels="none", by=None)


def test_unknown_labels_mode_is_refused(project: Project, root: Path) -> None:
    with pytest.raises(ActionError, match="silver"):
        import_corpus(project=project, corpus=read_corpus(root, DATASET), labels="silver", by=None)


def test_two_projects_share_nothing(project: Project, root: Path) -> None:
    load(project, root, "gold")
    other = create_project(slug="other", preset="meta4xnli-es-en", by=None)
    before = list(project.sentences.order_by("pk").values())

    summary = load(other, root)

    assert summary.segments.new == 100
    assert not other.golds.exists()
    assert list(project.sentences.order_by("pk").values()) == before


def test_published_sentences_come_into_a_mipvu_project_but_their_labels_do_not_become_gold_there() -> None:
    project = create_project(slug="mipvu", preset=plain(["es", "en"], ["METAPHOR"]), by=None)
    layer = project.label_layer
    layer.scheme_data = MIPVU.to_json()
    layer.save()
    with pytest.raises(ActionError, match=r"a label of this project .*METAPHOR"):
        import_meta4xnli(project=project, root=SAMPLE, dataset=DATASET, labels="gold", by=None)
    assert not Unit.objects.exists()

    import_meta4xnli(project=project, root=SAMPLE, dataset=DATASET, labels="none", by=None)

    assert project.sentences.count() == 2 * len(read_corpus(SAMPLE, DATASET).sentences["es"])
    assert not Gold.objects.exists()
