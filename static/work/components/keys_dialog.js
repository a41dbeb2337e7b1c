/** Every key of the page, and changing them: a person's keys apply in all workspaces. */

import { button, h } from "../../site/components/dom.js";
import { dialog, openDialog } from "../../site/components/dialogs.js";
import { keyName, keyWords, readable } from "../logic/keys.js";
import { isOwn, objection } from "../logic/own_keys.js";

/** @import { Entry } from "../logic/keys.js" */

/** What is only held down together with a key. */
const MODIFIERS = new Set(["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock"]);

/** @param {import("./workspace.js").Workspace} page */
export const openKeys = (page) => openDialog(new KeysDialog(page).node);

class KeysDialog {
  /** The command that waits for its new key. @type {string | null} */
  asking = null;

  /** @param {import("./workspace.js").Workspace} page */
  constructor(page) {
    this.page = page;
    this.t = page.t;
    const { t } = page;
    this.list = h("dl", { class: "keys" });
    this.said = h("p", { class: "help", role: "status" });
    const box = h("input", { type: "checkbox", onchange: () => this.#keep({ ...page.own, singles: box.checked }) });
    box.checked = page.own.singles;
    const reset = button(t("keys_reset"), { class: "button button-small", onclick: () => this.#keep({ ...page.own, changed: {} }) });
    this.node = dialog(t("keys_title"), t, h("p", { class: "muted small" }, t("keys_note")), this.said, this.list, h("div", { class: "spread" }, h("label", { class: "check" }, box, t("keys_singles")), reset));
    this.node.classList.add("dialog-wide");
    this.node.addEventListener("keydown", (event) => this.#pressed(event));
    // Escape ends the question, not the dialog.
    this.node.addEventListener("cancel", (event) => {
      if (this.asking === null) return;
      event.preventDefault();
      this.#ask(null);
    });
    this.show();
  }

  show() {
    this.list.replaceChildren(...this.page.keys().map((entry) => this.#row(entry)));
  }

  /** @param {Entry} entry */
  #row(entry) {
    const { t, page } = this;
    const what = this.#says(entry);
    const asks = entry.command === this.asking;
    const keys = entry.keys.map((key) => h("kbd", {}, readable(key, keyWords(t))));
    if (asks) keys.splice(0, keys.length, h("span", { class: "muted" }, t("keys_press")));
    const gesture = entry.gesture && h("span", { class: "muted" }, t(entry.gesture));
    // Of what the pointer does beside a key, and of what it alone does.
    const [beside, alone] = entry.keys.length || asks ? [gesture && [" · ", gesture], null] : [null, gesture];
    const changes = isOwn(entry) && (entry.keys.length || entry.command in page.own.changed) && [
      asks && button(t("keys_none"), { class: "button button-quiet button-small", onclick: () => this.#give(entry.command, "") }),
      button(t(asks ? "keys_cancel" : "keys_change"), { class: "button button-quiet button-small", "aria-label": `${t(asks ? "keys_cancel" : "keys_change")}: ${what}`, "data-change": entry.command, onclick: () => this.#ask(asks ? null : entry.command) }),
    ];
    return h("div", { class: `keys-row${asks ? " is-asking" : ""}` }, h("dt", {}, keys, alone), h("dd", {}, h("span", { class: "keys-what" }, what, beside), changes));
  }

  #says(entry) {
    return this.t(entry.text, { name: entry.name ?? this.page.names[entry.number] ?? "" });
  }

  #ask(command) {
    const before = this.asking ?? command;
    this.asking = command;
    this.said.textContent = "";
    this.show();
    /** @type {HTMLElement | null} */ (this.list.querySelector(`[data-change="${before}"]`))?.focus();
  }

  #pressed(event) {
    if (this.asking === null || MODIFIERS.has(event.key) || event.key === "Escape" || event.key === "Tab") return;
    // The button that has the focus must not be pressed by it.
    event.preventDefault();
    const key = keyName(event);
    const against = objection(key, this.asking, this.page.keymapHere(), this.page.own.changed);
    if (against === null) this.#give(this.asking, key);
    else this.#refuse(this.#why(readable(key, keyWords(this.t)), against));
  }

  /** Why a key cannot be given: what it does here, or in which other workspace it does something. */
  #why(key, against) {
    const { t } = this;
    if (against === "reserved") return t("keys_reserved", { key });
    const { holder, where } = against;
    if (!where) return t("keys_conflict", { key, what: this.#says(holder) });
    // What digits stand for differs from stage to stage.
    const what = holder.number === undefined ? t(holder.text, { name: "" }) : t("keys_number");
    return t("keys_conflict_elsewhere", { key, what, where: t(where) });
  }

  #give(command, key) {
    return this.#keep({ ...this.page.own, changed: { ...this.page.own.changed, [command]: key } });
  }

  async #keep(own) {
    try {
      await this.page.setOwnKeys(own);
      this.#ask(null);
      this.said.className = "help";
      this.said.textContent = this.t("keys_saved");
    } catch (error) {
      this.#refuse(error.message);
    }
  }

  #refuse(text) {
    this.said.className = "errors";
    this.said.textContent = text;
  }
}
