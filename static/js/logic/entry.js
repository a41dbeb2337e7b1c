import { equal, History } from "./history.js";

/** One item and what the person made of it. */
export class Entry {
  constructor(item, read) {
    this.read = read;
    this.savedAt = null;
    this.adopt(item);
  }

  /** Takes over what the server has, with nothing left to undo. */
  adopt(item) {
    const state = this.#know(item);
    this.history = new History(state.value);
    this.comment = state.comment;
  }

  /** After a save of `sent`: the server's state, unless the person went on editing meanwhile. */
  confirm(item, sent) {
    const edited = !equal(this.history.value, sent.value) || this.comment !== sent.comment;
    const state = this.#know(item);
    if (edited) return;
    this.history.value = state.value;
    this.comment = state.comment;
  }

  get value() {
    return this.history.value;
  }

  /** Whether the draft differs from what the server has. */
  get dirty() {
    return !equal(this.value, this.base.value) || this.comment !== this.base.comment;
  }

  #know(item) {
    const state = this.read(item);
    this.item = item;
    this.key = state.key;
    this.version = state.version;
    this.done = state.done;
    this.canUndo = state.canUndo;
    this.base = { value: state.value, comment: state.comment };
    return state;
  }
}
