// What the buttons above a Markdown text do: what is replaced by what, and what is selected then.

/**
 * @typedef {object} Edit
 * @property {number} from
 * @property {number} to
 * @property {string} insert What takes the place of `from` to `to`.
 * @property {number} start
 * @property {number} end Selected afterwards.
 */

const AROUND = /** @type {Record<string, string>} */ ({ bold: "**", italic: "*" });
const BEFORE = /** @type {Record<string, string>} */ ({ heading: "## ", list: "- " });
const TABLE = ["|  |  |", "| --- | --- |", "|  |  |"].join("\n");

/**
 * @param {string} text
 * @param {number} start
 * @param {number} end
 * @param {string} command "bold", "italic", "heading", "list", "link" or "table".
 * @returns {Edit}
 */
export function edit(text, start, end, command) {
  if (command in AROUND) return wrapped(text, start, end, AROUND[command]);
  if (command in BEFORE) return prefixed(text, start, end, BEFORE[command]);
  if (command === "link") return link(text, start, end);
  return block(text, end, TABLE);
}

/** Marks around the selection, or none where they are. @returns {Edit} @param {string} text @param {number} start @param {number} end @param {string} mark */
function wrapped(text, start, end, mark) {
  const size = mark.length;
  const words = text.slice(start, end);
  const isMarked = text.slice(start - size, start) === mark && text.slice(end, end + size) === mark;
  // One star beside two is part of bold.
  const isBold = mark === "*" && text[start - 2] === "*" && text[start - 3] !== "*";
  if (isMarked && !isBold) return { from: start - size, to: end + size, insert: words, start: start - size, end: end - size };
  return { from: start, to: end, insert: mark + words + mark, start: start + size, end: end + size };
}

/** A mark before each line of the selection, or before none where all have it. @returns {Edit} @param {string} text @param {number} start @param {number} end @param {string} mark */
function prefixed(text, start, end, mark) {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const next = text.indexOf("\n", Math.max(end, from));
  const to = next === -1 ? text.length : next;
  const lines = text.slice(from, to).split("\n");
  const hasAll = lines.every((line) => line.startsWith(mark));
  const insert = lines.map((line) => (hasAll ? line.slice(mark.length) : line.startsWith(mark) ? line : mark + line)).join("\n");
  return { from, to, insert, start: from + (lines.length > 1 ? 0 : insert.length), end: from + insert.length };
}

/** The selection as the words of a link, whose address is selected to be typed. @returns {Edit} @param {string} text @param {number} start @param {number} end */
function link(text, start, end) {
  const words = text.slice(start, end);
  const address = "https://";
  const at = start + words.length + 3;
  return { from: start, to: end, insert: `[${words}](${address})`, start: at, end: at + address.length };
}

/** Lines of their own after the selection, with an empty line on either side. @returns {Edit} @param {string} text @param {number} end @param {string} lines */
function block(text, end, lines) {
  const before = end === 0 || text.slice(0, end).endsWith("\n\n") ? "" : text[end - 1] === "\n" ? "\n" : "\n\n";
  const insert = `${before}${lines}\n`;
  const at = end + before.length + 2;
  return { from: end, to: end, insert, start: at, end: at };
}
