/** A sentence and what somebody wrote of it, word by word: what is new, what is gone, and how much is shared. */

import { spelt, words } from "./pairs.js";

const bare = (/** @type {string} */ token) => words(token).join(" ");

/**
 * Which tokens of both stand in their longest common sequence, compared without capitals and punctuation.
 *
 * @param {string[]} one
 * @param {string[]} other
 * @returns {[Set<number>, Set<number>]}
 */
export function common(one, other) {
  const [a, b] = [one.map(bare), other.map(bare)];
  const lengths = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) lengths[i][j] = a[i] && a[i] === b[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
  const [inOne, inOther] = [new Set(), new Set()];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] && a[i] === b[j]) {
      inOne.add(i++);
      inOther.add(j++);
    } else if (lengths[i + 1][j] >= lengths[i][j + 1]) i += 1;
    else j += 1;
  }
  return [inOne, inOther];
}

/**
 * What a text makes of a sentence. `tokens`: of the text, `fresh`: which of them are new; `gone`: words of the sentence
 * that are not in it; `share`: of the sentence's words, those that are, 0 to 1; `same`: whether all words are the same;
 * `kept`: whether the focus stands in it as it was.
 *
 * @param {string[]} sentence its tokens
 * @param {number[]} focus which of them are marked
 * @param {string} text
 */
export function compare(sentence, focus, text) {
  const tokens = spelt(text).split(" ").filter(Boolean);
  const [inSentence, inText] = common(sentence, tokens);
  const said = sentence.map((token, index) => [bare(token), index]).filter(([word]) => word);
  const written = words(text);
  const marked = focus.map((index) => bare(sentence[index] ?? "")).filter(Boolean);
  return {
    tokens,
    fresh: new Set(tokens.map((token, index) => (bare(token) && !inText.has(index) ? index : -1)).filter((index) => index >= 0)),
    gone: said.filter(([, index]) => !inSentence.has(Number(index))).map(([, index]) => sentence[Number(index)]),
    share: said.length ? inSentence.size / said.length : 0,
    same: written.length > 0 && written.join(" ") === said.map(([word]) => word).join(" "),
    kept: marked.length > 0 && ` ${written.join(" ")} `.includes(` ${marked.join(" ")} `),
  };
}
