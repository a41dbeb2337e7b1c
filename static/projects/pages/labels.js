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

for (const handle of table.querySelectorAll("[data-label-handle]")) {
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
    handle.setPointerCapture(event.pointerId);
    row.classList.add("is-dragged");
  });
  handle.addEventListener("pointermove", (event) => {
    if (!handle.hasPointerCapture(event.pointerId)) return;
    const others = rows().filter((one) => one !== row);
    const middles = others.map((one) => {
      const { top, height } = one.getBoundingClientRect();
      return top + height / 2;
    });
    const place = placeAt(middles, event.clientY);
    if (rows().indexOf(row) !== place) put(row, place);
  });
  handle.addEventListener("lostpointercapture", () => row.classList.remove("is-dragged"));
}

table.addEventListener("change", ({ target }) => {
  if (target.dataset.hue === undefined) return;
  const swatch = target.closest("[data-label-row]").querySelector(".label-swatch");
  swatch.dataset.colour = target.dataset.hue;
});
