/** Two sentences that begin alike: what they share, and what is wrong with them. As `domain/pairs/figurative_pairs.py`. */

import { lookedUp } from "./looked_up.js";

/** @param {string} text */
export const spelt = (text) => text.normalize("NFC").trim().replace(/\s+/gu, " ");

/**
 * How many characters a text has, as the server counts them.
 *
 * @param {string} text
 */
export const lengthOf = (text) => [...spelt(text)].length;

/**
 * Whether one of the texts has more characters than may be kept.
 *
 * @param {string[]} texts
 * @param {number} [longest]
 */
export const isTooLong = (texts, longest = Infinity) => texts.some((text) => lengthOf(text) > longest);

/**
 * The words as they are compared: without capitals, punctuation, and what makes no other word.
 *
 * @param {string} text
 */
export const words = (text) =>
  spelt(lookedUp(text))
    .split(" ")
    .map((word) => word.toLowerCase().replace(/^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu, ""))
    .filter(Boolean);

/**
 * How both begin, to the end of the last whole word; in scripts without spaces to the last character.
 *
 * @param {string} one
 * @param {string} other
 */
export function sharedBeginning(one, other) {
  const [a, b] = [[...spelt(one)], [...spelt(other)]];
  let length = 0;
  while (length < Math.min(a.length, b.length) && a[length].toLowerCase() === b[length].toLowerCase()) length += 1;
  while (length > 0 && length < Math.max(a.length, b.length) && [a, b].some((text) => /^\p{M}$/u.test(text[length] ?? ""))) length -= 1;
  const shared = a.slice(0, length).join("");
  const whole = [a, b].every((text) => text.length === length || text[length] === " ");
  if (whole || !a.includes(" ") || !b.includes(" ")) return shared.trimEnd();
  return shared.slice(0, shared.lastIndexOf(" ") + 1).trimEnd();
}

const equal = (/** @type {string} */ a, /** @type {string} */ b) => words(a).length > 0 && words(a).join(" ") === words(b).join(" ");

/**
 * The names of the messages that say what is wrong so far, with their values and the number of the line that is to be
 * changed; nothing about what is empty yet.
 *
 * @param {{ figurative: string[], literal: string[] }} content
 * @returns {[string, Record<string, unknown>, number][]}
 */
export function faults({ figurative, literal }) {
  /** @type {[string, Record<string, unknown>, number][]} */
  const found = [];
  if (equal(figurative[0], figurative[1])) found.push(["same_words", {}, 1]);
  else if (figurative.every((text) => words(text).length) && !words(sharedBeginning(lookedUp(figurative[0]), lookedUp(figurative[1]))).length) found.push(["no_beginning", {}, 1]);
  if (equal(literal[0], literal[1])) found.push(["same_meaning", {}, 3]);
  for (const number of [0, 1]) if (equal(figurative[number], literal[number])) found.push(["like_meaning", { n: number + 1 }, number + 2]);
  return found;
}
