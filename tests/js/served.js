import { existsSync, readdirSync } from "node:fs";
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

/** All templates. */
export const templates = folders("templates").flatMap((folder) => filesIn(folder, ".html"));

/** Scripts of kinds of work that live in the tests. */
export const toys = filesIn(join(ROOT, "tests/toy_kinds/static"), ".js");
