/** What stands around a content when an adjudicator looks at it, unless the kind of work brings a module of its own. */

import { inLanguage, wordOf, textOf } from "../../site/logic/text.js";
import { contextLists } from "./context.js";
import { h } from "../../site/components/dom.js";

/**
 * `{name, label, text, meta, above, below, subject}`: what the unit is called in notices, what its place on the page is
 * called, its text, badges, neighbours, and the unit itself to read.
 */
export function around({ unit, context }, page) {
  const { above, below } = contextLists(context ?? { before: [], after: [], pair: [] }, page, unit.language);
  const text = textOf(unit.tokens, unit.spaces);
  return {
    name: unit.uid,
    label: page.t("sentence"),
    text,
    meta: [unit.role && h("span", { class: "badge" }, wordOf(page.messages, "role", unit.role)), h("bdi", { class: "ws-uid" }, unit.uid), unit.kind === "sentence" && h("a", { class: "button button-quiet button-small", href: `${page.config.units}${unit.id}/` }, page.t("set_aside"))],
    above,
    below,
    subject: text && h("p", { class: "words", ...inLanguage(unit.language, unit.tokens) }, text),
  };
}
