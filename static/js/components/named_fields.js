/** Several texts by name, each with what it has to be: fields to write them, and a list to read them. */

import { h } from "./dom.js";
import { spelt } from "../logic/pairs.js";
import { inLanguage } from "../logic/text.js";

/** The texts that are there, each under its name. `names`: `{name, label, help}` of each. */
export const namedList = (content, names, language) =>
  h(
    "dl",
    { class: "parts" },
    names.map(({ name, label }) => content[name] && [h("dt", {}, label), h("dd", inLanguage(language, [content[name]]), content[name])]),
  );

/**
 * A field for each; `onInput(name, text)` is told of every change, and `below(name)` gives what stands below it.
 *
 * @param {{ names: any[], content: any, language: string, onInput: (name: string, text: string) => void, below?: (name: string) => any }} options
 */
export function namedFields({ names, content, language, onInput, below = (_name) => null }) {
  const fields = names.map(({ name, label, help }) => {
    const about = h("p", { class: "small muted", id: `about-${name}` }, help);
    const field = h("textarea", { class: "text-field", id: `text-${name}`, rows: "2", ...inLanguage(language), maxlength: "1000", spellcheck: "true", "aria-describedby": about.id, oninput: () => onInput(name, field.value) });
    field.value = content[name];
    return { name, field, node: h("div", { class: "stack-s" }, h("label", { class: "field", for: field.id }, h("span", { class: "strong" }, label)), about, field, below(name)) };
  });
  return {
    node: h("div", { class: "stack" }, fields.map(({ node }) => node)),
    /** Brings the fields in line, but for the one that somebody types in: a word may be half composed. */
    show: (texts) =>
      fields.forEach(({ name, field }) => {
        const away = field !== document.activeElement;
        if ((away || spelt(field.value) !== spelt(texts[name])) && field.value !== texts[name]) field.value = texts[name];
      }),
    /** To the field of this name; without one, to the first that is empty. */
    focus: (wanted = null) => (fields.find(({ name, field }) => (wanted ? name === wanted : !field.value)) ?? fields[0]).field.focus(),
  };
}
