import assert from "node:assert/strict";
import { test } from "node:test";

import { faults, isTooLong, lengthOf, sharedBeginning, spelt, words } from "../../static/work/logic/pairs.js";

test("what both begin with ends at a word, or at a character where there are no spaces", () => {
  assert.equal(sharedBeginning("Her voice is a blanket.", "Her voice is a blade."), "Her voice is a");
  assert.equal(sharedBeginning("这是天堂", "这是地狱"), "这是");
  assert.equal(sharedBeginning("Ana runs", "Ben runs"), "");
  assert.equal(sharedBeginning("La voz", "La voz ronca"), "La voz");
});

test("composed and decomposed characters are the same, and marks stay with theirs", () => {
  assert.equal(spelt("e\u0301  a"), "é a");
  assert.equal(sharedBeginning("Olu\u0301 ni ", "Olu\u0301 lo"), "Olú");
  assert.equal(sharedBeginning("ನದಿ", "ನದು"), "ನ");
});

test("words are compared without capitals and punctuation", () => {
  assert.deepEqual(words("“Her VOICE!” …"), ["her", "voice"]);
  assert.deepEqual(words("Her vo\u200bice"), ["her", "voice"]);
});

test("faults name what is wrong, and nothing of what is empty", () => {
  assert.deepEqual(faults({ figurative: ["", ""], literal: ["", ""] }), []);
  assert.deepEqual(faults({ figurative: ["A b.", "a B"], literal: ["x", "X!"] }), [["same_words", {}, 1], ["same_meaning", {}, 3]]);
  assert.deepEqual(faults({ figurative: ["Ana runs", "Ben runs"], literal: ["Ana runs.", "y"] }), [["no_beginning", {}, 1], ["like_meaning", { n: 1 }, 2]]);
});

test("marks that nobody sees and vowel points make no other word and no other beginning", () => {
  assert.deepEqual(words("قَلْبُها"), words("قلبها"));
  assert.deepEqual(words("שָׁלוֹם"), words("שלום"));
  assert.deepEqual(faults({ figurative: ["\u200fبيتُه قصر.", "بيته كوخ."], literal: ["x", "y"] }), []);
});

test("characters are counted as the server counts them: composed, and a sign beyond the first plane is one", () => {
  assert.equal(lengthOf("e\u0301 🦋  "), 3);
  assert.ok(!isTooLong(["🦋".repeat(5), "five!"], 5));
  assert.ok(isTooLong(["five!", "sixsix"], 5));
  assert.ok(!isTooLong(["however long it is"]));
});
