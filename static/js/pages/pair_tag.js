/** Pair tagging: premise and hypothesis, and the tag in one key, which saves and goes on. */

import { inferenceBadge } from "../components/context.js";
import { BulkPanel } from "../components/bulk_panel.js";
import { pairBody, tagButtons } from "../components/pair_view.js";
import { h, setAttributes } from "../components/dom.js";
import { Workspace } from "../components/workspace.js";
import { pairKeys } from "../logic/keys.js";

class PairTag extends Workspace {
  constructor() {
    super();
    this.saveCall = "tag";
    this.names = this.config.tags.map((tag) => tag.label);
    this.keymap = pairKeys(this.config.tags.length);
    this.config.tags.forEach((tag, number) => {
      this.commands[`tag${number}`] = () => this.tag(tag.value);
    });
    this.bulk = new BulkPanel({
      node: document.getElementById("ws-bulk"),
      load: () => this.call("GET", `stages/${this.config.stage.id}/no-metaphor/`),
      confirm: (pairs) => this.call("POST", `stages/${this.config.stage.id}/no-metaphor/`, { pairs }),
      onConfirmed: () => this.confirmed(),
      t: this.t,
    });
    document.querySelector("[data-bulk]").addEventListener("click", () => this.bulk.toggle());
  }

  read(item) {
    return { key: item.id, value: { tag: item.tag.tag }, comment: item.tag.comment, version: item.tag.version, done: item.state === "done", canUndo: item.tag.can_undo };
  }

  content({ value, comment }) {
    return { tag: value.tag, comment };
  }

  savable(entry) {
    return entry.value.tag !== null;
  }

  nameOf(entry) {
    return entry.item.pair.pair_id;
  }

  tagName(value) {
    return this.config.tags.find((tag) => tag.value === value)?.label ?? this.t("no_tag");
  }

  describe({ item: { pair } }) {
    return this.t("announce_pair", { premise: pair.premise.tokens.join(" "), hypothesis: pair.hypothesis.tokens.join(" "), inference: this.t(`inference_${pair.inference}`) });
  }

  sides({ entry, theirs }) {
    const view = (tag, comment) => h("div", {}, h("p", { class: "strong" }, this.tagName(tag)), comment && h("p", { class: "small" }, h("bdi", {}, comment)));
    return {
      mine: view(entry.value.tag, entry.comment),
      theirs: view(theirs.tag, theirs.comment),
      theirState: { value: { tag: theirs.tag }, comment: theirs.comment ?? "" },
      both: null,
    };
  }

  build(entry) {
    const { pair } = entry.item;
    this.buttons = tagButtons({ tags: this.config.tags, suggested: entry.item.suggested, t: this.t, onTag: (value) => this.tag(value) });
    return [
      h(
        "div",
        { class: "ws-main" },
        h(
          "section",
          { class: "ws-sentence", "aria-label": this.t("pair") },
          h("p", { class: "ws-meta" }, inferenceBadge(pair.inference, this.t), pair.genre && h("span", {}, pair.genre), h("bdi", { class: "ws-uid" }, pair.pair_id)),
          entry.item.gold && h("p", { class: "notice notice-warning" }, this.t("gold_decided")),
          pairBody(pair, this.t, this.config.stage.language),
        ),
        this.buttons.node,
      ),
      h("div", { class: "ws-side" }, h("section", { class: "ws-card" }, h("h2", { class: "ws-side-title" }, this.t("comment")), this.commentField(entry, this.t("comment"), { placeholder: this.t("comment_placeholder") }))),
    ];
  }

  refresh(entry) {
    this.buttons.show(entry.value.tag);
    const comment = this.parts.body.querySelector(".ws-comment");
    if (comment && comment !== document.activeElement && comment.value !== entry.comment) comment.value = entry.comment;
    for (const node of this.parts.actions.querySelectorAll("[data-command=done]")) {
      setAttributes(node, { "aria-disabled": !entry.value.tag && !entry.item.suggested });
    }
  }

  takeFocus(stayInField) {
    if (!stayInField && this.entry) this.buttons.focus();
  }

  tag(value) {
    const entry = this.editable();
    if (!entry) return;
    entry.history.reset({ tag: value });
    this.announce(this.t("tagged", { tag: this.tagName(value) }));
    this.queue.finish();
  }

  /** Says the tag that stands, or the proposed one, once more. */
  done() {
    if (this.passOver()) return;
    const value = this.entry?.value.tag ?? this.entry?.item.suggested;
    if (value) this.tag(value);
    else this.announce(this.t("choose_tag"));
  }

  undo() {
    if (!this.editable()) return;
    if (this.queue.statusOf(this.entry) === "saving") this.announce(this.t("saving"));
    else if (this.queue.undoOnServer()) this.announce(this.t("undoing"));
    else this.back();
  }

  /** Pairs were tagged in bulk: what was held may be among them. */
  confirmed() {
    this.queue.refreshHeld();
  }
}

new PairTag().run();
