import assert from "node:assert/strict";
import { test } from "node:test";
import { scripts } from "./served.js";

const { Decision } = await import(scripts.get("work/content/best.js"));

test("two words that stand as equal are the voters', and any other word is nobody's", () => {
  const answers = [{ content: { words: ["surge"], none: false } }, { content: { words: ["flood", "tide"], none: false } }, { content: { words: [], none: true } }];
  const decided = (...words) => new Decision({}).isSomebodys({ item: { answers }, value: { content: { words, none: false } } });
  assert.deepEqual([decided("surge", "flood"), decided("tide"), decided("surge", "rush"), decided()], [true, true, false, false]);
});
