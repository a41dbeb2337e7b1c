/** Labelling one sentence among its neighbours, with what was decided on the same lemma elsewhere. */

import * as type from "../content/spans.js";
import * as focus from "../../site/logic/focus.js";
import { correctKeys } from "../logic/keys.js";
import { machineName, suggestedBy } from "../logic/machines.js";
import { inLanguage, textOf, wordOf } from "../../site/logic/text.js";
import { contextLists } from "./context.js";
import { button, h, setAttributes } from "../../site/components/dom.js";
import { LemmaPanel } from "./lemma_panel.js";
import { Proposals } from "./proposals.js";
import { sourceChanged } from "./source_changed.js";
import { SpanEditor } from "./span_editor.js";
import { Workspace } from "./workspace.js";

// How often, and for how long, the page looks whether suggestions for a fixed text have come.
const LOOK_MS = 1500;
const LOOKS = 40;

export class SentenceWorkspace extends Workspace {
  sideTitle = "tab_word";

  constructor() {
    super(type);
    this.lemmas = new LemmaPanel(this);
    this.editor = new SpanEditor(this, { onFocus: (token) => this.focused(token), onHover: (token) => this.hovered(token) });
    this.proposals = new Proposals(this);
    this.keymap = correctKeys(this.editor.labels, this.editor.attributes, this.editor.scheme.overlaps);
    Object.assign(this.commands, this.editor.commands, { text: () => this.openText() });
  }

  async run() {
    await this.editor.ready();
    return super.run();
  }

  describe({ item: { unit, suggestion } }) {
    const values = { role: wordOf(this.messages, "role", unit.role), text: textOf(unit.tokens, unit.spaces) };
    const said = suggestion ? this.t("announce_sentence", { ...values, n: suggestion.content.spans.length }) : this.t("announce_sentence_plain", values);
    return this.proposals.rows.length ? `${said} ${this.proposals.count.textContent}` : said;
  }

  // --- the page -----------------------------------------------------------------------------------------------------

  build(entry) {
    const { item } = entry;
    const { unit, suggestion } = item;
    const row = this.editor.build(entry, { name: this.t("tokens_name"), start: focus.start(unit.content_words, suggestion?.content.spans) });
    return [
      h(
        "div",
        { class: "ws-main" },
        h("section", { class: "ws-sentence", "aria-label": this.t("sentence") }, this.meta(entry), this.goldNotice(entry), this.revisedNotice(entry), sourceChanged(item, this), this.proposals.build(entry), this.sentenceNodes(entry, row)),
        this.afterSentence(entry),
      ),
      h(
        "div",
        { class: "ws-side" },
        item.mode === "blind" ? null : this.lemmas.node,
        this.contextNode(entry),
        h("section", { class: "ws-notes" }, this.doubtTick(), this.commentField(entry)),
      ),
    ];
  }

  /** The sentence among its neighbours; nothing if none may be shown. */
  contextNode({ item: { context, unit } }) {
    const { above, below } = contextLists(context, this, unit.language);
    if (!above && !below) return null;
    const here = h("p", { class: "context-here", ...inLanguage(unit.language, unit.tokens) }, textOf(unit.tokens, unit.spaces));
    return h("section", { class: "ws-context", "aria-label": this.t("tab_context") }, above, here, below);
  }

  /** What stands where the sentence stands; `row`: its words to label. */
  sentenceNodes(entry, row) {
    return row;
  }

  /**
   * What stands below the sentence.
   *
   * @param {import("../logic/entry.js").Entry} entry
   * @returns {HTMLElement | null}
   */
  afterSentence(entry) {
    return null;
  }

  meta({ item }) {
    const { unit, suggestion } = item;
    return h(
      "p",
      { class: "ws-meta" },
      unit.role && h("span", { class: "badge" }, wordOf(this.messages, "role", unit.role)),
      unit.genre && h("span", {}, unit.genre),
      h("a", { class: "ws-uid", href: `${this.config.units}${unit.id}/` }, h("bdi", {}, unit.uid)),
      suggestion && h("span", {}, this.t(suggestedBy(suggestion), { name: machineName(suggestion) })),
      item.mode !== "blind" && button(this.t("text_fix"), { class: "button button-quiet button-small ws-text", key: this.keyOf("text"), "data-key-of": "text", onclick: () => this.command("text") }),
      h("a", { class: "button button-quiet button-small", href: `${this.config.units}${unit.id}/` }, this.t("set_aside")),
    );
  }

  /** What a fix of the text left to decide, and what of the person's own it took away. */
  lookAgain({ item: { revised, unit } }) {
    const words = revised.changed.map((token) => unit.tokens[token]).join(", ");
    return [
      h("p", {}, this.t("text_was_fixed")),
      words && h("p", {}, h("bdi", { dir: "auto" }, this.t("text_to_decide", { words }))),
      revised.lost.length > 0 && h("p", {}, h("bdi", { dir: "auto" }, this.t("text_lost", { labels: revised.lost.join(", ") }))),
    ];
  }

  refresh(entry) {
    this.editor.refresh(entry, { linked: this.linked() });
    this.proposals.refresh(entry);
    this.parts.body.classList.toggle("is-doubt", entry.value.doubt);
    this.markChanged(entry);
    this.refreshComment(entry);
    for (const node of this.parts.actions.querySelectorAll("[data-command=doubt]")) setAttributes(node, { "aria-pressed": entry.value.doubt });
  }

  /** Words of a fixed text that nobody has decided on yet stand out until they are labelled or the item is done. */
  markChanged({ done, item: { revised } }) {
    for (const token of (!done && revised?.changed) || []) {
      const chip = this.editor.row.chips[token];
      chip.classList.add("chip-changed");
      chip.setAttribute("aria-label", `${chip.getAttribute("aria-label")}, ${this.t("chip_changed")}`);
    }
  }

  /**
   * Tokens that are shown as linked with another sentence.
   *
   * @returns {number[]}
   */
  linked() {
    return [];
  }

  takeFocus(stayInField) {
    if (this.entry && !stayInField) this.editor.takeFocus();
  }

  focused(token) {
    if (this.entry.item.mode !== "blind") this.lemmas.showToken(this.entry.item.unit, token);
  }

  /**
   * The pointer is on a token, or on none.
   *
   * @param {number | null} token
   */
  hovered(token) {}

  // --- commands -----------------------------------------------------------------------------------------------------

  /** What stands beside the labels stays. */
  change(entry, content) {
    return super.change(entry, { ...entry.value.content, ...content });
  }

  undo() {
    super.undo();
    this.editor.undone();
  }

  done() {
    if (this.passOver() || !this.editable() || this.editor.askUnsaid()) return;
    this.lemmas.forget();
    super.done();
  }

  // --- the text -----------------------------------------------------------------------------------------------------

  openText() {
    const { entry, t } = this;
    if (entry.item.mode === "blind") return this.announce(t("text_blind"));
    if (this.queue.locked(entry)) return this.announce(t("locked"));
    return this.use(import("./text_dialog.js"), ({ openText }) => this.entry === entry && this.showText(openText));
  }

  showText(openText) {
    const { entry, t } = this;
    const { unit, revised } = entry.item;
    let job = null;
    const send = (text, over) =>
      this.queue.revise(async () => {
        const answer = await this.call("POST", `units/${over ?? unit.id}/text/`, { text, stage: this.config.stage.id });
        job = answer.job;
        return answer;
      });
    const onSaved = () => {
      entry.awaited = job !== null;
      this.entry = null;
      this.render();
      this.announce(t("text_saved"));
      if (job !== null) void this.awaitSuggestions(entry, job);
    };
    const dialog = openText({ text: textOf(unit.tokens, unit.spaces), before: revised?.before ?? "", lang: unit.language, t, send, onSaved });
    dialog.addEventListener("close", () => this.takeFocus(false));
  }

  /** Shows what machines say of a fixed text once they have, unless somebody has edited the item meanwhile. */
  async awaitSuggestions(entry, job) {
    const { key } = entry;
    for (let look = 0; look < LOOKS && entry.key === key; look += 1) {
      await new Promise((go) => setTimeout(go, LOOK_MS));
      try {
        const { state } = await this.call("GET", `jobs/${job}/`);
        if (state === "queued" || state === "running") continue;
        entry.awaited = false;
        if (this.queue.renew(entry, await this.call("GET", `assignments/${key}/`)) && this.entry === entry) {
          this.entry = null;
          this.render();
          if (entry.item.suggestion) this.announce(this.t("text_new_suggestions"));
        }
        return;
      } catch (error) {
        if (!error.retriable) return;
      }
    }
  }
}
