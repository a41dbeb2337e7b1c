/** What to show on each token of a sentence. */

import { identity, runs } from "./spans.js";
import { gaps } from "../../site/logic/text.js";

/** @import { Draft } from "../../../types/wire" */
/** @typedef {{ labels: string[], offered: string[], state: "kept" | "added" | "removed" | "none", unit: number | null, units: number[], size: number, joinsNext: boolean, said: string[] }} Mark */

/**
 * One mark a token: `{labels, offered, state, unit, units, size, joinsNext, said}`; `offered`: suggested labels; `said` are
 * values of attributes.
 * `state`: "kept" (suggested and labelled), "added", "removed" (suggested, not labelled), "none".
 * `unit`: the number that the tokens of a multi-word unit share, or null; `units`: of all units, where they overlap. `suggested` null (blind) makes no states
 * but "added" and "none".
 *
 * @param {number} length
 * @param {Draft[]} spans
 * @param {Draft[] | null} suggested
 * @returns {Mark[]}
 */
export function tokenMarks(length, spans, suggested) {
  /** @type {Mark[]} */
  const marks = Array.from({ length }, () => ({ labels: [], offered: [], state: "none", unit: null, units: [], size: 0, joinsNext: false, said: [] }));
  let unit = 0;
  for (const span of spans) {
    const number = span.tokens.length > 1 ? (unit += 1) : null;
    for (const token of span.tokens) {
      const mark = marks[token];
      if (!mark) continue;
      mark.labels.push(span.label);
      mark.said.push(...Object.entries(span.attributes ?? {}).filter(([name]) => name !== "bio").map(([, value]) => value));
      mark.unit = number ?? mark.unit;
      if (number !== null) mark.units.push(number);
      mark.size = Math.max(mark.size, span.tokens.length);
      mark.joinsNext ||= span.tokens.includes(token + 1);
    }
  }
  const offered = tokenLabels(length, suggested ?? []);
  marks.forEach((mark, token) => {
    mark.offered = [...offered[token]];
    if (mark.labels.length) mark.state = mark.labels.some((label) => offered[token].has(label)) ? "kept" : "added";
    else if (offered[token].size) mark.state = "removed";
  });
  return marks;
}

/**
 * Per token, whether the lists of spans disagree there: on its label, its attributes, or the unit that it belongs to.
 *
 * @param {number} length
 * @param {Draft[][]} lists
 */
export function differences(length, lists) {
  return Array.from({ length }, (_, token) => {
    const views = lists.map((spans) =>
      spans
        .filter((span) => span.tokens.includes(token))
        .map(identity)
        .sort()
        .join(" "),
    );
    return views.some((view) => view !== views[0]);
  });
}

/**
 * A span in words: its tokens, with "…" where some are left out; `sentence` where it has none.
 *
 * @param {Pick<Draft, "tokens">} span
 * @param {string[]} tokens
 * @param {string[]} [spaces]
 * @param {string} [sentence]
 */
export function spanText(span, tokens, spaces = [], sentence = "") {
  if (!span.tokens.length) return sentence;
  const before = gaps(tokens, spaces);
  return runs(span.tokens)
    .map((run) => run.reduce((text, token, i) => text + (i ? (before[token] ?? " ") : "") + (tokens[token] ?? "?"), ""))
    .join(" … ");
}

/**
 * @param {number} length
 * @param {Draft[]} spans
 */
function tokenLabels(length, spans) {
  /** @type {Set<string>[]} */
  const labels = Array.from({ length }, () => new Set());
  for (const span of spans) for (const token of span.tokens) labels[token]?.add(span.label);
  return labels;
}
