/** What people suggested after an answer was begun: a label that is to be put on words, or taken off them. Pure. */

import { restore, sorted } from "./spans.js";

/** @import { Draft } from "../../../types/wire" */
/** @typedef {import("./spans.js").Scheme} Scheme */
/** @typedef {{ id: number, name: string, label: string, words: number[], remove: boolean }} Proposal */

/** @param {Draft[]} spans @param {Proposal} proposal */
const labelled = (spans, { label, words }) => words.filter((word) => spans.some((span) => span.label === label && span.tokens.includes(word)));

/**
 * Those that the answer does not follow.
 *
 * @param {Proposal[]} proposals
 * @param {Draft[]} spans
 */
export const open = (proposals, spans) => proposals.filter((one) => labelled(spans, one).length !== (one.remove ? 0 : one.words.length));

/**
 * The spans as one of them has them: a span for each word, or none of the label on any, as
 * `annotator/domain/labels/label_words.py` does it.
 *
 * @param {Draft[]} spans
 * @param {Proposal} proposal
 * @param {Scheme} scheme
 * @returns {Draft[]}
 */
export function followed(spans, proposal, scheme) {
  const { label, words, remove } = proposal;
  if (remove) return spans.filter((span) => span.label !== label || !span.tokens.some((token) => words.includes(token)));
  const there = new Set(labelled(spans, proposal));
  const missing = words.filter((word) => !there.has(word)).map((word) => ({ tokens: [word], label }));
  return sorted(missing.reduce((all, span) => restore(all, span, scheme), spans));
}
