import assert from "node:assert/strict";
import { test } from "node:test";

import { folded, ranked } from "../../static/site/logic/palette.js";

const stages = [
  { label: "Correct labels", detail: "es", number: 1 },
  { label: "Correct labels", detail: "en", number: 2 },
  { label: "Adjudicate: labels", detail: "es", number: 3 },
  { label: "Adjudicate: tags", detail: "en", number: 4 },
];
const entries = [...stages, { label: "Settings" }, { label: "Añadir personas" }];

test("nothing typed offers everything in its order", () => {
  assert.deepEqual(ranked(entries, "  "), entries);
});

test("a digit is the stage's", () => {
  for (const stage of stages) assert.equal(ranked(entries, String(stage.number))[0], stage);
});

test("initials and the language find a stage", () => {
  assert.equal(ranked(entries, "ate")[0], stages[3]);
  assert.equal(ranked(entries, "correct en")[0], stages[1]);
  assert.equal(ranked(entries, "set")[0].label, "Settings");
});

test("accents and case need not be typed", () => {
  assert.equal(folded("AÑADIR"), "anadir");
  assert.equal(ranked(entries, "anadir")[0].label, "Añadir personas");
});

test("what occurs nowhere finds nothing", () => {
  assert.deepEqual(ranked(entries, "qqq"), []);
});
