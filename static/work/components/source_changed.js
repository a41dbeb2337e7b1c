/** What says that the source of an item changed after its labels or tag were carried over, or after it was reviewed. */

import { inLanguage } from "../../site/logic/text.js";
import { h } from "../../site/components/dom.js";

/**
 * The notice; nothing where no source changed.
 *
 * @param {{ gold?: any, source_changed?: { language: string, decided: boolean, labels: string[] }[] }} item
 * @param {any} page
 */
export function sourceChanged({ source_changed: changes = [], gold }, page) {
  if (!changes.length) return null;
  // Tags are told by their names, labels as they are.
  const named = (label) => page.config.values?.find(({ value }) => value === label)?.label ?? label;
  const line = ({ language, decided, labels }) => {
    if (!decided) return h("p", {}, page.t("source_changed_open", { language }));
    if (!labels.length) return h("p", {}, page.t("source_changed_none", { language }));
    return h("p", {}, page.t("source_changed", { language }), " ", h("bdi", inLanguage(language, labels), labels.map(named).join(", ")));
  };
  return h("div", { class: "notice notice-warning" }, changes.map(line), gold !== true && h("p", {}, page.t("source_changed_do")));
}
