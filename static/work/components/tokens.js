/** A sentence as a row of token chips: one stop for Tab, arrows inside. */

import { gaps, inLanguage, percent, together } from "../../site/logic/text.js";
import { h, setAttributes } from "../../site/components/dom.js";

/** @import { Label } from "../logic/labels.js" */
/** @import { Mark } from "../logic/marks.js" */
/** @import { Translate } from "../../site/logic/text.js" */

// From so many tokens on the type is smaller, so that a sentence still fits the screen.
const LONG = 60;
// From this probability on a bar under the word shows it.
const LIKELY = 0.1;
/**
 * @param {Pick<Label, "code" | "name" | "colour">[]} labels
 * @param {string} code
 */
const labelOf = (labels, code) => labels.find((label) => label.code === code) ?? { code, name: code, colour: "" };

/** The token that an event is on, or null. */
const tokenAt = ({ target }) => {
  const chip = target.closest?.(".chip");
  return chip ? Number(chip.dataset.token) : null;
};

export class TokenRow {
  /**
   * @param {object} what
   * @param {string[]} what.tokens
   * @param {string[]} [what.spaces] What stands between them; empty: single spaces.
   * @param {boolean[]} [what.content] Whether each is a content word.
   * @param {number[] | null} [what.probabilities]
   * @param {Label[]} [what.labels] Those of the scheme.
   * @param {Translate} what.t
   * @param {string} what.name
   * @param {string} what.lang
   * @param {(token: number, event: MouseEvent) => void} what.onPress
   * @param {((from: number, to: number) => void) | null} [what.onDrag]
   * @param {(token: number) => void} what.onFocus
   * @param {((token: number | null) => void) | null} [what.onHover]
   */
  constructor({ tokens, spaces = [], content = [], probabilities = null, labels = [], t, name, lang, onPress, onDrag = null, onFocus, onHover }) {
    this.tokens = tokens;
    this.probabilities = probabilities;
    this.labels = labels;
    this.t = t;
    this.current = 0;
    // Of the sentence, not of the token: brackets alone have no direction, and a full stop after a name stands at its end.
    const { dir } = inLanguage(lang, tokens);
    this.chips = tokens.map((token, index) => {
      const probability = probabilities?.[index] ?? null;
      const chip = h(
        "button",
        { type: "button", class: `chip${content[index] ? " chip-content" : ""}`, tabindex: "-1", "data-token": index },
        h("bdi", { class: "chip-text", dir }, token),
        h("span", { class: "chip-lanes" }),
        h("span", { class: "chip-meta" }, h("span", { class: "chip-label" }), h("span", { class: "chip-said" }), h("span", { class: "chip-end" }, h("span", { class: "chip-probability number" }), h("span", { class: "chip-unit" }))),
      );
      if (probability !== null) chip.style.setProperty("--probability", probability.toFixed(3));
      chip.addEventListener("click", (event) => onPress(index, event));
      chip.addEventListener("focus", () => onFocus(index));
      if (onHover) {
        chip.addEventListener("pointerenter", () => onHover(index));
        chip.addEventListener("pointerleave", () => onHover(null));
      }
      return chip;
    });
    const before = gaps(tokens, spaces);
    const spaced = together(tokens, before).flatMap(([first, ...marks]) => {
      const nodes = [this.chips[first], ...marks.flatMap((index) => [before[index], this.chips[index]])];
      // A line may break where the text has no space, but not between a word and its mark.
      return [first > 0 && (before[first] || h("wbr")), marks.length ? h("span", { class: "chip-group" }, nodes) : nodes];
    });
    const unspaced = before.slice(1, -1).some((space) => !space);
    const classes = ["tokens", tokens.length > LONG && "tokens-long", unspaced && "tokens-unspaced"].filter(Boolean).join(" ");
    this.node = h("div", { class: classes, role: "toolbar", "aria-label": name, "aria-orientation": "horizontal", lang, dir }, spaced);
    if (onDrag) this.node.addEventListener("pointerdown", (event) => this.#dragFrom(event, onDrag));
    new ResizeObserver(() => this.#fitLabels()).observe(this.node);
  }

  /** What is written under a word that ends its line begins before the word, where it would go past the edge. */
  #fitLabels() {
    const row = this.node.getBoundingClientRect();
    const labelled = this.chips.filter((chip) => chip.classList.contains("chip-labelled"));
    for (const chip of labelled) chip.classList.remove("chip-inwards");
    const over = labelled.filter((chip) => {
      const edges = [...chip.lastElementChild.children].map((node) => node.getBoundingClientRect()).filter(({ width }) => width > 0);
      return edges.some(({ left, right }) => left < row.left || right > row.right);
    });
    for (const chip of over) chip.classList.add("chip-inwards");
  }

  /** Follows the mouse over the words until it is let go; on a phone a finger scrolls. */
  #dragFrom(event, onDrag) {
    const from = tokenAt(event);
    if (from === null || event.pointerType !== "mouse" || event.button !== 0 || event.shiftKey || event.ctrlKey || event.metaKey) return;
    let to = from;
    const over = new AbortController();
    const { signal } = over;
    const show = (isOver = true) => this.chips.forEach((chip, index) => chip.classList.toggle("chip-dragged", isOver && to !== from && index >= Math.min(from, to) && index <= Math.max(from, to)));
    const end = (dropped) => {
      over.abort();
      show(false);
      if (dropped && to !== from) onDrag(from, to);
    };
    const move = (event) => {
      to = tokenAt(event) ?? to;
      show();
    };
    this.node.addEventListener("pointerover", move, { signal });
    document.addEventListener("pointerup", () => end(true), { signal });
    document.addEventListener("pointercancel", () => end(false), { signal });
  }

  /**
   * Shows the marks; `anchor`: the token to whose unit others are being joined, or null. `bars`: where units may
   * overlap, how they lie (`lanes` in logic/overlaps.js), and `meant` the key of the one that is edited.
   *
   * @param {Mark[]} marks
   * @param {{ anchor?: number | null, linked?: number[], differing?: boolean[] | null, bars?: import("../logic/overlaps.js").Bar[][] | null, meant?: string | null }} [how]
   */
  update(marks, { anchor = null, linked = [], differing = null, bars = null, meant = null } = {}) {
    this.node.classList.toggle("tokens-lanes", bars !== null);
    marks.forEach((mark, index) => {
      const chip = this.chips[index];
      const probability = this.probabilities?.[index] ?? null;
      const telling = probability !== null && mark.state !== "none";
      chip.className = [
        "chip",
        chip.classList.contains("chip-content") && "chip-content",
        probability >= LIKELY && "chip-scored",
        `chip-${mark.state}`,
        mark.labels.length && "chip-labelled",
        mark.joinsNext && !bars && "chip-joined",
        anchor !== null && index === anchor && "chip-anchor",
        linked.includes(index) && "chip-linked",
        differing?.[index] && "chip-differs",
      ]
        .filter(Boolean)
        .join(" ");
      const [label, said, end] = chip.lastElementChild.children;
      const [number, unit] = end.children;
      const [hue] = mark.labels.length ? mark.labels : mark.offered;
      unit.textContent = mark.units.join(" ");
      if (bars) chip.children[1].replaceChildren(...this.#lanes(bars[index], meant));
      const shown = this.labels.length > 1 ? mark.labels.map((code) => labelOf(this.labels, code)) : [];
      label.replaceChildren(...shown.map(({ name, colour }) => h("span", { class: "label-name", "data-colour": colour || null }, name)));
      said.textContent = mark.said.join(" · ");
      number.textContent = telling ? percent(probability) : "";
      setAttributes(chip, {
        "aria-pressed": mark.labels.length > 0,
        "data-colour": hue === undefined ? null : labelOf(this.labels, hue).colour || null,
        "aria-label": this.#words(index, mark, probability),
        tabindex: index === this.current ? "0" : "-1",
      });
    });
    this.#fitLabels();
  }

  /** One line a lane, so that what lies over and under each other can be told apart. */
  #lanes(bars, meant) {
    const count = Math.max(0, ...bars.map((bar) => bar.lane + 1));
    return Array.from({ length: count }, (_, lane) => {
      const bar = bars.find((one) => one.lane === lane);
      const state = bar && ["lane-on", !bar.inside && "lane-gap", bar.goesOn && "lane-goes-on", bar.key === meant && "lane-meant"].filter(Boolean).join(" ");
      return h("span", { class: `lane ${state ?? ""}`, "data-colour": (bar && labelOf(this.labels, bar.label).colour) || null });
    });
  }

  /** Makes `token` the stop of the row, and takes the focus there if asked to. */
  setCurrent(token, focus = false) {
    this.chips[this.current]?.setAttribute("tabindex", "-1");
    this.current = token;
    const chip = this.chips[token];
    if (!chip) return;
    chip.setAttribute("tabindex", "0");
    if (focus && document.activeElement !== chip) {
      chip.focus({ preventScroll: true });
      chip.scrollIntoView({ block: "nearest" });
    }
  }

  boxes() {
    return this.chips.map((chip) => chip.getBoundingClientRect());
  }

  #words(index, mark, probability) {
    const { t } = this;
    const parts = [this.tokens[index]];
    const names = mark.labels.map((code) => labelOf(this.labels, code).name).join(", ");
    // Where labels are written under the word, the name says what is seen, in that order.
    if (names) parts.push(this.labels.length > 1 ? names : t("chip_labelled", { label: names }));
    parts.push(...mark.said);
    parts.push(...mark.units.map((n) => t("chip_unit", { n })));
    if (mark.state === "removed") parts.push(t("chip_removed"));
    if (mark.state === "kept") parts.push(t("chip_kept"));
    if (probability !== null) parts.push(t("chip_probability", { probability: percent(probability) }));
    return parts.join(", ");
  }
}

/**
 * A sentence that is only read: `marks` as for chips; `differing` marks tokens on which people disagree.
 *
 * @param {string[]} tokens
 * @param {Mark[]} marks
 * @param {object} how
 * @param {Translate} how.t
 * @param {string} how.lang
 * @param {string[]} [how.spaces]
 * @param {Label[]} [how.labels] Those of the scheme, for their colours.
 * @param {boolean[] | null} [how.differing]
 * @param {((token: number | null) => void) | null} [how.onHover]
 * @param {string} [how.className]
 */
export function readOnlyTokens(tokens, marks, { t, lang, spaces = [], labels = [], differing = null, onHover = null, className = "" }) {
  const { dir } = inLanguage(lang, tokens);
  const nodes = tokens.map((token, index) => {
    const mark = marks[index];
    const labelled = mark.labels.length > 0;
    const node = h(
      labelled ? "mark" : "span",
      {
        class: ["word", labelled && "word-labelled", mark.joinsNext && "word-joined", differing?.[index] && "word-differs"].filter(Boolean).join(" "),
        "data-token": index,
        "data-colour": labelled ? labelOf(labels, mark.labels[0]).colour || null : null,
        onpointerenter: onHover && (() => onHover(index)),
        onpointerleave: onHover && (() => onHover(null)),
      },
      h("bdi", { dir }, token),
      mark.unit !== null && h("sub", { class: "word-unit" }, String(mark.unit)),
      differing?.[index] && h("span", { class: "visually-hidden" }, ` (${t("differs")})`),
    );
    return node;
  });
  const before = gaps(tokens, spaces);
  return { nodes, node: h("p", { class: `words ${className}`, lang, dir }, nodes.flatMap((node, index) => [before[index], node]), before.at(-1)) };
}
