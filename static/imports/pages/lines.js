// Menus of lines: one is open at a time, and closes by Escape or by a click elsewhere. Without it they close by their button.

/** @param {Element | null} [but] a menu that stays */
function close(but = null) {
  for (const menu of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll(".line-menu[open]")))
    if (menu !== but) menu.open = false;
}

document.addEventListener("click", (event) => {
  if (event.target instanceof Element) close(event.target.closest(".line-menu"));
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  /** @type {HTMLElement | null | undefined} */
  const summary = document.querySelector(".line-menu[open]")?.querySelector("summary");
  close();
  summary?.focus();
});
