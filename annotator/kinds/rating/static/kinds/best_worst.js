/** Comparing four sentences, or marked expressions: digits choose the one that has most, digits with Shift the one that has least. */

import { h } from "../site/components/dom.js";
import { linesOf } from "../work/components/parts.js";
import * as type from "../work/content/best-worst.js";
import { ScaleWorkspace } from "./scale_workspace.js";

class BestWorst extends ScaleWorkspace {
  constructor() {
    super(type, (page) => new type.BestWorstForm(page));
  }

  describe({ item: { unit, parts } }) {
    return linesOf(unit)
      .map((line, number) => `${number + 1}: ${parts?.length ? this.t("marked_said", { text: line, focus: parts[number].expression }) : line}`)
      .join(" ");
  }

  build(entry) {
    return [h("div", { class: "ws-main" }, this.goldNotice(entry), this.revisedNotice(entry), this.form.nodes(entry)), this.side(entry)];
  }
}

new BestWorst().run();
