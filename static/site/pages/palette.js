// Ctrl K opens the palette. What it offers is put together by a module that is loaded when somebody first opens it.
const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById("palette"));
if (dialog) start();

function start() {
  /** @type {Promise<() => void> | undefined} */
  let loading;
  /** Keys that choose, pressed before there was something to choose. @type {string[] | null} */
  let early = [];

  async function open() {
    // At once: what is typed next is meant for it.
    dialog.querySelector("input").value = "";
    dialog.showModal();
    loading ??= import("../components/palette.js").then(({ palette }) => palette(dialog));
    const offer = await loading;
    offer();
    const keys = early ?? [];
    early = null;
    for (const key of keys) dialog.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
  }

  const opener = /** @type {HTMLElement | null} */ (document.querySelector("[data-palette-open]"));
  if (opener) {
    opener.hidden = false;
    opener.addEventListener("click", open);
  }
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== "k") return;
    event.preventDefault();
    if (dialog.open) dialog.close();
    else if (!document.querySelector("dialog[open]")) void open();
  });
  // No key of the page behind it.
  dialog.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey)) event.stopPropagation();
    if (early && ["ArrowDown", "ArrowUp", "Enter"].includes(event.key)) {
      event.preventDefault();
      early.push(event.key);
    }
  });
}
