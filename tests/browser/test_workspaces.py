"""The workspaces as people use them: keyboard, slow server, two windows, no network, blind."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import PHONE, Web, is_saved, open_stage, sign_in, sign_in_with_form

pytestmark = pytest.mark.browser

SENTENCES = """
stage = stage_of(project, "correct")
made["stage"] = stage.pk
for text in TEXTS:
    make_sentence(project, text)
first = Sentence.objects.filter(project=project).order_by("segment__position").first()
make_prediction(first, [span(1)], [0.02, 0.81, 0.1, 0.07])
"""
TEXTS = [
    "Ardían las viejas promesas",
    "Nadie llegó a fin de mes",
    "El puente une dos orillas",
    "La tarde cae sin prisa",
]


def corpus(web: Web, texts: list[str] = TEXTS) -> dict[str, Any]:
    return web.new_project(f"TEXTS = {texts!r}\n{SENTENCES}")


def shown(page: Page) -> str:
    return " ".join(page.locator(".tokens .chip-text").all_inner_texts())


def text_is(page: Page, text: str, *, seconds: float = 30) -> None:
    expect(page.locator(".tokens .chip-text")).to_have_text(text.split(" "), timeout=seconds * 1000)


def look(page: Page, name: str) -> None:
    """Nothing sticks out on a laptop and on a phone."""
    for width, height in ((390, 844), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, width)


# Keys that reach the page one right after the other, before it has painted anything.
PRESS_AT_ONCE = """(keys) => {
    for (const [key, more] of keys) {
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...more }));
    }
}"""


def is_seen(page: Page) -> None:
    expect(page.locator("#ws-body")).not_to_have_attribute("data-unseen", "")


def test_enter_pressed_twice_finishes_one_sentence(page: Page, web: Web) -> None:
    made = corpus(web)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    text_is(page, TEXTS[0])
    is_seen(page)

    page.evaluate(PRESS_AT_ONCE, [["Enter", {}], ["Enter", {}], ["Enter", {"ctrlKey": True}]])
    text_is(page, TEXTS[1])
    # Held down, it finishes nothing either, however long the sentence is there; in a field neither.
    is_seen(page)
    page.evaluate(PRESS_AT_ONCE, [["Enter", {"repeat": True}]])
    page.locator(".ws-comment").focus()
    page.evaluate(PRESS_AT_ONCE, [["Enter", {"repeat": True, "ctrlKey": True}]])
    text_is(page, TEXTS[1])
    page.keyboard.press("Control+Enter")
    text_is(page, TEXTS[2])
    is_saved(page)
    assert [state for _text, state, _spans in web.spans(made["slug"], made["user"])] == ["done", "done"]


def test_who_labels_a_new_sentence_has_seen_it(page: Page, web: Web) -> None:
    made = corpus(web)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    text_is(page, TEXTS[0])
    is_seen(page)
    # Nothing that somebody quick presses is dropped: a label, and on.
    page.evaluate(PRESS_AT_ONCE, [["Enter", {}], ["Home", {}], [" ", {}], ["Enter", {}]])
    text_is(page, TEXTS[2])
    is_saved(page)
    assert [spans for _text, _state, spans in web.spans(made["slug"], made["user"])] == [[[1]], [[0]]]


def test_three_sentences_with_the_keyboard_alone(page: Page, web: Web) -> None:
    made = corpus(web)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    press = page.keyboard.press

    # The suggestion has the focus; off it goes, and the likeliest word that nobody labelled is labelled.
    text_is(page, TEXTS[0])
    assert page.locator(".chip:focus .chip-text").inner_text() == "las"
    press("Space")
    expect(page.locator(".chip[data-token='1']")).to_have_attribute("aria-pressed", "false")
    press("Home")
    press("Space")
    press("Enter")

    # A unit of words that are no neighbours, one wrong press undone.
    text_is(page, TEXTS[1])
    press("Home")
    press("ArrowRight")
    press("m")
    press("ArrowRight")
    press("ArrowRight")
    press("Space")
    press("End")
    press("Space")
    press("u")
    press("ArrowLeft")
    press("ArrowLeft")
    press("ArrowRight")
    press("ArrowRight")
    press("Space")
    press("m")
    press("Enter")

    # Nothing to label: done all the same, in doubt, with a comment.
    text_is(page, TEXTS[2])
    press("d")
    press("c")
    page.keyboard.type("¿une? n p d")
    press("Escape")
    press("Enter")

    text_is(page, TEXTS[3])
    is_saved(page)
    assert web.spans(made["slug"], made["user"]) == [
        [TEXTS[0], "done", [[0]]],
        [TEXTS[1], "done", [[1, 3, 5]]],
        [TEXTS[2], "done", []],
    ]
    third = web.python(
        f"a = Annotation.objects.get(user__username={made['user']!r}, doubt=True)\nout([a.unit.text, a.comment])"
    )
    assert third == [TEXTS[2], "¿une? n p d"]


def test_keys_pressed_faster_than_the_server_answers_act_on_the_sentence_that_is_shown(page: Page, web: Web) -> None:
    texts = [f"Frase número {number}" for number in range(200)]
    made = corpus(web, texts)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    expect(page.locator("#ws-progress-text")).not_to_be_empty()
    waiting: list[Route] = []
    slow = [True]
    page.route("**/save/", lambda route: waiting.append(route) if slow else route.continue_())
    page.wait_for_load_state("networkidle")
    press = page.keyboard.press
    for _ in range(20):
        press("End")
        press("Space")
        press("Enter")
    # Twenty were there; the next is not, so these keys must do nothing.
    expect(page.locator(".ws-loading")).to_have_text("Loading next…")
    press("Home")
    press("Space")
    press("Enter")
    assert len(waiting) == 1
    slow.clear()
    waiting[0].continue_()
    # Twenty saves and a claim go out one after the other.
    text_is(page, texts[20], seconds=60)
    is_saved(page)
    done = [[[1], [2]], *[[[2]]] * 19]  # the first one had a suggestion
    assert web.spans(made["slug"], made["user"]) == [
        [text, "done", spans] for text, spans in zip(texts, done, strict=False)
    ]


def test_two_windows_that_disagree_are_compared(page: Page, web: Web) -> None:
    made = corpus(web)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    web.python(
        "from django.utils import timezone\nfrom annotator.work.answering.actions.annotations import save_annotation\n"
        f"row = Assignment.objects.get(user__username={made['user']!r}, unit__tokens__0='Ardían')\n"
        "save_annotation(project=row.project, assignment=row.pk, version=0, content={'spans': [span(3)]}, doubt=True,"
        " comment='theirs', done=True, by=row.user, now=timezone.now())"
    )
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    # A key meant for the sentence behind it decides nothing.
    page.keyboard.press("Enter")
    page.keyboard.press("1")
    expect(dialog).to_be_visible()
    assert dialog.locator(".conflict-mine mark bdi").all_inner_texts() == ["Ardían", "las"]
    assert dialog.locator(".conflict-theirs mark bdi").all_inner_texts() == ["promesas"]
    assert web.spans(made["slug"], made["user"])[0] == [TEXTS[0], "done", [[3]]]
    dialog.get_by_role("button", name="Combine the labels").click()
    expect(dialog).to_have_count(0)
    is_saved(page)
    assert web.spans(made["slug"], made["user"]) == [[TEXTS[0], "done", [[0], [1], [3]]]]


def test_what_cannot_be_saved_is_kept_and_tried_again(page: Page, web: Web) -> None:
    made = corpus(web)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    text_is(page, TEXTS[1])
    expect(page.locator("#ws-status")).to_contain_text("Not saved")
    expect(page.locator("#ws-alerts")).to_contain_text("Nothing is lost")
    assert web.spans(made["slug"], made["user"]) == []

    page.context.set_offline(False)
    is_saved(page)
    expect(page.locator("#ws-alerts")).to_be_empty()
    assert web.spans(made["slug"], made["user"])[0] == [TEXTS[0], "done", [[0], [1]]]


def test_undo_goes_from_the_page_to_the_server(page: Page, web: Web) -> None:
    made = corpus(web)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    page.keyboard.press("Delete")
    page.keyboard.press("Enter")
    is_saved(page)
    assert web.spans(made["slug"], made["user"])[0] == [TEXTS[0], "done", []]
    page.reload()
    text_is(page, TEXTS[1])
    page.keyboard.press("b")
    text_is(page, TEXTS[0])
    page.keyboard.press("u")
    expect(page.locator(".chip[data-token='1']")).to_have_attribute("aria-pressed", "true")
    assert web.spans(made["slug"], made["user"])[0] == [TEXTS[0], "open", [[1]]]


def test_keys_of_one_letter_can_be_switched_off(page: Page, web: Web) -> None:
    made = corpus(web)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    page.keyboard.press("?")
    page.get_by_label("Use single-character keys (letters, numbers, signs)").uncheck()
    # The reload would cut off what has not been saved yet.
    expect(page.locator("dialog [role=status]")).to_have_text("Saved. Your keys apply in every workspace.")
    page.keyboard.press("Escape")
    page.reload()
    text_is(page, TEXTS[0])
    page.keyboard.press("d")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    text_is(page, TEXTS[1])
    is_saved(page)
    assert web.spans(made["slug"], made["user"])[0] == [TEXTS[0], "done", []]
    assert web.python(f"out(Annotation.objects.filter(project__slug={made['slug']!r}, doubt=True).count())") == 0


def test_an_item_that_comes_again_is_answered_like_any_other(page: Page, web: Web) -> None:
    made = web.new_project(
        "stage = stage_of(project, 'correct')\n"
        "Stage.objects.filter(pk=stage.pk).update(again=5)\n"
        "for number in range(52):\n"
        "    sentence = make_sentence(project, f'Llega la noche {number}')\n"
        "    row = make_assignment(sentence, user, stage, done=True)\n"
        "    at = timezone.now() - timedelta(days=1) + timedelta(minutes=number)\n"
        "    Assignment.objects.filter(pk=row.pk).update(done_at=at)\n"
        "    make_annotation(sentence, user, [span(0)])\n"
        "make_sentence(project, 'Cae la tarde')\n"
        "made['stage'] = stage.pk"
    )
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    text_is(page, "Cae la tarde")
    page.keyboard.press("Enter")
    expect(page.locator(".tokens .chip-text").first).to_have_text("Llega")
    expect(page.locator(".chip[aria-pressed=true]")).to_have_count(0)
    again = shown(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Nothing left in this stage")).to_be_visible()
    is_saved(page)
    repeats = web.python(
        "rows = Repeat.objects.filter(project__slug=" + repr(made["slug"]) + ")\n"
        "words = lambda content: content['spans'][0]['tokens']\n"
        "out([[' '.join(r.assignment.unit.tokens), words(r.answer['content']), words(r.first)] for r in rows])"
    )
    assert repeats == [[again, [2], [0]]]
    # It can be gone back to, and undone, as any other.
    page.keyboard.press("b")
    text_is(page, again)
    expect(page.locator(".chip[data-token='2']")).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(page.get_by_role("heading", name="Nothing left in this stage")).to_be_visible()


def test_an_item_is_opened_by_its_address_and_a_foreign_one_is_not(page: Page, web: Web) -> None:
    made = corpus(web)
    foreign = web.new_project(
        "other = make_sentence(project)\nmade['item'] = make_assignment(other, user, stage_of(project, 'correct')).pk"
    )
    third = web.python(
        f"sentence = Sentence.objects.get(project__slug={made['slug']!r}, tokens__0='El')\n"
        f"user = User.objects.get(username={made['user']!r})\n"
        "out(make_assignment(sentence, user, stage_of(sentence.project, 'correct')).pk)"
    )
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"], item=third)
    text_is(page, TEXTS[2])
    page.keyboard.press("Enter")
    text_is(page, TEXTS[0])
    page.reload()
    text_is(page, TEXTS[0])
    open_stage(page, web, made["slug"], made["stage"], item=foreign["item"])
    text_is(page, TEXTS[0])
    expect(page.locator("#ws-alerts .notice")).to_be_visible()


def test_a_blind_page_shows_no_suggestion(page: Page, web: Web) -> None:
    made = web.new_project(
        f"TEXTS = {TEXTS!r}\n{SENTENCES}\n"
        "make_assignment(first, user, stage, mode='blind')\n"
        "other = make_member(project)\nmake_annotation(first, other, [span(3)])"
    )
    sign_in(page, web, made["user"])
    bodies: list[str] = []
    page.on("response", lambda answer: bodies.append(answer.text()) if "/api/" in answer.url else None)
    open_stage(page, web, made["slug"], made["stage"])
    text_is(page, TEXTS[0])
    expect(page.get_by_text("Blind: you don't see suggestions.")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert page.locator(".tokens").locator(".chip-labelled, .chip-removed, .chip-scored").count() == 0
    expect(page.locator(".ws-legend")).to_be_hidden()
    assert page.locator(".lemma-word").count() == 0
    assert "0.81" not in "".join(bodies)
    page.keyboard.press("End")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    # The end of the blind work is told before anything with suggestions appears, also after loading anew.
    done = page.get_by_role("heading", name="The blind sample is done")
    expect(done).to_be_visible()
    expect(page.get_by_text("You will see suggestions from the next item on.", exact=True)).to_be_visible()
    assert page.locator(".tokens").count() == 0
    is_saved(page)
    page.reload()
    expect(done).to_be_visible()
    expect(page.get_by_role("button", name="Continue")).to_be_focused()
    page.keyboard.press("Enter")
    text_is(page, TEXTS[1])
    expect(page.locator("#ws-blind")).to_be_hidden()
    page.reload()
    text_is(page, TEXTS[1])
    assert web.spans(made["slug"], made["user"])[0] == [TEXTS[0], "done", [[3]]]


def test_projections_are_kept_lost_gained_and_shifted(page: Page, web: Web) -> None:
    made = web.new_project(
        "made['stage'] = stage_of(project, 'project-review', 'en').pk\n"
        "source = make_sentence(project, 'Lucharon y devoró la sombra')\n"
        "english = 'They fought and it ate the cold shadow'\n"
        "target = make_sentence(project, english, language='en', segment=source.segment)\n"
        "other = make_sentence(project, 'Fin')\n"
        "last = make_sentence(project, 'The end', language='en', segment=other.segment)\n"
        "row = make_projection(source, target, [span(0, 1), span(4), span(7)], [span(0), span(2), span(4), span(1)])\n"
        "def outcome(source, target): return {'source': source, 'outcome': 'projected' if target else 'unaligned',"
        " 'reason': '' if target else 'unlinked', 'target': target, 'left_out': []}\n"
        "row.detail['outcomes'] = [outcome(span(0), span(0, 1)), outcome(span(2), span(4)), outcome(span(4), span(7)),"
        " outcome(span(1), None)]\n"
        "row.save()\nmake_projection(other, last, [], [])"
    )
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    press, done = page.keyboard.press, page.locator("[data-command=done]")
    fates = page.locator(".decision-title .badge")
    # The weakest link first; nothing is decided before somebody decides it.
    expect(page.locator(".decision-title .decision-number")).to_have_text(["2", "3", "4", "1"])
    expect(fates).to_have_text(["undecided"] * 4)
    expect(done).to_be_disabled()
    expect(done).to_contain_text("4 spans left")
    look(page, "review")
    press("Enter")
    expect(page.locator("#ws-alerts")).to_contain_text("4 spans left. Decide on each span")
    press("k")  # "y" reached no word: there is nothing to keep
    expect(page.locator("#ws-alerts")).to_contain_text("Nothing was projected here")
    expect(fates).to_have_text(["undecided"] * 4)
    press("l")
    press("k")
    press("l")  # "shadow", to which keeping went on
    press("h")
    press("Shift+ArrowRight")  # "They fought" becomes "fought"
    expect(done).to_be_enabled()
    press("End")
    press("ArrowLeft")
    press("j")
    expect(fates).to_have_text(["− lost", "✓ kept", "− lost", "↔ shifted", "+ gained"])
    # One step back and again.
    press("u")
    expect(fates).to_have_text(["− lost", "✓ kept", "− lost", "↔ shifted"])
    press("j")
    assert page.locator("path.link").count() == 1
    press("Enter")
    text_is(page, "The end")
    is_saved(page)
    assert web.spans(made["slug"], made["user"])[0][2] == [[1], [4], [6]]
    said = web.python(
        f"row = Annotation.objects.get(project__slug={made['slug']!r}, state='done')\n"
        "out([[one['tokens'], one['lost']] for one in row.content['translations']])"
    )
    assert said == [[[0], False], [[1], True], [[2], False], [[4], True]]
    # Done items are unchanged, and are not decided again.
    press("b")
    text_is(page, "They fought and it ate the cold shadow")
    expect(fates).to_have_text(["− lost", "✓ kept", "− lost", "↔ shifted", "+ gained"])
    expect(done).to_be_enabled()


HOW = (
    "from annotator.domain.labels.shipped_schemes import HOW_TRANSLATED\n"
    "layer = project.label_layer\n"
    "scheme = {**layer.scheme_data, 'attributes': {name: one.to_json() for name, one in HOW_TRANSLATED.items()}}\n"
    "Layer.objects.filter(pk=layer.pk).update(scheme_data=scheme)\n"
    "made['stage'] = stage_of(project, 'project-review', 'en').pk\n"
    "source = make_sentence(project, 'La tarde devoró la casa')\n"
    "target = make_sentence(project, 'Evening ate up our house', language='en', segment=source.segment)\n"
    "row = make_projection(source, target, [span(1)], [span(2), span(4)])\n"
    "Alignment.objects.filter(pk=row.alignment_id).update(links=[[2, 1, 0.8]])\n"
)


ALIGNERS = (
    "made['stage'] = stage_of(project, 'project-review', 'en').pk\n"
    "source = make_sentence(project, 'La tarde devoró la casa')\n"
    "target = make_sentence(project, 'Evening ate up our house', language='en', segment=source.segment)\n"
    "row = make_projection(source, target, [span(1, 2)], [span(2), span(4)])\n"
    "outcomes = [{**one, 'target': to} for one, to in zip(row.detail['outcomes'], [span(1), span(4)])]\n"
    "row.pk, row.name, row.is_current, row.job, row.alignment = None, 'simalign', False, None, None\n"
    "row.detail = {**row.detail, 'outcomes': outcomes}\n"
    "row.save()\n"
)


def test_of_two_aligners_either_projection_or_both_are_taken_by_a_key(page: Page, web: Web) -> None:
    made = web.new_project(ALIGNERS)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    press = page.keyboard.press
    offered = page.get_by_role("group", name="Use a whole projection:")
    expect(offered.get_by_role("button")).to_have_text(
        [re.compile("lexical"), re.compile("simalign"), re.compile("All")]
    )
    expect(page.locator(".decision-note").first).to_contain_text("simalign → ate")
    expect(page.locator(".decision-note").last).to_contain_text("simalign → house")
    look(page, "aligners")
    labelled = page.locator(".tokens .chip-labelled .chip-text")
    press("Shift+Digit2")
    expect(labelled).to_have_text(["ate", "house"])
    press("Shift+Digit1")
    expect(labelled).to_have_text(["ate", "up"])
    press("a")
    expect(labelled).to_have_text(["ate", "up", "house"])
    press("u")
    press("u")
    expect(labelled).to_have_text(["ate", "house"])
    press("Enter")
    page.wait_for_selector(".ws-idle .button")
    assert web.spans(made["slug"], made["user"])[0][1:] == ["done", [[1], [4]]]


def test_what_others_suggest_is_shown_on_a_sentence_that_was_begun(page: Page, web: Web) -> None:
    made = corpus(web)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    text_is(page, TEXTS[0])
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    expect(page.locator("#ws-status")).to_contain_text("Draft saved")
    web.python(
        "from annotator.work.answering.actions.proposals import propose\nimport uuid\n"
        f"project = Project.objects.get(slug={made['slug']!r})\n"
        f"ben = make_member(project, username='ben-{made['slug']}')\n"
        f"stage = Stage.objects.get(pk={made['stage']})\n"
        "unit = Sentence.objects.filter(project=project).order_by('segment__position').first()\n"
        "for words, remove in (([2], False), ([0], True)):\n"
        "    propose(project=project, stage=stage, unit=unit, label='METAPHOR', words=words, remove=remove, by=ben, "
        "operation=uuid.uuid4())\n"
    )
    page.reload()
    text_is(page, TEXTS[0])
    notice = page.locator(".ws-proposals")
    expect(notice).to_contain_text("2 labels still to decide")
    expect(page.locator(".chip-proposed .chip-text")).to_have_text(["Ardían", "viejas"])
    look(page, "proposals")
    page.keyboard.press("Home")
    page.keyboard.press("s")
    page.keyboard.press("s")
    expect(page.locator(".chip:focus .chip-text")).to_have_text("viejas")
    notice.get_by_role("button").first.click()
    expect(page.locator(".chip-labelled .chip-text")).to_have_text(["Ardían", "las", "viejas"])
    expect(notice).to_contain_text("1 label still to decide")
    expect(notice.get_by_role("button").first).to_be_disabled()
    page.keyboard.press("u")
    expect(notice).to_contain_text("2 labels still to decide")
    notice.get_by_role("button").last.click()
    expect(page.locator(".chip-labelled .chip-text")).to_have_text(["las"])
    page.keyboard.press("Enter")
    text_is(page, TEXTS[1])
    is_saved(page)
    page.keyboard.press("b")
    text_is(page, TEXTS[0])
    expect(notice).to_have_count(0)


def test_how_a_span_was_translated_is_one_key_lost_ones_too(page: Page, web: Web) -> None:
    made = web.new_project(HOW)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    press = page.keyboard.press
    answers = page.get_by_role("group", name="How was it translated?")
    expect(answers).to_have_count(2)
    press("4")
    expect(page.locator("#ws-alerts")).to_contain_text("Decide first")
    press("l")  # "casa" was not projected: the weakest comes first, and the next one follows
    press("k")
    press("2")
    press("ArrowUp")
    press("5")
    expect(page.locator(".decision-acts [data-value][aria-pressed=true]")).to_have_text(
        [re.compile("omitted"), re.compile("other image")]
    )
    look(page, "review-how")
    press("Enter")
    page.wait_for_selector(".ws-idle .button")
    said = web.python(
        f"row = Annotation.objects.get(project__slug={made['slug']!r}, state='done')\n"
        "out([[one['tokens'], one['lost'], one['attributes']] for one in row.content['translations']])"
    )
    assert said == [[[2], False, {"translation": "other image"}], [[4], True, {"translation": "omitted"}]]


def test_links_are_edited_by_keys_and_mouse_projected_again_at_once_and_undone(page: Page, web: Web) -> None:
    made = web.new_project(HOW)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    press = page.keyboard.press
    targets = page.locator(".outcome-target")
    expect(targets).to_have_text(["—", "ate"])
    press("ArrowDown")
    press("e")  # the links of "devoró"
    expect(page.locator(".chip[data-token='1']")).to_be_focused()
    press("ArrowRight")
    press("Space")
    expect(page.locator(".outcome-target").last).to_have_text("ate up")
    expect(page.get_by_text("links edited")).to_be_visible()
    press("u")
    expect(page.locator(".outcome-target").last).to_have_text("ate")
    press("Escape")
    # With the mouse: a word of the source, then one of the target.
    page.locator(".review-source [data-token='4']").click()
    page.locator(".chip[data-token='4']").click()
    expect(targets).to_have_text(["ate", "house"])
    look(page, "review-links")
    press("Escape")
    press("a")
    press("Enter")
    page.wait_for_selector(".ws-idle .button")
    found = web.python(
        f"row = Annotation.objects.get(project__slug={made['slug']!r}, state='done')\n"
        "links = Alignment.objects.get(project__slug=row.project.slug, is_current=True)\n"
        "events = Event.objects.filter(project=row.project, verb='alignment.edited', actor=row.user).count()\n"
        "out([[s['tokens'] for s in row.content['spans']], links.aligner, links.links, events])"
    )
    assert found == [[[1], [4]], "person", [[2, 1, 0.8], [4, 4, 1.0]], 3]


def test_a_pair_is_tagged_with_one_key_and_untagged_with_another(page: Page, web: Web) -> None:
    made = web.new_project(
        "made['stage'] = stage_of(project, 'pair-tag').pk\n"
        "for i in range(3): make_pair(project, hypothesis=f'Hipótesis número {i}')"
    )
    tags = (
        f"tags = Annotation.objects.filter(project__slug={made['slug']!r}, state='done')\n"
        "out([[t.content['value'], t.comment] for t in tags.order_by('unit__segment__position')])"
    )
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    # Enter confirms a tag; where nobody chose one it tags nothing.
    page.keyboard.press("Enter")
    expect(page.locator("#ws-live")).to_contain_text("Choose a tag first")
    page.keyboard.press("c")
    page.keyboard.type("1 2 3")
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    expect(page.locator(".pair")).to_contain_text("número 1")
    page.keyboard.press("1")
    expect(page.locator(".pair")).to_contain_text("número 2")
    is_saved(page)
    assert web.python(tags) == [["non_relevant", "1 2 3"], ["relevant", ""]]
    page.keyboard.press("u")
    expect(page.locator(".pair")).to_contain_text("número 1")
    page.keyboard.press("u")
    expect(page.locator("[data-tag=relevant]")).to_have_attribute("aria-pressed", "false")
    assert web.python(tags) == [["non_relevant", "1 2 3"]]


def test_a_pair_without_an_inference_label_is_given_one_by_key(page: Page, web: Web) -> None:
    made = web.new_project(
        "made['stage'] = stage_of(project, 'pair-tag').pk\n"
        "for i, label in enumerate(('', 'neutral')):\n"
        "    make_pair(project, hypothesis=f'Hipótesis número {i}', inference=label)"
    )
    rows = f"Pair.objects.filter(project__slug={made['slug']!r}).values_list('inference', flat=True)"
    labels = f"out(list({rows}))"
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    meta, choice = page.locator(".ws-sentence .ws-meta"), page.get_by_role("group", name="Inference label")
    expect(meta).to_contain_text("No inference label")
    page.keyboard.press("Shift+3")
    expect(meta).to_contain_text("Contradiction")
    expect(choice.get_by_role("button", name="Contradiction")).to_have_attribute("aria-pressed", "true")
    look(page, "pair-inference")
    choice.get_by_role("button", name="Entailment").click()
    expect(meta).to_contain_text("Entailment")
    assert web.python(labels) == ["entailment", "neutral"]
    page.keyboard.press("u")
    expect(meta).to_contain_text("Contradiction")
    page.keyboard.press("u")
    expect(meta).to_contain_text("No inference label")
    assert web.python(labels) == ["", "neutral"]
    page.keyboard.press("Shift+2")
    expect(meta).to_contain_text("Neutral")
    # A tag goes on, and a label that came with files has no buttons and no key.
    page.keyboard.press("1")
    expect(page.locator(".pair")).to_contain_text("número 1")
    expect(choice).to_have_count(0)
    page.keyboard.press("Shift+1")
    is_saved(page)
    assert web.python(labels) == ["neutral", "neutral"]


def test_pairs_without_metaphor_are_confirmed_from_a_list(page: Page, web: Web) -> None:
    made = web.new_project(
        "made['stage'] = stage_of(project, 'pair-tag').pk\n"
        "for i in range(3):\n"
        "    pair = make_pair(project, hypothesis=f'Hipótesis número {i}')\n"
        "    for segment in (pair.premise, pair.hypothesis):\n"
        "        make_annotation(segment.units.get(), user, [])"
    )
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    page.get_by_role("button", name="Pairs without metaphor").click()
    boxes = page.locator(".bulk-list input")
    expect(boxes).to_have_count(3)
    boxes.nth(1).uncheck()
    page.get_by_role("button", name="Tag as no metaphor: 2").click()
    expect(page.locator("#ws-bulk")).to_contain_text("Tagged: 2")
    assert (
        web.python(
            f"out(Annotation.objects.filter(project__slug={made['slug']!r}, content__value='no_metaphor').count())"
        )
        == 2
    )
    expect(page.locator(".pair")).to_contain_text("número 1")


def test_differences_are_adjudicated_into_gold(page: Page, web: Web) -> None:
    made = web.new_project(
        "made['stage'] = stage_of(project, 'adjudicate').pk\n"
        "made['judge'] = make_member(project, 'adjudicator').username\n"
        "ana, ben = make_member(project), make_member(project)\n"
        "for text in ('Ardían las viejas promesas', 'La tarde cae sin prisa'):\n"
        "    sentence = make_sentence(project, text)\n"
        "    make_annotation(sentence, ana, [span(0)])\n"
        "    make_annotation(sentence, ben, [span(2), span(3)], mode='blind')\n"
        "    made['segment'] = sentence.segment_id"
    )
    sign_in(page, web, made["judge"])
    open_stage(page, web, made["slug"], made["stage"])
    # What the answers say stands in the rows, once.
    assert page.get_by_text("promesas", exact=True).count() == 2
    look(page, "adjudicate")
    done = page.locator("[data-command=done]")
    # Nothing is chosen: the button says what is left, and Enter decides nothing.
    expect(done).to_contain_text("3 differences left")
    expect(done).to_be_disabled()
    expect(page.locator(".decision-option[aria-pressed=true], .chip[aria-pressed=true]")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator("#ws-alerts")).to_contain_text("3 differences left. Choose an answer (keys: 1, 2)")
    text_is(page, "Ardían las viejas promesas")
    # The sentence is no evidence for its own contested label.
    expect(page.locator(".lemma-memory")).to_contain_text("Not decided anywhere else yet")
    page.keyboard.press("2")
    page.keyboard.press("2")
    expect(done).to_contain_text("1 difference left")
    page.keyboard.press("Enter")
    text_is(page, "Ardían las viejas promesas")
    assert web.python(f"out(Gold.objects.filter(project__slug={made['slug']!r}).count())") == 0
    page.keyboard.press("2")
    expect(done).to_contain_text("Decide and next")
    page.keyboard.press("Enter")
    text_is(page, "La tarde cae sin prisa")
    # All of one answer; then something else at one place, which is nobody's answer and is not taken without a reason.
    page.keyboard.press("Shift+Digit1")
    expect(done).to_be_enabled()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("e")
    expect(page.locator(".chip[data-token='2']")).to_be_focused()
    page.keyboard.press("Space")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("e")
    look(page, "adjudicate-edited")
    page.keyboard.press("Enter")
    expect(page.locator(".ws-comment")).to_be_focused()
    page.keyboard.type("one unit")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Nothing left in this stage")).to_be_visible()
    gold = web.python(
        f"rows = Gold.objects.filter(project__slug={made['slug']!r}).order_by('unit__segment__position')\n"
        "out([[[s['tokens'] for s in g.content['spans']], g.reason] for g in rows])"
    )
    assert gold == [[[[2], [3]], ""], [[[0], [2, 3]], "one unit"]]
    # From a decision, a key proposes a sentence for the guidelines, which begins with its reason.
    page.keyboard.press("b")
    text_is(page, "La tarde cae sin prisa")
    page.keyboard.press("Shift+G")
    sentence = page.locator("dialog textarea")
    expect(sentence).to_have_value("one unit")
    look(page, "adjudicate-propose")
    sentence.fill("")
    page.get_by_role("button", name="Propose", exact=True).click()
    expect(page.locator("dialog [role=alert]")).to_contain_text("Write the sentence first.")
    sentence.fill("Verb and adverb are one unit.")
    page.get_by_role("button", name="Propose", exact=True).click()
    expect(page.locator("#ws-alerts")).to_contain_text("The sentence was proposed for the guidelines.")
    proposed = web.python(
        f"out([one.text for one in GuidelineProposal.objects.filter(project__slug={made['slug']!r})])"
    )
    assert proposed == ["Verb and adverb are one unit."]
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Nothing left in this stage")).to_be_visible()
    # B goes back to the decision, also from the empty page, and U undoes it.
    page.keyboard.press("b")
    text_is(page, "La tarde cae sin prisa")
    page.keyboard.press("u")
    expect(page.locator("#ws-progress-text")).to_have_text("Waiting for a decision: 1")
    assert web.python(f"out(Gold.objects.filter(project__slug={made['slug']!r}).count())") == 1
    # Taken back, it is chosen anew.
    expect(done).to_be_disabled()
    page.keyboard.press("Shift+Digit1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Nothing left in this stage")).to_be_visible()
    assert web.python(f"out(Gold.objects.filter(project__slug={made['slug']!r}).count())") == 2
    # The page of a sentence leads back to its decision, which can be taken back there, too.
    page.goto(f"{web.url}/projects/{made['slug']}/sentences/{made['segment']}/")
    page.get_by_role("link", name="Open it").click()
    text_is(page, "La tarde cae sin prisa")
    page.keyboard.press("u")
    expect(page.locator("#ws-progress-text")).to_have_text("Waiting for a decision: 1")
    assert web.python(f"out(Gold.objects.filter(project__slug={made['slug']!r}).count())") == 1


def test_the_majority_at_every_difference_is_one_key(page: Page, web: Web) -> None:
    made = web.new_project(
        "made['stage'] = stage_of(project, 'adjudicate').pk\n"
        "made['judge'] = make_member(project, 'adjudicator').username\n"
        "sentence = make_sentence(project, 'Ardían las viejas promesas')\n"
        "for spans in ([span(0), span(2)], [span(0)], [span(3)]):\n"
        "    make_annotation(sentence, make_member(project), spans)\n"
        "other = make_sentence(project, 'La tarde cae')\n"
        "for spans in ([span(0)], [span(0, label='METAPHOR'), span(2)], [span(2)]):\n"
        "    make_annotation(other, make_member(project), spans)"
    )
    sign_in(page, web, made["judge"])
    open_stage(page, web, made["slug"], made["stage"])
    done = page.locator("[data-command=done]")
    for _sentence in range(2):
        expect(done).to_be_disabled()
        page.keyboard.press("0")
        expect(done).to_be_enabled()
        page.keyboard.press("u")
        expect(done).to_be_disabled()
        page.keyboard.press("0")
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Nothing left in this stage")).to_be_visible()
    gold = web.python(
        f"rows = Gold.objects.filter(project__slug={made['slug']!r}).order_by('unit__segment__position')\n"
        "out([[s['tokens'] for s in g.content['spans']] for g in rows])"
    )
    assert gold == [[[0]], [[0], [2]]]


def test_where_gold_is_decided_nothing_can_be_changed(page: Page, web: Web) -> None:
    made = corpus(web)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    page.keyboard.press("Enter")
    is_saved(page)
    web.python(f"make_gold(Sentence.objects.get(project__slug={made['slug']!r}, tokens__0='Ardían'), [span(1)])")
    page.reload()
    text_is(page, TEXTS[1])
    page.keyboard.press("b")
    text_is(page, TEXTS[0])
    page.keyboard.press("Delete")
    expect(page.locator(".chip[data-token='1']")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("Gold has been decided here").first).to_be_visible()
    page.keyboard.press("Enter")
    text_is(page, TEXTS[1])
    expect(page.locator("#ws-alerts")).to_be_empty()


def test_pairs_with_differing_tags_are_adjudicated(page: Page, web: Web) -> None:
    made = web.new_project(
        "made['stage'] = stage_of(project, 'adjudicate', layer='interpretation').pk\n"
        "made['judge'] = make_member(project, 'adjudicator').username\n"
        "pair = make_pair(project)\n"
        "make_tag(pair, 'relevant', user=make_member(project))\n"
        "make_tag(pair, 'non_relevant', user=make_member(project), mode='blind')"
    )
    sign_in(page, web, made["judge"])
    open_stage(page, web, made["slug"], made["stage"])
    expect(page.locator(".version .badge")).to_have_text(["Relevant", "Non-relevant"])
    page.keyboard.press("Enter")
    expect(page.locator("#ws-alerts")).to_contain_text("1 difference left")
    page.keyboard.press("1")
    page.keyboard.press("2")
    look(page, "adjudicate-tags")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Nothing left in this stage")).to_be_visible()
    gold = f"out([g.content['value'] for g in Gold.objects.filter(project__slug={made['slug']!r})])"
    assert web.python(gold) == ["non_relevant"]


def test_hostile_long_and_right_to_left_text_on_a_phone(new_page: Callable[..., Page], web: Web) -> None:
    evil = "<img/src=x/onerror=document.title='owned'> {n} &amp; " + "x" * 300 + " שלום مرحبا "
    text = evil + " ".join(f"palabra{i}" for i in range(120))
    made = corpus(web, [text, *TEXTS])
    page = new_page(PHONE, has_touch=True)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    assert shown(page) == text
    assert "owned" not in page.title()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for button in page.locator("#ws-actions button:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["y"] + box["height"] <= PHONE["height"]
    page.locator(".chip[data-token='0']").tap()
    expect(page.locator(".chip[data-token='0']")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Done and next").tap()
    text_is(page, TEXTS[0])
    is_saved(page)
    assert web.spans(made["slug"], made["user"])[0][1:] == ["done", [[0], [1]]]


def test_the_end_of_a_stage_and_a_stage_of_others(page: Page, web: Web) -> None:
    made = corpus(web, TEXTS[:1])
    outsider = web.python("out(make_user().username)")
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Nothing left in this stage")).to_be_visible()
    expect(page.get_by_role("link", name="Go to the overview")).to_have_attribute("href", f"/projects/{made['slug']}/")
    empty = web.python(f"out(stage_of(Project.objects.get(slug={made['slug']!r}), 'project-review', 'en').pk)")
    open_stage(page, web, made["slug"], empty)
    expect(page.get_by_role("heading", name="Nothing here yet")).to_be_visible()
    page.context.clear_cookies()
    sign_in(page, web, outsider)
    answer = page.goto(f"{web.url}/projects/{made['slug']}/stages/{made['stage']}/work/")
    assert answer is not None
    assert answer.status == 404


def test_a_double_click_finishes_one_sentence_and_not_the_next_unread(page: Page, web: Web) -> None:
    made = corpus(web)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])

    page.get_by_role("button", name="Done and next").dblclick()
    text_is(page, TEXTS[1])
    is_saved(page)
    page.keyboard.press("Enter")
    text_is(page, TEXTS[2])
    is_saved(page)
    states = [(text, state) for text, state, _ in web.spans(made["slug"], made["user"])]
    assert states == [(TEXTS[0], "done"), (TEXTS[1], "done")]


FREED = """
from django.utils import timezone
from annotator.work.queue.actions.assignments import claim
from annotator.work.queue.actions.giving_back import free_open
project = Project.objects.get(slug=SLUG)
stage, user = stage_of(project, "correct"), User.objects.get(username=USER)
free_open(stage=stage, user=user, mode="review", by=make_member(project, "manager"))
"""


def test_what_was_freed_meanwhile_is_taken_up_again_with_a_late_save(page: Page, web: Web) -> None:
    made = corpus(web)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    text_is(page, TEXTS[0])
    web.python(f"SLUG, USER = {made['slug']!r}, {made['user']!r}\n{FREED}")
    page.keyboard.press("Enter")
    text_is(page, TEXTS[1])
    is_saved(page)
    assert web.spans(made["slug"], made["user"]) == [[TEXTS[0], "done", [[1]]]]


def test_what_others_have_by_now_is_told_and_work_goes_on(page: Page, web: Web) -> None:
    made = corpus(web)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    text_is(page, TEXTS[0])
    web.python(
        f"SLUG, USER = {made['slug']!r}, {made['user']!r}\n{FREED}"
        "claim(stage=stage, user=make_member(project), count=2, now=timezone.now())"
    )
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    text_is(page, TEXTS[1])
    alerts = page.locator("#ws-alerts")
    expect(alerts).to_contain_text("is now assigned to someone else")
    expect(page.get_by_role("dialog")).to_have_count(0)
    # Nothing is lost: it is on record as a draft, and those that others do not have are gone on with.
    assert web.spans(made["slug"], made["user"]) == [[TEXTS[0], "open", [[0], [1]]]]
    alerts.get_by_role("button", name="Close").click()
    expect(alerts).to_be_empty()
    # The button is gone, the keys are where the work is.
    expect(page.locator(".chip:focus")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(alerts).to_contain_text("is now assigned to someone else")
    text_is(page, TEXTS[2])
    page.keyboard.press("Enter")
    text_is(page, TEXTS[3])
    is_saved(page)


def test_what_is_nobodys_work_any_more_is_told_and_given_up(page: Page, web: Web) -> None:
    made = corpus(web)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    text_is(page, TEXTS[0])
    web.python(f"Assignment.objects.filter(project__slug={made['slug']!r}, unit__tokens__0='Ardían').delete()")

    page.keyboard.press("Home")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    text_is(page, TEXTS[1])
    expect(page.locator("#ws-alerts")).to_contain_text("not assigned to you")
    page.get_by_role("button", name="Show it").click()
    text_is(page, TEXTS[0])
    expect(page.locator(".chip[data-token='0']")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Discard my change").click()
    expect(page.locator("#ws-alerts")).to_be_empty()
    # The button is gone, the keys are where the work is.
    expect(page.locator(".chip:focus")).to_have_count(1)


def test_signed_out_in_the_middle_of_work(page: Page, web: Web) -> None:
    made = corpus(web)
    sign_in(page, web, made["user"])
    open_stage(page, web, made["slug"], made["stage"])
    web.python(
        "from importlib import import_module\nfrom django.conf import settings\n"
        "from django.contrib.sessions.models import Session\n"
        "store = import_module(settings.SESSION_ENGINE).SessionStore\n"
        "for row in Session.objects.all(): store(row.session_key).delete()"
    )

    page.keyboard.press("Enter")
    text_is(page, TEXTS[1])
    expect(page.locator("#ws-alerts")).to_contain_text("You are signed out")
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Sign in").click()
    sign_in_with_form(opened.value, web, made["user"])
    opened.value.close()

    is_saved(page)
    expect(page.locator("#ws-alerts")).to_be_empty()
    assert next(state for _, state, _ in web.spans(made["slug"], made["user"])) == "done"
