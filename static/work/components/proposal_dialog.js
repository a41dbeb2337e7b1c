/** Proposing a sentence for the guidelines, from a decision. */

import { button, h } from "../../site/components/dom.js";
import { dialog, openDialog } from "../../site/components/dialogs.js";

const FIELD = "ws-proposal-field";
const NOTE = "ws-proposal-note";

/**
 * `text`: what the field begins with. `send(text)` rejects with an error whose message says why it is refused; `onSent`
 * follows it.
 *
 * @param {object} what
 * @param {string} what.text
 * @param {import("../../site/logic/text.js").Translate} what.t
 * @param {(text: string) => Promise<unknown>} what.send
 * @param {() => void} what.onSent
 */
export function openProposal({ text, t, send, onSent }) {
  const field = h("textarea", { id: FIELD, class: "text-field", rows: "4", "aria-describedby": NOTE, spellcheck: "true" });
  field.value = text;
  const said = h("div", { role: "alert" });
  const submit = button(t("proposal_send"), { class: "button button-primary", onclick: () => sent() });
  const node = dialog(
    t("proposal_title"),
    t,
    h("label", { for: FIELD, class: "small muted" }, t("proposal_label")),
    field,
    h("p", { id: NOTE, class: "small muted" }, t("proposal_note")),
    said,
    h("div", { class: "cluster" }, submit, button(t("text_cancel"), { onclick: () => node.close() })),
  );
  node.classList.add("dialog-wide");

  async function sent() {
    submit.disabled = true;
    try {
      await send(field.value);
      node.close();
      onSent();
    } catch (error) {
      said.replaceChildren(h("p", { class: "notice notice-error" }, /** @type {Error} */ (error).message));
      field.focus();
    } finally {
      submit.disabled = false;
    }
  }

  openDialog(node);
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}
