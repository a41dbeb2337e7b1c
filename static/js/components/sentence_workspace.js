/** Labelling one sentence: the correct screen, and what the projection review builds on. */

import * as focus from "../logic/focus.js";
import { correctKeys } from "../logic/keys.js";
import { differences, spanText, tokenMarks } from "../logic/marks.js";
import * as spans from "../logic/spans.js";
import { direction, machineName } from "../logic/text.js";
import { contextLists } from "./context.js";
import { h, setAttributes } from "./dom.js";
import { LemmaPanel } from "./lemma_panel.js";
import { readOnlyTokens, TokenRow } from "./tokens.js";
import { Workspace } from "./workspace.js";

export class SentenceWorkspace extends Workspace {
  constructor() {
    super();
    this.scheme = this.config.scheme;
    this.label = this.scheme.labels[0];
    this.names = this.scheme.labels;
    this.keymap = correctKeys(this.scheme.labels.length);
    this.saveCall = "save";
    this.joining = null;
    const move = (place) => () => this.moveTo(place(this.at, this.length));
    Object.assign(this.commands, {
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
      escape: () => this.joining !== null && this.toggleJoining(),
      edgeLeft: () => this.edit((list, at) => spans.moveEdge(list, at, -this.forwards, this.length, this.label, this.scheme)),
      edgeRight: () => this.edit((list, at) => spans.moveEdge(list, at, this.forwards, this.length, this.label, this.scheme)),
      unitLeft: () => this.edit((list, at) => spans.moveUnit(list, at, -this.forwards, this.length, this.scheme)),
      unitRight: () => this.edit((list, at) => spans.moveUnit(list, at, this.forwards, this.length, this.scheme)),
      split: () => this.edit((list, at) => ({ spans: spans.split(list, at, this.scheme) })),
      remove: () => this.edit((list, at) => ({ spans: spans.remove(list, at) })),
      doubt: () => this.toggleDoubt(),
    });
    this.scheme.labels.forEach((label, number) => {
      this.commands[`label${number}`] = () => this.chooseLabel(label);
    });
    this.lemmas = new LemmaPanel({
      fetch: (lemma) => this.call("GET", `lemmas/?language=${encodeURIComponent(this.config.stage.language)}&lemma=${encodeURIComponent(lemma)}`),
      dictionaries: this.config.dictionaries,
      t: this.t,
    });
  }

  // --- the queue's side ---------------------------------------------------------------------------------------------

  read(item) {
    const { annotation } = item;
    return {
      key: item.id,
      value: { spans: spans.sorted(spans.payload(annotation.spans)), doubt: annotation.doubt },
      comment: annotation.comment,
      version: annotation.version,
      done: annotation.state === "done",
      canUndo: annotation.can_undo,
    };
  }

  content({ value, comment, done }) {
    return { spans: spans.payload(value.spans), doubt: value.doubt, comment, done };
  }

  nameOf(entry) {
    return entry.item.sentence.uid;
  }

  describe(entry) {
    const { sentence, suggestions } = entry.item;
    const text = sentence.tokens.join(" ");
    return this.t(suggestions ? "announce_sentence" : "announce_sentence_plain", { role: this.t(`role_${sentence.role}`), text, n: suggestions?.spans.length ?? 0 });
  }

  sides({ entry, theirs }) {
    const { tokens } = entry.item.sentence;
    const theirValue = { spans: spans.sorted(spans.payload(theirs.spans)), doubt: theirs.doubt };
    const differing = differences(tokens.length, [entry.value.spans, theirValue.spans]);
    const view = (value, comment) =>
      h(
        "div",
        {},
        readOnlyTokens(tokens, tokenMarks(tokens.length, value.spans, null), { t: this.t, lang: entry.item.sentence.language, differing }).node,
        value.doubt && h("p", { class: "badge badge-warn" }, this.t("doubt")),
        comment && h("p", { class: "small" }, `${this.t("comment")}: `, h("bdi", {}, comment)),
      );
    const both = [entry.comment, theirs.comment].filter((comment, i, all) => comment && all.indexOf(comment) === i).join("\n");
    return {
      mine: view(entry.value, entry.comment),
      theirs: view(theirValue, theirs.comment),
      theirState: { value: theirValue, comment: theirs.comment },
      both: { value: { spans: spans.union([entry.value.spans, theirValue.spans], this.scheme), doubt: entry.value.doubt || theirs.doubt }, comment: both },
    };
  }

  // --- the page -----------------------------------------------------------------------------------------------------

  get length() {
    return this.entry.item.sentence.tokens.length;
  }

  /** Where an arrow to the right leads: one token on, or one back where the text runs from right to left. */
  get forwards() {
    return direction(this.entry.item.sentence.tokens) === "rtl" ? -1 : 1;
  }

  /** The token that has the focus. */
  get at() {
    return this.entry.focus ?? 0;
  }

  get suggested() {
    return this.entry.item.suggestions?.spans ?? null;
  }

  build(entry) {
    const { item } = entry;
    const { sentence, suggestions } = item;
    this.joining = null;
    entry.focus ??= focus.start(sentence.content, suggestions?.spans);
    this.row = new TokenRow({
      tokens: sentence.tokens,
      content: sentence.content,
      probabilities: suggestions?.probabilities?.length ? suggestions.probabilities : null,
      threshold: suggestions?.threshold ?? 1,
      labels: this.scheme.labels.length,
      t: this.t,
      name: this.t("tokens_name"),
      lang: sentence.language,
      onPress: (token, event) => this.pressed(token, event),
      onFocus: (token) => this.focused(token),
      onHover: this.hoverTarget && ((token) => this.hoverTarget(token)),
    });
    this.row.setCurrent(entry.focus);
    this.hint = h("p", { class: "ws-hint", "aria-hidden": "true" });
    this.doubtBox = h("input", { type: "checkbox", class: "ws-doubt", onchange: () => this.toggleDoubt() });
    const { above, below } = contextLists(item.context, this.t, sentence.language);
    const comment = this.commentField(entry, this.t("comment"), { placeholder: this.t("comment_placeholder") });
    return [
      h(
        "div",
        { class: "ws-main" },
        above,
        h("section", { class: "ws-sentence", "aria-label": this.t("sentence") }, this.meta(entry), item.gold && h("p", { class: "notice notice-warning" }, this.t("gold_decided")), this.sentenceNodes(entry), this.hint),
        below,
        this.afterSentence(entry),
      ),
      h(
        "div",
        { class: "ws-side" },
        item.mode === "blind" ? null : this.lemmas.node,
        h("section", { class: "ws-card" }, h("label", { class: "check" }, this.doubtBox, h("span", {}, this.t("doubt_label"))), comment),
      ),
    ];
  }

  /** What stands where the sentence stands; the review puts its source there too. */
  sentenceNodes() {
    return [this.row.node];
  }

  afterSentence() {
    return null;
  }

  meta({ item }) {
    const { sentence, suggestions } = item;
    return h(
      "p",
      { class: "ws-meta" },
      h("span", { class: "badge" }, this.t(`role_${sentence.role}`)),
      sentence.genre && h("span", {}, sentence.genre),
      h("bdi", { class: "ws-uid" }, sentence.uid),
      suggestions && h("span", {}, this.t(suggestions.kind === "projection" ? "suggested_by_projection" : "suggested_by", { name: machineName(suggestions) })),
      this.scheme.labels.length > 1 && h("span", { class: "ws-labels" }, ...this.labelButtons()),
    );
  }

  labelButtons() {
    this.labelNodes = this.scheme.labels.map((label, number) =>
      h("button", { type: "button", class: "button button-small", onclick: () => this.chooseLabel(label) }, h("kbd", { "aria-hidden": "true" }, String(number + 1)), label),
    );
    return this.labelNodes;
  }

  refresh(entry) {
    const marks = tokenMarks(this.length, entry.value.spans, this.suggested);
    this.row.update(marks, { anchor: this.joining, linked: this.linked?.() ?? [] });
    this.doubtBox.checked = entry.value.doubt;
    this.parts.body.classList.toggle("is-doubt", entry.value.doubt);
    const comment = this.parts.body.querySelector(".ws-comment");
    if (comment && comment !== document.activeElement && comment.value !== entry.comment) comment.value = entry.comment;
    this.labelNodes?.forEach((node, number) => setAttributes(node, { "aria-pressed": this.scheme.labels[number] === this.label }));
    this.hint.textContent = this.joining === null ? "" : this.t("joining_hint", { word: entry.item.sentence.tokens[this.joining] });
    for (const node of this.parts.actions.querySelectorAll("[data-command=joining]")) setAttributes(node, { "aria-pressed": this.joining !== null });
    for (const node of this.parts.actions.querySelectorAll("[data-command=doubt]")) setAttributes(node, { "aria-pressed": entry.value.doubt });
  }

  takeFocus(stayInField) {
    if (this.entry && !stayInField) this.row.setCurrent(this.at, true);
  }

  focused(token) {
    if (!this.entry) return;
    this.entry.focus = token;
    this.row.setCurrent(token);
    if (this.entry.item.mode !== "blind") this.lemmas.show(this.entry.item.sentence.content[token] ? this.entry.item.sentence.lemmas[token] : null);
  }

  // --- commands -----------------------------------------------------------------------------------------------------

  moveTo(token) {
    if (token === null) return;
    this.row.setCurrent(token, true);
    this.focused(token);
  }

  /** Changes the spans; `change(spans, token)` gives `{spans, focus}`. */
  edit(change, say = null) {
    const entry = this.editable();
    if (!entry) return false;
    const result = change(entry.value.spans, this.at);
    if (result.focus !== undefined) this.moveTo(result.focus);
    const changed = entry.history.set({ ...entry.value, spans: spans.sorted(result.spans) });
    if (changed) this.refreshed(say ?? this.tokenState());
    return changed;
  }

  tokenState() {
    const { tokens } = this.entry.item.sentence;
    const unit = spans.spanAt(this.entry.value.spans, this.at);
    return unit ? this.t("now_labelled", { text: spanText(unit, tokens), label: unit.label }) : this.t("now_unlabelled", { text: tokens[this.at] });
  }

  pressed(token, event) {
    const from = this.at;
    this.moveTo(token);
    if (event.shiftKey && from !== token) return this.edit((list) => ({ spans: this.stretch(list, from, token) }));
    if ((event.ctrlKey || event.metaKey) && from !== token) return this.edit((list) => ({ spans: spans.join(list, from, token, this.label, this.scheme) }));
    return this.press(token);
  }

  press(token) {
    if (this.joining !== null) return this.edit((list) => ({ spans: spans.join(list, this.joining, token, this.label, this.scheme) }));
    return this.edit((list) => ({ spans: spans.toggle(list, token, spans.spanAt(list, token)?.label ?? this.label, this.scheme) }));
  }

  stretch(list, from, to) {
    const step = Math.sign(to - from);
    let result = list;
    for (let token = from + step; token !== to + step; token += step) {
      if (!spans.spanAt(result, from)?.tokens.includes(token)) result = spans.join(result, from, token, this.label, this.scheme);
    }
    return result;
  }

  chooseLabel(label) {
    this.label = label;
    const there = spans.spanAt(this.entry.value.spans, this.at);
    this.edit((list, at) => ({ spans: there?.label === label ? spans.toggle(list, at, label, this.scheme) : spans.relabel(list, at, label, this.scheme) }));
    this.refresh(this.entry);
  }

  toggleJoining() {
    if (!this.editable()) return;
    this.joining = this.joining === null ? this.at : null;
    if (this.joining !== null) this.edit((list, at) => ({ spans: spans.spanAt(list, at) ? list : spans.toggle(list, at, this.label, this.scheme) }));
    this.refreshed(this.joining === null ? this.t("joining_over") : this.t("joining_hint", { word: this.entry.item.sentence.tokens[this.joining] }));
  }

  toggleDoubt() {
    const entry = this.editable();
    if (!entry) return this.entry && this.refresh(this.entry);
    const doubt = !entry.value.doubt;
    entry.history.set({ ...entry.value, doubt });
    return this.refreshed(this.t(doubt ? "doubt_on" : "doubt_off"));
  }

  stepContent(delta) {
    const open = new Set(focus.unlabelledContent(this.entry.item.sentence.content, this.entry.value.spans));
    const token = focus.nextWhere(this.length, this.at, delta, (index) => open.has(index));
    if (token === null) this.announce(this.t("no_content"));
    else this.moveTo(token);
  }

  /** The unlabelled content word that the machine finds likeliest, then the next likely. */
  stepLikely() {
    const open = focus.unlabelledContent(this.entry.item.sentence.content, this.entry.value.spans);
    const token = focus.after(focus.byProbability(open, this.entry.item.suggestions?.probabilities), this.at);
    if (token === null) this.announce(this.t("no_content"));
    else this.moveTo(token);
  }

  stepSuggestion(delta) {
    const stops = new Set(focus.stops(this.suggested ?? [], this.entry.value.spans));
    const token = focus.nextWhere(this.length, this.at, delta, (index) => stops.has(index));
    if (token === null) this.announce(this.t("no_suggestions"));
    else this.moveTo(token);
  }

  undo() {
    super.undo();
    if (!this.entry || this.joining === null || spans.spanAt(this.entry.value.spans, this.joining)) return;
    // The unit that was being joined is no more.
    this.joining = null;
    this.refresh(this.entry);
  }

  done() {
    if (this.passOver() || !this.editable()) return;
    this.lemmas.forget();
    super.done();
  }
}
