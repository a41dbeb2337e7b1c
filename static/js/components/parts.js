/** Texts that are made of several parts, a line each. */

import { inLanguage, textOf } from "../logic/text.js";
import { h } from "./dom.js";

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

/** A field for each line; `onInput(number, text)` is told of every change. */
export function partsFields({ names, language, values, onInput }) {
  const fields = names.map((name, number) => {
    const field = h("textarea", { class: "text-field part-field", rows: "2", ...inLanguage(language), maxlength: "500", spellcheck: "true", oninput: () => onInput(number, field.value) });
    field.value = values[number] ?? "";
    return field;
  });
  return {
    node: h("div", { class: "part-fields" }, fields.map((field, number) => h("label", { class: "field" }, h("span", {}, names[number]), field))),
    /** Brings the fields in line, but for the one that somebody types in: a word may be half composed. */
    show: (texts) =>
      fields.forEach((field, number) => {
        if (field !== document.activeElement && field.value !== (texts[number] ?? "")) field.value = texts[number] ?? "";
      }),
    focus: () => (fields.find((field) => !field.value) ?? fields[0]).focus(),
  };
}
