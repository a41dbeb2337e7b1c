/** The sentences around the one that is worked on. */

import { inLanguage, wordOf } from "../../site/logic/text.js";
import { h } from "../../site/components/dom.js";

/** `{above, below}`: lists for a sentence's `context`; each neighbour with its role, and the inference label of its pair. */
export function contextLists(context, { t, messages }, lang) {
  const inference = (line) => context.pair.find((other) => other.role === line.role && other.text === line.text)?.inference ?? null;
  const near = [...context.before, ...context.after];
  const further = context.pair.filter((other) => !near.some((line) => line.role === other.role && line.text === other.text));
  const row = (line) =>
    h(
      "li",
      {},
      h("span", { class: "context-role" }, wordOf(messages, "role", line.role)),
      h("bdi", { class: "context-text", ...inLanguage(lang, [line.text]) }, line.text),
      (line.inference ?? inference(line)) && inferenceBadge(line.inference ?? inference(line), messages),
    );
  const above = [...further.filter((line) => line.role === "prem"), ...context.before];
  const below = [...context.after, ...further.filter((line) => line.role !== "prem")];
  const list = (lines, name) => (lines.length ? h("ul", { class: "context", role: "list", "aria-label": t(name) }, lines.map(row)) : null);
  return { above: list(above, "context_above"), below: list(below, "context_below") };
}

const TONES = { entailment: "good", neutral: "info", contradiction: "bad" };

export const inferenceBadge = (inference, messages) => h("span", { class: `badge badge-${TONES[inference] ?? "info"}` }, wordOf(messages, "inference", inference));
