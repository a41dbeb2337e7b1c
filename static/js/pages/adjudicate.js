/** Adjudication: what several people answered side by side, whatever the content type; take one, combine, or decide anew. */

import * as standard from "../components/around.js";
import { button, h, readJson } from "../components/dom.js";
import { Workspace } from "../components/workspace.js";
import { keyRange } from "../logic/keys.js";
import { percent } from "../logic/text.js";
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
    this.decision = new type.Decision(this);
    Object.assign(this.commands, this.decision.commands);
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (this.parts.actions.querySelectorAll("[data-for]"))) node.hidden = node.dataset.for !== this.config.stage.content_type;
  }

  // --- the queue's side ---------------------------------------------------------------------------------------------

  /** @returns {Transport} */
  transport() {
    const { stage, layer } = this.config;
    return {
      // Nothing is assigned here: what the page holds is asked for again and left out.
      claim: async (held, count) => {
        const answer = await this.call("GET", `stages/${stage.id}/adjudicate/?limit=${Math.min(held.length + count, MOST)}`);
        this.remaining = answer.remaining;
        return { items: answer.items.filter((item) => !held.includes(item.id)).slice(0, count), progress: null, own_left: answer.own_left };
      },
      save: async (entry, sent) => {
        const { item } = entry;
        const { gold } = await this.call("POST", `units/${item.unit.id}/gold/`, { layer, version: entry.version, content: this.type.clean(sent.value.content), reason: sent.comment });
        if (this.remaining > 0 && !entry.done) this.remaining -= 1;
        return { item: { ...item, gold } };
      },
      undo: async (entry) => {
        const { item } = entry;
        const { gold } = await this.call("POST", `units/${item.unit.id}/gold/reopen/`, { layer, version: entry.version });
        this.remaining += 1;
        return { item: { ...item, gold } };
      },
      // What this page has decided is known to it; what its address asks for is not.
      fetch: async (key) => this.known.get(key) ?? (await this.call("GET", `stages/${stage.id}/adjudicate/?item=${key}`)).items[0],
    };
  }

  read(item) {
    const { id, gold, merged } = item;
    this.known.set(id, item);
    return {
      key: id,
      value: { content: this.type.clean(gold?.content ?? merged), doubt: false },
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
    return super.sides({ entry, theirs: { content: theirs.content ?? entry.item.merged, doubt: false, comment: theirs.reason ?? "" } });
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
    this.parts["progress-text"].textContent = this.t("remaining", { n: this.remaining });
  }

  // --- the page -----------------------------------------------------------------------------------------------------

  build(entry) {
    const { item } = entry;
    this.names = this.decision.names(entry);
    this.keymap = this.decision.keymap(entry);
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
          this.decision.showsUnit ? null : subject,
          inside,
        ),
        outside,
        below,
      ),
      h("div", { class: "ws-side" }, h("section", { class: "ws-card ws-reason" }, h("h2", { class: "ws-side-title" }, this.t("reason_title")), reasons, this.commentField(entry, this.t("reason_title"), this.t("reason_placeholder")), this.reasonNote), side),
    ];
  }

  refresh(entry) {
    this.refreshComment(entry);
    this.reasonNote.textContent = this.needsReason(entry) ? this.t("reason_needed") : this.t("reason_optional");
    this.decision.refresh(entry);
  }

  takeFocus(stayInField) {
    if (this.entry && !stayInField) this.decision.takeFocus();
  }

  // --- commands -----------------------------------------------------------------------------------------------------

  setReason(reason) {
    const entry = this.editable();
    if (!entry) return;
    entry.comment = entry.comment && entry.comment !== reason ? `${entry.comment.trim()} ${reason}` : reason;
    this.refreshed(reason);
  }

  /** A result that is nobody's version wants a word on why. */
  needsReason(entry) {
    if (this.decision.missing(entry)) return false;
    return !this.decision.isSomebodys?.(entry) && !entry.item.answers.some((one) => this.type.same(one.content, entry.value.content));
  }

  done() {
    const entry = this.editable();
    if (!entry) return;
    const missing = this.decision.missing(entry);
    if (missing) return void this.say(this.t(missing, { keys: keyRange(this.keymap, "tag") }));
    if (this.needsReason(entry) && !entry.comment.trim()) {
      this.focusComment();
      return void this.say(this.t("reason_needed"));
    }
    super.done();
  }

  /** Back through the edits, then the decision itself; where there is neither, to the item before. */
  undo() {
    const entry = this.editable();
    if (!entry) return;
    const edited = entry.history.past.length > 0;
    if (edited && entry.dirty) this.#undoEdit();
    else if (this.queue.statusOf(entry) === "saving") this.announce(this.t("saving"));
    else if (this.queue.undoOnServer()) this.announce(this.t("undoing"));
    else if (edited) this.#undoEdit();
    else this.back();
  }

  /** As from one item to the one before: also after the last. */
  undoBefore() {
    this.back();
  }

  #undoEdit() {
    super.undo();
    this.decision.undone?.();
  }
}

const { stage, around } = readJson("ws-config");
const type = await import(`../content/${stage.content_type}.js`);
const { around: placed } = around ? await import(around) : standard;
new Adjudicate(type, placed).run();
