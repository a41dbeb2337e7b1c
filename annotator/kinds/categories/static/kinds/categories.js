/** Categories of both sentences of a pair: digits choose, arrows go to the other sentence. */

import { h } from "../site/components/dom.js";
import { linesOf } from "../work/components/parts.js";
import { Workspace } from "../work/components/workspace.js";
import * as type from "../work/content/categories.js";

class Categories extends Workspace {
  constructor() {
    super(type);
    this.form = new type.CategoriesForm(this);
    this.keymap = this.form.keymap();
    Object.assign(this.commands, this.form.commands);
  }

  describe({ item: { unit } }) {
    return linesOf(unit).slice(0, 2).filter(Boolean).join(" ");
  }

  build(entry) {
    return [
      h("div", { class: "ws-main" }, this.goldNotice(entry), this.form.nodes(entry)),
      h("div", { class: "ws-side" }, this.commentCard(entry)),
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
    if (missing) this.say(this.t(missing));
    else this.queue.finish();
  }
}

new Categories().run();
