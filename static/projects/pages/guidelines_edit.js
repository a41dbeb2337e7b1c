// The buttons above the text of the guidelines; and where a picture goes that is uploaded: where the cursor was.
import { edit } from "../logic/markdown.js";

/** @type {HTMLElement} */
const toolbar = document.querySelector("[data-toolbar]");
const field = /** @type {HTMLTextAreaElement} */ (document.getElementById(toolbar.getAttribute("aria-controls")));

function apply(command) {
  const made = edit(field.value, field.selectionStart, field.selectionEnd, command);
  field.focus();
  field.setSelectionRange(made.from, made.to);
  // As if it was typed, so that the browser can undo it.
  if (!document.execCommand("insertText", false, made.insert)) {
    field.setRangeText(made.insert, made.from, made.to);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  field.setSelectionRange(made.start, made.end);
}

toolbar.hidden = false;
/** @type {NodeListOf<HTMLElement>} */
const buttons = toolbar.querySelectorAll("[data-markdown]");
for (const button of buttons) {
  button.addEventListener("click", () => apply(button.dataset.markdown));
}

// A picture that is chosen by the button is uploaded at once.
const picture = /** @type {HTMLInputElement} */ (document.getElementById("picture"));
toolbar.querySelector("[data-picture]").addEventListener("click", () => {
  picture.addEventListener("change", () => field.form.requestSubmit(field.form.querySelector("[name=upload]")), { once: true });
  picture.click();
});

field.addEventListener("keydown", (event) => {
  const command = { b: "bold", i: "italic" }[event.key];
  if (!command || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
  event.preventDefault();
  apply(command);
});

field.form.addEventListener("submit", () => {
  field.form.elements["cursor"].value = field.selectionEnd;
});
