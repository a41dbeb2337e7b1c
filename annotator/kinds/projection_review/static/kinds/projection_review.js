/** Projection review: sources over the target, links drawn between them, every source label with its outcome. */

import { svg, h } from "../site/components/dom.js";
import { SentenceWorkspace } from "../work/components/sentence_workspace.js";
import { readOnlyTokens } from "../work/components/tokens.js";
import * as focus from "../site/logic/focus.js";
import { reviewKeys } from "../work/logic/keys.js";
import { linkPath, partners, visibleLinks } from "../work/logic/links.js";
import { spanText, tokenMarks } from "../work/logic/marks.js";
import { review } from "../work/logic/review.js";
import * as spans from "../work/logic/spans.js";
import { inLanguage } from "../site/logic/text.js";

/** @import { Outcome, Source } from "../../../../../types/wire" */
/** @import { Side } from "../work/logic/links.js" */

const NARROW = 640;
const TONES = { kept: "good", confirmed: "good", lost: "bad", shifted: "info" };

class ProjectionReview extends SentenceWorkspace {
  constructor() {
    super();
    this.keymap = reviewKeys(this.editor.labels, this.editor.attributes, this.editor.scheme.overlaps);
    Object.assign(this.commands, {
      keep: () => this.keep(),
      lost: () => this.lose(),
      gained: () => this.gain(),
    });
    this.pointed = null;
    new ResizeObserver(() => this.entry && this.draw()).observe(this.parts.body);
    document.fonts?.ready.then(() => this.entry && this.draw());
  }

  /** The sources, the main one next to the target; `words`: the target's words to label. */
  sentenceNodes(entry, words) {
    const { sources, unit } = entry.item;
    this.rows = [];
    if (!sources.length && entry.awaited) return [h("p", { class: "notice notice-info" }, this.t("source_awaited")), words];
    if (!sources.length) return [h("p", { class: "notice notice-warning" }, this.t("no_source")), words];
    this.rows = sources.map((source, number) => {
      const { tokens, spaces, language } = source;
      const onHover = (token) => this.point(token === null ? null : { source: number, token });
      return { source, ...readOnlyTokens(tokens, tokenMarks(tokens.length, source.spans, null), { t: this.t, lang: language, spaces, labels: this.editor.labels, className: "review-source", onHover }) };
    });
    this.lines = svg("svg", { class: "review-lines", "aria-hidden": "true", focusable: "false" });
    const row = (language, ...nodes) => h("div", { class: "review-row" }, h("span", { class: "review-language" }, language), nodes);
    this.pane = h("div", { class: "review-pane" }, this.lines, this.rows.map(({ source, node }) => row(source.language, node)).reverse(), row(unit.language, words[0]));
    return [this.pane, words.slice(1)];
  }

  afterSentence(entry) {
    if (!entry.item.sources.length) return null;
    this.outcomes = h("ul", { class: "outcomes", role: "list" });
    return h("section", { class: "ws-card", "aria-label": this.t("outcomes_title") }, h("h2", { class: "ws-side-title" }, this.t("outcomes_title")), this.outcomes);
  }

  refresh(entry) {
    super.refresh(entry);
    this.renderOutcomes(entry);
    this.draw();
  }

  renderOutcomes(entry) {
    const { sources, unit } = entry.item;
    if (!sources.length) return;
    const found = sources.map((source) => review(source.outcomes, entry.value.content.spans, entry.kept));
    const rows = sources.flatMap((source, at) => source.outcomes.map((outcome, number) => this.outcomeRow(outcome, source, entry, found[at].fates[number])));
    // What another source has, too, was not gained.
    const brought = new Set(sources.slice(1).flatMap((source) => source.outcomes.map((outcome) => outcome.target && spans.keyOf(outcome.target))));
    const gained = found[0].gained.filter((span) => !brought.has(spans.keyOf(span)));
    const extra = gained.map((span) =>
      h("li", { class: "outcome outcome-gained" }, h("span", { class: "muted" }, "—"), h("span", { "aria-hidden": "true" }, "→"), h("bdi", { class: "outcome-target", ...inLanguage(unit.language, unit.tokens) }, spanText(span, unit.tokens, unit.spaces, this.t("on_sentence"))), h("span", { class: "badge badge-info" }, this.t("fate_gained"))),
    );
    this.outcomes.replaceChildren(...rows, ...extra, ...(rows.length + extra.length ? [] : [h("li", { class: "muted" }, this.t("outcomes_none"))]));
  }

  /**
   * @param {Outcome} outcome
   * @param {Source} source
   * @param {import("../work/logic/entry.js").Entry} entry
   * @param {import("../work/logic/review.js").Fate} fate
   */
  outcomeRow(outcome, source, entry, fate) {
    const { sources, unit } = entry.item;
    const reason = (name) => this.messages[`reason_${name.replaceAll(" ", "_")}`] ?? name;
    const said = { projected: () => this.t("outcome_projected"), unaligned: () => this.t("outcome_unaligned") }[outcome.outcome] ?? (() => this.t("outcome_dropped", { reason: reason(outcome.reason) }));
    const leftOut = outcome.left_out.map((one) => `${unit.tokens[one.token]} (${reason(one.reason)})`).join(", ");
    // What another source says, and nobody suggested, was neither lost nor shifted.
    const suggested = source === sources[0] && entry.item.suggestion?.kind === "projection";
    const now = !suggested && (fate === "lost" || fate === "shifted") ? "other" : fate;
    return h(
      "li",
      { class: `outcome outcome-${outcome.outcome}` },
      sources.length > 1 && h("span", { class: "review-language" }, source.language),
      h("mark", {}, h("bdi", inLanguage(source.language, source.tokens), spanText(outcome.source, source.tokens, source.spaces, this.t("on_sentence")))),
      this.editor.labels.length > 1 && this.labelBadge(outcome.source.label),
      h("span", { "aria-hidden": "true" }, "→"),
      outcome.target ? h("bdi", { class: "outcome-target", ...inLanguage(unit.language, unit.tokens) }, spanText(outcome.target, unit.tokens, unit.spaces, this.t("on_sentence"))) : h("span", { class: "muted" }, "—"),
      h("span", { class: "muted small" }, said()),
      leftOut && h("span", { class: "muted small" }, h("bdi", {}, this.t("left_out", { words: leftOut }))),
      h("span", { class: `badge${now in TONES ? ` badge-${TONES[now]}` : ""}` }, this.t(`fate_${now}`)),
    );
  }

  labelBadge(code) {
    const { name, colour } = this.editor.labelOf(code);
    return h("span", { class: "label-name", "data-colour": colour || null }, name);
  }

  // --- lines --------------------------------------------------------------------------------------------------------

  hovered(token) {
    this.point(token === null ? null : { source: null, token });
  }

  /** `at`: a token of a source (its number), or of the target (`source` null); null: nothing is pointed at. */
  point(at) {
    this.pointed = at;
    this.draw();
  }

  focused(token) {
    super.focused(token);
    this.draw();
  }

  get pointer() {
    return this.pointed ?? { source: null, token: this.editor.at };
  }

  /** Target tokens that are linked with the source token under the pointer. */
  linked() {
    const { source, token } = this.pointer;
    const row = source === null ? null : this.rows[source];
    return row ? partners(row.source.links, "source", token) : [];
  }

  draw() {
    if (!this.rows.length || !this.pane.isConnected) return;
    const { pointer } = this;
    const { chips } = this.editor.row;
    const origin = this.pane.getBoundingClientRect();
    this.lines.setAttribute("viewBox", `0 0 ${origin.width} ${origin.height}`);
    this.lines.setAttribute("width", origin.width);
    this.lines.setAttribute("height", origin.height);
    // Lines are drawn from the main source, which is next to the target; of the others linked words are marked.
    const [main] = this.rows;
    /** @type {{ side: Side, token: number } | null} */
    const at = pointer.source === null ? { side: "target", token: pointer.token } : pointer.source === 0 ? { side: "source", token: pointer.token } : null;
    const links = visibleLinks(main.source.links, main.source.spans, at, window.innerWidth < NARROW);
    const order = ["plain", "span", "active"];
    links.sort((a, b) => order.indexOf(a.strength) - order.indexOf(b.strength));
    this.lines.replaceChildren(
      ...links
        .filter((link) => main.nodes[link.source] && chips[link.target])
        .map((link) => svg("path", { class: `link link-${link.strength}`, d: linkPath(main.nodes[link.source].getBoundingClientRect(), chips[link.target].getBoundingClientRect(), origin) })),
    );
    this.rows.forEach(({ source, nodes }, number) => {
      const active = pointer.source === null ? partners(source.links, "target", pointer.token) : pointer.source === number ? [pointer.token] : [];
      nodes.forEach((node, index) => node.classList.toggle("word-linked", active.includes(index)));
    });
    const targets = this.linked();
    chips.forEach((chip, index) => chip.classList.toggle("chip-linked", targets.includes(index)));
  }

  // --- decisions ----------------------------------------------------------------------------------------------------

  keep() {
    const { editor } = this;
    const here = spans.unitAt(editor.suggested ?? [], editor.at);
    if (!here.length) return this.announce(this.t("no_suggestion_here"));
    const entry = this.editable();
    if (!entry) return undefined;
    entry.kept = new Set([...(entry.kept ?? []), ...here.map(spans.keyOf)]);
    const there = new Set(editor.spans.map(spans.keyOf));
    const missing = here.filter((span) => !there.has(spans.keyOf(span)));
    editor.edit((list) => ({ spans: missing.reduce((all, span) => spans.restore(all, span, editor.scheme), list) }));
    this.refreshed(this.t("kept_said", { text: spanText(here[0], editor.tokens, editor.unit.spaces) }));
    return this.toNextSuggestion();
  }

  lose() {
    const { editor } = this;
    const unit = spans.spanAt(editor.spans, editor.at);
    if (!unit) return this.announce(this.t("no_label_here"));
    const text = spanText(unit, editor.tokens, editor.unit.spaces);
    if (!editor.edit((list, at) => ({ spans: spans.remove(list, at) }), this.t("lost_said", { text }))) return undefined;
    return this.toNextSuggestion();
  }

  gain() {
    const { editor } = this;
    if (spans.spanAt(editor.spans, editor.at)) return this.announce(this.t("already_labelled"));
    return editor.edit((list, at) => ({ spans: spans.toggle(list, at, editor.label, editor.scheme) }));
  }

  /** On to the next suggestion, where there is another; at the last one the focus stays. */
  toNextSuggestion() {
    const stops = focus.stops(this.editor.suggested ?? []).filter((token) => token > this.editor.at);
    if (stops.length) this.editor.moveTo(stops[0]);
  }
}

new ProjectionReview().run();
