/** Pair tagging: premise and hypothesis, and the tag in one key, which saves and goes on. */

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
    this.keymap = choiceKeys(values.length, "key_pair_done");
    values.forEach(({ value }, number) => {
      this.commands[`tag${number}`] = () => this.tag(value);
    });
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
    this.buttons = choiceButtons({ values: this.config.values, proposed: this.proposed(entry), t: this.t, onChoose: (value) => this.tag(value) });
    return [
      h(
        "div",
        { class: "ws-main" },
        h(
          "section",
          { class: "ws-sentence", "aria-label": this.t("pair") },
          h("p", { class: "ws-meta" }, inferenceBadge(pair.inference, this.messages), pair.genre && h("span", {}, pair.genre), h("bdi", { class: "ws-uid" }, pair.pair_id)),
          this.goldNotice(entry),
          sourceChanged(entry.item, this),
          pairBody(pair, this, unit.language),
        ),
        this.buttons.node,
      ),
      h("div", { class: "ws-side" }, this.commentCard(entry)),
    ];
  }

  refresh(entry) {
    const { value } = entry.value.content;
    this.buttons.show(value);
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

  /** Says the tag that stands, or the proposed one, once more. */
  done() {
    if (this.passOver() || !this.entry) return;
    const value = this.entry.value.content.value ?? this.proposed(this.entry);
    if (value) this.tag(value);
    else this.say(this.t("choose_tag", { keys: keyRange(this.keymap, "tag") }));
  }

  undo() {
    const entry = this.editable();
    if (!entry) return;
    if (this.queue.statusOf(entry) === "saving") this.announce(this.t("saving"));
    else if (this.queue.undoOnServer()) this.announce(this.t("undoing"));
    else this.back();
  }

  /** Pairs were tagged in bulk: what was held may be among them. */
  confirmed(progress) {
    this.queue.progress = progress;
    this.queue.refreshHeld();
  }
}

new PairTags().run();
