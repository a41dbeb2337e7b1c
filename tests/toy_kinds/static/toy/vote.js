/** Voting on a text that somebody wrote: a key says it and goes on. */

import { choiceButtons, valuesOf } from "../work/components/choice_buttons.js";
import { h } from "../site/components/dom.js";
import { Workspace } from "../work/components/workspace.js";
import * as type from "../work/content/choice.js";
import { choiceKeys } from "../work/logic/keys.js";

class Vote extends Workspace {
  constructor() {
    super(type);
    const values = valuesOf(this.config);
    this.names = values.map(({ label }) => label);
    this.keymap = choiceKeys(values.length);
    values.forEach(({ value }, number) => {
      this.commands[`tag${number}`] = () => this.vote(value);
    });
  }

  build(entry) {
    this.buttons = choiceButtons({ values: valuesOf(this.config), t: this.t, onChoose: (value) => this.vote(value) });
    return [h("section", { class: "ws-sentence" }, h("p", { class: "words" }, this.describe(entry))), this.buttons.node];
  }

  refresh(entry) {
    this.buttons.show(entry.value.content.value);
  }

  takeFocus() {
    this.buttons.focus();
  }

  vote(value) {
    const entry = this.editable();
    if (!entry) return;
    entry.history.set({ ...entry.value, content: { value } });
    this.queue.finish();
  }
}

new Vote().run();
