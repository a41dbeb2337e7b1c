import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The scripts as the server sends them: `static/` and the kinds of work's folders of that name are one tree. */

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const KINDS = join(ROOT, "annotator/kinds");
const kinds = readdirSync(KINDS).filter((name) => !name.startsWith("_") && !name.endsWith(".py"));

const folders = (name) => [join(ROOT, name), ...kinds.map((kind) => join(KINDS, kind, name))].filter(existsSync);

const filesIn = (folder, ending) =>
  readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(ending)).map((name) => join(folder, name));

/** All scripts by the address they are served under, below `/static/`. */
export const scripts = new Map(
  folders("static").flatMap((folder) => filesIn(folder, ".js").map((file) => [relative(folder, file), file])),
);

/** A copy of them as one tree, for scripts of kinds of work that import from `static/`. It goes when the tests end. */
export function asOneTree() {
  const tree = mkdtempSync(join(tmpdir(), "scripts-"));
  for (const [name, file] of scripts) cpSync(file, join(tree, name));
  process.on("exit", () => rmSync(tree, { recursive: true }));
  return tree;
}

/** All templates. */
export const templates = folders("templates").flatMap((folder) => filesIn(folder, ".html"));

/** Scripts of kinds of work that live in the tests. */
export const toys = filesIn(join(ROOT, "tests/toy_kinds/static"), ".js");
