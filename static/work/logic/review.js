/**
 * What became of projected labels in a person's hands. `annotator/domain/projection/outcomes.py` counts by the same rule;
 * `tests/content_cases/outcomes.json` holds both to it.
 */

import { keyOf } from "./spans.js";

/** @import { Draft, Outcome } from "../../../types/wire" */
/** @typedef {"confirmed" | "kept" | "shifted" | "lost"} Fate */

/** The words of the target that a source span was carried to or is linked with. @param {Outcome} outcome */
const reach = (outcome) => new Set([...(outcome.target?.tokens ?? []), ...outcome.left_out.map((one) => one.token)]);

/**
 * How well a span that stands answers to a source span, the best first when sorted; null where it cannot.
 *
 * @param {Outcome} outcome
 * @param {Draft} span
 */
function rank(outcome, span) {
  const near = reach(outcome);
  const otherLabel = Number(span.label !== outcome.source.label);
  const shared = span.tokens.filter((token) => near.has(token)).length;
  if (outcome.target && String(outcome.target.tokens) === String(span.tokens)) return [0, otherLabel];
  if (shared) return [1, -shared, otherLabel];
  if (otherLabel || !span.tokens.length || !outcome.source.tokens.length) return null;
  const distances = [...near].flatMap((a) => span.tokens.map((b) => Math.abs(a - b)));
  return [2, Number(outcome.outcome !== "projected"), distances.length ? Math.min(...distances) : 0];
}

/** @param {number[]} a @param {number[]} b */
const inOrder = (a, b) => {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at < 0 ? 0 : a[at] - (b[at] ?? -Infinity);
};

/**
 * Matches the spans of a source one to one with those that stand: a fate for every outcome ("confirmed": kept, and a
 * person said so), and the spans that none of them has.
 *
 * @param {Outcome[]} outcomes
 * @param {Draft[]} spans
 * @param {Set<string> | null} [confirmed]
 * @returns {{ fates: Fate[], gained: Draft[] }}
 */
export function review(outcomes, spans, confirmed = null) {
  const pairs = outcomes.flatMap((outcome, source) =>
    spans.flatMap((span, target) => {
      const ranked = rank(outcome, span);
      return ranked ? [{ by: [...ranked, source, target], source, target, same: ranked[0] === 0 }] : [];
    }),
  );
  pairs.sort((a, b) => inOrder(a.by, b.by));
  /** @type {Fate[]} */
  const fates = outcomes.map(() => "lost");
  const matched = new Set();
  const taken = new Set();
  for (const { source, target, same } of pairs) {
    if (matched.has(source) || taken.has(target)) continue;
    matched.add(source);
    taken.add(target);
    fates[source] = !same ? "shifted" : confirmed?.has(keyOf(spans[target])) ? "confirmed" : "kept";
  }
  return { fates, gained: spans.filter((_span, target) => !taken.has(target)) };
}
