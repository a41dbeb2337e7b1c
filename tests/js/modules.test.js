import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { ROOT, scripts, templates, toys } from "./served.js";

// Pages' controllers cannot run without a browser; what can be said of them without one is said here.
const IMPORT = /^import (?:\{ ([^}]+) \}|\* as (\w+)) from "([^"]+)";$/gm;
const EXPORT = /^export (?:async )?(?:const|let|class|function) (\w+)/gm;
// What pages import by an address that is put together: content types, and what a kind of work shows around a content.
const BY_NAME = { "work/content/": ["clean", "same", "show", "joined", "brief", "Decision"], "work/components/around.js": ["around"], "kinds/pair_view.js": ["around"] };

const files = [...scripts.keys()].filter((name) => !name.startsWith("vendor/"));
const sources = new Map(files.map((file) => [file, readFileSync(scripts.get(file), "utf8")]));
const exported = (file) => [...sources.get(file).matchAll(EXPORT)].map((match) => match[1]);
const imports = (file) =>
  [...sources.get(file).matchAll(IMPORT)].map(([whole, names, all, from]) => ({ whole, all, names: names?.split(", ") ?? [], from: normalize(join(dirname(file), from)) }));

/** The names of the scripts that do not parse: asked of one process, as one for each takes longer than all other tests. */
function unparsable() {
  const parse = `
    const { SourceTextModule } = require("node:vm");
    const parses = (source) => { try { return new SourceTextModule(source) && true; } catch { return false; } };
    const sources = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
    console.log(JSON.stringify(sources.filter(([, source]) => !parses(source)).map(([name]) => name)));`;
  const options = ["--experimental-vm-modules", "--no-warnings", "--input-type=commonjs", "--eval", parse];
  const { status, stdout, stderr } = spawnSync(process.execPath, options, { encoding: "utf8", input: JSON.stringify([...sources]) });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const wrong = unparsable();

test("a text whose language is known is written as that language is", () => {
  const guessed = [...sources].filter(([, source]) => /\blang(uage)?\b[^{}\n]*\bdir: "auto"/.test(source)).map(([name]) => name);
  assert.deepEqual(guessed, [], "inLanguage of logic/text.js says how");
});

for (const file of files) {
  test(`${file} parses`, () => {
    // Says where it is wrong.
    if (wrong.includes(file)) assert.fail(spawnSync(process.execPath, ["--check", scripts.get(file)], { encoding: "utf8" }).stderr);
  });

  test(`${file} imports what is there, and uses it`, () => {
    const source = sources.get(file);
    assert.equal(imports(file).length, [...source.matchAll(/^import\b/gm)].length, "an import is written another way");
    for (const { whole, all, names, from } of imports(file)) {
      assert.ok(sources.has(from), `${from} is not there`);
      const rest = source.replace(whole, "");
      for (const name of names) {
        assert.ok(exported(from).includes(name), `${from} exports no ${name}`);
        assert.match(rest, new RegExp(`\\b${name}\\b`), `${name} is imported and not used`);
      }
      for (const [, name] of all ? rest.matchAll(new RegExp(`(?<![.\\w])${all}\\.(\\w+)`, "g")) : [])
        assert.ok(exported(from).includes(name), `${from} exports no ${name}`);
    }
  });
}

test("every export is used by another module or by a test of it", () => {
  const tests = readdirSync(join(ROOT, "tests/js")).filter((name) => name !== "modules.test.js");
  const others = [...tests.map((name) => join(ROOT, "tests/js", name)), ...toys].map((file) => readFileSync(file, "utf8"));
  const unused = files.flatMap((file) => {
    const elsewhere = [...sources].filter(([other]) => other !== file).map(([, source]) => source);
    const byName = Object.entries(BY_NAME).flatMap(([start, names]) => (file.startsWith(start) ? names : []));
    return exported(file).filter((name) => !byName.includes(name) && ![...elsewhere, ...others].some((source) => new RegExp(`\\b${name}\\b`).test(source)));
  });
  assert.deepEqual(unused, []);
});

test("what pages import by name exports what they expect", () => {
  for (const [start, names] of Object.entries(BY_NAME)) {
    const found = files.filter((file) => file.startsWith(start));
    assert.ok(found.length > 0, start);
    for (const file of found) for (const name of names) assert.ok(exported(file).includes(name), `${file} exports no ${name}`);
  }
});

test("every script that a template names is there", () => {
  const named = templates.flatMap((file) => [...readFileSync(file, "utf8").matchAll(/static '((?:js|kinds)\/[^']+\.js)'/g)].map((match) => match[1]));
  assert.ok(named.length > 0);
  for (const name of named) assert.ok(sources.has(name), name);
  for (const name of files.filter((file) => file.startsWith("kinds/"))) {
    const used = named.includes(name) || files.some((file) => imports(file).some(({ from }) => from === name)) || name in BY_NAME;
    assert.ok(used, `${name} is on no page`);
  }
});
