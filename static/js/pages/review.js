/** Projection review: the source over the target, links drawn between them, every source span with its outcome. */

import { svg, h } from "../components/dom.js";
import { SentenceWorkspace } from "../components/sentence_workspace.js";
import { readOnlyTokens } from "../components/tokens.js";
import * as focus from "../logic/focus.js";
import { reviewKeys } from "../logic/keys.js";
import { linkPath, partners, visibleLinks } from "../logic/links.js";
import { spanText, tokenMarks } from "../logic/marks.js";
import { fate, gained } from "../logic/review.js";
import * as spans from "../logic/spans.js";

const NARROW = 640;

class Review extends SentenceWorkspace {
  constructor() {
    super();
    this.keymap = reviewKeys(this.scheme.labels.length);
    Object.assign(this.commands, {
      keep: () => this.keep(),
      lost: () => this.lose(),
      gained: () => this.gain(),
    });
    this.pointed = null;
    new ResizeObserver(() => this.entry && this.draw()).observe(this.parts.body);
    document.fonts?.ready.then(() => this.entry && this.draw());
  }

  sentenceNodes(entry) {
    const { source, sentence } = entry.item;
    this.sourceNodes = null;
    if (!source) return [h("p", { class: "notice notice-warning" }, this.t("no_source")), this.row.node];
    const marks = tokenMarks(source.tokens.length, source.spans, null);
    const view = readOnlyTokens(source.tokens, marks, { t: this.t, lang: source.language, className: "review-source", onHover: (token) => this.point(token === null ? null : { side: "source", token }) });
    this.sourceNodes = view.nodes;
    this.lines = svg("svg", { class: "review-lines", "aria-hidden": "true", focusable: "false" });
    this.pane = h(
      "div",
      { class: "review-pane" },
      this.lines,
      h("div", { class: "review-row" }, h("span", { class: "review-language" }, source.language), view.node),
      h("div", { class: "review-row" }, h("span", { class: "review-language" }, sentence.language), this.row.node),
    );
    return [this.pane];
  }

  afterSentence(entry) {
    if (!entry.item.source) return null;
    this.outcomes = h("ul", { class: "outcomes", role: "list" });
    return h("section", { class: "ws-card", "aria-label": this.t("outcomes_title") }, h("h2", { class: "ws-side-title" }, this.t("outcomes_title")), this.outcomes);
  }

  refresh(entry) {
    super.refresh(entry);
    this.renderOutcomes(entry);
    this.draw();
  }

  renderOutcomes(entry) {
    const { source, sentence } = entry.item;
    if (!source || !this.outcomes) return;
    const word = (outcome) => {
      if (outcome.outcome === "projected") return this.t("outcome_projected");
      if (outcome.outcome === "unaligned") return this.t("outcome_unaligned");
      return this.t("outcome_dropped", { reason: reason(outcome.reason) });
    };
    const reason = (name) => this.messages[`reason_${name.replaceAll(" ", "_")}`] ?? name;
    const leftOut = (outcome) => (outcome.left_out ?? []).map((one) => `${sentence.tokens[one.token]} (${reason(one.reason)})`).join(", ");
    const rows = source.outcomes.map((outcome) => {
      const now = fate(outcome.target, entry.value.spans, entry.kept);
      return h(
        "li",
        { class: `outcome outcome-${outcome.outcome}` },
        h("mark", {}, h("bdi", {}, spanText(outcome.source, source.tokens))),
        h("span", { "aria-hidden": "true" }, "→"),
        outcome.target ? h("bdi", { class: "outcome-target" }, spanText(outcome.target, sentence.tokens)) : h("span", { class: "muted" }, "—"),
        h("span", { class: "muted small" }, word(outcome)),
        leftOut(outcome) && h("span", { class: "muted small" }, h("bdi", {}, this.t("left_out", { words: leftOut(outcome) }))),
        now && h("span", { class: `badge badge-${{ kept: "good", confirmed: "good", lost: "bad", shifted: "info" }[now]}` }, this.t(`fate_${now}`)),
      );
    });
    const extra = gained(this.suggested ?? [], entry.value.spans).map((span) =>
      h("li", { class: "outcome outcome-gained" }, h("span", { class: "muted" }, "—"), h("span", { "aria-hidden": "true" }, "→"), h("bdi", { class: "outcome-target" }, spanText(span, sentence.tokens)), h("span", { class: "badge badge-info" }, this.t("fate_gained"))),
    );
    this.outcomes.replaceChildren(...rows, ...extra, ...(rows.length + extra.length ? [] : [h("li", { class: "muted" }, this.t("outcomes_none"))]));
  }

  // --- lines --------------------------------------------------------------------------------------------------------

  hoverTarget(token) {
    this.point(token === null ? null : { side: "target", token });
  }

  point(at) {
    this.pointed = at;
    this.draw();
  }

  focused(token) {
    super.focused(token);
    this.draw();
  }

  get pointer() {
    return this.pointed ?? (this.entry ? { side: "target", token: this.at } : null);
  }

  linked() {
    const { source } = this.entry.item;
    if (!source || this.pointer?.side !== "source") return [];
    return partners(source.links, "source", this.pointer.token);
  }

  draw() {
    const source = this.entry?.item.source;
    if (!source || !this.sourceNodes || !this.pane.isConnected) return;
    const origin = this.pane.getBoundingClientRect();
    this.lines.setAttribute("viewBox", `0 0 ${origin.width} ${origin.height}`);
    this.lines.setAttribute("width", origin.width);
    this.lines.setAttribute("height", origin.height);
    const links = visibleLinks(source.links, source.spans, this.pointer, window.innerWidth < NARROW);
    const order = ["plain", "span", "active"];
    links.sort((a, b) => order.indexOf(a.strength) - order.indexOf(b.strength));
    this.lines.replaceChildren(
      ...links
        .filter((link) => this.sourceNodes[link.source] && this.row.chips[link.target])
        .map((link) => svg("path", { class: `link link-${link.strength}`, d: linkPath(this.sourceNodes[link.source].getBoundingClientRect(), this.row.chips[link.target].getBoundingClientRect(), origin) })),
    );
    const active = this.pointer?.side === "target" ? partners(source.links, "target", this.pointer.token) : [this.pointer?.token];
    this.sourceNodes.forEach((node, index) => node.classList.toggle("word-linked", active.includes(index)));
    const targets = this.linked();
    this.row.chips.forEach((chip, index) => chip.classList.toggle("chip-linked", targets.includes(index)));
  }

  // --- decisions ----------------------------------------------------------------------------------------------------

  /** The suggestion on the focused token, or the next one. */
  suggestionHere() {
    return spans.spanAt(this.suggested ?? [], this.at);
  }

  keep() {
    const here = this.suggestionHere();
    if (!here) return this.announce(this.t("no_suggestion_here"));
    if (!this.editable()) return undefined;
    this.entry.kept = new Set([...(this.entry.kept ?? []), spans.keyOf(here)]);
    this.edit((list) => ({ spans: spans.spanAt(list, here.tokens[0]) && list.some((span) => spans.keyOf(span) === spans.keyOf(here)) ? list : spans.restore(list, here, this.scheme) }));
    this.refreshed(this.t("kept_said", { text: spanText(here, this.entry.item.sentence.tokens) }));
    return this.toNextSuggestion();
  }

  lose() {
    const unit = spans.spanAt(this.entry.value.spans, this.at);
    if (!unit) return this.announce(this.t("no_label_here"));
    const text = spanText(unit, this.entry.item.sentence.tokens);
    if (!this.edit((list, at) => ({ spans: spans.remove(list, at) }), this.t("lost_said", { text }))) return undefined;
    return this.toNextSuggestion();
  }

  gain() {
    const unit = spans.spanAt(this.entry.value.spans, this.at);
    if (unit) return this.announce(this.t("already_labelled"));
    return this.edit((list, at) => ({ spans: spans.toggle(list, at, this.label, this.scheme) }));
  }

  /** On to the next suggestion, where there is another; at the last one the focus stays. */
  toNextSuggestion() {
    const stops = focus.stops(this.suggested ?? []).filter((token) => token > this.at);
    if (stops.length) this.moveTo(stops[0]);
  }
}

new Review().run();
