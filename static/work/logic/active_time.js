/**
 * The active seconds on each item: those in which the page was in sight and somebody had touched keys, mouse or screen
 * within the last half minute. Knows no page.
 */

const IDLE = 30_000;

export class ActiveTime {
  /** @type {number | null} */
  key = null;

  visible = true;

  /** Milliseconds by key. @type {Map<number, number>} */
  spent = new Map();

  /** `now` gives milliseconds. */
  constructor({ now = () => performance.now(), idle = IDLE } = {}) {
    this.now = now;
    this.idle = idle;
    this.from = this.touched = now();
  }

  /**
   * From now on the item of `key` is worked on; null: none.
   *
   * @param {number | null} key
   */
  show(key) {
    this.#settle();
    this.key = key;
  }

  /**
   * The page came in sight, or went out of it.
   *
   * @param {boolean} visible
   */
  sight(visible) {
    this.#settle();
    this.visible = visible;
  }

  /** Somebody did something. */
  touch() {
    this.#settle();
    this.touched = this.from;
  }

  /**
   * The seconds on an item that were not taken yet, to the millisecond: fast keys spend less than a tenth on one.
   *
   * @param {number} key
   */
  seconds(key) {
    this.#settle();
    return Math.round(this.spent.get(key) ?? 0) / 1000;
  }

  /**
   * Those seconds, which are taken with that.
   *
   * @param {number} key
   */
  take(key) {
    const seconds = this.seconds(key);
    this.spent.delete(key);
    return seconds;
  }

  /**
   * Gives seconds back that could not be sent.
   *
   * @param {number} key
   * @param {number} seconds
   */
  give(key, seconds) {
    this.spent.set(key, (this.spent.get(key) ?? 0) + seconds * 1000);
  }

  #settle() {
    const now = this.now();
    const until = Math.min(now, this.touched + this.idle);
    if (this.visible && this.key !== null && until > this.from) this.give(this.key, (until - this.from) / 1000);
    this.from = now;
  }
}
