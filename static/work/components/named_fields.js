/** Several texts by name, each with what it has to be: fields to write them, and a list to read them. */

import { h } from "../../site/components/dom.js";
import { limitedField } from "../../site/components/limited_field.js";
import { spelt } from "../logic/pairs.js";
import { inLanguage } from "../../site/logic/text.js";

/** The texts that are there, each under its name. `names`: `{name, label, help}` of each. */
export const namedList = (content, names, language) =>
  h(
    "dl",
    { class: "parts" },
    names.map(({ name, label }) => content[name] && [h("dt", {}, label), h("dd", inLanguage(language, [content[name]]), content[name])]),
  );

/**
 * A field for each; `onInput(name, text)` is told of every change, and `below(name)` gives what stands below it. `page`
 * has the messages and the limit.
 *
 * @param {{ names: any[], content: any, language: string, onInput: (name: string, text: string) => void, page: any, below?: (name: string) => any }} options
 */
export function namedFields({ names, content, language, onInput, page, below = (_name) => null }) {
  const fields = names.map(({ name, label, help }) => {
    const about = h("p", { class: "small muted", id: `about-${name}` }, help);
    const { field, notes, show } = limitedField({ id: `text-${name}`, longest: page.config.longest, t: page.t, about: about.id, onInput: (text) => onInput(name, text), props: { class: "text-field", ...inLanguage(language) } });
    field.value = content[name];
    show();
    return { name, field, show, node: h("div", { class: "stack-s" }, h("label", { class: "field", for: field.id }, h("span", { class: "strong" }, label)), about, h("div", { class: "field" }, field, notes), below(name)) };
  });
  return {
    node: h("div", { class: "stack" }, fields.map(({ node }) => node)),
    /** Brings the fields in line, but for the one that somebody types in: a word may be half composed. */
    show: (texts) =>
      fields.forEach(({ name, field, show }) => {
        const away = field !== document.activeElement;
        if ((away || spelt(field.value) !== spelt(texts[name])) && field.value !== texts[name]) field.value = texts[name];
        show();
      }),
    /** To the field of this name; without one, to the first that is empty. */
    focus: (wanted = null) => (fields.find(({ name, field }) => (wanted ? name === wanted : !field.value)) ?? fields[0]).field.focus(),
  };
}
