import assert from "node:assert/strict";
import { test } from "node:test";
import { attributesOf, unsaid } from "../../static/work/logic/labels.js";
import * as overlaps from "../../static/work/logic/overlaps.js";
import * as spans from "../../static/work/logic/spans.js";

const SCHEME = { labels: ["M", "N"], discontinuous: true, overlaps: true };
const OVER = { ...SCHEME, over: true };
const unit = (tokens, label = "M") => ({ tokens, label, attributes: {}, score: null });
const short = (list) => list.map((span) => `${span.label}:${span.tokens.join(",")}`);

test("the unit that is meant is the one that is edited", () => {
  const list = [unit([0, 1, 2]), unit([1, 2])];
  const led = overlaps.led(list, spans.keyOf(list[1]));
  assert.deepEqual(short(led), ["M:1,2", "M:0,1,2"]);
  assert.deepEqual(short(spans.toggle(led, 2, "M", OVER)), ["M:0,1,2", "M:1"]);
  assert.deepEqual(short(spans.join(led, 1, 3, "M", OVER)), ["M:0,1,2", "M:1,2,3"]);
  assert.deepEqual(short(spans.moveEdge(led, 2, 1, 5, "M", OVER).spans), ["M:0,1,2", "M:1,2,3"]);
  assert.deepEqual(short(spans.relabel(led, 1, "N", OVER)), ["M:0,1,2", "N:1,2"]);
  assert.deepEqual(short(spans.split(led, 1, OVER)), ["M:0,1,2", "M:1", "M:2"]);
  assert.equal(overlaps.led(list, "9|M"), list);
});

test("a unit that takes another's words leaves them there only where it is meant by itself", () => {
  const list = [unit([0]), unit([1, 2])];
  assert.deepEqual(short(spans.join(list, 0, 1, "M", OVER)), ["M:0,1", "M:1,2"]);
  assert.deepEqual(short(spans.join(list, 0, 1, "M", SCHEME)), ["M:0,1,2"]);
});

test("what is begun is a unit once it is unlike all others", () => {
  const [list, begun] = [[unit([1])], unit([1])];
  const led = overlaps.led(list, null, begun);
  assert.deepEqual(short(spans.join(led, 1, 1, "M", OVER)), ["M:1"]);
  const after = spans.join(led, 1, 2, "M", OVER);
  assert.deepEqual(short(after), ["M:1", "M:1,2"]);
  assert.equal(overlaps.following(list, after, null, begun), "1,2|M");
});

test("the unit that is meant is followed through edits, and lost when it is gone", () => {
  const before = [unit([0, 1, 2]), unit([1, 2])];
  assert.equal(overlaps.following(before, before, "1,2|M"), "1,2|M");
  assert.equal(overlaps.following(before, [unit([0, 1, 2]), unit([1, 2, 3])], "1,2|M"), "1,2,3|M");
  assert.equal(overlaps.following(before, [unit([0, 1, 2])], "1,2|M"), null);
  // Of what a cut leaves, the larger part.
  assert.equal(overlaps.following([unit([0, 1, 2, 3])], [unit([0]), unit([2, 3])], "0,1,2,3|M"), "2,3|M");
  assert.equal(overlaps.following(before, before, null), null);
});

test("the units on a word are gone through, round and round", () => {
  const list = [unit([0, 1, 2]), unit([1, 2]), unit([1], "N"), unit([4])];
  const keys = [1, 2, 3, 4].reduce((found) => [...found, overlaps.nextUnit(list, 1, found.at(-1) ?? null)], []);
  assert.deepEqual(keys, ["1,2|M", "1|N", "0,1,2|M", "1,2|M"]);
  assert.equal(overlaps.nextUnit(list, 5, null), null);
});

test("units that reach across each other lie in lanes of their own; what is left out is told", () => {
  const bars = overlaps.lanes(6, [unit([0, 3]), unit([1, 2]), unit([4, 5])]);
  const drawn = bars.map((one) => one.map(({ lane, inside, goesOn }) => `${lane}${inside ? "" : "-"}${goesOn ? ">" : ""}`));
  assert.deepEqual(drawn, [["0>"], ["0->", "1>"], ["0->", "1"], ["0"], ["0>"], ["0"]]);
  assert.deepEqual(overlaps.lanes(1, [unit([])]), [[]]);
});

test("no edit ever makes the same unit twice, and every unit that is not meant stays as it is", () => {
  let seed = 11;
  const random = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
  let list = [];
  for (let count = 0; count < 2000; count += 1) {
    const [a, b] = [random(6), random(6)];
    const meant = list.length ? list[random(list.length)] : null;
    const led = overlaps.led(list, meant && spans.keyOf(meant));
    const at = meant ? meant.tokens[0] : a;
    const after = [
      () => spans.toggle(led, at, meant?.label ?? "M", OVER),
      () => spans.join(led, at, b, "M", OVER),
      () => spans.relabel(led, at, SCHEME.labels[random(2)], OVER),
      () => spans.moveEdge(led, at, random(2) ? 1 : -1, 6, "M", OVER).spans,
      () => spans.moveUnit(led, at, random(2) ? 1 : -1, 6, OVER).spans,
      () => overlaps.led(list, null, unit([a])).filter((span, i, all) => all.findIndex((one) => spans.keyOf(one) === spans.keyOf(span)) === i),
    ][random(6)]();
    const keys = after.map(spans.keyOf);
    assert.equal(new Set(keys).size, keys.length);
    if (meant) for (const other of list) if (other !== meant) assert.ok(keys.includes(spans.keyOf(other)));
    list = spans.sorted(after).slice(0, 8);
  }
});

test("what is obligatory and not said is found", () => {
  const scheme = { ...SCHEME, attributes: { sure: { values: ["yes"], labels: ["M"], obligatory: true }, source: {} } };
  assert.equal(unsaid([{ ...unit([0]), attributes: { sure: "yes" } }, unit([1], "N")], scheme), null);
  const { span, attribute } = unsaid([unit([0], "N"), unit([2])], scheme);
  assert.deepEqual([span.tokens, attribute.code], [[2], "sure"]);
  assert.deepEqual(attributesOf(scheme).map((one) => one.obligatory), [true, false]);
});
