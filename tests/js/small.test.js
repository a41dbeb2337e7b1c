import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../../static/work/logic/history.js";
import { linkPath, partners } from "../../static/work/logic/links.js";
import { nextStage } from "../../static/work/logic/next_stage.js";
import { machineName } from "../../static/work/logic/machines.js";
import { direction, fill, gaps, inLanguage, percent, textOf, together, translator, wordOf } from "../../static/site/logic/text.js";

test("undo and redo walk through the values; a new edit forgets what was undone", () => {
  const history = new History([1]);
  assert.equal(history.set([1]), false, "the same value is no edit");
  history.set([2]);
  history.set([3]);
  assert.ok(history.undo());
  assert.deepEqual(history.value, [2]);
  assert.ok(history.redo());
  assert.deepEqual(history.value, [3]);
  history.undo();
  history.set([4]);
  assert.equal(history.redo(), false);
  history.undo();
  history.undo();
  assert.equal(history.undo(), false);
  assert.deepEqual(history.value, [1]);
});

test("each edit says what it did, to be undone and done again", () => {
  const history = new History([1]);
  history.note("nothing was done yet");
  assert.equal(history.undoes, "");
  history.set([2]);
  history.note("two");
  history.note("said already");
  history.set([3]);
  assert.equal(history.undoes, "", "that is not known of this one");
  history.note("three");
  history.undo();
  assert.deepEqual([history.undoes, history.redoes], ["two", "three"]);
  history.set([4]);
  assert.deepEqual([history.undoes, history.redoes], ["", ""], "a new edit has words of its own");
});

test("a comment that is written in one go is one step of undo, and none if nothing is left of it", () => {
  const history = new History([1], "why");
  for (const text of ["wh", "w", ""]) history.write(text, "comment");
  assert.deepEqual([history.past.length, history.undoes], [1, "comment"]);
  history.written();
  history.write("new", "comment");
  history.set([2]);
  history.write("newer", "comment");
  const seen = [];
  while (history.undo()) seen.push([history.value, history.comment]);
  assert.deepEqual(seen, [[[2], "new"], [[1], "new"], [[1], ""], [[1], "why"]]);
  assert.ok(history.redo());
  assert.deepEqual([history.value, history.comment], [[1], ""]);
  history.undo();
  history.write("whyy", "comment");
  history.write("why", "comment");
  assert.equal(history.undo(), false, "it is as it was");
  history.write("why", "comment");
  assert.equal(history.undoes, "");
});

test("work goes on in the next stage with something left that the person may open, then in an earlier one", () => {
  const stage = (id, done, total) => ({ id, progress: { done, total } });
  const link = (id) => ({ url: `/projects/x/stages/${id}/work/`, name: `Stage ${id}` });
  const stages = [stage(1, 0, 4), stage(12, 2, 2), stage(3, 1, 2), stage(4, 0, 2)];
  assert.equal(nextStage(stages, [1, 12, 3, 4].map(link), 12).name, "Stage 3");
  assert.equal(nextStage(stages, [1, 12, 4].map(link), 12).name, "Stage 4");
  assert.equal(nextStage(stages, [1, 12].map(link), 12).name, "Stage 1");
  assert.equal(nextStage(stages, [link(12)], 12), null);
});

test("an empty field is written as its language is, and one of an unknown script as what is typed", () => {
  assert.deepEqual(inLanguage("ar"), { lang: "ar", dir: "rtl" });
  assert.deepEqual(inLanguage("eu"), { lang: "eu", dir: "ltr" });
  assert.deepEqual(inLanguage("x-own"), { lang: "x-own", dir: "auto" });
  assert.deepEqual(inLanguage("x-own", ["(", "حقًا", ")"]), { lang: "x-own", dir: "rtl" });
});

test("a link runs from the foot of the source to the head of the target", () => {
  const path = linkPath({ left: 10, top: 0, width: 20, height: 30 }, { left: 110, top: 100, width: 40, height: 30 }, { left: 0, top: 0 });
  assert.match(path, /^M 20 30 C 20 65, 130 65, 130 100$/);
});

test("links lead from one side to the other", () => {
  const links = [[0, 0, 1], [1, 2, 1], [2, 1, 0.5]];
  assert.deepEqual(partners(links, "target", 2), [1]);
  assert.deepEqual(partners(links, "source", 2), [1]);
});

test("messages are filled, and a gap without a value is a fault", () => {
  assert.equal(fill("{n} of {m}", { n: 1, m: 2 }, "en"), "1 of 2");
  assert.throws(() => fill("{n}", {}, "en"), /needs a value for n/);
  assert.throws(() => translator({}, "en")("nothing"), /no message named nothing/);
});

test("a sentence runs as its first letter does", () => {
  assert.equal(direction("x-own", ["«كان", "OK"]), "rtl");
  assert.equal(direction("x-own", ["12", "שלום"]), "rtl");
  assert.equal(direction("x-own", ["Dijo", "שלום"]), "ltr");
  assert.equal(direction("x-own", ["…", "3"]), "ltr");
  // What is known of the language counts before the letters.
  assert.equal(direction("ar", ["Google", "شركة"]), "rtl");
  assert.equal(direction("es", ["שלום", "dijo"]), "ltr");
  assert.deepEqual(["he", "fa-IR", "az-Arab", "pa_Arab", "ur", "zh", "ar-Latn", "az"].map((code) => direction(code)), ["rtl", "rtl", "rtl", "rtl", "rtl", "ltr", "ltr", "ltr"]);
});

test("a percentage never rounds up to certainty, nor down to impossibility", () => {
  assert.equal(percent(0.999), "99 %");
  assert.equal(percent(1), "100 %");
  assert.equal(percent(0.001), "<1 %");
  assert.equal(percent(0), "0 %");
});

test("a machine is named with the beginning of its revision", () => {
  assert.equal(machineName({ name: "crf", revision: "7f2848e69694" }), "crf 7f2848e");
  assert.equal(machineName({ name: "lexical", revision: "5" }), "lexical 5");
});

test("a text comes back with the white space that it was imported with", () => {
  assert.equal(textOf(["El", "mar"], []), "El mar");
  assert.equal(textOf(["我", "看", "。"], ["", "", "", ""]), "我看。");
  assert.equal(textOf(["a", "b", "c", "d"], [" ", "", "  ", " ", ""], 1, 3), "b  c");
  assert.deepEqual(gaps(["a", "b"], []), ["", " ", ""]);
  assert.equal(textOf([], []), "");
});

test("a project's own codes are shown as they are", () => {
  assert.equal(wordOf({ role_prem: "Premise" }, "role", "prem"), "Premise");
  assert.equal(wordOf({}, "role", "tweet"), "tweet");
});

test("closing marks stay with the word before them, and opening ones do not", () => {
  const groups = (tokens, spaces = []) => together(tokens, gaps(tokens, spaces)).map((group) => group.map((index) => tokens[index]).join("_"));
  assert.deepEqual(groups(["¿", "Vuela", "?", "”", "(", "sí", ")", "."]), ["¿", "Vuela_?_”", "(", "sí_)_."]);
  assert.deepEqual(groups(['"', "Sí", '"', "dijo", "."], ["", "", "", " ", "", ""]), ['"', 'Sí_"', "dijo_."]);
  assert.deepEqual(groups(["。", "天", "。"], ["", "", "", ""]), ["。", "天_。"]);
  assert.deepEqual(groups(Array(9).fill(".")), ["._._._.", "._._._.", "."]);
});
