/** Dialogs that scripts build, and the choice between two versions. */

import { button, h } from "./dom.js";

/**
 * Two versions side by side. `mine` and `theirs` are nodes; `onChoose("mine" | "theirs" | "both")`; closing decides
 * nothing. Opens with the focus on its heading, so that a key pressed for the sentence behind it chooses nothing.
 */
export function conflictDialog({ title, message, mine, theirs, mergeable, t, onChoose }) {
  const choose = (which) => () => {
    node.close();
    onChoose(which);
  };
  const node = dialog(
    title,
    t,
    h("p", {}, message),
    h("div", { class: "conflict-sides" }, side(t("conflict_mine"), mine, "mine"), side(t("conflict_theirs"), theirs, "theirs")),
    h(
      "div",
      { class: "cluster" },
      button(t("conflict_take_mine"), { onclick: choose("mine"), "data-choice": "mine" }),
      button(t("conflict_take_theirs"), { onclick: choose("theirs"), "data-choice": "theirs" }),
      mergeable && button(t("conflict_take_both"), { onclick: choose("both"), "data-choice": "both" }),
    ),
  );
  node.classList.add("dialog-wide");
  return node;
}

/** Opens a dialog and removes it once it is closed. */
export function openDialog(node) {
  document.body.append(node);
  node.addEventListener("close", () => node.remove());
  node.showModal();
  node.querySelector("h2").focus();
  return node;
}

/** A dialog with its heading and a button that closes it. */
export function dialog(title, t, ...content) {
  const close = button(t("close"), { class: "button button-quiet button-small", onclick: () => node.close() });
  const node = h("dialog", { class: "dialog" }, h("div", { class: "dialog-head" }, h("h2", { tabindex: "-1" }, title), close), ...content);
  return node;
}

const side = (title, content, which) => h("section", { class: `conflict-side conflict-${which}` }, h("h3", {}, title), content);
