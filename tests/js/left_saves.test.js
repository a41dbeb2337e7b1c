import assert from "node:assert/strict";
import { test } from "node:test";
import { LeftSaves } from "../../static/site/logic/left_saves.js";

const settled = () => new Promise((resolve) => setImmediate(resolve));
const offline = () => Object.assign(new Error("no connection"), { retriable: true, code: "network", status: 0 });
const broken = () => Object.assign(new Error("a fault"), { retriable: true, code: "server", status: 500 });
const refusal = (more = {}) => Object.assign(new Error("no"), { retriable: false, code: "invalid", status: 400, ...more });

/** A browser: what it keeps, which pages live in it, and a server that has versions by address. */
function browser() {
  const saves = new Map();
  const held = new Map();
  const versions = new Map();
  const posts = [];
  const timers = [];
  const faults = [];
  const id = ({ person, owner, url }) => JSON.stringify([person, owner, url]);
  const free = (name) => held.get(name) ?? Promise.resolve();
  const locks = {
    held: async () => new Set(held.keys()),
    run: async (name, run) => {
      const before = free(name);
      let release;
      held.set(name, new Promise((go) => (release = go)));
      const mine = held.get(name);
      await before;
      try {
        await run();
      } finally {
        if (held.get(name) === mine) held.delete(name);
        release();
      }
    },
  };
  const store = {
    all: async (person) => structuredClone([...saves.values()].filter((save) => save.person === person)),
    put: async (save) => void saves.set(id(save), structuredClone(save)),
    remove: async (save) => void saves.delete(id(save)),
    any: async () => saves.size > 0,
  };
  /** The server: saves over the current version, or returns the current content. */
  const post = async (url, { version, ...body }) => {
    posts.push([url, body.text, version]);
    await settled();
    const fault = faults.shift();
    if (fault) throw fault();
    const stands = versions.get(url) ?? { version: 0, text: null };
    if (stands.text !== body.text) {
      if (stands.version !== version) throw refusal({ code: "conflict", theirs: stands });
      versions.set(url, { version: version + 1, text: body.text });
    }
    return { annotation: { version: versions.get(url).version } };
  };
  const keep = (url, texts, more = {}) => store.put({ person: "1", owner: "closed", url, bodies: texts.map((text) => ({ text })), version: 0, at: saves.size, name: url, link: "", stage: 7, item: 1, ...more });
  const page = (person = "1") => new LeftSaves({ store, locks, person, post, schedule: (fn, ms) => timers.push({ fn, ms }), cancel: () => {} });
  /** A page of the name lives; returns what closes it. */
  const open = (owner) => {
    let close;
    void locks.run(owner, () => new Promise((go) => (close = go)));
    return async () => {
      close();
      for (let turn = 0; turn < 20; turn += 1) await settled();
    };
  };
  const texts = () => Object.fromEntries([...versions].map(([url, { text }]) => [url, text]));
  return { saves, store, versions, posts, timers, faults, keep, page, open, texts };
}

test("what a closed page left is sent in order, and nothing of it stays", async () => {
  const { keep, page, saves, posts } = browser();
  await keep("b", ["later"], { at: 9 });
  await keep("a", ["earlier"], { at: 3 });
  const left = page();
  await left.send();
  assert.deepEqual(posts.map(([url]) => url), ["a", "b"]);
  assert.equal(saves.size, 0);
  assert.deepEqual([left.saves, left.sent.length, left.failing], [[], 2, null]);
});

test("saves of one item follow each other, each over the version that the one before made", async () => {
  const { keep, page, posts, saves } = browser();
  await keep("a", ["first", "second"]);
  await page().send();
  assert.deepEqual(posts, [["a", "first", 0], ["a", "second", 1]]);
  assert.equal(saves.size, 0);
});

test("of two saves of one item, the second alone is left when the network goes between them", async () => {
  const { keep, page, faults, saves, timers, texts } = browser();
  await keep("a", ["first", "second"]);
  faults.push(null, offline);
  const left = page();
  await left.send();
  assert.deepEqual([...saves.values()].map(({ bodies, version }) => [bodies, version]), [[[{ text: "second" }], 1]]);
  assert.equal(left.failing.message, "no connection");
  timers.at(-1).fn();
  await left.send();
  assert.deepEqual(texts(), { a: "second" });
  assert.equal(left.failing, null);
});

test("without a network the first is tried alone, later each time; a fault with one holds no other up", async () => {
  const { keep, page, faults, posts, timers, texts } = browser();
  await keep("a", ["one"]);
  await keep("b", ["two"]);
  faults.push(offline, offline, broken);
  const left = page();
  await left.send();
  await left.send();
  assert.deepEqual(posts.map(([url]) => url), ["a", "a"]);
  assert.deepEqual(timers.map(({ ms }) => ms), [1000, 2000]);
  await left.send();
  assert.deepEqual(texts(), { b: "two" });
  assert.deepEqual(left.saves.map(({ url }) => url), ["a"]);
});

test("a save that was acknowledged and not removed is sent again without harm", async () => {
  const { keep, page, versions, saves } = browser();
  versions.set("a", { version: 1, text: "mine" });
  await keep("a", ["mine"]);
  await page().send();
  assert.equal(versions.get("a").version, 1);
  assert.equal(saves.size, 0);
});

test("what was changed meanwhile, refused, or given to others stays and says which; the rest goes on", async () => {
  const { keep, page, versions, faults, posts } = browser();
  versions.set("changed", { version: 5, text: "theirs" });
  await keep("changed", ["mine"], { version: 4 });
  await keep("refused", ["mine"]);
  await keep("taken", ["mine"]);
  await keep("good", ["mine"]);
  faults.push(null, refusal, () => refusal({ code: "conflict", theirs: { version: 0 } }));
  const left = page();
  await left.send();
  assert.deepEqual(left.saves.map(({ url, refused }) => [url, refused.kind]), [["changed", "conflict"], ["refused", "refused"], ["taken", "taken"]]);
  assert.equal(versions.get("changed").text, "theirs");
  assert.equal(versions.get("good").text, "mine");
  const before = posts.length;
  await page().send();
  assert.equal(posts.length, before, "not again without the person");
  await left.discard(left.saves[1]);
  assert.deepEqual(left.saves.map(({ url }) => url), ["changed", "taken"]);
});

test("what the person must decide about is handed over once, where it can be taken", async () => {
  const { keep, page, saves } = browser();
  for (const kind of ["conflict", "refused", "taken"]) await keep(kind, ["mine"], { refused: { kind, message: "no" } });
  await keep("elsewhere", ["mine"], { stage: 8, refused: { kind: "conflict", message: "no" } });
  const [left, other] = [page(), page()];
  const taken = [];
  const take = async ({ url }) => taken.push(url) && url === "conflict";
  await Promise.all([left.handOver(7, take), other.handOver(7, async ({ url }) => taken.push(url) && false)]);
  assert.deepEqual(taken, ["conflict", "refused", "refused"]);
  assert.deepEqual([...saves.values()].map(({ url }) => url), ["refused", "taken", "elsewhere"]);
  assert.deepEqual(left.saves.map(({ url }) => url), ["refused", "taken", "elsewhere"]);
});

test("two pages that open at once send each save once", async () => {
  const { keep, page, posts } = browser();
  await keep("a", ["one"]);
  await keep("b", ["two"]);
  const [left, other] = [page(), page()];
  await Promise.all([left.send(), other.send(), left.send()]);
  assert.equal(posts.length, 2);
  assert.deepEqual([left.sent.length, other.sent.length, other.saves], [2, 0, []]);
});

test("another person's saves are neither sent nor seen", async () => {
  const { keep, page, posts, saves } = browser();
  await keep("a", ["one"]);
  const left = page("2");
  await left.send();
  assert.deepEqual([posts, left.saves, await left.count()], [[], [], 0]);
  assert.equal(saves.size, 1);
});

test("a page that lives sends its own; when it closes, another sends what it left", async () => {
  const { keep, page, open, posts } = browser();
  const close = open("living");
  await keep("a", ["one"], { owner: "living" });
  const left = page();
  await left.send();
  await left.send();
  assert.deepEqual([posts, left.saves, await left.count()], [[], [], 1]);
  await close();
  assert.deepEqual(posts, [["a", "one", 0]]);
  assert.equal(await left.count(), 0);
});
