/** What the modules of both content types have in common (what such a module gives is said in spans.js). */

import { PLAIN } from "../logic/keys.js";
import { isTooLong, spelt } from "../logic/pairs.js";
import { inLanguage } from "../../site/logic/text.js";
import { h } from "../../site/components/dom.js";
import { namedFields, namedList } from "./named_fields.js";
import { whoSaid } from "./versions.js";

/** The module of contents that are the texts with these names; the first one has to be there. */
export function severalTexts(order) {
  const clean = (content) => Object.fromEntries(order.map((name) => [name, spelt(content[name] ?? "")]));
  const same = (a, b) => JSON.stringify(clean(a)) === JSON.stringify(clean(b));
  const show = (content, page, unit) => namedList(content, page.config.names, unit.language);
  const joined = () => null;
  const title = ({ key }, page) => page.config.names.find(({ name }) => name === key)?.label ?? key;
  const brief = (part, page, { unit }) => {
    const texts = order.map((name) => part[name]).filter(Boolean);
    return texts.length ? texts.map((text) => h("span", { class: "decision-span", ...inLanguage(unit.language, [text]) }, text)) : page.t("no_text");
  };
  return { clean, same, show, joined, title, brief, Decision: decisionOf(order[0], clean, show) };
}

/** Editing what is decided among several. */
function decisionOf(first, clean, show) {
  return class Decision {
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
      this.fields = namedFields({ names: page.config.names, content: entry.value.content, language: unit.language, page, onInput: (name, text) => this.set({ ...page.entry.value.content, [name]: text }) });
      const version = ({ annotator, content, comment, doubt }) =>
        h("li", { class: "version" }, whoSaid({ annotator, doubt }, page.t), show(content, page, unit), comment && h("p", { class: "small" }, h("bdi", { dir: "auto" }, comment)));
      return { inside: [], outside: [h("ul", { class: "versions", role: "list" }, answers.map(version)), h("section", { class: "ws-card" }, this.fields.node)], side: [] };
    }

    refresh(entry) {
      this.fields.show(entry.value.content);
    }

    takeFocus() {
      this.fields.focus();
    }

    missing(entry) {
      const texts = clean(entry.value.content);
      if (isTooLong(Object.values(texts), this.page.config.longest)) return "text_too_long";
      return texts[first] ? null : "write_text";
    }

    set(content) {
      const entry = this.page.editable();
      if (!entry) return;
      this.page.change(entry, content);
      this.page.refreshed();
    }
  };
}
