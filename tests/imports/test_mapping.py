"""Labels and categories of files that are called otherwise in the project: mapped, left out, or said to be homeless."""

from __future__ import annotations

import json
from typing import Any

import pytest

from annotator.core.errors import ActionError
from annotator.core.starts import STARTS
from annotator.imports.drafts.drafts import change_draft, preview_draft
from annotator.models import Annotation, Gold, Import, Item, ItemState, Layer, LemmaPlace, Project, Role, Suggestion
from annotator.projects.actions.projects import create_project
from tests.drafts import LABELLED, draft_of, everything, load, make_plain
from tests.factories import make_member
from tests.imports.test_imports import assert_counters_right

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]

FILE = {"es.tsv": LABELLED}
ES: dict[str, Any] = {"files": {"1": {"language": "es"}}, "format": "tagged"}
WIDLII = {"METAPHOR": {"label": "INDIRECT", "attributes": {"borderline": "WIDLII"}}}


@pytest.fixture
def mipvu() -> Project:
    return create_project(slug="mipvu", preset=STARTS["mipvu"].preset(["es"]), by=None)


@pytest.fixture
def project() -> Project:
    return make_plain(languages=("es",))


def categories(*given: tuple[str, str]) -> dict[str, str | bytes]:
    return {
        "es.csv": "id,text:es,value:es\n" + "".join(f"{n},{text},{value}\n" for n, (text, value) in enumerate(given))
    }


def add_choice(project: Project, slug: str = "register", *values: str) -> Layer:
    return Layer.objects.create(
        project=project,
        slug=slug,
        content_type="choice",
        unit_kind="sentence",
        scheme_data={"values": list(values) or ["formal", "informal"]},
        position=7,
    )


class TestLabels:
    def test_a_label_that_the_scheme_lacks_is_asked_about_once(self, mipvu: Project) -> None:
        preview = preview_draft(draft=draft_of(mipvu, FILE, labels_as="gold", **ES))

        assert (preview["errors"], preview["counts"]["labels"]) == (1, {"METAPHOR": 2})
        [problem] = [one for one in preview["problems"] if one["severity"] == "error"]
        assert problem["got"] == "“METAPHOR”"
        assert "INDIRECT" in problem["expected"]

    def test_binary_labels_come_into_mipvu_as_what_was_chosen(self, mipvu: Project) -> None:
        summary = load(mipvu, FILE, labels_as="gold", options={"label_map": WIDLII}, **ES)

        first = Gold.objects.order_by("unit__segment__position").first()
        assert first is not None
        assert first.content["spans"] == [
            {"tokens": [1], "label": "INDIRECT", "attributes": {"borderline": "WIDLII"}, "score": None},
            {"tokens": [2], "label": "INDIRECT", "attributes": {"borderline": "WIDLII"}, "score": None},
        ]
        assert summary["label_map"] == WIDLII
        assert Import.objects.get().summary["label_map"] == WIDLII

    @pytest.mark.parametrize("labels_as", ["person", "model"])
    def test_so_do_annotations_and_suggestions(self, mipvu: Project, labels_as: str) -> None:
        make_member(mipvu, Role.ANNOTATOR, "ana")

        load(mipvu, FILE, labels_as=labels_as, labels_name="ana", options={"label_map": WIDLII}, **ES)

        model = Annotation if labels_as == "person" else Suggestion
        contents = list(model._default_manager.values_list("content", flat=True))
        assert {span["label"] for content in contents for span in content["spans"]} == {"INDIRECT"}

    def test_labels_of_sentences_that_are_there_are_mapped_too(self, mipvu: Project) -> None:
        load(mipvu, FILE, **ES)

        load(mipvu, FILE, labels_as="gold", options={"label_map": {"METAPHOR": "DIRECT"}}, **ES)

        assert {span["label"] for gold in Gold.objects.all() for span in gold.content["spans"]} == {"DIRECT"}

    def test_what_is_left_out_leaves_the_sentence_without_it(self, mipvu: Project) -> None:
        load(mipvu, FILE, labels_as="gold", options={"label_map": {"METAPHOR": ""}}, **ES)

        assert [gold.content for gold in Gold.objects.all()] == [{"spans": []}] * 2

    def test_the_choice_is_kept_when_the_format_is_chosen_anew(self, mipvu: Project) -> None:
        draft = draft_of(mipvu, FILE, options={"label_map": WIDLII}, **ES)

        change_draft(draft=draft, changes={"format": ""}, by=None)

        assert draft.options["label_map"] == WIDLII

    @pytest.mark.parametrize(
        "wrong",
        [
            {"METAPHOR": "NOTHING"},
            {"METAPHOR": {"label": "INDIRECT", "attributes": {"colour": "red"}}},
            {"METAPHOR": {"label": "INDIRECT", "attributes": {"borderline": "perhaps"}}},
            {"METAPHOR": 3},
            ["METAPHOR"],
        ],
    )
    def test_what_the_project_does_not_have_cannot_be_chosen(self, mipvu: Project, wrong: Any) -> None:
        draft = draft_of(mipvu, FILE, **ES)

        with pytest.raises(ActionError):
            change_draft(draft=draft, changes={"options": {"label_map": wrong}}, by=None)

        draft.refresh_from_db()
        assert draft.options["label_map"] == {}


class TestCategories:
    GIVEN = categories(("El acta se aprueba .", "Formal"), ("Qué pasada .", "informal"))

    def test_they_come_into_a_layer_of_categories_and_say_nothing_of_the_words(self, project: Project) -> None:
        layer = add_choice(project)

        summary = load(project, self.GIVEN, labels_as="gold")

        assert list(Gold.objects.values_list("layer", "content").order_by("unit__segment__position")) == [
            (layer.pk, {"value": "formal"}),
            (layer.pk, {"value": "informal"}),
        ]
        assert summary["counts"]["gold categories register es"] == {"new": 2, "known": 0}
        assert set(Item.objects.values_list("state", flat=True)) == {ItemState.FREE}
        assert set(LemmaPlace.objects.values_list("labelled", flat=True)) == {None}
        assert_counters_right(project)

    def test_importing_again_changes_nothing(self, project: Project) -> None:
        add_choice(project)
        load(project, self.GIVEN, labels_as="gold")
        before = everything()

        assert load(project, self.GIVEN, labels_as="gold")["changed"] is False
        assert everything() == before

    def test_they_are_added_to_sentences_that_are_there(self, project: Project) -> None:
        add_choice(project)
        load(project, self.GIVEN)

        load(project, self.GIVEN, labels_as="gold")

        assert sorted(gold.content["value"] for gold in Gold.objects.all()) == ["formal", "informal"]
        assert set(LemmaPlace.objects.values_list("labelled", flat=True)) == {None}

    def test_they_may_be_a_persons_or_a_models(self, project: Project) -> None:
        layer = add_choice(project)
        make_member(project, Role.ANNOTATOR, "ana")

        load(project, self.GIVEN, labels_as="person", labels_name="ana", dataset="a")
        load(project, self.GIVEN, labels_as="model", labels_name="register-1", dataset="b")

        assert sorted(row.content["value"] for row in Annotation.objects.filter(layer=layer)) == ["formal", "informal"]
        assert sorted(row.content["value"] for row in Suggestion.objects.filter(layer=layer)) == ["formal", "informal"]
        assert not Gold.objects.exists()

    def test_a_category_that_the_layer_lacks_is_asked_about(self, project: Project) -> None:
        add_choice(project)
        given = categories(("Qué pasada .", "slang"), ("Vale .", "slang"))
        draft = draft_of(project, given, labels_as="gold")

        preview = preview_draft(draft=draft)
        assert (preview["errors"], preview["problems"][0]["got"]) == (1, "“slang”")

        change_draft(draft=draft, changes={"options": {"label_map": {"slang": "informal"}}}, by=None)
        preview = preview_draft(draft=draft)
        assert (preview["ready"], preview["rows"][0]["texts"][0]["values"]) == (True, ["informal"])

    def test_a_sentence_has_one_category(self, project: Project) -> None:
        add_choice(project)
        row = {"text": "Qué pasada .", "label": ["formal", "informal"]}

        with pytest.raises(ActionError, match="one category"):
            load(project, {"es.jsonl": json.dumps(row) + "\n"}, labels_as="gold", format="doccano")

    def test_they_become_labels_on_the_sentence(self, mipvu: Project) -> None:
        given = categories(("Lo hizo sin querer .", "implicit"), ("Llueve .", "none"))

        load(mipvu, given, labels_as="gold")

        [gold] = Gold.objects.all()
        assert [(span["tokens"], span["label"]) for span in gold.content["spans"]] == [([], "IMPLICIT")]

    def test_without_a_place_they_are_left_out_and_counted(self, project: Project) -> None:
        preview = preview_draft(draft=draft_of(project, self.GIVEN, labels_as="gold"))

        assert preview["ready"]
        assert preview["counts"]["categories"] == {"Formal": 1, "informal": 1}
        [warning] = [one for one in preview["problems"] if "2 sentences have categories" in one["expected"]]
        assert "Formal: 1, informal: 1" in warning["expected"]
        load(project, self.GIVEN, labels_as="gold")
        assert not Gold.objects.exists()

    def test_where_two_layers_could_take_them_the_name_decides(self, project: Project) -> None:
        add_choice(project)
        other = add_choice(project, "genre", "letter", "Formal")
        preview = preview_draft(draft=draft_of(project, self.GIVEN, labels_as="gold"))
        assert any("2 sentences have categories" in one["expected"] for one in preview["problems"])

        row = {"texts": {"es": {"tokens": ["Qué", "pasada"], "values": {"genre": ["letter"]}}}}
        load(project, {"es.jsonl": json.dumps(row) + "\n"}, labels_as="gold")

        assert [(gold.layer, gold.content) for gold in Gold.objects.all()] == [(other, {"value": "letter"})]

    def test_while_labels_are_left_out_so_are_they(self, project: Project) -> None:
        add_choice(project)

        load(project, self.GIVEN)

        assert not Gold.objects.exists()


class TestFiles:
    def test_lines_and_sentences_are_counted_file_by_file(self) -> None:
        project = make_plain()
        draft = draft_of(project, {"novel.es.txt": "Uno .\n\nDos .\n", "novel.ca.txt": "U .\nBlanc .\nDos ."})

        files = preview_draft(draft=draft)["files"]

        assert [(one["name"], one["lines"], one["sentences"]) for one in files] == [
            ("novel.es.txt", 3, {"es": 2}),
            ("novel.ca.txt", 3, {"ca": 3}),
        ]

    def test_unequal_files_show_it_though_they_cannot_be_imported(self) -> None:
        project = make_plain()
        draft = draft_of(project, {"novel.es.txt": "Uno .\nDos .\n", "novel.ca.txt": "U .\n"})

        preview = preview_draft(draft=draft)

        assert not preview["ready"]
        assert [one["lines"] for one in preview["files"]] == [2, 1]
