/** The labels that may stand on the sentence, where no word bears them, as buttons. */

import * as spans from "../logic/spans.js";
import { h, setAttributes } from "../../site/components/dom.js";

/** @import { Draft } from "../../../types/wire" */

export class SentenceLabels {
  /** @type {HTMLElement[]} */
  nodes = [];

  /** @param {import("./span_editor.js").SpanEditor} editor */
  constructor(editor) {
    this.editor = editor;
    this.t = editor.t;
    this.labels = editor.labels.filter((label) => label.tokenless);
  }

  /** The buttons. */
  build() {
    this.nodes = this.labels.map(({ code, name, colour, description }, number) =>
      h(
        "button",
        { type: "button", class: "button button-small", "data-colour": colour || null, title: description || null, onclick: () => this.toggle(code) },
        h("span", { class: "chip-sign", "aria-hidden": "true" }),
        h("span", { class: "label-name", "data-colour": colour || null }, name),
        number === 0 && h("kbd", { "aria-hidden": "true" }, "0"),
      ),
    );
    return h("div", { class: "sentence-labels", role: "group", "aria-label": this.t("on_sentence_name") }, h("span", { class: "muted" }, this.t("on_sentence")), this.nodes);
  }

  /**
   * @param {Draft[]} now
   * @param {Draft[] | null} suggested
   */
  refresh(now, suggested) {
    const has = (list, code) => (list ?? []).some((span) => !span.tokens.length && span.label === code);
    this.labels.forEach(({ code }, number) => {
      const node = this.nodes[number];
      const [there, offered] = [has(now, code), has(suggested, code)];
      setAttributes(node, { "aria-pressed": there });
      node.firstElementChild.textContent = there ? (offered ? "✓" : "+") : offered ? "−" : "";
    });
  }

  /** The chosen label on the sentence where it may stand there, else the one that may; among several one is gone to. */
  label() {
    const chosen = this.labels.find(({ code }) => code === this.editor.label) ?? (this.labels.length === 1 ? this.labels[0] : null);
    if (chosen) this.toggle(chosen.code);
    else this.nodes[0]?.focus();
  }

  /** @param {string} code */
  toggle(code) {
    const { editor } = this;
    const there = editor.spans.some((span) => !span.tokens.length && span.label === code);
    const { name } = editor.labelOf(code);
    editor.edit((list) => ({ spans: spans.toggleOnSentence(list, code) }), this.t(there ? "off_sentence_said" : "on_sentence_said", { label: name }));
  }
}
