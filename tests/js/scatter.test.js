import assert from "node:assert/strict";
import { test } from "node:test";
import { isDirection, nearest, towards } from "../../static/search/logic/scatter.js";

const at = (x, y) => ({ x, y });
const POINTS = [at(0, 0), at(10, 1), at(3, 9), at(-5, 0), at(40, 2)];

test("the nearest point is found, and none that is too far away", () => {
  assert.equal(nearest(POINTS, at(9, 3)), 1);
  assert.equal(nearest(POINTS, at(0, 4), 3), -1);
  assert.equal(nearest(POINTS, at(0, 3), 3), 0);
  assert.equal(nearest([], at(0, 0)), -1);
});

test("an arrow key goes to the next point in its direction, and stays where there is none", () => {
  assert.equal(towards(POINTS, 0, "ArrowRight"), 1);
  assert.equal(towards(POINTS, 1, "ArrowRight"), 4);
  assert.equal(towards(POINTS, 4, "ArrowRight"), 4);
  assert.equal(towards(POINTS, 0, "ArrowLeft"), 3);
  assert.equal(towards(POINTS, 0, "ArrowDown"), 2);
  assert.equal(towards(POINTS, 2, "ArrowUp"), 0);
});

test("every point of a crowd in one place is reached, from either side", () => {
  const crowd = [at(0, 0), at(5, 5), at(5, 5), at(5, 5), at(20, 5)];
  const way = (from, key) => {
    const found = [from];
    while (towards(crowd, found.at(-1), key) !== found.at(-1)) found.push(towards(crowd, found.at(-1), key));
    return found;
  };
  assert.deepEqual(way(0, "ArrowRight"), [0, 1, 2, 3, 4]);
  assert.deepEqual(way(3, "ArrowLeft"), [3, 2, 1, 0]);
});

test("only arrow keys are directions", () => {
  assert.deepEqual(["ArrowUp", "Enter", "toString"].map(isDirection), [true, false, false]);
});
