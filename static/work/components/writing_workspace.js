/** What workspaces share in which texts are written that others judge: what they said stands beside what came back. */

import { Workspace } from "./workspace.js";

/** @import { Entry } from "../logic/entry.js" */

export class WritingWorkspace extends Workspace {
  /** What the remarks say that are shown. */
  remarksShown = "";

  transport() {
    const shared = super.transport();
    return {
      ...shared,
      undo: async (/** @type {Entry} */ entry) => {
        const answer = await shared.undo(entry);
        // It may be open again, so there may be remarks again. It is undone already, whether they come or not.
        const item = await shared.fetch(entry.key).catch(() => answer.item);
        return { ...answer, item };
      },
    };
  }

  render() {
    const { entry } = this;
    if (entry && this.queue.shown === entry && this.remarksShown !== JSON.stringify(entry.item.remarks)) {
      this.rememberRemarks(entry);
      this.parts.body.replaceChildren(...this.build(entry));
    }
    super.render();
  }

  show(entry) {
    if (entry) this.rememberRemarks(entry);
    super.show(entry);
  }

  rememberRemarks(entry) {
    this.remarksShown = JSON.stringify(entry.item.remarks);
  }
}
