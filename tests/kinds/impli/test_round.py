"""From marked sentences to a release: rewritten, defined, made into pairs by rule, validated."""

from __future__ import annotations

import copy
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from annotator.core.errors import ActionError
from annotator.domain.labels.label_uses import literal_labels
from annotator.domain.labels.relabel import LabelRow
from annotator.domain.verbs import Verb
from annotator.kinds.impli.gathering import make_pairs
from annotator.kinds.impli.units import focus_of
from annotator.models import Annotation, Event, Gold, Import, Item, Membership, Role, Segment, Unit
from annotator.projects.actions.relabel import change_scheme, labels_plan
from annotator.releases.queries.exports import release_files
from annotator.releases.queries.release_parts import PARTS
from annotator.reports.queries.figures import counted
from annotator.reports.queries.tables import FURTHER
from annotator.work.gold.actions.agreed import AcceptSummary, accept_agreed
from annotator.work.queue.actions.giving_back import give_back
from tests.clients import client_of
from tests.deciding import decide_gold
from tests.drafts import load
from tests.factories import make_gold, make_sentence, make_user
from tests.kinds.impli.work import DEFINED, FIGURATIVE, LITERAL, NO, REWRITTEN, YES, Impli, bio

pytestmark = pytest.mark.django_db

DEFINITION = "Our branch was left responsible for everything ."
ADVERSARIAL = "Our branch was left nursing a newborn ."
IN_LITERAL = "My aunt was responsible for everything while we ate ."


@pytest.fixture(scope="module")
def made(kept_rows: None) -> Impli:
    """Both sentences are marked. Each class goes on from here, and each test has objects of its own."""
    scene = Impli()
    scene.marked(scene.people[0])
    return scene


@pytest.fixture
def scene(made: Impli) -> Impli:
    return copy.deepcopy(made)


def _pairs() -> dict[str, str]:
    rows = Unit.objects.filter(kind="inference-pair", is_current=True)
    return {row.text.split("\n")[1]: row.rule for row in rows}


def _dataset() -> str:
    """The one of the sentences."""
    return Unit.objects.filter(kind="sentence").values_list("segment__dataset", flat=True).distinct().get()


class TestRewriting:
    def test_a_marked_figurative_sentence_is_given_with_its_focus(self, scene: Impli) -> None:
        _ana, ben, *_ = scene.people
        (item,) = scene.claim(ben, "rewrite", 5)
        assert (" ".join(item["unit"]["tokens"]), item["focus"]) == (FIGURATIVE, [4, 5, 6])
        assert item["annotation"]["content"] == {"paraphrase": "", "changed": "", "opposite": ""}

    def test_a_rejected_pair_comes_back_with_its_reason(self, scene: Impli) -> None:
        ana, ben, cai, dan = scene.people
        (item,) = scene.claim(ben, "rewrite")
        scene.save(ben, item, {"paraphrase": "Our branch had to."})
        for person in (ana, cai):
            scene.judged(person, "had to", {"verdict": "reject", "reason": "incoherent", "second": "no"})
        assert _pairs() == {}
        (back,) = scene.claim(ben, "rewrite")
        assert [one["reason"] for one in back["remarks"]] == ["Incoherent"]
        scene.save(ben, back, REWRITTEN)
        assert set(_pairs().values()) == {"manual_e", "manual_ne"}
        assert len(scene.claim(dan, "validate", 5)) == 2
        scene.check_counters()


@pytest.fixture(scope="class")
def to_rewrite(made: Impli, kept_rows_of_class: None) -> dict[str, Any]:
    """Ben is about to rewrite the figurative sentence."""
    (item,) = made.claim(made.people[1], "rewrite")
    return item


class TestNoRewriting:
    @pytest.mark.parametrize(
        ("content", "why"),
        [
            ({"paraphrase": ""}, "literal words"),
            ({"paraphrase": FIGURATIVE.replace(" .", "!")}, "same words as the sentence"),
            ({"paraphrase": "We paid.", "changed": "we paid"}, "same words"),
            ({"other": "x"}, "an object"),
            ({"paraphrase": "x" * 1001}, "at most 1000"),
        ],
    )
    def test_what_is_no_rewriting_is_refused(
        self, scene: Impli, to_rewrite: dict[str, Any], content: dict[str, str], why: str
    ) -> None:
        body = {"version": 0, "content": content, "done": True}
        refused = scene.send(scene.people[1], "post", f"assignments/{to_rewrite['id']}/save/", body)
        assert refused.status_code == 400
        assert why in refused.json()["error"]["message"]
        assert _pairs() == {}


@pytest.fixture(scope="class")
def rewritten(made: Impli, kept_rows_of_class: None) -> Impli:
    """Ben has rewritten the figurative sentence."""
    scene = copy.deepcopy(made)
    ben = scene.people[1]
    (item,) = scene.claim(ben, "rewrite")
    scene.save(ben, item, REWRITTEN)
    return scene


class TestWhatWasWritten:
    @pytest.fixture
    def scene(self, rewritten: Impli) -> Impli:
        return copy.deepcopy(rewritten)

    def test_what_is_written_becomes_pairs_whose_label_nobody_sees(self, scene: Impli) -> None:
        ana, ben, *_ = scene.people
        assert _pairs() == {REWRITTEN["paraphrase"]: "manual_e", REWRITTEN["changed"]: "manual_ne"}
        assert scene.claim(ben, "validate", 5) == [], "its writer does not judge it"
        given = scene.claim(ana, "validate", 5)
        assert len(given) == 2
        assert "manual" not in str(given)
        scene.check_counters()

    def test_the_words_of_a_pair_have_the_lemmas_of_its_sentence(self, scene: Impli) -> None:
        """Function words, too, and where punctuation stands elsewhere; those of other words are the dictionary's."""
        (sentence,) = [one for one in Unit.objects.filter(kind=Segment.SENTENCE) if "branch" in one.tokens]
        pair = Unit.objects.get(rule="manual_ne")
        of_sentence = dict(zip(sentence.tokens, sentence.lemmas, strict=True))
        assert of_sentence["was"] == "be"
        half = len(sentence.tokens)
        assert pair.lemmas[:half] == sentence.lemmas
        assert pair.lemmas[half:] == [*sentence.lemmas[:5], "the", "key"]

    def test_a_rejected_pair_leaves_the_accepted_one_alone(self, scene: Impli) -> None:
        ana, ben, cai, _dan = scene.people
        reject = {"verdict": "reject", "reason": "incoherent", "second": "no"}
        for person in (ana, cai):
            scene.judged(person, "all the responsibility", YES)
            scene.judged(person, "holding the keys", reject)
        accepted = Unit.objects.get(rule="manual_e")
        assert accepted.is_current
        assert _pairs() == {REWRITTEN["paraphrase"]: "manual_e"}
        (back,) = scene.claim(ben, "rewrite")
        assert [(one["about"], one["reason"]) for one in back["remarks"]] == [("changed", "Incoherent")]
        scene.save(ben, back, {**REWRITTEN, "changed": "Our branch was left holding the dog."})
        assert set(_pairs()) == {REWRITTEN["paraphrase"], "Our branch was left holding the dog."}
        accepted.refresh_from_db()
        assert accepted.is_current
        assert Gold.objects.get(layer=scene.stage("validate").layer).unit == accepted
        scene.check_counters()

    def test_a_second_rejected_pair_goes_the_same_way(self, scene: Impli) -> None:
        ana, ben, cai, _dan = scene.people
        for hypothesis in ("all the responsibility", "holding the keys"):
            for person in (ana, cai):
                scene.judged(person, hypothesis, {"verdict": "reject", "reason": "incoherent", "second": "no"})
        assert _pairs() == {}
        assert not Gold.objects.filter(layer=scene.stage("validate").layer).exists()
        (back,) = scene.claim(ben, "rewrite")
        assert [(one["about"], one["reason"]) for one in back["remarks"]] == [
            ("paraphrase", "Incoherent"),
            ("changed", "Incoherent"),
        ]
        scene.save(ben, back, {"paraphrase": "We had to do it all.", "changed": "We held the dog."})
        assert set(_pairs().values()) == {"manual_e", "manual_ne"}
        scene.check_counters()

    def test_a_rewriting_is_no_gold(self, scene: Impli) -> None:
        layer = scene.stage("rewrite").layer
        done = accept_agreed(project=scene.project, layer=layer, language="en", by=None, without_overlap=True)
        assert done == AcceptSummary()
        assert not Gold.objects.filter(layer=layer).exists()


class TestExpressions:
    def test_an_expression_is_there_once_for_all_its_sentences(self, scene: Impli) -> None:
        _ana, ben, *_ = scene.people
        assert scene.bring("expressions")["made"] == 0, "it came with the first mark"
        (item,) = scene.claim(ben, "define", 5)
        assert " ".join(item["unit"]["tokens"]) == "hold the baby"
        assert (item["examples"], item["more"]) == ([FIGURATIVE, LITERAL], 0)
        scene.check_counters()

    @pytest.mark.parametrize("after", ["last winter .", "😀 in that novel ."])
    def test_a_time_or_an_emoji_after_an_expression_is_no_part_of_its_phrase(self, scene: Impli, after: str) -> None:
        sentence = make_sentence(scene.project, f"The farmer kicked the bucket {after}", language="en")
        make_gold(sentence, [{"tokens": [2, 3, 4], "label": "FIGURATIVE", "attributes": {}, "score": None}])
        Unit.objects.filter(pk=sentence.pk).update(lemmas=["the", "farmer", "kick", "the", "bucket", *after.split()])
        scene.bring("expressions")
        expression = Unit.objects.get(kind="expression", tokens=["kick", "the", "bucket"])
        content = {"correct": "to die", "adversarial": "", "antonym": ""}
        layer = scene.stage("define").layer
        decide_gold(unit=expression.pk, layer=layer, content=content, by=scene.manager)
        assert scene.bring("pairs")["refused"] == {}
        assert f"The farmer died {after}" in _pairs()

    def test_ids_of_sentences_may_be_as_long_as_ids_can_be(self, scene: Impli) -> None:
        """What is made of two sentences whose ids are the same but for their ends stays apart, and is found again."""
        Unit.objects.filter(kind="focus").delete()
        long = " ".join(f"longword{number}" for number in range(30))
        for end in "ab":
            text = f"{end.upper()} told them to {long} {end} now ."
            sentence = make_sentence(scene.project, text, language="en")
            Segment.objects.filter(pk=sentence.segment_id).update(uid="x" * 199 + end)
            span = {"tokens": list(range(4, 35)), "label": "FIGURATIVE", "attributes": {}, "score": None}
            make_gold(sentence, [span, {**span, "tokens": [1]}])

        assert scene.bring("expressions")["made"] == 3
        focuses = Unit.objects.filter(kind="focus", parents__segment__uid__startswith="xxx")
        assert sorted(focus_of(unit.segment.uid) for unit in focuses) == [[1], [1], [*range(4, 35)], [*range(4, 35)]]
        (told,) = [unit for unit in Unit.objects.filter(kind="expression") if unit.tokens == ["tell"]]
        layer, content = scene.stage("define").layer, {"correct": "to say to", "adversarial": "", "antonym": ""}
        decide_gold(unit=told.pk, layer=layer, content=content, by=scene.manager)
        assert scene.bring("pairs")["made"] == 2
        assert scene.bring("pairs")["made"] == scene.bring("expressions")["made"] == 0
        uids = list(Segment.objects.values_list("uid", flat=True))
        assert max(map(len, uids)) == 200
        assert len(set(uids)) == len(uids)

    def test_of_many_refusals_the_first_are_named(self, scene: Impli) -> None:
        texts = [f"{number} were holding the baby shower list ." for number in range(60)]
        load(scene.project, {"many.tsv": "".join(bio(text, "FIGURATIVE", 2, 5) for text in texts)}, labels_as="gold")
        scene.bring("expressions")
        scene.defined(scene.people[1], {**DEFINED, "adversarial": ""})
        done = scene.bring("pairs")
        assert done["refused"] == {"inside-phrase": 60}
        assert len(done["named"]) == 50

    def test_many_sentences_take_no_more_queries(
        self, scene: Impli, django_assert_max_num_queries: Callable[[int], AbstractContextManager[object]]
    ) -> None:
        texts = [f"{number} of us were left holding the baby ." for number in range(30)]
        load(scene.project, {"many.tsv": "".join(bio(text, "FIGURATIVE", 5, 8) for text in texts)}, labels_as="gold")
        scene.bring("expressions")
        scene.defined(scene.people[1])
        stage = scene.stage("define")
        with django_assert_max_num_queries(40):
            assert make_pairs(stage=stage, after=0, by=None).made == 63
        scene.check_counters()

    def test_only_managers_make_them(self, scene: Impli) -> None:
        path = f"stages/{scene.stage('define').pk}/pairs/"
        for person, status in ((scene.people[0], 403), (make_user(), 404)):
            assert scene.send(person, "post", path, {"what": "pairs", "after": 0}).status_code == status
        assert scene.send(scene.manager, "post", path, {"what": "all"}).status_code == 400
        assert not Event.objects.filter(verb="pairs.made").exists()

    def test_labels_that_came_in_as_gold_are_marks_too(self, scene: Impli) -> None:
        project, label_layer = scene.project, scene.project.label_layer
        accept_agreed(project=project, layer=label_layer, language="en", by=None, without_overlap=True)
        before = Unit.objects.filter(kind="focus").count()
        scene.bring("expressions")
        assert Unit.objects.filter(kind="focus").count() == before, "an answer became one already"
        Unit.objects.filter(kind="focus").delete()
        scene.bring("expressions")
        (item,) = scene.claim(scene.people[1], "rewrite", 5)
        assert item["focus"] == [4, 5, 6]


@pytest.fixture(scope="class")
def to_define(made: Impli, kept_rows_of_class: None) -> dict[str, Any]:
    """Cai is about to define the expression."""
    (item,) = made.claim(made.people[2], "define")
    return item


class TestEmptyDefinitions:
    @pytest.mark.parametrize("empty", ["to", "To be.", "be"])
    @pytest.mark.parametrize("name", ["correct", "adversarial", "antonym"])
    def test_a_definition_of_to_or_be_alone_is_refused(
        self, scene: Impli, to_define: dict[str, Any], name: str, empty: str
    ) -> None:
        body = {"version": to_define["annotation"]["version"], "content": {**DEFINED, name: empty}, "done": True}
        response = scene.send(scene.people[2], "post", f"assignments/{to_define['id']}/save/", body)
        assert response.status_code == 400
        assert "has no meaning by itself" in response.json()["error"]["message"]
        assert not Annotation.objects.filter(layer__slug="definitions", state="done").exists()
        scene.save(scene.people[2], to_define, {**DEFINED, name: empty}, done=False)


@pytest.fixture(scope="class")
def brought(made: Impli, kept_rows_of_class: None) -> Impli:
    """A manager has brought expressions in line, so that they can be defined."""
    scene = copy.deepcopy(made)
    scene.bring("expressions")
    return scene


class TestPairsByRule:
    @pytest.fixture
    def scene(self, brought: Impli) -> Impli:
        return copy.deepcopy(brought)

    def test_pairs_are_made_by_the_four_rules(self, scene: Impli) -> None:
        _ana, ben, *_ = scene.people
        scene.defined(ben, {**DEFINED, "antonym": "to be free of any duty"})
        assert scene.bring("pairs") == {"made": 4, "withdrawn": 0, "refused": {}, "named": []}
        assert _pairs() == {
            DEFINITION: "fig_context_e",
            ADVERSARIAL: "adversarial_definition_ne",
            "Our branch was left free of any duty .": "antonym_definition_ne",
            IN_LITERAL: "lit_context_ne",
        }
        assert scene.bring("pairs")["made"] == 0, "they are there"
        assert Item.objects.filter(stage=scene.stage("validate")).count() == 4
        assert scene.claim(ben, "validate", 9) == [], "whoever wrote the definition does not judge it"
        assert Event.objects.filter(verb="pairs.made").count() == 1
        scene.check_counters()

    def test_what_is_literal_stays_so_under_another_name(self, scene: Impli) -> None:
        _ana, ben, *_ = scene.people
        layer = scene.project.label_layer
        rows = [LabelRow("FIGURATIVE", "FIG"), LabelRow("LITERAL", "PLAIN"), LabelRow("", "IDIOM")]
        change_scheme(layer=layer, plan=labels_plan(rows), version=layer.scheme_version, by=scene.manager)
        scene.defined(ben)
        assert scene.bring("pairs")["made"] == 3
        assert _pairs()[IN_LITERAL] == "lit_context_ne"
        layer.refresh_from_db()
        assert literal_labels(layer.scheme) == {"PLAIN"}, "a new label says nothing of the kind"

    def test_whoever_only_began_a_definition_judges_the_pairs_of_another(self, scene: Impli) -> None:
        ana, ben, *_ = scene.people
        (item,) = scene.claim(ana, "define")
        scene.save(ana, item, DEFINED, done=False)
        give_back([item["id"]], by=None, verb=Verb.ASSIGNMENT_FREED)
        scene.defined(ben)
        scene.bring("pairs")
        assert {unit.author for unit in Unit.objects.filter(kind="inference-pair")} == {ben}
        assert scene.claim(ben, "validate", 9) == []
        assert len(scene.claim(ana, "validate", 9)) == 3

    @pytest.mark.parametrize("then_changed", [False, True])
    def test_nobody_who_gave_the_same_definition_judges_its_pairs(self, scene: Impli, then_changed: bool) -> None:
        """Nor once they give another one, nor as an adjudicator; somebody with another definition does judge."""
        ana, ben, cai, _dan = scene.people
        Item.objects.filter(stage__kind="define").update(answers_wanted=3)
        same = {**DEFINED, "adversarial": "to carry an infant"}
        given = {person: scene.claim(person, "define")[0] for person in (ana, ben, cai)}
        other = {**DEFINED, "correct": "to have all the work", "adversarial": ""}
        unit = Unit.objects.get(kind="expression")
        for person, content in ((ana, DEFINED), (ben, same), (cai, other)):
            given[person]["annotation"] = scene.save(person, given[person], content)["annotation"]
        layer = scene.stage("define").layer
        if not then_changed:
            decide_gold(unit=unit.pk, layer=layer, content=DEFINED, by=scene.manager)
        scene.bring("pairs")
        if then_changed:
            scene.save(ben, given[ben], {**same, "correct": "to stay until the end"})
        pairs = Unit.objects.filter(kind="inference-pair")
        assert {pair.author for pair in pairs} == {ana}
        assert scene.claim(ana, "validate", 9) == []
        judged = scene.claim(ben, "validate", 9)
        assert [" ".join(one["unit"]["tokens"]).endswith(ADVERSARIAL) for one in judged] == [True], "not his own words"
        assert len(scene.claim(cai, "validate", 9)) == 3
        Membership.objects.filter(user=ben).update(role=Role.MANAGER)
        own = next(pair for pair in pairs if pair.text.endswith(DEFINITION))
        accept = {"verdict": "accept", "reason": "", "texts": [], "second": "yes"}
        with pytest.raises(ActionError, match="wrote this yourself"):
            decide_gold(unit=own.pk, layer=scene.stage("validate").layer, content=accept, by=ben)

    def test_a_pair_in_hand_is_not_judged_by_whoever_then_gives_its_definition(self, scene: Impli) -> None:
        ana, ben, *_ = scene.people
        Item.objects.filter(stage__kind="define").update(answers_wanted=2)
        scene.defined(ana)
        scene.bring("pairs")
        (pair,) = scene.claim(ben, "validate")
        scene.defined(ben)
        body = {"version": 0, "content": YES, "done": True}
        refused = scene.send(ben, "post", f"assignments/{pair['id']}/save/", body)
        assert refused.status_code == 400
        assert "wrote this yourself" in refused.json()["error"]["message"]
        assert not Annotation.objects.filter(user=ben, unit__kind="inference-pair").exists()

    def test_of_decided_definitions_whoever_decided_does_not_judge(self, scene: Impli) -> None:
        _ana, ben, *_ = scene.people
        scene.defined(ben)
        decided = {**DEFINED, "correct": "to be left responsible for everything"}
        layer, unit = scene.stage("define").layer, Unit.objects.get(kind="expression")
        decide_gold(unit=unit.pk, layer=layer, content=decided, by=scene.manager)
        scene.bring("pairs")
        assert {unit.author for unit in Unit.objects.filter(kind="inference-pair")} == {scene.manager}

    def test_another_definition_makes_other_pairs(self, scene: Impli) -> None:
        ana, ben, *_ = scene.people
        (item,) = scene.claim(ben, "define")
        saved = scene.save(ben, item, DEFINED)
        scene.bring("pairs")
        item["annotation"] = saved["annotation"]
        scene.save(ben, item, {"correct": "with all the work", "adversarial": "", "antonym": ""})
        done = scene.bring("pairs")
        assert done["refused"] == {"part-of-speech": 2}
        segments = dict(Unit.objects.filter(kind="sentence").values_list("segment", "tokens"))
        assert [
            (one["reason"], segments[one["segment"]] == one["sentence"].split(), one["definition"])
            for one in done["named"]
        ] == [("part-of-speech", True, "with all the work")] * 2
        assert {one["sentence"] for one in done["named"]} == {FIGURATIVE, LITERAL}
        assert (done["made"], done["withdrawn"]) == (0, 3)
        assert _pairs() == {}
        assert scene.claim(ana, "validate", 9) == []
        scene.check_counters()


@pytest.mark.processes
class TestParserWithAModel:
    @pytest.fixture(autouse=True)
    def parser(self, settings: Any) -> None:
        settings.PARSER, settings.PARSES = "spacy", "tests.kinds.impli.parses.parses"

    def test_it_is_asked_in_a_process_of_its_own(self, scene: Impli) -> None:
        scene.bring("expressions")
        scene.defined(scene.people[1])
        done = scene.bring("pairs")
        assert (done["made"], done["withdrawn"], done["refused"]) == (2, 0, {"inside-phrase": 1})
        assert set(_pairs()) == {DEFINITION, ADVERSARIAL}, "“while” is in a phrase with “baby” for this parser"
        assert Event.objects.get(verb="pairs.made").after["parser"] == "spacy"
        # In a small project, too: its rules are run for each expression.
        assert list(counted(scene.project, ["pair-classes", "silver-pairs"]).figures) == ["pair-classes"]
        (row,) = FURTHER["silver-pairs"].compute(scene.project).rows
        assert row == {"language": "en", "expressions": 1, "pairs": 2}
        scene.check_counters()

    def test_where_it_cannot_be_used_the_answer_says_why_and_nothing_changes(self, scene: Impli, settings: Any) -> None:
        settings.PARSER = "stanza"
        scene.bring("expressions")
        scene.defined(scene.people[1])
        path = f"stages/{scene.stage('define').pk}/pairs/"
        refused = scene.send(scene.manager, "post", path, {"what": "pairs", "after": 0})
        assert (refused.status_code, refused.json()["error"]["message"]) == (
            400,
            "There are no models of the language en.",
        )
        assert _pairs() == {}


@pytest.fixture(scope="class")
def judged(made: Impli, kept_rows_of_class: None) -> Impli:
    """Pairs were made of an accepted definition; two people found two of them right, and one label wrong."""
    scene = copy.deepcopy(made)
    ana, ben, cai, _dan = scene.people
    scene.bring("expressions")
    scene.defined(ben)
    scene.bring("pairs")
    for person in (ana, cai):
        scene.judged(person, DEFINITION, YES)
        scene.judged(person, ADVERSARIAL, NO)
        scene.judged(person, IN_LITERAL, YES)
    accept_agreed(
        project=scene.project, layer=scene.stage("define").layer, language="en", by=None, without_overlap=True
    )
    return scene


class TestJudgedPairs:
    @pytest.fixture
    def scene(self, judged: Impli) -> Impli:
        return copy.deepcopy(judged)

    def test_valid_pairs_go_out_under_the_published_names(self, scene: Impli) -> None:
        assert Gold.objects.filter(layer=scene.stage("validate").layer).count() == 3
        found = PARTS["impli"].compute(scene.project)
        dataset = _dataset()
        assert {path: data.decode() for path, data in found.files.items()} == {
            f"impli/en/fig_context_{dataset}_e.tsv": f"{FIGURATIVE}\t{DEFINITION}\t\n",
            f"impli/en/adversarial_definition_ne_{dataset}.tsv": f"{FIGURATIVE}\t{ADVERSARIAL}\t\n",
        }
        assert [one.reason.code for one in found.left_out] == ["label found wrong"]  # type: ignore[union-attr]  # of pairs
        labels = scene.project.label_layer
        accept_agreed(project=scene.project, layer=labels, language="en", by=None, without_overlap=True)
        assert set(found.files) <= set(release_files(scene.project, partial=True).files)

    def test_pairs_made_from_text_that_may_not_be_published_stay_out(self, scene: Impli) -> None:
        (sentence,) = [unit for unit in Unit.objects.filter(kind="sentence") if unit.text == FIGURATIVE]
        sentence.imported = Import.objects.create(
            project=scene.project, dataset="set", publishable=False, published_at=sentence.created_at
        )
        sentence.save()
        found = PARTS["impli"].compute(scene.project)
        assert found.files == {}
        assert sorted(str(one.reason) for one in found.left_out) == [
            "label found wrong",
            "text that may not be published in en",
            "text that may not be published in en",
        ]

    def test_reports_count_by_class_and_by_verdict(self, scene: Impli) -> None:
        (valid, *_) = [
            row for row in FURTHER["valid-pairs"].compute(scene.project).rows if row["name"] == "fig_context_e"
        ]
        assert (valid["verdicts"], valid["well_formed"], valid["label_right"]) == (2, 2, 2)
        # Two verdicts on one pair are one trial.
        assert (valid["pairs"], valid["valid"], valid["%"], valid["interval"]) == (1, 1, "100.0", "20.7–100.0")
        wrong = [row for row in FURTHER["valid-pairs"].compute(scene.project).rows if row["name"] == "lit_context_ne"]
        assert [(row["well_formed"], row["label_right"], row["%"]) for row in wrong] == [(2, 0, "0.0")]
        ways = {row["name"]: row for row in FURTHER["pair-classes"].compute(scene.project).rows}
        assert {name: (row["entailed"], row["not_entailed"]) for name, row in ways.items()} == {
            "fig_context": (1, 0),
            "adversarial_definition": (0, 1),
        }
        pages = {
            name: {row[2] for row in FURTHER[name].compute(scene.project).cells}
            for name in ("pair-classes", "valid-pairs")
        }
        assert pages["pair-classes"] == {
            "Figurative use and definition",
            "Figurative use and adversarial definition",
        }
        assert "Literal use and definition: not entailed" in pages["valid-pairs"]
        assert not any("_" in name for names in pages.values() for name in names)
        (silver,) = FURTHER["silver-pairs"].compute(scene.project).rows
        assert (silver["expressions"], silver["pairs"], silver["verb_form"]) == (1, 3, 0)


class TestRelease:
    @pytest.mark.parametrize("terms", [(False,), (True, False)], ids=["at-once", "definition-later"])
    def test_pairs_made_from_a_definition_that_may_not_be_published_stay_out(
        self, scene: Impli, terms: tuple[bool, ...]
    ) -> None:
        """The sentence may be; the definition came from a dictionary, and somebody took it over or corrected it."""
        ana, ben, cai, _dan = scene.people
        for number, publishable in enumerate(terms):
            row = f"hold the baby\t{'to be there' if number + 1 < len(terms) else DEFINED['correct']}\n"
            files: dict[str, str | bytes] = {"words.tsv": "expression\tdefinition\n" + row}
            name = f"dictionary-{number}"
            load(scene.project, files, dataset="words", labels_as="model", labels_name=name, publishable=publishable)
        assert scene.bring("expressions")["made"] == 0
        scene.defined(ben)
        scene.bring("pairs")
        for person in (ana, cai):
            scene.judged(person, DEFINITION, YES)
        labels = scene.project.label_layer
        accept_agreed(project=scene.project, layer=labels, language="en", by=None, without_overlap=True)

        release = release_files(scene.project, partial=True)

        assert PARTS["impli"].compute(scene.project).files == {}
        with_it = {path for path, content in release.files.items() if b"responsible" in content}
        assert with_it <= {"guidelines/en.md"}, "whose words are our own"
        assert FIGURATIVE in release.files["sentences.jsonl"].decode().replace('", "', " ")
        assert {one["reason"] for one in release.left_out if one["kind"] == "pair"} == {
            "text that may not be published in en"
        }
        Import.objects.update(publishable=True)
        assert b"responsible" in PARTS["impli"].compute(scene.project).files[f"impli/en/fig_context_{_dataset()}_e.tsv"]

    def test_the_question_that_pairs_come_with_stays(self, scene: Impli) -> None:
        """Its answers are compared with the labels; nobody is shown its code in a form."""
        stage = scene.stage("validate")
        body = {"question": "Is it so?", "values": ["yes", "no"]}
        refused = scene.send(scene.manager, "post", f"stages/{stage.pk}/question/", body)
        assert refused.status_code == 400
        assert "fixed second question" in refused.json()["error"]["message"]
        stage.layer.refresh_from_db()
        assert stage.layer.scheme_data["question"] == "follows"
        page = client_of(scene.manager)
        page.force_login(scene.manager)
        assert "second-question" not in page.get(f"/projects/inference/stages/{stage.pk}/work/").content.decode()

    def test_a_pair_that_nobody_accepted_yet_stays_out(self, scene: Impli) -> None:
        scene.bring("expressions")
        scene.defined(scene.people[1])
        scene.bring("pairs")
        found = PARTS["impli"].compute(scene.project)
        assert found.files == {}
        assert {str(one.reason) for one in found.left_out} == {"no gold in en"}
        assert LITERAL in {row.text for row in Unit.objects.all()}
