import assert from "node:assert/strict";
import { test } from "node:test";
import { IDLE, WorkQueue } from "../../static/work/logic/queue.js";

const read = (item) => ({
  key: item.id,
  value: item.spans,
  comment: item.comment ?? "",
  version: item.version,
  done: item.state === "done",
  canUndo: item.version > 1,
  returned: item.state === "returned",
});
const item = (id, more = {}) => ({ id, spans: [], version: 1, state: "open", ...more });
const settled = () => new Promise((resolve) => setImmediate(resolve));
const offline = () => Object.assign(new Error("no connection"), { retriable: true, code: "network" });

/** A server of `count` items, which answers only when it is told to. */
function bench(count, { ahead = 1, ...options } = {}) {
  const clock = { now: 1 };
  const store = new Map(Array.from({ length: count }, (_, i) => [i + 1, item(i + 1)]));
  const calls = [];
  const timers = [];
  const given = new Set();
  // What the server says beside the items.
  const said = {};
  const free = (held) => [...store.values()].filter((it) => it.state === "open" && !held.includes(it.id));
  const answers = {
    claim: (held, n) => ({ items: free(held).slice(0, n).map((it) => ({ ...it })), progress: { done: 0 }, ...said }),
    save: (entry, sent) => {
      const stored = store.get(entry.key);
      if (stored.version !== entry.version) {
        throw Object.assign(new Error("stale"), { code: "conflict", theirs: { ...stored } });
      }
      Object.assign(stored, { spans: sent.value, comment: sent.comment, version: stored.version + 1 });
      if (sent.done) stored.state = "done";
      return { item: { ...stored }, progress: { done: [...store.values()].filter((it) => it.state === "done").length } };
    },
    undo: (entry) => {
      const stored = store.get(entry.key);
      Object.assign(stored, { spans: [], version: stored.version + 1 });
      return { item: { ...stored } };
    },
    fetch: (key) => ({ ...store.get(key) }),
  };
  const call = (name) => (...args) => {
    const copy = name === "save" ? { key: args[0].key, sent: structuredClone(args[1]), version: args[0].version } : args;
    return new Promise((resolve, reject) => {
      calls.push({
        name,
        args: copy,
        answer: async () => {
          try {
            resolve(answers[name](...(name === "save" ? [{ key: copy.key, version: copy.version }, copy.sent] : args)));
          } catch (error) {
            reject(error);
          }
          await settled();
        },
        fail: async (error) => {
          reject(error);
          await settled();
        },
      });
    });
  };
  const queue = new WorkQueue({
    transport: { claim: call("claim"), save: call("save"), undo: call("undo"), fetch: call("fetch") },
    read,
    ahead,
    schedule: (fn, ms) => timers.push({ fn, ms }) && timers.length,
    cancel: () => {},
    now: () => clock.now,
    ...options,
  });
  const open = () => calls.at(-1);
  const named = (name) => calls.filter((call) => call.name === name);
  const drain = async () => {
    while (queue.busy) await open().answer();
  };
  return { queue, store, calls, timers, open, given, said, clock, named, drain };
}

async function begun(count, options) {
  const parts = bench(count, options);
  parts.queue.start();
  await parts.open().answer();
  return parts;
}

test("the next item is shown at once and the save goes out alone while enough is left", async () => {
  const { queue, calls, open } = await begun(9, { ahead: 4 });
  assert.equal(queue.shown.key, 1);
  assert.deepEqual(queue.ready.map((entry) => entry.key), [2, 3, 4, 5]);
  queue.shown.history.set(["a"]);
  queue.finish();
  assert.equal(queue.shown.key, 2, "before any answer");
  assert.equal(calls.length, 2);
  assert.deepEqual(open().args.sent, { value: ["a"], comment: "", done: true });
  await open().answer();
  assert.equal(calls.length, 2, "one request");
  assert.equal(queue.progress.done, 1);
  assert.equal(queue.statusOf(queue.past[0]), "saved");
});

test("one claim fills up when fewer than half are left, with what the page holds", async () => {
  const { queue, open, named } = await begun(30, { ahead: 4 });
  for (let i = 0; i < 2; i += 1) {
    queue.finish();
    await open().answer();
  }
  assert.equal(named("claim").length, 1);
  assert.equal(queue.ready.length, 2, "half");
  queue.finish();
  await open().answer();
  assert.equal(named("claim").length, 2);
  assert.deepEqual(open().args, [[4, 5], 3]);
  assert.equal(queue.shown.key, 4, "nobody waits for it");
  await open().answer();
  assert.deepEqual(queue.ready.map((entry) => entry.key), [5, 6, 7, 8]);
  assert.equal(named("claim").length, 2);
});

test("never more is asked for than the server hands out at once", async () => {
  const { queue, calls, open } = bench(50, { ahead: 90 });
  queue.start();
  assert.equal(calls[0].args[1], 20);
  await open().answer();
  assert.equal(queue.ready.length, 19);
  assert.equal(calls.length, 1);
});

test("what waits to be saved goes out before a claim, what is finished later after it", async () => {
  const { queue, open, calls } = await begun(30, { ahead: 4 });
  for (let i = 0; i < 4; i += 1) queue.finish();
  assert.deepEqual(calls.map((call) => call.name), ["claim", "save"]);
  await open().answer();
  queue.finish();
  for (let i = 0; i < 5; i += 1) await open().answer();
  assert.deepEqual(calls.slice(1).map((call) => call.name), ["save", "save", "save", "save", "claim", "save"]);
});

test("a claim that does not get through holds no save up", async () => {
  const { queue, open, named, timers, store } = await begun(30, { ahead: 4 });
  for (let i = 0; i < 3; i += 1) queue.finish();
  while (named("claim").length < 2) await open().answer();
  await open().fail(offline());
  assert.equal(queue.unsaved, false, "a claim is nothing to lose");
  queue.finish();
  timers.at(-1).fn();
  assert.equal(open().name, "save");
  await open().answer();
  assert.equal(store.get(4).state, "done");
  assert.equal(open().name, "claim");
});

test("what nobody touched for long is asked for anew when somebody is back", async () => {
  const { queue, store, clock, named, open } = await begun(6, { ahead: 4 });
  clock.now = 19 * 60_000;
  queue.wake();
  assert.equal(named("claim").length, 1, "it is still ours");
  clock.now = 21 * 60_000;
  queue.wake();
  queue.wake();
  assert.equal(named("claim").length, 2);
  assert.deepEqual(open().args, [[1], 4], "what is shown stays held, the rest is for the server to say");
  // Somebody else has two of them by now.
  store.delete(2);
  store.delete(4);
  await open().answer();
  assert.equal(queue.shown.key, 1);
  assert.deepEqual(queue.ready.map((entry) => entry.key), [3, 5, 6]);
});

test("a draft that was begun while the stock is renewed is not lost", async () => {
  const { queue, clock, open } = await begun(6, { ahead: 4 });
  clock.now = 21 * 60_000;
  queue.wake();
  queue.finish();
  queue.shown.history.set(["mine"]);
  queue.back();
  await open().answer();
  while (queue.busy) await open().answer();
  const draft = [queue.shown, ...queue.ready].find((entry) => entry.key === 2);
  assert.deepEqual(draft.value, ["mine"]);
  assert.equal(new Set([queue.shown, ...queue.ready].map((entry) => entry.key)).size, 1 + queue.ready.length);
});

test("a late save of what somebody else has by now is told, and gives nothing to choose", async () => {
  const { queue, store, open } = await begun(6, { ahead: 4 });
  queue.shown.history.set(["late"]);
  queue.finish();
  const taken = Object.assign(new Error("Somebody else has it now."), { code: "conflict", theirs: { version: 1, spans: [] } });
  await open().fail(taken);
  assert.equal(queue.aside.get(1).kind, "taken");
  assert.equal(queue.unsaved, false, "the server keeps it");
  assert.equal(queue.shown.key, 2);
  // The others may have gone, too.
  assert.equal(open().name, "claim");
  await open().answer();
  queue.release(1);
  assert.equal(queue.aside.size, 0);
  assert.equal(queue.held.includes(1), false);
  assert.equal(queue.past.length, 0, "there is no way back to it");
});

test("a draft that comes too late locks what is shown, and done goes on", async () => {
  const { queue, open, named } = await begun(6, { ahead: 4 });
  queue.shown.history.set(["late"]);
  queue.keepDraft();
  await open().fail(Object.assign(new Error("Somebody else has it now."), { code: "conflict", theirs: { version: 1, spans: [] } }));
  await open().answer();
  assert.equal(queue.shown.key, 1);
  assert.ok(queue.locked(queue.shown));
  assert.equal(queue.finish(), null);
  assert.equal(queue.shown.key, 2);
  assert.equal(named("save").length, 1);
});

test("giving up what went back leaves no way to it", async () => {
  const { queue, store, open } = await begun(6, { ahead: 4 });
  queue.shown.history.set(["mine"]);
  queue.finish();
  await open().fail(Object.assign(new Error("Nonsense."), { code: "invalid" }));
  store.get(1).state = "returned";
  const discarded = queue.discard(1);
  await open().answer();
  await discarded;
  assert.deepEqual([queue.aside.size, queue.past.length, queue.shown.key], [0, 0, 2]);
});

test("before the end is told the server is asked once more", async () => {
  const { queue, store, open } = await begun(1, { ahead: 4 });
  assert.ok(queue.exhausted);
  queue.finish();
  store.set(2, item(2));
  await open().answer();
  assert.equal(queue.phase, "loading");
  await open().answer();
  assert.equal(queue.shown.key, 2, "somebody had given one back");
});

test("pressing done faster than the server answers never acts on an item that is not shown", async () => {
  const { queue, store, open } = await begun(4);
  assert.deepEqual(queue.ready.map((entry) => entry.key), [2]);
  queue.shown.history.set(["one"]);
  queue.finish();
  queue.shown.history.set(["two"]);
  queue.finish();
  assert.equal(queue.shown, null);
  assert.equal(queue.phase, "loading");
  assert.equal(queue.finish(), null, "there is nothing to finish");
  await open().answer();
  await open().answer();
  await open().answer();
  assert.equal(queue.shown.key, 3);
  assert.deepEqual(queue.shown.value, []);
  assert.deepEqual([store.get(1).spans, store.get(2).spans, store.get(3).spans], [["one"], ["two"], []]);
  assert.deepEqual([...store.values()].map((it) => it.state), ["done", "done", "open", "open"]);
});

test("saves go out one after the other and no item comes twice", async () => {
  const { queue, calls, open } = await begun(6, { ahead: 2 });
  queue.finish();
  queue.finish();
  queue.finish();
  assert.equal(calls.filter((call) => call.name === "save").length, 1);
  const seen = [1, 2, 3];
  for (let i = 0; i < 4; i += 1) await open().answer();
  const keys = [queue.shown, ...queue.ready].map((entry) => entry.key);
  assert.deepEqual(keys, [4, 5, 6]);
  assert.equal(new Set([...seen, ...keys]).size, 6);
});

test("a second edit of an item waits for the version that the first save makes", async () => {
  const { queue, store, open } = await begun(3, { ahead: 2 });
  queue.shown.history.set(["first"]);
  queue.finish();
  queue.back();
  assert.equal(queue.shown.key, 1);
  queue.shown.history.set(["second"]);
  queue.finish();
  await open().answer();
  assert.equal(open().args.version, 2);
  await open().answer();
  assert.deepEqual(store.get(1).spans, ["second"]);
  assert.equal(queue.aside.size, 0);
});

test("a draft is saved as open after a pause, and each edit begins the pause anew", async () => {
  const cancelled = [];
  const { queue, store, open, timers, named } = await begun(3, { cancel: (timer) => cancelled.push(timer) });
  queue.shown.history.set(["a"]);
  queue.edited();
  queue.shown.history.set(["a", "b"]);
  queue.edited();
  assert.deepEqual(timers.map(({ ms }) => ms), [IDLE, IDLE]);
  assert.deepEqual(cancelled, [1]);
  assert.equal(named("save").length, 0);
  timers[1].fn();
  assert.deepEqual(open().args.sent, { value: ["a", "b"], comment: "", done: false });
  await open().answer();
  assert.equal(store.get(1).state, "open");
  assert.equal(queue.shown.key, 1);
  assert.equal(queue.unsaved, false);
  assert.ok(queue.shown.history.undo(), "what was saved can still be undone");
});

test("a draft of what is done is open again, but what waits to be saved as done is not saved twice", async () => {
  const { queue, store, open, named, drain } = await begun(3, { ahead: 2 });
  queue.shown.history.set(["a"]);
  queue.finish();
  queue.back();
  queue.keepDraft();
  assert.equal(named("save").length, 1);
  await drain();
  assert.equal(store.get(1).state, "done");
  queue.shown.history.set(["b"]);
  queue.keepDraft();
  assert.equal(open().args.sent.done, false);
});

test("an answer does not overwrite what was edited while it was on its way", async () => {
  const { queue, open } = await begun(3);
  queue.shown.history.set(["sent"]);
  queue.keepDraft();
  queue.shown.history.set(["sent", "later"]);
  await open().answer();
  assert.deepEqual(queue.shown.value, ["sent", "later"]);
  assert.equal(queue.statusOf(queue.shown), "edited");
  assert.ok(queue.unsaved);
});

test("a save that did not get through is kept and tried again, later and later", async () => {
  const { queue, store, timers, open, calls, drain } = await begun(3, { ahead: 2 });
  queue.shown.history.set(["kept"]);
  const entry = queue.finish();
  await open().fail(offline());
  assert.equal(queue.statusOf(entry), "failed");
  assert.ok(queue.unsaved);
  assert.equal(timers.at(-1).ms, 1000);
  queue.shown.history.set(["more"]);
  queue.finish();
  assert.equal(calls.filter((call) => call.name === "save").length, 1, "nothing goes out while it waits");
  timers.at(-1).fn();
  await open().fail(offline());
  assert.equal(timers.at(-1).ms, 2000);
  queue.retry();
  await drain();
  assert.equal(queue.statusOf(entry), "saved");
  assert.deepEqual([store.get(1).spans, store.get(2).spans], [["kept"], ["more"]]);
  assert.equal(queue.shown.key, 3);
});

test("a conflict is put aside with both sides while work goes on, and is settled on top of theirs", async () => {
  const { queue, store, open } = await begun(3);
  queue.shown.history.set(["mine"]);
  queue.finish();
  Object.assign(store.get(1), { spans: ["theirs"], version: 5 });
  await open().answer();
  const { kind, theirs, entry } = queue.aside.get(1);
  assert.equal(kind, "conflict");
  assert.deepEqual([theirs.spans, entry.value], [["theirs"], ["mine"]]);
  assert.deepEqual(store.get(1).spans, ["theirs"], "nothing won silently");
  assert.equal(queue.shown.key, 2);
  queue.resolve(1, ["mine", "theirs"], "");
  while (queue.busy) await open().answer();
  assert.deepEqual(store.get(1).spans, ["mine", "theirs"]);
  assert.equal(queue.aside.size, 0);
});

test("a refused save is put aside, the others go on, and it can be mended", async () => {
  const { queue, open } = await begun(4);
  queue.finish();
  await open().fail(Object.assign(new Error("Gold is decided."), { retriable: false, code: "refused" }));
  assert.equal(queue.aside.get(1).message, "Gold is decided.");
  assert.equal(queue.shown.key, 2);
  queue.revisit(1);
  assert.equal(queue.shown.key, 1);
  assert.equal(queue.ready[0].key, 2);
});

test("when nothing is left the queue is empty, and says so only after the saves are through", async () => {
  const { queue, open } = await begun(1);
  await settled();
  queue.finish();
  assert.equal(queue.phase, "loading");
  await open().answer();
  assert.equal(queue.phase, "loading");
  assert.equal(queue.unsaved, false);
  await open().answer();
  assert.equal(queue.phase, "empty");
  assert.equal(queue.unsaved, false);
});

test("each claim says anew whether something is left that the person wrote, or is blind on", async () => {
  const { queue, open, said } = bench(0);
  queue.start();
  Object.assign(said, { own_left: true, blind_left: 2 });
  await open().answer();
  assert.equal(queue.phase, "empty");
  assert.ok(queue.ownLeft);
  assert.equal(queue.blindLeft, 2);
  Object.assign(said, { own_left: false, blind_left: 0 });
  queue.retry();
  await open().answer();
  assert.ok(!queue.ownLeft);
  assert.equal(queue.blindLeft, 0);
});

test("an empty stage is empty from the start", async () => {
  const { queue } = await begun(0);
  assert.equal(queue.phase, "empty");
});

test("what was passed over comes back at the end", async () => {
  const { queue, open } = await begun(2);
  queue.forward();
  assert.equal(queue.shown.key, 2);
  while (queue.busy) await open().answer();
  queue.finish();
  while (queue.busy) await open().answer();
  assert.equal(queue.shown.key, 1);
});

test("going back saves a draft without calling it done, and keeps the place", async () => {
  const { queue, store, open } = await begun(4);
  queue.finish();
  while (queue.busy) await open().answer();
  queue.shown.history.set(["draft"]);
  assert.ok(queue.back());
  assert.equal(queue.shown.key, 1);
  while (queue.busy) await open().answer();
  assert.deepEqual([store.get(2).spans, store.get(2).state], [["draft"], "open"]);
  queue.finish();
  assert.equal(queue.shown.key, 2);
});

test("the server undoes only when there is something, and nobody edits meanwhile", async () => {
  const { queue, store, open } = await begun(2);
  assert.equal(queue.undoOnServer(), false);
  queue.finish();
  while (queue.busy) await open().answer();
  queue.back();
  assert.ok(queue.undoOnServer());
  assert.ok(queue.locked(queue.shown));
  assert.equal(queue.finish(), null);
  while (queue.busy) await open().answer();
  assert.equal(queue.locked(queue.shown), false);
  assert.equal(store.get(1).version, 3);
});

test("an item that was asked for is shown first", async () => {
  const { queue, open } = bench(5);
  queue.start(4);
  await open().answer();
  assert.equal(queue.shown.key, 4);
  await open().answer();
  assert.deepEqual(queue.ready.map((entry) => entry.key), [1]);
});

test("a server that refuses to hand out work is heard, not asked for ever", async () => {
  const { queue, open, calls } = bench(2);
  queue.start();
  await open().fail(Object.assign(new Error("No such stage."), { retriable: false, code: "not_found" }));
  assert.equal(queue.phase, "error");
  assert.equal(queue.broken.message, "No such stage.");
  assert.equal(calls.length, 1);
});

test("an item that was taken back is let go, and what was held beside it is asked for anew", async () => {
  const { queue, store, open } = await begun(4, { ahead: 2 });
  assert.deepEqual(queue.ready.map((entry) => entry.key), [2, 3]);
  const gone = Object.assign(new Error("not yours"), { code: "not_found" });
  queue.shown.history.set(["mine"]);
  queue.finish();
  store.delete(1);
  store.delete(3);
  await open().fail(gone);
  assert.equal(queue.shown.key, 2, "what is being read stays");
  assert.deepEqual(queue.aside.get(1).entry.value, ["mine"], "nothing is thrown away unasked");
  await open().answer();
  assert.deepEqual(queue.ready.map((entry) => entry.key), [4]);

  const discarded = queue.discard(1);
  await open().fail(gone);
  await open().answer();
  await discarded;
  assert.equal(queue.aside.size, 0);
  assert.equal(queue.shown.key, 2);
  assert.equal(queue.unsaved, false);
});

test("giving up what was taken back while it is shown goes on to the next", async () => {
  const { queue, store, open } = await begun(3);
  const gone = Object.assign(new Error("not yours"), { code: "not_found" });
  queue.shown.history.set(["mine"]);
  queue.keepDraft();
  store.delete(1);
  await open().fail(gone);
  await open().answer();
  assert.equal(queue.shown.key, 1);

  const discarded = queue.discard(1);
  await open().fail(gone);
  await open().answer();
  await discarded;
  assert.equal(queue.shown.key, 2);
  assert.equal(queue.held.includes(1), false);
});

test("a new text goes out after the draft, and the entry becomes the new revision's", async () => {
  const { queue, open, calls } = await begun(3, { ahead: 2 });
  const entry = queue.shown;
  entry.history.set(["a"]);
  entry.focus = 5;
  let sent = 0;
  const told = queue.revise(async () => {
    sent += 1;
    return { item: item(11, { spans: ["b"], version: 3 }) };
  });
  assert.equal(calls.at(-1).name, "save", "the draft first");
  assert.ok(queue.locked(entry));
  assert.ok(queue.unsaved);
  assert.equal(sent, 0);
  await open().answer();
  assert.equal(await told, null);
  assert.equal(queue.shown, entry);
  assert.deepEqual([entry.key, entry.value, entry.version, entry.dirty, entry.focus], [11, ["b"], 3, false, undefined]);
  assert.ok(!queue.locked(entry));
  assert.deepEqual(queue.held, [11, 2, 3]);
});

test("a text that is refused is told to whoever asked, and nothing else stops", async () => {
  const { queue } = await begun(2, { ahead: 1 });
  const refusal = Object.assign(new Error("fixed by somebody else"), { code: "conflict", theirs: { text: "theirs" } });
  const error = await queue.revise(() => Promise.reject(refusal));
  assert.equal(error, refusal);
  assert.equal(queue.aside.size, 0);
  assert.ok(!queue.locked(queue.shown));
});

test("a text whose draft is refused is not sent", async () => {
  const { queue, open, store } = await begun(2, { ahead: 1 });
  store.get(1).version = 9;
  queue.shown.history.set(["a"]);
  let sent = false;
  const told = queue.revise(async () => {
    sent = true;
  });
  await open().answer();
  assert.equal((await told).code, "conflict");
  assert.equal(sent, false);
  assert.equal(queue.aside.get(1).kind, "conflict");
});

test("a text that does not get through is tried again", async () => {
  const { queue, timers } = await begun(2, { ahead: 1 });
  let tries = 0;
  const told = queue.revise(async () => {
    tries += 1;
    if (tries === 1) throw offline();
    return { item: item(12) };
  });
  await settled();
  assert.equal(queue.failing.code, "network");
  timers.at(-1).fn();
  assert.equal(await told, null);
  assert.deepEqual([tries, queue.shown.key], [2, 12]);
});

test("what the server has to say of an entry later is taken over while nobody has touched it", async () => {
  const { queue } = await begun(2, { ahead: 1 });
  const entry = queue.shown;
  assert.ok(queue.renew(entry, item(1, { spans: ["suggested"] })));
  assert.deepEqual(entry.value, ["suggested"]);
  assert.ok(!queue.renew(entry, item(7)), "another item");
  entry.history.set(["mine"]);
  assert.ok(!queue.renew(entry, item(1, { spans: ["later"] })));
  assert.deepEqual(entry.value, ["mine"]);
});

/** The first `blind` items are blind; the queue begins with them, as the server hands them out. */
async function withBlind(count, blind, options = {}) {
  const made = bench(count, { ahead: 4, isBlind: (entry) => entry.key <= blind, ...options });
  void made.queue.start();
  await made.drain();
  return made;
}

test("the end of the blind work is told before anything else is shown", async () => {
  const { queue, drain } = await withBlind(4, 2);
  queue.finish();
  await drain();
  assert.equal(queue.shown.key, 2);

  queue.finish();

  // At once, before the save is through.
  assert.equal(queue.phase, "gate");
  assert.deepEqual(queue.gate, { left: 0 });
  assert.equal(queue.shown, null);
  await drain();
  assert.equal(queue.phase, "gate");
  assert.equal(queue.finish(), null);
  assert.ok(queue.pass());
  assert.equal(queue.shown.key, 3);
  assert.equal(queue.pass(), false);
  queue.finish();
  await drain();
  assert.equal(queue.shown.key, 4);
});

test("what comes only later, or after the page was loaded anew, waits as well", async () => {
  const { queue, drain, store } = await withBlind(1, 1);
  store.set(2, item(2));
  queue.finish();
  await drain();
  assert.equal(queue.phase, "gate");
  assert.equal(queue.ready[0].key, 2);

  const again = await withBlind(2, 0, { wasBlind: true });
  assert.equal(again.queue.phase, "gate");
  again.queue.pass();
  assert.equal(again.queue.shown.key, 1);
});

test("blind items that were passed over are counted, and come back", async () => {
  const { queue, drain } = await withBlind(3, 2);
  queue.forward();
  queue.finish();
  await drain();
  assert.deepEqual(queue.gate, { left: 1 });
  queue.pass();
  queue.finish();
  await drain();
  assert.equal(queue.shown.key, 1);
});

test("what was passed over before the blind work comes back after its end was told", async () => {
  const { queue, drain } = await withBlind(2, 0, { isBlind: (entry) => entry.key === 2 });
  queue.forward();
  assert.equal(queue.shown.key, 2);
  queue.finish();
  await drain();
  assert.equal(queue.phase, "gate");
  queue.pass();
  assert.equal(queue.shown.key, 1);
});

test("one can go back from there to the blind work", async () => {
  const { queue, drain } = await withBlind(3, 2);
  queue.finish();
  queue.finish();
  await drain();
  assert.equal(queue.phase, "gate");

  assert.ok(queue.back());

  assert.equal(queue.shown.key, 2);
  queue.finish();
  await drain();
  assert.equal(queue.phase, "gate");
  queue.pass();
  // Told once: going back and forth later is not stopped again.
  queue.back();
  queue.forward();
  assert.equal(queue.shown.key, 3);
});

test("where all is blind, or nothing is, nothing is told", async () => {
  for (const blind of [3, 0]) {
    const { queue, drain } = await withBlind(3, blind);
    for (let done = 0; done < 3; done += 1) {
      assert.equal(queue.phase, "working");
      queue.finish();
      await drain();
    }
    assert.equal(queue.phase, "empty");
  }
});

/** Keeps saves as a browser does; `full`: it keeps nothing. */
function keeper() {
  const kept = new Map();
  const state = { full: false };
  return {
    kept,
    state,
    body: (entry, sent) => ({ spans: sent.value, done: sent.done }),
    put: async (entry, bodies) => {
      if (state.full) throw new Error("full");
      kept.set(entry.key, { bodies: structuredClone(bodies), version: entry.version });
    },
    remove: async (entry) => void kept.delete(entry.key),
  };
}

async function keeping(count) {
  const outside = keeper();
  const parts = bench(count);
  parts.queue.keeper = outside;
  parts.queue.start();
  await parts.open().answer();
  return { ...parts, ...outside };
}

test("a save is kept outside the page before it is said that it waits, until it is acknowledged", async () => {
  const { queue, open, kept, timers } = await keeping(3);
  queue.shown.history.set(["a"]);
  assert.equal(queue.atRisk, true, "a draft is kept nowhere");
  queue.finish();
  assert.deepEqual(kept.get(1), { bodies: [{ spans: ["a"], done: true }], version: 1 });
  const failed = open().fail(offline());
  assert.equal(queue.failing, null);
  await failed;
  assert.equal(queue.failing.code, "network");
  assert.equal(queue.atRisk, false);
  timers.at(-1).fn();
  await open().answer();
  assert.equal(kept.size, 0);
});

test("what waits of an item is kept in order; what was acknowledged goes, and the rest is over its version", async () => {
  const { queue, open, kept } = await keeping(3);
  queue.shown.history.set(["a"]);
  queue.finish();
  queue.back();
  queue.shown.history.set(["b"]);
  queue.finish();
  assert.deepEqual(kept.get(1), { bodies: [{ spans: ["a"], done: true }, { spans: ["b"], done: true }], version: 1 });
  await open().answer();
  assert.deepEqual(kept.get(1), { bodies: [{ spans: ["b"], done: true }], version: 2 });
  queue.back();
});

test("where nothing can be kept, leaving the page would lose what waits", async () => {
  const { queue, open, state } = await keeping(3);
  state.full = true;
  queue.shown.history.set(["a"]);
  queue.finish();
  await open().fail(offline());
  assert.equal(queue.atRisk, true);
});

test("what is refused or conflicts is kept until the person decides", async () => {
  const { queue, open, store, kept, drain } = await keeping(4);
  store.get(1).version = 7;
  queue.shown.history.set(["mine"]);
  queue.finish();
  await open().answer();
  assert.equal(queue.statusOf(queue.past[0]), "conflict");
  assert.deepEqual(kept.get(1).bodies, [{ spans: ["mine"], done: true }]);
  assert.equal(queue.atRisk, false);
  queue.resolve(1, ["both"], "");
  assert.deepEqual(kept.get(1), { bodies: [{ spans: ["both"], done: true }], version: 7 });
  await drain();
  assert.equal(kept.size, 0);

  queue.finish();
  await open().fail(Object.assign(new Error("no"), { code: "invalid" }));
  await drain();
  assert.deepEqual([...kept.keys()], [2]);
  const discarded = queue.discard(2);
  await open().answer();
  await discarded;
  assert.equal(kept.size, 0);
});

test("what an earlier page left is taken up over the version that was seen there, and is shown where it is asked for", async () => {
  const { queue, open, store, drain } = bench(4);
  const outside = keeper();
  queue.keeper = outside;
  Object.assign(store.get(2), { spans: ["theirs"], version: 3 });
  queue.takeUp({ ...store.get(2) }, { value: ["mine"], comment: "why", done: true, version: 1 });
  assert.equal(outside.kept.get(2).version, 1);
  queue.start(2);
  assert.equal(queue.shown.key, 2);
  await open().answer();
  assert.equal(queue.statusOf(queue.shown), "conflict");
  assert.deepEqual(store.get(2).spans, ["theirs"]);
  queue.resolve(2, ["both"], "why");
  await drain();
  assert.deepEqual([store.get(2).spans, store.get(2).comment], [["both"], "why"]);
  assert.equal(outside.kept.size, 0);
});

test("items whose saves wait outside the page are not asked for", async () => {
  const { queue, open } = bench(3);
  queue.elsewhere = () => [1];
  queue.start();
  assert.deepEqual(open().args[0], [1]);
  await open().answer();
  assert.equal(queue.shown.key, 2);
});
