/** A person's saves that are pending, refused, or sent since the page was opened. */

import { localeOf, timeSaid } from "../logic/times.js";
import { button, h } from "./dom.js";

/** The notices on top of a page. `waiting`, `refused` and `sent` are `KeptSave`s (`site/logic/left_saves.js`). */
export function leftSavesPanel({ waiting, refused, sent, failing, t, onRetry, onDiscard, onClose, isOpen }) {
  return [
    sent.length > 0 &&
      h("div", { class: "notice notice-success spread", role: "status" }, h("span", {}, counted(sent, t, "sent_one", "sent_several")), button(t("close"), { class: "button button-small", onclick: onClose })),
    waiting.length > 0 &&
      h(
        "div",
        { class: "notice notice-warning stack-s" },
        h("p", { role: "status" }, counted(waiting, t, "waiting_one", "waiting_several"), failing && ` ${t("waiting_failing", { reason: failing.message })}`),
        waitingList(waiting, t, isOpen),
        failing && h("p", {}, button(t("retry"), { class: "button button-small", onclick: onRetry, "data-save": "retry" })),
      ),
    ...refused.map((save) => refusedNotice(save, t, onDiscard)),
  ].filter(Boolean);
}

/** The notice for a person who is not signed in: only that saves are pending. */
export const somebodysPanel = (t) => [h("p", { class: "notice notice-info", role: "status" }, t("waiting_somebody"))];

/** Which saves wait, folded up: with a link to the item where one is given. */
export const waitingList = (saves, t, isOpen = false) =>
  h(
    "details",
    { open: isOpen },
    h("summary", {}, t("waiting_details")),
    h("ul", {}, saves.map((save) => h("li", {}, save.link ? h("a", { href: save.link }, h("bdi", {}, save.name)) : h("bdi", {}, save.name), ` · ${saidAt(save)}`))),
  );

/** "2 saves from 26 November wait to be sent.": by the message `one` of a single one, else by `several`. */
function counted(saves, t, one, several) {
  const times = saves.map(({ at }) => at);
  const days = new Intl.DateTimeFormat(localeOf(document.documentElement.lang), { day: "numeric", month: "long" }).formatRange(Math.min(...times), Math.max(...times));
  return t(saves.length === 1 ? one : several, { n: saves.length, days });
}

function refusedNotice(save, t, onDiscard) {
  const { kind, message } = save.refused;
  const discard = () => {
    if (kind === "taken" || confirm(t("waiting_discard_ask"))) onDiscard(save);
  };
  return h(
    "div",
    { class: "notice notice-error stack-s", role: "alert" },
    h("p", {}, t("waiting_refused", { name: save.name, when: saidAt(save), reason: message })),
    h(
      "p",
      { class: "cluster" },
      kind !== "taken" && h("a", { class: "button button-small", href: save.link }, t(kind === "conflict" ? "compare" : "open_item")),
      button(t(kind === "taken" ? "close" : "waiting_discard"), { class: "button button-small", onclick: discard, "data-save": save.url }),
    ),
  );
}

const saidAt = ({ at }) => timeSaid(new Date(at), "DATETIME_FORMAT", document.documentElement.lang);
