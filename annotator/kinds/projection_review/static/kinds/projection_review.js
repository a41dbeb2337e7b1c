/**
 * Projection review: the spans of the sources are the work, a row each, the weakest link first. Nothing is decided before
 * somebody decides it. Keys act on the row while the focus is in the list, and on the words while it is there.
 */

import { button, h, isAgain, setAttributes, svg } from "../site/components/dom.js";
import { inLanguage, percent, wordOf } from "../site/logic/text.js";
import { SentenceWorkspace } from "../work/components/sentence_workspace.js";
import { readOnlyTokens } from "../work/components/tokens.js";
import { clean } from "../work/content/spans.js";
import { projectionRowKeys, reviewKeys } from "../work/logic/keys.js";
import { translationAttributes } from "../work/logic/labels.js";
import { linkPath, partners } from "../work/logic/links.js";
import { spanText, tokenMarks } from "../work/logic/marks.js";
import { spanAt, toggle } from "../work/logic/spans.js";
import * as decisions from "../work/logic/translations.js";

/** @import { Row, Standing } from "../work/logic/translations.js" */

const TONES = { kept: "good", lost: "bad", shifted: "info" };

class ProjectionReview extends SentenceWorkspace {
  constructor() {
    super();
    /** Rows as they are shown. @type {(Row & { node: HTMLElement, group: HTMLElement, options: HTMLElement[] })[]} */
    this.rows = [];
    this.at = 0;
    /** Whether keys act on the words. */
    this.inWords = false;
    /** What stands below the words while keys do something else to them. */
    this.hint = "";
    /** Whether a link is on its way. */
    this.sending = false;
    /** Whether a label is being added that no source has. */
    this.gaining = false;
    /** A word of a source whose links are being edited. @type {{ source: number, token: number } | null} */
    this.linking = null;
    const press = this.editor.press.bind(this.editor);
    this.editor.press = (token) => {
      if (!this.linking) return press(token);
      void this.link(token);
      return false;
    };
    this.editor.pressesAtOnce = () => this.editor.joining !== null || this.linking !== null;
    const { up, down, escape } = this.editor.commands;
    Object.assign(this.commands, {
      keep: () => this.keep(),
      lost: () => this.lose(),
      shift: () => this.shift(),
      gained: () => this.gain(),
      takeAll: () => this.take(null),
      links: () => (this.linking ? this.toRows() : this.startLinking()),
      rowUp: () => this.step(-1),
      rowDown: () => this.step(1),
      up: () => (this.linking ? this.linkFrom(-1) : up()),
      down: () => (this.linking ? this.linkFrom(1) : down()),
      escape: () => (this.editor.joining === null && this.rows.length ? this.toRows() : escape()),
    });
    for (let place = 0; place < 9; place += 1) {
      this.commands[`option${place}`] = () => this.choose(place);
      this.commands[`source${place}`] = () => this.take(place);
    }
    new ResizeObserver(() => this.entry && this.draw()).observe(this.parts.body);
    document.fonts?.ready.then(() => this.entry && this.draw());
  }

  /** What can be taken as a whole, with what each is called: by its language, and its aligner where there are several. */
  get offers() {
    const offers = decisions.offersOf(this.entry.item.sources);
    const several = (source) => offers.some((one) => one.source === source && one.other !== null);
    return offers.map((offer) => ({ ...offer, name: several(offer.source) ? `${offer.language} · ${offer.aligner}` : offer.language }));
  }

  // --- the page -----------------------------------------------------------------------------------------------------

  build(entry) {
    this.linking = null;
    this.at = 0;
    this.rows = [];
    const nodes = super.build(entry);
    this.setInWords(!this.rows.length, entry);
    return nodes;
  }

  /** The sources, the main one next to the target; `words`: the target's words to label. */
  sentenceNodes(entry, words) {
    const { sources, unit } = entry.item;
    words[0].addEventListener("focusin", () => this.setInWords(true));
    this.sources = [];
    if (entry.awaited) return [h("p", { class: "notice notice-info" }, this.t("source_awaited")), words];
    this.sources = sources.map((source, number) => this.sourceRow(source, number));
    this.lines = svg("svg", { class: "review-lines", "aria-hidden": "true", focusable: "false" });
    const row = (language, ...nodes) => h("div", { class: "review-row" }, h("span", { class: "review-language" }, language), nodes);
    this.pane = h("div", { class: "review-pane" }, this.lines, this.sources.map(({ source, node, said }) => row(source.language, node, said)).reverse(), row(unit.language, words[0]));
    const nothing = !this.offers.length && h("p", { class: "notice notice-warning" }, this.t("no_source"));
    return [nothing, this.pane, words.slice(1)].flat().filter(Boolean);
  }

  /** A source with its words, of which links begin, and what it says where nothing was projected from it. */
  sourceRow(source, number) {
    const { tokens, spaces, language, state } = source;
    const row = readOnlyTokens(tokens, tokenMarks(tokens.length, source.spans, null), { t: this.t, lang: language, spaces, labels: this.editor.labels, className: "review-source" });
    if (source.suggestion !== null) {
      row.node.addEventListener("click", ({ target }) => {
        const token = /** @type {HTMLElement} */ (target).closest("[data-token]");
        if (token) this.startLinking({ source: number, token: Number(/** @type {HTMLElement} */ (token).dataset.token) });
      });
    }
    const words = { projected: source.edited && "source_edited", "no label": "source_no_label", open: "source_open", labelled: "source_labelled" }[state];
    return { source, ...row, said: words && h("span", { class: "badge review-said" }, this.t(words)) };
  }

  afterSentence(entry) {
    const { item } = entry;
    this.gained = null;
    if (!item.sources.length) return null;
    this.rows = decisions.rowsOf(item.sources).map((row) => this.row(row, item));
    this.gained = h("ol", { class: "decisions", role: "list" });
    const { offers } = this;
    const sources = offers.length > 1 && h("div", { class: "cluster", role: "group", "aria-label": this.t("take_projection") }, h("span", { class: "muted" }, this.t("take_projection")), offers.map(({ name }, place) => button(name, { key: `⇧${place + 1}`, class: "button button-small", "aria-label": this.t("take_projection_of", { language: name }), onclick: () => this.take(place) })), button(this.t("take_projections"), { key: "A", class: "button button-small", onclick: () => this.take(null) }));
    return h(
      "section",
      { class: "ws-card stack-s", "aria-label": this.t("outcomes_title"), onfocusin: () => this.setInWords(false) },
      h("h2", { class: "ws-side-title" }, this.t("outcomes_title")),
      this.rows.length ? h("ol", { class: "decisions", role: "list" }, this.rows.map(({ node }) => node)) : h("p", { class: "muted" }, this.t("outcomes_none")),
      this.gained,
      sources,
    );
  }

  /** @param {Row} row */
  row(row, { sources, unit }) {
    const { outcome, number, language } = row;
    const source = sources[row.source];
    const place = () => this.rows.findIndex(({ key }) => key === row.key);
    const act = (name, key, run) => h("button", { type: "button", class: "button button-small", "data-act": name, onclick: (event) => isAgain(event) || (this.mark(place()), run()) }, this.t(`act_${name}`), h("kbd", { "aria-hidden": "true" }, key));
    const text = spanText(outcome.source, source.tokens, source.spaces, this.t("on_sentence"));
    const reason = (name) => this.messages[`reason_${name.replaceAll(" ", "_")}`] ?? name;
    const said = { projected: () => null, unaligned: () => this.t("outcome_unaligned") }[outcome.outcome] ?? (() => this.t("outcome_dropped", { reason: reason(outcome.reason) }));
    const elsewhere = source.others.flatMap(({ aligner }, at) => {
      const target = row.others[at];
      const words = target ? spanText(target, unit.tokens, unit.spaces, this.t("on_sentence")) : "—";
      return JSON.stringify(target?.tokens) === JSON.stringify(outcome.target?.tokens) ? [] : [h("bdi", {}, `${aligner} → ${words}`)];
    });
    const leftOut = outcome.left_out.map((one) => `${unit.tokens[one.token]} (${reason(one.reason)})`).join(", ");
    const [attribute] = translationAttributes(this.editor.scheme, outcome.source.label);
    const options = (attribute?.values ?? []).map((value, at) => h("button", { type: "button", class: "button button-small", "data-value": value, onclick: (event) => isAgain(event) || (this.mark(place()), this.choose(at)) }, this.answerName(value), at < 9 && h("kbd", { "aria-hidden": "true" }, String(at + 1))));
    const group = h(
      "div",
      { class: "decision-acts", role: "group", tabindex: "-1", "aria-label": this.t("row_name", { n: number, text }) },
      h("div", { class: "cluster", role: "group", "aria-label": this.t("outcomes_title") }, act("keep", "K", () => this.keep()), act("lost", "L", () => this.lose()), act("shift", "H", () => this.shift()), act("links", "E", () => this.startLinking())),
      options.length > 0 && h("div", { class: "cluster", role: "group", "aria-label": this.questionName(attribute) }, h("span", { class: "muted small" }, this.questionName(attribute)), options),
    );
    const node = h(
      "li",
      { class: "decision review-decision", onfocusin: () => this.mark(place()) },
      h(
        "div",
        { class: "decision-title" },
        h("span", { class: "decision-number" }, String(number)),
        sources.length > 1 && h("span", { class: "review-language" }, language),
        h("bdi", { translate: "no", ...inLanguage(language, source.tokens) }, text),
        this.editor.labels.length > 1 && this.labelBadge(outcome.source.label),
        h("span", { "aria-hidden": "true" }, "→"),
        h("bdi", { class: "outcome-target", translate: "no", ...inLanguage(unit.language, unit.tokens) }),
        h("span", { class: "badge decision-fate" }),
      ),
      group,
      h("p", { class: "decision-note muted small" }, [h("span", {}, this.t("link_score", { score: percent(outcome.score) })), said() && h("span", {}, said()), leftOut && h("bdi", {}, this.t("left_out", { words: leftOut })), ...elsewhere]),
    );
    return { ...row, node, group, options };
  }

  /** What ships is said in the language of the page; a project's own names are as they are. */
  questionName({ name }) {
    return wordOf(this.messages, "question", name);
  }

  /** @param {string} value */
  answerName(value) {
    return wordOf(this.messages, "answer", value);
  }

  labelBadge(code) {
    const { name, colour } = this.editor.labelOf(code);
    return h("span", { class: "label-name", "data-colour": colour || null }, name);
  }

  refresh(entry) {
    super.refresh(entry);
    if (this.hint) this.editor.hint.textContent = this.hint;
    if (entry.item.sources.length && this.gained) this.refreshRows(entry);
    this.draw();
  }

  refreshRows(entry) {
    const { unit } = entry.item;
    const { content } = entry.value;
    const found = decisions.standing(this.rows, content);
    const numbers = unit.tokens.map(() => []);
    const open = new Set();
    this.rows.forEach((row, place) => {
      const one = found.rows[place];
      const target = one.target ?? (one.decided ? null : row.outcome.target);
      row.node.classList.toggle("is-decided", Boolean(one.decided));
      row.node.querySelector(".outcome-target").textContent = target ? spanText(target, unit.tokens, unit.spaces, this.t("on_sentence")) : "—";
      this.showFate(row, one);
      for (const token of target?.tokens ?? []) numbers[token].push(row.number);
      if (!one.decided && !entry.done) for (const token of one.target?.tokens ?? []) open.add(token);
    });
    this.editor.row.chips.forEach((chip, token) => {
      setAttributes(chip, { "data-number": numbers[token].join(" ") || null });
      chip.classList.toggle("chip-open", open.has(token));
    });
    this.sources.forEach(({ nodes }, source) => {
      const own = this.rows.filter((row) => row.source === source);
      nodes.forEach((node, token) => setAttributes(node, { "data-number": own.filter(({ outcome }) => outcome.source.tokens.includes(token)).map(({ number }) => number).join(" ") || null }));
    });
    this.gained.replaceChildren(...(this.rows.length || found.gained.length ? found.gained.map((span) => this.gainedRow(span, unit)) : []));
    this.mark(this.at);
  }

  /** @param {(typeof this.rows)[number]} row @param {Standing} one */
  showFate(row, { fate, decided }) {
    const badge = row.node.querySelector(".decision-fate");
    badge.className = `badge decision-fate${decided ? ` badge-${TONES[fate]}` : ""}`;
    badge.textContent = this.t(decided ? `fate_${fate}` : "fate_open");
    const pressed = { keep: fate === "kept", lost: fate === "lost", shift: fate === "shifted" };
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (row.group.querySelectorAll("[data-act]"))) {
      if (node.dataset.act in pressed) setAttributes(node, { "aria-pressed": Boolean(decided) && pressed[node.dataset.act] });
    }
    const [attribute] = translationAttributes(this.editor.scheme, row.outcome.source.label);
    for (const node of row.options) setAttributes(node, { "aria-pressed": decided?.attributes[attribute.code] === node.dataset.value });
  }

  gainedRow(span, unit) {
    const text = spanText(span, unit.tokens, unit.spaces, this.t("on_sentence"));
    return h(
      "li",
      { class: "decision review-decision is-decided" },
      h("div", { class: "decision-title" }, h("span", { "aria-hidden": "true" }, "→"), h("bdi", { class: "outcome-target", translate: "no", ...inLanguage(unit.language, unit.tokens) }, text), this.editor.labels.length > 1 && this.labelBadge(span.label), h("span", { class: "badge badge-info" }, this.t("fate_gained"))),
      h("div", { class: "decision-acts" }, button(this.t("gained_remove"), { class: "button button-small", "aria-label": this.t("gained_remove_of", { text }), onclick: () => this.removeGained(span) })),
    );
  }

  /** Says below the words what keys do to them now, where nothing moves for it. */
  showHint(text) {
    this.hint = text;
    this.editor.hint.textContent = text;
    this.announce(text);
  }

  // --- where keys act -----------------------------------------------------------------------------------------------

  setInWords(inWords, entry = this.entry) {
    this.inWords = inWords;
    if (!inWords) this.linking = null;
    if (!inWords) this.hint = "";
    const { labels, attributes, scheme } = this.editor;
    const rows = Math.max(0, ...this.rows.map(({ options }) => options.length));
    this.names = inWords ? [] : (this.rows.find(({ options }) => options.length === rows)?.options ?? []).map((node) => this.answerName(node.dataset.value));
    this.keymap = inWords ? reviewKeys(labels, attributes, scheme.overlaps, this.rows.length > 0) : projectionRowKeys(rows, this.offers.map(({ name }) => name));
  }

  takeFocus(stayInField) {
    if (!this.entry || stayInField) return;
    if (this.inWords) this.editor.takeFocus();
    else this.focusRow();
  }

  /** To the group and not to a button, so that Enter decides nothing. */
  focusRow() {
    this.rows[this.at]?.group.focus({ preventScroll: true });
    this.rows[this.at]?.node.scrollIntoView({ block: "nearest" });
  }

  toRows() {
    if (!this.rows.length) return this.editor.takeFocus();
    this.setInWords(false);
    this.focusRow();
    return this.refresh(this.entry);
  }

  mark(place) {
    this.at = Math.max(0, place);
    this.rows.forEach(({ node }, number) => node.classList.toggle("is-current", number === this.at));
    this.draw();
  }

  step(by) {
    this.mark(Math.max(0, Math.min(this.rows.length - 1, this.at + by)));
    this.focusRow();
  }

  /** The row that keys act on: that of the word, while they act on words; null where there is none. */
  get current() {
    if (!this.inWords) return this.rows[this.at] ?? null;
    const found = decisions.standing(this.rows, this.entry.value.content).rows;
    const here = (span) => span?.tokens.includes(this.editor.at);
    const place = this.rows.findIndex((row, number) => here(found[number].target) || here(row.outcome.target));
    if (place >= 0) this.mark(place);
    return this.rows[place] ?? null;
  }

  render() {
    super.render();
    const done = /** @type {HTMLButtonElement} */ (this.parts.actions.querySelector("[data-command=done]"));
    const left = this.entry ? this.left(this.entry) : 0;
    done.disabled = !this.entry || left > 0;
    const label = done.querySelector("span");
    const text = left ? this.leftText(left) : this.t("done_next");
    if (label.textContent !== text) label.textContent = text;
  }

  /** How many rows nobody decided on; none of an answer that is finished and was not touched. */
  left(entry) {
    return entry.done || this.readOnly(entry) ? 0 : decisions.left(this.rows, entry.value.content);
  }

  leftText(left) {
    return left === 1 ? this.t("spans_left_one") : this.t("spans_left_several", { n: left });
  }

  done() {
    if (this.sending) return this.announce(this.t("locked"));
    const left = this.entry ? this.left(this.entry) : 0;
    if (!left) return super.done();
    const open = decisions.standing(this.rows, this.entry.value.content).rows.findIndex(({ decided }) => !decided);
    this.mark(open);
    this.toRows();
    return this.say(`${this.leftText(left)}. ${this.t("decide_spans")}`);
  }

  // --- decisions ----------------------------------------------------------------------------------------------------

  /** An edit of the words decides the rows whose span it touches; a gained label touches none. */
  change(entry, content) {
    const after = { ...entry.value.content, ...content };
    return entry.history.set({ ...entry.value, content: clean(this.gaining ? after : decisions.followed(this.rows, entry.value.content, after)) });
  }

  /** Show the content after a decision, and go to the next open row. */
  decided(content, said) {
    this.entry.history.set({ ...this.entry.value, content: clean(content) });
    const { rows } = decisions.standing(this.rows, content);
    this.before = this.at;
    const open = rows.flatMap(({ decided }, place) => (decided ? [] : [place]));
    if (rows[this.at]?.decided && open.length) this.mark(open.find((place) => place > this.at) ?? open[0]);
    if (!this.inWords) this.focusRow();
    this.refreshed([said, this.left(this.entry) ? this.leftText(this.left(this.entry)) : ""].filter(Boolean).join(". "));
  }

  textOf({ source, outcome }) {
    const { tokens, spaces } = this.entry.item.sources[source];
    return spanText(outcome.source, tokens, spaces, this.t("on_sentence"));
  }

  keep() {
    const entry = this.editable();
    if (!entry) return;
    const row = this.current;
    if (!row) return void this.announce(this.t("no_suggestion_here"));
    if (!row.outcome.target) return void this.say(this.t("nothing_to_keep"));
    this.decided(decisions.keep(this.rows, entry.value.content, row, this.editor.scheme), this.t("kept_said", { text: this.textOf(row) }));
  }

  lose() {
    const entry = this.editable();
    if (!entry) return;
    const row = this.current;
    if (!row) return void this.announce(this.t("no_suggestion_here"));
    this.decided(decisions.lose(this.rows, entry.value.content, row), this.t("lost_said", { text: this.textOf(row) }));
  }

  /** The span of the target is elsewhere, or has other words: it is edited there. */
  shift() {
    const entry = this.editable();
    const row = this.current;
    if (!entry || !row) return;
    const place = this.rows.indexOf(row);
    const { target } = decisions.standing(this.rows, entry.value.content).rows[place];
    const token = (target ?? row.outcome.target)?.tokens[0] ?? row.outcome.left_out[0]?.token ?? this.editor.at;
    this.setInWords(true);
    this.editor.moveTo(token);
    this.showHint(this.t("shift_hint", { text: this.textOf(row) }));
  }

  gain() {
    const { editor } = this;
    if (!this.inWords) {
      this.setInWords(true);
      editor.takeFocus();
      return this.showHint(this.t("gain_hint"));
    }
    if (spanAt(editor.spans, editor.at)) return this.announce(this.t("already_labelled"));
    this.gaining = true;
    editor.edit((list, at) => ({ spans: toggle(list, at, editor.label, editor.scheme) }));
    this.gaining = false;
    return undefined;
  }

  removeGained(span) {
    const entry = this.editable();
    if (entry) this.decided({ ...entry.value.content, spans: entry.value.content.spans.filter((one) => one !== span) }, this.t("gained_removed"));
  }

  /** How a span was translated: that of the row, or, where nobody decided on it yet, the one that was decided last. */
  choose(place) {
    const entry = this.editable();
    if (!entry) return;
    const { rows } = decisions.standing(this.rows, entry.value.content);
    const at = rows[this.at]?.decided ? this.at : this.before;
    const row = this.rows[at];
    const decided = rows[at]?.decided;
    if (!decided) return void this.say(this.t("decide_first"));
    const value = row.options[place]?.dataset.value;
    if (!value) return;
    const [attribute] = translationAttributes(this.editor.scheme, row.outcome.source.label);
    const attributes = { ...decided.attributes, [attribute.code]: value };
    const isTakenBack = decided.attributes[attribute.code] === value;
    if (isTakenBack) delete attributes[attribute.code];
    entry.history.set({ ...entry.value, content: clean(decisions.decide(entry.value.content, row, { attributes })) });
    this.refreshed(this.t("option_said", { text: this.textOf(row), name: this.questionName(attribute), value: isTakenBack ? "–" : this.answerName(value) }));
  }

  /** One projection as a whole, or all: `place` among those that there are. */
  take(place) {
    const entry = this.editable();
    const offer = this.offers[place ?? 0];
    if (!entry || !offer) return;
    this.decided(decisions.take(this.rows, entry.value.content, place === null ? null : offer, this.editor.scheme), place === null ? this.t("took_projections") : this.t("took_projection", { language: offer.name }));
  }

  undo() {
    const entry = this.editable();
    const last = entry?.links?.at(-1);
    if (!last || last.depth !== entry.history.past.length) super.undo();
    else void this.undoLink(entry, last);
  }

  // --- links --------------------------------------------------------------------------------------------------------

  /** Links of a word of a source are edited: of the row's, where none is named. Named a second time, it is over. */
  startLinking(from = null) {
    if (!this.editable()) return;
    const row = this.current;
    const at = from ?? (row ? { source: row.source, token: row.outcome.source.tokens[0] ?? 0 } : null);
    if (!at) return;
    if (from && this.linking?.source === at.source && this.linking.token === at.token) return void this.toRows();
    this.setInWords(true);
    this.linking = at;
    const [near] = this.linked();
    this.editor.moveTo(near ?? this.editor.at);
    this.sayLinking();
  }

  linkingSaid() {
    const { source, token } = this.linking;
    return this.t("linking_hint", { word: this.entry.item.sources[source].tokens[token] });
  }

  sayLinking() {
    this.draw();
    this.showHint(this.linkingSaid());
  }

  linkFrom(by) {
    const { tokens } = this.entry.item.sources[this.linking.source];
    this.linking = { ...this.linking, token: Math.max(0, Math.min(tokens.length - 1, this.linking.token + by)) };
    this.sayLinking();
  }

  /** Sets or removes the link with a word of the target; the labels are projected again at once. */
  async link(token) {
    const entry = this.editable();
    if (!entry) return;
    const { source: number, token: from } = this.linking;
    const source = entry.item.sources[number];
    const linked = !partners(source.links, "source", from).includes(token);
    const before = decisions.rowsOf(entry.item.sources);
    if (!(await this.sendLink(entry, { language: source.language, from, token, linked }))) return;
    const content = clean(decisions.relinked(before, decisions.rowsOf(entry.item.sources), entry.value.content, this.editor.scheme));
    const changed = entry.history.set({ ...entry.value, content });
    entry.links = [...(entry.links ?? []), { language: source.language, from, token, linked, changed, depth: entry.history.past.length }];
    this.showLinks(entry, source.language, from, this.t(linked ? "link_set" : "link_removed", { source: source.tokens[from], target: entry.item.unit.tokens[token] }));
  }

  /** The last link is as it was, and so is what was decided before it. */
  async undoLink(entry, { language, from, token, linked, changed }) {
    if (!(await this.sendLink(entry, { language, from, token, linked: !linked }))) return;
    entry.links = entry.links.slice(0, -1);
    if (changed) entry.history.undo();
    // What was undone together with a link comes back only with it.
    entry.history.future = [];
    this.showLinks(entry, language, from, this.t("undone"));
  }

  /** Sends a link; the entry has its new projection. Whether that was done. */
  async sendLink(entry, { language, from, token, linked }) {
    const source = entry.item.sources.find((one) => one.language === language);
    if (this.sending || !source) return false;
    this.sending = true;
    try {
      const { suggestion, source: main, sources } = await this.call("POST", `assignments/${entry.key}/links/`, { suggestion: source.suggestion, source_token: from, target_token: token, linked });
      entry.item = { ...entry.item, suggestion, source: main, sources };
      return true;
    } catch (error) {
      this.say(error.message);
      return false;
    } finally {
      this.sending = false;
    }
  }

  showLinks(entry, language, token, said) {
    if (entry !== this.entry) return;
    // Somebody may have ended it while the link was on its way.
    this.shownAgain(this.linking && { source: entry.item.sources.findIndex((one) => one.language === language), token });
    this.refreshed(said);
  }

  /** Build the page of the entry again, with its focus and the word whose links are edited. */
  shownAgain(linking) {
    const { entry, at } = this;
    this.parts.body.replaceChildren(...this.build(entry));
    this.sideTabs.dress(this.parts.body);
    this.at = Math.min(at, Math.max(0, this.rows.length - 1));
    if (!linking) return this.toRows();
    this.setInWords(true);
    this.linking = linking;
    this.hint = this.linkingSaid();
    return this.editor.takeFocus();
  }

  /** The words whose links matter now: those of the word that is edited, or of the row. */
  get pointed() {
    if (this.linking) return { source: this.linking.source, tokens: [this.linking.token] };
    const row = this.rows[this.at];
    return row ? { source: row.source, tokens: row.outcome.source.tokens } : { source: 0, tokens: [] };
  }

  /** Target tokens that are linked with them. */
  linked() {
    const { source, tokens } = this.pointed;
    const links = this.entry.item.sources[source]?.links ?? [];
    return tokens.flatMap((token) => partners(links, "source", token));
  }

  /** One curve, for the row in focus: from its first word to the first of the target. */
  draw() {
    if (!this.sources?.length || !this.pane?.isConnected) return;
    const { source: number, tokens } = this.pointed;
    const { chips } = this.editor.row;
    const targets = this.linked();
    this.sources.forEach(({ nodes }, place) => nodes.forEach((node, token) => node.classList.toggle("word-linked", place === number && tokens.includes(token))));
    chips.forEach((chip, token) => chip.classList.toggle("chip-linked", targets.includes(token)));
    const row = this.rows[this.at];
    const target = row && decisions.standing(this.rows, this.entry.value.content).rows[this.at].target;
    const to = this.linking ? targets[0] : (target ?? row?.outcome.target)?.tokens[0];
    const [from, end] = [this.sources[number]?.nodes[tokens[0]], chips[to]];
    const origin = this.pane.getBoundingClientRect();
    setAttributes(this.lines, { viewBox: `0 0 ${origin.width} ${origin.height}`, width: origin.width, height: origin.height });
    this.lines.replaceChildren(...(from && end ? [svg("path", { class: "link", d: linkPath(from.getBoundingClientRect(), end.getBoundingClientRect(), origin) })] : []));
  }
}

new ProjectionReview().run();
