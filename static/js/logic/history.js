/** Undo and redo of local edits: snapshots of plain values. */
export class History {
  constructor(value) {
    this.reset(value);
  }

  /** Begins anew with `value`; nothing can be undone past it. */
  reset(value) {
    this.value = value;
    this.past = [];
    this.future = [];
  }

  /** Makes `value` the present one. Returns whether that changed anything. */
  set(value) {
    if (equal(value, this.value)) return false;
    this.past.push(this.value);
    this.value = value;
    this.future = [];
    return true;
  }

  undo() {
    if (!this.past.length) return false;
    this.future.push(this.value);
    this.value = this.past.pop();
    return true;
  }

  redo() {
    if (!this.future.length) return false;
    this.past.push(this.value);
    this.value = this.future.pop();
    return true;
  }
}

/** Whether two plain values are the same, as JSON would write them. */
export const equal = (a, b) => JSON.stringify(a) === JSON.stringify(b);
