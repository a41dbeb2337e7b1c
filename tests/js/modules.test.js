import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

// Pages' controllers cannot run without a browser; what can be said of them without one is said here.
const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const JS = join(ROOT, "static/js");
const IMPORT = /^import (?:\{ ([^}]+) \}|\* as (\w+)) from "([^"]+)";$/gm;
const EXPORT = /^export (?:async )?(?:const|let|class|function) (\w+)/gm;

const files = readdirSync(JS, { recursive: true }).filter((name) => name.endsWith(".js")).map((name) => join(JS, name));
const sources = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
const exported = (file) => [...sources.get(file).matchAll(EXPORT)].map((match) => match[1]);
const imports = (file) =>
  [...sources.get(file).matchAll(IMPORT)].map(([whole, names, all, from]) => ({ whole, all, names: names?.split(", ") ?? [], from: resolve(dirname(file), from) }));
const named = (file) => relative(ROOT, file);

for (const file of files) {
  test(`${named(file)} parses`, () => {
    const { status, stderr } = spawnSync(process.execPath, ["--check", file], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
  });

  test(`${named(file)} imports what is there, and uses it`, () => {
    const source = sources.get(file);
    assert.equal(imports(file).length, [...source.matchAll(/^import\b/gm)].length, "an import is written another way");
    for (const { whole, all, names, from } of imports(file)) {
      assert.ok(sources.has(from), `${named(from)} is not there`);
      const rest = source.replace(whole, "");
      for (const name of names) {
        assert.ok(exported(from).includes(name), `${named(from)} exports no ${name}`);
        assert.match(rest, new RegExp(`\\b${name}\\b`), `${name} is imported and not used`);
      }
      for (const [, name] of all ? rest.matchAll(new RegExp(`(?<![.\\w])${all}\\.(\\w+)`, "g")) : [])
        assert.ok(exported(from).includes(name), `${named(from)} exports no ${name}`);
    }
  });
}

test("every export is used by another module or by a test of it", () => {
  const tests = readdirSync(join(ROOT, "tests/js")).filter((name) => name !== "modules.test.js");
  const others = tests.map((name) => readFileSync(join(ROOT, "tests/js", name), "utf8"));
  const unused = files.flatMap((file) => {
    const elsewhere = [...sources].filter(([other]) => other !== file).map(([, source]) => source);
    return exported(file).filter((name) => ![...elsewhere, ...others].some((source) => new RegExp(`\\b${name}\\b`).test(source)));
  });
  assert.deepEqual(unused, []);
});

test("every script that a template names is there", () => {
  const templates = readdirSync(join(ROOT, "templates"), { recursive: true }).filter((name) => name.endsWith(".html"));
  const named = templates.flatMap((name) =>
    [...readFileSync(join(ROOT, "templates", name), "utf8").matchAll(/static '(js\/[^']+)'/g)].map((match) => match[1]));
  assert.ok(named.length > 0);
  for (const name of named) assert.ok(sources.has(join(ROOT, "static", name)), name);
});
