import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as keys from "../../static/work/logic/keys.js";
import { ATTRIBUTE_KEYS, attributesOf, fitting, labelsOf, nextValue, PALETTE } from "../../static/work/logic/labels.js";

const SCHEME = {
  labels: ["A", "B", "C"],
  discontinuous: true,
  overlaps: false,
  details: { B: { name: "Bee", key: "1", colour: "rose" }, C: { tokenless: true } },
  attributes: { plain: ["x", "y"], narrow: { values: ["yes"], labels: ["A"], key: "w", name: "Narrow" } },
};

test("what a scheme does not say of a label follows from its place", () => {
  const short = labelsOf(SCHEME).map(({ name, colour, key, tokenless }) => [name, colour, key, tokenless]);
  assert.deepEqual(short, [["A", "blue", "2", false], ["Bee", "rose", "1", false], ["C", "teal", "3", true]]);
});

test("the only label of a scheme has neither key nor colour", () => {
  const [only] = labelsOf({ labels: ["M"], discontinuous: true, overlaps: false });
  assert.deepEqual([only.name, only.key, only.colour], ["M", "", ""]);
});

test("attributes are lists of values or say more, and belong to labels", () => {
  assert.deepEqual(attributesOf(SCHEME).map(({ code, name, values }) => [code, name, values]), [["plain", "plain", ["x", "y"]], ["narrow", "Narrow", ["yes"]]]);
  assert.deepEqual(attributesOf(SCHEME, "B").map(({ code }) => code), ["plain"]);
  assert.deepEqual(fitting({ plain: "x", narrow: "yes", gone: "z" }, SCHEME, "B"), { plain: "x" });
});

test("a key goes through the values, and through none", () => {
  assert.deepEqual([nextValue(["x", "y"], ""), nextValue(["x", "y"], "x"), nextValue(["x", "y"], "y")], ["x", "y", ""]);
});

test("python has the same palette and keys", () => {
  const source = readFileSync(new URL("../../annotator/domain/labels/schemes.py", import.meta.url), "utf8");
  const [, palette] = /^PALETTE = \(([^)]+)\)/m.exec(source);
  assert.deepEqual(palette.split(", ").map((name) => name.slice(1, -1)), PALETTE);
  assert.equal(/^ATTRIBUTE_KEYS = tuple\("(\w+)"\)/m.exec(source)[1], ATTRIBUTE_KEYS.join(""));
});

test("every key that a scheme may give is free in every workspace", () => {
  const labels = labelsOf({ ...SCHEME, labels: Array.from({ length: 9 }, (_, i) => `L${i}`), details: { L8: { tokenless: true } } });
  const attributes = ATTRIBUTE_KEYS.map((key) => ({ code: key, name: key, values: ["x"], labels: [], key, description: "", vocabulary: false }));
  for (const map of [keys.correctKeys(labels, attributes), keys.reviewKeys(labels, attributes), keys.withEdit(keys.correctKeys(labels, attributes))]) {
    const all = map.flatMap((entry) => entry.keys);
    assert.deepEqual(all.filter((key, i) => all.indexOf(key) !== i), []);
    assert.equal(map.filter((entry) => /^(label|attribute)\d$/.test(entry.command)).length, 9 + ATTRIBUTE_KEYS.length);
  }
});
