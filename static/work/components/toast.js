/** A notice over the page that does not move its content, with possible actions. */

import { button, h } from "../../site/components/dom.js";

/**
 * `kind`: "info", "warning" or "error"; `actions`: label, act and key of each button; `more`: content below.
 *
 * @param {{ text: string, kind: string, actions?: { label: string, run: () => unknown, key?: string }[], more?: Node | false | null }} what
 */
export function toast({ text, kind, actions = [], more = null }) {
  const buttons = actions.map(({ label, run, key = null }) => button(label, { class: "button button-small", key, onclick: run }));
  return h("div", { class: `notice notice-${kind} toast` }, h("span", { class: "toast-text" }, text), h("span", { class: "cluster" }, buttons), more);
}
