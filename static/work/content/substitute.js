/** Contents that are one word, or the reason why none fits: `{word, reason}`. See work/content/spans.js for what a module gives. */

import { h } from "../../site/components/dom.js";
import { whoSaid } from "../components/versions.js";
import { PLAIN } from "../logic/keys.js";
import { bareWord, wordKey } from "../logic/one_word.js";
import { inLanguage } from "../../site/logic/text.js";

export const clean = ({ word, reason }) => ({ word: bareWord(word), reason });

export const same = (a, b) => wordKey(bareWord(a.word)) === wordKey(bareWord(b.word)) && a.reason === b.reason;

const reasonName = (value, { config }) => (config.reasons ?? []).find((one) => one.value === value)?.label ?? value;

export const show = ({ word, reason }, page) => h("p", { class: "strong" }, h("bdi", {}, word || reasonName(reason, page) || "—"));

export const joined = () => null;

export const brief = ({ word, reason }, page, { unit }) => h("bdi", inLanguage(unit.language, [word]), word || reasonName(reason, page) || "—");

/** A field for the word of the entry that a page shows. */
export function wordField(page, entry, { label }) {
  const field = h("input", { type: "text", class: "text-field ws-word", autocomplete: "off", autocapitalize: "off", spellcheck: "true", maxlength: "100", ...inLanguage(entry.item.unit.language), "aria-label": label });
  field.value = entry.value.content.word;
  if (entry.item.gold === true) field.readOnly = true;
  field.addEventListener("input", () => {
    page.change(entry, { word: field.value, reason: "" });
    page.refreshed();
  });
  return field;
}

/** Editing what is decided among the words of several people. */
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
    const { t } = this.page;
    this.field = wordField(this.page, entry, { label: t("one_word", { word: entry.item.marked?.word ?? "" }) });
    const version = ({ annotator, content, comment, doubt }) =>
      h("li", { class: "version" }, whoSaid({ annotator, doubt }, t, show(content, this.page)), comment && h("p", { class: "small" }, h("bdi", { dir: "auto" }, comment)));
    return { inside: [], outside: [h("ul", { class: "versions", role: "list" }, entry.item.answers.map(version)), this.field], side: [] };
  }

  refresh(entry) {
    if (this.field !== document.activeElement) this.field.value = entry.value.content.word || reasonName(entry.value.content.reason, this.page);
  }

  takeFocus() {
    this.field.focus();
  }

  missing(entry) {
    const { word, reason } = clean(entry.value.content);
    return word || reason ? null : "no_word_yet";
  }
}
