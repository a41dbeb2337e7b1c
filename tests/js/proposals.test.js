import assert from "node:assert/strict";
import { test } from "node:test";
import { followed, open } from "../../static/work/logic/proposals.js";

const SCHEME = { labels: ["A", "B"], discontinuous: true, overlaps: false };
const add = { id: 1, name: "ana", label: "A", words: [1, 3], remove: false };
const off = { id: 2, name: "ana", label: "A", words: [5], remove: true };
const span = (label, ...tokens) => ({ tokens, label });
const said = (spans) => spans.map(({ label, tokens }) => [label, tokens]);

test("a suggestion is open until the answer says the same", () => {
  assert.deepEqual(open([add, off], [span("A", 1), span("A", 4, 5)]), [add, off]);
  assert.deepEqual(open([add, off], [span("A", 0, 1), span("A", 3), span("B", 5)]), []);
});

test("following one adds a span for each word that is missing, or takes the spans on its words off", () => {
  assert.deepEqual(said(followed([span("A", 0, 1), span("B", 5)], add, SCHEME)), [["A", [0, 1]], ["A", [3]], ["B", [5]]]);
  assert.deepEqual(said(followed([span("A", 4, 5), span("B", 6)], off, SCHEME)), [["B", [6]]]);
  assert.deepEqual(open([add], followed([], add, SCHEME)), []);
});
