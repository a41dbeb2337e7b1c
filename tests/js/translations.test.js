import assert from "node:assert/strict";
import { test } from "node:test";
import { inOrder } from "../../static/work/logic/spans.js";
import { decide, followed, keep, left, lose, offersOf, relinked, rowsOf, standing, take } from "../../static/work/logic/translations.js";

const SCHEME = { labels: ["M"], discontinuous: true, overlaps: false };
const span = (...tokens) => ({ tokens, label: "M", attributes: {}, score: null });
const outcome = (source, target, score) => ({ source: span(...source), outcome: target ? "projected" : "unaligned", reason: "", target: target ? span(...target) : null, left_out: [], score });
const source = (language, ...outcomes) => ({ language, outcomes, suggestion: 1, aligner: "lexical", others: [] });
const ES = source("es", outcome([4], [7], 0.9), outcome([0], [0, 1], 0.4), outcome([2], null, 0));
const tokens = ({ spans }) => spans.map((one) => one.tokens);
const fates = (rows, content) => standing(rows, content).rows.map(({ fate, decided }) => (decided ? fate : "open"));

test("the weakest link comes first, numbers go by reading order", () => {
  assert.deepEqual(rowsOf([ES]).map(({ number }) => number), [2, 1, 3]);
});

test("nothing is decided beforehand, and each act decides one row", () => {
  const rows = rowsOf([ES]);
  let content = { spans: [span(0, 1), span(7)] };
  assert.equal(left(rows, content), 3);
  assert.equal(keep(rows, content, rows[0], SCHEME), content, "nothing was projected there");
  content = lose(rows, content, rows[0]);
  content = keep(rows, content, rows[1], SCHEME);
  assert.deepEqual(fates(rows, content), ["lost", "kept", "open"]);
  content = lose(rows, content, rows[2]);
  assert.deepEqual([tokens(content), left(rows, content)], [[[0, 1]], 0]);
  // What was lost is kept after all.
  content = keep(rows, content, rows[2], SCHEME);
  assert.deepEqual([tokens(content), fates(rows, content)], [[[0, 1], [7]], ["lost", "kept", "kept"]]);
});

test("an edit decides the rows whose span it touches", () => {
  const rows = rowsOf([ES]);
  const before = { spans: [span(0, 1), span(7)] };
  assert.deepEqual(fates(rows, followed(rows, before, { spans: [span(1), span(7)] })), ["open", "shifted", "open"]);
  const without = followed(rows, before, { spans: [span(7)] });
  assert.deepEqual(fates(rows, without), ["open", "lost", "open"]);
  assert.deepEqual(fates(rows, followed(rows, without, { ...without, spans: before.spans })), ["open", "kept", "open"]);
});

test("a label beside what was called lost was gained", () => {
  const rows = rowsOf([ES]);
  const lost = lose(rows, { spans: [span(0, 1), span(7)] }, rows[0]);
  const now = standing(rows, { ...lost, spans: [...lost.spans, span(5)] });
  assert.deepEqual(now.gained.map((one) => one.tokens), [[5]]);
  assert.equal(now.rows[0].fate, "lost");
});

test("one projection is taken, or all; the same span of two sources is decided once", () => {
  const rows = rowsOf([source("es", outcome([1], [1], 0.5), outcome([3], [3], 0.6)), source("ca", outcome([0], [1], 0.7), outcome([5], [6], 0.8))]);
  const content = { spans: [span(1), span(3)] };
  const ca = take(rows, content, { source: 1, other: null }, SCHEME);
  assert.deepEqual([tokens(ca), fates(rows, ca)], [[[1], [6]], ["kept", "lost", "kept", "kept"]]);
  const all = take(rows, content, null, SCHEME);
  assert.deepEqual([tokens(all), left(rows, all)], [[[1], [3], [6]], 0]);
  assert.deepEqual(fates(rows, keep(rows, content, rows[0], SCHEME)), ["kept", "open", "kept", "open"]);
});

test("of two aligners either projection is taken, or both", () => {
  const es = { ...source("es", outcome([0], [0, 1], 0.4), outcome([2], null, 0), outcome([4], [7], 0.9)), others: [{ aligner: "simalign", targets: [span(1), span(3), null] }] };
  const rows = rowsOf([es]);
  const [lexical, simalign] = offersOf([es]);
  assert.deepEqual([lexical.aligner, simalign.aligner], ["lexical", "simalign"]);
  const content = { spans: [span(0, 1), span(7), span(9)] };
  // In the order of the weakest link: what the other aligner found nothing for is open, and what a person added stays.
  const other = take(rows, content, simalign, SCHEME);
  assert.deepEqual([tokens(other), left(rows, other)], [[[1], [3], [9]], 1]);
  const back = take(rows, other, lexical, SCHEME);
  assert.deepEqual([tokens(back), fates(rows, back).at(-1)], [[[0, 1], [7], [9]], "kept"]);
  // Both: where they share words they are one span.
  const both = take(rows, other, null, SCHEME);
  assert.deepEqual([tokens(both), left(rows, both)], [[[0, 1], [3], [7], [9]], 0]);
});

test("how a span was translated stays when it is decided anew", () => {
  const rows = rowsOf([ES]);
  const said = decide(lose(rows, { spans: [] }, rows[0]), rows[0], { attributes: { how: "omitted" } });
  assert.deepEqual(lose(rows, said, rows[0]).translations[0].attributes, { how: "omitted" });
});

test("after other links the content follows what changed, and only that is open again", () => {
  const before = rowsOf([ES]);
  const after = rowsOf([source("es", outcome([4], [6, 7], 1), outcome([0], [0, 1], 0.4), outcome([2], null, 0))]);
  const content = take(before, { spans: [span(0, 1), span(7)] }, { source: 0, other: null }, SCHEME);
  const now = relinked(before, after, content, SCHEME);
  assert.deepEqual(tokens(now), [[0, 1], [6, 7]]);
  assert.deepEqual(fates(after, now).toSorted(), ["kept", "open", "open"]);
});

test("translations are in the order of the server", () => {
  const one = (language, ...own) => ({ language, tokens: own, label: "M", lost: false, attributes: { b: "1", a: "2" } });
  const sorted = inOrder([one("es", 2), one("es", 1, 5), one("es", 1), one("ca", 9)]);
  assert.deepEqual(sorted.map(({ language, tokens: own }) => [language, ...own]), [["ca", 9], ["es", 1], ["es", 1, 5], ["es", 2]]);
  assert.deepEqual(Object.keys(sorted[0].attributes), ["a", "b"]);
});
