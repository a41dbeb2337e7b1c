/**
 * The decisions of a projection review: for every source span, whether the target has it, and how it was
 * translated. Pure. `annotator/domain/labels/translations.py` checks what is stored.
 *
 * A content is `{spans, translations}`; a translation is `{language, tokens, label, lost, attributes}`, and only spans
 * that somebody decided on have one. A row is a span of a source.
 *
 * @import { Draft, Outcome, Source } from "../../../types/wire"
 * @typedef {{ language: string, tokens: number[], label: string, lost: boolean, attributes: Record<string, string> }} Translation
 * @typedef {{ spans: Draft[], translations?: Translation[] }} Content
 * @typedef {{ key: string, number: number, source: number, language: string, outcome: Outcome, others: Outcome["target"][] }} Row
 * @typedef {{ source: number, other: number | null, language: string, aligner: string }} Offer A projection: of a source, or of another aligner of it.
 * @typedef {{ fate: import("./review.js").Fate, target: Draft | null, near: boolean, decided: Translation | null }} Standing
 */

import { review } from "./review.js";
import { byTokens, inOrder, keyOf, restore, sorted, union } from "./spans.js";

/** @typedef {import("./spans.js").Scheme} Scheme */

/** @param {string} language @param {Pick<Draft, "tokens" | "label">} span */
const keyIn = (language, span) => `${language}|${keyOf(span)}`;

/** The key of the span that a row was carried to; "" where it was to none. @param {{ outcome: Outcome }} row */
const targetOf = ({ outcome }) => (outcome.target ? keyOf(outcome.target) : "");

/**
 * The rows of a review: the spans of all sources, numbered in reading order, the weakest link first.
 *
 * @param {Source[]} sources
 * @returns {Row[]}
 */
export function rowsOf(sources) {
  const rows = sources.flatMap((source, at) =>
    source.outcomes
      .map((outcome, place) => ({ key: keyIn(source.language, outcome.source), source: at, language: source.language, outcome, others: source.others.map(({ targets }) => targets[place] ?? null) }))
      .toSorted((a, b) => byTokens(a.outcome.source.tokens, b.outcome.source.tokens)),
  );
  return rows.map((row, place) => ({ ...row, number: place + 1 })).sort((a, b) => a.outcome.score - b.outcome.score || a.number - b.number);
}

/**
 * The state of every row, in order, and the target spans without a source.
 *
 * @param {Row[]} rows
 * @param {Content} content
 * @returns {{ rows: Standing[], gained: Draft[] }}
 */
export function standing(rows, { spans, translations = [] }) {
  const said = new Map(translations.map((one) => [keyIn(one.language, one), one]));
  /** @type {Map<string, Standing>} */
  const found = new Map();
  let gained = new Set(spans);
  for (const source of new Set(rows.map((row) => row.source))) {
    const own = rows.filter((row) => row.source === source).sort((a, b) => a.number - b.number);
    const lost = own.flatMap(({ key }, place) => (said.get(key)?.lost ? [place] : []));
    const { fates, targets, near, gained: beside } = review(own.map(({ outcome }) => outcome), spans, lost);
    own.forEach(({ key }, place) => found.set(key, { fate: fates[place], target: targets[place], near: near[place], decided: said.get(key) ?? null }));
    // Spans of any source are not gained.
    const left = gained;
    gained = new Set(beside.filter((span) => left.has(span)));
  }
  return { rows: rows.map(({ key }) => /** @type {Standing} */ (found.get(key))), gained: spans.filter((span) => gained.has(span)) };
}

/**
 * The number of undecided rows.
 *
 * @param {Row[]} rows
 * @param {Content} content
 */
export const left = (rows, content) => standing(rows, content).rows.filter(({ decided }) => !decided).length;

/**
 * The content with a decision on a row; the other values of its translation stay.
 *
 * @param {Content} content
 * @param {Row} row
 * @param {Partial<Pick<Translation, "lost" | "attributes">>} decision
 * @returns {Content}
 */
export function decide(content, row, decision) {
  const { tokens, label } = row.outcome.source;
  const is = (/** @type {Translation} */ one) => keyIn(one.language, one) === row.key;
  const before = content.translations?.find(is) ?? { language: row.language, tokens, label, lost: false, attributes: {} };
  return { ...content, translations: inOrder([...(content.translations ?? []).filter((one) => !is(one)), { ...before, ...decision }]) };
}

/**
 * The projected span of a row stands in the target; so do the rows of other sources with the same one.
 *
 * @param {Row[]} rows
 * @param {Content} content
 * @param {Row} row
 * @param {Scheme} scheme
 * @returns {Content}
 */
export function keep(rows, content, row, scheme) {
  const { target } = row.outcome;
  if (!target) return content;
  const key = keyOf(target);
  const is = (/** @type {Row} */ one) => one.outcome.target !== null && keyOf(one.outcome.target) === key;
  const spans = content.spans.some((span) => keyOf(span) === key) ? content.spans : restore(content.spans, target, scheme);
  return [...rows.filter(is), row].reduce((all, one) => decide(all, one, { lost: false }), { ...content, spans: sorted(spans) });
}

/**
 * The span of a row is lost: what the target has for it goes, unless another row keeps it.
 *
 * @param {Row[]} rows
 * @param {Content} content
 * @param {Row} row
 * @returns {Content}
 */
export function lose(rows, content, row) {
  const now = standing(rows, content).rows;
  const { target, near } = now[rows.indexOf(row)];
  const mine = target && near ? target : content.spans.find((span) => row.outcome.target && keyOf(span) === keyOf(row.outcome.target));
  const others = rows.some((one, place) => one !== row && now[place].decided && !now[place].decided.lost && one.outcome.target && mine && keyOf(one.outcome.target) === keyOf(mine));
  const after = decide({ ...content, spans: mine && !others ? content.spans.filter((span) => span !== mine) : content.spans }, row, { lost: true });
  return followed(rows, content, after);
}

/**
 * Somebody edited the spans: the rows whose span of the target is another one now, or none any more, are decided by it.
 *
 * @param {Row[]} rows
 * @param {Content} before
 * @param {Content} after
 * @returns {Content}
 */
export function followed(rows, before, after) {
  // What was called lost stays lost, unless its projected span is put there again.
  const there = new Set(before.spans.map(keyOf));
  const came = new Set(after.spans.map(keyOf).filter((key) => !there.has(key)));
  const lost = standing(rows, after).rows.map(({ decided }) => decided?.lost ?? false);
  const back = rows.filter(({ outcome }, place) => lost[place] && outcome.target && came.has(keyOf(outcome.target)));
  const content = back.reduce((all, row) => decide(all, row, { lost: false }), after);
  const was = standing(rows, before).rows;
  const now = standing(rows, content).rows;
  const name = (/** @type {Standing} */ { target }) => (target ? keyOf(target) : "");
  return rows.reduce((all, row, place) => {
    if (back.includes(row) || now[place].decided?.lost || name(was[place]) === name(now[place])) return all;
    return decide(all, row, { lost: now[place].target === null });
  }, content);
}

/**
 * The projections that can be taken: that of each source, then those of its other aligners.
 *
 * @param {Source[]} sources
 * @returns {Offer[]}
 */
export const offersOf = (sources) =>
  sources.flatMap(({ suggestion, language, aligner, others }, source) =>
    suggestion === null ? [] : [{ source, other: null, language, aligner }, ...others.map((one, other) => ({ source, other, language, aligner: one.aligner }))],
  );

/**
 * One projection is taken, or all (null): what the others have beside it is not. Rows that were not projected stay as
 * they are.
 *
 * @param {Row[]} rows
 * @param {Content} content
 * @param {Pick<Offer, "source" | "other"> | null} offer
 * @param {Scheme} scheme
 * @returns {Content}
 */
export function take(rows, content, offer, scheme) {
  if (offer === null) return takeAll(rows, content, scheme);
  const own = rows.filter((row) => row.source === offer.source).map((row) => ({ row, target: offer.other === null ? row.outcome.target : row.others[offer.other] }));
  const chosen = own.flatMap(({ row, target }) => (target ? [{ row, target }] : []));
  const wanted = new Set(chosen.map(({ target }) => keyOf(target)));
  const lost = rows.filter((row) => row.source !== offer.source && row.outcome.target && !wanted.has(targetOf(row)));
  const without = lost.reduce((all, row) => lose(rows, all, row), content);
  const beside = new Set(own.flatMap(({ row }) => [row.outcome.target, ...row.others]).flatMap((target) => (target && !wanted.has(keyOf(target)) ? [keyOf(target)] : [])));
  const left = { ...without, spans: without.spans.filter((span) => !beside.has(keyOf(span))) };
  return chosen.reduce((all, { row, target }) => keep(rows, all, { ...row, outcome: { ...row.outcome, target } }, scheme), left);
}

/**
 * All projections are taken; where those of two aligners share words, they become one span.
 *
 * @param {Row[]} rows
 * @param {Content} content
 * @param {Scheme} scheme
 * @returns {Content}
 */
function takeAll(rows, content, scheme) {
  const kept = rows.filter((row) => row.outcome.target).reduce((all, row) => keep(rows, all, row, scheme), content);
  const others = rows.flatMap((row) => row.others.flatMap((target) => (target ? [{ row, target }] : [])));
  if (!others.length) return kept;
  const spans = sorted(union([kept.spans, others.map(({ target }) => ({ ...target, score: null }))], scheme));
  return others.reduce((all, { row }) => decide(all, row, { lost: false }), { ...kept, spans });
}

/**
 * The labels were projected again along other links: where a row has another target now, the content follows, and the
 * row is open again.
 *
 * @param {Row[]} before
 * @param {Row[]} after
 * @param {Content} content
 * @param {Scheme} scheme
 * @returns {Content}
 */
export function relinked(before, after, content, scheme) {
  const target = (/** @type {Row | undefined} */ row) => (row ? targetOf(row) : "");
  const moved = after.filter((row) => target(row) !== target(before.find(({ key }) => key === row.key)));
  const gone = new Set(before.filter((row) => moved.some(({ key }) => key === row.key)).map(target));
  const stays = new Set(after.filter((row) => !moved.includes(row)).map(target));
  const keys = new Set(moved.map(({ key }) => key));
  const spans = moved.reduce(
    (all, row) => (row.outcome.target && !all.some((span) => keyOf(span) === targetOf(row)) ? restore(all, row.outcome.target, scheme) : all),
    content.spans.filter((span) => !gone.has(keyOf(span)) || stays.has(keyOf(span))),
  );
  return { spans: sorted(spans), translations: inOrder((content.translations ?? []).filter((one) => !keys.has(keyIn(one.language, one)))) };
}
