/**
 * What an adjudicator chose: for each difference between answers, whose answer was taken. Pure.
 *
 * A value is `{content, chosen, doubt}`; `chosen` is `{all, differences, own}`: the answer that was taken as a whole, by
 * difference the answer that was taken there (null: something else, by whoever decides), and whether they edited where
 * the answers do not differ at all. An item has `answers`, `differences` and `shared` as the server sends them. A
 * content type is a module of `work/content/`; `part` and `put` are there where its contents are not plain fields.
 *
 * @typedef {{ all: number | null, differences: Record<string, number | null>, own: boolean }} Choices
 * @typedef {{ key: string, tokens: number[], says: { answers: number[], content: any }[] }} Difference
 * @typedef {{ answers: { id: number, version: number, content: any }[], differences: Difference[], shared: any }} Item
 * @typedef {{ content: any, chosen: Choices, doubt: boolean }} Value
 * @typedef {object} Type
 * @property {(content: any) => any} clean
 * @property {(a: any, b: any) => boolean} same
 * @property {(content: any, difference: Difference, shared: any) => any} [part] What a content says at a difference.
 * @property {(content: any, difference: Difference, part: any, shared: any) => any} [put] The content with that part.
 */

/** Nothing is chosen yet. @type {Choices} */
export const NOTHING = { all: null, differences: {}, own: false };

/**
 * @param {Type} type
 * @param {Item} item
 * @param {any} content
 * @param {Difference} difference
 */
export function partOf(type, { shared }, content, difference) {
  if (type.part) return type.part(content, difference, shared);
  return Object.fromEntries(Object.keys(difference.says[0].content).map((name) => [name, content[name]]));
}

/**
 * @param {Type} type
 * @param {Item} item
 * @param {any} content
 * @param {Difference} difference
 * @param {any} part
 */
const put = (type, { shared }, content, difference, part) => (type.put ? type.put(content, difference, part, shared) : { ...content, ...part });

/**
 * Whether two parts say the same.
 *
 * @param {Type} type
 * @param {Item} item
 * @param {Difference} difference
 * @param {any} a
 * @param {any} b
 */
const samePart = (type, item, difference, a, b) => type.same(put(type, item, item.shared, difference, a), put(type, item, item.shared, difference, b));

/**
 * The answer whose part at a difference is that of a content; null where it is nobody's.
 *
 * @param {Type} type
 * @param {Item} item
 * @param {any} content
 * @param {Difference} difference
 */
function whose(type, item, content, difference) {
  const part = partOf(type, item, content, difference);
  return difference.says.find((one) => samePart(type, item, difference, one.content, part))?.answers[0] ?? null;
}

/**
 * An answer is taken at a difference.
 *
 * @param {Type} type
 * @param {Item} item
 * @param {Value} value
 * @param {Difference} difference
 * @param {number} answer
 * @returns {Value}
 */
export function take(type, item, value, difference, answer) {
  const said = difference.says.find((one) => one.answers.includes(answer));
  if (!said) return value;
  const content = put(type, item, value.content, difference, said.content);
  return { ...value, content, chosen: { ...value.chosen, all: null, differences: { ...value.chosen.differences, [difference.key]: answer } } };
}

/**
 * All of an answer is taken.
 *
 * @param {Item} item
 * @param {Value} value
 * @param {number} answer
 * @returns {Value}
 */
export function takeAll(item, value, answer) {
  const one = item.answers.find(({ id }) => id === answer);
  if (!one) return value;
  return { ...value, content: one.content, chosen: { all: answer, differences: Object.fromEntries(item.differences.map(({ key }) => [key, answer])), own: false } };
}

/**
 * At each difference, what most answers say is taken; where no part has more answers than every other, the choice that is
 * there stays.
 *
 * @param {Type} type
 * @param {Item} item
 * @param {Value} value
 * @returns {Value}
 */
export function takeMajority(type, item, value) {
  return item.differences.reduce((all, difference) => {
    const [most, next] = difference.says.toSorted((a, b) => b.answers.length - a.answers.length);
    return next && next.answers.length === most.answers.length ? all : take(type, item, all, difference, most.answers[0]);
  }, value);
}

/**
 * Something else is to stand at a difference, or where the answers do not differ: what is there now, until it is edited.
 *
 * @param {Value} value
 * @param {Difference | null} difference
 * @returns {Value}
 */
export function takeNone(value, difference) {
  const { chosen } = value;
  if (!difference) return { ...value, chosen: { ...chosen, own: true } };
  return { ...value, chosen: { ...chosen, all: null, differences: { ...chosen.differences, [difference.key]: null } } };
}

/**
 * The content was edited: the differences that the edit touched are decided by it.
 *
 * @param {Type} type
 * @param {Item} item
 * @param {Value} value
 * @param {any} content
 * @returns {Value}
 */
export function edited(type, item, value, content) {
  const differences = { ...value.chosen.differences };
  for (const difference of item.differences) {
    const [before, after] = [value.content, content].map((one) => partOf(type, item, one, difference));
    if (!samePart(type, item, difference, before, after)) differences[difference.key] = whose(type, item, content, difference);
  }
  const all = item.answers.find(({ id, content: said }) => id === value.chosen.all && type.same(said, content))?.id ?? null;
  return { ...value, content, chosen: { all, differences, own: value.chosen.own || !item.differences.length } };
}

/**
 * A content is decided as a whole: each difference by the answer that says there what it says.
 *
 * @param {Type} type
 * @param {Item} item
 * @param {any} content
 * @returns {Choices}
 */
export function settled(type, item, content) {
  const all = item.answers.find((one) => type.same(one.content, content))?.id ?? null;
  const differences = Object.fromEntries(item.differences.map((difference) => [difference.key, whose(type, item, content, difference)]));
  return { all, differences, own: all === null && !item.differences.length };
}

/**
 * How many differences are not decided; where there is none, one act is needed all the same.
 *
 * @param {Item} item
 * @param {Value} value
 */
export function left({ differences }, { chosen }) {
  if (!differences.length) return chosen.all === null && !chosen.own ? 1 : 0;
  return differences.filter(({ key }) => !(key in chosen.differences)).length;
}

/**
 * What a decision says that it was chosen from.
 *
 * @param {Type} type
 * @param {Item} item
 * @param {Value} value
 */
export function sent(type, item, { content, chosen }) {
  const answers = item.answers.map(({ id, version }) => ({ id, version }));
  if (chosen.all !== null) return { answers, all: chosen.all, differences: [], edited: false };
  const differences = item.differences.filter(({ key }) => key in chosen.differences);
  let whole = item.shared;
  for (const difference of differences) whole = put(type, item, whole, difference, partOf(type, item, content, difference));
  return {
    answers,
    all: null,
    differences: differences.map(({ key }) => ({ key, answer: chosen.differences[key] })),
    edited: chosen.own || !type.same(whole, content),
  };
}

/**
 * What the server says that a decision was chosen from, as the page has it.
 *
 * @param {{ all: number | null, differences: { key: string, answer: number | null }[], edited: boolean }} kept
 * @param {Item} item
 * @returns {Choices}
 */
export function kept({ all, differences, edited: own }, item) {
  const of = (/** @type {string} */ key) => (all === null ? (differences.find((one) => one.key === key)?.answer ?? null) : all);
  return { all, differences: Object.fromEntries(item.differences.map(({ key }) => [key, of(key)])), own: own && !item.differences.length };
}

/**
 * Whether some of a decision is nobody's answer.
 *
 * @param {Type} type
 * @param {Item} item
 * @param {Value} value
 */
export function isOwn(type, item, value) {
  const { all, differences, edited: beside } = sent(type, item, value);
  return all === null && (beside || differences.some(({ answer }) => answer === null));
}
