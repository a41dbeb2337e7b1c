"""What comes in from files: ids, languages, labels by whom, origins; and that it is all of it or nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.utils import timezone

from annotator.core.errors import ActionError
from annotator.core.starts import STARTS
from annotator.domain.states import AnnotationState, AssignmentState
from annotator.imports.undo.undo_import import undo_import
from annotator.imports.writing.imports import import_meta4xnli
from annotator.imports.writing.run import run_check
from annotator.models import (
    Annotation,
    Assignment,
    Gold,
    Import,
    Item,
    ItemState,
    LemmaPlace,
    Project,
    Role,
    Segment,
    Suggestion,
    Unit,
)
from annotator.projects.actions.projects import create_project
from annotator.work.queue.actions.assignments import claim
from tests.corpus_files import SAMPLE
from tests.drafts import CATALAN, LABELLED, SPANISH, draft_of, everything, load, sentences
from tests.factories import make_member, span, spans
from tests.imports.test_imports import assert_counters_right
from tests.saving import save

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]


def rows(*given: tuple[str, str], header: str = "id,text:es") -> str:
    return "\n".join([header, *(f"{id_},{text}" for id_, text in given)]) + "\n"


def jsonl(*given: dict[str, Any]) -> str:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in given)


def refused(project: Project, given: dict[str, str | bytes], **changes: Any) -> str:
    """Why files are refused; nothing is written."""
    before, imports = everything(), Import.objects.count()
    with pytest.raises(ActionError) as refusal:
        load(project, given, **changes)
    assert everything() == before
    assert Import.objects.count() == imports
    return str(refusal.value)


class TestIds:
    def test_ids_of_the_files_are_kept(self, project: Project) -> None:
        load(project, {"frases.csv": rows(("a1", "El sol brilla ."), ("a2", "La luna brilla ."))})

        assert list(project.segments.values_list("uid", flat=True)) == ["frases:a1", "frases:a2"]

    def test_records_without_id_are_counted_and_know_their_line(self, project: Project) -> None:
        load(project, {"novel.es.txt": SPANISH, "novel.ca.txt": CATALAN})

        assert list(project.segments.values_list("uid", flat=True)) == ["novel:1", "novel:2", "novel:3"]
        unit = Unit.objects.get(segment__uid="novel:3", language="es")
        imported = Import.objects.get()
        assert (imported.files[unit.origin_file or 0]["name"], unit.origin_line) == ("novel.es.txt", 3)
        assert len(imported.files[0]["sha256"]) == 64

    def test_importing_again_adds_nothing(self, project: Project) -> None:
        load(project, {"novel.es.txt": SPANISH, "novel.ca.txt": CATALAN})
        before = everything()

        summary = load(project, {"novel.es.txt": SPANISH, "novel.ca.txt": CATALAN})

        assert everything() == before
        assert (summary["changed"], summary["counts"]["segments"]) == (False, {"new": 0, "known": 3})

    def test_another_text_under_a_known_id_is_refused_with_both(self, project: Project) -> None:
        load(project, {"frases.csv": rows(("a1", "El sol brilla ."))})

        said = refused(project, {"frases.csv": rows(("a1", "El sol arde ."), ("a2", "La luna ."))})

        assert "“El sol brilla .”" in said
        assert "“El sol arde .”" in said

    def test_an_id_of_another_dataset_is_refused(self, project: Project) -> None:
        load(project, {"frases.csv": rows(("x:1", "El sol ."))}, dataset="a")
        Segment.objects.update(uid="b:1")

        assert "no other dataset" in refused(project, {"f.csv": rows(("1", "El sol ."))}, dataset="b")

    @pytest.mark.parametrize("what", ["group", "genre", "source"])
    def test_an_id_is_one_segment_in_every_language(self, project: Project, what: str) -> None:
        given = [
            {"id": "a1", what: "one", "texts": {"es": {"tokens": ["El", "sol"]}}},
            {"id": "a1", what: "other", "texts": {"ca": {"tokens": ["El", "sol"]}}},
        ]

        said = refused(project, {"f.jsonl": jsonl(*given)})

        assert "f.jsonl:2" in said
        assert "that “a1” has at f.jsonl:1" in said

    def test_further_sentences_come_after_those_that_are_there(self, project: Project) -> None:
        load(project, {"frases.csv": rows(("a1", "El sol ."))})

        load(project, {"frases.csv": rows(("a1", "El sol ."), ("a2", "La luna ."))})

        assert sentences(project, "es") == ["El sol .", "La luna ."]
        stage = project.stages.get(kind="correct", language="es")
        assert Item.objects.filter(stage=stage).count() == 2
        assert_counters_right(project)


class TestLanguages:
    def test_a_further_language_by_id(self, project: Project) -> None:
        load(project, {"frases.csv": rows(("a1", "El sol ."), ("a2", "La luna ."))})

        load(project, {"frases.csv": rows(("a2", "La lluna ."), header="id,text:ca")})

        unit = Unit.objects.get(language="ca")
        assert (unit.segment.uid, unit.text) == ("frases:a2", "La lluna .")
        assert project.segments.count() == 2
        assert_counters_right(project)

    def test_a_further_language_by_order(self, project: Project) -> None:
        load(project, {"frases.csv": rows(("b", "El sol ."), ("a", "La luna ."))})

        load(project, {"x.ca.txt": "El sol català .\nLa lluna .\n"}, dataset="frases", options={"match": "order"})

        found = Unit.objects.filter(language="ca").order_by("segment__position")
        assert [(unit.segment.uid, unit.text) for unit in found] == [
            ("frases:b", "El sol català ."),
            ("frases:a", "La lluna ."),
        ]

    @pytest.mark.parametrize("text", ["El sol .\n", "El sol .\nLa lluna .\nI més .\n"])
    def test_by_order_the_number_of_sentences_must_be_the_same(self, project: Project, text: str) -> None:
        load(project, {"frases.csv": rows(("b", "El sol ."), ("a", "La luna ."))})

        said = refused(project, {"x.ca.txt": text}, dataset="frases", options={"match": "order"})

        assert "as many sentences as the dataset has (2)" in said

    def test_by_order_a_dataset_that_is_not_there_is_named(self, project: Project) -> None:
        said = refused(project, {"x.ca.txt": "El sol .\n"}, dataset="other", options={"match": "order"})

        assert "an existing dataset of the project" in said and "other" in said

    def test_a_language_that_the_project_does_not_have_is_refused_once(self, project: Project) -> None:
        content = rows(("a1", "Un soleil ."), ("a2", "Une lune ."), header="id,text:fr")

        assert "es, ca" in refused(project, {"f.csv": content}, options={"columns": {"0": "id", "1": "text:fr"}})

    def test_a_line_that_is_missing_in_one_language_is_found(self, project: Project) -> None:
        spanish, catalan = parallel(120)
        del catalan[60]
        catalan.append("Un final que no és enlloc més .")
        given: dict[str, str | bytes] = {"n.es.txt": "\n".join(spanish) + "\n", "n.ca.txt": "\n".join(catalan) + "\n"}

        said = refused(project, given)

        assert "do not match those in" in said
        load(project, given, options={"parallel": "accepted"})
        assert project.segments.count() == 120


def parallel(number: int) -> tuple[list[str], list[str]]:
    """Sentences that are plainly translations: each has its own number and name."""
    names = ["Ana", "Bernat", "Carles", "Dolors", "Enric", "Fina", "Gemma"]
    extra = [" muy lejos del mar azul", "", " y después volvió contenta a casa con su hermano"]
    other = [" molt lluny del mar blau", "", " i després va tornar contenta a casa amb el seu germà"]
    spanish = [f"{names[n % 7]} compró {n * 37 % 1000} libros en {names[n % 5]}{extra[n % 3]} ." for n in range(number)]
    catalan = [
        f"{names[n % 7]} va comprar {n * 37 % 1000} llibres a {names[n % 5]}{other[n % 3]} ." for n in range(number)
    ]
    return spanish, catalan


def labelled(id_: str, text: str, *spans: list[int], **more: Any) -> dict[str, Any]:
    tokens = text.split(" ")
    return {
        "id": id_,
        "language": "es",
        "tokens": tokens,
        "spans": [{"tokens": one, "label": "METAPHOR"} for one in spans],
        **more,
    }


TAGGED = "El\tO\ntiempo\tB-METAPHOR\nvuela\tI-METAPHOR\n.\tO\n\nAna\tO\nlee\tO\nmucho\tO\n.\tO\n\n"


def tagged(project: Project, **changes: Any) -> dict[str, Any]:
    return load(project, {"t.tsv": TAGGED}, format="tagged", files={"1": {"language": "es"}}, dataset="t", **changes)


class TestLabels:
    def test_none_leaves_them_out(self, project: Project) -> None:
        tagged(project)

        assert (Unit.objects.count(), Gold.objects.count(), Annotation.objects.count()) == (2, 0, 0)

    def test_gold_decides_every_sentence_also_without_a_label(self, project: Project) -> None:
        tagged(project, labels_as="gold")

        found = Gold.objects.order_by("unit")
        assert [gold.content["spans"] for gold in found] == [[span(1, 2)], []]
        assert set(Item.objects.values_list("state", flat=True)) == {ItemState.DECIDED}
        assert LemmaPlace.objects.filter(labelled=True).exists()
        assert_counters_right(project)

    def test_a_persons_are_their_done_annotations(self, project: Project) -> None:
        ana = make_member(project, Role.ANNOTATOR, "ana")

        summary = tagged(project, labels_as="person", labels_name="ana")

        assert summary["counts"]["annotations by ana"] == {"new": 2, "known": 0}
        found = list(Annotation.objects.order_by("unit"))
        assert [(row.user, row.state, row.version) for row in found] == [(ana, AnnotationState.DONE, 1)] * 2
        assert found[0].content["spans"] == [span(1, 2)]
        stage = project.stages.get(kind="correct", language="es")
        assert list(Assignment.objects.values_list("user", "state", "stage")) == [(ana.pk, "done", stage.pk)] * 2
        assert set(Item.objects.filter(stage=stage).values_list("state", flat=True)) == {ItemState.DONE}
        assert stage.counters.get(user=ana).own_done == 2
        assert LemmaPlace.objects.filter(labelled=True).exists()
        assert_counters_right(project)

    def test_a_persons_go_to_sentences_that_are_there(self, project: Project) -> None:
        ana = make_member(project, Role.ANNOTATOR, "ana")
        tagged(project)

        tagged(project, labels_as="person", labels_name="ana")
        again = tagged(project, labels_as="person", labels_name="ana")

        assert Annotation.objects.filter(user=ana, state=AnnotationState.DONE).count() == 2
        assert Assignment.objects.filter(user=ana, state=AssignmentState.DONE).count() == 2
        assert again["counts"]["annotations by ana"] == {"new": 0, "known": 2}
        assert_counters_right(project)

    def test_who_is_no_member_cannot_have_annotated(self, project: Project) -> None:
        said = refused(
            project, {"t.tsv": TAGGED}, format="tagged", files={"1": {"language": "es"}},
            labels_as="person", labels_name="nobody",
        )  # fmt: skip

        assert "username of the member" in said
        assert "nobody" in said

    def test_two_people_who_differ_wait_for_an_adjudicator(self, project: Project) -> None:
        make_member(project, Role.ANNOTATOR, "ana")
        make_member(project, Role.ANNOTATOR, "bea")
        tagged(project, labels_as="person", labels_name="ana")
        other = TAGGED.replace("I-METAPHOR", "O")

        load(
            project, {"t.tsv": other}, format="tagged", files={"1": {"language": "es"}}, dataset="t",
            labels_as="person", labels_name="bea",
        )  # fmt: skip

        judging = project.stages.get(kind="adjudicate", language="es", layer__slug="labels")
        assert [item.unit.segment.uid for item in Item.objects.filter(stage=judging, state=ItemState.FREE)] == ["t:1"]
        assert_counters_right(project)

    def test_a_models_are_suggestions_and_no_work_is_done(self, project: Project) -> None:
        make_member(project, Role.ANNOTATOR, "ana")

        tagged(project, labels_as="model", labels_name="gpt", labels_revision="7")

        found = list(Suggestion.objects.order_by("unit"))
        assert [(row.kind, row.name, row.revision, row.is_current) for row in found] == [
            ("prediction", "gpt", "7", True)
        ] * 2
        items = Item.objects.filter(stage__kind="correct").order_by("reading")
        assert [(item.suggested, item.state) for item in items] == [(True, "free"), (False, "free")]
        tagged(project, labels_as="model", labels_name="gpt", labels_revision="8")
        assert set(Suggestion.objects.filter(is_current=True).values_list("revision", flat=True)) == {"8"}
        assert_counters_right(project)

    def test_labels_that_do_not_fit_the_scheme_import_nothing(self, project: Project) -> None:
        wrong = TAGGED.replace("METAPHOR", "IRONY")

        said = refused(
            project, {"t.tsv": wrong}, format="tagged", files={"1": {"language": "es"}}, dataset="t", labels_as="gold"
        )

        assert "IRONY" in said


TIME = {"label": "METAPHOR", "at": [[3, 9]], "score": 0.7}


def voice(says: str, name: str, *labels: dict[str, Any]) -> dict[str, Any]:
    return {"says": says, "name": name, "labels": labels}


def voices(*given: dict[str, Any]) -> dict[str, str | bytes]:
    """A sentence with what several say of it."""
    return {"f.jsonl": jsonl({"id": "a1", "texts": {"es": {"tokens": ["El", "tiempo", "vuela"], "labels": given}}})}


class TestLabelsOfOneSource:
    def test_of_several_sources_gold_is_taken(self, project: Project) -> None:
        load(project, voices(voice("person", "ana"), voice("gold", "", TIME)), labels_as="gold")

        assert Gold.objects.get().content["spans"] == [span(1)]
        assert not Annotation.objects.exists()

    def test_several_without_gold_are_refused(self, project: Project) -> None:
        given = voices(voice("person", "ana"), voice("person", "ben", TIME))
        assert "labels from one source" in refused(project, given, labels_as="gold")

    def test_a_model_has_to_be_named(self, project: Project) -> None:
        given = voices(voice("model", "gpt", TIME))
        assert "the name of the model" in refused(project, given, labels_as="model")
        load(project, given, labels_as="model", labels_name="gpt-1")
        assert Suggestion.objects.get().name == "gpt-1"


class TestLabelsAsTheFilesSay:
    def test_each_has_their_own_and_a_score_is_a_machines(self, project: Project) -> None:
        ana = make_member(project, Role.ANNOTATOR, "ana")

        load(project, voices(voice("person", "ana", TIME), voice("model", "gpt", TIME)), labels_as="file")

        answer, suggestion = Annotation.objects.get(), Suggestion.objects.get()
        assert (answer.user, answer.content["spans"]) == (ana, [span(1)])
        assert (suggestion.name, suggestion.content["spans"]) == ("gpt", [{**span(1), "score": 0.7}])
        assert_counters_right(project)

    def test_who_has_another_name_in_the_files_is_the_member_that_was_chosen(self, project: Project) -> None:
        ana = make_member(project, Role.ANNOTATOR, "ana")
        given = voices(voice("person", "Dr. Bell", TIME))
        assert "Dr. Bell" in refused(project, given, labels_as="file")

        load(project, given, labels_as="file", people={"Dr. Bell": "ana"})

        assert Annotation.objects.get().user == ana

    @pytest.mark.parametrize("name", ["ana", "Dr. Bell"])
    def test_one_person_has_one_answer_to_a_sentence(self, project: Project, name: str) -> None:
        make_member(project, Role.ANNOTATOR, "ana")
        given = voices(voice("person", "ana", TIME), voice("person", name))

        said = refused(project, given, labels_as="file", people={"Dr. Bell": "ana"})

        assert "one answer per sentence from each person" in said
        assert f"person ana, person {name}" in said


CONLLU = """# sent_id = s1
# text = Los niños cantaban.
1\tLos\tel\tDET\t_\t_\t2\tdet\t_\t_
2\tniños\tniño\tNOUN\t_\t_\t3\tnsubj\t_\t_
3\tcantaban\tcantar\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_

"""


def test_lemmas_parts_of_speech_and_white_space_are_kept_and_used(project: Project) -> None:
    load(project, {"s.es.conllu": CONLLU}, dataset="s")

    unit = Unit.objects.get()
    assert (unit.segment.uid, unit.text) == ("s:s1", "Los niños cantaban.")
    assert unit.lemmas == ["el", "niño", "cantar", "."]
    assert unit.parts_of_speech == ["DET", "NOUN", "VERB", "PUNCT"]
    assert unit.content_words == [False, True, True, False]
    assert set(LemmaPlace.objects.values_list("lemma", flat=True)) == {"niño", "cantar"}


def without_roles(*languages: str) -> Project:
    """A project of sentences with labels, which tells no roles apart."""
    name = "parallel" if len(languages) > 1 else "labels"
    made = create_project(slug="plain", preset=STARTS[name].preset(list(languages)), by=None)
    assert made.roles == []
    return made


class TestProjectsOfPlainSentences:
    """They have neither roles nor pairs: nothing in a file's name or columns is a dead end."""

    def test_a_word_of_a_files_name_is_no_role(self) -> None:
        project = without_roles("es", "ca")
        load(project, {"cap.prem.es.txt": SPANISH, "cap.prem.ca.txt": CATALAN})
        load(project, {"my_hyp.es.tsv": LABELLED}, labels_as="gold")

        assert set(project.segments.values_list("role", flat=True)) == {""}
        assert project.sentences.count() == 3 + 3 + 2
        assert project.golds.count() == 2

    def test_parallel_files_of_two_roles_stay_beside_each_other(self) -> None:
        project = without_roles("es", "ca")
        given: dict[str, str | bytes] = {
            "n_prem.es.txt": SPANISH, "n_prem.ca.txt": CATALAN, "n_hyp.es.txt": "Llueve .\n", "n_hyp.ca.txt": "Plou .\n"
        }  # fmt: skip
        load(project, given)

        assert project.slots.count() == 4
        assert all(slot.units.count() == 2 for slot in project.slots.all())
        assert "as in n_hyp.es.txt" in refused(
            project, {**given, "n_hyp.es.txt": "Llueve .\nNieva .\n"}, dataset="more"
        )

    @pytest.mark.parametrize(
        ("name", "content", "sentences", "warnings"),
        [
            (
                "pairs.csv",
                "premise,hypothesis,inference\nLlueve .,Hay nubes .,entailment\nLlueve .,Hace sol .,contradiction\n",
                3,
                ["3 sentences have a role", "2 pairs are left out"],
            ),
            ("roles.csv", "id,role,text\n1,prem,Llueve .\n1,hyp,Hay nubes .\n", 2, ["2 sentences have a role"]),
            ("one.csv", "id,role,text\n1,title,Llueve .\n", 1, ["1 sentence has a role"]),
        ],
    )
    def test_roles_and_pairs_are_left_out_and_counted(
        self, name: str, content: str, sentences: int, warnings: list[str]
    ) -> None:
        project = without_roles("es")

        summary = load(project, {name: content})

        assert set(project.segments.values_list("role", flat=True)) == {""}
        assert (project.sentences.count(), project.pairs.count()) == (sentences, 0)
        for warning in warnings:
            assert any(one.startswith(warning) for one in summary["warnings"])
        assert load(project, {name: content})["changed"] is False


def test_labels_that_nobody_has_named_are_left_out_aloud(project: Project) -> None:
    draft = draft_of(project, {"p.es.tsv": LABELLED})
    run_check(draft=draft)
    draft.refresh_from_db()
    said = [one["expected"] for one in draft.preview["problems"]]

    assert "2 sentences have labels that are left out. To import them, choose whose they are." in said
    assert "2 sentences have labels that are left out." in str(load(project, {"p.es.tsv": LABELLED})["warnings"])
    assert not project.golds.exists()
    assert "left out" not in str(load(project, {"p.es.tsv": LABELLED}, labels_as="gold")["warnings"])
    assert project.golds.count() == 2


def test_a_role_that_the_project_does_not_have_is_refused_once(project: Project) -> None:
    given = [{"id": id_, "role": "title", "texts": {"es": {"tokens": ["El", "sol"]}}} for id_ in ("a1", "a2")]

    assert refused(project, {"f.jsonl": jsonl(*given)}).count("the role “title”, but this project has prem, hyp") == 1


def test_licence_and_files_are_on_record(project: Project) -> None:
    load(project, {"es.txt": SPANISH}, dataset="n", licence="CC BY 4.0", publishable=False)

    imported = Import.objects.get()
    assert (imported.licence, imported.publishable) == ("CC BY 4.0", False)
    assert [(one["name"], one["encoding"], one["language"]) for one in imported.files] == [("es.txt", "utf-8", "es")]


class TestTakingBack:
    def test_what_came_with_names_goes_again(self, project: Project) -> None:
        ana = make_member(project, Role.ANNOTATOR, "ana")
        tagged(project, labels_as="person", labels_name="ana")

        undo_import(imported=Import.objects.get(), by=None)

        assert not any(everything())
        stage = project.stages.get(kind="correct", language="es")
        assert stage.counters.get(user=ana).own_done == 0
        assert_counters_right(project)

    def test_labels_on_what_was_there_go_and_the_rest_stays(self, project: Project) -> None:
        ana = make_member(project, Role.ANNOTATOR, "ana")
        tagged(project, labels_as="model", labels_name="old")
        before = list(Item.objects.order_by("pk").values())
        tagged(project, labels_as="model", labels_name="new")
        tagged(project, labels_as="person", labels_name="ana")

        for imported in Import.objects.order_by("-pk")[:2]:
            undo_import(imported=imported, by=None)

        assert not Annotation.objects.exists()
        assert set(Suggestion.objects.filter(is_current=True).values_list("name", flat=True)) == {"old"}
        assert list(Item.objects.order_by("pk").values()) == before
        assert project.stages.get(kind="correct", language="es").counters.get(user=ana).own_done == 0
        assert_counters_right(project)

    def test_an_answer_that_its_person_changed_since_is_theirs(self, project: Project) -> None:
        ana = make_member(project, Role.ANNOTATOR, "ana")
        tagged(project)
        tagged(project, labels_as="person", labels_name="ana")
        row = Assignment.objects.get(unit__segment__uid="t:1")
        save(row, spans(), done=True)

        with pytest.raises(ActionError, match=r"ana: t:1 \[es\]"):
            undo_import(imported=Import.objects.latest("pk"), by=None)

        assert Annotation.objects.filter(user=ana).count() == 2

    def test_it_says_who_worked_on_what(self, project: Project) -> None:
        ana = make_member(project, Role.ANNOTATOR, "ana")
        tagged(project)
        stage = project.stages.get(kind="correct", language="es")
        [row] = claim(stage=stage, user=ana, count=1, now=timezone.now())
        Assignment.objects.filter(pk=row.pk).update(expires_at=None)
        before = everything()

        with pytest.raises(ActionError, match=r"ana: t:1 \[es\]"):
            undo_import(imported=Import.objects.get(), by=None)

        assert everything() == before


@pytest.mark.slow
def test_the_published_layout_is_the_same_as_by_its_command() -> None:
    files = {
        str(path.relative_to(SAMPLE)): path.read_bytes()
        for name in ("detection", "interpretation")
        for path in sorted((SAMPLE / name).rglob("*.tsv"))
    }
    one, other = (create_project(slug=slug, preset="meta4xnli-es-en", by=None) for slug in ("one", "other"))
    import_meta4xnli(project=one, root=SAMPLE, dataset="sample", labels="gold", by=None)

    load(other, files, labels_as="gold")

    for project in (one, other):
        assert_counters_right(project)
    assert told(one) == told(other)
    assert len(told(one)) == 175


def told(project: Project) -> list[Any]:
    """What an import made of a project, without the ids that the database gives."""
    slots = project.slots.order_by("position", "uid").prefetch_related("units__golds")
    return [
        (
            slot.uid,
            slot.position,
            slot.group,
            [
                (unit.language, unit.tokens, unit.lemmas, [gold.content for gold in unit.golds.all()])
                for unit in sorted(slot.units.all(), key=lambda unit: unit.language)
            ],
        )
        for slot in slots
    ]
