/** Rewriting a figurative sentence: what changes is shown as one types. */

import { h } from "../site/components/dom.js";
import { markedWords } from "../work/components/marked_words.js";
import { namedFields } from "../work/components/named_fields.js";
import { WritingWorkspace } from "../work/components/writing_workspace.js";
import * as type from "../work/content/rewrite.js";
import { PLAIN } from "../work/logic/keys.js";
import { isTooLong } from "../work/logic/pairs.js";
import { compare } from "../work/logic/rewriting.js";
import { inLanguage } from "../site/logic/text.js";

// Below this share of common words, a sentence hardly keeps most of them.
const FEW = 0.5;

class Rewrite extends WritingWorkspace {
  constructor() {
    super(type);
    this.keymap = PLAIN;
  }

  focusOf({ item: { unit, focus } }) {
    return focus.map((index) => unit.tokens[index]).join(" ");
  }

  describe(entry) {
    return this.t("focus_said", { text: super.describe(entry), focus: this.focusOf(entry) });
  }

  build(entry) {
    const { unit, focus, remarks } = entry.item;
    const { language } = unit;
    this.below = {};
    const remark = ({ reason, texts, comment }) =>
      h("li", { class: "notice notice-warning" }, reason && h("p", { class: "strong" }, reason), comment && h("p", {}, h("bdi", { dir: "auto" }, comment)), texts.length > 1 && h("p", { translate: "no" }, this.t("pair_suggested", { text: texts[1] })));
    const remarksOn = (name) => {
      const own = remarks.filter(({ about }) => about === name);
      return own.length > 0 && h("ul", { class: "versions", role: "list", "aria-label": this.t("pair_remarks") }, own.map(remark));
    };
    this.fields = namedFields({
      page: this,
      names: this.config.names,
      content: entry.value.content,
      language,
      onInput: (name, text) => this.set({ ...this.entry.value.content, [name]: text }),
      below: (name) => [remarksOn(name), (this.below[name] = h("div", { class: "small rewritten" }))],
    });
    return [
      h(
        "div",
        { class: "ws-main" },
        remarks.length > 0 && h("section", { class: "ws-card came-back" }, h("h2", { class: "ws-side-title" }, this.t("pair_came_back")), h("p", {}, this.t("pair_came_back_text"))),
        h("section", { class: "ws-sentence", "aria-label": this.t("focus_name") }, this.goldNotice(entry), this.revisedNotice(entry), h("p", { class: "words", ...inLanguage(language, unit.tokens) }, markedWords(unit, focus))),
        h("section", { class: "ws-card" }, this.fields.node),
      ),
      h("div", { class: "ws-side" }, this.commentCard(entry)),
    ];
  }

  refresh(entry) {
    const { content } = entry.value;
    this.fields.show(content);
    for (const { name } of this.config.names) this.below[name].replaceChildren(...this.changes(entry, name, content[name]));
    this.refreshComment(entry);
  }

  /** What a text makes of the sentence, in words. */
  changes(entry, name, text) {
    const { unit, focus } = entry.item;
    const found = compare(unit.tokens, focus, text);
    if (!found.tokens.length) return [];
    const share = `${Math.round(found.share * 100)} %`;
    const warning = this.warning(entry, name, found, share);
    const tokens = found.tokens.flatMap((token, index) => [index ? " " : "", found.fresh.has(index) ? h("mark", { class: "word-differs" }, token) : token]);
    return [
      h("p", { "aria-hidden": "true", ...inLanguage(unit.language, found.tokens) }, tokens),
      h("p", { class: "muted" }, this.t("share_common", { share }), found.gone.length > 0 && [" · ", h("bdi", {}, this.t("words_gone", { words: found.gone.join(" ") }))], found.fresh.size > 0 && h("span", { class: "visually-hidden" }, this.t("words_new", { words: [...found.fresh].map((index) => found.tokens[index]).join(" ") }))),
      warning && h("p", { class: "notice notice-warning", role: "status" }, warning),
    ].filter(Boolean);
  }

  warning(entry, name, found, share) {
    if (found.same) return this.t("same_sentence");
    // What does not follow may keep the expression, as meant by its words.
    if (found.kept && name !== "changed") return this.t("focus_unchanged", { focus: this.focusOf(entry) });
    return name === "changed" && found.share < FEW ? this.t("few_common", { share }) : null;
  }

  takeFocus(stayInField) {
    if (!stayInField && this.entry) this.fields.focus(this.entry.item.remarks[0]?.about);
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

  /** Whether a text has the words of the sentence and no others, which is refused. */
  repeats({ item: { unit, focus }, value }) {
    return Object.values(value.content).some((text) => compare(unit.tokens, focus, text).same);
  }

  done() {
    if (this.passOver() || !this.entry) return;
    if (!this.savable(this.entry)) this.say(this.t("text_too_long"));
    else if (this.repeats(this.entry)) this.say(this.t("same_sentence"));
    else if (type.clean(this.entry.value.content).paraphrase) super.done();
    else this.say(this.t("first_missing"));
  }
}

new Rewrite().run();
