/** Comparing four sentences: digits choose the one that has most, digits with Shift the one that has least. */

import { h } from "../js/components/dom.js";
import { linesOf } from "../js/components/parts.js";
import { Workspace } from "../js/components/workspace.js";
import * as type from "../js/content/best-worst.js";
import { scaleForm } from "./scale_form.js";

class BestWorst extends Workspace {
  constructor() {
    super(type);
    this.form = new type.BestWorstForm(this);
    this.keymap = this.form.keymap();
    Object.assign(this.commands, this.form.commands);
    scaleForm(this);
  }

  describe({ item: { unit } }) {
    return linesOf(unit)
      .map((line, number) => `${number + 1}: ${line}`)
      .join(" ");
  }

  build(entry) {
    return [
      h("div", { class: "ws-main" }, this.goldNotice(entry), this.form.nodes(entry)),
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

new BestWorst().run();
