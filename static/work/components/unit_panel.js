/** The units that share the word at the focus, where the scheme lets units overlap: choosing one, beginning another. */

import { spanText } from "../logic/marks.js";
import * as overlaps from "../logic/overlaps.js";
import * as spans from "../logic/spans.js";
import { button, h } from "../../site/components/dom.js";

export class UnitPanel {
  /** @param {import("./span_editor.js").SpanEditor} editor */
  constructor(editor) {
    this.editor = editor;
    const { t } = editor;
    this.list = h("span", { class: "units-here", role: "group", "aria-label": t("units_name") });
    this.node = h("div", { class: "units" }, this.list, button(t("another"), { class: "button button-small", key: "⇧M", onclick: () => editor.page.command("another") }));
  }

  update() {
    const { editor } = this;
    const here = overlaps.unitsAt(editor.spans, editor.at);
    const meant = editor.begun ? null : (editor.meant ?? (here.length ? spans.keyOf(here[0]) : null));
    const within = this.list.contains(document.activeElement);
    this.list.replaceChildren(
      ...(here.length > 1 ? here : []).map((span) => {
        const { name, colour } = editor.labelOf(span.label);
        const text = spanText(span, editor.tokens, editor.unit.spaces);
        return h(
          "button",
          { type: "button", class: "button button-small", "aria-pressed": String(spans.keyOf(span) === meant), onclick: () => this.choose(spans.keyOf(span)) },
          h("bdi", {}, text),
          editor.labels.length > 1 && h("span", { class: "label-name", "data-colour": colour || null }, name),
        );
      }),
    );
    if (within) editor.takeFocus();
  }

  /** @param {string} key */
  choose(key) {
    this.editor.mean(key);
    this.editor.takeFocus();
  }
}
