"""Nothing is preset where answers of any kind of work are decided on: Enter decides nothing before a choice."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Web, open_stage, sign_in
from tests.browser.test_workspaces import look

pytestmark = pytest.mark.browser

SETUP = """
from annotator.work.gold.actions.adjudication import refresh_adjudication
from annotator.work.queue.actions.items import enter_stages
from annotator.projects.actions.stages import add_stages
from annotator.core.kind import create_units
from annotator.core.presets import StageSpec
tokens = ["She", "felt", "a", "wave", "of", "joy", "yesterday."]
sentence = make_sentence(project, " ".join(tokens), language="en")
add_stages(project=project, by=None, specs=[
    StageSpec("substitute", "en", mode="blind", answers_wanted=5),
    StageSpec("choose-best", "en", mode="blind", answers_wanted=3, made_from="substitute"),
    StageSpec("inapt", "en", made_from="substitute"),
    StageSpec("define", "en"),
    StageSpec("write-pair", "en"),
    StageSpec("validate", "en", made_from="write-pair"),
    StageSpec("categories", "en", made_from="validate"),
    StageSpec("rate", "en", mode="blind"),
    StageSpec("best-worst", "en", mode="blind"),
])
def unit(kind, uid, tokens, **more):
    segment = Segment.objects.create(project=project, uid=uid, kind=kind, dataset="set", position=1)
    made = Unit.objects.create(
        project=project, segment=segment, kind=kind, language="en", tokens=tokens, token_count=len(tokens),
        touches=[segment.pk], **more,
    )
    made.parents.add(sentence)
    return made
lines = ["", " ", " ", " ", "\\n", " ", " ", " ", "\\n", "\\n", ""]
marked = unit("marked", "set:1:3", tokens)
words = unit("words", "set:1:3:words", ["surge", "rush"])
expression = unit("expression", "set:en:joy", ["wave", "of", "joy"])
pair = unit("figurative-pair", "set:3", [*("Joy", "is", "a", "sun.") * 2, "Good.", "Bad."], spaces=lines)
for text in ("It rains .", "It pours .", "It snows .", "It hails ."):
    make_sentence(project, text, language="en")
enter_stages(project, [marked, words, expression, pair])
stages = {one.kind: one for one in project.stages.filter(language="en")}
create_units(stages["best-worst"], user, 1)
tuple_ = Unit.objects.filter(project=project, kind=stages["best-worst"].layer.unit_kind).first()
def inapt(word):
    return {"words": [{"word": word, "sense": "", "synset": ""}], "none": False}
def verdict(said, reason=""):
    return {"verdict": said, "reason": reason, "texts": [], "second": None}
answers = {
    "substitute": (marked, {"word": "surge", "reason": ""}, {"word": "rush", "reason": ""}),
    "choose-best": (words, {"words": ["surge"], "none": False}, {"words": [], "none": True}),
    "inapt": (marked, inapt("coming"), inapt("going")),
    "define": (
        expression, {"correct": "much joy", "adversarial": "a beach", "antonym": ""},
        {"correct": "sudden joy", "adversarial": "", "antonym": "sorrow"},
    ),
    "validate": (pair, verdict("accept"), verdict("reject", "incoherent")),
    "categories": (pair, {"answers": [["object"], []]}, {"answers": [["visual"], ["social"]]}),
    "rate": (sentence, {"value": 1}, {"value": 4}),
    "best-worst": (tuple_, {"best": 0, "worst": 3}, {"best": 1, "worst": 2}),
}
made["judge"] = make_member(project, "adjudicator").username
made["stages"] = {}
two = [make_member(project), make_member(project)]
for kind, (about, *said) in answers.items():
    layer = stages[kind].layer
    judging = stage_of(project, "adjudicate", "en", layer=layer.slug) if project.stages.filter(
        kind="adjudicate", language="en", layer=layer).exists() else None
    if judging is None:
        add_stages(project=project, by=None, specs=[StageSpec("adjudicate", "en", layer=layer.slug)])
        judging = stage_of(project, "adjudicate", "en", layer=layer.slug)
    for person, content in zip(two, said):
        Annotation.objects.create(
            project=project, unit=about, layer=layer, user=person, stage=stages[kind], content=content, state="done"
        )
    Item.objects.filter(unit=about, stage__layer=layer).update(answers_wanted=1)
    refresh_adjudication(project=project, unit=about, layer=layer)
    made["stages"][kind] = [judging.pk, layer.slug]
"""


def test_nothing_is_decided_before_something_is_chosen_in_any_kind_of_work(page: Page, web: Web) -> None:
    made = web.new_project(SETUP)
    sign_in(page, web, made["judge"])
    done = page.locator("[data-command=done]")
    wrong = []
    for kind, (stage, layer) in made["stages"].items():
        gold = (
            f"out([one.content for one in Gold.objects.filter(project__slug={made['slug']!r}, layer__slug={layer!r})])"
        )
        second = (
            f"out([one.content for one in Annotation.objects.filter(project__slug={made['slug']!r}, "
            f"layer__slug={layer!r}).order_by('pk')][1])"
        )
        open_stage(page, web, made["slug"], stage)
        expect(done).to_contain_text("left")
        expect(done).to_be_disabled()
        expect(page.locator(".decision-option[aria-pressed=true]")).to_have_count(0)
        look(page, f"adjudicate-{kind}")
        page.keyboard.press("Enter")
        expect(page.locator("#ws-alerts")).to_contain_text("Choose an answer")
        page.keyboard.press("Shift+Digit2")
        expect(done).to_be_enabled()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Nothing left in this stage")).to_be_visible()
        decided, expected = web.python(gold), web.python(second)
        if decided != [expected]:
            wrong.append((kind, decided, expected))
    assert wrong == []
