/** A value on a scale: `{value: 3}`, null while nothing is chosen. See spans.js for what a content type gives. */

import { h, isAgain, setAttributes } from "../../site/components/dom.js";
import { markedWords } from "../components/marked_words.js";
import { whoSaid } from "../components/versions.js";
import { PLAIN } from "../logic/keys.js";
import { inLanguage } from "../../site/logic/text.js";

export const clean = ({ value }) => ({ value: value ?? null });

export const same = (a, b) => (a.value ?? null) === (b.value ?? null);

export const joined = () => null;

export const brief = (content, page) => wordsOf(content, page);

const wordsOf = ({ value }, page) => (value === null || value === undefined ? page.t("not_rated") : page.t("rated", { value }));

export const show = (content, page) => h("p", { class: "strong" }, wordsOf(content, page));

/** The sentence, with the expression marked where one is rated. */
export const sentenceNode = ({ unit, marked = [] }) => h("p", { class: "words", ...inLanguage(unit.language, unit.tokens) }, markedWords(unit, marked));

/** The question and a button for each value. `onChosen`: after a choice. */
export class RatingForm {
  constructor(page, onChosen = () => {}) {
    this.page = page;
    this.onChosen = onChosen;
    this.points = Array.from({ length: page.config.scale.points }, (_, number) => number + 1);
    this.commands = Object.fromEntries(this.points.map((value) => [`rate${value}`, () => this.choose(value)]));
  }

  keymap() {
    return [...this.points.map((value) => ({ keys: [String(value)], command: `rate${value}`, text: "key_rating", name: String(value) })), ...PLAIN];
  }

  nodes({ item }) {
    const { scale } = this.page.config;
    const { expression } = item;
    const last = this.points.length;
    this.buttons = this.points.map((value) =>
      h(
        "button",
        { type: "button", class: "button scale-point", "data-value": value, "aria-label": [value, value === 1 && scale.low, value === last && scale.high].filter(Boolean).join(", "), onclick: (event) => isAgain(event) || this.choose(value) },
        String(value),
      ),
    );
    this.group = h("div", { class: "scale-points", role: "group", tabindex: "-1", "aria-label": scale.question }, this.buttons);
    const ends = h("p", { class: "scale-ends small muted", "aria-hidden": "true" }, h("bdi", {}, `1 · ${scale.low}`), h("bdi", {}, `${last} · ${scale.high}`));
    return [
      h(
        "section",
        { class: "ws-card" },
        h("h2", { class: "ws-side-title" }, h("bdi", {}, scale.question)),
        h("p", { class: "small muted" }, this.page.t(expression ? "about_marked" : "about_sentence")),
        expression && h("p", { class: "strong", ...inLanguage(item.unit.language, [expression]) }, expression),
        this.group,
        ends,
      ),
    ];
  }

  show({ value: { content } }) {
    this.buttons.forEach((one) => setAttributes(one, { "aria-pressed": Number(one.dataset.value) === content.value }));
  }

  /** To the group and not to a button, so that Enter never means a value that nobody chose. */
  focus() {
    this.group.focus({ preventScroll: true });
  }

  /** The name of the message that says what is missing, or null. */
  missing({ value: { content } }) {
    return content.value === null ? "choose_rating" : null;
  }

  choose(value) {
    const entry = this.page.editable();
    if (!entry) return;
    this.page.change(entry, { value });
    this.page.refreshed(wordsOf({ value }, this.page));
    this.onChosen();
  }
}

/** Deciding among what several people chose. */
export class Decision {
  showsUnit = true;

  constructor(page) {
    this.page = page;
    this.form = new RatingForm(page);
    this.commands = this.form.commands;
  }

  keymap() {
    return this.form.keymap();
  }

  names() {
    return [];
  }

  build(entry) {
    const { page } = this;
    const version = ({ annotator, content, comment, doubt }) =>
      h("li", { class: "version" }, whoSaid({ annotator, doubt }, page.t), show(content, page), comment && h("p", { class: "small" }, h("bdi", { dir: "auto" }, comment)));
    return { inside: [sentenceNode(entry.item)], outside: [h("ul", { class: "versions", role: "list" }, entry.item.answers.map(version)), ...this.form.nodes(entry)], side: [] };
  }

  refresh(entry) {
    this.form.show(entry);
  }

  takeFocus() {
    this.form.focus();
  }

  missing(entry) {
    return this.form.missing(entry);
  }
}
