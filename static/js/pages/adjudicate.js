/** Adjudication: the annotators side by side, differences marked; take one, combine, or edit. */

import { contextLists, inferenceBadge } from "../components/context.js";
import { button, h, setAttributes } from "../components/dom.js";
import { pairBody, tagButtons } from "../components/pair_view.js";
import { readOnlyTokens, TokenRow } from "../components/tokens.js";
import { SentenceWorkspace } from "../components/sentence_workspace.js";
import * as focus from "../logic/focus.js";
import { adjudicateKeys, pairKeys } from "../logic/keys.js";
import { differences, tokenMarks } from "../logic/marks.js";
import * as spans from "../logic/spans.js";
import { machineName, percent } from "../logic/text.js";

const isPair = (item) => item.kind === "pair";
const idOf = (item) => (isPair(item) ? `pair-${item.pair.id}` : `sentence-${item.sentence.id}`);

class Adjudicate extends SentenceWorkspace {
  constructor() {
    super();
    this.commands.union = () => this.take(spans.union(this.versions, this.scheme), this.t("took_union"));
    this.commands.common = () => this.take(spans.common(this.versions), this.t("took_common"));
    this.commands.nextDifference = () => this.stepDifference();
    for (let i = 0; i < 9; i += 1) this.commands[`take${i}`] = () => this.takeFrom(i);
    this.config.tags.forEach((tag, number) => {
      this.commands[`tag${number}`] = () => this.chooseTag(tag.value);
    });
  }

  // --- the queue's side ---------------------------------------------------------------------------------------------

  transport() {
    const { stage } = this.config;
    return {
      claim: async (held) => {
        const answer = await this.call("GET", `stages/${stage.id}/adjudicate/`);
        this.remaining = answer.remaining;
        return { items: answer.items.filter((item) => !held.includes(idOf(item))), progress: null };
      },
      save: async (entry, sent) => {
        const { item } = entry;
        const body = { version: entry.version, reason: sent.comment };
        const gold = isPair(item)
          ? await this.call("POST", `pairs/${item.pair.id}/gold/`, { ...body, language: stage.language, tag: sent.value.tag })
          : await this.call("POST", `sentences/${item.sentence.id}/gold/`, { ...body, spans: spans.payload(sent.value.spans) });
        if (this.remaining > 0 && !entry.done) this.remaining -= 1;
        return { item: { ...item, gold: gold.gold ?? gold } };
      },
      undo: async (entry) => {
        const { item } = entry;
        const body = { version: entry.version };
        if (isPair(item)) await this.call("POST", `pairs/${item.pair.id}/gold/reopen/`, { ...body, language: stage.language });
        else await this.call("POST", `sentences/${item.sentence.id}/gold/reopen/`, body);
        this.remaining += 1;
        return { item: { ...item, gold: null } };
      },
      fetch: async (key) => this.known.get(key),
    };
  }

  known = new Map();

  read(item) {
    const key = idOf(item);
    this.known.set(key, item);
    const { gold } = item;
    const value = isPair(item)
      ? { tag: gold?.tag ?? null }
      : { spans: spans.sorted(spans.payload(gold?.spans ?? spans.common(item.annotations.map((one) => one.spans)))), doubt: false };
    return { key, value, comment: gold?.reason ?? "", version: gold?.version ?? 0, done: gold !== null, canUndo: gold !== null };
  }

  /** Nothing is decided before it is decided. */
  savable() {
    return false;
  }

  nameOf({ item }) {
    return isPair(item) ? item.pair.pair_id : item.sentence.uid;
  }

  describe({ item }) {
    const text = isPair(item) ? item.pair.hypothesis.tokens.join(" ") : item.sentence.tokens.join(" ");
    return this.t("announce_adjudicate", { text, agreement: percent(item.agreement) });
  }

  sides(aside) {
    const { entry, theirs } = aside;
    if (!isPair(entry.item)) return super.sides({ entry, theirs: { spans: theirs.spans, doubt: false, comment: theirs.reason } });
    const name = (value) => this.config.tags.find((tag) => tag.value === value)?.label ?? this.t("no_tag");
    return {
      mine: h("p", { class: "strong" }, name(entry.value.tag)),
      theirs: h("p", { class: "strong" }, name(theirs.tag)),
      theirState: { value: { tag: theirs.tag }, comment: theirs.reason ?? "" },
      both: null,
    };
  }

  earlier() {
    return Promise.resolve(null);
  }

  renderProgress() {
    if (this.remaining === undefined) return;
    this.parts.progress.hidden = true;
    this.parts["progress-text"].textContent = this.t("remaining", { n: this.remaining });
  }

  // --- the page -----------------------------------------------------------------------------------------------------

  get versions() {
    return this.entry.item.annotations.map((one) => one.spans);
  }

  build(entry) {
    const { item } = entry;
    this.pair = isPair(item);
    const people = this.pair ? item.tags : item.annotations;
    this.names = this.pair ? this.config.tags.map((tag) => tag.label) : people.map((one) => one.annotator);
    this.keymap = this.pair ? pairKeys(this.config.tags.length) : adjudicateKeys(people.length);
    for (const node of this.parts.actions.querySelectorAll("[data-for]")) node.hidden = node.dataset.for !== item.kind;
    this.reasonNote = h("p", { class: "help" });
    const reasons = h("div", { class: "cluster" }, this.config.reasons.map((reason) => button(reason, { class: "button button-small", onclick: () => this.setReason(reason) })));
    const reason = h("section", { class: "ws-card ws-reason" }, h("h2", { class: "ws-side-title" }, this.t("reason_title")), reasons, this.commentField(entry, this.t("reason_title"), { placeholder: this.t("reason_placeholder") }), this.reasonNote);
    return this.pair ? this.buildPair(entry, reason) : this.buildSentence(entry, reason);
  }

  buildPair({ item }, reason) {
    this.buttons = tagButtons({ tags: this.config.tags, suggested: item.suggestions, t: this.t, onTag: (value) => this.chooseTag(value) });
    const name = (value) => this.config.tags.find((tag) => tag.value === value)?.label ?? value;
    return [
      h(
        "div",
        { class: "ws-main" },
        h("section", { class: "ws-sentence", "aria-label": this.t("pair") }, h("p", { class: "ws-meta" }, inferenceBadge(item.pair.inference, this.t), h("bdi", { class: "ws-uid" }, item.pair.pair_id)), pairBody(item.pair, this.t, this.config.stage.language)),
        h("ul", { class: "versions", role: "list" }, item.tags.map((one) => h("li", { class: "version" }, h("p", { class: "version-who" }, h("bdi", { class: "strong" }, one.annotator), h("span", { class: "badge" }, name(one.tag))), one.comment && h("p", { class: "small" }, h("bdi", {}, one.comment))))),
        this.buttons.node,
      ),
      h("div", { class: "ws-side" }, reason),
    ];
  }

  buildSentence(entry, reason) {
    const { item } = entry;
    const { sentence, suggestions, annotations } = item;
    this.differing = differences(sentence.tokens.length, this.versionsOf(item));
    entry.focus ??= Math.max(0, this.differing.indexOf(true));
    this.row = new TokenRow({
      tokens: sentence.tokens,
      content: sentence.content,
      probabilities: suggestions?.probabilities?.length ? suggestions.probabilities : null,
      threshold: suggestions?.threshold ?? 1,
      labels: this.scheme.labels.length,
      t: this.t,
      name: this.t("result_name"),
      lang: sentence.language,
      onPress: (token, event) => this.pressed(token, event),
      onFocus: (token) => this.focused(token),
    });
    this.row.setCurrent(entry.focus);
    this.hint = h("p", { class: "ws-hint", "aria-hidden": "true" });
    this.takeButtons = annotations.map((one, i) => button(this.t("take"), { key: String(i + 1), class: "button button-small", "aria-label": this.t("take_from", { name: one.annotator }), onclick: () => this.takeFrom(i) }));
    const version = (one, i) =>
      h(
        "li",
        { class: "version" },
        h("div", { class: "version-who" }, h("bdi", { class: "strong" }, one.annotator), one.mode === "blind" && h("span", { class: "badge" }, this.t("blind")), one.doubt && h("span", { class: "badge badge-warn" }, this.t("doubt")), this.takeButtons[i]),
        readOnlyTokens(sentence.tokens, tokenMarks(sentence.tokens.length, one.spans, null), { t: this.t, lang: sentence.language, differing: this.differing }).node,
        one.comment && h("p", { class: "small version-comment" }, h("bdi", { dir: "auto" }, one.comment)),
      );
    const { above, below } = contextLists(item.context ?? { before: [], after: [], pair: [] }, this.t, sentence.language);
    const machine =
      suggestions &&
      h("section", { class: "version version-machine", "aria-label": this.t("machine") }, h("div", { class: "version-who" }, h("span", { class: "muted" }, this.t(suggestions.kind === "projection" ? "suggested_by_projection" : "suggested_by", { name: machineName(suggestions) }))), readOnlyTokens(sentence.tokens, tokenMarks(sentence.tokens.length, suggestions.spans, null), { t: this.t, lang: sentence.language }).node);
    return [
      h(
        "div",
        { class: "ws-main" },
        above,
        h(
          "section",
          { class: "ws-sentence", "aria-label": this.t("sentence") },
          h("p", { class: "ws-meta" }, h("span", { class: "badge" }, this.t(`role_${sentence.role}`)), h("bdi", { class: "ws-uid" }, sentence.uid), h("span", {}, this.t("agreement_is", { agreement: percent(item.agreement) }))),
          h("ol", { class: "versions", role: "list" }, annotations.map(version)),
          h("h2", { class: "ws-side-title" }, this.t("result")),
          this.row.node,
          this.hint,
          machine,
        ),
        below,
      ),
      h("div", { class: "ws-side" }, reason, this.lemmas.node),
    ];
  }

  versionsOf(item) {
    return item.annotations.map((one) => one.spans);
  }

  refresh(entry) {
    const comment = this.parts.body.querySelector(".ws-comment");
    if (comment && comment !== document.activeElement && comment.value !== entry.comment) comment.value = entry.comment;
    this.reasonNote.textContent = this.needsReason(entry) ? this.t("reason_needed") : this.t("reason_optional");
    this.parts.body.classList.remove("is-doubt");
    if (this.pair) {
      this.buttons.show(entry.value.tag);
      return;
    }
    const marks = tokenMarks(this.length, entry.value.spans, null);
    this.row.update(marks, { anchor: this.joining, differing: this.differing });
    this.versions.forEach((version, i) => setAttributes(this.takeButtons[i], { "aria-pressed": spans.same(version, entry.value.spans) }));
    this.hint.textContent = this.joining === null ? "" : this.t("joining_hint", { word: entry.item.sentence.tokens[this.joining] });
    for (const node of this.parts.actions.querySelectorAll("[data-command=joining]")) setAttributes(node, { "aria-pressed": this.joining !== null });
  }

  takeFocus(stayInField) {
    if (this.pair && !stayInField && this.entry) this.buttons.focus();
    else if (!this.pair) super.takeFocus(stayInField);
  }

  // --- commands -----------------------------------------------------------------------------------------------------

  take(list, say) {
    this.edit(() => ({ spans: spans.payload(list) }), say);
  }

  takeFrom(i) {
    const one = this.entry.item.annotations?.[i];
    if (one) this.take(one.spans, this.t("took", { name: one.annotator }));
  }

  chooseTag(value) {
    const entry = this.editable();
    if (!entry) return;
    entry.history.set({ tag: value });
    this.buttons.focus();
    this.refreshed(this.t("tagged", { tag: this.config.tags.find((tag) => tag.value === value).label }));
  }

  stepDifference() {
    const token = focus.nextWhere(this.length, this.at, 1, (index) => this.differing[index]);
    if (token !== null) this.moveTo(token);
  }

  setReason(reason) {
    const entry = this.editable();
    if (!entry) return;
    entry.comment = entry.comment && entry.comment !== reason ? `${entry.comment.trim()} ${reason}` : reason;
    this.refreshed(reason);
  }

  /** A result that is nobody's version wants a word on why. */
  needsReason(entry) {
    if (isPair(entry.item)) return entry.value.tag !== null && !entry.item.tags.some((one) => one.tag === entry.value.tag);
    return !entry.item.annotations.some((one) => spans.same(one.spans, entry.value.spans));
  }

  done() {
    const entry = this.editable();
    if (!entry) return;
    if (this.pair && entry.value.tag === null) return void this.announce(this.t("choose_tag"));
    if (this.needsReason(entry) && !entry.comment.trim()) {
      this.focusComment();
      return void this.announce(this.t("reason_needed"));
    }
    super.done();
  }

  /** Back through the edits, then the decision itself; where there is neither, to the item before. */
  undo() {
    const entry = this.editable();
    if (!entry) return;
    if (entry.history.past.length && entry.dirty) super.undo();
    else if (this.queue.statusOf(entry) === "saving") this.announce(this.t("saving"));
    else if (this.queue.undoOnServer()) this.announce(this.t("undoing"));
    else if (entry.history.past.length) super.undo();
    else this.back();
  }
}

new Adjudicate().run();
