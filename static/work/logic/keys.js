/** Keys and the commands they give. A key map is a list of `{keys, command, text}`; `text` names a message. */

/** @import { Attribute, Label } from "./labels.js" */
/** @typedef {Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey"> & Partial<Pick<KeyboardEvent, "getModifierState">>} Press */
/** `gesture`: a message that says what the pointer does to the same end. */
/** @typedef {{ keys: string[], command: string, text: string, number?: number, name?: string, gesture?: string }} Entry */
/** @typedef {Entry[]} KeyMap */

const LETTER = /^\p{L}$/u;
const DIGIT = /^\p{Nd}$/u;
// Vowel signs and two letters at once are what keys of some scripts type.
const OTHER_SCRIPT = /^(?!.*\p{Script=Latin})\p{M}*[\p{L}\p{M}]/u;
/** What is on the keys beside the letters, which other scripts need for letters. @type {Record<string, string>} */
const PLACES = { Comma: ",", Period: ".", Slash: "/" };
/** Signs that Hebrew and Greek layouts have in the place of a letter. @type {Record<string, string>} */
const SIGNS_FOR_LETTERS = { Q: "/;:", W: "'" };
/** Signs of other scripts that mean the same. @type {Record<string, string>} */
const SAME = { "؟": "?", "،": "," };

/**
 * Whether a key press belongs to an input method, as the Enter does that takes over what was composed. Safari ends the
 * composition before it tells of that key, and keeps the number 229 for it.
 *
 * @param {{ isComposing: boolean, keyCode?: number }} event
 */
export const composes = (event) => event.isComposing || event.keyCode === 229;

/**
 * The name of a key press: "n", "Shift+s", "Ctrl+z", "Alt+ArrowLeft", "?". Caps lock changes nothing.
 *
 * A letter is the one that is printed; where no Latin letter is, that of the same place. Digits above the letters go by
 * their place, with Shift and without, since on some layouts they need it; those of the number pad are what they type.
 *
 * @param {Press} event
 */
export function keyName(event) {
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.getModifierState?.("AltGraph");
  const digit = plain ? /^Digit([0-9])$/.exec(event.code ?? "")?.[1] : undefined;
  if (digit && !event.shiftKey) return digit;
  // "?" is printed above a digit on some keyboards, and nowhere else.
  if (digit && event.key !== "?") return `Shift+${digit}`;
  let key = printed(event);
  if (key === " ") key = "Space";
  const letter = LETTER.test(key);
  // In Turkish the capital of "i" has a dot that stays.
  if (letter) key = key.toLowerCase().replace("i\u0307", "i");
  // A printable sign that needs Shift on some keyboards ("?") is named by the sign alone.
  const shift = event.shiftKey && (letter || key.length > 1);
  return [event.ctrlKey || event.metaKey ? "Ctrl" : "", event.altKey ? "Alt" : "", shift ? "Shift" : "", key]
    .filter(Boolean)
    .join("+");
}

/**
 * The letter, digit or sign of a key press, by its place where what it types is no sign of ours.
 *
 * @param {Press} event
 */
function printed({ key, code = "", ctrlKey, altKey, shiftKey }) {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  // On some systems Alt makes another sign of a letter.
  const behindAlt = altKey && !ctrlKey && !/^[a-z]$/i.test(key);
  if (letter && (behindAlt || OTHER_SCRIPT.test(key) || SIGNS_FOR_LETTERS[letter]?.includes(key))) return letter;
  if (!shiftKey && PLACES[code] && OTHER_SCRIPT.test(key)) return PLACES[code];
  return DIGIT.test(key) ? String(valueOf(key)) : (SAME[key] ?? key);
}

/**
 * What a digit of any script counts: each has ten in a row, which begin at a code that ends in 0 or 6.
 *
 * @param {string} digit
 */
function valueOf(digit) {
  const code = /** @type {number} */ (digit.codePointAt(0));
  const row = code - (code % 16);
  return code - (DIGIT.test(String.fromCodePoint(row)) ? row : row + 6);
}

/**
 * Whether a key is one sign, which speech input and screen readers may send unasked: "n", "Shift+s", "1", "?".
 *
 * @param {string} name
 */
const isSingle = (name) => /^(Shift\+)?.$/u.test(name);

/**
 * The command of a key press under a key map, or null. `singles`: whether keys of one sign act, too.
 *
 * @param {Press} event
 * @param {KeyMap} keymap
 */
export function commandFor(event, keymap, singles = true) {
  const name = keyName(event);
  if (!singles && isSingle(name)) return null;
  return keymap.find((entry) => entry.keys.includes(name))?.command ?? null;
}

/**
 * A key's name as people read it; `words` says what is printed on the keys that have a word: `{Shift: "Mayús"}`.
 *
 * @param {string} name
 * @param {Record<string, string>} [words]
 */
export function readable(name, words = {}) {
  /** @type {Record<string, string>} */
  const signs = { Enter: "↵", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", ...words };
  return name
    .split("+")
    .map((part) => signs[part] ?? (part.length === 1 ? part.toUpperCase() : part))
    .join(" + ");
}

/** What is printed on the keys that have a word, for `readable`. @param {import("../../site/logic/text.js").Translate} t */
export const keyWords = (t) => ({ Space: t("space_bar"), Shift: t("word_shift"), Home: t("word_home"), End: t("word_end"), Delete: t("word_delete"), Backspace: t("word_backspace") });

const UNDO = [
  { keys: ["u", "z", "Ctrl+z"], command: "undo", text: "key_undo" },
  { keys: ["y", "Ctrl+y", "Ctrl+Shift+z"], command: "redo", text: "key_redo" },
];

const MOVE = [
  { keys: ["Enter"], command: "done", text: "key_done" },
  { keys: ["b", "Alt+ArrowLeft"], command: "back", text: "key_back" },
  { keys: ["Alt+ArrowRight"], command: "forward", text: "key_forward" },
];

const HELP = [
  { keys: ["g"], command: "guidelines", text: "key_guidelines" },
  { keys: ["?"], command: "help", text: "key_help" },
];

/** Keys that every workspace can do with. @type {KeyMap} */
export const PLAIN = [
  ...MOVE,
  { keys: ["c"], command: "comment", text: "key_comment" },
  ...UNDO,
  ...HELP,
];

/** The key of the tick for doubt; with Alt while one types, too. */
const DOUBT = { keys: ["d", "Alt+d"], command: "doubt", text: "key_doubt" };

/**
 * The keys of a workspace with the tick for doubt on its page.
 *
 * @param {KeyMap} keymap
 * @returns {KeyMap}
 */
export function withDoubt(keymap) {
  if (keymap.some(({ command }) => command === "doubt")) return keymap;
  const before = keymap.findIndex(({ command }) => command === "comment");
  return before < 0 ? [...keymap, DOUBT] : keymap.toSpliced(before, 0, DOUBT);
}

const TOKENS = [
  { keys: ["ArrowLeft"], command: "left", text: "key_left" },
  { keys: ["ArrowRight"], command: "right", text: "key_right" },
  { keys: ["ArrowUp"], command: "up", text: "key_up" },
  { keys: ["ArrowDown"], command: "down", text: "key_down" },
  { keys: ["Home"], command: "first", text: "key_first" },
  { keys: ["End"], command: "last", text: "key_last" },
  { keys: ["Space"], command: "toggle", text: "key_toggle", gesture: "gesture_toggle" },
  { keys: ["n"], command: "nextContent", text: "key_next_content" },
  { keys: ["p"], command: "previousContent", text: "key_previous_content" },
  { keys: ["m"], command: "joining", text: "key_joining", gesture: "gesture_joining" },
  { keys: [], command: "stretch", text: "key_stretch", gesture: "gesture_stretch" },
  { keys: [], command: "drag", text: "key_drag", gesture: "gesture_drag" },
  { keys: ["Shift+ArrowLeft"], command: "edgeLeft", text: "key_edge_left" },
  { keys: ["Shift+ArrowRight"], command: "edgeRight", text: "key_edge_right" },
  { keys: [","], command: "unitLeft", text: "key_unit_left" },
  { keys: ["."], command: "unitRight", text: "key_unit_right" },
  { keys: ["x"], command: "split", text: "key_split" },
  { keys: ["Delete", "Backspace"], command: "remove", text: "key_remove" },
];

const SUGGESTIONS = [
  { keys: ["f"], command: "likely", text: "key_likely" },
  { keys: ["s"], command: "nextSuggestion", text: "key_next_suggestion" },
  { keys: ["Shift+s"], command: "previousSuggestion", text: "key_previous_suggestion" },
];

const NOTES = [
  DOUBT,
  { keys: ["c"], command: "comment", text: "key_comment" },
  { keys: ["t"], command: "text", text: "key_text" },
];

/**
 * @param {number} count
 * @param {string} command
 * @param {string} text
 */
const numbers = (count, command, text) =>
  Array.from({ length: Math.min(count, 9) }, (_, i) => ({ keys: [String(i + 1)], command: `${command}${i}`, text, number: i }));

/**
 * A key for each label, by its number; `shift` where digits have another meaning.
 *
 * @param {Label[]} labels
 * @param {boolean} [shift]
 * @returns {KeyMap}
 */
const labelKeys = (labels, shift = false) =>
  labels.flatMap(({ key, name }, i) => (key ? [{ keys: [shift ? `Shift+${key}` : key], command: `label${i}`, text: "key_label", name }] : []));

/**
 * Keys of what a scheme has beside labels on tokens.
 *
 * @param {Label[]} labels
 * @param {Attribute[]} attributes
 * @returns {KeyMap}
 */
const schemeKeys = (labels, attributes) => [
  ...(labels.some((label) => label.tokenless) ? [{ keys: ["0"], command: "onSentence", text: "key_on_sentence" }] : []),
  ...(attributes.length ? [{ keys: ["a"], command: "attributes", text: "key_attributes" }] : []),
  ...attributes.flatMap(({ key, name }, i) => (key ? [{ keys: [key], command: `attribute${i}`, text: "key_attribute", name }] : [])),
];

/** Keys of units that share words. @param {boolean} overlaps @returns {KeyMap} */
const overlapKeys = (overlaps) =>
  overlaps
    ? [
        { keys: ["Shift+m"], command: "another", text: "key_another" },
        { keys: ["Shift+n"], command: "nextUnit", text: "key_next_unit" },
      ]
    : [];

/**
 * Keys of the correct screen for a scheme with these labels and attributes; `overlaps`: its units may share words.
 *
 * @param {Label[]} labels
 * @param {Attribute[]} [attributes]
 * @param {boolean} [overlaps]
 * @returns {KeyMap}
 */
export const correctKeys = (labels, attributes = [], overlaps = false) => [
  ...MOVE.slice(0, 1),
  ...TOKENS.slice(0, 9),
  ...SUGGESTIONS,
  ...TOKENS.slice(9),
  ...overlapKeys(overlaps),
  ...labelKeys(labels),
  ...schemeKeys(labels, attributes),
  ...NOTES,
  ...UNDO,
  ...MOVE.slice(1),
  ...HELP,
];

/** @type {KeyMap} */
const FATES = [
  { keys: ["k"], command: "keep", text: "key_keep" },
  { keys: ["l"], command: "lost", text: "key_lost" },
  { keys: ["h"], command: "shift", text: "key_shift" },
  { keys: ["j"], command: "gained", text: "key_gained" },
];

/** How links are edited, and how that ends. */
const LINKS = { keys: ["e"], command: "links", text: "key_links" };

/**
 * Keys of the projection review on words: those of the correct screen, and one for each decision.
 *
 * @param {Label[]} labels
 * @param {Attribute[]} [attributes]
 * @param {boolean} [overlaps]
 * @param {boolean} [rows] Whether there are spans of a source.
 * @returns {KeyMap}
 */
export const reviewKeys = (labels, attributes = [], overlaps = false, rows = true) => {
  const keys = correctKeys(labels, attributes, overlaps);
  return rows ? [...keys.slice(0, 1), ...FATES, LINKS, ...keys.slice(1)] : keys;
};

/**
 * Keys of the projection review in the list of source spans.
 *
 * @param {number} options How many answers there are to how a span was translated.
 * @param {string[]} sources What the projections are called.
 * @returns {KeyMap}
 */
export const projectionRowKeys = (options, sources) => [
  ...MOVE.slice(0, 1),
  ...FATES,
  ...numbers(options, "option", "key_tag"),
  { keys: ["ArrowUp"], command: "rowUp", text: "key_span_up" },
  { keys: ["ArrowDown"], command: "rowDown", text: "key_span_down" },
  // Who moves along the words is there.
  ...TOKENS.filter(({ command }) => ["left", "right", "first", "last", "nextContent", "previousContent"].includes(command)),
  { keys: ["a"], command: "takeAll", text: "key_take_projections" },
  ...(sources.length > 1 ? numbers(sources.length, "source", "key_take_projection").map((entry, place) => ({ ...entry, keys: [`Shift+${place + 1}`], name: sources[place], number: undefined })) : []),
  LINKS,
  ...NOTES,
  ...UNDO,
  ...MOVE.slice(1),
  ...HELP,
];

/**
 * Keys of choosing among values, in their order. `done`: the message that says what Enter does.
 *
 * @param {number} values
 * @param {string} [done]
 * @returns {KeyMap}
 */
export const choiceKeys = (values, done = "key_done") => [
  ...numbers(values, "tag", "key_tag"),
  { keys: ["Enter"], command: "done", text: done },
  { keys: ["c"], command: "comment", text: "key_comment" },
  ...UNDO.slice(0, 1),
  ...MOVE.slice(1),
  ...HELP,
];

/**
 * Keys of adjudication in the rows of differences: an answer for the difference, with Shift all of it.
 *
 * @param {number} answers
 * @param {number} [differences]
 * @param {boolean} [spans] Whether answers can be put together.
 * @returns {KeyMap}
 */
export const decisionKeys = (answers, differences = 1, spans = false) => [
  ...MOVE.slice(0, 1),
  ...numbers(answers, "take", "key_take"),
  ...numbers(answers, "all", "key_take_all").map((entry) => ({ ...entry, keys: entry.keys.map((key) => `Shift+${key}`) })),
  // Two answers cannot have a majority.
  ...(answers > 2 && differences ? [{ keys: ["0"], command: "majority", text: "key_majority" }] : []),
  { keys: ["e"], command: "edit", text: "key_edit" },
  ...(differences > 1
    ? [
        { keys: ["ArrowUp"], command: "rowUp", text: "key_row_up" },
        { keys: ["ArrowDown"], command: "rowDown", text: "key_row_down" },
      ]
    : []),
  ...(spans
    ? [
        { keys: ["a"], command: "union", text: "key_union" },
        { keys: ["i"], command: "common", text: "key_common" },
      ]
    : []),
  { keys: ["r", "c"], command: "comment", text: "key_reason" },
  { keys: ["Shift+g"], command: "propose", text: "key_propose" },
  ...UNDO,
  ...MOVE.slice(1),
  ...HELP,
];

/**
 * Keys of the editor in adjudication: those of its content, and how one leaves it.
 *
 * @param {KeyMap} keymap
 * @returns {KeyMap}
 */
export const withEdit = (keymap) => [
  ...keymap.filter(({ command }) => !["doubt", "text", "likely", "nextSuggestion", "previousSuggestion"].includes(command)),
  { keys: ["e"], command: "edit", text: "key_edit_end" },
];

/**
 * The keys whose commands begin with `command`, as a person reads them: "1–4", "1, 2", "1"; "" where there are none.
 *
 * @param {KeyMap} keymap
 * @param {string} command
 */
export function keyRange(keymap, command) {
  const keys = keymap.filter((entry) => entry.number !== undefined && entry.command.startsWith(command)).map((entry) => entry.keys[0]);
  return keys.length > 2 ? `${keys[0]}–${keys.at(-1)}` : keys.join(", ");
}
