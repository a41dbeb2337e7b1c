/**
 * What is shown, what comes next, what is being saved. Knows no page and no network.
 *
 * - Edits act on `shown`, an entry with a draft of its own; while nothing is shown there is nothing to act on.
 * - `finish` shows the item that is already there and sends a save.
 * - Up to `ahead` items wait behind the one that is shown. When fewer than half of them are left, one claim fills up.
 * - Requests go out one after the other, so that a save always knows the version that the one before it made.
 * - A request that did not get through is tried again, saves first; one that the server refused is put aside with what
 *   it said, and the others go on.
 * - Blind work comes first. When what is to be shown next is not blind any more, nothing is shown until somebody has been
 *   told so and goes on (`gate`, `pass`).
 * - What waited untouched for longer than the server keeps it is asked for anew when somebody is back (`wake`).
 * - A save is kept outside the page until it is acknowledged (`keeper`), so that it outlives the page; what an earlier page
 *   left is taken up before work begins (`takeUp`).
 * - A draft is saved as open when nobody has edited it for a while (`edited`), and whenever it is left: only `finish` says
 *   that something is done.
 *
 * A request's error has `retriable`, `code`, `message`, and on a conflict `theirs` (`js/api.js`).
 *
 * @import { Progress } from "../../../types/wire"
 * @import { Known } from "./entry.js"
 *
 * @typedef {{ value: any, comment: string }} Sent
 * @typedef {object} Transport Items are the workspace's own.
 * @property {(held: number[], count: number) => Promise<{ items: any[], progress?: Progress | null, own_left?: boolean, blind_left?: number, elsewhere_left?: number, later_left?: number }>} claim
 * @property {(entry: Entry, sent: Sent & { done: boolean }) => Promise<{ item: any, progress?: Progress | null }>} save
 * @property {(entry: Entry) => Promise<{ item: any, progress?: Progress | null }>} undo
 * @property {(key: number) => Promise<any>} fetch
 *
 * @typedef {object} Options
 * @property {Transport} transport
 * @property {(item: any) => Known} read
 * @property {number} [ahead] How many items wait behind the one that is shown.
 * @property {(fn: () => void, ms: number) => any} [schedule]
 * @property {(timer: any) => void} [cancel]
 * @property {(entry: Entry) => boolean} [savable] Whether the server takes the draft as it is.
 * @property {(entry: Entry) => boolean} [isBlind] Whether an item is answered without suggestions in sight.
 * @property {boolean} [wasBlind] Whether the page showed blind work before it was loaded anew.
 * @property {() => Date} [now]
 * @property {(queue: WorkQueue) => void} [onChange]
 *
 * @typedef {object} Keeper
 * @property {(entry: Entry, sent: Sent & { done: boolean }) => Record<string, unknown>} body What a save sends, but for the version.
 * @property {(entry: Entry, bodies: Record<string, unknown>[], at: number) => Promise<void>} put Keeps the saves of an entry that wait, in order.
 * @property {(entry: Entry) => Promise<void>} remove
 *
 * @typedef {{ kind: "save", entry: Entry, sent: Sent, done: boolean, at: number, body?: Record<string, unknown>, inFlight?: boolean }} SaveJob
 * @typedef {{ kind: "undo", entry: Entry, inFlight?: boolean }} UndoJob
 * @typedef {{ kind: "fetch", key: number, entry: null, inFlight?: boolean }} FetchJob
 * @typedef {{ kind: "claim", entry: null, anew?: boolean, inFlight?: boolean }} ClaimJob
 * @typedef {{ kind: "text", entry: Entry, send: () => Promise<{ item: any }>, tell: (error: any) => void, inFlight?: boolean }} TextJob
 * @typedef {SaveJob | UndoJob | FetchJob | ClaimJob | TextJob} Job
 * @typedef {{ entry: Entry, kind: "conflict" | "refused" | "taken", message: string, theirs: any, done: boolean, at: number, body?: Record<string, unknown>, offered?: boolean }} Aside
 */

import { Entry } from "./entry.js";
import { equal } from "./history.js";

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30000;
const GONE = "not_found";
// As many as the server hands out at once.
const MOST = 20;
// Untouched items go back to the others after half an hour; before that they are asked for anew.
const STALE = 20 * 60 * 1000;
/** After so many milliseconds without an edit a draft is saved. */
export const IDLE = 2000;

export class WorkQueue {
  /** @type {Entry | null} */
  shown = null;

  /** What comes next. @type {Entry[]} */
  ready = [];

  /** What was shown before. @type {Entry[]} */
  past = [];

  /** The line of requests. @type {Job[]} */
  jobs = [];

  /** What was refused or conflicts, by key. @type {Map<number, Aside>} */
  aside = new Map();

  /** @type {Progress | null} */
  progress = null;

  /** Whether something is left that is not handed out to the person since they wrote it. */
  ownLeft = false;

  /** Of what is free, how much is kept from the person since it would tell them of what they answer blind. */
  blindLeft = 0;

  /** How much of it they answer in another stage. */
  elsewhereLeft = 0;

  /** How many pairs come once the blind work on their sentences is done. */
  laterLeft = 0;

  /** Whether the server had nothing more to hand out. */
  exhausted = false;

  /** Why requests do not get through. @type {{ attempt: number, wait: number, message: string, code: string } | null} */
  failing = null;

  /** Why no work can be claimed. @type {{ message: string } | null} */
  broken = null;

  /** @type {string | null} */
  notice = null;

  /** @type {Date | null} */
  lastSaved = null;

  /** @type {Date | null} */
  claimedAt = null;

  busy = false;

  /** The blind work is over, with so many of its items left open; nobody was told yet. @type {{ left: number } | null} */
  gate = null;

  /** @type {any} */
  timer = null;

  /** Until the draft of what is shown is saved. @type {any} */
  idle = null;

  /** Keeps saves outside the page; null where nothing can. @type {Keeper | null} */
  keeper = null;

  /** Keys of items whose saves wait outside the page: they are not shown until sent. @type {() => number[]} */
  elsewhere = () => [];

  /** The entries whose waiting saves are kept outside the page. @type {Set<Entry>} */
  kept = new Set();

  /** What is being written there. @type {Promise<unknown>} */
  keeping = Promise.resolve();

  /** @param {Options} options */
  constructor({ transport, read, ahead = MOST, schedule = (fn, ms) => setTimeout(fn, ms), cancel = (timer) => clearTimeout(timer), savable = () => true, isBlind = () => false, wasBlind = false, now = () => new Date(), onChange = () => {} }) {
    this.transport = transport;
    this.read = read;
    this.ahead = Math.min(ahead, MOST);
    this.schedule = schedule;
    this.cancel = cancel;
    this.savable = savable;
    this.isBlind = isBlind;
    this.wasBlind = wasBlind;
    this.now = now;
    this.onChange = onChange;
  }

  /** "working", "gate", "loading", "empty", or "error" (the server refused to hand out work; `broken` says why). */
  get phase() {
    if (this.shown) return "working";
    if (this.gate) return "gate";
    if (this.broken) return "error";
    return this.exhausted && !this.jobs.length ? "empty" : "loading";
  }

  /** Keys of everything that is in this page's hands; the server leaves them out of what it hands out. */
  get held() {
    const skipped = this.past.filter((entry) => !entry.done);
    const aside = [...this.aside.values()].map(({ entry }) => entry);
    const entries = [this.shown, ...this.ready, ...this.jobs.map((job) => job.entry), ...skipped, ...aside];
    return [...new Set(entries.flatMap((entry) => (entry ? [entry.key] : [])))];
  }

  /** Whether leaving the page now would lose anything: what is kept outside the page is not lost. */
  get atRisk() {
    const replaced = this.jobs.some((job) => job.kind === "undo" || job.kind === "text");
    const saves = [...this.jobs.filter((job) => job.kind === "save"), ...[...this.aside.values()].filter(({ kind }) => kind !== "taken")];
    return replaced || saves.some(({ entry }) => !this.kept.has(entry)) || Boolean(this.shown?.dirty);
  }

  /** Whether something is not on the server yet. */
  get unsaved() {
    return this.jobs.some((job) => job.kind === "save" || job.kind === "undo" || job.kind === "text") || [...this.aside.values()].some(({ kind }) => kind !== "taken") || Boolean(this.shown?.dirty);
  }

  /**
   * "saving", "failed", "conflict", "refused", "taken", "edited", "saved" or "clean".
   *
   * @param {Entry} entry
   */
  statusOf(entry) {
    const aside = this.aside.get(entry.key);
    if (aside) return aside.kind;
    if (this.jobs.some((job) => job.entry === entry)) return this.failing ? "failed" : "saving";
    if (entry.dirty) return "edited";
    return entry.savedAt ? "saved" : "clean";
  }

  /**
   * Begins, with the item of `key` where one is asked for.
   *
   * @param {number | null} [key]
   */
  start(key = null) {
    if (key !== null && this.past.some((entry) => entry.key === key)) this.recall(key);
    else if (key !== null) this.jobs.push({ kind: "fetch", key, entry: null });
    return this.#pump();
  }

  /**
   * Takes up what an earlier page could not save, over the version that was seen there. Comes before `start`.
   *
   * @param {any} item
   * @param {Sent & { done: boolean, version: number }} draft
   */
  takeUp(item, { value, comment, done, version }) {
    const entry = new Entry(item, this.read);
    entry.history.set(value, comment);
    entry.over(version);
    this.past.push(entry);
    this.#enqueue(entry, done);
    return entry;
  }

  /** Done with what is shown: shows the next at once and saves in the background. Returns the entry, or null. */
  finish() {
    const entry = this.shown;
    if (entry && this.#isTaken(entry)) void this.release(entry.key);
    else if (entry && !this.locked(entry)) return this.#finish(entry);
    return null;
  }

  /** @param {Entry} entry */
  #finish(entry) {
    this.#enqueue(entry, true);
    this.past = [...this.past.filter((other) => other !== entry), entry];
    this.#advance();
    this.#pump();
    return entry;
  }

  /** What is shown was edited: its draft is saved once that has not happened again for a while. */
  edited() {
    if (this.idle !== null) this.cancel(this.idle);
    this.idle = this.schedule(() => {
      this.idle = null;
      this.keepDraft();
    }, IDLE);
  }

  /** Saves the draft of what is shown as open, where it differs, without leaving it. */
  keepDraft() {
    const entry = this.shown;
    if (!entry?.dirty || this.locked(entry) || !this.savable(entry)) return;
    const waiting = this.jobs.filter((job) => job.kind === "save").findLast((job) => job.entry === entry);
    if (waiting && equal(waiting.sent, { value: entry.value, comment: entry.comment })) return;
    this.#enqueue(entry, false);
    this.#pump();
  }

  /** Shows the item before. Returns whether there is one in this page's memory. */
  back() {
    const previous = this.past.pop();
    if (!previous) return false;
    if (this.shown) {
      this.keepDraft();
      this.ready.unshift(this.shown);
    }
    this.gate = null;
    this.shown = previous;
    this.#changed();
    return true;
  }

  /**
   * Shows an item that is not in this page's memory, before what is shown.
   *
   * @param {number} key
   */
  recall(key) {
    const known = this.past.find((entry) => entry.key === key);
    if (known) {
      this.past = [...this.past.filter((entry) => entry !== known), known];
      this.back();
      return Promise.resolve();
    }
    this.jobs.push({ kind: "fetch", key, entry: null });
    this.#changed();
    return this.#pump();
  }

  /** Leaves what is shown as it is and goes on. Returns whether there is something to go on to. */
  forward() {
    if (!this.shown || !this.ready.length) return false;
    this.keepDraft();
    this.past.push(this.shown);
    this.#advance();
    this.#pump();
    return true;
  }

  /** Goes on after the end of the blind work was told. Returns whether it had to be. */
  pass() {
    if (!this.gate) return false;
    this.gate = null;
    this.wasBlind = false;
    this.#advance();
    this.#pump();
    return true;
  }

  /** Asks the server to undo the last write on what is shown. Returns whether there was one. */
  undoOnServer() {
    const entry = this.shown;
    if (!entry?.canUndo || this.locked(entry)) return false;
    this.jobs.push({ kind: "undo", entry });
    this.#pump();
    return true;
  }

  /**
   * Sends a new text for what is shown, after its draft; the entry is then the item of `send`'s answer. Resolves with
   * null, or the error of a refusal; what did not get through is tried again.
   *
   * @param {() => Promise<{ item: any }>} send
   * @returns {Promise<any>}
   */
  revise(send) {
    const entry = this.shown;
    if (!entry || this.locked(entry)) return Promise.resolve(null);
    this.keepDraft();
    return new Promise((tell) => {
      this.jobs.push({ kind: "text", entry, send, tell });
      this.#changed();
      this.#pump();
    });
  }

  /**
   * Takes over what the server says of an entry by now, unless somebody has touched it. Returns whether it did.
   *
   * @param {Entry} entry
   * @param {any} item
   */
  renew(entry, item) {
    if (entry.dirty || entry.history.past.length || this.jobs.some((job) => job.entry === entry) || this.read(item).key !== entry.key) return false;
    entry.adopt(item);
    return true;
  }

  /**
   * Whether the entry must not be edited now: an undo or a new text is under way, two versions wait for a decision, or
   * others have it.
   *
   * @param {Entry} entry
   */
  locked(entry) {
    const replaced = this.jobs.some((job) => (job.kind === "undo" || job.kind === "text") && job.entry === entry);
    return replaced || this.aside.get(entry.key)?.kind === "conflict" || this.#isTaken(entry);
  }

  /**
   * Settles a conflict with `value` and `comment`, on top of what the other side wrote.
   *
   * @param {number} key
   * @param {any} value
   * @param {string} comment
   */
  resolve(key, value, comment) {
    const { entry, theirs, done } = this.#putAside(key);
    this.aside.delete(key);
    entry.over(theirs.version);
    entry.history.set(value, comment);
    this.#enqueue(entry, done);
    this.#pump();
  }

  /**
   * Gives up what the server refused to take, and takes over what it has; what is the person's no more goes.
   *
   * @param {number} key
   */
  async discard(key) {
    const { entry } = this.#putAside(key);
    let item = null;
    try {
      item = await this.transport.fetch(key);
    } catch (thrown) {
      const error = /** @type {any} */ (thrown);
      if (error.code !== GONE) throw error;
    }
    this.aside.delete(key);
    this.#keep(entry);
    if (item && !this.read(item).returned) entry.adopt(item);
    else this.#forget(entry);
    this.#changed();
    return this.#pump();
  }

  /**
   * Lets go of what somebody else has by now; the server keeps what was sent too late.
   *
   * @param {number} key
   */
  release(key) {
    const { entry } = this.#putAside(key);
    this.aside.delete(key);
    this.#forget(entry);
    this.#changed();
    return this.#pump();
  }

  /**
   * Shows an entry that was put aside, so that it can be mended.
   *
   * @param {number} key
   */
  revisit(key) {
    const { entry, kind } = this.#putAside(key);
    if (kind === "refused") this.aside.delete(key);
    if (this.shown === entry) return this.#changed();
    this.past = this.past.filter((other) => other !== entry);
    this.ready = this.ready.filter((other) => other !== entry);
    if (this.shown) this.ready.unshift(this.shown);
    this.gate = null;
    this.shown = entry;
    return this.#changed();
  }

  /** Lets go of what is shown and prefetched but untouched, and asks anew: it was changed from another part of the page. */
  refreshHeld() {
    this.ready = this.ready.filter((entry) => entry.dirty);
    if (this.shown && !this.shown.dirty) this.shown = null;
    this.gate = null;
    this.exhausted = false;
    this.#changed();
    return this.#pump();
  }

  /** Somebody is at the page: what nobody touched for so long that others may have it by now is asked for anew. */
  wake() {
    if (this.claimedAt === null || Number(this.now()) - Number(this.claimedAt) < STALE) return;
    if (this.jobs.some((job) => job.kind === "claim")) return;
    this.exhausted = false;
    this.jobs.push({ kind: "claim", entry: null, anew: true });
    this.#pump();
  }

  /** Tries again at once: what did not get through, or whether there is new work. */
  retry() {
    if (this.timer !== null) this.cancel(this.timer);
    this.timer = null;
    if (!this.failing) this.exhausted = false;
    this.broken = null;
    return this.#pump();
  }

  /**
   * @param {Entry} entry
   * @param {boolean} done
   */
  #enqueue(entry, done) {
    const sent = { value: entry.value, comment: entry.comment };
    this.aside.delete(entry.key);
    let job = this.jobs.filter((other) => other.kind === "save").find((other) => other.entry === entry && !other.inFlight);
    if (job) Object.assign(job, { sent, done, at: Number(this.now()) });
    else this.jobs.push((job = { kind: "save", entry, sent, done, at: Number(this.now()) }));
    job.body = this.keeper?.body(entry, { ...sent, done: job.done });
    this.#keep(entry);
  }

  /**
   * Keeps what waits of an entry outside the page, as it is by now.
   *
   * @param {Entry} entry
   */
  #keep(entry) {
    if (!this.keeper) return;
    const aside = this.aside.get(entry.key);
    const waiting = [...this.jobs.filter((job) => job.kind === "save").filter((job) => job.entry === entry), ...(aside ? [aside] : [])];
    const bodies = waiting.flatMap(({ body }) => (body ? [body] : []));
    const last = waiting.at(-1);
    if (!last || !bodies.length) this.kept.delete(entry);
    const writing = last && bodies.length ? this.keeper.put(entry, bodies, last.at).then(() => this.kept.add(entry)) : this.keeper.remove(entry);
    this.keeping = Promise.allSettled([this.keeping, writing.catch(() => this.kept.delete(entry))]);
  }

  #advance() {
    this.#present(this.ready.shift() ?? null);
    // Before the end is told, the server is asked once more: others may have given something back.
    if (!this.shown) this.exhausted = false;
    this.#changed();
  }

  /**
   * Shows what comes next; where the blind work ends before it, it waits.
   *
   * @param {Entry | null} entry
   */
  #present(entry) {
    if (entry && this.wasBlind && !this.isBlind(entry)) {
      this.gate = { left: this.past.filter((other) => this.isBlind(other) && this.#isLeft(other)).length };
      this.ready.unshift(entry);
      this.shown = null;
      return;
    }
    this.shown = entry;
    if (entry) this.wasBlind = this.isBlind(entry);
  }

  /**
   * Whether an item was passed over; what is being saved as done was not.
   *
   * @param {Entry} entry
   */
  #isLeft(entry) {
    return !entry.done && !this.jobs.some((job) => job.kind === "save" && job.entry === entry && job.done);
  }

  /** Puts a claim in the line where too little is left; what waits to be saved already goes out before it. */
  #fillUp() {
    if (this.exhausted || this.broken || this.jobs.some((job) => job.kind === "claim")) return;
    if (!(this.shown || this.gate) || this.ready.length < this.ahead / 2) this.jobs.push({ kind: "claim", entry: null });
  }

  async #pump() {
    if (this.busy || this.timer !== null) return;
    this.busy = true;
    try {
      for (;;) {
        this.#fillUp();
        const [job] = this.jobs;
        if (!job) {
          this.failing = null;
          break;
        }
        job.inFlight = true;
        this.#changed();
        try {
          await this.#run(job);
          this.failing = null;
        } catch (thrown) {
          const error = /** @type {any} */ (thrown);
          job.inFlight = false;
          if (error.retriable) {
            // Report pending saves only once it is known whether they are stored.
            if (this.keeper) await this.keeping;
            // More work can wait; what was done cannot: the next claim goes to the end of the line.
            if (job.kind === "claim") this.#drop(job);
            this.#later(error);
            break;
          }
          if (!("code" in error)) throw error;
          this.#refused(job, error);
        }
        this.#changed();
      }
    } finally {
      this.busy = false;
    }
    this.#offerSkipped();
    this.#changed();
  }

  /** @param {Job} job */
  async #run(job) {
    if (job.kind === "claim") {
      await this.#claim(job);
    } else if (job.kind === "fetch") {
      const entry = new Entry(await this.transport.fetch(job.key), this.read);
      this.#drop(job);
      if (this.shown) {
        this.keepDraft();
        this.ready.unshift(this.shown);
      }
      this.gate = null;
      this.shown = entry;
    } else if (job.kind === "text") {
      const { item } = await job.send();
      this.#drop(job);
      job.entry.adopt(item);
      // What was kept of the page's own about its tokens is about other tokens now.
      job.entry.focus = undefined;
      job.entry.links = undefined;
      job.tell(null);
    } else if (job.kind === "undo") {
      const answer = await this.transport.undo(job.entry);
      this.#drop(job);
      job.entry.revert(answer.item);
      this.progress = answer.progress ?? this.progress;
    } else {
      const { entry, sent } = job;
      const answer = await this.transport.save(entry, { ...sent, done: job.done });
      this.#drop(job);
      entry.confirm(answer.item, sent);
      this.#keep(entry);
      entry.savedAt = this.now();
      this.lastSaved = entry.savedAt;
      this.progress = answer.progress ?? this.progress;
    }
  }

  /** @param {ClaimJob} job */
  async #claim(job) {
    const replaced = job.anew ? this.ready.filter((entry) => !entry.dirty) : [];
    const old = new Set(replaced.map((entry) => entry.key));
    const stock = this.ready.length - replaced.length;
    const asked = Math.min(MOST, this.ahead + (this.shown ? 0 : 1) - stock);
    const answer = await this.transport.claim([...new Set([...this.elsewhere(), ...this.held.filter((key) => !old.has(key))])], asked);
    this.#drop(job);
    this.claimedAt = this.now();
    this.progress = answer.progress ?? this.progress;
    this.ownLeft = Boolean(answer.own_left);
    this.blindLeft = answer.blind_left ?? 0;
    this.elsewhereLeft = answer.elsewhere_left ?? 0;
    this.laterLeft = answer.later_left ?? 0;
    // What the person went on to meanwhile stays theirs to finish; the rest is what the server says.
    this.ready = this.ready.filter((entry) => !replaced.includes(entry) || entry.dirty);
    const usable = answer.items.filter((item) => this.#take(item) || old.has(this.read(item).key)).length;
    if (usable < asked) this.exhausted = true;
  }

  /**
   * Queues an item unless it is here already.
   *
   * @param {any} item
   */
  #take(item) {
    const { key } = this.read(item);
    if (this.held.includes(key)) return false;
    const entry = new Entry(item, this.read);
    this.past = this.past.filter((other) => other.key !== key);
    if (this.shown || this.gate) this.ready.push(entry);
    else this.#present(entry);
    return true;
  }

  /** @param {number} key */
  #putAside(key) {
    const found = this.aside.get(key);
    if (!found) throw new Error(`Nothing of item ${key} was put aside.`);
    return found;
  }

  /** @param {Entry} entry */
  #isTaken(entry) {
    return this.aside.get(entry.key)?.kind === "taken";
  }

  /** @param {Entry} entry */
  #forget(entry) {
    this.past = this.past.filter((other) => other !== entry);
    this.ready = this.ready.filter((other) => other !== entry);
    if (this.shown === entry) this.#present(this.ready.shift() ?? null);
    this.exhausted = false;
  }

  /** @param {Job} job */
  #drop(job) {
    this.jobs = this.jobs.filter((other) => other !== job);
  }

  /** @param {{ message: string, code: string }} error */
  #later(error) {
    const attempt = (this.failing?.attempt ?? 0) + 1;
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1));
    this.failing = { attempt, wait, message: error.message, code: error.code };
    this.timer = this.schedule(() => {
      this.timer = null;
      this.#pump();
    }, wait);
  }

  /**
   * @param {Job} job
   * @param {{ message: string, code: string, theirs?: any }} error
   */
  #refused(job, error) {
    this.#drop(job);
    this.failing = null;
    if (job.kind === "claim") this.broken = { message: error.message };
    else if (job.kind === "fetch") this.notice = error.message;
    else if (job.kind === "text") job.tell(error);
    else {
      const { entry } = job;
      /** @type {Aside["kind"]} */
      let kind = error.code === "conflict" && error.theirs ? "conflict" : "refused";
      // Over the version that still stands there is nothing to choose: the item has gone to somebody else.
      if (kind === "conflict" && error.theirs.version === entry.version) kind = "taken";
      const last = this.jobs.filter((other) => other.kind === "save").findLast((other) => other.entry === entry) ?? (job.kind === "save" ? job : null);
      // Later saves of the same item would meet the same answer.
      for (const other of this.jobs) if (other.kind === "text" && other.entry === entry) other.tell(error);
      this.jobs = this.jobs.filter((other) => other.entry !== entry);
      // Where one item was taken back, those held beside it may have been, too: they are asked for anew.
      if (error.code === GONE || kind === "taken") this.ready = this.ready.filter((other) => other.dirty);
      this.aside.set(entry.key, { entry, kind, message: error.message, theirs: error.theirs, done: job.kind === "save" ? job.done : entry.done, at: last?.at ?? 0, body: kind === "taken" ? undefined : last?.body });
      this.#keep(entry);
    }
  }

  /** When all else is done, what was passed over comes back. */
  #offerSkipped() {
    if (this.shown || this.gate || !this.exhausted || this.jobs.length) return;
    const skipped = this.past.find((entry) => !entry.done && !this.aside.has(entry.key));
    if (!skipped) return;
    this.past = this.past.filter((entry) => entry !== skipped);
    this.#present(skipped);
  }

  #changed() {
    this.onChange(this);
  }
}
