/** Counts as the language of a page groups them. `annotator/core/counts.py` says the same on the server. */

// Where the server's sign is not the one that browsers have: Spanish spelling asks for a space, CLDR has a point.
/** @type {Record<string, string>} */
const SIGNS = { es: "\u00a0" };

/**
 * "1,450", in Spanish "1 450". From four digits on, where browsers by themselves begin with five in Spanish.
 *
 * @param {number} number
 * @param {string} language
 */
export function grouped(number, language) {
  const sign = SIGNS[new Intl.Locale(language).language];
  const parts = new Intl.NumberFormat(language, { useGrouping: "always" }).formatToParts(number);
  return parts.map(({ type, value }) => (type === "group" && sign ? sign : value)).join("");
}

/**
 * The language of a page with the region that its reader has for it, which says how the time is written: "en-GB" for "en".
 *
 * @param {string} language
 * @param {readonly string[]} preferred The reader's languages, as the browser has them.
 */
export const withRegion = (language, preferred) => preferred.find((one) => one === language || one.startsWith(`${language}-`)) ?? language;
