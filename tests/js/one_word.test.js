import assert from "node:assert/strict";
import { test } from "node:test";
import { bareWord, inCaseOf, isSeveral, mayBeForm, notOneWord, wordKey } from "../../static/work/logic/one_word.js";

test("a word is what is left without spaces and punctuation around it, composed", () => {
  for (const [text, word] of [["  method ", "method"], ["“method.”", "method"], ["head-office", "head-office"], ["camin\u0301", "camiń"], ["o’clock", "o’clock"], ["...", ""], ["", ""], ["\u200brose", "rose"], ["ro\u00adse\u200f", "rose"], ["می\u200cروم", "می\u200cروم"], ["rose\u200d", "rose"]]) {
    assert.equal(bareWord(text), word);
  }
});

test("capital letters and composition make no other word", () => {
  assert.equal(wordKey("CAMI\u0301N"), wordKey("camín"));
  assert.notEqual(wordKey("camin"), wordKey("camín"));
  assert.equal(wordKey("ﬁnd"), wordKey("find"));
});

test("spaces inside make several words", () => {
  assert.equal(isSeveral(" two words "), true);
  assert.equal(isSeveral(" word, "), false);
});

test("what is not one word is said by the name of a message", () => {
  for (const [text, message] of [["<b>x</b>", "markup_word"], ["R&B", "markup_word"], ["1234", "no_letter"], ["...", "no_letter"], ["two words", "more_words"], ["led,headed", "more_words"], ["led/headed", "more_words"], ["10,000-strong", ""], ["2nd", ""], ["“word.”", ""], ["\u0c95\u0cca", ""], ["", ""], [" ", ""]]) {
    assert.equal(notOneWord(text), message, text);
  }
});

test("a word is put into the case of the marked one, as on the server", () => {
  for (const [word, marked, expected] of [["Method", "approach", "method"], ["smooth", "Sleek", "Smooth"], ["DRG", "firm", "DRG"], ["McDonald", "firm", "McDonald"], ["I", "he", "I"], ["kannada", "\u0c95", "kannada"], ["", "word", ""]]) {
    assert.equal(inCaseOf(word, marked), expected);
  }
});

test("what begins like the marked word or its lemma may be a form of it", () => {
  for (const [word, forms] of [["approaches", ["approach", ""]], ["Rising", ["rises"]], ["goes", ["went", "go"]], ["running", ["run"]], ["atacan", ["atacó", "atacar"]]]) {
    assert.equal(mayBeForm(word, forms), true, word);
  }
  for (const [word, forms] of [["method", ["approach", ""]], ["winning", ["leading", "lead"]], ["car", ["cat"]], ["", ["wave"]]]) {
    assert.equal(mayBeForm(word, forms), false, word);
  }
});
