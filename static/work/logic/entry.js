import { equal, History } from "./history.js";

/**
 * What a workspace reads from an item; `value` is what people edit.
 *
 * @typedef {{ key: number, value: any, comment: string, version: number, done: boolean, canUndo: boolean, returned: boolean }} Known
 */

/** One item and what the person made of it. */
export class Entry {
  /** When its last save was acknowledged. @type {Date | null} */
  savedAt = null;

  /** The token that has the focus, where the page keeps one. @type {number | undefined} */
  focus;

  /** Whether a job makes suggestions for the text, which was fixed. */
  awaited = false;

  /** Links that the person edited, the last one last, where the page has some. @type {any[] | undefined} */
  links;

  /** What the answer began from, where nothing of it was saved before. @type {any} */
  start;

  /**
   * @param {any} item
   * @param {(item: any) => Known} read
   */
  constructor(item, read) {
    this.read = read;
    const state = read(item);
    this.item = item;
    this.known = state;
    this.history = new History(state.value, state.comment);
    this.start = state.version ? undefined : state.value;
  }

  get key() {
    return this.known.key;
  }

  get version() {
    return this.known.version;
  }

  get done() {
    return this.known.done;
  }

  /** Whether the server has something to bring back that is not there already. */
  get canUndo() {
    return this.known.canUndo && (this.done || this.start === undefined || !equal(this.value, this.start));
  }

  /**
   * Takes over what the server has, with nothing left to undo.
   *
   * @param {any} item
   */
  adopt(item) {
    const state = this.#know(item);
    this.history = new History(state.value, state.comment);
  }

  /**
   * After an undo on the server: what it took away can be done again.
   *
   * @param {any} item
   */
  revert(item) {
    const { value, comment } = this.history;
    this.adopt(item);
    if (!equal(value, this.value) || comment !== this.comment) this.history.future = [{ value, comment }];
  }

  /**
   * After a save of `sent`: the server's state, unless the person went on editing meanwhile.
   *
   * @param {any} item
   * @param {{ value: unknown, comment: string }} sent
   */
  confirm(item, sent) {
    const edited = !equal(this.history.value, sent.value) || this.comment !== sent.comment;
    const state = this.#know(item);
    if (edited) return;
    this.history.value = state.value;
    this.history.comment = state.comment;
  }

  get value() {
    return this.history.value;
  }

  get comment() {
    return this.history.comment;
  }

  /** Whether the draft differs from what the server has. */
  get dirty() {
    return !equal(this.value, this.known.value) || this.comment !== this.known.comment;
  }

  /**
   * What is written next goes on top of this version.
   *
   * @param {number} version
   */
  over(version) {
    this.known = { ...this.known, version };
  }

  /** @param {any} item */
  #know(item) {
    this.item = item;
    this.known = this.read(item);
    return this.known;
  }
}
