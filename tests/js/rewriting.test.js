import assert from "node:assert/strict";
import { test } from "node:test";

import { common, compare } from "../../static/work/logic/rewriting.js";

const SENTENCE = "Our branch was left holding the baby .".split(" ");
const FOCUS = [4, 5, 6];

test("new and gone words are told apart, whatever their capitals and punctuation", () => {
  const found = compare(SENTENCE, FOCUS, "our branch was left with all the responsibility.");
  assert.deepEqual([...found.fresh].map((index) => found.tokens[index]), ["with", "all", "responsibility."]);
  assert.deepEqual(found.gone, ["holding", "baby"]);
  assert.equal(found.share, 5 / 7);
  assert.equal(found.same, false);
  assert.equal(found.kept, false);
});

test("the focus is kept where its words follow each other still", () => {
  assert.equal(compare(SENTENCE, FOCUS, "They were left holding the baby").kept, true);
  assert.equal(compare(SENTENCE, FOCUS, "They were holding, for us, the baby").kept, false);
  assert.equal(compare(SENTENCE, FOCUS, "Uphold the baby").kept, false);
});

test("an empty text is nothing yet, and the sentence itself is the same", () => {
  const nothing = compare(SENTENCE, FOCUS, "  ");
  assert.deepEqual([nothing.tokens, nothing.share, nothing.same, nothing.kept], [[], 0, false, false]);
  const all = compare(SENTENCE, FOCUS, "our branch was left holding the baby!");
  assert.deepEqual([all.share, all.same, all.kept, all.fresh.size, all.gone], [1, true, true, 0, []]);
});

test("what is shared keeps its order, and is counted once", () => {
  const [one, other] = common(["a", "b", "a"], ["a", "a", "a"]);
  assert.deepEqual([[...one], [...other]], [[0, 2], [0, 1]]);
  assert.deepEqual(common([], ["a"]).map((found) => found.size), [0, 0]);
  assert.deepEqual(common([".", "!"], [".", "!"]).map((found) => found.size), [0, 0]);
});

test("decomposed letters are the same letters", () => {
  assert.equal(compare(["me\u0301tela"], [0], "métela").same, true);
});
