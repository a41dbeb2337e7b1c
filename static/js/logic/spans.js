/**
 * Edits of a sentence's spans. Pure: every function returns a new list in reading order.
 *
 * A span is `{tokens: [indices], label, attributes}`; positions are token indices, never string offsets.
 * A scheme is `{labels, discontinuous, overlaps}`. The server has the last word on what a sentence may carry;
 * these functions only never build anything that it would refuse.
 */

/** @import { Draft, Scheme } from "../../../types/wire" */

/**
 * The identity of a span: its tokens and its label.
 *
 * @param {Pick<Draft, "tokens" | "label">} span
 */
export const keyOf = (span) => `${span.tokens.join(",")}|${span.label}`;

/**
 * The spans in reading order.
 *
 * @param {Draft[]} spans
 */
export function sorted(spans) {
  return [...spans].sort((a, b) => {
    for (let i = 0; i < Math.min(a.tokens.length, b.tokens.length); i += 1) {
      if (a.tokens[i] !== b.tokens[i]) return a.tokens[i] - b.tokens[i];
    }
    return a.tokens.length - b.tokens.length || (a.label < b.label ? -1 : Number(a.label > b.label));
  });
}

/**
 * The span that holds `token` (of `label`, where one is named), or null.
 *
 * @param {Draft[]} spans
 * @param {number} token
 * @param {string | null} [label]
 * @returns {Draft | null}
 */
export function spanAt(spans, token, label = null) {
  return spans.find((span) => span.tokens.includes(token) && (label === null || span.label === label)) ?? null;
}

/**
 * Whether two lists hold the same spans, whatever their order and scores.
 *
 * @param {Draft[]} a
 * @param {Draft[]} b
 */
export function same(a, b) {
  return a.length === b.length && sorted(a).every((span, i) => keyOf(span) === keyOf(sorted(b)[i]));
}

/**
 * Spans as a save sends them: a person's, hence without a score.
 *
 * @param {Draft[]} spans
 * @returns {import("../../../types/wire").Span[]}
 */
export function payload(spans) {
  return spans.map(({ tokens, label, attributes }) => ({ tokens, label, attributes: attributes ?? {}, score: null }));
}

/**
 * Labels `token` with `label`, or takes that label off it again. A unit loses only this token.
 *
 * @param {Draft[]} spans
 * @param {number} token
 * @param {string} label
 * @param {Scheme} scheme
 */
export function toggle(spans, token, label, scheme) {
  const own = spanAt(spans, token, label);
  if (own) return tidy(cut(spans, own, [token]), scheme);
  return put(spans, fresh([token], label), scheme);
}

/**
 * Gives the whole unit on `token` another label; labels the token where there is no unit.
 *
 * @param {Draft[]} spans
 * @param {number} token
 * @param {string} label
 * @param {Scheme} scheme
 */
export function relabel(spans, token, label, scheme) {
  const unit = spanAt(spans, token);
  if (!unit) return put(spans, fresh([token], label), scheme);
  return put(without(spans, unit), { ...unit, label }, scheme);
}

/**
 * Joins `token` to the unit of `anchor` (made where there is none), or takes it out again.
 * Another unit of the same label on `token` joins as a whole.
 *
 * @param {Draft[]} spans
 * @param {number} anchor
 * @param {number} token
 * @param {string} label
 * @param {Scheme} scheme
 */
export function join(spans, anchor, token, label, scheme) {
  const unit = spanAt(spans, anchor) ?? fresh([anchor], label);
  if (unit.tokens.includes(token)) {
    return token === anchor ? put(spans, unit, scheme) : tidy(cut(spans, unit, [token]), scheme);
  }
  const other = spanAt(spans, token, unit.label);
  const tokens = merged(unit.tokens, other ? other.tokens : [token]);
  const rest = without(without(spans, unit), other);
  return put(rest, { ...unit, tokens: scheme.discontinuous ? tokens : filled(tokens) }, scheme);
}

/**
 * Takes the whole unit on `token` away.
 *
 * @param {Draft[]} spans
 * @param {number} token
 * @param {string | null} [label]
 */
export function remove(spans, token, label = null) {
  return without(spans, spanAt(spans, token, label));
}

/**
 * Makes every token of the unit on `token` a unit of its own.
 *
 * @param {Draft[]} spans
 * @param {number} token
 * @param {Scheme} scheme
 */
export function split(spans, token, scheme) {
  const unit = spanAt(spans, token);
  if (!unit) return spans;
  return tidy([...without(spans, unit), ...unit.tokens.map((index) => ({ ...unit, tokens: [index] }))], scheme);
}

/**
 * Moves the edge of a unit as a text selection does: outwards from the edge that has the focus, inwards from the
 * opposite one. Without a unit on `token` one begins there. Returns `{spans, focus}`.
 *
 * @param {Draft[]} spans
 * @param {number} token
 * @param {number} step
 * @param {number} length
 * @param {string} label
 * @param {Scheme} scheme
 */
export function moveEdge(spans, token, step, length, label, scheme) {
  const unit = spanAt(spans, token);
  const first = unit ? unit.tokens[0] : token;
  const last = unit ? unit.tokens[unit.tokens.length - 1] : token;
  const inwards = unit && first !== last && token === (step > 0 ? first : last);
  if (inwards) {
    const kept = unit.tokens.filter((index) => index !== token);
    return { spans: tidy(cut(spans, unit, [token]), scheme), focus: step > 0 ? kept[0] : kept[kept.length - 1] };
  }
  const target = (step > 0 ? last : first) + step;
  if (target < 0 || target >= length) return { spans, focus: token };
  return { spans: join(spans, token, target, label, scheme), focus: target };
}

/**
 * Moves the whole unit on `token` by `step` tokens. Returns `{spans, focus}`; at the sentence's end nothing moves.
 *
 * @param {Draft[]} spans
 * @param {number} token
 * @param {number} step
 * @param {number} length
 * @param {Scheme} scheme
 */
export function moveUnit(spans, token, step, length, scheme) {
  const unit = spanAt(spans, token);
  if (!unit) return { spans, focus: token };
  const tokens = unit.tokens.map((index) => index + step);
  if (tokens[0] < 0 || tokens[tokens.length - 1] >= length) return { spans, focus: token };
  return { spans: put(without(spans, unit), { ...unit, tokens }, scheme), focus: token + step };
}

/**
 * Puts a whole span in, as a suggestion or another person has it; it wins over what is on its tokens.
 *
 * @param {Draft[]} spans
 * @param {Draft} span
 * @param {Scheme} scheme
 */
export function restore(spans, span, scheme) {
  return put(spans, { ...span, score: null }, scheme);
}

/**
 * Every span of every list; where two of a label share tokens they become one, of two labels the earlier list wins.
 *
 * @param {Draft[][]} lists
 * @param {Scheme} scheme
 */
export function union(lists, scheme) {
  /** @type {Draft[]} */
  let result = [];
  for (const span of lists.flat()) {
    if (result.some((other) => keyOf(other) === keyOf(span))) continue;
    if (scheme.overlaps) {
      result.push(span);
      continue;
    }
    const taken = new Set(result.filter((other) => other.label !== span.label).flatMap((other) => other.tokens));
    const touching = result.filter(
      (other) => other.label === span.label && other.tokens.some((token) => span.tokens.includes(token)),
    );
    const tokens = touching
      .reduce((all, other) => merged(all, other.tokens), span.tokens)
      .filter((token) => !taken.has(token));
    if (!tokens.length) continue;
    result = result.filter((other) => !touching.includes(other));
    result.push({ ...span, tokens: scheme.discontinuous ? tokens : filled(tokens), score: null });
  }
  return tidy(result, scheme);
}

/**
 * The spans that every list has.
 *
 * @param {Draft[][]} lists
 */
export function common(lists) {
  const [head = [], ...rest] = lists;
  return sorted(head.filter((span) => rest.every((list) => list.some((other) => keyOf(other) === keyOf(span)))));
}

/**
 * @param {number[]} tokens
 * @param {string} label
 */
const fresh = (tokens, label) => ({ tokens, label, attributes: {}, score: null });

/**
 * @param {Draft[]} spans
 * @param {Draft | null} span
 */
const without = (spans, span) => spans.filter((other) => other !== span);

/**
 * @param {number[]} a
 * @param {number[]} b
 */
const merged = (a, b) => [...new Set([...a, ...b])].sort((x, y) => x - y);

/** @param {number[]} tokens */
function filled(tokens) {
  const first = tokens[0];
  return Array.from({ length: tokens[tokens.length - 1] - first + 1 }, (_, i) => first + i);
}

/**
 * @param {Draft[]} spans
 * @param {Draft} span
 * @param {number[]} tokens
 * @returns {Draft[]}
 */
function cut(spans, span, tokens) {
  return spans.map((other) =>
    other === span ? { ...other, score: null, tokens: other.tokens.filter((token) => !tokens.includes(token)) } : other,
  );
}

/**
 * @param {Draft[]} spans
 * @param {Draft} span
 * @param {Scheme} scheme
 */
function put(spans, span, scheme) {
  const rest = spans.map((other) => {
    const clash = !scheme.overlaps || other.label === span.label;
    return clash && other.tokens.some((token) => span.tokens.includes(token))
      ? { ...other, score: null, tokens: other.tokens.filter((token) => !span.tokens.includes(token)) }
      : other;
  });
  return tidy([...rest, { ...span, score: null }], scheme);
}

/**
 * @param {Draft[]} spans
 * @param {Scheme} scheme
 */
function tidy(spans, scheme) {
  /** @type {Set<string>} */
  const seen = new Set();
  const pieces = spans
    .filter((span) => span.tokens.length)
    .flatMap((span) => (scheme.discontinuous ? [span] : runs(span.tokens).map((tokens) => ({ ...span, tokens }))));
  return sorted(pieces).filter((span) => !seen.has(keyOf(span)) && seen.add(keyOf(span)));
}

/**
 * Token indices cut where one is missing.
 *
 * @param {number[]} tokens
 */
export function runs(tokens) {
  /** @type {number[][]} */
  const groups = [];
  for (const token of tokens) {
    const last = groups.at(-1);
    if (last?.at(-1) === token - 1) last.push(token);
    else groups.push([token]);
  }
  return groups;
}
