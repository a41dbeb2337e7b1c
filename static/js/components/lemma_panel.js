/** What was decided on the same lemma elsewhere, and where to look it up. */

import { h } from "./dom.js";

const WAIT = 250;
const AROUND = 5;

export class LemmaPanel {
  /** `fetch(lemma)` resolves with what was decided; `dictionaries`: `[{name, url}]` with `{lemma}` in the address. */
  constructor({ fetch, dictionaries, t }) {
    Object.assign(this, { fetch, dictionaries, t, known: new Map(), timer: null, lemma: undefined });
    this.heading = h("h2", { class: "ws-side-title" }, t("lemma_title"));
    this.word = h("bdi", { class: "lemma-word" });
    this.links = h("ul", { class: "lemma-links", role: "list" });
    this.memory = h("div", { class: "lemma-memory" });
    this.node = h("section", { class: "ws-card", "aria-label": t("lemma_title") }, h("div", { class: "spread" }, this.heading, this.word), this.links, this.memory);
  }

  /** Shows a lemma; asks the server only when the focus rests on it. */
  show(lemma) {
    if (lemma === this.lemma) return;
    this.lemma = lemma;
    clearTimeout(this.timer);
    this.word.textContent = lemma ?? "";
    this.links.replaceChildren(
      ...(lemma ? this.dictionaries : []).map(({ name, url }) =>
        h("li", {}, h("a", { href: url.replace("{lemma}", encodeURIComponent(lemma)), target: "_blank", rel: "noopener noreferrer", referrerpolicy: "no-referrer" }, name, h("span", { class: "visually-hidden" }, ` (${this.t("new_tab")})`), h("span", { "aria-hidden": "true" }, " ↗"))),
      ),
    );
    if (!lemma) return this.memory.replaceChildren(h("p", { class: "muted small" }, this.t("lemma_function")));
    const known = this.known.get(lemma);
    if (known) return this.#tell(known);
    this.memory.replaceChildren(h("p", { class: "muted small" }, this.t("lemma_loading")));
    this.timer = setTimeout(() => this.#ask(lemma), WAIT);
    return undefined;
  }

  /** Forgets what it knows: labels were changed. */
  forget() {
    this.known.clear();
  }

  async #ask(lemma) {
    let answer;
    try {
      answer = await this.fetch(lemma);
      this.known.set(lemma, answer);
    } catch (error) {
      if (lemma === this.lemma) this.memory.replaceChildren(h("p", { class: "muted small" }, error.message));
      return;
    }
    if (lemma === this.lemma) this.#tell(answer);
  }

  #tell({ labelled, unlabelled, examples }) {
    const { t } = this;
    const total = labelled + unlabelled;
    if (!total) return this.memory.replaceChildren(h("p", { class: "muted small" }, t("lemma_none")));
    return this.memory.replaceChildren(
      h("p", { class: "small" }, t("lemma_count", { labelled, total })),
      h("ul", { class: "lemma-examples", role: "list" }, examples.map((example) => this.#example(example))),
    );
  }

  #example({ tokens, index, labelled, uid }) {
    const from = Math.max(0, index - AROUND);
    const before = tokens.slice(from, index).join(" ");
    const after = tokens.slice(index + 1, index + 1 + AROUND).join(" ");
    return h(
      "li",
      { class: labelled ? "is-labelled" : "is-unlabelled", title: uid },
      h("span", { class: "lemma-sign", "aria-hidden": "true" }, labelled ? "●" : "○"),
      h("span", { class: "visually-hidden" }, `${this.t(labelled ? "lemma_labelled" : "lemma_unlabelled")}: `),
      h("bdi", { dir: "auto" }, from > 0 ? "… " : "", `${before} `, h(labelled ? "mark" : "strong", {}, tokens[index]), ` ${after}`, index + 1 + AROUND < tokens.length ? " …" : ""),
    );
  }
}
