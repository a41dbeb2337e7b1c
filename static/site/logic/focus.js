/** Where the focus goes. All positions are token indices. */

/** @import { Draft } from "../../../types/wire" */
/** @import { Box } from "../../work/logic/links.js" */

/**
 * One step along the sentence; at its ends the focus stays.
 *
 * @param {number} from
 * @param {number} delta
 * @param {number} length
 */
export const step = (from, delta, length) => Math.max(0, Math.min(length - 1, from + delta));

/**
 * The next token from `from` in direction `delta` that passes `test`, going round once; null where none does.
 *
 * @param {number} length
 * @param {number} from
 * @param {number} delta
 * @param {(token: number) => boolean} test
 */
export function nextWhere(length, from, delta, test) {
  for (let count = 1; count <= length; count += 1) {
    const token = (((from + delta * count) % length) + length) % length;
    if (test(token)) return token;
  }
  return null;
}

/**
 * Content words that nobody labelled: where missing metaphors are found.
 *
 * @param {boolean[]} content
 * @param {Pick<Draft, "tokens">[]} spans
 */
export function unlabelledContent(content, spans) {
  const labelled = new Set(spans.flatMap((span) => span.tokens));
  return content.map((is, token) => (is && !labelled.has(token) ? token : -1)).filter((token) => token >= 0);
}

/**
 * Candidates, likeliest first; without probabilities in reading order.
 *
 * @param {number[]} tokens
 * @param {number[] | undefined} probabilities
 */
export function byProbability(tokens, probabilities) {
  if (!probabilities?.length) return [...tokens];
  return [...tokens].sort((a, b) => (probabilities[b] ?? 0) - (probabilities[a] ?? 0) || a - b);
}

/**
 * The candidate after `from` in a list, the first where `from` is not in it; null for an empty list.
 *
 * @param {number[]} order
 * @param {number} from
 */
export function after(order, from) {
  if (!order.length) return null;
  return order[(order.indexOf(from) + 1) % order.length];
}

/**
 * Where to begin: the first suggestion, else the first content word, else the first token.
 *
 * @param {boolean[]} content
 * @param {Pick<Draft, "tokens">[] | null | undefined} suggested
 */
export function start(content, suggested) {
  const tokens = (suggested ?? []).flatMap((span) => span.tokens);
  if (tokens.length) return Math.min(...tokens);
  return Math.max(0, content.indexOf(true));
}

/**
 * The first tokens of spans, in order: the stops when stepping through suggestions.
 *
 * @param {Pick<Draft, "tokens">[][]} lists
 */
export function stops(...lists) {
  return [...new Set(lists.flat().flatMap((span) => span.tokens.slice(0, 1)))].sort((a, b) => a - b);
}

/**
 * The box of the row above or below (`delta` -1 or 1) that lies nearest to box `from`.
 *
 * @param {Box[]} boxes
 * @param {number} from
 * @param {number} delta
 */
export function vertical(boxes, from, delta) {
  const here = boxes[from];
  /** @param {Box} box */
  const middle = (box) => box.left + box.width / 2;
  const beyond = boxes
    .map((box, index) => ({ box, index, gap: (box.top - here.top) * delta }))
    .filter(({ gap }) => gap > here.height / 2);
  if (!beyond.length) return from;
  const row = Math.min(...beyond.map(({ gap }) => gap));
  return beyond
    .filter(({ gap }) => gap < row + here.height / 2)
    .reduce((best, other) =>
      Math.abs(middle(other.box) - middle(here)) < Math.abs(middle(best.box) - middle(here)) ? other : best,
    ).index;
}
