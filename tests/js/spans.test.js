import assert from "node:assert/strict";
import { test } from "node:test";
import * as spans from "../../static/work/logic/spans.js";

const SCHEME = { labels: ["M", "N"], discontinuous: true, overlaps: false };
const CONTIGUOUS = { ...SCHEME, discontinuous: false };
const OVERLAPPING = { ...SCHEME, overlaps: true };
const unit = (tokens, label = "M") => ({ tokens, label, attributes: {}, score: null });
const short = (list) => list.map((span) => `${span.label}:${span.tokens.join(",")}`);

test("toggle labels a token and takes the label off again", () => {
  const one = spans.toggle([], 3, "M", SCHEME);
  assert.deepEqual(one, [unit([3])]);
  assert.deepEqual(spans.toggle(one, 3, "M", SCHEME), []);
});

test("toggle leaves the list it was given as it was", () => {
  const before = [unit([1, 2])];
  spans.toggle(before, 2, "M", SCHEME);
  assert.deepEqual(before, [unit([1, 2])]);
});

test("toggle takes one token out of a unit: 'They fought' becomes 'fought'", () => {
  assert.deepEqual(short(spans.toggle([unit([0, 1])], 0, "M", SCHEME)), ["M:1"]);
});

test("a hole in a unit stays one unit only where the scheme allows it", () => {
  const three = [unit([1, 2, 3])];
  assert.deepEqual(short(spans.toggle(three, 2, "M", SCHEME)), ["M:1,3"]);
  assert.deepEqual(short(spans.toggle(three, 2, "M", CONTIGUOUS)), ["M:1", "M:3"]);
});

test("a token has one label, unless labels may overlap", () => {
  assert.deepEqual(short(spans.toggle([unit([1, 2])], 2, "N", SCHEME)), ["M:1", "N:2"]);
  assert.deepEqual(short(spans.toggle([unit([1, 2])], 2, "N", OVERLAPPING)), ["M:1,2", "N:2"]);
});

test("a machine's score does not survive a person's edit", () => {
  const edited = spans.toggle([{ ...unit([1, 2]), score: 0.9 }], 2, "M", SCHEME);
  assert.equal(edited[0].score, null);
  assert.deepEqual(spans.payload([{ tokens: [1], label: "M", score: 0.9 }]), [unit([1])]);
});

test("join makes units, contiguous or not, and takes tokens out again", () => {
  const taken = spans.join([unit([0])], 0, 2, "M", SCHEME);
  assert.deepEqual(short(taken), ["M:0,2"]);
  assert.deepEqual(short(spans.join(taken, 0, 2, "M", SCHEME)), ["M:0"]);
  assert.deepEqual(short(spans.join([], 4, 6, "M", SCHEME)), ["M:4,6"]);
});

test("join fills the gap where units must be contiguous", () => {
  assert.deepEqual(short(spans.join([unit([0])], 0, 2, "M", CONTIGUOUS)), ["M:0,1,2"]);
});

test("join swallows a whole unit of its label, and one token of another label", () => {
  assert.deepEqual(short(spans.join([unit([0]), unit([2, 3])], 0, 2, "M", SCHEME)), ["M:0,2,3"]);
  assert.deepEqual(short(spans.join([unit([0]), unit([2, 3], "N")], 0, 2, "M", SCHEME)), ["M:0,2", "N:3"]);
});

test("split makes every token a unit", () => {
  assert.deepEqual(short(spans.split([unit([1, 2, 5])], 2, SCHEME)), ["M:1", "M:2", "M:5"]);
});

test("the key of a label is about the whole unit: no word is lost where it has the label already", () => {
  const both = [unit([1, 2])];
  assert.deepEqual(short(spans.named(both, 2, "M", SCHEME)), ["M:1,2"]);
  assert.deepEqual(short(spans.named(both, 2, "N", SCHEME)), ["N:1,2"]);
  assert.deepEqual(short(spans.named([], 3, "M", SCHEME)), ["M:3"]);
  assert.deepEqual(spans.named([unit([3])], 3, "M", SCHEME), []);
});

test("relabel keeps the unit whole", () => {
  assert.deepEqual(short(spans.relabel([unit([1, 2])], 2, "N", SCHEME)), ["N:1,2"]);
  assert.deepEqual(short(spans.relabel([], 2, "N", SCHEME)), ["N:2"]);
});

test("remove takes the whole unit, and nothing where there is none", () => {
  assert.deepEqual(spans.remove([unit([1, 2])], 2), []);
  assert.deepEqual(short(spans.remove([unit([1, 2])], 0)), ["M:1,2"]);
});

test("the edge moves as in a text selection", () => {
  let state = spans.moveEdge([], 2, 1, 5, "M", SCHEME);
  assert.deepEqual([short(state.spans), state.focus], [["M:2,3"], 3]);
  state = spans.moveEdge(state.spans, state.focus, 1, 5, "M", SCHEME);
  assert.deepEqual([short(state.spans), state.focus], [["M:2,3,4"], 4]);
  state = spans.moveEdge(state.spans, state.focus, 1, 5, "M", SCHEME);
  assert.deepEqual([short(state.spans), state.focus], [["M:2,3,4"], 4], "the sentence ends here");
  state = spans.moveEdge(state.spans, state.focus, -1, 5, "M", SCHEME);
  assert.deepEqual([short(state.spans), state.focus], [["M:2,3"], 3]);
  state = spans.moveEdge(state.spans, 2, 1, 5, "M", SCHEME);
  assert.deepEqual([short(state.spans), state.focus], [["M:3"], 3]);
});

test("a unit moves as a whole, not past the sentence, and wins over what is there", () => {
  const list = [unit([1, 2]), unit([3], "N")];
  const moved = spans.moveUnit(list, 2, 1, 4, SCHEME);
  assert.deepEqual([short(moved.spans), moved.focus], [["M:2,3"], 3]);
  assert.deepEqual(spans.moveUnit([unit([0])], 0, -1, 4, SCHEME).spans, [unit([0])]);
});

test("union merges what shares tokens, common keeps what is the same", () => {
  const a = [unit([0]), unit([2, 3])];
  const b = [unit([3, 4]), unit([6], "N"), unit([0])];
  assert.deepEqual(short(spans.union([a, b], SCHEME)), ["M:0", "M:2,3,4", "N:6"]);
  assert.deepEqual(short(spans.common([a, b])), ["M:0"]);
  assert.deepEqual(short(spans.union([[unit([1])], [unit([1, 2], "N")]], SCHEME)), ["M:1", "N:2"]);
  assert.deepEqual(spans.common([]), []);
});

const SEVERAL = { ...SCHEME, several: true };

test("one unit has several labels where the scheme says so, and is edited with all of them", () => {
  let list = spans.toggleLabel([unit([1, 2])], 2, "N", SEVERAL);
  assert.deepEqual(short(list), ["M:1,2", "N:1,2"]);
  list = spans.join(list, 1, 4, "M", SEVERAL);
  assert.deepEqual(short(list), ["M:1,2,4", "N:1,2,4"]);
  assert.deepEqual(short(spans.toggle(list, 2, "M", SEVERAL)), ["M:1,4", "N:1,4"]);
  assert.deepEqual(short(spans.split(list, 4, SEVERAL)), ["M:1", "N:1", "M:2", "N:2", "M:4", "N:4"]);
  assert.deepEqual(short(spans.moveUnit(list, 1, 1, 9, SEVERAL).spans), ["M:2,3,5", "N:2,3,5"]);
  assert.deepEqual(short(spans.toggleLabel(list, 4, "M", SEVERAL)), ["N:1,2,4"]);
  assert.deepEqual(spans.remove(list, 4), []);
  assert.deepEqual(short(spans.union([[unit([1])], [unit([1], "N")]], SEVERAL)), ["M:1", "N:1"]);
});

test("a label stands on the sentence, beside all others, and goes again", () => {
  const list = spans.toggleOnSentence([unit([0])], "N");
  assert.deepEqual(short(list), ["N:", "M:0"]);
  assert.deepEqual(short(spans.toggleOnSentence(list, "N")), ["M:0"]);
  assert.deepEqual(short(spans.toggle(list, 0, "M", CONTIGUOUS)), ["N:"], "edits of words leave it where it is");
  assert.deepEqual(short(spans.union([list, [unit([], "N")]], SCHEME)), ["N:", "M:0"]);
  assert.deepEqual(short(spans.common([list, [unit([], "N")]])), ["N:"]);
  assert.equal(spans.spanAt(list, 0).label, "M");
  assert.deepEqual(spans.unitAt([unit([], "N")], 0), []);
});

test("attributes are set, changed and taken away; two contents differ by them", () => {
  const list = [unit([0]), unit([2])];
  const set = spans.setAttribute(list, spans.keyOf(unit([0])), "source", "WAR");
  assert.deepEqual(set.map((span) => span.attributes), [{ source: "WAR" }, {}]);
  assert.ok(!spans.same(list, set));
  assert.deepEqual(spans.setAttribute(set, spans.keyOf(unit([0])), "source", ""), list);
});

test("no edit ever leaves overlapping or empty units", () => {
  let seed = 7;
  const random = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
  let list = [];
  for (let count = 0; count < 3000; count += 1) {
    const [a, b] = [random(8), random(8)];
    const label = SCHEME.labels[random(2)];
    const scheme = random(2) ? SCHEME : CONTIGUOUS;
    list = [
      () => spans.toggle(list, a, label, scheme),
      () => spans.join(list, a, b, label, scheme),
      () => spans.split(list, a, scheme),
      () => spans.relabel(list, a, label, scheme),
      () => spans.moveEdge(list, a, random(2) ? 1 : -1, 8, label, scheme).spans,
      () => spans.moveUnit(list, a, random(2) ? 1 : -1, 8, scheme).spans,
      () => spans.restore(list, unit([a, (a + 1) % 8].sort(), label), scheme),
      () => spans.union([list, [unit([a], label)]], scheme),
    ][random(8)]();
    const tokens = list.flatMap((span) => span.tokens);
    assert.equal(new Set(tokens).size, tokens.length, JSON.stringify(list));
    for (const span of list) {
      assert.ok(span.tokens.length && span.tokens.every((t, i) => t >= 0 && t < 8 && (!i || t > span.tokens[i - 1])));
    }
  }
});
