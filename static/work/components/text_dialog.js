/** Fixing the text of a sentence: a field with its wording, what it means for labels, and both texts where two fixed it. */

import { button, h } from "../../site/components/dom.js";
import { dialog, openDialog } from "../../site/components/dialogs.js";
import { composes } from "../logic/keys.js";
import { inLanguage } from "../../site/logic/text.js";

const FIELD = "ws-text-field";
const NOTE = "ws-text-note";

/**
 * `before`: the text that an earlier fix replaced, or "". `send(text, unit)` saves over the revision `unit` (null: the
 * one that is shown) and resolves with null, or with the error of a refusal; `onSaved` follows.
 *
 * @param {object} what
 * @param {string} what.text
 * @param {string} what.before
 * @param {string} what.lang
 * @param {import("../../site/logic/text.js").Translate} what.t
 * @param {(text: string, unit: number | null) => Promise<any>} what.send
 * @param {() => void} what.onSaved
 */
export function openText({ text, before, lang, t, send, onSaved }) {
  /** @type {number | null} */
  let over = null;
  const field = h("textarea", { id: FIELD, class: "text-field", rows: "4", ...inLanguage(lang, [text]), "aria-describedby": NOTE, spellcheck: "true" });
  field.value = text;
  const said = h("div", { class: "text-said", role: "alert" });
  const save = button(t("text_save"), { class: "button button-primary", key: "↵", onclick: () => submit(field.value) });
  const cancel = button(t("text_cancel"), { onclick: () => node.close() });
  const back = before && before !== text && button(t("text_before"), { class: "button button-quiet", onclick: () => put(before) });
  const buttons = [save, cancel, back].filter(Boolean);
  const node = dialog(
    t("text_fix"),
    t,
    h("label", { for: FIELD, class: "small muted" }, t("text_label")),
    field,
    h("p", { id: NOTE, class: "small muted" }, t("text_note")),
    said,
    h("div", { class: "cluster" }, buttons),
  );
  node.classList.add("dialog-wide");
  field.addEventListener("keydown", (event) => {
    // A sentence is one line; Shift makes another where somebody wants it.
    if (event.key !== "Enter" || event.shiftKey || composes(event)) return;
    event.preventDefault();
    submit(field.value);
  });

  function put(value) {
    field.value = value;
    field.focus();
  }

  async function submit(value) {
    const wording = value.trim();
    if (!wording || (over === null && wording === text)) {
      said.replaceChildren(h("p", { class: "notice notice-warning" }, t(wording ? "text_same" : "text_empty")));
      field.focus();
      return;
    }
    const all = /** @type {NodeListOf<HTMLButtonElement>} */ (node.querySelectorAll("button"));
    for (const one of all) one.disabled = true;
    const error = await send(wording, over);
    for (const one of all) one.disabled = false;
    if (!error) {
      node.close();
      onSaved();
    } else if (error.code === "conflict" && error.theirs) {
      // Both texts are in sight now: what is saved next goes over the other one.
      over = error.theirs.unit;
      said.replaceChildren(...both(error, wording));
      said.querySelector("button")?.focus();
    } else {
      said.replaceChildren(h("p", { class: "notice notice-error" }, error.message));
      field.focus();
    }
  }

  /** The two wordings, and a button for each. */
  function both({ message, theirs }, wording) {
    const side = (title, words, take, value) =>
      h("section", { class: "conflict-side" }, h("h3", {}, title), h("p", { class: "words", ...inLanguage(lang, [words]) }, words), button(take, { class: "button", onclick: () => submit(value) }));
    return [
      h("p", { class: "notice notice-warning" }, message),
      h("div", { class: "conflict-sides" }, side(t("conflict_mine"), wording, t("conflict_take_mine"), wording), side(t("conflict_theirs"), theirs.text, t("conflict_take_theirs"), theirs.text)),
    ];
  }

  openDialog(node);
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
  return node;
}
