/** The palette: a few letters, Enter. What it offers are the page's own links and buttons. */

import { h } from "./dom.js";
import { ranked } from "../logic/palette.js";

const MAX_SHOWN = 12;

/**
 * Fits the dialog out. Returns what offers the page's entries, for each time that it opens.
 *
 * @param {HTMLDialogElement} dialog
 */
export function palette(dialog) {
  const input = dialog.querySelector("input");
  const list = dialog.querySelector("ul");
  const searchLabel = dialog.querySelector("template").content.textContent;
  let entries = [];
  let shown = [];
  let chosen = 0;

  dialog.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") move(1, event);
    else if (event.key === "ArrowUp") move(-1, event);
    else if (event.key === "Enter" && !event.isComposing) follow(shown[chosen], event);
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  input.addEventListener("input", show);
  return () => {
    entries = offered();
    show();
  };

  function show() {
    const typed = input.value.trim();
    shown = ranked(entries, typed).slice(0, MAX_SHOWN);
    if (typed) shown.push({ label: `${searchLabel} ${typed}`, go: () => location.assign(`${dialog.dataset.find}?q=${encodeURIComponent(typed)}`) });
    chosen = 0;
    list.replaceChildren(
      ...shown.map((entry, at) =>
        h(
          "li",
          { class: "palette-entry", role: "option", id: `palette-${at}`, onclick: (event) => follow(entry, event) },
          h("span", {}, entry.label),
          entry.detail && h("span", { class: "muted small" }, entry.detail),
          entry.number && h("kbd", { "aria-hidden": "true" }, String(entry.number)),
        ),
      ),
    );
    mark();
  }

  function move(by, event) {
    event.preventDefault();
    chosen = (chosen + by + shown.length) % shown.length;
    mark();
  }

  function mark() {
    [...list.children].forEach((node, at) => node.setAttribute("aria-selected", String(at === chosen)));
    if (shown.length) input.setAttribute("aria-activedescendant", `palette-${chosen}`);
    else input.removeAttribute("aria-activedescendant");
    list.children[chosen]?.scrollIntoView({ block: "nearest" });
  }

  function follow(entry, event) {
    event.preventDefault();
    if (!entry) return;
    dialog.close();
    entry.go();
  }
}

/** Links of the rail, stages with their number, and the buttons of jobs that the page can run. */
function offered() {
  let number = 0;
  const links = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".rail a"))].map((link) => {
    const detail = link.querySelector(".rail-language")?.textContent ?? "";
    return {
      label: link.querySelector(".rail-label").textContent,
      detail,
      number: detail && number < 9 ? ++number : null,
      go: () => link.click(),
    };
  });
  const buttons = [...document.querySelectorAll(".run-menu [popovertarget]")].map((button) => ({
    label: button.textContent.trim(),
    go: () => document.getElementById(button.getAttribute("popovertarget")).showPopover(),
  }));
  return [...links, ...buttons];
}
