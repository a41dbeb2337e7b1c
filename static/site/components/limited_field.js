/**
 * A field for a text that has a limit. It takes more than that and says so, so that nothing of what is pasted is cut
 * off; it can say what else is wrong with its text, too. The text is one line: Enter puts no line break into it.
 */

import { composes } from "../../work/logic/keys.js";
import { lengthOf } from "../../work/logic/pairs.js";
import { h, setAttributes } from "./dom.js";

// From this share of the limit on, it says how much there is.
const NEAR = 0.8;

/**
 * `{field, notes, show, say}`: the field (a textarea with an id), what stands below it, bringing that in line with the
 * text, and saying something of it (`""`: nothing), as a hint or as what is wrong. `longest`: characters, as the server counts them; none where it is
 * not given. `about`: the id of what explains the field.
 *
 * @param {{ id: string, longest?: number, t: import("../logic/text.js").Translate, about?: string | null, onInput: (text: string) => void, props: Record<string, unknown> }} options
 */
export function limitedField({ id, longest = Infinity, t, about = null, onInput, props }) {
  const field = /** @type {HTMLTextAreaElement} */ (
    h("textarea", {
      id,
      rows: "2",
      spellcheck: "true",
      ...props,
      /** @param {KeyboardEvent} event */
      onkeydown: (event) => {
        // While a word is composed, Enter takes it; with Ctrl, it is done (`workspace.js`).
        if (event.key === "Enter" && !composes(event) && !event.ctrlKey && !event.metaKey) event.preventDefault();
      },
      oninput: () => {
        show();
        onInput(field.value);
      },
    })
  );
  const count = h("p", { class: "small muted number" });
  const note = h("p", { id: `${id}-note`, "aria-live": "polite" });
  let [hint, isWrong] = ["", false];
  const show = () => {
    const n = lengthOf(field.value);
    const isLong = n > longest;
    const said = isLong ? t("too_long", { n, most: longest }) : hint;
    const wrong = isLong || (isWrong && Boolean(hint));
    count.textContent = !isLong && n > NEAR * longest ? t("characters_of", { n, most: longest }) : "";
    if (note.textContent !== said) note.textContent = said;
    note.className = wrong ? "errors" : "help";
    setAttributes(field, { "aria-invalid": wrong ? "true" : null, "aria-describedby": [about, said && note.id].filter(Boolean).join(" ") || null });
  };
  return {
    field,
    notes: [count, note],
    show,
    say: (/** @type {string} */ text, /** @type {boolean} */ wrong) => {
      [hint, isWrong] = [text, wrong];
      show();
    },
  };
}
