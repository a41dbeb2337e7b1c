/** Choosing the best of the words that were written for a sentence, or verifying the one that most people wrote. */

import { h } from "../js/components/dom.js";
import { Workspace } from "../js/components/workspace.js";
import * as type from "../js/content/best.js";
import { announced, markedCard } from "../js/components/marked.js";

class ChooseBest extends Workspace {
  constructor() {
    super(type);
    this.options = new type.Options(this);
    Object.assign(this.commands, this.options.commands);
  }

  build(entry) {
    this.keymap = type.optionKeys(entry.item.unit.tokens.length, entry.item.proposed);
    this.names = type.offered(entry.item);
    return [h("div", { class: "ws-main" }, markedCard(entry.item, this.t), this.goldNotice(entry), this.options.build(entry)), h("div", { class: "ws-side" }, this.commentCard(entry))];
  }

  refresh(entry) {
    this.options.show(entry.value.content);
    this.refreshComment(entry);
  }

  takeFocus(stayInField) {
    if (!stayInField) this.options.focus();
  }

  describe({ item }) {
    return `${announced(item, this.t)} ${type.offered(item).join(", ")}.`;
  }

  done() {
    if (this.passOver() || !this.entry) return;
    const missing = this.options.missing(this.entry);
    if (missing) this.say(this.t(missing));
    else super.done();
  }
}

new ChooseBest().run();
