/** Pairs without any metaphor, proposed as a list to look through and confirm at once. */

import { inferenceBadge } from "../work/components/context.js";
import { button, h } from "../site/components/dom.js";
import { sideText } from "./pair_view.js";

/** @import { Pair, Progress, Side } from "../../../../../types/wire" */

export class BulkPanel {
  /**
   * `load(after)` begins at the beginning where `after` is null.
   *
   * @param {object} what
   * @param {HTMLElement} what.node
   * @param {(after: string | null) => Promise<{ pairs: Pair[], next: string | null }>} what.load
   * @param {(ids: number[]) => Promise<{ confirmed: number[], left_out: number[], progress: Progress }>} what.confirm
   * @param {(progress: Progress) => void} what.onConfirmed
   * @param {import("../work/components/workspace.js").Workspace} what.page
   */
  constructor({ node, load, confirm, onConfirmed, page }) {
    this.node = node;
    this.load = load;
    this.confirm = confirm;
    this.onConfirmed = onConfirmed;
    this.page = page;
    this.t = page.t;
    this.from = null;
  }

  async toggle() {
    this.node.hidden = !this.node.hidden;
    if (!this.node.hidden) await this.show(null);
  }

  /** Shows the pairs that follow `from`; `said`: what became of those before. */
  async show(from, said = "") {
    const { t, node } = this;
    this.from = from;
    node.replaceChildren(h("p", { class: "muted" }, t("loading")));
    let answer;
    try {
      answer = await this.#load(from);
    } catch (error) {
      node.replaceChildren(h("p", { class: "notice notice-error" }, error.message));
      return;
    }
    const { pairs, next } = answer;
    const heading = h("h2", { tabindex: "-1" }, t("bulk_title"));
    const head = h("div", { class: "card-head" }, heading, button(t("close"), { class: "button button-quiet button-small", onclick: () => this.toggle() }));
    const status = h("p", { role: "status" }, said);
    if (!pairs.length) {
      node.replaceChildren(head, status, h("p", { class: "muted" }, t("bulk_none")));
      heading.focus();
      return;
    }
    const boxes = pairs.map((pair) => h("input", { type: "checkbox", checked: true, value: pair.id }));
    const all = h("input", { type: "checkbox", checked: true });
    const send = button("", { class: "button button-primary" });
    const more = next && button(t("bulk_more"), { class: "button", onclick: () => this.show(next) });
    const chosen = () => boxes.filter((box) => box.checked);
    const update = () => {
      send.firstElementChild.textContent = t("bulk_confirm", { n: chosen().length });
      send.disabled = !chosen().length;
      all.checked = chosen().length === boxes.length;
      all.indeterminate = !all.checked && chosen().length > 0;
    };
    all.addEventListener("change", () => {
      for (const box of boxes) box.checked = all.checked;
      update();
    });
    for (const box of boxes) box.addEventListener("change", update);
    send.addEventListener("click", () => this.#send(chosen().map((box) => Number(box.value)), send, status));
    update();
    node.replaceChildren(
      head,
      h("p", { class: "muted" }, t("bulk_text")),
      status,
      h("label", { class: "check bulk-all" }, all, t("bulk_all")),
      h("ul", { class: "bulk-list", role: "list" }, pairs.map((pair, i) => h("li", {}, h("label", { class: "check" }, boxes[i], h("span", {}, text(pair.premise), h("br"), text(pair.hypothesis), " ", inferenceBadge(pair.inference, this.page.messages), " ", h("bdi", { class: "muted small" }, pair.pair_id)))))),
      h("div", { class: "bulk-send cluster" }, send, more),
    );
    heading.focus();
  }

  /** The next page that has pairs: pages in between may be empty. */
  async #load(from) {
    let answer = await this.load(from);
    while (!answer.pairs.length && answer.next) answer = await this.load(answer.next);
    return answer;
  }

  async #send(ids, send, status) {
    send.disabled = true;
    try {
      const { confirmed, left_out, progress } = await this.confirm(ids);
      this.onConfirmed(progress);
      await this.show(this.from, this.t(left_out.length ? "bulk_done_some" : "bulk_done", { n: confirmed.length, left: left_out.length }));
    } catch (error) {
      status.textContent = error.message;
      send.disabled = false;
    }
  }
}

/** @param {Side} side */
const text = (side) => h("bdi", { dir: "auto" }, sideText(side));
