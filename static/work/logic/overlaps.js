/**
 * Units that share words, where the scheme lets them: which of them is meant, and how they lie. Pure.
 *
 * Edits (`spans.js`) act on the first unit on a token, so the one that is meant is put in front of the others.
 */

import { keyOf } from "./spans.js";

/** @import { Draft } from "../../../types/wire" */
/** @typedef {{ lane: number, label: string, key: string, inside: boolean, goesOn: boolean }} Bar */

/**
 * The units on a token, in reading order.
 *
 * @param {Draft[]} spans
 * @param {number} token
 */
export const unitsAt = (spans, token) => spans.filter((span) => span.tokens.includes(token));

/**
 * The spans with the one that is meant in front: a unit that is begun and is no unit yet, or the one of `key`.
 *
 * @param {Draft[]} spans
 * @param {string | null} key
 * @param {Draft | null} [begun]
 */
export function led(spans, key, begun = null) {
  if (begun) return [begun, ...spans];
  const own = key === null ? undefined : spans.find((span) => keyOf(span) === key);
  return own ? [own, ...spans.filter((span) => span !== own)] : spans;
}

/**
 * The key of the unit that is meant after an edit: the same one, or what became of it; null where it is gone.
 *
 * @param {Draft[]} before
 * @param {Draft[]} after
 * @param {string | null} key
 * @param {Draft | null} [begun]
 */
export function following(before, after, key, begun = null) {
  const own = begun ?? before.find((span) => keyOf(span) === key);
  if (!own) return null;
  if (!begun && after.some((span) => keyOf(span) === key)) return key;
  const known = new Set(before.map(keyOf));
  const made = after.filter((span) => !known.has(keyOf(span)));
  /** @param {Draft} span */
  const shared = (span) => span.tokens.filter((token) => own.tokens.includes(token)).length;
  const [next] = made.sort((a, b) => shared(b) - shared(a));
  return next ? keyOf(next) : null;
}

/**
 * After the unit that is meant, the next one on the same token; round and round. Null without any.
 *
 * @param {Draft[]} spans
 * @param {number} token
 * @param {string | null} key
 */
export function nextUnit(spans, token, key) {
  const keys = unitsAt(spans, token).map(keyOf);
  if (!keys.length) return null;
  return keys[(keys.indexOf(key ?? keys[0]) + 1) % keys.length];
}

/**
 * Per token, the bars that are drawn under it, by lane: units that reach across each other never share one.
 * A token that a unit leaves out has a bar that is not `inside`; `goesOn`: the unit has more words behind the token.
 *
 * @param {number} length
 * @param {Draft[]} spans
 * @returns {Bar[][]}
 */
export function lanes(length, spans) {
  /** @type {Bar[][]} */
  const bars = Array.from({ length }, () => []);
  /** The last token of each lane so far. @type {number[]} */
  const ends = [];
  const units = spans.filter((span) => span.tokens.length);
  // Long ones first, so that what lies inside another lies below it.
  const order = [...units].sort((a, b) => a.tokens[0] - b.tokens[0] || (b.tokens.at(-1) ?? 0) - (a.tokens.at(-1) ?? 0));
  for (const span of order) {
    const [first, last] = [span.tokens[0], span.tokens[span.tokens.length - 1]];
    const free = ends.findIndex((end) => end < first);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = last;
    for (let token = first; token <= last && token < length; token += 1) {
      bars[token].push({ lane, label: span.label, key: keyOf(span), inside: span.tokens.includes(token), goesOn: token < last });
    }
  }
  return bars;
}
