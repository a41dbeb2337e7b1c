/** Which part has most and which least: `{best: 0, worst: 3}`, null while not chosen. See spans.js for what a content type gives. */

import { h, isAgain, setAttributes } from "../../site/components/dom.js";
import { markedWords } from "../components/marked_words.js";
import { linesOf } from "../components/parts.js";
import { whoSaid } from "../components/versions.js";
import { PLAIN } from "../logic/keys.js";
import { inLanguage } from "../../site/logic/text.js";

const SIZE = 4;
const ENDS = [
  { end: "best", other: "worst", word: "high", shift: "" },
  { end: "worst", other: "best", word: "low", shift: "Shift+" },
];

export const clean = ({ best, worst }) => ({ best: best ?? null, worst: worst ?? null });

export const same = (a, b) => JSON.stringify(clean(a)) === JSON.stringify(clean(b));

export const joined = () => null;

/** One end in words: "Most: sentence 2". */
const endWords = (content, { end, word }, { config, t }) =>
  content[end] === null ? t("not_chosen", { end: config.scale[word] }) : t("chosen_end", { end: config.scale[word], number: content[end] + 1 });

export const show = (content, page) => h("ul", { class: "categories-shown" }, ENDS.map((end) => h("li", {}, endWords(clean(content), end, page))));

export const title = ({ key }, page) => h("bdi", {}, page.config.scale[ENDS.find(({ end }) => end === key).word]);

export const brief = (part, page) =>
  ENDS.filter(({ end }) => end in part).map(({ end }) => h("span", { class: "decision-span" }, part[end] === null ? "—" : page.t("sentence_number", { number: part[end] + 1 })));

/** The texts to choose from: the lines of the unit, or sentences with an expression of each marked. */
const textsOf = ({ unit, parts }) =>
  parts?.length
    ? parts.map((part) => h("p", { class: "words", ...inLanguage(unit.language, part.tokens) }, markedWords(part, part.marked)))
    : linesOf(unit).map((line) => h("p", { class: "words", ...inLanguage(unit.language, [line]) }, line));

/** The content after a choice; the same sentence cannot be both, so the other end gives it up. Chosen again, it is taken back. */
function chosen(content, end, number) {
  const before = clean(content);
  const other = end === "best" ? "worst" : "best";
  return { ...before, [end]: before[end] === number ? null : number, [other]: before[other] === number ? null : before[other] };
}

/** The sentences, or expressions marked in them, each with a button for either end. */
export class BestWorstForm {
  constructor(page) {
    this.page = page;
    this.commands = {};
    for (const { end } of ENDS) for (let number = 0; number < SIZE; number += 1) this.commands[`${end}${number}`] = () => this.choose(end, number);
  }

  keymap() {
    const keys = ENDS.flatMap(({ end, word, shift }) =>
      Array.from({ length: SIZE }, (_, number) => ({
        keys: [`${shift}${number + 1}`],
        command: `${end}${number}`,
        text: "key_end",
        name: this.page.t("chosen_end", { end: this.page.config.scale[word], number: number + 1 }),
      })),
    );
    return [...keys, ...PLAIN];
  }

  nodes({ item }) {
    const { config, t } = this.page;
    this.rows = textsOf(item).map((text, number) => {
      const buttons = ENDS.map(({ end, word, shift }) =>
        h(
          "button",
          {
            type: "button",
            class: "button category",
            "data-end": end,
            "aria-label": t("chosen_end", { end: config.scale[word], number: number + 1 }),
            onclick: (event) => isAgain(event) || this.choose(end, number),
          },
          h("bdi", {}, config.scale[word]),
          h("kbd", { "aria-hidden": "true" }, shift ? `⇧${number + 1}` : String(number + 1)),
        ),
      );
      const group = h("div", { class: "cluster", role: "group", "aria-label": t("sentence_number", { number: number + 1 }) }, buttons);
      const node = h("li", { class: "ws-sentence tuple-part", "data-part": number }, text, group);
      return { node, group, buttons };
    });
    this.group = h("ol", { class: "tuple", role: "list", tabindex: "-1", "aria-label": config.scale.question }, this.rows.map(({ node }) => node));
    return [h("h2", { class: "ws-side-title" }, h("bdi", {}, config.scale.question)), ...(item.parts ? [h("p", { class: "small muted" }, t("about_each"))] : []), this.group];
  }

  show({ value: { content } }) {
    this.rows.forEach(({ node, buttons }, number) => {
      buttons.forEach((one, place) => setAttributes(one, { "aria-pressed": content[ENDS[place].end] === number }));
      for (const { end } of ENDS) node.classList.toggle(`is-${end}`, content[end] === number);
    });
  }

  focus() {
    this.group.focus({ preventScroll: true });
  }

  /** What is missing, in words; null where nothing is. */
  missing({ value: { content } }) {
    return content.best === null || content.worst === null || content.best === content.worst ? "choose_ends" : null;
  }

  choose(end, number) {
    const entry = this.page.editable();
    if (!entry) return;
    const content = chosen(entry.value.content, end, number);
    this.page.change(entry, content);
    this.page.refreshed(ENDS.map((one) => endWords(content, one, this.page)).join(". "));
  }
}

/** Deciding among what several people chose. */
export class Decision {
  showsUnit = true;

  constructor(page) {
    this.page = page;
    this.form = new BestWorstForm(page);
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
    const nodes = this.form.nodes(entry);
    this.form.rows.forEach(({ group }, number) => group.append(this.chosenBy(entry.item.answers, number)));
    return { inside: [], outside: [...nodes, h("ul", { class: "versions", role: "list" }, entry.item.answers.map(version))], side: [] };
  }

  /** Who chose a sentence, and for which end: nobody has to look for it by its number. */
  chosenBy(answers, number) {
    const { scale } = this.page.config;
    const said = ENDS.map(({ end, word }) => ({ end: scale[word], names: answers.filter(({ content }) => content[end] === number).map(({ annotator }) => annotator) })).filter(({ names }) => names.length);
    return h("p", { class: "small muted" }, said.map(({ end, names }, place) => [place > 0 && " · ", h("bdi", {}, end), ": ", h("bdi", {}, names.join(", "))]));
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
