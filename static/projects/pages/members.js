// The dialog that adds people opens over the page; without scripts the link loads the page with it.
/** @type {NodeListOf<HTMLElement>} */
const links = document.querySelectorAll("[data-opens]");
for (const link of links) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById(link.dataset.opens));
  link.addEventListener("click", (event) => {
    event.preventDefault();
    dialog.showModal();
  });
  if (dialog.open) {
    dialog.close();
    dialog.showModal();
  }
}
