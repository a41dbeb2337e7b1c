/**
 * Undo and redo of local edits: snapshots of plain values, each with a note of what the edit to it did.
 *
 * @template T
 */
export class History {
  /** @type {T} */
  value;

  /** @type {T[]} */
  past = [];

  /** @type {T[]} */
  future = [];

  /** What each edit did, in words: those of `past`, then those of `future`. @type {string[]} */
  notes = [];

  /** @param {T} value */
  constructor(value) {
    this.value = value;
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
  }

  /**
   * Makes `value` the present one. Returns whether that changed anything.
   *
   * @param {T} value
   */
  set(value) {
    if (equal(value, this.value)) return false;
    this.notes.length = this.past.length;
    this.past.push(this.value);
    this.value = value;
    this.future = [];
    return true;
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
    const before = this.past.pop();
    if (before === undefined) return false;
    this.future.push(this.value);
    this.value = before;
    return true;
  }

  redo() {
    const after = this.future.pop();
    if (after === undefined) return false;
    this.past.push(this.value);
    this.value = after;
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
