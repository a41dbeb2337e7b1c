/** Several categories for each part: `{answers: [["object"], []]}`; null where nobody has looked. See spans.js for what a content type gives. */

import { button, h, setAttributes } from "../../site/components/dom.js";
import { linesOf } from "../components/parts.js";
import { whoSaid } from "../components/versions.js";
import { PLAIN } from "../logic/keys.js";
import { inLanguage } from "../../site/logic/text.js";

const plain = (answers) => (answers.every((answer) => answer === null || answer === undefined) ? [] : answers.map((answer) => answer ?? null));

export const clean = ({ answers }) => ({ answers: plain(answers) });

export const same = (a, b) => JSON.stringify(clean(a)) === JSON.stringify(clean(b));

export const joined = () => null;

const labelOf = (page, value) => page.config.values.find((one) => one.value === value)?.label ?? value;

/** The categories of a part in words. */
const wordsOf = (answer, page) => {
  if (answer === null || answer === undefined) return page.t("not_seen");
  return answer.length ? answer.map((value) => labelOf(page, value)).join(", ") : page.t("none_of_these");
};

export const show = ({ answers }, page) => h("ol", { class: "categories-shown" }, page.config.halves.map((_, part) => h("li", {}, wordsOf(answers[part], page))));

export const title = ({ key }, page) => page.config.halves[Number(key)];

export const brief = ({ answers }, page) => answers.filter((answer) => answer !== null && answer !== undefined).map((answer) => h("span", { class: "decision-span" }, wordsOf(answer, page)));

export const part = ({ answers }, { key }) => ({ answers: answers.map((answer, number) => (number === Number(key) ? answer : null)) });

export const put = ({ answers }, { key }, said) => {
  const length = Math.max(answers.length, said.answers.length);
  return { answers: Array.from({ length }, (_, number) => ((number === Number(key) ? said : { answers }).answers[number] ?? null)) };
};

/** A row of buttons for each part; one of them is where keys act. */
export class CategoriesForm {
  constructor(page) {
    this.page = page;
    this.part = 0;
    this.commands = {
      ...Object.fromEntries(page.config.values.map(({ value }, number) => [`category${number}`, () => this.toggle(this.part, value)])),
      none: () => this.none(this.part),
      half: () => this.go(1 - this.part),
      same: () => this.alike(),
    };
  }

  keymap() {
    return [
      ...this.page.config.values.map(({ label }, number) => ({ keys: [String(number + 1)], command: `category${number}`, text: "key_category", name: label })),
      { keys: ["0"], command: "none", text: "key_none" },
      { keys: ["ArrowDown", "ArrowUp"], command: "half", text: "key_half" },
      { keys: ["s"], command: "same", text: "key_same" },
      ...PLAIN,
    ];
  }

  nodes({ item: { unit } }) {
    const { page } = this;
    const lines = linesOf(unit);
    // The words around a text are in the reader's language. No line has a line break.
    const [means, end] = page.t("means", { meaning: "\n" }).split("\n");
    this.part = 0;
    this.rows = page.config.halves.map((name, part) => {
      const buttons = page.config.values.map(({ value, label, definition }, number) =>
        h("button", { type: "button", class: "button category", "data-category": value, title: definition, onclick: () => this.toggle(part, value) }, h("kbd", { "aria-hidden": "true" }, String(number + 1)), h("span", {}, label)),
      );
      const none = h("button", { type: "button", class: "button category", "data-category": "none", onclick: () => this.none(part) }, h("kbd", { "aria-hidden": "true" }, "0"), h("span", {}, page.t("none_of_these")));
      const group = h("div", { class: "cluster", role: "group", tabindex: "-1", "aria-label": page.t("categories_of", { text: lines[part] }), onfocusin: () => this.mark(part) }, buttons, none);
      const said = h("p", { class: "small muted" });
      const node = h(
        "section",
        { class: "ws-sentence half", "data-half": part },
        h("p", { class: "ws-meta" }, name),
        h("p", { class: "words", ...inLanguage(unit.language, [lines[part]]) }, lines[part]),
        h("p", { class: "small" }, means, h("bdi", inLanguage(unit.language, [lines[part + 2]]), lines[part + 2]), end),
        group,
        said,
      );
      return { node, group, said, buttons: [...buttons, none] };
    });
    return [...this.rows.map(({ node }) => node), h("div", {}, button(page.t("same_for_both"), { key: "S", class: "button button-quiet", onclick: () => this.alike() }))];
  }

  show({ value: { content } }) {
    this.rows.forEach(({ node, said, buttons }, part) => {
      const answer = content.answers[part];
      for (const one of buttons) {
        const { category } = one.dataset;
        setAttributes(one, { "aria-pressed": Boolean(answer && (category === "none" ? !answer.length : answer.includes(category))) });
      }
      node.classList.toggle("is-current", part === this.part);
      said.textContent = answer ? "" : this.page.t("not_seen");
    });
  }

  focus() {
    this.rows[this.part].group.focus({ preventScroll: true });
  }

  missing({ value: { content } }) {
    return this.page.config.halves.every((_, part) => content.answers[part]) ? null : "choose_categories";
  }

  mark(part) {
    this.part = part;
    this.rows.forEach(({ node }, number) => node.classList.toggle("is-current", number === part));
  }

  go(part) {
    this.mark(part);
    this.focus();
  }

  toggle(part, value) {
    const before = this.page.entry.value.content.answers[part] ?? [];
    const chosen = before.includes(value) ? before.filter((one) => one !== value) : [...before, value];
    const answer = this.page.config.values.map((one) => one.value).filter((one) => chosen.includes(one));
    // Taken back, the last one leaves it unsaid; "none of these" is said on purpose.
    this.set(part, answer.length ? answer : null);
  }

  none(part) {
    this.set(part, []);
  }

  /** The other part gets the same. */
  alike() {
    const answer = this.page.entry.value.content.answers[this.part];
    if (answer) this.set(1 - this.part, [...answer]);
  }

  set(part, answer) {
    const entry = this.page.editable();
    if (!entry) return;
    const answers = this.page.config.halves.map((_, number) => (number === part ? answer : (entry.value.content.answers[number] ?? null)));
    this.page.change(entry, { answers });
    this.page.refreshed(this.page.t("now_chosen", { text: this.page.config.halves[part], categories: wordsOf(answer, this.page) }));
  }
}

/** Editing what is decided among what several people chose. */
export class Decision {
  showsUnit = true;

  constructor(page) {
    this.page = page;
    this.form = new CategoriesForm(page);
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
    const { answers } = entry.item;
    const version = ({ annotator, content, comment, doubt }) =>
      h("li", { class: "version" }, whoSaid({ annotator, doubt }, page.t), show(content, page), comment && h("p", { class: "small" }, h("bdi", { dir: "auto" }, comment)));
    const nodes = this.form.nodes(entry);
    // What each said of a sentence stands at it, too: the answers themselves are below the fold.
    this.form.rows.forEach(({ node }, part) => {
      const said = answers.map(({ annotator, content }, place) => [place > 0 && " · ", h("bdi", {}, annotator), ": ", wordsOf(clean(content).answers[part], page)]);
      node.append(h("p", { class: "small muted" }, said));
    });
    return { inside: [], outside: [...nodes, h("ul", { class: "versions", role: "list" }, answers.map(version))], side: [] };
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
