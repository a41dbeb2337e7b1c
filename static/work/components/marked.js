/** A sentence with its marked word. */

import { h } from "../../site/components/dom.js";
import { inLanguage } from "../../site/logic/text.js";

/** The text of the sentence, with another word in the place of the marked one where one is given. */
const markedText = ({ before, word, after }, instead = word) => before + instead + after;

const written = (unit, marked) => inLanguage(unit.language, [markedText(marked)]);

/** The sentence to read, its word marked. */
function markedSentence({ unit, marked }, t) {
  if (!marked) return h("p", { class: "notice notice-warning" }, t("marked_gone"));
  return h("p", { class: "words", ...written(unit, marked) }, marked.before, h("mark", { class: "ws-marked" }, marked.word), marked.after);
}

/** The sentence with `word`, or with a blank, in the place of the marked word. */
export function fillBlank(node, { unit, marked }, word) {
  if (!marked) return;
  for (const [name, value] of Object.entries(written(unit, marked))) node.setAttribute(name, value);
  node.translate = false;
  node.replaceChildren(marked.before, word ? h("ins", { class: "ws-filled" }, word) : h("span", { class: "ws-blank" }, "____"), marked.after);
}

/** The sentence in a card of its own. */
export const markedCard = (item, t) => h("section", { class: "ws-sentence", "aria-label": t("marked_name") }, h("p", { class: "ws-meta" }, h("bdi", { class: "ws-uid" }, item.unit.uid)), markedSentence(item, t));

/** How an item is read out. */
export const announced = ({ unit, marked }, t) => (marked ? t("announce_marked", { text: markedText(marked), word: marked.word }) : unit.uid);

/** What stands around an answer when an adjudicator looks at it (work/components/around.js). */
export function around(item, { t }) {
  return {
    name: item.unit.uid,
    label: t("marked_name"),
    text: announced(item, t),
    meta: [h("bdi", { class: "ws-uid" }, item.unit.uid)],
    above: null,
    below: null,
    subject: markedSentence(item, t),
  };
}
