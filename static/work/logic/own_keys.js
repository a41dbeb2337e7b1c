/** Keys that a person changed: `{command: key}`, "" for a command without a key. They apply in every workspace. */

import { choiceKeys, correctKeys, decisionKeys, reviewKeys, withDoubt } from "./keys.js";

/** @import { Entry, KeyMap } from "./keys.js" */
/** @typedef {Record<string, string>} Changed */

/** Keys that pages do not receive, or that leave a field. */
const RESERVED = /^((Shift\+)?Tab|Escape|Dead|Process|Unidentified)$/;
/** Those of the browser and of readers of the screen. */
const BROWSERS = /^(Ctrl\+|F\d+$)/;

/** One key, one meaning: a key that is free here may have a meaning there. Each with the message that names the work. */
const EVERYWHERE = [
  { where: "keys_in_labels", keymap: correctKeys([], [], true) },
  { where: "keys_in_review", keymap: reviewKeys([], [], true) },
  { where: "keys_in_choices", keymap: withDoubt(choiceKeys(9)) },
  { where: "keys_in_adjudication", keymap: decisionKeys(9, 2, true) },
];

/**
 * Whether a person can change the key of a command: those of labels, values and answers are the project's.
 *
 * @param {Entry} entry
 */
export const isOwn = ({ command, number, name }) => /^[a-zA-Z]+$/.test(command) && number === undefined && name === undefined;

/**
 * A key map with a person's keys. A key that they gave to a command loses its other meaning; keys with Ctrl or Alt
 * stay.
 *
 * @param {KeyMap} keymap
 * @param {Changed} changed
 * @returns {KeyMap}
 */
export function withOwn(keymap, changed) {
  const taken = new Set(keymap.flatMap((entry) => (isOwn(entry) && changed[entry.command] ? [changed[entry.command]] : [])));
  return keymap.map((entry) => {
    const others = entry.keys.filter((key) => !taken.has(key));
    if (!isOwn(entry) || !(entry.command in changed)) return taken.size ? { ...entry, keys: others } : entry;
    const own = changed[entry.command];
    return { ...entry, keys: [...(own ? [own] : []), ...others.filter((key) => /^(Ctrl|Alt)\+/.test(key))] };
  });
}

/**
 * The reason against a key for a command: "reserved", the entry that has the key already, with its workspace ("" on
 * this page), or null.
 *
 * @param {string} key
 * @param {string} command
 * @param {KeyMap} keymap That of the page.
 * @param {Changed} changed
 * @returns {"reserved" | { holder: Entry, where: string } | null}
 */
export function objection(key, command, keymap, changed) {
  if (RESERVED.test(key) || BROWSERS.test(key)) return "reserved";
  const others = EVERYWHERE.filter((one) => one.keymap.some((entry) => entry.command === command));
  for (const one of [{ where: "", keymap }, ...others]) {
    const holder = withOwn(one.keymap, changed).find((entry) => entry.command !== command && entry.keys.includes(key));
    if (holder) return { holder, where: one.where };
  }
  return null;
}
