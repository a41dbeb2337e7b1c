/** Pairs without any metaphor, proposed as a list to look through and confirm at once. */

import { inferenceBadge } from "./context.js";
import { button, h } from "./dom.js";

export class BulkPanel {
  constructor({ node, load, confirm, onConfirmed, t }) {
    Object.assign(this, { node, load, confirm, onConfirmed, t });
  }

  async toggle() {
    this.node.hidden = !this.node.hidden;
    if (!this.node.hidden) await this.show();
  }

  async show(said = "") {
    const { t, node } = this;
    node.replaceChildren(h("p", { class: "muted" }, t("loading")));
    let answer;
    try {
      answer = await this.load();
    } catch (error) {
      node.replaceChildren(h("p", { class: "notice notice-error" }, error.message));
      return;
    }
    const pairs = answer.pairs ?? answer.items ?? [];
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
      h("ul", { class: "bulk-list", role: "list" }, pairs.map((pair, i) => h("li", {}, h("label", { class: "check" }, boxes[i], h("span", {}, text(pair.premise), h("br"), text(pair.hypothesis), " ", inferenceBadge(pair.inference, t), " ", h("bdi", { class: "muted small" }, pair.pair_id)))))),
      h("div", { class: "bulk-send" }, send),
    );
    heading.focus();
  }

  async #send(ids, send, status) {
    send.disabled = true;
    try {
      const answer = await this.confirm(ids);
      const confirmed = answer.confirmed?.length ?? answer.confirmed ?? ids.length;
      const left = answer.left_out?.length ?? answer.left_out ?? 0;
      this.onConfirmed();
      await this.show(this.t(left ? "bulk_done_some" : "bulk_done", { n: confirmed, left }));
    } catch (error) {
      status.textContent = error.message;
      send.disabled = false;
    }
  }
}

const text = (side) => h("bdi", { dir: "auto" }, typeof side === "string" ? side : side.tokens.join(" "));
