import assert from "node:assert/strict";
import { test } from "node:test";
import { choiceKeys, commandFor, correctKeys } from "../../static/work/logic/keys.js";
import { isOwn, objection, withOwn } from "../../static/work/logic/own_keys.js";

const press = (key, more = {}) => ({ key, code: "", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more });
const LABELS = [{ code: "A", name: "A", key: "1" }, { code: "B", name: "B", key: "2" }];
const MAP = correctKeys(LABELS);

test("a person's key acts instead of the one that ships; what one presses with Ctrl stays", () => {
  const own = withOwn(MAP, { toggle: "e", undo: "r" });
  assert.equal(commandFor(press("e"), own), "toggle");
  assert.equal(commandFor(press(" "), own), null);
  assert.equal(commandFor(press("r"), own), "undo");
  assert.equal(commandFor(press("u"), own), null);
  assert.equal(commandFor(press("z", { ctrlKey: true }), own), "undo");
});

test("a letter is the one that is printed, and on a layout without Latin letters that of its place", () => {
  const own = withOwn(MAP, { toggle: "e" });
  assert.equal(commandFor(press("e", { code: "KeyD" }), own), "toggle", "Dvorak");
  assert.equal(commandFor(press("у", { code: "KeyE" }), own), "toggle", "Russian");
});

test("a command can be without a key", () => {
  const own = withOwn(MAP, { doubt: "" });
  assert.equal(commandFor(press("d"), own), null);
  assert.equal(commandFor(press("d", { altKey: true }), own), "doubt");
});

test("a key that was given away has no second meaning where another page has it, too", () => {
  const own = withOwn(choiceKeys(3), { back: "c" });
  assert.equal(commandFor(press("c"), own), "back");
  assert.deepEqual(own.find((entry) => entry.command === "comment").keys, []);
  // A command that is not on this page takes nothing away here.
  assert.equal(commandFor(press("c"), withOwn(choiceKeys(3), { toggle: "c" })), "comment");
});

test("labels, values and answers keep the keys of the project", () => {
  assert.deepEqual(MAP.filter((entry) => !isOwn(entry)).map((entry) => entry.command), ["label0", "label1"]);
  assert.equal(commandFor(press("1"), withOwn(MAP, { label0: "q" })), "label0");
});

test("a key with a meaning is refused, here and in other workspaces that have the command", () => {
  const against = (key, command, changed = {}) => {
    const { holder, where } = objection(key, command, MAP, changed);
    return [holder.command, where];
  };
  assert.deepEqual(against("d", "toggle"), ["doubt", ""]);
  assert.deepEqual(against("1", "toggle"), ["label0", ""]);
  assert.deepEqual(against("k", "toggle"), ["keep", "keys_in_review"]);
  assert.deepEqual(against("k", "comment"), ["keep", "keys_in_review"]);
  assert.deepEqual(against("5", "comment"), ["tag4", "keys_in_choices"]);
  assert.deepEqual(against("i", "undo"), ["common", "keys_in_adjudication"]);
  assert.equal(objection("d", "doubt", MAP, {}), null, "its own");
  assert.equal(objection("d", "toggle", MAP, { doubt: "e" }), null, "it is free by now");
  assert.deepEqual(against("e", "toggle", { doubt: "e" }), ["doubt", ""]);
  for (const key of ["Escape", "Tab", "Ctrl+w", "F5"]) assert.equal(objection(key, "toggle", MAP, {}), "reserved", key);
});
