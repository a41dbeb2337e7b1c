/**
 * Saves of closed pages, and how they are sent. It uses neither the page nor the network nor a database.
 *
 * - An open page sends its own saves. It holds a lock with its name (`owner`), which is released when it closes.
 * - What a closed page left is sent by the next page of the same person, one page at a time, in order. The server takes the
 *   same save twice without harm: a repeated save changes nothing.
 * - Saves that could not be sent are tried again. Refused and conflicting saves stay until the person decides.
 *
 * An error of `post` has `retriable`, `code`, `status`, `message`, and on a conflict `theirs` (`site/api.js`).
 *
 * @typedef {object} KeptSave
 * @property {string} person Whose it is: the account's id, and when it was made, as another database may have another person under the id.
 * @property {string} owner The page that made it.
 * @property {string} url Where it is sent.
 * @property {Record<string, unknown>[]} bodies What is sent, in order, each over the version that the one before made.
 * @property {number} version The version that the first goes over.
 * @property {number} at When the person saved: milliseconds of the epoch.
 * @property {string} name How the item begins.
 * @property {string} link The page of the item.
 * @property {number} stage
 * @property {number} item
 * @property {Refusal} [refused]
 *
 * @typedef {{ kind: "conflict" | "refused" | "taken", message: string }} Refusal
 * @typedef {Pick<KeptSave, "person" | "owner" | "url">} KeptKey
 *
 * @typedef {object} Store
 * @property {(person: string) => Promise<KeptSave[]>} all
 * @property {(save: KeptSave) => Promise<void>} put
 * @property {(key: KeptKey) => Promise<void>} remove
 * @property {() => Promise<boolean>} any Whether anybody's saves are there.
 *
 * @typedef {object} Locks
 * @property {() => Promise<Set<string>>} held The names that are taken, by any page of the site.
 * @property {(name: string, run: () => Promise<void>) => Promise<void>} run Once the name is free.
 *
 * @typedef {object} Options
 * @property {Store} store
 * @property {Locks} locks
 * @property {string} person
 * @property {(url: string, body: Record<string, unknown>) => Promise<any>} post
 * @property {(fn: () => void, ms: number) => any} [schedule]
 * @property {(timer: any) => void} [cancel]
 */

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30000;

export class LeftSaves {
  /** What closed pages left and is not sent, the earliest first. @type {KeptSave[]} */
  saves = [];

  /** What this page has sent of it. @type {KeptSave[]} */
  sent = [];

  /** Why sending fails. @type {{ message: string, code: string, attempt: number } | null} */
  failing = null;

  /** Called after each change. */
  onChange = () => {};

  /** @type {Promise<void> | null} */
  #running = null;

  /** Pages that live, whose end is waited for. @type {Set<string>} */
  #watched = new Set();

  /** @type {any} */
  #timer = null;

  /** @param {Options} options */
  constructor({ store, locks, person, post, schedule = (fn, ms) => setTimeout(fn, ms), cancel = (timer) => clearTimeout(timer) }) {
    this.store = store;
    this.locks = locks;
    this.person = person;
    this.post = post;
    this.schedule = schedule;
    this.cancel = cancel;
  }

  /** Sends what is left. Resolves when each was tried once. */
  send() {
    this.cancel(this.#timer);
    this.#running ??= this.#alone(() => this.#sendAll()).finally(() => (this.#running = null));
    return this.#running;
  }

  /** The number of pending saves of the person, including those of open pages. */
  async count() {
    return (await this.store.all(this.person)).length;
  }

  /** What was sent was told. */
  forgetSent() {
    this.sent = [];
    this.onChange();
  }

  /**
   * Discards a save.
   *
   * @param {KeptSave} save
   */
  discard(save) {
    return this.#alone(async () => {
      await this.store.remove(save);
      await this.#look();
    });
  }

  /**
   * Hands what was refused in a stage to a page where the person can decide. `take` resolves with whether the page keeps it
   * from now on.
   *
   * @param {number} stage
   * @param {(save: KeptSave) => Promise<boolean>} take
   */
  handOver(stage, take) {
    return this.#alone(async () => {
      for (const save of await this.#left()) {
        const isOpen = save.stage === stage && save.refused && save.refused.kind !== "taken";
        if (isOpen && (await take(save))) await this.store.remove(save);
      }
      await this.#look();
    });
  }

  /**
   * Runs while no other page of the person sends or hands over.
   *
   * @param {() => Promise<void>} run
   */
  #alone(run) {
    return this.locks.run(`sending ${this.person}`, run);
  }

  async #sendAll() {
    await this.#look();
    /** @type {any} */
    let failed = null;
    for (const save of this.saves) {
      if (save.refused) continue;
      const error = await this.#sendOne(save);
      if (error?.retriable) failed = error;
      // A server error on one save does not affect the others; all other errors do.
      if (error?.retriable && !(error.status >= 500)) break;
    }
    this.failing = failed && { message: failed.message, code: failed.code, attempt: (this.failing?.attempt ?? 0) + 1 };
    await this.#look();
    if (this.failing) this.#timer = this.schedule(() => void this.send(), Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (this.failing.attempt - 1)));
  }

  /**
   * Resolves with null, or why it was not sent.
   *
   * @param {KeptSave} save
   */
  async #sendOne(save) {
    try {
      while (save.bodies.length) {
        const [body, ...later] = save.bodies;
        const answer = await this.post(save.url, { ...body, version: save.version });
        Object.assign(save, { version: (answer.annotation ?? answer.gold).version, bodies: later });
        if (later.length) await this.store.put(save);
      }
      await this.store.remove(save);
      this.sent.push(save);
    } catch (thrown) {
      const error = /** @type {any} */ (thrown);
      if (!("retriable" in error)) throw error;
      if (!error.retriable) await this.store.put({ ...save, refused: { kind: kindOf(error, save), message: error.message } });
      return error;
    }
    return null;
  }

  async #look() {
    this.saves = await this.#left();
    this.onChange();
  }

  async #left() {
    const all = await this.store.all(this.person);
    const alive = await this.locks.held();
    for (const { owner } of all) if (alive.has(owner)) this.#watch(owner);
    return all.filter(({ owner }) => !alive.has(owner)).sort((a, b) => a.at - b.at);
  }

  /**
   * Sends what a page leaves as soon as it closes.
   *
   * @param {string} owner
   */
  #watch(owner) {
    if (this.#watched.has(owner)) return;
    this.#watched.add(owner);
    void this.locks.run(owner, async () => {}).then(() => this.send());
  }
}

/**
 * As the queue of a workspace tells them apart (`work/logic/queue.js`).
 *
 * @param {any} error
 * @param {KeptSave} save
 * @returns {Refusal["kind"]}
 */
function kindOf({ code, theirs }, { version }) {
  if (code !== "conflict" || !theirs) return "refused";
  return theirs.version === version ? "taken" : "conflict";
}
