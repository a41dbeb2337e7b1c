/** What an action on the chosen rows of a list will do, in numbers. */

/**
 * The number of chosen rows by state (`own`, `free`, `others`, `gold`, …).
 *
 * @param {Iterable<string>} states
 * @returns {Map<string, number>}
 */
export function counted(states) {
  const found = new Map();
  for (const state of states) found.set(state, (found.get(state) ?? 0) + 1);
  return found;
}

/**
 * The parts of the text below the list: the number of chosen rows, and the effect on them.
 *
 * @param {Map<string, number>} counts
 * @param {Record<string, string | undefined>} words By state, a text with `{n}`; `all` for their sum, `none` for none.
 * @returns {string}
 */
export function told(counts, words) {
  const all = [...counts.values()].reduce((sum, number) => sum + number, 0);
  if (!all) return words.none ?? "";
  const filled = (/** @type {string} */ text, /** @type {number} */ number) => text.replace("{n}", String(number));
  const parts = [...counts].filter(([state]) => words[state]).map(([state, number]) => filled(words[state] ?? "", number));
  const sum = filled(words.all ?? "", all);
  return parts.length ? `${sum} (${parts.join(", ")})` : sum;
}

/**
 * The rows between two, both included, in either order.
 *
 * @param {number} from
 * @param {number} to
 * @returns {number[]}
 */
export function between(from, to) {
  const [first, last] = from < to ? [from, to] : [to, from];
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
