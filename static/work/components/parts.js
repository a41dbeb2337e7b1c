/** Texts that are made of several parts, a line each. */

import { inLanguage, textOf } from "../../site/logic/text.js";
import { h } from "../../site/components/dom.js";
import { limitedField } from "../../site/components/limited_field.js";

/**
 * The lines of a unit's text.
 *
 * @returns {string[]}
 */
export const linesOf = ({ tokens, spaces }) => textOf(tokens, spaces).split("\n");

/** The lines with what each of them is; empty ones are left out. */
export function partsList(lines, names, language) {
  return h(
    "dl",
    { class: "parts" },
    lines.map((line, number) => line && [h("dt", {}, names[number] ?? ""), h("dd", inLanguage(language, [line]), line)]),
  );
}

/** A field for each line; `onInput(number, text)` is told of every change. `page` has the messages and the limit. */
export function partsFields({ names, language, values, onInput, page }) {
  const fields = names.map((_name, number) => {
    const made = limitedField({ id: `part-${number}`, longest: page.config.longest, t: page.t, onInput: (text) => onInput(number, text), props: { class: "text-field part-field", ...inLanguage(language) } });
    made.field.value = values[number] ?? "";
    made.show();
    return made;
  });
  return {
    node: h("div", { class: "part-fields" }, fields.map(({ field, notes }, number) => h("div", { class: "field" }, h("label", { for: field.id }, names[number]), field, notes))),
    /** Brings the fields in line, but for the one that somebody types in: a word may be half composed. */
    show: (texts) =>
      fields.forEach(({ field, show }, number) => {
        if (field !== document.activeElement && field.value !== (texts[number] ?? "")) field.value = texts[number] ?? "";
        show();
      }),
    /** Says something below each field, `""` nothing: as a hint, or as what is `wrong` with it. */
    say: (texts, wrong) => fields.forEach(({ say }, number) => say(texts[number] ?? "", wrong)),
    /** To the first field that is marked as wrong, else the first empty one. */
    focus: () => (fields.find(({ field }) => field.hasAttribute("aria-invalid")) ?? fields.find(({ field }) => !field.value) ?? fields[0]).field.focus(),
  };
}
