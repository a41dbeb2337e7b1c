/** A pair as it is read and tagged. */

import { tokenMarks } from "../logic/marks.js";
import { h, isAgain, setAttributes } from "./dom.js";
import { readOnlyTokens } from "./tokens.js";

/** Premise and hypothesis with their metaphors marked. */
export function pairBody(pair, t, lang) {
  return h("div", { class: "pair" }, side("prem", pair.premise, t, lang), side("hyp", pair.hypothesis, t, lang));
}

function side(role, { tokens, spans, labels }, t, lang) {
  return h(
    "section",
    { class: "pair-side", "aria-label": t(`role_${role}`) },
    h("h2", { class: "pair-role" }, t(`role_${role}`), h("span", { class: "pair-labels" }, spans.length || labels !== "none" ? t(`labels_${labels}`) : t("labels_none"))),
    readOnlyTokens(tokens, tokenMarks(tokens.length, spans, null), { t, lang }).node,
  );
}

/**
 * The tags as buttons with their keys and definitions. `show(tag)` marks the chosen one. `focus()` goes to the group and
 * not to a button, so that Enter never means a tag that nobody chose.
 */
export function tagButtons({ tags, suggested = null, t, onTag }) {
  const buttons = tags.map(({ value, label, definition }, number) =>
    h(
      "button",
      { type: "button", class: "tag-button", "data-tag": value, onclick: (event) => isAgain(event) || onTag(value) },
      h("kbd", { "aria-hidden": "true" }, String(number + 1)),
      h("span", { class: "tag-name" }, label, value === suggested && h("span", { class: "badge badge-info" }, t("proposed"))),
      h("span", { class: "tag-definition" }, definition),
    ),
  );
  const node = h("div", { class: "tag-buttons", role: "group", tabindex: "-1", "aria-label": t("tags_name") }, buttons);
  return {
    node,
    show: (tag) => buttons.forEach((one) => setAttributes(one, { "aria-pressed": one.dataset.tag === tag })),
    focus: () => node.focus({ preventScroll: true }),
  };
}
