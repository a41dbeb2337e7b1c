/** Contents that are one of a list of values: `{value}`, null while nothing is chosen. See spans.js for what a content type gives. */

import { choiceButtons, valueName, valuesOf } from "../components/choice_buttons.js";
import { h } from "../../site/components/dom.js";
import { whoSaid } from "../components/versions.js";
import { choiceKeys } from "../logic/keys.js";

export const clean = ({ value }) => ({ value: value ?? null });

export const same = (a, b) => a.value === b.value;

export const show = ({ value }, page) => h("p", { class: "strong" }, valueName(page.config, value, page.t));

export const joined = () => null;

export const brief = ({ value }, page) => valueName(page.config, value, page.t);

/** Deciding among what several people chose. */
export class Decision {
  constructor(page) {
    this.page = page;
    this.commands = Object.fromEntries(valuesOf(page.config).map(({ value }, number) => [`tag${number}`, () => this.choose(value)]));
  }

  keymap() {
    return choiceKeys(valuesOf(this.page.config).length);
  }

  names() {
    return valuesOf(this.page.config).map(({ label }) => label);
  }

  build({ item }) {
    const { config, t } = this.page;
    this.buttons = choiceButtons({ values: valuesOf(config), proposed: item.suggestion?.content.value ?? null, t, onChoose: (value) => this.choose(value) });
    const version = ({ annotator, content, comment, doubt }) =>
      h("li", { class: "version" }, whoSaid({ annotator, doubt }, t, h("span", { class: "badge" }, valueName(config, content.value, t))), comment && h("p", { class: "small" }, h("bdi", { dir: "auto" }, comment)));
    return { inside: [], outside: [h("ul", { class: "versions", role: "list" }, item.answers.map(version)), this.buttons.node], side: [] };
  }

  refresh(entry) {
    this.buttons.show(entry.value.content.value);
  }

  takeFocus() {
    this.buttons.focus();
  }

  /** The name of the message that says what is missing before this can be decided, or null. */
  missing(entry) {
    return entry.value.content.value === null ? "choose_tag" : null;
  }

  choose(value) {
    const { page } = this;
    const entry = page.editable();
    if (!entry) return;
    page.change(entry, { value });
    this.buttons.focus();
    page.refreshed(page.t("tagged", { tag: valueName(page.config, value, page.t) }));
  }
}
