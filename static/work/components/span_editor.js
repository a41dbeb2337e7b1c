/** Labelling the tokens of one unit with the keyboard, the mouse or a finger: the row of chips and what its keys do. */

import * as focus from "../../site/logic/focus.js";
import { composes } from "../logic/keys.js";
import { attributesOf, labelsOf, nextValue, unsaid } from "../logic/labels.js";
import { spanText, tokenMarks } from "../logic/marks.js";
import * as overlaps from "../logic/overlaps.js";
import * as spans from "../logic/spans.js";
import { direction } from "../../site/logic/text.js";
import { h, setAttributes } from "../../site/components/dom.js";
import { TokenRow } from "./tokens.js";

/** @import { Draft, Scheme, Span, Suggestion, Unit } from "../../../types/wire" */

// From so many labels on they can be searched.
const MANY = 10;
/** Without case and accents. @param {string} text */
const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

export class SpanEditor {
  /** @type {TokenRow} */
  row;

  /** @type {HTMLElement} */
  hint;

  /** @type {HTMLElement[] | undefined} */
  labelNodes;

  /** Command by name. @type {Record<string, () => unknown>} */
  commands;

  /** Token and unit before the pointer came. @type {[number, string | null]} */
  down = [0, null];

  /** Parts for what not every scheme has. @type {import("./sentence_labels.js").SentenceLabels | null} */
  sentence = null;

  /** @type {import("./attribute_panel.js").AttributePanel | null} */
  panel = null;

  /** @type {import("./unit_panel.js").UnitPanel | null} */
  units = null;

  /** What points: a mouse looks at a word with one click and labels it with two; a finger labels at once. */
  pointer = "";

  /**
   * `onFocus(token)` hears where the focus goes; `onHover(token or null)` where the pointer is.
   * The entry's value holds the labels: `value.content.spans`.
   *
   * @param {import("./workspace.js").Workspace} page
   * @param {{ onFocus?: (token: number) => void, onHover?: ((token: number | null) => void) | null }} [hears]
   */
  constructor(page, { onFocus = () => {}, onHover = null } = {}) {
    this.page = page;
    this.t = page.t;
    this.onFocus = onFocus;
    this.onHover = onHover;
    /** @type {Scheme} */
    this.scheme = page.config.scheme;
    /** The token to whose unit others are being joined. @type {number | null} */
    this.joining = null;
    /** Whether a word was joined to it since. */
    this.hasJoined = false;
    /** Where units overlap, the key of the one that was begun over others, or chosen. @type {string | null} */
    this.meant = null;
    /** A unit that is begun and is none yet: the same is there already. @type {Draft | null} */
    this.begun = null;
    this.labels = labelsOf(this.scheme);
    this.attributes = attributesOf(this.scheme);
    this.label = this.scheme.labels[0];
    const move = (place) => () => this.moveTo(place(this.at, this.length));
    this.commands = {
      left: move((at, length) => focus.step(at, -this.forwards, length)),
      right: move((at, length) => focus.step(at, this.forwards, length)),
      up: () => this.moveTo(focus.vertical(this.row.boxes(), this.at, -1)),
      down: () => this.moveTo(focus.vertical(this.row.boxes(), this.at, 1)),
      first: move(() => 0),
      last: move((_, length) => length - 1),
      toggle: () => this.press(this.at),
      nextContent: () => this.stepContent(1),
      previousContent: () => this.stepContent(-1),
      likely: () => this.stepLikely(),
      nextSuggestion: () => this.stepSuggestion(1),
      previousSuggestion: () => this.stepSuggestion(-1),
      joining: () => this.toggleJoining(),
      escape: () => (this.joining === null ? this.takeFocus() : this.endJoining()),
      edgeLeft: () => this.edit((list, at) => spans.moveEdge(list, at, -this.forwards, this.length, this.label, this.rules)),
      edgeRight: () => this.edit((list, at) => spans.moveEdge(list, at, this.forwards, this.length, this.label, this.rules)),
      unitLeft: () => this.edit((list, at) => spans.moveUnit(list, at, -this.forwards, this.length, this.rules)),
      unitRight: () => this.edit((list, at) => spans.moveUnit(list, at, this.forwards, this.length, this.rules)),
      split: () => this.edit((list, at) => ({ spans: spans.split(list, at, this.rules) })),
      remove: () => this.remove(),
      another: () => this.another(),
      nextUnit: () => this.mean(overlaps.nextUnit(this.spans, this.at, this.meant)),
    };
    this.scheme.labels.forEach((label, number) => {
      this.commands[`label${number}`] = () => this.chooseLabel(label);
    });
    this.attributes.forEach((attribute, number) => {
      this.commands[`attribute${number}`] = () => this.stepAttribute(attribute);
    });
    this.commands.onSentence = () => this.sentence?.label();
    this.commands.attributes = () => this.panel?.focus() || page.announce(this.t("no_attributes"));
  }

  /** Loads the parts that the scheme asks for: before something is built. */
  async ready() {
    if (this.attributes.length) this.panel = new (await import("./attribute_panel.js")).AttributePanel(this);
    if (this.labels.some(({ tokenless }) => tokenless)) this.sentence = new (await import("./sentence_labels.js")).SentenceLabels(this);
    if (this.scheme.overlaps) this.units = new (await import("./unit_panel.js")).UnitPanel(this);
  }

  get entry() {
    return this.page.entry;
  }

  /** @returns {Unit} */
  get unit() {
    return this.entry.item.unit;
  }

  get tokens() {
    return this.unit.tokens;
  }

  get length() {
    return this.tokens.length;
  }

  /** @returns {Span[]} */
  get spans() {
    return this.entry.value.content.spans;
  }

  /** The labels with the unit that is meant in front of the others: edits act on the first one on a token. */
  get led() {
    return overlaps.led(this.spans, this.meant, this.begun);
  }

  /** The scheme's rules; a unit that was begun over others, or chosen, is edited by itself. */
  get rules() {
    return this.meant === null && !this.begun ? this.scheme : { ...this.scheme, over: true };
  }

  /** @returns {Suggestion | null} */
  get suggestion() {
    return this.entry.item.suggestion;
  }

  /** @returns {Span[] | null} */
  get suggested() {
    return this.suggestion?.content.spans ?? null;
  }

  /** Where an arrow to the right leads: one token on, or one back where the text runs from right to left. */
  get forwards() {
    return direction(this.unit.language, this.tokens) === "rtl" ? -1 : 1;
  }

  /** The token that has the focus. */
  get at() {
    return this.entry.focus ?? 0;
  }

  /** What is known of a label; of one that the scheme has no more, its code. */
  labelOf(code) {
    return this.labels.find((label) => label.code === code) ?? { code, name: code, colour: "", key: "", description: "", anchor: "", tokenless: false };
  }

  /** The terms that the project has used for an attribute elsewhere, the most used first. @returns {Promise<string[]>} */
  async terms(attribute) {
    const { terms } = await this.page.call("GET", `layers/${this.page.config.layer}/terms/?${new URLSearchParams({ attribute, unit: String(this.unit.id) })}`);
    return terms.map((one) => one.term);
  }

  // --- the page -----------------------------------------------------------------------------------------------------

  /** The row of an entry, and the line below it that says what is going on. `start`: the token to begin at. */
  build(entry, { name, start }) {
    /** @type {{ unit: Unit, suggestion: Suggestion | null }} */
    const { unit, suggestion } = entry.item;
    this.joining = null;
    this.meant = null;
    this.begun = null;
    entry.focus ??= start;
    this.row = new TokenRow({
      tokens: unit.tokens,
      spaces: unit.spaces,
      content: this.page.config.marks_content === false ? [] : unit.content_words,
      probabilities: suggestion?.probabilities.length ? suggestion.probabilities : null,
      labels: this.labels,
      t: this.t,
      name,
      lang: unit.language,
      onPress: (token, event) => this.pressed(token, event),
      onDrag: (from, to) => this.dragged(from, to),
      onFocus: (token) => this.focused(token),
      onHover: this.onHover,
    });
    // The focus follows the pointer before the click comes; a unit is stretched from where it was.
    this.row.node.addEventListener("pointerdown", ({ pointerType }) => {
      this.pointer = pointerType;
      this.down = [this.at, this.meant];
    });
    this.row.setCurrent(entry.focus);
    this.hint = h("p", { class: "ws-hint", "aria-hidden": "true" });
    if (this.panel) this.panel.made = "";
    // What comes and goes stands last: nothing below it moves.
    return [this.row.node, this.hint, this.labels.length > 1 ? this.labelBar() : null, this.sentence?.build() ?? null, this.units?.node ?? null, this.panel?.node ?? null];
  }

  /** The labels, and from ten on a field that finds one: Enter takes the first that fits. */
  labelBar() {
    const nodes = this.labelButtons();
    if (nodes.length < MANY) return h("div", { class: "ws-labels" }, nodes);
    const fitting = (text) => nodes.filter((node) => fold(node.textContent).includes(fold(text)));
    const search = h("input", {
      type: "search",
      class: "ws-label-search",
      "aria-label": this.t("label_search"),
      placeholder: this.t("label_search"),
      autocomplete: "off",
      oninput: () => {
        const found = new Set(fitting(search.value));
        // Their places stay: nothing moves while one searches.
        nodes.forEach((node) => node.classList.toggle("is-out", !found.has(node)));
      },
      onkeydown: (event) => {
        if (event.key !== "Enter" || composes(event)) return;
        event.preventDefault();
        const [first] = search.value ? fitting(search.value) : [];
        search.value = "";
        nodes.forEach((node) => node.classList.remove("is-out"));
        first?.click();
        this.takeFocus();
      },
    });
    return h("div", { class: "ws-labels" }, search, nodes);
  }

  /** The labels as buttons: the legend, too. */
  labelButtons() {
    this.labelNodes = this.labels.map(({ code, name, colour, key, description }) =>
      h(
        "button",
        { type: "button", class: "button button-small", "data-colour": colour || null, title: description || null, onclick: () => this.chooseLabel(code) },
        colour && h("span", { class: "swatch", "aria-hidden": "true" }),
        name,
        key && h("kbd", { "aria-hidden": "true" }, key),
      ),
    );
    return this.labelNodes;
  }

  /** Shows the entry's labels. `suggested`: what they are compared with, or null; `differing` marks tokens. */
  refresh(entry, { suggested = this.suggested, linked = [], differing = null } = {}) {
    this.row.update(tokenMarks(this.length, entry.value.content.spans, suggested), { anchor: this.joining, linked, differing, bars: this.units && overlaps.lanes(this.length, entry.value.content.spans), meant: this.meant });
    this.labelNodes?.forEach((node, number) => setAttributes(node, { "aria-pressed": this.scheme.labels[number] === this.label }));
    this.sentence?.refresh(entry.value.content.spans, suggested);
    this.refreshPanel();
    this.hint.textContent = this.joining === null ? "" : this.joiningSaid();
    for (const node of this.page.parts.actions.querySelectorAll("[data-command=joining]")) setAttributes(node, { "aria-pressed": this.joining !== null });
  }

  /** Shows the attributes of the unit at the focus, and of the labels of the sentence; the units that share its word. */
  refreshPanel() {
    this.units?.update();
    this.panel?.update([...spans.unitAt(overlaps.led(this.spans, this.meant), this.at), ...this.spans.filter((span) => !span.tokens.length)]);
  }

  takeFocus() {
    this.row.setCurrent(this.at, true);
  }

  focused(token) {
    if (!this.entry) return;
    this.entry.focus = token;
    this.row.setCurrent(token);
    if (this.joining === null && !overlaps.unitsAt(this.spans, token).some((span) => spans.keyOf(span) === this.meant)) this.mean(null);
    this.refreshPanel();
    this.onFocus(token);
  }

  moveTo(token) {
    if (token === null) return;
    this.row.setCurrent(token, true);
    this.focused(token);
  }

  // --- commands -----------------------------------------------------------------------------------------------------

  /**
   * Changes the labels, and moves the focus where `change` says so. Returns whether it did.
   *
   * @param {(spans: Draft[], token: number) => { spans: Draft[], focus?: number }} change
   * @param {string | null} [say]
   */
  edit(change, say = null) {
    const entry = this.page.editable();
    if (!entry) return false;
    const result = change(this.led, this.at);
    // What was begun is a unit once it is unlike all others.
    const after = spans.sorted(result.spans.filter((span) => span !== this.begun));
    const next = overlaps.following(this.spans, after, this.meant, this.begun);
    if (result.focus !== undefined) this.moveTo(result.focus);
    const changed = this.page.change(entry, { spans: after });
    if (changed || !this.begun) this.meant = next;
    if (changed) this.begun = null;
    if (changed) this.page.refreshed(say ?? this.tokenState());
    return changed;
  }

  tokenState() {
    const unit = spans.unitAt(this.led, this.at);
    return unit.length ? this.t("now_labelled", { text: spanText(unit[0], this.tokens, this.unit.spaces), label: unit.map((one) => this.labelOf(one.label).name).join(", ") }) : this.t("now_unlabelled", { text: this.tokens[this.at] });
  }

  pressed(token, event) {
    const bare = !event.shiftKey && !event.ctrlKey && !event.metaKey;
    // Readers of the screen press without a pointer.
    if (bare && event.detail > 0 && event.detail !== 2 && this.pointer === "mouse" && !this.pressesAtOnce()) return this.moveTo(token);
    const [from, meant] = this.down;
    this.moveTo(token);
    // The unit that the pointer began in goes on being meant.
    if (event.shiftKey || event.ctrlKey || event.metaKey) this.meant = meant;
    if (event.shiftKey && from !== token) return this.edit((list) => ({ spans: this.stretch(list, from, token) }));
    if ((event.ctrlKey || event.metaKey) && from !== token) return this.edit((list) => ({ spans: spans.join(list, from, token, this.label, this.rules) }));
    return this.press(token);
  }

  /** Whether one click of the mouse acts on a word: while words are being joined. */
  pressesAtOnce() {
    return this.joining !== null;
  }

  /** The words that the mouse was drawn over become a span, or part of the one that it began in. */
  dragged(from, to) {
    if (this.joining !== null) this.endJoining();
    this.moveTo(from);
    return this.edit((list) => ({ spans: this.stretch(list, from, to) }));
  }

  press(token) {
    const { joining } = this;
    if (joining !== null) {
      this.hasJoined = true;
      return this.edit((list) => ({ spans: spans.join(list, joining, token, this.label, this.rules) }));
    }
    return this.edit((list) => ({ spans: spans.toggle(list, token, spans.spanAt(list, token)?.label ?? this.label, this.rules) }));
  }

  stretch(list, from, to) {
    const step = Math.sign(to - from);
    let result = list;
    for (let token = from + step; token !== to + step; token += step) {
      if (spans.spanAt(result, from)?.tokens.includes(token)) continue;
      const joined = spans.join(result, from, token, this.label, this.rules);
      // The unit that grows stays in front.
      const own = joined.find((span) => !result.includes(span) && span.tokens.includes(from));
      result = own ? overlaps.led(joined, spans.keyOf(own)) : joined;
    }
    return result;
  }

  chooseLabel(label) {
    this.label = label;
    if (this.scheme.several) this.edit((list, at) => ({ spans: spans.toggleLabel(list, at, label, this.scheme) }));
    else this.edit((list, at) => ({ spans: spans.named(list, at, label, this.rules) }));
    this.page.refresh(this.entry);
  }

  /** The next value of an attribute on the unit at the focus; a label of the sentence has it where no unit is there. */
  stepAttribute(attribute) {
    const takes = (span) => attributesOf(this.scheme, span.label).some(({ code }) => code === attribute.code);
    const span = spans.unitAt(this.led, this.at).find(takes) ?? this.spans.find((one) => !one.tokens.length && takes(one));
    if (!span) {
      this.page.announce(this.t("no_attributes"));
    } else if (attribute.values.length) {
      this.panel.set(spans.keyOf(span), attribute, nextValue(attribute.values, span.attributes?.[attribute.code] ?? ""));
    } else {
      this.panel.focus();
    }
  }

  /** Begins a span of several words at the focus, or ends it: if no word was added yet, with the word of the focus. */
  toggleJoining() {
    const { joining, at } = this;
    if (!this.page.editable()) return;
    if (joining === null) {
      [this.joining, this.hasJoined] = [at, false];
      this.edit((list) => ({ spans: spans.spanAt(list, at) ? list : spans.toggle(list, at, this.label, this.scheme) }));
      this.page.refreshed(this.joiningSaid());
    } else {
      if (!this.hasJoined && !spans.spanAt(this.led, joining)?.tokens.includes(at)) this.press(at);
      this.endJoining();
    }
  }

  endJoining() {
    [this.joining, this.begun] = [null, null];
    this.page.refreshed(this.t("joining_over"));
  }

  joiningSaid() {
    return this.t(this.begun || this.meant !== null ? "another_hint" : "joining_hint", { word: this.tokens[this.joining] });
  }

  // --- units that share words ---------------------------------------------------------------------------------------

  /** Begins a further unit on the word of the focus, whatever is there; the words that are chosen next join it. */
  another() {
    if (!this.page.editable()) return;
    const unit = { tokens: [this.at], label: this.label, attributes: {}, score: null };
    const key = spans.keyOf(unit);
    [this.begun, this.meant, this.joining, this.hasJoined] = [unit, null, this.at, false];
    if (!this.spans.some((span) => spans.keyOf(span) === key)) this.edit((list) => ({ spans: [...list.slice(1), { ...unit }] }));
    this.takeFocus();
    this.page.refreshed(this.joiningSaid());
  }

  /** What keys and pointer do next is done to this unit on the word of the focus. @param {string | null} key */
  mean(key) {
    if (key === this.meant && !this.begun) return;
    [this.meant, this.begun, this.joining] = [key, null, null];
    this.page.refresh(this.entry);
    if (key !== null) this.page.announce(this.tokenState());
  }

  remove() {
    if (this.begun) return this.mean(null);
    const { meant } = this;
    const gone = meant === null ? spans.spanAt(this.spans, this.at) : this.spans.find((span) => spans.keyOf(span) === meant);
    const changed = this.edit((list, at) => ({ spans: meant === null ? spans.remove(list, at) : list.filter((span) => spans.keyOf(span) !== meant) }));
    if (changed && gone?.tokens.length > 1) this.page.say(this.t("span_removed", { text: spanText(gone, this.tokens, this.unit.spaces) }), { undo: true });
    return changed;
  }

  // --- what is obligatory -------------------------------------------------------------------------------------------

  /** Goes to the first label that says nothing of an obligatory attribute; whether there is one. */
  askUnsaid() {
    const found = unsaid(this.spans, this.scheme);
    if (!found) return false;
    const { span, attribute } = found;
    if (span.tokens.length) {
      this.moveTo(span.tokens[0]);
      if (this.units) this.mean(spans.keyOf(span));
    }
    this.panel.focus(attribute.code, spans.keyOf(span));
    this.page.announce(this.t("unsaid_here", { name: attribute.name, text: spanText(span, this.tokens, this.unit.spaces, this.t("on_sentence")) }));
    return true;
  }

  stepContent(delta) {
    const open = new Set(focus.unlabelledContent(this.unit.content_words, this.spans));
    this.#go(focus.nextWhere(this.length, this.at, delta, (index) => open.has(index)), "no_content");
  }

  /** The unlabelled content word that the machine finds likeliest, then the next likely. */
  stepLikely() {
    const open = focus.unlabelledContent(this.unit.content_words, this.spans);
    this.#go(focus.after(focus.byProbability(open, this.suggestion?.probabilities), this.at), "no_content");
  }

  stepSuggestion(delta) {
    const proposed = (this.entry.item.late_proposals ?? []).map(({ words }) => ({ tokens: words }));
    const stops = new Set(focus.stops(this.suggested ?? [], proposed, this.spans));
    this.#go(focus.nextWhere(this.length, this.at, delta, (index) => stops.has(index)), "no_suggestions");
  }

  #go(token, nothing) {
    if (token === null) this.page.announce(this.t(nothing));
    else this.moveTo(token);
  }

  /** After an undo: the unit that was being joined may be no more. */
  undone() {
    if (!this.entry) return;
    const gone = this.meant !== null && !this.spans.some((span) => spans.keyOf(span) === this.meant);
    if (!gone && !this.begun && (this.joining === null || spans.spanAt(this.spans, this.joining))) return;
    [this.joining, this.meant, this.begun] = [null, null, null];
    this.page.refresh(this.entry);
  }
}
