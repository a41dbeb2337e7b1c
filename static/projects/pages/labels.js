// The table of labels: rows are moved by dragging or by arrow keys, and show the colour that is chosen.
import { placeAt, placeByKey } from "../logic/order.js";

const table = document.querySelector(".label-table");
const rows = () => [...table.querySelectorAll("[data-label-row]")];

/** Puts a row at a place among the others. */
function put(row, place) {
  const others = rows().filter((one) => one !== row);
  if (place >= others.length) others.at(-1).after(row);
  else others[place].before(row);
}

/** @type {NodeListOf<HTMLElement>} */
const handles = table.querySelectorAll("[data-label-handle]");
for (const handle of handles) {
  const row = handle.closest("[data-label-row]");
  handle.hidden = false;
  handle.addEventListener("keydown", (event) => {
    const all = rows();
    const to = placeByKey(all.indexOf(row), all.length, event.key);
    if (to === null) return;
    event.preventDefault();
    put(row, to);
    handle.focus();
  });
  handle.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    handle.focus();
    drag(row);
  });
}

/** Moves a row with the pointer until it is let go. Heard at the document: a row that is moved loses the pointer. */
function drag(row) {
  const over = new AbortController();
  const heard = { signal: over.signal };
  const stop = () => {
    row.classList.remove("is-dragged");
    over.abort();
  };
  row.classList.add("is-dragged");
  document.addEventListener("pointermove", ({ clientY }) => {
    const others = rows().filter((one) => one !== row);
    const middles = others.map((one) => {
      const { top, height } = one.getBoundingClientRect();
      return top + height / 2;
    });
    const place = placeAt(middles, clientY);
    if (rows().indexOf(row) !== place) put(row, place);
  }, heard);
  document.addEventListener("pointerup", stop, heard);
  document.addEventListener("pointercancel", stop, heard);
}

table.addEventListener("change", (event) => {
  const chosen = /** @type {HTMLElement} */ (event.target);
  if (chosen.dataset.hue === undefined) return;
  /** @type {HTMLElement} */
  const swatch = chosen.closest("[data-label-row]").querySelector(".label-swatch");
  swatch.dataset.colour = chosen.dataset.hue;
});
