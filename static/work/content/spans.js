/**
 * Contents that are labels on tokens: `{spans}`, with `translations` where projections were reviewed
 * (`logic/translations.js`).
 *
 * A content type is a module `work/content/<content type>.js`, which adjudication finds by its name and a workspace is
 * given. It exports:
 * - `clean(content)`: the content as a person's save sends it, in one spelling;
 * - `same(a, b)`: whether two contents say the same;
 * - `show(content, page, unit, others)`: a node to read it; where `others` differ, it is marked;
 * - `joined(contents, page)`: one content that has all of them, or null where there is no such thing;
 * - `brief(part, page, item, difference)`: what is said at a difference, in a few words, for a button;
 * - where its contents are not plain fields, `part` and `put` of `logic/choices.js`; where differences have names, `title`;
 * - `Decision`: how somebody edits what is decided (see below; choice.js is the shortest).
 */

import { h } from "../../site/components/dom.js";
import { LemmaPanel } from "../components/lemma_panel.js";
import { SpanEditor } from "../components/span_editor.js";
import { readOnlyTokens } from "../components/tokens.js";
import { correctKeys } from "../logic/keys.js";
import { attributesOf, labelsOf, unsaid } from "../logic/labels.js";
import { differences, spanText, tokenMarks } from "../logic/marks.js";
import * as spans from "../logic/spans.js";
import { machineName, suggestedBy } from "../logic/machines.js";
import { inLanguage } from "../../site/logic/text.js";

/** @import { Span, Unit } from "../../../types/wire" */
/** @typedef {{ spans: Span[], translations?: import("../logic/translations.js").Translation[] }} Content */
/** @typedef {import("../components/workspace.js").Workspace} Workspace */

/** @param {import("../logic/translations.js").Content} content */
export function clean({ spans: list, translations }) {
  const content = { spans: spans.sorted(spans.payload(list)) };
  return translations?.length ? { ...content, translations: spans.inOrder(translations) } : content;
}

/**
 * @param {Content} a
 * @param {Content} b
 */
export const same = (a, b) => spans.same(a.spans, b.spans);

/**
 * @param {Content} content
 * @param {Workspace} page
 * @param {Unit} unit
 * @param {Content[]} [others]
 */
export function show(content, page, { tokens, spaces, language }, others = []) {
  const differing = differences(tokens.length, [content, ...others].map((one) => one.spans));
  const labels = labelsOf(page.config.scheme);
  const { node } = readOnlyTokens(tokens, tokenMarks(tokens.length, content.spans, null), { t: page.t, lang: language, spaces, labels, differing });
  const rows = told(content, labels).map((span) => {
    const { name, colour } = labels.find(({ code }) => code === span.label) ?? { name: span.label, colour: "" };
    const differs = others.some((other) => !other.spans.some((one) => spans.identity(one) === spans.identity(span)));
    const said = attributesOf(page.config.scheme).filter(({ code }) => span.attributes?.[code]).map((one) => `${one.name}: ${span.attributes[one.code]}`);
    return h(
      "li",
      {},
      h("bdi", {}, spanText(span, tokens, spaces, page.t("on_sentence"))),
      h("span", { class: "label-name", "data-colour": colour || null }, name),
      said.length > 0 && h("bdi", { class: "muted" }, said.join(" · ")),
      differs && h("span", { class: "badge badge-warn" }, page.t("differs")),
    );
  });
  return rows.length ? h("div", {}, node, h("ul", { class: "said", role: "list" }, rows)) : node;
}

/**
 * The spans that the marked words do not tell all of: on the sentence, of several labels, with attributes.
 *
 * @param {Content} content
 * @param {import("../logic/labels.js").Label[]} labels
 */
const told = (content, labels) => content.spans.filter((span) => labels.length > 1 || !span.tokens.length || Object.keys(span.attributes ?? {}).some((name) => name !== "bio"));

/**
 * @param {Content[]} contents
 * @param {Workspace} page
 */
export const joined = (contents, page) => ({ ...contents[0], spans: spans.union(contents.map((one) => one.spans), page.config.scheme) });

/** Where a difference lies: its words. */
export const title = ({ tokens }, page, { unit }) => h("bdi", inLanguage(unit.language, unit.tokens), spanText({ tokens }, unit.tokens, unit.spaces, page.t("on_sentence")));

/** The labels that are there, each with its words where they are not all of the difference's. */
export function brief({ spans: list }, page, { unit }, { tokens }) {
  if (!list.length) return page.t("no_label");
  const labels = labelsOf(page.config.scheme);
  return list.map((span) => {
    const { name, colour } = labels.find(({ code }) => code === span.label) ?? { name: span.label, colour: "" };
    const said = Object.entries(span.attributes ?? {}).filter(([code]) => code !== "bio").map(([, value]) => value);
    const words = span.tokens.join() !== tokens.join() && span.tokens.length > 0 && h("bdi", inLanguage(unit.language, unit.tokens), spanText(span, unit.tokens, unit.spaces));
    return h("span", { class: "decision-span" }, words, h("span", { class: "label-name", "data-colour": colour || null }, name), said.length > 0 && h("bdi", { class: "muted" }, said.join(" · ")));
  });
}

/** The spans of a content on the words of a difference, or those on the sentence; what all share is not of it. */
export function part(content, { tokens }, shared) {
  const ofAll = new Set(shared.spans.map(spans.identity));
  return { spans: content.spans.filter((span) => !ofAll.has(spans.identity(span)) && (tokens.length ? span.tokens.some((token) => tokens.includes(token)) : !span.tokens.length)) };
}

export function put(content, difference, said, shared) {
  const before = part(content, difference, shared).spans;
  return { ...content, spans: spans.sorted([...content.spans.filter((span) => !before.includes(span)), ...said.spans]) };
}

/** Editing what is decided on the labels of several people: all of their labels, those that they share, or others. */
export class Decision {
  /** The tokens are shown already. */
  showsUnit = true;

  /** @param {Workspace & { settle: (content: { spans: import("../../../types/wire").Draft[] }, said: string) => void }} page */
  constructor(page) {
    this.page = page;
    this.lemmas = new LemmaPanel(page);
    this.editor = new SpanEditor(page, { onFocus: (token) => this.lemmas.showToken(page.entry.item.unit, token) });
    this.commands = {
      ...this.editor.commands,
      union: () => page.settle({ ...page.entry.item.shared, spans: joined(this.contents, page).spans }, page.t("took_union")),
      common: () => page.settle({ ...page.entry.item.shared, spans: spans.common(this.contents.map((one) => one.spans)) }, page.t("took_common")),
    };
  }

  ready() {
    return this.editor.ready();
  }

  get contents() {
    return this.page.entry.item.answers.map((one) => one.content);
  }

  keymap() {
    return correctKeys(this.editor.labels, this.editor.attributes, this.editor.scheme.overlaps);
  }

  names() {
    return [];
  }

  /** Whether Escape ends something in the row before it leaves it. */
  get isBusy() {
    return this.editor.joining !== null;
  }

  /** `inside` goes where the unit is, `outside` below it, `side` beside it. */
  build(entry) {
    const { t } = this.page;
    const { unit, answers, suggestion } = entry.item;
    const contents = answers.map((one) => one.content);
    this.differing = differences(unit.tokens.length, contents.map((one) => one.spans));
    const row = this.editor.build(entry, { name: t("result_name"), start: Math.max(0, this.differing.indexOf(true)) });
    // What the answers say is in the rows of differences; here is what they say beside it.
    const remarks = answers.filter((one) => one.mode === "blind" || one.doubt || one.comment);
    const remark = (one) =>
      h(
        "li",
        { class: "version" },
        h("div", { class: "version-who" }, h("bdi", { class: "strong" }, one.annotator), one.mode === "blind" && h("span", { class: "badge" }, t("blind")), one.doubt && h("span", { class: "badge badge-warn" }, t("doubt"))),
        one.comment && h("p", { class: "small version-comment" }, h("bdi", { dir: "auto" }, one.comment)),
      );
    const machine =
      suggestion &&
      h("section", { class: "version version-machine", "aria-label": t("machine") }, h("div", { class: "version-who" }, h("span", { class: "muted" }, t(suggestedBy(suggestion), { name: machineName(suggestion) }))), h("p", {}, brief(suggestion.content, this.page, entry.item, { tokens: [] })));
    const beside = (remarks.length > 0 || machine) && h("section", { class: "ws-card", "aria-label": t("remarks") }, h("h2", { class: "ws-side-title" }, t("remarks")), remarks.length > 0 && h("ol", { class: "versions", role: "list" }, remarks.map(remark)), machine);
    return { inside: row, outside: [], side: [beside, this.lemmas.node].filter(Boolean) };
  }

  refresh(entry) {
    this.editor.refresh(entry, { suggested: null, differing: this.differing });
  }

  /** `difference`: whose words are to be edited. */
  takeFocus(difference = null) {
    if (difference?.tokens.length) this.editor.moveTo(difference.tokens[0]);
    this.editor.takeFocus();
  }

  /** What is known of the words of a difference is shown beside it. */
  lookAt(difference) {
    if (difference?.tokens.length) this.lemmas.showToken(this.page.entry.item.unit, difference.tokens[0]);
  }

  missing({ value }) {
    return unsaid(value.content.spans, this.page.config.scheme) ? "unsaid" : null;
  }

  undone() {
    this.editor.undone();
  }
}
