/** The words of a sentence, some of them marked. */

import { h } from "../../site/components/dom.js";
import { gaps } from "../../site/logic/text.js";

/** Nodes for the sentence of `unit`; marked tokens (their indices) that follow each other have one mark. */
export function markedWords({ tokens, spaces }, indices) {
  const between = gaps(tokens, spaces);
  const marked = new Set(indices);
  const nodes = [];
  for (let index = 0; index < tokens.length; index += 1) {
    nodes.push(between[index]);
    let end = index;
    while (marked.has(end)) end += 1;
    const inside = tokens.slice(index, end).flatMap((token, at) => [at ? between[index + at] : "", token]);
    nodes.push(inside.length ? h("mark", { class: "ws-marked" }, inside) : tokens[index]);
    if (inside.length) index = end - 1;
  }
  return nodes;
}
