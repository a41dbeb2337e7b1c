/** Rating a sentence, or a marked expression of one: a digit says it and goes on. */

import { h } from "../site/components/dom.js";
import * as type from "../work/content/rating.js";
import { ScaleWorkspace } from "./scale_workspace.js";

class Rate extends ScaleWorkspace {
  constructor() {
    super(type, (page) => new type.RatingForm(page, () => page.queue.finish()));
  }

  describe(entry) {
    const text = super.describe(entry);
    const { expression } = entry.item;
    return expression ? this.t("marked_said", { text, focus: expression }) : text;
  }

  build(entry) {
    return [
      h("div", { class: "ws-main" }, h("section", { class: "ws-sentence" }, this.goldNotice(entry), this.revisedNotice(entry), type.sentenceNode(entry.item)), this.form.nodes(entry)),
      this.side(entry),
    ];
  }
}

new Rate().run();
