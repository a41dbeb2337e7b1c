// The dialog that adds people opens over the page; without scripts the link loads the page with it.
for (const link of document.querySelectorAll("[data-opens]")) {
  const dialog = document.getElementById(link.dataset.opens);
  link.addEventListener("click", (event) => {
    event.preventDefault();
    dialog.showModal();
  });
  if (dialog.open) {
    dialog.close();
    dialog.showModal();
  }
}
