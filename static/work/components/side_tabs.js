/** The tabs beside the work: details of the item, its context, and the guidelines. */

import { h, setAttributes } from "../../site/components/dom.js";

// Which tab was chosen last, in this browser.
const CHOSEN = "side-tab";
const ARROWS = { ArrowLeft: -1, ArrowRight: 1 };

export class SideTabs {
  /** @type {{ id: string, tab: HTMLElement, panel: HTMLElement }[]} */
  tabs = [];

  /**
   * @param {import("./workspace.js").Workspace} page
   * @param {HTMLElement | null} guidelines
   */
  constructor(page, guidelines) {
    this.page = page;
    this.guidelines = guidelines;
    guidelines?.remove();
    guidelines?.removeAttribute("hidden");
    this.chosen = localStorage.getItem(CHOSEN) ?? "";
  }

  /** Puts tabs above what a kind of work shows beside it; its notes stay in view below them. @param {HTMLElement} body */
  dress(body) {
    const side = /** @type {HTMLElement} */ (body.querySelector(".ws-side") ?? body.appendChild(h("div", { class: "ws-side" })));
    const notes = side.querySelector(":scope > .ws-notes");
    const context = side.querySelector(":scope > .ws-context");
    notes?.remove();
    context?.remove();
    const { t, sideTitle } = this.page;
    this.tabs = [
      side.childNodes.length && this.#tab("item", t(sideTitle), [...side.childNodes]),
      context && this.#tab("context", t("tab_context"), [context]),
      this.guidelines && this.#tab("guidelines", t("tab_guidelines"), [this.guidelines]),
    ].filter(Boolean);
    const list = h("div", { class: "side-tabs", role: "tablist", "aria-label": t("tabs_name"), onkeydown: (event) => this.#step(event) }, this.tabs.map(({ tab }) => tab));
    side.replaceChildren(...[this.tabs.length && list, ...this.tabs.map(({ panel }) => panel), notes].filter(Boolean));
    this.#show();
  }

  /** To the guidelines, and from them to the tab before. */
  toggleGuidelines() {
    const there = this.tabs.find(({ id }) => id === "guidelines");
    if (!there) return;
    const before = this.before ?? this.tabs[0].id;
    this.before = this.#current().id;
    this.#choose(this.before === "guidelines" ? before : "guidelines");
    // On a phone they stand below the work.
    if (this.chosen === "guidelines") there.panel.scrollIntoView({ block: "nearest" });
  }

  /** Opens the tab that a node of it is in. @param {Node | null} node */
  reveal(node) {
    const found = this.tabs.find(({ panel }) => panel.contains(node));
    if (found) this.#choose(found.id);
  }

  #tab(id, title, nodes) {
    const key = id === "guidelines" && this.page.keyOf("guidelines");
    const tab = h("button", { type: "button", role: "tab", class: "side-tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, onclick: () => this.#choose(id) }, title, key && h("kbd", { "aria-hidden": "true", "data-key-of": id }, key));
    const panel = h("div", { role: "tabpanel", class: "side-panel", id: `panel-${id}`, "aria-labelledby": tab.id, tabindex: "0" }, nodes);
    return { id, tab, panel };
  }

  #current() {
    return this.tabs.find(({ id }) => id === this.chosen) ?? this.tabs[0];
  }

  #choose(id) {
    this.chosen = id;
    localStorage.setItem(CHOSEN, id);
    this.#show();
  }

  #show() {
    const current = this.#current();
    for (const one of this.tabs) {
      setAttributes(one.tab, { "aria-selected": one === current, tabindex: one === current ? "0" : "-1" });
      one.panel.hidden = one !== current;
    }
  }

  #step(event) {
    if (!(event.key in ARROWS)) return;
    event.preventDefault();
    const step = ARROWS[event.key] * (getComputedStyle(event.currentTarget).direction === "rtl" ? -1 : 1);
    const at = this.tabs.indexOf(this.#current());
    const next = this.tabs[(at + step + this.tabs.length) % this.tabs.length];
    this.#choose(next.id);
    next.tab.focus();
  }
}
