/** Writing a pair: two sentences that begin alike and mean the opposite, each with its meaning. */

import { button, h } from "../site/components/dom.js";
import { partsFields, partsList } from "../work/components/parts.js";
import { WritingWorkspace } from "../work/components/writing_workspace.js";
import * as type from "../work/content/figurative-pair.js";
import { Entry } from "../work/logic/entry.js";
import { PLAIN } from "../work/logic/keys.js";
import { lookedUp } from "../work/logic/looked_up.js";
import { faults, isTooLong, sharedBeginning, words } from "../work/logic/pairs.js";
import { beginningOf, inLanguage } from "../site/logic/text.js";

// Long enough for a word to be finished.
const PAUSE = 700;

class WritePair extends WritingWorkspace {
  /** The empty pairs on which those are kept that were written on one that was filled elsewhere: items, by its key. */
  another = new Map();

  constructor() {
    super(type);
    this.keymap = PLAIN;
    if (this.config.target) this.emptyText = "target_reached";
    const form = document.getElementById("pair-target");
    form?.addEventListener("submit", (event) => this.setTarget(event));
  }

  transport() {
    const shared = super.transport();
    return {
      ...shared,
      save: async (entry, sent) => {
        try {
          return await shared.save(entry, sent);
        } catch (error) {
          const wasEmpty = !entry.version && error.code === "conflict" && error.theirs?.version > 0;
          if (!wasEmpty || !this.config.slots) throw error;
          return this.saveBeside(entry, sent, shared, error);
        }
      },
    };
  }

  /** An empty pair was filled in another window meanwhile: what was written here is a pair of its own. */
  async saveBeside(entry, sent, shared, conflict) {
    let item = this.another.get(entry.key);
    if (!item) {
      try {
        item = await this.call("POST", `stages/${this.config.stage.id}/another/`);
      } catch (error) {
        throw error.retriable ? error : conflict;
      }
      // A save that is tried again goes there, too.
      this.another.set(entry.key, item);
    }
    this.time.give(item.id, this.time.take(entry.key));
    const answer = await shared.save(new Entry(item, entry.read), sent);
    this.queue.notice = this.t("kept_beside", { name: this.nameOf(entry) });
    return answer;
  }

  progressText() {
    const { mine } = this.queue.progress;
    return this.config.target ? this.t("written_of", { mine, target: this.config.target }) : this.t("written_so_far", { mine });
  }

  describe(entry) {
    return super.describe(entry) || this.config.parts[0];
  }

  /** In notices, a pair is called by how it begins. */
  nameOf(entry) {
    const [first] = type.linesOf(entry.value.content).filter((line) => words(line).length);
    return first ? this.t("named_by", { text: beginningOf(first) }) : this.t("nothing_written");
  }

  build(entry) {
    const { unit, remarks = [] } = entry.item;
    const { language } = unit;
    this.refused = false;
    this.fields = partsFields({
      page: this,
      names: this.config.parts,
      language,
      values: type.linesOf(entry.value.content),
      onInput: (number, text) => this.set(type.linesOf(this.entry.value.content).with(number, text)),
    });
    this.beginning = h("p", { class: "small", "aria-live": "polite" });
    this.similar = h("section", { class: "ws-card", "aria-live": "polite", hidden: true });
    this.asked = "";
    const remark = ({ reason, texts, comment }) =>
      h(
        "li",
        { class: "version" },
        reason && h("p", { class: "strong" }, reason),
        comment && h("p", {}, h("bdi", { dir: "auto" }, comment)),
        texts.length > 0 && [h("p", { class: "strong" }, this.t("suggested_texts")), partsList(texts, this.config.parts, language), button(this.t("take_suggestion"), { class: "button button-small", onclick: () => this.take(texts) })],
      );
    const prompt = super.describe(entry);
    return [
      h(
        "div",
        { class: "ws-main" },
        remarks.length > 0 && h("section", { class: "ws-card came-back" }, h("h2", { class: "ws-side-title" }, this.t("came_back")), h("p", {}, this.t("came_back_text")), h("ul", { class: "versions", role: "list" }, remarks.map(remark))),
        prompt && h("section", { class: "ws-sentence" }, h("p", { class: "ws-meta" }, this.t("prompt")), h("p", { class: "words", ...inLanguage(language, [prompt]) }, prompt)),
        h("section", { class: "ws-sentence" }, this.fields.node, this.beginning),
        this.similar,
      ),
      h("div", { class: "ws-side" }, this.commentCard(entry)),
    ];
  }

  refresh(entry) {
    const { content } = entry.value;
    this.fields.show(type.linesOf(content));
    const [one, other] = content.figurative;
    const beginning = sharedBeginning(one, other) || sharedBeginning(lookedUp(one), lookedUp(other));
    this.beginning.textContent = words(beginning).length ? this.t("beginning", { beginning }) : "";
    this.fields.say(this.wrong(content), this.refused);
    this.refreshComment(entry);
    this.look(entry);
  }

  /** What is wrong with each line, in words; hints until somebody was done with it. What is empty is wrong then. */
  wrong(content) {
    const found = type.linesOf(content).map((line) => (this.refused && !words(line).length ? this.t("part_missing") : ""));
    for (const [name, values, line] of faults(content)) found[line] ||= this.t(name, values);
    return found;
  }

  /** A draft with a text that is too long the server would refuse. */
  savable({ value }) {
    return !isTooLong(type.linesOf(value.content), this.config.longest);
  }

  takeFocus(stayInField) {
    if (!stayInField && this.entry) this.fields.focus();
  }

  set(lines) {
    const entry = this.editable();
    if (!entry) return;
    entry.history.set({ ...entry.value, content: type.ofLines(lines) });
    this.refreshed();
  }

  take(texts) {
    this.set(texts);
    this.announce(this.t("took_suggestion"));
    this.fields.focus();
  }

  /** What the form itself sees would be refused, so it stays here. */
  done() {
    if (this.passOver() || !this.entry) return;
    const { content } = this.entry.value;
    this.refused = true;
    const wrong = this.wrong(content);
    this.fields.say(wrong, true);
    if (!this.savable(this.entry)) this.announce(this.t("text_too_long"));
    else if (type.linesOf(content).some((line) => !words(line).length)) this.announce(this.t("missing_parts"));
    else if (wrong.some(Boolean)) this.announce(wrong.find(Boolean));
    else if (this.isUnchanged(this.entry)) {
      this.fields.say([this.t("unchanged")], true);
      this.announce(this.t("unchanged"));
    } else return void super.done();
    this.fields.focus();
  }

  /** As the server's `check_mended`: a text that came back goes on in other words, or with a new comment. */
  isUnchanged({ value: { content }, comment, item }) {
    const lines = type.linesOf(type.clean(content)).join("\n");
    return (item.sent_back ?? []).some((back) => back.lines.join("\n") === lines && ["", back.comment.trim()].includes(comment.trim()));
  }

  /** Asks what was written that is like it, once somebody pauses. */
  look(entry) {
    const [first, second] = type.clean(entry.value.content).figurative;
    const asked = `${first}\n${second}`;
    if (asked === this.asked) return;
    this.asked = asked;
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.ask(entry, first, second), PAUSE);
  }

  async ask(entry, first, second) {
    if (words(`${first} ${second}`).length < 2) return this.showSimilar({ similar: [], own: [] }, entry);
    let found;
    try {
      found = await this.call("POST", `stages/${this.config.stage.id}/similar/`, { first, second, unit: entry.item.unit.id });
    } catch {
      // A help that does not come stops nobody from writing.
      return undefined;
    }
    if (this.entry === entry && this.asked === `${first}\n${second}`) this.showSimilar(found, entry);
    return undefined;
  }

  showSimilar({ similar, own }, { item: { unit } }) {
    const named = (title, pairs) => (pairs.length ? [h("h2", { class: "ws-side-title" }, this.t(title)), ...pairs.map((lines) => partsList(lines, this.config.parts, unit.language))] : []);
    this.similar.hidden = !similar.length && !own.length;
    this.similar.replaceChildren(...named("written_before", own), ...named("similar_title", similar));
  }

  async setTarget(event) {
    event.preventDefault();
    const target = Number(event.target.elements.target.value || 0);
    try {
      await this.call("POST", `stages/${this.config.stage.id}/target/`, { target });
      location.reload();
    } catch (error) {
      this.announce(error.message);
      event.target.querySelector("[role=alert]").textContent = error.message;
    }
  }
}

new WritePair().run();
