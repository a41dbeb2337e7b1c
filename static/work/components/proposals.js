/** What people suggested after an answer was begun: how much of it is open, and a button that follows each. */

import { button, h } from "../../site/components/dom.js";
import { inLanguage } from "../../site/logic/text.js";
import { spanText } from "../logic/marks.js";
import { followed, open } from "../logic/proposals.js";

/** @import { Entry } from "../logic/entry.js" */
/** @typedef {import("../logic/proposals.js").Proposal} Proposal */

export class Proposals {
  /** @param {import("./sentence_workspace.js").SentenceWorkspace} page */
  constructor(page) {
    this.page = page;
    this.count = h("p", {});
    /** @type {{ proposal: Proposal, act: HTMLButtonElement, node: HTMLElement }[]} */
    this.rows = [];
  }

  /** The notice; null where nobody suggested anything. @param {Entry} entry */
  build({ item: { late_proposals: proposals = [], unit, gold } }) {
    const { page } = this;
    this.rows = proposals.map((proposal) => {
      const { name, label, words, remove } = proposal;
      const text = h("bdi", { translate: "no", ...inLanguage(unit.language, unit.tokens) }, spanText({ tokens: words }, unit.tokens, unit.spaces));
      const said = page.t(remove ? "proposal_remove" : "proposal_add", { name, label: page.editor.labelOf(label).name });
      const act = button(page.t("proposal_follow"), { class: "button button-small", "aria-label": `${page.t("proposal_follow")}: ${said} ${text.textContent}`, onclick: () => this.follow(proposal) });
      return { proposal, act, node: h("li", {}, h("span", {}, said, " ", text), gold !== true && act) };
    });
    return this.rows.length ? h("div", { class: "notice notice-info ws-proposals" }, this.count, h("ul", { role: "list" }, this.rows.map(({ node }) => node))) : null;
  }

  /** Those that the answer does not follow. @param {Entry} entry @returns {Proposal[]} */
  open({ item: { late_proposals: proposals = [] }, value }) {
    return open(proposals, value.content.spans);
  }

  /** Says how many are open; their rows stay, so that nothing moves. @param {Entry} entry */
  refresh(entry) {
    const left = this.open(entry);
    const text = ["proposals_none", "proposals_one"][left.length] ?? "proposals_several";
    this.count.textContent = this.page.t(text, { n: left.length });
    for (const { proposal, act } of this.rows) act.disabled = !left.includes(proposal);
    const words = new Set(left.flatMap((one) => one.words));
    this.page.editor.row.chips.forEach((chip, token) => chip.classList.toggle("chip-proposed", words.has(token)));
  }

  /** @param {Proposal} proposal */
  follow(proposal) {
    const entry = this.page.editable();
    if (!entry) return;
    this.page.change(entry, { spans: followed(entry.value.content.spans, proposal, this.page.editor.scheme) });
    this.page.editor.moveTo(proposal.words[0]);
    this.page.refreshed(this.page.t("proposal_followed", { name: proposal.name }));
  }
}
