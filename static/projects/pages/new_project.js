// A field for each further language, and the picture asked for anew when name or languages change.
import { madeFor } from "../../site/api.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("new-project"));
const fields = form.querySelector("[data-languages]");
const add = /** @type {HTMLButtonElement} */ (form.querySelector("[data-add-language]"));

add.hidden = false;
add.addEventListener("click", () => {
  const field = /** @type {HTMLInputElement} */ (fields.lastElementChild.cloneNode());
  field.value = "";
  field.setAttribute("aria-label", `${field.dataset.label} ${fields.children.length + 1}`);
  fields.append(field);
  field.focus();
});

let asked = 0;

async function draw() {
  const number = ++asked;
  const sent = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  for (const name of ["csrfmiddlewaretoken", "made_for"]) sent.delete(name);
  const answer = await fetch(`?${sent}`, { headers: { "HX-Request": "true", ...madeFor() } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  // Only what was asked last is shown.
  if (!answer.ok || number !== asked) return;
  for (const part of [".workflow", "[data-sources]", "[data-sample]"]) {
    const drawn = page.querySelector(part);
    // Who chooses something there keeps the focus.
    if (drawn && !document.activeElement?.closest(part)) form.querySelector(`#choices ${part}`)?.replaceWith(drawn);
  }
}

form.addEventListener("change", (event) => {
  if (["name", "slug", "source", "targets", "steps", "sources"].includes(/** @type {HTMLInputElement} */ (event.target).name)) draw();
  else asked += 1;
});
// What was typed before this script was there.
/** @param {string} name */
const filled = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value;
if (filled("name") || filled("source")) draw();
