/** Pairs that somebody wrote: `{figurative: ["", ""], literal: ["", ""]}`. What a content type gives is said in spans.js. */

import { h } from "../../site/components/dom.js";
import { partsFields, partsList } from "../components/parts.js";
import { whoSaid } from "../components/versions.js";
import { PLAIN } from "../logic/keys.js";
import { isTooLong, spelt } from "../logic/pairs.js";

export const clean = ({ figurative, literal }) => ({ figurative: figurative.map(spelt), literal: literal.map(spelt) });

/** Its parts in the order of the unit's lines. */
export const linesOf = ({ figurative, literal }) => [...figurative, ...literal];

export const ofLines = (lines) => ({ figurative: lines.slice(0, 2), literal: lines.slice(2, 4) });

export const same = (a, b) => linesOf(clean(a)).join("\n") === linesOf(clean(b)).join("\n");

export const show = (content, page, unit) => partsList(linesOf(content), page.config.parts ?? [], unit.language);

export const joined = () => null;

export const brief = (content) => linesOf(content).map((line) => h("bdi", { class: "decision-span" }, line));

/** Editing what is decided among several pairs. */
export class Decision {
  constructor(page) {
    this.page = page;
    this.commands = {};
  }

  keymap() {
    return PLAIN;
  }

  names() {
    return [];
  }

  build(entry) {
    const { page } = this;
    const { answers, unit } = entry.item;
    this.fields = partsFields({
      page,
      names: page.config.parts,
      language: unit.language,
      values: linesOf(entry.value.content),
      onInput: (number, text) => this.set(linesOf(page.entry.value.content).with(number, text)),
    });
    const version = ({ annotator, content, doubt }) =>
      h("li", { class: "version" }, whoSaid({ annotator, doubt }, page.t), show(content, page, unit));
    return { inside: [], outside: [h("ul", { class: "versions", role: "list" }, answers.map(version)), this.fields.node], side: [] };
  }

  refresh(entry) {
    this.fields.show(linesOf(entry.value.content));
  }

  takeFocus() {
    this.fields.focus();
  }

  missing(entry) {
    const lines = linesOf(clean(entry.value.content));
    if (isTooLong(lines, this.page.config.longest)) return "text_too_long";
    return lines.every(Boolean) ? null : "write_text";
  }

  set(lines) {
    const entry = this.page.editable();
    if (!entry) return;
    this.page.change(entry, ofLines(lines));
    this.page.refreshed();
  }
}
