/**
 * What became of projected labels in a person's hands. `annotator/domain/projection/outcomes.py` counts by the same rule;
 * `tests/content_cases/outcomes.json` holds both to it.
 */

/** @import { Draft, Outcome } from "../../../types/wire" */
/** @typedef {"kept" | "shifted" | "lost"} Fate */

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
 * Matches the spans of a source one to one with those that stand: for every outcome a fate, the span of the target, and
 * whether that has to do with its words (`near`), and the spans that none of them has. `lost`: numbers of the outcomes
 * that a person called lost.
 *
 * @param {Outcome[]} outcomes
 * @param {Draft[]} spans
 * @param {number[]} [lost]
 * @returns {{ fates: Fate[], targets: (Draft | null)[], near: boolean[], gained: Draft[] }}
 */
export function review(outcomes, spans, lost = []) {
  const pairs = outcomes.flatMap((outcome, source) =>
    spans.flatMap((span, target) => {
      const ranked = rank(outcome, span);
      return ranked && !lost.includes(source) ? [{ by: [...ranked, source, target], source, target, how: ranked[0] }] : [];
    }),
  );
  pairs.sort((a, b) => inOrder(a.by, b.by));
  /** @type {Fate[]} */
  const fates = outcomes.map(() => "lost");
  /** @type {(Draft | null)[]} */
  const targets = outcomes.map(() => null);
  const near = outcomes.map(() => false);
  const taken = new Set();
  for (const { source, target, how } of pairs) {
    if (targets[source] || taken.has(target)) continue;
    taken.add(target);
    targets[source] = spans[target];
    near[source] = how < 2;
    fates[source] = how ? "shifted" : "kept";
  }
  return { fates, targets, near, gained: spans.filter((_span, target) => !taken.has(target)) };
}
