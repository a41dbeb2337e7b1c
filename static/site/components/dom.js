/** Building the page. Text goes in as text nodes only, never as markup. */

/**
 * An element: `h("p", {class: "small", onclick: fn, "aria-label": "…"}, "text", child)`. Null and false children are left
 * out. What stands in a `bdi`, or is in a language of its own, is not the interface's: no browser may translate it.
 */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  if (tag === "bdi" || "lang" in props) node.translate = false;
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An SVG element. */
export function svg(tag, props = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(props)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/** Sets or clears attributes of an element that is there already; false is a value of ARIA attributes. */
export function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    const gone = value === null || value === undefined || (value === false && !name.startsWith("aria-"));
    if (gone) node.removeAttribute(name);
    else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
  }
}

/** Whether the keys belong to a field that people type in. */
export const isTyping = (target) => Boolean(target.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]"));

/** Whether a click is the second of a double click: what it meant was dealt with, and the page shows the next item. */
export const isAgain = (event) => event.detail > 1;

/** The JSON of a json_script block. */
export const readJson = (id) => JSON.parse(document.getElementById(id).textContent);

/** A named button; `key` is shown as its shortcut. */
export function button(label, { key = null, ...props }) {
  return h("button", { type: "button", class: "button", ...props }, h("span", {}, label), key && h("kbd", { "aria-hidden": "true" }, key));
}
