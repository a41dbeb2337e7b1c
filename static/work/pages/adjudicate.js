/**
 * Adjudication, whatever the content type: one row for each difference between answers. Nothing is chosen beforehand;
 * what is decided names what it was chosen from. Keys take answers while the focus is in the rows, and edit while it is
 * in the editor below.
 */

import * as standard from "../components/around.js";
import { DecisionRows } from "../components/decision_rows.js";
import { button, h, readJson } from "../../site/components/dom.js";
import { sourceChanged } from "../components/source_changed.js";
import { Workspace } from "../components/workspace.js";
import * as choices from "../logic/choices.js";
import { decisionKeys, keyRange, withEdit } from "../logic/keys.js";
import { percent } from "../../site/logic/text.js";
import { whyOpen } from "../logic/why_open.js";

/** @import { Transport } from "../logic/queue.js" */

// As many as the server lists at once.
const MOST = 100;

class Adjudicate extends Workspace {
  emptyText = "empty_adjudicate";

  /** `type`: the content type; `around`: what is shown around a content. */
  constructor(type, around) {
    super(type);
    this.around = around;
    this.known = new Map();
    /** What waits for somebody else, by reason. */
    this.barred = { blind: 0, own: 0, answered: 0, nobody: false };
    this.decision = new type.Decision(this);
    this.rows = new DecisionRows(this, type);
    /** Whether keys edit. */
    this.editing = false;
    /** How deep the history was when the editor opened a difference that nobody had decided; 0 where it did not. */
    this.opened = 0;
    const { joining } = this.decision.commands;
    Object.assign(this.commands, this.decision.commands, joining && { joining: () => (this.setEditing(true), joining()) }, {
      edit: () => (this.editing ? this.toRows() : this.edit(this.rows.at)),
      escape: () => (this.editing && !this.decision.isBusy ? this.toRows() : this.decision.commands.escape?.()),
      rowUp: () => this.rows.step(-1),
      rowDown: () => this.rows.step(1),
      majority: () => this.takeMajority(),
      propose: () => this.propose(),
    });
    for (let place = 0; place < 9; place += 1) {
      this.commands[`take${place}`] = () => this.takeNumber(place);
      this.commands[`all${place}`] = () => this.takeAll(this.entry.item.answers[place]?.id);
    }
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (this.parts.actions.querySelectorAll("[data-for]"))) node.hidden = node.dataset.for !== this.config.stage.content_type;
  }

  async run() {
    await this.decision.ready?.();
    return super.run();
  }

  // --- the queue's side ---------------------------------------------------------------------------------------------

  /** @returns {Transport} */
  transport() {
    const { stage, layer, only } = this.config;
    return {
      // Nothing is assigned here: what the page holds is asked for again and left out.
      claim: async (held, count) => {
        const answer = await this.call("GET", `stages/${stage.id}/adjudicate/?limit=${Math.min(held.length + count, MOST)}${only ? `&only=${only}` : ""}`);
        this.remaining = answer.remaining;
        this.barred = answer.barred;
        return { items: answer.items.filter((item) => !held.includes(item.id)).slice(0, count), progress: null, own_left: answer.own_left };
      },
      save: async (entry, sent) => {
        const body = this.saved(entry, sent);
        const { gold } = await this.call("POST", this.savePath(entry), { version: entry.version, ...body });
        if (this.remaining > 0 && !entry.done) this.remaining -= 1;
        return { item: { ...entry.item, gold, chosen: body.chosen } };
      },
      undo: async (entry) => {
        const { item } = entry;
        const { gold } = await this.call("POST", `units/${item.unit.id}/gold/reopen/`, { layer, version: entry.version });
        this.remaining += 1;
        return { item: { ...item, gold, chosen: null } };
      },
      // What this page has decided is known to it; what its address asks for is not.
      fetch: async (key) => this.known.get(key) ?? (await this.call("GET", `stages/${stage.id}/adjudicate/?item=${key}`)).items[0],
    };
  }

  savePath({ item }) {
    return `units/${item.unit.id}/gold/`;
  }

  saved({ item }, { value, comment }) {
    return { layer: this.config.layer, content: this.type.clean(value.content), chosen: choices.sent(this.type, item, value), reason: comment };
  }

  draftOf({ bodies }, item) {
    const { content, chosen, reason } = bodies.at(-1);
    return { value: { content: this.type.clean(content), chosen: choices.kept(chosen, item), doubt: false }, comment: reason, done: true };
  }

  read(item) {
    const { id, gold, shared } = item;
    this.known.set(id, item);
    const content = this.type.clean(gold?.content ?? shared);
    // Of what is decided, what it was chosen from; where that is not known, whose answers it has.
    const chosen = gold ? (item.chosen ? choices.kept(item.chosen, item) : choices.settled(this.type, item, content)) : choices.NOTHING;
    return {
      key: id,
      value: { content, chosen, doubt: false },
      comment: gold?.reason ?? "",
      version: gold?.version ?? 0,
      done: gold !== null,
      canUndo: gold !== null,
      returned: false,
    };
  }

  /** Nothing is decided before it is decided. */
  savable() {
    return false;
  }

  readOnly() {
    return false;
  }

  sides({ entry, theirs }) {
    const sides = super.sides({ entry, theirs: { content: theirs.content ?? entry.item.shared, doubt: false, comment: theirs.reason ?? "" } });
    if (sides.both) sides.both.value.chosen = choices.settled(this.type, entry.item, sides.both.value.content);
    return sides;
  }

  /** What somebody else decided, or took back, stays as it is: nothing is decided anew. */
  settleConflict(key, which, sides) {
    if (which === "theirs") void this.discard(key);
    else super.settleConflict(key, which, sides);
  }

  /** An edit decides the differences that it touches. */
  change(entry, content) {
    return entry.history.set(choices.edited(this.type, entry.item, entry.value, { ...entry.value.content, ...content }));
  }

  async earlier() {
    return null;
  }

  nameOf({ item }) {
    return this.around(item, this).name;
  }

  why(item) {
    return this.t(whyOpen(item), { agreement: percent(item.agreement) });
  }

  describe({ item }) {
    return this.t("announce_adjudicate", { text: this.around(item, this).text, why: this.why(item) });
  }

  renderProgress() {
    if (this.remaining === undefined) return;
    this.parts.progress.hidden = true;
    this.parts["progress-text"].textContent = [this.t("remaining", { n: this.remaining }), this.others()].filter(Boolean).join(" · ");
  }

  /** How many wait for somebody else, in words; "" where none does. */
  others() {
    const { blind, own, answered } = this.barred;
    const n = blind + own + answered;
    if (!n) return "";
    return n === 1 ? this.t("others_one") : this.t("others_several", { n });
  }

  isKept() {
    return this.others() !== "";
  }

  whyEmpty(nothing, narrowed) {
    if (!this.isKept()) return super.whyEmpty(nothing, narrowed);
    const { blind, own, answered, nobody } = this.barred;
    const reasons = [blind && this.t("barred_blind", { n: blind }), own && this.t("barred_own", { n: own }), answered && this.t("barred_answered", { n: answered }), nobody && this.t("barred_nobody")];
    return [`${this.others()}.`, ...reasons].filter(Boolean).join(" ");
  }

  // --- the page -----------------------------------------------------------------------------------------------------

  build(entry) {
    const { item } = entry;
    this.editing = false;
    this.opened = 0;
    this.markEditing();
    const { label, meta, above, below, subject } = this.around(item, this);
    const { inside, outside, side } = this.decision.build(entry);
    this.reasonNote = h("p", { class: "help" });
    const reasons = h("div", { class: "cluster" }, this.config.why.map((reason) => button(reason, { class: "button button-small", onclick: () => this.setReason(reason) })));
    return [
      h(
        "div",
        { class: "ws-main" },
        above,
        h(
          "section",
          { class: "ws-sentence", "aria-label": label },
          h("p", { class: "ws-meta" }, meta, h("span", {}, this.why(item))),
          sourceChanged(item, this),
          this.decision.showsUnit ? null : subject,
          this.editor(inside),
        ),
        this.rows.build(entry),
        this.editor(outside),
        below,
      ),
      h("div", { class: "ws-side" }, h("section", { class: "ws-card ws-reason" }, h("h2", { class: "ws-side-title" }, this.t("reason_title")), reasons, this.commentField(entry, this.t("reason_title"), this.t("reason_placeholder")), this.reasonNote, button(this.t("propose"), { class: "button button-quiet button-small", key: this.keyOf("propose"), "data-key-of": "propose", onclick: () => this.command("propose") })), side),
    ];
  }

  /** Where the focus is says what keys do. */
  editor(nodes) {
    return h("div", { class: "stack decision-editor", onfocusin: () => this.setEditing(true) }, nodes);
  }

  setEditing(editing) {
    if (this.editing === editing) return;
    this.editing = editing;
    this.markEditing();
    if (!editing) this.#leaveUntouched();
  }

  /** Reset an entry whose editor was opened without a change: nothing is decided. */
  #leaveUntouched() {
    const history = this.entry?.history;
    const isUntouched = this.opened > 0 && history?.past.length === this.opened;
    this.opened = 0;
    if (!isUntouched) return;
    history.undo();
    history.future = [];
    this.refreshed(this.leftSaid());
  }

  markEditing() {
    const { queue } = this;
    const entry = queue.shown ?? this.entry;
    if (!entry) return;
    this.names = this.editing ? this.decision.names(entry) : entry.item.answers.map((one) => one.annotator);
    this.keymap = this.editing ? withEdit(this.decision.keymap(entry)) : decisionKeys(entry.item.answers.length, entry.item.differences.length, this.config.stage.content_type === "spans");
  }

  render() {
    super.render();
    const done = /** @type {HTMLButtonElement | null} */ (this.parts.actions.querySelector("[data-command=done]"));
    if (!done) return;
    const left = this.entry ? choices.left(this.entry.item, this.entry.value) : 0;
    done.disabled = !this.entry || left > 0;
    const text = left ? this.leftText(left) : this.t("decide_next");
    const label = done.querySelector("span");
    if (label.textContent !== text) label.textContent = text;
  }

  leftText(left) {
    return left === 1 ? this.t("left_one") : this.t("left_several", { n: left });
  }

  refresh(entry) {
    this.refreshComment(entry);
    this.rows.refresh(entry);
    this.reasonNote.textContent = this.needsReason(entry) ? this.t("reason_needed") : this.t("reason_optional");
    this.decision.refresh(entry);
  }

  takeFocus(stayInField) {
    if (!this.entry || stayInField) return;
    if (this.editing) this.decision.takeFocus();
    else this.rows.focus();
  }

  toRows() {
    this.setEditing(false);
    this.rows.focus();
  }

  leaveField() {
    this.toRows();
  }

  // --- commands -----------------------------------------------------------------------------------------------------

  setReason(reason) {
    const entry = this.editable();
    if (!entry) return;
    entry.history.set(entry.value, entry.comment && entry.comment !== reason ? `${entry.comment.trim()} ${reason}` : reason);
    this.refreshed(reason);
  }

  /** An answer is taken as a whole. */
  takeAll(id) {
    const entry = this.editable();
    const one = entry?.item.answers.find((answer) => answer.id === id);
    if (!one) return;
    this.taken(choices.takeAll(entry.item, entry.value, id), this.t("took", { name: one.annotator }));
  }

  /** The answer of a number is taken at the difference that keys act on; where there is none, as a whole. */
  takeNumber(place) {
    const id = this.entry?.item.answers[place]?.id;
    if (id === undefined) return;
    if (this.rows.current) this.takeAt(this.rows.at, id);
    else this.takeAll(id);
  }

  /** What most answers say is taken at each difference; where as many say something else, nothing is. */
  takeMajority() {
    const entry = this.editable();
    if (!entry) return;
    const value = choices.takeMajority(this.type, entry.item, entry.value);
    if (choices.left(entry.item, value) === entry.item.differences.length) return void this.say(this.t("no_majority"));
    this.taken(value, this.t("took_majority"));
  }

  takeAt(place, id) {
    const entry = this.editable();
    if (!entry) return;
    const { item, value } = entry;
    this.rows.mark(place);
    const { annotator } = item.answers.find((answer) => answer.id === id);
    this.taken(choices.take(this.type, item, value, item.differences[place], id), this.t("took_there", { name: annotator }));
  }

  taken(value, said) {
    this.entry.history.set(value);
    this.rows.goOn(this.entry.value);
    this.toRows();
    this.refreshed(`${said} ${this.leftSaid()}`.trim());
  }

  leftSaid() {
    const left = choices.left(this.entry.item, this.entry.value);
    return left ? this.leftText(left) : "";
  }

  /** A sentence for the guidelines, from why this was decided so. */
  propose() {
    const { entry, t } = this;
    if (!entry) return;
    const path = `units/${entry.item.unit.id}/gold/propose/`;
    const send = (text) => this.call("POST", path, { layer: this.config.layer, text });
    const onSent = () => this.say(t("proposal_sent"));
    return this.use(import("../components/proposal_dialog.js"), ({ openProposal }) => openProposal({ text: entry.comment, t, send, onSent }));
  }

  /** All is decided at once by a content that was made of the answers. */
  settle(content, said) {
    const entry = this.editable();
    if (!entry) return;
    const clean = this.type.clean(content);
    entry.history.set({ ...entry.value, content: clean, chosen: choices.settled(this.type, entry.item, clean) });
    this.refreshed(said);
  }

  /** Something else is to stand there; what, is said in the editor. */
  edit(place) {
    const entry = this.editable();
    if (!entry) return;
    const { item, value } = entry;
    this.rows.mark(place);
    const difference = item.differences[place] ?? null;
    const isOpen = difference ? !(difference.key in value.chosen.differences) : choices.left(item, value) > 0;
    if (isOpen && entry.history.set(choices.takeNone(value, difference))) this.opened = entry.history.past.length;
    this.setEditing(true);
    this.refreshed(this.t("editing"));
    this.decision.takeFocus(difference);
  }

  /** What is nobody's answer wants a word on why. */
  needsReason(entry) {
    const { item, value } = entry;
    if (choices.left(item, value) || this.decision.missing(entry)) return false;
    return !this.decision.isSomebodys?.(entry) && choices.isOwn(this.type, item, value);
  }

  done() {
    const entry = this.editable();
    if (!entry) return;
    const left = choices.left(entry.item, entry.value);
    if (left) {
      this.toRows();
      return void this.say(`${this.leftText(left)}. ${this.t(entry.item.answers.length ? "choose_answers" : "choose_edit", { keys: keyRange(decisionKeys(entry.item.answers.length), "take") })}`);
    }
    const missing = this.decision.missing(entry);
    if (missing) return void this.say(this.t(missing, { keys: keyRange(this.keymap, "tag") }));
    if (this.needsReason(entry) && !entry.comment.trim()) {
      this.focusComment();
      return void this.say(this.t("reason_needed"));
    }
    super.done();
  }

  /** Back through the edits, then the decision itself. */
  undo() {
    const entry = this.editable();
    if (!entry) return;
    const edited = entry.history.past.length > 0;
    if (edited && entry.dirty) this.#undoEdit();
    else if (this.queue.statusOf(entry) === "saving") this.announce(this.t("saving"));
    else if (this.queue.undoOnServer()) this.announce(this.t("undoing"));
    else if (edited) this.#undoEdit();
    else this.say(this.t("nothing_to_undo"));
  }

  #undoEdit() {
    super.undo();
    this.decision.undone?.();
    if (!this.editing) this.toRows();
  }
}

const { stage, around } = readJson("ws-config");
const type = await import(`../content/${stage.content_type}.js`);
const { around: placed } = around ? await import(around) : standard;
new Adjudicate(type, placed).run();
