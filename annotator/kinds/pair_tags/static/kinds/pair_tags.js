/**
 * Pair tagging: premise and hypothesis, and the tag in one key, which saves and goes on. A pair that came without an
 * inference label is given one by the digits with Shift; that stays on the pair, and does not go on.
 */

import { choiceButtons, valueName } from "../work/components/choice_buttons.js";
import { inferenceBadge } from "../work/components/context.js";
import { h, setAttributes } from "../site/components/dom.js";
import { sourceChanged } from "../work/components/source_changed.js";
import { Workspace } from "../work/components/workspace.js";
import * as type from "../work/content/choice.js";
import { choiceKeys, keyRange } from "../work/logic/keys.js";
import { beginningOf, wordOf } from "../site/logic/text.js";
import { BulkPanel } from "./bulk_panel.js";
import { pairBody, sideText } from "./pair_view.js";

class PairTags extends Workspace {
  constructor() {
    super(type);
    const { values, stage } = this.config;
    this.names = values.map(({ label }) => label);
    this.tagKeys = choiceKeys(values.length, "key_pair_done");
    values.forEach(({ value }, number) => {
      this.commands[`tag${number}`] = () => this.tag(value);
    });
    this.inferences = this.config.inferences.map((value) => ({ value, label: wordOf(this.messages, "inference", value), definition: "" }));
    this.inferences.forEach(({ value }, number) => {
      this.commands[`inference${number}`] = () => this.giveLabel(value);
    });
    this.inferenceKeys = this.inferences.slice(0, 9).map(({ label }, number) => ({ keys: [`Shift+${number + 1}`], command: `inference${number}`, text: "key_label", name: label }));
    this.keymap = this.tagKeys;
    /** By item, the inference labels that this page replaced, for undo. @type {Map<number, string[]>} */
    this.replaced = new Map();
    const path = `stages/${stage.id}/no-metaphor/`;
    this.bulk = new BulkPanel({
      node: document.getElementById("ws-bulk"),
      load: (after) => this.call("GET", after ? `${path}?after=${encodeURIComponent(after)}` : path),
      confirm: (pairs) => this.call("POST", path, { pairs }),
      onConfirmed: (progress) => this.confirmed(progress),
      page: this,
    });
    document.querySelector("[data-bulk]").addEventListener("click", () => this.bulk.toggle());
  }

  savable(entry) {
    return entry.value.content.value !== null;
  }

  nameOf({ item: { pair } }) {
    return this.t("named_by", { text: beginningOf(sideText(pair.hypothesis)) });
  }

  describe({ item: { pair } }) {
    return this.t("announce_pair", { premise: sideText(pair.premise), hypothesis: sideText(pair.hypothesis), inference: wordOf(this.messages, "inference", pair.inference) });
  }

  /** The tag that is proposed: both sides stand without a label, or another language's tag. */
  proposed({ item: { proposed, suggestion } }) {
    return proposed ?? suggestion?.content.value ?? null;
  }

  build(entry) {
    const { pair, unit } = entry.item;
    const mayLabel = entry.item.may_label && !this.readOnly(entry);
    this.keymap = mayLabel ? [...this.tagKeys, ...this.inferenceKeys] : this.tagKeys;
    this.buttons = choiceButtons({ values: this.config.values, proposed: this.proposed(entry), t: this.t, onChoose: (value) => this.tag(value) });
    this.labels = mayLabel ? choiceButtons({ values: this.inferences, shift: true, name: this.t("inference_name"), t: this.t, onChoose: (value) => this.giveLabel(value) }) : null;
    this.badge = h("span", {});
    return [
      h(
        "div",
        { class: "ws-main" },
        h(
          "section",
          { class: "ws-sentence", "aria-label": this.t("pair") },
          h("p", { class: "ws-meta" }, this.badge, pair.genre && h("span", {}, pair.genre), h("bdi", { class: "ws-uid" }, pair.pair_id)),
          this.goldNotice(entry),
          sourceChanged(entry.item, this),
          pairBody(pair, this, unit.language),
        ),
        this.labels && h("section", { class: "ws-card second-question" }, h("h2", { class: "ws-side-title" }, this.t("inference_name")), this.labels.node),
        this.buttons.node,
      ),
      h("div", { class: "ws-side" }, this.commentCard(entry)),
    ];
  }

  refresh(entry) {
    const { value } = entry.value.content;
    const { inference } = entry.item.pair;
    this.buttons.show(value);
    this.labels?.show(inference);
    this.badge.replaceChildren(inferenceBadge(inference, this.messages));
    this.refreshComment(entry);
    for (const node of this.parts.actions.querySelectorAll("[data-command=done]")) setAttributes(node, { "aria-disabled": !value && !this.proposed(entry) });
  }

  takeFocus(stayInField) {
    if (!stayInField && this.entry) this.buttons.focus();
  }

  tag(value) {
    const entry = this.editable();
    if (!entry) return;
    entry.history.reset({ ...entry.value, content: { value } });
    this.announce(this.t("tagged", { tag: valueName(this.config, value, this.t) }));
    this.queue.finish();
  }

  /** Gives the pair an inference label, over the one that is shown. */
  async giveLabel(inference) {
    const entry = this.editable();
    if (!entry?.item.may_label || inference === entry.item.pair.inference) return;
    const before = entry.item.pair.inference;
    if (await this.sendLabel(entry, inference, "inference_given")) this.replaced.set(entry.key, [...(this.replaced.get(entry.key) ?? []), before]);
    this.renderUndo();
  }

  /** Returns whether the server took it; what it said instead is told. */
  async sendLabel(entry, inference, said) {
    const { pair } = entry.item;
    try {
      const answer = await this.call("POST", `stages/${this.config.stage.id}/pairs/${pair.id}/inference/`, { inference, seen: pair.inference });
      pair.inference = answer.inference;
    } catch (error) {
      this.say(error.message);
      await this.queue.refreshHeld();
      return false;
    }
    this.render();
    this.announce(this.t(said, { label: wordOf(this.messages, "inference", inference) }));
    return true;
  }

  renderUndo() {
    super.renderUndo();
    if (!this.entry || !this.replaced.get(this.entry.key)?.length) return;
    for (const node of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-command=undo]"))) node.disabled = false;
  }

  /** Says the tag that stands, or the proposed one, once more. */
  done() {
    if (this.passOver() || !this.entry) return;
    const value = this.entry.value.content.value ?? this.proposed(this.entry);
    if (value) this.tag(value);
    else this.say(this.t("choose_tag", { keys: keyRange(this.keymap, "tag") }));
  }

  /** The tag first, then the inference label that this page gave, then back to the pair before. */
  async undo() {
    const entry = this.editable();
    if (!entry) return;
    const labels = this.replaced.get(entry.key);
    if (this.queue.statusOf(entry) === "saving") this.announce(this.t("saving"));
    else if (this.queue.undoOnServer()) this.announce(this.t("undoing"));
    else if (labels?.length) await this.sendLabel(entry, labels.pop(), "inference_undone");
    else this.back();
  }

  /** Pairs were tagged in bulk: what was held may be among them. */
  confirmed(progress) {
    this.queue.progress = progress;
    this.queue.refreshHeld();
  }
}

new PairTags().run();
