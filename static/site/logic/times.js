/** Times in the reader's own zone. Pages come with the server's, as `when` in annotator/templatetags/pages.py writes it. */

/** English days as nobody takes them for others. @type {Record<string, string>} */
const LOCALES = { en: "en-GB", es: "es-ES" };

/**
 * The locale in which the times of a page are written.
 *
 * @param {string} language
 */
export const localeOf = (language) => LOCALES[language] ?? language;

/**
 * A time as Django's style of this name writes it.
 *
 * @param {Date} at
 * @param {string} style DATE_FORMAT, DATETIME_FORMAT, or SHORT_ before either.
 * @param {string} language That of the page.
 * @param {string} [timeZone] The reader's own, unless it is given.
 */
export function timeSaid(at, style, language, timeZone) {
  const locale = localeOf(language);
  const short = style.startsWith("SHORT_");
  // As Django has them: "25 Nov 2026" in English, "25/11/2026" in Spanish.
  const inDigits = short && language !== "en";
  const day = new Intl.DateTimeFormat(locale, { day: inDigits ? "2-digit" : "numeric", month: inDigits ? "2-digit" : short ? "short" : "long", year: "numeric", timeZone }).format(at);
  if (!style.includes("TIME")) return day;
  const time = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone }).format(at);
  return `${day}, ${time}`;
}
