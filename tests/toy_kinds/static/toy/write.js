/** Writing what a sentence says, in other words. */

import { h } from "../site/components/dom.js";
import { Workspace } from "../work/components/workspace.js";
import * as type from "../work/content/text.js";
import { PLAIN } from "../work/logic/keys.js";

class Write extends Workspace {
  constructor() {
    super(type);
    this.keymap = PLAIN;
  }

  build(entry) {
    this.field = type.textField(this, entry);
    return [h("section", { class: "ws-sentence" }, h("p", { class: "words" }, this.describe(entry)), this.field)];
  }

  refresh(entry) {
    if (this.field !== document.activeElement) this.field.value = entry.value.content.text;
  }

  takeFocus() {
    this.field.focus();
  }
}

new Write().run();
