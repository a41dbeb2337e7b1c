import assert from "node:assert/strict";
import { test } from "node:test";

import { matching } from "../../static/work/logic/sections.js";

test("every word must be there, whatever its case and accents", () => {
  const sections = ["Metonimia y símbolo", "Unidades PLURIVERBALES", ""];
  assert.deepEqual(matching(sections, "simbolo"), [true, false, false]);
  assert.deepEqual(matching(sections, "pluri unidades"), [false, true, false]);
  assert.deepEqual(matching(sections, "nothing"), [false, false, false]);
});

test("without a search everything is shown", () => {
  assert.deepEqual(matching(["a", ""], "  "), [true, true]);
});
