/**
 * What the palette offers for what is typed. An entry is `{label, detail, number}`: `detail` tells entries of one label
 * apart (a language), `number` is the key of a stage.
 */

/** @typedef {{label: string, detail?: string, number?: number | null}} Entry */

/**
 * Folds case and accents, so that "anadir" finds "Añadir".
 * @param {string} text
 */
export function folded(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/**
 * How well an entry answers: 0 where it does not, else higher for the better. A digit alone is a stage's number.
 * Otherwise the typed letters occur in the words in order; those that begin a word count most.
 * @param {Entry} entry
 * @param {string} typed
 */
export function score(entry, typed) {
  const wanted = folded(typed).replace(/\s+/g, "");
  if (!wanted) return 1;
  if (wanted === String(entry.number ?? "")) return 1000;
  const words = folded(`${entry.label} ${entry.detail ?? ""}`);
  let found = 0;
  let at = 0;
  for (const letter of wanted) {
    const start = wordStart(words, letter, at);
    const next = start >= 0 ? start : words.indexOf(letter, at);
    if (next < 0) return 0;
    found += start >= 0 || next === at ? 3 : 1;
    at = next + 1;
  }
  return found / (wanted.length * 3);
}

/**
 * Where the next word begins with a letter, the letter after the last one found included; -1 where none does.
 * @param {string} words
 * @param {string} letter
 * @param {number} from
 */
function wordStart(words, letter, from) {
  if (words[from] === letter) return from;
  for (let at = from; at < words.length; at++) {
    if (words[at] === letter && (at === 0 || !/[\p{L}\p{N}]/u.test(words[at - 1]))) return at;
  }
  return -1;
}

/**
 * The entries that answer, the best first; equal ones in their order.
 * @template {Entry} E
 * @param {E[]} entries
 * @param {string} typed
 */
export function ranked(entries, typed) {
  return entries
    .map((entry, order) => ({ entry, order, score: score(entry, typed) }))
    .filter((one) => one.score > 0)
    .sort((a, b) => b.score - a.score || a.order - b.order)
    .map((one) => one.entry);
}
