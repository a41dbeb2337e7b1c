/** The rows of an adjudication: one for each difference, with what each answer says there. Nothing is chosen beforehand. */

import { partOf } from "../logic/choices.js";
import { button, h, isAgain, setAttributes } from "../../site/components/dom.js";

const NO_ROW = { key: "", tokens: [], says: [] };

export class DecisionRows {
  /** `page`: the adjudication; `type`: the content type. */
  constructor(page, type) {
    this.page = page;
    this.type = type;
    this.at = 0;
  }

  get item() {
    return this.page.entry.item;
  }

  /** The difference that keys act on; null where the answers do not differ. */
  get current() {
    return this.item.differences[this.at] ?? null;
  }

  build({ item, value }) {
    const { t } = this.page;
    this.at = 0;
    this.rows = item.differences.length ? item.differences.map((difference, place) => this.row(item, difference, place)) : [this.only(item)];
    this.goOn(value);
    this.list = h("ol", { class: "decisions", role: "list" }, this.rows.map(({ node }) => node));
    this.whole = item.answers.map(({ id, annotator }, place) => button(annotator, { key: place < 9 ? `⇧${place + 1}` : null, class: "button button-small", "aria-label": t("take_from", { name: annotator }), onclick: () => this.page.takeAll(id) }));
    const all = item.differences.length > 1 && h("div", { class: "cluster", role: "group", "aria-label": t("take_all") }, h("span", { class: "muted" }, t("take_all")), this.whole, item.answers.length > 2 && button(t("majority"), { key: "0", class: "button button-small", onclick: () => this.page.takeMajority() }));
    return h("section", { class: "ws-card stack-s", "aria-label": t("differences"), onfocusin: () => this.page.setEditing(false) }, h("h2", { class: "ws-side-title" }, t("differences")), this.list, all);
  }

  row(item, difference, place) {
    const { t } = this.page;
    const says = difference.says.map(({ answers, content }) => {
      const among = item.answers.filter(({ id }) => answers.includes(id));
      return { id: answers[0], answers, node: this.option(item, among, this.type.brief(content, this.page, item, difference), () => this.page.takeAt(place, answers[0])) };
    });
    const title = this.type.title?.(difference, this.page, item) ?? (item.differences.length > 1 ? t("difference_number", { n: place + 1 }) : t("the_answer"));
    return this.wrapped(title, says, () => this.page.edit(place), place);
  }

  /** Where the answers do not differ, or there is none, it takes one act all the same. */
  only(item) {
    const { t } = this.page;
    const [first] = item.answers;
    const says = first ? [{ id: first.id, answers: item.answers.map(({ id }) => id), node: this.option(item, item.answers, this.type.brief(first.content, this.page, item, NO_ROW), () => this.page.takeAll(first.id)) }] : [];
    return this.wrapped(t(first ? "no_difference" : "nobody_answered"), says, () => this.page.edit(0), 0);
  }

  /** What some answers say, as a button: their numbers are the keys. */
  option(item, among, said, onclick) {
    const keys = among.map((one) => item.answers.indexOf(one) + 1).filter((number) => number < 10);
    return h(
      "button",
      { type: "button", class: "decision-option", onclick: (event) => isAgain(event) || onclick() },
      h("span", { class: "decision-keys", "aria-hidden": "true" }, keys.map((key) => h("kbd", {}, String(key)))),
      h("span", { class: "decision-said" }, said),
      h("span", { class: "small muted decision-who" }, h("bdi", {}, among.map(({ annotator }) => annotator).join(", "))),
    );
  }

  wrapped(title, says, onEdit, place) {
    const { t } = this.page;
    const own = h("button", { type: "button", class: "decision-option decision-own", onclick: (event) => isAgain(event) || onEdit() }, h("span", { class: "decision-keys", "aria-hidden": "true" }, h("kbd", {}, "E")), h("span", { class: "decision-said" }));
    const group = h("div", { class: "decision-options", role: "group", tabindex: "-1" }, says.map(({ node }) => node), own);
    const node = h("li", { class: "decision", onfocusin: () => this.mark(place) }, h("p", { class: "decision-title" }, title), group);
    group.setAttribute("aria-label", t("difference_of", { where: node.querySelector(".decision-title").textContent }));
    return { node, group, says, own };
  }

  refresh({ item, value }) {
    const { t } = this.page;
    const { chosen } = value;
    this.rows.forEach(({ node, says, own }, place) => {
      const difference = item.differences[place];
      const isDecided = difference ? difference.key in chosen.differences : chosen.all !== null || chosen.own;
      const taken = difference ? chosen.differences[difference.key] : chosen.all;
      const isOwn = isDecided && (taken === null || taken === undefined);
      for (const one of says) setAttributes(one.node, { "aria-pressed": isDecided && !isOwn && one.answers.includes(taken) });
      setAttributes(own, { "aria-pressed": isOwn });
      const content = isOwn && (difference ? partOf(this.type, item, value.content, difference) : value.content);
      own.querySelector(".decision-said").replaceChildren(...[content ? this.type.brief(content, this.page, item, difference ?? NO_ROW) : t("edit")].flat());
      node.classList.toggle("is-decided", isDecided);
    });
    this.whole.forEach((one, place) => setAttributes(one, { "aria-pressed": chosen.all === item.answers[place].id }));
    this.mark(this.at);
  }

  mark(place) {
    this.at = place;
    this.rows.forEach(({ node }, number) => node.classList.toggle("is-current", number === place));
  }

  step(by) {
    this.mark(Math.max(0, Math.min(this.rows.length - 1, this.at + by)));
    this.focus();
  }

  /** On to the first difference that is not decided, from the one that keys act on; where all are, it stays. */
  goOn({ chosen }) {
    const open = this.item.differences.map(({ key }, place) => ({ key, place })).filter(({ key }) => !(key in chosen.differences));
    const next = open.find(({ place }) => place > this.at) ?? open[0];
    if (next && !open.some(({ place }) => place === this.at)) this.mark(next.place);
  }

  /** To the group and not to a button, so that Enter never means an answer that nobody chose. */
  focus() {
    this.rows[this.at].group.focus({ preventScroll: true });
    this.rows[this.at].node.scrollIntoView({ block: "nearest" });
    this.page.decision.lookAt?.(this.current);
  }
}
