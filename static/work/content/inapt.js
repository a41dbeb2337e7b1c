/** Contents that are inapt words, each with its sense, or that there is none: `{words: [{word, sense, synset}], none}`. */

import { button, h, setAttributes } from "../../site/components/dom.js";
import { whoSaid } from "../components/versions.js";
import { PLAIN, composes } from "../logic/keys.js";
import { bareWord, inCaseOf, wordKey } from "../logic/one_word.js";
import { fillBlank } from "../components/marked.js";
import { inLanguage } from "../../site/logic/text.js";

const MOST = 10;
const EMPTY = { word: "", sense: "", synset: "" };

const cleanRow = ({ word, sense, synset }) => ({ word: bareWord(word), sense: sense.trim().replace(/\s+/g, " "), synset: synset.trim() });

export const clean = ({ words, none }) => ({ words: words.map(cleanRow).filter(({ word, sense, synset }) => word || sense || synset), none });

const key = (content) => {
  const { words, none } = clean(content);
  return JSON.stringify([none, words.map(({ word, sense, synset }) => JSON.stringify([wordKey(word), sense, synset])).sort()]);
};

export const same = (a, b) => key(a) === key(b);

export const show = ({ words, none }, { t }) =>
  none || !words.length ? h("p", { class: "strong" }, none ? t("inapt_none") : "—") : h("ul", { role: "list" }, words.map(({ word, sense }) => h("li", {}, h("bdi", { class: "strong" }, word), sense && h("span", { class: "small", dir: "auto" }, ` (${sense})`))));

export const joined = ([one, other]) => {
  const known = new Set(one.words.map(({ word }) => wordKey(word)));
  const words = [...one.words, ...other.words.filter(({ word }) => !known.has(wordKey(word)))];
  return one.none || other.none || words.length > MOST ? null : { words, none: false };
};

/** The difference between those who give words and those who say that there is none, as the server calls it. */
const ALL = "all words";

export const title = ({ key, says }) => key !== ALL && h("bdi", {}, says.flatMap(({ content }) => content.words)[0]?.word ?? key);

export const brief = ({ words, none }, { t }) => {
  if (!words.length) return t(none ? "inapt_none" : "not_inapt");
  return words.map(({ word, sense }) => h("span", { class: "decision-span" }, h("bdi", {}, word), sense && h("bdi", { class: "small" }, ` (${sense})`)));
};

export const part = (content, { key }) => (key === ALL ? content : { words: content.words.filter(({ word }) => wordKey(bareWord(word)) === key), none: false });

export const put = (content, { key }, said) => (key === ALL ? said : { words: [...content.words.filter(({ word }) => wordKey(bareWord(word)) !== key), ...said.words], none: false });

const isAmong = (words, word) => Boolean(word) && (words ?? []).some((one) => wordKey(one) === wordKey(bareWord(word)));

/** Whether a word was chosen as the best one for the sentence: it cannot be inapt, too. */
export const isBest = ({ item }, word) => isAmong(item.best, word);

/** Whether somebody wrote a word as a substitute. */
export const isWritten = ({ item }, word) => isAmong(item.written, word);

export const inaptKeys = [
  { keys: ["0"], command: "tagNone", text: "key_inapt_none" },
  { keys: ["n"], command: "add", text: "key_inapt_add" },
  ...PLAIN,
];

/** The words of the entry that a page shows, in rows that are written and taken away. */
export class Rows {
  constructor(page) {
    this.page = page;
    this.commands = { tagNone: () => this.none(), add: () => this.add() };
  }

  build(entry) {
    const { t } = this.page;
    this.entry = entry;
    this.list = h("ul", { class: "stack", role: "list" });
    this.noneButton = button(t("inapt_none"), { class: "button", key: "0", onclick: () => this.none() });
    this.addButton = button(t("inapt_add"), { class: "button", onclick: () => this.add() });
    this.node = h("section", { class: "ws-card stack", "aria-label": t("inapt_name"), tabindex: "-1" }, this.list, h("div", { class: "cluster" }, this.addButton, this.noneButton));
    this.draw(entry);
    return this.node;
  }

  /** The rows anew: one at least to write in, unless there is none. */
  draw(entry) {
    const { words, none } = entry.value.content;
    const shown = words.length || none ? words : [EMPTY];
    this.rows = shown.map((row, number) => this.row(entry, row, number));
    this.list.replaceChildren(...this.rows.map(({ node }) => node));
  }

  row(entry, row, number) {
    const { t } = this.page;
    const n = number + 1;
    const { language } = entry.item.unit;
    const word = h("input", { type: "text", class: "text-field ws-word", autocomplete: "off", autocapitalize: "off", maxlength: "100", ...inLanguage(language), "aria-label": t("inapt_word", { n }) });
    const sense = h("input", { type: "text", maxlength: "1000", dir: "auto", "aria-label": t("inapt_sense") });
    const reads = h("p", { class: "words" });
    const note = h("p", { class: "notice notice-warning", role: "status", hidden: "" });
    word.value = row.word;
    sense.value = row.sense;
    const write = (change) => {
      const words = this.current(entry);
      words[number] = { ...words[number], ...change };
      this.page.change(entry, { words, none: false });
      this.page.refreshed();
    };
    word.addEventListener("input", () => write({ word: word.value }));
    // A sense in one's own words is no longer that of the synset.
    sense.addEventListener("input", () => write({ sense: sense.value, synset: "" }));
    word.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || composes(event) || event.repeat) return;
      event.preventDefault();
      this.page.command("done");
    });
    if (entry.item.gold === true) word.readOnly = sense.readOnly = true;
    // After the fields: whoever goes on with Tab writes the sense, and takes nothing away.
    const away = button(t("inapt_remove", { n }), { class: "button button-small button-quiet", onclick: () => this.remove(number) });
    const node = h("li", { class: "stack-s" }, h("label", { class: "stack-s" }, h("span", { class: "strong" }, t("inapt_word", { n })), word), note, h("label", { class: "stack-s" }, h("span", { class: "small" }, t("inapt_sense")), sense), h("p", { class: "small" }, t("inapt_reads")), reads, h("div", { class: "cluster" }, away));
    return { node, word, sense, reads, note };
  }

  current(entry) {
    const { words } = entry.value.content;
    return words.length ? words.map((row) => ({ ...row })) : [{ ...EMPTY }];
  }

  refresh(entry) {
    const { words, none } = entry.value.content;
    if (this.rows.length !== (words.length || (none ? 0 : 1))) this.draw(entry);
    this.rows.forEach(({ word, sense, reads, note }, number) => {
      const row = words[number] ?? EMPTY;
      if (word !== document.activeElement && word.value !== row.word) word.value = row.word;
      if (sense !== document.activeElement && sense.value !== row.sense) sense.value = row.sense;
      const said = this.speaksAgainst(entry, row.word);
      if (note.textContent !== said) note.textContent = said;
      note.hidden = !said;
      fillBlank(reads, entry.item, inCaseOf(bareWord(row.word), entry.item.marked?.word ?? ""));
    });
    setAttributes(this.noneButton, { "aria-pressed": none });
  }

  /** What others said of a word that speaks against it; "" where nothing does. */
  speaksAgainst(entry, word) {
    const { t } = this.page;
    if (isBest(entry, word)) return t("inapt_best", { word: bareWord(word) });
    return isWritten(entry, word) ? t("inapt_written") : "";
  }

  focus() {
    (this.rows[0]?.word ?? this.node)?.focus();
  }

  add() {
    const entry = this.page.editable();
    if (!entry) return;
    if (entry.value.content.words.length >= MOST) return void this.page.announce(this.page.t("inapt_all_there"));
    this.set(entry, [...this.current(entry), { ...EMPTY }], false);
    this.rows.at(-1).word.focus();
  }

  remove(number) {
    const entry = this.page.editable();
    if (!entry) return;
    this.set(entry, this.current(entry).filter((_row, at) => at !== number), false);
    this.focus();
  }

  none() {
    const entry = this.page.editable();
    if (!entry) return;
    this.set(entry, [], !entry.value.content.none);
    if (entry.value.content.none) this.node.focus();
    else this.focus();
    this.page.announce(this.page.t(entry.value.content.none ? "inapt_none" : "inapt_missing"));
  }

  /** A sense out of WordNet, for the last word that has none, or for the first one. */
  takeSense({ synset, definition, words: others }) {
    const entry = this.page.editable();
    if (!entry) return;
    const words = this.current(entry);
    const open = words.findIndex((row) => !row.sense);
    const at = open < 0 ? words.length - 1 : open;
    words[at] = { ...words[at], synset, sense: definition || others.join(", ") || synset };
    this.set(entry, words, false);
    this.rows[at].word.focus();
  }

  set(entry, words, none) {
    this.page.change(entry, { words, none });
    this.draw(entry);
    this.page.refreshed();
  }

  missing({ value }) {
    const { words, none } = clean(value.content);
    return none || (words.length && words.every(({ word }) => word)) ? null : "inapt_missing";
  }
}

/** Editing what is decided among the words that several people found. */
export class Decision {
  constructor(page) {
    this.page = page;
    this.rows = new Rows(page);
    this.commands = this.rows.commands;
  }

  keymap() {
    return inaptKeys;
  }

  names() {
    return [];
  }

  build(entry) {
    const { t } = this.page;
    const version = ({ annotator, content, comment, doubt }) =>
      h("li", { class: "version" }, whoSaid({ annotator, doubt }, t), show(content, this.page), comment && h("p", { class: "small" }, h("bdi", { dir: "auto" }, comment)));
    return { inside: [], outside: [h("ul", { class: "versions", role: "list" }, entry.item.answers.map(version)), this.rows.build(entry)], side: [] };
  }

  refresh(entry) {
    this.rows.refresh(entry);
  }

  takeFocus() {
    this.rows.focus();
  }

  missing(entry) {
    return this.rows.missing(entry);
  }
}
