/** Defining an expression; whoever manages the project brings expressions and pairs in line here. */

import { h } from "../site/components/dom.js";
import { namedFields } from "../work/components/named_fields.js";
import { Workspace } from "../work/components/workspace.js";
import * as type from "../work/content/definitions.js";
import { PLAIN } from "../work/logic/keys.js";
import { isTooLong } from "../work/logic/pairs.js";
import { inLanguage } from "../site/logic/text.js";

// Of what is refused for one reason, so many are listed.
const NAMED = 50;

class Define extends Workspace {
  constructor() {
    super(type);
    this.keymap = PLAIN;
    document.getElementById("bring-pairs")?.addEventListener("submit", (event) => this.bring(event));
  }

  build(entry) {
    const { unit, examples, more } = entry.item;
    const { language } = unit;
    this.fields = namedFields({ page: this, names: this.config.names, content: entry.value.content, language, onInput: (name, text) => this.set({ ...this.entry.value.content, [name]: text }) });
    const example = (text) => h("li", inLanguage(language, [text]), text);
    return [
      h(
        "div",
        { class: "ws-main" },
        h("section", { class: "ws-sentence" }, this.goldNotice(entry), h("p", { class: "ws-meta" }, this.t("expression")), h("p", { class: "words", ...inLanguage(language, unit.tokens) }, super.describe(entry))),
        h("section", { class: "ws-card" }, this.fields.node),
      ),
      h(
        "div",
        { class: "ws-side" },
        examples.length > 0 && h("section", { class: "ws-card" }, h("h2", { class: "ws-side-title" }, this.t("occurs_in")), h("ul", {}, examples.map(example)), more > 0 && h("p", { class: "small muted" }, this.t("occurs_more", { n: more }))),
        this.commentCard(entry),
      ),
    ];
  }

  refresh(entry) {
    this.fields.show(entry.value.content);
    this.refreshComment(entry);
  }

  takeFocus(stayInField) {
    if (!stayInField && this.entry) this.fields.focus();
  }

  set(content) {
    const entry = this.editable();
    if (!entry) return;
    entry.history.set({ ...entry.value, content });
    this.refreshed();
  }

  /** A draft with a text that is too long the server would refuse. */
  savable({ value }) {
    return !isTooLong(Object.values(value.content), this.config.longest);
  }

  done() {
    if (this.passOver() || !this.entry) return;
    if (!this.savable(this.entry)) this.say(this.t("text_too_long"));
    else if (type.clean(this.entry.value.content).correct) super.done();
    else this.say(this.t("first_missing"));
  }

  /** Some at a time, so that no call takes long; what it did is said at the end. */
  async bring(event) {
    event.preventDefault();
    const form = event.target;
    const [said, problem, start] = ["[role=status]", "[role=alert]", "button"].map((one) => form.querySelector(one));
    const done = { expressions: 0, pairs: 0, withdrawn: 0, refused: {}, named: [] };
    const hadFocus = document.activeElement === start;
    start.disabled = true;
    problem.textContent = "";
    try {
      for (const what of ["expressions", "pairs"]) {
        for (let after = 0; after !== null; ) {
          said.textContent = this.t("bringing", { n: done.expressions, made: done.pairs });
          const found = await this.call("POST", `stages/${this.config.stage.id}/pairs/`, { what, after });
          done[what] += found.made;
          done.withdrawn += found.withdrawn;
          for (const [reason, count] of Object.entries(found.refused)) done.refused[reason] = (done.refused[reason] ?? 0) + count;
          done.named.push(...found.named);
          after = found.after;
        }
      }
      said.replaceChildren(...this.report(done));
      form.querySelector(".due")?.remove();
      if (!this.entry) this.queue.retry();
    } catch (error) {
      said.textContent = "";
      problem.textContent = error.message;
    } finally {
      start.disabled = false;
      // A button that is disabled loses it.
      if (hadFocus && document.activeElement === document.body) start.focus();
    }
  }

  report({ expressions, pairs, withdrawn, refused, named }) {
    const reasons = Object.entries(refused);
    const total = reasons.reduce((sum, [, count]) => sum + count, 0);
    return [
      h("p", {}, this.t("brought", { n: expressions, made: pairs, withdrawn })),
      total > 0 && h("p", {}, this.t("refused", { n: total })),
      ...reasons.map(([name, n]) => this.refusal(name, n, named.filter(({ reason }) => reason === name).slice(0, NAMED))),
    ].filter(Boolean);
  }

  /** What was refused for one reason: how many, and the first of them with their sentences. */
  refusal(name, count, named) {
    const { language } = this.config.stage;
    const text = (words) => h("bdi", inLanguage(language, [words]), words);
    const one = ({ segment, sentence, definition }) => h("li", {}, h("a", { href: this.config.sentence.replace("/0/", `/${segment}/`) }, text(sentence)), " · ", text(definition));
    return h(
      "details",
      { class: "more" },
      h("summary", {}, this.t("refused_for", { reason: this.config.refusals[name], n: count })),
      h("ul", { class: "more-inside small" }, named.map(one)),
      count > named.length && h("p", { class: "small muted" }, this.t("refused_more", { n: count - named.length })),
    );
  }
}

new Define().run();
