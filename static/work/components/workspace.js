/**
 * What all workspaces share: the queue on the page, keys, status, progress, notices, help, going back.
 *
 * A workspace is a subclass. It hands its content type (`work/content/`) to the constructor, and gives `keymap`, `names`
 * (what numbered keys stand for), its own `commands`, `build(entry)` -> nodes, `refresh(entry)`, `takeFocus(stayInField)`,
 * `nameOf(entry)` and `describe(entry)`. What a person edits is `entry.value`: `{content, doubt}`.
 */

import { request } from "../../site/api.js";
import { waitingList } from "../../site/components/left_saves_panel.js";
import { kept } from "../../site/pages/left_saves.js";
import { ActiveTime } from "../logic/active_time.js";
import { commandFor, composes, keyWords, readable, withDoubt } from "../logic/keys.js";
import { withRegion } from "../../site/logic/numbers.js";
import { WorkQueue } from "../logic/queue.js";
import { beginningOf, textOf, translator } from "../../site/logic/text.js";
import { button, h, isAgain, isTyping, readJson } from "../../site/components/dom.js";
import { firstRun } from "../../site/components/first_run.js";
import { withOwn } from "../logic/own_keys.js";
import { SideTabs } from "./side_tabs.js";
import { toast } from "./toast.js";

// Where browsers keep the choice that the server keeps now.
const SINGLES = "single-keys";
// Held down, or clicked twice, they would act on an item that nobody has looked at.
const ONCE = new Set(["done", "back", "forward"]);
// Less than it takes to see that another item is there: a key that finishes it sooner was meant for the one before.
const UNSEEN_MS = 150;
const PAGE = 50;
// More the server does not read; what comes a second time is left out by the queue.
const MAX_HELD = 100;

/** @import { Item, OwnItems, SaveAnswer } from "../../../types/wire" */
/** @import { Entry, Known } from "../logic/entry.js" */
/** @import { KeyMap } from "../logic/keys.js" */
/** @import { Aside, Keeper, Sent, Transport } from "../logic/queue.js" */
/** @import { KeptSave } from "../../site/logic/left_saves.js" */

export class Workspace {
  /** @type {WorkQueue} */
  queue;

  /** The entry that is shown. @type {Entry | null} */
  entry = null;

  /** What the browser keeps; null where it keeps nothing. @type {Awaited<typeof kept>} */
  kept = null;

  /** @type {KeyMap} */
  keymap = [];

  /** What numbered keys stand for. @type {string[]} */
  names = [];

  time = new ActiveTime();

  /** Commands by name. @type {Record<string, (event?: Event) => unknown>} */
  commands;

  /** The parts of the page by id. @type {Record<string, any>} */
  parts;

  /** The text that is shown already, so that it is not said twice. @type {string | undefined} */
  statusSaid;

  /** @type {string | undefined} */
  alertsSaid;

  /** The key that was dealt with when it went down. @type {string | null} */
  dealtWith = null;

  /** The message shown until the next command, and whether it offers an undo. @type {{ text: string, undo: boolean } | null} */
  telling = null;

  /** Whether a dialog is about to open. */
  opening = false;

  /** What the first tab beside the work is called. */
  sideTitle = "tab_item";

  /** The next place of work once nothing is left here. @type {{ url: string, name: string } | null} */
  next = null;

  /** Whether anything was shown yet. */
  started = false;

  /** Until somebody can have seen what is shown. @type {ReturnType<typeof setTimeout> | undefined} */
  seeing;

  /** The name of the message below "Nothing left in this stage". */
  emptyText = "empty_text";

  /** `type`: the module of the content type. */
  constructor(type) {
    this.type = type;
    this.config = readJson("ws-config");
    this.messages = readJson("ws-messages");
    this.t = translator(this.messages, this.config.locale);
    this.parts = Object.fromEntries(
      ["body", "status", "progress", "progress-text", "alerts", "live", "live-saves", "blind", "actions"].map((id) => [id, document.getElementById(`ws-${id}`)]),
    );
    /** The person's own keys: `{changed: {command: key}, singles}`; letters alone can be in the way of speech input. */
    this.own = { changed: this.config.keys.changed, singles: this.config.keys.singles && localStorage.getItem(SINGLES) !== "off" };
    this.sideTabs = new SideTabs(this, document.getElementById("ws-guidelines"));
    this.commands = {
      done: () => this.done(),
      back: () => this.back(),
      forward: () => this.queue.forward() || this.announce(this.t("nothing_forward")),
      undo: () => this.undo(),
      redo: () => this.redo(),
      help: () => this.use(import("./keys_dialog.js"), ({ openKeys }) => openKeys(this)),
      guidelines: () => this.sideTabs.toggleGuidelines(),
      comment: () => this.focusComment(),
      doubt: () => this.toggleDoubt(),
    };
  }

  /** Where this tab keeps that it showed blind work in the stage, so that its end is told after loading anew, too. */
  get blindKey() {
    return `blind-${this.config.stage.id}`;
  }

  /** A narrowed queue holds no blind work, so it tells nothing of its end. */
  blindBefore() {
    return !this.config.only && sessionStorage.getItem(this.blindKey) !== null;
  }

  /** Begins work, with what earlier pages left. */
  async run() {
    this.queue = new WorkQueue({ transport: this.transport(), read: (item) => this.read(item), ahead: this.config.ahead, onChange: () => this.render(), savable: (entry) => this.savable(entry), isBlind: (entry) => entry.item.mode === "blind", wasBlind: this.blindBefore() });
    document.addEventListener("keydown", (event) => this.key(event));
    // Some browsers press a button when Space comes up again, though its going down was dealt with here.
    document.addEventListener("keyup", (event) => {
      if (event.key === this.dealtWith) event.preventDefault();
      this.dealtWith = null;
    });
    window.addEventListener("online", () => this.queue.retry());
    window.addEventListener("beforeunload", (event) => {
      if (this.queue.atRisk) event.preventDefault();
    });
    document.addEventListener("visibilitychange", () => {
      const visible = document.visibilityState !== "hidden";
      this.time.sight(visible);
      if (!visible) this.queue.keepDraft();
      else if (this.queue.failing) this.queue.retry();
    });
    for (const kind of ["keydown", "pointerdown", "pointermove", "wheel", "touchmove"]) {
      document.addEventListener(kind, () => this.touched(), { passive: true, capture: true });
    }
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-command]"))) {
      node.addEventListener("click", (event) => (ONCE.has(node.dataset.command) && isAgain(event)) || this.command(node.dataset.command));
    }
    document.addEventListener("click", (event) => this.clicked(event));
    for (const kind of ["focusin", "focusout"]) document.addEventListener(kind, () => this.markTyping());
    this.showKeys(document);
    firstRun();
    this.kept = await kept;
    this.queue.keeper = this.keeper();
    this.queue.elsewhere = () => (this.kept?.left.saves ?? []).filter(({ stage }) => stage === this.config.stage.id).map(({ item }) => item);
    await this.takeUp();
    return this.queue.start(this.config.start);
  }

  /** Saves of earlier pages go first; those of this stage that the person must decide about are shown here. */
  async takeUp() {
    const { left } = this.kept ?? {};
    if (!left) return;
    try {
      await left.send();
      await left.handOver(this.config.stage.id, async (save) => {
        const item = await this.queue.transport.fetch(save.item).catch(() => null);
        if (!item) return false;
        const entry = this.queue.takeUp(item, { ...this.draftOf(save, item), version: save.version });
        await this.queue.keeping;
        return this.queue.kept.has(entry);
      });
    } catch (error) {
      // The stored saves cannot be read: work can continue anyway.
      console.error(error);
    }
  }

  /** How saves of this page are kept until they are acknowledged. @returns {Keeper | null} */
  keeper() {
    if (!this.kept) return null;
    const { store, person, owner } = this.kept;
    const keyOf = (/** @type {Entry} */ entry) => ({ person, owner, url: this.config.api + this.savePath(entry) });
    return {
      body: (entry, sent) => this.saved(entry, sent, this.time.seconds(entry.key)),
      put: (entry, bodies, at) => store.put({ ...keyOf(entry), at, name: this.nameOf(entry), link: `${location.pathname}?item=${entry.key}`, bodies, version: entry.version, stage: this.config.stage.id, item: entry.key }),
      remove: (entry) => store.remove(keyOf(entry)),
    };
  }

  // --- the server -------------------------------------------------------------------------------------------------

  call(method, path, body) {
    return request(method, this.config.api + path, body, this.messages);
  }

  /** @returns {Transport} */
  transport() {
    const { stage, only } = this.config;
    /**
     * @param {Entry} entry
     * @param {SaveAnswer} answer
     */
    const merged = (entry, answer, more = {}) => ({ item: { ...entry.item, ...more, annotation: answer.annotation, state: answer.state }, progress: answer.progress });
    return {
      claim: (held, count) => this.call("POST", `stages/${stage.id}/claim/`, { held: held.slice(0, MAX_HELD), count, only }),
      save: async (entry, sent) => {
        const seconds = this.time.take(entry.key);
        try {
          const answer = await this.call("POST", this.savePath(entry), { version: entry.version, ...this.saved(entry, sent, seconds) });
          // What was done and is saved again is reviewed from what stands on its source now; what is finished is decided.
          const again = entry.item.annotation?.state === "done" ? { source_changed: [] } : {};
          return merged(entry, answer, sent.done ? { ...again, late_proposals: [] } : again);
        } catch (error) {
          this.time.give(entry.key, seconds);
          throw error;
        }
      },
      undo: async (entry) => merged(entry, await this.call("POST", `assignments/${entry.key}/undo/`, { version: entry.version })),
      fetch: (key) => this.call("GET", `assignments/${key}/`),
    };
  }

  /**
   * What the queue knows of an item.
   *
   * @param {Item} item
   * @returns {Known}
   */
  read({ id, state, annotation }) {
    return {
      key: id,
      value: { content: this.type.clean(annotation.content), doubt: annotation.doubt },
      comment: annotation.comment,
      version: annotation.version,
      done: annotation.state === "done",
      canUndo: annotation.can_undo,
      returned: state === "returned",
    };
  }

  /** Where a save of an entry goes. */
  savePath(entry) {
    return `assignments/${entry.key}/save/`;
  }

  /**
   * What a save says, but for the version.
   *
   * @returns {Record<string, any>}
   */
  saved(_entry, { value, comment, done }, seconds) {
    return { content: this.type.clean(value.content), doubt: value.doubt, comment, done, seconds };
  }

  /**
   * What the person had before them when they made a save that was kept: the last of an item, as `saved` wrote it.
   *
   * @param {KeptSave} save
   * @param {any} _item
   * @returns {Sent & { done: boolean }}
   */
  draftOf({ bodies }, _item) {
    const { content, doubt, comment, done } = /** @type {any} */ (bodies.at(-1));
    return { value: { content: this.type.clean(content), doubt }, comment, done };
  }

  /**
   * Whether the server takes the draft of an entry as it is.
   *
   * @param {Entry} _entry
   */
  savable(_entry) {
    return true;
  }

  /**
   * The two sides of a conflict, and both in one where the content type can join them.
   *
   * @param {Pick<Aside, "entry" | "theirs">} aside
   */
  sides({ entry, theirs }) {
    const { unit } = entry.item;
    const mine = { ...entry.value, comment: entry.comment };
    const other = { content: this.type.clean(theirs.content), doubt: theirs.doubt, comment: theirs.comment };
    const view = (side, beside) =>
      h(
        "div",
        {},
        this.type.show(side.content, this, unit, [beside.content]),
        side.doubt && h("p", { class: "badge badge-warn" }, this.t("doubt")),
        side.comment && h("p", { class: "small" }, `${this.t("comment")}: `, h("bdi", { dir: "auto" }, side.comment)),
      );
    const state = ({ content, doubt, comment }) => ({ value: { content, doubt }, comment });
    const content = this.type.joined([mine.content, other.content], this);
    const comment = [...new Set([mine.comment, other.comment])].filter(Boolean).join("\n");
    return {
      mine: view(mine, other),
      theirs: view(other, mine),
      theirState: state(other),
      both: content && state({ content, doubt: mine.doubt || other.doubt, comment }),
    };
  }

  // --- the page ---------------------------------------------------------------------------------------------------

  render() {
    const { queue } = this;
    if (queue.shown !== this.entry) this.show(queue.shown);
    else if (this.entry) this.refresh(this.entry);
    if (!this.entry) this.renderIdle();
    this.renderStatus();
    this.renderProgress();
    this.renderAlerts();
    for (const node of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-needs-item]"))) node.disabled = !this.entry;
    this.renderUndo();
  }

  /** Undo and redo act where there is something to undo, and say what. */
  renderUndo() {
    const { entry } = this;
    const may = entry && !this.readOnly(entry) && !this.queue.locked(entry);
    const show = (command, can, text, what) => {
      for (const node of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll(`[data-command=${command}]`))) {
        node.disabled = !can;
        node.title = can && what ? `${text}: ${what}` : "";
      }
    };
    show("undo", may && (entry.history.past.length > 0 || entry.canUndo), this.t("key_undo"), entry?.history.past.length ? entry.history.undoes : this.t("last_save"));
    show("redo", may && entry.history.future.length > 0, this.t("key_redo"), entry?.history.redoes);
  }

  show(entry) {
    this.time.show(entry?.key ?? null);
    const elsewhere = isTyping(document.activeElement) && !this.parts.body.contains(document.activeElement);
    this.entry = entry;
    this.parts.blind.hidden = entry?.item.mode !== "blind";
    document.body.classList.toggle("is-blind", entry?.item.mode === "blind");
    if (!entry) return;
    if (entry.item.mode === "blind") sessionStorage.setItem(this.blindKey, "");
    const nodes = this.build(entry);
    const isLaidOut = nodes.some((node) => node instanceof Element && node.classList.contains("ws-main"));
    this.parts.body.replaceChildren(...(isLaidOut ? nodes : [h("div", { class: "ws-main" }, nodes)]));
    this.sideTabs.dress(this.parts.body);
    this.parts.body.dataset.phase = "working";
    this.parts.body.dataset.key = entry.key;
    // Past the item that the address names, loading the page again must not lead back to it.
    if (this.config.start !== null && entry.key !== this.config.start) history.replaceState(null, "", this.config.only ? `?only=${this.config.only}` : location.pathname);
    this.refresh(entry);
    this.markUnseen();
    if (!document.querySelector("dialog[open]")) this.takeFocus(elsewhere);
    // While a save is on its way the numbers are those from before it: they are said with its answer.
    const { progress, unsaved } = this.queue;
    this.announce([this.describe(entry), progress && !unsaved && this.progressText()].filter(Boolean).join(" "));
    window.scrollTo({ top: 0 });
  }

  /** What was put on the page is unseen until it was painted and a moment has passed. */
  markUnseen() {
    clearTimeout(this.seeing);
    this.parts.body.dataset.unseen = "";
    requestAnimationFrame(() => {
      this.seeing = setTimeout(() => this.markSeen(), UNSEEN_MS);
    });
  }

  markSeen() {
    clearTimeout(this.seeing);
    delete this.parts.body.dataset.unseen;
  }

  /** Whether a key comes too soon to be meant for what is shown: held down, or pressed before anybody can have seen it. */
  isHasty(event) {
    return event.repeat || "unseen" in this.parts.body.dataset;
  }

  renderIdle() {
    const { queue, t } = this;
    const { phase } = queue;
    const said = `${phase}|${queue.broken?.message ?? ""}|${queue.failing ? "failing" : ""}|${queue.ownLeft ? "own" : ""}|${queue.blindLeft}|${queue.elsewhereLeft}|${queue.laterLeft}`;
    if (this.parts.body.dataset.phase === said) return;
    this.parts.body.dataset.phase = said;
    delete this.parts.body.dataset.key;
    if (phase === "gate") {
      this.renderGate(queue.gate.left);
    } else if (phase === "empty") {
      const nothing = queue.progress?.total === 0;
      const narrowed = !nothing && Boolean(this.config.only);
      if (!nothing && !narrowed) void this.findNext();
      const title = t(nothing ? "none_title" : narrowed ? "none_narrowed_title" : this.isKept() ? "kept_title" : "empty_title");
      this.parts.body.replaceChildren(
        h(
          "div",
          { class: "empty ws-idle" },
          h("h2", {}, title),
          h("p", {}, nothing && this.config.empty ? this.config.empty : this.whyEmpty(nothing, narrowed)),
          h("div", { class: "cluster ws-center", id: "ws-ways" }, this.ways(nothing, narrowed)),
        ),
      );
      this.announce(title);
    } else if (phase === "error") {
      this.parts.body.replaceChildren(h("div", { class: "empty ws-idle" }, h("h2", {}, t("error_title")), h("p", {}, queue.broken.message), button(t("retry"), { class: "button", onclick: () => queue.retry() })));
    } else {
      const waiting = queue.unsaved || this.started;
      this.parts.body.replaceChildren(h("p", { class: "ws-idle ws-loading", role: "status" }, t(waiting ? "loading_next" : "loading")));
    }
    this.started = true;
  }

  /** Where one can go from here, the likeliest first. */
  ways(nothing, narrowed) {
    const { config, t } = this;
    const links = [
      this.next && { href: this.next.url, text: t("next_stage", { name: this.next.name }), key: "↵" },
      nothing && config.before && { href: config.before.url, text: config.before.name },
      narrowed && { href: location.pathname, text: t("end_narrowing") },
      { href: config.dashboard, text: t("to_dashboard") },
      nothing && config.import && { href: config.import, text: t("to_import") },
      config.items && { href: config.items, text: t("to_items") },
    ].filter(Boolean);
    const link = ({ href, text, key = "" }, at) => h("a", { class: at ? "button" : "button button-primary", href }, h("span", {}, text), key && h("kbd", { "aria-hidden": "true" }, key));
    return [links.map(link), button(t("look_again"), { class: "button button-quiet", onclick: () => this.queue.retry() })];
  }

  /** Looks where work is left, by numbers of this moment; without an answer the overview shows it. */
  async findNext() {
    try {
      const { stages } = await this.call("GET", "");
      const links = [...document.querySelectorAll(".ws-stages a")].map((link) => ({ url: link.getAttribute("href"), name: link.getAttribute("data-name") }));
      const { nextStage } = await import("../logic/next_stage.js");
      this.next = nextStage(stages, links, this.config.stage.id);
    } catch {
      return;
    }
    if (this.next && this.queue.phase === "empty") document.getElementById("ws-ways")?.replaceChildren(...this.ways(false, false).flat());
  }

  /** Whether something is left that is not for this person. */
  isKept() {
    const { queue } = this;
    return Boolean(queue.blindLeft || queue.elsewhereLeft || queue.laterLeft);
  }

  /**
   * Why nothing is shown: what is missing, or who does what is left.
   *
   * @param {boolean} nothing The stage has no items.
   * @param {boolean} narrowed The person narrowed the queue.
   */
  whyEmpty(nothing, narrowed) {
    const { queue, t } = this;
    if (nothing || narrowed) return t(nothing ? "none_text" : "none_narrowed_text");
    if (queue.laterLeft) return t("empty_later", { n: queue.laterLeft });
    if (queue.blindLeft) return t("empty_blind", { n: queue.blindLeft });
    if (queue.ownLeft) return t("empty_own");
    return queue.elsewhereLeft ? t("empty_elsewhere", { n: queue.elsewhereLeft }) : t(this.emptyText);
  }

  /**
   * The blind work is over: that is said before anything with suggestions is shown.
   *
   * @param {number} left How many of its items were passed over.
   */
  renderGate(left) {
    const { t } = this;
    const title = t(left ? "blind_end_title" : "blind_done_title");
    const text = t("blind_done_text");
    const open = left ? t("blind_end_left", { n: left }) : "";
    // A key that is held down, or pressed twice, must not go past what is to be read.
    const goOn = button(t("blind_go_on"), { class: "button button-primary button-large", key: "↵", onclick: (event) => isAgain(event) || this.goOn(), onkeydown: (event) => this.isHasty(event) && event.preventDefault() });
    this.parts.body.replaceChildren(h("div", { class: "empty ws-idle ws-gate" }, h("h2", {}, title), h("p", {}, text), open && h("p", {}, open), h("div", { class: "cluster ws-center" }, goOn, this.config.items && h("a", { class: "button", href: this.config.items }, t("to_items")))));
    this.announce([`${title}.`, text, open].filter(Boolean).join(" "));
    this.markUnseen();
    if (!document.querySelector("dialog[open]") && !isTyping(document.activeElement)) goOn.focus();
    window.scrollTo({ top: 0 });
  }

  /** On to what comes after the blind work. Returns whether its end was being told. */
  goOn() {
    if (this.queue.gate) sessionStorage.removeItem(this.blindKey);
    return this.queue.pass();
  }

  renderStatus() {
    const { queue, t } = this;
    const status = this.entry ? queue.statusOf(this.entry) : "clean";
    const waiting = queue.jobs.filter((job) => job.kind === "save").length;
    const time = queue.lastSaved && new Intl.DateTimeFormat(withRegion(this.config.locale, navigator.languages), { hour: "2-digit", minute: "2-digit" }).format(queue.lastSaved);
    const isDraft = status === "saved" && !this.entry.done;
    let [state, text] = ["clean", ""];
    if (queue.failing && waiting) [state, text] = ["failed", t("not_saved", { n: waiting })];
    else if (queue.failing) [state, text] = ["failed", t("no_answer")];
    else if (waiting) [state, text] = ["saving", t("saving")];
    else if (status === "edited") [state, text] = ["edited", t("edited")];
    else if (time) [state, text] = ["saved", t(isDraft ? "draft_saved" : "saved", { time })];
    if (status === "edited") queue.edited();
    const said = state + text;
    if (this.statusSaid === said) return;
    this.statusSaid = said;
    this.parts.status.dataset.state = state;
    this.refill(this.parts.status, text, ...(state === "failed" ? [" ", button(t("retry"), { class: "button button-small", onclick: () => queue.retry() })] : []));
    // A place of its own: the next sentence is being read out at the same moment.
    if (state === "failed") this.parts["live-saves"].textContent = text;
    if (state === "saved" && !isDraft) this.parts["live-saves"].textContent = [text, queue.progress && `${this.progressText()}.`].filter(Boolean).join(". ");
  }

  renderProgress() {
    const { progress } = this.queue;
    if (!progress) return;
    const { progress: bar, "progress-text": text } = this.parts;
    bar.max = Math.max(1, progress.total);
    bar.value = progress.done;
    text.textContent = this.progressText();
  }

  /** How far the stage is, and what is wanted blind beside it. Where several answers are wanted of each item, one's own are
   * more than what is complete. */
  progressText() {
    const { progress } = this.queue;
    if (progress.blind) return this.t("progress_blind", progress);
    return this.t(this.config.stage.answers > 1 ? "progress_several" : "progress", progress);
  }

  /** Notices that stay: what did not get through, what was refused, what conflicts. */
  renderAlerts() {
    const { queue, t } = this;
    const notices = [];
    if (queue.failing) {
      const { code, message, wait } = queue.failing;
      if (code === "other_user") {
        notices.push({ id: "failing", text: message, kind: "error", action: { label: t("reload"), run: () => location.reload() } });
      } else {
        const action = code === "not_authenticated" && { label: t("sign_in"), run: () => window.open(this.config.signIn, "_blank") };
        const seconds = Math.round(wait / 1000);
        const waiting = queue.jobs.filter((job) => job.kind === "save");
        const text = queue.atRisk ? t("failing_open", { reason: message, seconds }) : t(waiting.length ? "failing_kept" : "failing", { reason: message, seconds });
        notices.push({ id: "failing", text, kind: "warning", action, list: waiting.map(({ entry, at }) => ({ name: this.nameOf(entry), at })) });
      }
    }
    if (queue.notice) notices.push({ id: "notice", text: queue.notice, kind: "warning", action: { label: t("close"), run: () => this.dismissNotice() } });
    if (this.telling) notices.push({ id: "telling", text: this.telling.text, kind: "info", action: { label: t("close"), run: () => this.say(null) }, second: this.telling.undo && { label: t("key_undo"), run: () => this.command("undo"), key: this.keyOf("undo") } });
    for (const [key, aside] of queue.aside) {
      const name = this.nameOf(aside.entry);
      if (aside.kind === "conflict") {
        notices.push({ id: `${key}-conflict`, text: t("conflict_notice", { name }), kind: "error", action: { label: t("conflict_resolve"), run: () => this.openConflict(key) } });
        if (!aside.offered && !document.querySelector("dialog[open]")) {
          aside.offered = true;
          queueMicrotask(() => this.openConflict(key));
        }
      } else if (aside.kind === "taken") {
        notices.push({ id: `${key}-taken`, text: t("refused_notice", { name, reason: aside.message }), kind: "warning", action: { label: t("close"), run: () => queue.release(key) } });
      } else {
        notices.push({ id: `${key}-refused`, text: t("refused_notice", { name, reason: aside.message }), kind: "error", second: { label: t("refused_open"), run: () => queue.revisit(key) }, action: { label: t("refused_discard"), run: () => this.discard(key) } });
      }
    }
    const said = JSON.stringify(notices.map(({ id, text, list }) => [id, text, list]));
    if (this.alertsSaid === said) return;
    this.alertsSaid = said;
    const isOpen = Boolean(this.parts.alerts.querySelector("details")?.open);
    this.refill(
      this.parts.alerts,
      ...notices.map(({ text, kind, action, second, list }) => toast({ text, kind, actions: [second, action].filter(Boolean), more: list?.length > 0 && waitingList(list, this.t, isOpen) })),
    );
  }

  /** New content for a notice. A button that had the focus goes with the old one, so the work gets it back. */
  refill(node, ...content) {
    const focused = node.contains(document.activeElement);
    node.replaceChildren(...content);
    if (focused && !document.querySelector("dialog[open]")) this.takeFocus(false);
  }

  openConflict(key) {
    return this.use(import("../../site/components/dialogs.js"), (dialogs) => this.showConflict(key, dialogs));
  }

  showConflict(key, { conflictDialog, openDialog }) {
    const aside = this.queue.aside.get(key);
    if (!aside) return;
    const sides = this.sides(aside);
    openDialog(
      conflictDialog({
        title: this.t("conflict_title", { name: this.nameOf(aside.entry) }),
        message: aside.message,
        mine: sides.mine,
        theirs: sides.theirs,
        mergeable: Boolean(sides.both),
        t: this.t,
        onChoose: (which) => {
          this.settleConflict(key, which, sides);
          this.takeFocus(false);
        },
      }),
    ).addEventListener("close", () => this.takeFocus(false));
  }

  /**
   * Opens a dialog by a module that the page loads when it first needs it. Keys are for the dialog by then.
   *
   * @template T
   * @param {Promise<T>} loading
   * @param {(module: T) => unknown} open
   */
  async use(loading, open) {
    this.opening = true;
    let module;
    try {
      module = await loading;
    } catch {
      return this.say(this.t("network"));
    } finally {
      this.opening = false;
    }
    return document.querySelector("dialog[open]") ? undefined : open(module);
  }

  /** One of two sides was chosen, or both in one: "mine", "theirs" or "both". */
  settleConflict(key, which, sides) {
    const { entry } = this.queue.aside.get(key);
    const chosen = which === "mine" ? { value: entry.value, comment: entry.comment } : which === "theirs" ? sides.theirState : sides.both;
    this.queue.resolve(key, chosen.value, chosen.comment);
  }

  async discard(key) {
    try {
      await this.queue.discard(key);
    } catch (error) {
      this.announce(error.message);
    }
  }

  dismissNotice() {
    this.queue.notice = null;
    this.render();
  }

  /** Says something to screen readers. */
  announce(text) {
    // A second time the same text would not be read out.
    this.parts.live.textContent = this.parts.live.textContent === text ? `${text} ` : text;
  }

  /** Says something to everybody: on the page, too, until the next command; null takes it away. */
  say(text, { undo = false } = {}) {
    this.telling = text ? { text, undo } : null;
    this.renderAlerts();
    if (text) this.announce(text);
  }

  // --- what a kind of work gives ------------------------------------------------------------------------------------

  /**
   * The nodes that show an entry.
   *
   * @param {Entry} entry
   * @returns {Node[]}
   */
  build(entry) {
    throw new Error(`Nothing shows item ${entry.key}.`);
  }

  /**
   * Brings what `build` made in line with the entry.
   *
   * @param {Entry} entry
   */
  refresh(entry) {
    this.refreshComment(entry);
  }

  /**
   * What an entry is called in notices: by how it begins.
   *
   * @param {Entry} entry
   * @returns {string}
   */
  nameOf({ item: { unit } }) {
    const text = textOf(unit.tokens, unit.spaces).replaceAll("\n", " / ").trim();
    return text ? this.t("named_by", { text: beginningOf(text) }) : unit.uid;
  }

  /**
   * An entry as it is read out when it is shown.
   *
   * @param {Entry} entry
   * @returns {string}
   */
  describe(entry) {
    const { tokens, spaces } = entry.item.unit;
    return textOf(tokens, spaces);
  }

  /**
   * Takes the focus to where keys act.
   *
   * @param {boolean} stayInField Somebody is typing in another part of the page.
   */
  takeFocus(stayInField) {}

  /** Somebody is at the page. */
  touched() {
    this.time.touch();
    this.queue.wake();
  }

  /** The keys of the page as they ship: with that for doubt where the page has its tick. */
  keymapHere() {
    return this.parts.body.querySelector(".ws-doubt") ? withDoubt(this.keymap) : this.keymap;
  }

  /** The keys that act now: the person's own. */
  keys() {
    return withOwn(this.keymapHere(), this.own.changed);
  }

  /** What is printed on the first key of a command; "" where the person gave it none, null where it does not act. */
  keyOf(command) {
    const entry = this.keys().find((one) => one.command === command);
    return entry ? readable(entry.keys[0] ?? "", keyWords(this.t)) : null;
  }

  /** Writes the keys on buttons of commands. @param {ParentNode} within */
  showKeys(within) {
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (within.querySelectorAll("[data-command], [data-key-of]"))) {
      const place = node.matches("kbd") ? node : node.querySelector("kbd");
      const key = place && this.keyOf(node.dataset.keyOf ?? node.dataset.command);
      if (!place || key === null) continue;
      place.textContent = key;
      place.hidden = !key;
    }
  }

  /** Keeps the person's own keys on the server, and takes them over. */
  async setOwnKeys(own) {
    this.own = await request("PUT", this.config.keysUrl, own, this.messages);
    localStorage.removeItem(SINGLES);
    this.showKeys(document);
  }

  /** What the buttons say of their keys: while somebody types, single keys write. */
  markTyping() {
    // After the focus has gone where it goes.
    queueMicrotask(() => document.body.classList.toggle("is-typing", isTyping(document.activeElement ?? document.body)));
  }

  // --- keys and commands --------------------------------------------------------------------------------------------

  key(event) {
    if (event.defaultPrevented || this.opening || composes(event) || document.querySelector("dialog[open]")) return;
    const { target } = event;
    const finishes = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (isTyping(target)) {
      if (event.key === "Escape") this.leaveField();
      else if (finishes) this.isHasty(event) || this.command("done");
      else if (event.altKey && commandFor(event, this.keys()) === "doubt") this.command("doubt");
      else return;
      event.preventDefault();
      return;
    }
    // Between two fields, such as on a tick, too.
    const command = event.key === "Escape" ? "escape" : finishes ? "done" : commandFor(event, this.keys(), this.own.singles);
    if (!command || !(command in this.commands)) {
      // A word is a button, which browsers press by keys that mean something else here.
      if (!target.closest?.(".chip") || !["Enter", " "].includes(event.key)) return;
      event.preventDefault();
      this.dealtWith = event.key;
      return;
    }
    const onControl = target.closest?.("button, a, summary, input") && !target.closest(".chip");
    if (onControl && !finishes && (event.key === "Enter" || event.key === " ")) return;
    event.preventDefault();
    this.dealtWith = event.key;
    if (command === "done" ? this.isHasty(event) : event.repeat && (ONCE.has(command) || /^tag/.test(command))) return;
    // Who does anything else to it has seen it.
    if (command !== "done") this.markSeen();
    this.command(command);
  }

  /** Out of the fields, where keys act: what takes the focus of a form is a field again. */
  leaveField() {
    this.takeFocus(false);
    if (isTyping(document.activeElement)) this.parts.body.focus();
  }

  /** After a click with the mouse keys act as before it: else Enter would press the button again, and finish nothing. */
  clicked(event) {
    const pressed = event.target.closest?.("button");
    const within = this.parts.body.contains(pressed) || this.parts.actions.contains(pressed);
    if (event.detail && within && pressed === document.activeElement) this.takeFocus(false);
  }

  command(name) {
    if (this.telling) this.say(null);
    if (["done", "forward"].includes(name) && this.goOn()) return;
    if (!this.entry && !["help", "back"].includes(name)) {
      if (name === "done" && this.queue.phase === "empty" && this.next) location.assign(this.next.url);
      else if (name === "undo" && this.queue.past.length) this.undoBefore();
      else this.announce(this.t(this.queue.phase === "empty" ? "empty_title" : "loading_next"));
      return;
    }
    this.commands[name]?.();
  }

  /** The entry, if it may be edited now. */
  editable() {
    if (!this.entry) return null;
    if (this.readOnly(this.entry)) {
      this.announce(this.t("gold_decided"));
      return null;
    }
    if (this.queue.locked(this.entry)) {
      const aside = this.queue.aside.get(this.entry.key);
      this.announce(aside?.kind === "taken" ? aside.message : this.t("locked"));
      return null;
    }
    return this.entry;
  }

  /** Whether gold is decided, so that nothing can be saved. */
  readOnly(entry) {
    return entry.item.gold === true;
  }

  /** On from what can only be read. Returns whether it was that. */
  passOver() {
    if (!this.entry || !this.readOnly(this.entry)) return false;
    if (!this.queue.forward()) this.announce(this.t("nothing_forward"));
    return true;
  }

  done() {
    this.queue.finish();
  }

  undo() {
    const entry = this.editable();
    if (!entry) return;
    const what = entry.history.undoes;
    if (entry.history.undo()) {
      this.shown(what ? this.t("undone_what", { what }) : this.t("undone"));
    } else if (this.queue.undoOnServer()) {
      this.announce(this.t("undoing"));
    } else {
      this.say(this.t("nothing_to_undo"));
    }
  }

  /** Undo was asked for where nothing is shown, and there is an item before. */
  undoBefore() {
    this.say(this.t("undo_before"));
  }

  redo() {
    if (!this.editable()) return;
    const what = this.entry.history.redoes;
    if (this.entry.history.redo()) this.shown(what ? this.t("redone_what", { what }) : this.t("redone"));
    else this.announce(this.t("nothing_to_redo"));
  }

  /**
   * Somebody edited the content of an entry. Returns whether that changed anything.
   *
   * @param {Entry} entry
   * @param {any} content
   */
  change(entry, content) {
    return entry.history.set({ ...entry.value, content });
  }

  /** Shows a change, which `text` tells; what was said before it is no longer so. */
  refreshed(text) {
    if (text) this.entry?.history.note(text);
    this.shown(text);
  }

  /** Shows the entry as it is by now. */
  shown(text) {
    this.telling = null;
    this.render();
    if (text) this.announce(text);
  }

  /** The item before: of this page, else of the person's earlier work. */
  async back() {
    if (this.queue.back()) return;
    let earlier;
    try {
      earlier = await this.earlier();
    } catch (error) {
      this.announce(error.message);
      return;
    }
    if (earlier === null) this.announce(this.t("nothing_back"));
    else await this.queue.recall(earlier);
  }

  /** The key of the person's done item before the one that is shown, or null. */
  async earlier() {
    const known = new Set([...this.queue.held, ...this.queue.past.map((entry) => entry.key)]);
    let before = this.entry?.key ?? 0;
    for (;;) {
      /** @type {OwnItems} */
      const { results, more } = await this.call("GET", `stages/${this.config.stage.id}/items/?state=done&before=${before}&limit=${PAGE}`);
      const found = results.findLast((item) => !known.has(item.id));
      if (found) return found.id;
      if (!more || !results.length) return null;
      before = results[0].id;
    }
  }

  focusComment() {
    const field = this.parts.body.querySelector(".ws-comment");
    this.sideTabs.reveal(field);
    field?.focus();
    field?.scrollIntoView({ block: "nearest" });
  }

  /** A field for the comment of an entry. */
  commentField(entry, label = this.t("comment"), placeholder = this.t("comment_placeholder")) {
    const field = h("textarea", { class: "ws-comment", rows: "2", dir: "auto", "aria-label": label, placeholder });
    field.value = entry.comment;
    field.addEventListener("input", () => {
      entry.history.write(field.value, this.t("comment_edited"));
      this.renderStatus();
      this.renderUndo();
    });
    field.addEventListener("blur", () => entry.history.written());
    return field;
  }

  /** The tick for doubt. Where it is on the page, its key acts. */
  doubtTick() {
    return h("label", { class: "check" }, h("input", { type: "checkbox", class: "ws-doubt", onchange: () => this.toggleDoubt() }), h("span", {}, this.t("doubt_label")));
  }

  /** Doubt and comment in a card of their own, for the side of the page. */
  commentCard(entry) {
    return h("section", { class: "ws-notes" }, this.doubtTick(), h("h2", { class: "ws-side-title" }, this.t("comment")), this.commentField(entry));
  }

  /** Shows the doubt about an entry, and its comment, unless somebody is writing it. */
  refreshComment(entry) {
    const tick = /** @type {HTMLInputElement | null} */ (this.parts.body.querySelector(".ws-doubt"));
    if (tick) tick.checked = entry.value.doubt;
    const field = this.parts.body.querySelector(".ws-comment");
    if (field && field !== document.activeElement && field.value !== entry.comment) field.value = entry.comment;
  }

  /** What says that gold is decided, where it is. */
  goldNotice({ item }) {
    return item.gold && h("p", { class: "notice notice-warning" }, this.t("gold_decided"));
  }

  /** What says that a text was fixed and the person's answer is to be looked at again, where it is. */
  revisedNotice(entry) {
    const { done, item } = entry;
    if (done || !item.revised?.again) return null;
    return h("div", { class: "notice notice-info ws-revised" }, this.lookAgain(entry));
  }

  /** What there is to look at again: the answer as a whole. */
  lookAgain(_entry) {
    return [h("p", {}, this.t("text_look_again"))];
  }

  toggleDoubt() {
    const entry = this.editable();
    if (!entry) return this.entry && this.refresh(this.entry);
    const doubt = !entry.value.doubt;
    entry.history.set({ ...entry.value, doubt });
    return this.refreshed(this.t(doubt ? "doubt_on" : "doubt_off"));
  }
}
