import assert from "node:assert/strict";
import { test } from "node:test";
import { ActiveTime } from "../../static/work/logic/active_time.js";

function begun() {
  const clock = { now: 0 };
  const time = new ActiveTime({ now: () => clock.now });
  time.show("a");
  return { time, pass: (seconds) => (clock.now += seconds * 1000) };
}

test("seconds count until nobody touched anything for half a minute", () => {
  const { time, pass } = begun();
  pass(12.34);
  time.touch();
  pass(300);
  assert.equal(time.take("a"), 42.34);
  pass(100);
  assert.equal(time.take("a"), 0, "nobody is there");
  time.touch();
  pass(5);
  assert.equal(time.take("a"), 5);
});

test("a page that is out of sight counts nothing", () => {
  const { time, pass } = begun();
  pass(4);
  time.sight(false);
  pass(10);
  time.sight(true);
  time.touch();
  pass(1);
  assert.equal(time.take("a"), 5);
});

test("every item has seconds of its own, those of an earlier visit included", () => {
  const { time, pass } = begun();
  pass(3);
  time.show("b");
  pass(4);
  time.show("a");
  pass(2);
  time.show(null);
  pass(9);
  assert.deepEqual([time.take("a"), time.take("b"), time.take("c")], [5, 4, 0]);
});

test("what could not be sent counts once more", () => {
  const { time, pass } = begun();
  pass(3);
  const seconds = time.take("a");
  pass(2);
  time.give("a", seconds);
  assert.equal(time.take("a"), 5);
});
