/** Writing one word for the marked one, or saying why none fits. */

import { h, isAgain, setAttributes } from "../site/components/dom.js";
import { Workspace } from "../work/components/workspace.js";
import * as type from "../work/content/substitute.js";
import { PLAIN, composes } from "../work/logic/keys.js";
import { announced, fillBlank, markedCard } from "../work/components/marked.js";
import { bareWord, inCaseOf, mayBeForm, notOneWord, wordKey } from "../work/logic/one_word.js";

class Substitute extends Workspace {
  constructor() {
    super(type);
    this.names = this.config.reasons.map(({ label }) => label);
    this.keymap = [
      ...this.config.reasons.map((_reason, number) => ({ keys: [String(number + 1)], command: `tag${number}`, text: "key_reason_number", number })),
      { keys: ["w"], command: "word", text: "key_word" },
      ...PLAIN,
    ];
    this.config.reasons.forEach(({ value }, number) => {
      this.commands[`tag${number}`] = () => this.choose(value);
    });
    this.commands.word = () => this.field?.focus();
  }

  build(entry) {
    const { t } = this;
    const { marked } = entry.item;
    const word = marked?.word ?? "";
    this.field = type.wordField(this, entry, { label: t("one_word", { word }) });
    this.field.addEventListener("keydown", (event) => this.typed(event));
    this.blank = h("p", { class: "words", "aria-label": t("blank_name") });
    this.hint = h("p", { class: "help", role: "status" });
    this.buttons = this.config.reasons.map(({ value, label }, number) =>
      h("button", { type: "button", class: "tag-button", "data-tag": value, onclick: (event) => isAgain(event) || this.choose(value) }, h("kbd", { "aria-hidden": "true" }, String(number + 1)), h("span", { class: "tag-name" }, label)),
    );
    this.reasons = h("div", { class: "tag-buttons", role: "group", tabindex: "-1", "aria-label": t("reasons_name") }, this.buttons);
    return [
      h(
        "div",
        { class: "ws-main" },
        markedCard(entry.item, t),
        this.goldNotice(entry),
        this.revisedNotice(entry),
        h("section", { class: "ws-card stack-s" }, this.blank, h("label", { class: "stack-s" }, h("span", { class: "strong" }, t("one_word", { word })), this.field), h("p", { class: "help" }, t("one_word_help")), this.hint),
        h("section", { class: "ws-card stack-s" }, h("h2", { class: "ws-side-title" }, t("reasons_name")), this.reasons),
      ),
      h("div", { class: "ws-side" }, this.commentCard(entry)),
    ];
  }

  refresh(entry) {
    const { word, reason } = entry.value.content;
    if (this.field !== document.activeElement && this.field.value !== word) this.field.value = word;
    fillBlank(this.blank, entry.item, inCaseOf(bareWord(word), entry.item.marked?.word ?? ""));
    for (const node of this.buttons) setAttributes(node, { "aria-pressed": node.dataset.tag === reason });
    const said = this.wrong(entry) || this.doubtful(entry);
    if (this.hint.textContent !== said) this.hint.textContent = said;
    this.refreshComment(entry);
  }

  takeFocus(stayInField) {
    if (!stayInField) this.field?.focus();
  }

  describe({ item }) {
    return announced(item, this.t);
  }

  /** Enter finishes, and Esc goes to the reasons: the field is one line. */
  typed(event) {
    if (composes(event)) return;
    if (event.key === "Enter" && !event.repeat) this.command("done");
    else if (event.key === "Escape") this.reasons.focus();
    else return;
    event.preventDefault();
  }

  choose(value) {
    const entry = this.editable();
    if (!entry) return;
    const reason = entry.value.content.reason === value ? "" : value;
    this.field.value = "";
    entry.history.set({ ...entry.value, content: { word: "", reason } });
    this.reasons.focus();
    const label = this.config.reasons.find((one) => one.value === reason)?.label;
    this.refreshed(label ? this.t("reason_chosen", { reason: label }) : this.t("no_word_yet"));
  }

  /** What speaks against the word; "" where nothing does. */
  wrong({ item, value }) {
    const { word } = value.content;
    const wrong = notOneWord(word);
    if (wrong) return this.t(wrong);
    if (word && item.marked && wordKey(bareWord(word)) === wordKey(item.marked.word)) return this.t("same_word");
    return "";
  }

  /** What somebody should look at again before a word is taken; "" where nothing is. */
  doubtful({ item, value }) {
    const { word } = value.content;
    return word && item.marked && mayBeForm(word, [item.marked.word, item.lemma]) ? this.t("other_form", { word: item.marked.word }) : "";
  }

  /** A draft of what is not one word the server would refuse. */
  savable({ value }) {
    return !notOneWord(value.content.word);
  }

  done() {
    if (this.passOver() || !this.entry) return;
    const { word, reason } = type.clean(this.entry.value.content);
    const wrong = this.wrong(this.entry) || (word || reason ? "" : this.t("no_word_yet"));
    if (wrong) {
      this.hint.textContent = wrong;
      this.announce(wrong);
      return;
    }
    const doubtful = this.doubtful(this.entry);
    // Asked once for each word: whoever says it again means it.
    if (doubtful && this.asked !== `${this.entry.item.id} ${word}`) {
      this.asked = `${this.entry.item.id} ${word}`;
      this.announce(doubtful);
    } else super.done();
  }
}

new Substitute().run();
