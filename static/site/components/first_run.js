/** Strips that say how one begins: shown until the person closes them, in this browser for good. */

export function firstRun() {
  for (const strip of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-first-run]"))) {
    const name = `first-run-${strip.dataset.firstRun}-${document.body.dataset.madeFor}`;
    strip.hidden = localStorage.getItem(name) !== null;
    strip.querySelector("button").addEventListener("click", () => {
      localStorage.setItem(name, "closed");
      strip.hidden = true;
    });
  }
}
