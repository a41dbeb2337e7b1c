import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as choices from "../../static/work/logic/choices.js";
import { asOneTree } from "./served.js";

// The same as in tests/domain/test_choosing.py: the page shows what the server asks for.
const CASES = JSON.parse(readFileSync(new URL("../content_cases/differences.json", import.meta.url), "utf8"));

const tree = asOneTree();

/** An item as the server sends it; `part` of a type gives what each answer says at a difference. */
async function given({ type: slug, contents, differences, shared }) {
  const type = await import(`${tree}/work/content/${slug}.js`);
  const answers = contents.map((content, place) => ({ id: place + 1, version: 1, content }));
  const fields = { verdict: ["verdict", "reason", "texts"], word: ["word", "reason"], words: ["words", "none"], figurative: ["figurative", "literal"] };
  const partOf = (difference, content) => (type.part ? type.part(content, difference, shared) : Object.fromEntries((fields[difference.key] ?? [difference.key]).map((name) => [name, content[name]])));
  const item = {
    answers,
    shared,
    differences: differences.map((one) => ({ ...one, says: one.says.map((numbers) => ({ answers: numbers.map((number) => number + 1), content: partOf(one, contents[numbers[0]]) })) })),
  };
  const value = { content: type.clean(shared), chosen: choices.NOTHING, doubt: false };
  return { type, item, value };
}

for (const one of CASES) {
  test(`${one.case}: nothing is chosen beforehand, and every difference takes a choice`, async () => {
    const { type, item, value } = await given(one);
    assert.equal(choices.left(item, value), item.differences.length || 1);
    for (const { id, content } of item.answers) {
      let now = value;
      for (const [place, difference] of item.differences.entries()) {
        now = choices.take(type, item, now, difference, id);
        assert.equal(choices.left(item, now), item.differences.length - place - 1);
      }
      if (!item.differences.length) now = choices.takeAll(item, now, id);
      assert.ok(type.same(now.content, content));
      assert.deepEqual([choices.left(item, now), choices.isOwn(type, item, now), choices.sent(type, item, now).edited], [0, false, false]);
    }
  });

  test(`${one.case}: all of an answer is one act, and replaces what was taken before`, async () => {
    const { type, item, value } = await given(one);
    const [first, last] = [item.answers[0], item.answers.at(-1)];
    const before = item.differences.length ? choices.take(type, item, value, item.differences[0], last.id) : value;
    const now = choices.takeAll(item, before, first.id);
    assert.ok(type.same(now.content, first.content));
    assert.equal(choices.left(item, now), 0);
    assert.deepEqual(choices.sent(type, item, now), { answers: item.answers.map(({ id }) => ({ id, version: 1 })), all: first.id, differences: [], edited: false });
  });
}

const span = (...tokens) => ({ tokens, label: "METAPHOR", attributes: {}, score: null });
const SPANS = CASES.find((one) => one.case === "spans: what all share is no difference");

test("the majority is taken where there is one, and a tie stays open", async () => {
  const type = await import(`${tree}/work/content/spans.js`);
  const said = (tokens, ...answers) => ({ answers, content: { spans: tokens.map((token) => span(token)) } });
  const item = {
    answers: [1, 2, 3].map((id) => ({ id, version: 1, content: { spans: [] } })),
    shared: { spans: [] },
    differences: [
      { key: "0", tokens: [0], says: [said([], 1), said([0], 2, 3)] },
      { key: "4", tokens: [4], says: [said([4], 1), said([], 2)] },
    ],
  };
  const now = choices.takeMajority(type, item, { content: { spans: [] }, chosen: choices.NOTHING, doubt: false });
  assert.deepEqual(now.chosen.differences, { 0: 2 });
  assert.deepEqual(now.content.spans.map((one) => one.tokens), [[0]]);
  assert.equal(choices.left(item, now), 1);
});

test("an edit decides the differences that it touches, and no other", async () => {
  const { type, item, value } = await given(SPANS);
  const own = choices.edited(type, item, value, { spans: [span(0), span(2, 3)] });
  assert.deepEqual(own.chosen.differences, { 3: null });
  assert.equal(choices.left(item, own), 1);
  assert.ok(choices.isOwn(type, item, own));
  // What somebody answered is theirs, also where it was labelled anew.
  const theirs = choices.edited(type, item, own, { spans: [span(0), span(3)] });
  assert.deepEqual(theirs.chosen.differences, { 3: 1 });
  assert.equal(choices.isOwn(type, item, theirs), false);
});

test("an edit beside the differences decides none of them, and is told", async () => {
  const { type, item, value } = await given(SPANS);
  const beside = choices.edited(type, item, value, { spans: [span(0), span(1)] });
  assert.equal(choices.left(item, beside), 2);
  const all = item.differences.reduce((now, difference) => choices.take(type, item, now, difference, 1), beside);
  assert.deepEqual(choices.sent(type, item, all), { answers: item.answers.map(({ id }) => ({ id, version: 1 })), all: null, differences: [{ key: "3", answer: 1 }, { key: "5", answer: 1 }], edited: true });
});

test("to edit a difference is a choice of nobody's answer, though nothing is changed yet", async () => {
  const { type, item, value } = await given(SPANS);
  const now = choices.takeNone(value, item.differences[0]);
  assert.deepEqual([now.chosen.differences, choices.left(item, now), choices.isOwn(type, item, now)], [{ 3: null }, 1, true]);
});

test("what was put together of several answers is decided by them", async () => {
  const { type, item } = await given(SPANS);
  assert.deepEqual(choices.settled(type, item, { spans: [span(0), span(3), span(5)] }), { all: null, differences: { 3: 1, 5: 2 }, own: false });
  assert.deepEqual(choices.settled(type, item, { spans: [span(0), span(5)] }).all, 2);
});

test("an item without answers takes an edit", () => {
  const item = { answers: [], differences: [], shared: { value: null } };
  const type = { clean: (content) => content, same: (a, b) => a.value === b.value };
  const value = { content: { value: null }, chosen: choices.NOTHING, doubt: false };
  assert.equal(choices.left(item, value), 1);
  const now = choices.edited(type, item, value, { value: "a" });
  assert.deepEqual([choices.left(item, now), choices.sent(type, item, now)], [0, { answers: [], all: null, differences: [], edited: true }]);
});
