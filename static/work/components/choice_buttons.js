/** The values of a choice as buttons with their keys and definitions. */

import { h, isAgain, setAttributes } from "../../site/components/dom.js";

/** The values that a page offers: `{value, label, definition}` each. Without words of the kind, the scheme's as they are. */
export const valuesOf = (config) => config.values ?? (config.scheme.values ?? []).map((value) => ({ value, label: value, definition: "" }));

/** The word of a value. */
export const valueName = (config, value, t) => valuesOf(config).find((one) => one.value === value)?.label ?? (value || t("no_tag"));

/**
 * `name` is what the group is called; tags, where nothing is said. `show(value)` marks the chosen one; `proposed` are values that stand as proposed; with `shift`, keys are
 * pressed with Shift. `focus()` goes to the group and not
 * to a button, so that Enter never means a value that nobody chose.
 */
export function choiceButtons({ values, proposed = null, shift = false, name = "", t, onChoose }) {
  const buttons = values.map(({ value, label, definition }, number) =>
    h(
      "button",
      { type: "button", class: "tag-button", "data-tag": value, onclick: (event) => isAgain(event) || onChoose(value) },
      h("kbd", { "aria-hidden": "true" }, `${shift ? "⇧" : ""}${number + 1}`),
      h("span", { class: "tag-name" }, label, value === proposed && h("span", { class: "badge badge-info" }, t("proposed"))),
      h("span", { class: "tag-definition" }, definition),
    ),
  );
  const node = h("div", { class: "tag-buttons", role: "group", tabindex: "-1", "aria-label": name || t("tags_name") }, buttons);
  return {
    node,
    show: (value) => buttons.forEach((one) => setAttributes(one, { "aria-pressed": one.dataset.tag === value })),
    focus: () => node.focus({ preventScroll: true }),
  };
}
