/** A word as the server spells it, and when two are the same: `annotator/domain/text/one_word.py` says the same. */

import { withoutUnseen } from "./unseen.js";

const AROUND = /^[\s.,;:!?…"“”„«»‹›()[\]{}\u200c\u200d]+|[\s.,;:!?…"“”„«»‹›()[\]{}\u200c\u200d]+$/gu;

/** The word without spaces and punctuation around it and what nobody sees, composed. @param {string} text */
export const bareWord = (text) => withoutUnseen(text).normalize("NFC").replace(AROUND, "");

/** Equal for what is the same word: whatever its capitals, ligatures and widths. @param {string} word */
export const wordKey = (word) => word.normalize("NFKC").toLowerCase().normalize("NFKC");

/** Whether a text is more than one word. @param {string} text */
export const isSeveral = (text) => /\s|(?<!\d)[,;/]|[,;/](?!\d)/u.test(bareWord(text));

/** The message that says why a text is not one word; "" where it is, and where nothing is written. @param {string} text */
export function notOneWord(text) {
  const word = bareWord(text);
  if (/[<>&]/u.test(word)) return "markup_word";
  if (isSeveral(text)) return "more_words";
  return text.trim() && !/\p{L}/u.test(word) ? "no_letter" : "";
}

/** The word as it is written in the place of the marked one (`in_case_of`). @param {string} word @param {string} marked */
export function inCaseOf(word, marked) {
  const [first = "", ...rest] = word;
  const [begins = ""] = marked;
  const end = rest.join("");
  if (!end || end !== end.toLowerCase()) return word;
  if (begins !== begins.toLowerCase()) return first.toUpperCase() + end;
  return begins === begins.toUpperCase() ? word : first.toLowerCase() + end;
}

const LONGEST_END = 4;

/**
 * Whether a word may be another form of one of `forms`, the marked word and its lemma: they begin alike, and end in a few
 * letters of their own ("rises", "rising"). It is a guess, which a person can pass over.
 * @param {string} word
 * @param {string[]} forms
 */
export function mayBeForm(word, forms) {
  const written = [...wordKey(bareWord(word))];
  return forms.some((form) => {
    const known = [...wordKey(bareWord(form))];
    const [shorter, longer] = [Math.min(written.length, known.length), Math.max(written.length, known.length)];
    let shared = 0;
    while (shared < shorter && written[shared] === known[shared]) shared += 1;
    if (shared > 1 && shared === shorter) return longer - shared <= LONGEST_END;
    return shared > 2 && shorter - shared < 3 && longer - shared < LONGEST_END && 2 * shared > shorter;
  });
}
