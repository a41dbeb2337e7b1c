/** The list of sentences: "/" focuses the search, Shift chooses rows, and the effect of an action is shown. */

import { between, counted, told } from "../logic/selection.js";

const search = /** @type {HTMLInputElement | null} */ (document.getElementById("find-q"));
document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || !search) return;
  if (target.closest("input:not([type=checkbox]), select, textarea, dialog, [contenteditable]")) return;
  event.preventDefault();
  search.focus();
  search.select();
});

const more = /** @type {HTMLDetailsElement | null} */ (document.querySelector("[data-facets]"));
if (more && matchMedia("(width <= 60rem)").matches) more.open = false;

for (const form of document.querySelectorAll("[data-selection]")) {
  const boxes = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("input[name=rows]")]);
  const all = /** @type {HTMLInputElement | null} */ (form.querySelector("[data-select-all]"));
  const count = /** @type {HTMLElement | null} */ (form.querySelector("[data-selection-count]"));
  const bar = form.querySelector("[data-selection-bar]");
  const buttons = /** @type {HTMLButtonElement[]} */ ([...form.querySelectorAll("button[name=do]")]);
  let last = -1;
  const show = () => {
    const chosen = boxes.filter((box) => box.checked);
    if (count) count.textContent = told(counted(chosen.map((box) => box.dataset.state ?? "")), count.dataset);
    bar?.classList.toggle("is-empty", chosen.length === 0);
    for (const button of buttons) button.disabled = chosen.length === 0;
    if (all) {
      all.checked = chosen.length > 0 && chosen.length === boxes.length;
      all.indeterminate = chosen.length > 0 && chosen.length < boxes.length;
    }
  };
  for (const [at, box] of boxes.entries()) {
    box.addEventListener("click", (event) => {
      if (event.shiftKey && last >= 0) for (const one of between(last, at)) boxes[one].checked = box.checked;
      last = at;
      show();
    });
  }
  if (all) {
    all.hidden = boxes.length === 0;
    all.addEventListener("change", () => {
      for (const box of boxes) box.checked = all.checked;
      show();
    });
  }
  show();
}
