/** What a scheme says of its labels and attributes, and what follows from their place where it says nothing. */

/** @import { Scheme } from "../../../types/wire" */
/** @typedef {{ code: string, name: string, colour: string, key: string, description: string, anchor: string, tokenless: boolean }} Label */
/** @typedef {{ code: string, name: string, values: string[], labels: string[], key: string, description: string, vocabulary: boolean, obligatory: boolean }} Attribute */

/** As `PALETTE` in annotator/domain/labels/schemes.py, and css/labels.css. */
export const PALETTE = ["blue", "amber", "teal", "rose", "violet", "green", "orange", "slate", "cyan", "olive", "magenta", "brown"];

/** Keys that a scheme may give to attributes, as `ATTRIBUTE_KEYS` in annotator/domain/labels/schemes.py. */
export const ATTRIBUTE_KEYS = [..."oqvw"];

const DIGITS = [..."123456789"];

/**
 * The labels in their order. A scheme with a single one has neither colour nor key, unless it says so.
 *
 * @param {Scheme} scheme
 * @returns {Label[]}
 */
export function labelsOf({ labels, details = {} }) {
  const taken = new Set(Object.values(details).map((one) => one.key));
  const free = DIGITS.filter((digit) => !taken.has(digit));
  return labels.map((code, place) => {
    const { name = code, colour = "", key = "", description = "", anchor = "", tokenless = false } = details[code] ?? {};
    const several = labels.length > 1;
    return {
      code,
      name,
      colour: colour || (several ? PALETTE[place % PALETTE.length] : ""),
      key: key || (several ? (free.shift() ?? "") : ""),
      description,
      anchor,
      tokenless,
    };
  });
}

/**
 * The attributes that a span of `label` may have; without one, all. Those that are asked of spans of a source are not
 * of them.
 *
 * @param {Scheme} scheme
 * @param {string | null} [label]
 * @returns {Attribute[]}
 */
export function attributesOf({ attributes = {} }, label = null) {
  return all(attributes).filter((one) => !one.translation && isFor(one, label));
}

/**
 * The attributes that are asked of a span of a source, in the review of projections.
 *
 * @param {Scheme} scheme
 * @param {string} label
 * @returns {Attribute[]}
 */
export const translationAttributes = ({ attributes = {} }, label) => all(attributes).filter((one) => one.translation && isFor(one, label));

/** @param {NonNullable<Scheme["attributes"]>} attributes @returns {(Attribute & { translation: boolean })[]} */
const all = (attributes) =>
  Object.entries(attributes).map(([code, one]) => {
    const { values = [], labels = [], name = "", key = "", description = "", vocabulary = false, obligatory = false, translation = false } = Array.isArray(one) ? { values: one } : one;
    return { code, values, labels, name: name || code, key: ATTRIBUTE_KEYS.includes(key) ? key : "", description, vocabulary, obligatory, translation };
  });

/** @param {Attribute} attribute @param {string | null} label */
const isFor = ({ labels }, label) => label === null || !labels.length || labels.includes(label);

/**
 * Of attributes, those that a span of `label` may have.
 *
 * @param {Record<string, string>} attributes
 * @param {Scheme} scheme
 * @param {string} label
 */
export function fitting(attributes, scheme, label) {
  const known = new Set(attributesOf(scheme, label).map(({ code }) => code));
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => known.has(name)));
}

/**
 * The first span that says nothing of an obligatory attribute, with that attribute; null where all is said.
 *
 * @param {Pick<import("../../../types/wire").Draft, "tokens" | "label" | "attributes">[]} spans
 * @param {Scheme} scheme
 */
export function unsaid(spans, scheme) {
  for (const span of spans) {
    const attribute = attributesOf(scheme, span.label).find(({ code, obligatory }) => obligatory && !span.attributes?.[code]);
    if (attribute) return { span, attribute };
  }
  return null;
}

/**
 * The value after this one, going through none, too.
 *
 * @param {string[]} values
 * @param {string} value
 */
export const nextValue = (values, value) => values[values.indexOf(value) + 1] ?? "";
