/** Finding words that are grammatical in a sentence and mean something else: from the basic sense of the marked word. */

import { button, h } from "../site/components/dom.js";
import { Workspace } from "../work/components/workspace.js";
import * as type from "../work/content/inapt.js";
import { announced, markedCard } from "../work/components/marked.js";
import { composes } from "../work/logic/keys.js";
import { bareWord, notOneWord, wordKey } from "../work/logic/one_word.js";
import { inLanguage } from "../site/logic/text.js";

// The parts of speech that have a name; those of other lexicons stand without.
const PARTS = new Set(["n", "v", "a", "s", "r"]);

class InaptWords extends Workspace {
  constructor() {
    super(type);
    this.keymap = type.inaptKeys;
    this.rows = new type.Rows(this);
    Object.assign(this.commands, this.rows.commands);
  }

  build(entry) {
    const { t } = this;
    const word = entry.item.marked?.word ?? "";
    this.hint = h("p", { class: "help", role: "status" });
    this.found = h("div", { class: "stack-s" });
    this.asked = h("input", { type: "text", maxlength: "100", ...inLanguage(entry.item.unit.language), "aria-label": t("senses_title", { word }) });
    this.asked.value = word;
    this.asked.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || composes(event)) return;
      event.preventDefault();
      this.lookUp(entry);
    });
    return [
      h("div", { class: "ws-main" }, markedCard(entry.item, t), this.goldNotice(entry), this.revisedNotice(entry), this.rows.build(entry), this.hint),
      h("div", { class: "ws-side" }, h("section", { class: "ws-card stack-s" }, h("h2", { class: "ws-side-title" }, t("senses_title", { word })), h("div", { class: "cluster" }, this.asked, button(t("senses_of"), { class: "button button-small", onclick: () => this.lookUp(entry) })), this.found), this.commentCard(entry)),
    ];
  }

  refresh(entry) {
    this.rows.refresh(entry);
    const wrong = this.wrong(entry);
    const said = wrong ? this.t(wrong) : "";
    if (this.hint.textContent !== said) this.hint.textContent = said;
    this.refreshComment(entry);
  }

  takeFocus(stayInField) {
    if (!stayInField) this.rows.focus();
  }

  describe({ item }) {
    return announced(item, this.t);
  }

  /** A draft with what is not one word in a field the server would refuse. */
  savable({ value }) {
    return !value.content.words.some(({ word }) => notOneWord(word));
  }

  /** What speaks against the words; "" where nothing does. */
  wrong({ item, value }) {
    const { words } = value.content;
    const wrong = words.map(({ word }) => notOneWord(word)).find((message) => message);
    if (wrong) return wrong;
    return item.marked && words.some(({ word }) => wordKey(bareWord(word)) === wordKey(item.marked.word)) ? "same_word" : "";
  }

  async lookUp(entry) {
    const { t } = this;
    const word = this.asked.value.trim();
    if (!word) return;
    this.found.replaceChildren(h("p", { class: "help" }, t("senses_loading")));
    try {
      const { available, senses } = await this.call("GET", `stages/${this.config.stage.id}/senses/?word=${encodeURIComponent(word)}`);
      if (this.entry !== entry) return;
      const one = (sense) => h("li", { class: "version stack-s" }, h("p", {}, PARTS.has(sense.part) && h("span", { class: "badge" }, t(`part_${sense.part}`)), " ", h("bdi", { dir: "auto" }, sense.definition)), sense.words.length > 0 && h("p", { class: "small strong", dir: "auto" }, h("bdi", {}, sense.words.join(", "))), button(t("senses_take"), { class: "button button-small", "aria-label": `${t("senses_take")}: ${[sense.definition, ...sense.words].filter(Boolean).join(", ")}`, onclick: () => this.rows.takeSense(sense) }));
      const nothing = available ? "senses_none" : "senses_missing";
      this.found.replaceChildren(senses.length ? h("ul", { class: "versions ws-senses", role: "list" }, senses.map(one)) : h("p", { class: "help" }, t(nothing)));
      // Dozens of senses are not read out: they are there to be stepped through.
      this.announce(senses.length ? t("senses_number", { n: senses.length }) : t(nothing));
    } catch (error) {
      this.found.replaceChildren(h("p", { class: "notice notice-warning" }, error.message));
    }
  }

  /** What somebody should look at again before their words are taken; "" where nothing is. */
  doubtful(entry) {
    const found = entry.value.content.words.find(({ word }) => type.isWritten(entry, word));
    return found ? this.t("written_word", { word: bareWord(found.word) }) : "";
  }

  done() {
    if (this.passOver() || !this.entry) return;
    const { entry } = this;
    const missing = this.wrong(entry) || this.rows.missing(entry);
    const best = entry.value.content.words.find(({ word }) => type.isBest(entry, word));
    const doubtful = this.doubtful(entry);
    const asking = `${entry.item.id} ${doubtful}`;
    if (missing) this.say(this.t(missing));
    else if (best) this.say(this.t("inapt_best", { word: bareWord(best.word) }));
    // Asked once for each word: whoever says it again means it.
    else if (doubtful && this.asking !== asking) {
      this.asking = asking;
      this.say(doubtful);
    } else super.done();
  }
}

new InaptWords().run();
