/** Strips with first steps, shown until the person closes them, then never again in this browser. */

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
