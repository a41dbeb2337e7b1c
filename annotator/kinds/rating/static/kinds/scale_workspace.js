/** What rating and comparing share: the form, doubt and comment beside it, and the words of the scale for managers. */

import { h } from "../site/components/dom.js";
import { Workspace } from "../work/components/workspace.js";

/** `form` shows and changes the content: a `RatingForm`, a `BestWorstForm`. */
export class ScaleWorkspace extends Workspace {
  constructor(type, makeForm) {
    super(type);
    this.form = makeForm(this);
    this.keymap = this.form.keymap();
    Object.assign(this.commands, this.form.commands);
    document.getElementById("scale")?.addEventListener("submit", (event) => this.setScale(event));
  }

  /** What stands beside the form. */
  side(entry) {
    return h("div", { class: "ws-side" }, this.commentCard(entry));
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

  async setScale(event) {
    event.preventDefault();
    const { question, high, low, points } = event.target.elements;
    const sent = { question: question.value, high: high.value, low: low.value, ...(points && { points: Number(points.value) }) };
    try {
      await this.call("POST", `stages/${this.config.stage.id}/scale/`, sent);
      location.reload();
    } catch (error) {
      event.target.querySelector("[role=alert]").textContent = error.message;
    }
  }
}
