import assert from "node:assert/strict";
import { test } from "node:test";

import { whyOpen } from "../../static/work/logic/why_open.js";

const of = (why, answers) => whyOpen({ why, answers: Array(answers).fill({}) });

test("answers that differ say how far they agree", () => {
  assert.equal(of("differs", 2), "agreement_is");
});

test("doubt is one person's or everybody's", () => {
  assert.deepEqual([of("doubt", 1), of("doubt", 3)], ["only_doubt", "all_doubt"]);
});

test("what was decided without adjudication has no share of agreement", () => {
  assert.deepEqual([of("agreed", 0), of("agreed", 1), of("agreed", 2)], ["nobody_answered", "only_answer", "all_agree"]);
});
