/** Messages of the page, with their gaps filled. */

import { grouped } from "./numbers.js";

/** @typedef {Record<string, string>} Messages */
/** @typedef {(name: string, values?: Record<string, unknown>) => string} Translate */

/**
 * "{n} left" with `{n: 3}` is "3 left". Numbers are grouped as in `language`. A gap without a value is a fault, and says so.
 *
 * @param {string} message
 * @param {Record<string, unknown>} values
 * @param {string} language
 */
export function fill(message, values, language) {
  return message.replace(/\{(\w+)\}/g, (_, name) => {
    if (!(name in values)) throw new Error(`The message "${message}" needs a value for ${name}.`);
    const value = values[name];
    return typeof value === "number" ? grouped(value, language) : String(value);
  });
}

/**
 * A lookup of messages by name: `t("saved", {time})`. `language`: the page's. An unknown name is a fault.
 *
 * @param {Messages} messages
 * @param {string} language
 * @returns {Translate}
 */
export function translator(messages, language) {
  return (name, values = {}) => {
    if (!(name in messages)) throw new Error(`There is no message named ${name}.`);
    return fill(messages[name], values, language);
  };
}

/**
 * What stands before each token and after the last one; `spaces` empty: single spaces.
 *
 * @param {string[]} tokens
 * @param {string[]} spaces
 */
export function gaps(tokens, spaces) {
  return spaces.length ? spaces : [...tokens.map((_, index) => (index ? " " : "")), ""];
}

const CLOSING = /^[\p{Pe}\p{Pf}.,;:!?…、。，．：；！？،؛؟]+$/u;
// The same mark opens and closes; where it closes, it follows its word.
const EITHER = /^["'%]+$/;
// A line of nothing but marks must break somewhere.
const MAX_TOGETHER = 4;

/**
 * Which tokens stand on one line: each word with the closing marks that follow it, as indices in order.
 *
 * @param {string[]} tokens
 * @param {string[]} before What stands before each, as `gaps` gives it.
 */
export function together(tokens, before) {
  /** @type {number[][]} */
  const groups = [];
  tokens.forEach((token, index) => {
    const group = groups.at(-1);
    const closes = CLOSING.test(token) || (before[index] === "" && EITHER.test(token));
    if (group && closes && group.length < MAX_TOGETHER) group.push(index);
    else groups.push([index]);
  });
  return groups;
}

/**
 * The text of a sentence, or of its tokens from `from` to `to` - 1.
 *
 * @param {string[]} tokens
 * @param {string[]} spaces
 */
export function textOf(tokens, spaces, from = 0, to = tokens.length) {
  const before = gaps(tokens, spaces);
  return tokens.slice(from, to).reduce((text, token, i) => text + (i ? before[from + i] : "") + token, "");
}

/**
 * How a text begins, to the end of a character; an ellipsis stands for the rest.
 *
 * @param {string} text
 * @param {number} most
 */
export function beginningOf(text, most = 60) {
  const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  return characters.length > most ? `${characters.slice(0, most - 1).join("").trimEnd()}…` : text;
}

/**
 * The word of a code; a project may have codes of its own, which are shown as they are.
 *
 * @param {Messages} messages
 * @param {string} kind
 * @param {string} code
 */
export const wordOf = (messages, kind, code) => messages[`${kind}_${code}`] ?? code;

const RTL = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const RTL_SCRIPTS = new Set(["Adlm", "Arab", "Aran", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"]);

/**
 * "rtl" or "ltr": as the language is written (`annotator/domain/text/languages.py` says the same to templates), so that an
 * Arabic sentence that begins with a Latin name stays Arabic. Of a language without a known script, from the first letter
 * of the text. (`dir="auto"` on a row of chips would not look into them.)
 *
 * @param {string} language
 * @param {string[]} [tokens]
 * @returns {"ltr" | "rtl"}
 */
export function direction(language, tokens = []) {
  const script = scriptOf(language);
  const letter = tokens.join(" ").match(/\p{L}/u)?.[0] ?? "";
  return (script ? RTL_SCRIPTS.has(script) : RTL.test(letter)) ? "rtl" : "ltr";
}

/**
 * The attributes of an element whose text is in a language. Without `tokens`, it is a field that is still empty, or of a text
 * that is not known yet: the browser then finds out how a language is written that has no known script.
 *
 * @param {string} language
 * @param {string[]} [tokens]
 */
export const inLanguage = (language, tokens) => ({ lang: language, dir: tokens || scriptOf(language) ? direction(language, tokens) : "auto" });

/** @param {string} language */
function scriptOf(language) {
  try {
    return new Intl.Locale(language.replaceAll("_", "-")).maximize().script;
  } catch {
    return undefined; // A project may name a language in a way of its own.
  }
}

/**
 * A probability as a whole percentage: 0.994 is "99 %", and nothing but 1 is "100 %".
 *
 * @param {number} probability
 */
export function percent(probability) {
  const value = probability < 1 ? Math.min(99, Math.round(probability * 100)) : 100;
  return value === 0 && probability > 0 ? "<1 %" : `${value} %`;
}

