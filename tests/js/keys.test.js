import assert from "node:assert/strict";
import { test } from "node:test";
import * as keys from "../../static/work/logic/keys.js";
import { labelsOf } from "../../static/work/logic/labels.js";

const press = (key, more = {}) => ({ key, code: "", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more });
const labels = (count) => labelsOf({ labels: ["A", "B", "C"].slice(0, count), discontinuous: true, overlaps: false });
const MAPS = {
  correct: keys.correctKeys(labels(3)),
  review: keys.reviewKeys(labels(1)),
  spans: keys.projectionRowKeys(5, ["es", "ca"]),
  choice: keys.choiceKeys(4),
  decide: keys.decisionKeys(3, 2, true),
  edit: keys.withEdit(keys.correctKeys(labels(3))),
};

test("names of keys: modifiers, caps lock, signs that need Shift, digits of any keyboard", () => {
  assert.equal(keys.keyName(press("N")), "n");
  assert.equal(keys.keyName(press("S", { shiftKey: true })), "Shift+s");
  assert.equal(keys.keyName(press("?", { shiftKey: true })), "?");
  assert.equal(keys.keyName(press("z", { metaKey: true })), "Ctrl+z");
  assert.equal(keys.keyName(press("&", { code: "Digit1" })), "1");
  assert.equal(keys.keyName(press("ArrowRight", { shiftKey: true })), "Shift+ArrowRight");
  assert.equal(keys.keyName(press(" ")), "Space");
});

test("a browser's own shortcuts are left alone", () => {
  for (const key of ["r", "c", "f", "d", "l", "n", "p", "s", "g"]) {
    assert.equal(keys.commandFor(press(key, { ctrlKey: true }), MAPS.correct), null, key);
  }
});

for (const [name, map] of Object.entries(MAPS)) {
  test(`${name}: every key has one meaning`, () => {
    const all = map.flatMap((entry) => entry.keys);
    assert.deepEqual(all.filter((key, i) => all.indexOf(key) !== i), []);
  });

  test(`${name}: done, undo, back and the list of keys are there`, () => {
    for (const command of ["done", "undo", "back", "help"]) assert.ok(map.some((entry) => entry.command === command), command);
  });
}

test("keys of one sign can be switched off; the others go on", () => {
  for (const key of ["n", "1", "?", ","]) assert.equal(keys.commandFor(press(key), MAPS.correct, false), null, key);
  assert.equal(keys.commandFor(press("S", { shiftKey: true }), MAPS.correct, false), null);
  assert.equal(keys.commandFor(press(" "), MAPS.correct, false), "toggle");
  assert.equal(keys.commandFor(press("Enter"), MAPS.correct, false), "done");
  assert.equal(keys.commandFor(press("z", { ctrlKey: true }), MAPS.correct, false), "undo");
});

test("number keys choose labels only where there are several", () => {
  assert.equal(keys.commandFor(press("2"), keys.correctKeys(labels(3))), "label1");
  assert.equal(keys.commandFor(press("1"), keys.correctKeys(labels(1))), null);
  assert.equal(keys.commandFor(press("2"), MAPS.decide), "take1");
  assert.equal(keys.commandFor(press("\"", { code: "Digit2", shiftKey: true }), MAPS.decide), "all1", "Shift takes all of an answer");
  assert.equal(keys.commandFor(press("2"), MAPS.edit), "label1", "a digit is a label where one edits");
  assert.equal(keys.commandFor(press("2", { code: "Digit2", shiftKey: true }), MAPS.decide), "all1", "also where digits are printed with Shift");
  assert.equal(keys.commandFor(press("4"), MAPS.choice), "tag3");
});

test("keys are named as they are printed, in the words of the page", () => {
  assert.equal(keys.readable("Shift+ArrowLeft", { Shift: "Mayús" }), "Mayús + ←");
  assert.equal(keys.readable("Ctrl+z", { Shift: "Mayús" }), "Ctrl + Z");
  assert.equal(keys.readable("Enter"), "↵");
});

test("the keys of numbered commands are named, however many there are", () => {
  const range = (count) => keys.keyRange(keys.choiceKeys(count), "tag");
  assert.deepEqual([0, 1, 2, 3, 4, 9, 12].map(range), ["", "1", "1, 2", "1–3", "1–4", "1–9", "1–9"]);
  assert.equal(keys.keyRange(keys.decisionKeys(3), "take"), "1–3");
});

test("the key for doubt is there once, beside the comment's, and acts with Alt while one types", () => {
  for (const map of [keys.PLAIN, MAPS.choice, MAPS.correct]) {
    const all = keys.withDoubt(map);
    assert.equal(all.filter(({ command }) => command === "doubt").length, 1);
    assert.equal(keys.commandFor(press("d"), all), "doubt");
    assert.equal(keys.commandFor(press("d", { altKey: true, code: "KeyD" }), all), "doubt");
    assert.equal(keys.commandFor(press("∂", { altKey: true, code: "KeyD" }), all), "doubt", "where Alt makes another sign");
  }
  assert.equal(keys.commandFor(press("d"), MAPS.decide), null);
});

test("Enter finishes; only where a tag is proposed does it confirm one", () => {
  const said = (map) => map.find(({ command }) => command === "done").text;
  assert.equal(said(keys.choiceKeys(3)), "key_done");
  assert.equal(said(keys.choiceKeys(3, "key_pair_done")), "key_pair_done");
});

test("Enter that ends a composition belongs to the input method, in Safari, too", () => {
  assert.equal(keys.composes({ isComposing: true, keyCode: 13 }), true);
  assert.equal(keys.composes({ isComposing: false, keyCode: 229 }), true);
  assert.equal(keys.composes({ isComposing: false, keyCode: 13 }), false);
  assert.equal(keys.composes({ isComposing: false }), false);
});

test("letters are those that are printed; without a Latin one, that of the place", () => {
  const named = (key, code, more = {}) => keys.keyName(press(key, { code, ...more }));
  // What a layout has in the places of N and S.
  const layouts = { Russian: "ты", Ukrainian: "ті", Greek: "νσ", Hebrew: "מד", Arabic: "ىس", Armenian: "նս", Georgian: "ნს", Hindi: "ल्", Thai: "ืห", Korean: "ㅜㄴ", Kana: "みと" };
  for (const [layout, [n, s]] of Object.entries(layouts)) {
    assert.equal(named(n, "KeyN"), "n", layout);
    assert.equal(named(s, "KeyS"), "s", layout);
  }
  assert.equal(named("Ы", "KeyS", { shiftKey: true }), "Shift+s");
  assert.equal(named("Ы", "KeyS"), "s", "caps lock");
  assert.equal(named("я", "KeyZ", { ctrlKey: true }), "Ctrl+z");
  assert.equal(named("в", "KeyD", { altKey: true }), "Alt+d");
  assert.equal(named("لا", "KeyB"), "b", "two letters on one key");
  assert.equal(named("ю", "Period"), ".");
  assert.equal(named("/", "KeyQ"), "q", "Hebrew");
  // Latin ones, wherever they are.
  assert.equal(named("a", "KeyQ"), "a", "AZERTY");
  assert.equal(named(",", "KeyM"), ",", "AZERTY");
  assert.equal(named("'", "KeyQ"), "'", "Dvorak");
  assert.equal(named("z", "KeyY", { ctrlKey: true }), "Ctrl+z", "QWERTZ");
  assert.equal(named("a", "KeyQ", { altKey: true }), "Alt+a", "AZERTY");
  assert.equal(named("İ", "Quote"), "i", "Turkish, caps lock");
  assert.equal(named("ñ", "Semicolon"), "ñ");
  assert.equal(named("؟", "Slash", { shiftKey: true }), "?");
});

test("digits above the letters go by their place, those of the number pad by what they type", () => {
  const named = (key, code, more = {}) => keys.keyName(press(key, { code, ...more }));
  const shift = { shiftKey: true };
  for (const [layout, plain, shifted] of [
    ["US", "2", "@"],
    ["AZERTY", "é", "2"],
    ["Czech", "ě", "2"],
    ["Russian", "2", '"'],
    ["Persian", "۲", "٬"],
    ["Thai", "/", "๑"],
  ]) {
    assert.equal(named(plain, "Digit2"), "2", layout);
    assert.equal(named(shifted, "Digit2", shift), "Shift+2", layout);
  }
  assert.equal(named("?", "Digit7", shift), "?", "the only place of it on a Russian keyboard");
  assert.equal(named("²", "Digit2", { getModifierState: (name) => name === "AltGraph" }), "²");
  assert.equal(named("4", "Numpad4"), "4");
  assert.equal(named("4", "Numpad4", shift), "4");
  assert.equal(named("٤", "Numpad4"), "4");
  assert.equal(named("४", ""), "4");
  assert.equal(named("८", ""), "8");
  assert.equal(named("ArrowLeft", "Numpad4"), "ArrowLeft", "without Num Lock");
  assert.equal(named("Home", "Numpad7", shift), "Shift+Home");
  assert.equal(named("Enter", "NumpadEnter"), "Enter");
  assert.equal(named(".", "NumpadDecimal"), ".");
});

test("in the list of source spans digits are answers, and with Shift projections", () => {
  const command = (event) => keys.commandFor(event, MAPS.spans);
  assert.equal(command(press("3")), "option2");
  assert.equal(command(press("@", { code: "Digit2", shiftKey: true })), "source1");
  assert.deepEqual(["k", "l", "h", "j", "g", "u", "a", "e"].map((key) => command(press(key))), ["keep", "lost", "shift", "gained", "guidelines", "undo", "takeAll", "links"]);
  assert.equal(keys.commandFor(press("@", { code: "Digit1", shiftKey: true }), keys.projectionRowKeys(5, ["es"])), null);
});
