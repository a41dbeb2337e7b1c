/** Choosing the best of the words that were written for a sentence, or verifying the one that most people wrote. */

import { h, isAgain } from "../site/components/dom.js";
import { Workspace } from "../work/components/workspace.js";
import * as type from "../work/content/best.js";
import { announced, markedCard } from "../work/components/marked.js";

/** The words as they are offered: to whoever verifies the best one, those first that most people wrote. */
const offered = (item) => item.proposals?.map(({ word }) => word) ?? type.offered(item);

/** The words as buttons; to whoever verifies the best one, with how many wrote each, and what most wrote in one act. */
class Options extends type.Options {
  constructor(page) {
    super(page);
    this.commands.acceptProposed = () => this.accept();
  }

  build(entry) {
    const { t } = this.page;
    const { proposals = [], proposed = [] } = entry.item;
    const said = new Map(proposals.map(({ word, count }) => [word, t("options_written", { n: count })]));
    const accept = h("button", { type: "button", class: "button", onclick: (event) => isAgain(event) || this.accept() }, t("accept_proposed", { words: proposed.join(" = ") }), " ", h("kbd", { "aria-hidden": "true" }, "A"));
    return super.build(entry, { words: offered(entry.item), said, first: proposed.length > 0 && h("p", {}, accept) });
  }

  /** Choose what most people wrote. */
  accept() {
    const entry = this.page.editable();
    const proposed = entry?.item.proposed ?? [];
    if (proposed.length) this.set(entry, { words: [...proposed], none: false });
  }
}

class ChooseBest extends Workspace {
  constructor() {
    super(type);
    this.options = new Options(this);
    Object.assign(this.commands, this.options.commands);
  }

  build(entry) {
    const accept = entry.item.proposed?.length ? [{ keys: ["a"], command: "acceptProposed", text: "key_accept_proposed" }] : [];
    this.keymap = type.optionKeys(entry.item.unit.tokens.length, accept);
    this.names = offered(entry.item);
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
    return `${announced(item, this.t)} ${offered(item).join(", ")}.`;
  }

  done() {
    if (this.passOver() || !this.entry) return;
    const missing = this.options.missing(this.entry);
    if (missing) this.say(this.t(missing));
    else super.done();
  }
}

new ChooseBest().run();
