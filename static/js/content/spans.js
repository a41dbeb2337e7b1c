/**
 * Contents that are labels on tokens: `{spans}`.
 *
 * A content type is a module `js/content/<content type>.js`, which adjudication finds by its name and a workspace is
 * given. It exports:
 * - `clean(content)`: the content as a person's save sends it, in one spelling;
 * - `same(a, b)`: whether two contents say the same;
 * - `show(content, page, unit, others)`: a node to read it; where `others` differ, it is marked;
 * - `joined(contents, page)`: one content that has all of them, or null where there is no such thing;
 * - `Decision`: how somebody decides among several (see below; choice.js is the shortest).
 */

import { button, h, setAttributes } from "../components/dom.js";
import { LemmaPanel } from "../components/lemma_panel.js";
import { SpanEditor } from "../components/span_editor.js";
import { readOnlyTokens } from "../components/tokens.js";
import * as focus from "../logic/focus.js";
import { adjudicateKeys } from "../logic/keys.js";
import { attributesOf, labelsOf, unsaid } from "../logic/labels.js";
import { differences, spanText, tokenMarks } from "../logic/marks.js";
import * as spans from "../logic/spans.js";
import { machineName, suggestedBy } from "../logic/machines.js";

/** @import { Span, Unit } from "../../../types/wire" */
/** @typedef {{ spans: Span[] }} Content */
/** @typedef {import("../components/workspace.js").Workspace} Workspace */

/** @param {Content} content */
export const clean = (content) => ({ spans: spans.sorted(spans.payload(content.spans)) });

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
export const joined = (contents, page) => ({ spans: spans.union(contents.map((one) => one.spans), page.config.scheme) });

/** Deciding among the labels of several people: take one's, combine them, or edit. */
export class Decision {
  /** The tokens are shown already. */
  showsUnit = true;

  /** @param {Workspace} page */
  constructor(page) {
    this.page = page;
    this.lemmas = new LemmaPanel(page);
    this.editor = new SpanEditor(page, { onFocus: (token) => this.lemmas.showToken(page.entry.item.unit, token) });
    this.commands = {
      ...this.editor.commands,
      union: () => this.take(joined(this.contents, page), page.t("took_union")),
      common: () => this.take({ spans: spans.common(this.contents.map((one) => one.spans)) }, page.t("took_common")),
      nextDifference: () => this.stepDifference(),
    };
    for (let i = 0; i < 9; i += 1) this.commands[`take${i}`] = () => this.takeFrom(i);
  }

  get contents() {
    return this.page.entry.item.answers.map((one) => one.content);
  }

  keymap({ item }) {
    return adjudicateKeys(item.answers.length, this.editor.labels, this.editor.attributes, this.editor.scheme.overlaps);
  }

  /** What the keys `1`, `2`, … stand for. */
  names({ item }) {
    return item.answers.map((one) => one.annotator);
  }

  /** `inside` goes where the unit is, `outside` below it, `side` beside it. */
  build(entry) {
    const { t } = this.page;
    const { unit, answers, suggestion } = entry.item;
    const contents = answers.map((one) => one.content);
    this.differing = differences(unit.tokens.length, contents.map((one) => one.spans));
    const row = this.editor.build(entry, { name: t("result_name"), start: Math.max(0, this.differing.indexOf(true)) });
    this.takeButtons = answers.map((one, i) => button(t("take"), { key: String(i + 1), class: "button button-small", "aria-label": t("take_from", { name: one.annotator }), onclick: () => this.takeFrom(i) }));
    const version = (one, i) =>
      h(
        "li",
        { class: "version" },
        h("div", { class: "version-who" }, h("bdi", { class: "strong" }, one.annotator), one.mode === "blind" && h("span", { class: "badge" }, t("blind")), one.doubt && h("span", { class: "badge badge-warn" }, t("doubt")), this.takeButtons[i]),
        show(one.content, this.page, unit, contents),
        one.comment && h("p", { class: "small version-comment" }, h("bdi", { dir: "auto" }, one.comment)),
      );
    const machine =
      suggestion &&
      h("section", { class: "version version-machine", "aria-label": t("machine") }, h("div", { class: "version-who" }, h("span", { class: "muted" }, t(suggestedBy(suggestion), { name: machineName(suggestion) }))), show(suggestion.content, this.page, unit));
    const legend = this.editor.labels.length > 1 && h("p", { class: "ws-labels" }, this.editor.labelButtons("⇧"));
    return { inside: [h("ol", { class: "versions", role: "list" }, answers.map(version)), h("h2", { class: "ws-side-title" }, t("result")), legend, row, machine], outside: [], side: [this.lemmas.node] };
  }

  refresh(entry) {
    this.editor.refresh(entry, { suggested: null, differing: this.differing });
    this.contents.forEach((content, i) => setAttributes(this.takeButtons[i], { "aria-pressed": same(content, entry.value.content) }));
  }

  takeFocus() {
    this.editor.takeFocus();
  }

  missing({ value }) {
    return unsaid(value.content.spans, this.page.config.scheme) ? "unsaid" : null;
  }

  undone() {
    this.editor.undone();
  }

  take(content, say) {
    this.editor.edit(() => clean(content), say);
  }

  takeFrom(i) {
    const one = this.page.entry.item.answers[i];
    if (one) this.take(one.content, this.page.t("took", { name: one.annotator }));
  }

  stepDifference() {
    const { editor } = this;
    const token = focus.nextWhere(editor.length, editor.at, 1, (index) => this.differing[index]);
    if (token !== null) editor.moveTo(token);
  }
}
