import assert from "node:assert/strict";
import { test } from "node:test";
import { differences, spanText, tokenMarks } from "../../static/work/logic/marks.js";

const unit = (tokens, label = "M") => ({ tokens, label });

test("kept, added, removed and untouched tokens are told apart", () => {
  const marks = tokenMarks(4, [unit([0]), unit([1])], [unit([0]), unit([2])]);
  assert.deepEqual(marks.map((mark) => mark.state), ["kept", "added", "removed", "none"]);
});

test("a suggestion with another label is not kept", () => {
  assert.equal(tokenMarks(1, [unit([0], "N")], [unit([0], "M")])[0].state, "added");
});

test("without suggestions everything labelled is added, nothing removed", () => {
  assert.deepEqual(tokenMarks(2, [unit([1])], null).map((mark) => mark.state), ["none", "added"]);
});

test("tokens of a unit share a number, single tokens have none", () => {
  const marks = tokenMarks(6, [unit([0, 3]), unit([1]), unit([4, 5])], []);
  assert.deepEqual(marks.map((mark) => mark.unit), [1, null, null, 1, 2, 2]);
  assert.deepEqual(marks.map((mark) => mark.joinsNext), [false, false, false, false, true, false]);
});

test("annotators differ where a label or a unit's extent differs", () => {
  assert.deepEqual(differences(3, [[unit([0, 1])], [unit([0, 1])]]), [false, false, false]);
  assert.deepEqual(differences(3, [[unit([0, 1])], [unit([0]), unit([1])]]), [true, true, false]);
  assert.deepEqual(differences(3, [[], [unit([2])], []]), [false, false, true]);
});

test("a span in words shows what it leaves out", () => {
  assert.equal(spanText(unit([0, 2]), ["call", "it", "off"]), "call … off");
  assert.equal(spanText(unit([0, 1]), ["break", "off"]), "break off");
  assert.equal(spanText(unit([0, 1, 3]), ["时间", "在", "飞", "逝"], ["", "", "", "", ""]), "时间在 … 逝");
});
