/** Contents that are a free text: `{text}`. What a content type's module gives is said in work/content/spans.js. */

import { h } from "../../site/components/dom.js";
import { PLAIN } from "../logic/keys.js";

export const clean = ({ text }) => ({ text: text.trim().replace(/\s+/g, " ") });

export const same = (a, b) => clean(a).text.toLowerCase() === clean(b).text.toLowerCase();

export const show = ({ text }) => h("p", { class: "text-shown" }, text);

export const joined = () => null;

export const brief = ({ text }) => text || "—";

/** A field for the text of the entry that a page shows. */
export function textField(page, entry) {
  const field = h("textarea", { class: "text-field", rows: "3", "aria-label": page.t("sentence") });
  field.value = entry.value.content.text;
  field.addEventListener("input", () => {
    page.change(entry, { text: field.value });
    page.refreshed();
  });
  return field;
}

/** Editing what is decided among several texts. */
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
    this.field = textField(this.page, entry);
    const version = ({ annotator, content }) =>
      h("li", { class: "version" }, h("strong", {}, annotator), show(content));
    return { inside: [], outside: [h("ul", { class: "versions" }, entry.item.answers.map(version)), this.field], side: [] };
  }

  refresh(entry) {
    if (this.field !== document.activeElement) this.field.value = entry.value.content.text;
  }

  takeFocus() {
    this.field.focus();
  }

  missing(entry) {
    return clean(entry.value.content).text ? null : "write_text";
  }
}
