/**
 * Edits of a sentence's spans. Pure: every function returns a new list in reading order.
 *
 * A span is `{tokens: [indices], label, attributes}`; positions are token indices, never string offsets. Without a
 * token it is a label on the sentence. A scheme is `{labels, discontinuous, overlaps, several}`; where one unit may have
 * `several` labels, they are spans on the same tokens, and a unit is edited with all of them. Where units may overlap,
 * `over` says that the unit is edited by itself: it takes words that another one keeps (`overlaps.js`). The server has
 * the last word on what a sentence may carry; these functions only never build anything that it would refuse.
 */

import { fitting } from "./labels.js";

/** @import { Draft, Scheme as Stored } from "../../../types/wire" */
/** @typedef {Stored & { over?: boolean }} Scheme */

// How a file spelt a span; nothing that somebody says of it.
const SPELLING = "bio";

/**
 * The place of a span: its tokens and its label.
 *
 * @param {Pick<Draft, "tokens" | "label">} span
 */
export const keyOf = (span) => `${span.tokens.join(",")}|${span.label}`;

/**
 * All that a span says: place and attributes.
 *
 * @param {Draft} span
 */
export function identity(span) {
  const said = Object.entries(span.attributes ?? {}).filter(([name]) => name !== SPELLING);
  return JSON.stringify([span.tokens, span.label, said.sort(([a], [b]) => (a < b ? -1 : Number(a > b)))]);
}

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
 * The spans on the tokens of the unit that holds `token`: one, or several where a unit may have several labels.
 *
 * @param {Draft[]} spans
 * @param {number} token
 */
export function unitAt(spans, token) {
  return unitOf(spans, spanAt(spans, token));
}

/**
 * @param {Draft[]} spans
 * @param {Draft | null} span
 */
const unitOf = (spans, span) => (span ? spans.filter((other) => sameTokens(other, span)) : []);

/**
 * @param {Draft} a
 * @param {Draft} b
 */
const sameTokens = (a, b) => a.tokens.join() === b.tokens.join();

/**
 * The spans that are edited with `span`: all of its unit where the scheme allows several labels, else itself.
 *
 * @param {Draft[]} spans
 * @param {Draft} span
 * @param {Scheme} scheme
 */
const together = (spans, span, scheme) => (scheme.several && !scheme.over ? unitOf(spans, span) : [span]);

/**
 * Whether two lists hold the same spans, whatever their order and scores.
 *
 * @param {Draft[]} a
 * @param {Draft[]} b
 */
export function same(a, b) {
  const others = new Set(b.map(identity));
  const own = new Set(a.map(identity));
  return own.size === others.size && [...own].every((one) => others.has(one));
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
 * Puts a label on the sentence, or takes it off again.
 *
 * @param {Draft[]} spans
 * @param {string} label
 */
export function toggleOnSentence(spans, label) {
  const own = spans.find((span) => !span.tokens.length && span.label === label);
  return own ? without(spans, own) : sorted([...spans, fresh([], label)]);
}

/**
 * Gives the unit on `token` one label more, or takes that label off it; labels the token where there is no unit.
 *
 * @param {Draft[]} spans
 * @param {number} token
 * @param {string} label
 * @param {Scheme} scheme
 */
export function toggleLabel(spans, token, label, scheme) {
  const own = spanAt(spans, token, label);
  if (own) return without(spans, own);
  return put(spans, fresh(spanAt(spans, token)?.tokens ?? [token], label), scheme);
}

/**
 * Sets an attribute of a span; an empty value takes it away.
 *
 * @param {Draft[]} spans
 * @param {string} key The span's `keyOf`.
 * @param {string} name
 * @param {string} value
 */
export function setAttribute(spans, key, name, value) {
  return spans.map((span) => {
    if (keyOf(span) !== key) return span;
    const { [name]: _, ...rest } = span.attributes ?? {};
    return { ...span, attributes: value ? { ...rest, [name]: value } : rest };
  });
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
  if (own) return tidy(cut(spans, together(spans, own, scheme), [token]), scheme);
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
  return put(without(spans, unit), { ...unit, label, attributes: fitting(unit.attributes ?? {}, scheme, label) }, scheme);
}

/**
 * What the key of a label does: the whole unit on `token` gets it, a token without a unit, too. Where it is there
 * already, it is taken off one that stands alone; of a unit of several, no part is lost.
 *
 * @param {Draft[]} spans
 * @param {number} token
 * @param {string} label
 * @param {Scheme} scheme
 */
export function named(spans, token, label, scheme) {
  const unit = spanAt(spans, token);
  if (unit?.label !== label) return relabel(spans, token, label, scheme);
  return unit.tokens.length > 1 ? [...spans] : toggle(spans, token, label, scheme);
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
    return token === anchor ? put(spans, unit, scheme) : tidy(cut(spans, together(spans, unit, scheme), [token]), scheme);
  }
  const other = scheme.over ? null : spanAt(spans, token, unit.label);
  const found = merged(unit.tokens, other ? other.tokens : [token]);
  const tokens = scheme.discontinuous ? found : filled(found);
  const parts = spans.includes(unit) ? together(spans, unit, scheme) : [unit];
  const joining = other ? together(spans, other, scheme) : [];
  const labels = new Set(parts.map((part) => part.label));
  const all = [...parts, ...joining.filter((part) => !labels.has(part.label))];
  const rest = spans.filter((span) => !parts.includes(span) && !joining.includes(span));
  return all.reduce((list, part) => put(list, { ...part, tokens }, scheme), rest);
}

/**
 * Takes the whole unit on `token` away.
 *
 * @param {Draft[]} spans
 * @param {number} token
 * @param {string | null} [label]
 */
export function remove(spans, token, label = null) {
  const gone = label === null ? unitAt(spans, token) : [spanAt(spans, token, label)];
  return spans.filter((span) => !gone.includes(span));
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
  const parts = together(spans, unit, scheme);
  const rest = spans.filter((span) => !parts.includes(span));
  return tidy([...rest, ...parts.flatMap((part) => part.tokens.map((index) => ({ ...part, tokens: [index] })))], scheme);
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
    return { spans: tidy(cut(spans, together(spans, unit, scheme), [token]), scheme), focus: step > 0 ? kept[0] : kept[kept.length - 1] };
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
  const parts = together(spans, unit, scheme);
  const rest = spans.filter((span) => !parts.includes(span));
  return { spans: parts.reduce((list, part) => put(list, { ...part, tokens }, scheme), rest), focus: token + step };
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
    const beside = scheme.several && result.some((other) => sameTokens(other, span));
    if (scheme.overlaps || beside || !span.tokens.length) {
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
  return sorted(head.filter((span) => rest.every((list) => list.some((other) => identity(other) === identity(span)))));
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
 * @param {Draft[]} parts
 * @param {number[]} tokens
 */
const cut = (spans, parts, tokens) => spans.flatMap((span) => (parts.includes(span) ? lessened(span, tokens) : [span]));

/**
 * A span without some of its tokens; nothing where none is left.
 *
 * @param {Draft} span
 * @param {number[]} tokens
 * @returns {Draft[]}
 */
function lessened(span, tokens) {
  const left = span.tokens.filter((token) => !tokens.includes(token));
  return left.length ? [{ ...span, score: null, tokens: left }] : [];
}

/**
 * @param {Draft[]} spans
 * @param {Draft} span
 * @param {Scheme} scheme
 */
function put(spans, span, scheme) {
  const rest = spans.flatMap((other) => {
    if (scheme.overlaps) return keyOf(other) === keyOf(span) ? [] : [other];
    const beside = scheme.several && sameTokens(other, span);
    const clash = other.label === span.label || !beside;
    return clash && other.tokens.some((token) => span.tokens.includes(token)) ? lessened(other, span.tokens) : [other];
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
  const pieces = spans.flatMap((span) =>
    scheme.discontinuous || !span.tokens.length ? [span] : runs(span.tokens).map((tokens) => ({ ...span, tokens })),
  );
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

// --- how each was translated ------------------------------------------------------------------------------------------

/** @param {number[]} a @param {number[]} b */
export function byTokens(a, b) {
  const at = a.findIndex((token, place) => token !== b[place]);
  return at < 0 ? a.length - b.length : a[at] - (b[at] ?? -Infinity);
}

/** @param {string} a @param {string} b */
const byText = (a, b) => (a < b ? -1 : Number(a > b));

/**
 * Translations in one spelling, in order, as the server has them.
 *
 * @param {import("./translations.js").Translation[]} [translations]
 */
export const inOrder = (translations = []) =>
  translations
    .map(({ language, tokens, label, lost, attributes }) => ({ language, tokens, label, lost, attributes: Object.fromEntries(Object.entries(attributes).sort(([a], [b]) => byText(a, b))) }))
    .sort((a, b) => byText(a.language, b.language) || byTokens(a.tokens, b.tokens) || byText(a.label, b.label));
