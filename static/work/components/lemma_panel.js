/** What was decided on the same lemma elsewhere, and where to look it up. */

import { gaps, inLanguage, textOf } from "../../site/logic/text.js";
import { h } from "../../site/components/dom.js";

/** @import { Example, Lemma, Unit } from "../../../types/wire" */

const WAIT = 250;
const AROUND = 5;

export class LemmaPanel {
  /** What was decided elsewhere, by lemma and unit at hand. @type {Map<string, Lemma>} */
  known = new Map();

  /** @type {ReturnType<typeof setTimeout> | null} */
  timer = null;

  /** @type {string | null | undefined} */
  lemma;

  /** The unit at hand, which is no evidence for itself. @type {number | null} */
  unit = null;

  /**
   * Its configuration has `dictionaries`: `[{name, url}]` with `{lemma}` in the address.
   *
   * @param {import("./workspace.js").Workspace} page
   */
  constructor(page) {
    const { t, config } = page;
    this.t = t;
    this.dictionaries = config.dictionaries ?? [];
    /** @type {(lemma: string, unit: number) => Promise<Lemma>} */
    this.fetch = (lemma, unit) => page.call("GET", `lemmas/?${new URLSearchParams({ language: config.stage.language, layer: config.lemma_layer ?? "", lemma, unit: String(unit) })}`);
    this.language = config.stage.language;
    this.word = h("bdi", { class: "lemma-word", ...inLanguage(this.language) });
    this.links = h("ul", { class: "lemma-links", role: "list" });
    this.memory = h("div", { class: "lemma-memory" });
    this.node = h("section", { class: "stack-s", "aria-label": t("lemma_title") }, h("h2", { class: "ws-side-title" }, t("lemma_title")), h("div", { class: "lemma-head" }, this.word), this.links, this.memory);
  }

  /**
   * Shows the lemma of a unit's token, where it is a content word.
   *
   * @param {Unit} unit
   * @param {number} token
   */
  showToken({ id, content_words, lemmas }, token) {
    this.show(content_words[token] ? lemmas[token] : null, id);
  }

  /**
   * Shows a lemma in a unit; asks the server only when the focus rests on it.
   *
   * @param {string | null} lemma
   * @param {number} unit
   */
  show(lemma, unit) {
    if (lemma === this.lemma && unit === this.unit) return;
    this.lemma = lemma;
    this.unit = unit;
    clearTimeout(this.timer);
    this.word.textContent = lemma ?? "";
    this.links.replaceChildren(
      ...(lemma ? this.dictionaries : []).map(({ name, url }) =>
        h("li", {}, h("a", { href: url.replaceAll("{lemma}", encodeURIComponent(lemma)), target: "_blank", rel: "noopener noreferrer", referrerpolicy: "no-referrer" }, name, h("span", { class: "visually-hidden" }, ` (${this.t("new_tab")})`), h("span", { "aria-hidden": "true" }, " ↗"))),
      ),
    );
    if (!lemma) return this.memory.replaceChildren(h("p", { class: "muted small" }, this.t("lemma_function")));
    const known = this.known.get(this.#key());
    if (known) return this.#tell(known);
    this.memory.replaceChildren(h("p", { class: "muted small" }, this.t("lemma_loading")));
    this.timer = setTimeout(() => this.#ask(lemma, unit), WAIT);
    return undefined;
  }

  /** Forgets what it knows: labels were changed. */
  forget() {
    this.known.clear();
  }

  #key(lemma = this.lemma, unit = this.unit) {
    return `${unit} ${lemma}`;
  }

  /**
   * @param {string} lemma
   * @param {number} unit
   */
  async #ask(lemma, unit) {
    const isShown = () => lemma === this.lemma && unit === this.unit;
    let answer;
    try {
      answer = await this.fetch(lemma, unit);
      this.known.set(this.#key(lemma, unit), answer);
    } catch (error) {
      if (isShown()) this.memory.replaceChildren(h("p", { class: "muted small" }, error.message));
      return;
    }
    if (isShown()) this.#tell(answer);
  }

  /** @param {Lemma} found */
  #tell({ labelled, unlabelled, examples, in_all }) {
    const { t } = this;
    const total = labelled + unlabelled;
    if (!total) return this.memory.replaceChildren(h("p", { class: "muted small" }, t("lemma_none")));
    return this.memory.replaceChildren(
      h("p", { class: "small" }, t("lemma_count", { labelled, total })),
      ...(in_all ? [h("p", { class: "small muted" }, t("lemma_cut", { total, all: in_all }))] : []),
      h("ul", { class: "lemma-examples", role: "list" }, examples.map((example) => this.#example(example))),
    );
  }

  /** @param {Example} example */
  #example({ tokens, spaces, index, labelled, uid }) {
    const from = Math.max(0, index - AROUND);
    const to = Math.min(tokens.length, index + 1 + AROUND);
    const between = gaps(tokens, spaces);
    const before = textOf(tokens, spaces, from, index) + (index > 0 ? between[index] : "");
    const after = (to > index + 1 ? between[index + 1] : "") + textOf(tokens, spaces, index + 1, to);
    return h(
      "li",
      { class: labelled ? "is-labelled" : "is-unlabelled", title: uid },
      h("span", { class: "lemma-sign", "aria-hidden": "true" }, labelled ? "●" : "○"),
      h("span", { class: "visually-hidden" }, `${this.t(labelled ? "lemma_labelled" : "lemma_unlabelled")}: `),
      h("bdi", inLanguage(this.language, tokens), from > 0 ? "… " : "", before, h(labelled ? "mark" : "strong", {}, tokens[index]), after, to < tokens.length ? " …" : ""),
    );
  }
}
