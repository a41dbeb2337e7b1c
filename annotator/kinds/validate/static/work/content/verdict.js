/** Verdicts on what others wrote: `{verdict, reason, texts, second}`. What a content type gives is said in spans.js. */

import { choiceButtons } from "../components/choice_buttons.js";
import { h } from "../../site/components/dom.js";
import { linesOf, partsFields, partsList } from "../components/parts.js";
import { whoSaid } from "../components/versions.js";
import { choiceKeys } from "../logic/keys.js";
import { isTooLong, spelt } from "../logic/pairs.js";

export const clean = ({ verdict = null, reason = "", texts = [], second = null }) => ({ verdict, reason, texts: texts.map(spelt), second });

export const same = (a, b) => JSON.stringify(clean(a)) === JSON.stringify(clean(b));

export const joined = () => null;

/** All verdicts with their words: to accept, to reject for each of the reasons, to correct. */
const choicesOf = ({ config, t }) => [
  { value: "accept", label: t("accept"), definition: t("accept_text") },
  ...config.rejections.map(({ value, label, definition, offered }) => ({ value: `reject:${value}`, label: t("reject_for", { reason: label }), definition, offered })),
  { value: "correct", label: t("correct"), definition: t("correct_text") },
];

const choiceOf = ({ verdict, reason }) => (verdict === "reject" ? `reject:${reason}` : verdict);

/** A verdict in words. */
const wordsOf = (content, page) => choicesOf(page).find(({ value }) => value === choiceOf(content))?.label ?? page.t("no_verdict");

/** An answer to the second question in words. */
const answerWords = (given, page) => page.config.second?.find(({ value }) => value === given)?.label ?? given;

export const show = (content, page, unit) =>
  h("div", {}, h("p", { class: "strong" }, wordsOf(content, page)), content.second && h("p", {}, `${page.t("second_question")} `, h("strong", {}, answerWords(content.second, page))), content.texts.length > 0 && partsList(content.texts, page.config.parts, unit.language));

export const title = ({ key }, page) => page.t(key === "second" ? "second_question" : "verdict_question");

export const brief = (part, page) => {
  if (!("verdict" in part)) return part.second ? answerWords(part.second, page) : "—";
  return [wordsOf(part, page), "second" in part && part.second && answerWords(part.second, page), ...part.texts].filter(Boolean).map((text) => h("bdi", { class: "decision-span" }, text));
};

/** What is told of a text that had gone back to its writer; null where it had not. */
export function againCard({ item: { again, unit } }, page) {
  if (!again) return null;
  const { t } = page;
  const isSame = again.before.join("\n") === linesOf(unit).join("\n");
  const quoted = (text) => h("bdi", { dir: "auto" }, text);
  return h(
    "section",
    { class: "ws-card stack-s came-back" },
    h("h2", { class: "ws-side-title" }, t("judged_again")),
    h(
      "dl",
      { class: "parts" },
      again.comment && [h("dt", {}, t("writer_says")), h("dd", {}, quoted(again.comment))],
      again.own && [h("dt", {}, t("said_before")), h("dd", {}, show(again.own, page, unit), again.own.comment && quoted(again.own.comment))],
      h("dt", {}, t("read_before")),
      h("dd", {}, isSame ? t("same_as_before") : partsList(again.before, page.config.parts, unit.language)),
    ),
  );
}

/** A question with the buttons that answer it. */
function asked(question, name, buttons) {
  return h("section", { class: `ws-card ${name}` }, h("h2", { class: "ws-side-title" }, question), buttons);
}

/** The buttons, the second question where there is one, and the fields of a correction; for workspace and adjudication. */
export class VerdictForm {
  /** `onChosen`: after a verdict that needs nothing more. */
  constructor(page, onChosen = () => {}) {
    this.page = page;
    this.onChosen = onChosen;
    this.choices = choicesOf(page).filter(({ offered = true }) => offered);
    this.commands = Object.fromEntries(this.choices.map(({ value }, number) => [`tag${number}`, () => this.choose(value)]));
    const { second = [] } = page.config;
    this.second = second;
    second.forEach(({ value }, number) => {
      this.commands[`second${number}`] = () => this.answer(value);
    });
  }

  keymap() {
    const more = this.second.map(({ label }, number) => ({ keys: [`Shift+${number + 1}`], command: `second${number}`, text: "key_label", name: label }));
    return [...choiceKeys(this.choices.length), ...more];
  }

  names() {
    return this.choices.map(({ label }) => label);
  }

  nodes(entry) {
    const { page } = this;
    const { unit } = entry.item;
    this.lines = linesOf(unit).filter((_, number) => number < (page.config.scheme.parts ?? Infinity));
    this.buttons = choiceButtons({ values: this.choices, name: page.t("verdict_question"), t: page.t, onChoose: (value) => this.choose(value) });
    this.fields = partsFields({
      page,
      names: page.config.parts.slice(0, this.lines.length),
      language: unit.language,
      values: entry.value.content.texts.length ? entry.value.content.texts : this.lines,
      onInput: (number, text) => this.set({ texts: this.texts().with(number, text) }),
    });
    this.correction = h("section", { class: "ws-card", "aria-label": page.t("correction") }, h("h2", { class: "ws-side-title" }, page.t("correction")), this.fields.node);
    this.answers = this.second.length ? choiceButtons({ values: this.second, shift: true, name: page.t("second_question"), t: page.t, onChoose: (value) => this.answer(value) }) : null;
    const second = this.answers && asked(page.t("second_question"), "second-question", this.answers.node);
    return [second, asked(page.t("verdict_question"), "verdict-question", this.buttons.node), this.correction].filter(Boolean);
  }

  show(entry) {
    const { content } = entry.value;
    this.buttons.show(choiceOf(content));
    this.answers?.show(content.second);
    this.correction.hidden = content.verdict !== "correct";
    this.fields.show(content.texts.length ? content.texts : this.lines);
  }

  focus() {
    if (this.page.entry?.value.content.verdict === "correct") this.fields.focus();
    else this.buttons.focus();
  }

  /** The name of the message that says what is missing, or null. */
  missing({ value: { content } }) {
    if (content.verdict === null) return "choose_verdict";
    if (isTooLong(content.texts, this.page.config.longest)) return "text_too_long";
    return this.second.length && content.second === null ? "choose_second" : null;
  }

  choose(choice) {
    const [verdict, reason = ""] = choice.split(":");
    const texts = verdict === "correct" ? this.texts() : [];
    if (!this.set({ verdict, reason, texts })) return;
    if (verdict === "correct") this.fields.focus();
    else this.onChosen();
  }

  answer(second) {
    if (this.set({ second })) this.onChosen();
  }

  texts() {
    const { texts } = this.page.entry.value.content;
    return texts.length ? texts : [...this.lines];
  }

  /** Whether it could be changed. */
  set(change) {
    const entry = this.page.editable();
    if (!entry) return false;
    this.page.change(entry, { ...entry.value.content, ...change });
    this.page.refreshed(wordsOf(entry.value.content, this.page));
    return true;
  }
}

/** Deciding among what several people said. */
export class Decision {
  showsUnit = true;

  constructor(page) {
    this.page = page;
    this.form = new VerdictForm(page);
    this.commands = this.form.commands;
  }

  keymap() {
    return this.form.keymap();
  }

  names() {
    return this.form.names();
  }

  build(entry) {
    const { page } = this;
    const { answers, unit } = entry.item;
    const version = ({ annotator, content, comment, doubt }) =>
      h("li", { class: "version" }, whoSaid({ annotator, doubt }, page.t), show(content, page, unit), comment && h("p", { class: "small" }, h("bdi", { dir: "auto" }, comment)));
    return { inside: [partsList(linesOf(unit), page.config.parts, unit.language)], outside: [againCard(entry, page), h("ul", { class: "versions", role: "list" }, answers.map(version)), ...this.form.nodes(entry)].filter(Boolean), side: [] };
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
