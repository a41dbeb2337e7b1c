/**
 * Undo and redo of local edits: snapshots of plain values, each with the comment beside it and a note of what the edit to
 * it did.
 *
 * @template T
 */
export class History {
  /** @type {T} */
  value;

  /** @type {string} */
  comment;

  /** @type {{ value: T, comment: string }[]} */
  past = [];

  /** @type {{ value: T, comment: string }[]} */
  future = [];

  /** What each edit did, in words: those of `past`, then those of `future`. @type {string[]} */
  notes = [];

  /** How many steps there were when the comment that is being written was begun; 0 where none is. */
  writing = 0;

  /**
   * @param {T} value
   * @param {string} [comment]
   */
  constructor(value, comment = "") {
    this.value = value;
    this.comment = comment;
  }

  /**
   * Begins anew with `value`; nothing can be undone past it.
   *
   * @param {T} value
   */
  reset(value) {
    this.value = value;
    this.past = [];
    this.future = [];
    this.notes = [];
    this.writing = 0;
  }

  /**
   * Makes `value` the present one, and `comment` where one is given. Returns whether that changed anything.
   *
   * @param {T} value
   * @param {string} [comment]
   */
  set(value, comment = this.comment) {
    if (equal(value, this.value) && comment === this.comment) return false;
    this.notes.length = this.past.length;
    this.past.push({ value: this.value, comment: this.comment });
    this.future = [];
    this.writing = 0;
    Object.assign(this, { value, comment });
    return true;
  }

  /**
   * Makes `comment` the present one. What is written in one go (until `written`) is one step, and none if it ends as it
   * began.
   *
   * @param {string} comment
   * @param {string} note What the step did, in words.
   */
  write(comment, note) {
    if (!this.writing || this.writing !== this.past.length) {
      if (!this.set(this.value, comment)) return;
      this.writing = this.past.length;
      this.note(note);
    }
    this.comment = comment;
    if (this.past.at(-1)?.comment !== comment) return;
    this.past.pop();
    this.writing = 0;
  }

  /** The comment is written: what comes next is a step of its own. */
  written() {
    this.writing = 0;
  }

  /**
   * Says what the last edit did, unless that was said.
   *
   * @param {string} text
   */
  note(text) {
    if (this.past.length) this.notes[this.past.length - 1] ??= text;
  }

  /** What an undo would undo, in words; "" where that is not known. */
  get undoes() {
    return this.notes[this.past.length - 1] ?? "";
  }

  /** What a redo would do again. */
  get redoes() {
    return this.notes[this.past.length] ?? "";
  }

  undo() {
    return this.#go(this.past, this.future);
  }

  redo() {
    return this.#go(this.future, this.past);
  }

  /**
   * @param {{ value: T, comment: string }[]} from
   * @param {{ value: T, comment: string }[]} to
   */
  #go(from, to) {
    const state = from.pop();
    if (state === undefined) return false;
    to.push({ value: this.value, comment: this.comment });
    Object.assign(this, state);
    this.writing = 0;
    return true;
  }
}

/**
 * Whether two plain values are the same, as JSON would write them.
 *
 * @param {unknown} a
 * @param {unknown} b
 */
export const equal = (a, b) => JSON.stringify(a) === JSON.stringify(b);
