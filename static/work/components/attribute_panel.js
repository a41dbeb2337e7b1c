/** What is further said of the unit at the focus, and of labels on the sentence: attributes, set by pointer or keys. */

import { composes } from "../logic/keys.js";
import { attributesOf } from "../logic/labels.js";
import { spanText } from "../logic/marks.js";
import * as spans from "../logic/spans.js";
import { h, setAttributes } from "../../site/components/dom.js";

/** @import { Attribute } from "../logic/labels.js" */
/** @import { Draft } from "../../../types/wire" */

// Up to so many values are buttons; more of them are a list to choose from.
const FEW = 4;

export class AttributePanel {
  /** By unit and vocabulary, the terms that are used elsewhere. @type {Map<string, Promise<string[]>>} */
  vocabularies = new Map();

  /** What the controls are made for. */
  made = "";

  /** @type {{ key: string, attribute: Attribute, node: HTMLElement, show: (value: string) => void }[]} */
  controls = [];

  /** @param {import("./span_editor.js").SpanEditor} editor */
  constructor(editor) {
    this.editor = editor;
    this.page = editor.page;
    this.t = editor.t;
    this.node = h("section", { class: "attributes", "aria-label": this.t("attributes_title"), hidden: true });
  }

  /** Shows the attributes of these spans; controls stay where they are while the spans do. @param {Draft[]} shown */
  update(shown) {
    const rows = shown.map((span) => ({ span, attributes: attributesOf(this.editor.scheme, span.label) })).filter(({ attributes }) => attributes.length);
    const wanted = JSON.stringify(rows.map(({ span }) => spans.keyOf(span)));
    this.node.hidden = !rows.length;
    if (wanted !== this.made) {
      const within = this.node.contains(document.activeElement);
      this.made = wanted;
      this.controls = [];
      this.node.replaceChildren(...rows.map(({ span, attributes }) => this.row(span, attributes)));
      if (within) this.editor.takeFocus();
    }
    for (const { key, attribute, show } of this.controls) {
      show(shown.find((span) => spans.keyOf(span) === key)?.attributes?.[attribute.code] ?? "");
    }
  }

  /**
   * Goes to the first control, or to that of an attribute of a span; whether there is one.
   *
   * @param {string} [code]
   * @param {string} [key] The span's `keyOf`.
   */
  focus(code, key) {
    const own = this.controls.find((one) => one.attribute.code === code && one.key === key)?.node ?? this.node;
    const first = /** @type {HTMLElement | null} */ (own.querySelector("button, select, input"));
    first?.focus();
    return Boolean(first);
  }

  /**
   * @param {Draft} span
   * @param {Attribute[]} attributes
   */
  row(span, attributes) {
    const { name, colour } = this.editor.labelOf(span.label);
    const text = spanText(span, this.editor.tokens, this.editor.unit.spaces, this.t("on_sentence"));
    return h(
      "div",
      { class: "attributes-row", role: "group", "aria-label": `${text}: ${name}` },
      h("span", { class: "attributes-unit" }, h("bdi", {}, text), " ", h("span", { class: "label-name", "data-colour": colour || null }, name)),
      attributes.map((attribute) => this.control(span, attribute)),
    );
  }

  /**
   * @param {Draft} span
   * @param {Attribute} attribute
   */
  control(span, attribute) {
    const key = spans.keyOf(span);
    const { node, show } = attribute.values.length ? this.values(key, attribute) : this.text(key, attribute);
    this.controls.push({ key, attribute, node, show });
    return node;
  }

  /**
   * @param {string} key
   * @param {Attribute} attribute
   */
  values(key, attribute) {
    const caption = h("span", { class: "attributes-name", title: attribute.description || null }, attribute.name, attribute.obligatory && h("span", { class: "attributes-must" }, this.t("obligatory")), attribute.key && h("kbd", { "aria-hidden": "true" }, attribute.key.toUpperCase()));
    if (attribute.values.length > FEW) {
      const choose = h("select", { "aria-label": attribute.name, onchange: () => this.set(key, attribute, choose.value) }, ["", ...attribute.values].map((value) => h("option", { value }, value || "–")));
      return {
        node: h("label", { class: "attributes-control" }, caption, choose),
        show: (value) => {
          choose.value = value;
        },
      };
    }
    const buttons = attribute.values.map((value) =>
      h("button", { type: "button", class: "button button-small", "data-value": value, onclick: (event) => this.set(key, attribute, event.currentTarget.getAttribute("aria-pressed") === "true" ? "" : value) }, value),
    );
    return {
      node: h("span", { class: "attributes-control", role: "group", "aria-label": attribute.name }, caption, buttons),
      show: (value) => buttons.forEach((one) => setAttributes(one, { "aria-pressed": one.dataset.value === value })),
    };
  }

  /**
   * @param {string} key
   * @param {Attribute} attribute
   */
  text(key, attribute) {
    const id = `terms-${attribute.code}-${key}`;
    const terms = h("datalist", { id });
    const field = h("input", { type: "text", dir: "auto", maxlength: "200", autocomplete: "off", list: attribute.vocabulary ? id : null });
    const commit = () => this.set(key, attribute, field.value.trim().replaceAll(/\s+/g, " "));
    field.addEventListener("change", commit);
    field.addEventListener("focus", () => attribute.vocabulary && this.offer(attribute.code, terms));
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || composes(event)) return;
      // Also before Ctrl+Enter, which finishes the item.
      commit();
      if (event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const fields = [...this.node.querySelectorAll("button, select, input")];
      const next = fields[fields.indexOf(field) + 1];
      if (next) next.focus();
      else this.editor.takeFocus();
    });
    return {
      node: h("label", { class: "attributes-control attributes-text" }, h("span", { class: "attributes-name", title: attribute.description || null }, attribute.name, attribute.obligatory && h("span", { class: "attributes-must" }, this.t("obligatory"))), field, terms),
      show: (value) => {
        if (field !== document.activeElement) field.value = value;
      },
    };
  }

  /**
   * @param {string} key
   * @param {Attribute} attribute
   * @param {string} value
   */
  set(key, attribute, value) {
    const { name, code, vocabulary } = attribute;
    const changed = this.editor.edit((list) => ({ spans: spans.setAttribute(list, key, code, value) }), value ? this.t("attribute_set", { name, value }) : this.t("attribute_unset", { name }));
    if (changed && vocabulary) this.vocabularies.clear();
  }

  /** Offers the terms that the project has used. */
  async offer(code, node) {
    // Elsewhere than in the unit at hand, so each unit has its own.
    const key = `${this.editor.unit.id} ${code}`;
    if (!this.vocabularies.has(key)) this.vocabularies.set(key, this.editor.terms(code));
    let terms;
    try {
      terms = await this.vocabularies.get(key);
    } catch {
      // Without the list people can write all the same.
      this.vocabularies.delete(key);
      return;
    }
    const own = this.editor.spans.map((span) => span.attributes?.[code]).filter(Boolean);
    node.replaceChildren(...[...new Set([...terms, ...own])].map((value) => h("option", { value })));
  }
}
