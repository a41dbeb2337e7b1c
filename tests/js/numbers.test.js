import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { grouped, withRegion } from "../../static/site/logic/numbers.js";
import { translator } from "../../static/site/logic/text.js";

// The same cases go through `annotator/core/counts.py` in tests/core/test_counts.py.
const cases = JSON.parse(readFileSync(new URL("../counts.json", import.meta.url), "utf8"));

for (const [language, rows] of Object.entries(cases)) {
  test(`counts are grouped as the server groups them: ${language}`, () => {
    const t = translator({ counted: "{n}" }, language);
    for (const [number, text] of rows) {
      assert.equal(grouped(number, language), text);
      assert.equal(t("counted", { n: number }), text);
      assert.equal(t("counted", { n: String(number) }), String(number), "a text stays as it is");
    }
  });
}

test("the time is written as in the reader's region, where the language is the page's", () => {
  assert.equal(withRegion("en", ["de-DE", "en-GB", "en"]), "en-GB");
  assert.equal(withRegion("es", ["en-GB", "en"]), "es");
});
