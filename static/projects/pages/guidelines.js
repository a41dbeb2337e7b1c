// The search in the guidelines: sections without what is searched for are hidden.
import { matching } from "../../work/logic/sections.js";

/** @type {NodeListOf<HTMLElement>} */
const forms = document.querySelectorAll("[data-search]");
for (const form of forms) {
  const field = form.querySelector("input");
  /** @type {HTMLElement} */
  const status = form.querySelector("[role=status]");
  /** @type {HTMLElement[][]} */
  const sections = [];
  for (const node of document.getElementById(form.dataset.search).children) {
    if (/^H\d$/.test(node.tagName) || !sections.length) sections.push([]);
    sections.at(-1).push(/** @type {HTMLElement} */ (node));
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  const search = () => {
    const found = matching(
      sections.map((nodes) => nodes.map((node) => node.textContent).join(" ")),
      field.value,
    );
    sections.forEach((nodes, number) => nodes.forEach((node) => (node.hidden = !found[number])));
    status.textContent = found.some(Boolean) ? "" : status.dataset.none;
  };
  field.addEventListener("input", search);
  // What was typed before this script was there.
  search();
}
