/** Saves that wait in this browser: sent, and shown until they are. On every page; workspaces keep theirs through it. */

import { request } from "../api.js";
import { readJson } from "../components/dom.js";
import { leftSavesPanel, somebodysPanel } from "../components/left_saves_panel.js";
import { openKept } from "../kept_saves.js";
import { LeftSaves } from "../logic/left_saves.js";
import { translator } from "../logic/text.js";

// Less is not noticed: a save that was on its way when its page was left needs no word.
const SOON = 1000;
const LONG_AGO = 60_000;

const place = document.getElementById("left-saves");
const messages = readJson("left-saves-messages");
const t = translator(messages, document.documentElement.lang);

/** What the browser keeps for whom the page was made; null where it keeps nothing, or nobody is signed in. */
export const kept = begin();

async function begin() {
  const { site, person } = document.body.dataset;
  let opened;
  try {
    opened = await openKept(site);
  } catch {
    // Workspaces say so when something waits.
    return null;
  }
  const { store, locks, owner } = opened;
  if (!person) {
    if (await store.any()) show(somebodysPanel(t));
    return null;
  }
  const left = new LeftSaves({ store, locks, person, post: (url, body) => request("POST", url, body, messages) });
  watch(left);
  return { store, owner, person, left };
}

/** @param {LeftSaves} left */
function watch(left) {
  const begun = Date.now();
  let isTold = false;
  left.onChange = () => {
    isTold ||= Boolean(left.failing) || Date.now() - begun >= SOON;
    const waiting = isTold ? left.saves.filter(({ refused }) => !refused) : [];
    const isNews = isTold || left.sent.some(({ at }) => begun - at > LONG_AGO);
    show(leftSavesPanel({ waiting, refused: left.saves.filter(({ refused }) => refused), sent: isNews ? left.sent : [], failing: left.failing, t, onRetry: () => left.send(), onDiscard: (save) => left.discard(save), onClose: () => left.forgetSent(), isOpen: Boolean(place.querySelector("details")?.open) }));
  };
  setTimeout(() => left.onChange(), SOON);
  addEventListener("online", () => left.send());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && left.failing) void left.send();
  });
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-sign-out]"))) form.addEventListener("submit", (event) => void askBefore(event, form, left));
  void left.send();
}

/**
 * Says before signing out what waits: the browser can be asked for it only after the form was stopped.
 *
 * @param {SubmitEvent} event
 * @param {HTMLFormElement} form
 * @param {LeftSaves} left
 */
async function askBefore(event, form, left) {
  event.preventDefault();
  const n = await left.count().catch(() => 0);
  if (!n || confirm(t(n === 1 ? "sign_out_one" : "sign_out_several", { n }))) form.submit();
}

/** @param {Node[]} nodes */
function show(nodes) {
  const focused = /** @type {HTMLElement | null} */ (place.contains(document.activeElement) ? document.activeElement : null)?.dataset.save;
  place.replaceChildren(...nodes);
  place.hidden = !nodes.length;
  if (focused) /** @type {HTMLElement | null} */ (place.querySelector(`[data-save="${CSS.escape(focused)}"]`))?.focus();
}
