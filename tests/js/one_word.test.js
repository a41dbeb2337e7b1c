import assert from "node:assert/strict";
import { test } from "node:test";
import { bareWord, isSeveral, wordKey } from "../../static/js/logic/one_word.js";

test("a word is what is left without spaces and punctuation around it, composed", () => {
  for (const [text, word] of [["  method ", "method"], ["“method.”", "method"], ["head-office", "head-office"], ["camin\u0301", "camiń"], ["o’clock", "o’clock"], ["...", ""], ["", ""]]) {
    assert.equal(bareWord(text), word);
  }
});

test("capital letters and composition make no other word", () => {
  assert.equal(wordKey("CAMI\u0301N"), wordKey("camín"));
  assert.notEqual(wordKey("camin"), wordKey("camín"));
});

test("spaces inside make several words", () => {
  assert.equal(isSeveral(" two words "), true);
  assert.equal(isSeveral(" word. "), false);
});
