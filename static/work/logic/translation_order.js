/** Translations of spans in one spelling. Apart from the rest of them, as all labels are written with it. */

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
