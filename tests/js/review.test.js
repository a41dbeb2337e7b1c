import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { review } from "../../static/work/logic/review.js";

// The same cases as the report's: tests/domain/test_outcomes.py.
const cases = JSON.parse(readFileSync(new URL("../content_cases/outcomes.json", import.meta.url), "utf8"));

const span = (tokens, label = "METAPHOR") => ({ tokens, label });
const outcome = ({ source, target, outcome = target ? "projected" : "unaligned", label, left_out = [] }) => ({
  source: span(source, label),
  outcome,
  reason: "",
  target: target ? span(target, label) : null,
  left_out: left_out.map((token) => ({ token, reason: "overlap" })),
});
const standing = (given) => given.map((one) => (Array.isArray(one) ? span(one) : one));

for (const one of cases) {
  test(one.case, () => {
    const found = review(one.outcomes.map(outcome), standing(one.reviewed), one.lost);
    assert.deepEqual(found.fates, one.fates);
    assert.deepEqual(found.gained.map(({ tokens }) => tokens), one.gained);
  });
}
