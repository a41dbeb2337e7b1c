import assert from "node:assert/strict";
import { test } from "node:test";
import { edit } from "../../static/projects/logic/markdown.js";
import { placeAt, placeByKey } from "../../static/projects/logic/order.js";

/** The text after a command, with [ and ] around what is selected. */
function after(marked, command) {
  const start = marked.indexOf("[");
  const end = marked.indexOf("]") - 1;
  const text = marked.replace("[", "").replace("]", "");
  const found = edit(text, start, end, command);
  const made = text.slice(0, found.from) + found.insert + text.slice(found.to);
  return `${made.slice(0, found.start)}[${made.slice(found.start, found.end)}]${made.slice(found.end)}`;
}

test("words become bold or italic, and plain again", () => {
  assert.equal(after("a [word] more", "bold"), "a **[word]** more");
  assert.equal(after("a **[word]** more", "bold"), "a [word] more");
  assert.equal(after("a [word] more", "italic"), "a *[word]* more");
  assert.equal(after("a *[word]* more", "italic"), "a [word] more");
  assert.equal(after("a **[word]** more", "italic"), "a ***[word]*** more");
  assert.equal(after("[]", "bold"), "**[]**");
});

test("a line becomes a heading, lines become a list, and plain again", () => {
  assert.equal(after("one\ntw[]o\nthree", "heading"), "one\n## two[]\nthree");
  assert.equal(after("one\n## two[]\nthree", "heading"), "one\ntwo[]\nthree");
  assert.equal(after("o[ne\nt]wo", "list"), "[- one\n- two]");
  assert.equal(after("[- one\n- two]", "list"), "[one\ntwo]");
  assert.equal(after("[- one\ntwo]", "list"), "[- one\n- two]");
});

test("a link has the words that were selected, and its address is typed next", () => {
  const found = edit("see here", 4, 8, "link");
  assert.equal(found.insert, "[here](https://)");
  assert.equal(found.insert.slice(found.start - 4, found.end - 4), "https://");
});

test("a table stands by itself, with the cursor in its first cell", () => {
  const found = edit("text", 4, 4, "table");
  assert.match(found.insert, /^\n\n\|  \|  \|\n\| --- \| --- \|\n/);
  assert.equal(found.start, 4 + 2 + 2);
  assert.match(edit("", 0, 0, "table").insert, /^\|/);
});

test("a dragged row goes where the pointer is, and by keys not beyond the list", () => {
  assert.deepEqual([placeAt([10, 30], 5), placeAt([10, 30], 20), placeAt([10, 30], 50)], [0, 1, 2]);
  assert.deepEqual(
    ["ArrowUp", "ArrowDown", "Home", "End", "x"].map((key) => placeByKey(1, 3, key)),
    [0, 2, 0, 2, null],
  );
  assert.deepEqual([placeByKey(0, 3, "ArrowUp"), placeByKey(2, 3, "ArrowDown"), placeByKey(2, 3, "End")], [null, null, null]);
});
