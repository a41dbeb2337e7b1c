// The drop zone of an import, how far an upload is, and choices made early. Without it, forms are sent by themselves.

/** @typedef {CustomEvent<{xhr: XMLHttpRequest, successful: boolean, lengthComputable: boolean, loaded: number, total: number}>} Sent */

/** @returns {HTMLFormElement | null} */
const zone = () => document.querySelector("form[data-drop]");
/** @param {boolean} over */
const mark = (over) => zone()?.closest(".card").classList.toggle("is-over", over);

/** @param {DragEvent} event */
function over(event) {
  if (!zone() || !event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = "copy";
  mark(true);
}

// Files may be dropped anywhere: beside a small zone they would open in place of the page.
document.addEventListener("dragenter", over);
document.addEventListener("dragover", over);
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) mark(false);
});

document.addEventListener("drop", (event) => {
  mark(false);
  /** @type {HTMLInputElement | null} */
  const input = zone()?.querySelector("input[type=file]");
  if (!input || !event.dataTransfer?.files.length) return;
  event.preventDefault();
  input.files = event.dataTransfer.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
});

/** The bar of an upload, for events of forms that send files.
 * @param {Event} event
 * @returns {HTMLProgressElement | null} */
function barOf(event) {
  if (!(event.target instanceof Element) || !event.target.closest("form[hx-encoding]")) return null;
  return document.querySelector("[data-upload]");
}

document.addEventListener("htmx:beforeRequest", (event) => {
  const bar = barOf(event);
  if (!bar) return;
  bar.hidden = false;
  const around = bar.closest("details");
  if (around) around.open = true;
});

document.addEventListener("htmx:xhr:progress", (event) => {
  const bar = barOf(event);
  if (!bar) return;
  const { lengthComputable, loaded, total } = /** @type {Sent} */ (event).detail;
  // Sent to the end, it is read there: how long that takes is not known.
  if (lengthComputable && loaded < total) bar.value = (100 * loaded) / total;
  else bar.removeAttribute("value");
});

document.addEventListener("htmx:afterRequest", (event) => {
  const bar = barOf(event);
  const { xhr, successful } = /** @type {Sent} */ (event).detail;
  if (!bar || xhr.getResponseHeader("HX-Redirect")) return;
  bar.hidden = true;
  // So that the same file can be chosen again once it is mended.
  /** @type {Element} */ (event.target).closest("form").reset();
  // What is refused as a whole is said above the page.
  if (successful || (xhr.status === 403 && xhr.getResponseHeader("Content-Type")?.startsWith("application/json"))) return;
  const { tooLarge, failed } = zone().dataset;
  // Why a request was not read, in a sentence; proxies have pages of their own.
  const isSaid = xhr.getResponseHeader("Content-Type")?.startsWith("text/plain");
  const said = document.createElement("p");
  said.className = "notice notice-error";
  said.textContent = isSaid ? xhr.responseText : xhr.status === 413 ? tooLarge : failed;
  document.getElementById("drop-refused").replaceChildren(said);
});

/** Whether a control says something else than the page that was sent.
 * @param {Element} control */
function isChanged(control) {
  if (control instanceof HTMLSelectElement)
    return control.selectedIndex !== Math.max(0, [...control.options].findIndex((option) => option.defaultSelected));
  if (!(control instanceof HTMLInputElement) || ["hidden", "file"].includes(control.type)) return false;
  if (["checkbox", "radio"].includes(control.type)) return control.checked !== control.defaultChecked;
  return control.value !== control.defaultValue;
}

// What was chosen before the scripts were there, or what the browser kept of an earlier visit, is not in the preview.
window.addEventListener("pageshow", () => {
  const wizard = document.getElementById("wizard");
  const changed = [...(wizard?.querySelectorAll("[form=correct]") ?? [])].find(isChanged);
  changed?.dispatchEvent(new Event("change", { bubbles: true }));
});

// A choice takes the place of the one before that is on its way (hx-sync), on purpose. htmx calls that two errors; its
// logger is asked before they are written to the console.
/** @type {XMLHttpRequest | null} */
let underWay = null;
/** @type {WeakSet<XMLHttpRequest>} */
const replaced = new WeakSet();

document.addEventListener("htmx:beforeRequest", (event) => {
  const { target, xhr } = /** @type {CustomEvent<{ target: Element, xhr: XMLHttpRequest }>} */ (event).detail;
  if (target.id === "wizard") underWay = xhr;
});

// Before htmx hears it.
document.addEventListener("htmx:abort", () => underWay && replaced.add(underWay), true);

/** @type {{ htmx: { logger: ((element: Element, name: string, detail: { xhr?: XMLHttpRequest, error?: string }) => void) | null } }} */ (
  /** @type {unknown} */ (window)
).htmx.logger = (_element, _name, detail) => {
  if (detail.xhr && replaced.has(detail.xhr)) delete detail.error;
};

/** What is being written while an answer comes, with where the caret is.
 * @type {{ id: string, value: string, caret: number | null } | null} */
let written = null;

document.addEventListener("htmx:beforeSwap", (event) => {
  const { activeElement: field } = document;
  const { target } = /** @type {CustomEvent<{ target: Element }>} */ (event).detail;
  written = null;
  if (target.id !== "wizard" || !(field instanceof HTMLInputElement) || field.type !== "text" || !isChanged(field)) return;
  written = { id: field.id, value: field.value, caret: field.selectionStart };
});

document.addEventListener("htmx:afterSwap", () => {
  const field = written && document.getElementById(written.id);
  if (!(field instanceof HTMLInputElement)) return;
  field.focus();
  field.value = written.value;
  field.setSelectionRange(written.caret, written.caret);
});
