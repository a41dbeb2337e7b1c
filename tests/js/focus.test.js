import assert from "node:assert/strict";
import { test } from "node:test";
import * as focus from "../../static/site/logic/focus.js";

test("a step stays inside the sentence", () => {
  assert.equal(focus.step(0, -1, 3), 0);
  assert.equal(focus.step(2, 1, 3), 2);
  assert.equal(focus.step(1, 1, 3), 2);
});

test("stepping through a kind of token goes round, in both directions", () => {
  const wanted = (token) => [1, 4].includes(token);
  assert.equal(focus.nextWhere(6, 1, 1, wanted), 4);
  assert.equal(focus.nextWhere(6, 4, 1, wanted), 1);
  assert.equal(focus.nextWhere(6, 1, -1, wanted), 4);
  assert.equal(focus.nextWhere(6, 1, 1, () => false), null);
  assert.equal(focus.nextWhere(6, 1, 1, (token) => token === 1), 1);
});

test("unlabelled content words leave out labelled and function words", () => {
  assert.deepEqual(focus.unlabelledContent([true, false, true, true], [{ tokens: [2] }]), [0, 3]);
});

test("the likeliest comes first, then in falling order, then round again", () => {
  const order = focus.byProbability([0, 2, 3], [0.1, 0.9, 0.4, 0.1]);
  assert.deepEqual(order, [2, 0, 3]);
  assert.equal(focus.after(order, 2), 0);
  assert.equal(focus.after(order, 3), 2);
  assert.equal(focus.after(order, 1), 2);
  assert.equal(focus.after([], 1), null);
});

test("work begins at the first suggestion, else at the first content word", () => {
  assert.equal(focus.start([false, true, true], [{ tokens: [2] }]), 2);
  assert.equal(focus.start([false, true, true], []), 1);
  assert.equal(focus.start([false, false], null), 0);
});

test("up and down go to the nearest token of the next row", () => {
  const box = (left, top) => ({ left, top, width: 40, height: 30 });
  const boxes = [box(0, 0), box(50, 0), box(100, 0), box(0, 40), box(90, 41), box(0, 80)];
  assert.equal(focus.vertical(boxes, 2, 1), 4);
  assert.equal(focus.vertical(boxes, 4, -1), 2);
  assert.equal(focus.vertical(boxes, 0, -1), 0);
  assert.equal(focus.vertical(boxes, 1, 1), 4);
});
