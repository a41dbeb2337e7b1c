"""Labelling under a scheme of several labels, in the browser: MIPVU by keys, by pointer on a phone, and adjudicated."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Web, is_saved, open_stage, sign_in

pytestmark = pytest.mark.browser

MIPVU = """
from annotator.domain.labels.shipped_schemes import MIPVU
layer = project.label_layer
layer.scheme_data = MIPVU.to_json()
layer.save()
stage = stage_of(project, "correct")
made["stage"] = stage.pk
for text in ["Como un río , la deuda crece", "Y ellos también lo hacen", "Nada"]:
    make_sentence(project, text)
"""


def saved(web: Web, user: str) -> list[Any]:
    """What a person has saved, in reading order: state, and tokens, label and attributes of each span."""
    found: list[Any] = web.python(
        f"rows = Annotation.objects.filter(user__username={user!r}).order_by('unit__segment__position')\n"
        "out([[r.state, [[s['tokens'], s['label'], s['attributes']] for s in r.content['spans']]] for r in rows])"
    )
    return found


def test_mipvu_by_keys_alone(page: Page, web: Web) -> None:
    made = web.new_project(MIPVU)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    press = page.keyboard.press

    # Signal on the first word, direct on the third, indirect on the last one: borderline, and a personification.
    press("Home")
    press("4")
    expect(page.locator(".chip[data-token='0'] .label-name")).to_have_text("Signal (MFlag)")
    press("ArrowRight")
    press("ArrowRight")
    press("1")
    press("2")
    expect(page.locator(".chip[data-token='2'] .label-name")).to_have_text("Direct")
    press("End")
    press("1")
    press("w")
    press("o")
    panel = page.locator(".attributes")
    expect(panel.get_by_role("button", name="WIDLII")).to_have_attribute("aria-pressed", "true")
    # The key of an attribute goes through its values; the panel is reached, and left, by keys, too.
    press("o")
    expect(panel.get_by_role("button", name="PP")).to_have_attribute("aria-pressed", "false")
    press("a")
    press("Tab")
    press("Enter")
    expect(panel.get_by_role("button", name="PP")).to_have_attribute("aria-pressed", "true")
    press("Escape")
    expect(page.locator(".chip:focus .chip-text")).to_have_text("crece")
    press("Enter")

    # An ellipsis stands for a metaphor, and no word bears it.
    expect(page.locator(".chip-text").first).to_have_text("Y")
    press("0")
    expect(page.locator(".sentence-labels button")).to_have_attribute("aria-pressed", "true")
    press("Enter")
    expect(page.locator(".chip-text").first).to_have_text("Nada")
    press("0")
    press("u")
    press("Enter")
    is_saved(page)

    assert saved(web, made["user"]) == [
        [
            "done",
            [
                [[0], "MFLAG", {}],
                [[2], "DIRECT", {}],
                [[6], "INDIRECT", {"borderline": "WIDLII", "personification": "PP"}],
            ],
        ],
        ["done", [[[], "IMPLICIT", {}]]],
        ["done", []],
    ]


def test_enter_finishes_after_a_click_on_a_button(page: Page, web: Web) -> None:
    made = web.new_project(MIPVU)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    first = page.locator("#ws-body").get_attribute("data-key")

    doubt = page.locator("#ws-actions [data-command=doubt]")
    doubt.click()
    expect(doubt).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")

    expect(page.locator(f"#ws-body[data-key='{first}']")).to_have_count(0)
    is_saved(page)
    # By keys a button is pressed as ever.
    doubt.focus()
    page.keyboard.press("Enter")
    expect(doubt).to_have_attribute("aria-pressed", "true")


def test_mipvu_by_finger_on_a_phone(new_page: Any, web: Web) -> None:
    made = web.new_project(MIPVU)
    page = new_page(viewport=PHONE, has_touch=True)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    page.locator(".chip[data-token='6']").tap()
    page.locator(".attributes").get_by_role("button", name="WIDLII").tap()
    page.locator(".sentence-labels").get_by_role("button", name="Implicit").tap()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("[data-command=done]").tap()
    is_saved(page)
    assert saved(web, made["user"]) == [
        ["done", [[[], "IMPLICIT", {}], [[6], "INDIRECT", {"borderline": "WIDLII"}]]],
    ]


DOMAINS = """
from tests.factories import make_label_layer
from annotator.projects.actions.stages import add_stages
from annotator.work.lexicon.actions.terms import count_terms
from annotator.domain.labels.shipped_schemes import conceptual_domains
from annotator.core.presets import StageSpec
layer = make_label_layer(project, "domains", conceptual_domains())
add_stages(project=project, specs=[StageSpec("correct", "es", "domains")], by=None)
made["stage"] = project.stages.get(layer=layer).pk
for text in ["La deuda crece", "El tiempo vuela"]:
    make_sentence(project, text)
said = {"tokens": [0], "label": "CONCEPTUAL", "attributes": {"source": "PLANT"}, "score": None}
count_terms(layer, None, {"spans": [said]})
"""


def test_what_is_obligatory_is_asked_for_before_an_item_is_done(page: Page, web: Web) -> None:
    made = web.new_project(
        MIPVU
        + """
layer.scheme_data["attributes"]["borderline"] = {"values": ["WIDLII", "clear"], "obligatory": True, "key": "w"}
layer.save()
"""
    )
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    press = page.keyboard.press
    press("Home")
    press("1")
    press("End")
    press("Enter")
    # Not done: the focus is where the answer is missing.
    expect(page.locator(".attributes button:focus")).to_have_text("WIDLII")
    expect(page.locator(".chip-text").first).to_have_text("Como")
    press("Tab")
    press("Enter")
    press("Escape")
    press("Enter")
    expect(page.locator(".chip-text").first).to_have_text("Y")
    is_saved(page)
    assert saved(web, made["user"])[0] == ["done", [[[0], "INDIRECT", {"borderline": "clear"}]]]


def domains_saved(web: Web, user: str) -> list[Any]:
    """The words of the units of a person's first answer."""
    [answer, *_] = saved(web, user)
    return [tokens for tokens, _label, _attributes in answer[1]]


def test_units_that_share_words_by_keys(page: Page, web: Web) -> None:
    made = web.new_project(DOMAINS)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    press = page.keyboard.press
    press("Home")
    press("Shift+ArrowRight")
    press("Shift+ArrowRight")
    # All three words are a unit; the last two are another one inside it.
    press("Shift+M")
    expect(page.locator(".ws-hint")).to_contain_text("Another span on “crece”")
    press("ArrowLeft")
    press("Space")
    press("m")
    expect(page.locator(".units-here button")).to_have_text(["La deuda crece", "deuda crece"])
    expect(page.locator(".chip[data-token='1'] .lane-on")).to_have_count(2)
    expect(page.locator(".chip[data-token='0'] .lane-on")).to_have_count(1)
    # The one that is meant is edited by itself: one word less, taken back, and the other one, which is chosen then.
    press("Space")
    expect(page.locator(".chip[data-token='1'] .lane-on")).to_have_count(1)
    press("u")
    expect(page.locator(".chip[data-token='1'] .lane-on")).to_have_count(2)
    press("Shift+N")
    expect(page.locator(".units-here button[aria-pressed=true]")).to_have_text("deuda crece")
    press("Enter")
    expect(page.locator(".chip-text").first).to_have_text("El")
    is_saved(page)
    assert domains_saved(web, made["user"]) == [[0, 1, 2], [1, 2]]


def test_units_that_share_words_by_pointer_and_finger(new_page: Any, web: Web) -> None:
    made = web.new_project(DOMAINS)
    page = new_page(viewport=PHONE, has_touch=True)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    chip = [page.locator(f".chip[data-token='{token}']") for token in range(3)]
    chip[0].tap()
    chip[2].click(modifiers=["Shift"])
    another = page.get_by_role("button", name="Add another span here")
    another.tap()
    chip[1].tap()
    page.locator("[data-command=joining]").tap()
    expect(page.locator(".units-here button")).to_have_text(["La deuda crece", "deuda crece"])
    # Chosen, begun and taken back by finger, too.
    page.locator(".units-here button").first.tap()
    expect(page.locator(".units-here button").first).to_have_attribute("aria-pressed", "true")
    another.tap()
    expect(page.locator(".ws-hint")).to_contain_text("Another span on “deuda”")
    expect(page.locator(".chip[data-token='1'] .lane-on")).to_have_count(3)
    page.locator("[data-command=undo]").tap()
    expect(page.locator(".chip[data-token='1'] .lane-on")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("[data-command=done]").tap()
    is_saved(page)
    assert domains_saved(web, made["user"]) == [[0, 1, 2], [1, 2]]


def test_domains_are_written_by_keys_and_offered_to_whoever_comes_next(page: Page, web: Web) -> None:
    made = web.new_project(DOMAINS)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    press = page.keyboard.press
    press("End")
    press("Space")
    press("a")
    expect(page.locator("datalist option").first).to_have_attribute("value", "PLANT")
    page.keyboard.type("PLANT")
    press("Enter")
    # What is written finishes the item with Ctrl+Enter, whether or not the field was left.
    page.keyboard.type("money  matters")
    press("Control+Enter")
    expect(page.locator(".chip-text").first).to_have_text("El")
    is_saved(page)
    assert saved(web, made["user"]) == [
        ["done", [[[2], "CONCEPTUAL", {"source": "PLANT", "target": "money matters"}]]],
    ]
    press("End")
    press("Space")
    press("a")
    press("Tab")
    expect(page.locator("datalist").last.locator("option")).to_have_attribute("value", "money matters")


def test_adjudicating_mipvu_takes_combines_and_edits_labels_attributes_and_the_sentences_own(
    page: Page, web: Web
) -> None:
    made = web.new_project(
        MIPVU
        + """
from annotator.work.gold.actions.adjudication import refresh_adjudication
first = Sentence.objects.filter(project=project).order_by("segment__position").first()
borderline = {**span(6, label="INDIRECT"), "attributes": {"borderline": "WIDLII"}}
make_annotation(first, make_member(project), [span(label="IMPLICIT"), borderline])
make_annotation(first, make_member(project), [span(6, label="INDIRECT")])
refresh_adjudication(project=project, unit=first, layer=layer)
made["judge"] = make_member(project, role="adjudicator", username=f"judge{project.pk}").username
made["stage"] = stage_of(project, "adjudicate").pk
made["unit"] = first.pk
"""
    )
    sign_in(page, web, made["judge"])
    open_stage(page, web, made["slug"], made["stage"])
    press = page.keyboard.press
    expect(page.locator(".decision").first).to_contain_text("WIDLII")
    expect(page.locator("[data-command=done]")).to_contain_text("2 differences left")
    expect(page.locator(".decision").last).to_contain_text("On the sentence")
    # Digits take answers, with Shift all of one; where one edits, they are labels.
    press("Shift+Digit1")
    press("e")
    press("0")
    press("Home")
    press("4")
    press("End")
    press("w")
    press("c")
    page.keyboard.type("clear enough")
    press("Control+Enter")
    page.wait_for_selector(".ws-idle .button")
    is_saved(page)
    gold = web.python(f"out(Gold.objects.get(unit={made['unit']}).content['spans'])")
    assert [[one["tokens"], one["label"], one["attributes"]] for one in gold] == [
        [[0], "MFLAG", {}],
        [[6], "INDIRECT", {}],
    ]


def test_reviewing_a_projection_under_mipvu_keeps_labels_and_what_stands_on_the_sentence(page: Page, web: Web) -> None:
    made = web.new_project(
        MIPVU
        + """
source = Sentence.objects.filter(project=project).order_by("segment__position").first()
target = make_sentence(project, "Like a river debt grows", language="en", segment=source.segment)
said = [span(label="IMPLICIT"), span(4, label="INDIRECT")]
suggestion = make_projection(source, target, said, [span(label="IMPLICIT"), span(6, label="INDIRECT")])
outcomes = [{"source": a, "outcome": "projected", "reason": "", "target": b, "left_out": []}
            for a, b in zip(suggestion.detail["source_spans"], said)]
Suggestion.objects.filter(pk=suggestion.pk).update(detail={**suggestion.detail, "outcomes": outcomes})
made["stage"] = stage_of(project, "project-review", "en").pk
"""
    )
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    outcomes = page.locator(".decisions").first
    expect(outcomes).to_contain_text("On the sentence")
    expect(outcomes).to_contain_text("Indirect")
    expect(page.locator(".sentence-labels button")).to_have_attribute("aria-pressed", "true")
    press = page.keyboard.press
    press("End")
    press("k")
    press("w")
    press("0")
    expect(outcomes).to_contain_text("lost")
    press("0")
    expect(outcomes).to_contain_text("kept")
    press("Enter")
    is_saved(page)
    assert saved(web, made["user"]) == [
        ["done", [[[], "IMPLICIT", {}], [[4], "INDIRECT", {"borderline": "WIDLII"}]]],
    ]
