import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { scripts } from "./served.js";

// The same cases go through `ContentType.key` in tests/domain/test_equality.py.
const cases = JSON.parse(readFileSync(new URL("../content_cases/equality.json", import.meta.url), "utf8"));

for (const [type, rows] of Object.entries(cases)) {
  const { same, clean } = await import(scripts.get(`work/content/${type}.js`));
  for (const { why, one, other, same: expected } of rows) {
    test(`${type}: ${why}`, () => {
      assert.equal(same(one, other), expected);
      assert.equal(same(other, one), expected);
      assert.ok(same(one, clean(one)), "what is sent says the same");
    });
  }
}
