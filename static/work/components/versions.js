/** What stands beside each answer for whoever decides among them. */

import { h } from "../../site/components/dom.js";

/**
 * Who said it, and whether they are in doubt.
 *
 * @param {{ annotator: string, doubt?: boolean }} answer
 * @param {import("../../site/logic/text.js").Translate} t
 * @param {any[]} more What stands beside the name.
 */
export const whoSaid = ({ annotator, doubt }, t, ...more) => h("p", { class: "version-who" }, h("bdi", { class: "strong" }, annotator), doubt && h("span", { class: "badge badge-warn" }, t("doubt")), ...more);
