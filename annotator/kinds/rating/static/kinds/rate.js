/** Rating a sentence or its marked words: a digit says it and goes on. */

import { h } from "../js/components/dom.js";
import { Workspace } from "../js/components/workspace.js";
import * as type from "../js/content/rating.js";
import { scaleForm } from "./scale_form.js";

class Rate extends Workspace {
  constructor() {
    super(type);
    this.form = new type.RatingForm(this, () => this.queue.finish());
    this.keymap = this.form.keymap();
    Object.assign(this.commands, this.form.commands);
    scaleForm(this);
  }

  build(entry) {
    return [
      h("div", { class: "ws-main" }, h("section", { class: "ws-sentence" }, this.goldNotice(entry), type.sentenceNode(entry.item)), this.form.nodes(entry)),
      h("div", { class: "ws-side" }, h("section", { class: "ws-card" }, h("h2", { class: "ws-side-title" }, this.t("comment")), this.commentField(entry))),
    ];
  }

  refresh(entry) {
    this.form.show(entry);
    this.refreshComment(entry);
  }

  takeFocus(stayInField) {
    if (!stayInField && this.entry) this.form.focus();
  }

  done() {
    if (this.passOver() || !this.entry) return;
    const missing = this.form.missing(this.entry);
    if (missing) this.announce(this.t(missing));
    else this.queue.finish();
  }
}

new Rate().run();
