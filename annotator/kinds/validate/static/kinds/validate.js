/** Judging what somebody else wrote: one key accepts, or rejects for a reason; a correction is written. */

import { h } from "../site/components/dom.js";
import { linesOf, partsList } from "../work/components/parts.js";
import { Workspace } from "../work/components/workspace.js";
import * as type from "../work/content/verdict.js";
import { keyRange } from "../work/logic/keys.js";
import { isTooLong } from "../work/logic/pairs.js";

class Validate extends Workspace {
  constructor() {
    super(type);
    this.form = new type.VerdictForm(this, () => this.chosen());
    this.keymap = this.form.keymap();
    this.names = this.form.names();
    Object.assign(this.commands, this.form.commands);
    document.getElementById("second-question")?.addEventListener("submit", (event) => this.setQuestion(event));
  }

  describe({ item: { unit } }) {
    return linesOf(unit)
      .map((line, number) => line && `${this.config.parts[number] ?? ""}: ${line}`)
      .filter(Boolean)
      .join(" ");
  }

  build(entry) {
    const { unit } = entry.item;
    return [
      h("div", { class: "ws-main" }, h("section", { class: "ws-sentence" }, this.goldNotice(entry), partsList(linesOf(unit), this.config.parts, unit.language)), type.againCard(entry, this), this.form.nodes(entry)),
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

  /** A draft with a text that is too long the server would refuse. */
  savable({ value }) {
    return !isTooLong(value.content.texts, this.config.longest);
  }

  /** As the server's `check_comment`: another reason than those of the list has to be said. */
  lacksComment() {
    return this.entry.value.content.reason === "other" && !this.entry.comment.trim();
  }

  /** A verdict that needs nothing more is saved; another reason needs to be said. */
  chosen() {
    const { content } = this.entry.value;
    if (this.form.missing(this.entry)) return;
    if (this.lacksComment()) this.focusComment();
    else if (content.verdict !== "correct") this.finish();
  }

  /** One key chose it, so U takes the save back, and not the key alone; what was written is undone step by step. */
  finish() {
    if (this.entry.value.content.verdict !== "correct") this.entry.history.reset(this.entry.value);
    this.queue.finish();
  }

  done() {
    if (this.passOver() || !this.entry) return;
    const missing = this.form.missing(this.entry);
    if (!missing && this.lacksComment()) {
      this.say(this.t("say_reason"));
      this.focusComment();
    } else if (missing) this.say(this.t(missing, missing === "choose_verdict" ? { keys: keyRange(this.keymap, "tag") } : {}));
    else this.finish();
  }

  async setQuestion(event) {
    event.preventDefault();
    const { question, values } = event.target.elements;
    try {
      await this.call("POST", `stages/${this.config.stage.id}/question/`, { question: question.value, values: values.value.split("\n").filter((one) => one.trim()) });
      location.reload();
    } catch (error) {
      event.target.querySelector("[role=alert]").textContent = error.message;
    }
  }
}

new Validate().run();
