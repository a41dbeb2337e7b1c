/** A pair as it is read: premise and hypothesis with their labels. */

import { inferenceBadge } from "../work/components/context.js";
import { h } from "../site/components/dom.js";
import { readOnlyTokens } from "../work/components/tokens.js";
import { tokenMarks } from "../work/logic/marks.js";
import { textOf, wordOf } from "../site/logic/text.js";

/** Premise and hypothesis with their metaphors marked. */
export function pairBody(pair, page, lang) {
  return h("div", { class: "pair" }, side(pair.premise, page, lang), side(pair.hypothesis, page, lang));
}

/** The text of one side. */
export const sideText = ({ tokens, spaces }) => textOf(tokens, spaces);

/** What stands around a tag when an adjudicator looks at it (work/components/around.js). */
export function around({ unit, pair }, page) {
  return {
    name: pair.pair_id,
    label: page.t("pair"),
    text: sideText(pair.hypothesis),
    meta: [inferenceBadge(pair.inference, page.messages), h("bdi", { class: "ws-uid" }, pair.pair_id)],
    above: null,
    below: null,
    subject: pairBody(pair, page, unit.language),
  };
}

function side({ role, tokens, spaces, spans, labels }, { t, messages }, lang) {
  const name = wordOf(messages, "role", role);
  return h(
    "section",
    { class: "pair-side", "aria-label": name },
    h("h2", { class: "pair-role" }, name, h("span", { class: "pair-labels" }, spans.length || labels !== "none" ? t(`labels_${labels}`) : t("labels_none"))),
    readOnlyTokens(tokens, tokenMarks(tokens.length, spans, null), { t, lang, spaces }).node,
  );
}
