import assert from "node:assert/strict";
import { test } from "node:test";
import { between, counted, told } from "../../static/search/logic/selection.js";

const WORDS = { none: "Nothing", all: "Selected: {n}", own: "yours: {n}", free: "claimed: {n}" };

test("what an action will do is told in numbers, without zeros", () => {
  assert.equal(told(counted(["own", "free", "own"]), WORDS), "Selected: 3 (yours: 2, claimed: 1)");
  assert.equal(told(counted(["free"]), WORDS), "Selected: 1 (claimed: 1)");
});

test("nothing chosen is said, and a state without words only counts", () => {
  assert.equal(told(counted([]), WORDS), "Nothing");
  assert.equal(told(counted(["closed"]), WORDS), "Selected: 1");
});

test("rows between two, whichever comes first", () => {
  assert.deepEqual(between(2, 4), [2, 3, 4]);
  assert.deepEqual(between(4, 2), [2, 3, 4]);
  assert.deepEqual(between(1, 1), [1]);
});
