/** Contents that are the best of the unit's words, two equal ones, or none: `{words, none}`. */

import { h, isAgain, setAttributes } from "../../site/components/dom.js";
import { whoSaid } from "../components/versions.js";
import { PLAIN } from "../logic/keys.js";

const MOST = 2;
const QUESTION = "best-question";
const inOrder = (words) => [...words].sort();

export const clean = ({ words, none }) => ({ words, none });

export const same = (a, b) => a.none === b.none && JSON.stringify(inOrder(a.words)) === JSON.stringify(inOrder(b.words));

/** What a content says, in words. */
const saidOf = ({ words, none }, { t }) => (none ? t("option_none") : words.join(" = ") || "—");

export const show = (content, page) => h("p", { class: "strong" }, h("bdi", {}, saidOf(content, page)));

export const joined = () => null;

export const brief = (content, page) => saidOf(content, page);

/** The words of an item as they are offered: by the alphabet, so that their order says nothing of who wrote how often. */
export const offered = ({ unit }) => [...unit.tokens].sort((a, b) => a.localeCompare(b, unit.language));

/** The keys of `count` words: digits for the first nine, 0 for "none"; and those that are `added`. */
export const optionKeys = (count, added = []) => [
  ...Array.from({ length: Math.min(count, 9) }, (_, number) => ({ keys: [String(number + 1)], command: `tag${number}`, text: "key_option", number })),
  { keys: ["0"], command: "tagNone", text: "option_none" },
  ...added,
  ...PLAIN,
];

/** The words of the entry that a page shows, as buttons that are chosen and taken back. */
export class Options {
  constructor(page) {
    this.page = page;
    this.commands = { tagNone: () => this.none() };
    for (let number = 0; number < 9; number += 1) this.commands[`tag${number}`] = () => number < this.words.length && this.choose(this.words[number]);
    this.words = [];
  }

  /** `said`: by word, what its button says beside it; null stands for "none". `first` stands before the words. */
  build({ item }, { words = offered(item), said = new Map(), first = null } = {}) {
    const { t } = this.page;
    const { unit } = item;
    this.words = words;
    const label = (text, key, tag, onclick, beside = null) =>
      h("button", { type: "button", class: "tag-button", "data-tag": tag, onclick: (event) => isAgain(event) || onclick() }, key && h("kbd", { "aria-hidden": "true" }, key), h("span", { class: "tag-name", dir: "auto" }, tag === "none" ? text : h("bdi", {}, text), beside && h("span", { class: "badge" }, beside)));
    this.buttons = [
      ...this.words.map((word, number) => label(word, number < 9 ? String(number + 1) : "", `w:${word}`, () => this.choose(word), said.get(word))),
      label(t("option_none"), "0", "none", () => this.none(), said.get(null)),
    ];
    this.node = h("div", { class: "tag-buttons", role: "group", tabindex: "-1", lang: unit.language, "aria-labelledby": QUESTION }, this.buttons);
    return h("section", { class: "stack-s" }, h("h2", { class: "ws-side-title", id: QUESTION }, t("options_name")), first, this.node);
  }

  show({ words, none }) {
    for (const node of this.buttons) setAttributes(node, { "aria-pressed": node.dataset.tag === "none" ? none : words.some((word) => node.dataset.tag === `w:${word}`) });
  }

  focus() {
    this.node?.focus({ preventScroll: true });
  }

  choose(word) {
    const entry = this.page.editable();
    if (!entry) return;
    const { words } = entry.value.content;
    if (words.includes(word)) return this.set(entry, { words: words.filter((one) => one !== word), none: false });
    if (words.length >= MOST) return void this.page.say(this.page.t("options_two"));
    this.set(entry, { words: [...words, word], none: false });
  }

  none() {
    const entry = this.page.editable();
    if (entry) this.set(entry, { words: [], none: !entry.value.content.none });
  }

  set(entry, content) {
    const { page } = this;
    // A click is no command, which would take away that two are chosen.
    if (page.telling) page.say(null);
    page.change(entry, content);
    this.focus();
    page.refreshed(content.none || content.words.length ? page.t("option_chosen", { words: saidOf(content, page) }) : page.t("option_taken_back"));
  }

  missing({ value }) {
    return value.content.none || value.content.words.length ? null : "choose_first";
  }
}

/** What buttons say beside a word: how many of the answers chose it; null stands for "none". */
function votesOf(answers, t) {
  const votes = new Map();
  for (const { content } of answers) for (const word of content.none ? [null] : content.words) votes.set(word, (votes.get(word) ?? 0) + 1);
  return new Map([...votes].map(([word, n]) => [word, t("options_votes", { n })]));
}

/** Deciding where votes are equal. */
export class Decision {
  constructor(page) {
    this.page = page;
    this.options = new Options(page);
    this.commands = this.options.commands;
  }

  keymap(entry) {
    return optionKeys(entry.item.unit.tokens.length);
  }

  names(entry) {
    return offered(entry.item);
  }

  build(entry) {
    const { item } = entry;
    const version = ({ annotator, content, comment, doubt }) =>
      h("li", { class: "version" }, whoSaid({ annotator, doubt }, this.page.t, show(content, this.page)), comment && h("p", { class: "small" }, h("bdi", { dir: "auto" }, comment)));
    return { inside: [], outside: [this.options.build(entry, { said: votesOf(item.answers, this.page.t) }), h("ul", { class: "versions", role: "list" }, item.answers.map(version))], side: [] };
  }

  refresh(entry) {
    this.options.show(entry.value.content);
  }

  takeFocus() {
    this.options.focus();
  }

  missing(entry) {
    return this.options.missing(entry);
  }

  /** Two words that stand as equal are the voters', too, though nobody gave both. */
  isSomebodys({ item: { answers }, value: { content } }) {
    return content.words.length > 0 && content.words.every((word) => answers.some((one) => one.content.words.includes(word)));
  }
}
